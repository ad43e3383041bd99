"""A conversation with a language model: tokenizer and template of a GGUF file, answers piece by piece."""

import io
import sys
from pathlib import Path

import gguf
import pytest
import torch
from tokenizers import pre_tokenizers

from helpers.__main__ import main
from helpers.decoding import Sampler, generate
from helpers.published import chat
from helpers.published.chat import Chat, find_smollm2
from helpers.published.gguf_tokenizer import GGUFTokenizer
from test_gguf import llama, write_gguf

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
BYTES = sorted(pre_tokenizers.ByteLevel.alphabet())
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["h e", "he l", "hel l", "hell o", "Ġ t"]
TOKENS = [*SPECIAL, *BYTES, *(merge.replace(" ", "") for merge in MERGES)]


@pytest.fixture
def model(tmp_path):
    return write_speaker(tmp_path / "speaker.gguf")


def write_speaker(path, template=TEMPLATE, pre="smollm", context=300, **options):
    """A Llama of random weights with a tokenizer, as llama.cpp keeps them."""
    theirs = llama(vocab_size=len(TOKENS), max_position_embeddings=context, initializer_range=0.5, **options)
    kept = gguf.GGUFWriter.write_header_to_file

    def with_tokenizer(writer, *arguments):
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(pre)
        writer.add_token_list(TOKENS)
        writer.add_token_types([3] * len(SPECIAL) + [1] * (len(TOKENS) - len(SPECIAL)))
        writer.add_token_merges(MERGES)
        writer.add_eos_token_id(2)
        if template:
            writer.add_chat_template(template)
        kept(writer, *arguments)

    gguf.GGUFWriter.write_header_to_file = with_tokenizer
    try:
        return write_gguf(path, theirs)
    finally:
        gguf.GGUFWriter.write_header_to_file = kept


def test_no_text_is_unknown(model):
    tokenizer = GGUFTokenizer(model)
    for text in ("hello there", "안녕하세요 🙂", " a\n\tb  ", "1304"):
        assert tokenizer.decode(tokenizer.encode(text)) == text
    assert [TOKENS[id] for id in tokenizer.encode("hello the")] == ["hello", "Ġt", "he"]
    assert len(tokenizer.encode("1304")) == 4
    assert tokenizer.encode("<|im_end|>") == [tokenizer.eos_id]
    assert len(tokenizer) == len(TOKENS)


def test_the_template_writes_the_conversation(model, tmp_path):
    tokenizer = GGUFTokenizer(model)
    said = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "hello"}]
    assert tokenizer.chat(said) == (
        "<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n"
    )
    with pytest.raises(ValueError, match="message: it contains <.im_end.>, which only the template writes"):
        tokenizer.chat([{"role": "user", "content": "hello<|im_end|>"}])
    without = GGUFTokenizer(write_speaker(tmp_path / "without.gguf", template=None))
    with pytest.raises(ValueError, match="no chat template"):
        without.chat(said)


def test_what_is_no_tokenizer_of_ours_is_refused(tmp_path):
    with pytest.raises(ValueError, match="tokenizer of the kind .'gpt2', 'llama-bpe'."):
        GGUFTokenizer(write_speaker(tmp_path / "other.gguf", pre="llama-bpe"))
    with pytest.raises(ValueError, match="tokenizer of the kind .None, None."):
        GGUFTokenizer(write_gguf(tmp_path / "none.gguf", llama()))
    half = tmp_path / "half.gguf"
    half.write_bytes((tmp_path / "other.gguf").read_bytes()[:5000])
    with pytest.raises(ValueError, match="cannot be loaded .*name a whole GGUF file"):
        GGUFTokenizer(half)


def test_an_answer_is_what_generate_writes(model):
    conversation = Chat(model)
    pieces = list(conversation.answer("hello", max_tokens=20))
    prompt = conversation.tokenizer.encode(
        conversation.tokenizer.chat([{"role": "user", "content": "hello"}])
    )
    [ids] = generate(conversation.model, None, torch.tensor([prompt]), 2, 20)
    assert "".join(pieces) == conversation.tokenizer.decode(ids).rstrip("\ufffd")
    assert len(pieces) > 3
    assert conversation.messages[-1] == {"role": "assistant", "content": "".join(pieces)}


def test_a_second_answer_is_that_of_the_whole_conversation(model):
    conversation = Chat(model, "Be short.")
    list(conversation.answer("hello", max_tokens=5))
    second = list(conversation.answer("and the?", max_tokens=5))
    anew = Chat(model)
    anew.messages, anew.first = conversation.messages[:-2], 1
    assert list(anew.answer("and the?", max_tokens=5)) == second


def test_a_second_question_reads_only_what_is_new(model):
    conversation = Chat(model, choose=lambda logits: torch.tensor([2]))  # ends at once
    assert list(conversation.answer("hello")) == []
    read, begun = conversation.read, conversation.next_logits
    assert list(conversation.answer("hello")) == []
    assert conversation.next_logits is begun
    assert conversation.read[: len(read)] == read


def test_the_oldest_is_forgotten_when_the_context_is_full(model):
    conversation = Chat(model, "Be short.")
    for i in range(8):
        list(conversation.answer(f"question {i} " + "x" * 40, max_tokens=10))
    assert conversation.messages[0]["role"] == "system"
    assert conversation.messages[1]["role"] == "user"
    assert not conversation.messages[1]["content"].startswith("question 0")
    assert conversation.messages[-2]["content"].startswith("question 7")


def test_a_question_longer_than_the_context_leaves_the_conversation_as_it_was(model):
    conversation = Chat(model)
    with pytest.raises(ValueError, match=r"text: \d+ tokens with the template, room for 280; shorten it"):
        list(conversation.answer("x" * 400, max_tokens=20))
    with pytest.raises(ValueError, match="contains"):
        list(conversation.answer("<|endoftext|>", max_tokens=20))
    assert conversation.messages == []
    assert "".join(conversation.answer("hello", max_tokens=20))


def test_what_was_written_counts_as_said_when_the_reader_stops(model):
    conversation = Chat(model)
    answer = conversation.answer("hello", max_tokens=20)
    first = next(answer)
    answer.close()
    assert conversation.messages[-1]["content"] == first
    assert list(conversation.answer("again", max_tokens=3))


def test_answers_are_drawn_as_asked(model):
    drawn = ["".join(Chat(model, choose=Sampler(3.0, seed=seed)).answer("a", 30)) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_chat_answers_line_by_line(model, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("hello\n\n<|im_end|>\nagain\n"))
    main(["chat", "--model", str(model), "--max-tokens", "8"])
    out, err = capsys.readouterr()
    expected = Chat(model)
    assert out.split("\n")[0] == "".join(expected.answer("hello", 8)).split("\n")[0]
    assert "error: message: it contains <|im_end|>" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-tokens", "0"], "max_tokens"),
        (["--temperature", "-1"], "temperature: value is -1.0; use --temperature 0 for"),
        (["--temperature", "nan"], "temperature: value is nan; use --temperature 0 for"),
        (["--top-p", "2"], "top_p"),
        (["--top-p", "2", "--temperature", "1"], "top_p"),
        (["--model", "nowhere.gguf"], "nowhere.gguf"),
    ],
)
def test_bad_options_are_refused_in_one_line(options, message):
    with pytest.raises(SystemExit, match=f"error: .*{message}"):
        main(["chat", *options])


def test_a_model_without_a_template_is_refused_before_the_first_question(tmp_path):
    path = write_speaker(tmp_path / "without.gguf", template=None)
    with pytest.raises(
        SystemExit, match="error: model: .*without.gguf has no chat template.*; name one that"
    ):
        main(["chat", "--model", str(path)])


def test_without_the_package_the_remedy_is_said(monkeypatch):
    monkeypatch.setattr(chat.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="model: SmolLM2 is not installed; make smollm, or pip install"):
        find_smollm2()


def test_smollm2_answers():
    try:
        path = find_smollm2()
    except ValueError:
        pytest.skip("no model: SmolLM2 is not installed (make smollm)")
    assert isinstance(path, Path)
    assert "Paris" in "".join(Chat(path).answer("What is the capital of France?", max_tokens=12))

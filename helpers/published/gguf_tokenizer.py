"""The tokenizer of a GGUF file, and the template by which its model was taught to talk. Chapter 18."""

from helpers.published.llama_gguf import open_gguf
from helpers.published.weights import one_line_errors

FIELDS = "tokenizer.ggml."
CONTROL = 3  # the type of a token that stands for no text


class GGUFTokenizer:
    """Byte-level BPE: a text becomes bytes, and bytes that often meet become tokens; no text is unknown.

    Args:
        path: a GGUF file.

    Attributes: `eos_id`, what ends a message; `special`, the tokens that stand for no text, in a list.

    Raises:
        ValueError: the file cannot be read, or its tokenizer is of another kind.
    """

    def __init__(self, path):
        with one_line_errors("the file", "name a whole GGUF file", packages="gguf"):
            found = open_gguf(path).fields
        fields = {name.removeprefix(FIELDS): field for name, field in found.items() if FIELDS in name}
        get = {name: fields[name].contents() for name in ("model", "pre", "eos_token_id") if name in fields}
        kind = get.get("model"), get.get("pre")
        if kind not in (("gpt2", "smollm"), ("gpt2", "gpt-2")):
            raise ValueError(f"path: {path} has a tokenizer of the kind {kind}; ours reads smollm and gpt-2")
        tokens = fields["tokens"].contents()
        types = fields["token_type"].contents()
        self.special = [token for token, kind in zip(tokens, types, strict=True) if kind == CONTROL]
        self.eos_id = get["eos_token_id"]
        merges = [tuple(merge.split(" ")) for merge in fields["merges"].contents()]
        self.bpe = byte_level_bpe(tokens, merges, self.special, digits_apart=get["pre"] == "smollm")
        template = found.get("tokenizer.chat_template")
        self.template = template and template.contents()

    def __len__(self):
        return self.bpe.get_vocab_size()

    def encode(self, text):
        """A text as ids; special tokens in it are read as such.

        Args:
            text: any.

        Returns:
            List of ids.
        """
        return self.bpe.encode(text).ids

    def decode(self, ids):
        """Ids as text, without special tokens.

        Args:
            ids: list of ids; the bytes of a character may be torn apart, and show as \\ufffd then.

        Returns:
            A string.
        """
        return self.bpe.decode(list(ids), skip_special_tokens=True)

    def chat(self, messages):
        """A conversation as the one text that the model was taught to continue.

        Args:
            messages: list of {"role": "system", "user" or "assistant", "content": text}.

        Returns:
            The text, up to where the next answer begins.

        Raises:
            ValueError: the file has no template; a message has a special token in it, which only the
                template may write.
        """
        from jinja2.sandbox import ImmutableSandboxedEnvironment  # a template is code of others

        if not self.template:
            raise ValueError("path: the file has no chat template; its model continues texts, use `generate`")
        for message in messages:
            if written := [token for token in self.special if token in message["content"]]:
                raise ValueError(f"message: it contains {written[0]}, which only the template writes")
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(self.template).render(messages=messages, add_generation_prompt=True)


def byte_level_bpe(tokens, merges, special, digits_apart):
    """The tokenizer of the tokenizers library with these tokens.

    Args:
        tokens: list of strings, by id, each byte as one printable character.
        merges: pairs of tokens, first those that are merged first.
        special: tokens that stand for no text.
        digits_apart: whether each digit is a token of its own.

    Returns:
        A `tokenizers.Tokenizer`.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    bpe = Tokenizer(models.BPE({token: id for id, token in enumerate(tokens)}, merges))
    steps = [pre_tokenizers.Digits(individual_digits=True)] if digits_apart else []
    steps += [pre_tokenizers.ByteLevel(add_prefix_space=False)]
    bpe.pre_tokenizer = pre_tokenizers.Sequence(steps)
    bpe.decoder = decoders.ByteLevel()
    bpe.add_special_tokens([AddedToken(token, special=True) for token in special])
    return bpe

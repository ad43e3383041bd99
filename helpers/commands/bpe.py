"""BPE by the `tokenizers` library: the merges and ids of `BPETokenizer`, sooner and in less memory.

Imported only where it is needed, since few have tokenizers installed.
"""

import json

from tokenizers import Tokenizer, models, trainers

from helpers.engine.checks import check_vocab_size
from helpers.engine.remembering import remembered
from helpers.tokenization import BPETokenizer, split_words


class LibraryTokenizer(BPETokenizer):
    """A `BPETokenizer` that leaves the words to the library, which takes a fifth of the time.

    Args: as for `BPETokenizer`, but the texts may come from any iterator, and are not kept.
    """

    def __init__(self, texts, vocab_size):
        library, n_pieces = Tokenizer(models.BPE()), vocab_size - self.first_piece
        trainer = trainers.BpeTrainer(vocab_size=max(n_pieces, 0), show_progress=False)
        library.train_from_iterator(map(split_words, texts), trainer)
        alphabet = sorted(piece for piece in library.get_vocab() if len(piece) == 1)
        check_vocab_size(vocab_size, self.first_piece + len(alphabet))
        self.set_merges(alphabet, json.loads(library.to_str())["model"]["merges"])

    def set_merges(self, alphabet, merges):
        """As `BPETokenizer`.

        Args:
            alphabet, merges: as for `from_merges`.
        """
        super().set_merges(alphabet, merges)
        self.characters, self.library = set(alphabet), models.BPE(vocab=self.ids, merges=self.merges)

    @remembered
    def encode_word(self, word):
        """As `BPETokenizer`, which spells characters that the library does not know.

        Args:
            word: a string, as `split_words` returns them.

        Returns:
            Ids; as a tuple, so that the garbage collector need not look into all that are remembered.
        """
        if self.characters.issuperset(word):
            return tuple(token.id for token in self.library.tokenize(word))
        return super().encode_word(word)

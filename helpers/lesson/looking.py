"""The viewer of chapter 13 for a Korean sentence and its translation."""

from itertools import pairwise

import torch

from helpers.decoding import generate
from helpers.figures.viewer import attention_viewer
from helpers.inspection import attention_weights

_WORDS = """
나는 I              민수는 Minsu        누나는 my-sister     아이들은 the-children
어제 yesterday      최근 recently       지난주에 last-week
집에서 at-home      공원에서 in-the-park      런던에서 in-London   카페에서 at-the-cafe
책을 a-book         빵을 bread          사진을 a-photo       커피를 coffee
읽었다 read         샀다 bought         찍었다 took          마셨다 drank
읽고 read-and       사고 bought-and     찍고 took-and        마시고 drank-and
도쿄 Tokyo          파리 Paris          여행을 trip          다녀왔다 went-and-came-back
""".split()
GLOSSES = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))


def in_korean(text):
    """A sentence in Korean, whether it is written in Korean or in the English of `GLOSSES`.

    Args:
        text: a string of words; a word that is not in `GLOSSES` stays.

    Returns:
        A string.
    """
    korean = {gloss: word for word, gloss in GLOSSES.items()}
    return " ".join(korean.get(word, word) for word in text.split())


def words_of(tokenizer, ids):
    """The tokens of a list of ids, without the spaces around them.

    Args:
        tokenizer: a `BPETokenizer`.
        ids: list of int.

    Returns:
        A list of strings.
    """
    return [tokenizer.tokens[id].strip() for id in ids]


def view_translation(model, korean, english, text, id):
    """Translate a Korean sentence and show the weights of every head while it was written.

    Args:
        model, korean, english: as `course_translator` returns them.
        text: the sentence.
        id: of the element; another one for each viewer of a page.

    Returns:
        `IPython.display.HTML`. Rows of the decoder are named “token read → token written”.
    """
    from IPython.display import HTML

    src = torch.tensor([korean.encode(text)])
    found = generate(model, src, english.bos_id, english.eos_id, max_len=40)[0]
    tgt = torch.tensor([[english.bos_id, *found, english.eos_id]])
    weights = attention_weights(model, src, tgt[:, :-1])
    source = [f"{w} ({GLOSSES[w]})" if w in GLOSSES else w for w in words_of(korean, src[0].tolist())]
    tokens = words_of(english, tgt[0].tolist())
    steps = [f"{read} → {written}" for read, written in pairwise(tokens)]
    labels = {
        "encoder": (("인코더", "encoder"), source, source),
        "decoder": (("디코더", "decoder"), steps, tokens[:-1]),
        "cross": (("크로스", "cross"), steps, source),
    }
    return HTML(attention_viewer({name: part[:, 0] for name, part in weights.items()}, labels, id))

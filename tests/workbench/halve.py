"""Pictures of panels side by side, cut in two, so that on a phone one half stands below the other."""

import io
import itertools

import numpy as np
from PIL import Image

from trim import ink

GAP = 6  # pixels: so wide at least is what is empty between two panels
WIDER = 4  # pixels: how much farther from the middle a gap may be for each that it is wider than a label's
FAINT = 7  # of 255: what differs less from the empty space is empty, too


def halves(picture):
    """Where to cut a picture from top to bottom: near the middle, and rather in a wide gap.

    Args:
        picture: bytes of a PNG file, whose first pixel is empty.

    Returns:
        Two pairs (first column, width), in pixels; none if there is no place where nothing is cut through.
    """
    image = Image.open(io.BytesIO(picture))
    inked = (np.asarray(ink(image)) > FAINT).any(axis=(0, 2)).tolist()
    ends = [0, *itertools.accumulate(len(list(run)) for _, run in itertools.groupby(inked))]
    runs = [(a, b) for a, b in itertools.pairwise(ends) if not inked[a] and b - a >= GAP]
    gaps = [(a, b) for a, b in runs if a and b < image.width]
    if not gaps:
        return []
    a, b = min(gaps, key=lambda gap: abs(sum(gap) - image.width) / 2 - WIDER * (gap[1] - gap[0]))
    cut = (a + b) // 2
    return [(0, cut), (cut, image.width - cut)]

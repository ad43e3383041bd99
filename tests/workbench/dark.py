"""The pictures of a dark page: light and dark change places, and a color stays what it is called."""

import io
import struct
import zlib

import numpy as np
from PIL import Image

from helpers.figures.plots import in_few_colors

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PAPER = np.array([0x16, 0x18, 0x1C])  # of the dark page, as in site.css
INK, LINE = 0.97, 0.6  # the lightness of what was black, and the least of a strong color
WHOLE = 0.72  # what is so far from white is ink
CURVE = 0.8  # below 1: what is neither light nor dark becomes rather bright
TO_CONES = np.array(  # of the color space Oklab, from linear RGB; https://bottosson.github.io/posts/oklab/
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def darkened(picture):
    """A picture for the dark page.

    Args:
        picture: bytes of a PNG file.

    Returns:
        Bytes of a PNG file in which only the palette is another one.
    """
    if b"PLTE" not in picture[:64]:
        file = io.BytesIO()
        in_few_colors(Image.open(io.BytesIO(picture))).save(file, format="png")
        picture = file.getvalue()
    parts = [SIGNATURE]
    for kind, data in chunks(picture):
        if kind == b"PLTE":
            data = dark(np.frombuffer(data, np.uint8).reshape(-1, 3)).tobytes()
        parts.append(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))
    return b"".join(parts)


def chunks(picture):
    """(kind, data) of each chunk of a PNG file."""
    at = len(SIGNATURE)
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        at += 12 + length


def dark(colors):
    """Colors as a dark page shows them: white becomes its paper, black nearly white, a hue stays.

    Args:
        colors: (n, 3), RGB from 0 to 255.

    Returns:
        An array like it.
    """
    lab, (paper, *_) = oklab(colors), oklab(PAPER[None])[0]
    light = lab[:, :1]
    ink = np.hypot(lab[:, 1:2], lab[:, 2:3])  # how far from gray
    changed = paper + (INK - paper) * np.clip((1 - light) / WHOLE, 0, 1) ** CURVE
    strong = np.clip((ink - 0.11) / 0.04, 0, 1)  # a line or a bar, which would be brown
    changed += strong * (np.maximum(changed, LINE) - changed)
    result = np.where(ink < 0.004, changed * [[1, 0, 0]], np.hstack([changed, lab[:, 1:]]))
    result = from_oklab(result)
    result[(colors == 255).all(axis=1)] = PAPER
    return result


def oklab(colors):
    """RGB from 0 to 255, (n, 3), as Oklab: lightness from 0 to 1, and two axes of color."""
    parts = np.asarray(colors) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ TO_CONES.T) @ TO_LAB.T


def from_oklab(lab):
    """The other way; what no screen can show is cut off."""
    linear = np.clip((lab @ np.linalg.inv(TO_LAB).T) ** 3 @ np.linalg.inv(TO_CONES).T, 0, 1)
    parts = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(parts * 255).astype(np.uint8)

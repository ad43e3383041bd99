"""Pictures without the empty space around them, so that their labels are larger on a phone."""

import io

from PIL import Image, ImageChops

MARGIN = 4  # pixels that stay


def trimmed(picture):
    """A picture without what is empty around it.

    Args:
        picture: bytes of a PNG file, whose first pixel is empty.

    Returns:
        Bytes of a PNG file with the same colors; the picture itself if all of it is empty.
    """
    image = Image.open(io.BytesIO(picture))
    box = ink(image).getbbox()
    if not box:
        return picture
    near = [max(0, edge - MARGIN) for edge in box[:2]]
    far = [min(edge + MARGIN, end) for edge, end in zip(box[2:], image.size, strict=True)]
    file = io.BytesIO()
    image.crop((*near, *far)).save(file, format="png")
    return file.getvalue()


def ink(image):
    """How far each pixel of an image is from the first one, which is empty; another image, in RGB."""
    colors = image.convert("RGB")
    return ImageChops.difference(colors, Image.new("RGB", image.size, colors.getpixel((0, 0))))

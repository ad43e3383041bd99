"""Text to UTF-8 and back, for any string of Python and any bytes."""


def to_bytes(text):
    """The UTF-8 bytes of a text; half an emoji, which plain UTF-8 refuses, is encoded as well.

    Args:
        text: a string.

    Returns:
        Bytes.
    """
    return text.encode("utf-8", "surrogatepass")


def to_text(data):
    """The text of UTF-8 bytes; "�" stands for bytes that are no character.

    Args:
        data: bytes.

    Returns:
        A string.
    """
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # cut in the middle of a character
        return data.decode("utf-8", "replace")

"""Wrong answers to the exercise of chapter 00."""

from wrong_answers import wrong


@wrong("counts characters")
def count_words(text):
    return len(list(text))


@wrong("empty strings between doubled spaces")
def count_words(text):
    return len(text.split(" "))


@wrong("counts spaces")
def count_words(text):
    return sum(c == " " for c in text)


@wrong("It returns str; return int")
def count_words(text):
    return str(len(text.split()))


@wrong("empty strings between doubled spaces")
def count_words(text):
    return text.count(" ") + 1

"""The cryptogram solver once more, on strings and dictionaries; nothing shared with `model`."""

import math

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
PERCENT = """
    8.2 1.5 2.8 4.3 12.7 2.2 2.0 6.1 7.0 .15 .77 4 2.4
    6.7 7.5 1.9 .095 6 6.3 9.1 2.8 .98 2.4 .15 2 .074"""
ENGLISH = {c: float(p) / 100 for c, p in zip(ALPHABET, PERCENT.split(), strict=True)}


def turned(text, rotation):
    forward = str.maketrans(ALPHABET, ALPHABET[rotation:] + ALPHABET[:rotation])
    return text.translate(forward)


def back(text, rotation):
    return turned(text, (26 - rotation) % 26)


def dot_product(text, rotation):
    """Mean frequency of the letters, once turned back; spaces count as 0."""
    return math.fsum(ENGLISH.get(c, 0) for c in back(text, rotation)) / len(text)


def squared_error(text, rotation):
    guess = back(text, rotation)
    return math.fsum((guess.count(c) / len(guess) - ENGLISH[c]) ** 2 for c in ALPHABET)


def chi_squared(text, rotation):
    guess = back(text, rotation).replace(" ", "")
    total = math.fsum(ENGLISH.values())
    expected = {c: ENGLISH[c] / total for c in ALPHABET}
    return math.fsum(
        (guess.count(c) / len(guess) - expected[c]) ** 2 / expected[c] for c in expected
    )


def log_likelihood(text, rotation):
    return math.fsum(math.log(ENGLISH[c]) for c in back(text, rotation) if c != " ") / len(text)


def root_product(text, rotation):
    return math.fsum(math.sqrt(ENGLISH.get(c, 0)) for c in back(text, rotation)) / len(text)


def share_of_e(text, rotation):
    return back(text, rotation).count("e") / len(text)

"""What every sentence of the film `caesar` asserts, held against definitions written once more.

Nothing that is asserted is asked of `model` or a stage. A letter is its place in the alphabet; the
cipher adds the rotation, and spaces stay. English is a frequency for each letter, a whole number of
units. The score of rotation r, times the characters and the units, is the sum over all letters of
the ciphertext of the frequency of the letter r places before: whole numbers, so that equals are
equal. Which two letters the plane of `angle` shows is the stage's choice; which text is measured on
is data.

In a sentence of the tables, `{name}` stands for what is filled in.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from tests.scenes.old_telling import Check, Inputs, Said, is_share, nothing_to_check, spelled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_UNITS = """
    8200 1500 2800 4300 12700 2200 2000 6100 7000 150 770 4000 2400
    6700 7500 1900 95 6000 6300 9100 2800 980 2400 150 2000 74"""
UNITS = [int(n) for n in _UNITS.split()]
"""How often a to z come in English, in units of 1e-5."""
PER_UNIT = 100_000
_ALL = range(26)
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_PHRASE = "how often each letter"
_FIRST, _STRETCH, _FEWER = 8, 8, 20


def turned(text: str, rotation: int) -> str:
    """A text whose letters are moved forward."""
    moved = ALPHABET[rotation % 26 :] + ALPHABET[: rotation % 26]
    return text.translate(str.maketrans(ALPHABET, moved))


def scores_of(ciphertext: str) -> list[int]:
    """Of every rotation."""
    counts = [ciphertext.count(letter) for letter in ALPHABET]
    return [sum(counts[k] * UNITS[(k - r) % 26] for k in _ALL) for r in _ALL]


def firsts(scores: Sequence[int]) -> list[int]:
    """The rotations that share the largest score."""
    return [r for r in _ALL if scores[r] == max(scores)]


class Told:
    """A message, turned, and the scores of every rotation."""

    def __init__(self, text: str, rotation: int) -> None:
        self.text, self.rotation = text, rotation
        self.cipher = turned(text, rotation)
        self.n, self.n_letters = len(text), sum(c != " " for c in text)
        self.counts = [self.cipher.count(letter) for letter in ALPHABET]
        self.scores = scores_of(self.cipher)
        self.leaders = firsts(self.scores)

    @property
    def is_tied(self) -> bool:
        return len(self.leaders) > 1

    @property
    def is_read(self) -> bool:
        return self.leaders == [self.rotation]

    @property
    def place(self) -> int:
        """One more than score strictly more than the true rotation."""
        return 1 + sum(score > self.scores[self.rotation] for score in self.scores)

    @property
    def shares_place(self) -> bool:
        return self.scores.count(self.scores[self.rotation]) > 1

    @cached_property
    def guesses(self) -> list[int]:
        """The rotation that leads after every character, the first of equals."""
        return [firsts(scores_of(self.cipher[: k + 1]))[0] for k in range(self.n)]

    @cached_property
    def was_tied(self) -> bool:
        """Whether several led after some character."""
        return any(len(firsts(scores_of(self.cipher[: k + 1]))) > 1 for k in range(self.n))

    @property
    def n_changes(self) -> int:
        return sum(a != b for a, b in itertools.pairwise(self.guesses))

    @property
    def settled(self) -> int:
        """After how many characters the guess is what it stays."""
        other = [k for k, guess in enumerate(self.guesses) if guess != self.guesses[-1]]
        return other[-1] + 2 if other else 1

    @cached_property
    def errors(self) -> list[int]:
        """Squared errors, times the square of the characters and the units."""
        return [
            sum((PER_UNIT * self.counts[k] - self.n * UNITS[(k - r) % 26]) ** 2 for k in _ALL)
            for r in _ALL
        ]


@lru_cache(maxsize=64)
def message(text: str, rotation: int) -> Told:
    return Told(text, rotation)


def told(check: Callable[[Told, Said], bool]) -> Check:
    """A check of the message; the rotation that is called true is so, the one found leads alone."""

    def holds(inputs: Inputs, said: Said) -> bool:
        text = message(inputs.text, inputs.rotation)
        true = said.get("true") in (None, str(text.rotation))
        found = said.get("found") in (None, *([str(text.leaders[0])] * (not text.is_tied)))
        return true and found and check(text, said)

    return holds


def read(check: Callable[[Told, Said], bool]) -> Check:
    """The same of a message that is read."""
    return told(lambda text, said: text.is_read and check(text, said))


def moved(check: Callable[[Told], bool]) -> Check:
    """A check of a message with nothing filled in."""
    return told(lambda text, _: check(text))


def alike(a: Any, b: Any) -> bool:
    return bool(np.allclose(a, b, rtol=0, atol=1e-9))


# 1. The wheel


def _becomes(inputs: Inputs, said: Said) -> bool:
    plain = inputs.example[0]
    return said["plain"] == plain and said["cipher"] == turned(plain, inputs.example_rotation)


WHEEL: dict[str, Check] = {
    "A secret message": nothing_to_check("heading"),
    "How was it written?": nothing_to_check("question"),
    "Can you read this?": nothing_to_check("question"),
    "You can, for its letters have stayed what they were.": moved(lambda t: t.cipher == t.text),
    "This letter stands for another.": moved(lambda t: t.n_letters == 1 and t.rotation > 0),
    "Each letter stands for another.": moved(lambda t: t.n_letters > 1 and t.rotation > 0),
    "Two rings write it: inside what you mean, outside what you send.": nothing_to_check(
        "definition"
    ),
    "The inner ring turns by 0 places: it stays. That number is the key.": (
        lambda inputs, _: inputs.example_rotation == 0
    ),
    "The inner ring turns by 1 place: that number is the key.": (
        lambda inputs, _: inputs.example_rotation == 1
    ),
    "The inner ring turns by {n} places: that number is the key.": (
        lambda inputs, said: said["n"] == str(inputs.example_rotation) and said["n"] not in "01"
    ),
    "Look each letter up: “{plain}” inside, “{cipher}” outside. Spaces stay.": _becomes,
    "With the key, anyone turns it back and reads. This one is secret.": moved(
        lambda t: t.rotation > 0
    ),
    "With the key, anyone turns it back and reads. This one can be read as it is.": moved(
        lambda t: t.cipher == t.text
    ),
    "Without it there are {n} to try. A machine tries them all at once.": (
        lambda inputs, said: said["n"] == str(len(ALPHABET))
    ),
}


# 2. The histogram


def _lopsided(text: Told, said: Said) -> bool:
    """English, by the letters that are named, and the message too."""
    most, least = (ALPHABET[UNITS.index(f(UNITS))] for f in (max, min))
    share = is_share(said["share"], max(UNITS) / PER_UNIT)
    hardly = min(UNITS) < PER_UNIT / 1000
    return (said["most"], said["least"]) == (most, least) and share and hardly


def _stands_for_e(text: Told, said: Said) -> bool:
    return said["cipher"] == turned("e", text.rotation) and text.rotation > 0


def _is_lopsided(text: Told) -> bool:
    return len(set(text.counts)) > 1


def _misleads(text: Told, said: Said) -> bool:
    """One rotation leads, and by it a letter would stand for e that stands for another."""
    cipher = said["cipher"]
    plain = turned(cipher, -text.rotation)
    wrong = not text.is_read and not text.is_tied and cipher == turned("e", text.leaders[0])
    return wrong and plain == said.get("plain", cipher) != "e"


HISTOGRAM: dict[str, Check] = {
    "The shape survives": told(lambda text, _: sorted(text.counts) == _sorted_counts(text.text)),
    "What does a rotation not change?": nothing_to_check("question"),
    "Cut the rings between z and a: turning becomes sliding.": nothing_to_check("geometry"),
    "Now count: each letter of the message falls on its own name.": nothing_to_check("definition"),
    "English is lopsided too: “{most}” comes {share} of the time, “{least}” hardly ever.": told(
        lambda text, said: _lopsided(text, said) and _is_lopsided(text)
    ),
    "English is lopsided: “{most}” comes {share} of the time, “{least}” hardly ever.": told(
        lambda text, said: _lopsided(text, said) and not _is_lopsided(text)
    ),
    "How far must English slide until it fits?": nothing_to_check("question"),
    "Not at all: nowhere else does it fit as well as where it began.": told(
        lambda text, _: text.leaders == [0]
    ),
    "By 1 letter: nowhere else does it fit as well.": told(lambda text, _: text.leaders == [1]),
    "By {found} letters: nowhere else does it fit as well.": told(
        lambda text, said: int(said["found"]) > 1
    ),
    "By {rotations} letters: it fits equally well, and nowhere better.": told(
        lambda text, said: (
            [int(r) for r in re.split(", | or ", said["rotations"])] == text.leaders
            and 1 < len(text.leaders) <= 3
        )
    ),
    "It fits as well in {n} places.": told(
        lambda text, said: said["n"] == str(len(text.leaders)) and len(text.leaders) > 3
    ),
    "A rotation keeps the shape. But this one fits in several places: it does not tell.": moved(
        lambda text: text.is_tied
    ),
    "But “{cipher}” stands for “{plain}”, not “e”: this shape is too unlike English.": told(
        lambda text, said: _misleads(text, said) and text.rotation > 0
    ),
    "But “{cipher}” stands for itself, not “e”: this shape is too unlike English.": told(
        lambda text, said: _misleads(text, said) and text.rotation == 0
    ),
    "Here “e” stands for itself: a rotation by 0 moves nothing.": read(
        lambda text, _: text.rotation == 0
    ),
    "“{cipher}” stands for “e”: a rotation moves the shape, and keeps it.": read(_stands_for_e),
    (
        "Tallest meets tallest: “{cipher}” stands for “e”. A rotation moves the shape, "
        "and keeps it."
    ): read(
        lambda text, said: (
            _stands_for_e(text, said)
            and text.counts[ALPHABET.index(said["cipher"])] == max(text.counts)
            and text.counts.count(max(text.counts)) == 1
        )
    ),
}


def _sorted_counts(text: str) -> list[int]:
    return sorted(text.count(letter) for letter in ALPHABET)


# 3. Dot products


def _largest(text: Told, said: Said) -> bool:
    products = [count * unit for count, unit in zip(text.counts, UNITS, strict=True)]
    return products[ALPHABET.index(said["letter"])] == max(products)


def _next_best(text: Told, said: Said) -> bool:
    """The one that is named is second, alone."""
    second = int(said["second"])
    less = sorted(text.scores)[:-1]
    return text.scores[second] == less[-1] > less[-2] and second not in text.leaders


DOT_PRODUCTS: dict[str, Check] = {
    "{n} rotations, {again} dot products": lambda inputs, said: (
        said["n"] == said["again"] == str(len(ALPHABET))
    ),
    "How does a machine see the best fit?": nothing_to_check("question"),
    "Start at rotation 0. Multiply the two heights at every letter: here at {letter}.": told(
        _largest
    ),
    "Add them all up: the dot product tells how well the two fit.": nothing_to_check("definition"),
    "Slide English on, and add up again: a bar for every rotation.": nothing_to_check("definition"),
    "Rotation {found} alone scores most.": told(
        lambda text, _: sorted(text.scores)[-2] == sorted(text.scores)[-3]
    ),
    "Rotation {found} scores most; rotation {second} comes next.": told(_next_best),
    "Rotations {rotations} share the largest score.": told(
        lambda text, said: _listed(text, said) and 1 < len(text.leaders) <= 3
    ),
    "{n} rotations share the largest score.": told(
        lambda text, said: said["n"] == str(len(text.leaders)) and len(text.leaders) > 3
    ),
    "Several rotations have the largest dot product: this message does not tell its key.": moved(
        lambda text: text.is_tied
    ),
    (
        "The largest dot product says {found}, but the key is {true}: this message is too short, "
        "or too unlike English."
    ): moved(lambda text: not text.is_read),
    "Tall meets tall, and the sum is large: the largest dot product tells the key, {found}.": read(
        lambda text, said: said["found"] == str(text.rotation)
    ),
}


# 4. Angles


class Plane:
    """Every template and the ciphertext as arrows over the two letters that are shown."""

    def __init__(self, text: Told, x: str, y: str) -> None:
        a, b = (ALPHABET.index(letter) for letter in (x, y))
        self.own = text.counts[a], text.counts[b]
        self.arrows = [(UNITS[(a - r) % 26], UNITS[(b - r) % 26]) for r in _ALL]

    def shadow(self, r: int) -> int:
        """Its length times that of the ciphertext, in units."""
        return sum(own * part for own, part in zip(self.own, self.arrows[r], strict=True))

    def across(self, r: int) -> int:
        """How far the arrow is from the ciphertext's, times the length of that, in units."""
        (a, b), (x, y) = self.own, self.arrows[r]
        return abs(a * y - b * x)

    def is_closer(self, r: int, s: int) -> bool:
        """Whether arrow r points strictly closer to the ciphertext than s."""
        return self.across(r) * self.shadow(s) < self.across(s) * self.shadow(r)

    def square(self, r: int) -> int:
        return sum(part**2 for part in self.arrows[r])

    @property
    def longest(self) -> list[int]:
        return firsts([self.shadow(r) for r in _ALL])


def plane(check: Callable[[Plane, Said], bool]) -> Check:
    """A check of the plane that is shown."""
    return lambda inputs, said: check(
        Plane(message(inputs.text, inputs.rotation), inputs.x, inputs.y), said
    )


def _shorter(arrows: Plane, said: Said) -> bool:
    """The rival is closer than all that have the longest shadow, and shorter than each."""
    r = int(said["r"])
    return r not in arrows.longest and all(
        arrows.is_closer(r, s) and arrows.square(r) < arrows.square(s) for s in arrows.longest
    )


def _found_closer(inputs: Inputs, said: Said) -> bool:
    """The one found with all letters is closer than the one that has the longest shadow here."""
    text = message(inputs.text, inputs.rotation)
    longest = said["longest"] in map(str, Plane(text, inputs.x, inputs.y).longest)
    found = text.leaders == [int(said["r"])]
    return longest and found and plane(_shorter)(inputs, said)


def _none_closer(arrows: Plane, said: Said) -> bool:
    r = int(said["r"])
    return r in arrows.longest and not any(arrows.is_closer(s, r) for s in _ALL)


def _all_letters(text: Told, said: Said) -> bool:
    """All are equally long, so that the largest scores are at the smallest angles."""
    return said["n"] == str(len(UNITS)) and _equally_long(text)


def _equally_long(_: Told) -> bool:
    return len({sum(UNITS[(k - r) % 26] ** 2 for k in _ALL) for r in _ALL}) == 1


ANGLE: dict[str, Check] = {
    "Every dot product is a shadow": nothing_to_check("heading"),
    "What does a dot product measure?": nothing_to_check("question"),
    "Keep two letters: the ciphertext and all rotations become arrows.": plane(
        lambda arrows, _: any(arrows.own)
    ),
    "A dot product is the length of the ciphertext's arrow, times a shadow on it.": (
        nothing_to_check("geometry")
    ),
    "Does this arrow point closest to the ciphertext?": nothing_to_check("question"),
    "No: rotation {r} points closer, but its arrow is shorter.": plane(_shorter),
    "No: rotation {longest} is only longer. Rotation {r}, found before, points closer.": (
        _found_closer
    ),
    "With these two letters, yes: no arrow points closer than rotation {r}.": plane(_none_closer),
    "As the other letters join, only lengths and angles to the ciphertext are true.": (
        nothing_to_check("how it is drawn")
    ),
    (
        "The same {n} numbers make all rotations equally long: longest shadow means smallest angle."
    ): told(_all_letters),
}


# 5. The theorem


def _one_level(text: Told, _: Said) -> bool:
    twice = [2 * text.n * PER_UNIT * score for score in text.scores]
    return len({a + b for a, b in zip(twice, text.errors, strict=True)}) == 1


def _least(text: Told) -> list[int]:
    return [r for r in _ALL if text.errors[r] == min(text.errors)]


_PAIR = {"A": (2, 4), "B": (8, 0)}
"""Two templates, in tenths, and what is compared with them."""
_BETWEEN = (5, 4)


def _longer_wins(_: Inputs, said: Said) -> bool:
    long, near = (_PAIR[said[name]] for name in ("longer", "nearer"))
    dots = [sum(a * b for a, b in zip(c, _BETWEEN, strict=True)) for c in (long, near)]
    gaps = [sum((a - b) ** 2 for a, b in zip(c, _BETWEEN, strict=True)) for c in (long, near)]
    squares = [sum(a**2 for a in c) for c in (long, near)]
    return dots[0] > dots[1] and gaps[0] > gaps[1] and squares[0] > squares[1]


THEOREM: dict[str, Check] = {
    "Two rules, one winner": told(lambda text, _: _least(text) == text.leaders),
    "Does the nearest arrow win too?": nothing_to_check("question"),
    "Another rule: the nearest tip wins. The error is its distance, squared.": nothing_to_check(
        "definition"
    ),
    (
        "Call the ciphertext f and a rotation c: all c are equally long, so only the dot product "
        "differs."
    ): moved(_equally_long),
    "So error plus twice the dot product is the same for every rotation.": told(_one_level),
    "What one gains, the other loses: both rules choose the same.": told(
        lambda text, _: _least(text) == text.leaders
    ),
    (
        "This needs equal lengths: {longer}, a longer arrow, has the larger dot product, though "
        "{nearer} is nearer."
    ): _longer_wins,
}


# 6. The transformer


def come(which: str, count: Callable[[Told], bool]) -> dict[str, Check]:
    """How many characters are followed, and how wide their rows are."""
    return {
        which: told(
            lambda text, said: (
                count(text)
                and said.get("n") in (None, str(min(text.n, _FIRST)))
                and said["places"] == str(len(ALPHABET) + 1)
            )
        )
    }


_EACH = " come in one-hot: {places} numbers each, all 0 but a single 1."

TRANSFORMER: dict[str, Check] = {
    "A transformer that counts letters": nothing_to_check("heading"),
    "Can attention find these scores?": nothing_to_check("question"),
    **come(
        "The only character comes in one-hot: {places} numbers, all 0 but a single 1.",
        lambda t: t.n == 1,
    ),
    **come("Both characters" + _EACH, lambda t: t.n == 2),
    **come("All {n} characters" + _EACH, lambda t: 2 < t.n <= _FIRST),
    **come("The first {n} characters" + _EACH, lambda t: t.n > _FIRST),
    "To count, where should the last character look?": moved(lambda t: t.n > 1),
    "It can look at nothing but itself, and gives itself all its attention.": moved(
        lambda t: t.n == 1
    ),
    "Everywhere: with $W_Q = 0$ it asks for nothing, so softmax gives each 1/{n}.": told(
        lambda text, said: text.n > 1 and said["n"] == str(min(text.n, _FIRST))
    ),
    "The 1 drops into its bin: a histogram of a single character.": moved(lambda t: t.n == 1),
    "Each 1 shrinks to its share and drops into its bin: a histogram.": moved(lambda t: t.n > 1),
    "The unembedding holds English in all {n} rotations.": (
        lambda _, said: said["n"] == str(len(ALPHABET))
    ),
    "A row times the histogram, added up, scores its rotation: a logit.": nothing_to_check(
        "definition"
    ),
    "The dot products are the logits: attention counts, the unembedding compares.": (
        nothing_to_check("definition")
    ),
}


# 7. The guesses


def _first_guess(text: Told, said: Said) -> bool:
    """The first letter stands where e comes if English is turned so far."""
    return said["r"] == str(text.guesses[0]) and turned("e", int(said["r"])) == text.cipher[0]


def _times(text: Told, said: str) -> bool:
    few = {"once": 1, "twice": 2}
    number = few.get(said) or int(said.removesuffix(" times"))
    return number == text.n_changes and (number > 2) == said.endswith("times")


def _last_letter(text: Told, said: Said) -> bool:
    return _times(text, said["times"]) and text.settled == text.n > 1 and text.text[-1] != " "


def _stays(text: Told, said: Said) -> bool:
    """From that character on, and not before, and it is not the last."""
    k = int(said["k"])
    rest = {said["r"]} == {str(guess) for guess in text.guesses[k - 1 :]}
    changes = str(text.guesses[k - 2]) != said["r"]
    return _times(text, said["times"]) and rest and 1 < k < text.n and changes


_KEY = "the key is {true}"

GUESSES: dict[str, Check] = {
    "One guess after every character": nothing_to_check("heading"),
    "When does the transformer know the key?": nothing_to_check("question"),
    "The only letter is taken for e, the commonest: rotation {r}.": told(
        lambda text, said: text.n == 1 and _first_guess(text, said)
    ),
    "Alone, the first letter is taken for e, the commonest: rotation {r}.": told(
        lambda text, said: text.n > 1 and _first_guess(text, said)
    ),
    "After every character the highest bar is the guess; green where it is right.": moved(
        lambda t: not t.was_tied
    ),
    (
        "After every character the highest bar, or the first of equals, is the guess; "
        "green where it is right."
    ): moved(lambda t: t.was_tied),
    "Rotation {r}, from the first letter to the last.": told(
        lambda text, said: text.n > 1 and {said["r"]} == set(map(str, text.guesses))
    ),
    "The guess changes {times}, with the very last letter.": told(
        lambda text, said: text.n_changes == 1 and _last_letter(text, said)
    ),
    "The guess changes {times}, the last time with the very last letter.": told(
        lambda text, said: text.n_changes > 1 and _last_letter(text, said)
    ),
    "The guess changes {times}. From character {k} on it is rotation {r}.": told(_stays),
    "In the end several rotations score the same, and it can only take the first of them.": moved(
        lambda t: t.is_tied
    ),
    "It is never right: " + _KEY + ", but these letters say otherwise.": told(
        lambda text, _: text.rotation not in text.guesses and not text.is_tied
    ),
    "It was right for a while, but not in the end: " + _KEY + ".": told(
        lambda text, _: text.rotation in text.guesses and text.rotation != text.guesses[-1]
    ),
    "One layer of attention, every weight written by hand, finds the key of the cipher.": read(
        lambda text, _: True
    ),
    (
        "It can only count, and a text this short, or this unlike English, does not tell the key."
    ): moved(lambda t: not t.is_read),
}


# 8. How much text it takes; 9. What is learned: all measured on one text

PLAIN = " ".join(re.sub(r"[^a-z\s]", "", SAMPLE_ENGLISH.lower()).split())
_FREQUENCIES = np.array(UNITS, dtype=np.int64)
_LOGS = np.log(_FREQUENCIES / PER_UNIT)
_ROOTS = np.sqrt(_FREQUENCIES / PER_UNIT)
_LENGTHS = (4, 8, 16, 32, 64, 128)


def _counts(text: str, length: int) -> Ints:
    """The letters of every stretch; shape (N, 26)."""
    hot = np.array([[letter == c for letter in ALPHABET] for c in text], dtype=np.int64)
    sums = np.vstack([np.zeros((1, 26), dtype=np.int64), hot.cumsum(axis=0)])
    return np.asarray(sums[length:] - sums[:-length])


def _numbers(column: NDArray[Any]) -> NDArray[Any]:
    """Numbers for the letters, turned by every rotation; shape (26 letters, 26 rotations)."""
    return np.array([[column[(k - r) % 26] for r in _ALL] for k in _ALL])


def share_read(counts: Ints, column: NDArray[Any]) -> float:
    """How often rotation 0 leads; among k equals it counts as 1 / k of a reading.

    Whole numbers are equal or not; others are, if only rounding parts them.
    """
    scores = counts @ _numbers(column)
    near = 0 if scores.dtype == np.int64 else 1e-9
    leads = scores >= scores.max(axis=1, keepdims=True) - near
    return float((leads[:, 0] / leads.sum(axis=1)).mean())


def share_of_commonest(counts: Ints) -> float:
    """The same if the commonest letter is taken for e."""
    leads = counts == counts.max(axis=1, keepdims=True)
    return float((leads[:, ALPHABET.index("e")] / leads.sum(axis=1)).mean())


@cache
def by_length() -> dict[str, dict[int, float]]:
    """Of every way of counting, the share of stretches that is read, by length."""
    every = {n: _counts(PLAIN, n) for n in _LENGTHS}
    return {
        "dot": {n: share_read(counts, _FREQUENCIES) for n, counts in every.items()},
        "logs": {n: share_read(counts, _LOGS) for n, counts in every.items()},
        "commonest": {n: share_of_commonest(counts) for n, counts in every.items()},
    }


def _stretches(_: Inputs, said: Said) -> bool:
    """As many are read, and longer ones do better, each twice as long."""
    shares = by_length()["dot"]
    longer = [shares[n] for n in _LENGTHS if n >= _STRETCH]
    better = all(a < b for a, b in itertools.pairwise(longer))
    right = said["n"] == str(_STRETCH) and is_share(said["share"], longer[0])
    return right and better


def _far_more(*_: Any) -> bool:
    """Taking the commonest for e reads less of the longest than dot products of an eighth of it."""
    shares = by_length()
    return shares["commonest"][_LENGTHS[-1]] < shares["dot"][_LENGTHS[-1] // 8]


def _least_text(*_: Any) -> bool:
    """Logarithms read at least as much at every length, and most of all where much is missing."""
    shares = by_length()
    others = [shares["dot"], shares["commonest"]]
    return all(shares["logs"][n] >= other[n] for other in others for n in _LENGTHS)


def _enough(_: Inputs, said: Said) -> bool:
    n, shares = int(said["n"]), by_length()["dot"]
    shorter = [shares[m] for m in _LENGTHS if m < n]
    return is_share(said["share"], shares[n]) and max(shorter) < 0.95 <= shares[n]


def short(check: Callable[[Told, Said], bool]) -> Check:
    """A check of the short message."""
    return lambda inputs, said: check(message(inputs.short_text, inputs.short_rotation), said)


def _most(text: Told, said: Said) -> bool:
    r = int(said["r"])
    return text.leaders == [r] and said["words"] == turned(text.cipher, -r)


def _listed(text: Told, said: Said) -> bool:
    named = [int(r) for r in re.split(r", | and ", said["rotations"])]
    return named == text.leaders and 1 < len(named) <= 3


def _was(text: Told, said: Said) -> bool:
    return (said["words"], said["r"]) == (text.text, str(text.rotation))


def _in_place(shared: bool) -> Check:
    return short(
        lambda text, said: (
            _was(text, said)
            and said["place"] == str(text.place)
            and text.shares_place == shared
            and text.place > 1
        )
    )


_WAS = "It was “{words}”: the key, {r},"

HOW_MUCH_TEXT: dict[str, Check] = {
    "How much text does it take?": nothing_to_check("heading"),
    "Can a message of one letter be read?": short(lambda text, _: text.n_letters == 1),
    "Can a message of {n} letters be read?": short(
        lambda text, said: text.n_letters > 1 and said["n"] == _NUMBERS[text.n_letters]
    ),
    "Rotation {r} scores most: that would read “{words}”.": short(_most),
    "Rotations {rotations} share the largest score.": short(_listed),
    "That is right, this time.": short(lambda text, _: text.is_read),
    _WAS + " is one of these.": short(
        lambda text, said: _was(text, said) and text.is_tied and text.rotation in text.leaders
    ),
    _WAS + " is in place {place} of 26.": _in_place(shared=False),
    _WAS + " shares place {place} of 26.": _in_place(shared=True),
    (
        "Few letters may be rare ones. From {words} words in cipher, we read {n} characters at a "
        "time."
    ): lambda _, said: (
        said["words"] == str(len(SAMPLE_ENGLISH.split())) and said["n"] == str(_STRETCH)
    ),
    "Of all stretches of {n}, {share} are read. Longer ones do better.": _stretches,
    "Taking the commonest letter for e needs far more.": _far_more,
    "Adding logarithms multiplies the letters' chances, and needs the least.": _least_text,
    "With {n} characters, dot products read {share} of the stretches.": _enough,
}


@dataclass(frozen=True)
class Trained:
    """Numbers learned from the first seven tenths of the text, and what each reads of the rest."""

    n_seen: int
    n_held_out: int
    n_steps: int
    column: Floats
    reads: dict[str, float]


@cache
def trained(length: int) -> Trained:
    """The 26 numbers of least cross-entropy plus their square over 20, by Newton's steps from 0.

    A stretch's letters, turned back by r, times the numbers are the logit of r; 0 is right. It ends
    with a step below 1e-10 of the largest number.
    """
    cut = round(0.7 * len(PLAIN))
    seen, rest = (_counts(part, length) for part in (PLAIN[:cut], PLAIN[cut:]))
    shares = seen / length
    turns = np.stack([np.roll(shares, -r, axis=1) for r in _ALL], axis=1)  # (N, 26 turns, 26)
    column, n_steps, size = np.zeros(26), 0, np.inf
    while size >= 1e-10 * max(1.0, np.abs(column).max()):
        chances = np.exp(turns @ column)
        chances /= chances.sum(axis=1, keepdims=True)
        mean = np.einsum("nr,nrk->nk", chances, turns)
        slope = (mean - shares).sum(axis=0) + column / 10
        flat = turns.reshape(-1, 26)
        bend = flat.T @ (flat * chances.reshape(-1, 1)) - mean.T @ mean + np.eye(26) / 10
        step = np.linalg.solve(bend, slope)
        column, n_steps, size = column - step, n_steps + 1, float(np.abs(step).max())
    ways = {"frequencies": _FREQUENCIES, "roots": _ROOTS, "logs": _LOGS, "learned": column}
    reads = {name: share_read(rest, numbers) for name, numbers in ways.items()}
    return Trained(len(seen), len(rest), n_steps, column, reads)


def learned(check: Callable[[Trained, Said], bool]) -> Check:
    """A check of what is learned from stretches of the length that is asked for."""
    return lambda inputs, said: check(trained(inputs.learned_length), said)


def _logs_read_more(inputs: Inputs, _: Said) -> bool:
    """And around their mean, over their spread, the rarest letters are lower, on the whole."""
    rare = _FREQUENCIES < PER_UNIT / 100
    lows = [((x - x.mean()) / x.std())[rare].mean() for x in (_FREQUENCIES, _ROOTS, _LOGS)]
    reads = trained(inputs.learned_length).reads
    return reads["logs"] > reads["roots"] and lows[0] > lows[1] > lows[2]


def _roots_read_more(found: Trained, said: Said) -> bool:
    return said["n"] == str(found.n_held_out) and found.reads["roots"] > found.reads["frequencies"]


def _nearly_logs(found: Trained, said: Said) -> bool:
    """Pearson's r is above 0.9, and both shares are those that are read."""
    alike_ = float(np.corrcoef(found.column, _LOGS)[0, 1]) > 0.9
    return alike_ and all(is_share(said[name], found.reads[name]) for name in ("learned", "logs"))


LEARNED: dict[str, Check] = {
    "Which numbers would be learned?": nothing_to_check("heading"),
    "English was put in by hand: {n} numbers.": lambda _, said: said["n"] == str(len(ALPHABET)),
    "Of the last {n} stretches of {length} in our text, square roots read more.": learned(
        _roots_read_more
    ),
    "Logarithms read still more, as rare letters count more against a rotation.": _logs_read_more,
    "What would a network find by itself?": nothing_to_check("question"),
    "It begins with 0 for every letter.": nothing_to_check("as it is trained"),
    "Given {seen} other stretches, {steps} corrections make their keys more likely.": learned(
        lambda found, said: (
            (said["seen"].replace(",", ""), said["steps"])
            == (str(found.n_seen), str(found.n_steps))
        )
    ),
    "It finds nearly the logarithms: they read {logs}, and it reads {learned}.": learned(
        _nearly_logs
    ),
    "In every rotation, a row for each, these numbers are a learned unembedding.": (
        nothing_to_check("definition")
    ),
}


# 10. Another embedding

_TEMPLATES = np.vstack([_numbers(_FREQUENCIES), np.zeros((1, 26))]) / PER_UNIT
"""Of every token, the space last, what it adds to the logit of each rotation; (27, 26)."""


@lru_cache(maxsize=64)
def drawn_embedding(width: int, seed: int) -> Floats:
    """A row of normal numbers for every token; (27, D)."""
    return np.random.default_rng(seed).normal(size=(27, width))


def embedded(check: Callable[[Floats], bool]) -> Check:
    """A check of the embedding that is drawn."""
    return lambda inputs, _: check(drawn_embedding(inputs.n_dimensions, inputs.seed))


def _nothing_left(rows: Floats) -> bool:
    """What the templates read of these rows has as good as nothing to do with the templates."""
    mixed = rows[:, :27] @ _TEMPLATES
    return abs(float(np.corrcoef(mixed.ravel(), _TEMPLATES.ravel())[0, 1])) < 0.3


def _undone(rows: Floats) -> bool:
    """The rows are independent, and some U makes the templates of them."""
    u = np.linalg.lstsq(rows, _TEMPLATES, rcond=None)[0]
    return int(np.linalg.matrix_rank(rows)) == 27 and alike(rows @ u, _TEMPLATES)


@cache
def agreement(width: int) -> float:
    """How often rows of a width below 27 find what one-hot ones do: 1000 texts, 8 embeddings."""
    rng = np.random.default_rng(0)
    length, n = 32, 1000
    rotations = rng.integers(26, size=n)
    every = _counts(PLAIN, length)
    starts = rng.integers(len(every), size=n)
    spaces = length - every[starts].sum(axis=1, keepdims=True)
    letters = [np.roll(every[k], r) for k, r in zip(starts, rotations, strict=True)]
    texts = np.hstack([np.array(letters), spaces]) / length  # (1000, 27)
    found = (texts @ _TEMPLATES).argmax(axis=1)
    shares = []
    for seed in range(8):
        rows = drawn_embedding(width, seed)
        u = np.linalg.lstsq(rows, _TEMPLATES, rcond=None)[0]
        shares.append(((texts @ rows @ u).argmax(axis=1) == found).mean())
    return float(np.mean(shares))


def _mixed_up(_: Inputs, said: Said) -> bool:
    return said["n"] == str(_FEWER) and abs(float(said["share"][:-1]) / 100 - agreement(20)) < 0.006


@cache
def _chosen() -> tuple[int, bool]:
    """Letters less their mean: how many dimensions, and whether all scores lose the same."""
    centred = np.vstack([np.eye(26) - 1 / 26, np.zeros((1, 26))])  # the space at 0
    u = np.linalg.lstsq(centred, _TEMPLATES, rcond=None)[0]
    lost = _TEMPLATES - centred @ u  # (27, 26)
    return int(np.linalg.matrix_rank(centred)), alike(lost, lost[:, :1]) and alike(lost[-1], 0)


EMBEDDING: dict[str, Check] = {
    "Nearly any embedding will do": nothing_to_check("heading"),
    "Must tokens be one-hot vectors?": nothing_to_check("question"),
    "Rows of $E$ are tokens, columns of $U$ rotations: $E U$ is English, turned.": (
        lambda inputs, _: inputs.n_dimensions == 27
    ),
    "Rows of $E$ are tokens, columns of $U$ rotations. Dimensions to spare: {n}.": (
        lambda inputs, said: int(said["n"]) == inputs.n_dimensions - 27 > 0
    ),
    "What if every number of $E$ is random?": nothing_to_check("question"),
    "English is gone from $E U$: this $U$ only reads one-hot vectors.": embedded(_nothing_left),
    "But random vectors are independent: another $U$ undoes them.": embedded(_undone),
    "Fewer than 27 mix the tokens up: {n} keep {share} of the answers on average.": _mixed_up,
    (
        "Chosen with care, {n} are enough: the space and what all scores share decide nothing."
    ): lambda _, said: (int(said["n"]), True) == _chosen() and not _TEMPLATES[-1].any(),
    "One-hot is easiest to read, but nearly any vectors do, if wide enough.": embedded(_undone),
}


# 11. The message is read


def is_said(text: str, phrase: str) -> bool:
    """Whether a text has these words, or begins so."""
    return f" {phrase} " in f" {text} " or (len(phrase) == 24 and text.startswith(phrase))


def phrase_of(text: str, asked: str) -> str:
    """The words that are asked for, or the known ones, or as many first ones as 24 characters."""
    if asked or is_said(text, _PHRASE):
        return asked or _PHRASE
    whole = [text[:k] for k in range(1, min(len(text), 24) + 1) if f"{text} "[k] == " "]
    return whole[-1] if whole else text[:24]


def opened(check: Callable[[Told, str], bool]) -> Check:
    """A check of a message and of the words that are looked at."""

    def holds(inputs: Inputs, said: Said) -> bool:
        phrase = phrase_of(inputs.text, inputs.phrase)
        text = message(inputs.text, inputs.rotation)
        named = said.get("phrase") in (None, phrase)
        known = {"found": str(text.leaders[0]), "true": str(text.rotation)}
        known["many"] = spelled(len(text.leaders)).capitalize()
        numbers = all(said.get(name) in (None, number) for name, number in known.items())
        return named and numbers and check(text, phrase)

    return holds


def _is_wrong(text: Told, *_: str) -> bool:
    """Whether the first of the rotations that lead is not the true one."""
    return text.leaders[0] != text.rotation


def _kinds(phrase: str) -> int:
    return len(set(phrase) - {" "})


def _no_bar_changes(text: Told, phrase: str) -> bool:
    """Every letter does, and comes as often as before."""
    pairs = [(a, b) for a, b in zip(phrase, turned(phrase, text.rotation), strict=True) if a != " "]
    return all(a != b and text.text.count(a) == text.cipher.count(b) for a, b in pairs)


MESSAGE: dict[str, Check] = {
    "The Caesar cipher, read": opened(lambda text, _: text.is_read),
    "The Caesar cipher, and a message that is not read": opened(lambda text, _: not text.is_read),
    "What did the message say?": nothing_to_check("question"),
    "The largest score said 0: there is nothing to turn back.": opened(
        lambda text, _: text.leaders == [0]
    ),
    (
        "{many} rotations share the largest score. The first of them is {found}: turn the ring "
        "back by as much."
    ): opened(lambda text, _: text.is_tied),
    "That is not what was written: here the key has a smaller score.": (
        opened(lambda text, _: _is_wrong(text) and text.rotation not in text.leaders)
    ),
    "That is not what was written: here the key has the same score.": (
        opened(lambda text, _: _is_wrong(text) and text.rotation in text.leaders)
    ),
    "By luck it is the right one: this message alone does not tell its key.": opened(
        lambda text, _: text.is_tied and not _is_wrong(text)
    ),
    "The key was {true}: with it, anyone can read the message.": opened(_is_wrong),
    "The largest score said {found}: turn the ring back by as much.": opened(
        lambda text, _: text.leaders != [0] and not text.is_tied
    ),
    "Nobody told the machine the key. And look at what the message says.": opened(
        lambda text, phrase: phrase == _PHRASE and is_said(text.text, phrase) and text.is_read
    ),
    "Nobody told the machine the key: it has only counted letters.": opened(
        lambda text, _: text.is_read
    ),
    "“{phrase}”: this is how often it comes in the message.": opened(
        lambda text, phrase: len(phrase) == 1 and is_said(text.text, phrase)
    ),
    "“{phrase}”: this is how often its one letter comes in the message.": opened(
        lambda text, phrase: len(phrase) > 1 == _kinds(phrase) and is_said(text.text, phrase)
    ),
    "“{phrase}”: this is how often each of them comes in the message.": opened(
        lambda text, phrase: _kinds(phrase) > 1 and is_said(text.text, phrase)
    ),
    "The message does not say “{phrase}”. This is how often it comes there.": opened(
        lambda text, phrase: len(phrase) == 1 and not is_said(text.text, phrase)
    ),
    "The message does not say “{phrase}”. This is how often each letter of it comes there.": opened(
        lambda text, phrase: len(phrase) > 1 and not is_said(text.text, phrase)
    ),
    "Turn it once more: the letter changes, and the bar does not.": opened(
        lambda text, phrase: len(phrase) == 1 and _no_bar_changes(text, phrase)
    ),
    "Turn them once more: every letter changes, and no bar does.": opened(
        lambda text, phrase: len(phrase) > 1 and _no_bar_changes(text, phrase)
    ),
    (
        "A rotation hides which letter it is, never how often it comes. "
        "What if every letter had its own key?"
    ): opened(lambda text, phrase: text.rotation == 0 or _no_bar_changes(text, phrase)),
}


# 12. Where V and O are


def folded(check: Callable[[Floats, Floats, Floats, Floats], bool]) -> Check:
    """A check of even attention, of one-hot rows, and of a V and an O, for the word."""

    def holds(inputs: Inputs, _: Said) -> bool:
        n = len(inputs.word)
        even = np.array([[1 / (i + 1) if j <= i else 0 for j in range(n)] for i in range(n)])
        rows = np.array([[float(c == letter) for letter in "abc"] for c in inputs.word])
        return check(even, rows, _V, _O)

    return holds


_V = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
_O = np.array([[0.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, 0.0, 1.0]])


def _counts_so_far(even: Floats, rows: Floats, *_: Floats) -> bool:
    return all(alike(mean, rows[: i + 1].mean(axis=0)) for i, mean in enumerate(even @ rows))


FOLDED: dict[str, Check] = {
    "Where are V and O?": nothing_to_check("heading"),
    "Of Q, K, V and O, only Q was set, to 0.": nothing_to_check("as the transformer says"),
    "Each letter attends evenly to all so far: its row of $A X$ has counted them.": (
        folded(_counts_so_far)
    ),
    "What would a $V$ change, before the rows are mixed, and an $O$ after?": nothing_to_check(
        "question"
    ),
    "$X V$: each 1 picks its row of $V$, and attention mixes these instead.": folded(
        lambda a, x, v, _: alike(x @ v, v[x.argmax(axis=1)]) and not alike(a @ x @ v, a @ x)
    ),
    "$O$ changes what comes out. This one undoes $V$: the counts are back.": folded(
        lambda a, x, v, o: alike(a @ x @ v @ o, a @ x)
    ),
    "$(X V) O$ is $X (V O)$: one matrix will do, and ours changes nothing.": folded(
        lambda a, x, v, o: alike((x @ v) @ o, x @ (v @ o)) and alike(v @ o, np.eye(3))
    ),
    "So the head only counts. In any head, $V O$ alone says what is handed on.": folded(
        _counts_so_far
    ),
}


# 13. How sure it may be


class Believed(Told):
    """A message, and the chance of every rotation, after 0, 1, and so on of its characters."""

    @cached_property
    def chances(self) -> list[list[float]]:
        """Products of frequencies, turned back, over their sum."""
        found, logs = [[1 / 26] * 26], [0.0] * 26
        for c in self.cipher:
            if c != " ":
                k = ALPHABET.index(c)
                logs = [logs[r] + math.log(UNITS[(k - r) % 26] / PER_UNIT) for r in _ALL]
            weights = [math.exp(x - max(logs)) for x in logs]
            found.append([w / sum(weights) for w in weights])
        return found

    @property
    def first(self) -> list[int]:
        """The rotations that share the largest chance."""
        last = self.chances[-1]
        return [r for r in _ALL if last[r] >= max(last) * (1 - 1e-7)]


def believed(check: Callable[[Believed, Said], bool]) -> Check:
    """A check of the chances; the rotation that is named is the only one that leads."""

    def holds(inputs: Inputs, said: Said) -> bool:
        text = Believed(inputs.text, inputs.rotation)
        found = said.get("found") in (None, *([str(text.first[0])] * (len(text.first) == 1)))
        chance = "chance" not in said or is_share(said["chance"], text.chances[-1][text.first[0]])
        return found and chance and check(text, said)

    return holds


def _as_english(text: Believed, said: Said) -> bool:
    """After the first letter a rotation has the frequency that this letter has in it."""
    k, whole = ALPHABET.index(said["letter"]), sum(UNITS)
    is_e = turned(said["letter"], -int(said["r"])) == "e"
    if not is_e or float(said["share"][:-1]) != round(100 * UNITS[4] / whole, 1):
        return False
    due = [UNITS[(k - r) % 26] / whole for r in _ALL]
    return said["letter"] == text.cipher[0] and alike(text.chances[1], due)


def _nearly_alike(text: Believed, _: Said) -> bool:
    """Of a softmax of dot products each gets 1 in 26, within a fifth."""
    powers = [math.exp(score / PER_UNIT / text.n) for score in text.scores]
    return all(abs(26 * p / sum(powers) - 1) < 0.2 for p in powers)


def _sure_from(text: Believed, said: Said) -> bool:
    """The true one has more than 99 % from there on, and not before."""
    n, r = int(said["n"]), text.rotation
    from_there = all(found[r] > 0.99 for found in text.chances[n:])
    return said["share"] == "99%" and from_there and text.chances[n - 1][r] < 0.99


@cache
def _claims_and_reads() -> tuple[float, float]:
    """Over all stretches of 16: the mean of the largest chance, and the share that is read."""
    counts = _counts(PLAIN, 16)
    logs = counts @ _numbers(_LOGS)
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    chances = powers / powers.sum(axis=1, keepdims=True)
    return float(chances.max(axis=1).mean()), share_read(counts, _LOGS)


def _calibrated(text: Believed, said: Said) -> bool:
    """What is claimed is no more than what is read, and less by three in a hundred at most."""
    claims, reads = _claims_and_reads()
    named = is_share(said["claims"], claims) and is_share(said["reads"], reads)
    here = {"It may be believed: o": text.first == [text.rotation]}
    here["It is wrong here. But o"] = text.rotation != text.first[0] and len(text.first) == 1
    here["Nothing is decided here. But o"] = len(text.first) > 1
    return (
        here.get(said["here"], False) and said["n"] == "16" and named and 0 <= reads - claims < 0.03
    )


_KEY_IS = ", and the key is {true}."

POSTERIOR: dict[str, Check] = {
    "How sure may it be?": nothing_to_check("heading"),
    "Softmax turns scores into shares. Which?": nothing_to_check("question"),
    "Dot products are small numbers, so softmax makes them nearly alike.": believed(_nearly_alike),
    "Could shares say how likely a rotation is?": nothing_to_check("question"),
    "With logarithms, rotation {r}, where “{letter}” is e, gets {share}: the share of e.": believed(
        _as_english
    ),
    "Each further letter multiplies a chance by how often it comes in that rotation.": believed(
        lambda text, _: text.n > 1
    ),
    "In the end {n} rotations share the largest chance.": believed(
        lambda text, said: said["n"] == str(len(text.first)) and len(text.first) > 3
    ),
    "In the end rotations {rotations} share the largest chance.": believed(
        lambda text, said: (
            [int(r) for r in re.split(r", | and ", said["rotations"])] == text.first
            and 1 < len(text.first) <= 3
        )
    ),
    "From {n} characters on, rotation {found} keeps over {share}.": believed(
        lambda text, said: said["found"] == str(text.rotation) and _sure_from(text, said)
    ),
    "In the end rotation {found} is most likely, which is right, and {chance} sure.": believed(
        lambda text, said: (
            said["found"] == str(text.rotation) and text.chances[-1][text.rotation] < 0.99
        )
    ),
    "In the end rotation {found} is most likely, at {chance}" + _KEY_IS: believed(
        lambda text, said: said["true"] == str(text.rotation) != said["found"]
    ),
    (
        "{here}ver all stretches of {n} in our text, it claims {claims} on average, and {reads} "
        "are read."
    ): believed(_calibrated),
}


# 14. What is printed


def _as_printed(r: int) -> list[int]:
    """The last r frequencies, and after them those from r on."""
    return UNITS[-r:] + UNITS[r:]


_EXAMPLE = turned("etainos", 1)


def _found_by(row: Callable[[int], list[int]]) -> int:
    """The rotation whose row, cut, has the largest sum at the letters of the example."""
    sums = [sum(row(r)[ALPHABET.index(c)] for c in _EXAMPLE) for r in _ALL]
    return sums.index(max(sums))


def _misread(_: Inputs, said: Said) -> bool:
    wrong, right = _found_by(_as_printed), _found_by(lambda r: UNITS[26 - r :] + UNITS[: 26 - r])
    words = (said["cipher"], said["wrong"]) == (_EXAMPLE, turned(_EXAMPLE, -wrong))
    return words and said["right"] == turned(_EXAMPLE, -right) == "etainos" and said["r"] == "1"


@cache
def _both_shares() -> tuple[float, float]:
    """Of all stretches of 32 in all rotations, what the printed rows read, cut, and English."""
    counts = _counts(PLAIN, 32)
    printed = np.array([_as_printed(r)[:26] for r in _ALL])
    right = []
    for r in _ALL:
        scores = np.roll(counts, r, axis=1) @ printed.T
        leads = scores == scores.max(axis=1, keepdims=True)
        right.append((leads[:, r] / leads.sum(axis=1)).mean())
    return float(np.mean(right)), share_read(counts, _FREQUENCIES)


def _reads(_: Inputs, said: Said) -> bool:
    printed, meant = _both_shares()
    named = is_share(said["printed"], printed) and is_share(said["meant"], meant)
    return said["n"] == "32" and named


def _left(inputs: Inputs, said: Said) -> bool:
    """From that letter on, the row is English as it was, and the letters before are others."""
    r = inputs.turned
    stands = _as_printed(r)[r:] == UNITS[r:]
    return stands and said["letter"] == ALPHABET[r] and _as_printed(r)[:26] != UNITS


PRINTED: dict[str, Check] = {
    "Coda: two slices of English": nothing_to_check("heading"),
    "Does the book's code read its example?": nothing_to_check("question"),
    "It puts the last r letters first, then those from r on.": (
        nothing_to_check("as it is printed")
    ),
    "But {letter} stands where it stood.": (
        lambda inputs, said: inputs.turned == 25 and _left(inputs, said)
    ),
    "But from {letter} on, all letters stand where they stood.": (
        lambda inputs, said: inputs.turned < 25 and _left(inputs, said)
    ),
    "Row 0 has {n} numbers: the code stops. Cut to {places}, it runs.": (
        lambda _, said: (
            said["n"] == str(len(UNITS[-0:] + UNITS[0:]))
            and {len(_as_printed(r)) for r in _ALL[1:]} == {int(said["places"])}
        )
    ),
    "So “{cipher}”, “{right}” turned by {r}, is read as “{wrong}”.": _misread,
    "Meant were all but the last r: every row is English, turned.": (
        lambda *_: all(
            UNITS[26 - r :] + UNITS[: 26 - r] == [UNITS[(k - r) % 26] for k in _ALL] for r in _ALL
        )
    ),
    "Of stretches of {n} characters, the printed rows read {printed}, these {meant}.": _reads,
}


TRUTHS: dict[str, dict[str, Check]] = {
    "caesar.wheel": WHEEL,
    "caesar.histogram": HISTOGRAM,
    "caesar.dot_products": DOT_PRODUCTS,
    "caesar.angle": ANGLE,
    "caesar.theorem": THEOREM,
    "caesar.transformer": TRANSFORMER,
    "caesar.guesses": GUESSES,
    "caesar.how_much_text": HOW_MUCH_TEXT,
    "caesar.learned": LEARNED,
    "caesar.arbitrary_embedding": EMBEDDING,
    "caesar.message": MESSAGE,
    "caesar.folded": FOLDED,
    "caesar.posterior": POSTERIOR,
    "caesar.printed": PRINTED,
}


# What a refusal says


@dataclass(frozen=True)
class Refusal:
    """Whether what it tells is so, and the inputs to which it tells one to change."""

    is_so: Check
    ways: Callable[[Inputs, Said], list[dict[str, Any]]]


def _other_letter(inputs: Inputs, said: Said) -> list[dict[str, Any]]:
    """A letter of the ciphertext that is told, along either axis."""
    held = sorted(set(said["cipher"]) - {" "})
    return [
        {axis: letter} for axis in "xy" for letter in held if letter not in (inputs.x, inputs.y)
    ]


def _has_none(inputs: Inputs, said: Said) -> bool:
    cipher = turned(inputs.text, inputs.rotation)
    named = (said["x"], said["y"], said["cipher"]) == (inputs.x, inputs.y, cipher)
    return named and not {inputs.x, inputs.y} & set(cipher)


REFUSALS: dict[str, dict[str, Refusal]] = {
    "caesar.angle": {
        "x and y must be different letters, got '{x}' twice": Refusal(
            lambda inputs, said: said["x"] == inputs.x == inputs.y,
            lambda inputs, said: [{"y": letter} for letter in "qs" if letter != inputs.x],
        ),
        "x or y must be a letter of the ciphertext '{cipher}', got '{x}' and '{y}'": Refusal(
            _has_none, _other_letter
        ),
    },
}
"""How inputs are refused that make no sense together."""

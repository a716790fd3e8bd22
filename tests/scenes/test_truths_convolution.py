"""Every sentence of the film `convolution` is so, for legal inputs of all kinds; its pictures too.

What is asserted is held against sums written once more, pixel by pixel; only of attention the
pattern is asked, whose own tests are in `tests/model/induction/test_circuit.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pydantic import ValidationError

from clockhead.model.induction.circuit import Induction
from clockhead.model.tokens import Vocabulary, words
from clockhead.scenes.convolution.shifted import Shifted
from clockhead.scenes.convolution.stencil import Stencil
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import StageInputs, find_stage
from clockhead.scenes.stage.shown import misread
from tests.scenes.legal import said
from tests.scenes.old_telling import Check, FilmTruths, Inputs, legal, nothing_to_check, those_taken
from tests.scenes.showing import numbers_in, seen, watch
from tests.scenes.staging import play

Grid = list[list[float]]
VERTICAL = ((-1, 2, -1),) * 3
HORIZONTAL = ((-1, -1, -1), (2, 2, 2), (-1, -1, -1))


# Sums of the film, written once more


def picture(inputs: Inputs, right: int = 0) -> Grid:
    """The picture as rows of numbers, moved by so many columns."""
    rows = [[float(digit) for digit in row] for row in inputs.image.split()]
    n = len(rows[0])
    return [[row[j - right] if 0 <= j - right < n else 0.0 for j in range(n)] for row in rows]


def overlap(inputs: Inputs, right: int) -> float:
    pairs = zip(picture(inputs), picture(inputs, right), strict=True)
    return sum(a * b for one, two in pairs for a, b in zip(one, two, strict=True))


def sums(pixels: Grid, weights: Any) -> Grid:
    """What a filter makes at every stop; tiny sums are rounding."""
    found = [
        [
            math.fsum(pixels[i + a][j + b] * weights[a][b] for a in range(3) for b in range(3))
            for j in range(len(pixels[0]) - 2)
        ]
        for i in range(len(pixels) - 2)
    ]
    return [[x if abs(x) > 1e-9 else 0.0 for x in row] for row in found]


def pooled(pixels: Grid, weights: Any) -> list[float]:
    table = sums(pixels, weights)
    return [
        max(0.0, table[i][j], table[i + 1][j], table[i][j + 1], table[i + 1][j + 1])
        for i in range(len(table) - 1)
        for j in range(len(table[0]) - 1)
    ]


def scores(inputs: Inputs, right: int = 0) -> tuple[float, float]:
    pixels = picture(inputs, right)
    return math.fsum(pooled(pixels, inputs.first)), math.fsum(pooled(pixels, inputs.second))


def names(inputs: Inputs) -> tuple[str, str]:
    known = {VERTICAL: "vertical", HORIZONTAL: "horizontal"}
    first = inputs.first_name or known.get(inputs.first, "first")
    second = inputs.second_name or known.get(inputs.second, "second")
    return (first, second) if first != second else ("first", "second")


def is_tie(pair: tuple[float, float]) -> bool:
    return math.isclose(*pair, rel_tol=1e-12)


def leader(inputs: Inputs) -> int:
    pair = scores(inputs)
    return int(pair[1] > pair[0] and not is_tie(pair))


def n_led(inputs: Inputs) -> tuple[int, int]:
    """At how many places the answer leads, and how many places there are."""
    reach, k = len(picture(inputs)[0]) // 2, leader(inputs)
    pairs = [scores(inputs, step) for step in range(-reach, reach + 1)]
    return sum(pair[k] > pair[1 - k] and not is_tie(pair) for pair in pairs), len(pairs)


def is_even(inputs: Inputs) -> bool:
    """Whether the answer scores the same at as many pixels to the left as to the right."""
    reach, k = len(picture(inputs)[0]) // 2, leader(inputs)
    pairs = ((scores(inputs, -n)[k], scores(inputs, n)[k]) for n in range(1, reach + 1))
    return all(math.isclose(left, right, rel_tol=1e-9) for left, right in pairs)


def flat(table: Grid) -> list[float]:
    return [x for row in table for x in row]


def largest(inputs: Inputs, weights: Any) -> float:
    return max(flat(sums(picture(inputs), weights)))


def sum_at(inputs: Inputs, stop: int) -> float:
    return sums(picture(inputs), inputs.first)[0][stop]


def leads_beside(inputs: Inputs) -> bool:
    """Whether the answer leads one pixel to the left and one to the right."""
    k = leader(inputs)
    pairs = [scores(inputs, step) for step in (-1, 1)]
    return all(pair[k] > pair[1 - k] and not is_tie(pair) for pair in pairs)


def is_number(text: str, value: float) -> bool:
    """Whether a number of up to four digits, or a whole one, is a value."""
    says = float(text.replace("−", "-").replace(",", ""))
    return math.isclose(says, value, rel_tol=6e-4, abs_tol=1e-9) and (
        value != int(value) or abs(value) >= 1e4 or says == value
    )


def is_odds(text: str, lead: float) -> bool:
    if text == "more than a million billion":
        return lead >= math.log(1e15)
    number, _, unit = text.partition(" ")
    scale = {"": 1.0, "million": 1e6, "billion": 1e9, "trillion": 1e12}[unit]
    odds, digits = math.exp(lead) / scale, number.replace(",", "")
    step = 10.0 ** -len(digits.partition(".")[2])
    return abs(float(digits) - odds) <= step / 2 * (1 + 1e-6) and 1 <= odds < (
        1e6 if not unit else 1e3
    )


def middle_is_ink(inputs: Inputs) -> bool:
    """Whether the second window has ink all over its middle column and nowhere else."""
    window = [row[1:4] for row in picture(inputs)[:3]]
    return all(b and not a and not c for a, b, c in window)


@cache
def last_row(text: str) -> tuple[int, float]:
    """What the induction head looks at from the last word, and how much it gives it."""
    tokens = words(text)
    row = Induction(tokens, Vocabulary.of(tokens)).forward.head_1.pattern[-1]
    return int(row.argmax()), float(row.max())


CAT = "the cat sat on the mat and the cat"


def asks(text: str, avoid: int = -1) -> str:
    """A text that ends with a word that stood before, inside, once: added if the last one did not.

    What followed it is at least three words back, and not at the place to avoid if that can be.
    """
    tokens = words(text)
    if is_answer(text) and back(text) >= 3:
        return text
    inner = [k for k in range(1, len(tokens) - 3) if tokens.count(tokens[k]) == 1]
    best = [k for k in inner if k + 1 != avoid] or inner
    return f"{text} {tokens[best[0]]}" if best else text


def both(i: Inputs) -> tuple[str, str]:
    """The two texts. The second, left out, is the first with its words moved on, but for the last.

    Of all ways to move them the first is taken that finds the answer elsewhere, and out of the
    window if one does.
    """
    text = asks(i.text)
    if i.other_text is not None:
        return text, asks(i.other_text, last_row(text)[0])
    if text == CAT:
        return CAT, "the mat the cat sat on and the cat"
    *rest, last = words(text)
    ways = [" ".join([*rest[-k:], *rest[:-k], last]) for k in range(1, len(rest))]
    good = [w for w in ways if is_answer(w) and back(w) != back(text)]
    far = [w for w in good if back(w) >= 3]
    return text, (far or good or ways)[0]


def first(i: Inputs) -> str:
    return both(i)[0]


def is_answer(text: str) -> bool:
    place, share = last_row(text)
    tokens = words(text)
    return share > 0.5 and place > 0 and tokens[place - 1] == tokens[-1]


def n_matches(text: str) -> int:
    """How many words note the last one: those after it, and the first, which notes itself."""
    tokens = words(text)
    return sum(note == tokens[-1] for note in (tokens[0], *tokens[:-1]))


def back(text: str) -> int:
    return len(words(text)) - 1 - last_row(text)[0]


def layers(distance: int) -> int:
    """How many layers it takes if each looks two words farther back."""
    return next(n for n in range(distance) if 2 * n >= distance)


def is_found_elsewhere(i: Inputs, word: str) -> bool:
    """Whether this is what the head finds in the other text, at another place."""
    other = both(i)[1]
    place = last_row(other)[0]
    return is_answer(other) and words(other)[place] == word and place != last_row(first(i))[0]


def column_uses(i: Inputs) -> tuple[int, int]:
    """In how many 2 by 2 patches the map's second column is, and in how many its first."""
    rows, columns = len(picture(i)) - 2, len(picture(i)[0]) - 2
    patches = [b for _ in range(rows - 1) for b in range(columns - 1)]
    return sum(1 in (b, b + 1) for b in patches), patches.count(0)


def compare(i: Inputs) -> int:
    """Whether the second sum is larger (1) or smaller (-1) than the first."""
    return int(np.sign(sum_at(i, 1) - sum_at(i, 0)))


def quoted(found: str, inputs: Inputs, k: int) -> bool:
    return found == names(inputs)[k]


def are_both(said_names: dict[str, str], inputs: Inputs) -> bool:
    k = leader(inputs)
    return (said_names["name"], said_names["other"]) == (names(inputs)[k], names(inputs)[1 - k])


def scores_at_the_edge(inputs: Inputs) -> tuple[float, float]:
    return scores(inputs, len(picture(inputs)[0]) // 2)


def largest_without(inputs: Inputs) -> float:
    """What the first filter makes of ink everywhere if nothing counts against it."""
    return sum(max(0, weight) for weight in flat(inputs.first))


_FREE = nothing_to_check("it is so for every picture and every filter")

TRUTHS: dict[str, dict[str, Check]] = {
    "convolution.pixels": {
        "The same picture, one pixel over": _FREE,
        "How does a program know a picture again?": _FREE,
        "To a program it is a table of numbers: how much ink is where.": _FREE,
        "It could keep a copy, multiply the two pixel by pixel, and add up: {n}.": lambda i, s: (
            is_number(s["n"], overlap(i, 0))
        ),
        "One pixel to the right: how much still fits?": _FREE,
        "Nothing at all: no ink lies where the copy has any.": lambda i, s: overlap(i, 1) == 0,
        "Only {few} instead of {all}, although it is the same picture.": lambda i, s: (
            is_number(s["few"], overlap(i, 1))
            and is_number(s["all"], overlap(i, 0))
            and 0 < overlap(i, 1) < overlap(i, 0) / 2
        ),
        "{few} instead of {all}, although it is the same picture.": lambda i, s: (
            is_number(s["few"], overlap(i, 1))
            and is_number(s["all"], overlap(i, 0))
            and overlap(i, 0) / 2 <= overlap(i, 1) < overlap(i, 0)
        ),
        "So look for a small piece of it, and look for it everywhere: that is a convolution.": (
            _FREE
        ),
    },
    "convolution.walk": {
        "A filter walks over the picture": _FREE,
        "It is three by three. What does it look for?": _FREE,
        "A stroke: ink in its middle column adds, ink beside it takes away, or a blot would do.": (
            lambda i, s: i.first == VERTICAL and sum(flat(i.first)) == 0 < largest_without(i)
        ),
        "A stroke: ink in its middle row adds, ink beside it takes away, or a blot would do.": (
            lambda i, s: i.first == HORIZONTAL and sum(flat(i.first)) == 0 < largest_without(i)
        ),
        "Weights above zero count ink for it, weights below zero against it.": lambda i, s: (
            i.first not in (VERTICAL, HORIZONTAL)
        ),
        "Each pixel with ink, times the weight on it, all added up: {n}.": lambda i, s: is_number(
            s["n"], sum_at(i, 0)
        ),
        "One pixel further: is the sum larger or smaller?": _FREE,
        "Larger: {n}. Its middle column lies on ink.": lambda i, s: (
            is_number(s["n"], sum_at(i, 1))
            and compare(i) == 1
            and i.first == VERTICAL
            and middle_is_ink(i)
        ),
        "Larger: {n}.": lambda i, s: is_number(s["n"], sum_at(i, 1)) and compare(i) == 1,
        "Smaller: {n}.": lambda i, s: is_number(s["n"], sum_at(i, 1)) and compare(i) == -1,
        "The same: {n}.": lambda i, s: is_number(s["n"], sum_at(i, 1)) and compare(i) == 0,
        "Then {n}, and so on: the same nine weights wherever the whole window fits.": (
            lambda i, s: is_number(s["n"], sum_at(i, 2))
        ),
        "One sum for each place, a feature map: large where the filter finds what it wants.": (
            lambda i, s: largest(i, i.first) > 0
        ),
        "One sum for each place, a feature map. None is above 0: it finds nothing.": (
            lambda i, s: largest(i, i.first) <= 0
        ),
    },
    "convolution.pool": {
        "What is left of the sums": _FREE,
        "What becomes of the sums below zero?": _FREE,
        "ReLU makes all of them 0: only what speaks for it is left.": lambda i, s: (
            min(flat(sums(picture(i), i.first))) < 0 < largest(i, i.first)
        ),
        "ReLU makes all of them 0, and here nothing else is left.": lambda i, s: (
            min(flat(sums(picture(i), i.first))) < 0 >= largest(i, i.first)
        ),
        "ReLU would make all of them 0, but here there are none.": lambda i, s: (
            min(flat(sums(picture(i), i.first))) >= 0
        ),
        "Max-pooling keeps the largest sum of each {n} by {m} patch, wherever in the patch it "
        "stands.": lambda i, s: s["n"] == s["m"] == "2",
        "A layer has many filters. A second one wants ink in its middle row.": lambda i, s: (
            i.second == HORIZONTAL
        ),
        "A layer has many filters. A second one wants ink in its middle column.": lambda i, s: (
            i.second == VERTICAL
        ),
        "A layer has many filters. A second one has nine weights of its own.": lambda i, s: (
            i.second not in (VERTICAL, HORIZONTAL)
        ),
        "What does it find in the same picture?": _FREE,
        "Nothing: at every stop, what counts for it and against it cancels out.": lambda i, s: (
            not any(flat(sums(picture(i), i.second)))
        ),
        "Nothing: none of its sums is above zero.": lambda i, s: (
            largest(i, i.second) <= 0 and any(flat(sums(picture(i), i.second)))
        ),
        "Its largest sum is {one}; the first filter's was {two}.": lambda i, s: (
            is_number(s["one"], largest(i, i.second))
            and is_number(s["two"], largest(i, i.first))
            and largest(i, i.second) > 0
        ),
        "Two filters, two small maps: how much each has found, but no longer exactly where.": (
            lambda i, s: max(scores(i)) > 0
        ),
        "Two filters, two small maps of zeros: neither finds anything in this picture.": (
            lambda i, s: max(scores(i)) == 0
        ),
    },
    "convolution.classify": {
        "From maps to an answer": _FREE,
        "Is it “{one}” or “{two}”?": lambda i, s: (s["one"], s["two"]) == names(i),
        "Each answer gets a score: what its own filter has found, added up.": _FREE,
        "That is {a} for “{one}”, and {b} for “{two}”.": lambda i, s: (
            (s["one"], s["two"]) == names(i)
            and is_number(s["a"], scores(i)[0])
            and is_number(s["b"], scores(i)[1])
        ),
        "Softmax makes shares of the scores. They are the same, so it cannot tell.": (
            lambda i, s: is_tie(scores(i))
        ),
        "Softmax makes shares of the scores: {lead} more is {odds} to 1.": lambda i, s: (
            not is_tie(scores(i))
            and is_number(s["lead"], abs(scores(i)[0] - scores(i)[1]))
            and is_odds(s["odds"], abs(scores(i)[0] - scores(i)[1]))
        ),
        "Handwriting is crooked, which brings the scores closer: it takes many filters to be sure "
        "again.": lambda i, s: not is_tie(scores(i)),  # a test of its own draws crooked strokes
        "Two filters are not enough for this picture: it takes one that tells more.": lambda i, s: (
            is_tie(scores(i))
        ),
    },
    "convolution.shifted": {
        "One pixel over, once more": _FREE,
        "The copy was lost after one pixel. Is the filter?": lambda i, s: overlap(i, 1) == 0,
        "After one pixel, less of the copy fitted. And of what the filter finds?": lambda i, s: (
            0 < overlap(i, 1) < overlap(i, 0)
        ),
        "As the picture stands, “{name}” scores {n}.": lambda i, s: (
            quoted(s["name"], i, leader(i)) and is_number(s["n"], scores(i)[leader(i)])
        ),
        "One pixel to the right: is it still {n}?": lambda i, s: is_number(
            s["n"], scores(i)[leader(i)]
        ),
        "Yes: it finds as much.": lambda i, s: math.isclose(*_scores_here_and_right(i)),
        "No: now it is {n}.": lambda i, s: (
            is_number(s["n"], _scores_here_and_right(i)[1])
            and _scores_here_and_right(i)[1] > _scores_here_and_right(i)[0]
        ),
        "No: {n} is left.": lambda i, s: (
            is_number(s["n"], _scores_here_and_right(i)[1])
            and 0 < _scores_here_and_right(i)[1] < _scores_here_and_right(i)[0]
        ),
        "No: nothing is left.": lambda i, s: _scores_here_and_right(i)[1] == 0,
        "In the map, an inner column is in {inner} patches, one at its edge in {rim}.": (
            lambda i, s: (int(s["inner"]), int(s["rim"])) == column_uses(i)
        ),
        "The window stays on the page: its middle never reaches the rim.": _FREE,
        "Both filters score {n}: a tie, half each.": lambda i, s: (
            is_tie(scores_at_the_edge(i)) and is_number(s["n"], max(scores_at_the_edge(i)))
        ),
        "There “{name}” leads, {a} to {b}.": lambda i, s: (
            not is_tie(scores_at_the_edge(i))
            and quoted(s["name"], i, int(np.argmax(scores_at_the_edge(i))))
            and is_number(s["a"], max(scores_at_the_edge(i)))
            and is_number(s["b"], min(scores_at_the_edge(i)))
        ),
        "Moved to the left, it scores the same as to the right.": lambda i, s: is_even(i),
        "Moved to the left, it scores differently than to the right.": lambda i, s: not is_even(i),
        "“{name}” beats “{other}” at all {n} places: its filter looks everywhere.": (
            lambda i, s: are_both(s, i) and (int(s["n"]), int(s["n"])) == n_led(i)
        ),
        "“{name}” beats “{other}” at one of {n} places, the one where it was: no move is "
        "forgiven.": (lambda i, s: are_both(s, i) and (1, int(s["n"])) == n_led(i)),
        "“{name}” beats “{other}” at {k} of {n} places: filters forgive small moves.": (
            lambda i, s: (
                are_both(s, i)
                and (int(s["k"]), int(s["n"])) == n_led(i)
                and 1 < int(s["k"]) < int(s["n"])
                and leads_beside(i)
            )
        ),
        "“{name}” beats “{other}” at {k} of {n} places: the filter forgives some moves, but not "
        "all.": lambda i, s: (
            are_both(s, i)
            and (int(s["k"]), int(s["n"])) == n_led(i)
            and 1 < int(s["k"]) < int(s["n"])
            and not leads_beside(i)
        ),
        "“{name}” beats “{other}” at {k} of {n} places. Where the picture stood, both scored the "
        "same.": lambda i, s: (
            are_both(s, i)
            and is_tie(scores(i))
            and (0 if s["k"] == "none" else int(s["k"]), int(s["n"])) == n_led(i)
        ),
    },
    "convolution.content": {
        "Where to look?": _FREE,
        "Is such a window enough for words?": _FREE,
        "Over words, a filter sees each word and {n} before it.": lambda i, s: s["n"] == "two",
        "“{word}” has stood here before. What came after it?": lambda i, s: (
            s["word"] == words(first(i))[-1] and s["word"] in words(first(i))[:-1]
        ),
        "“{word}”, {n} words back. Each layer of windows adds {more}, so it takes {layers}.": (
            lambda i, s: (
                s["word"] == words(first(i))[last_row(first(i))[0]]
                and int(s["n"]) == back(first(i)) >= 3
                and (int(s["layers"]), int(s["more"])) == (layers(back(first(i))), 2)
                and is_answer(first(i))
            )
        ),
        "Attention finds what came after an earlier “{word}”, at any distance.": (
            lambda i, s: s["word"] == words(first(i))[-1] and is_answer(first(i))
        ),
        "The words change places: the window stays, attention follows “{word}”.": lambda i, s: (
            sorted(words(first(i))) == sorted(words(both(i)[1]))
            and s["word"] == words(first(i))[last_row(first(i))[0]]
            and is_found_elsewhere(i, s["word"])
        ),
        "In another text the window is the same, and attention finds “{word}”.": lambda i, s: (
            is_found_elsewhere(i, s["word"])
        ),
        "In another text the window is the same, and attention is shared by {n} words.": (
            lambda i, s: int(s["n"]) == n_matches(both(i)[1]) > 1
        ),
        "In another text the window is the same, and attention finds no match and is spread over "
        "all words.": lambda i, s: n_matches(both(i)[1]) == 0,
        "In another text the window is the same. Attention finds “{word}”, here at the same "
        "place.": lambda i, s: (
            is_answer(both(i)[1])
            and words(both(i)[1])[last_row(both(i)[1])[0]] == s["word"]
            and last_row(both(i)[1])[0] == last_row(first(i))[0]
        ),
        "Both apply the same weights everywhere; attention compares words to choose where to "
        "look.": _FREE,
    },
}


def _scores_here_and_right(i: Inputs) -> tuple[float, float]:
    k = leader(i)
    return scores(i)[k], scores(i, 1)[k]


PICTURES: list[dict[str, Any]] = [
    {},
    {"image": "00000 00000 11111 00000 00000"},
    {"image": "00000 00000 11111 00000 00000", "first": HORIZONTAL, "second": VERTICAL},
    {"image": "00000 01110 01000 01010 00000"},
    {"image": "00000 00100 00000 00000 00000", "first": ((0, 0, 0), (0, 1, 0), (0, 0, 0))},
    {"image": "11111 11111 11111 11111 11111", "first": ((1, 1, 1),) * 3},
    {"image": "100000000 100000000 100000000 100000000 100000000"},
    {"image": "10000 01000 00100 00010 00001", "first": ((2, -1, -1), (-1, 2, -1), (-1, -1, 2))},
    {"image": "99999 99999 99999 99999 99999", "first": ((9, 9, 9),) * 3},
    {"first": ((0.1, 0.2, 0.1),) * 3, "second": ((-1, -1, -1),) * 3},
    {"first": ((1, 0, 0),) * 3, "first_name": "left", "second_name": "flat"},
    {"first": ((2, 2, 2),) * 3, "second": ((1.9, 2, 2),) * 3},
    {"image": "00100 00100 00100 00100 00110"},
    {"second": ((1.5, 0, 1.5),) * 3},
    {"image": "010010000 010010000 010010000 010010000 010010000"},
    {"image": "11111 00100 00100 00100 00100"},
    {"image": "00100 00100 11111 00100 00100"},
    {"image": "11111 11111 11111 11111 11111"},
    {"image": "11111 11111 11111 11111 11111", "first": ((-1, -1, -1),) * 3},
    {"image": "11111 11111 11111 11111 11111", "first": ((0, 0, 0),) * 3},
]
TEXTS: list[dict[str, Any]] = [
    {},
    {"text": "x a b c d a"},
    {"text": "c a b d e a", "other_text": "c a b d a d"},
    {"text": "c a b d e a", "other_text": "c a c a c b"},
    {"text": "c a b d e a", "other_text": "c a c a c a"},
    {"text": "x y a b c d a", "other_text": "we saw a cat sit by saw"},
    {"text": "we saw a very old dog"},
    {"other_text": "we saw a cat sit by saw"},
    {"other_text": "we saw a very old dog"},
    {"text": "a b c d e f g h", "other_text": "j a k l m n o p a"},
    {"text": "a b c d e f g h b", "other_text": "j b k l m n o p b"},
]
EXAMPLES = {name: TEXTS if name.endswith("content") else PICTURES for name in TRUTHS}


def taken(name: str) -> list[StageInputs]:
    """Of the examples, what a stage knows, the rest left out."""
    known = find_stage(name).Inputs.model_fields
    return those_taken(
        name, [{k: _floats(v) for k, v in one.items() if k in known} for one in EXAMPLES[name]]
    )


def _floats(value: Any) -> Any:
    is_filter = isinstance(value, tuple)
    return tuple(tuple(map(float, row)) for row in value) if is_filter else value


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Inputs of a stage: pictures of digits, and filters of whole numbers and of any."""
    kind = find_stage(name).Inputs

    def pictures(size: tuple[int, int, str]) -> st.SearchStrategy[str]:
        rows, columns, digits = size
        row = st.text(digits, min_size=columns, max_size=columns)
        return st.lists(row, min_size=rows, max_size=rows).map(" ".join)

    sizes = st.tuples(st.integers(5, 9), st.integers(5, 9), st.sampled_from(["01", "0123456789"]))
    weight = st.one_of(st.integers(-3, 3).map(float), st.floats(-9, 9).map(lambda x: round(x, 2)))
    weights = st.lists(st.tuples(weight, weight, weight), min_size=3, max_size=3).map(tuple)
    word = st.sampled_from(["a", "b", "the", "cat", "sat"])
    text = st.lists(word, min_size=7, max_size=7).map(" ".join)
    fields: dict[str, st.SearchStrategy[Any]] = {"image": sizes.flatmap(pictures)}
    fields |= {"first": weights, "second": weights, "text": text, "other_text": text}
    chosen = {k: v for k, v in fields.items() if k in kind.model_fields}
    return st.fixed_dictionaries({}, optional=chosen).map(lambda given: legal(kind, given))


FILM = FilmTruths(
    "convolution",
    TRUTHS,
    {},
    {"vertical": "horizontal", "horizontal": "vertical", "first": "second", "second": "first"},
)


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    examples = taken(name)
    assert len(examples) == len(EXAMPLES[name])
    assert FILM.unmet(name, examples, drawn(name), 25) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_another_number_or_name_in_its_place_would_be_noticed(name: str) -> None:
    assert FILM.unnoticed(name, taken(name)[:2]) == []


def test_the_numbers_that_the_primer_works_out() -> None:
    told = " ".join(said(Shifted, Shifted.Inputs()))
    assert "scores 24" in told
    assert "No: 12 is left." in told
    assert "3 of 5 places" in told


def test_every_crooked_stroke_brings_the_scores_closer() -> None:
    kind = find_stage("convolution.classify").Inputs
    strokes = [
        columns
        for columns in product(range(5), repeat=5)
        if {1} <= {abs(a - b) for a, b in pairwise(columns)} <= {0, 1}
    ]
    assert len(strokes) > 200
    for columns in strokes:
        rows = " ".join("0" * k + "1" + "0" * (4 - k) for k in columns)
        one, other = scores(kind(image=rows))
        assert one - other < 24


# What stands in the pictures


def played(name: str, **given: Any) -> Any:
    stage = find_stage(f"convolution.{name}")
    return play(stage, stage.shot(stage.Inputs(**given)))


LARGE = {"image": "0123456 1100000 0010200 0000000 9999999 0101010"}


@pytest.mark.parametrize("given", [{}, LARGE])
def test_the_copy_is_compared_where_it_lies(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.pixels").Inputs(**given)
    stages = watch(
        "convolution", "pixels", lambda s: (s.image.table.copy(), s.score.state), **given
    )
    [*_, (moved, score)] = stages["move"]
    assert_array_equal(moved, picture(inputs, 1))
    assert float(score) == overlap(inputs, 1)
    assert_array_equal(stages["name"][-1][0], picture(inputs))


@pytest.mark.parametrize("given", [{}, LARGE])
def test_cards_lie_on_the_window_whose_sum_they_add_up(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.walk").Inputs(**given)
    table = sums(picture(inputs), inputs.first)

    def look(scene: Any) -> Iterator[Any]:
        for cards in seen(scene, Stencil):
            if len(cards.window.points):
                low = cards.window.points.min(axis=0)
                row, column = scene.image.lattice.at(low[:2])
                yield round(row - 2.5), round(column + 0.5), scene.map.opened.copy()

    for frames in watch("convolution", "walk", lambda s: list(look(s)), **given).values():
        for [(i, j, opened)] in filter(None, frames):
            assert 0 <= i < len(table)
            assert 0 <= j < len(table[0])
            assert set(np.argwhere(opened)[:, 0].tolist()) <= set(range(i + 1))
    scene = played("walk", **given)
    assert_allclose(scene.map.table, table, atol=1e-12)
    assert scene.map.opened.all()


@pytest.mark.parametrize("given", [{}, LARGE])
def test_maps_are_rectified_and_pooled(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.pool").Inputs(**given)
    scene = played("pool", **given)
    lanes = (scene.lane, inputs.first), (scene.other, inputs.second)
    for (lane, weights), name in zip(lanes, names(inputs), strict=True):
        assert [head.text for head in lane.heads] == [name, "feature map", "pooled"]
        for head, matrix in zip(lane.heads, lane.matrices, strict=True):
            assert_allclose(head.middle[0], matrix.lattice.region.center[0], atol=1e-6)
        assert_allclose(lane.map.table, np.maximum(sums(picture(inputs), weights), 0), atol=1e-12)
        assert_allclose(lane.pool.table.ravel(), pooled(picture(inputs), weights), atol=1e-12)
        assert lane.pool.opened.all()


@pytest.mark.parametrize("given", [{}, LARGE])
def test_stacks_are_what_the_filters_found(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.classify").Inputs(**given)
    stages = watch("convolution", "classify", lambda s: seen(s, Stacks), **given)
    [stacks] = stages["add up"][-1]
    assert_allclose(stacks.state.sum(axis=1), scores(inputs))
    scene = played("classify", **given)
    lead = scores(inputs)[0] - scores(inputs)[1]
    share = 1 / (1 + math.exp(-min(lead, 700)))
    assert_allclose([one.state for one in scene.shares], [share, 1 - share], atol=1e-12)
    for k, (power, found) in enumerate(zip(scene.powers, scores(inputs), strict=True)):
        [number] = numbers_in(power)
        assert is_number(number.text, found)
        for part in (power, scene.shares[k]):
            assert_allclose(part.get_x(), scene.chart.x.at(k), atol=0.02)
    assert [label.text for label in scene.chart.x.labels] == list(names(inputs))
    assert [head.text for head in scene.heads] == list(names(inputs))


@pytest.mark.parametrize("given", [{}, LARGE])
def test_bars_say_what_is_left_at_each_place(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.shifted").Inputs(**given)
    scene, k = played("shifted", **given), leader(inputs)
    reach = len(picture(inputs)[0]) // 2
    due = [scores(inputs, step)[k] for step in range(-reach, reach + 1)]
    assert_allclose(scene.bars.state, due, atol=1e-9)
    labels = [int(label.text.replace("−", "-")) for label in scene.chart.x.labels[: len(due)]]
    assert labels == list(range(-reach, reach + 1))
    assert_array_equal(scene.image.table, picture(inputs))
    assert scene.say_of("{net.answer}") == names(inputs)[k]


def test_the_filter_gets_no_farther_than_the_rim_where_sums_are_below_zero_until_relu() -> None:
    def look(scene: Any) -> list[Any]:
        return [(cards.spot, scene.map.table.tolist()) for cards in seen(scene, Stencil)]

    found = [one for frame in watch("convolution", "shifted", look)["far"] for one in frame]
    assert found
    assert all(one == ((0, 2), [[0, 0, -3]] * 3) for one in found)


@pytest.mark.parametrize("given", [{}, LARGE])
def test_sums_are_made_of_the_pixels_and_weights_that_fly(given: dict[str, Any]) -> None:
    scene = played("walk", **given)
    for stop, line in enumerate(scene.sums):
        assert line.spot == (stop, 0)
        left, right = line.factors
        for k in range(9):
            pixel = scene.image.cell(k // 3, stop + k % 3)
            assert left.cell(stop, k) == right.cell(k, 0) == pixel


@pytest.mark.parametrize("name", ["pixels", "shifted"])
def test_ink_on_its_way_is_where_it_should_be(name: str) -> None:
    stage, wrong = find_stage(f"convolution.{name}"), dict[str, None]()

    def look(scene: Any) -> None:
        wrong.update(dict.fromkeys(misread(scene)))

    play(stage, stage.shot(stage.Inputs()), on_moment=look)
    assert list(wrong) == []


def test_words_stand_at_their_cells_before_they_move() -> None:
    def look(scene: Any) -> list[list[str]]:
        both = (scene.fixed, scene.free)
        return [[label.text for label in one.column_labels] for one in both]

    stages = watch("convolution", "content", look)
    text = first(find_stage("convolution.content").Inputs())
    assert stages["find"][-1] == [list(words(text))] * 2


def test_a_window_of_each_layer_begins_where_the_one_before_ends() -> None:
    scene = played("content")
    spans = [one.region for one in scene.layers]
    last = len(words(first(scene.inputs))) - 1
    for k, span in enumerate(spans):
        block = scene.fixed.block(0, last - 2 * k - 2, 1, 3)
        assert_allclose([span.left, span.right], [block.left, block.right])
    assert len(spans) == layers(back(first(scene.inputs)))


@given(st.lists(st.sampled_from("abcdef"), min_size=5, max_size=12))
def test_no_text_is_taken_whose_answer_one_window_holds(letters: list[str]) -> None:
    """Else nothing would fade in `find`, where the windows of the other layers go."""
    stage = find_stage("convolution.content")
    try:
        inputs = stage.Inputs(text=" ".join(letters))
    except ValidationError:
        return
    assert stage.compute(inputs).text.layers > 1


def test_rings_and_the_share_stand_at_the_match_and_at_what_follows_it() -> None:
    def look(scene: Any) -> Any:
        if not hasattr(scene, "found"):
            return None
        parts = (scene.match, scene.found, scene.share, scene.share_then)
        cells = [scene.free.lattice.at(part.get_center())[1] for part in parts]
        return scene.free.table.argmax(), cells

    stages = watch("convolution", "content", look)
    for beat, share in (("find", 2), ("change", 3)):
        place, at = stages[beat][-1]
        assert_allclose([at[0] + 1, at[1], at[share]], place, atol=0.02)


@pytest.mark.parametrize("name", TRUTHS)
def test_what_changes_is_drawn_anew(name: str) -> None:
    """What a play does not list as moving is drawn once, so it must not change meanwhile."""
    before: dict[str, Any] = {}
    wrong = list[str]()

    def look(scene: Any) -> None:
        moving = {id(m) for one in scene.moving_mobjects for m in one.get_family()}
        family = {id(m): m for one in scene.mobjects for m in one.get_family()}
        now = {k: m.points.copy() for k, m in family.items() if k not in moving}
        if scene.animations[0] is before.get("play"):
            stale = [k for k in now if not np.array_equal(now[k], before["points"].get(k, now[k]))]
            wrong.extend(f"{scene.beats[-1].name}: {family[k]}" for k in stale)
        before.update(play=scene.animations[0], points=now)

    stage = find_stage(name)
    play(stage, stage.shot(stage.Inputs()), on_moment=look)
    assert wrong == []


def test_words_and_attention_change_and_the_window_does_not() -> None:
    scene = played("content")
    n = len(words(first(scene.inputs)))
    for one in (scene.fixed, scene.free):
        assert [label.text for label in one.column_labels] == list(words(both(scene.inputs)[1]))
    assert [head.text.split(" at ")[0] for head in scene.heads] == [
        "a filter's window",
        "an induction head's attention",
    ]
    assert_array_equal(scene.fixed.table, [[0] * (n - 3) + [1] * 3])
    place, share = last_row(both(scene.inputs)[1])
    assert scene.free.table.argmax() == place
    assert scene.free.table.max() == scene.share_then.state == share
    for before, after in zip((scene.fixed, scene.free), scene.heads, strict=True):
        assert_allclose(after.middle[0], before.lattice.region.center[0], atol=1e-6)

"""The truths of the film `convolution`, by sums that are written once more, pixel by pixel.

Only of attention the pattern is asked, whose own tests are in `tests/model/induction`.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from clockhead.model.induction.circuit import induction
from clockhead.model.tokens import Vocabulary, words
from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    those_taken,
)

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


def middle_is_ink(inputs: Inputs) -> bool:
    """Whether the second window has ink all over its middle column and nowhere else."""
    window = [row[1:4] for row in picture(inputs)[:3]]
    return all(b and not a and not c for a, b, c in window)


@cache
def last_row(text: str) -> tuple[int, float]:
    """What the induction head looks at from the last word, and how much it gives it."""
    tokens = words(text)
    row = induction(tokens, Vocabulary.of(tokens)).forward.head_1.pattern[-1]
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


def column_uses(i: Inputs) -> tuple[int, int]:
    """In how many 2 by 2 patches the map's second column is, and in how many its first."""
    rows, columns = len(picture(i)) - 2, len(picture(i)[0]) - 2
    patches = [b for _ in range(rows - 1) for b in range(columns - 1)]
    return sum(1 in (b, b + 1) for b in patches), patches.count(0)


def scores_at_the_edge(inputs: Inputs) -> tuple[float, float]:
    return scores(inputs, len(picture(inputs)[0]) // 2)


def largest_without(inputs: Inputs) -> float:
    """What the first filter makes of ink everywhere if nothing counts against it."""
    return sum(max(0, weight) for weight in flat(inputs.first))


def _scores_here_and_right(i: Inputs) -> tuple[float, float]:
    k = leader(i)
    return scores(i)[k], scores(i, 1)[k]


# What the film says


def middle_line(weights: Any) -> str:
    """The line in which a filter wants ink, if it is of that kind."""
    return {VERTICAL: "column", HORIZONTAL: "row"}.get(weights, "")


def second_sum(i: Inputs) -> Variant:
    """Whether it is smaller, the same or larger, and the middle column is the ink."""
    change = sum_at(i, 1) - sum_at(i, 0)
    fits = i.first == VERTICAL and middle_is_ink(i)
    return Variant((0,) if change == 0 else (1, change < 0, fits))


def first_map(i: Inputs) -> list[float]:
    return flat(sums(picture(i), i.first))


def second_map(i: Inputs) -> list[float]:
    return flat(sums(picture(i), i.second))


def relu(i: Inputs) -> int:
    """Nothing above 0 is left, something is, or there is nothing below 0."""
    if min(first_map(i)) >= 0:
        return 2
    return int(max(first_map(i)) > 0)


def find(i: Inputs) -> int:
    if not any(second_map(i)):
        return 0
    return 1 if max(second_map(i)) <= 0 else 2


def odds(i: Inputs) -> Any:
    """Whether a text is e to the lead, in words where it is many."""
    lead = abs(scores(i)[0] - scores(i)[1])

    def check(text: str) -> bool:
        if text == "more than a million billion":
            return lead >= math.log(1e15)
        number, _, unit = text.replace(",", "").partition(" ")
        if not re.fullmatch(r"\d+(\.\d+)?", number):
            return False
        sizes = {"": 1.0, "million": 1e6, "billion": 1e9, "trillion": 1e12}
        value = math.exp(lead) / sizes.get(unit, math.inf)
        step = 10.0 ** -len(number.partition(".")[2])
        near = abs(float(number) - value) <= step / 2 * (1 + 1e-6)
        return near and 1 <= value < (1e3 if unit else 1e6)

    return check


def kept(i: Inputs) -> Variant:
    """At how many places the answer leads, and whether it does beside where it stood."""
    k, (led, n) = leader(i), n_led(i)
    both_names = names(i)[k], names(i)[1 - k]
    if is_tie(scores(i)):
        return Variant(0, *both_names, led, n) if led else Variant(3, *both_names, n)
    if led == n:
        return Variant(4, *both_names, n)
    if led == 1:
        return Variant(5, *both_names, n)
    return Variant(1 if leads_beside(i) else 2, *both_names, led, n)


def right(i: Inputs) -> int:
    here, there = _scores_here_and_right(i)
    if math.isclose(here, there, rel_tol=1e-9):
        return 0
    return 1 if there > here else 2 if there else 3


def found(text: str) -> str:
    return words(text)[last_row(text)[0]]


def moved(i: Inputs) -> tuple[int, ...]:
    """What the other text does: no answer, the same place, words exchanged, or another answer."""
    text, other = both(i)
    if not is_answer(other):
        return 0, n_matches(other) == 0
    if last_row(other)[0] == last_row(text)[0]:
        return (1,)
    return (2,) if sorted(words(text)) == sorted(words(other)) else (3,)


FACTS = {
    "score": lambda i: overlap(i, 0),
    "moved_score": lambda i: overlap(i, 1),
    "first_sum": lambda i: sum_at(i, 0),
    "second_sum": lambda i: sum_at(i, 1),
    "third_sum": lambda i: sum_at(i, 2),
    "made": lambda i: Variant(max(first_map(i)) > 0),
    "patch": lambda i: 2,
    "first.largest": lambda i: max(first_map(i)),
    "second.largest": lambda i: max(second_map(i)),
    "one": lambda i: names(i)[0],
    "two": lambda i: names(i)[1],
    "first.evidence": lambda i: scores(i)[0],
    "second.evidence": lambda i: scores(i)[1],
    "lead": lambda i: abs(scores(i)[0] - scores(i)[1]),
    "odds_said": odds,
    "outlook": lambda i: Variant(not is_tie(scores(i))),
    "asked": lambda i: Variant(overlap(i, 1) > 0),
    "net.answer": lambda i: names(i)[leader(i)],
    "net.score": lambda i: scores(i)[leader(i)],
    "right_score": lambda i: _scores_here_and_right(i)[1],
    "inner_uses": lambda i: column_uses(i)[0],
    "rim_uses": lambda i: column_uses(i)[1],
    "edge_answer": lambda i: names(i)[int(np.argmax(scores_at_the_edge(i)))],
    "edge_score": lambda i: max(scores_at_the_edge(i)),
    "edge_other": lambda i: min(scores_at_the_edge(i)),
    "before_said": lambda i: "two",
    "text.before": lambda i: 2,
    "text.asker": lambda i: words(first(i))[-1],
    "text.found": lambda i: found(first(i)),
    "text.back": lambda i: back(first(i)),
    "text.layers": lambda i: layers(back(first(i))),
    "other.found": lambda i: found(both(i)[1]),
    "other.head.n_matches": lambda i: n_matches(both(i)[1]),
}
STAGES = {
    "pixels": Truths(
        choices={
            "move": lambda i: (
                0 if overlap(i, 1) == 0 else 1 if overlap(i, 1) < overlap(i, 0) / 2 else 2
            ),
        },
        claims={"move": lambda i: overlap(i, 1) < overlap(i, 0)},
    ),
    "walk": Truths(
        choices={
            "lie": lambda i: Variant(
                bool(middle_line(i.first)), *filter(None, [middle_line(i.first)])
            ),
            "second": second_sum,
        },
        claims={
            "lie": lambda i: (
                not middle_line(i.first) or sum(flat(i.first)) == 0 < largest_without(i)
            ),
        },
    ),
    "pool": Truths(
        facts={"kept": lambda i: Variant(max(scores(i)) > 0)},
        choices={
            "relu": relu,
            "second": lambda i: {"row": 0, "column": 1, "": 2}[middle_line(i.second)],
            "find": find,
        },
    ),
    "classify": Truths(choices={"share": lambda i: not is_tie(scores(i))}),
    "shifted": Truths(
        facts={"kept": kept},
        choices={
            "right": right,
            "edge": lambda i: not is_tie(scores_at_the_edge(i)),
            "left": lambda i: not is_even(i),
        },
        claims={"question": lambda i: overlap(i, 1) < overlap(i, 0)},
    ),
    "content": Truths(
        choices={"change": moved},
        claims={
            "before": lambda i: words(first(i))[-1] in words(first(i))[:-1],
            "miss": lambda i: is_answer(first(i)) and back(first(i)) >= 3,
            "find": lambda i: is_answer(first(i)),
        },
    ),
}

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
EXAMPLES = {
    name: TEXTS if name.endswith("content") else PICTURES
    for name in (f"convolution.{stage}" for stage in STAGES)
}


def examples(name: str) -> list[StageInputs]:
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
    lambda inputs: inputs,
    FACTS,
    STAGES,
    examples,
    drawn,
    lambda _: 25,
)

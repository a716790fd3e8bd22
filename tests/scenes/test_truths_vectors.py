"""Every sentence of the film `vectors` is so, for legal inputs of all kinds.

What is asserted is held against formulas written once more, in whole numbers and fractions; a fact
that is filled in and then changed has to be noticed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.telling import Check, FilmTruths, Inputs, Said, nothing_to_check, those_taken

Vector = tuple[int, ...]


# Formulas of the film, written once more


@dataclass(frozen=True)
class People:
    """People and their ratings, as they are given."""

    inputs: Inputs

    @property
    def names(self) -> list[str]:
        return str(self.inputs.raters).split()

    @property
    def two(self) -> list[Vector]:
        return [row[:2] for row in self.inputs.ratings]

    def best(self, score: Callable[[Vector, Vector], Any]) -> list[int]:
        first, *others = self.two
        scores = [score(first, row) for row in others]
        return [k + 1 for k, s in enumerate(scores) if s == max(scores)]

    @cached_property
    def nearest(self) -> list[int]:
        return self.best(lambda a, b: -squared(a, b))

    @cached_property
    def highest(self) -> list[int]:
        return self.best(dot)

    @cached_property
    def closest(self) -> list[int]:
        return self.best(lambda a, b: signed_square(a, b))

    @property
    def far(self) -> int:
        first = self.two[0]
        return max(range(4), key=lambda k: (squared(first, self.two[k]), -k))

    @property
    def loud(self) -> int:
        return self.highest[0]

    @property
    def most(self) -> int:
        return dot(self.two[0], self.two[self.loud])

    @property
    def detours(self) -> dict[int, float]:
        first, end = self.two[0], self.two[self.far]
        return {
            k: math.sqrt(squared(first, row)) + math.sqrt(squared(row, end))
            for k, row in enumerate(self.two)
            if k not in (0, self.far)
        }


def dot(a: Vector, b: Vector) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def squared(a: Vector, b: Vector) -> int:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def signed_square(a: Vector, b: Vector) -> Fraction:
    """The square of a cosine, negative where the cosine is."""
    return Fraction(dot(a, b) * abs(dot(a, b)), dot(a, a) * dot(b, b))


def written(number: int) -> str:
    return str(number).replace("-", "−")


def listed(names: list[str], last: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def is_about(text: str, value: float, digits: int = 3) -> bool:
    """Whether a number is a value in so many digits."""
    said = float(text.replace("−", "-"))
    step = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) if value else 1.0
    return abs(said - value) <= step / 2 * (1 + 1e-9) + 1e-12


def is_length(text: str, square: float) -> bool:
    return is_about(text, math.sqrt(square))


# Checks


def told(check: Callable[[People, Said], bool]) -> Check:
    return lambda inputs, said: check(People(inputs), said)


def who(key: str, which: Callable[[People], list[int]]) -> Check:
    return told(lambda p, said: said[key] == listed([p.names[k] for k in which(p)]))


def _asks(p: People, said: Said) -> bool:
    return said["asker"] == p.names[0] and said["others"] == listed(p.names[1:], "or")


RATERS: dict[str, Check] = {
    "Who has the same taste?": nothing_to_check("heading"),
    "Can taste be measured?": nothing_to_check("question"),
    "Four people rate two films, from {least}, awful, to {most}, great.": told(
        lambda p, said: (
            len(p.names) == 4
            and all(abs(x) <= 5 for row in p.two for x in row)
            and (said["least"], said["most"]) == ("−5", "5")
        )
    ),
    "Right for “{first}”, up for “{second}”: two numbers are a place, and an arrow to it.": (
        told(lambda p, said: [said["first"], said["second"]] == p.inputs.films.split()[:2])
    ),
    "A row of numbers that is read like this is called a vector.": nothing_to_check("definition"),
    "{others}: who is most like {asker}?": told(_asks),
    "There are three usual ways to measure it, and each gives another answer.": told(
        lambda p, _: len({tuple(w) for w in (p.nearest, p.highest, p.closest)}) == 3
    ),
    "There are three usual ways to measure it, and they need not agree.": told(
        lambda p, _: len({tuple(w) for w in (p.nearest, p.highest, p.closest)}) < 3
    ),
    "How far apart are the tips, how much of one lies along the other, which way do they point?": (
        nothing_to_check("question")
    ),
}


def _straight(p: People, said: Said) -> bool:
    (x, y), (far_x, far_y) = p.two[0], p.two[p.far]
    differ = said["x"] == str(abs(far_x - x)) and said["y"] == str(abs(far_y - y))
    return differ and is_length(said["d"], squared(p.two[0], p.two[p.far]))


def _in_space(p: People, said: Said) -> bool:
    a, b = p.inputs.ratings[0], p.inputs.ratings[p.far]
    return said["h"] == str(abs(a[2] - b[2])) and is_length(said["d"], squared(a, b))


def _around(p: People, said: Said) -> bool:
    detours = p.detours
    if said["via"] not in p.names or (via := p.names.index(said["via"])) not in detours:
        return False
    straight = math.sqrt(squared(p.two[0], p.two[p.far]))
    longer = [d for d in detours.values() if d > straight + 1e-9] or [*detours.values()]
    shortest = math.isclose(detours[via], min(longer))
    never_shorter = min(detours.values()) >= straight - 1e-12
    as_long_only_there = all(
        (d < straight + 1e-9) == _lies_between(p.two[k], p.two[0], p.two[p.far])
        for k, d in detours.items()
    )
    return shortest and never_shorter and as_long_only_there and is_about(said["d"], detours[via])


def _lies_between(row: Vector, start: Vector, end: Vector) -> bool:
    (x, y), (a, b), (c, d) = row, start, end
    along = (x - a) * (c - a) + (y - b) * (d - b)
    return (x - a) * (d - b) == (y - b) * (c - a) and 0 <= along <= squared(start, end)


def _prefers(p: People, k: int) -> bool:
    (x, y), (a, b) = p.two[0], p.two[k]
    return (x > y and a < b) or (x < y and a > b)


DISTANCE: dict[str, Check] = {
    "Distance: how far apart?": nothing_to_check("heading"),
    "How far is {far}'s taste from {asker}'s?": told(
        lambda p, said: [said["asker"], said["far"]] == [p.names[0], p.names[p.far]]
    ),
    "They differ by {x} and by {y}. By Pythagoras, the straight way is {d} long.": told(_straight),
    "A third film adds a height, and they differ by {h} there. Pythagoras again: {d}.": told(
        _in_space
    ),
    "Each further film adds one more square, even where nobody can draw it.": (
        nothing_to_check("definition")
    ),
    "With two films again, nearest to {asker}: {names}, at {d}.": told(
        lambda p, said: (
            said["asker"] == p.names[0]
            and said["names"] == listed([p.names[k] for k in p.nearest])
            and is_length(said["d"], squared(p.two[0], p.two[p.nearest[0]]))
        )
    ),
    "By way of {via} it is {d}: by the triangle inequality never shorter, as long only if "
    "straight.": told(_around),
    "Near means that the numbers are alike; yet {one} and {asker} prefer different films.": told(
        lambda p, said: (
            said["asker"] == p.names[0]
            and said["one"] in [p.names[k] for k in p.nearest if _prefers(p, k)]
        )
    ),
    "Near means that the numbers are alike, not yet that the taste is.": told(
        lambda p, _: not any(_prefers(p, k) for k in p.nearest)
    ),
}


def _shadow(p: People, said: Said) -> bool:
    square = dot(p.two[0], p.two[0])
    named = [said["loud"], said["asker"], said["other"]] == [p.names[p.loud], *p.names[:1] * 2]
    return (
        named
        and is_length(said["own"], square)
        and is_about(said["shadow"], p.most / math.sqrt(square))
        and said["dot"] == written(p.most)
    )


def _turns(wide: bool) -> Check:
    return told(
        lambda p, said: (
            said["name"] == p.names[p.nearest[0]]
            and (dot(p.two[0], p.two[p.nearest[0]]) < 0) == wide
        )
    )


DOT: dict[str, Check] = {
    "The dot product: how far along?": nothing_to_check("heading"),
    "Do {asker} and {loud} agree, film by film?": told(
        lambda p, said: [said["asker"], said["loud"]] == [p.names[0], p.names[p.loud]]
    ),
    "Multiply the two ratings of each film, and add: the dot product is {dot}.": told(
        lambda p, said: said["dot"] == written(p.most)
    ),
    "{loud} casts a shadow on {asker}'s line. Its length, {shadow}, times {other}'s, {own}, is "
    "{dot} again.": told(lambda p, said: p.most > 0 and _shadow(p, said)),
    "{loud}'s shadow falls backwards on {asker}'s line: {shadow}, times {other}'s length, {own}, "
    "is {dot} again.": told(lambda p, said: p.most < 0 and _shadow(p, said)),
    "{loud} is at a right angle to {asker} and casts no shadow: 0 times {other}'s length, {own}, "
    "is 0 again.": told(
        lambda p, said: p.most == 0 and _shadow(p, said | {"dot": "0", "shadow": "0"})
    ),
    "At a right angle {name}'s shadow vanishes, and so the dot product; beyond, it falls "
    "backwards: negative.": _turns(False),
    "At a right angle {name}'s shadow vanishes, and so the dot product; beyond, it falls "
    "forwards: positive.": _turns(True),
    "The largest, {dot}, is that of {names}. {asker}'s arrow with itself gives {own}.": told(
        lambda p, said: (
            said["names"] == listed([p.names[k] for k in p.highest])
            and said["dot"] == written(p.most)
            and said["asker"] == p.names[0]
            and said["own"] == str(dot(p.two[0], p.two[0]))
        )
    ),
    "A dot product depends on agreement and on length, and does not tell the two apart.": (
        nothing_to_check("summary")
    ),
}


def _flat(p: People) -> bool:
    return len(set(p.two[p.loud])) == 1


def _signed(text: str) -> float:
    """The square of a number, negative where this is."""
    number = float(text.replace("−", "-"))
    return number * abs(number)


COSINE: dict[str, Check] = {
    "The cosine: which way?": nothing_to_check("heading"),
    "Did {loud} win by taste, or by length?": told(
        lambda p, said: p.most > 0 and said["loud"] == p.names[p.loud]
    ),
    "Is {loud} first by taste, or by length?": told(
        lambda p, said: p.most <= 0 and said["loud"] == p.names[p.loud]
    ),
    "At a fifth of the length, the dot product falls to {least}. The angle stays.": told(
        lambda p, said: is_about(said["least"], p.most / 5) and p.most > 0
    ),
    "At a fifth of the length, the dot product rises to {least}. The angle stays.": told(
        lambda p, said: is_about(said["least"], p.most / 5) and p.most < 0
    ),
    "At a fifth of the length, the dot product stays {least}. The angle stays.": told(
        lambda p, said: said["least"] == "0" and p.most == 0
    ),
    "Always {least} or always {most}, {loud} prefers neither film: two places, yet one "
    "direction.": (
        told(
            lambda p, said: (
                _flat(p)
                and said["loud"] == p.names[p.loud]
                and is_about(said["most"], p.two[p.loud][0])
                and is_about(said["least"], p.two[p.loud][1] / 5)
            )
        )
    ),
    "A stronger feeling makes the dot product larger, not the angle smaller.": told(
        lambda p, _: not _flat(p) and p.most > 0
    ),
    "A stronger feeling makes the dot product smaller, not the angle larger.": told(
        lambda p, _: not _flat(p) and p.most < 0
    ),
    "A stronger feeling changes nothing: the dot product stays 0, a right angle.": told(
        lambda p, _: not _flat(p) and p.most == 0
    ),
    "Divide by both lengths: the cosine, {cosine}. It does not see who is generous.": told(
        lambda p, said: (
            abs(_signed(said["cosine"]) - float(signed_square(p.two[0], p.two[p.loud]))) < 0.0101
        )
    ),
    "At equal lengths, say 1, dot product and cosine give the same order.": (
        nothing_to_check("then the dot products are the cosines times one number")
    ),
    "1 is the same direction, 0 a right angle, −1 the opposite.": nothing_to_check("definition"),
    "Nearest: {near}. Largest dot product: {high}. Closest in direction: {close}.": told(
        lambda p, said: (
            [said["near"], said["high"], said["close"]]
            == [listed([p.names[k] for k in w]) for w in (p.nearest, p.highest, p.closest)]
        )
    ),
}


def _arrows(inputs: Inputs) -> tuple[list[str], list[int], int]:
    """The words but for the last, their angles, and that of the last."""
    *tokens, _ = inputs.text.split()
    *angles, last = inputs.angles
    free = [a for a in (150, 220, 300, 0, 75) if a not in {b % 360 for b in inputs.angles}]
    return tokens, [*angles, *free][: len(tokens)], last


def _stolen(inputs: Inputs) -> list[str]:
    """Tokens at angles at which L cos a > 1."""
    tokens, angles, last = _arrows(inputs)
    near = [inputs.length * math.cos(math.radians(a - last)) > 1 + 1e-9 for a in angles]
    return [f"“{token}”" for token, is_near in zip(tokens, near, strict=True) if is_near]


def _closest(inputs: Inputs) -> tuple[str, float]:
    """The other token to which the last one points closest, and the cosine of their angle."""
    tokens, angles, last = _arrows(inputs)
    cosines = [math.cos(math.radians(angle - last)) for angle in angles]
    best = max(cosines)
    return next(t for t, c in zip(tokens, cosines, strict=True) if c > best - 1e-12), best


KEYS: dict[str, Check] = {
    "A longer token steals the match": lambda inputs, _: bool(_stolen(inputs)),
    "Does a longer token steal the match?": lambda inputs, _: not _stolen(inputs),
    "It steals no match yet: for {token} it has to be longer than {length}.": (
        lambda inputs, said: (
            not _stolen(inputs)
            and said["token"] == f"“{_closest(inputs)[0]}”"
            and is_about(said["length"], 1 / _closest(inputs)[1])
        )
    ),
    "It steals no match, however long it is: no other token points its way.": (
        lambda inputs, _: _closest(inputs)[1] < 1e-9
    ),
    "Which token fits each token best?": nothing_to_check("question"),
    "Tokens are arrows, too. Equally long, each fits itself best.": (
        lambda inputs, _: len({angle % 360 for angle in inputs.angles}) == len(inputs.angles)
    ),
    "Now {thief} grows, without turning. What happens?": (
        lambda inputs, said: said["thief"] == f"“{inputs.text.split()[-1]}”"
    ),
    "It is now the best match of {stolen}, too.": (
        lambda inputs, said: said["stolen"] == listed(_stolen(inputs))
    ),
    "Divided by the lengths, it is the cosine: 1 for a token's own direction alone.": (
        lambda inputs, _: len({a % 360 for a in inputs.angles}) == len(inputs.angles)
    ),
    "Attention takes dot products: a query is what a token asks, a key what one offers.": (
        nothing_to_check("definition")
    ),
    "A key's direction says what it fits, its length how loudly. Where do queries and keys come "
    "from?": nothing_to_check("summary, and the next question"),
}

FILM = FilmTruths(
    "vectors",
    {
        "vectors.raters": RATERS,
        "vectors.distance": DISTANCE,
        "vectors.dot": DOT,
        "vectors.cosine": COSINE,
        "vectors.keys": KEYS,
    },
    claims={
        "vectors.distance": {
            "someone's ratings differ from those of the first": lambda i: (
                len(set(People(i).two)) > 1
            )
        },
    },
)

EXAMPLES: list[dict[str, Any]] = [
    {},
    {"ratings": ((1, 2, 0), (2, 1, 0), (2, 1, 5), (-4, -2, 1))},
    {"ratings": ((1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0))},
    {"ratings": ((3, 1, 0), (-1, -3, 0), (-2, 0, 0), (-5, -5, -5))},
    {"ratings": ((3, 1, 0), (2, -5, 0), (-5, 5, 5), (1, 1, -5))},
    {"ratings": ((2, 0, 0), (0, 3, 1), (0, -3, 1), (0, 5, 0))},
    {"ratings": ((5, 5, 5), (-5, 5, 5), (5, -5, 5), (4, 4, 0)), "raters": "a b c d"},
    {"ratings": ((-5, -5, 0), (-4, -4, 0), (-3, -4, 0), (5, 5, 5))},
    {"ratings": ((5, 0, 0), (0, 2, 0), (-5, 5, 0), (5, -5, 0))},
    # The nearest is on the other side, and still someone agrees.
    {"ratings": ((1, 0, 0), (-1, 1, 0), (5, 5, 0), (-2, 0, 0))},
    {"films": "war peace love", "raters": "i you he she"},
    {"text": "a b c", "angles": (0, 60, 120), "length": 2.0},
    {"text": "a b c", "angles": (0, 61, 120), "length": 2.0},
    {"text": "a b c d e", "angles": (-180, 10, 20, 30, 40), "length": 5.0},
    {"text": "a b c", "angles": (0, 1, 2), "length": 1.1},
    {"text": "a b c", "angles": (0, 180, 270)},
    {"length": 1.1},
    {"angles": (0, 30, 60)},
    {"text": "a b c d e"},
    {"text": "a b c d a b"},
    {"ratings": ((2, 0, 0), (0, -3, 1), (-1, -3, 1), (-5, 5, 0))},
    {"ratings": ((2, -2, 0), (3, 3, 0), (-1, 5, 1), (-1, -1, 0))},
    {"ratings": ((2, 1, 0), (-1, -1, 0), (-2, -3, 1), (-5, -5, 0))},
    {"ratings": ((2, 1, 0), (-1, 0, 0), (-2, -3, 1), (-5, -5, 0))},
]


def examples(name: str) -> list[StageInputs]:
    """Ratings and tokens picked by hand, as far as a stage takes them."""
    return those_taken(name, EXAMPLES)


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Ratings or directions within their bounds; none that a stage refuses."""
    kind: Any = find_stage(name).Inputs
    mark = st.integers(-5, 5)
    if name == "vectors.keys":
        angles = st.lists(st.integers(-180, 179), min_size=4, max_size=4, unique=True).map(tuple)
        return st.builds(
            lambda angles, length: kind(angles=angles, length=length),
            angles,
            st.floats(1.1, 5.0),
        )
    row = st.tuples(mark, mark, mark).filter(lambda r: r[0] != 0 or r[1] != 0)
    return st.tuples(row, row, row, row).map(lambda rows: kind(ratings=rows))


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", FILM.truths)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    assert FILM.unmet(name, examples(name), drawn(name)) == []


@pytest.mark.parametrize("name", FILM.truths)
def test_every_fact_that_is_said_is_checked(name: str) -> None:
    assert FILM.unnoticed(name, examples(name)[:4]) == []

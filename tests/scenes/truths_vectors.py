"""The truths of the film `vectors`, in whole numbers and fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.telling import FilmTruths, Inputs, Truths, Variant, listed, those_taken

Vector = tuple[int, ...]


def dot(a: Vector, b: Vector) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def squared(a: Vector, b: Vector) -> int:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def signed_square(a: Vector, b: Vector) -> Fraction:
    """The square of a cosine, negative where the cosine is."""
    return Fraction(dot(a, b) * abs(dot(a, b)), dot(a, a) * dot(b, b))


@dataclass(frozen=True)
class People:
    """People and their ratings, as they are given."""

    inputs: Inputs

    @property
    def names(self) -> list[str]:
        return str(self.inputs.raters).split()

    @property
    def films(self) -> list[str]:
        return str(self.inputs.films).split()

    @property
    def two(self) -> list[Vector]:
        return [row[:2] for row in self.inputs.ratings]

    def best(self, score: Callable[[Vector, Vector], Any]) -> list[int]:
        first, *others = self.two
        scores = [score(first, row) for row in others]
        return [k + 1 for k, s in enumerate(scores) if s == max(scores)]

    def listed(self, places: list[int]) -> str:
        return listed(self.names[k] for k in places)

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
    def n_answers(self) -> int:
        return len({tuple(which) for which in (self.nearest, self.highest, self.closest)})

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
    def length(self) -> float:
        return math.sqrt(dot(self.two[0], self.two[0]))

    @property
    def units(self) -> list[tuple[float, float]]:
        return [(x / math.hypot(x, y), y / math.hypot(x, y)) for x, y in self.two]

    def all_agree(self) -> bool:
        """Whether at length 1 whoever points closest is also nearest, with the largest product."""
        first, *others = self.units
        dots = [first[0] * x + first[1] * y for x, y in others]
        gaps = [math.dist(first, unit) for unit in others]
        least, most = min(gaps), max(dots)
        return all(gaps[k - 1] < least + 1e-7 and dots[k - 1] > most - 1e-9 for k in self.closest)

    def halves_the_square(self) -> bool:
        """Whether 1 minus a cosine is half the squared distance at length 1."""
        first, *others = self.units
        return all(
            math.isclose(
                math.dist(first, unit) ** 2 / 2,
                1 - first[0] * unit[0] - first[1] * unit[1],
                abs_tol=1e-9,
            )
            for unit in others
        )

    @property
    def is_flat(self) -> bool:
        return len(set(self.two[self.loud])) == 1

    @property
    def detours(self) -> dict[int, float]:
        first, end = self.two[0], self.two[self.far]
        return {
            k: math.sqrt(squared(first, row)) + math.sqrt(squared(row, end))
            for k, row in enumerate(self.two)
            if k not in (0, self.far)
        }

    @property
    def detour(self) -> float:
        """The shortest way that is longer than the straight one; if there is none, as long."""
        straight = math.sqrt(squared(self.two[0], self.two[self.far]))
        longer = [d for d in self.detours.values() if d > straight + 1e-9]
        return min(longer or self.detours.values())

    def lies_between(self, k: int) -> bool:
        (x, y), (a, b), (c, d) = self.two[k], self.two[0], self.two[self.far]
        along = (x - a) * (c - a) + (y - b) * (d - b)
        is_on_line = (x - a) * (d - b) == (y - b) * (c - a)
        return is_on_line and 0 <= along <= squared((a, b), (c, d))

    def prefers(self, k: int) -> bool:
        """Whether someone likes the other film better than the first one does."""
        (x, y), (a, b) = self.two[0], self.two[k]
        return (x - y) * (a - b) < 0


def _triangle_inequality(p: People) -> bool:
    straight = math.sqrt(squared(p.two[0], p.two[p.far]))
    return all(
        d >= straight - 1e-12 and (d < straight + 1e-9) == p.lies_between(k)
        for k, d in p.detours.items()
    )


def _doubt(p: People) -> Variant:
    others = [k for k in p.nearest if p.prefers(k)]
    return Variant(False, p.names[others[0]], p.names[0]) if others else Variant(True)


class Tokens:
    """Words as arrows, all as long, of which the last one grows."""

    def __init__(self, inputs: Inputs) -> None:
        *self.words, self.grown = inputs.text.split()
        *angles, last = self.given = inputs.angles
        free = [a for a in (150, 220, 300, 0, 75) if a not in {b % 360 for b in inputs.angles}]
        angles = [*angles, *free][: len(self.words)]
        self.cosines = [math.cos(math.radians(angle - last)) for angle in angles]
        pairs = [*zip(self.words, self.cosines, strict=True)]
        self.stolen = [f"“{word}”" for word, c in pairs if inputs.length * c > 1 + 1e-9]
        self.closest = {f"“{word}”" for word, c in pairs if c > max(self.cosines) - 1e-12}

    def all_differ(self) -> bool:
        return len({angle % 360 for angle in self.given}) == len(self.given)


FACTS = {
    "asker": lambda p: p.names[0],
    "first_film": lambda p: p.films[0],
    "second_film": lambda p: p.films[1],
    "least": lambda p: -5,
    "most": lambda p: 5,
    "others": lambda p: listed(p.names[1:], "or"),
    "far_name": lambda p: p.names[p.far],
    "far_across": lambda p: abs(p.two[0][0] - p.two[p.far][0]),
    "far_up": lambda p: abs(p.two[0][1] - p.two[p.far][1]),
    "far_high": lambda p: abs(p.inputs.ratings[0][2] - p.inputs.ratings[p.far][2]),
    "far_distance": lambda p: math.sqrt(squared(p.two[0], p.two[p.far])),
    "far_in_space": lambda p: math.sqrt(squared(p.inputs.ratings[0], p.inputs.ratings[p.far])),
    "nearest_names": lambda p: p.listed(p.nearest),
    "highest_names": lambda p: p.listed(p.highest),
    "closest_names": lambda p: p.listed(p.closest),
    "least_distance": lambda p: math.sqrt(squared(p.two[0], p.two[p.nearest[0]])),
    "via_name": lambda p: {p.names[k] for k, d in p.detours.items() if math.isclose(d, p.detour)},
    "detour": lambda p: p.detour,
    "doubt": _doubt,
    "loud_name": lambda p: p.names[p.loud],
    "loud_shadow": lambda p: p.most / p.length,
    "own_length": lambda p: p.length,
    "own_dot": lambda p: dot(p.two[0], p.two[0]),
    "most_dot": lambda p: p.most,
    "turner_name": lambda p: p.names[p.nearest[0]],
    "asked": lambda p: Variant(p.most <= 0, p.names[p.loud]),
    "quiet_dot": lambda p: p.most / 5,
    "loud_rating": lambda p: p.two[p.loud][0],
    "quiet_rating": lambda p: p.two[p.loud][0] / 5,
    "loud_cosine": lambda p: (
        dot(p.two[0], p.two[p.loud])
        / math.sqrt(dot(p.two[0], p.two[0]) * dot(p.two[p.loud], p.two[p.loud]))
    ),
    "point": lambda t: Variant(not t.stolen),
    "stolen": lambda t: listed(t.stolen),
    "next": lambda t: t.closest,
    "least_length": lambda t: 1 / max(t.cosines),
    "thief": lambda t: f"“{t.grown}”",
}


def sign(number: float) -> int:
    """0 where it is positive, 1 where it is negative, 2 where it is neither."""
    return 0 if number > 0 else 1 if number < 0 else 2


STAGES = {
    "raters": Truths(
        choices={"ways": lambda p: p.n_answers < 3},
        claims={"rate": lambda p: len(p.names) == 4 and abs(max(sum(p.two, ()), key=abs)) <= 5},
    ),
    "distance": Truths(
        claims={"around": _triangle_inequality},
        needs={0: lambda p: len(set(p.two)) > 1},
    ),
    "dot": Truths(
        choices={
            "cast": lambda p: sign(p.most),
            "turn": lambda p: dot(p.two[0], p.two[p.nearest[0]]) >= 0,
        },
    ),
    "cosine": Truths(
        choices={
            "quieter": lambda p: sign(p.most),
            "louder": lambda p: 0 if p.is_flat else 1 + sign(p.most),
        },
        claims={"one": People.all_agree, "apart": People.halves_the_square},
    ),
    "keys": Truths(
        world=Tokens,
        choices={"grow": lambda t: 0 if t.stolen else 1 if max(t.cosines) < 1e-9 else 2},
        claims={"own": Tokens.all_differ, "alone": Tokens.all_differ},
    ),
}

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


FILM = FilmTruths("vectors", People, FACTS, STAGES, lambda name: those_taken(name, EXAMPLES), drawn)

"""The truths of the RoPE film.

In a position hand i turns by theta_i = base^(-2i/d); a pair of numbers is a complex one, and
position m turns it by exp(i m theta_i); a score is a dot product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.legal import drawn_inputs
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    percent,
    plural,
    spelled,
    those_taken,
)

Hands = NDArray[np.complex128]

_ROUNDING = 1e-8


def _alike(a: Any, b: Any) -> bool:
    return bool(np.allclose(a, b, rtol=0, atol=_ROUNDING))


def _shown(score: float) -> str:
    """A score as a stage shows it; there is no negative zero."""
    return f"{round(score, 2) + 0.0:.2f}"


# The film's words and hands


def theta(inputs: Inputs) -> NDArray[np.float64]:
    """How far every hand turns in a position; shape (d_head/2,)."""
    return np.array([inputs.base ** (-2 * i / inputs.d_head) for i in range(inputs.d_head // 2)])


def turned(hands: Hands, position: float, inputs: Inputs) -> Hands:
    """Hands at a position."""
    return np.asarray(hands * np.exp(1j * position * theta(inputs)))


def dot(a: Hands, b: Hands) -> float:
    """The dot product of two vectors whose pairs are complex numbers."""
    return float((a.conj() * b).real.sum())


class Told:
    """The words of a text, the asking word's query and the words' keys, as hands."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.words: list[str] = inputs.text.split()
        self.asks = self._asks()
        self.asker = self.words[self.asks]
        kinds = list(dict.fromkeys(self.words))
        drawn = np.random.default_rng(inputs.seed).standard_normal((2, len(kinds), inputs.d_head))
        queries, keys = np.round(drawn, 1)
        self.query = _hands(queries[kinds.index(self.asker)])
        self.keys = {word: _hands(key) for word, key in zip(kinds, keys, strict=True)}
        self.swapped = [self.words[-1], *self.words[1:-1], self.words[0]]

    def _asks(self) -> int:
        """Who asks: as given, but not beyond the last but one; or the first unlike both ends."""
        if self.inputs.asks is not None:
            return min(int(self.inputs.asks), len(self.words) - 2)
        ends = {self.words[0], self.words[-1]}
        return next(k for k, word in enumerate(self.words) if word not in ends)

    @property
    def is_example(self) -> bool:
        return self.words == ["dog", "bites", "man"]

    def score(self, word: str, m: int, n: int) -> float:
        """The asking word at m, another at n."""
        query, key = turned(self.query, m, self.inputs), turned(self.keys[word], n, self.inputs)
        return dot(query, key)

    def scores(self, order: Sequence[str], first: int = 0) -> dict[tuple[str, bool], float]:
        """Every other word's score in an order that begins at a position.

        A word is told from an equal one by whether it is an outer one.
        """
        m = first + self.asks
        return {
            (word, n in (0, len(order) - 1)): self.score(word, m, first + n)
            for n, word in enumerate(order)
            if n != self.asks
        }

    def plain(self, order: Sequence[str]) -> dict[str, float]:
        """The same without positions."""
        return {word: dot(self.query, self.keys[word]) for word in order if word != self.asker}

    def depends_on_offset_alone(self, m: int, n: int) -> bool:
        """Whether the first word's score is the same wherever the two stand this far apart."""
        here = self.score(self.words[0], m, n)
        least = -min(m, n)
        places = (least, 0, 1, 2, 7, 40, 1000, 9000)
        return _alike([self.score(self.words[0], m + s, n + s) for s in places], here)


def _hands(vector: NDArray[np.float64]) -> Hands:
    return np.asarray(vector[0::2] + 1j * vector[1::2])


# Word order


def _order_is_unseen(told: Told) -> bool:
    return told.plain(told.words) == told.plain(told.swapped)


# Who bites


def _outer_scores_change(told: Told) -> bool:
    before, after = told.scores(told.words), told.scores(told.swapped)
    outer = [(word, True) for word in (told.words[0], told.words[-1])]
    return all(_shown(before[word]) != _shown(after[word]) for word in outer)


def _swap_is_seen(told: Told) -> bool:
    before, after = told.scores(told.words), told.scores(told.swapped)
    outer = [(word, True) for word in (told.words[0], told.words[-1])]
    return min(abs(after[word] - before[word]) for word in outer) >= 0.01


def _inner_scores_stay(told: Told) -> bool:
    """Only those of the outer two change, if there are others at all."""
    before, after = told.scores(told.words), told.scores(told.swapped)
    inner = [key for key in before if not key[1]]
    return all(before[key] == after[key] for key in inner)


def _shift_keeps(told: Told) -> bool:
    """Scores and the angle in every dial, in both orders; and every hand moves."""
    by, asks = told.inputs.shift, told.asks
    kept = [
        _alike(list(told.scores(order).values()), list(told.scores(order, by).values()))
        for order in (told.words, told.swapped)
    ]
    for n, word in enumerate(told.swapped):
        apart = [
            turned(told.query, asks + first, told.inputs).conj()
            * turned(told.keys[word], n + first, told.inputs)
            for first in (0, by)
        ]
        kept.append(_alike(*apart))
    return all(kept) and bool((by * theta(told.inputs) > 0).all())


# Frequencies


def _factor(inputs: Inputs) -> float:
    """How many times as long each hand takes as the one before it."""
    ratios = theta(inputs)[:-1] / theta(inputs)[1:]
    assert _alike(ratios / ratios[0], 1)
    return float(ratios[0])


def _near(inputs: Inputs) -> bool:
    degrees = np.degrees(theta(inputs))
    return bool((np.diff(degrees) < 0).all() and degrees[0] > 45)


def _slower_hand_tells(inputs: Inputs) -> bool:
    cosines = np.cos(inputs.m * theta(inputs))
    return bool(cosines[0] > 0.99 and cosines[1:].min() < 0.9)


def _reaches_further(inputs: Inputs) -> bool:
    """The fast hand is seen to move in a position, and each slower one comes round later."""
    speeds = theta(inputs)
    return bool(np.degrees(speeds[0]) > 45 and (np.diff(speeds) < 0).all())


def _slow_down(inputs: Inputs) -> bool:
    """Whether a larger base slows down every hand but the first."""
    first, *others = theta(inputs.model_copy(update={"base": 2 * inputs.base})) / theta(inputs)
    return bool(first == 1 and max(others) < 1)


# Clock hands


def _query(inputs: Inputs) -> Hands:
    return Told(inputs).query


def _numbers_change(inputs: Inputs) -> bool:
    """Whether some number does, by more than the last of two decimals."""
    moved = turned(_query(inputs), inputs.m, inputs) - _query(inputs)
    return bool(max(abs(moved.real).max(), abs(moved.imag).max()) >= 0.01)


def _keeps_lengths(inputs: Inputs) -> bool:
    start = _query(inputs)
    return _alike(abs(turned(start, inputs.m, inputs)), abs(start))


def _turns_back(inputs: Inputs) -> bool:
    """Whether every hand, turned back, stands as before."""
    start = _query(inputs)
    return _alike(turned(turned(start, inputs.m, inputs), -inputs.m, inputs), start)


def _n_speeds(inputs: Inputs) -> int:
    return len(set(theta(inputs)))


def _angles_are_seen_apart(inputs: Inputs) -> bool:
    """Whether every hand's turn is another one, to a tenth of a degree."""
    turns = {f"{degrees:.1f}" for degrees in np.degrees(inputs.m * theta(inputs))}
    return bool(len(turns) == inputs.d_head // 2)


# Matrix


def _blocks_turn(inputs: Inputs) -> bool:
    """Whether cosine and sine, block by block on the diagonal and 0 elsewhere, turn the hands."""
    angles, d = inputs.m * theta(inputs), inputs.d_head
    matrix = np.zeros((d, d))
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [
            [np.cos(angle), -np.sin(angle)],
            [np.sin(angle), np.cos(angle)],
        ]
    start = _query(inputs)
    numbers = np.stack([start.real, start.imag], axis=1).ravel()
    return _alike(_hands(matrix @ numbers), turned(start, inputs.m, inputs))


# Composition


def _is_one_turn(inputs: Inputs) -> bool:
    """Whether both turns are one by the offset."""
    told = Told(inputs)
    key = told.keys[told.words[0]]
    both = turned(turned(key, -inputs.m, inputs), inputs.n, inputs)
    return _alike(both, turned(key, inputs.n - inputs.m, inputs))


def _taken_over(inputs: Inputs) -> bool:
    """Whether the key, turned back by m as well, makes the same score with the bare query."""
    told = Told(inputs)
    key = turned(turned(told.keys[told.words[0]], inputs.n, inputs), -inputs.m, inputs)
    return _alike(dot(told.query, key), told.score(told.words[0], inputs.m, inputs.n))


def _sum_of_agreements(inputs: Inputs) -> bool:
    """Whether the score is the sum of both lengths times the cosine of the angle, over dials."""
    told = Told(inputs)
    key = told.keys[told.words[0]]
    angles = np.angle(turned(key, inputs.n, inputs)) - np.angle(
        turned(told.query, inputs.m, inputs)
    )
    terms = abs(told.query) * abs(key) * np.cos(angles)
    return _alike(terms.sum(), told.score(told.words[0], inputs.m, inputs.n))


# Relative offset


def _far(inputs: Inputs) -> tuple[int, int]:
    """Where both stand after the move: as given, the one as far as the other, or 95 further on."""
    by = 95
    if inputs.far_m is not None:
        by = inputs.far_m - inputs.m
    elif inputs.far_n is not None:
        by = inputs.far_n - inputs.n
    return inputs.m + by, inputs.n + by


class Walk:
    """The scores before, after the key's first steps alone, and after all of them.

    The key goes away from the query, and the other way where that would lead before position 0.
    """

    def __init__(self, inputs: Inputs) -> None:
        far_m, far_n = _far(inputs)
        away = 1 if far_n > far_m else -1
        if far_n + away * inputs.stray_far < 0:
            away = 1
        told = Told(inputs)
        ends = (far_n + away * steps for steps in (0, inputs.stray, inputs.stray_far))
        self.scores = [told.score(told.words[0], far_m, n) for n in ends]
        before, stray, last = self.scores
        self.stays = _shown(stray) == _shown(before)
        self.is_back = _shown(last) == _shown(before) or abs(last - before) < 0.1 * abs(before)
        apart = abs((inputs.stray_far + np.pi) % (2 * np.pi) - np.pi)
        several = inputs.d_head > 2 and inputs.base > 1
        self.fast_is_round = several and inputs.stray_far > np.pi and bool(apart < 0.3)


def _drag(inputs: Inputs) -> bool:
    """Scores and angles stay, and all hands move."""
    told, places = Told(inputs), [(inputs.m, inputs.n), _far(inputs)]
    apart = [
        turned(told.query, m, inputs).conj() * turned(told.keys[told.words[0]], n, inputs)
        for m, n in places
    ]
    return _alike(*apart) and places[0] != places[1]


def _turned_on(inputs: Inputs) -> bool:
    """Both hands as composed, turned on by m: those of the two positions."""
    told = Told(inputs)
    key, by = told.keys[told.words[0]], inputs.n - inputs.m
    on = turned(np.ones_like(key), inputs.m, inputs)
    return _alike(turned(key, by, inputs) * on, turned(key, inputs.n, inputs))


# Aliasing


def _mass(inputs: Inputs, speeds: NDArray[np.float64], n_tokens: int) -> float:
    """What the last of so many words gives to the one before it, with scores alpha sum cos."""
    offsets = np.arange(n_tokens) - (n_tokens - 2)  # of every word from the right one
    scores = inputs.alpha * np.cos(offsets[:, None] * speeds).sum(axis=1)
    weights = np.exp(scores - scores.max())
    return float(weights[-2] / weights.sum())


def _one_speed(inputs: Inputs, n_tokens: int) -> float:
    return _mass(inputs, np.full(inputs.d_head // 2, inputs.theta), n_tokens)


def _agree_best(inputs: Inputs) -> tuple[int, float]:
    """How far before the right word hands of one speed agree best, and the height they have."""
    cosines = np.cos(inputs.theta * np.arange(1, inputs.long - 1))
    return 1 + int(cosines.argmax()), float(cosines.max())


def _loss(inputs: Inputs, speeds: NDArray[np.float64]) -> float:
    """What the previous word loses from the short text to the long one."""
    return _mass(inputs, speeds, inputs.short) - _mass(inputs, speeds, inputs.long)


def _has_near_miss(inputs: Inputs) -> bool:
    """Whether at one speed a word that nearly agrees gets 1 % in the short text."""
    cosines = np.cos(inputs.theta * np.arange(1, inputs.short - 1))
    over_best = np.exp(inputs.alpha * inputs.d_head / 2 * (cosines - 1))
    shares = _one_speed(inputs, inputs.short) * over_best
    return bool(((cosines > 0.95) & (shares >= 0.01 * (1 - _ROUNDING))).any())


def _disagree(inputs: Inputs) -> bool:
    """Whether, where hands of one speed agree best, some of many speeds do not."""
    back, _ = _agree_best(inputs)
    return bool(np.degrees(np.arccos(np.cos(back * theta(inputs)).min())) > 14)


def _come_round_at(inputs: Inputs) -> int:
    """How nearly the hands of one speed come round: 0 fully, 1 almost, 2 not at all."""
    back, height = _agree_best(inputs)
    if inputs.theta * back <= np.pi:
        return 2
    return 0 if height > 0.99 else 1


def _moral(inputs: Inputs) -> Variant:
    """Whether one speed loses much in a long text and many hardly anything, or how much is left."""
    one = np.full(inputs.d_head // 2, inputs.theta)
    least = max(0.25 * _one_speed(inputs, inputs.short), 10 * _loss(inputs, theta(inputs)))
    if _loss(inputs, one) > least:
        return Variant(0)
    shares = (_mass(inputs, speeds, inputs.long) for speeds in (one, theta(inputs)))
    return Variant(1, *map(percent, shares))


FACTS = {
    "n_words": lambda i: spelled(len(i.text.split())),
    "fastest_period": lambda i: 2 * np.pi,
    "n_pairs": lambda i: i.d_head // 2,
    "factor": _factor,
    "base": lambda i: i.base,
    "n_seen": lambda i: 8,
    "hands": lambda i: "hand" if i.d_head == 2 else "hands",
    "words.asker": lambda i: Told(i).asker,
    "n_zeros": lambda i: i.d_head**2 - 4 * (i.d_head // 2),
    "m": lambda i: i.m,
    "product.m": lambda i: i.m,
    "product.n": lambda i: i.n,
    "n": lambda i: i.n,
    "words.first": lambda i: i.text.split()[0],
    "steps": lambda i: plural(abs(i.n - i.m), "step"),
    "distance": lambda i: plural(abs(_far(i)[0] - i.m), "position"),
    "near.offset": lambda i: i.n - i.m,
    "alias": lambda i: _agree_best(i)[0],
    "missed": lambda i: 1 - _one_speed(i, i.long),
    "alias_cosine": lambda i: _agree_best(i)[1],
    "slowdown": lambda i: theta(i)[0] / theta(i)[-1],
    "weight_short": lambda i: _one_speed(i, i.short),
    "weight_long": lambda i: _one_speed(i, i.long),
    "schedule_weight_long": lambda i: _mass(i, theta(i), i.long),
    "moral": _moral,
}
STAGES = {
    "word_order": Truths(
        world=Told,
        facts={
            "heading": lambda told: Variant(not told.is_example),
            "words.first": lambda told: told.words[0],
            "words.last": lambda told: told.words[-1],
        },
        choices={
            "swap ask": lambda told: told.is_example,
            "riddle": lambda told: told.is_example,
        },
        claims={"swap": _order_is_unseen, "riddle": _order_is_unseen},
    ),
    "who_bites": Truths(
        world=Told,
        facts={
            "n_words": lambda told: spelled(len(told.words)),
            "distance": lambda told: plural(told.inputs.shift, "position"),
            "words.first": lambda told: told.words[0],
            "words.last": lambda told: told.words[-1],
        },
        choices={"swap ask": lambda told: told.is_example},
        claims={
            "question": lambda told: sorted(told.words) == sorted(told.swapped),
            "changed": lambda told: _outer_scores_change(told) and _inner_scores_stay(told),
            "shift": _shift_keeps,
            "sum_up": lambda told: told.depends_on_offset_alone(told.asks, 0),
        },
        needs={0: _swap_is_seen},
    ),
    "frequencies": Truths(
        choices={
            "more": lambda i: i.d_head > 16,
            "far": lambda i: not _slower_hand_tells(i),
        },
        claims={
            "near": _near,
            "far": lambda i: len(set(i.m * theta(i))) == i.d_head // 2,
            "base": _slow_down,
            "caption": _reaches_further,
        },
    ),
    "clock_hands": Truths(
        choices={
            "turn": lambda i: 0 if i.d_head == 2 else 1 if _angles_are_seen_apart(i) else 2,
        },
        claims={"turn": _numbers_change, "caption": _turns_back},
        needs={0: _numbers_change},
    ),
    "matrix": Truths(
        claims={
            "unfold": _blocks_turn,
            "line_up": lambda i: i.d_head > 2,
            "zeros": _blocks_turn,
            "caption": _keeps_lengths,
        },
    ),
    "composition": Truths(
        choices={"one": lambda i: 0 if i.n < i.m else 1 if i.n > i.m else 2},
        claims={
            "add_up": _sum_of_agreements,
            "back": _taken_over,
            "one": _is_one_turn,
            "caption": lambda i: Told(i).depends_on_offset_alone(i.m, i.n),
        },
    ),
    "relative_offset": Truths(
        choices={
            "back": lambda i: (
                2 if not Walk(i).is_back else 0 if Walk(i).fast_is_round else 1
            ),  # that it can is Dirichlet's theorem
        },
        claims={
            "title": lambda i: Told(i).depends_on_offset_alone(i.m, i.n),
            "turn_on": lambda i: i.m > 0 and _turned_on(i),
            "drag": _drag,
            "key_only": lambda i: not Walk(i).stays,
            "caption": lambda i: Told(i).depends_on_offset_alone(i.m, i.n),
        },
        needs={0: lambda i: not Walk(i).stays},
    ),
    "aliasing": Truths(
        choices={"equal": lambda i: not _has_near_miss(i), "alias": _come_round_at},
        claims={
            "title": lambda i: _mass(i, theta(i), i.long) > _one_speed(i, i.long),
            "alias": lambda i: _agree_best(i)[1] > 0.9,
            "mend ask": lambda i: _n_speeds(i) == i.d_head // 2 > 1,
            "mend": _disagree,
        },
        needs={
            0: lambda i: _agree_best(i)[1] > 0.9,
            1: lambda i: theta(i)[0] >= 1.1 * theta(i)[-1] and _disagree(i),
            2: lambda i: _mass(i, theta(i), i.long) > _one_speed(i, i.long) + 0.01,
        },
    ),
}

_LONGEST = "bcdefgh cdefghi defghij efghijk fghijkl"

EXTREMES: dict[str, list[dict[str, Any]]] = {
    "rope.word_order": [
        {},
        {"text": _LONGEST, "asks": 3},
        {"text": "a b a c", "d_head": 2, "base": 1.0},
        {"text": "one two three one two"},
        {"asks": 3},
        {"text": "man bites dog"},
    ],
    "rope.who_bites": [
        {},
        {"text": _LONGEST, "asks": 3, "shift": 1000},
        {"shift": 1, "d_head": 256},
        {"d_head": 2, "base": 1.0, "shift": 710},
        {"text": "a b c d", "base": 1e7},
    ],
    "rope.frequencies": [
        {},
        {"m": 24},
        {"d_head": 4},
        {"d_head": 4, "base": 2.0},
        {"d_head": 4, "base": 1e6},
        {"d_head": 16},
        {"d_head": 256, "base": 1e7, "m": 1000},
        {"d_head": 256, "base": 2.0, "m": 710},
        {"base": 9999.6},
        {"base": 12345.6},
        {"d_head": 6, "base": 1234567.25},
        {"m": 4},
        {"text": _LONGEST},
    ],
    "rope.clock_hands": [
        {},
        {"m": 40},
        {"d_head": 2},
        {"d_head": 16, "base": 1e7, "m": 1000},
        {"base": 1.0},
        {"base": 1.0, "m": 710},
        {"base": 1.0001, "m": 1},
        {"text": _LONGEST, "asks": 2, "m": 1},
    ],
    "rope.matrix": [
        {},
        {"m": 40},
        {"d_head": 4, "base": 1.0, "m": 710},
        {"d_head": 4, "m": 1},
        {"base": 1e7, "m": 1000},
        {"text": _LONGEST, "asks": 1},
    ],
    "rope.composition": [
        {},
        {"m": 0, "n": 0},
        {"m": 0, "n": 3},
        {"m": 0, "n": 1},
        {"m": 4, "n": 0},
        {"m": 1, "n": 0},
        {"m": 12, "n": 12},
        {"m": 3, "n": 5},
        {"d_head": 2, "base": 1.0},
        {"d_head": 16},
        {"d_head": 18},
        {"d_head": 256, "base": 1e7, "m": 12, "n": 0},
        {"text": _LONGEST, "asks": 3},
    ],
    "rope.relative_offset": [
        {},
        {"base": 1.0, "far_m": 715, "far_n": 713},
        {"m": 4, "n": 4, "far_m": 9999, "far_n": 9999},
        {"m": 100, "n": 98, "far_m": 5, "far_n": 3},
        {"m": 0, "n": 1, "far_m": 1, "far_n": 2},
        {"m": 4, "n": 2, "far_n": 0},
        {"m": 7, "n": 2, "far_m": 5},
        {"m": 0, "n": 0, "far_m": 9999, "far_n": 9999, "d_head": 256, "base": 1e7},
        {"d_head": 2, "base": 1.0},
        {"d_head": 2, "base": 1.0, "stray": 3, "stray_far": 12},
        {"text": _LONGEST, "asks": 3, "stray": 1, "stray_far": 2},
        {"seed": 25, "d_head": 2, "stray": 3, "stray_far": 5},
        # The score hardly changes, and then does or does not.
        {"seed": 632764, "d_head": 2, "stray": 5, "stray_far": 6},
        {"seed": 648072, "d_head": 2, "stray": 6, "stray_far": 12},
        # 0.028, 0.037, 0.035; 0.0099, 0.0136, 0.0061; and −0.004, 0.003.
        {"seed": 734685, "d_head": 2, "stray": 6, "stray_far": 11},
        {"seed": 857060, "d_head": 2, "base": 1.0, "stray": 5, "stray_far": 11},
        {"seed": 2206, "d_head": 2, "stray": 4, "stray_far": 10},
        {"seed": 1977, "d_head": 2, "stray": 3, "stray_far": 6},
    ],
    "rope.aliasing": [
        {},
        {"d_head": 4},
        {"d_head": 64, "alpha": 300.0},
        {"d_head": 256},
        {"theta": 0.15, "base": 1.0, "short": 32, "long": 45},
        {"theta": 1.5708, "short": 4, "long": 6, "d_head": 16, "alpha": 4.0},
        {"theta": 1.2575, "base": 100.0, "short": 4, "long": 10, "d_head": 20, "alpha": 1.0},
        {"theta": 1.18},
        {"theta": 0.05},
        {"theta": 0.854, "alpha": 2.0},
        {"short": 4, "long": 9, "alpha": 20.0, "d_head": 4},
        {"alpha": 1000.0, "base": 1e7},
        {"theta": 3.0, "alpha": 1.0},
    ],
}


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs, such that the film is not refused nearly every time."""
    if name == "rope.aliasing":
        return _aliases()
    stage = find_stage(name)
    with_words = st.builds(_with_words, drawn_inputs(stage), _words(), st.integers(1, 3))
    if name == "rope.relative_offset":
        return st.builds(_as_far, with_words, st.integers(0, 12), st.integers(0, 12))
    return with_words


def _words() -> st.SearchStrategy[str | None]:
    """Three to five words that fit, some of them equal; or nothing, for those drawn before."""
    word = st.sampled_from(["dog", "bites", "man", "the", "a", "cat", *_LONGEST.split()])
    return st.none() | st.lists(word, min_size=3, max_size=5).map(" ".join)


def _with_words(inputs: StageInputs | None, text: str | None, asks: int) -> StageInputs | None:
    if inputs is None or text is None:
        return inputs
    return legal(type(inputs), inputs.model_dump() | {"text": text, "asks": asks})


def _as_far(inputs: Any, m: int, n: int) -> StageInputs | None:
    """The key moved as far as the query."""
    if inputs is None:
        return None
    near = {"m": m, "n": n} if inputs.m == 5 else {}
    given = inputs.model_dump() | near
    if given["far_m"] is not None and given["far_n"] is not None:
        given["far_n"] = given["far_m"] + given["n"] - given["m"]
    return legal(type(inputs), given)


@st.composite
def _aliases(draw: st.DrawFn) -> StageInputs | None:
    """One speed at which the hands come round just after the short text."""
    long = draw(st.integers(6, 64))
    back = long - 2 - draw(st.integers(0, 3))
    theta = 2 * np.pi * draw(st.integers(1, 5)) / max(1, back) + draw(st.floats(-0.01, 0.01))
    given = {
        "theta": draw(st.sampled_from([1.0, float(theta)]) | st.floats(0.05, 3)),
        "long": long,
        "short": draw(st.integers(4, max(4, back + 1))),
        "d_head": 2 * draw(st.integers(2, 128)),
        "base": 10.0 ** draw(st.sampled_from([0.0, 0.5, 1.0, 2.0, 4.0, 7.0])),
        "alpha": 10.0 ** draw(st.floats(0, 3)),
    }
    return legal(find_stage("rope.aliasing").Inputs, given)


FILM = FilmTruths(
    "rope",
    lambda inputs: inputs,
    FACTS,
    STAGES,
    lambda name: those_taken(name, EXTREMES[name]),
    drawn,
    lambda _: 150,
)

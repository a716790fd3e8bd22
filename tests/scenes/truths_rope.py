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


def _again(inputs: Inputs) -> int:
    """The first position at which the first hand is upright to within 1.1 degrees."""
    places = np.arange(1, 1000)
    off = np.degrees(np.angle(np.exp(1j * places * theta(inputs)[0])))
    return int(places[abs(off) < 1.15][0])


def _moved(inputs: Inputs) -> float:
    """How far the most moved of the slower hands then is from upright, in degrees."""
    return float(np.degrees(np.arccos(np.cos(_again(inputs) * theta(inputs)[1:]).min())))


def _twice(inputs: Inputs) -> NDArray[np.float64]:
    return 2.0 * np.arange(inputs.d_head // 2)


def _other_base(inputs: Inputs, factor: float) -> NDArray[np.float64]:
    """How many times as fast every hand is with a base that many times as large."""
    other = inputs.model_copy(update={"base": factor * inputs.base})
    return np.asarray(theta(other) / theta(inputs))


# Clock hands


def _query(inputs: Inputs) -> Hands:
    return Told(inputs).query


def _numbers_change(inputs: Inputs) -> bool:
    """Whether some number does, by more than its one decimal."""
    moved = turned(_query(inputs), inputs.m, inputs) - _query(inputs)
    return bool(max(abs(moved.real).max(), abs(moved.imag).max()) > 0.1)


def _keeps_lengths(inputs: Inputs) -> bool:
    start = _query(inputs)
    return _alike(abs(turned(start, inputs.m, inputs)), abs(start))


def _turns_back(inputs: Inputs) -> bool:
    """Whether every hand, turned back, stands as before."""
    start = _query(inputs)
    return _alike(turned(turned(start, inputs.m, inputs), -inputs.m, inputs), start)


def _first_turns_most(inputs: Inputs) -> bool:
    return bool((np.diff(theta(inputs)) < 0).all())


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


class Walk:
    """The scores before, after the key's first steps alone, and after all of them.

    The key goes away from the query.
    """

    def __init__(self, inputs: Inputs) -> None:
        away, told = 1 if inputs.n > inputs.m else -1, Told(inputs)
        steps = (0, inputs.stray, inputs.stray_far)
        ends = (inputs.n - inputs.m + away * step for step in steps)
        self.scores = [told.score(told.words[0], 0, n) for n in ends]
        before, stray, last = self.scores
        self.stays = _shown(stray) == _shown(before)
        self.is_back = _shown(last) == _shown(before) or abs(last - before) < 0.1 * abs(before)
        self.fast_is_round = bool(abs(inputs.stray_far - 2 * np.pi) < 0.3)


def _drag(inputs: Inputs) -> bool:
    """Scores and angles stay, and all hands move."""
    told, m, n = Told(inputs), inputs.m, inputs.n
    places = [(m, n), (m + inputs.shift, n + inputs.shift)]
    apart = [
        turned(told.query, m, inputs).conj() * turned(told.keys[told.words[0]], n, inputs)
        for m, n in places
    ]
    return _alike(*apart) and inputs.shift > 0


# A long text


def _scores(inputs: Inputs, speeds: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The scores of all words but the last one, from the word before it backwards."""
    rates = theta(inputs) if speeds is None else speeds
    key = np.full(len(rates), np.sqrt(inputs.alpha), dtype=complex)  # of every word, not turned
    last = inputs.long - 1
    query = key * np.exp(1j * (last - 1) * rates)  # turned back by one position
    keys = (key * np.exp(1j * n * rates) for n in range(last - 1, -1, -1))
    return np.array([dot(query, one) for one in keys])


def _steps_on(inputs: Inputs) -> bool:
    """Whether a word's key, turned back by what one position turns it, is that of the word before.

    With turns from position 0 on.
    """
    last = inputs.long - 1
    own, before = (np.exp(1j * n * theta(inputs)) for n in (last, last - 1))
    return _alike(own * np.exp(-1j * theta(inputs)), before)


def _weights(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Their attention; the last word's own score is what a key one position on has."""
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def _mass(inputs: Inputs, speeds: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The attention of all words but the last one, from the word before it backwards."""
    rates = theta(inputs) if speeds is None else speeds
    own = inputs.alpha * np.cos(rates).sum()  # of the last word's own key, a position further on
    return _weights(np.append(_scores(inputs, rates), own))[:-1]


def _one_speed(inputs: Inputs) -> NDArray[np.float64]:
    return np.full(inputs.d_head // 2, inputs.theta)


def _second(inputs: Inputs) -> tuple[int, float]:
    """How far back the second best word is, and how far its score is below the best."""
    scores = _scores(inputs)
    place = 1 + int(scores[1:].argmax())
    return place + 1, float(scores[0] - scores[place])


def _fewer(inputs: Inputs) -> float:
    """How many times as much as the second best word it gets, to two digits."""
    weights = _mass(inputs)
    times = float(weights[0] / weights[_second(inputs)[0] - 1])
    return round(times, 1 - int(np.floor(np.log10(times))))


def _agree_best(inputs: Inputs) -> tuple[int, float]:
    """How far before the right word hands of one speed agree best, and the height they have."""
    cosines = np.cos(inputs.theta * np.arange(1, inputs.long - 1))
    return 1 + int(cosines.argmax()), float(cosines.max())


def _wrong(inputs: Inputs) -> float:
    """What the word at which hands of one speed agree best gets of the attention."""
    return float(_mass(inputs, _one_speed(inputs))[_agree_best(inputs)[0]])


def _right(inputs: Inputs) -> float:
    return float(_mass(inputs, _one_speed(inputs))[0])


def _comes_round(inputs: Inputs) -> bool:
    """Whether the hands of one speed have gone round at least once to be up again."""
    back, height = _agree_best(inputs)
    return bool(inputs.theta * back > 5.6 and height > 0.94)


def _only_one_agrees(inputs: Inputs) -> bool:
    """Whether no word but the right one has the full score."""
    scores = _scores(inputs)
    full = inputs.alpha * inputs.d_head / 2
    return bool(abs(scores[0] - full) < 1e-9 and (scores[1:] < full - 1e-6).all())


FACTS = {
    "n_words": lambda i: spelled(len(i.text.split())),
    "heading": lambda i: Variant(Told(i).is_example),
    "words.asker": lambda i: Told(i).asker,
    "words.first": lambda i: i.text.split()[0],
    "words.last": lambda i: i.text.split()[-1],
    "fast_degrees": lambda i: 180 / np.pi,
    "fastest_period": lambda i: 2 * np.pi,
    "hands": lambda i: spelled(i.d_head // 2),
    "factor": _factor,
    "base": lambda i: i.base,
    "n_numbers": lambda i: i.d_head,
    "m": lambda i: i.m,
    "first_degrees": lambda i: i.m * 180 / np.pi,
    "n_zeros": lambda i: i.d_head**2 - 4 * (i.d_head // 2),
    "near.n": lambda i: i.n,
    "near.score": lambda i: Told(i).score(Told(i).words[0], i.m, i.n),
    "distance": lambda i: plural(i.shift, "position"),
    "stray_score": lambda i: Walk(i).scores[1],
    "long": lambda i: i.long,
    "alpha": lambda i: i.alpha,
    "full": lambda i: i.alpha * i.d_head / 2,
    "own.full": lambda i: i.alpha * i.d_head / 2,
    "second_back": lambda i: _second(i)[0],
    "second_score": lambda i: i.alpha * i.d_head / 2 - _second(i)[1],
    "gap": lambda i: _second(i)[1],
    "fewer": _fewer,
    "alias": lambda i: _agree_best(i)[0],
    "alias_back": lambda i: _agree_best(i)[0] + 1,
    "alias_score": lambda i: i.alpha * i.d_head / 2 * _agree_best(i)[1],
    "alias_weight": _wrong,
    "weight": _right,
    "first_before": lambda i: Told(i).score(Told(i).words[0], Told(i).asks, 0),
    "first_after": lambda i: Told(i).score(Told(i).words[0], Told(i).asks, len(Told(i).words) - 1),
    "wrong_weight": lambda i: 1 - _right(i),
    "schedule_weight": lambda i: _mass(i)[0],
    "d_head": lambda i: i.d_head,
}
STAGES = {
    "word_order": Truths(
        choices={
            "story": lambda i: Told(i).is_example,
            "swap": lambda i: Told(i).is_example,
            "swap ask": lambda i: Told(i).is_example,
        },
        claims={
            "swap": lambda i: _order_is_unseen(Told(i)),
            "riddle": lambda i: _order_is_unseen(Told(i)),
        },
    ),
    "frequencies": Truths(
        facts={"m": _again, "ending": lambda i: Variant(_moved(i) <= 25.8)},
        claims={"count": lambda i: theta(i)[0] == 1, "caption": lambda i: _moved(i) > 0},
    ),
    "speeds": Truths(
        claims={
            "step": lambda i: theta(i)[0] == 1,
            "knob": lambda i: _alike(np.log(theta(i)), -np.log(i.base) * _twice(i) / i.d_head),
            "formula": lambda i: i.d_head == 2 * len(theta(i)),
            "smaller": lambda i: bool((_other_base(i, 0.01)[1:] > 1).all()),
            "caption": lambda i: bool((_other_base(i, 100)[1:] < 1).all()),
        },
    ),
    "clock_hands": Truths(
        claims={
            "turn": lambda i: _first_turns_most(i) and _numbers_change(i),
            "length": _keeps_lengths,
            "caption": _turns_back,
        },
        needs={0: _numbers_change},
    ),
    "matrix": Truths(
        choices={"small_matrix": lambda i: np.sin(i.m) >= 0},
        claims={
            "small_matrix": _blocks_turn,
            "up": _blocks_turn,
            "right": _blocks_turn,
            "line_up": _blocks_turn,
            "zeros": _blocks_turn,
        },
    ),
    "two_words": Truths(claims={"add_up": _sum_of_agreements, "caption": _sum_of_agreements}),
    "relative_offset": Truths(
        choices={
            "one": lambda i: i.n >= i.m,
            "back": lambda i: (
                2 if not Walk(i).is_back else 0 if Walk(i).fast_is_round else 1
            ),  # that it can is Dirichlet's theorem
        },
        claims={
            "title": lambda i: Told(i).depends_on_offset_alone(i.m, i.n),
            "drag": _drag,
            "turn_back": _taken_over,
            "one": _is_one_turn,
            "key_only": lambda i: not Walk(i).stays,
        },
        needs={0: lambda i: not Walk(i).stays},
    ),
    "word_before": Truths(
        claims={"further": _steps_on, "one_back": _steps_on, "caption": _only_one_agrees}
    ),
    "waves": Truths(
        facts={"weight": lambda i: _mass(i)[0]},
        choices={"draw": lambda i: theta(i)[-1] * (i.long - 2) >= 0.5},
        claims={
            "softmax": lambda i: _second(i)[1] > 0,
            "count": _only_one_agrees,
            "pile": _only_one_agrees,
            "dots": lambda i: _second(i)[1] > 0,
            "caption": lambda i: bool(_mass(i)[0] == _mass(i).max()),
        },
    ),
    "aliasing": Truths(
        choices={"alias": lambda i: _agree_best(i)[1] < np.cos(np.radians(1.1))},
        claims={
            "title": lambda i: _mass(i)[0] > _right(i),
            "alias": _comes_round,
            "dots": lambda i: _scores(i, _one_speed(i))[1:].max() <= i.alpha * i.d_head / 2,
            "gather": lambda i: bool(_comes_round(i)),
            "caption": _only_one_agrees,
        },
        needs={
            0: lambda i: _wrong(i) > 0.01,
            1: lambda i: _mass(i)[0] > _right(i) + 0.01,
        },
    ),
    "who_bites": Truths(
        facts={"ending": lambda i: Variant(Told(i).is_example)},
        choices={
            "swap ask": lambda i: Told(i).is_example,
            "who ask": lambda i: Told(i).is_example,
        },
        claims={
            "change": lambda i: _outer_scores_change(Told(i)) and _inner_scores_stay(Told(i)),
            "shift": lambda i: _shift_keeps(Told(i)),
            "caption": lambda i: _outer_scores_change(Told(i)),
        },
        needs={0: lambda i: _swap_is_seen(Told(i))},
    ),
}

_LONGEST = "bcdefgh cdefghi defghij efghijk fghijkl"

EXTREMES: dict[str, list[dict[str, Any]]] = {
    "rope.word_order": [
        {},
        {"text": _LONGEST, "asks": 3},
        {"text": "a b a c", "d_head": 4, "base": 100.0},
        {"text": "one two three one two"},
        {"asks": 3},
        {"text": "man bites dog"},
    ],
    "rope.who_bites": [
        {},
        {"text": _LONGEST, "asks": 3, "shift": 1000},
        {"shift": 1},
        {"d_head": 4, "base": 100.0, "shift": 710},
        {"text": "a b c d", "base": 1e6},
    ],
    "rope.frequencies": [
        {},
        {"d_head": 4},
        {"d_head": 4, "base": 100.0},
        {"d_head": 4, "base": 1e6},
        {"base": 9999.6},
        {"d_head": 6, "base": 123456.25},
        {"text": _LONGEST},
    ],
    "rope.speeds": [
        {},
        {"d_head": 4, "base": 100.0},
        {"d_head": 4, "base": 1e6},
        {"d_head": 6, "base": 123456.25},
        {"text": _LONGEST},
    ],
    "rope.clock_hands": [
        {},
        {"m": 12},
        {"d_head": 4},
        {"base": 1e6, "m": 1},
        {"base": 100.0},
        {"text": _LONGEST, "asks": 2, "m": 1},
    ],
    "rope.matrix": [
        {},
        {"m": 12},
        {"d_head": 4, "m": 1},
        {"base": 1e6, "d_head": 6},
        {"text": _LONGEST, "asks": 1},
    ],
    "rope.two_words": [
        {},
        {"m": 4, "n": 4},
        {"m": 12, "n": 0},
        {"m": 1, "n": 12},
        {"d_head": 4, "base": 100.0},
        {"text": _LONGEST, "asks": 3},
    ],
    "rope.relative_offset": [
        {},
        {"m": 4, "n": 4, "shift": 1000},
        {"m": 12, "n": 0},
        {"m": 1, "n": 12},
        {"m": 1, "n": 2, "shift": 1},
        {"d_head": 4, "base": 100.0},
        {"d_head": 6, "base": 1e6},
        {"text": _LONGEST, "asks": 3, "stray": 1, "stray_far": 2},
        {"stray": 5, "stray_far": 7},
        {"seed": 2, "stray": 1, "stray_far": 2},
        *({"seed": seed, "stray": 1, "stray_far": 5} for seed in range(20)),
    ],
    "rope.word_before": [
        {},
        {"d_head": 4},
        {"long": 40, "base": 1e6},
        {"long": 64, "alpha": 4.0},
        {"d_head": 6, "alpha": 10.0, "base": 100.0},
    ],
    "rope.waves": [
        {},
        {"d_head": 4},
        {"long": 40, "base": 1e6},
        {"long": 64, "alpha": 4.0},
        {"d_head": 6, "alpha": 10.0, "base": 100.0},
    ],
    "rope.aliasing": [
        {},
        {"d_head": 4},
        {"theta": 0.5, "long": 40},
        {"theta": 2.0, "long": 64},
        {"theta": 0.854, "alpha": 4.0},
        {"theta": 1.18, "base": 100.0},
        {"d_head": 6, "alpha": 10.0},
    ],
}


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs, with texts that fit."""
    stage = find_stage(name)
    if "text" not in stage.Inputs.model_fields:
        return drawn_inputs(stage)
    return st.builds(_with_words, drawn_inputs(stage), _words(), st.integers(1, 3))


def _words() -> st.SearchStrategy[str | None]:
    """Three to five words that fit, some of them equal; or nothing, for those drawn before."""
    word = st.sampled_from(["dog", "bites", "man", "the", "a", "cat", *_LONGEST.split()])
    return st.none() | st.lists(word, min_size=3, max_size=5).map(" ".join)


def _with_words(inputs: StageInputs | None, text: str | None, asks: int) -> StageInputs | None:
    if inputs is None or text is None:
        return inputs
    return legal(type(inputs), inputs.model_dump() | {"text": text, "asks": asks})


FILM = FilmTruths(
    "rope",
    lambda inputs: inputs,
    FACTS,
    STAGES,
    lambda name: those_taken(name, EXTREMES[name]),
    drawn,
    lambda _: 150,
)

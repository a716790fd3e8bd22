"""The truths of the film about the previous-token head.

Hand i turns by theta_i = base^(-2i/d) in a position; the score of query m and key n is
alpha sum_i cos((n - m + 1) theta_i); attention is the softmax of the scores up to n = m.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.stage import find_stage
from tests.scenes.legal import drawn_inputs
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    listed,
    named,
    spelled,
    those_taken,
)
from tests.scenes.truths_rope import theta

Floats = NDArray[np.float64]

_ROUNDING = 1e-9
_NEARLY_ALL, _HALF = 0.9, 0.5
_NOTABLE = 0.01
"""A share from which on a token is part of a blend."""


# A text and a head, computed once more


class Told:
    """The words of a text, and the scores and shares of a head over them.

    `typed` is one more word at the end, for the stages about the riddle.
    """

    def __init__(self, inputs: Inputs, typed: str | None = None) -> None:
        self.inputs = inputs
        self.words: list[str] = [*inputs.text.split(), *([typed] if typed else [])]
        self.n = len(self.words)
        self.theta: Floats = theta(inputs)
        self.alpha = float(getattr(inputs, "alpha", 1.0))

    @property
    def m(self) -> int:
        """The position that asks, 5 if it is left out, but not beyond the last one."""
        return min(5 if self.inputs.m is None else int(self.inputs.m), self.n - 1)

    def name(self, n: int) -> str:
        return named(self.words, n)

    @property
    def asker(self) -> str:
        return self.name(self.m)

    @property
    def target(self) -> str:
        return self.name(self.m - 1)

    def cosines(self, m: int, back: float = 1) -> Floats:
        """The heights of the hands, for every key that row m sees; shape (m + 1, d_head/2)."""
        return np.array([[np.cos((n - m + back) * t) for t in self.theta] for n in range(m + 1)])

    def sums(self, m: int, back: float = 1) -> Floats:
        """The scores of row m at alpha 1; shape (m + 1,)."""
        return np.asarray(self.cosines(m, back).sum(axis=1))

    def row(self, m: int, alpha: float | None = None, back: float = 1) -> Floats:
        """The attention of row m; shape (m + 1,)."""
        return softmax((self.alpha if alpha is None else alpha) * self.sums(m, back))

    def least(self, alpha: float | None = None, back: int = 1) -> float:
        """The least that a row with a target gives it."""
        return min(float(self.row(m, alpha, back)[m - back]) for m in range(back, self.n))

    def winner(self, m: int, back: int = 1) -> int:
        """Where row m looks: at the key with the largest score."""
        return first_of_all(self.sums(m, back))

    def all_find(self, back: int = 1) -> bool:
        """Whether every row that can looks so far back."""
        return all(self.winner(m, back) == m - back for m in range(back, self.n))

    def share(self, word: str, m: int) -> float:
        """The share of a word in what position m gets."""
        shares = self.row(m)
        return float(sum(shares[n] for n in range(m + 1) if self.words[n] == word))


def softmax(scores: Floats) -> Floats:
    weights = np.exp(scores - scores.max())
    return np.asarray(weights / weights.sum())


def first_of_all(scores: Floats) -> int:
    """The place of the largest, -1 if there are several."""
    best = np.flatnonzero(scores >= scores.max() - _ROUNDING * np.abs(scores).max())
    return int(best[0]) if len(best) == 1 else -1


# The riddle: which word is typed again, and what came after it


def riddle(inputs: Inputs) -> tuple[str, str]:
    """The word that is typed again, and what came after it there.

    It is the first within the text that comes only once, or else the first within it.
    """
    words = inputs.text.split()
    inner = range(1, len(words) - 1)
    source = next((k for k in inner if words.count(words[k]) == 1), 1 if inner else 0)
    return words[source], words[source + 1]


def after(inputs: Inputs, word: str) -> list[str]:
    """What comes after a word in the text, each time that something does."""
    words = inputs.text.split()
    return [b for a, b in pairwise(words) if a == word]


# One key for every token


def letters(inputs: Inputs) -> Floats:
    """The demo embedding of the 26 letters; shape (26, d_model)."""
    i, j = np.arange(26)[:, None], np.arange(inputs.d_model)
    return np.asarray(0.5 * np.sin(i * np.pi / 13 + 0.1 * j))


def _on_a_ring(inputs: Inputs) -> bool:
    """Whether the vectors are an image of the unit circle in two directions."""
    embedding, phases = letters(inputs), np.arange(26) * np.pi / 13
    circle = np.stack([np.sin(phases), np.cos(phases)], axis=1)  # (26, 2)
    directions = np.linalg.pinv(circle) @ embedding  # (2, d_model)
    return (
        np.allclose(circle @ directions, embedding, rtol=0, atol=_ROUNDING)
        and np.linalg.matrix_rank(directions) == 2
    )


def _opposite(inputs: Inputs) -> bool:
    embedding = letters(inputs)
    maps = np.random.default_rng(0).standard_normal((inputs.d_model, 8))
    keys = embedding @ maps  # (26, 8)
    return np.allclose(keys[:13], -keys[13:], rtol=0, atol=_ROUNDING)


def _height(inputs: Inputs) -> bool:
    lifted = np.column_stack([letters(inputs), np.ones(26)])
    return bool(np.ptp(lifted @ np.eye(inputs.d_model + 1)[-1]) == 0)


def _another_time(text: Told) -> bool:
    """Whether no two keys show the same, as hands at n theta."""
    shown = np.exp(1j * np.arange(text.n)[:, None] * text.theta)  # (T, d_head/2)
    apart = np.abs(shown[:, None] - shown).max(axis=-1)  # (T, T)
    return bool((apart[~np.eye(text.n, dtype=bool)] > _NOTABLE).all())


def _hand_for_hand(text: Told) -> bool:
    """Whether R_m R_(-1) c is R_(m-1) c, the key of the word before."""
    query = np.exp(1j * text.m * text.theta) * np.exp(-1j * text.theta)
    key = np.exp(1j * (text.m - 1) * text.theta)
    return np.allclose(query, key, atol=_ROUNDING)


# A score is a stack of clock hands


def _first_held(text: Told) -> int:
    """The key that is held against the query first: the first one besides the target."""
    return next(n for n in range(text.m + 1) if n != text.m - 1)


def _piled(text: Told) -> int:
    """How the first pile comes about: 0 without red, 1 with more red than not, else 2."""
    heights = text.cosines(text.m)[_first_held(text)]
    return 0 if (heights >= 0).all() else 1 if heights.sum() < 0 else 2


def _all_upright(text: Told) -> bool:
    upright = (text.cosines(text.m) > 1 - _ROUNDING).all(axis=1)
    lowest = text.cosines(text.m).min(axis=1)[np.arange(text.m + 1) != text.m - 1]
    return np.flatnonzero(upright).tolist() == [text.m - 1] and bool((lowest < 1 - _NOTABLE).all())


# One step below the diagonal


def _same_rows(text: Told, m: int) -> bool:
    """Whether the row of the word after m is that of m, moved by a cell."""
    return np.allclose(text.sums(m), text.sums(m + 1)[1:], rtol=0, atol=_ROUNDING)


# How far must the knob turn?


def _alphas(text: Told) -> list[float]:
    return sorted([0.01, 0.3, 1.0, 4.0, text.alpha, 1e4])


def _by_less(text: Told) -> bool:
    """Whether the winner of every row is ahead by less at every smaller alpha, and never behind.

    The leads are counted in shares. They are equal where both are all, as far as floats tell.
    """
    for m in range(1, text.n):
        rows = [text.row(m, alpha) for alpha in _alphas(text)]
        leads = [float(row[m - 1] - np.delete(row, m - 1).max()) for row in rows]
        if not (np.diff(leads) >= -_ROUNDING).all() or text.winner(m) != m - 1:
            return False
    return True


def _same_key_wins(text: Told) -> bool:
    return all(
        first_of_all(alpha * text.sums(m)) == text.winner(m) >= 0
        for m in range(text.n)
        for alpha in _alphas(text)
    )


# What if the key knew its token?


class Leak(Told):
    """A head whose keys take in some of their words, spread over the alphabet."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__(inputs)
        kinds = list(dict.fromkeys(self.words))
        places = np.array([kinds.index(word) * 26 // len(kinds) for word in self.words])
        vectors = 0.5 * np.sin(places[:, None] * np.pi / 13 + 0.1 * np.arange(inputs.d_head))
        self.vectors = vectors  # (T, d_head)
        self.pairs = vectors[:, 0::2] + 1j * vectors[:, 1::2]  # (T, d_head/2)

    def of_words(self, m: int) -> Floats:
        """What words add to the scores of row m at alpha 1 and strength 1; shape (m + 1,)."""
        turns = np.exp(1j * (np.arange(m + 1) - m + 1)[:, None] * self.theta)
        return np.asarray((turns * self.pairs[: m + 1]).real.sum(axis=1))

    def at(self, m: int, strength: float) -> int:
        """Where row m looks at a strength, the first of equals."""
        return int((self.sums(m) + strength * self.of_words(m)).argmax())

    def n_lost(self, strength: float) -> int:
        return sum(self.at(m, strength) != m - 1 for m in range(1, self.n))

    @property
    def strength(self) -> float:
        return float(self.inputs.strength)

    @property
    def is_torn(self) -> bool:
        return self.n_lost(self.strength) > 0

    @cached_property
    def first_lost(self) -> list[int]:
        """The rows that are lost first, in which another key draws level with the target."""
        beyond = self.first_at * (1 + 1e-6)
        return [m for m in range(1, self.n) if self.at(m, beyond) != m - 1]

    @cached_property
    def rivals(self) -> dict[int, int]:
        """Where the rows look that are lost first."""
        return {m: self.at(m, self.first_at * (1 + 1e-6)) for m in self.first_lost}

    def lead(self, m: int) -> float:
        """What position gives the target of row m over its rival."""
        sums = self.sums(m)
        return float(self.alpha * (sums[m - 1] - sums[self.rivals[m]]))

    def gains(self, m: int) -> Floats:
        """What words give its rival over the target, by hand or group of hands; (G,)."""
        n, rival = len(self.theta), self.rivals[m]
        turns = np.exp(1j * (np.array([rival, m - 1]) - m + 1)[:, None] * self.theta)
        reach = (turns * self.pairs[[rival, m - 1]]).real  # (2, d_head/2)
        groups = np.array_split(reach[0] - reach[1], np.arange(1, min(n, 16)) * n // min(n, 16))
        return self.alpha * self.strength * np.array([group.sum() for group in groups])

    @cached_property
    def first_at(self) -> float:
        """The strength at which a row first draws level with another key."""
        found = [np.inf]
        for m in range(1, self.n):
            leads = self.sums(m)[m - 1] - self.sums(m)
            gains = self.of_words(m) - self.of_words(m)[m - 1]
            found += [a / b for a, b in zip(leads, gains, strict=True) if b > _ROUNDING and a > 0]
        return min(found)


def _is_small(leak: Leak, m: int) -> bool:
    """Whether no hand gives the rival of row m half of the target's lead."""
    return bool(leak.gains(m).max() < leak.lead(m) / 2)


def _words_outweigh(text: Leak) -> bool:
    """Whether in each row that is lost first words give its rival more than position its target."""
    strength, first = text.inputs.strength, text.first_at
    lost = [(m, text.at(m, first * (1 + 1e-6))) for m in range(1, text.n)]
    return any(n != m - 1 for m, n in lost) and all(
        strength * (text.of_words(m)[n] - text.of_words(m)[m - 1])
        > text.sums(m)[m - 1] - text.sums(m)[n]
        for m, n in lost
        if n != m - 1
    )


def _reaches_higher(text: Leak) -> bool:
    """Whether some hand of the rival's key reaches higher than that of the target's."""
    if not text.is_torn:
        return True
    m = text.first_lost[0]
    n, alone = text.rivals[m], 1 + text.strength * text.pairs[m - 1]
    turned = np.exp(1j * (n - m + 1) * text.theta) * (1 + text.strength * text.pairs[n])
    return bool((turned.real > alone.real).any())


def _safer(text: Leak) -> bool:
    """Whether no smaller strength loses more rows, none loses none, and the last loses some."""
    lost = [text.n_lost(share * text.inputs.strength) for share in np.linspace(0, 1, 9)]
    return lost[0] == 0 < lost[-1] and lost == sorted(lost)


# Any number of steps back


def _backs(inputs: Inputs) -> list[int]:
    """The stops; if left out, one, two and three, as far as the text goes."""
    n = len(inputs.text.split())
    usual = [b for b in (1, 2, 3) if b < n] if n > 2 else [1, 0]
    return usual if inputs.look_backs is None else list(inputs.look_backs)


# The riddle again


def _wearers(inputs: Inputs) -> list[int]:
    """The positions whose note is more than half the typed word, of the text alone."""
    typed, _ = riddle(inputs)
    text = Told(inputs, typed)
    return [m for m in range(text.n - 1) if text.share(typed, m) > _HALF]


def _notes(inputs: Inputs) -> float:
    """The least that a note, that of the word typed last included, has of the word before."""
    text = Told(inputs, riddle(inputs)[0])
    return min(text.share(text.words[m - 1], m) for m in range(1, text.n))


# What the film says


class Riddle:
    """A text in which a word is typed once more, and the notes that a head then has."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.words = inputs.text.split()
        self.typed, self.follower = riddle(inputs)
        self.then = after(inputs, self.typed)

    @property
    def can_be_trusted(self) -> bool:
        return _notes(self.inputs) > _HALF

    @cached_property
    def first_wears_itself(self) -> bool:
        return 0 in _wearers(self.inputs)

    @cached_property
    def wearers(self) -> list[str]:
        """The words that wear the typed one, but for the first."""
        return [self.words[m] for m in _wearers(self.inputs) if m > 0]

    def is_right(self) -> bool:
        """Whether all and only the tokens after the typed word wear it, if notes are trusted."""
        return not self.can_be_trusted or self.wearers == self.then

    @property
    def found(self) -> tuple[int, bool]:
        """What is found: nothing, several words, a word more than twice, twice, or once."""
        ends = not self.first_wears_itself
        if not self.can_be_trusted:
            return 0, True
        if len(set(self.wearers)) > 1:
            return 1, ends
        if len(self.wearers) > 1:
            return (3 if len(self.wearers) == 2 else 2), ends
        is_alone = self.first_wears_itself or self.words.count(self.wearers[0]) == 1
        return (4 if is_alone else 5), ends

    @property
    def ending(self) -> Variant:
        """What comes next: nothing that one could tell, one of several words, or one word."""
        if not self.can_be_trusted:
            return Variant(0)
        if len(set(self.wearers)) > 1:
            return Variant(1)
        return Variant(2, self.typed, self.follower)


def line(share: float) -> int:
    """How clearly a share tells: 0 not, 1 blurred, 2 sharply."""
    return 0 if share <= _HALF else 1 if share < _NEARLY_ALL else 2


def _share_of_target(text: Told) -> float:
    return float(text.row(text.m)[text.m - 1])


def _further(inputs: Inputs) -> list[int]:
    """The stops beyond one step if they grow, else none."""
    first, *rest = backs = _backs(inputs)
    further = rest if first == 1 else backs
    return further if further and min(further) > 1 and further == sorted(further) else []


def _places(inputs: Inputs) -> list[int]:
    """Where the rows look that have nothing as far back as they should."""
    back = _backs(inputs)[-1]
    return sorted({Told(inputs).winner(m, back) for m in range(back)})


def _all_find_at_any_distance(inputs: Inputs) -> bool:
    text = Told(inputs)
    return all(text.all_find(back) for back in range(text.n))


def _bends(leak: Leak) -> bool:
    return len(np.unique(leak.vectors, axis=0)) == len(set(leak.words))


FACTS = {
    "typed": lambda r: r.typed,
    "follower": lambda r: r.follower,
    "several": lambda r: listed(f"“{word}”" for word in dict.fromkeys(r.then)),
    "how_many": lambda r: spelled(len(r.then)).capitalize(),
    "n_vocab": lambda i: 26,
    "query_named": lambda t: t.asker,
    "target_named": lambda t: t.target,
    "row.query_named": lambda t: t.asker,
    "row.target_named": lambda t: t.target,
    "head.n_pairs": lambda t: len(t.theta),
    "at_one.target_sum": lambda t: t.sums(t.m)[t.m - 1],
    "at_one.runner_up": lambda t: np.delete(t.sums(t.m), t.m - 1).max(),
    "weight_at_one": lambda t: t.row(t.m, alpha=1.0)[t.m - 1],
    "weight": lambda t: t.row(t.m)[t.m - 1],
    "row.head.alpha": lambda t: t.alpha,
    "strength": lambda k: k.strength,
    "first_loss_at": lambda k: k.first_at,
    "asker": lambda k: {k.name(m) for m in k.first_lost},
    "target": lambda k: {k.name(m - 1) for m in k.first_lost},
    "rival": lambda k: {k.name(n) for n in k.rivals.values()},
    "lead": lambda k: {k.lead(m) for m in k.first_lost},
    "gain": lambda k: {float(k.gains(m).sum()) for m in k.first_lost},
    "n_missed": lambda k: k.n_lost(k.strength),
    "head.n_targets": lambda k: k.n - 1,
    "moral": lambda k: Variant(not k.is_torn),
    "n_lost": lambda i: spelled(_backs(i)[-1]),
    "places": lambda i: listed(_places(i)),
    **{f"back_{n}": lambda i, n=n: spelled(_further(i)[n - 1]) for n in (1, 2, 3, 4)},
}
STAGES = {
    "riddle": Truths(
        world=Riddle,
        choices={"recall": lambda r: len(set(r.then)) > 1},
        claims={"gap": lambda r: r.follower in r.then},
    ),
    "constant_key": Truths(
        world=lambda inputs: inputs,
        facts={"row.query_named": lambda i: Told(i).asker},
        claims={
            "vectors": _on_a_ring,
            "zero": _opposite,
            "opposite": _opposite,
            "caption": _height,
        },
    ),
    "key_clocks": Truths(
        world=lambda inputs: inputs,
        facts={
            "row.head.d_head": lambda i: i.d_head,
            "row.head.n_pairs": lambda i: len(theta(i)),
        },
        choices={"clocks": lambda i: len(theta(i)) > 1},
        claims={"clocks": _height, "caption": lambda i: _another_time(Told(i))},
    ),
    "pre_rotated_query": Truths(
        claims={
            "own": lambda t: t.winner(t.m, back=0) == t.m,
            "on": _hand_for_hand,
            "match": _hand_for_hand,
            "caption": Told.all_find,
        },
    ),
    "score_as_clock_sum": Truths(
        facts={"first_named": lambda t: t.name(_first_held(t))},
        choices={"all_hands": lambda t: len(t.theta) > 1, "pile": _piled},
        claims={"target": _all_upright, "caption": _all_upright},
    ),
    "sub_diagonal": Truths(
        choices={"rows": lambda t: line(t.least()) > 0},
        claims={
            "rows": lambda t: all(_same_rows(t, m) for m in range(t.n - 1)),
            "below": Told.all_find,
            "caption": lambda t: t.row(0)[0] == 1,
        },
    ),
    "sharpness": Truths(
        choices={
            "close": lambda t: 0,
            "answer": lambda t: line(float(t.row(t.m, alpha=1.0)[t.m - 1])),
            "scale": lambda t: t.alpha <= 1,
        },
        claims={"scale": _by_less, "caption": _same_key_wins},
    ),
    "token_dependent_key": Truths(
        world=Leak,
        choices={
            "bend": lambda k: min(0.96 * k.first_at, k.strength) <= 0.1,
            "first": lambda k: (
                0 if not k.is_torn else 1 if any(m == n for m, n in k.rivals.items()) else 2
            ),
            "rest": lambda k: k.n_lost(k.strength) > 1,
            "hand": lambda k: 0,
            "lead": lambda k: 0,
            "each": lambda k: bool((k.gains(k.first_lost[0]) >= 0).all()),
            "sum": lambda k: _is_small(k, k.first_lost[0]),
        },
        claims={
            "bend": _bends,
            "hand": _reaches_higher,
            "first": lambda k: not k.is_torn or k.n_lost(k.first_at * (1 - 1e-6)) == 0,
            "each": _words_outweigh,
            "caption": lambda k: k.all_find() and (not k.is_torn or _safer(k)),
        },
    ),
    "look_back": Truths(
        world=lambda inputs: inputs,
        choices={
            "further": lambda i: len(_further(i)),
            "start": lambda i: 0 if _backs(i)[-1] == 1 else 1 if _places(i) == [0] else 2,
        },
        claims={"further": _all_find_at_any_distance, "caption": _all_find_at_any_distance},
    ),
    "copy_value": Truths(
        choices={
            "hero": lambda t: 2 - line(_share_of_target(t)),
            "all": lambda t: 2 - line(t.least()),
        },
        claims={
            "hero": lambda t: line(_share_of_target(t)) > 0 or (t.row(t.m) > _NOTABLE).sum() > 1,
            "first": lambda t: t.row(0)[0] == 1,
        },
    ),
    "second_look": Truths(
        world=Riddle,
        choices={"found": lambda r: r.found},
        facts={"ending": lambda r: r.ending},
        claims={"found": Riddle.is_right, "caption": Riddle.is_right},
    ),
}

TEXTS: list[dict[str, Any]] = [
    {},
    {"text": "a b"},
    {"text": "a a"},
    {"text": "a b a"},
    {"text": "a a a a"},
    {"text": "a b c b"},
    {"text": "b c b c"},
    {"text": "a b a b a c"},
    {"text": "a b a c b a"},
    {"text": "a x y x z"},
    {"text": "a b b a b a"},
    {"text": "b b c b c"},
    {"text": "a b c d e f g h i j k l"},
    {"text": "the cat the cat the dog the dog sat on the cat"},
]
"""Two words and twelve, repeated ones, and the typed word at the end."""
HEADS: list[dict[str, Any]] = [
    *({"d_head": d, "base": base} for d in (2, 256) for base in (1.0, 1e7)),
    {"d_head": 10, "base": 1.0},
]
SCALES: list[dict[str, Any]] = [
    {"alpha": alpha, "d_head": d} for alpha in (0.01, 1.0, 2.0, 4.0, 100.0, 1e4) for d in (2, 32)
]
OTHERS: dict[str, list[dict[str, Any]]] = {
    "score_as_clock_sum": [{"d_head": d} for d in (4, 8, 16)] + [{"m": 1}],
    "pre_rotated_query": [{"m": 1}],
    "sub_diagonal": [
        {"text": "a b", "d_head": 10, "base": 1.0},
        {"text": "a b c", "m": 1, "alpha": 1.0},
        {"m": 7, "d_head": 16},
        {"m": 1, "d_head": 256},
    ],
    "sharpness": [{"alpha": 0.3}, {"alpha": 0.01, "text": "a b"}, {"alpha": 1e4, "base": 1.0}],
    "token_dependent_key": [
        *({"strength": s, "alpha": a} for s in (0.001, 0.05, 1.0, 10.0) for a in (0.01, 10.0, 1e4)),
        *({"strength": 10.0, "text": text["text"]} for text in TEXTS[1:]),
        {"strength": 0.12345678},
    ],
    "look_back": [
        {"look_backs": backs}
        for backs in [(0,), (1,), (7,), (0, 1), (1, 0), (2, 1), (5, 2), (1, 2, 4), (3, 2, 0, 7)]
    ]
    + [{"text": "a b c d e f g h i j k l", "look_backs": backs} for backs in [(11,), (1, 5, 10)]],
    "copy_value": [
        {"m": 1, "d_head": 2, "alpha": 8.0},
        {"m": 1, "alpha": 1.0},
        {"m": 1, "alpha": 0.01},
        {"m": 7, "d_head": 2, "alpha": 5.0},
        {"text": "a b", "alpha": 1.0},
    ],
    "second_look": [{"text": text["text"], "alpha": 2.0} for text in TEXTS[1:]],
}


FILM = FilmTruths(
    "previous_token",
    Told,
    FACTS,
    STAGES,
    lambda name: those_taken(
        name, [*TEXTS, *HEADS, *SCALES, *OTHERS.get(name.partition(".")[2], [])]
    ),
    lambda name: drawn_inputs(find_stage(name)),
    lambda _: 30,
)

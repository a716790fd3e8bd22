"""What every sentence of the RoPE film asserts, held against formulas written once more.

Nothing here asks `model` or a stage. In a position hand i turns by theta_i = base^(-2i/d); a pair
of numbers is a complex one, and position m turns it by exp(i m theta_i); a score is a dot product.

In a sentence of the tables, `{name}` stands for what is filled in. Claims are sentences too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.scenes.old_telling import Check, Inputs, is_share, nothing_to_check

Hands = NDArray[np.complex128]

_ROUNDING = 1e-8
_SPELLED = {"three": 3, "four": 4, "five": 5}


# Numbers as they are written


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def _is(text: str, value: float, digits: int | None = None) -> bool:
    """Whether a number is `value`, rounded to the places it is written with, or to some digits."""
    if not re.fullmatch(r"−?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?", text):
        return False
    step = 10.0 ** -len(text.partition(".")[2])
    if digits is not None:
        step = 10.0 ** min(0, np.floor(np.log10(abs(value))) + 1 - digits)
    return abs(_number(text) - value) <= step / 2 * (1 + 1e-9)


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


def _about_words(check: Callable[[Told, dict[str, str]], bool]) -> Check:
    return lambda inputs, said: check(Told(inputs), said)


def _outer(told: Told, said: dict[str, str]) -> bool:
    return (said["first"], said["last"]) == (told.words[0], told.words[-1])


# Word order


def _order_is_unseen(told: Told) -> bool:
    return told.plain(told.words) == told.plain(told.swapped)


WORD_ORDER: dict[str, Check] = {
    "Who bit whom?": _about_words(lambda told, _: told.is_example),
    "The order of the words": _about_words(lambda told, _: not told.is_example),
    "Does attention see the order of words?": nothing_to_check("question"),
    "Attention compares words in pairs and gives each pair a score.": nothing_to_check("general"),
    "Now let the man bite the dog. Which of the scores will change?": _about_words(
        lambda told, _: told.swapped == ["man", "bites", "dog"]
    ),
    "Now let “{last}” and “{first}” change places. Which of the scores will change?": _about_words(
        lambda told, said: _outer(told, said) and not told.is_example
    ),
    "None of them: a score comes from the two words, not from where they stand.": _about_words(
        lambda told, _: _order_is_unseen(told)
    ),
    "So these scores cannot say who bit whom. The words need a sense of place.": _about_words(
        lambda told, _: _order_is_unseen(told) and told.is_example
    ),
    "So these scores cannot tell the orders apart. The words need a sense of place.": _about_words(
        lambda told, _: _order_is_unseen(told)
    ),
    "RoPE gives each word a place: it turns its query and its key like clock hands.": (
        nothing_to_check("definition")
    ),
}


# Who bites


def _outer_scores_change(told: Told, _: dict[str, str]) -> bool:
    before, after = told.scores(told.words), told.scores(told.swapped)
    outer = [(word, True) for word in (told.words[0], told.words[-1])]
    return all(_shown(before[word]) != _shown(after[word]) for word in outer)


def _inner_scores_stay(told: Told) -> bool:
    """Only those of the outer two change, if there are others at all."""
    before, after = told.scores(told.words), told.scores(told.swapped)
    inner = [key for key in before if not key[1]]
    return all(before[key] == after[key] for key in inner)


def _shift_keeps(told: Told, _: dict[str, str]) -> bool:
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


WHO_BITES: dict[str, Check] = {
    "What the score knows": nothing_to_check("heading"),
    "the swap changes both scores of the outer words visibly": _about_words(_outer_scores_change),
    "Will the scores notice the order this time?": _about_words(
        lambda told, _: sorted(told.words) == sorted(told.swapped)
    ),
    "Our {n} words again, and now each has a place.": _about_words(
        lambda told, said: _SPELLED[said["n"]] == len(told.words)
    ),
    "Let the man bite again. What will the scores be?": _about_words(
        lambda told, _: told.is_example
    ),
    "“{last}” and “{first}” change places again. What will their scores be?": _about_words(_outer),
    "Both scores have changed: now the order counts.": _about_words(
        lambda told, said: _outer_scores_change(told, said) and _inner_scores_stay(told)
    ),
    "And {n} positions later in the text?": lambda inputs, said: (
        _is(said["n"], inputs.shift) and inputs.shift > 1
    ),
    "And 1 position later in the text?": lambda inputs, said: inputs.shift == 1,
    "The scores stay, because the angles between the hands stay.": _about_words(_shift_keeps),
    "RoPE turns queries and keys by their positions, and the score sees only their offset.": (
        _about_words(lambda told, _: told.depends_on_offset_alone(told.asks, 0))
    ),
    "How does a head ask for the word just before its own?": nothing_to_check("question"),
}


# Frequencies


def _factor(inputs: Inputs, text: str) -> bool:
    """Whether each hand takes so many times as long as the one before it."""
    speeds = theta(inputs)
    return all(_is(text, ratio, digits=4) for ratio in speeds[:-1] / speeds[1:])


def _more(inputs: Inputs, said: dict[str, str]) -> bool:
    n = inputs.d_head // 2
    shown = int(said.get("shown", n))
    return int(said["n"]) == n and shown == min(n, 8) and _factor(inputs, said["factor"])


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


def _base(inputs: Inputs, text: str) -> bool:
    return _is(text, inputs.base, digits=4)


def _slow_down(inputs: Inputs) -> bool:
    """Whether a larger base slows down every hand but the first."""
    first, *others = theta(inputs.model_copy(update={"base": 2 * inputs.base})) / theta(inputs)
    return bool(first == 1 and max(others) < 1)


FREQUENCIES: dict[str, Check] = {
    "One hand is not enough": nothing_to_check("heading"),
    "How far can one hand count?": nothing_to_check("question"),
    "Every position turns the hand on; at {period} it has been round once.": (
        lambda inputs, said: _is(said["period"], 2 * np.pi)
    ),
    "So a head has {n} hands; each next one takes {factor} times as long.": (
        lambda i, said: i.d_head <= 16 and _more(i, said)
    ),
    "So a head has {n} hands; each next one takes {factor} times as long. "
    "Here are {shown}.": lambda i, said: i.d_head > 16 and _more(i, said),
    "At position 1 the fast hand has moved far, each slower one less.": (
        lambda inputs, said: _near(inputs)
    ),
    "Which hand tells position {m} from 0?": lambda inputs, said: int(said["m"]) == inputs.m,
    "Not the fast one: it is almost back. A slower hand has moved.": (
        lambda inputs, said: _slower_hand_tells(inputs)
    ),
    "Together they do: each has turned by an angle of its own.": lambda inputs, said: (
        not _slower_hand_tells(inputs) and len(set(inputs.m * theta(inputs))) == inputs.d_head // 2
    ),
    "The base, here {base}, sets the speeds: raise it for longer texts.": (
        lambda inputs, said: _base(inputs, said["base"]) and _slow_down(inputs)
    ),
    "The fast hand tells neighbours apart, a slower one places further apart.": (
        lambda inputs, said: _reaches_further(inputs)
    ),
}


# Clock hands


def _query(inputs: Inputs) -> Hands:
    return Told(inputs).query


def _hand_or_hands(inputs: Inputs) -> str:
    return "hand" if inputs.d_head == 2 else "hands"


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


CLOCK_HANDS: dict[str, Check] = {
    "A position turns the {hands} of a word": lambda inputs, said: (
        said["hands"] == _hand_or_hands(inputs)
    ),
    "the position changes the numbers": lambda inputs, said: _numbers_change(inputs),
    "What does its position do to “{token}”?": lambda inputs, said: (
        said["token"] == Told(inputs).asker
    ),
    "From a word the head makes a list of numbers, its query; these are made up.": (
        nothing_to_check("in general")
    ),
    "Two numbers make a hand: how far up, and how far right.": (nothing_to_check("convention")),
    "Let the word go from position 0 to {m}: what happens to its {hands}?": (
        lambda inputs, said: int(said["m"]) == inputs.m and said["hands"] == _hand_or_hands(inputs)
    ),
    "The hand turns, so the numbers change.": lambda inputs, said: (
        inputs.d_head == 2 and _numbers_change(inputs)
    ),
    "Each hand turns by its own angle, so the numbers change.": lambda inputs, said: (
        _n_speeds(inputs) == inputs.d_head // 2 > 1
        and _angles_are_seen_apart(inputs)
        and _numbers_change(inputs)
    ),
    "The hands turn, so the numbers change.": lambda inputs, said: (
        inputs.d_head > 2 and not _angles_are_seen_apart(inputs) and _numbers_change(inputs)
    ),
    "But a turn can be turned back, so nothing of the word is lost.": lambda inputs, said: (
        _turns_back(inputs)
    ),
}


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


MATRIX: dict[str, Check] = {
    "The same turn, as one matrix": nothing_to_check("heading"),
    "What does a turn look like as a matrix?": nothing_to_check("question"),
    "For one hand, a turn is a small matrix: the cosine and the sine of its angle.": (
        lambda inputs, said: _blocks_turn(inputs)
    ),
    "Together they make one large matrix, with a block on its diagonal for every hand.": (
        lambda inputs, said: _blocks_turn(inputs) and inputs.d_head > 2
    ),
    "And what stands in the other {n} cells?": lambda inputs, said: (
        int(said["n"]) == inputs.d_head**2 - 4 * (inputs.d_head // 2)
    ),
    "Zeros: no hand ever touches the numbers of another.": (
        lambda inputs, said: _blocks_turn(inputs)
    ),
    "We write $R_m$ for all of it: a turn by position $m$ that keeps the length.": (
        lambda inputs, said: _keeps_lengths(inputs)
    ),
}


# Composition


def _at(inputs: Inputs, said: dict[str, str]) -> bool:
    return all(int(said[name]) == getattr(inputs, name) for name in ("m", "n") if name in said)


def _one_turn(inputs: Inputs, said: dict[str, str], sign: int) -> bool:
    """Whether both turns are one by so many steps, forward for 1, back for -1."""
    count, _, unit = said.get("steps", "0 steps").partition(" ")
    offset, told = inputs.n - inputs.m, Told(inputs)
    key = told.keys[told.words[0]]
    both = turned(turned(key, -inputs.m, inputs), inputs.n, inputs)
    return (
        _at(inputs, said)
        and offset == sign * int(count)
        and unit == ("step" if int(count) == 1 else "steps")
        and np.sign(offset) == sign
        and _alike(both, turned(key, sign * int(count), inputs))
    )


def _taken_over(inputs: Inputs) -> bool:
    """Whether the key, turned back by m as well, makes the same score with the bare query."""
    told = Told(inputs)
    key = turned(turned(told.keys[told.words[0]], inputs.n, inputs), -inputs.m, inputs)
    return _alike(dot(told.query, key), told.score(told.words[0], inputs.m, inputs.n))


def _partner(inputs: Inputs, said: dict[str, str]) -> bool:
    return said["partner"] == Told(inputs).words[0] and _at(inputs, said)


def _sum_of_agreements(inputs: Inputs) -> bool:
    """Whether the score is the sum of both lengths times the cosine of the angle, over dials."""
    told = Told(inputs)
    key = told.keys[told.words[0]]
    angles = np.angle(turned(key, inputs.n, inputs)) - np.angle(
        turned(told.query, inputs.m, inputs)
    )
    terms = abs(told.query) * abs(key) * np.cos(angles)
    return _alike(terms.sum(), told.score(told.words[0], inputs.m, inputs.n))


COMPOSITION: dict[str, Check] = {
    "Two turns, one offset": nothing_to_check("heading"),
    "What is left of the positions {m} and {n}?": _at,
    "The key of “{partner}” is turned by its own position, {n}.": _partner,
    "Their score adds up how well the hands agree on every dial.": lambda inputs, said: (
        _sum_of_agreements(inputs)
    ),
    "Can we undo the query's turn and keep the score?": nothing_to_check("question"),
    "Yes, if both hands turn back: $R_m^top$, the turn back, goes to the key.": (
        lambda inputs, said: _taken_over(inputs)
    ),
    "Forward by {n}, back by {m}: together one turn, back by {steps}.": (
        lambda inputs, said: _one_turn(inputs, said, -1)
    ),
    "Forward by {n}, back by {m}: together one turn, forward by {steps}.": (
        lambda inputs, said: _one_turn(inputs, said, 1)
    ),
    "Forward by {n}, back by {m}: together no turn at all.": (
        lambda inputs, said: _one_turn(inputs, said, 0)
    ),
    "Of two positions only the offset is left: that is what RoPE is built for.": (
        lambda inputs, said: Told(inputs).depends_on_offset_alone(inputs.m, inputs.n)
    ),
}


# Relative offset


def _far(inputs: Inputs) -> tuple[int, int]:
    """Where both stand after the move: as given, the one as far as the other, or 95 further on."""
    by = 95
    if inputs.far_m is not None:
        by = inputs.far_m - inputs.m
    elif inputs.far_n is not None:
        by = inputs.far_n - inputs.n
    return inputs.m + by, inputs.n + by


class _Walk:
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


def _about_walk(check: Callable[[_Walk], bool]) -> Check:
    return lambda inputs, said: check(_Walk(inputs))


def _shift(inputs: Inputs, text: str) -> bool:
    count = abs(_far(inputs)[0] - inputs.m)
    return text == f"{count} position{'' if count == 1 else 's'}"


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


RELATIVE_OFFSET: dict[str, Check] = {
    "Only the offset counts": lambda inputs, said: Told(inputs).depends_on_offset_alone(
        inputs.m, inputs.n
    ),
    "the key's first steps change the score visibly": _about_walk(lambda walk: not walk.stays),
    "What if both words move by {far}?": lambda inputs, said: _shift(inputs, said["far"]),
    "First, both hands turn forward by {m} again.": (
        lambda inputs, said: int(said["m"]) == inputs.m > 0 and _turned_on(inputs)
    ),
    "The angle between the hands stays, and so does the score.": lambda inputs, said: _drag(inputs),
    "Now move the key alone: the angles and the score change.": _about_walk(
        lambda walk: not walk.stays
    ),
    "If it walks on, can the score come back?": _about_walk(lambda walk: not walk.stays),
    "It can: the fast hand has come round, and the score is about as before.": _about_walk(
        lambda walk: walk.is_back and walk.fast_is_round
    ),
    "It can: here the score is about what it was before.": _about_walk(
        lambda walk: walk.is_back and not walk.fast_is_round
    ),
    # That it can is Dirichlet's theorem: any hands come as near to where they were as one likes.
    "Not here, but it can: hands that go round do come round again.": _about_walk(
        lambda walk: not walk.is_back
    ),
    "At offset {offset}, this query and this key have the same score everywhere.": (
        lambda inputs, said: (
            _number(said["offset"]) == inputs.n - inputs.m
            and Told(inputs).depends_on_offset_alone(inputs.m, inputs.n)
        )
    ),
}


# Aliasing


def _mass(inputs: Inputs, speeds: NDArray[np.float64], n_tokens: int) -> float:
    """What the last of so many words gives to the one before it, with scores alpha sum cos."""
    offsets = np.arange(n_tokens) - (n_tokens - 2)  # of every word from the right one
    scores = inputs.alpha * np.cos(offsets[:, None] * speeds).sum(axis=1)
    weights = np.exp(scores - scores.max())
    return float(weights[-2] / weights.sum())


def _one_speed(inputs: Inputs, n_tokens: int) -> float:
    return _mass(inputs, np.full(inputs.d_head // 2, inputs.theta), n_tokens)


def _come_round(inputs: Inputs, back: int, height: float) -> bool:
    """Whether so far back the hands have been round, and agree better than anywhere else there."""
    cosines = np.cos(inputs.theta * np.arange(1, inputs.long - 1))
    return (
        1 <= back <= inputs.long - 2
        and inputs.theta * back > np.pi
        and bool(cosines[back - 1] > height)
        and bool(cosines[back - 1] >= cosines.max() - _ROUNDING)
    )


def _agree_best(inputs: Inputs) -> tuple[int, float]:
    """How far before the right word hands of one speed agree best, and the height they have."""
    cosines = np.cos(inputs.theta * np.arange(1, inputs.long - 1))
    return 1 + int(cosines.argmax()), float(cosines.max())


def _lost(inputs: Inputs, speeds: NDArray[np.float64]) -> float:
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


ALIASING: dict[str, Check] = {
    "Why the hands need different speeds": lambda inputs, said: (
        _mass(inputs, theta(inputs), inputs.long) > _one_speed(inputs, inputs.long)
    ),
    "at one speed the hands nearly agree again somewhere in the long text": (
        lambda inputs, said: _agree_best(inputs)[1] > 0.9
    ),
    "at many speeds the last hand is visibly slower, and the hands are not up again there": (
        lambda inputs, said: theta(inputs)[0] >= 1.1 * theta(inputs)[-1] and _disagree(inputs)
    ),
    "in the long text the word before gets visibly more at many speeds than at one": (
        lambda inputs, said: (
            _mass(inputs, theta(inputs), inputs.long) > _one_speed(inputs, inputs.long) + 0.01
        )
    ),
    "What if all hands turned at one speed?": nothing_to_check("question"),
    "In a long text, this head wants the word before: there all hands agree.": (
        lambda inputs, said: bool(np.cos(0 * theta(inputs)).min() == 1)
    ),
    "Now at one speed: words where hands nearly agree take a share.": (
        lambda inputs, said: _has_near_miss(inputs)
    ),
    "Now at one speed: the word before gets {mass}.": (
        lambda inputs, said: is_share(said["mass"], _one_speed(inputs, inputs.short))
    ),
    "{back} words further back they come round again. That is aliasing.": (
        lambda inputs, said: _come_round(inputs, int(said["back"]), 0.99)
    ),
    "{back} words further back they have almost come round. That is aliasing.": (
        lambda inputs, said: (
            _come_round(inputs, int(said["back"]), 0.9)
            and not _come_round(inputs, int(said["back"]), 0.99)
        )
    ),
    "So slow, they do not come round here. But the words nearby look almost alike.": (
        lambda inputs, said: (
            _agree_best(inputs)[0] == 1
            and inputs.theta < np.pi
            and bool(np.cos(inputs.theta) > 0.9)
        )
    ),
    "Wrong words now get {missed} of the attention.": lambda inputs, said: is_share(
        said["missed"], 1 - _one_speed(inputs, inputs.long)
    ),
    "And with a speed of its own for each?": lambda inputs, said: (
        _n_speeds(inputs) == inputs.d_head // 2 > 1
    ),
    "Now they disagree at the wrong word.": lambda inputs, said: _disagree(inputs),
    "At one speed, the word before loses attention in a long text; at many, hardly any.": (
        lambda inputs, said: (
            _lost(inputs, np.full(inputs.d_head // 2, inputs.theta))
            > max(0.25 * _one_speed(inputs, inputs.short), 10 * _lost(inputs, theta(inputs)))
            and _n_speeds(inputs) > 1
        )
    ),
    "In the long text, the word before gets {one} at one speed, and {many} at many.": (
        lambda inputs, said: (
            is_share(said["one"], _one_speed(inputs, inputs.long))
            and is_share(said["many"], _mass(inputs, theta(inputs), inputs.long))
        )
    ),
}

TRUTHS: dict[str, dict[str, Check]] = {
    "rope.word_order": WORD_ORDER,
    "rope.who_bites": WHO_BITES,
    "rope.frequencies": FREQUENCIES,
    "rope.clock_hands": CLOCK_HANDS,
    "rope.matrix": MATRIX,
    "rope.composition": COMPOSITION,
    "rope.relative_offset": RELATIVE_OFFSET,
    "rope.aliasing": ALIASING,
}

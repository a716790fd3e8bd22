"""Every sentence of the film about the previous-token head is so, for legal inputs of all kinds.

Nothing that is asserted is asked of `model` or of a stage: every truth is computed once more from
the inputs. Hand i turns by theta_i = base^(-2i/d) in a position; the score of query m and key n is
alpha sum_i cos((n - m + 1) theta_i); attention is the softmax of the scores up to n = m.

In a sentence of the table, `{name}` stands for what is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from clockhead.scenes.stage import StageInputs, find_stage, stage_names
from tests.scenes.legal import drawn_inputs, said
from tests.scenes.old_telling import (
    Check,
    Inputs,
    Said,
    all_is_so,
    nothing_to_check,
    reached,
    those_taken,
)
from tests.scenes.truths_rope import theta

Floats = NDArray[np.float64]

_ROUNDING = 1e-9
_NEARLY_ALL, _HALF = 0.9, 0.5
_NOTABLE = 0.01
"""A share from which on a token is part of a blend."""
_ABOUT = 0.05
"""“About” may be off by this share."""
_COUNTS = "no one two three four five six seven eight nine ten eleven"


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
        """A word as sentences name it: with its position if it comes more than once."""
        word = self.words[n]
        return f"“{word}” at {n}" if self.words.count(word) > 1 else f"“{word}”"

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


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def is_written(text: str, value: float, digits: int | None = None) -> bool:
    """Whether a number is `value`, rounded to its places, or to so many digits."""
    if not re.fullmatch(r"−?\d[\d,]*(\.\d+)?", text):
        return False
    step = 10.0 ** -len(text.partition(".")[2])
    if digits is not None:
        step = 10.0 ** (np.floor(np.log10(abs(value))) + 1 - digits)
    return abs(number(text) - value) <= step / 2 * (1 + 1e-6)


def told(check: Callable[[Told, Said], bool]) -> Check:
    """A check of a text and its head."""
    return lambda inputs, said: check(Told(inputs), said)


def asks(inputs: Inputs, said: Said) -> bool:
    """Whether the word that is named is the one at the position that asks."""
    text = Told(inputs)
    return said["asker"] == text.name(text.m)


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


def _typed(inputs: Inputs, said: Said) -> bool:
    return said["typed"] == riddle(inputs)[0]


def _typed_and(check: Callable[[list[str], list[str], Said], bool]) -> Check:
    """The typed word is right, and a check of all words and of what came after it holds."""
    return lambda inputs, said: (
        _typed(inputs, said)
        and said.get("follower") in (None, riddle(inputs)[1])
        and check(inputs.text.split(), after(inputs, said["typed"]), said)
    )


def _cannot_say(inputs: Inputs, said: Said) -> bool:
    """The word comes after the typed one; which word came before is no part of its vector."""
    return said["follower"] in after(inputs, riddle(inputs)[0])


RIDDLE: dict[str, Check] = {
    "What comes next?": nothing_to_check("question"),
    "A reader knows where to look. Do the tokens?": nothing_to_check("question"),
    "Someone writes a text, and then “{typed}” once more.": _typed_and(
        lambda words, _, said: said["typed"] in words
    ),
    "What would you say comes next?": nothing_to_check("question"),
    "You look back to an earlier “{typed}”, and read on: “{follower}”.": _typed_and(
        lambda words, then, said: set(then) == {said["follower"]}
    ),
    "You look back to where “{typed}” stood, and read what came after.": _typed_and(
        lambda words, then, said: len(set(then)) > 1
    ),
    "But a token holds only itself: “{follower}” cannot say what came before.": _cannot_say,
    "A previous-token head fills that gap, in every token at once.": nothing_to_check("promise"),
}


# One key for every token


def letters(inputs: Inputs) -> Floats:
    """The demo embedding of the 26 letters; shape (26, d_model)."""
    i, j = np.arange(26)[:, None], np.arange(inputs.d_model)
    return np.asarray(0.5 * np.sin(i * np.pi / 13 + 0.1 * j))


def _on_a_ring(inputs: Inputs, said: Said) -> bool:
    """Whether the vectors are an image of the unit circle in two directions."""
    embedding, phases = letters(inputs), np.arange(26) * np.pi / 13
    circle = np.stack([np.sin(phases), np.cos(phases)], axis=1)  # (26, 2)
    directions = np.linalg.pinv(circle) @ embedding  # (2, d_model)
    return (
        int(said["n"]) == len(embedding)
        and np.allclose(circle @ directions, embedding, rtol=0, atol=_ROUNDING)
        and np.linalg.matrix_rank(directions) == 2
    )


def _opposite(inputs: Inputs, _: Said) -> bool:
    embedding = letters(inputs)
    maps = np.random.default_rng(0).standard_normal((inputs.d_model, 8))
    keys = embedding @ maps  # (26, 8)
    return np.allclose(keys[:13], -keys[13:], rtol=0, atol=_ROUNDING)


def _height(inputs: Inputs, _: Said) -> bool:
    lifted = np.column_stack([letters(inputs), np.ones(26)])
    return bool(np.ptp(lifted @ np.eye(inputs.d_model + 1)[-1]) == 0)


def _another_time(text: Told, _: Said) -> bool:
    """Whether no two keys show the same, as hands at n theta."""
    shown = np.exp(1j * np.arange(text.n)[:, None] * text.theta)  # (T, d_head/2)
    apart = np.abs(shown[:, None] - shown).max(axis=-1)  # (T, T)
    return bool((apart[~np.eye(text.n, dtype=bool)] > _NOTABLE).all())


CONSTANT_KEY: dict[str, Check] = {
    "One key for every token": nothing_to_check("heading"),
    "How can a head see only where a token stands?": nothing_to_check("question"),
    "Tokens are vectors: here {n}, on a ring.": _on_a_ring,
    "Can a linear map give all one key that is not zero?": nothing_to_check("question"),
    "No: opposite vectors always get opposite keys.": _opposite,
    "If all have the same key, only their places count.": nothing_to_check("goal"),
    "So give every vector one more coordinate: 1.": nothing_to_check("proposal"),
    "A map that reads only this height gives all one key, c.": _height,
    "RoPE turns each key by its position: the same clock at another time.": told(_another_time),
}


# The query is turned back one step


def _finds_itself(inputs: Inputs, said: Said) -> bool:
    text = Told(inputs)
    return asks(inputs, said) and text.winner(text.m, back=0) == text.m


def _hand_for_hand(inputs: Inputs, said: Said) -> bool:
    """Whether R_m R_(-1) c is R_(m-1) c, the key of the word that is named."""
    text = Told(inputs)
    query = np.exp(1j * text.m * text.theta) * np.exp(-1j * text.theta)
    key = np.exp(1j * (text.m - 1) * text.theta)
    return said["target"] == text.name(text.m - 1) and np.allclose(query, key, atol=_ROUNDING)


PRE_ROTATED_QUERY: dict[str, Check] = {
    "The query is turned back one step": nothing_to_check("heading"),
    "How does {asker} find the token before it?": asks,
    "{asker} asks. Turned like its key, it would find only itself.": _finds_itself,
    "So its weights first turn c one step back, then position turns it on. Each R is a turn.": (
        nothing_to_check("definition")
    ),
    "Whose hands does it match now?": nothing_to_check("question"),
    "Hand for hand, those of {target}, right before it.": _hand_for_hand,
    "Every query does the same: it fits the key one place back. Only the first finds none.": told(
        lambda text, _: text.all_find()
    ),
}


# A score is a stack of clock hands


def _steady(text: Told) -> int:
    """How many hands stay above .99 at every key that is seen; they are the slowest."""
    steady = text.cosines(text.m).min(axis=0) > 0.99
    assert (np.diff(steady.astype(int)) >= 0).all()
    return int(steady.sum())


def _slow_hands(text: Told, said: Said) -> bool:
    k = int(said["k"])
    together = text.cosines(text.m)[:, -k:].sum(axis=1)
    return k == _steady(text) == int(said["sum"]) > 1 and bool((together > 0.99 * k).all())


def _all_upright(inputs: Inputs, said: Said) -> bool:
    text = Told(inputs)
    upright = (text.cosines(text.m) > 1 - _ROUNDING).all(axis=1)
    lowest = text.cosines(text.m).min(axis=1)[np.arange(text.m + 1) != text.m - 1]
    return (
        said["target"] == text.name(text.m - 1)
        and np.flatnonzero(upright).tolist() == [text.m - 1]
        and bool((lowest < 1 - _NOTABLE).all())
    )


SCORE_AS_CLOCK_SUM: dict[str, Check] = {
    "A score is a stack of clock hands": nothing_to_check("heading"),
    "How well does the query of {asker} fit each key?": asks,
    "Hold the query upright: the key's hands show how many steps off it is.": nothing_to_check(
        "instruction"
    ),
    "Each hand adds its height, and a hand below the middle takes away.": nothing_to_check(
        "definition"
    ),
    "Key by key the hands turn on, and each key gets its own stack.": told(
        lambda text, _: text.m > 1 and _steady(text) == 0
    ),
    "Key by key. The slowest hand hardly moves: it always adds nearly one.": told(
        lambda text, _: text.m > 1 and _steady(text) == 1
    ),
    "The {k} slow hands hardly move: together they always add nearly {sum}.": told(
        lambda text, said: text.m > 1 and _slow_hands(text, said)
    ),
    "Only for {target}, right before it, does every hand stand upright at once.": _all_upright,
}


# One step below the diagonal


def _same_rows(text: Told, m: int) -> bool:
    """Whether the row of the word after m is that of m, moved by a cell."""
    return np.allclose(text.sums(m), text.sums(m + 1)[1:], rtol=0, atol=_ROUNDING)


def _second_against_best(text: Told, said: Said) -> bool:
    sums = text.sums(text.m)
    second = np.delete(sums, text.m - 1).max()
    return (
        is_written(said["best"], sums[text.m - 1])
        and is_written(said["second"], second)
        and number(said["second"]) < number(said["best"])
    )


def _in_this_row(check: Callable[[float], bool]) -> Check:
    """A check of what row m at alpha 1 gives the token before; the one named is that token."""
    return told(
        lambda text, said: (
            said["target"] == text.name(text.m - 1)
            and check(float(text.row(text.m, alpha=1.0)[text.m - 1]))
        )
    )


SUB_DIAGONAL: dict[str, Check] = {
    "One step below the diagonal": nothing_to_check("heading"),
    "Where does each token look?": nothing_to_check("question"),
    "The stacks become a row: how well each key fits {asker}.": asks,
    "Only distance counts: each row is the one above, one cell on.": told(
        lambda text, _: all(_same_rows(text, m) for m in range(text.n - 1))
    ),
    "{second} against {best}: is that enough?": told(_second_against_best),
    "Not yet: softmax gives {target} no more than half.": _in_this_row(
        lambda share: share <= _HALF
    ),
    "Softmax gives {target} more than half, but not nearly all.": _in_this_row(
        lambda share: _HALF < share < _NEARLY_ALL
    ),
    "It is: softmax gives {target} nearly everything.": _in_this_row(
        lambda share: share >= _NEARLY_ALL
    ),
    "A knob α multiplies every score, and with it every lead.": nothing_to_check("definition"),
    "On the diagonal, each would see itself. Just below is the sub-diagonal.": (
        nothing_to_check("definition")
    ),
    "The token before is ahead in every row that has one, but it is no line yet.": told(
        lambda text, _: text.all_find() and text.least() <= _HALF
    ),
    "Every row but the first gives the token before more than half: a blurred line.": told(
        lambda text, _: _HALF < text.least() < _NEARLY_ALL
    ),
    "Every row but the first finds the token before it: a clear line.": told(
        lambda text, _: text.all_find() and text.least() >= _NEARLY_ALL
    ),
}


# How far must the knob turn?


def _alphas(text: Told) -> list[float]:
    return sorted([0.01, 0.3, 1.0, 4.0, text.alpha, 1e4])


def _by_less(text: Told, _: Said) -> bool:
    """Whether the winner of every row is ahead by less at every smaller alpha, and never behind.

    The leads are counted in shares. They are equal where both are all, as far as floats tell.
    """
    for m in range(1, text.n):
        rows = [text.row(m, alpha) for alpha in _alphas(text)]
        leads = [float(row[m - 1] - np.delete(row, m - 1).max()) for row in rows]
        if not (np.diff(leads) >= -_ROUNDING).all() or text.winner(m) != m - 1:
            return False
    return True


def _same_key_wins(text: Told, _: Said) -> bool:
    return all(
        first_of_all(alpha * text.sums(m)) == text.winner(m) >= 0
        for m in range(text.n)
        for alpha in _alphas(text)
    )


def _far_enough(text: Told, said: Said) -> bool:
    """Whether the weakest row gives 99 %, as was asked, at about the alpha that is named."""
    alpha, share = number(said["alpha"]), 0.99
    low, high = text.least(alpha * (1 - _ABOUT)), text.least(alpha * (1 + _ABOUT))
    return low <= share <= high


SHARPNESS: dict[str, Check] = {
    "How far must the knob turn?": nothing_to_check("question"),
    "What α does, and what it never does.": nothing_to_check("heading"),
    "Turned down, the same token still wins each row, only by less.": told(_by_less),
    "So α decides how sure the head is, and never which key wins.": told(_same_key_wins),
    "How far up, until even the weakest row gives 99% to the token before?": nothing_to_check(
        "question"
    ),
    "To about {alpha}.": told(_far_enough),
}


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
    def first_at(self) -> float:
        """The strength at which a row first draws level with another key."""
        found = [np.inf]
        for m in range(1, self.n):
            leads = self.sums(m)[m - 1] - self.sums(m)
            gains = self.of_words(m) - self.of_words(m)[m - 1]
            found += [a / b for a, b in zip(leads, gains, strict=True) if b > _ROUNDING and a > 0]
        return min(found)


def leak(check: Callable[[Leak, Said], bool]) -> Check:
    return lambda inputs, said: check(Leak(inputs), said)


def _is_strength(text: Leak, written: str) -> bool:
    return is_written(written, text.inputs.strength, digits=6)


def _just_past(text: Leak, said: Said) -> bool:
    """Whether all rows hold just below the strength, and the one that is named has lost above."""
    first, digits = text.first_at, max(2, len(said["at"].replace(".", "").lstrip("0")))
    [m] = [k for k in range(1, text.n) if text.name(k) == said["asker"]]
    turns_to = text.at(m, first * (1 + 1e-6))
    rival = "itself" if turns_to == m else text.name(turns_to)
    return (
        text.n_lost(first * (1 - 1e-6)) == 0
        and said["target"] == text.name(m - 1)
        and said["rival"] == rival
        and turns_to != m - 1
        and is_written(said["at"], first, digits=digits)
        and first < text.inputs.strength
        and number(said["at"]) < text.inputs.strength * (1 + 1e-5)
    )


def _reach(text: Leak, said: Said) -> bool:
    """Whether the score of each pair is the reach of the key's bent hands along the query's.

    The word that is named is the one whose row is lost first.
    """
    lost = [m for m in range(1, text.n) if text.at(m, text.first_at * (1 + 1e-6)) != m - 1]
    if said["asker"] not in map(text.name, lost):
        return False
    bent = 1 + text.inputs.strength * text.pairs  # (T, d_head/2)
    for m in range(1, text.n):
        apart = np.exp(1j * np.arange(1 - m, 2)[:, None] * text.theta)  # (m + 1, d_head/2)
        lengths, angles = np.abs(bent[: m + 1]), np.angle(bent[: m + 1] * apart)
        reach = (lengths * np.cos(angles)).sum(axis=1)  # (m + 1,)
        if not np.allclose(reach, text.sums(m) + text.inputs.strength * text.of_words(m)):
            return False
    return True


def _words_outweigh(text: Leak, _: Said) -> bool:
    """Whether in each row that is lost first words give its rival more than position its target."""
    strength, first = text.inputs.strength, text.first_at
    lost = [(m, text.at(m, first * (1 + 1e-6))) for m in range(1, text.n)]
    return any(n != m - 1 for m, n in lost) and all(
        strength * (text.of_words(m)[n] - text.of_words(m)[m - 1])
        > text.sums(m)[m - 1] - text.sums(m)[n]
        for m, n in lost
        if n != m - 1
    )


def _go_on(text: Leak, said: Said) -> bool:
    return (
        _is_strength(text, said["strength"])
        and text.n_lost(text.inputs.strength) == int(said.get("k", 1))
        and int(said.get("n", text.n - 1)) == text.n - 1
    )


def _safer(text: Leak, _: Said) -> bool:
    """Whether no smaller strength loses more rows, none loses none, and the last loses some."""
    lost = [text.n_lost(share * text.inputs.strength) for share in np.linspace(0, 1, 9)]
    return lost[0] == 0 < lost[-1] and lost == sorted(lost)


TOKEN_DEPENDENT_KEY: dict[str, Check] = {
    "What if the key knew its token?": nothing_to_check("question"),
    "One clock for all. Now let every word bend its own.": leak(
        lambda text, _: len(np.unique(text.vectors, axis=0)) == len(set(text.words)) > 1
    ),
    "One clock for all. One word everywhere bends them all alike.": leak(
        lambda text, _: len(np.unique(text.vectors, axis=0)) == 1
    ),
    "How much of its word can a key take in?": nothing_to_check("question"),
    "Even at {strength}, every row still finds the token before.": leak(
        lambda text, said: (
            _is_strength(text, said["strength"]) and text.n_lost(text.inputs.strength) == 0
        )
    ),
    "Just past {at} of a word, {asker} turns from {target} to {rival}.": leak(_just_past),
    "At {strength}, it is still the only row.": leak(_go_on),
    "Of the {n} rows with a token before them, {k} look elsewhere at {strength}.": leak(_go_on),
    "Why? With the query of {asker} upright, each hand adds its height.": leak(_reach),
    "Over all hands, times α, the words outweigh the position.": leak(_words_outweigh),
    "The less a key knows of its word, the safer. Where it stands is all it needs.": leak(_safer),
    "This text can bear it. A key that knows only where it stands bears any text.": leak(
        lambda text, _: text.n_lost(text.inputs.strength) == 0 and text.all_find()
    ),
}


# Any number of steps back


def _backs(inputs: Inputs) -> list[int]:
    """The stops; if left out, one, two and three, as far as the text goes."""
    n = len(inputs.text.split())
    usual = [b for b in (1, 2, 3) if b < n] if n > 2 else [1, 0]
    return usual if inputs.look_backs is None else list(inputs.look_backs)


def _steps(count: int) -> str:
    words = _COUNTS.split()
    return words[count] if count < len(words) else str(count)


def _all_find(inputs: Inputs) -> bool:
    return all(Told(inputs).all_find(back) for back in _backs(inputs))


def _further_back(inputs: Inputs, said: Said) -> bool:
    """Whether the steps are the stops, besides a first one of one step, each beyond the last."""
    first, *rest = re.split(r", then ", said["steps"])
    backs = _backs(inputs)
    told = [_steps(b) for b in (backs[1:] if backs[0] == 1 else backs)]
    return (
        first.endswith(" steps")
        and [first.removesuffix(" steps"), *rest] == told
        and backs == sorted(backs)
        and _all_find(inputs)
    )


def _nothing_there(inputs: Inputs, said: Said) -> bool:
    """Whether the first rows, which have no target, look at the positions that are listed."""
    text, back = Told(inputs), _backs(inputs)[-1]
    places = sorted({text.winner(m, back) for m in range(back)})
    listed = [int(place) for place in re.split(r", | and ", said["places"])]
    return (said["count"], listed) == (_steps(back), places) and back > 1


LOOK_BACK: dict[str, Check] = {
    "Any number of steps back": nothing_to_check("heading"),
    "By how many steps can the query be turned back?": nothing_to_check("question"),
    "However far the query is turned back, each row looks just as far back, if it can.": told(
        lambda text, _: all(text.all_find(back) for back in range(text.n))
    ),
    "Turn the query back {steps}: each row looks just as far back, if it can.": _further_back,
    "The first row has nothing before it: it sees only itself, and looks at itself.": (
        lambda inputs, _: _backs(inputs)[-1] == 1
    ),
    "The first {count} rows have nothing that far back: they look at {places}, the nearest they "
    "see.": (lambda inputs, said: said["places"] == "0" and _nothing_there(inputs, said)),
    "The first {count} rows have nothing that far back: they look at positions {places}.": (
        lambda inputs, said: "and" in said["places"] and _nothing_there(inputs, said)
    ),
    "Any number of steps will do. One step back is the one we need.": told(
        lambda text, _: all(text.all_find(back) for back in range(text.n))
    ),
}


# The value comes along


def _arrives(check: Callable[[Told, Floats], bool]) -> Check:
    """A check of the row of the word that asks; who is named is right."""

    def holds(inputs: Inputs, said: Said) -> bool:
        text = Told(inputs)
        named = said.get("target") in (None, text.name(text.m - 1))
        return named and asks(inputs, said) and check(text, text.row(text.m))

    return holds


def _blend(_: Told, row: Floats) -> bool:
    """Whether no position gives more than half, and several give a notable share."""
    return bool(row.max() <= _HALF and (row > _NOTABLE).sum() > 1)


COPY_VALUE: dict[str, Check] = {
    "The value comes along": nothing_to_check("heading"),
    "What does a token know once it has looked?": nothing_to_check("question"),
    "Each cell is a path for a value: the more attention, the broader.": nothing_to_check(
        "definition"
    ),
    "What reaches {asker} is {target}, and almost nothing else.": _arrives(
        lambda text, row: bool(row[text.m - 1] >= _NEARLY_ALL)
    ),
    "What reaches {asker} is mostly {target}, with some of the rest.": _arrives(
        lambda text, row: _HALF < row[text.m - 1] < _NEARLY_ALL
    ),
    "What reaches {asker} is a blend of several tokens.": _arrives(_blend),
    "All but the first do this at once: each gets a note with the token before it.": told(
        lambda text, _: text.least() >= _NEARLY_ALL
    ),
    "All but the first do this at once: each gets a note that is mostly the token before it.": (
        told(lambda text, _: _HALF < text.least() < _NEARLY_ALL)
    ),
    "All but the first do this at once, but not every note is mostly the token before it.": (
        told(lambda text, _: text.least() <= _HALF)
    ),
    "The first has no one before it, so its note is its own word.": told(
        lambda text, _: text.row(0)[0] == 1
    ),
    "The word itself stays: the residual stream now carries both.": nothing_to_check("definition"),
}


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


def _wear(check: Callable[[list[str], list[int], Said], bool]) -> Check:
    """The notes can be trusted, who is named is right, and a check of all who wear it holds."""

    def holds(inputs: Inputs, said: Said) -> bool:
        words, wearers = inputs.text.split(), _wearers(inputs)
        wanted = [m for m in range(1, len(words)) if words[m - 1] == riddle(inputs)[0]]
        return (
            said.get("typed") in (None, riddle(inputs)[0])
            and said.get("again") in (None, said.get("word"))
            and [m for m in wearers if m > 0] == wanted
            and _notes(inputs) > _HALF
            and check(words, wearers, said)
        )

    return holds


def _different(words: list[str], wearers: list[int], said: Said) -> bool:
    listed = re.findall(r"“(\w+)”", said["words"])
    return listed == list(dict.fromkeys(words[m] for m in wearers if m > 0)) and len(listed) > 1


def _one_word(words: list[str], wearers: list[int], said: Said) -> bool:
    wearing = [m for m in wearers if m > 0]
    count = said["count"].lower() == _COUNTS.split()[len(wearing)]
    both = said["all"] == ("both" if len(wearing) == 2 else "all of them")
    return count and both and {words[m] for m in wearing} == {said["word"]}


SECOND_LOOK: dict[str, Check] = {
    "What follows “{typed}”?": _typed,
    "Every token now carries a note.": nothing_to_check("definition"),
    "Back to our riddle: “{typed}” is typed once more.": _typed,
    "It looks back along the notes: which tile wears “{typed}”?": _typed,
    "This head still looks at several tokens at once: its notes cannot be trusted.": (
        lambda inputs, _: _notes(inputs) <= _HALF
    ),
    "“{word}” does. So what follows “{typed}”? “{again}”.": _wear(
        lambda words, wearers, said: (
            [words[m] for m in wearers] == [said["word"]] and words.count(said["word"]) == 1
        )
    ),
    "One “{word}” does. So what follows “{typed}”? “{again}”.": _wear(
        lambda words, wearers, said: (
            [words[m] for m in wearers] == [said["word"]] and words.count(said["word"]) > 1
        )
    ),
    "“{word}” does. The first tile only wears itself.": _wear(
        lambda words, wearers, said: wearers == [0, 1] and words[1] == said["word"]
    ),
    "{words} do: each of them once came after “{typed}”.": _wear(
        lambda words, wearers, said: 0 not in wearers and _different(words, wearers, said)
    ),
    "{words} do: each of them once came after “{typed}”. The first tile only wears itself.": _wear(
        lambda words, wearers, said: 0 in wearers and _different(words, wearers, said)
    ),
    "{count} do, and {all} are “{word}”.": _wear(
        lambda words, wearers, said: 0 not in wearers and _one_word(words, wearers, said)
    ),
    "{count} do, and {all} are “{word}”. The first tile only wears itself.": _wear(
        lambda words, wearers, said: 0 in wearers and _one_word(words, wearers, said)
    ),
    "How can “{typed}” find the note “{note}”?": lambda inputs, said: (
        said["note"] == said["typed"] and _typed(inputs, said)
    ),
    "That takes a second head, the induction head: the next film.": nothing_to_check("outlook"),
    "That is the previous-token head: one clock for all, and each token asks for the time one step "
    "ago.": nothing_to_check("summary"),
}

TRUTHS: dict[str, dict[str, Check]] = {
    "previous_token.riddle": RIDDLE,
    "previous_token.constant_key": CONSTANT_KEY,
    "previous_token.pre_rotated_query": PRE_ROTATED_QUERY,
    "previous_token.score_as_clock_sum": SCORE_AS_CLOCK_SUM,
    "previous_token.sub_diagonal": SUB_DIAGONAL,
    "previous_token.sharpness": SHARPNESS,
    "previous_token.token_dependent_key": TOKEN_DEPENDENT_KEY,
    "previous_token.look_back": LOOK_BACK,
    "previous_token.copy_value": COPY_VALUE,
    "previous_token.second_look": SECOND_LOOK,
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


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    return those_taken(name, [*TEXTS, *HEADS, *SCALES, *OTHERS.get(name.partition(".")[2], [])])


def examine(name: str, inputs: StageInputs) -> set[str]:
    """The patterns that were met. All that is told is so."""
    return all_is_so(TRUTHS[name], inputs, said(find_stage(name), inputs))


def test_every_stage_of_the_film_has_its_truths():
    assert {name for name in stage_names() if name.startswith("previous_token.")} == set(TRUTHS)


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str):
    met = reached(examine, name, examples(name), drawn_inputs(find_stage(name)), 30)
    assert not set(TRUTHS[name]) - met

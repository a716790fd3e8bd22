"""The truths of the film `caesar`.

A letter is its place in the alphabet; the cipher adds the rotation, and spaces stay. English is a
frequency for each letter, a whole number of units. The score of rotation r, times the characters
and the units, is the sum over all letters of the ciphertext of the frequency of the letter r places
before: whole numbers, so that equals are equal. Which two letters the plane of `angle` shows is the
stage's choice; which text is measured on is data.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    listed,
    spelled,
    those_taken,
)

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

    inputs: Any = None

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


def told(inputs: Inputs) -> Told:
    """The message of some inputs."""
    found = Told(inputs.text, inputs.rotation)
    found.inputs = inputs
    return found


def alike(a: Any, b: Any) -> bool:
    return bool(np.allclose(a, b, rtol=0, atol=1e-9))


# Angles


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


def _equally_long(_: Any) -> bool:
    return len({sum(UNITS[(k - r) % 26] ** 2 for k in _ALL) for r in _ALL}) == 1


# The theorem


def _one_level(text: Told) -> bool:
    twice = [2 * text.n * PER_UNIT * score for score in text.scores]
    return len({a + b for a, b in zip(twice, text.errors, strict=True)}) == 1


def _least(text: Told) -> list[int]:
    return [r for r in _ALL if text.errors[r] == min(text.errors)]


# How much text it takes, and what is learned: all measured on one text

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


def _far_more(_: Inputs) -> bool:
    """Taking the commonest for e reads less of the longest than dot products of an eighth of it."""
    shares = by_length()
    return shares["commonest"][_LENGTHS[-1]] < shares["dot"][_LENGTHS[-1] // 8]


def _least_text(_: Inputs) -> bool:
    """Logarithms read at least as much at every length, and most of all where much is missing."""
    shares = by_length()
    others = [shares["dot"], shares["commonest"]]
    return all(shares["logs"][n] >= other[n] for other in others for n in _LENGTHS)


@dataclass(frozen=True)
class Trained:
    """Numbers learned from the first seven tenths of the text, and what each reads of the rest."""

    length: int
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
    return Trained(length, len(seen), len(rest), n_steps, column, reads)


# Another embedding

_TEMPLATES = np.vstack([_numbers(_FREQUENCIES), np.zeros((1, 26))]) / PER_UNIT
"""Of every token, the space last, what it adds to the logit of each rotation; (27, 26)."""


@lru_cache(maxsize=64)
def drawn_embedding(width: int, seed: int) -> Floats:
    """A row of normal numbers for every token; (27, D)."""
    return np.random.default_rng(seed).normal(size=(27, width))


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


# The message is read


def is_said(text: str, phrase: str) -> bool:
    """Whether a text has these words, or begins so."""
    return f" {phrase} " in f" {text} " or (len(phrase) == 24 and text.startswith(phrase))


def phrase_of(text: str, asked: str) -> str:
    """The words that are asked for, or the known ones, or as many first ones as 24 characters."""
    if asked or is_said(text, _PHRASE):
        return asked or _PHRASE
    whole = [text[:k] for k in range(1, min(len(text), 24) + 1) if f"{text} "[k] == " "]
    return whole[-1] if whole else text[:24]


_V = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
_O = np.array([[0.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, 0.0, 1.0]])


# How sure it may be


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


def _nearly_alike(text: Believed) -> bool:
    """Of a softmax of dot products each gets 1 in 26, within a fifth."""
    powers = [math.exp(score / PER_UNIT / text.n) for score in text.scores]
    return all(abs(26 * p / sum(powers) - 1) < 0.2 for p in powers)


@cache
def _claims_and_reads() -> tuple[float, float]:
    """Over all stretches of 16: the mean of the largest chance, and the share that is read."""
    counts = _counts(PLAIN, 16)
    logs = counts @ _numbers(_LOGS)
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    chances = powers / powers.sum(axis=1, keepdims=True)
    return float(chances.max(axis=1).mean()), share_read(counts, _LOGS)


# What the film says


def _moral_of_shape(text: Told) -> Variant:
    if text.is_tied:
        return Variant(0)
    cipher = turned("e", text.leaders[0])
    if not text.is_read:
        plain = turned(cipher, -text.rotation)
        assert plain != "e"
        return Variant(3, cipher, plain, "e") if text.rotation else Variant(2, cipher, "e")
    if text.rotation == 0:
        return Variant(4, "e")
    others = [*text.counts]
    tallest = others.pop(ALPHABET.index(cipher)) > max(others)
    return Variant(5 if tallest else 1, cipher, "e")


def _slid(text: Told) -> Variant:
    if len(text.leaders) > 3:
        return Variant(0)
    if text.is_tied:
        return Variant(1, listed(text.leaders, "or"))
    return Variant(3 if text.leaders == [0] else 2)


def _largest(text: Told) -> set[str]:
    products = [count * unit for count, unit in zip(text.counts, UNITS, strict=True)]
    return {ALPHABET[k] for k in _ALL if products[k] == max(products)}


def _seconds(text: Told) -> list[int]:
    """The rotations that come next after the leaders."""
    second = max(score for score in text.scores if score < max(text.scores))
    return [r for r in _ALL if text.scores[r] == second]


def _told_by_scores(text: Told) -> Variant:
    if text.is_tied:
        return Variant(0)
    if not text.is_read:
        return Variant(1, text.leaders[0], text.rotation)
    return Variant(2, text.rotation)


def _winner(text: Told) -> Variant:
    if len(text.leaders) > 3:
        return Variant(0)
    if text.is_tied:
        return Variant(1, listed(text.leaders))
    return Variant(2 if len(_seconds(text)) > 1 else 3)


class Shown(Plane):
    """The plane of the two letters that a stage shows."""

    def __init__(self, inputs: Inputs) -> None:
        plane = find_stage("caesar.angle").compute(inputs).plane
        self.text = told(inputs)
        self.axes = [ALPHABET[k] for k in plane.axes[0]]
        super().__init__(self.text, *self.axes)

    def is_short_and_closer(self, r: int) -> bool:
        """Whether an arrow is closer than all that have the longest shadow, and shorter."""
        return r not in self.longest and all(
            self.is_closer(r, s) and self.square(r) < self.square(s) for s in self.longest
        )

    @property
    def finds(self) -> bool:
        """Whether the rotation found with all letters is closer."""
        return not self.text.is_tied and self.is_short_and_closer(self.text.leaders[0])

    @property
    def n_others(self) -> int:
        """How many are closer than all that have the longest shadow, but for one."""
        closer = [all(self.is_closer(r, s) for s in self.longest) for r in _ALL]
        return max(0, sum(closer) - 1)

    @property
    def case(self) -> int:
        if self.finds:
            return 0 if self.n_others else 1
        return 2 if any(self.is_closer(r, s) for r in _ALL for s in self.longest) else 3

    @property
    def rival(self) -> Any:
        """The rotation found, or those that are closer and shorter."""
        closer = [r for r in _ALL if self.is_short_and_closer(r)]
        return self.text.leaders[0] if self.finds else closer


def _settled(text: Told) -> tuple[int, ...]:
    """Whether it is right from the start, or how often it changes, and when for the last time."""
    if text.n_changes == 0:
        return (0,)
    found = (1, min(text.n_changes, 3) - 1, text.settled < text.n)
    return (*found, " " not in text.text) if text.settled < text.n else found


def _softmax(scores: Sequence[int], n: int, times: int = 1) -> float:
    """What softmax gives the largest of scores, which count units of n characters."""
    return 1 / sum(math.exp(times * (score - max(scores)) / PER_UNIT / n) for score in scores)


def _is_nearly_level(text: Told) -> bool:
    """Whether softmax gives no rotation a fifth more than another."""
    return (max(text.scores) - min(text.scores)) / PER_UNIT / text.n < math.log(1.2)


def _short(inputs: Inputs) -> Told:
    text = Told(inputs.short_text, inputs.short_rotation)
    text.inputs = inputs
    return text


def _truth(text: Told) -> Variant:
    if text.is_read:
        return Variant(0)
    if text.is_tied and text.place == 1:
        return Variant(1, text.text, text.rotation)
    return Variant(2 if text.shares_place else 3, text.text, text.rotation)


def _enough(_: Any) -> int:
    shares = by_length()["dot"]
    return next(n for n in _LENGTHS if shares[n] >= 0.95)


def _longer_ones_do_better(_: Any) -> bool:
    shares = by_length()["dot"]
    return all(shares[a] < shares[b] for a, b in itertools.pairwise(_LENGTHS) if a >= _STRETCH)


def _roots_part_the_rare(found: Trained) -> bool:
    """Roots read more, and rare letters lie further apart, in spreads of all letters."""
    gaps = [
        np.ptp(((x - x.mean()) / x.std())[_FREQUENCIES < PER_UNIT / 100])
        for x in (_FREQUENCIES, _ROOTS)
    ]
    return found.reads["roots"] > found.reads["frequencies"] and gaps[0] < gaps[1]


def _rare_letters_are_lower(found: Trained) -> bool:
    """Around their mean, over their spread; and logarithms read more than roots."""
    rare = _FREQUENCIES < PER_UNIT / 100
    lows = [((x - x.mean()) / x.std())[rare].mean() for x in (_FREQUENCIES, _ROOTS, _LOGS)]
    return found.reads["logs"] > found.reads["roots"] and lows[0] > lows[1] > lows[2]


def _embedding(inputs: Inputs) -> Floats:
    return drawn_embedding(inputs.n_dimensions, inputs.seed)


class Opened(Told):
    """A message and the words of it that are looked at."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__(inputs.text, inputs.rotation)
        self.phrase = phrase_of(inputs.text, inputs.phrase)
        self.is_one = len(self.phrase) == 1

    def back(self) -> Variant:
        if self.is_tied:
            return Variant(0, spelled(len(self.leaders)).capitalize())
        return Variant(1 if self.leaders == [0] else 2)

    def is_wrong(self) -> bool:
        """Whether the first of the rotations that lead is not the true one."""
        return self.leaders[0] != self.rotation

    def read(self) -> tuple[int, ...]:
        if self.is_wrong():
            return 0, self.rotation not in self.leaders
        if self.is_tied:
            return (1,)
        return (2,) if self.phrase == _PHRASE and is_said(self.text, self.phrase) else (3,)

    def counted(self) -> tuple[bool, int]:
        kind = 0 if self.is_one else 2 if len(set(self.phrase) - {" "}) == 1 else 1
        return is_said(self.text, self.phrase), kind

    def no_bar_changes(self) -> bool:
        """Whether every letter does, and comes as often as before."""
        known = zip(self.phrase, turned(self.phrase, self.rotation), strict=True)
        pairs = [(a, b) for a, b in known if a != " "]
        return all(a != b and self.text.count(a) == self.cipher.count(b) for a, b in pairs)


@cache
def _added(length: int) -> float:
    """How often it reads if the last letter is counted as often as all characters together."""
    counts = _counts(PLAIN, length)
    last = _counts(PLAIN, 1)[length - 1 :]
    return share_read(counts + length * last, _FREQUENCIES)


class Folded:
    """Even attention, one-hot rows, and a V and an O, for a word."""

    def __init__(self, inputs: Inputs) -> None:
        n = len(inputs.word)
        self.a = np.array([[1 / (i + 1) if j <= i else 0 for j in range(n)] for i in range(n)])
        self.x = np.array([[float(c == letter) for letter in "abc"] for c in inputs.word])

    def counts_so_far(self) -> bool:
        means = [self.x[: i + 1].mean(axis=0) for i in range(len(self.x))]
        return alike(self.a @ self.x, means)

    def is_mixed(self) -> bool:
        """Whether each 1 picks its row of V, and attention mixes these."""
        picks = alike(self.x @ _V, _V[self.x.argmax(axis=1)])
        return picks and not alike(self.a @ self.x @ _V, self.a @ self.x)

    def is_undone(self) -> bool:
        return alike(self.a @ self.x @ _V @ _O, self.a @ self.x)

    def is_one_matrix(self) -> bool:
        return alike((self.x @ _V) @ _O, self.x @ (_V @ _O)) and alike(_V @ _O, np.eye(3))


class TwoWays(Told):
    """Words of the text, turned back rightly and by the rotation of the largest dot product."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__("cloth it", inputs.short_rotation)
        assert f" {self.text} " in PLAIN
        self.wrong = self.leaders[0]
        self.read = self.text, turned(self.cipher, -self.wrong)
        self.shares = [
            [UNITS[ALPHABET.index(c)] / PER_UNIT for c in text if c != " "] for text in self.read
        ]
        self.least = min(self.shares[1])
        self.rarest = self.read[1].replace(" ", "")[self.shares[1].index(self.least)]

    def the_wrong_one_wins(self) -> bool:
        return sum(self.shares[1]) > sum(self.shares[0]) and self.least < 0.001

    @property
    def parts(self) -> list[float]:
        """After each letter, what the wrong product is of both together."""
        products = [list(itertools.accumulate(row, lambda a, b: a * b)) for row in self.shares]
        return [b / (a + b) for a, b in zip(*products, strict=True)]

    def it_collapses(self) -> bool:
        at = self.shares[1].index(self.least)
        return self.parts[at] < 0.05 * self.parts[at - 1]

    def it_never_recovers(self) -> bool:
        return max(self.parts[self.shares[1].index(self.least) :]) < 0.05


def _believed(inputs: Inputs) -> Believed:
    return Believed(inputs.text, inputs.rotation)


def _as_english(text: Believed) -> bool:
    """Whether after a letter a rotation has the share that this letter has in it."""
    k, whole = ALPHABET.index(text.cipher[0]), sum(UNITS)
    return alike(text.chances[1], [UNITS[(k - r) % 26] / whole for r in _ALL])


def _sure_after(text: Believed) -> int:
    """After how many characters the true one has more than 99 percent, and keeps it."""
    return 1 + max(n for n, found in enumerate(text.chances) if found[text.rotation] <= 0.99)


def _ended(text: Believed) -> Variant:
    if len(text.first) > 3:
        return Variant(0, len(text.first))
    if len(text.first) > 1:
        return Variant(1, listed(text.first))
    if text.first != [text.rotation]:
        return Variant(4)
    return Variant(2 if text.chances[-1][text.rotation] > 0.99 else 3)


def _is_calibrated(_: Believed) -> bool:
    """Whether what is claimed is less than what is read by three in a hundred at most."""
    claims, reads = _claims_and_reads()
    return 0 <= reads - claims < 0.03


def _tried(text: Told) -> int:
    """The rotation of the example, or the next that is neither 0 nor the true one."""
    example = text.inputs.example_rotation
    turns = [r % 26 for r in range(example, example + 26)]
    return next(r for r in turns if r not in (0, text.rotation))


FACTS = {
    "n_rotations": lambda _: 26,
    "n_all": lambda _: 26,
    "found": lambda t: t.leaders[0],
    "n_leaders": lambda t: len(t.leaders),
    "english_commonest": lambda t: ALPHABET[UNITS.index(max(UNITS))],
    "english_rarest": lambda t: ALPHABET[UNITS.index(min(UNITS))],
    "english_commonest_share": lambda t: max(UNITS) / PER_UNIT,
    "largest": _largest,
    "told": _told_by_scores,
    "runner_up": _seconds,
    "tallest": lambda t: {c for c in ALPHABET if t.cipher.count(c) == max(t.counts)},
    "tallest_count": lambda t: max(t.counts),
    "tallest_share": lambda t: max(t.counts) / t.n,
    "n_tokens": lambda t: t.n,
    "narrowest": lambda arrows: arrows.text.leaders[0],
    "share": lambda t: _softmax(t.scores, t.n),
    "even": lambda t: 1 / 26,
    "sharpness": lambda t: 300,
    "sharp_share": lambda t: _softmax(t.scores, t.n, 300),
    "transformer.settled_after": lambda t: t.settled,
    "longest": lambda arrows: arrows.longest,
    "rival": lambda arrows: arrows.rival,
    "n_others": lambda arrows: arrows.n_others,
    "first.n": lambda t: min(t.n, _FIRST),
    "transformer.n_vocabulary": lambda t: 27,
    "transformer.first_guess": lambda t: t.guesses[0],
    "transformer.found": lambda t: t.guesses[-1],
    "transformer.n_changes": lambda t: t.n_changes,
    "cryptogram.english_commonest": lambda t: "e",
    "cryptogram.rotation": lambda t: t.rotation,
    "example.text": lambda t: t.inputs.example,
    "example.ciphertext": lambda t: turned(t.inputs.example, t.inputs.example_rotation),
    "tried": _tried,
    "x": lambda arrows: arrows.axes[0],
    "y": lambda arrows: arrows.axes[1],
    "letters": lambda t: f"{spelled(t.n_letters)} letter{'s' * (t.n_letters > 1)}",
    "short.found": lambda t: t.leaders[0],
    "short.decoded": lambda t: turned(t.cipher, -t.leaders[0]),
    "short.place": lambda t: t.place,
    "n_words": lambda t: len(SAMPLE_ENGLISH.split()),
    "stretch": lambda t: _STRETCH,
    "stretch_share": lambda t: by_length()["dot"][_STRETCH],
    "enough": _enough,
    "enough_share": lambda t: by_length()["dot"][_enough(t)],
    "n_letters": lambda found: 26,
    "n_held_out": lambda found: found.n_held_out,
    "learned_length": lambda found: found.length,
    "n_seen": lambda found: found.n_seen,
    "n_steps": lambda found: found.n_steps,
    "n_vocab": lambda rows: 27,
    "n_spare": lambda rows: rows.shape[1] - 27,
    "fewer": lambda rows: _FEWER,
    "fewer_agreement": lambda rows: agreement(_FEWER),
    "outcome": lambda t: Variant(not t.is_read),
    "message.found": lambda t: t.leaders[0],
    "message.rotation": lambda t: t.rotation,
    "phrase": lambda t: t.phrase,
    "rarest": lambda t: t.rarest,
    "rarest_share": lambda t: t.least,
    "n_times": lambda t: (1 - t.parts[-1]) / t.parts[-1],
    "message.text": lambda t: t.text,
    "message.decoded": lambda t: turned(t.cipher, -t.leaders[0]),
    "mark": lambda t: t.inputs.length,
    "dot": lambda t: by_length()["dot"][t.inputs.length],
    "log_likelihood": lambda t: by_length()["logs"][t.inputs.length],
    "frequency_accuracy": lambda found: found.reads["frequencies"],
    "said_share": lambda t: _claims_and_reads()[0],
    "read_share": lambda t: _claims_and_reads()[1],
    "first_guess": lambda t: (ALPHABET.index(t.cipher[0]) - ALPHABET.index("e")) % 26,
    "first_letter": lambda t: t.cipher[0],
    "first_chance": lambda t: UNITS[ALPHABET.index("e")] / sum(UNITS),
    "sure_after": _sure_after,
    "sure_share": lambda t: 0.99,
    "chance": lambda t: max(t.chances[-1]),
}
STAGES = {
    "wheel": Truths(
        choices={
            "riddle": lambda t: 0 if t.rotation == 0 else 1 if t.n_letters == 1 else 2,
            "turn": lambda t: (
                Variant(2, t.inputs.example_rotation)
                if t.inputs.example_rotation > 1
                else t.inputs.example_rotation
            ),
            "secret": lambda t: t.rotation == 0,
        },
        claims={"riddle": lambda t: (t.cipher == t.text) == (t.rotation == 0)},
    ),
    "histogram": Truths(
        facts={"moral": _moral_of_shape},
        choices={
            "share": lambda t: t.n_letters == t.n,
            "usual": lambda t: len(set(t.counts)) == 1,
            "slide": _slid,
        },
        claims={
            "title": lambda t: sorted(t.counts) == sorted(map(t.text.count, ALPHABET)),
            "usual": lambda t: min(UNITS) < PER_UNIT / 1000,
        },
    ),
    "dot_products": Truths(choices={"winner": _winner}),
    "angle": Truths(
        world=Shown,
        choices={"rival": lambda arrows: arrows.case},
        claims={"arrow": lambda arrows: any(arrows.own)},
    ),
    "all_letters": Truths(world=Shown, claims={"equal": _equally_long}),
    "theorem": Truths(
        claims={
            "title": lambda t: _least(t) == t.leaders,
            "same": _equally_long,
            "stack": _one_level,
            "caption": lambda t: _least(t) == t.leaders,
        },
    ),
    "transformer": Truths(
        choices={
            "one_hot": lambda t: 0 if t.n == 1 else 3 if t.n == 2 else 1 if t.n > _FIRST else 2,
            "looks ask": lambda t: 0,
            "looks": lambda t: t.n > 1,
            "weighed": lambda t: t.n > 1,
            "histogram": lambda t: t.n > 1,
        },
        claims={"looks ask": lambda t: t.n > 1},
    ),
    "unembedding": Truths(),
    "guesses": Truths(
        facts={"moral": lambda t: Variant(not t.is_read)},
        choices={
            "one": lambda t: t.n > 1,
            "run": lambda t: not t.was_tied,
            "settled": _settled,
            "unread": lambda t: 0 if t.is_tied else 1 if t.rotation not in t.guesses else 2,
        },
        claims={
            "one": lambda t: turned("e", t.guesses[0]) == t.cipher[0],
            "unread": lambda t: not t.is_read,
            "doubt": _is_nearly_level,
            "relapse": lambda t: any(
                a == t.rotation != b for a, b in itertools.pairwise(t.guesses)
            ),
        },
    ),
    "how_much_text": Truths(
        world=_short,
        choices={
            "few": lambda t: Variant(1, listed(t.leaders)) if t.is_tied else 0,
            "truth": _truth,
        },
        claims={
            "longer": _longer_ones_do_better,
            "commonest": _far_more,
            "caption": _least_text,
        },
    ),
    "ruled_out": Truths(
        world=TwoWays,
        claims={
            "two": lambda t: t.leaders == [t.wrong] != [t.rotation],
            "add_up": TwoWays.the_wrong_one_wins,
            "multiply": TwoWays.it_collapses,
            "ruled_out": TwoWays.it_never_recovers,
        },
    ),
    "learned": Truths(
        world=lambda inputs: trained(inputs.learned_length),
        claims={
            "roots": _roots_part_the_rare,
            "logarithms": _rare_letters_are_lower,
            "agree": lambda found: np.corrcoef(found.column, _LOGS)[0, 1] > 0.9,
        },
    ),
    "arbitrary_embedding": Truths(
        world=_embedding,
        choices={"one_hot": lambda rows: rows.shape[1] == 27},
        claims={
            "random": _nothing_left,
            "undo": _undone,
            "caption": _undone,
        },
    ),
    "message": Truths(
        world=Opened,
        choices={
            "back": Opened.back,
            "read": Opened.read,
            "phrase": Opened.counted,
            "again": lambda t: not t.is_one,
        },
        claims={
            "corrected": Opened.is_wrong,
            "again": Opened.no_bar_changes,
            "caption": lambda t: t.rotation == 0 or t.no_bar_changes(),
        },
    ),
    "folded": Truths(
        world=Folded,
        facts={
            "n_letters": lambda t: len(t.x),
            "window": lambda _: 32,
            "replaced_share": lambda _: by_length()["dot"][32],
            "added_share": lambda _: _added(32),
        },
        claims={
            "count": Folded.counts_so_far,
            "values": Folded.is_mixed,
            "output": Folded.is_undone,
            "fold": Folded.is_one_matrix,
            "end": Folded.counts_so_far,
            "caption": lambda _: _added(32) < by_length()["dot"][32],
        },
    ),
    "posterior": Truths(
        world=_believed,
        facts={"found": lambda t: t.first[0], "stretch": lambda t: 16},
        choices={"ended": _ended},
        claims={
            "level": _nearly_alike,
            "first": _as_english,
            "run": lambda t: t.n > 1,
            "caption": _is_calibrated,
        },
    ),
}

_MOST = 100
_USUAL = "the of and to in is it was for on as with they be at one have this from by hot"

TEXTS = [
    *("e", "a", "z", "ee", "eee e", "ea", "ae", "te", "tee", "eeet", "zzzeee", "an", "na"),
    *("the", "she sees the sea", "to be or not to be", "no cash is in this bag", "a bay"),
    *("q" * 100, "e" * 100, ALPHABET, ALPHABET + " " + ALPHABET, "a quick onyx goblin jumps"),
    *("aeiouaeiou", "thethethe", "tttt e", "e a e a", "eeeeeeet" * 8, "bcd fgh jkl mnp"),
    *("abcdefghijklmnopqrstuvwxyzabcde", "e" * 30, "e" * 25 + " tea", "tea " + "e" * 25),
    *("zzzz", "to", "at a", "these trees need tending"),
    *("thhe", "baaaababb", "g", "bdfhjlnprtvxz", "acjmv"),
    *("eighty letters are enough for how often each letter comes", "ta ta ta", "no on no on"),
    *(PLAIN[:n].rstrip() for n in (1, 3, 7, 8, 9, 20, 44, 100)),
    *(PLAIN[214 : 214 + n].strip() for n in (1, 7, 8, 9, 20, 44, 100)),
]
"""One letter and a hundred, no e, all letters once, rotations that share the largest score."""

SHORT = [
    *("f", "e", "d", "q j x", "mmmmmmmm", "to be", "abcdefgh", "an", "anbo", "the sea", "a b c"),
    *(
        "acjmv",
        "j x",
        "eeee",
        "tea",
        "no on",
        "m w",
        "aim w",
        "hu",
        "b",
        "j",
        "e e e e",
        "z z",
        "eat",
    ),
]

OTHERS: dict[str, list[dict[str, Any]]] = {
    "wheel": [
        {"example": "a", "example_rotation": 0},
        {"example": "zebra", "example_rotation": 1},
        {"example": "abcdefghij", "example_rotation": 25},
        {"text": "e", "rotation": 0},
    ],
    "angle": [
        {"x": "l", "y": "e"},
        {"x": "e", "y": "l"},
        {"x": "l"},
        {"y": "l"},
        {"x": "l", "y": "l"},
        {"text": "e", "x": "q", "y": "z"},
        {"text": "e", "rotation": 0, "x": "e"},
        {"text": "e", "rotation": 0, "x": "e", "y": "e"},
        {"text": "em", "rotation": 0, "x": "e", "y": "m"},
        {"text": "m", "rotation": 0, "x": "e", "y": "m"},
        {"text": "et hthh th h", "rotation": 4, "x": "x", "y": "i"},
    ],
    "how_much_text": [
        *({"short_text": text} for text in SHORT),
        *({"short_text": text, "short_rotation": 0} for text in ("e", "f", "tea")),
        *({"length": length} for length in (4, 128)),
    ],
    "learned": [{"learned_length": n} for n in (4, 16)],
    "arbitrary_embedding": [
        {"n_dimensions": 28},
        {"n_dimensions": 32},
        {"n_dimensions": 64, "seed": 9999},
        {"n_dimensions": 27, "seed": 1, "text": "a bay"},
    ],
    "folded": [{"word": word} for word in ("bab", "ab", "ba", "cc", "ccc", "abca", "cccc")],
    "message": [
        {"phrase": "the shift"},
        {"phrase": "often"},
        {"phrase": "how often each letter"},
        {"phrase": "ofte"},
        {"phrase": "letter each"},
        {"text": "e", "phrase": "e"},
        {"text": "e", "rotation": 0},
        {"text": "ee", "rotation": 0},
        {"text": "e" * 30, "phrase": "e"},
        {"text": "e" * 30 + " tea", "phrase": "e"},
        {"text": "qqq", "phrase": "qqq"},
        {"text": "mjdh" * 7, "phrase": "a"},
    ],
}


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    shot = name.partition(".")[2]
    rotations = itertools.cycle((7, 0, 1, 25, 3, 13))
    texts: list[dict[str, Any]] = [{"text": t, "rotation": next(rotations)} for t in TEXTS]
    if shot in (
        "angle",
        "all_letters",
        "theorem",
    ):  # The letters that are shown are looked for, which takes time.
        texts = texts[:: 3 if shot == "theorem" else 4]
    turns: list[dict[str, Any]] = [{"rotation": r} for r in (0, 1, 25)]
    given = [{}, *texts, *turns, *OTHERS.get(shot, [])]
    return those_taken(name, given)


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    kind, letter = find_stage(name).Inputs, st.sampled_from(ALPHABET)
    axis = st.just("") | letter
    fields: dict[str, st.SearchStrategy[Any]] = {
        "text": texts(_MOST),
        "rotation": st.integers(0, 25),
        "example": st.text(ALPHABET, min_size=1, max_size=10),
        "example_rotation": st.integers(0, 25),
        "x": axis,
        "y": axis,
        "short_text": texts(8),
        "short_rotation": st.integers(0, 25),
        "length": st.sampled_from([4, 8, 16, 32, 64, 128]),
        "learned_length": st.integers(4, 16),
        "n_dimensions": st.integers(27, 64),
        "seed": st.integers(0, 9999),
        "phrase": st.just("") | texts(24),
        "word": st.text("abc", min_size=2, max_size=4),
        "turned": st.integers(1, 25),
    }
    known = {field: fields[field] for field in kind.model_fields}
    # Most letters are not in the ciphertext, most words not in the text.
    two = st.tuples(st.integers(0, 99), st.integers(1, 99))
    return st.builds(lambda given, k: _fitting(kind, given, k), st.fixed_dictionaries(known), two)


def texts(most: int) -> st.SearchStrategy[str]:
    """Texts of up to so many characters: of few letters, of words, and of halves that are alike."""
    some = st.sampled_from(
        ["e", "ab", "et ", "the ", "etaoin ", "bcdfghjklmnpqrstvwxyz ", ALPHABET]
    )
    letters = some.flatmap(lambda known: st.text(known, min_size=1, max_size=most))
    words = st.lists(st.sampled_from(_USUAL.split()), min_size=1, max_size=25).map(" ".join)
    piece = st.builds(lambda k, n: PLAIN[k : k + n], st.integers(0, 2300), st.integers(1, most))
    # A letter and the one 13 places on come equally often, so that two rotations score the same.
    mirrored = letters.map(lambda text: f"{text[: most // 2]}{turned(text[: most // 2], 13)}")
    repeated = st.builds(lambda text, n: text * n, letters, st.integers(1, 9))
    drawn_ones = st.one_of(letters, words, piece, mirrored, repeated)
    return drawn_ones.map(lambda text: " ".join(text[:most].split())).filter(bool)


def _fitting(
    kind: type[StageInputs], given: dict[str, Any], k: tuple[int, int]
) -> StageInputs | None:
    """The inputs, their axes and phrase from the message three times of four."""
    given = dict(given)
    if "x" in given and k[0] % 4:
        cipher = turned(given["text"], given["rotation"]).replace(" ", "")
        given["x"], given["y"] = cipher[k[0] % len(cipher)], given["y"] or cipher[0]
    if given.get("phrase") and k[0] % 4:
        words = given["text"].split()
        first = k[0] % len(words)
        given["phrase"] = " ".join(words[first : first + 1 + k[1] % 4])
    return legal(kind, given)


_SLOW = {"caesar.angle": 12, "caesar.all_letters": 6, "caesar.theorem": 10, "caesar.learned": 4}
FILM = FilmTruths("caesar", told, FACTS, STAGES, examples, drawn, lambda name: _SLOW.get(name, 60))

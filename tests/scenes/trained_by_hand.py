"""The truths of the stages of `trained` that hold a head by hand beside a trained one."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tests.model.plain_by_hand import (
    MOST,
    N_TEXTS,
    built_before,
    built_followers,
    built_right,
    built_sums,
    followers,
    hands,
    looking_further,
    mean_scores,
    parts,
    trained_right,
)
from tests.model.plain_trained import LETTERS, SPEEDS, Reading, tokens
from tests.scenes.telling import Inputs, Truths, listed, spelled

Floats = NDArray[np.float64]


EXAMPLE = "kore pota ko"


def example_built(letter: str) -> float:
    """By hand: what a letter gets after the example."""
    text = tokens(EXAMPLE)
    return float(built_followers(text)[-1][text == LETTERS.index(letter)].sum())


class Clocked:
    """A head of layer 0 by its hands."""

    def __init__(self, inputs: Inputs) -> None:
        self.step, self.number = inputs.late_moment, int(inputs.position_head[-1])
        self.scores = mean_scores(self.step, self.number)
        self.back = int(self.scores.argmax())
        self.lengths, self.angles = hands(self.step, self.number)
        self.kept = np.flatnonzero(self.lengths >= 0.05 * self.lengths.max())

    @property
    def far(self) -> str:
        return f"{spelled(self.back)} letter{'' if self.back == 1 else 's'}"

    @property
    def slow_sinks(self) -> bool:
        """Whether the slowest hand that is left adds less with each letter back."""
        adds = [parts(self.step, self.number, d)[self.kept[-1]] for d in range(11)]
        return all(one > other for one, other in pairwise(adds))

    @property
    def elsewhere(self) -> int:
        return sum(abs(self.angles[k] / SPEEDS[k] - self.back) >= 0.5 for k in self.kept)

    @property
    def likeness(self) -> float:
        return float(np.corrcoef(built_sums(self.back), self.scores)[0, 1])


class Compared:
    """A text under heads by hand and trained ones, and many texts said twice."""

    def __init__(self, inputs: Inputs) -> None:
        self.text, self.step = inputs.text, inputs.late_moment
        self.read = Reading(self.step, tokens(self.text))
        self.rows = np.arange(1, len(self.text) + 1)

    @cached_property
    def built_least(self) -> float:
        return float(built_before(len(self.text) + 1)[self.rows, self.rows - 1].min())

    @cached_property
    def learned_mean(self) -> float:
        """What the best head of layer 0 gives the letter before."""
        means = [self.read.patterns[0, head][self.rows, self.rows - 1].mean() for head in range(4)]
        return float(max(means))

    @property
    def previous(self) -> int:
        means = [self.read.patterns[0, head][self.rows, self.rows - 1].mean() for head in range(4)]
        return int(np.argmax(means))

    def example(self, letter: str) -> float:
        """What a letter gets after the example."""
        return float(Reading(self.step, tokens(EXAMPLE)).likely[-1][LETTERS.index(letter)])

    @cached_property
    def at_start(self) -> list[tuple[float, float]]:
        """What new letters and others give the start, by head of layer 1."""
        new = np.array([self.text.index(letter) == k for k, letter in enumerate(self.text)])
        columns = [self.read.patterns[1, head][1:, 0] for head in range(4)]
        return [(float(column[new].mean()), float(column[~new].mean())) for column in columns]

    @property
    def resting(self) -> int:
        return int(np.argmax([new - again for new, again in self.at_start]))

    @property
    def further(self) -> tuple[tuple[int, int], ...]:
        return looking_further(self.step)

    @property
    def learned(self) -> Floats:
        return trained_right(self.step)

    @property
    def ahead(self) -> int:
        """After how many letters the trained one stays ahead; 0 if it does not."""
        leads = self.learned > built_right()
        return next((k + 1 for k in range(MOST) if leads[k:].all()), 0)

    @property
    def without(self) -> float:
        return float(trained_right(self.step, self.further)[-1])


class Paired:
    """A text in which heads by hand look back, and what the trained ones guess."""

    def __init__(self, inputs: Inputs) -> None:
        self.text, self.places = inputs.text, followers(inputs.text)
        self.rows = range(1, len(self.text) + 1)
        self.finding = [m for m in self.rows if self.places[m]]
        size = max(k for k in range(1, len(self.text)) if self.text[-k:] in self.text[:-1])
        letter = self.text[self.text.rindex(self.text[-size:], 0, -1) + size]
        self.answer = "␣" if letter == " " else letter
        self.read = Reading(inputs.late_moment, tokens(self.text))
        self.share = float(self.read.likely[-1][LETTERS.index(letter)])

    @property
    def n_found(self) -> int:
        """How many letters look at what followed, in the head of layer 1 that does it most."""

        def given(pattern: Floats) -> float:
            return sum(pattern[m, list(self.places[m])].sum() for m in self.finding)

        pattern = max((self.read.patterns[1, head] for head in range(4)), key=given)
        return sum(int(pattern[m].argmax()) in self.places[m] for m in self.finding)

    @property
    def looks_at_followers(self) -> bool:
        """By hand: whether each letter that stood before looks most at what followed."""
        looks = built_followers(tokens(self.text)).argmax(axis=1)
        return all(looks[m] in self.places[m] for m in self.finding)

    @property
    def looks_before(self) -> bool:
        looks = built_before(len(self.text) + 1).argmax(axis=1)
        return all(looks[m] == m - 1 for m in self.rows)


TRUTHS = {
    "clocks": Truths(
        world=Clocked,
        facts={
            "name": lambda t: f"0.{t.number}",
            "far": lambda t: t.far,
            "Far": lambda t: t.far.capitalize(),
            "top": lambda t: float(t.scores.max()),
            "hands_in_all": lambda t: spelled(len(SPEEDS)),
            "fastest_turn": lambda _: 2 * np.pi / max(SPEEDS),
            "kept": lambda t: spelled(len(t.kept)),
            "fastest_steps": lambda t: float(t.angles[0]),
            "likeness": lambda t: t.likeness,
        },
        choices={"placed": lambda t: t.slow_sinks},
        claims={
            "built": lambda t: bool((built_sums(t.back)[t.back] >= built_sums(t.back)).all()),
            "sum ask": lambda t: t.elsewhere > 0,
        },
    ),
    "differences": Truths(
        world=Compared,
        facts={
            "built_least": lambda t: t.built_least,
            "learned_mean": lambda t: t.learned_mean,
            "resting": lambda t: f"1.{t.resting}",
            "previous": lambda t: f"0.{t.previous}",
            "first_follower": lambda _: "r",
            "second_follower": lambda _: "t",
            "asker": lambda _: "o",
            "pair": lambda _: EXAMPLE[-2:],
            "each_built": lambda _: example_built("r"),
            "first_learned": lambda t: t.example("r"),
            "start_new": lambda t: t.at_start[t.resting][0],
            "start_again": lambda t: t.at_start[t.resting][1],
            "n_texts": lambda _: N_TEXTS,
            "built_later": lambda _: float(built_right()[-1]),
            "learned_later": lambda t: float(t.learned[-1]),
            "heads": lambda t: listed([f"0.{head}" for _, head in t.further]),
            "without_later": lambda t: t.without,
        },
        choices={
            "compares": lambda t: t.example("r") > example_built("r"),
            "owes": lambda t: len(t.further),
        },
        claims={
            "example": lambda t: abs(example_built("r") - example_built("t")) < 0.005,
            "ahead": lambda t: t.ahead > 1 and t.learned[0] < built_right()[0],
            "owes": lambda t: t.without < t.learned[-1],
            "caption": lambda t: t.learned[-1] > built_right()[-1],
        },
    ),
    "side_by_side": Truths(
        world=Paired,
        facts={
            "riddle.answer": lambda t: t.answer,
            "share": lambda t: t.share,
            "n_finding": lambda t: len(t.finding),
            "n_found": lambda t: t.n_found,
        },
        claims={
            "one_back": lambda t: t.looks_before,
            "second_hop": lambda t: t.looks_at_followers,
        },
    ),
}

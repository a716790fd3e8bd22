"""Each filter's pooled map is summed to a score for its class; softmax gives probabilities."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from manim import DOWN, FadeIn

from clockhead.model.networks.filters import FilterNet, filter_net
from clockhead.scenes.convolution.inputs import NetInputs
from clockhead.scenes.convolution.page import PicturePage, TitledMatrix, bound, signed_matrix
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Handle,
    Room,
    Row,
    Size,
    Stage,
    Steps,
    beat,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeOut, together

_SHARE = ".1%"
_LINE = 0.7
"""Height of a line below the chart, in units."""
_NUMBER, _SMALLER = 34.0, 26.0
"""Size of the numbers in these lines, and the size for narrow pages, in pixels at 720p."""
_ROOMY = 4.2
"""Room beside the picture, in units, below which numbers are smaller and the axis has no name."""
_LEAST_CHART, _MOST_CHART = (1.5, 1.5), 5.0
"""Least area and largest width of the chart, in units."""
_AIR = 0.2
"""Gap between the two numbers of a line, in units."""
_STAND = 1.2
"""Pause after the two scores have appeared, in seconds."""
_LARGE = ((1e12, "{n} trillion"), (1e9, "{n} billion"), (1e6, "{n} million"))
_BEYOND = 1e15
"""Odds that are too large to be written as a number."""
_FEW, _TWO_DIGITS = 10.0, 9.95
"""Odds below the first, and counts of millions below the second, are written with a decimal."""


def _odds_said(net: FilterNet) -> str:
    """The odds as text: a number, or words if it is large."""
    odds = net.odds
    if odds >= _BEYOND:
        return said("more than a million billion")
    for unit, words in _LARGE:
        if odds >= unit:
            count = odds / unit
            return said(words, n=f"{count:.0f}" if count >= _TWO_DIGITS else f"{count:.1f}")
    return f"{odds:,.0f}" if odds >= _FEW else f"{odds:.1f}"


def _shares_sentence(net: FilterNet) -> str:
    if net.is_tie:
        return "Softmax makes shares of the scores. They are the same, so it cannot tell."
    return "Softmax makes shares of the scores: {lead} more is {odds_said} to 1."


def _outlook_sentence(net: FilterNet) -> str:
    if net.is_tie:
        return said("Two filters are not enough for this picture: it takes one that tells more.")
    return said(
        "Handwriting is crooked, which brings the scores closer: it takes many filters to be sure "
        "again."
    )


class Classify(Stage[FilterNet]):
    """Two pooled maps become two scores, and these become probabilities."""

    Inputs = NetInputs
    title = "From maps to an answer"
    question = "Is it “{one}” or “{two}”?"
    caption = "{outlook}"
    opens = ("image", "pool", "other_pool")
    leaves = ("image", "pool")
    derived = {
        "outlook": Derived("a sentence about other pictures", _outlook_sentence),
        "one": Derived("the first class", lambda net: net.names[0]),
        "two": Derived("the second class", lambda net: net.names[1]),
        "lead": Derived("difference of the two scores", lambda net: net.score - net.other_score),
        "odds_said": Derived("the odds of the answer, in words", _odds_said),
    }

    handles = (
        Handle(
            "image",
            (
                "00000 00000 11111 00000 00000",
                "00100 00100 11111 00100 00100",
                "10001 01010 00100 01010 10001",
                "11111 11111 11111 11111 11111",
            ),
        ),
    )

    compute = filter_net

    def layout(self) -> None:
        page, net = PicturePage(self, "first.image"), self.values
        self.image = page.image
        most = bound(self["first.feature_map"], self["second.feature_map"])
        self.pool = signed_matrix(self["first.pooled"], most)
        self.other_pool = signed_matrix(self["second.pooled"], most)
        self.pools = self.pool, self.other_pool
        headed = [TitledMatrix(*pair) for pair in zip(net.names, self.pools, strict=True)]
        roomy = page.room.width >= _ROOMY
        scores = Scale(0.0, max(net.logits.max(), 1.0), name=said("score") if roomy else "")
        size = _NUMBER if roomy else _SMALLER
        power, logits = [("e", "e"), ("score", "^value({score:})")], self["logits"]
        self.powers = [Equation(power, values={"score": logits[k]}, size=size) for k in range(2)]
        self.shares = [Figure(self["shares"][k], _SHARE, size=size) for k in range(2)]
        under: list[list[Any]] = [self.powers, self.shares]
        wide = 2 * max(part.least.width for parts in under for part in parts) + _AIR
        least = max(_LEAST_CHART[0], wide), _LEAST_CHART[1]
        widest = max(_MOST_CHART, wide), np.inf
        self.chart = Chart(slots(self["names"]), scores, least=least, most=widest)
        self.stacks = Stacks(
            self["pooled"],
            self.chart,
            totals=self["logits"],
            spec="",
            leading=[0, 1],
            role="value",
            grown=False,
        )
        lines = [Room(Size(wide, _LINE), Size(np.inf, _LINE)) for _ in range(2)]
        self.answers = lines[-1]
        chart = Column(self.chart, *lines, gap=0.0, weights=(1, 0, 0))
        beside = Row(Column(*headed, gap=0.2), chart, weights=(1, 1.6))
        fit(page.room, beside, Column(Row(*headed), chart))
        for line, parts in zip(lines, under, strict=True):
            for k, part in enumerate(parts):
                part.place(self._below_bar(k, line.region))
        self.heads = [one.write() for one in headed]

    def _below_bar(self, k: int, line: Region) -> Region:
        """The part of a line below the bar of a class."""
        middle, half = float(self.chart.x.at(k)), self.chart.x.pitch / 2
        return Region(middle - half, line.bottom, middle + half, line.top)

    @beat("Each answer gets a score: what its own filter has found, added up.")
    def ask(self) -> Steps:
        yield 0.48 * together(FadeIn(*self.heads))
        yield 0.48 * together(FadeIn(self.chart))

    @beat("That is {first.evidence} for “{one}”, and {second.evidence} for “{two}”.")
    def add_up(self) -> Steps:
        flat = [pool.lattice.middles.reshape(-1, 2) for pool in self.pools]
        cells = enumerate(np.pad(middles, ((0, 0), (0, 1))) for middles in flat)
        yield 0.7 * together([self.stacks.fly(key, starts, lag=0.6) for key, starts in cells])
        yield _STAND

    @beat(_shares_sentence)
    def share(self) -> Steps:
        yield 0.45 * together([FadeIn(power, shift=DOWN) for power in self.powers])
        yield 0.45 * together([FadeIn(share, shift=0.2 * DOWN) for share in self.shares])

    @beat(CAPTION)
    def answer(self) -> Steps:
        winner = self.values.winner
        self.pool = self.pools[winner]
        answers = [self._below_bar(k, self.answers.region) for k in range(2)]
        found = [pool.lattice.region for pool in self.pools]
        frames = []
        for regions in ([self.image.lattice.region], found, answers):
            frames.append([self.image.frame(region, "token", 6) for region in regions])
            yield 0.2 * together(FadeIn(*frames[-1]))
        yield FadeOut(*chain(*frames), run_time=0.5)

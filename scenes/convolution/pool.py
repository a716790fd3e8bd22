"""ReLU and max-pooling of two filters' feature maps."""

from __future__ import annotations

import numpy as np

from clockhead.model.networks.filters import PATCH, FilterNet, filter_net
from clockhead.scenes.convolution.inputs import NetInputs, target_line
from clockhead.scenes.convolution.page import Lane, PicturePage, bound
from clockhead.scenes.convolution.stencil import Stencil, Visit
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Column, Derived, Stage, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut


def _relu_sentence(net: FilterNet) -> str:
    if net.first.n_negative and net.first.is_silent:
        return "ReLU makes all of them 0, and here nothing else is left."
    if net.first.n_negative:
        return "ReLU makes all of them 0: only what speaks for it is left."
    return "ReLU would make all of them 0, but here there are none."


def _second_filter_sentence(net: FilterNet) -> str:
    wanted = target_line(net.second.weights)
    if wanted == "row":
        return "A layer has many filters. A second one wants ink in its middle row."
    if wanted == "column":
        return "A layer has many filters. A second one wants ink in its middle column."
    return "A layer has many filters. A second one has nine weights of its own."


def _result_sentence(net: FilterNet) -> str:
    if net.second.is_flat:
        return "Nothing: at every stop, what counts for it and against it cancels out."
    if net.second.is_silent:
        return "Nothing: none of its sums is above zero."
    return "Its largest sum is {second.largest}; the first filter's was {first.largest}."


def _kept_sentence(net: FilterNet) -> str:
    if net.score == 0:
        return said("Two filters, two small maps of zeros: neither finds anything in this picture.")
    return said(
        "Two filters, two small maps: how much each has found, but no longer exactly where."
    )


class Pool(Stage[FilterNet]):
    """ReLU and max-pooling, for one filter and then for another."""

    Inputs = NetInputs
    title = "What is left of the sums"
    question = "What becomes of the sums below zero?"
    caption = "{kept}"
    opens = ("image", "filter", "map")
    leaves = ("image", "pool", "other_pool")
    derived = {
        "kept": Derived("a sentence about what both filters have found", _kept_sentence),
        "patch": Derived("side of a pooling patch", lambda _: PATCH, "cells"),
    }

    compute = filter_net

    def layout(self) -> None:
        page = PicturePage(self, "first.image")
        self.image = page.image
        most = bound(self["first.feature_map"], self["second.feature_map"])
        self.lane = Lane(self, "first", self.values.names, most)
        self.other = Lane(self, "second", self.values.names[::-1], most)
        fit(page.room, Column(self.lane.box, self.other.box, gap=0.2))
        for lane in (self.lane, self.other):
            lane.write()
            lane.pool.empty()
        self.filter, self.map, self.pool = self.lane.matrices
        self.other_filter, self.other_map, self.other_pool = self.other.matrices
        self.other_map.empty()

    @beat(_relu_sentence)
    def relu(self) -> Steps:
        yield 0.48 * FadeIn(*self.lane.heads[:2])
        yield 0.48 * self.map.to(self["first.rectified"])

    @beat(
        "Max-pooling keeps the largest sum of each {patch} by {patch} patch, wherever in the patch "
        "it stands."
    )
    def largest(self) -> Steps:
        yield FadeIn(self.pool, self.lane.heads[2], run_time=0.5)
        yield from self._pool(self.lane, 0.7 * self.reading)

    @beat(_second_filter_sentence)
    def second(self) -> Steps:
        yield 0.5 * FadeIn(self.other_filter, self.other.heads[0])
        yield 0.3 * FadeIn(self.other_map, self.other.heads[1])

    @beat(_result_sentence, ask="What does it find in the same picture?")
    def find_(self) -> Steps:
        stencil = Stencil(self.other_filter, self.image, self.other_map)
        self.add(stencil)
        yield stencil.lie_down(run_time=0.7)
        stops = list(np.ndindex(*self.other_map.table.shape))
        yield stencil.walk(stops, run_time=1.7)
        yield stencil.lift(run_time=0.6)
        self.remove(stencil)
        yield self.other_map.to(self["second.rectified"], run_time=0.5)
        yield FadeIn(self.other_pool, self.other.heads[2], run_time=0.4)
        yield from self._pool(self.other, 1.2)

    @beat(CAPTION)
    def two(self) -> Steps:
        frame, other = self.lane.frame(), self.other.frame()
        yield FadeIn(frame, run_time=0.8)
        yield 0.5 * frame.trace(other.region)
        yield FadeOut(frame, run_time=0.6)

    def _pool(self, lane: Lane, time: float) -> Steps:
        """Move a frame from patch to patch, and show each maximum in the pooled map."""
        _, feature_map, pool = lane.matrices
        visit = Visit(feature_map, pool, PATCH, lambda patch: float(patch.max()))
        yield visit.appear(run_time=0.3)
        yield visit.walk(list(np.ndindex(*pool.table.shape)), run_time=time)
        yield FadeOut(visit, run_time=0.3)

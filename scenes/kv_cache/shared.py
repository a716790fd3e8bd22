"""Heads that share keys and values (GQA, MQA, MLA), and the film's ending."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from manim import VGroup, VMobject, rush_into
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from clockhead.model.films.kv_cache.memory import SharedCaches, shared_caches
from clockhead.model.films.kv_cache.once import TokenUses, token_uses
from clockhead.model.tokens import words
from clockhead.scenes.facts import format_fact
from clockhead.scenes.kv_cache.sizes import SizesInputs, format_gb, gb_spec
from clockhead.scenes.kv_cache.words import WordVectors
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import line_ends, points_at, rectangle_edges, rectangles, straight
from clockhead.scenes.parts.scale import Scale, round_ticks, slots
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Handle,
    Picture,
    Reading,
    Room,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    Words,
    beat,
    fit,
    wide_or_tall,
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, Moves, together
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL
from clockhead.scenes.texts import few_words, words_said

_OWN, _GROUPED, _SHARED, _LATENT = "own", "GQA", "MQA", "MLA"
_LINE = 1.5 * LABEL * PX
"""Height of a line of text, in units."""
_VECTOR, _NUMBERS, _KEY = "one vector of ", " numbers", ", a key of "
_WIDTHS = 22.0
"""Letter size of the line about widths where it has room, in pixels."""
_LONGEST = f"{_VECTOR}4,096{_KEY}256"
"""The widest line about widths that legal inputs allow."""
_CHART, _OVER, _APART = (6.0, 4.8), 1.15, 0.15
"""Largest chart in units, length of its axis relative to the highest bar, gap between numbers."""


def _groups(shared: SharedWithText) -> str:
    if shared.caches.is_grouped:
        return (
            "If every {caches.grouped.heads_per_key} heads share theirs, {grouped} will do, "
            "{caches.grouped.factor_saved:.0f} times less: grouped-query attention, GQA."
        )
    return (
        "Groups of heads could share theirs (GQA), but {caches.own.n_heads} is prime: "
        "no equal groups."
    )


def _latent(shared: SharedWithText) -> str:
    if shared.caches.latent.rope_width:
        return (
            "Or keep one vector, from which each head makes its key and value, and one key with "
            "the position, by RoPE: MLA, {latent}."
        )
    return "Or keep one vector, from which each head makes its own key and value: MLA, {latent}."


@dataclass(frozen=True)
class SharedWithText:
    """Sizes of caches whose heads share keys and values, and the text of the film's beginning."""

    caches: SharedCaches
    uses: TokenUses


class Shared(Stage[SharedWithText]):
    """Heads that share keys and values (GQA, MQA, MLA), and the film's ending."""

    class Inputs(SizesInputs):
        """Sizes of a model, the ways in which its heads could share, and the text of the film."""

        n_groups: int = Field(
            8, ge=2, le=16, description="number of groups of heads (GQA); a divisor of n_heads"
        )
        latent_width: int = Field(
            512, ge=16, le=4096, description="width of the vector kept for all heads (MLA)"
        )
        rope_width: int = Field(
            64,
            ge=0,
            le=256,
            description="width of the rotated key kept beside it (decoupled RoPE)",
        )
        text: Annotated[Words, few_words(4, 12, 10)] = Field(
            "the cat sat on the mat", description=words_said(4, 12, 10)
        )

    title = "What has to be kept?"
    question = "Could heads share keys and values?"
    caption = "Queries ask once; keys and values, or what makes them, are kept."
    opens = ("chart", "cache")
    derived = {
        "grouped": Derived(
            "size of the cache with one key and value per group (GQA)",
            lambda s: format_gb(s.caches.grouped.gb),
        ),
        "shared": Derived(
            "size of the cache with one key and value for all heads (MQA)",
            lambda s: format_gb(s.caches.shared.gb),
        ),
        "latent": Derived(
            "size of the cache with one latent vector (MLA)",
            lambda s: format_gb(s.caches.latent.gb),
        ),
    }

    handles = (
        Handle("n_groups", "2,4,8,16", beat="vector"),
        Handle("latent_width", "64,128,256,512"),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> SharedWithText:
        own, n_groups = inputs.sizes, inputs.n_groups
        caches = shared_caches(own, n_groups, inputs.latent_width, inputs.rope_width)
        return SharedWithText(caches, token_uses(words(inputs.text)))

    def layout(self) -> None:
        own, gbs = self.values.caches.own, self["caches.gbs"]
        asking, kept = f"queries of {own.n_heads} heads", "their keys and values"
        over = Room(Size(text_width(asking, LABEL), _LINE), Size(9.0, _LINE))
        self.sharing = Sharing(self["caches.own_places"])
        axis = Scale(0, _OVER * own.gb, round_ticks(0, own.gb, most=4), ",g", name="GB")
        groups = (_GROUPED,) if self.values.caches.is_grouped else ()
        self.rows = (_OWN, *groups, _SHARED, _LATENT)
        spec = gb_spec(float(gbs.array.min()))
        widest = max(text_width(format_fact(gb, spec), LABEL, "semibold") for gb in gbs.array)
        wide = len(self.rows) * (widest + _APART)
        self.chart = Chart(slots(self.rows), axis, size=LABEL, least=(wide, 1.2), most=_CHART)
        self.cache = Bars(gbs, self.chart, "key", spec=spec, size=LABEL, grown=False)
        latent = self.rows.index(_LATENT)
        for ready in (self.cache.grow([0]), self.cache.recolor(latent, "residual")):
            ready.interpolate_mobject(1)
        under = Room(Size(text_width(_LONGEST, _WIDTHS), _LINE), Size(9.0, _LINE))
        picture = Column(over, self.sharing, under, gap=0.1)
        both = Row(picture, self.chart, weights=(3, 2)), Column(picture, self.chart)
        fit(self.canvas, wide_or_tall(*both))
        self.latent = Latent(self["caches.latent_over_pair"], self.sharing)
        self.asking = Label(asking, color="query", align="center")
        self.asking.center_on(over.region.center)
        self.kept = Label(kept, color="key", align="center")
        self.kept.center_on(under.region.center)
        self.width = self._width(_WIDTHS)
        needed, room = Row(*self.width, gap=0.0).least.width, under.region.width
        if needed > room:
            self.width = self._width(_WIDTHS * room / needed)
        Row(*self.width, gap=0.0).place(under.region)
        uses = self["uses.uses_so_far"][self.values.uses.n_tokens]
        self.words = WordVectors(
            self.canvas, self["uses.tokens"], self["uses.vectors"], uses, hidden=0
        )

    def _width(self, size: float) -> VGroup:
        """Labels with the widths of the latent vector and, if there is one, of the rotated key."""
        rotated = self.values.caches.latent.rope_width > 0
        look: dict[str, Any] = {"spec": ",d", "align": "left", "size": size}
        figures = [
            Figure(
                self["caches.latent.latent_width"],
                prefix=_VECTOR,
                suffix="" if rotated else _NUMBERS,
                color="residual",
                **look,
            )
        ]
        if rotated:
            width = self["caches.latent.rope_width"]
            figures.append(Figure(width, prefix=_KEY, color="position", **look))
        return VGroup(*figures)

    @beat("In plain attention, each of the {caches.own.n_heads} heads keeps its own key and value.")
    def own(self) -> Steps:
        time = 0.4 * self.reading
        yield together(FadeIn(self.sharing), FadeIn(self.asking, self.kept), run_time=time)
        yield self.sharing.grow(run_time=time)

    @beat(_groups)
    def groups(self) -> Steps:
        if self.values.caches.is_grouped:
            yield 0.6 * self._show_sharing(_GROUPED, "grouped")

    @beat(
        "If all heads share, {shared} will do, {caches.shared.factor_saved:.0f} times less: "
        "multi-query attention, MQA."
    )
    def one(self) -> Steps:
        yield 0.6 * self._show_sharing(_SHARED, "shared")

    @beat("The price: heads that share look for a word by the same key.")
    def lost(self) -> Steps:
        yield 0.6 * self.sharing.grow()

    @beat(_latent)
    def vector(self) -> Steps:
        yield 0.18 * FadeOut(self.sharing.keys, self.sharing.values, self.kept)
        bar = self.cache.grow([self.rows.index(_LATENT)])
        yield 0.42 * together(FadeIn(self.latent, self.width), bar)

    @beat(CAPTION)
    def end(self) -> Steps:
        heading = self._furniture.heading.animate.set_opacity(0)
        shares = self.sharing.heads, self.sharing.lines, self.latent
        gone = self.asking, self.chart, self.cache, *shares, self.width
        kept = self.words.tiles, self.words.tray, *self.words.vectors[1:]
        come = (FadeIn(part, run_time=1.2, rate_func=rush_into) for part in kept)
        yield heading, *(FadeOut(part, run_time=0.7) for part in gone), *come
        yield self.words.card.appear(run_time=1.6)

    def _show_sharing(self, row: str, way: str) -> Moves:
        """Animate to a way of sharing, and grow the bar of its cache."""
        places = self[f"caches.{way}_places"]
        return together(self.sharing.to(places), self.cache.grow([self.rows.index(row)]))


_HEAD, _PAIR, _WIDE = 0.22, 0.34, 0.8
"""Heights of a head and of its key and value, in units, and their width relative to the pitch."""
_WITHIN = 1e-6
"""Tolerance of readings."""


class Sharing(Picture):
    """Heads with lines to their keys and values, `places` (h,): the head over which each pair is.

    Places are counted in heads from the first one, 0; heads that share have the same place.
    """

    least, most = Size(3.4, 1.8), Size(7.4, 3.2)

    def __init__(self, places: Value) -> None:
        super().__init__(places)
        look, self._grown = theme(), 0.0
        self.heads, self.keys, self.values = (
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (look.query, look.key, look.value)
        )
        self.lines = VMobject(stroke_color=look.muted, stroke_width=2.0)
        self.region = Region(0.0, 0.0, 0.0, 0.0)
        self.add(self.lines, self.heads, self.keys, self.values)

    def place(self, region: Region) -> None:
        """Draw heads along the top of a region, and keys and values along its bottom."""
        self.region = region
        self.show(self.state)

    @property
    def pitch(self) -> float:
        """Distance between heads, in units."""
        return self.region.width / len(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        area, half = self.region, _WIDE / 2 * self.pitch
        heads, pairs = self._x(np.arange(len(state))), self._x(state)
        low, high = area.bottom, area.bottom + _PAIR
        self.heads.set_points(rectangles(heads - half, area.top - _HEAD, heads + half, area.top))
        self.keys.set_points(rectangles(pairs - half, low, pairs, high))
        self.values.set_points(rectangles(pairs, low, pairs + half, high))
        start, end = points_at(heads, area.top - _HEAD), points_at(pairs, high)
        self.lines.set_points(straight(start, start + (end - start) * self._grown))

    def grow(self, **options: Any) -> Drive:
        """Grow the lines from the heads to their keys and values."""
        return self.drive("_grown", 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """The end of each head's line, and the edge between its key and its value."""
        if self._grown < 1:
            return
        heads, keys, values = (
            rectangle_edges(path.points)[:, ::2] for path in (self.heads, self.keys, self.values)
        )
        starts, ends = (points[:, 0] for points in line_ends(self.lines.points))
        for k, head in enumerate(heads.mean(axis=1)):
            apart = float(np.abs(starts - head).min())
            line = ends[np.abs(starts - head).argmin()] if apart < _WITHIN else np.nan
            for place in (line, keys[k, 1], values[k, 0]):
                says = float((place - self.region.left) / self.pitch - 0.5)
                yield Reading(self.shown[k], says, _WITHIN)

    def _x(self, places: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(self.region.left + (np.asarray(places) + 0.5) * self.pitch)


class Latent(Picture):
    """The latent vector that replaces keys and values, and the rotated key, drawn to scale.

    `pairs` (2,) are their widths, relative to a key and a value together.
    """

    def __init__(self, pairs: Value, sharing: Sharing) -> None:
        super().__init__(pairs)
        self._pair, self._area = _WIDE * sharing.pitch, sharing.region
        self.paths = [
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (theme().residual, theme().position)
        ]
        self.add(*self.paths)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw both side by side at the bottom, in the middle."""
        edges = self._pair * np.concatenate([[0.0], np.cumsum(state)])
        edges += self._area.center[0] - edges[-1] / 2
        foot = self._area.bottom
        for path, left, right in zip(self.paths, edges[:-1], edges[1:], strict=True):
            path.set_points(rectangles(left, foot, right, foot + _PAIR))

    def readings(self) -> Iterator[Reading]:
        """The widths of both."""
        for k, path in enumerate(self.paths):
            yield Reading(self.shown[k], float(np.ptp(path.points[:, 0])) / self._pair, _WITHIN)

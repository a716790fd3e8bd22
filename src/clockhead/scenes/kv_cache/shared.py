"""What if heads share keys and values? And an ending: what is asked once, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from manim import FadeIn, FadeOut, VGroup
from pydantic import Field

from clockhead.model.cache_memory import SharedCaches
from clockhead.model.cache_sizes import CacheSizes
from clockhead.model.token_uses import TokenUses
from clockhead.model.tokens import words
from clockhead.scenes.kv_cache.board import Tray
from clockhead.scenes.kv_cache.chips import Chips
from clockhead.scenes.kv_cache.once import NAME, lay_words
from clockhead.scenes.kv_cache.sharing import Latent, Sharing
from clockhead.scenes.kv_cache.sizes import SizesInputs, digits, in_gb
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, round_ticks, slots
from clockhead.scenes.parts.table import Room
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Row,
    Size,
    Stage,
    Steps,
    Words,
    beat,
    fit,
)
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL, SMALL
from clockhead.scenes.texts import few_words, words_said

_ROWS, _LATENT = ("own", "GQA", "MQA", "MLA"), 3
_KEPT = " numbers per token and layer"
_NAMED = {2: "half", 3: "a third", 4: "a quarter"}
_MOST_PERCENT = 99.9
_ASKING = "queries of {} heads"
_LINE = 1.5 * LABEL * PX
_MOST_CHART, _GAP = 4.0, 0.15


@dataclass(frozen=True)
class SharedWithText:
    """Caches whose heads share, and the text that the film began with."""

    caches: SharedCaches
    uses: TokenUses


def _share(sizes: CacheSizes) -> str:
    """How much of the cache is left, in words."""
    factor = sizes.factor_saved
    if factor == 1:
        return "as much"
    if factor == int(factor):
        return _NAMED.get(int(factor), f"1/{factor:.0f}")
    return f"{min(100 / factor, _MOST_PERCENT):.3g}%"


class Shared(Stage):
    """What if heads share keys and values? And what is asked once, and what is kept."""

    class Inputs(SizesInputs):
        """The sizes of a model, how its heads could share, and the text of the film."""

        n_groups: int = Field(8, ge=2, le=50, description="groups of heads, which divide n_heads")
        latent_width: int = Field(512, ge=16, le=51_200, description="numbers kept for all heads")
        text: Annotated[Words, few_words(4, 8, 10)] = Field(
            "the cat sat on the mat",
            description=words_said(4, 8, 10),
        )

    title = "What has to be kept?"
    question = "The cache of {caches.own.context:,d} tokens. Could heads share what it holds?"
    caption = "Queries ask once; keys and values, or what makes them, are kept."
    opens = ("chart", "cache")
    derived = {
        "grouped": Derived("size of the cache, shared in groups", lambda s: in_gb(s.caches.gbs[1])),
        "shared": Derived("size of the cache, shared by all", lambda s: in_gb(s.caches.gbs[2])),
        "latent": Derived("size of the cache, one vector", lambda s: in_gb(s.caches.gbs[3])),
        "vector": Derived(
            "the one vector", lambda s: f"one vector of {s.caches.latent_width:,d} numbers"
        ),
        "grouped_share": Derived("what groups leave", lambda s: _share(s.caches.grouped)),
        "shared_share": Derived("what one pair leaves", lambda s: _share(s.caches.shared)),
        "latent_share": Derived("what one vector leaves", lambda s: _share(s.caches.latent)),
        "signs": Derived("the signs of query, key and value", lambda _: "qkv"),
    }

    values: SharedWithText

    @classmethod
    def compute(cls, inputs: Inputs) -> SharedWithText:
        caches = SharedCaches(inputs.sizes(), inputs.n_groups, inputs.latent_width)
        return SharedWithText(caches, TokenUses(words(inputs.text)))

    def layout(self) -> None:
        own, chart = self.values.caches.own, _MOST_CHART
        asking = _ASKING.format(own.n_heads)
        most = f"{own.numbers_per_layer:,d}{_KEPT}"
        wide = max(text_width(asking, LABEL), text_width(most, SMALL, "semibold"))
        line = Size(wide, _LINE)
        over, under = (Room(line, Size(9.0, _LINE)) for _ in range(2))
        self.sharing = Sharing(self["caches.own_places"])
        axis = Scale(0, own.gb, round_ticks(0, own.gb, most=4), ",g", name="GB")
        self.chart = Chart(axis, slots(_ROWS, down=True), most=(8.0, chart))
        self.bars = [self._bars(k) for k in range(len(_ROWS))]
        self.cache = self.bars[0]
        picture = Column(over, self.sharing, under, gap=_GAP)
        both = Row(picture, self.chart, weights=(3, 2)), Column(picture, self.chart)
        fit(self.canvas, *(both if self.canvas.wide else reversed(both)))
        self.row_names = self.chart.y.labels
        self.row_names[1:].set_fill(opacity=0)
        self.latent = Latent(self["caches.latent_over_pair"], self.sharing)
        color = self.theme.text_color("query")
        self.asking = Label(asking, size=LABEL, color=color, align="center")
        self.asking.center_on(over.region.center)
        ways = "own", "grouped", "shared", "latent"
        self.kept = [self._count(f"caches.{way}.numbers_per_layer", under) for way in ways]
        self._lay_end()

    def _lay_end(self) -> None:
        """The text with its shelf, as the first shot leaves them, and the name of it all."""
        board, self.tiles = lay_words(self.canvas, self["uses.tokens"])
        uses, signs = self["uses.key_uses_so_far"][self.values.uses.n_tokens - 1], self["signs"]
        chips = [Chips(uses, board, role, signs).uncounted() for role in ("key", "value")]
        self.shelf = VGroup(Tray(board.shelf), *chips)
        self.card = TitleCard(NAME, role="key")
        self.card.place(board.free)
        self.card.hide()

    def _bars(self, k: int) -> VGroup:
        """What a way of sharing keeps; all but the first are still to grow."""
        gbs, keys = self["caches.gbs"][: k + 1], self["caches.keys_gbs"][: k + 1]
        role: Role = "residual" if k == _LATENT else "value"
        spec, grown = digits(float(gbs.array[k])), k == 0
        bars = [Bars(gbs, self.chart, role, grown=grown, spec=spec, numbered=[k])]
        if k != _LATENT:
            bars.append(Bars(keys, self.chart, "key", grown=grown))
        return VGroup(*bars)

    def _count(self, path: str, room: Room) -> Figure:
        """How much is kept of a token in a layer, under the picture."""
        figure = Figure(self[path], ",d", size=SMALL, suffix=_KEPT)
        figure.number.center_on(room.region.center)
        return figure

    def _shrink(self, k: int, *meanwhile: Any, time: float) -> Steps:
        """Let a way of sharing take less than all."""
        yield FadeOut(self.kept[k - 1], run_time=0.4)
        self.add(self.bars[k])
        come = [bars.grow([k], run_time=time) for bars in self.bars[k]]
        named = self.row_names[k].animate.set_fill(opacity=1)
        yield *come, *meanwhile, named, FadeIn(self.kept[k], run_time=time)

    @beat("So far, each of the {caches.own.n_heads} heads keeps a key and a value of its own.")
    def own(self) -> Steps:
        self.add(self.sharing)
        yield FadeIn(self.sharing), FadeIn(self.asking)
        yield self.sharing.grow(run_time=1.4), FadeIn(self.kept[0])

    @beat(
        "If every {caches.grouped.heads_per_key} heads share theirs, {grouped_share} will do, "
        "{grouped}: grouped-query attention, GQA.",
    )
    def groups(self) -> Steps:
        time = 0.5 * self.reading
        to_groups = self.sharing.to(self["caches.grouped_places"], run_time=time)
        yield from self._shrink(1, to_groups, time=time)

    @beat("If all share one, {shared_share} will do, {shared}: multi-query attention, MQA.")
    def one(self) -> Steps:
        time = 0.5 * self.reading
        to_all = self.sharing.to(self["caches.shared_places"], run_time=time)
        yield from self._shrink(2, to_all, time=time)

    @beat(
        "What is lost: heads still ask questions of their own, but of the same keys, and take from "
        "the same values."
    )
    def lost(self) -> Steps:
        yield self.sharing.grow(run_time=0.6 * self.reading)

    @beat("Or keep {vector}, from which each head makes its own (MLA): {latent_share}, {latent}.")
    def vector(self) -> Steps:
        time = 0.35 * self.reading
        ways = FadeIn(self.latent, run_time=0.3 * time), self.sharing.rise(run_time=time)
        yield from self._shrink(_LATENT, *ways, time=time)
        yield self.sharing.to(self["caches.own_places"], run_time=time)

    @beat(CAPTION)
    def end(self) -> Steps:
        heading = self._furniture.heading.animate.set_opacity(0)
        gone = (self.asking, self.kept[-1], self.chart, *self.bars)
        yield heading, *(FadeOut(part, run_time=0.6) for part in gone)
        kept = VGroup(self.sharing, self.latent)
        yield FadeOut(kept, run_time=1.0)
        come = [FadeIn(part, run_time=0.9) for part in (self.tiles, self.shelf)]
        yield *come, self.card.appear(run_time=1.6)

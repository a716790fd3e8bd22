"""What if heads share keys and values? And an ending: what is asked once, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from manim import rush_into
from pydantic import Field

from clockhead.model.cache_memory import SharedCaches
from clockhead.model.token_uses import TokenUses
from clockhead.model.tokens import words
from clockhead.scenes.kv_cache.sharing import Latent, Sharing
from clockhead.scenes.kv_cache.sizes import SizesInputs, digits, in_gb
from clockhead.scenes.kv_cache.words import Words
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, round_ticks, slots
from clockhead.scenes.parts.table import Room
from clockhead.scenes.stage import CAPTION, Column, Derived, Row, Size, Stage, Steps, beat, fit
from clockhead.scenes.stage import Words as Text
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.type import LABEL
from clockhead.scenes.texts import few_words, words_said

_ROWS, _LATENT = ("own", "GQA", "MQA", "MLA"), 3
_LINE = 1.5 * LABEL * PX
_VECTOR, _NUMBERS = "one vector of ", " numbers"
_LONGEST = f"{_VECTOR}51,200{_NUMBERS}"
_CHART, _OVER = (6.0, 4.8), 1.15


@dataclass(frozen=True)
class SharedWithText:
    """Caches whose heads share, and the text that the film began with."""

    caches: SharedCaches
    uses: TokenUses


class Shared(Stage):
    """What if heads share keys and values? And what is asked once, and what is kept."""

    class Inputs(SizesInputs):
        """The sizes of a model, how its heads could share, and the text of the film."""

        n_groups: int = Field(8, ge=2, le=50, description="groups of heads, which divide n_heads")
        latent_width: int = Field(512, ge=16, le=51_200, description="numbers kept for all heads")
        text: Annotated[Text, few_words(4, 12, 10)] = Field(
            "the cat sat on the mat",
            description=words_said(4, 12, 10),
        )

    title = "What has to be kept?"
    question = "Could heads share keys and values?"
    caption = "Queries ask once; keys and values, or what makes them, are kept."
    opens = ("chart", "cache")
    derived = {
        "grouped": Derived("size of the cache, shared in groups", lambda s: in_gb(s.caches.gbs[1])),
        "shared": Derived("size of the cache, shared by all", lambda s: in_gb(s.caches.gbs[2])),
        "latent": Derived("size of the cache, one vector", lambda s: in_gb(s.caches.gbs[3])),
    }

    values: SharedWithText

    @classmethod
    def compute(cls, inputs: Inputs) -> SharedWithText:
        caches = SharedCaches(inputs.sizes(), inputs.n_groups, inputs.latent_width)
        return SharedWithText(caches, TokenUses(words(inputs.text)))

    def layout(self) -> None:
        own, gbs = self.values.caches.own, self["caches.gbs"]
        asking, kept = f"queries of {own.n_heads} heads", "their keys and values"
        over = Room(Size(text_width(asking, LABEL), _LINE), Size(9.0, _LINE))
        self.sharing = Sharing(self["caches.own_places"])
        axis = Scale(0, _OVER * own.gb, round_ticks(0, own.gb, most=4), ",g", name="GB")
        self.chart = Chart(slots(_ROWS), axis, size=LABEL, most=_CHART)
        spec = digits(float(gbs.array.min()))
        self.cache = Bars(gbs, self.chart, "key", spec=spec, size=LABEL, grown=False)
        for ready in (self.cache.grow([0]), self.cache.recolor(_LATENT, "residual")):
            ready.interpolate_mobject(1)
        under = Room(Size(text_width(_LONGEST, LABEL), _LINE), Size(9.0, _LINE))
        picture = Column(over, self.sharing, under, gap=0.1)
        both = Row(picture, self.chart, weights=(3, 2)), Column(picture, self.chart)
        fit(self.canvas, *(both if self.canvas.wide else reversed(both)))
        self.latent = Latent(self["caches.latent_over_pair"], self.sharing)
        self.asking = Label(asking, color=self.theme.text_color("query"), align="center")
        self.asking.center_on(over.region.center)
        self.kept = Label(kept, color=self.theme.text_color("key"), align="center")
        self.kept.center_on(under.region.center)
        width, color = self["caches.latent_width"], self.theme.text_color("residual")
        self.width = Figure(width, ",d", prefix=_VECTOR, suffix=_NUMBERS, color=color)
        self.width.place(under.region)
        uses = self["uses.uses_so_far"][self.values.uses.n_tokens]
        self.words = Words(self.canvas, self["uses.tokens"], self["uses.vectors"], uses, hidden=0)

    @beat("So far, each of the {caches.own.n_heads} heads keeps a key and a value of its own.")
    def own(self) -> Steps:
        time = 0.4 * self.reading
        yield FadeIn(self.sharing, run_time=time), FadeIn(self.asking, self.kept, run_time=time)
        yield self.sharing.grow(run_time=time)

    @beat(
        "If every {caches.grouped.heads_per_key} heads share theirs, {grouped} will do, "
        "{caches.grouped.factor_saved:.0f} times less: grouped-query attention, GQA."
    )
    def groups(self) -> Steps:
        yield self._share(1, "grouped", 0.6 * self.reading)

    @beat(
        "If all heads share, {shared} will do, {caches.shared.factor_saved:.0f} times less: "
        "multi-query attention, MQA."
    )
    def one(self) -> Steps:
        yield self._share(2, "shared", 0.6 * self.reading)

    @beat("The price: all heads that share find a word by the same key, and take the same value.")
    def lost(self) -> Steps:
        yield self.sharing.grow(run_time=0.6 * self.reading)

    @beat("Or keep one vector, from which each head makes its own key and value: MLA, {latent}.")
    def vector(self) -> Steps:
        time = 0.6 * self.reading
        yield FadeOut(self.sharing.keys, self.sharing.values, self.kept, run_time=0.3 * time)
        time *= 0.7
        yield (
            FadeIn(self.latent, self.width, run_time=time),
            self.cache.grow([_LATENT], run_time=time),
        )

    @beat(CAPTION)
    def end(self) -> Steps:
        heading = self._furniture.heading.animate.set_opacity(0)
        shares = self.sharing.heads, self.sharing.lines, self.latent
        gone = self.asking, self.chart, self.cache, *shares, self.width
        kept = self.words.tiles, self.words.tray, *self.words.vectors[1:]
        come = (FadeIn(part, run_time=1.2, rate_func=rush_into) for part in kept)
        yield heading, *(FadeOut(part, run_time=0.7) for part in gone), *come
        yield self.words.card.appear(run_time=1.6)

    def _share(self, k: int, way: str, time: float) -> list[Any]:
        """Let a way of sharing take less than all."""
        places = self[f"caches.{way}_places"]
        return [self.sharing.to(places, run_time=time), self.cache.grow([k], run_time=time)]

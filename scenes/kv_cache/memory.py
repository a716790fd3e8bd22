"""The size of a key-value cache: the width of a key times five factors, beside the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject, rush_into
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.kv_cache.memory import MOST_SHOWN, CacheMemory, cache_memory
from clockhead.model.transformer.cache_sizes import CacheSizes, cache_sizes
from clockhead.model.transformer.parameter_count import (
    LLAMA_7B,
    LLAMA_CONTEXT,
    ParameterCount,
    parameter_count,
)
from clockhead.scenes.kv_cache.sizes import SizesInputs, format_gb, gb_spec
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import rectangle_edges, rectangles
from clockhead.scenes.parts.scale import Scale, round_ticks, slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.spelling import counted, plural
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Handle,
    Picture,
    Reading,
    Room,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, fly, together
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL

_LIMIT, _LINE = 28.0, 1.2
"""Letter size of the text at the memory limit, in pixels, and its line height, in ems."""
_LEAST_CELL, _MOST_CELL, _FLAT = Size(1.0, 0.4), 2.0, (0.2, 0.3)
"""Smallest size and largest side of a factor's cell, in units, and range of height to width."""
_RESULT, _RESULTS = 36.0, Size(3.4, 0.7)
"""Letter size of the product, in pixels, and the space for it, in units."""
_CHART = (8.0, 6.5)
"""Largest chart, in units."""
_OVER = 1.25
"""Length of the chart's axis relative to the highest bar or limit."""
_LATER = 9.0
"""Start time of cells that stay hidden, after any animation; negated, of visible ones."""
_PLAIN = 1e12
"""Top of the factors' colour scale: so far above all of them that no cell is shaded."""
_HALF = 0.5
"""Fraction of an animation at which the product changes."""


def _is_llama(memory: CacheMemory) -> bool:
    return memory.parameters == LLAMA_7B and memory.sizes.n_heads == cache_sizes().n_heads


def _all_heads(memory: CacheMemory) -> str:
    if memory.sizes.heads_per_key == 1:
        return (
            "{sizes.n_heads} heads in each of {sizes.n_layers} layers keep a key and a value of it."
        )
    shared = "one key and one value"
    if memory.sizes.n_kv_heads > 1:
        shared = "{sizes.n_kv_heads} keys and values"
    return f"{{sizes.n_heads}} heads in each of {{sizes.n_layers}} layers share {shared} of it."


def _context_sentence(memory: CacheMemory) -> str:
    if _is_llama(memory) and memory.sizes.context > LLAMA_CONTEXT:
        return (
            "{model} was trained for {trained:,d} tokens. A text of {sizes.context:,d} would make "
            "a cache of {cache}."
        )
    return "A text of {sizes.context:,d} tokens makes a cache of {cache}."


def _capacity(memory: CacheMemory) -> str:
    n, size = memory.n_beside, f"{memory.sizes.memory_gb:,.6g} GB"
    if memory.weights_gb > memory.sizes.memory_gb:
        return f"A memory of {size} does not even hold the weights."
    many = f"{n:,d}" if n > MOST_SHOWN else counted(n)
    return f"Beside them, a memory of {size} has room for {many} such cache{'s' * (n > 1)}."


class Memory(Stage[CacheMemory]):
    """The size of a key-value cache: the width of a key times five factors, beside the weights."""

    class Inputs(SizesInputs):
        """Sizes of a model, of its cache and of a machine's memory."""

        d_ff: int = Field(11_008, ge=32, le=100_000, description="width of the MLP")
        n_mlp_matrices: int = Field(
            3,
            ge=2,
            le=3,
            description="number of matrices of an MLP: 3 if it is gated (SwiGLU), else 2",
        )
        n_kv_heads: int | None = Field(
            None,
            ge=1,
            le=128,
            description="number of keys and values of a token in a layer, a divisor of n_heads; "
            "if left out, every head has its own",
        )
        n_vocab: int = Field(32_000, ge=256, le=1_000_000, description="size of the vocabulary")
        memory_gb: float = Field(80.0, ge=1, le=10_000, description="memory of the machine in GB")

        @property
        def sizes(self) -> CacheSizes:
            """Sizes of the cache, with this memory and the number of keys."""
            n_keys = self.n_kv_heads or self.n_heads
            return super().sizes.resize(memory_gb=self.memory_gb, n_kv_heads=n_keys)

        @property
        def parameters(self) -> ParameterCount:
            """Numbers of weights; embedding and unembedding are not tied, as in LLaMA."""
            n_keys = self.n_kv_heads or self.n_heads
            return parameter_count(
                n_layers=self.n_layers,
                d_model=self.n_heads * self.d_head,
                d_ff=self.d_ff,
                n_vocab=self.n_vocab,
                n_mlp_matrices=self.n_mlp_matrices,
                tied=False,
                norm="scale",
                d_keys=None if n_keys == self.n_heads else n_keys * self.d_head,
            )

    title = "What does the cache cost?"
    question = "How much does {model} keep of a text?"
    caption = "{held}"
    opens = ("stack", "factors", "result")
    leaves = ("chart", "cache")
    derived = {
        "cache": Derived("size of the cache", lambda memory: format_gb(memory.sizes.gb)),
        "weights": Derived("size of the weights", lambda memory: format_gb(memory.weights_gb)),
        "each": Derived("bytes per number", lambda m: plural(m.sizes.bytes_per_number, "byte")),
        "model": Derived(
            "name of the model", lambda m: "LLaMA 7B" if _is_llama(m) else "this model"
        ),
        "trained": Derived(
            "context length that LLaMA 7B was trained for, in tokens",
            lambda _: LLAMA_CONTEXT,
            "tokens",
        ),
        "mlp": Derived(
            "the kind of MLP, and its number of matrices",
            lambda m: (
                f"{'a gated MLP' if m.parameters.n_mlp_matrices == 3 else 'an MLP'} "
                f"of {counted(m.parameters.n_mlp_matrices)} matrices"
            ),
        ),
        "held": Derived("the number of caches that fit into memory, in a sentence", _capacity),
    }

    handles = (
        Handle("context", "1024,2048,4096,8192,16384,32768,65536,131072,262144"),
        Handle("bytes_per_number", "1,2,4"),
    )

    compute = cache_memory

    def layout(self) -> None:
        sums = self.values.sums
        self.stack = KeyValueGrid(self["factors"])
        self.factors = Matrix(
            self["factors"],
            columns=self["factor_names"],
            lying=True,
            spec=",.0f",
            low=0.0,
            high=_PLAIN,
            least_cell=_LEAST_CELL,
            most_cell=_MOST_CELL,
            aspect=_FLAT,
        )
        most = max(float(sums.max()), self.values.sizes.memory_gb)
        axis = Scale(0, _OVER * most, round_ticks(0, most, most=5), ",g", name="GB")
        n = min(self.values.n_beside, MOST_SHOWN)
        names = "cache", "weights", f"+ {plural(n, 'cache')}"
        self.chart = Chart(slots(names), axis, size=LABEL, most=_CHART)
        spec = gb_spec(float(sums.min()))
        self.cache = Bars(self["sums"][:1], self.chart, "key", spec=spec, grown=False)
        self.stacks = Stacks(
            self["slivers"],
            self.chart,
            steady=[0],
            totals=self["sums"],
            spec=spec,
            leading=[0, 1, 2],
            role="key",
            grown=False,
        )
        self.limit = Rule(
            self["sizes.memory_gb"],
            self.chart,
            "memory:",
            spec=",.6g",
            suffix=" GB",
            align="left",
            size=_LIMIT,
            plated=True,
        )
        results, picture = Room(_RESULTS, Size(_RESULTS.width, 1.0)), Room()
        fit(self.canvas, Column(self.factors, results, picture, gap=0.15, weights=(0, 0, 1)))
        self.stack.place(picture.region)
        self.chart.place(self.canvas)
        self.limit.lift = self._lift()
        self.limit.redraw()
        products = self["products"]
        self.result, self.bytes = (
            Figure(products[k], ",.0f", size=_RESULT, suffix=suffix)
            for k, suffix in ((0, " numbers"), (4, " bytes"))
        )
        for figure in (self.result, self.bytes):
            figure.place(results.region)
        self.factors.fill(_start_times(1), labels=False).interpolate_mobject(0)

    def _lift(self) -> float:
        """Upward shift of the limit's text, in units, that clears the numbers over the bars."""
        y, line = self.chart.y, _LINE * _LIMIT * PX
        start = float(y.at(self.values.sizes.memory_gb))
        at = start
        for top in y.at(np.sort(self.values.sums)).tolist():
            if abs(top - at) < line:
                at = top + line
        return at - start

    def _multiply(self, k: int, **options: Any) -> list[Any]:
        """Show factor k; halfway, the number below jumps to the new product."""
        result = self.result if k < 4 else self.bytes
        come = self.factors.fill(_start_times(k), labels=False, **options)
        options["rate_func"] = lambda share: float(share >= _HALF)
        return [come, result.to(self["products"][k], **options)]

    @beat("In one head, a token's key is {sizes.d_head} numbers, and so is its value.")
    def pair(self) -> Steps:
        yield 0.4 * self.reading
        yield 0.4 * together(self._multiply(1))

    @beat(_all_heads)
    def all_heads(self) -> Steps:
        for level, k in ((1, 2), (2, 3)):
            yield 0.4 * together(self._multiply(k), self.stack.rise(level))

    @beat("At {each} a number, that is {sizes.mb_per_token:.3g} MB for one token.")
    def bytes_(self) -> Steps:
        yield FadeOut(self.result, run_time=0.4)
        yield FadeIn(self.bytes), self._multiply(4)[0]

    @beat(_context_sentence)
    def text(self) -> Steps:
        yield self._multiply(5, run_time=1.2)
        away = fly(self.stack, self.chart.at(0.0, 0.0), scale=0.02, run_time=1.6)
        others = FadeOut(self.factors, self.bytes, run_time=0.8)
        yield others, away, FadeIn(self.chart, run_time=1.6, rate_func=rush_into)
        self.remove(self.stack)
        yield self.cache.grow(run_time=1.6)

    @beat("With {mlp} in each layer, the model's {parameters.total:,d} weights take {weights}.")
    def weigh(self) -> Steps:
        yield 0.6 * self.stacks.grow([1])

    @beat(CAPTION)
    def hold(self) -> Steps:
        yield FadeIn(self.limit, run_time=0.8)
        yield 0.6 * self.stacks.grow([2])


def _start_times(k: int) -> Any:
    """Start times that show factor k: earlier ones are already there, later ones never; (1, 6)."""
    return _LATER * np.sign(np.arange(6) - k)[None]


_SEAM = 0.12
"""Gap beside and below a key or a value, relative to its size."""
_ROW = 0.8
"""Height of a single key, in units."""
_LOOSE = 1e-6
"""Tolerance for rounding errors."""
_HEADS, _LAYERS = 2, 3
"""Indices of the numbers of heads and of layers among the factors."""


class KeyValueGrid(Picture):
    """Keys and values of a model, with a row for each head and a column for each layer.

    Level 0 shows one key and one value, level 1 those of every head, and level 2 those of every
    head of every layer; each level zooms out further. `factors` (6,) has both numbers.
    """

    least, most = Size(3.6, 1.4), Size(11.0, 3.8)

    def __init__(self, factors: Value) -> None:
        super().__init__(factors)
        self._level, self.region = 0.0, Region(0.0, 0.0, 0.0, 0.0)
        look = theme()
        self.paths = [
            VMobject(stroke_width=0, fill_opacity=1, fill_color=color)
            for color in (look.key, look.value)
        ]
        self.add(*self.paths)

    def place(self, region: Region) -> None:
        """Draw the grid in a region."""
        self.region = region
        self.show(self.state)

    def rise(self, level: int, **options: Any) -> Drive:
        """Zoom out to a level."""
        return self.drive("_level", self._level, float(level), **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the part of the grid that the current level shows."""
        area, level = self.region, self._level
        column = area.width / state[_LAYERS] ** np.clip(level - 1, 0.0, 1.0)
        share, all_rows = np.clip(level, 0.0, 1.0), area.height / state[_HEADS]
        row = _ROW * (all_rows / _ROW) ** share
        height = _ROW * (area.height / _ROW) ** share
        lefts = area.left + column * np.arange(int(area.width / column + _LOOSE))
        tops = area.center[1] + height / 2 - row * np.arange(int(height / row + _LOOSE))
        x, y = (places.ravel() for places in np.meshgrid(lefts, tops))
        wide, high = column / 2 * (1 - _SEAM), row * (1 - _SEAM)
        for path, left in zip(self.paths, (x, x + column / 2), strict=True):
            path.set_points(rectangles(left, y - high, left + wide, y))

    def readings(self) -> Iterator[Reading]:
        """The numbers of columns and rows; nothing between two levels."""
        level = round(self._level)
        if abs(self._level - level) > _LOOSE:
            return
        edges = [rectangle_edges(path.points) for path in self.paths]
        lefts = [_count_different(piece[:, 0]) for piece in edges]
        rows = {_count_different(piece[:, 3]) for piece in edges}
        yield Reading(self.shown[1], float(sum(map(bool, lefts))))
        if level > 0:
            yield from (Reading(self.shown[_HEADS], float(n)) for n in rows)
        if level > 1:
            yield from (Reading(self.shown[_LAYERS], float(n)) for n in lefts)


def _count_different(places: NDArray[np.float64]) -> int:
    """Number of different coordinates, up to rounding."""
    return len(np.unique(places.round(5)))

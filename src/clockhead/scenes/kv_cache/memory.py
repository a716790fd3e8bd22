"""What a cache costs: a key, multiplied five times, beside the weights of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, VGroup, rush_into
from pydantic import Field

from clockhead.model.cache_memory import MOST_SHOWN, CacheMemory
from clockhead.model.cache_sizes import CacheSizes
from clockhead.model.parameter_count import LLAMA_7B, ParameterCount
from clockhead.scenes.kv_cache.filling import Filling
from clockhead.scenes.kv_cache.multiplied import Multiplied
from clockhead.scenes.kv_cache.sizes import SizesInputs, digits, in_gb
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.scale import Scale, round_ticks, slots
from clockhead.scenes.parts.table import Room
from clockhead.scenes.spelling import counted, plural
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.motion import fly
from clockhead.scenes.style.theme import Role

_WORDS = "numbers $d_k$", "key, value", "heads h", "layers L", "bytes b", "tokens T"
_ROWS = ("cache", "weights", "memory")
_RESULT, _RESULTS = 36.0, Size(3.4, 0.6)
_NEAR, _ONE_LINE, _MOST_CHART = 0.15, 0.2, 5.0
_MEMORY = ",.6g"
_MANY = 10


def _model(memory: CacheMemory) -> str:
    """The model, by its name or by the number of its weights."""
    if memory.parameters == LLAMA_7B and memory.sizes.n_heads == CacheSizes().n_heads:
        return "LLaMA 7B"
    total = memory.parameters.total
    unit, word = (10**9, "billion") if total >= 10**9 else (10**6, "million")
    many = total / unit
    spec = ",.0f" if many >= _MANY else ".2g"
    return f"a model of {many:{spec}} {word} weights"


def _weighed(memory: CacheMemory) -> str:
    return {
        "cache": "The weights of the model itself take less: {weights}.",
        "weights": "The weights of the model itself take more: {weights}.",
        "equal": "The weights of the model itself take as much.",
    }[memory.larger]


def _room(memory: CacheMemory) -> str:
    n, where = memory.n_beside, f"A memory of {memory.sizes.memory_gb:{_MEMORY}} GB"
    if not memory.weights_fit:
        return f"{where} does not even hold the weights."
    if n == 0:
        return f"{where} that holds the weights has no room for such a cache."
    many = f"{n:,d}" if n > MOST_SHOWN else counted(n)
    return f"{where} that holds the weights has room for {many} such cache{'s' * (n > 1)}."


class Memory(Stage):
    """What a cache costs: a key, multiplied five times, beside the weights of the model."""

    class Inputs(SizesInputs):
        """The sizes of a model, of its cache and of a machine."""

        d_ff: int = Field(11_008, ge=32, le=100_000, description="width of the MLP")
        n_vocab: int = Field(32_000, ge=256, le=1_000_000, description="tokens with a vector")
        memory_gb: float = Field(80.0, ge=1, le=10_000, description="memory of the machine in GB")

        @property
        def parameters(self) -> ParameterCount:
            """The weights, with the gated MLP and the two embeddings of LLaMA."""
            return ParameterCount(
                n_layers=self.n_layers,
                d_model=self.n_heads * self.d_head,
                d_ff=self.d_ff,
                n_vocab=self.n_vocab,
                n_mlp_matrices=3,
                tied=False,
                norm="scale",
            )

    title = "What does the cache cost?"
    question = "In {model}: $2 L T h d_k$ numbers of $b$ bytes each."
    caption = "{room}"
    opens = ("stack", "factor", "result")
    leaves = ("chart", "cache")
    derived = {
        "cache": Derived("size of the cache", lambda memory: in_gb(memory.sizes.gb)),
        "weights": Derived("size of the weights", lambda memory: in_gb(memory.weights_gb)),
        "each": Derived("size of a number", lambda m: plural(m.sizes.bytes_per_number, "byte")),
        "model": Derived("the model", _model),
        "room": Derived("how many caches the memory has room for", _room),
    }

    values: CacheMemory

    @classmethod
    def compute(cls, inputs: Inputs) -> CacheMemory:
        return CacheMemory(inputs.sizes(inputs.memory_gb), inputs.parameters)

    def layout(self) -> None:
        memory, values = self.values, self["factors"]
        self.stack = Multiplied(values)
        self.factors = [
            Readout(values[k], ",d", words=f"× {words}" if k else words)
            for k, words in enumerate(_WORDS)
        ]
        self.factor = self.factors[0]
        results, picture = Room(_RESULTS, Size(_RESULTS.width, 1.0)), Room()
        row = Row(*self.factors, gap=_NEAR)
        rows = Column(*(Row(*three) for three in (self.factors[:3], self.factors[3:])), gap=_NEAR)
        heads = Row(row, results), Column(row, results, gap=0.1), Column(rows, results, gap=0.1)
        fit(self.canvas, *(Column(head, picture, weights=(0, 1)) for head in heads))
        self._level_factors()
        self.stack.place(picture.region)
        self.spot = results.region.center
        gb = memory.sizes.gb
        numbers = [self._result(self["products"][k], ",.0f", " numbers") for k in range(4)]
        token = self._result(self["sizes.mb_per_token"], ".3g", " MB a token")
        self.results = [*numbers, token, self._result(self["sizes.gb"], digits(gb), " GB")]
        self.result = self.results[0]
        most = float(memory.gbs.max())
        axis = Scale(0, most, round_ticks(0, most, most=5), ",g", name="GB")
        self.chart = Chart(axis, slots(_ROWS, down=True), most=(np.inf, _MOST_CHART))
        keys = Bars(self["halves"][:1], self.chart, "key", grown=False)
        self.cache = VGroup(self._bar(0, "value", digits(gb)), keys)
        self.weights = self._bar(1, "residual", digits(memory.weights_gb))
        self.memory = self._bar(2, "token", _MEMORY)
        self.filling = Filling(self["edges"], self.chart, 2)
        self.chart.place(picture.region)

    def _level_factors(self) -> None:
        """Let the factors of one line stand equally high, whatever letters are over them."""
        ends = {factor.figure: factor.figure.number.anchor for factor in self.factors}
        for figure, (x, y, _) in ends.items():
            level = min(other[1] for other in ends.values() if abs(other[1] - y) < _ONE_LINE)
            figure.put(np.array([x, level, 0.0]))

    def _result(self, value: Value, spec: str, suffix: str) -> Figure:
        figure = Figure(value, spec, size=_RESULT, suffix=suffix)
        figure.number.center_on(self.spot)
        return figure

    def _bar(self, row: int, role: Role, spec: str) -> Bars:
        """The bar of one row, not yet grown."""
        look: dict[str, Any] = {"spec": spec, "numbered": [row], "dimmed": [2], "grown": False}
        return Bars(self["gbs"], self.chart, role, **look)

    def _times(self, k: int, *meanwhile: Any) -> Steps:
        """Multiply by one factor more."""
        gone = FadeOut(self.results[k - 1], run_time=0.4)
        yield FadeIn(self.factors[k]), *meanwhile, gone
        yield FadeIn(self.results[k], run_time=0.4)

    @beat("In one head, a token's key is $d_k$ = {sizes.d_head} numbers, and so is its value.")
    def pair(self) -> Steps:
        yield 0.4 * self.reading
        yield from self._times(1, self.stack.rise(1, run_time=0.5 * self.reading))

    @beat(
        "{sizes.n_heads} heads in each of {sizes.n_layers} layers keep a key and a value of it.",
        ask="What does one token leave in the whole model?",
    )
    def all_heads(self) -> Steps:
        for k in (2, 3):
            yield from self._times(k, self.stack.rise(k, run_time=1.6))
        yield 1.0

    @beat("At {each} a number, that is {sizes.mb_per_token:.3g} MB for one token.")
    def bytes_(self) -> Steps:
        yield from self._times(4)

    @beat("A text of {sizes.context:,d} tokens leaves as many times as much: a cache of {cache}.")
    def text(self) -> Steps:
        self.add(self.stack)
        away = fly(self.stack, self.chart.at(0.0, 0.0), scale=0.02, run_time=1.8)
        yield FadeIn(self.factors[5]), away, FadeIn(self.chart, run_time=1.8, rate_func=rush_into)
        self.remove(self.stack)
        self.add(self.cache)
        yield FadeOut(self.results[4], run_time=0.4)
        grown = [bars.grow([0], run_time=1.6) for bars in self.cache]
        yield *grown, FadeIn(self.results[5], run_time=0.6)

    @beat(_weighed)
    def weigh(self) -> Steps:
        self.add(self.weights)
        yield self.weights.grow([1], run_time=0.6 * self.reading)

    @beat(CAPTION)
    def hold(self) -> Steps:
        self.add(self.memory)
        yield self.memory.grow([2], run_time=0.8)
        self.add(self.filling)
        yield self.filling.fill(run_time=0.6 * self.reading)

"""The truths of the film `transformer_block`.

The layers are those of `tests.model.plain_transformer`, on lists of floats. Random numbers are
NumPy's, and drawn again here: the weights of the primer's example are what the seed 7 draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.model import plain_transformer as plain
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    named,
    percent,
    those_taken,
)

Rows = list[list[float]]
Layer = dict[str, Rows]

WORDS = ["the", "cat", "dog", "sat", "ran", "on", "mat", "floor", "big", "small"]
PRINTED_ROWS = [
    [0.10, -0.10, 0.05, 0.30, 0.15, -0.05],
    [0.40, 0.50, -0.20, 0.20, 0.10, 0.25],
    [-0.50, 0.15, 0.65, -0.20, 0.15, 0.05],
]
PRIMER = "the cat sat"
WIDTH, N_LAYERS, PRIMER_SEED = 6, 2, 7
_ALIKE, _NEARLY, _LEVEL = 1e-9, 1e-3, 1e-12
_ZERO = 1e-12
"""Numbers that are nearer to 0 may be on either side of it, by rounding."""
_STRETCHES = [2.0 ** (k / 8 - 1) for k in range(17)]
"""From half as long to twice as long."""


class Worked:
    """Two layers over a text."""

    def __init__(
        self, tokens: Sequence[str], rows: Rows, layers: Sequence[Layer], u: Rows, n_heads: int
    ) -> None:
        self.tokens, self.n, self.last = list(tokens), len(tokens), len(tokens) - 1
        self.x, self.layers, self.u, self.n_heads = rows, list(layers), u, n_heads
        self.d_head, self.d_ff = WIDTH // n_heads, len(layers[0]["w_2"])
        passes, logits, self.probabilities = plain.transformer(rows, layers, u, n_heads)
        self.first, self.second = passes
        self.logits: list[float] = logits[-1]
        self.row: list[float] = self.second["resid_post"][-1]

    def named(self, k: int) -> str:
        return named(self.tokens, k)

    # What the heads have

    def columns(self, head: int) -> range:
        return range(head * self.d_head, (head + 1) * self.d_head)

    def lane(self, name: str, head: int) -> Rows:
        """The queries, keys or values of a head of the first layer."""
        rows = [plain.row_times(row, self.layers[0][f"w_{name[0]}"]) for row in self.x]
        return [[row[c] for c in self.columns(head)] for row in rows]

    def slab(self, head: int) -> Rows:
        """The rows of W_O of the first layer that a head has."""
        return [self.layers[0]["w_o"][c] for c in self.columns(head)]

    def head_out(self, head: int) -> Rows:
        """What a head of the first layer writes."""
        parts = [[row[c] for c in self.columns(head)] for row in self.first["concat"]]
        return [plain.row_times(part, self.slab(head)) for part in parts]

    @cached_property
    def differences(self) -> dict[tuple[int, int], float]:
        """How far apart the shares of the heads are, for each query and each key."""
        shares = {
            (m, n): [pattern[m][n] for pattern in self.first["patterns"]]
            for m in range(self.n)
            for n in range(self.n)
        }
        return {place: max(some) - min(some) for place, some in shares.items()}

    @cached_property
    def most_different(self) -> list[tuple[int, int]]:
        """Where they are furthest apart, but for rounding."""
        most = max(self.differences.values())
        return [place for place, d in self.differences.items() if most - d <= _ALIKE]

    def survivors(self, m: int) -> list[int]:
        """How many numbers of a token ReLU may keep."""
        row = self.first["pre"][m]
        sure = sum(x > _ZERO for x in row)
        return list(range(sure, sure + sum(0 < abs(x) <= _ZERO for x in row) + 1))

    # What comes out

    @cached_property
    def leaders(self) -> list[str]:
        """The words that share the largest logit."""
        return [word for word, x in zip(WORDS, self.logits, strict=True) if x == max(self.logits)]

    def stretched(self, factor: float) -> list[float]:
        """The shares of all words with the last row so many times as long."""
        return plain.shares(plain.row_times([factor * x for x in self.row], self.u))

    def normed(self, factor: float = 1.0) -> list[float]:
        """LayerNorm of the last row, as many times as long before."""
        return plain.normed([factor * x for x in self.row], 1e-5)

    def centred(self) -> list[float]:
        """The last row without its mean."""
        mean = math.fsum(self.row) / WIDTH
        return [x - mean for x in self.row]

    def centred_shares(self) -> list[float]:
        return plain.shares(plain.row_times(self.centred(), self.u))

    def normed_shares(self, factor: float = 1.0) -> list[float]:
        return plain.shares(plain.row_times(self.normed(factor), self.u))

    @property
    def streams(self) -> list[Rows]:
        """The stream at every station."""
        return [self.x] + [
            rows
            for one in (self.first, self.second)
            for rows in (one["resid_mid"], one["resid_post"])
        ]

    @cached_property
    def lens(self) -> Rows:
        """The shares of all words at every station, by the last row there."""
        return [plain.shares(plain.row_times(rows[-1], self.u)) for rows in self.streams]

    @cached_property
    def lens_leaders(self) -> list[str]:
        """The word that leads at each station, "" where several are level."""
        found = []
        for shares in self.lens:
            level = [k for k, p in enumerate(shares) if max(shares) - p < _LEVEL]
            found.append(WORDS[level[0]] if len(level) == 1 else "")
        return found


@lru_cache(maxsize=64)
def drawn_weights(seed: int, d_ff: int) -> tuple[list[Layer], Rows]:
    """The layers and U that a seed draws."""
    generator = np.random.default_rng(seed)

    def some(rows: int, columns: int, spread: float = 0.5) -> Rows:
        numbers = np.round(spread * generator.standard_normal((rows, columns)), 2)
        return [[float(x) + 0.0 for x in row] for row in numbers]

    shapes = dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (WIDTH, WIDTH))
    shapes |= {"w_1": (WIDTH, d_ff), "w_2": (d_ff, WIDTH)}
    layers = [{name: some(*shape) for name, shape in shapes.items()} for _ in range(N_LAYERS)]
    return layers, some(WIDTH, len(WORDS), 0.6)


def drawn_rows(tokens: Sequence[str], seed: int) -> Rows:
    """The rows that a seed draws: that of a word plus that of a place."""
    generator, kinds = np.random.default_rng([seed, 1]), list(dict.fromkeys(tokens))
    words = np.round(generator.normal(scale=0.3, size=(len(kinds), WIDTH)), 2)
    places = np.round(generator.normal(scale=0.1, size=(len(tokens), WIDTH)), 2)
    sums = [words[kinds.index(token)] + places[k] for k, token in enumerate(tokens)]
    return [[float(x) + 0.0 for x in np.round(row, 2)] for row in sums]


def work(inputs: Inputs) -> Worked:
    """The transformer that some inputs ask for."""
    return _work(inputs.text, inputs.resid_pre, inputs.seed, inputs.n_heads, inputs.d_ff)


@lru_cache(maxsize=256)
def _work(text: str, given: Any, seed: int | None, n_heads: int, d_ff: int) -> Worked:
    tokens = text.split(" ")
    layers, u = drawn_weights(PRIMER_SEED if seed is None else seed, d_ff)
    own = PRINTED_ROWS if seed is None else drawn_rows(tokens, seed)
    rows = own if given is None else [list(map(float, row)) for row in given]
    return Worked(tokens, rows, layers, u, n_heads)


# What a layer gives back


# What the heads write


def adds_itself(block: Worked) -> bool:
    """Whether the first row gets itself times W_V and W_O."""
    values = plain.row_times(block.x[0], block.layers[0]["w_v"])
    written = plain.row_times(values, block.layers[0]["w_o"])
    pairs = zip(written, block.first["attn_out"][0], strict=True)
    return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in pairs)


def reaches_all(block: Worked) -> bool:
    """Whether no head has rows of W_O with a column of nothing but 0."""
    return all(
        any(row[column] for row in block.slab(head))
        for head in range(block.n_heads)
        for column in range(WIDTH)
    )


# One more layer, and the cost

_L, _D, _V, _PLACES = 12, 768, 50_257, 1024
"""The smallest GPT-2: layers, width, tokens and positions."""
IN_TABLE = _V * _D
IN_LAYERS = _L * (4 * _D * _D + 2 * _D * (4 * _D))
IN_ALL = (
    IN_LAYERS
    + (_V + _PLACES) * _D
    + _L * (4 * _D + 4 * _D + _D)  # biases
    + (2 * _L + 1) * 2 * _D  # norms
)


def in_layer(block: Worked) -> int:
    """How many numbers the matrices of a layer hold, counted."""
    return sum(len(row) for matrix in block.layers[1].values() for row in matrix)


def turn(block: Worked) -> float:
    """The angle between the last row and the same without its mean, in degrees."""
    centred = block.centred()
    dot = math.fsum(x * y for x, y in zip(block.row, centred, strict=True))
    return math.degrees(math.acos(min(1.0, dot / (math.hypot(*block.row) * math.hypot(*centred)))))


def stretch_is_undone(block: Worked) -> bool:
    """Whether LayerNorm leaves the shares as they are, whatever the stretch."""
    columns = zip(*(block.normed_shares(factor) for factor in _STRETCHES), strict=True)
    return max(max(column) - min(column) for column in columns) < 5e-4


def length_is_set(block: Worked) -> bool:
    """Whether LayerNorm makes the last row about sqrt(d) long."""
    return abs(math.hypot(*block.normed()) - math.sqrt(WIDTH)) < 5e-3


# The logit lens


STATIONS = ["start", "attention 0", "MLP 0", "attention 1", "MLP 1"]
"""All that is said and written, stage by stage."""


# What the film says


def _first_of(shares: Sequence[float]) -> set[str]:
    """The words with the largest share, but for rounding."""
    return {word for word, p in zip(WORDS, shares, strict=True) if p >= max(shares) - _LEVEL}


def _order_stays(block: Worked) -> bool:
    """Whether no two words change places when the length is set."""
    before, after = block.centred_shares(), block.normed_shares()
    return all(
        (p < q) <= (r <= s + _LEVEL)
        for p, r in zip(before, after, strict=True)
        for q, s in zip(before, after, strict=True)
    )


def _share_at(station: int) -> Any:
    """The share that the word of the end has at a station."""
    return lambda block: (
        lambda text: any(
            percent(block.lens[station][WORDS.index(word)])(text) for word in block.leaders
        )
    )


def _given(block: Worked) -> Any:
    """The shares of all heads where they are furthest apart."""

    def check(text: str) -> bool:
        told = [part.partition(" in head ") for part in text.split(", ")]
        return [head for *_, head in told] == [str(k) for k in range(block.n_heads)] and any(
            all(
                percent(pattern[m][n])(share)
                for pattern, (share, *_) in zip(block.first["patterns"], told, strict=True)
            )
            for m, n in block.most_different
        )

    return check


def _looks_back(block: Worked) -> bool:
    patterns = block.first["patterns"]
    return not any(p[m][n] for p in patterns for n in range(block.n) for m in range(n))


def _is_wide_everywhere(block: Worked) -> bool:
    return {len(row) for rows in block.streams for row in rows} == {WIDTH}


def _has_several(block: Worked) -> bool:
    return block.n_heads > 1


FACTS = {
    "asker": lambda block: block.named(block.last),
    "n_tokens": lambda block: block.n,
    "d_model": lambda block: WIDTH,
    "d_head": lambda block: block.d_head,
    "d_ff": lambda block: block.d_ff,
    "n_vocab": lambda block: len(WORDS),
    "lanes": lambda block: Variant(_has_several(block)),
    "differing": lambda block: {block.named(m) for m, _ in block.most_different},
    "asked": lambda block: {
        "itself" if m == n else block.named(n) for m, n in block.most_different
    },
    "given": _given,
    "kept": lambda block: block.survivors(block.last),
    "n_in_layer": in_layer,
    "usual_width": lambda block: 4,
    "squares_of_attention": lambda block: 4,
    "n_squares": lambda block: 4 + 2 * 4,
    "gpt_2.n_layers": lambda block: _L,
    "gpt_2.d_model": lambda block: _D,
    "gpt_2.n_vocab": lambda block: _V,
    "token_table": lambda block: IN_TABLE / 1e6,
    "in_layers": lambda block: IN_LAYERS / 1e6,
    "in_all": lambda block: IN_ALL / 1e6,
    "next_word.greedy_word": lambda block: set(block.leaders),
    "next_word.greedy_share": lambda block: max(block.probabilities),
    "share_doubled": lambda block: max(block.stretched(2.0)),
    "share_halved": lambda block: max(block.stretched(0.5)),
    "turn": turn,
    "centred_word.greedy_word": lambda block: _first_of(block.centred_shares()),
    "normed_word.greedy_word": lambda block: _first_of(block.normed_shares()),
    "normed_word.greedy_share": lambda block: max(block.normed_shares()),
    "predicted": lambda block: set(block.leaders),
    "at_start": _share_at(0),
    "at_end": _share_at(-1),
    "first_led": lambda block: STATIONS[block.lens_leaders.index(block.lens_leaders[-1])],
}
STAGES = {
    "lanes": Truths(
        choices={"cut": _has_several},
        claims={"cut": lambda block: block.n_heads * block.d_head == WIDTH},
    ),
    "patterns": Truths(
        choices={"compare": lambda block: max(block.differences.values()) <= _ALIKE},
        claims={"look": _looks_back, "compare": _has_several},
    ),
    "mix": Truths(
        choices=dict.fromkeys(("join", "wonder", "come", "write"), _has_several),
        claims={"write": reaches_all, "alone": adds_itself},
        needs={0: reaches_all},
    ),
    "mlp": Truths(),
    "stack": Truths(
        choices={
            "widen": lambda block: 0 if block.d_ff == WIDTH else 1 if block.d_ff > WIDTH else 2,
        },
        claims={
            "open": lambda block: block.layers[0] != block.layers[1],
            "tokens": lambda block: IN_TABLE > (IN_ALL - IN_LAYERS) / 2,
            "layers": lambda block: IN_LAYERS == 12 * _L * _D**2,
        },
    ),
    "readout": Truths(
        choices={
            "centre": lambda block: _first_of(block.centred_shares()).isdisjoint(block.leaders),
        },
        claims={
            "copy": length_is_set,
            "norm": lambda block: _order_stays(block) and length_is_set(block),
            "caption": lambda block: length_is_set(block) and stretch_is_undone(block),
        },
        needs={0: stretch_is_undone, 1: length_is_set},
    ),
    "lens": Truths(
        choices={
            "lead": lambda block: (
                0
                if not block.lens_leaders[-1]
                else 1
                if block.lens_leaders.index(block.lens_leaders[-1]) == 0
                else 2
            ),
        },
        claims={
            "read": _is_wide_everywhere,
            "walk": lambda block: block.lens[-1] == block.probabilities,
        },
    ),
    "flow": Truths(claims={"travel": _is_wide_everywhere}),
}


Row = tuple[float, ...]

_OWN: tuple[Row, ...] = tuple(map(tuple, PRINTED_ROWS))
_ZEROS: tuple[Row, ...] = ((0.0,) * 6,) * 3
_LOUD: tuple[Row, ...] = ((9.99, -9.99) * 3, (-9.99,) * 6, (9.99,) * 6)
_QUIET: tuple[Row, ...] = ((0.01, 0.0, 0.0, 0.0, 0.0, 0.0),) * 2 + ((0.0, 0.01) * 3,)

EXAMPLES: list[dict[str, Any]] = [
    {},
    *({"n_heads": n} for n in (1, 3)),
    {"text": "dog sat dog"},
    {"text": "sat sat sat", "n_heads": 3},
    {"resid_pre": _OWN},
    {"resid_pre": _OWN, "seed": 7},
    {"resid_pre": _OWN, "seed": 8},
    {"resid_pre": _OWN[::-1]},
    {"text": "the cat sat the", "resid_pre": (*_OWN, _OWN[0])},
    *({"seed": seed, "n_heads": 1 + seed % 3, "d_ff": 4 + seed % 5} for seed in range(30)),
    *({"seed": seed} for seed in (72, 476)),
    *({"text": "a b a b", "seed": seed, "n_heads": n} for seed in (3, 4) for n in (1, 2, 3)),
    {"text": "attention is all you need", "seed": 0},
    {"text": "abcdefgh bcdefghi cdefghij defghijk", "seed": 2**32 - 1},
    *({"resid_pre": rows, "n_heads": n} for rows in (_ZEROS, _LOUD, _QUIET) for n in (1, 2, 3)),
    *({"resid_pre": (row,) * 3} for row in (_OWN[0], _LOUD[0], (1.0,) * 6)),
    {"resid_pre": (*_OWN[:2], (0.0,) * 6)},
    {"resid_pre": ((0.0,) * 6, *_OWN[1:]), "seed": 5, "d_ff": 4},
    *({"resid_pre": _LOUD, "seed": seed, "d_ff": 4} for seed in range(4)),
    *({"resid_pre": _QUIET, "seed": seed, "d_ff": 4} for seed in range(12)),
]


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    return _drawn_inputs().map(lambda given: legal(find_stage(name).Inputs, given))


@st.composite
def _drawn_inputs(draw: Any) -> dict[str, Any]:
    """A text of three or four words, and perhaps rows, a seed and sizes."""
    pool = draw(st.sampled_from([["the", "cat", "sat"], list("abcd"), ["longword", "a", "b"]]))
    words = draw(st.lists(st.sampled_from(pool), min_size=3, max_size=4))
    given: dict[str, Any] = {"text": " ".join(words), "n_heads": draw(st.integers(1, 3))}
    seed = draw(st.one_of(st.none(), st.integers(0, 2**32 - 1)))
    if seed is not None:
        given |= {"seed": seed, "d_ff": draw(st.integers(4, 8))}
    if draw(st.booleans()) or (seed is None and len(words) == 4):
        given["resid_pre"] = tuple(draw(_rows(len(words))))
    return given


def _rows(n: int) -> st.SearchStrategy[list[Row]]:
    """Rows that may be equal, of numbers of several kinds."""
    kinds = [
        st.integers(-999, 999).map(lambda k: k / 100),
        st.integers(-100, 100).map(lambda k: k / 100),
        st.integers(-2, 2).map(float),
        st.floats(-9.99, 9.99).map(lambda x: round(x, 7)),
    ]
    row = st.sampled_from(kinds).flatmap(
        lambda kind: st.lists(kind, min_size=6, max_size=6).map(tuple)
    )
    return st.one_of(row.map(lambda one: [one] * n), st.lists(row, min_size=n, max_size=n))


FILM = FilmTruths(
    "transformer_block", work, FACTS, STAGES, lambda name: those_taken(name, EXAMPLES), drawn
)

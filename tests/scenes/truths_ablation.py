"""The truths of the film `ablation`.

Random numbers are NumPy's, and drawn again by `truths_transformer_block`; what the layers make of
them is worked out here, for all choices of heads that are off, and for many models, at once.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    named,
    spelled,
    those_taken,
)
from tests.scenes.truths_transformer_block import (
    PRIMER_SEED,
    PRINTED_ROWS,
    WIDTH,
    WORDS,
    drawn_rows,
    drawn_weights,
)

Floats = NDArray[np.float64]
Head = tuple[int, int]

D_FF, N_LAYERS, N_MODELS = 8, 2, 3000
SAME, SEEN = 1e-9, 1e-3
"""What differs by less is the same, and what differs by less is not seen."""
_PARTS = ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2")


# Layers


def trials(n_heads: int) -> NDArray[np.bool_]:
    """Which heads are on: all, each but one of them, and none; (2 + L h, L, h)."""
    n = N_LAYERS * n_heads
    on = np.concatenate([np.ones((1, n)), 1 - np.eye(n), np.zeros((1, n))])
    return on.astype(bool).reshape(-1, N_LAYERS, n_heads)


def softmax(scores: Floats) -> Floats:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def run(x: Floats, layers: list[dict[str, Floats]], u: Floats, on: Any) -> dict[str, Floats]:
    """All that the layers make of rows (.., T, d); `on` is (.., L, h), all may broadcast.

    `streams` (.., L + 1, T, d), `patterns` (.., L, h, T, T), `written` (.., L, T, d), `blends`
    (.., L, T, d), `logits` and `shares` (.., V).
    """
    on = np.asarray(on, dtype=bool)
    n, (*_, n_heads) = x.shape[-2], on.shape
    width = WIDTH // n_heads
    x = np.broadcast_to(x, (*np.broadcast_shapes(x.shape[:-2], on.shape[:-2]), n, WIDTH))
    later = np.triu(np.ones((n, n), dtype=bool), 1)
    streams = [x]
    found: dict[str, list[Floats]] = {"patterns": [], "blends": [], "written": []}
    for k, layer in enumerate(layers):
        q, key, v = (x @ layer[name] for name in _PARTS[:3])
        patterns, blends = [], []
        for head in range(n_heads):
            cut = slice(head * width, (head + 1) * width)
            scores = q[..., cut] @ np.swapaxes(key[..., cut], -1, -2) / math.sqrt(width)
            patterns.append(softmax(np.where(later, -np.inf, scores)))
            blends.append(patterns[-1] @ v[..., cut])
        joined = np.concatenate(blends, axis=-1)
        there = np.repeat(on[..., k, :], width, axis=-1)[..., None, :]
        written = (joined * there) @ layer["w_o"]
        middle = x + written
        x = middle + np.maximum(middle @ layer["w_1"], 0.0) @ layer["w_2"]
        streams.append(x)
        found["patterns"].append(np.stack(patterns, axis=-3))
        found["blends"].append(joined)
        found["written"].append(written)
    logits = x[..., -1:, :] @ u
    return {
        "streams": np.stack(streams, axis=-3),
        "patterns": np.stack(found["patterns"], axis=-4),
        "blends": np.stack(found["blends"], axis=-3),
        "written": np.stack(found["written"], axis=-3),
        "logits": logits[..., 0, :],
        "shares": softmax(logits[..., 0, :]),
    }


def apart(p: Floats, q: Floats) -> Floats:
    """How much of p has to move to make q of it."""
    return np.asarray(np.maximum(p - q, 0.0).sum(axis=-1))


def busyness(patterns: Floats) -> Floats:
    """How much of the attention of a row must move to spread it evenly, on average but the first.

    Takes (.., T, T) and gives (..).
    """
    n = patterns.shape[-1]
    rows = [apart(patterns[..., m, : m + 1], np.full(m + 1, 1 / (m + 1))) for m in range(1, n)]
    return np.asarray(sum(rows) / (n - 1))


# The model of a film


class Heads:
    """Two layers over a text, with all heads on, with each one off, and with all of them off."""

    def __init__(self, text: str, given: Any, seed: int | None, n_heads: int) -> None:
        self.tokens, self.n_heads = text.split(), n_heads
        self.n, self.last, self.seed = len(self.tokens), len(self.tokens) - 1, seed
        self.d_head, self.n_in_all = WIDTH // n_heads, N_LAYERS * n_heads
        self.heads: list[Head] = list(np.ndindex(N_LAYERS, n_heads))
        layers, u = drawn_weights(PRIMER_SEED if seed is None else seed, D_FF)
        self.layers = [{name: np.array(layer[name]) for name in _PARTS} for layer in layers]
        self.u = np.array(u)
        own = PRINTED_ROWS if seed is None else drawn_rows(self.tokens, seed)
        self.x = np.array(own if given is None else given, dtype=float)

    def named(self, k: int) -> str:
        return named(self.tokens, k)

    @cached_property
    def found(self) -> dict[str, Floats]:
        """All that comes of it, with all heads on first, then each one off, then all of them."""
        return run(self.x, self.layers, self.u, trials(self.n_heads))

    def with_all_on(self, name: str) -> Floats:
        """Something of it with all heads on."""
        return np.asarray(self.found[name][0])

    @property
    def shares(self) -> Floats:
        return self.with_all_on("shares")

    @property
    def shares_off(self) -> Floats:
        """The shares with all heads off."""
        return np.asarray(self.found["shares"][-1])

    def shares_without(self, layer: int, head: int) -> Floats:
        return np.asarray(self.found["shares"][1 + layer * self.n_heads + head])

    @cached_property
    def effects(self) -> Floats:
        """How much moves without each head; (L, h)."""
        moved = apart(self.found["shares"][1:-1], self.shares)
        return np.asarray(moved.reshape(N_LAYERS, self.n_heads))

    @cached_property
    def off_effect(self) -> float:
        return float(apart(self.shares_off, self.shares))

    def patterns_in(self, trial: int) -> Floats:
        """The patterns of all heads in a trial, (L, h, T, T)."""
        return np.asarray(self.found["patterns"][trial])

    @property
    def patterns(self) -> Floats:
        return self.patterns_in(0)

    def trial(self, off: tuple[Head, ...]) -> int:
        """Which trial it is to have these heads off."""
        if len(off) > 1:
            return self.n_in_all + 1
        return 1 + self.heads.index(off[0]) if off else 0

    @cached_property
    def looks(self) -> Floats:
        """How busy each head looks; (L, h)."""
        return busyness(self.patterns)

    @cached_property
    def strongest(self) -> list[Head]:
        """The heads that move most, but for rounding."""
        most = self.effects.max()
        return [head for head in self.heads if self.effects[head] >= most - SAME]

    def left_without(self, head: Head) -> float:
        """The share of the word that comes out with all heads on, without a head."""
        return float(self.shares_without(*head)[int(self.shares.argmax())])

    @cached_property
    def pair(self) -> tuple[Head, Head] | None:
        """Of two heads the busier and the duller, whose silence moves more; both gaps are seen."""
        gaps = {
            (a, b): (self.looks[a] - self.looks[b]) * (self.effects[b] - self.effects[a])
            for a in self.heads
            for b in self.heads
            if self.looks[a] - self.looks[b] >= SEEN and self.effects[b] - self.effects[a] >= SEEN
        }
        return max(gaps, key=gaps.__getitem__) if gaps else None

    def cut_out(self) -> Floats:
        """The logits of a model without head 0 of layer 0, its columns and rows gone."""
        layer, x = self.layers[0], self.x
        rest = range(1, self.n_heads)
        cuts = [slice(head * self.d_head, (head + 1) * self.d_head) for head in rest]
        later = np.triu(np.ones((self.n, self.n), dtype=bool), 1)
        middle = x
        for cut in cuts:
            q, key, v = (x @ layer[name][:, cut] for name in _PARTS[:3])
            scores = np.where(later, -np.inf, q @ key.T / math.sqrt(self.d_head))
            middle = middle + softmax(scores) @ v @ layer["w_o"][cut]
        x = middle + np.maximum(middle @ layer["w_1"], 0.0) @ layer["w_2"]
        on = np.ones((1, self.n_heads))
        return run(x, self.layers[1:], self.u, on)["logits"]


def leaders(shares: Floats) -> list[str]:
    """The words that come out first, but for rounding."""
    return [word for word, p in zip(WORDS, shares, strict=True) if p >= shares.max() - SAME]


def heads_of(inputs: Inputs) -> Heads:
    """The heads that some inputs ask for."""
    return _heads(inputs.text, inputs.resid_pre, inputs.seed, inputs.n_heads)


@lru_cache(maxsize=512)
def _heads(text: str, given: Any, seed: int | None, n_heads: int) -> Heads:
    return Heads(text, given, seed, n_heads)


# How a head is switched off


def _as_if_not_there(heads: Heads) -> bool:
    """Without the first head, its pattern is the same, and all else as if it had been cut out."""
    logits = heads.found["logits"]
    scale = 1 + float(np.abs(logits).max())
    looks_on = bool((heads.patterns_in(1)[0, 0] == heads.patterns[0, 0]).all())
    return looks_on and np.allclose(logits[1], heads.cut_out(), atol=1e-9 * scale)


# A new word


class Exchange:
    """A text and the one in which another word stands at a place."""

    def __init__(self, inputs: Inputs) -> None:
        self.heads = heads = heads_of(inputs)
        self.place = min(inputs.place, heads.last)
        absent = [word for word in WORDS if word not in heads.tokens]
        self.word: str = absent[0] if inputs.word is None else inputs.word
        generator = np.random.default_rng([heads.seed or 0, 2])
        row = np.round(heads.x.std() * generator.standard_normal(WIDTH), 2) + 0.0
        self.x = heads.x.copy()
        self.x[self.place] = row
        self.tokens = list(heads.tokens)
        self.tokens[self.place] = self.word

    def after(self, *, on: bool) -> dict[str, Floats]:
        """What comes of the other text, with all heads on or all of them off."""
        heads = self.heads
        all_heads = np.full((N_LAYERS, heads.n_heads), on)
        return run(self.x, heads.layers, heads.u, all_heads)

    def before(self, *, on: bool) -> Floats:
        """The streams of the text as it was, (L + 1, T, d)."""
        heads = self.heads
        all_heads = np.full((N_LAYERS, heads.n_heads), on)
        return run(heads.x, heads.layers, heads.u, all_heads)["streams"]

    def moves(self, *, on: bool) -> Floats:
        """How far every row moves, (L + 1, T)."""
        added = self.after(on=on)["streams"] - self.before(on=on)
        return np.asarray(np.sqrt((added**2).sum(axis=-1)))


@lru_cache(maxsize=512)
def _exchange(text: str, given: Any, seed: int | None, n_heads: int, place: int, word: Any) -> Any:
    names = {"text": text, "resid_pre": given, "seed": seed, "n_heads": n_heads}
    return Exchange(SimpleNamespace(**names, place=place, word=word))


def exchange_of(inputs: Inputs) -> Exchange:
    i = inputs
    found: Exchange = _exchange(i.text, i.resid_pre, i.seed, i.n_heads, i.place, i.word)
    return found


def _only_its_own(one: Exchange) -> bool:
    """Without attention its own row moves, and no other one."""
    moved = one.moves(on=False)
    return moved[0, one.place] > 0 and not np.delete(moved, one.place, axis=1).any()


def _later_ones_alone(one: Exchange) -> bool:
    """No row before it moves; those after it do if they look at it visibly."""
    place, moved = one.place, one.moves(on=True)
    seen = (one.heads.patterns[..., place] > SEEN).any(axis=(0, 1))  # (T,)
    after = np.arange(one.heads.n) > place
    return not moved[:, :place].any() and bool(moved[-1, seen & after].all())


# Looks

PICKED_TEXT = "the cat sat on"


@lru_cache(maxsize=1)
def _many_weights() -> tuple[list[dict[str, Floats]], Floats]:
    """The weights of all models, (N, 1, .., ..) each."""
    drawn = [drawn_weights(seed, D_FF) for seed in range(N_MODELS)]
    layers = [
        {name: np.array([one[k][name] for one, _ in drawn])[:, None] for name in _PARTS}
        for k in range(N_LAYERS)
    ]
    return layers, np.array([u for _, u in drawn])[:, None]


@lru_cache(maxsize=64)
def many_agree(tokens: tuple[str, ...], n_heads: int) -> NDArray[np.bool_]:
    """In which models over a text the head that looks busiest is the one that moves most; (N,)."""
    layers, u = _many_weights()
    x = np.array([drawn_rows(tokens, seed) for seed in range(N_MODELS)])[:, None]
    found = run(x, layers, u, trials(n_heads))
    looks = busyness(found["patterns"][:, 0]).reshape(N_MODELS, -1)
    effects = apart(found["shares"][:, 1:-1], found["shares"][:, :1])
    return np.asarray(looks.argmax(axis=1) == effects.argmax(axis=1))


def n_agree(heads: Heads) -> int:
    return int(many_agree(tuple(heads.tokens), heads.n_heads).sum())


def by_chance(heads: Heads) -> float:
    """How many it would be on average if the busiest head were any of them."""
    return N_MODELS / heads.n_in_all


def _difference_is_real(heads: Heads) -> bool:
    """Whether chance hardly ever strays so far."""
    chance = 1 / heads.n_in_all
    spread = math.sqrt(N_MODELS * chance * (1 - chance))
    return abs(n_agree(heads) - by_chance(heads)) / spread >= 3


def _busiest(heads: Heads) -> list[Head]:
    return [head for head in heads.heads if heads.looks[head] >= heads.looks.max() - SAME]


def _goes(heads: Heads) -> Variant:
    """Whether the word of the end stays without the strongest head, gains or loses."""
    more = heads.left_without(heads.strongest[0]) - float(heads.shares.max())
    return Variant(0 if abs(more) < SEEN / 2 else 1 if more > 0 else 2)


def _row_looks(heads: Heads) -> list[float]:
    """How much of the last row of the busiest head must move to make it even."""
    even = np.full(heads.n, 1 / heads.n)
    return [float(apart(heads.patterns[head][-1], even)) for head in _busiest(heads)]


FACTS = {
    "line": lambda heads: " ".join(heads.tokens),
    "predicted": lambda heads: set(leaders(heads.shares)),
    "layers_said": lambda heads: spelled(N_LAYERS),
    "heads_said": lambda heads: spelled(heads.n_heads),
    "first_effect": lambda heads: float(heads.effects[0, 0]),
    "most": lambda heads: float(heads.effects.max()),
    "goes": _goes,
    "strongest_share": lambda heads: [heads.left_without(head) for head in heads.strongest],
    "off_effect": lambda heads: heads.off_effect,
}
STAGES = {
    "silence": Truths(
        claims={"caption": _as_if_not_there},
        needs={0: lambda heads: len(leaders(heads.shares)) == 1},
    ),
    "one_by_one": Truths(needs={0: lambda heads: len(leaders(heads.shares)) == 1}),
    "isolation": Truths(
        world=exchange_of,
        facts={
            "old": lambda one: one.heads.named(one.place),
            "word": lambda one: one.word,
        },
        choices={"exchange_on": lambda one: one.place != one.heads.last},
        claims={
            "exchange_alone": _only_its_own,
            "exchange_on": _later_ones_alone,
            "caption": _only_its_own,
        },
        needs={0: lambda one: bool(one.moves(on=False)[0, one.place] > 0)},
    ),
    "looks": Truths(
        facts={
            "which": lambda heads: Variant(heads.pair is not None),
            "busy_row_looks": _row_looks,
            "busiest_effect": lambda heads: [float(heads.effects[k]) for k in _busiest(heads)],
            "misleading_pair.busy_effect": lambda heads: float(heads.effects[heads.pair[0]]),
            "misleading_pair.dull_effect": lambda heads: float(heads.effects[heads.pair[1]]),
            "many.n_models": lambda heads: N_MODELS,
            "many.n_agree": n_agree,
            "many.share": lambda heads: n_agree(heads) / N_MODELS,
            "many.chance": lambda heads: 1 / heads.n_in_all,
        },
        choices={
            "rise": lambda heads: heads.pair is not None,
            "against_chance": lambda heads: not _difference_is_real(heads),
        },
        claims={
            "against_chance": lambda heads: (
                abs(n_agree(heads) / N_MODELS - 1 / heads.n_in_all) < 0.1
            ),
        },
        needs={0: lambda heads: bool(np.ptp(heads.looks) >= SEEN)},
    ),
}

Row = tuple[float, ...]

ISOLATION, LOOKS = "ablation.isolation", "ablation.looks"

_OWN: tuple[Row, ...] = tuple(map(tuple, PRINTED_ROWS))
_NONE: Row = (0.0,) * 6
_LOUD: tuple[Row, ...] = ((9.99, -9.99) * 3, (-9.99,) * 6, (9.99,) * 6)
_FAINT: tuple[Row, ...] = (
    _NONE,
    (0.0, 9.0, -9.0, -9.0, -9.0, 9.0),
    (-9.0, -9.0, 0.0, -9.0, 9.0, 0.0),
)

_ANY: list[dict[str, Any]] = [
    {},
    {"n_heads": 3},
    {"text": "dog sat dog"},
    *({"seed": seed, "n_heads": 2 + seed % 2} for seed in range(4)),
    {"text": "a b a b a", "seed": 2**32 - 1, "n_heads": 3},
    {"text": "the dog sat the", "resid_pre": (*_OWN, _OWN[0])},
    *({"resid_pre": _LOUD, "seed": seed} for seed in (0, 1, 3, 6, 13)),
    *({"resid_pre": _LOUD[::-1], "seed": seed} for seed in (0, 3)),
    {"resid_pre": (*_OWN[:2], _NONE)},
    {"resid_pre": (_NONE,) * 3},
]
_EXCHANGED: list[dict[str, Any]] = [
    *({"place": place} for place in range(4)),
    {"text": "dog sat dog", "place": 2, "word": "dog"},
    {"text": "dog sat dog", "place": 2, "word": "the"},
    *(
        {"text": "a b a b a", "seed": 5, "n_heads": 2 + place % 2, "place": place, "word": "zebra"}
        for place in range(5)
    ),
    {"resid_pre": _LOUD, "seed": 25},
    {"resid_pre": _LOUD, "seed": 3, "place": 0},
]
_LOOKED_AT: list[dict[str, Any]] = [
    {},
    {"resid_pre": _FAINT, "text": "a a b", "seed": None},
    *({"n_heads": n, "seed": seed} for n in (2, 3) for seed in (0, 1)),
    *({"text": text, "n_heads": 2, "seed": s} for text in ("a a b", "a a a") for s in range(3)),
    {"text": "a a b", "n_heads": 2, "seed": 33},
]
EXAMPLES = {
    "ablation.silence": _ANY,
    "ablation.one_by_one": _ANY,
    ISOLATION: _EXCHANGED,
    LOOKS: _LOOKED_AT,
}
"""Repeats, nothing but 0, numbers that are so large that nearly all attention is at one place."""


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    return those_taken(name, EXAMPLES[name])


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    return _given(name).map(lambda given: legal(find_stage(name).Inputs, given))


@st.composite
def _given(draw: Any, name: str) -> dict[str, Any]:
    """A text, and perhaps rows and a seed; of few texts where many models are tried over each."""
    if name == LOOKS:
        words = draw(st.sampled_from([PICKED_TEXT, "a a b", "a a a"])).split()
    else:
        pool = draw(st.sampled_from([["the", "cat", "sat"], list("abcd"), ["longword", "a", "b"]]))
        words = draw(st.lists(st.sampled_from(pool), min_size=3, max_size=5))
    given: dict[str, Any] = {"text": " ".join(words), "n_heads": draw(st.integers(2, 3))}
    given["seed"] = draw(st.one_of(st.none(), st.integers(0, 2**32 - 1)))
    if draw(st.booleans()) or (given["seed"] is None and len(words) != 3):
        given["resid_pre"] = tuple(draw(_rows(len(words))))
    if name == ISOLATION:
        given["place"] = draw(st.integers(0, len(words) - 1))
        given["word"] = draw(st.sampled_from([None, "zebra", "the"]))
    return given


def _rows(n: int) -> st.SearchStrategy[list[Row]]:
    """Rows that may be equal, of numbers of several kinds."""
    kinds = [
        st.integers(-999, 999).map(lambda k: k / 100),
        st.integers(-100, 100).map(lambda k: k / 100),
        st.integers(-2, 2).map(float),
        st.sampled_from([-9.99, 9.99]),
    ]
    row = st.sampled_from(kinds).flatmap(
        lambda kind: st.lists(kind, min_size=6, max_size=6).map(tuple)
    )
    return st.one_of(row.map(lambda one: [one] * n), st.lists(row, min_size=n, max_size=n))


FILM = FilmTruths(
    "ablation",
    heads_of,
    FACTS,
    STAGES,
    examples,
    drawn,
    lambda name: 25 if name == LOOKS else 60,
)

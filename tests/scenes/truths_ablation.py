"""What every sentence of the film `ablation` asserts, held against formulas of its own.

Nothing that is asserted is asked of `model` or a stage. Random numbers are NumPy's, and drawn again
by `truths_transformer_block`; what the layers make of them is worked out here, for all choices of
heads that are off, and for many models, at once.

In a sentence of the tables, `{name}` stands for what is filled in.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.scenes.old_telling import Check, Inputs, Said, is_share, nothing_to_check, spelled
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
        """A token as a sentence names it."""
        word = self.tokens[k]
        return f"“{word}” at {k}" if self.tokens.count(word) > 1 else f"“{word}”"

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


def told(check: Callable[[Heads, Said], bool]) -> Check:
    """A check; what sentences say in several places is checked here."""

    def holds(inputs: Inputs, said: Said) -> bool:
        heads = heads_of(inputs)
        true = {
            "line": [" ".join(heads.tokens)],
            "predicted": leaders(heads.shares),
            "n_layers": [spelled(N_LAYERS)],
            "n_heads": [spelled(heads.n_heads)],
        }
        known = all(said[name] in texts for name, texts in true.items() if name in said)
        return known and check(heads, said)

    return holds


KNOWN = told(lambda *_: True)
"""A sentence that says no more than sizes, and what comes out."""


def so(check: Callable[[Heads], bool]) -> Check:
    """A check of what is filled in everywhere alone."""
    return told(lambda heads, _: check(heads))


# 1. How a head is switched off


def _as_if_not_there(heads: Heads) -> bool:
    """Without the first head, its pattern is the same, and all else as if it had been cut out."""
    logits = heads.found["logits"]
    scale = 1 + float(np.abs(logits).max())
    looks_on = bool((heads.patterns_in(1)[0, 0] == heads.patterns[0, 0]).all())
    return looks_on and np.allclose(logits[1], heads.cut_out(), atol=1e-9 * scale)


SILENCE: dict[str, Check] = {
    "Which head matters?": nothing_to_check("heading"),
    "What comes after “{line}”?": KNOWN,
    "A model of {n_layers} layers of {n_heads} heads looks back, and says “{predicted}”.": KNOWN,
    "Patterns show where heads look, not what comes of it.": nothing_to_check("definition"),
    "So switch them off, one by one, and see.": nothing_to_check("what is done"),
    "Each head writes what it blends through its own rows of $W_O$.": nothing_to_check(
        "definition"
    ),
    "How does one switch off a head?": nothing_to_check("question"),
    "Set these rows to 0: the head still looks, but nothing of it arrives.": nothing_to_check(
        "what is done"
    ),
    "Cut all of it out, and the same is written: off is as good as gone.": so(_as_if_not_there),
}

# 2. One head off at a time


def _is_amount(text: str, amount: float) -> bool:
    """Whether so much moves; nothing at all may be said too."""
    return is_share(text, amount) or (text == "0.0%" and amount <= SAME)


def _moves(amount: Callable[[Heads], float]) -> Check:
    """So much moves."""
    return told(lambda heads, said: _is_amount(said["effect"], amount(heads)))


def _strongest_leaves(heads: Heads, said: Said) -> bool:
    """So much moves at most, and there goes the word that comes out."""
    usual = float(heads.shares.max())
    ways = {
        "even rises to": lambda left: left > usual,
        "falls to": lambda left: left < usual,
        "stays at": lambda left: abs(left - usual) < SEEN,
    }
    left = [heads.left_without(head) for head in heads.strongest]
    return _is_amount(said["effect"], float(heads.effects.max())) and any(
        _is_amount(said["goes"].removeprefix(f"{way} "), share) and so_far(share)
        for way, so_far in ways.items()
        for share in left
    )


ONE_BY_ONE: dict[str, Check] = {
    "One head off at a time": nothing_to_check("heading"),
    "How far do the probabilities move?": nothing_to_check("question"),
    "With all heads on, “{predicted}” is the most likely next word.": KNOWN,
    "Head 0 of layer 0 goes off. What moves?": nothing_to_check("question"),
    "What some words lose, others gain: {effect} of all probability, the total variation.": _moves(
        lambda heads: float(heads.effects[0, 0])
    ),
    "Every other head in turn, each time with all others on.": nothing_to_check("what is done"),
    "No head moves more: {effect}. Without it “{predicted}” {goes}.": told(_strongest_leaves),
    "And with all of them off?": nothing_to_check("question"),
    "Then {effect} of all probability moves.": _moves(lambda heads: heads.off_effect),
    "A head's effect is what its silence moves, the total variation.": nothing_to_check(
        "definition"
    ),
}

# 3. A new word


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


def exchanged(check: Callable[[Exchange, Said], bool]) -> Check:
    """A check; the words that are exchanged are checked here."""

    def holds(inputs: Inputs, said: Said) -> bool:
        one = exchange_of(inputs)
        heads = one.heads
        true = {
            "old": heads.named(one.place),
            "word": one.word,
        }
        known = all(said[name] == text for name, text in true.items() if name in said)
        return known and check(one, said)

    return holds


NAMED = exchanged(lambda *_: True)
"""A sentence that says no more than which words there are."""


def _only_its_own(one: Exchange, _: Said) -> bool:
    """Without attention its own row moves, and no other one."""
    moved = one.moves(on=False)
    return moved[0, one.place] > 0 and not np.delete(moved, one.place, axis=1).any()


def _later_ones_alone(one: Exchange, _: Said) -> bool:
    """No row before it moves; there are some after it, which do if they look at it visibly."""
    if one.place == one.heads.last:
        return False
    place, moved = one.place, one.moves(on=True)
    seen = (one.heads.patterns[..., place] > SEEN).any(axis=(0, 1))  # (T,)
    after = np.arange(one.heads.n) > place
    return not moved[:, :place].any() and bool(moved[-1, seen & after].all())


ISOLATION: dict[str, Check] = {
    "Which rows notice a new word?": nothing_to_check("heading"),
    "First with all heads off, then all on.": nothing_to_check("what is done"),
    "Every head is off: each row goes up alone, and only MLPs change it.": nothing_to_check(
        "definition"
    ),
    "{old} becomes “{word}”. Which rows will move?": NAMED,
    "Its own, by this distance. In the other rows, not a single digit moves.": exchanged(
        _only_its_own
    ),
    "Back to {old}, all heads on. For each head, a thread shows how much a row looks at {whom}.": (
        exchanged(lambda _, said: said["old"] == said["whom"])
    ),
    "The same exchange. Which rows move now?": nothing_to_check("question"),
    "Now rows after it can move too: tokens look back, never ahead.": exchanged(_later_ones_alone),
    "Again its own alone: no token comes after it, and tokens look back, never ahead.": exchanged(
        lambda one, _: one.place == one.heads.last and not one.moves(on=True)[:, : one.place].any()
    ),
    "Attention is the only way from token to token.": exchanged(_only_its_own),
}

# 4. Looks

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


def _counted(*, real: bool) -> Check:
    """So many agree. A small difference is real if chance hardly ever strays so far."""

    def holds(heads: Heads, said: Said) -> bool:
        n, chance = n_agree(heads), 1 / heads.n_in_all
        far = abs(n - by_chance(heads)) / math.sqrt(N_MODELS * chance * (1 - chance))
        shares = is_share(said["share"], n / N_MODELS) and is_share(said["chance"], chance)
        is_small = abs(n / N_MODELS - chance) < 0.1
        return said["n"] == f"{n:,}" and shares and (far >= 3) == real and is_small

    return told(holds)


def _row_moves(heads: Heads, said: Said) -> bool:
    """So much of the last row of the busiest head must move to make it even."""
    busiest = [head for head in heads.heads if heads.looks[head] >= heads.looks.max() - SAME]
    even = np.full(heads.n, 1 / heads.n)
    amounts = [float(apart(heads.patterns[head][-1], even)) for head in busiest]
    return any(is_share(said["amount"], amount) for amount in amounts)


def _busiest_moves(heads: Heads, said: Said) -> bool:
    """No pair misleads, and so much is moved by the busiest head, or by one that looks like it."""
    busiest = [head for head in heads.heads if heads.looks[head] >= heads.looks.max() - SAME]
    moved = [float(heads.effects[head]) for head in busiest]
    return heads.pair is None and any(_is_amount(said["effect"], one) for one in moved)


def _pair_moves(heads: Heads, said: Said) -> bool:
    """So much is moved by the two heads, of which the busier moves less."""
    if heads.pair is None:
        return False
    busy, dull = (float(heads.effects[head]) for head in heads.pair)
    return _is_amount(said["busy"], busy) and is_share(said["dull"], dull)


LOOKS: dict[str, Check] = {
    "Do busy heads matter more?": nothing_to_check("heading"),
    "A model in which looks mislead.": so(lambda heads: heads.pair is not None),
    "A model in which looks do not mislead.": so(lambda heads: heads.pair is None),
    "A busy row is uneven: to even out this one, {amount} must move.": told(_row_moves),
    "A head is as busy as its rows are on average, all but the first.": nothing_to_check(
        "definition"
    ),
    "Does a busier head always change more?": nothing_to_check("question"),
    "In this model, no busier head changes clearly less: the busiest moves {effect}.": told(
        _busiest_moves
    ),
    "Of these two, the busier one moves {busy}, the duller one {dull}.": told(_pair_moves),
    "In {n} random models: does the busiest head change most?": told(
        lambda _, said: said["n"] == f"{N_MODELS:,}"
    ),
    "In {n} it does: {share}, against {chance} for a random pick. A small difference, but "
    "real.": _counted(real=True),
    "In {n} it does: {share}, against {chance} for a random pick. Too close to tell them apart.": (
        _counted(real=False)
    ),
    "Where a head looks is not what it does. Silencing it tells more, though another head may step "
    "in.": nothing_to_check("definition"),
}

TRUTHS: dict[str, dict[str, Check]] = {
    "ablation.silence": SILENCE,
    "ablation.one_by_one": ONE_BY_ONE,
    "ablation.isolation": ISOLATION,
    "ablation.looks": LOOKS,
}
"""All that is said and written, stage by stage."""

_ONE_FIRST = {
    "one word is more likely than all others": (
        lambda inputs: len(leaders(heads_of(inputs).shares)) == 1
    ),
}
CLAIMS: dict[str, dict[str, Callable[[Inputs], bool]]] = {
    "ablation.silence": _ONE_FIRST,
    "ablation.one_by_one": _ONE_FIRST,
    "ablation.looks": {
        "some heads look busier than others": (
            lambda inputs: bool(np.ptp(heads_of(inputs).looks) >= SEEN)
        ),
    },
}
"""What stages ask of their inputs, and when it is so."""

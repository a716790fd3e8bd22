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

from tests.scenes.telling import Check, Inputs, Said, is_share, nothing_to_check, spelled
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

D_FF, N_LAYERS, N_MODELS = 8, 2, 200
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

    @cached_property
    def pair(self) -> tuple[Head, Head] | None:
        """Of two heads the busier and the duller, whose silence moves more; both gaps are wide."""
        gaps = {
            (a, b): (self.looks[a] - self.looks[b]) * (self.effects[b] - self.effects[a])
            for a in self.heads
            for b in self.heads
            if self.looks[a] - self.looks[b] > SAME and self.effects[b] - self.effects[a] > SAME
        }
        return max(gaps, key=gaps.__getitem__) if gaps else None

    @property
    def misleads(self) -> bool:
        """Whether both gaps of this pair can be seen."""
        if self.pair is None:
            return False
        busy, dull = self.pair
        gaps = self.looks[busy] - self.looks[dull], self.effects[dull] - self.effects[busy]
        return bool(min(gaps) >= SEEN)

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
            "n_said": [spelled(heads.n_in_all)],
            "n_layers": [spelled(N_LAYERS)],
            "n_heads": [spelled(heads.n_heads)],
            "asker": [heads.named(heads.last)],
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
    "A small transformer reads “{line}”. What comes next?": KNOWN,
    "Its {n_layers} layers of {n_heads} heads look back, and it says “{predicted}”.": KNOWN,
    "Patterns show where heads look, not what comes of it.": nothing_to_check("definition"),
    "Which of these {n_said} heads changes the next word most?": KNOWN,
    "So switch them off, one by one, and see.": nothing_to_check("what is done"),
    "Each head writes what it blends through its own rows of $W_O$.": nothing_to_check(
        "definition"
    ),
    "How does one switch off a head?": nothing_to_check("question"),
    "Set these rows to 0: the head still looks, but nothing of it arrives.": nothing_to_check(
        "what is done"
    ),
    "Cut out its blends and rows, too: the same is written. Off is as good as gone.": so(
        _as_if_not_there
    ),
}

# 2. One head off at a time


def _first_moves(heads: Heads, said: Said) -> bool:
    effect = float(heads.effects[0, 0])
    return effect > SAME and is_share(said["effect"], effect)


def _alone_strongest(heads: Heads, said: Said) -> bool:
    """This head alone moves most, so much."""
    layer, head = heads.strongest[0]
    return (
        len(heads.strongest) == 1
        and heads.effects.max() > SAME
        and [said["head"], said["layer"]] == [str(head), str(layer)]
        and is_share(said["most"], float(heads.effects.max()))
    )


def _gain(heads: Heads) -> float:
    """What the word that comes out gains without the strongest head."""
    k = int(heads.shares.argmax())
    return float(heads.shares_without(*heads.strongest[0])[k] - heads.shares[k])


def _stays_first(heads: Heads) -> bool:
    without = heads.shares_without(*heads.strongest[0])
    return bool(set(leaders(heads.shares)) & set(leaders(without)))


def _several_strongest(heads: Heads, said: Said) -> bool:
    return (
        len(heads.strongest) > 1
        and heads.effects.max() > SAME
        and is_share(said["most"], float(heads.effects.max()))
    )


def _off_moves(heads: Heads, said: Said) -> bool:
    return heads.off_effect > SAME and is_share(said["effect"], heads.off_effect)


_MOST = "Most moves without head {head} of layer {layer}: {most}"
ONE_BY_ONE: dict[str, Check] = {
    "One head off at a time": nothing_to_check("heading"),
    "How far does that move the probabilities of the next word?": nothing_to_check("question"),
    "With all heads on, “{predicted}” has a probability of {share}.": told(
        lambda heads, said: is_share(said["share"], float(heads.shares.max()))
    ),
    "Head 0 of layer 0 goes off. What moves?": nothing_to_check("question"),
    "Some words lose, others gain: {effect} of all probability moves, the total variation.": told(
        _first_moves
    ),
    "Hardly anything moves: less than a billionth of all probability.": so(
        lambda heads: float(heads.effects[0, 0]) <= SAME
    ),
    "Every other head in turn, each time with all others on.": nothing_to_check("what is done"),
    "No head moves as much as a billionth here, switched off on its own.": so(
        lambda heads: bool(heads.effects.max() <= SAME)
    ),
    "Several heads move the most, and to nine digits equally much: {most}.": told(
        _several_strongest
    ),
    _MOST + ", and “{instead}” comes out.": told(
        lambda heads, said: (
            _alone_strongest(heads, said)
            and said["instead"] in leaders(heads.shares_without(*heads.strongest[0]))
            and said["instead"] not in leaders(heads.shares)
        )
    ),
    _MOST + ". “{predicted}” even gains by it.": told(
        lambda heads, said: (
            _alone_strongest(heads, said) and _stays_first(heads) and _gain(heads) > 0
        )
    ),
    _MOST + ". Yet “{predicted}” still comes out first.": told(
        lambda heads, said: (
            _alone_strongest(heads, said) and _stays_first(heads) and _gain(heads) <= 2 * SAME
        )
    ),
    "And with all of them off?": nothing_to_check("question"),
    "“{predicted}” comes out as before: less than a billionth of all probability moves.": so(
        lambda heads: heads.off_effect <= SAME
    ),
    "Then no word comes out ahead, and {effect} of all probability moves.": told(
        lambda heads, said: _off_moves(heads, said) and len(leaders(heads.shares_off)) > 1
    ),
    "“{predicted}” still comes out; {effect} of all probability moves.": told(
        lambda heads, said: (
            _off_moves(heads, said) and said["predicted"] in leaders(heads.shares_off)
        )
    ),
    "Then “{word}” comes out, and {effect} of all probability moves.": told(
        lambda heads, said: (
            _off_moves(heads, said)
            and leaders(heads.shares_off) == [said["word"]]
            and said["word"] not in leaders(heads.shares)
        )
    ),
    "A head's effect is what its silence moves, the total variation.": nothing_to_check(
        "definition"
    ),
}

# 3. A new word


class Exchange:
    """A text and the one in which another word stands at a place."""

    def __init__(self, inputs: Inputs) -> None:
        self.heads = heads = heads_of(inputs)
        self.place = inputs.place
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

    def reached(self) -> tuple[list[int], list[int]]:
        """The tokens after it whose last rows move for sure, and those that do but for rounding."""
        moved = self.moves(on=True)[-1]
        scale = float(np.abs(self.before(on=True)).max()) + 1
        after = range(self.place + 1, self.heads.n)
        sure = [k for k in after if moved[k] > 1e-12 * scale]
        return sure, [k for k in after if moved[k] > 0]


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
            "asker": heads.named(heads.last),
            "last": heads.named(heads.last),
            "first": heads.named(0),
            "after": spelled(heads.n - one.place - 1),
            "before": spelled(one.place),
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


def _all_after(n_before: int | None, n_after: int | None) -> Check:
    """All after it move and none before it; so many stand before and after it, None for several."""

    def holds(one: Exchange, _: Said) -> bool:
        before, after = one.place, one.heads.n - one.place - 1
        sizes = (before, n_before), (after, n_after)
        fits = all(n > 1 if due is None else n == due for n, due in sizes)
        moved = one.moves(on=True)
        return fits and len(one.reached()[1]) == after and not moved[:, :before].any()

    return exchanged(holds)


def _some_after(one: Exchange, said: Said) -> bool:
    sure, perhaps = one.reached()
    n = [spelled(k) for k in range(len(sure), len(perhaps) + 1) if 0 < k < one.heads.n]
    return said["n"] in n and said["after"] != said["n"]


_SOME = "Its own, and {n} of the {after} after it: "
_LOOK_BACK = "Its own, and the {after} after it, which look back; "
ISOLATION: dict[str, Check] = {
    "Which rows notice a new word?": nothing_to_check("heading"),
    "First with every head switched off, then with all of them on.": nothing_to_check(
        "what is done"
    ),
    "Every head is off: each row goes up alone, and only MLPs change it.": nothing_to_check(
        "definition"
    ),
    "{old} becomes “{word}”. Which rows will move?": NAMED,
    "Its own. In the rows of the others, not a single digit moves.": exchanged(_only_its_own),
    "Back to {old}, and every head on: the threads show how much each token looks at it.": NAMED,
    "The same exchange. Which rows move now?": nothing_to_check("question"),
    "Again only its own: no token stands after it, and those before it cannot look ahead.": (
        exchanged(lambda one, _: one.place == one.heads.last and one.place > 0)
    ),
    "Again only its own: those after it look back so faintly that no digit moves.": exchanged(
        lambda one, _: one.place < one.heads.last and not one.reached()[0]
    ),
    _SOME + "wherever attention brings enough to move a digit.": exchanged(_some_after),
    "All of them: it stands first, so every other token can look back at it.": exchanged(
        lambda one, _: one.place == 0 and len(one.reached()[1]) == one.heads.last
    ),
    "Its own, and {last}, which looks back; {first} cannot look ahead.": _all_after(1, 1),
    "Its own, and {last}, which looks back; the {before} before it cannot look ahead.": (
        _all_after(None, 1)
    ),
    _LOOK_BACK + "{first} cannot look ahead.": _all_after(1, None),
    _LOOK_BACK + "the {before} before it cannot look ahead.": _all_after(None, None),
    "Without attention, the next word would depend on {asker} alone.": NAMED,
    "Attention is the only way from token to token.": exchanged(_only_its_own),
}

# 4. Looks

PICKED_SEED, PICKED_TEXT, PICKED_HEADS = 749, "the cat sat on", 3


def is_picked(heads: Heads) -> bool:
    """Whether these are the weights and the rows that were picked."""
    other = _heads(PICKED_TEXT, None, PICKED_SEED, PICKED_HEADS)
    weights = all(
        (a[k] == b[k]).all()
        for a, b in zip(heads.layers, other.layers, strict=True)
        for k in _PARTS
    )
    same_rows = heads.x.shape == other.x.shape and (heads.x == other.x).all()
    return bool(heads.n_heads == PICKED_HEADS and weights and same_rows)


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


def by_chance(heads: Heads) -> tuple[float, float]:
    """How many it would be by drawing lots, and how far that strays."""
    mean = N_MODELS / heads.n_in_all
    return mean, math.sqrt(mean * (1 - 1 / heads.n_in_all))


def _counted(fits: Callable[[float], bool]) -> Check:
    """So many agree, which is so many standard deviations more than by drawing lots."""

    def holds(heads: Heads, said: Said) -> bool:
        n, (mean, spread) = n_agree(heads), by_chance(heads)
        true = {
            "n": str(n),
            "chance": str(round(mean)),
            "spread": str(round(spread)),
            "other": str(N_MODELS - n),
        }
        known = all(said[name] == text for name, text in true.items())
        return known and fits((n - mean) / spread)

    return told(holds)


def _pair_moves(*, busiest_is_strongest: bool) -> Check:
    """So much is moved by the two heads, of which the busier moves less."""

    def holds(heads: Heads, said: Said) -> bool:
        if heads.pair is None:
            return False
        busiest = [head for head in heads.heads if heads.looks[head] >= heads.looks.max() - SAME]
        among = [head in heads.strongest for head in busiest]
        answers = any(among) if busiest_is_strongest else not all(among)
        moved = [float(heads.effects[head]) for head in heads.pair]
        busy = is_share(said["busy"], moved[0]) if moved[0] > SAME else said["busy"] == "hardly any"
        return answers and busy and is_share(said["dull"], moved[1])

    return told(holds)


_OF_THESE = " these two, the busier moves {busy} of the probability, the duller {dull}."
_BUSY = "How busy a head looks: what must move to make a row even, "
_LOT = " one of {n_said} drawn by lot, {chance} ± {spread}. In {other} it is another."
LOOKS: dict[str, Check] = {
    "Do busy heads matter more?": nothing_to_check("heading"),
    "A model drawn at random, and picked among many because its looks mislead.": so(is_picked),
    "One small model. Do its patterns tell which of its heads matters most?": so(
        lambda heads: not is_picked(heads)
    ),
    _BUSY + "on average over all but the first.": nothing_to_check("definition"),
    "Does its busiest head make the most difference?": nothing_to_check("question"),
    "Yes. But of" + _OF_THESE: _pair_moves(busiest_is_strongest=True),
    "No. Of" + _OF_THESE: _pair_moves(busiest_is_strongest=False),
    "One model is no proof: in how many of {n} does the busiest change most?": told(
        lambda _, said: said["n"] == str(N_MODELS)
    ),
    "In {n}, more often than" + _LOT: _counted(lambda far: far > 2),
    "In {n}, at best a little more often than" + _LOT: _counted(lambda far: 0 < far <= 2),
    "In {n}, no more often than" + _LOT: _counted(lambda far: far <= 0),
    "The pattern says what a head looks at; only switching it off says what it does.": (
        nothing_to_check("definition")
    ),
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
        "there are two heads of which the one that looks busier changes less": (
            lambda inputs: heads_of(inputs).misleads
        ),
    },
}
"""What stages ask of their inputs, and when it is so."""

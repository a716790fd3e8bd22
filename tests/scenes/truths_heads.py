"""The truths of the stages `heads`, by loops over patterns that are given.

The patterns are those of the small transformer, which `tests/model/trained` tests, or of `FILES`.
What heads look at, where they show most and what ours would do is written here once more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, get_args

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from clockhead.model.heads.patterns import AttentionPatterns, attention_patterns
from clockhead.model.trained.transformer import trained_patterns
from clockhead.scenes.stage import StageInputs, find_stage
from clockhead.scenes.trained.inputs import Moment
from clockhead.storyboard.data_files import drawable_label
from tests.scenes.legal import drawn_inputs
from tests.scenes.telling import FilmTruths, Inputs, Truths, named, those_taken

Table = NDArray[np.float64]
PLACES = ("previous", "induction", "duplicate", "first", "own")
GPT = ("Ġthe", "Ġcat", "Ċ", "Ġattention", "ing", "Ġ", "Ã©", "Ġof", "Ġtransform", "er", "Ġ12", ".")
SENTENCE_PIECE = ("▁the", "▁cat", "<0x0A>", "ing", "▁transformer", "s", "▁", "é", "ש", "▁of")


def made_up(
    n_layers: int,
    n_heads: int,
    n_tokens: int,
    *,
    words: tuple[str, ...] = GPT,
    period: int | None = None,
    causal: bool = True,
    has_scores: bool = False,
    seed: int = 0,
) -> AttentionPatterns:
    """Patterns of heads of all kinds over a text that repeats itself, as they are read."""
    random, places = np.random.default_rng(seed), np.arange(n_tokens)
    ids = random.integers(0, len(words), n_tokens)
    if period:
        ids = ids[places % period]
    same = (ids[:, None] == ids[None]) & (places[:, None] > places[None])
    after = np.zeros_like(same)
    after[:, 1:] = same[:, :-1]
    aims = [places[:, None] - 1 == places, after, same, places[None] == 0 * same, np.eye(n_tokens)]
    found = np.zeros((n_layers, n_heads, n_tokens, n_tokens))
    every = np.zeros_like(found)
    for at in np.ndindex(n_layers, n_heads):
        scores = random.normal(size=(n_tokens, n_tokens)) * 1.2
        if (kind := int(random.integers(0, 7))) < len(aims):
            scores = scores + random.uniform(3, 8) * aims[kind]
        if causal:
            scores = np.where(places[:, None] >= places[None], scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        found[at], every[at] = weights / weights.sum(axis=1, keepdims=True), scores
    tokens = [words[k] for k in ids]
    patterns = attention_patterns(tokens, found, scores=every if has_scores else None)
    return replace(patterns, labels=tuple(map(drawable_label, patterns.labels)))


FILES = {
    "large.npz": made_up(12, 12, 64, period=24, has_scores=True),
    "smallest.npz": made_up(1, 1, 2, seed=1),
    "looks_ahead.npz": made_up(
        2, 3, 40, words=SENTENCE_PIECE, causal=False, period=15, has_scores=True
    ),
    "many.npz": made_up(24, 12, 20, period=7, seed=4),
    "long.npz": made_up(1, 2, 300, period=140, seed=5),
    "no_repeats.npz": made_up(3, 2, 12, words=tuple("abcdefghijkl"), seed=6),
}
"""Files of the user's, by their names."""


class World:
    """Patterns that are given, and what heads do in them."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        seen = FILES[inputs.data] if inputs.data else trained_patterns(inputs.text, inputs.moment)
        self.tokens = seen.tokens
        self.labels = [label.replace("ש", r"\u05e9") for label in seen.labels]  # no glyph
        self.patterns, self.scores = seen.patterns, seen.scores
        self.n_layers, self.n_heads, self.n, _ = self.patterns.shape
        self.heads = [(i, j) for i in range(self.n_layers) for j in range(self.n_heads)]
        self.causal = not any(self.patterns[:, :, m, m + 1 :].any() for m in range(self.n))
        self.aims = {place: self._aim(place) for place in PLACES}
        self.has_repeats = bool(self.aims["induction"].any())

    def _aim(self, place: str) -> Table:
        """1 where a row would look."""
        found = np.zeros((self.n, self.n))
        for m in range(self.n):
            for k in range(m):
                if self.tokens[k] == self.tokens[m]:
                    found[m, k] = place == "duplicate" or found[m, k]
                    found[m, k + 1] = place == "induction" or found[m, k + 1]
            if place == "previous" and m:
                found[m, m - 1] = 1
            if place == "first":
                found[m, 0] = 1
            if place == "own":
                found[m, m] = 1
        return found

    def look(self, weights: Table, place: str) -> float:
        """Mean attention on a place, over the rows that have it but the first."""
        rows = [m for m in range(1, self.n) if self.aims[place][m].any()]
        return sum(float(weights[m] @ self.aims[place][m]) for m in rows) / max(1, len(rows))

    @lru_cache(maxsize=1)  # noqa: B019
    def looks(self) -> dict[tuple[int, int], list[float]]:
        """What every head gives to each place."""
        return {h: [self.look(self.patterns[h], place) for place in PLACES] for h in self.heads}

    def kind(self, head: tuple[int, int]) -> str:
        shares = self.looks()[head]
        return PLACES[shares.index(max(shares))] if max(shares) >= 0.4 else "mixed"

    def of_kind(self, kind: str) -> list[tuple[int, int]]:
        """The heads of a kind, the clearest first."""
        found = [head for head in self.heads if self.kind(head) == kind]
        return sorted(found, key=lambda head: (-max(self.looks()[head]), head))

    def clearest(self, kind: str) -> str:
        found = self.of_kind(kind)
        return f"{found[0][0]}.{found[0][1]}" if found else ""

    def clearest_share(self, kind: str) -> float:
        found = self.of_kind(kind)
        return max(self.looks()[found[0]]) if found else 0.0

    def score(self, head: tuple[int, int], place: str) -> float:
        """TransformerLens' score: the share of all attention that lies on the place."""
        kept = np.ones((self.n, self.n))
        if self.inputs.exclude_first:
            kept[:, 0] = 0
        if self.inputs.exclude_own:
            kept -= kept * np.eye(self.n)
        weights = self.patterns[head] * kept
        total = weights.sum()
        return float((weights * self.aims[place]).sum() / total) if total else 0.0

    def best(self, place: str) -> tuple[float, int, int]:
        """The largest score, and the layer and number of the head that has it."""
        scores = [self.score(head, place) for head in self.heads]
        layer, head = self.heads[scores.index(max(scores))]
        return max(scores), layer, head

    # One head

    @property
    def head(self) -> tuple[int, int]:
        return self.inputs.layer, self.inputs.head

    @property
    def weights(self) -> Table:
        return np.asarray(self.patterns[self.head])

    def aim(self, built: str = "") -> Table:
        """What this head looks for, or ours."""
        kind = built or self.kind(self.head)
        if kind == "mixed":
            return 1 - np.maximum(self.aims["first"], self.aims["own"])
        return self.aims[kind]

    def part(self, built: str = "") -> tuple[int, int, int]:
        """First row and first column of what is shown, and how many there are."""
        size = min(self.inputs.length, self.n)
        aimed = self.weights * self.aim(built)
        starts = range(self.n - size + 1)
        inside = {
            (a, c): float(aimed[a : a + size, c : c + size].sum())
            for a in starts
            for c in starts
            if (c <= a or not self.causal)
            and self.inputs.first in (None, a, *([] if a < self.n - size else range(a, self.n)))
        }
        best = self._first_of(inside)
        along = self._first_of({key: inside[key] for key in inside if key[0] == key[1]})
        chosen = along if 1.25 * inside[along] >= inside[best] else best
        return *chosen, size

    @staticmethod
    def _first_of(values: dict[Any, float]) -> Any:
        return next(key for key in values if values[key] > max(values.values()) - 1e-9)

    def cell(self, built: str = "") -> tuple[int, int]:
        """The row and the column that are spoken of."""
        a, c, size = self.part(built)
        for aim in (self.aim(built), np.ones((self.n, self.n))):
            inside = {
                (m, n): float(self.weights[m, n])
                for m in range(a, a + size)
                for n in range(c, c + size)
                if aim[m, n] and (m > 0 or not self.causal)
            }
            if inside and max(inside.values()) > 0:
                break
        return max(inside, key=lambda key: inside[key])  # the first of equals

    # Ours

    @property
    def built(self) -> str:
        shares = self.looks()[self.head]
        return "previous" if shares[0] >= shares[1] else "induction"

    def clocks(self) -> Table:
        """Our previous-token head, with alpha 10."""
        return self.softmax(lambda m, n: 10 * self.clock_sum(n - m + 1), self.causal)

    @lru_cache(maxsize=1)  # noqa: B019
    def ours(self) -> Table:
        """Our head in the same text."""
        if self.built == "previous":
            return self.clocks()
        causal, self.causal = self.causal, True
        notes = self.clocks()
        self.causal = causal
        same = np.array([[float(a == b) for b in self.tokens] for a in self.tokens])
        matches = same @ notes.T  # how much of note n is the token at m
        return self.softmax(lambda m, n: 10 * matches[m, n], True)

    def softmax(self, score: Any, causal: bool) -> Table:
        found = np.zeros((self.n, self.n))
        for m in range(self.n):
            seen = range(m + 1 if causal else self.n)
            powers = [math.exp(score(m, n)) for n in seen]
            found[m, : len(powers)] = np.array(powers) / sum(powers)
        return found

    def overlap(self) -> float:
        rows = [m for m in range(self.n) if m > 0 or not self.causal]
        both = [np.minimum(self.weights[m], self.ours()[m]).sum() for m in rows]
        return float(sum(both) / len(rows))

    def more(self) -> dict[int, float]:
        """What the head gives more than ours, by place."""
        shares = self.looks()[self.head]
        return {
            k: shares[k] - self.look(self.ours(), place)
            for k, place in enumerate(PLACES)
            if place != self.built
        }

    @property
    def extra(self) -> int:
        more = self.more()
        return max(more, key=lambda k: (more[k], -k))

    def correlation(self) -> float:
        """Pearson's, of mean scores by distance and what the clocks of ours would say."""
        distances = range(min(12, self.n - 1) + 1)
        scores = self.scores[self.head]
        means = [sum(scores[m, m - d] for m in range(d, self.n)) / (self.n - d) for d in distances]
        clocks = [self.clock_sum(d - 1) for d in distances]
        x, y = (np.array(one) - sum(one) / len(one) for one in (means, clocks))
        return float((x * y).sum() / math.sqrt((x * x).sum() * (y * y).sum()))

    @staticmethod
    def clock_sum(turns: float) -> float:
        """What 16 hands add to a score, that turn by powers of 10,000."""
        return sum(math.cos(turns * 10000 ** (-i / 16)) for i in range(16))

    # Layers

    def layer_mean(self, place: str) -> list[float]:
        k = PLACES.index(place)
        return [
            sum(self.looks()[layer, head][k] for head in range(self.n_heads)) / self.n_heads
            for layer in range(self.n_layers)
        ]

    def largest(self, place: str) -> tuple[float, int]:
        means = self.layer_mean(place)
        return max(means), means.index(max(means))

    @property
    def at(self) -> int:
        return self.n - 1 if self.inputs.at is None else int(self.inputs.at)

    def walk(self) -> tuple[float, int, int]:
        """The largest mean weight of the token's rows, its layer and its key."""
        rows = [self.patterns[layer, :, self.at].mean(axis=0) for layer in range(self.n_layers)]
        return max(
            (float(row[n]), -layer, -n) for layer, row in enumerate(rows) for n in range(self.n)
        )


def _on_shelves(world: World) -> int:
    kinds = [len(found) for kind in (*PLACES, "mixed") if (found := world.of_kind(kind))]
    most = {1: 48, 2: 24, 3: 16}.get(len(kinds), 8)
    return sum(min(most, n) for n in kinds)


def _shown(world: World) -> int:
    return min(len(world.heads), max(144, _on_shelves(world)))


def close_up(world: World) -> int:
    row, column, size = world.part()
    return 0 if row != column else 1 if size < world.n else 2


LARGE = Truths(
    facts={
        "first": lambda w: w.part()[0],
        "last": lambda w: w.part()[0] + w.part()[2] - 1,
        "first_key": lambda w: w.part()[1],
        "last_key": lambda w: w.part()[1] + w.part()[2] - 1,
        "asker": lambda w: named(w.labels, w.cell()[0]),
        "asked": lambda w: named(w.labels, w.cell()[1]),
        "weight": lambda w: float(w.weights[w.cell()]),
        "most": lambda w: max(w.looks()[w.head]),
        "clear": lambda w: 0.4,
    },
    choices={
        "close_up": close_up,
        "row": lambda w: w.cell()[0] != w.cell()[1],
        "looks": lambda w: [*PLACES, "mixed"].index(w.kind(w.head)),
    },
)
SHEET = Truths(
    facts={
        "n_all": lambda w: len(w.heads),
        "n_shown": _shown,
        "n_left_out": lambda w: len(w.heads) - _shown(w),
        "n_clear": lambda w: len(w.heads) - len(w.of_kind("mixed")),
        "n_mixed": lambda w: len(w.of_kind("mixed")),
        **{f"n_{k}": lambda w, k=k: len(w.of_kind(k)) for k in PLACES},
        **{f"{k}_head": lambda w, k=k: w.clearest(k) for k in PLACES},
        **{f"{k}_share": lambda w, k=k: w.clearest_share(k) for k in PLACES},
    },
    choices={"all": lambda w: _shown(w) < len(w.heads)},
)
SCORES = Truths(
    facts={
        f"{place}_{what}": lambda w, place=place, k=k: w.best(place)[k]
        for place in ("previous", "duplicate", "induction")
        for k, what in enumerate(("most", "layer", "number"))
    },
    claims={
        "no_repeats": lambda w: len(set(w.tokens)) == w.n,
        "duplicate": lambda w: w.has_repeats,
    },
)
BESIDE = Truths(
    facts={
        "asker": lambda w: named(w.labels, w.cell(w.built)[0]),
        "asked": lambda w: named(w.labels, w.cell(w.built)[1]),
        "weight": lambda w: float(w.weights[w.cell(w.built)]),
        "our_weight": lambda w: float(w.ours()[w.cell(w.built)]),
        "aim": lambda w: w.looks()[w.head][PLACES.index(w.built)],
        "our_aim": lambda w: w.look(w.ours(), w.built),
        "extra": lambda w: w.looks()[w.head][w.extra],
        "our_extra": lambda w: w.look(w.ours(), PLACES[w.extra]),
        "correlation": lambda w: w.correlation(),
        "overlap": lambda w: w.overlap(),
    },
    choices={
        "built": lambda w: w.built != "previous",
        "more": lambda w: w.extra,
        "scores": lambda w: w.correlation() < 0.9,
    },
    claims={"more": lambda w: w.more()[w.extra] >= 0.05 - 1e-9},
)
LAYERS = Truths(
    facts={
        **{place: lambda w, place=place: w.largest(place)[0] for place in PLACES[:2]},
        **{f"{place}_layer": lambda w, place=place: w.largest(place)[1] for place in PLACES[:2]},
        "asker": lambda w: named(w.labels, w.at),
        "most": lambda w: w.walk()[0],
        "most_layer": lambda w: -w.walk()[1],
        "most_asked": lambda w: named(w.labels, -w.walk()[2]),
    },
    claims={"order": lambda w: w.largest("previous")[1] < w.largest("induction")[1]},
)


def examples(name: str) -> Iterator[StageInputs]:
    """The small transformer at every kind of moment, and its shortest and longest texts."""
    texts = (
        "wug saw zorp and wug saw zorp and wug saw zorp",
        "a",
        "ab",
        "abcdefghijklmnop",
        "a " * 31,
    )
    given: list[dict[str, Any]] = [{"text": text.strip()} for text in texts]
    given += [{"moment": moment} for moment in get_args(Moment)]
    given += [{"layer": layer, "head": head} for layer in range(2) for head in range(4)]
    given += [{"text": "abcabcabcabcabcabc", "moment": 500, "layer": 0, "head": 3}]
    given += [{"first": 0}, {"first": 40, "length": 2}, {"first": 30, "length": 12, "layer": 0}]
    given += [{"exclude_first": True}, {"exclude_own": True, "exclude_first": True}]
    given += [{"at": at} for at in (0, 1, 20)]
    return iter(those_taken(name, given))


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Moments that were kept, heads that there are, and texts in letters."""
    return drawn_inputs(find_stage(name))


FILM = FilmTruths(
    name="heads",
    world=lru_cache(maxsize=1)(World),
    facts={
        "layer": lambda w: w.inputs.layer,
        "head": lambda w: w.inputs.head,
        "n_tokens": lambda w: w.n,
        "n_heads": lambda w: w.n_heads,
    },
    stages={
        "large": LARGE,
        "sheet": SHEET,
        "scores": SCORES,
        "beside": BESIDE,
        "layers": LAYERS,
    },
    examples=examples,
    drawn=drawn,
    n_drawn=lambda _: 15,
)

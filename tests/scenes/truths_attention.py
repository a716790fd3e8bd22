"""The truths of the film `attention`.

A head is worked as on paper, in lists: up to the dot products with fractions, so that equals are
equal. Random numbers are NumPy's, and drawn again here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    legal,
    listed,
    named,
    percent,
    those_taken,
)

Exact = list[list[Fraction]]
Rows = list[list[float]]

PRINTED_ROWS = {
    "the": [0.10, -0.20, 0.05, 0.40, 0.15],
    "cat": [0.30, 0.50, -0.10, 0.20, 0.00],
    "sat": [-0.40, 0.10, 0.60, -0.30, 0.20],
}


def _tied(size: int, pairs: dict[tuple[int, int], float]) -> Rows:
    return [[pairs.get((i, j), pairs.get((j, i), 0.0)) for j in range(size)] for i in range(size)]


_ONES = {(k, k): 1.0 for k in range(5)}
W_Q = _tied(5, _ONES | {(0, 3): 0.5, (1, 4): 0.5})
W_K = _tied(
    5,
    {(0, 0): 0.8, (1, 1): 0.8, (2, 2): 0.9, (3, 3): 0.9, (4, 4): 1.0, (0, 1): 0.2, (2, 3): 0.1},
)
W_V = _tied(5, _ONES | {(0, 0): 0.5, (1, 1): -0.5, (0, 1): 0.5})
_RAISED = 7
_ROUNDING = 1e-9


def exact(rows: Sequence[Sequence[float]]) -> Exact:
    """Numbers as they are written."""
    return [[Fraction(repr(float(x))) for x in row] for row in rows]


def times(rows: Exact, matrix: Exact) -> Exact:
    columns = list(zip(*matrix, strict=True))
    return [[_dot(row, column) for column in columns] for row in rows]


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), start=Fraction(0))


def shares_of(scores: Sequence[float]) -> list[float]:
    """Softmax."""
    parts = [math.exp(score - max(scores)) for score in scores]
    return [part / math.fsum(parts) for part in parts]


class Worked:
    """A head over a text."""

    rows_are_printed = False

    def __init__(self, tokens: Sequence[str], rows: Rows, weights: Sequence[Rows]) -> None:
        self.tokens, self.n, self.d = list(tokens), len(tokens), len(rows[0])
        self.last = self.n - 1
        self.words = list(dict.fromkeys(tokens))
        self.embedding, (self.w_q, self.w_k, self.w_v) = exact(rows), map(exact, weights)
        self.x = [self.embedding[self.words.index(token)] for token in tokens]
        self.queries, self.keys, self.values = (
            times(self.x, weights) for weights in (self.w_q, self.w_k, self.w_v)
        )
        self.dots = [[_dot(query, key) for key in self.keys] for query in self.queries]

    @cached_property
    def scores(self) -> Rows:
        return [[float(x) / math.sqrt(self.d) for x in row] for row in self.dots]

    @cached_property
    def pattern(self) -> Rows:
        return [
            shares_of(row[: k + 1]) + [0.0] * (self.last - k) for k, row in enumerate(self.scores)
        ]

    @cached_property
    def blend(self) -> Rows:
        columns = list(zip(*self.values, strict=True))
        return [
            [
                math.fsum(p * float(v) for p, v in zip(row, column, strict=True))
                for column in columns
            ]
            for row in self.pattern
        ]

    @cached_property
    def post(self) -> Rows:
        return [
            [float(a) + b for a, b in zip(*pair, strict=True)]
            for pair in zip(self.x, self.blend, strict=True)
        ]

    @cached_property
    def best_keys(self) -> list[int]:
        return [n for n, x in enumerate(self.dots[-1]) if x == max(self.dots[-1])]

    @cached_property
    def entry_column(self) -> int:
        """The column of W_Q of whose products with the last row most are not 0."""
        counts = [
            sum(a * row[j] != 0 for a, row in zip(self.x[-1], self.w_q, strict=True))
            for j in range(self.d)
        ]
        return counts.index(max(counts))

    def named(self, k: int) -> str:
        return named(self.tokens, k)

    @property
    def asker(self) -> str:
        return self.named(self.last)

    def all_named(self, places: Sequence[int], own: str = "") -> str:
        """Several of them, the last token perhaps in other words."""
        names = [own if own and k == self.last else self.named(k) for k in places]
        return listed(names)


def _normal(generator: np.random.Generator, rows: int, columns: int) -> Rows:
    numbers = np.round(0.5 * generator.standard_normal((rows, columns)), 2)
    return [[float(x) + 0.0 for x in row] for row in numbers]


def work(inputs: Inputs) -> Worked:
    """The head that some inputs ask for."""
    given = tuple(getattr(inputs, name) for name in ("embedding", "w_q", "w_k", "w_v"))
    return _work(inputs.text, given, inputs.seed)


@lru_cache(maxsize=256)
def _work(text: str, given: tuple[Any, ...], seed: int | None) -> Worked:
    tokens = text.split(" ")
    words = list(dict.fromkeys(tokens))
    if seed is None:
        rows = [PRINTED_ROWS[word] for word in words] if given[0] is None else given[0]
        drawn = [W_Q, W_K, W_V]
    else:
        width = 5 if given[0] is None else len(given[0][0])
        generator = np.random.default_rng(seed)
        some = _normal(generator, len(words), width)
        drawn = [_normal(generator, width, width) for _ in range(3)]
        rows = some if given[0] is None else given[0]
    weights = [own if other is None else other for own, other in zip(drawn, given[1:], strict=True)]
    head = Worked(tokens, [list(row) for row in rows], weights)
    head.rows_are_printed = seed is None and given[0] is None
    return head


# Dot products


def _is_level(head: Worked) -> bool:
    """Whether every key fits the last token's query as well as any other."""
    return len(head.best_keys) == head.n


# Why they are divided


@lru_cache(maxsize=32)
def _random_dots(width: int) -> tuple[tuple[float, ...], ...]:
    """Dot products of 1000 random queries of a width and eight keys each."""
    generator = np.random.default_rng([7, width])
    queries = generator.standard_normal((1000, width))
    keys = generator.standard_normal((1000, 8, width))
    return tuple(
        tuple(float(np.dot(key, query)) for key in eight)
        for query, eight in zip(queries, keys, strict=True)
    )


@lru_cache(maxsize=32)
def spread_of(width: int) -> float:
    numbers = [x for row in _random_dots(width) for x in row]
    mean = math.fsum(numbers) / len(numbers)
    return math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / len(numbers))


@lru_cache(maxsize=64)
def best_share(width: int, divisor: float = 1.0) -> float:
    """What softmax gives the best of eight keys, on average."""
    best = [max(shares_of([x / divisor for x in row])) for row in _random_dots(width)]
    return math.fsum(best) / len(best)


@lru_cache(maxsize=64)
def steepness(width: int, divisor: float = 1.0) -> float:
    """How much the best key's share changes with its score, p (1 - p), on average."""
    best = [max(shares_of([x / divisor for x in row])) for row in _random_dots(width)]
    return math.fsum(p * (1 - p) for p in best) / len(best)


def widths_of(head: Worked) -> list[int]:
    return [head.d * k for k in (1, 4, 16, 64)]


def _doubles(head: Worked) -> bool:
    spreads = [spread_of(width) for width in widths_of(head)]
    return all(abs(b / a - 2) < 0.15 for a, b in itertools.pairwise(spreads))


# Shares


def _total(head: Worked) -> float:
    """What e to each score of the last row adds up to; from large ones the largest is taken off."""
    off = max(head.scores[-1]) if is_lowered(head) else 0.0
    return math.fsum(math.exp(score - off) for score in head.scores[-1])


def is_lowered(head: Worked) -> bool:
    return max(map(abs, head.scores[-1])) > _RAISED


# Which mouse is meant

_TOPICS = {
    "field": (10, 0), "forest": (10, 0), "garden": (9, 1), "barn": (8, 2),
    "computer": (0, 10), "laptop": (0, 10), "gaming": (1, 9), "office": (2, 8),
}  # fmt: skip
"""How much nature and technology there is in a topic, in tenths."""
_NEXT = {"squeaks": (2, -1), "eats": (1.2, -0.2), "clicks": (-1, 2), "scrolls": (-0.2, 1.2)}
_MIDDLE = (0.5, 0.5)


class TopicText:
    """A text about a mouse, worked by what each word asks, offers and hands over."""

    def __init__(self, topic: str, strength: float) -> None:
        nature, technology = (x / 10 for x in _TOPICS[topic])
        self.topic, self.place = topic, (nature, technology)
        self.query = (1.0 * strength, -0.3 * strength)
        self.keys = [(0.1, 1.0), (1.8 * (nature + technology), 0.3 * (nature + technology))]
        self.keys.append((1.8 - 1.3, 0.3 + 0.1))
        value = (1.5 * nature - 0.2 * technology, 1.5 * technology - 0.2 * nature)
        self.values = [(-0.5, 0.25), value, (0.65 - 0.55, 0.65 - 1.15)]
        self.scores = [self.query[0] * a + self.query[1] * b for a, b in self.keys]
        self.weights = shares_of(self.scores)
        taken = [
            math.fsum(p * v[k] for p, v in zip(self.weights, self.values, strict=True))
            for k in range(2)
        ]
        self.after = (_MIDDLE[0] + taken[0], _MIDDLE[1] + taken[1])
        self.chances = chances(self.after)

    @property
    def angles(self) -> list[float]:
        """Between the query and every key, in degrees."""
        length = math.hypot(*self.query)
        return [
            math.degrees(math.acos(score / length / math.hypot(*key)))
            for score, key in zip(self.scores, self.keys, strict=True)
        ]

    @property
    def guess(self) -> str:
        return max(self.chances, key=lambda word: self.chances[word])


def chances(place: tuple[float, float]) -> dict[str, float]:
    """The probability of every next word at a place of the plane."""
    logits = [place[0] * a + place[1] * b for a, b in _NEXT.values()]
    return dict(zip(_NEXT, shares_of(logits), strict=True))


class TwoTexts:
    """The text with its two topics."""

    def __init__(self, inputs: Inputs) -> None:
        self.article = inputs.article
        self.first, self.other = (
            TopicText(topic, inputs.strength) for topic in (inputs.topic, inputs.other)
        )

    @property
    def only_the_value_changes(self) -> bool:
        keys = zip(self.first.keys, self.other.keys, strict=True)
        same = all(math.dist(*pair) < _ROUNDING for pair in keys)
        moved = [
            math.dist(*pair) > 0.1
            for pair in zip(self.first.values, self.other.values, strict=True)
        ]
        return same and moved == [False, True, False]

    @property
    def is_even_alone(self) -> bool:
        found = chances(_MIDDLE).values()
        return max(found) - min(found) < _ROUNDING


_TOPIC_FACTS: dict[str, Any] = {
    "article": lambda both: both.article,
    "word": lambda both: both.first.topic,
    "other_word": lambda both: both.other.topic,
    "noun": lambda both: "mouse",
    "guess": lambda both: both.first.guess,
    "other_guess": lambda both: both.other.guess,
    "first.topic_weight": lambda both: both.first.weights[1],
    "first.next.greedy_share": lambda both: max(both.first.chances.values()),
    "other.next.greedy_share": lambda both: max(both.other.chances.values()),
}


def _is_nearest_first(both: TwoTexts) -> bool:
    """Whether the smaller its angle to the query, the larger is a key's score."""
    first = both.first
    order = sorted(range(3), key=lambda k: first.angles[k])
    return order == sorted(range(3), key=lambda k: -first.scores[k])


def _says_nature(values: Sequence[tuple[float, float]]) -> bool:
    """Whether the value of the topic points to nature, and the others are shorter."""
    article, (nature, technology), noun = values
    others = max(math.hypot(*article), math.hypot(*noun))
    return nature > 2 * abs(technology) and others < 0.6 * math.hypot(nature, technology)


def _points_where_said(both: TwoTexts) -> bool:
    (nature, some), (few, technology) = both.first.place, both.other.place
    return nature > 2 * some and technology > 2 * few


# Temperature


class Heated(TwoTexts):
    """The logits of the first text, what they become, and what is drawn."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__(inputs)
        x, y = self.first.after
        self.words, self.logits = list(_NEXT), [x * a + y * b for a, b in _NEXT.values()]
        self.temperatures = [1.0, *inputs.temperatures]
        self.n_draws, self.seed = inputs.n_draws, inputs.draw_seed
        self.greedy = self.first.guess

    def shares(self, temperature: float) -> list[float]:
        return shares_of([x / temperature for x in self.logits])

    @property
    def most(self) -> float:
        return max(self.shares(1.0))

    def drawn(self, temperature: float) -> list[str]:
        """The words of all draws: each is where the sum of shares passes a random number."""
        drawn = []
        shares = self.shares(temperature)
        for at in np.random.default_rng(self.seed).random(self.n_draws).tolist():
            sums = [math.fsum(shares[: k + 1]) for k in range(len(shares))]
            drawn.append(next(k for k, edge in enumerate(sums) if edge > at * sums[-1]))
        return [self.words[k] for k in drawn]

    def n_greedy(self, temperature: float) -> int:
        """How often the likeliest word was drawn."""
        return self.drawn(temperature).count(self.greedy)


def _best(head: Worked) -> Variant:
    """The keys that fit best: its own, that of another token, or of several."""
    best = head.best_keys
    if best == [head.last]:
        return Variant(0)
    return (
        Variant(len(best), head.all_named(best))
        if len(best) == 1
        else Variant(2, head.all_named(best))
    )


def _even_shares(head: Worked) -> Any:
    shares = [best_share(width, math.sqrt(width)) for width in widths_of(head)]

    def check(text: str) -> bool:
        low, _, high = text.partition(" to ")
        ends = percent(min(shares))(f"{low}%") and percent(max(shares))(high)
        return ends and f"{low}%" != high

    return check


def _spreads_are_alike(head: Worked) -> bool:
    return all(abs(spread_of(d) / math.sqrt(d) - 1) < 0.05 for d in widths_of(head))


def _further(heat: Heated) -> Variant:
    """Whether the turns after the first all go to the cold, all to the heat, or both ways."""
    steps = [b - a for a, b in itertools.pairwise(heat.temperatures[1:])]
    return Variant(0 if max(steps) < 0 else 1 if min(steps) > 0 else 2)


def _freezes(head: Worked) -> bool:
    d = 64 * head.d
    return steepness(d) < 0.3 * steepness(d, math.sqrt(d))


FACTS = {
    "asker": lambda head: head.asker,
    "first_key": lambda head: head.named(0),
    "best": _best,
    "n_dots": lambda head: head.n**2,
    "d_model": lambda head: head.d,
    "divisor": lambda head: math.sqrt(head.d),
    "widest": lambda head: 64 * head.d,
    "spread.n_keys": lambda head: 8,
    "largest_share": lambda head: best_share(64 * head.d),
    "even_shares": _even_shares,
}
STAGES = {
    "guess": Truths(world=TwoTexts, facts=_TOPIC_FACTS, claims={"arrows": _points_where_said}),
    "ask": Truths(world=TwoTexts, facts=_TOPIC_FACTS, claims={"fit": _is_nearest_first}),
    "hand_over": Truths(
        world=TwoTexts,
        facts=_TOPIC_FACTS,
        claims={
            "same": lambda both: both.only_the_value_changes,
            "value": lambda both: _says_nature(both.first.values),
            "move": lambda both: both.first.after[0] > 2 * both.first.after[1],
        },
    ),
    "change": Truths(
        world=TwoTexts,
        facts=_TOPIC_FACTS,
        claims={
            "change": lambda both: both.only_the_value_changes,
            "without": lambda both: both.is_even_alone,
        },
    ),
    "project": Truths(),
    "scores": Truths(choices={"row": lambda head: not _is_level(head)}),
    "scale": Truths(
        claims={"wide": _doubles, "freeze": _freezes, "divide": _spreads_are_alike},
    ),
    "softmax": Truths(
        facts={
            "most": lambda head: head.all_named(head.best_keys, "itself"),
            "total": _total,
        },
        choices={
            "raise": lambda head: not is_lowered(head),
            "answer": lambda head: not _is_level(head),
        },
    ),
    "blend": Truths(),
    "temperature": Truths(
        world=Heated,
        facts=_TOPIC_FACTS
        | {
            "walk.first.greedy_share": lambda heat: heat.most,
            "walk.first_draws.n_greedy": lambda heat: heat.n_greedy(1.0),
            "walk.second_draws.n_greedy": lambda heat: heat.n_greedy(heat.temperatures[1]),
            "walk.final_draws.n_greedy": lambda heat: heat.n_greedy(heat.temperatures[-1]),
            "walk.n_draws": lambda heat: heat.n_draws,
            "way": lambda heat: Variant(heat.temperatures[1] < 1),
            "further": _further,
        },
    ),
}


_ZEROS = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
_ONE, _LOUD = ((1.0, 0.0), (0.0, 1.0)), ((9.99, -9.99), (-9.99, 9.99))
_SOME = ((1.0, 2.0), (-3.0, 0.5), (2.0, 2.0))
_PLAIN = {"w_q": _ONE, "w_k": _ONE, "w_v": _ONE}


def _rows(table: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in table)


EXAMPLES: list[dict[str, Any]] = [
    {},
    *({"text": text} for text in ("the cat sat the", "sat the sat", "the the the", "cat sat cat")),
    {"text": "sat sat sat the"},
    *({"text": text} for text in ("the the sat", "sat cat the sat", "sat sat the", "the sat")),
    {"embedding": _rows(PRINTED_ROWS.values())},
    {"w_q": _rows(W_Q), "seed": 3},
    {"w_q": _rows(W_Q), "w_k": _rows(W_K), "w_v": _rows(W_V)},
    {"w_q": _rows(W_K)},
    *({"seed": seed} for seed in range(8)),
    *({"text": "a b c d", "seed": seed} for seed in range(8)),
    {"text": "attention is all you need", "seed": 0},
    {"text": "a a a", "seed": 1},
    {"text": "abcdefgh bcdefghi cdefghij", "seed": 2**32 - 1},
    {"text": "a b a b", "seed": 9},
    {"embedding": _ZEROS, **_PLAIN},
    {"embedding": _ZEROS, "seed": 1},
    *({"embedding": (row,) * 3, "seed": 4} for row in ((1.0, 2.0), (-9.99,) * 5)),
    {"embedding": _SOME, "w_q": _LOUD, "w_k": _LOUD, "w_v": _LOUD},
    {"embedding": _SOME, "w_q": _ONE, "w_k": _ONE, "w_v": ((0.0, 0.0), (0.0, 0.0))},
    {"embedding": _SOME, "w_q": ((0.0, 0.0), (0.0, 0.0)), "w_k": _ONE, "w_v": _ONE},
    {"embedding": _SOME, "w_q": ((-1.0, 0.0), (0.0, -1.0)), "w_k": _ONE, "w_v": _ONE},
    {"embedding": ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)), **_PLAIN},
    {"embedding": ((1.0, 0.0), (1.0, 0.0), (0.0, 1.0)), **_PLAIN},
    {"embedding": ((0.0, 1.0), (1.0, 0.0), (1.0, 0.0)), **_PLAIN},
    {"embedding": ((1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (-1.0, 2.0)), **_PLAIN, "text": "a b c d"},
    {"embedding": ((1.0, 0.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 3.0)), **_PLAIN, "text": "a b c d"},
    {"embedding": ((1.0, 1.0), (1.0, 1.0), (-1.0, 0.0)), **_PLAIN, "text": "a b c a"},
    {"embedding": ((9.0, 9.0), (1.0, 9.0), (5.0, 9.0)), **_PLAIN, "text": "a b c"},
    {"embedding": ((-9.0, 1.0), (-5.0, 2.0), (9.99, 3.0)), **_PLAIN, "text": "a b c"},
    {"embedding": ((1.0, 0.01), (0.0, 0.02), (0.01, 9.0)), **_PLAIN, "text": "a b c"},
    {"embedding": ((1e-5, 0.0), (2e-5, 0.0), (1e-5, 1.0)), "text": "a b c",
     "w_q": _ONE, "w_k": _ONE, "w_v": ((0.0, 0.0), (0.0, 0.0))},
    {"embedding": ((1e-5, 0.0), (2e-5, 0.0), (1e-5, 0.0)), "text": "a b c",
     "w_q": _ONE, "w_k": _ONE, "w_v": ((0.0, 0.0), (0.0, 0.0))},
    # Keys that fit badly: the one that fits best does so least badly.
    {"embedding": ((3.0, 0.0), (0.5, 0.0), (1.0, 0.0)), "text": "a b c",
     "w_q": _ONE, "w_k": ((-1.0, 0.0), (0.0, -1.0)), "w_v": _ONE},
    {"embedding": ((-1.0, 0.0), (-1.0, 0.0), (0.1, -1.0)), "text": "a b c",
     "w_q": ((1.0, 0.0), (0.0, -1.0)), "w_k": _ONE, "w_v": _ONE},
]  # fmt: skip
"""Texts with repeats, all zeros, equal rows, keys that fit alike, numbers that are large."""


HEATS: list[dict[str, Any]] = [
    {},
    *({"temperatures": stops} for stops in ((2.0,), (0.5,), (100.0, 0.05), (0.05, 0.5))),
    *({"temperatures": stops} for stops in ((3.0, 5.0, 9.0), (0.5, 0.2, 0.1), (0.5, 3.0, 9.0))),
    *({"temperatures": stops} for stops in ((0.5, 2.0), (2.0, 1.0, 2.0), (5.0, 0.1, 4.0))),
    *({"temperatures": stops} for stops in ((0.5, 1.0), (2.0, 3.0, 0.5), (12.5, 0.05))),
    *({"n_draws": n, "draw_seed": seed} for n, seed in ((5, 0), (40, 1), (5, 2**32 - 1))),
    {"topic": "barn", "other": "office", "strength": 0.6, "temperatures": (0.07,)},
    {"article": "my", "topic": "garden", "other": "gaming", "strength": 1.4, "n_draws": 40},
]


TOPICS: list[dict[str, Any]] = [
    {"topic": "barn", "other": "office", "strength": 0.6},
    {"article": "my", "topic": "garden", "other": "gaming", "strength": 1.4},
]


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    given = HEATS if name == "attention.temperature" else [*EXAMPLES, *TOPICS]
    short = [one for one in given if "embedding" in one and "text" not in one]
    return those_taken(name, [*given, *({**one, "text": "a b c"} for one in short)])


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    kind = find_stage(name).Inputs
    if "temperatures" in kind.model_fields:
        return heats().map(lambda given: legal(kind, given))
    if "strength" in kind.model_fields:
        return topics().map(lambda given: legal(kind, given))
    if "text" in kind.model_fields:
        return heads().map(lambda given: legal(kind, given))
    return st.just(kind())


@st.composite
def topics(draw: Any) -> dict[str, Any]:
    """An article, two topics and a strength."""
    words = list(_TOPICS)
    return {
        "article": draw(st.sampled_from(["the", "a", "my", "this"])),
        "topic": draw(st.sampled_from(words[:4])),
        "other": draw(st.sampled_from(words[4:])),
        "strength": draw(st.integers(60, 140)) / 100,
    }


@st.composite
def heads(draw: Any) -> dict[str, Any]:
    """A text of three to five words, and some of its numbers."""
    pool = draw(st.sampled_from([["the", "cat", "sat"], list("abcde"), ["longwords", "a", "b"]]))
    words = draw(st.lists(st.sampled_from(pool), min_size=3, max_size=5))
    width = draw(st.integers(2, 5))
    number = draw(st.sampled_from([_hundredths(999), _hundredths(100), _whole(), _long()]))
    row = st.lists(number, min_size=width, max_size=width).map(tuple)
    rows = st.one_of(row.map(lambda one: (one,) * 6), st.lists(row, min_size=6, max_size=6))
    given: dict[str, Any] = {"text": " ".join(words)}
    own = draw(st.integers(0, 15)) if set(words) <= set(PRINTED_ROWS) else 15
    seed = draw(st.one_of(st.none(), st.integers(0, 2**32 - 1))) if own == 15 else None
    if seed is not None:
        given["seed"] = seed
    if own == 0:
        return given
    if draw(st.booleans()) or seed is None:
        n = len(set(words))
        given["embedding"] = tuple(draw(rows)[:n])
    if seed is None or draw(st.booleans()):
        for weights in ("w_q", "w_k", "w_v"):
            given[weights] = tuple(draw(rows)[:width])
    return given


def _hundredths(most: int) -> st.SearchStrategy[float]:
    return st.integers(-most, most).map(lambda k: k / 100)


def _whole() -> st.SearchStrategy[float]:
    return st.integers(-2, 2).map(float)


def _long() -> st.SearchStrategy[float]:
    return st.floats(-9.99, 9.99).map(lambda x: round(x, 7))


@st.composite
def heats(draw: Any) -> dict[str, Any]:
    """Two topics, temperatures and draws."""
    heat = st.one_of(st.integers(5, 300).map(lambda k: k / 100), st.integers(1, 100).map(float))
    return {
        **draw(topics()),
        "temperatures": tuple(draw(st.lists(heat, min_size=1, max_size=3))),
        "n_draws": draw(st.integers(5, 40)),
        "draw_seed": draw(st.integers(0, 2**32 - 1)),
    }


FILM = FilmTruths("attention", work, FACTS, STAGES, examples, drawn)

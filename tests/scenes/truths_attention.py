"""What every sentence of the film `attention` asserts, held against formulas written once more.

Nothing that is asserted is asked of `model` or a stage. A head is worked as on paper, in lists: up
to the dot products with fractions, so that equals are equal. Random numbers are NumPy's, and drawn
again here; the tables that the primer prints are data.

In a sentence of the tables, `{name}` stands for what is filled in.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from clockhead.model.primer.printed import SECTION_5
from tests.scenes.old_telling import Check, Inputs, Said, is_share, nothing_to_check, spelled

Exact = list[list[Fraction]]
Rows = list[list[float]]

_WORDS = "the cat dog sat ran on mat floor big small red blue fast slow a and . is was .EOS"
WORDS = _WORDS.split()
LOGITS = [
    *(-0.8, -0.2, 0.1, 0.5, 1.2, 2.4, 3.1, 2.8, 0.4, -0.1),
    *(-0.3, 0.0, -0.5, -0.4, 0.6, 0.2, 1.0, -0.2, 0.3, -1.5),
]
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
"""Where a score of the last row is larger than this, the largest is taken off all."""
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
    def tied_terms(self) -> Rows:
        return [
            [a * float(b) for a, b in zip(self.post[-1], row, strict=True)]
            for row in self.embedding
        ]

    @cached_property
    def logits(self) -> list[float]:
        return [math.fsum(terms) for terms in self.tied_terms]

    @cached_property
    def first_words(self) -> list[int]:
        """The words that share the largest logit."""
        slack = 1e-12 * max(abs(x) for row in self.tied_terms for x in row)
        return [k for k, x in enumerate(self.logits) if max(self.logits) - x <= slack]

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

    @property
    def reordered(self) -> Worked:
        """The same with the first two words exchanged."""
        first, second, *rest = self.tokens
        tokens = [second, first, *rest]
        known = dict(zip(self.words, self.embedding, strict=True))
        rows = [[float(x) for x in known[word]] for word in dict.fromkeys(tokens)]
        weights = [
            [[float(x) for x in row] for row in matrix] for matrix in (self.w_q, self.w_k, self.w_v)
        ]
        return Worked(tokens, rows, weights)

    def named(self, k: int) -> str:
        """A token as a sentence names it."""
        word = self.tokens[k]
        return f"“{word}” at {k}" if self.tokens.count(word) > 1 else f"“{word}”"

    def all_named(self, places: Sequence[int], own: str = "") -> str:
        """Several of them, the last token perhaps in other words."""
        names = [own if own and k == self.last else self.named(k) for k in places]
        return listed(names)


def listed(names: Sequence[str]) -> str:
    *rest, final = names
    return f"{', '.join(rest)} and {final}" if rest else final


def _normal(generator: np.random.Generator, rows: int, columns: int) -> Rows:
    numbers = np.round(0.5 * generator.standard_normal((rows, columns)), 2)
    return [[float(x) + 0.0 for x in row] for row in numbers]


def is_printed(inputs: Inputs, name: str) -> bool:
    """Whether these numbers are the primer's for want of others."""
    return getattr(inputs, name) is None and inputs.seed is None


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
    return Worked(tokens, [list(row) for row in rows], weights)


def told(check: Callable[[Worked, Said], bool]) -> Check:
    """A check of the head; who is said to ask is the last token."""

    def holds(inputs: Inputs, said: Said) -> bool:
        head = work(inputs)
        return said.get("asker") in (None, head.named(head.last)) and check(head, said)

    return holds


ASKER = told(lambda *_: True)
"""A sentence that says no more than who asks."""


def so(check: Callable[[Worked], bool]) -> Check:
    """A check of a head with nothing filled in."""
    return told(lambda head, _: check(head))


def is_number(text: str, value: float, spec: str) -> bool:
    """Whether a number reads as the value in a format, a real minus sign apart."""
    return text == format(value, spec).replace("-", "−")


# 1. The rows


def _told_as_printed(inputs: Inputs, said: Said) -> bool:
    return is_printed(inputs, "embedding") and said == {"known": "3", "n": "20"}


LOOKUP: dict[str, Check] = {
    "What comes next?": nothing_to_check("heading"),
    "“{line} …”": lambda inputs, said: said["line"] == inputs.text,
    "You guess from everything you have read.": nothing_to_check("of the viewer"),
    "And if you had read only “{word}”?": told(lambda head, said: said["word"] == head.tokens[-1]),
    "There is little to go by: what came before has to reach it.": nothing_to_check("question"),
    "In a transformer, that is the work of attention.": nothing_to_check("definition"),
    "A token, here a word, is a row of numbers. The primer we follow prints {known} of {n}.": (
        _told_as_printed
    ),
    "A token, here a word, is a row of numbers in a table.": (
        lambda inputs, _: not is_printed(inputs, "embedding")
    ),
    "Each token takes a copy of its word's row. Together they are the matrix $X$.": (
        nothing_to_check("definition")
    ),
    "A row depends on its word alone. How can {asker} learn what came before?": ASKER,
}

# 2. Queries, keys, values

PROJECT: dict[str, Check] = {
    "Ask, be found, hand over": nothing_to_check("heading"),
    "How does {asker} say what it is looking for?": ASKER,
    "Its row times a matrix $W_Q$ is its query: what it asks for.": nothing_to_check("definition"),
    "Where does one number of it come from?": nothing_to_check("question"),
    "A row meets a column of $W_Q$: number times number, all added up. A 0 adds nothing.": (
        nothing_to_check("definition")
    ),
    "So every row meets every column, and each token has its query.": nothing_to_check(
        "definition"
    ),
    "The same rows times $W_K$ are the keys: what a token is found by.": nothing_to_check(
        "definition"
    ),
    "And times $W_V$ they are the values: what it hands over.": nothing_to_check("definition"),
    "Three new rows for each token, all of them made from its own row alone.": nothing_to_check(
        "definition"
    ),
}

# 3. Dot products


def _is_level(head: Worked) -> bool:
    """Whether every key fits the last token's query as well as any other."""
    return len(head.best_keys) == head.n


def _best(head: Worked, said: Said) -> bool:
    """Some keys fit best, and they are said to."""
    best = head.best_keys
    if len(best) == head.n:
        return False
    if best == [head.last]:
        return said["best"] == "its own key"
    keys = "the keys of" if len(best) > 1 else "the key of"
    return said["best"] == f"{keys} {head.all_named(best)}"


SCORES: dict[str, Check] = {
    "A query meets every key": nothing_to_check("heading"),
    "How well does the query of {asker} fit each key?": ASKER,
    "The keys turn, so that each of them stands over a column of its own.": nothing_to_check(
        "what is done"
    ),
    "Pair by pair, multiply; then add: this is how well the key of {first} fits.": told(
        lambda head, said: said["first"] == head.named(0)
    ),
    "Which key fits the query of {asker} best?": ASKER,
    "The largest dot product says it: {best}.": told(_best),
    "None: with each of them the dot product is the same.": so(_is_level),
    "Every token asks every key: {n} dot products.": told(
        lambda head, said: said["n"] == str(head.n**2)
    ),
    "Above 0, query and key point more or less the same way; below 0, away from each other.": (
        nothing_to_check("the sign of a dot product is that of the cosine")
    ),
}

# 4. Why they are divided


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


def _even(head: Worked, low: str, high: str) -> bool:
    """Whether this is what the best key gets after the division, and the spreads are alike."""
    widths = widths_of(head)
    shares = [best_share(width, math.sqrt(width)) for width in widths]
    alike = all(abs(spread_of(width) / math.sqrt(width) - 1) < 0.05 for width in widths)
    ends = is_share(f"{low}%", min(shares)) and is_share(high, max(shares))
    return alike and ends and (f"{low}%" != high)


SCALE: dict[str, Check] = {
    "Why divide by a square root?": nothing_to_check("heading"),
    "Why not take dot products as they are?": nothing_to_check("question"),
    "Softmax, next, makes shares of each row: larger numbers get more.": (
        nothing_to_check("definition")
    ),
    "With $d$ random numbers in a vector, four times $d$ spreads dot products twice as far.": so(
        _doubles
    ),
    (
        "At $d$ = {d}, the best of {n} keys gets {share} on average: softmax freezes: small "
        "changes hardly move it."
    ): told(
        lambda head, said: (
            said["n"] == "8"
            and said["d"] == str(64 * head.d)
            and is_share(said["share"], best_share(64 * head.d))
            and steepness(64 * head.d) < 0.3 * steepness(64 * head.d, math.sqrt(64 * head.d))
        )
    ),
    "Divided by $sqrt(d)$, all spread alike, and the best key gets {low} to {high}.": told(
        lambda head, said: _even(head, said["low"], said["high"])
    ),
    "Our RoPE films multiply by $alpha$ instead: here, $alpha$ = {alpha} would do.": told(
        lambda head, said: is_number(said["alpha"], 1 / math.sqrt(head.d), ".3g")
    ),
    "Here $d$ = {d}, so dot products are divided by {root}: these are scores.": told(
        lambda head, said: (
            said["d"] == str(head.d) and is_number(said["root"], math.sqrt(head.d), ".4g")
        )
    ),
}

# 5. Shares


def is_lowered(head: Worked) -> bool:
    return max(map(abs, head.scores[-1])) > _RAISED


def _looks(head: Worked, said: Said) -> bool:
    return not _is_level(head) and said["most"] == head.all_named(head.best_keys, "itself")


def _counted(head: Worked, said: Said) -> bool:
    return said["n"] == spelled(head.n)


SOFTMAX: dict[str, Check] = {
    "Scores become shares": nothing_to_check("heading"),
    "How does {asker} share out its attention?": ASKER,
    "Should a token look ahead?": nothing_to_check("question"),
    "No: it has to guess that. Every score ahead becomes minus infinity.": (
        nothing_to_check("definition")
    ),
    "Which of the {n} does {asker} look at most?": told(_counted),
    "Softmax takes off the largest score, then raises e to each: the same shares.": so(is_lowered),
    "Softmax raises e to each score, so nothing is below 0.": so(lambda head: not is_lowered(head)),
    "Divided by the sum of all of them, each is a share.": nothing_to_check("definition"),
    "{asker} looks most at {most}.": told(_looks),
    "None: {asker} looks at all of them alike.": so(_is_level),
    "What lies ahead gets nothing, for e to minus infinity is 0.": nothing_to_check("definition"),
    "Softmax makes shares of scores: none is below 0, each row adds up to 1.": (
        nothing_to_check("definition")
    ),
}

# 6. What is handed over

BLEND: dict[str, Check] = {
    "What is handed over": nothing_to_check("heading"),
    "What does {asker} get for its attention?": ASKER,
    "Each token hands over its value, as much as its share says.": nothing_to_check("definition"),
    "Each shrinks to its share. Shares add up to 1, so together they fill one row.": (
        nothing_to_check("definition")
    ),
    "Column by column, share times value is added up for {asker}.": ASKER,
    "Does the blend replace the row of {asker}?": ASKER,
    "No: in its place, it would wipe out that row. So it is added.": (
        nothing_to_check("definition")
    ),
    "Every token adds a blend of its own.": nothing_to_check("definition"),
    "Attention adds: {asker} keeps its row, and takes in a blend.": ASKER,
}

# 7. Which word comes out


def _is_primers(head: Worked) -> bool:
    rows = [PRINTED_ROWS.get(word) for word in head.words]
    ours = all(
        row is not None and [row] == own for row, own in zip(rows, _floats(head), strict=True)
    )
    return ours and [head.w_q, head.w_k, head.w_v] == [exact(w) for w in (W_Q, W_K, W_V)]


def _floats(head: Worked) -> list[Rows]:
    return [[[float(x) for x in row]] for row in head.embedding]


def _gets(primers: bool) -> Check:
    """No word has a larger logit than this one, which has this share."""

    def holds(head: Worked, said: Said) -> bool:
        first = [head.words[k] for k in head.first_words]
        share = max(shares_of(head.logits))
        is_one = len(head.words) == 1 and said["share"] == "100.0%"
        told_share = is_one or (is_share(said["share"], share) and _of_all(head, said))
        return said["word"] in first and told_share and _is_primers(head) == primers

    return told(holds)


def _of_all(head: Worked, said: Said) -> bool:
    return said.get("n") == spelled(len(head.words))


READOUT: dict[str, Check] = {
    "Which word comes out?": nothing_to_check("heading"),
    "How can a row of {d} numbers name a word?": told(lambda head, said: said["d"] == str(head.d)),
    "Only the last row is read: what comes next is up to it.": nothing_to_check("definition"),
    "With weight tying, the rows of these words serve again: now to compare.": nothing_to_check(
        "definition"
    ),
    "Row times row: number times number, added up, is the logit of “{word}”.": told(
        lambda head, said: said["word"] == head.words[0]
    ),
    "So much of each logit comes from the old row of {asker} alone.": ASKER,
    "The blend adds the rest: what attention brought in.": nothing_to_check("definition"),
    "Softmax makes shares of the logits. Which word gets most?": nothing_to_check("question"),
    **{
        f"{most} “{{word}}”: {{share}}.{end}": _gets(primers=bool(end))
        for most in ("Of these {n} words, none gets more than", "There is only")
        for end in ("", " No number here was learned.")
    },
}

# 8. Temperature


class Heated:
    """Logits, what they become at every temperature, and what is drawn."""

    def __init__(self, inputs: Inputs) -> None:
        self.words, self.logits = list(inputs.words), list(inputs.logits)
        self.temperatures = [1.0, *inputs.temperatures]
        self.n_draws, self.seed = inputs.n_draws, inputs.draw_seed
        self.likeliest = [k for k, x in enumerate(self.logits) if x == max(self.logits)]
        self.greedy = self.words[self.likeliest[0]]

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

    def n_greedy(self, temperature: float) -> str:
        """How often the likeliest word was drawn."""
        return str(self.drawn(temperature).count(self.greedy))


def heated(check: Callable[[Heated, Said], bool]) -> Check:
    return lambda inputs, said: check(Heated(inputs), said)


def _samples(heat: Heated, said: Said) -> bool:
    counted = said["n"] == str(heat.n_draws) and said["times"] == heat.n_greedy(1.0)
    return counted and said["word"] == heat.greedy


def _drawn_again(heat: Heated, said: Said) -> bool:
    end = heat.temperatures[-1]
    counted = [said["heat"], said["n"]] == [f"{end:g}", str(heat.n_draws)]
    return counted and [said["times"], said["word"]] == [heat.n_greedy(end), heat.greedy]


TEMPERATURE: dict[str, Check] = {
    "Drawing a word, hot or cold": nothing_to_check("heading"),
    "Does the largest logit always win?": nothing_to_check("question"),
    "Suppose that a trained model gives these logits.": nothing_to_check("supposed"),
    "Softmax makes shares of them: the largest is {share}.": heated(
        lambda heat, said: is_share(said["share"], heat.most)
    ),
    (
        "Greedy decoding always takes “{word}”. Sampling, by share, takes it in {times} of {n} "
        "draws."
    ): heated(_samples),
    "Divide logits by a temperature $tau$: heat makes differences small, cold large.": (
        nothing_to_check("(a - b) / T falls as T grows")
    ),
    "Entropy measures the doubt in nats: 0 if one word has it all, {most} if all are alike.": (
        heated(lambda heat, said: is_number(said["most"], math.log(len(heat.words)), ".2f"))
    ),
    "At temperature {heat}, {times} of {n} draws give “{word}”.": heated(
        lambda heat, said: _drawn_again(heat, said) and said["times"] != "1"
    ),
    "At temperature {heat}, {times} of {n} draws gives “{word}”.": heated(
        lambda heat, said: _drawn_again(heat, said) and said["times"] == "1"
    ),
    "No temperature changes which {words} likeliest.": (
        # exp(l/T) grows with l, whatever T is
        heated(
            lambda heat, said: (
                said["words"] == ("words are" if len(heat.likeliest) > 1 else "word is")
            )
        )
    ),
}

# 9. Another order


def _two(head: Worked, said: Said) -> bool:
    return [said["first"], said["second"]] == [head.named(0), head.named(1)]


ORDER: dict[str, Check] = {
    "Does the order matter?": nothing_to_check("heading"),
    "{first} and {second} change places: what then?": told(_two),
    "The new row of {asker} is a sum: each value times its share, plus the row it had.": ASKER,
    "Now the first two words change places. Which digits of the sum change?": nothing_to_check(
        "question"
    ),
    "None: the same rows are added, only in another order.": so(lambda h: keeps_its_row(h)),
    "They change back, and again not a digit changes.": so(lambda h: keeps_its_row(h)),
    "Keys and values come from a word's row alone, and no row says where its word stands.": (
        nothing_to_check("definition")
    ),
    "In one layer, {asker} sees which words came before, not in which order: for that, RoPE.": (
        ASKER
    ),
}


def keeps_its_row(head: Worked) -> bool:
    """Whether the last row is the same with the first two words exchanged."""
    pairs = zip(head.post[-1], head.reordered.post[-1], strict=True)
    return all(abs(a - b) <= _ROUNDING * max(1.0, abs(a)) for a, b in pairs)


# 10. What the primer prints


def printed_tables() -> dict[str, tuple[Rows, int, Rows]]:
    """The tables of the primer: as printed, to so many decimals, and what is true."""
    tokens = ["the", "cat", "sat"]
    head = Worked(tokens, [PRINTED_ROWS[token] for token in tokens], [W_Q, W_K, W_V])
    likely = shares_of(LOGITS)
    true: list[Any] = [head.queries, head.keys, head.values, head.dots, head.scores]
    true += [head.pattern, head.blend, [head.post[-1]]]
    true += [[[likely[WORDS.index(word)] for word in ("mat", "floor", "on")]]]
    tables = {}
    for (name, text), table in zip(SECTION_5.items(), true, strict=True):
        rows = [[float(x) for x in line.split()] for line in text.strip().splitlines()]
        decimals = len(re.split(r"\.", text)[-1])
        tables[name] = (rows, decimals, [[float(x) for x in row] for row in table])
    return tables


def wrong_cells(name: str) -> list[tuple[int, int]]:
    """The cells of a table that are not true to the last printed digit."""
    rows, decimals, true = printed_tables()[name]
    return [
        (i, j)
        for i, row in enumerate(rows)
        for j, x in enumerate(row)
        if abs(x - true[i][j]) > 0.5 * 10**-decimals + 1e-9
    ]


def _n_printed() -> int:
    return sum(len(row) for rows, *_ in printed_tables().values() for row in rows)


def _n_wrong() -> int:
    return sum(len(wrong_cells(name)) for name in printed_tables())


def _weights(said: Said) -> bool:
    printed, _, true = printed_tables()["weights"]
    numbers = said["true"] == f"{true[2][1]:.3f}" and said["printed"] == f"{printed[2][1]:.3f}"
    return numbers and true[2][1] < true[2][0]


def _slipped(said: Said) -> bool:
    printed, _, true = printed_tables()["Q"]
    wrong = abs(printed[2][0] - true[2][0]) > 0.1
    numbers = [said["printed"], said["true"]]
    return wrong and numbers == [f"{x:.2f}".replace("-", "−") for x in (printed[2][0], true[2][0])]


PRINTED: dict[str, Check] = {
    "What the primer prints": nothing_to_check("heading"),
    "How many of its {n} numbers are right?": (lambda _, said: said["n"] == str(_n_printed())),
    "These are its nine tables for “the cat sat”, as they are printed.": (
        lambda *_: len(printed_tables()) == 9
    ),
    "{right} follow from its rows, matrices and logits. The {wrong} framed ones do not.": (
        lambda _, said: (
            said["wrong"] == str(_n_wrong()) and said["right"] == str(_n_printed() - _n_wrong())
        )
    ),
    "Its shares, for one: they let “sat” look more at “cat” than at “the”.": (
        lambda *_: printed_tables()["weights"][0][2][1] > printed_tables()["weights"][0][2][0]
    ),
    "Is that what its rows and matrices give?": nothing_to_check("question"),
    "No: “cat” gets {true}, not {printed}, which is less than “the” gets.": (
        lambda _, said: _weights(said)
    ),
    "The method is right. Some digits are rounded, some have slipped: "
    "{printed} should be {true}.": lambda _, said: _slipped(said),
    "This is why no number in these films is typed by hand.": nothing_to_check("of these films"),
}

TRUTHS: dict[str, dict[str, Check]] = {
    "attention.lookup": LOOKUP,
    "attention.project": PROJECT,
    "attention.scores": SCORES,
    "attention.scale": SCALE,
    "attention.softmax": SOFTMAX,
    "attention.blend": BLEND,
    "attention.readout": READOUT,
    "attention.temperature": TEMPERATURE,
    "attention.order": ORDER,
    "attention.printed": PRINTED,
}
"""All that is said and written, stage by stage."""

"""What every sentence of the film `transformer_block` asserts, held against formulas of its own.

Nothing that is asserted is asked of `model` or a stage. The layers are those of
`tests.model.plain_transformer`, on lists of floats. Random numbers are NumPy's, and drawn again
here: the weights of the primer's example are what the seed 7 draws. What it prints is data.

In a sentence of the tables, `{name}` stands for what is filled in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from clockhead.model.primer.printed import SECTION_6
from tests.model import plain_transformer as plain
from tests.scenes.old_telling import Check, Inputs, Said, is_share, nothing_to_check, spelled

Rows = list[list[float]]
Layer = dict[str, Rows]

WORDS = ["the", "cat", "dog", "sat", "ran", "on", "mat", "floor", "big", "small"]
"""The words that the logits are for."""
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
        """A token as a sentence names it."""
        word = self.tokens[k]
        return f"“{word}” at {k}" if self.tokens.count(word) > 1 else f"“{word}”"

    @property
    def heads(self) -> str:
        """How many heads there are, as a sentence says it."""
        return "one head" if self.n_heads == 1 else f"{spelled(self.n_heads)} heads"

    @cached_property
    def is_primer(self) -> bool:
        layers, u = drawn_weights(PRIMER_SEED, 8)
        same = [self.layers == layers, self.u == u, self.x == PRINTED_ROWS, self.n_heads == 2]
        return all(same) and " ".join(self.tokens) == PRIMER

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


def told(check: Callable[[Worked, Said], bool]) -> Check:
    """A check; what sentences say in several places is checked here."""

    def holds(inputs: Inputs, said: Said) -> bool:
        block = work(inputs)
        true = {
            "asker": block.named(block.last),
            "n_tokens": str(block.n),
            "d_model": str(WIDTH),
            "d_head": str(block.d_head),
            "d_ff": str(block.d_ff),
            "heads": block.heads,
        }
        known = all(said[name] == text for name, text in true.items() if name in said)
        return known and check(block, said)

    return holds


SIZES = told(lambda *_: True)
"""A sentence that says no more than sizes, and who asks."""


def so(check: Callable[[Worked], bool]) -> Check:
    """A check of what is filled in everywhere alone."""
    return told(lambda block, _: check(block))


def _single(block: Worked) -> bool:
    return block.n_heads == 1


def _several(block: Worked) -> bool:
    return block.n_heads > 1


# 1. What a layer gives back


@lru_cache(maxsize=1)
def printed_right() -> tuple[int, list[list[str]]]:
    """How many numbers of section 6 are printed, and those that do not follow from its rows.

    Of these, the table, the word if it is of words, what is printed and what should be.
    """
    layers, u = drawn_weights(PRIMER_SEED, 8)
    block = Worked(PRIMER.split(), PRINTED_ROWS, layers, u, 2)
    one, two = block.first, block.second
    queries, keys = block.lane("queries", 0), block.lane("keys", 0)
    scores = [
        [
            plain.row_times(query, [[x] for x in key])[0] / math.sqrt(3) if n <= m else -math.inf
            for n, key in enumerate(keys)
        ]
        for m, query in enumerate(queries)
    ]
    true = {
        "Q": [plain.row_times(row, layers[0]["w_q"]) for row in block.x],
        "scores_1": scores,
        "weights_1": one["patterns"][0],
        "head_1_out": [row[:3] for row in one["concat"]],
        "weights_2": one["patterns"][1],
        "head_2_out": [row[3:] for row in one["concat"]],
        **{name: one[name] for name in ("concat", "pre", "act")},
        "attn": one["attn_out"],
        "h_mid": one["resid_mid"],
        "mlp": one["mlp_out"],
        "h_1": one["resid_post"],
        "attn_2": two["attn_out"],
        "h_mid_2": two["resid_mid"],
        "mlp_2": two["mlp_out"],
        "h_2": two["resid_post"],
        "logits": [block.logits],
        "probs": [block.probabilities],
    }
    of, wrong = 0, []
    for name, text in SECTION_6.items():
        lines = [line.split() for line in text.strip().splitlines()]
        for texts, numbers in zip(lines, true[name], strict=True):
            pairs = list(zip(texts, numbers, strict=True))
            for word, (t, x) in zip(WORDS, pairs, strict=False):
                of += t != "-inf"
                if t != "-inf" and abs(float(t) - x) > 0.005 + 1e-9:
                    wrong.append([name, word, f"{float(t):.2f}", f"{x:.2f}"])
    return of, wrong


def _printed(block: Worked, said: Said) -> bool:
    of, wrong = printed_right()
    counts = [said["right"], said["of"]] == [str(of - len(wrong)), str(of)]
    named = ["probs", said["word"], said["print"], said["true"]]
    return block.is_primer and counts and wrong == [named]


LANES: dict[str, Check] = {
    "What a layer takes and gives": nothing_to_check("heading"),
    "How many numbers does a layer give back?": nothing_to_check("question"),
    "As many as it takes: {n_tokens} rows of {d_model}. Only the numbers may change.": SIZES,
    "The weights are random here: nothing has been learned.": nothing_to_check("where from"),
    "One product, $X W_Q$, makes the queries of every head.": nothing_to_check("definition"),
    "The keys and the values are made likewise.": nothing_to_check("definition"),
    "Each head gets {d_head} of the {d_model} columns, and works with these alone.": so(
        lambda block: block.n_heads * block.d_head == WIDTH and _several(block)
    ),
    "A single head gets all {d_model} columns.": so(_single),
    "Each head has a lane: {d_head} columns of queries, of keys and of values.": so(_several),
    "One head has one lane: {d_head} columns of queries, of keys and of values.": so(_single),
}

# 2. How the heads look


def _differ(block: Worked, said: Said) -> bool:
    """Where the heads are furthest apart, they have these shares, one head after another."""
    told = [part.partition(" in ") for part in said["given"].split(", ")]
    heads, numbers = [head for *_, head in told], [number for number, *_ in told]
    for m, n in block.most_different:
        shares = [pattern[m][n] for pattern in block.first["patterns"]]
        who = said["asking"] == block.named(m)
        whom = said["asked"] == ("itself" if m == n else block.named(n))
        if who and whom and all(map(is_share, numbers, shares)):
            return heads == [f"head {k}" for k in range(block.n_heads)]
    return False


PATTERNS: dict[str, Check] = {
    "Each head looks for itself": nothing_to_check("heading"),
    "Where does each token look, in each head?": nothing_to_check("question"),
    "In each lane, queries times keys, divided by √{d_head}, are the scores of its head.": SIZES,
    "A mask hides later tokens. Softmax turns the scores left in each row into shares.": so(
        lambda block: (
            not any(
                pattern[m][n]
                for pattern in block.first["patterns"]
                for n in range(block.n)
                for m in range(n)
            )
        )
    ),
    "Do all heads look the same way?": so(_several),
    "{asking} looks at {asked}: {given}.": told(
        lambda block, said: _differ(block, said) and max(block.differences.values()) > _ALIKE
    ),
    "Here they do: every share is the same in all heads.": so(
        lambda block: max(block.differences.values()) <= _ALIKE
    ),
    "By its shares, each head mixes the values of its lane: row times column.": (
        nothing_to_check("definition")
    ),
    "Each head has its own pattern, and blends the values of its own lane.": nothing_to_check(
        "definition"
    ),
}

# 3. What the heads write


def reaches_all(block: Worked) -> bool:
    """Whether no head has rows of W_O with a column of nothing but 0."""
    return all(
        any(row[column] for row in block.slab(head))
        for head in range(block.n_heads)
        for column in range(WIDTH)
    )


MIX: dict[str, Check] = {
    "What the heads write": nothing_to_check("heading"),
    "How do {d_head} numbers of a head get into rows of {d_model}?": SIZES,
    "Side by side, the blends of all heads are as wide as a row: {d_model} numbers.": so(
        lambda block: block.n_heads * block.d_head == WIDTH and _several(block)
    ),
    "The blend of the one head is as wide as a row: {d_model} numbers.": so(_single),
    "Why not just add them to the rows?": nothing_to_check("question"),
    "With a single head one could: $W_V$ could do the work of $W_O$ as well.": so(_single),
    "Then head 0 could write into the first {d_head} columns, and into no others.": so(_several),
    "A matrix $W_O$ comes in between: each head has {d_head} of its rows, a slab.": so(_several),
    "A matrix $W_O$ comes in between all the same: this head has all its {d_head} rows.": so(
        _single
    ),
    "Through its slab a head can write into all {d_model} columns. What heads write adds up.": so(
        lambda block: reaches_all(block) and _several(block)
    ),
    "Through $W_O$ it can write into all {d_model} columns.": so(
        lambda block: reaches_all(block) and _single(block)
    ),
    "What attention writes is added to the row of each token.": nothing_to_check("definition"),
}

# 4. The MLP


def _kept(block: Worked, said: Said) -> bool:
    """So many of the numbers of the last token are above 0."""
    return said["kept"] in map(str, block.survivors(block.last))


MLP: dict[str, Check] = {
    "Every row for itself": nothing_to_check("heading"),
    "What does the MLP do with each row?": nothing_to_check("question"),
    "A multi-layer perceptron takes one row alone. $W_1$ turns {d_model} numbers into {d_ff}.": (
        SIZES
    ),
    "ReLU sets what is below 0 to 0. How much is left?": nothing_to_check("question"),
    "What is above 0 stays: here {kept} of {d_ff} numbers.": told(_kept),
    "$W_2$ makes {d_model} again. Without ReLU, two matrices could do no more than one.": SIZES,
    "Every other row goes the same way: no token sees another here.": nothing_to_check(
        "definition"
    ),
    "To each row is added what came out for it.": nothing_to_check("definition"),
    "Attention lets rows meet; the MLP takes each row alone, by the same weights.": (
        nothing_to_check("definition")
    ),
}

# 5. One more layer, and the cost

_L, _D, _V, _PLACES = 12, 768, 50_257, 1024
"""The smallest GPT-2: layers, width, tokens and positions."""
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


def _usual_squares() -> int:
    """How many squares the matrices of a layer are, with an MLP of four times the width."""
    return 4 + 2 * 4


STACK: dict[str, Check] = {
    "One more layer, and what it costs": nothing_to_check("heading"),
    "What can come after a layer?": nothing_to_check("question"),
    "Another layer: the same steps, with weights of its own.": so(
        lambda block: block.layers[0] != block.layers[1]
    ),
    "Attention mixes the rows: the broader a ribbon, the larger its share.": nothing_to_check(
        "how it is drawn"
    ),
    "Its MLP widens rows to {d_ff}; what it adds is {d_model} wide.": so(
        lambda block: block.d_ff > WIDTH
    ),
    "Its MLP narrows rows to {d_ff}; what it adds is {d_model} wide.": so(
        lambda block: block.d_ff < WIDTH
    ),
    "Inside its MLP rows are {d_ff} wide as well, and so is what it adds.": so(
        lambda block: block.d_ff == WIDTH
    ),
    "It gives {n_tokens} × {d_model} again, so one more layer could follow.": SIZES,
    "Its weights, drawn to scale: here {n} numbers.": told(
        lambda block, said: said["n"] == str(in_layer(block))
    ),
    "Rows are $d$ wide, the MLP usually ${wide} d$: {four} + {first} + {second} = {n} squares, "
    "${times} d^2$.": told(
        lambda _, said: (
            said["n"] == said["times"] == str(_usual_squares())
            and [said[name] for name in ("wide", "four", "first", "second")] == ["4"] * 4
        )
    ),
    "The smallest GPT-2 has {layers} layers: {n} · {times} · {wide}² is {millions} million.": told(
        lambda _, said: (
            said["layers"] == said["times"] == str(_L)
            and said["wide"] == str(_D)
            and said["n"] == str(_usual_squares())
            and said["millions"] == f"{IN_LAYERS / 1e6:.1f}"
            and IN_LAYERS == 12 * _L * _D**2
        )
    ),
    "$L$ layers hold ${n} L d^2$; with all else, GPT-2 learns {millions} million numbers.": told(
        lambda _, said: (
            said["n"] == str(_usual_squares()) and said["millions"] == f"{IN_ALL / 1e6:.1f}"
        )
    ),
}

# 6. From the last row to a word


def _leads(block: Worked, said: Said) -> bool:
    leader = block.leaders == [said["word"]]
    return leader and is_share(said["share"], max(block.probabilities))


def _stretched(block: Worked, said: Said) -> bool:
    """The largest share with the row twice and half as long."""
    twice, half = (max(block.stretched(factor)) for factor in (2.0, 0.5))
    shares = is_share(said["twice"], twice) and is_share(said["half"], half)
    return shares and said["word"] in block.leaders


def _mean_off(block: Worked, said: Said) -> bool:
    """Who leads without the mean, and how far the row is turned by that."""
    shares = dict(zip(WORDS, block.centred_shares(), strict=True))
    leads = shares.get(said["word"], -1.0) >= max(shares.values()) - _LEVEL
    return leads and said["angle"] == f"{turn(block):.0f}"


def _length_set(block: Worked, said: Said) -> bool:
    """Who leads once the length is set, and that no two words change places by it."""
    before, after = block.centred_shares(), block.normed_shares()
    stays = all(
        (p < q) <= (r <= s + _LEVEL)
        for p, r in zip(before, after, strict=True)
        for q, s in zip(before, after, strict=True)
    )
    k = WORDS.index(said["word"]) if said["word"] in WORDS else -1
    leads = k >= 0 and after[k] >= max(after) - _LEVEL and is_share(said["share"], after[k])
    return stays and leads and length_is_set(block)


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


READOUT: dict[str, Check] = {
    "From the last row to a word": nothing_to_check("heading"),
    "How do {d_model} numbers name one of {words} words?": told(
        lambda _, said: said["words"] == str(len(WORDS))
    ),
    "Only the last row is read: times $U$, it gives every word a logit.": nothing_to_check(
        "definition"
    ),
    "Softmax: by random weights, “{word}” gets {share}.": told(_leads),
    "Twice as long, the row gives “{word}” {twice}; half as long, {half}.": told(_stretched),
    "LayerNorm, which this block lacks, keeps rows equally long.": so(length_is_set),
    "It takes off the mean, which turns the row by {angle}°: now “{word}” leads.": told(
        lambda block, said: _mean_off(block, said) and said["word"] not in block.leaders
    ),
    "It takes off the mean, which turns the row by {angle}°: “{word}” still leads.": told(
        lambda block, said: _mean_off(block, said) and said["word"] in block.leaders
    ),
    "Then it sets the length to √{d_model}. The order stays: “{word}” gets {share}.": told(
        _length_set
    ),
    "Direction says which word, length how sure; and LayerNorm fixes the length.": so(
        lambda block: length_is_set(block) and stretch_is_undone(block)
    ),
}

# 7. The logit lens


STATIONS = ["start", "attention 0", "MLP 0", "attention 1", "MLP 1"]


def _leads_first(block: Worked, said: Said) -> bool:
    """After which step, or at the start, the word of the end leads alone for the first time."""
    if block.lens_leaders[-1] != said["word"]:
        return False
    first = STATIONS[block.lens_leaders.index(said["word"])]
    return first == said.get("step", "start") and _from_start_to_end(block, said)


def _from_start_to_end(block: Worked, said: Said) -> bool:
    if said["word"] not in block.leaders:
        return False
    shares = [row[WORDS.index(said["word"])] for row in block.lens]
    return is_share(said["first"], shares[0]) and is_share(said["end"], shares[-1])


LENS: dict[str, Check] = {
    "What would it say so far?": nothing_to_check("heading"),
    "What if $U$ read the row on its way?": nothing_to_check("question"),
    "Back to the start: a row has {d_model} numbers at every stop, so $U$ fits.": so(
        lambda block: {len(row) for rows in block.streams for row in rows} == {WIDTH}
    ),
    "How soon is the answer there?": nothing_to_check("question"),
    "After every attention and every MLP, $U$ reads the row again. If a model ends in a norm, "
    "the lens applies it first.": so(lambda block: block.lens[-1] == block.probabilities),
    "Frames mark who leads: “{word}” at the start already, from {first} to {end}.": told(
        _leads_first
    ),
    "Frames mark who leads: “{word}” first after {step}, from {first} at the start to {end}.": told(
        lambda block, said: said["step"] != "start" and _leads_first(block, said)
    ),
    "Frames mark words that lead alone: none in the end. “{word}” went from {first} to {end}.": (
        told(
            lambda block, said: not block.lens_leaders[-1] and _from_start_to_end(block, said),
        )
    ),
    "The logit lens: read the row early, and see what it would predict so far.": nothing_to_check(
        "definition"
    ),
}

# 8. All of it

FLOW: dict[str, Check] = {
    "The transformer block": nothing_to_check("heading"),
    "Where do the rows meet?": nothing_to_check("question"),
    "{n_tokens} rows go in. They meet in attention; the MLP takes each of them alone.": SIZES,
    "The second layer adds again; $U$ turns the last row into probabilities.": nothing_to_check(
        "definition"
    ),
    "The row of {asker} stays {d_model} numbers wide, whatever is added to it.": so(
        lambda block: {len(row) for rows in block.streams for row in rows} == {WIDTH}
    ),
    "A primer prints {of} numbers of this: {right} are right; "
    "{print} for “{word}” should be {true}.": told(_printed),
    "Each layer adds to the stream: attention among its rows, then an MLP for each.": (
        nothing_to_check("definition")
    ),
}

TRUTHS: dict[str, dict[str, Check]] = {
    "transformer_block.lanes": LANES,
    "transformer_block.patterns": PATTERNS,
    "transformer_block.mix": MIX,
    "transformer_block.mlp": MLP,
    "transformer_block.stack": STACK,
    "transformer_block.readout": READOUT,
    "transformer_block.lens": LENS,
    "transformer_block.flow": FLOW,
}
"""All that is said and written, stage by stage."""

CLAIMS: dict[str, dict[str, Callable[[Inputs], bool]]] = {
    "transformer_block.mix": {
        "every head can write into every column": lambda inputs: reaches_all(work(inputs)),
    },
    "transformer_block.readout": {
        "LayerNorm undoes a stretch of the last row": lambda inputs: stretch_is_undone(
            work(inputs)
        ),
        "LayerNorm sets the length of the last row": lambda inputs: length_is_set(work(inputs)),
    },
}
"""What stages ask of their inputs, and when it is so."""

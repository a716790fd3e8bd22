"""The truths of the film `errata`.

What is printed is data. What should be there is worked out here again: the slides' layers are those
of `truths_onehot`, the primer's first example is multiplied in lists, its second one is that of
`truths_transformer_block`, and the rows of the cipher are whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from clockhead.model.primer.printed import SECTION_5, SECTION_6
from clockhead.model.primer.weights import RESID_5, W_K_5, W_Q_5, W_V_5
from clockhead.scenes.stage import StageInputs, find_stage
from tests.model import plain_transformer as plain
from tests.scenes.telling import FilmTruths, Inputs, Truths, legal, those_taken
from tests.scenes.truths_caesar import ALPHABET, PLAIN, UNITS, turned
from tests.scenes.truths_onehot import Told, causal, softmax
from tests.scenes.truths_transformer_block import (
    PRIMER,
    PRIMER_SEED,
    PRINTED_ROWS,
    Worked,
    drawn_weights,
)

Floats = NDArray[np.float64]
Rows = list[list[float]]
_SLACK = 1e-9
_WORDS = "the cat dog sat ran on mat floor big small red blue fast slow a and . is was .EOS"
WORDS = _WORDS.split()
LOGITS = [
    *(-0.8, -0.2, 0.1, 0.5, 1.2, 2.4, 3.1, 2.8, 0.4, -0.1),
    *(-0.3, 0.0, -0.5, -0.4, 0.6, 0.2, 1.0, -0.2, 0.3, -1.5),
]

# The slides


def _ones(columns: int, *places: tuple[int, int]) -> Floats:
    table = np.zeros((6, columns))
    for place in places:
        table[place] = 1
    return table


_OWN = [0, 1, 2, 1, 3, 2]
_PATTERN = _ones(6, (0, 0), (3, 2), (5, 3))
SLIDES = {
    "scores_1": 200 * np.eye(6, k=-1) - 100,
    "pattern_1": np.eye(6, k=-1) + _ones(6, (0, 0)),
    "resid_mid": _ones(12, *enumerate(_OWN), *((i, 6 + _OWN[i - 1]) for i in range(1, 6))),
    "scores_2": 100 * _ones(6, (0, 1), (1, 2), (1, 4), (2, 3), (3, 2), (3, 4), (4, 5), (5, 3)),
    "pattern_2": _PATTERN,
    "resid_post": _ones(12, (3, 2), (5, 1)),
}
"""Tables (4), (5), (6), (9), (10) and (11) as printed."""


class Slides(Told):
    """The text of the slides, and what its layers make of it with the mask first."""

    def __init__(self) -> None:
        super().__init__("!abacb")
        pattern = causal(self.scores_1)
        self.due = {
            "scores_1": self.scores_0,
            "pattern_1": self.attention_0,
            "resid_mid": self.y_1,
            "scores_2": self.scores_1,
            "pattern_2": pattern,
            "resid_post": np.asarray(pattern @ self.y_1 @ self.v_1.T),
        }
        self.last = np.tril(softmax(self.scores_1))

    def off(self, name: str, due: Floats | None = None) -> list[tuple[int, int]]:
        """The wrong cells of a table, to the decimal that is printed."""
        true = self.due[name] if due is None else due
        found = np.argwhere(np.abs(SLIDES[name] - true) > 0.05)
        return [(int(i), int(j)) for i, j in found]

    def zero_rows(self) -> list[int]:
        return np.flatnonzero(_PATTERN.sum(axis=1) == 0).tolist()

    def mixes(self) -> bool:
        """Whether rows are as with the mask last if they are zeros, and else as with it first."""
        first = self.due["pattern_2"]
        alike = [np.allclose(a, b) for a, b in zip(self.last, _PATTERN, strict=True)]
        other = [np.allclose(a, b) for a, b in zip(first, _PATTERN, strict=True)]
        zeros = self.zero_rows()
        rest = [i for i in range(6) if i not in zeros]
        return all(alike[i] for i in zeros) and all(other[i] for i in rest) and not all(alike)

    def halves(self) -> bool:
        """Whether the cells that are wrong with the mask last are half of the print."""
        cells = self.off("pattern_2", self.last)
        return bool(cells) and all(math.isclose(2 * self.last[c], _PATTERN[c]) for c in cells)

    def names_two(self) -> bool:
        """Whether all rows but the first have a 1 in both halves, of its token and that before."""
        halves = SLIDES["resid_mid"][:, :6].sum(axis=1), SLIDES["resid_mid"][:, 6:].sum(axis=1)
        return halves[0].tolist() == 6 * [1] and halves[1].tolist() == [0] + 5 * [1]

    def answers(self) -> set[str]:
        tables = SLIDES["resid_post"], self.due["resid_post"]
        return {self.kinds[int(table[-1, :6].argmax())] for table in tables}


# The cipher


def printed_row(r: int) -> list[int]:
    """The last r frequencies, and after them those from r on."""
    return UNITS[-r:] + UNITS[r:]


def meant_row(r: int) -> list[int]:
    """All but the last r, after these."""
    return UNITS[26 - r :] + UNITS[: 26 - r]


def found_by(row: Callable[[int], list[int]], text: str) -> int:
    """The rotation whose row, cut, has the largest sum at the letters of a text."""
    sums = [sum(row(r)[ALPHABET.index(c)] for c in text) for r in range(26)]
    return sums.index(max(sums))


@cache
def share_read(row: Callable[[int], list[int]]) -> float:
    """Of all stretches of 32 characters in all rotations, what the rows read; ties are shared."""
    hot = np.array([[letter == c for letter in ALPHABET] for c in PLAIN], dtype=np.int64)
    sums = np.vstack([np.zeros((1, 26), dtype=np.int64), hot.cumsum(axis=0)])
    counts, rows = sums[32:] - sums[:-32], np.array([row(r)[:26] for r in range(26)])
    right = []
    for r in range(26):
        scores = np.roll(counts, r, axis=1) @ rows.T
        leads = scores == scores.max(axis=1, keepdims=True)
        right.append((leads[:, r] / leads.sum(axis=1)).mean())
    return float(np.mean(right))


class Sliced:
    """Both slices for a rotation."""

    def __init__(self, inputs: Inputs) -> None:
        self.r = inputs.turned
        letters = ALPHABET[-self.r :] + ALPHABET[self.r :]
        self.twice = [c for c in ALPHABET if letters.count(c) == 2]
        self.gone = [c for c in ALPHABET if c not in letters]

    @staticmethod
    def span(letters: list[str]) -> str:
        return letters[0] if len(letters) == 1 else f"{letters[0]} to {letters[-1]}"


_SENT = turned("etainos", 1)


# The primer


def table_of(text: str) -> Rows:
    return [[float(x) for x in line.split()] for line in text.strip().splitlines()]


def _times(a: Any, b: Any) -> Rows:
    return [[sum(x * y for x, y in zip(row, col, strict=True)) for col in zip(*b)] for row in a]  # noqa: B905


@cache
def example() -> dict[str, tuple[Rows, Rows, list[tuple[int, int]]]]:
    """Section 5, by table: as printed, as it follows, and the cells that differ."""
    q, k, v = (_times(RESID_5.tolist(), w.tolist()) for w in (W_Q_5, W_K_5, W_V_5))
    dots = _times(q, list(zip(*k, strict=True)))
    scores = [[x / math.sqrt(5) for x in row] for row in dots]
    weights = []
    for i, row in enumerate(scores):
        powers = [math.exp(x) if j <= i else 0.0 for j, x in enumerate(row)]
        weights.append([x / sum(powers) for x in powers])
    out = _times(weights, v)
    last = [a + b for a, b in zip(RESID_5[-1].tolist(), out[-1], strict=True)]
    whole = sum(math.exp(x) for x in LOGITS)
    likely = [math.exp(LOGITS[WORDS.index(word)]) / whole for word in ("mat", "floor", "on")]
    due = [q, k, v, dots, scores, weights, out, [last], [likely]]
    found = {}
    for (name, text), true in zip(SECTION_5.items(), due, strict=True):
        printed, half = table_of(text), 0.5 * 10 ** -len(text.rpartition(".")[2])
        wrong = [
            (i, j)
            for i, row in enumerate(printed)
            for j, x in enumerate(row)
            if abs(x - true[i][j]) > half + _SLACK
        ]
        found[name] = printed, true, wrong
    return found


def n_numbers(*names: str) -> int:
    return sum(len(row) for name in names for row in example()[name][0])


def n_wrong(*names: str) -> int:
    return sum(len(example()[name][2]) for name in names)


_SQUARE = ("QK^T", "scaled", "weights")


@cache
def summed() -> SimpleNamespace:
    """The last row as a sum, in thousandths."""
    rows = [RESID_5[-1].tolist(), example()["attention_output"][0][-1], example()["h_last"][0][0]]
    row, added, printed = ([round(1000 * x) for x in numbers] for numbers in rows)
    total = [a + b for a, b in zip(row, added, strict=True)]
    digits = [[abs(x) % 10 for x in numbers] for numbers in (row, added, total, printed)]
    return SimpleNamespace(total=total, printed=printed, digits=digits)


@cache
def shares() -> SimpleNamespace:
    """Section 6: how many numbers, the wrong ones, and the last row, printed and true."""
    layers, u = drawn_weights(PRIMER_SEED, 8)
    block = Worked(PRIMER.split(), PRINTED_ROWS, layers, u, 2)
    one, two = block.first, block.second
    queries, keys = block.lane("queries", 0), block.lane("keys", 0)
    scores = [
        [plain.row_times(query, [[x] for x in key])[0] / math.sqrt(3) for key in keys]
        for query in queries
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
    pairs = [
        (float(text), number, name)
        for name, table in SECTION_6.items()
        for line, numbers in zip(table.strip().splitlines(), true[name], strict=True)
        for text, number in zip(line.split(), numbers, strict=True)
        if text != "-inf"
    ]
    off = [pair for pair in pairs if abs(pair[0] - pair[1]) > 0.005 + _SLACK]
    printed = table_of(SECTION_6["probs"])[0]
    return SimpleNamespace(n=len(pairs), off=off, printed=printed, true=block.probabilities)


def _rounded() -> list[float]:
    return [round(x, 2) for x in shares().true]


def _ratio() -> tuple[float, float]:
    """What softmax makes of the step between the printed scores, and what is printed."""
    scores, weights = (example()[name][0][-1] for name in ("scaled", "weights"))
    return math.exp(scores[2] - scores[1]), weights[2] / weights[1]


# What the film says

STAGES = {
    "mask": Truths(
        world=lambda _: Slides(),
        facts={
            "n_zero_rows": lambda s: len(s.zero_rows()),
            "full_score": lambda s: s.scores_1.max(),
            "last.n_wrong": lambda s: len(s.off("pattern_2", s.last)),
            "first.n_wrong": lambda s: len(s.off("pattern_2")),
        },
        claims={
            "scores": lambda s: set(np.unique(s.scores_1.round(9))) == {0.0, 100.0},
            "mask": lambda s: not s.last[s.zero_rows()].round(9).any(),
            "halves": Slides.halves,
            "first": lambda s: (
                np.allclose(s.due["pattern_2"].sum(axis=1), 1)
                and {i for i, _ in s.off("pattern_2")} == set(s.zero_rows())
            ),
            "caption": Slides.mixes,
        },
    ),
    "missing_one": Truths(
        world=lambda _: Slides(),
        facts={
            "forgetful": lambda s: s.tokens[0],
            "full_score": lambda s: s.scores_1[0, 0],
            "prediction": lambda s: next(iter(s.answers())),
            "printed_answer": lambda _: SLIDES["resid_post"][-1].max(),
            "true_answer": lambda s: s.due["resid_post"][-1].max(),
            "n_wrong": lambda s: sum(len(s.off(name)) for name in SLIDES),
            "n_numbers": lambda _: sum(table.size for table in SLIDES.values()),
        },
        claims={
            "two": Slides.names_two,
            "forgotten": lambda s: s.off("resid_mid") == [(0, 6)] and s.attention_0[0, 0] == 1,
            "unmatched": lambda s: s.off("scores_2") == [(0, 0)] and not SLIDES["scores_2"][0, 0],
            "answer": lambda s: len(s.answers()) == 1,
        },
    ),
    "slices": Truths(
        world=Sliced,
        facts={
            "turned": lambda s: s.r,
            "first_kept": lambda s: ALPHABET[s.r],
            "twice": lambda s: s.span(s.twice),
            "gone": lambda s: s.span(s.gone),
            "n_not_turned": lambda _: len(printed_row(0)),
            "worked.ciphertext": lambda _: _SENT,
            "worked.text": lambda _: turned(_SENT, -found_by(meant_row, _SENT)),
            "worked.rotation": lambda _: 1,
            "misread": lambda _: turned(_SENT, -found_by(printed_row, _SENT)),
            "length": lambda _: 32,
            "printed_share": lambda _: share_read(printed_row),
            "meant_share": lambda _: share_read(meant_row),
        },
        choices={"cut": lambda s: s.r > 1, "count": lambda s: len(s.twice) > 1},
        claims={
            "mend": lambda s: (
                meant_row(s.r) == [UNITS[(k - s.r) % 26] for k in range(26)]
                and len(printed_row(s.r)) == 26
            ),
        },
    ),
    "sums": Truths(
        facts={
            "asker": lambda _: "sat",
            "digit_row": lambda _: summed().digits[0][0],
            "digit_added": lambda _: summed().digits[1][0],
            "digit_total": lambda _: (summed().digits[0][0] + summed().digits[1][0]) % 10,
            "digit_printed": lambda _: summed().digits[3][0],
            "n_sums": lambda _: len(summed().total),
            "n_wrong": lambda _: sum(np.not_equal(summed().total, summed().printed)),
            "n_by_digit": lambda _: sum(np.not_equal(summed().digits[2], summed().digits[3])),
        },
        claims={
            "rest": lambda _: all(np.not_equal(summed().total, summed().printed)),
            "caption": lambda _: not all(np.not_equal(summed().digits[2], summed().digits[3])),
        },
    ),
    "ratios": Truths(
        facts={
            "asker": lambda _: "sat",
            "rival": lambda _: "cat",
            "first": lambda _: "the",
            "step": lambda _: math.log(_ratio()[0]),
            "factor": lambda _: _ratio()[0],
            "printed_factor": lambda _: _ratio()[1],
            "true_rival": lambda _: example()["weights"][1][-1][1],
            "true_first": lambda _: example()["weights"][1][-1][0],
        },
        claims={
            "no": lambda _: abs(_ratio()[0] - _ratio()[1]) > 0.1,
            "caption": lambda _: example()["weights"][1][-1][1] < example()["weights"][1][-1][0],
        },
    ),
    "tables": Truths(
        facts={
            "n_words": lambda _: len(WORDS),
            "n_known": lambda _: len(RESID_5),
            "queries.n_wrong": lambda _: n_wrong("Q"),
            "keys.n_wrong": lambda _: n_wrong("K"),
            "n_square": lambda _: n_numbers(*_SQUARE),
            "n_square_wrong": lambda _: n_wrong(*_SQUARE),
            "n_numbers": lambda _: n_numbers(*example()),
            "n_right": lambda _: n_numbers(*example()) - n_wrong(*example()),
        },
        claims={
            "slips": lambda _: n_wrong("V") == 0,
            "out": lambda _: all(n_wrong(name) for name in ("attention_output", "h_last", "probs")),
        },
    ),
    "rounding": Truths(
        facts={
            "printed.n_numbers": lambda _: shares().n,
            "printed_sum": lambda _: sum(shares().printed),
            "true_share": lambda _: shares().true[0],
            "corrected": lambda _: _rounded()[0],
            "misprint": lambda _: shares().printed[0],
            "rounded_sum": lambda _: sum(_rounded()),
            "missing": lambda _: 1 - sum(_rounded()),
        },
        claims={
            "all": lambda _: len(shares().off) == 1,
            "ten": lambda _: shares().off[0][2] == "probs" and len(shares().printed) == 10,
            "add_up": lambda _: math.isclose(sum(shares().printed), 1),
            "wrong": lambda _: shares().printed[1:] == _rounded()[1:],
            "collect": lambda _: math.isclose(sum(shares().true), 1),
            "caption": lambda _: shares().printed != _rounded(),
        },
    ),
}


def examples(name: str) -> list[StageInputs]:
    """The film as it comes, and other turns of the alphabet."""
    return those_taken(name, [{}, *({"turned": n} for n in (1, 2, 12, 13, 14, 24, 25))])


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Turns of the alphabet."""
    kind = find_stage(name).Inputs
    if "turned" not in kind.model_fields:
        return st.just(kind())
    return st.integers(1, 25).map(lambda n: legal(kind, {"turned": n}))


FILM = FilmTruths("errata", lambda inputs: inputs, {}, STAGES, examples, drawn)

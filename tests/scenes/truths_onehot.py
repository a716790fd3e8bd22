"""The truths of the film about zeros and ones.

With h = max(V, T), a row of Y(0) is a 1 at its token and a 1 at its position, h places each. A_0
has c at position i against i - 1 and -c at the others; V_0 takes the token to where positions
stand, W_0 keeps it; A_1 has c at a token against the same as previous token; V_1 takes the token
times g, W_1 is 0. c and g are 100. Attention is the softmax of Y A Y^T over the keys so far.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.telling import (
    FilmTruths,
    Truths,
    Variant,
    listed,
    those_taken,
)
from tests.scenes.truths_induction import Floats, softmax

_SLIDES = ["BOS", *"abcde"]
_ORDER = ["BOS", *"abcdefghijklmnopqrstuvwxyz", "␣"]
_C = _G = 100


def quote(token: str) -> str:
    """A token as a sentence speaks of it."""
    return token if token == "BOS" else f"“{token}”"


class Told:
    """The tokens of a text, and the two layers over them."""

    def __init__(self, text: str) -> None:
        self.text = text
        letters = text.removeprefix("!").replace(" ", "␣")
        self.tokens = ["BOS", *letters]
        self.n, self.query = len(self.tokens), self.tokens[-1]
        known = set(self.tokens) <= set(_SLIDES)
        self.kinds = _SLIDES if known else [t for t in _ORDER if t in self.tokens]
        self.h = max(len(self.kinds), self.n)
        self.places = [self.kinds.index(token) for token in self.tokens]

    @property
    def absent(self) -> list[str]:
        return [token for token in self.kinds if token not in self.tokens]

    @property
    def matches(self) -> list[int]:
        """The positions that the last token came before."""
        return [k for k in range(1, self.n) if self.tokens[k - 1] == self.query]

    @property
    def after(self) -> list[str]:
        """The different tokens that stand there."""
        return list(dict.fromkeys(self.tokens[k] for k in self.matches))

    @property
    def repeated(self) -> tuple[int, int] | None:
        """The first and the last position of the last token that stands twice."""
        twice = [k for k, token in enumerate(self.tokens) if token in self.tokens[:k]]
        return (self.tokens.index(self.tokens[twice[-1]]), twice[-1]) if twice else None

    @property
    def followed(self) -> int:
        """The position that is followed through layer 0: the first of these, or the last one."""
        return [*self.matches, self.n - 1][0]

    # The matrices, and what they make of the rows

    def matrix(self, down: int, across: int, block: Floats) -> Floats:
        """A block in one of the four quarters of a matrix, at the halves that it compares."""
        whole = np.zeros((2 * self.h, 2 * self.h))
        h = self.h
        whole[down * h : (down + 1) * h, across * h : (across + 1) * h] = block
        return whole

    @property
    def y_0(self) -> Floats:
        eye = np.eye(self.h)
        return np.hstack([eye[self.places], eye[: self.n]])

    @property
    def a_0(self) -> Floats:
        return self.matrix(1, 1, _C * (2 * np.eye(self.h, k=-1) - 1))

    @property
    def v_0(self) -> Floats:
        return self.matrix(1, 0, np.eye(self.h))

    @property
    def w_0(self) -> Floats:
        return self.matrix(0, 0, np.eye(self.h))

    @property
    def a_1(self) -> Floats:
        return self.matrix(0, 1, _C * np.eye(self.h))

    @property
    def v_1(self) -> Floats:
        return self.matrix(0, 0, _G * np.eye(self.h))

    @property
    def scores_0(self) -> Floats:
        return np.asarray(self.y_0 @ self.a_0 @ self.y_0.T)

    @property
    def attention_0(self) -> Floats:
        return causal(self.scores_0)

    @property
    def y_1(self) -> Floats:
        return self.written(self.attention_0)

    @property
    def scores_1(self) -> Floats:
        return self.scored(self.y_1)

    def written(self, attention: Floats) -> Floats:
        """The rows after layer 0, with such attention."""
        return np.asarray(attention @ self.y_0 @ self.v_0.T + self.y_0 @ self.w_0.T)

    def scored(self, rows: Floats) -> Floats:
        """The scores of layer 1 between such rows."""
        return np.asarray(rows @ self.a_1 @ rows.T)

    @property
    def asked(self) -> Floats:
        """Attention of the last row in layer 1."""
        return np.asarray(causal(self.scores_1)[-1])

    @property
    def out(self) -> Floats:
        """The last row of Y(2), at the tokens there are."""
        return np.asarray((causal(self.scores_1) @ self.y_1 @ self.v_1.T)[-1, : len(self.kinds)])

    def says(self, tokens: list[str]) -> bool:
        """Whether that row is g times the shares of some tokens, all of them counted."""
        due = [_G * tokens.count(kind) / len(tokens) for kind in self.kinds]
        return bool(np.allclose(self.out, due, rtol=0, atol=1e-9))


def causal(scores: Floats) -> Floats:
    """The softmax over the keys so far."""
    n = np.arange(len(scores))
    return softmax(np.where(n <= n[:, None], scores, -np.inf))


def _looks_before(text: Told) -> bool:
    return np.array_equal(text.attention_0.argmax(axis=1), [0, *range(text.n - 1)]) and bool(
        (text.attention_0.max(axis=1) == 1).all()
    )


def _by_position(text: Told) -> bool:
    """Another text of as many tokens has the same scores."""
    other = Told("z" * (text.n - 1))
    alike = np.array_equal(other.scores_0, text.scores_0)
    return alike and _looks_before(text)


def _one_block(matrix: Floats) -> list[tuple[int, int]]:
    """Which quarters of a matrix are not all 0."""
    h = len(matrix) // 2
    quarters = matrix.reshape(2, h, 2, h).any(axis=(1, 3))
    return [(int(i), int(j)) for i, j in np.argwhere(quarters)]


# What layer 0 writes


def _every_row_names(text: Told) -> bool:
    """Its token and the one before it; BOS stands first, and names itself as both."""
    named = [*text.tokens[:1], *text.tokens[:-1]]
    eye = np.eye(text.h)
    due = np.hstack([eye[text.places], eye[[text.kinds.index(token) for token in named]]])
    return bool(np.allclose(text.y_1, due, rtol=0, atol=1e-12))


def _spread_without_match(text: Told) -> bool:
    """Rows that no row so far names as previous: there is one, and all of them are even."""
    alone = np.flatnonzero(_without_match(text)).tolist()
    table = causal(text.scores_1)
    return bool(alone) and all(np.allclose(table[i, : i + 1], 1 / (i + 1)) for i in alone)


def _without_match(text: Told) -> list[bool]:
    """Of every row, whether no row so far has its token as previous token."""
    named = [text.tokens[0], *text.tokens[:-1]]
    return [token not in named[: i + 1] for i, token in enumerate(text.tokens)]


# Two back


class Skipped(Told):
    """The same head, whose first layer looks two back, and from position 1 at BOS."""

    @property
    def a_0(self) -> Floats:
        block = 2 * np.eye(self.h, k=-2) - 1
        block[1, 0] = 1
        return self.matrix(1, 1, _C * block)

    @property
    def found(self) -> list[int]:
        """The positions that have the last token two before them."""
        return [k for k in range(2, self.n) if self.tokens[k - 2] == self.query]

    @property
    def copied(self) -> list[str]:
        """The different tokens that stand there."""
        return list(dict.fromkeys(self.tokens[k] for k in self.found))

    @property
    def rows_found(self) -> list[int]:
        """The rows that layer 1 attends to, all alike; none if it attends to all."""
        attended = causal(self.scores_1)[-1]
        rows = [int(k) for k in np.flatnonzero(attended > 1e-9)]
        alike = np.allclose(attended[rows], 1 / len(rows))
        assert alike
        return [] if len(rows) == self.n else rows


def _two_before(text: Skipped) -> bool:
    """Attention of layer 0 is all on the position two before, or on BOS."""
    due = np.eye(text.n)[[max(i - 2, 0) for i in range(text.n)]]
    return bool(np.allclose(causal(text.scores_0), due, rtol=0, atol=1e-9))


# What the film says


def quotes(tokens: list[str], last: str = "and", many: str = "{n} tokens") -> str:
    """Up to three tokens as a sentence lists them, or how many there are."""
    return many.format(n=len(tokens)) if len(tokens) > 3 else listed(map(quote, tokens), last)


def rows(places: list[int]) -> str:
    return f"row{'s' * (len(places) > 1)} {listed(places)}"


def number(count: int) -> int:
    """0, 1, or 2 for several."""
    return min(count, 2)


def recalled(text: Told) -> Variant:
    """What came after the last token before, and whether all tokens are letters."""
    n, is_letter = len(text.after), "␣" not in text.tokens
    if not n:
        return Variant((0, is_letter), quote(text.query))
    if n > 3:
        return Variant((1, is_letter), n)
    return Variant((1 + n, is_letter), quotes(text.after, "or"))


def absent(text: Told) -> Variant:
    if not text.absent:
        return Variant(0)
    return Variant(number(len(text.absent)), quotes(text.absent, many="{n} of the tokens"))


def repeats(text: Told) -> Variant:
    if text.repeated is None:
        return Variant(0)
    i, j = text.repeated
    return Variant(1, i, j, quote(text.tokens[i]))


def match(text: Told) -> Variant:
    """Which rows the last one attends to."""
    if not text.matches:
        return Variant(0)
    return Variant(number(len(text.matches)), rows(text.matches), quote(text.query))


def meets(text: Told) -> bool:
    """Whether the row that is followed scores c with the row before it, -c with all others."""
    k = text.followed
    due = np.where(np.arange(text.n) == k - 1, _C, -_C)
    return k > 0 and bool((text.scores_0[k] == due).all())


def scores_matches(text: Told) -> bool:
    due = [_C * (k in text.matches) for k in range(text.n)]
    return bool(np.allclose(text.scores_1[-1], due, rtol=0, atol=1e-9))


def gets_all(text: Told) -> bool:
    """Whether rows that match get all there is, each as much as the other, or all rows."""
    places = text.matches or range(text.n)
    due = [(k in places) / len(places) for k in range(text.n)]
    return bool(np.allclose(text.asked, due, rtol=0, atol=1e-12))


def hands_over(text: Told) -> bool:
    return text.says([text.tokens[k] for k in text.matches or range(text.n)])


def has_five_blocks(text: Told) -> bool:
    matrices = text.a_0, text.v_0, text.w_0, text.a_1, text.v_1
    return sum(len(_one_block(matrix)) for matrix in matrices) == 5


def finds_two_back(text: Skipped) -> bool:
    return text.rows_found == text.found


def found_two_back(text: Skipped) -> Variant:
    if not text.found:
        return Variant(2)
    return Variant(number(len(text.found)) - 1, rows(text.found).capitalize())


def says_two_back(text: Skipped) -> Variant:
    if not text.copied:
        return Variant(0)
    return Variant(number(len(text.copied)), quotes(text.copied))


def notes_two_back(text: Skipped) -> bool:
    noted = text.y_1[:, text.h :].argmax(axis=1).tolist()
    return bool(noted == [text.places[max(i - 2, 0)] for i in range(text.n)])


FACTS = {
    "query": lambda t: quote(t.query),
    "found": match,
    "rows_found": lambda t: rows(t.matches),
    "c": lambda t: _C,
    "g": lambda t: _G,
    "n_vocab": lambda t: len(t.kinds),
    "n_tokens": lambda t: t.n,
    "weights.half": lambda t: t.h,
    "weights.sharpness": lambda t: _C,
    "hero_named": lambda t: (
        quote(t.tokens[t.followed])
        + (f" at {t.followed}" if t.tokens.count(t.tokens[t.followed]) > 1 else "")
    ),
    "where": lambda t: Variant(not t.matches),
    "prediction_said": lambda t: quote(t.after[0]),
}
STAGES = {
    "embedding": Truths(
        facts={"found": repeats},
        choices={"ask": recalled, "width": absent},
    ),
    "previous": Truths(
        claims={
            "block": lambda t: _one_block(t.a_0) == [(1, 1)],
            "meet": meets,
            "mask": _looks_before,
            "caption": _by_position,
        },
    ),
    "write": Truths(
        claims={
            "value": lambda t: _one_block(t.v_0) == [(1, 0)],
            "h": lambda t: len(t.kinds) <= t.h,
            "keep": lambda t: _one_block(t.w_0) == [(0, 0)],
            "caption": _every_row_names,
        },
    ),
    "match": Truths(
        choices={"score": lambda t: len(t.matches) > 0},
        claims={
            "block": lambda t: _one_block(t.a_1) == [(0, 1)],
            "score": scores_matches,
            "mask": _spread_without_match,
            "caption": gets_all,
        },
    ),
    "answer": Truths(
        choices={
            "value": lambda t: number(len(t.matches)),
            "say": lambda t: (
                Variant(2, quotes(t.after)) if len(t.after) > 1 else number(len(t.after))
            ),
        },
        claims={"value": hands_over, "caption": has_five_blocks},
    ),
    "skip": Truths(
        world=lambda inputs: Skipped(inputs.text),
        choices={"match": found_two_back, "say": says_two_back},
        claims={
            "question": lambda t: bool((np.diag(t.a_0[t.h :, t.h :], -2)[: t.n - 2] == _C).all()),
            "diagonal": lambda t: _looks_before(Told(t.text)),
            "lower": lambda t: _two_before(t) and t.a_0[t.h + 1, t.h] == _C,
            "note": notes_two_back,
            "match": finds_two_back,
            "say": lambda t: t.says([t.tokens[k] for k in t.found or range(t.n)]),
            "caption": lambda _: not {"v_0", "w_0", "a_1", "v_1"} & set(vars(Skipped)),
        },
    ),
}


TEXTS = [
    *("a", "z", " ", "!a", "aa", "ab", "aba", "abab", "aaa", "aaaaaaaaa", "ab ab", "a b a", "! a "),
    *("abcdefghi", "bbcb", "abcab", "abaca", "abacada", "abacadaea", "aabaacaad"[:9], "zyxwvzut"),
    *("edcba", "abcde", "abcd", "abc", "abacb", "bab", "babcb"),
    *("aba a", "abaca a", "abacada a"),
]
"""One letter and nine; those of the slides, others, spaces; none, one and up to four that followed,
and from none to four letters of the slides that do not occur."""


def examples(name: str) -> list[StageInputs]:
    """The text of the film and others picked by hand, if the stage takes them."""
    return those_taken(name, [{}, *({"text": text} for text in TEXTS)])


def drawn(name: str) -> st.SearchStrategy[StageInputs]:
    """Texts of few letters or of many, and spaces."""
    kind = find_stage(name).Inputs
    if "text" not in kind.model_fields:
        return st.just(kind())
    alphabet = st.sampled_from(["ab", "abc", "abcde ", "abcdefghijklmnopqrstuvwxyz "])
    letters = alphabet.flatmap(lambda known: st.text(known, min_size=1, max_size=9))
    return st.builds(
        lambda bos, text: kind.model_validate({"text": bos + text}),
        st.sampled_from(["", "!"]),
        letters,
    )


FILM = FilmTruths("onehot", lambda inputs: Told(inputs.text), FACTS, STAGES, examples, drawn)

"""Every sentence of the film about zeros and ones is so, for legal texts of all kinds.

Nothing that is asserted is asked of `model` or a stage. With h = max(V, T), a row of Y(0) is a 1 at
its token and a 1 at its position, h places each. A_0 has c at position i against i - 1 and -c at
the others; V_0 takes the token to where positions stand, W_0 keeps it; A_1 has c at a token against
the same as previous token; V_1 takes the token times g, W_1 is 0. c and g are 100. Attention is
the softmax of Y A Y^T over the keys so far, or, as equation (3) has it, over all keys, of which
those so far are kept.

In a sentence of the table, `{name}` stands for what is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.old_telling import Check, FilmTruths, Inputs, Said, nothing_to_check, those_taken
from tests.scenes.truths_induction import Floats, softmax

_SLIDES = ["BOS", *"abcde"]
_ORDER = ["BOS", *"abcdefghijklmnopqrstuvwxyz", "␣"]
_PRINTED = np.zeros((6, 6))
_PRINTED[(0, 3, 5), (0, 2, 3)] = 1
"""Attention of their second layer as the slides print it."""
_Y_1 = np.zeros((6, 12))
_Y_1[range(6), (0, 1, 2, 1, 3, 2)] = _Y_1[range(1, 6), (6, 7, 8, 7, 9)] = 1
_Y_2 = np.zeros((6, 12))
_Y_2[(3, 5), (2, 1)] = 1
_FIRST = 200 * np.eye(6, k=-1) - 100
_SECOND = np.zeros((6, 6))
_SECOND[(0, 1, 1, 2, 3, 3, 4, 5), (1, 2, 4, 3, 2, 4, 5, 3)] = 100
SLIDES = [_FIRST, np.eye(6, k=-1) + np.diag([1.0] + 5 * [0]), _Y_1, _SECOND, _PRINTED, _Y_2]
"""Their tables (4), (5), (6), (9), (10), (11)."""
_C = _G = 100


def quote(token: str) -> str:
    """A token as a sentence speaks of it."""
    return token if token == "BOS" else f"“{token}”"


def _listed(tokens: list[str], last: str) -> str:
    *rest, final = map(quote, tokens)
    return f"{', '.join(rest)} {last} {final}" if rest else final


class Told:
    """The tokens of a text, and the two layers over them."""

    def __init__(self, text: str) -> None:
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


def to_the_letter(scores: Floats) -> Floats:
    """The softmax over all keys, of which those so far are kept."""
    return np.tril(softmax(scores))


def told(check: Callable[[Told, Said], bool]) -> Check:
    """A check of the text; what is called its query, or the row that is followed, is so."""

    def holds(inputs: Inputs, said: Said) -> bool:
        text = Told(inputs.text)
        return said.get("query") in (None, quote(text.query)) and check(text, said)

    return holds


query = told(lambda text, said: True)
"""Nothing but which token asks."""


# 1. Rows of zeros and ones

_TOKENS: dict[str, Callable[[str], bool]] = {
    "A token is a letter here, as on the lecture slides.": str.isalpha,
    "A token is one character here, as on the lecture slides.": lambda t: len(t) == 1,
}


def recalled(words: str, check: Callable[[Told, Said], bool]) -> dict[str, Check]:
    """What is said of the answer, before what a token is, which BOS is not held to."""
    return {
        f"{words} {what}": told(
            lambda text, said, is_one=is_one: (  # type: ignore[misc]
                check(text, said) and all(map(is_one, text.tokens[1:]))
            )
        )
        for what, is_one in _TOKENS.items()
    }


def _came(text: Told, said: Said, count: Callable[[int], bool]) -> bool:
    return said["tokens"] == _listed(text.after, "or") and count(len(text.after))


def _both_say(text: Told, said: Said) -> bool:
    i, j = int(said["i"]), int(said["j"])
    return i < j and [quote(text.tokens[k]) for k in (i, j)] == [said["token"]] * 2


def _wide(text: Told, said: Said, absent: Callable[[list[str]], bool]) -> bool:
    sizes = [str(text.h), str(len(text.kinds)), str(text.n)]
    return [said["h"], said["v"], said["t"]] == sizes and absent(text.absent)


_WIDE = "Both halves are $h$ = {h} wide: room for {v} tokens and {t} positions."

EMBEDDING: dict[str, Check] = {
    "Zeros and ones": nothing_to_check("heading"),
    "Can a whole head be written down by hand?": nothing_to_check("question"),
    "What comes after {query}?": query,
    **recalled("{query} is new here.", lambda text, _: text.query not in text.tokens[:-1]),
    **recalled(
        "{tokens} came after it before.", lambda text, said: _came(text, said, lambda n: n == 1)
    ),
    **recalled(
        "{tokens}: both came after it before.",
        lambda text, said: _came(text, said, lambda n: n == 2),
    ),
    **recalled(
        "{tokens}: each came after it before.",
        lambda text, said: _came(text, said, lambda n: n > 2),
    ),
    **recalled(
        "{n} different tokens came after it before.",
        lambda text, said: said["n"] == str(len(text.after)),
    ),
    "A token is a row of the residual stream: in its first half, a 1 under its name.": (
        nothing_to_check("definition")
    ),
    "In its second half, a 1 under its position.": nothing_to_check("definition"),
    _WIDE: told(lambda text, said: _wide(text, said, lambda absent: not absent)),
    _WIDE + " {token} does not occur.": told(
        lambda text, said: _wide(text, said, lambda absent: _listed(absent, "and") == said["token"])
    ),
    _WIDE + " {tokens} do not occur.": told(
        lambda text, said: _wide(
            text,
            said,
            lambda absent: (
                len(absent) > 1
                and said["tokens"]
                in (
                    _listed(absent, "and"),
                    f"{len(absent)} of the tokens",
                )
            ),
        )
    ),
    "Every row says two things: which token, and where.": nothing_to_check("definition"),
    "Rows {i} and {j} both say {token}, each at its own position.": told(_both_say),
}


# 2. The row before


def _is_followed(text: Told, said: Said) -> bool:
    token = quote(text.tokens[text.followed])
    again = f" at {text.followed}" if text.tokens.count(text.tokens[text.followed]) > 1 else ""
    return said["row"] == token + again


def _meets(text: Told, said: Said) -> bool:
    """The row that is followed scores c with the row before it, and -c with all others."""
    k = text.followed
    due = np.where(np.arange(text.n) == k - 1, float(said["c"]), -float(said["again"]))
    return k > 0 and bool((text.scores_0[k] == due).all())


def _looks_before(text: Told, _: Said) -> bool:
    return np.array_equal(text.attention_0.argmax(axis=1), [0, *range(text.n - 1)]) and bool(
        (text.attention_0.max(axis=1) == 1).all()
    )


def _by_position(text: Told, _: Said) -> bool:
    """Another text of as many tokens has the same scores."""
    other = Told("z" * (text.n - 1))
    alike = np.array_equal(other.scores_0, text.scores_0)
    return alike and _looks_before(text, _)


def _one_block(matrix: Floats) -> list[tuple[int, int]]:
    """Which quarters of a matrix are not all 0."""
    h = len(matrix) // 2
    quarters = matrix.reshape(2, h, 2, h).any(axis=(1, 3))
    return [(int(i), int(j)) for i, j in np.argwhere(quarters)]


PREVIOUS: dict[str, Check] = {
    "Layer 0: who stands before?": nothing_to_check("heading"),
    "How does a row find the row before it?": nothing_to_check("question"),
    "$A_0$ (on the slides $A_1$) is 0 but for position against position.": told(
        lambda text, _: _one_block(text.a_0) == [(1, 1)]
    ),
    "The row of {row} walks in: its position picks one row of that block.": told(_is_followed),
    "Then it meets the keys: {c} for the position before, −{again} for all others.": told(_meets),
    "Every row does the same.": nothing_to_check("definition"),
    "Later keys are masked. With {c}, softmax gives all to the row before; BOS has only itself.": (
        told(lambda text, said: said["c"] == str(_C) and _looks_before(text, said))
    ),
    "A position finds the one before it, whatever token stands there, without clocks.": told(
        _by_position
    ),
}


# 3. What layer 0 writes


def _every_row_names(text: Told, _: Said) -> bool:
    """Its token and the one before it; BOS stands first, and names itself as both."""
    named = [*text.tokens[:1], *text.tokens[:-1]]
    eye = np.eye(text.h)
    due = np.hstack([eye[text.places], eye[[text.kinds.index(token) for token in named]]])
    return bool(np.allclose(text.y_1, due, rtol=0, atol=1e-12))


WRITE: dict[str, Check] = {
    "Layer 0 writes": nothing_to_check("heading"),
    "What does a row take from the row before it?": nothing_to_check("question"),
    "$V_0$ takes the token of the row found, and puts it where positions stand.": told(
        lambda text, _: _one_block(text.v_0) == [(1, 0)]
    ),
    "That is why both halves are equally wide: a token fits where a position stood.": told(
        lambda text, _: len(text.kinds) <= text.h
    ),
    "Usually a row is kept and added to. Here $W_0$ decides: it keeps the token, not the "
    "position.": told(lambda text, _: _one_block(text.w_0) == [(0, 0)]),
    "Every row now names its token and the previous token; BOS names itself twice.": told(
        _every_row_names
    ),
}


# 4. The match


def _rows(text: Told, said: Said) -> list[int]:
    """The rows that are named, as one or as several."""
    places = [int(k) for k in re.split(r", | and ", said["places"])]
    return places if said["rows"] == ("row" if len(places) == 1 else "rows") else []


def _scores(text: Told, said: Said) -> bool:
    due = [float(said["c"]) * (k in text.matches) for k in range(text.n)]
    listed = _rows(text, said) == text.matches and len(text.matches) < text.n
    return listed and np.allclose(text.scores_1[-1], due, rtol=0, atol=1e-9)


def _gets_all(text: Told, said: Said) -> bool:
    """The rows that are named get all there is, each as much as the other."""
    due = [(k in text.matches) / len(text.matches) for k in range(text.n)]
    return _rows(text, said) == text.matches and np.allclose(text.asked, due, rtol=0, atol=1e-12)


def _spread_without_match(text: Told, _: Said) -> bool:
    """Rows that no row so far names as previous: there is one, and all of them are even."""
    alone = np.flatnonzero(_without_match(text)).tolist()
    table = causal(text.scores_1)
    return bool(alone) and all(np.allclose(table[i, : i + 1], 1 / (i + 1)) for i in alone)


MATCH: dict[str, Check] = {
    "Layer 1: what came after {query}?": query,
    "Which row has {query} as its previous token?": query,
    "$A_1$ compares the token of one row with the previous token of every row.": told(
        lambda text, _: _one_block(text.a_1) == [(0, 1)]
    ),
    "The last row scores 0 with every row: none has {query} as its previous token.": told(
        lambda text, _: not text.matches and np.allclose(text.scores_1[-1], 0, rtol=0, atol=1e-9)
    ),
    "The last row scores {c} with {rows} {places}, and 0 with the rest.": told(_scores),
    "Mask, then softmax, as in layer 0. A row without a match spreads its attention evenly.": told(
        _spread_without_match
    ),
    "So its attention is spread evenly over all rows: there is nothing to repeat.": told(
        lambda text, _: not text.matches and np.allclose(text.asked, 1 / text.n, rtol=0, atol=1e-12)
    ),
    "All its attention goes to {rows} {places}: what stands there came after {query}.": told(
        lambda text, said: len(text.matches) == 1 and _gets_all(text, said)
    ),
    "Its attention is shared evenly by {rows} {places}: what stands there came after {query}.": (
        told(lambda text, said: len(text.matches) > 1 and _gets_all(text, said))
    ),
}


# 5. The answer


def _hands_over(count: Callable[[int], bool]) -> Check:
    """That so many rows are found, and the last one holds g times what stands there."""
    return told(
        lambda text, said: (
            count(len(text.matches))
            and said["g"] == str(_G)
            and text.says([text.tokens[k] for k in text.matches or range(text.n)])
        )
    )


def _comes_after(text: Told, names: str) -> bool:
    known = (_listed(text.after, "and"), f"{len(text.after)} tokens")
    return names == known[len(text.after) > 3] and text.says([text.tokens[k] for k in text.matches])


ANSWER: dict[str, Check] = {
    "What does the head say?": nothing_to_check("question"),
    "Layer 1 hands over what stands there.": told(lambda text, _: bool(text.matches)),
    "It has found no row. What does it hand over?": told(lambda text, _: not text.matches),
    "$V_1$ hands over the token of every row, times {g}.": _hands_over(lambda n: n == 0),
    "$V_1$ hands over the token of the row found, times {g}.": _hands_over(lambda n: n == 1),
    "$V_1$ hands over the token of the rows found, times {g}.": _hands_over(lambda n: n > 1),
    "$W_1$ is 0, or the row's own token would be part of the answer, too.": nothing_to_check(
        "definition: what W keeps is added to the answer"
    ),
    "So what does the head say?": nothing_to_check("question"),
    "Nothing to repeat, so each token gets the share it has in the text.": told(
        lambda text, _: not text.matches and text.says(text.tokens)
    ),
    "{token}: it came after {query} before.": told(
        lambda text, said: len(text.after) == 1 and _comes_after(text, said["token"])
    ),
    "{tokens}: what came after {query} before, each with its share.": told(
        lambda text, said: len(text.after) > 1 and _comes_after(text, said["tokens"])
    ),
    "Two layers, five blocks of numbers written down by hand: an induction circuit.": told(
        lambda text, _: (
            sum(len(_one_block(m)) for m in (text.a_0, text.v_0, text.w_0, text.a_1, text.v_1)) == 5
        )
    ),
}


# 6. The printed table


def slides(check: Callable[[Told, Floats, Floats, Said], bool]) -> Check:
    """A check of the slides' text, and of its attention, masked first or last, throughout."""

    def holds(_: Inputs, said: Said) -> bool:
        text = Told("!abacb")
        rows = text.written(to_the_letter(text.scores_0))
        return check(text, causal(text.scores_1), to_the_letter(text.scored(rows)), said)

    return holds


def _wrong(table: Floats) -> int:
    """How many printed numbers are not those of a table, to the decimal that is printed."""
    return int((np.abs(table - _PRINTED) > 0.05).sum())


def _counts(_: Told, first: Floats, last: Floats, said: Said) -> bool:
    """Numbers of equation (3) that differ; rows that sum to less than 1, by a hundredth."""
    found = {"wrong": _wrong(last), "cells": last.size, "rows": (last.sum(axis=1) < 0.99).sum()}
    return all(said[name] == str(found[name]) for name in said)


def _without_match(text: Told) -> list[bool]:
    """Of every row, whether no row so far has its token as previous token."""
    named = [text.tokens[0], *text.tokens[:-1]]
    return [token not in named[: i + 1] for i, token in enumerate(text.tokens)]


def _all_say(text: Told, first: Floats, last: Floats, said: Said) -> bool:
    rows = [table[-1] for table in (_PRINTED, first, last)]
    agree = {text.tokens[int(row.argmax())] for row in rows} == {said["token"]}
    differs = (np.abs(first - _PRINTED) > 0.05).any(axis=1)
    alone = bool((differs <= _without_match(text)).all())
    alike = all(np.allclose(row, rows[0]) for row in rows)
    return agree and alone and alike and said["n"] == str(_wrong(first))


READINGS: dict[str, Check] = {
    "Coda: where does the mask go?": nothing_to_check("heading"),
    "Does the slides' equation give their table?": nothing_to_check("question"),
    "Their table for our layer 1 has zeros in rows without a match.": slides(
        lambda text, *_: [not row.any() for row in _PRINTED] == _without_match(text)
    ),
    "Equation (3), here in both layers, sums over all keys $s$, and only then sets later ones to "
    "0.": slides(
        # In layer 0, BOS keeps a sixth of itself: the row after it, which has noted BOS in full,
        # takes nearly all of what is then masked.
        lambda text, first, last, _: last[0, 0] < 1e-9 < first[0, 0]
    ),
    "No: {wrong} of {cells} numbers differ.": slides(_counts),
    "And {rows} rows add up to less than 1: later letters took the rest.": slides(_counts),
    "It should mask first: $s$ ends at $i$, and every row adds up to 1.": slides(
        lambda text, first, last, _: np.allclose(first.sum(axis=1), 1)
    ),
    "Now {n} numbers differ, in rows without a match; the last row says “{token}” either way.": (
        slides(_all_say)
    ),
    "Mask before softmax: no token may attend to what is not there yet.": nothing_to_check(
        "summary"
    ),
}

# 7. Two back


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


def skipped(check: Callable[[Skipped, Said], bool]) -> Check:
    """A check of the text; what is called its query is so, and what is attended to, found."""

    def holds(inputs: Inputs, said: Said) -> bool:
        text = Skipped(inputs.text)
        named = said.get("query") in (None, quote(text.query))
        return named and text.rows_found == text.found and check(text, said)

    return holds


def _two_before(text: Skipped, _: Said) -> bool:
    """Attention of layer 0 is all on the position two before, or on BOS."""
    due = np.eye(text.n)[[max(i - 2, 0) for i in range(text.n)]]
    return bool(np.allclose(causal(text.scores_0), due, rtol=0, atol=1e-9))


def _copied(text: Skipped, names: str) -> bool:
    known = (_listed(text.copied, "and"), f"{len(text.copied)} tokens")
    shares = text.says([text.tokens[k] for k in text.found])
    return names == known[len(text.copied) > 3] and shares


SKIP: dict[str, Check] = {
    "What if it looks two back?": nothing_to_check("question"),
    "One diagonal says whom a row looks for.": told(
        lambda text, _: bool((np.diag(text.a_0[text.h :, text.h :], -1) == _C).all())
    ),
    "In $A_0$, a diagonal of {c} lets each position find the one before it.": told(
        lambda text, said: (
            said["c"] == str(_C)
            and [int(k) for k in text.attention_0.argmax(axis=1)] == [0, *range(text.n - 1)]
        )
    ),
    "What if it sits one row lower?": nothing_to_check("question"),
    "Each finds the one two before it, or BOS, for which row 1 keeps its {c}.": skipped(
        lambda text, said: (
            _two_before(text, said) and text.a_0[text.h + 1, text.h] == _C == int(said["c"])
        )
    ),
    "So layer 0 notes the token two before.": skipped(
        lambda text, _: (
            text.y_1[:, text.h :].argmax(axis=1).tolist()
            == [text.places[max(i - 2, 0)] for i in range(text.n)]
        )
    ),
    "Which row has {query} two before it?": skipped(lambda *_: True),
    "None: the attention of the last row is spread evenly.": skipped(
        lambda text, _: not text.found
    ),
    "Row {rows}: it gets all attention of the last row.": skipped(
        lambda text, said: [said["rows"]] == [str(k) for k in text.found]
    ),
    "Rows {rows}: they share the attention of the last row.": skipped(
        lambda text, said: (
            re.split(r", | and ", said["rows"]) == [str(k) for k in text.found]
            and len(text.found) > 1
        )
    ),
    "So each token gets the share it has in the text.": skipped(
        lambda text, _: not text.found and text.says(text.tokens)
    ),
    "So it says {token} next: that came two after {query} before.": skipped(
        lambda text, said: len(text.copied) == 1 and _copied(text, said["token"])
    ),
    "So it says {tokens} next: what came two after {query} before, by shares.": skipped(
        lambda text, said: len(text.copied) > 1 and _copied(text, said["tokens"])
    ),
    "So one diagonal says how far after a match a head copies.": skipped(
        lambda text, _: not {"v_0", "w_0", "a_1", "v_1"} & set(vars(type(text)))
    ),
}


# 8. All tables


def _due(text: Told) -> list[Floats]:
    """What the equations give in place of the six tables, the mask first."""
    second = causal(text.scores_1)
    passed_on = np.asarray(second @ text.y_1 @ text.v_1.T)
    return [text.scores_0, text.attention_0, text.y_1, text.scores_1, second, passed_on]


def _off(text: Told) -> list[list[tuple[int, int]]]:
    """The wrong cells of every table, to the decimal that is printed."""
    pairs = zip(SLIDES, _due(text), strict=True)
    cells = (np.argwhere(np.abs(printed - true) > 0.05) for printed, true in pairs)
    return [[(int(i), int(j)) for i, j in found] for found in cells]


def tables(check: Callable[[Told, Said], bool]) -> Check:
    """A check of the slides' text, and of what is printed for it."""
    return lambda _, said: check(Told("!abacb"), said)


def _all_but_one(text: Told, said: Said) -> bool:
    """It looks at itself, and alone has no 1 in the second half, where it should name itself."""
    missing, own = SLIDES[2][:, 6:].sum(axis=1) == 0, text.tokens.index(said["token"])
    itself = text.attention_0[own, own] == 1 and text.y_1[own, 6 + text.places[own]] == 1
    return bool(missing[own] and missing.sum() == 1 and itself)


def _score_missing(text: Told, said: Said) -> bool:
    own = text.tokens.index(said["token"])
    due = text.scores_1[own, own]
    return _off(text)[3] == [(own, own)] and said["c"] == f"{due:g}" and SLIDES[3][own, own] == 0


def _passed_on(text: Told, said: Said) -> bool:
    """Rows of 0 in both tables are the same, and of tokens that have no match, or have no score."""
    zeros = [[not row.any() for row in SLIDES[k]] for k in (4, 5)]
    unmatched = _without_match(text)
    alike = zeros[0] == unmatched and all(b for a, b in zip(*zeros, strict=True) if a)
    largest = [_due(text)[5][-1].max(), SLIDES[5][-1].max()]
    return alike and [said["true"], said["printed"]] == [f"{x:g}" for x in largest]


def _changed(text: Told, said: Said) -> bool:
    n = sum(map(len, _off(text)))
    return said["wrong"] == str(n) and said["n"] == str(sum(table.size for table in SLIDES))


def _says_as_well(text: Told, said: Said) -> bool:
    ends = SLIDES[5][-1], _due(text)[5][-1]
    return {text.kinds[int(row.argmax())] for row in ends} == {said["token"]}


PRINTED: dict[str, Check] = {
    "Coda: a missing 1": nothing_to_check("heading"),
    "Which of the slides' six tables are right?": nothing_to_check("question"),
    "For each layer they show scores, attention, and what comes out.": nothing_to_check(
        "which tables there are"
    ),
    "(4) and (5) are right. Does every row of (6) name two?": tables(
        lambda text, _: [not cells for cells in _off(text)] == [True, True] + 4 * [False]
    ),
    "All but {token}, which should name itself twice.": tables(_all_but_one),
    "So {token} does not find itself in (9): {c} is missing.": tables(_score_missing),
    "(10) and so (11) have zeros where nothing matches; $V_1$ gives {true}, not {printed}.": (
        tables(_passed_on)
    ),
    "Put right, {wrong} of {n} numbers change.": tables(_changed),
    "The answer is “{token}” in print, too: the head is right.": (tables(_says_as_well)),
}

TRUTHS: dict[str, dict[str, Check]] = {
    "onehot.embedding": EMBEDDING,
    "onehot.previous": PREVIOUS,
    "onehot.write": WRITE,
    "onehot.match": MATCH,
    "onehot.answer": ANSWER,
    "onehot.skip": SKIP,
    "onehot.readings": READINGS,
    "onehot.printed": PRINTED,
}

FILM = FilmTruths("onehot", TRUTHS)

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


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    assert FILM.unmet(name, examples(name), drawn(name)) == []

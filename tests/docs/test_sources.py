"""The page of the sources: shots and facts that it names are there, and say what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from clockhead.scenes.facts import format_fact
from tests.shipped import FILMS, shipped

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/sources.md"
HEAD = ("In the source", "Shot", "Fact", "In the film, or why not")
SOURCES = 4
"""As two of the five are versions of one, they share a chapter."""
NONE = "—"
CODE = re.compile(r"`([^`]*)`")
PLACE = re.compile(r"([\w.]+)(?:\[(\d+(?:, \d+)*)\])?")
BOUND = re.compile(r"([<>]) (\d+(?:\.\d+)?e-\d+|\d*\.\d+)")
SHAPE = re.compile(r"\d+(?: × \d+)+")
LOOSE = re.compile(r"(?<![\w(.+−/-])[−-]?\.?\d")
"""A number in plain words, which nothing is compared with; (3), V2 and GPT-2 are names."""


@dataclass(frozen=True)
class Row:
    """A formula, table or number of a source, and where the films have it."""

    source: str
    shot: str
    facts: tuple[str, ...]
    told: str
    """What the film makes of it, or why none does."""

    @property
    def values(self) -> list[str]:
        """What is said of each fact."""
        return CODE.findall(self.told) if self.shot else []


def cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def rows(page: str) -> list[Row]:
    lines = [cells(line) for line in page.splitlines() if line.startswith("|")]
    return [
        Row(source, shot.strip(f"`{NONE}"), tuple(CODE.findall(facts)), told)
        for source, shot, facts, told in lines
        if source != HEAD[0] and set(source) != {"-"}
    ]


@cache
def shots(film: str) -> dict[str, dict[str, Any]]:
    """Facts and arrays of the shots of a film, as its storyboard stands; none if it has none."""
    if film not in FILMS:
        return {}
    return {shot.id: dict(shot.facts) | shot.arrays() for shot in shipped(film).shots}


def wrong(row: Row) -> Iterator[str]:
    """All that a row says and that is not so."""
    if loose := LOOSE.findall(CODE.sub("", row.told)):
        yield f"{loose} in {row.told!r}: nothing checks it"
    if not row.told:
        yield "neither a value nor a reason"
    if not row.shot:
        if row.facts:
            yield "facts of no shot"
        return
    film, _, name = row.shot.partition(":")
    known = shots(film).get(name)
    if known is None:
        yield f"there is no shot {row.shot}"
        return
    if not row.facts:
        yield "no fact"
    values = row.values or [None] * len(row.facts)
    if len(values) != len(row.facts):
        yield f"{len(values)} values of {len(row.facts)} facts"
    for fact, value in zip(row.facts, values, strict=False):
        yield from wrong_fact(fact, value, known)


def wrong_fact(path: str, said: str | None, known: dict[str, Any]) -> Iterator[str]:
    found = PLACE.fullmatch(path)
    if not found or found[1] not in known:
        yield f"there is no fact {path}"
        return
    value = known[found[1]]
    if found[2]:
        try:
            value = np.asarray(value)[tuple(map(int, found[2].split(", ")))]
        except IndexError:
            yield f"{path}: its shape is {np.shape(value)}"
            return
    if said is not None and (true := written(value, said)) != said:
        yield f"{path} is {true}, not {said}"


def written(value: Any, like: str) -> str:
    """A value as something else is written: as shape, row or bound, with as many digits."""
    if bound := BOUND.fullmatch(like):
        limit = float(bound[2])
        holds = value < limit if bound[1] == "<" else value > limit
        return like if holds else str(value)
    if np.ndim(value) == 0:
        return one(value, like)
    if SHAPE.fullmatch(like):
        return " × ".join(map(str, np.shape(value)))
    parts = like.strip("[]").split(", ")
    if np.shape(value) != (len(parts),):
        return f"of the shape {np.shape(value)}"
    return f"[{', '.join(map(one, value, parts))}]"


def one(value: Any, like: str) -> str:
    """A single value with as many digits, a percentage sign or commas, if those are there."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool | str):
        return format_fact(value)
    digits = re.fullmatch(r"[<> ]*[−]?[\d,]+(?:\.(\d+))?(%?)", like)
    if not digits:
        return format_fact(value)
    kind, comma = digits[2] or "f", "," if "," in like else ""
    return format_fact(value, f"{comma}.{len(digits[1] or '')}{kind}", unit=None)


ROWS = rows(PAGE.read_text())


def test_what_every_row_says_is_so():
    """All at once, for every film is computed once for them."""
    flaws = {f"{row.source} ({row.shot or NONE})": list(wrong(row)) for row in ROWS}
    assert {where: found for where, found in flaws.items() if found} == {}


def test_tables_are_alike():
    page = PAGE.read_text()
    lines = [cells(line) for line in page.splitlines() if line.startswith("|")]
    heads = [before for before, line in pairwise(lines) if set(line[0]) == {"-"}]
    assert {len(line) for line in lines} == {len(HEAD)}
    assert set(heads) == {HEAD}
    assert len(heads) == len(re.findall("^### ", page, re.M))
    assert len(re.findall("^## ", page, re.M)) == SOURCES


def with_other_digits(row: Row) -> Iterator[Row]:
    """The row with another last digit in each of its values that is not a bound."""
    for found in CODE.finditer(row.told):
        digits = [place.start() for place in re.finditer(r"\d", found[0])]
        if digits and not BOUND.fullmatch(found[1]):
            at = found.start() + digits[-1]
            other = str((int(row.told[at]) + 1) % 10)
            yield replace(row, told=row.told[:at] + other + row.told[at + 1 :])
        elif digits:
            yield replace(row, told=row.told.translate(str.maketrans("<>", "><")))


def spoiled(row: Row) -> Iterator[Row]:
    yield replace(row, told="")
    yield replace(row, told=f"{row.told}, and 7 more")
    if not row.shot:
        yield replace(row, facts=("matrix",))
        return
    yield replace(row, shot=f"{row.shot}_")
    yield replace(row, shot=f"no_{row.shot}")
    yield replace(row, facts=())
    yield replace(row, facts=(*row.facts[:-1], f"{row.facts[-1]}_"))
    if row.values:
        yield replace(row, facts=(*row.facts, row.facts[0]))
        yield from with_other_digits(row)


def test_whatever_is_wrong_is_found():
    """Another shot, another fact, another number: in each row, one at a time."""
    others = [other for row in ROWS for other in spoiled(row)]
    assert len(others) > 5 * len(ROWS)
    assert [other for other in others if not list(wrong(other))] == []

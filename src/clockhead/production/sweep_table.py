"""One table over a sweep: a row for each variant, in front what it is of, then what follows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clockhead.clips import atomic
from clockhead.storyboard.sweep import Sweep, Variant

_COMPUTED = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a formula may begin; East Asian spreadsheets take wide signs too."""


def write_table(sweep: Sweep, media: Path) -> Path:
    """Write the table beside the films: `rope-sweep-m.csv` for a film called `rope`.

    Raises:
        DiskFull: when there is no room.
    """
    swept = "-".join(name.replace(".", "-") for name in sweep.swept)
    file = media / f"{sweep.name}-sweep-{swept}.csv"
    atomic.write(file, as_csv(sweep))
    return file


def as_csv(sweep: Sweep) -> str:
    """The swept inputs, the film, why it was refused, and every fact that is not always the same.

    Facts that the film's sentences tell come first. They are there for a film too whose claims do
    not hold, and for none whose inputs are wrong.
    """
    facts = [dict(_facts(one)) for one in sweep.variants]
    columns = _differing(facts, _told(sweep.variants))
    rows: list[Sequence[object]] = [[*sweep.swept, "film", "refused", *columns]]
    for one, found in zip(sweep.variants, facts, strict=True):
        refused = "; ".join(problem.message for problem in one.refusals)
        film = one.film.name if one.film and not refused else ""
        values = (found.get(column, "") for column in columns)
        rows.append([*one.values, film, refused, *values])
    return table(rows)


def table(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV. A text that a spreadsheet would compute begins with an apostrophe.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return file.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str) or not _COMPUTED.match(value):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value  # such as -1.5, which is no more than a number


def _facts(one: Variant) -> Iterable[tuple[str, Any]]:
    """What follows, under `shot.path`; the inputs themselves are said already."""
    for shot in one.film.shots if one.film else ():
        for name, value in shot.facts.items():
            if not name.startswith("inputs."):
                yield f"{shot.id}.{name}", value


def _told(variants: Iterable[Variant]) -> list[str]:
    films = (one.film for one in variants if one.film)
    return [f"{shot.id}.{name}" for film in films for shot in film.shots for name in shot.told]


def _differing(facts: Sequence[Mapping[str, Any]], told: Iterable[str]) -> list[str]:
    """The columns: what differs; in a sweep over which nothing does, what sentences tell."""
    known = dict.fromkeys(name for found in facts for name in found)
    first = [name for name in dict.fromkeys(told) if name in known]
    found = [one for one in facts if one]
    differing = {n for n in known if len({repr(one.get(n)) for one in found}) > 1}
    return [n for n in dict.fromkeys([*first, *known]) if n in differing] or first

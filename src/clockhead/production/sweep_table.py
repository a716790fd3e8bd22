"""The table of a sweep: a row for each variant, first its inputs, then the facts that differ."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clockhead.clips import atomic
from clockhead.storyboard.sweep import Sweep, Variant

_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a formula may begin in a spreadsheet; East Asian ones accept full-width signs too."""


def write_table(sweep: Sweep, media: Path) -> Path:
    """Write the table beside the films: `rope-sweep-m.csv` for a film called `rope`.

    Raises:
        DiskFull: if there is no room.
    """
    swept = "-".join(name.replace(".", "-") for name in sweep.input_names)
    file = media / f"{sweep.name}-sweep-{swept}.csv"
    atomic.write(file, as_csv(sweep))
    return file


def as_csv(sweep: Sweep) -> str:
    """The swept inputs, the film, why it was refused, and the facts that differ between variants.

    Facts that the film's sentences mention come first. A film whose claims fail has its facts too;
    one whose inputs are wrong has none.
    """
    facts = [dict(_facts(variant)) for variant in sweep.variants]
    films = (variant.film for variant in sweep.variants if variant.film)
    mentioned = [
        f"{shot.id}.{name}" for film in films for shot in film.shots for name in shot.fact_names
    ]
    columns = _choose_columns(facts, mentioned)
    rows: list[Sequence[object]] = [[*sweep.input_names, "film", "refused", *columns]]
    for variant, found in zip(sweep.variants, facts, strict=True):
        refused = "; ".join(problem.message for problem in variant.refusals)
        film = variant.film.name if variant.film and not refused else ""
        values = (found.get(column, "") for column in columns)
        rows.append([*variant.values, film, refused, *values])
    return csv_table(rows)


def csv_table(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV. Text that a spreadsheet would take for a formula begins with an apostrophe.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return file.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str) or not _FORMULA.match(value):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value  # a number, such as -1.5


def _facts(variant: Variant) -> Iterable[tuple[str, Any]]:
    """The facts, named `shot.path`, without the inputs."""
    for shot in variant.film.shots if variant.film else ():
        for name, value in shot.facts.items():
            if not name.startswith("inputs."):
                yield f"{shot.id}.{name}", value


def _choose_columns(facts: Sequence[Mapping[str, Any]], mentioned: Iterable[str]) -> list[str]:
    """The facts that differ; if none do, those that sentences mention."""
    known = dict.fromkeys(name for found in facts for name in found)
    first = [name for name in dict.fromkeys(mentioned) if name in known]
    variants = [found for found in facts if found]
    differing = {n for n in known if len({repr(found.get(n)) for found in variants}) > 1}
    return [n for n in dict.fromkeys([*first, *known]) if n in differing] or first

"""One table over a sweep: a row for each variant, in front what it is of, then what follows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clockhead.pipeline.clips import atomic
from clockhead.pipeline.storyboard.sweep import Sweep, Variant


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
    file = io.StringIO(newline="")
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow([*sweep.swept, "film", "refused", *columns])
    for one, found in zip(sweep.variants, facts, strict=True):
        refused = "; ".join(problem.message for problem in one.refusals)
        film = one.film.name if one.film and not refused else ""
        values = (found.get(column, "") for column in columns)
        rows.writerow([*one.values, film, refused, *values])
    return file.getvalue()


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

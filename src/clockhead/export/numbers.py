"""A film's facts for papers and spreadsheets, its arrays on request, and the table of a sweep."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pylatexenc.latexencode import unicode_to_latex

from clockhead import atomic
from clockhead.export.edition import Edition, EditionShot, FactRow
from clockhead.export.formats import Choices
from clockhead.storyboard.numbers import shot_numbers, to_json
from clockhead.storyboard.sweep import Sweep

_MARKDOWN = re.compile(
    r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)|&(?=#?\w+;)"
)
"""Characters that Markdown takes for markup: emphasis, code, links, formulas, cells, entities."""
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a formula may begin in a spreadsheet; East Asian ones accept full-width signs too."""
COLUMNS = ("shot", "fact", "value", "unit", "description")


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write the facts as tables (Markdown, csv, LaTeX, Typst) and json; with `arrays`, npz."""
    texts = {
        "md": _markdown(edition),
        "csv": facts_csv(edition.shots),
        "json": facts_json(edition.name, edition.shots, arrays=choices.arrays),
        "tex": _latex(edition),
        "typ": _typst(edition),
    }
    for suffix, text in texts.items():
        file = target / f"{edition.name}-numbers.{suffix}"
        atomic.write(file, text)
        yield file
    if choices.arrays:
        file = target / f"{edition.name}-arrays.npz"
        content = io.BytesIO()
        arrays = {
            f"{shot.id}.{path}": array
            for shot in edition.shots
            for path, array in shot.resolved.arrays().items()
        }
        np.savez_compressed(content, allow_pickle=False, **arrays)
        atomic.write(file, content.getvalue())
        yield file


def facts_json(film: str, shots: Iterable[EditionShot], *, arrays: bool = False) -> str:
    """Inputs and exact facts of some shots of a film as JSON; with `arrays`, these too."""
    described = [shot_numbers(shot.resolved) for shot in shots]
    if not arrays:
        for numbers in described:
            del numbers["arrays"]
    return to_json({"film": film, "shots": described}) + "\n"


def facts_csv(shots: Iterable[EditionShot]) -> str:
    """Exact facts of some shots as CSV: a row for each, under `COLUMNS`."""
    rows = (
        (shot.id, row.name, row.value, row.unit, row.description)
        for shot in shots
        for row in shot.facts
    )
    return csv_table([COLUMNS, *rows])


def _cells(row: FactRow) -> tuple[str, str, str]:
    """Description (or path if there is none), value and unit."""
    return row.description or row.name, row.short_value, row.unit


def _markdown(edition: Edition) -> str:
    blocks = [f"# {escape_markdown(edition.title)}"]
    for shot in edition.shots:
        cells = (map(escape_markdown, _cells(row)) for row in shot.facts)
        rows = [("what", "value", "unit"), ("---", "---:", "---"), *cells]
        lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        blocks += [f"## {escape_markdown(shot.title)}", lines]
    return "\n\n".join(blocks) + "\n"


def escape_markdown(text: str) -> str:
    """A text on one line without anything that Markdown or its HTML takes for markup."""
    marked = _MARKDOWN.sub(r"\\\g<0>", _one_line(text))
    return marked.replace("<", "&lt;").replace(">", "&gt;")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _latex(edition: Edition) -> str:
    r"""A `longtable` for each shot; the preamble needs `\usepackage{booktabs,longtable}`."""
    lines = [r"% \usepackage{booktabs,longtable}"]
    for shot in edition.shots:
        lines += [
            r"\begin{longtable}{p{.55\linewidth}rl}",
            rf"\caption{{{_tex(shot.title)}}}\\",
            r"\toprule",
            *(rf"{' & '.join(map(_tex, _cells(row)))}\\" for row in shot.facts),
            r"\bottomrule",
            r"\end{longtable}",
            "",
        ]
    return "\n".join(lines)


def _tex(text: str) -> str:
    return str(
        unicode_to_latex(_one_line(text), unknown_char_policy="keep", unknown_char_warning=False)
    )


def _typst(edition: Edition) -> str:
    lines: list[str] = []
    for shot in edition.shots:
        cells = (f"  {', '.join(map(_string, _cells(row)))}," for row in shot.facts)
        lines += [
            f"#heading(level: 2, {_string(shot.title)})",
            "#table(",
            "  columns: (1fr, auto, auto),",
            "  align: (left, right, left),",
            *cells,
            ")",
            "",
        ]
    return "\n".join(lines)


def _string(text: str) -> str:
    """A Typst string, which has the syntax of a JSON string."""
    return json.dumps(_one_line(text), ensure_ascii=False)


def csv_table(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV. Text that a spreadsheet would take for a formula begins with an apostrophe.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return file.getvalue()


def _csv_cell(value: object) -> object:
    if not isinstance(value, str) or not _FORMULA.match(value):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value  # a number, such as -1.5


# A sweep: a row for each variant, first its inputs, then the facts that differ


def write_sweep(sweep: Sweep, media: Path) -> Path:
    """Write the table beside the films: `rope-sweep-m.csv` for a film called `rope`.

    Raises:
        DiskFull: if there is no room.
    """
    swept = "-".join(name.replace(".", "-") for name in sweep.input_names)
    file = media / f"{sweep.name}-sweep-{swept}.csv"
    atomic.write(file, sweep_csv(sweep))
    return file


def sweep_csv(sweep: Sweep) -> str:
    """The swept inputs, the film, why it was refused, and the facts that differ between variants.

    Facts that the film's sentences mention come first. A film whose claims fail has its facts too;
    one whose inputs are wrong has none.
    """
    shots = [variant.film.shots if variant.film else () for variant in sweep.variants]
    facts = [
        {
            f"{shot.id}.{name}": value
            for shot in parts
            for name, value in shot.facts.items()
            if not name.startswith("inputs.")
        }
        for parts in shots
    ]
    mentioned = [
        f"{shot.id}.{name}" for parts in shots for shot in parts for name in shot.fact_names
    ]
    columns = _choose_columns(facts, mentioned)
    rows: list[Sequence[object]] = [[*sweep.input_names, "film", "refused", *columns]]
    for variant, found in zip(sweep.variants, facts, strict=True):
        refused = "; ".join(problem.message for problem in variant.refusals)
        film = variant.film.name if variant.film and not refused else ""
        values = (found.get(column, "") for column in columns)
        rows.append([*variant.values, film, refused, *values])
    return csv_table(rows)


def _choose_columns(facts: Sequence[Mapping[str, Any]], mentioned: Iterable[str]) -> list[str]:
    """The facts that differ; if none do, those that sentences mention."""
    known = dict.fromkeys(name for found in facts for name in found)
    first = [name for name in dict.fromkeys(mentioned) if name in known]
    variants = [found for found in facts if found]
    differing = {n for n in known if len({repr(found.get(n)) for found in variants}) > 1}
    return [n for n in dict.fromkeys([*first, *known]) if n in differing] or first

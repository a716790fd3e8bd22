"""A film's facts for papers and spreadsheets, and its arrays on request."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from pylatexenc.latexencode import unicode_to_latex

from clockhead.clips import atomic
from clockhead.export.edition import Edition, EditionShot, FactRow
from clockhead.export.formats import Choices
from clockhead.production.sweep_table import csv_table
from clockhead.storyboard.numbers import shot_numbers, to_json

_MARKDOWN = re.compile(
    r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)|&(?=#?\w+;)"
)
"""Characters that Markdown takes for markup: emphasis, code, links, formulas, cells, entities."""
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
            for path, array in shot.shot.arrays().items()
        }
        np.savez_compressed(content, allow_pickle=False, **arrays)
        atomic.write(file, content.getvalue())
        yield file


def facts_json(film: str, shots: Iterable[EditionShot], *, arrays: bool = False) -> str:
    """Inputs and exact facts of some shots of a film as JSON; with `arrays`, these too."""
    described = [shot_numbers(shot.shot) for shot in shots]
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

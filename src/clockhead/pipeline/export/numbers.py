"""A film's numbers, for papers and spreadsheets: facts with what they are; arrays on request."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pylatexenc.latexencode import unicode_to_latex

from clockhead.pipeline.clips import atomic
from clockhead.pipeline.export.edition import Edition, Number, Part
from clockhead.pipeline.export.formats import Choices
from clockhead.pipeline.storyboard.numbers import shot_numbers, to_json

COLUMNS = ("shot", "fact", "value", "unit", "description")


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write the facts as tables (Markdown, csv, LaTeX, Typst) and json; with `arrays`, npz."""
    tables: dict[str, Callable[[Edition], str]] = {
        "md": _markdown,
        "csv": lambda edition: as_csv(edition.parts),
        "json": lambda edition: as_json(edition.name, edition.parts, arrays=choices.arrays),
        "tex": _latex,
        "typ": _typst,
    }
    for suffix, table in tables.items():
        file = target / f"{edition.name}-numbers.{suffix}"
        atomic.write(file, table(edition))
        yield file
    if choices.arrays:
        file = target / f"{edition.name}-arrays.npz"
        atomic.write(file, _arrays(edition))
        yield file


def as_json(film: str, parts: Iterable[Part], *, arrays: bool = False) -> str:
    """What some shots of a film are made of and what follows, with every digit."""
    return to_json({"film": film, "shots": [_told(part, arrays) for part in parts]}) + "\n"


def _told(part: Part, arrays: bool) -> dict[str, Any]:
    numbers = shot_numbers(part.shot)
    if not arrays:
        del numbers["arrays"]
    return numbers


def as_csv(parts: Iterable[Part]) -> str:
    """The facts of some shots, with every digit: a row for each, under `COLUMNS`."""
    file = io.StringIO(newline="")
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(COLUMNS)
    for part in parts:
        rows.writerows((part.id, n.name, n.value, n.unit, n.description) for n in part.numbers)
    return file.getvalue()


def _arrays(edition: Edition) -> bytes:
    """Every array, under `shot.path`."""
    file = io.BytesIO()
    arrays = {
        f"{part.id}.{path}": array
        for part in edition.parts
        for path, array in part.shot.arrays().items()
    }
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def shown(number: Number) -> str:
    """A value as tables show it: six digits of a fraction."""
    return f"{number.value:.6g}" if isinstance(number.value, float) else str(number.value)


def _cells(number: Number) -> tuple[str, str, str]:
    """What it is (its path where nobody has said), its value, its unit."""
    return number.description or number.name, shown(number), number.unit


def _markdown(edition: Edition) -> str:
    blocks = [f"# {edition.title}"]
    for part in edition.parts:
        rows = [("what", "value", "unit"), ("---", "---:", "---"), *map(_cells, part.numbers)]
        cells = ([cell.replace("|", "\\|") for cell in row] for row in rows)
        table = "\n".join(f"| {' | '.join(row)} |" for row in cells)
        blocks += [f"## {part.title}", table]
    return "\n\n".join(blocks) + "\n"


def _latex(edition: Edition) -> str:
    r"""A `longtable` for each shot; a preamble needs `\usepackage{booktabs,longtable}`."""
    lines = [r"% \usepackage{booktabs,longtable}"]
    for part in edition.parts:
        lines += [
            r"\begin{longtable}{p{.55\linewidth}rl}",
            rf"\caption{{{_tex(part.title)}}}\\",
            r"\toprule",
            *(rf"{' & '.join(map(_tex, _cells(number)))}\\" for number in part.numbers),
            r"\bottomrule",
            r"\end{longtable}",
            "",
        ]
    return "\n".join(lines)


def _tex(text: str) -> str:
    return str(unicode_to_latex(text, unknown_char_policy="keep", unknown_char_warning=False))


def _typst(edition: Edition) -> str:
    lines: list[str] = []
    for part in edition.parts:
        cells = (f"  {', '.join(map(_string, _cells(number)))}," for number in part.numbers)
        lines += [
            f"#heading(level: 2, {_string(part.title)})",
            "#table(",
            "  columns: (1fr, auto, auto),",
            "  align: (left, right, left),",
            *cells,
            ")",
            "",
        ]
    return "\n".join(lines)


def _string(text: str) -> str:
    """A string of Typst's, which are written like those of JSON."""
    return json.dumps(text, ensure_ascii=False)

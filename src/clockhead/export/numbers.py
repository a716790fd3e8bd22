"""A film's numbers, for papers and spreadsheets: facts with what they are; arrays on request."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pylatexenc.latexencode import unicode_to_latex

from clockhead.clips import atomic
from clockhead.export.edition import Edition, Number, Part
from clockhead.export.formats import Choices
from clockhead.production.sweep_table import csv_table
from clockhead.storyboard.numbers import shot_numbers, to_json

_MARKDOWN = re.compile(
    r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)|&(?=#?\w+;)"
)
"""What Markdown takes for emphasis, code, a link, an image, a formula, a cell or an entity."""
COLUMNS = ("shot", "fact", "value", "unit", "description")


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write the facts as tables (Markdown, csv, LaTeX, Typst) and json; with `arrays`, npz."""
    forms: dict[str, Callable[[Edition], str]] = {
        "md": _markdown,
        "csv": lambda edition: as_csv(edition.parts),
        "json": lambda edition: as_json(edition.name, edition.parts, arrays=choices.arrays),
        "tex": _latex,
        "typ": _typst,
    }
    for suffix, form in forms.items():
        file = target / f"{edition.name}-numbers.{suffix}"
        atomic.write(file, form(edition))
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
    rows = (
        (part.id, n.name, n.value, n.unit, n.description) for part in parts for n in part.numbers
    )
    return csv_table([COLUMNS, *rows])


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
    blocks = [f"# {in_markdown(edition.title)}"]
    for part in edition.parts:
        cells = (map(in_markdown, _cells(number)) for number in part.numbers)
        rows = [("what", "value", "unit"), ("---", "---:", "---"), *cells]
        lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        blocks += [f"## {in_markdown(part.title)}", lines]
    return "\n\n".join(blocks) + "\n"


def in_markdown(text: str) -> str:
    """A text of which Markdown, and the HTML that may stand in it, makes nothing else."""
    marked = _MARKDOWN.sub(r"\\\g<0>", _one_line(text))
    return marked.replace("<", "&lt;").replace(">", "&gt;")


def _one_line(text: str) -> str:
    return " ".join(text.split())


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
    return str(
        unicode_to_latex(_one_line(text), unknown_char_policy="keep", unknown_char_warning=False)
    )


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
    return json.dumps(_one_line(text), ensure_ascii=False)

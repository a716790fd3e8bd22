"""Write tables of measurements into `benchmarks/README.md`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).with_name("README.md")


def write_table(name: str, table: str, readme: Path = README) -> None:
    """Put a Markdown table in place of the one of this name, or at the end of the README.

    A table is never replaced by one that lacks some of its rows, which is what a partial run
    measures: then nothing is written, and a message says which rows would be lost.
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    section = f"{begin}\n{table}\n{end}"
    text = readme.read_text(encoding="utf-8")
    if begin in text:
        head, _, rest = text.partition(begin)
        old, _, tail = rest.partition(end)
        if lost := [row for row in row_names(old) if row not in row_names(table)]:
            print(
                f"{readme.name}: table “{name}” is not replaced, for this run has no row for "
                f"{', '.join(lost)}; measure them too, or delete the old table first",
                file=sys.stderr,
            )
            return
        text = head + section + tail
    else:
        text = f"{text.rstrip()}\n\n{section}\n"
    readme.write_text(text, encoding="utf-8")


def row_names(table: str) -> list[str]:
    """The first cells of a Markdown table's rows, without its head."""
    cells = re.findall(r"^\|(.*?)\|", table, re.MULTILINE)
    return [cell.strip() for cell in cells[2:]]

"""Tables of measurements, each in its place in `benchmarks/README.md`."""

from __future__ import annotations

from pathlib import Path

README = Path(__file__).with_name("README.md")


def write_down(name: str, table: str) -> None:
    """Put a table into the README, in place of the one of this name if there is one."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    section = f"{begin}\n{table}\n{end}"
    text = README.read_text(encoding="utf-8")
    if begin in text:
        head, _, rest = text.partition(begin)
        text = head + section + rest.partition(end)[2]
    else:
        text = f"{text.rstrip()}\n\n{section}\n"
    README.write_text(text, encoding="utf-8")

"""Messages as tables of tests have them: the place and the words that matter, … for the others."""

import re
from collections.abc import Iterable, Sequence


def is_said(wanted: str, line: str) -> bool:
    """Whether a line says this; an … stands for any other words."""
    return re.fullmatch(".*".join(map(re.escape, wanted.split("…"))), line) is not None


def assert_said(wanted: Sequence[str], lines: Iterable[str], file: str = "f.yaml:") -> None:
    """These are the lines, in this order, without the name of the file before each."""
    found = [str(line).removeprefix(file) for line in lines]
    assert len(found) == len(wanted), found
    for words, line in zip(wanted, found, strict=True):
        assert is_said(words, line), f"{line}\nis not: {words}"

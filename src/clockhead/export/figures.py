"""The end of every beat as a picture: for slides, papers and posters of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from clockhead.clips import atomic
from clockhead.clips.stills import Paper, Still
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, Part
from clockhead.export.formats import Choices
from clockhead.plain import plain_text

ABOUT = "figures.json"
"""What each figure shows, beside them."""


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write every still as PNG, SVG and PDF, and what each shows, in words.

    `width` is that of the PNG in pixels; vectors have none of their own.
    """
    papers = [
        Paper("png", choices.width, choices.transparent),
        Paper("svg", transparent=choices.transparent),
        Paper("pdf", transparent=choices.transparent),
    ]
    stills = edition.stills(papers)
    folder = target / "figures"
    files: list[Path] = []
    about: list[dict[str, str]] = []
    for part in edition.parts:
        for paper in papers:
            for number, still in enumerate(stills[part.id][paper], 1):
                file = folder / f"{_name(part, number, still)}.{paper.form}"
                atomic.write(file, still.picture)
                files.append(file)
        about += (
            _described(part, number, still)
            for number, still in enumerate(stills[part.id][papers[0]], 1)
        )
    yield folder
    atomic.write(folder / ABOUT, json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    yield folder / ABOUT
    yield from files


def _name(part: Part, number: int, still: Still) -> str:
    """`03-sub_diagonal-2-row-by-row`."""
    return f"{part.shot.number:02}-{part.id}-{number}-{still.beat.replace(' ', '-')}"


def _described(part: Part, number: int, still: Still) -> dict[str, str]:
    return {
        "figure": _name(part, number, still),
        "sentence": plain_text(still.sentence),
        "alt": alt_of_still(part.title, still),
    }

"""The end of every beat as a picture, for slides, papers and posters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from clockhead import atomic
from clockhead.clips.stills import Paper
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import Edition, slug
from clockhead.export.formats import Choices
from clockhead.plain import plain_text


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write every still as PNG, SVG and PDF, and `figures.json`, which describes them in words.

    `choices.width` is that of the PNG in pixels.
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
    for shot in edition.shots:
        for paper in papers:
            for number, still in enumerate(stills[shot.id][paper], 1):
                name = f"{shot.stem}-{number}-{slug(still.beat)}"
                file = folder / f"{name}.{paper.form}"
                atomic.write(file, still.picture)
                files.append(file)
                if paper == papers[0]:
                    alt, sentence = alt_of_still(shot.title, still), plain_text(still.sentence)
                    about.append({"figure": name, "sentence": sentence, "alt": alt})
    yield folder
    atomic.write(folder / "figures.json", json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    yield folder / "figures.json"
    yield from files

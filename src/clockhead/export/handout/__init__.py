"""A handout: the film on paper, with its pictures, its sentences and the numbers they use.

`content` gathers what stands in it, `words` says what it says itself, and `handout.typ` sets it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

import typst

from clockhead.clips import atomic
from clockhead.clips.scratch import scratch_directory
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.handout.content import Handout, gather
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.typeset import write_fonts

_TEMPLATE = "handout.typ"
_STANDARD: Final = "ua-1"
"""PDF for those who have it read to them: tagged, titled, every picture told in words."""


def write(edition: Edition, target: Path, _: Choices) -> Iterator[Path]:
    """Write `NAME-handout.pdf`, A4, to be printed.

    Raises:
        ExportError: when a shot cannot be drawn.
    """
    file = target / f"{edition.name}-handout.pdf"
    atomic.write(file, typeset(gather(edition)))
    yield file


def typeset(handout: Handout) -> bytes:
    """The PDF of a handout. The same handout makes the same bytes."""
    with scratch_directory() as room:
        for name, picture in handout.pictures.items():
            (room / name).write_bytes(picture)
        (room / "film.json").write_text(json.dumps(handout.told), encoding="utf-8")
        template = resources.files(__name__).joinpath(_TEMPLATE)
        with resources.as_file(template) as original:
            shutil.copy(original, room / _TEMPLATE)
        write_fonts(handout.fonts, room)
        return _compile(room)


def _compile(room: Path) -> bytes:
    """Typst sees what is in its room, and no font of the system."""
    compiler = typst.Compiler(
        root=str(room), font_paths=[str(FONT_DIR), str(room)], ignore_system_fonts=True
    )
    pdf = compiler.compile(
        input=str(room / _TEMPLATE), format="pdf", pdf_standards=[_STANDARD], timestamp=0
    )
    assert isinstance(pdf, bytes)
    return pdf

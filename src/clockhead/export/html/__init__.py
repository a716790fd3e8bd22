"""One page that shows the film: to play, to step through, to read, to print; it needs no network.

`page` gathers what stands on it, `words` says what it says itself, and `page.html.jinja`,
`player.css` and `player.js` are the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clockhead.clips import atomic
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.html.page import page
from clockhead.export.html.places import Beside, Inside


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `html/index.html` and what it shows beside it; `single_file`, one `NAME.html`.

    `reduced_motion` leaves the film out: its stills are stepped through.
    """
    places = Inside() if choices.single_file else Beside()
    html = page(edition, places, moving=not choices.reduced_motion)
    file = target / f"{edition.name}.html" if choices.single_file else target / "html/index.html"
    for name, content in places.files.items():
        atomic.write(file.parent / name, content)
    atomic.write(file, html)
    yield file
    yield from (file.parent / name for name in places.files)

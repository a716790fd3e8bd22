"""A deck for reveal.js that needs no network: the film, stepped through a slide at a time.

`slides` gathers what stands on each, `slides.html.jinja` and `slides.css` are the slides, which a
deck of one's own can take over, and `deck.*` the deck around them. `dist` is reveal.js itself, of
which `dist/README.md` says where it is from.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from clockhead.clips import atomic
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.policy import with_policy
from clockhead.export.reveal.slides import Shown, slides_of
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.theme import THEMES

_FACES = {400: "SourceSansPro-Regular.otf", 600: "SourceSansPro-Semibold.otf"}
_FONTS = (*_FACES.values(), "LICENSE.txt")
_DIST = ("reset.css", "reveal.css", "reveal.js", "notes.js", "LICENSE")
_SHORT_SIDE = 720
"""Of a slide, in reveal's pixels, which grow with the window."""

_TEMPLATES = Environment(
    loader=PackageLoader("clockhead.export.reveal", ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write `reveal/index.html` and all it needs; `fragment`, its slides alone and their media.

    Each slide plays its stretch of the film once and stands at the end of it. With
    `reduced_motion`, and for whoever's system asks for it, it stands there at once.

    Raises:
        ExportError: when a shot cannot be drawn.
    """
    folder = target / ("reveal-fragment" if choices.fragment else "reveal")
    shown = slides_of(edition, choices.per, moving=not choices.reduced_motion)
    if choices.fragment:
        files = {"slides.html": _page(edition, shown, "fragment.html.jinja")}
    else:
        files = {"index.html": _page(edition, shown, "deck.html.jinja"), **_around()}
    page, *others = [*files, *shown.files]
    for name in (*others, page):
        atomic.write(folder / name, {**files, **shown.files}[name])
    yield folder / page
    yield from (folder / name for name in others)


def _page(edition: Edition, shown: Shown, template: str) -> bytes:
    look = edition.film.look
    unit = _SHORT_SIDE / min(look.width, look.height)
    page = _TEMPLATES.get_template(template).render(
        edition=edition,
        shown=shown,
        language=look.language,
        width=round(look.width * unit),
        height=round(look.height * unit),
        colors=THEMES[look.theme],
        faces=_FACES,
        style=_own("slides.css").decode(),
    )
    # The notes' window comes from a text of reveal.js, with scripts in it and styles in its tags.
    notes = _own("dist/notes.js").decode()
    window = notes[notes.rindex("document.write(") :]
    window = window.replace("<\\/script>", "</script>").replace("\\\\", "\\")
    inline = "'self' 'unsafe-inline'"
    return with_policy(page, window=window, styles=inline, own="'self'").encode()


def _around() -> dict[str, bytes]:
    """What a deck needs besides its slides: reveal.js, and the films' letters."""
    return {
        **{f"dist/{name}": _own(f"dist/{name}") for name in _DIST},
        **{name: _own(name) for name in ("deck.css", "deck.js")},
        **{f"fonts/{name}": (FONT_DIR / name).read_bytes() for name in _FONTS},
    }


def _own(name: str) -> bytes:
    return resources.files("clockhead.export.reveal").joinpath(name).read_bytes()

"""All stages in pictures: the last picture of each with its default inputs, and a page of them."""

from __future__ import annotations

import hashlib
import io
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import getdoc
from itertools import groupby
from pathlib import Path

from PIL import Image

from clockhead.clips import stills
from clockhead.clips.clip import ClipJob, Failure, Report
from clockhead.clips.fingerprint import clip_key
from clockhead.clips.sealed import stills_in
from clockhead.clips.stills import Paper, Still, draw_stills
from clockhead.export.alt import alt_of_still
from clockhead.export.edition import run_in_workers
from clockhead.export.pages import add_policy, read_asset, templates
from clockhead.look import QUALITIES, FilmLook
from clockhead.plain import plain_text
from clockhead.scenes.stage import Stage
from clockhead.scenes.style.theme import THEMES, ThemeName

_QUALITY = QUALITIES["m"]
_WIDTH = 640
"""Of the pictures, in pixels."""
PAPER = Paper("png", _WIDTH, picture_only=True)
_WEBP = {"quality": 84, "method": 6}
_TEMPLATES = templates("clockhead.export", "assets/gallery")


@dataclass(frozen=True, slots=True)
class Card:
    """A stage in the gallery, its texts plain."""

    name: str
    title: str
    summary: str
    """The first paragraph of its docstring."""
    alt: str
    """Alternative text of its picture; why there is none if it could not be drawn."""
    picture: bytes
    """WebP; empty if it could not be drawn."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        return Image.open(io.BytesIO(self.picture)).size

    @property
    def address(self) -> str:
        """The picture as a `data:` address."""
        return f"data:image/webp;base64,{b64encode(self.picture).decode()}"


def draw_cards(
    stages: Mapping[str, type[Stage]], media: Path | None = None, theme: ThemeName = "chalk"
) -> list[Card]:
    """A card for each stage, by name; their sentences must fit their default inputs.

    Pictures are drawn by workers, and kept in the folder `media`, if one is given.

    Raises:
        DiskFull: if there is no room to keep them.
    """
    look = FilmLook(_QUALITY, theme)
    jobs = {
        name: ClipJob(name, stage.shot(stage.Inputs(), theme=theme), look)
        for name, stage in stages.items()
    }
    store = stills_in(media) if media else None
    keys = {name: _key(job) for name, job in jobs.items()}
    cards = {}
    for name, key in keys.items():
        if store and (found := store.read(key)):
            about, picture = found
            cards[name] = _card(name, stages[name], jobs[name], str(about.get("alt", "")), picture)
    missing = {name: job for name, job in jobs.items() if name not in cards}
    drawn = run_in_workers(draw_last, missing, str, "drawing", "beats")
    for name, still in drawn.items():
        alt, picture = still.reason if isinstance(still, Failure) else "", b""
        if not isinstance(still, Failure):
            alt, picture = (
                alt_of_still(plain_text(jobs[name].shot.title), still),
                to_webp(still.picture),
            )
            if store:
                store.write(keys[name], {"alt": alt}, picture)
        cards[name] = _card(name, stages[name], jobs[name], alt, picture)
    if store:
        store.prune()
    return [cards[name] for name in stages]


def draw_last(job: ClipJob, report: Report = lambda _: None) -> Still:
    """The last picture of a shot, without title and sentences."""
    return draw_stills(job, report, [PAPER])[PAPER][-1]


def gallery_page(cards: Iterable[Card], theme: ThemeName = "chalk") -> str:
    """A page of cards, in groups by the folder of their stage. Everything is in it."""
    groups = [
        (folder, list(group))
        for folder, group in groupby(cards, lambda card: card.name.partition(".")[0])
    ]
    page = _TEMPLATES.get_template("gallery.html.jinja").render(
        groups=groups,
        colors=THEMES[theme],
        is_dark=theme == "chalk",
        style=read_asset("gallery/gallery.css").decode(),
        script=read_asset("gallery/gallery.js").decode(),
    )
    return add_policy(page)


def _card(name: str, stage: type[Stage], job: ClipJob, alt: str, picture: bytes) -> Card:
    summary = (getdoc(stage) or "").partition("\n\n")[0].replace("\n", " ")
    return Card(name, plain_text(job.shot.title), summary, alt, picture)


def _key(job: ClipJob) -> str:
    """SHA-256 in hex of what a picture depends on: what a clip does, and how it is drawn."""
    how = Path(stills.__file__).read_bytes()
    return hashlib.sha256(f"{clip_key(job)} {PAPER} {_WEBP}".encode() + how).hexdigest()


def to_webp(png: bytes) -> bytes:
    """A picture as the gallery keeps it."""
    file = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(file, "webp", **_WEBP)
    return file.getvalue()

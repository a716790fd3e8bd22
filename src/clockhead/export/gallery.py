"""All stages in pictures: the last picture of each with its default inputs, and a page of them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
from clockhead.export.pages import data_address, render_page, to_webp
from clockhead.look import QUALITIES, FilmLook
from clockhead.plain import plain_text, summary
from clockhead.scenes.stage import Stage

_LOOK = FilmLook(QUALITIES["m"])
_WIDTH = 640
"""Of the pictures, in pixels."""
PAPER = Paper("png", _WIDTH, picture_only=True)
_WEBP = {"quality": 84, "method": 6}


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
        return data_address("picture.webp", self.picture)


def draw_cards(stages: Mapping[str, type[Stage]], media: Path) -> list[Card]:
    """A card for each stage, by name; their sentences must fit their default inputs.

    Pictures are drawn by workers, and kept in the folder `media`.

    Raises:
        DiskFull: if there is no room to keep them.
    """
    jobs = {
        name: ClipJob(name, stage.shot(stage.Inputs()), _LOOK) for name, stage in stages.items()
    }
    store = stills_in(media)
    keys = {name: _key(job) for name, job in jobs.items()}
    found: dict[str, tuple[str, bytes]] = {}
    """Alternative text and picture of each."""
    for name, key in keys.items():
        if stored := store.read(key):
            found[name] = str(stored[0].get("alt", "")), stored[1]
    missing = {name: job for name, job in jobs.items() if name not in found}
    for name, still in run_in_workers(draw_last, missing, str, "drawing", "beats").items():
        if isinstance(still, Failure):
            found[name] = still.reason, b""
        else:
            alt = alt_of_still(plain_text(jobs[name].shot.title), still)
            found[name] = alt, kept_picture(still.picture)
            store.write(keys[name], {"alt": alt}, found[name][1])
    store.prune()
    return [
        Card(name, plain_text(jobs[name].shot.title), summary(stage), *found[name])
        for name, stage in stages.items()
    ]


def draw_last(job: ClipJob, report: Report) -> Still:
    """The last picture of a shot, without title and sentences."""
    return draw_stills(job, report, [PAPER])[PAPER][-1]


def gallery_page(cards: Iterable[Card]) -> str:
    """A page of cards, in groups by the folder of their stage. Everything is in it."""
    groups = [
        (folder, list(group))
        for folder, group in groupby(cards, lambda card: card.name.partition(".")[0])
    ]
    return render_page("gallery/gallery.html.jinja", _LOOK, {}, groups=groups)


def _key(job: ClipJob) -> str:
    """SHA-256 in hex of what a picture depends on: what a clip does, and how it is drawn."""
    how = Path(stills.__file__).read_bytes()
    return hashlib.sha256(f"{clip_key(job)} {PAPER} {_WEBP}".encode() + how).hexdigest()


def kept_picture(png: bytes) -> bytes:
    """A picture as the gallery keeps it, in WebP."""
    return to_webp(Image.open(io.BytesIO(png)).convert("RGB"), **_WEBP)

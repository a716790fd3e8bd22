"""No picture of a shipped film changes unseen: all that is visible, in a few numbers a moment.

So are those of some stages with other inputs, which `other_shots` lists.

Readings compare what a picture says with the model; these numbers notice whatever else changes: a
frame on the wrong cell, two words exchanged, an arrow turned round, another way of moving. Where a
picture was meant to change, look at it, and then accept the new ones:

    python -m tests.scenes.test_pictures --accept rope caesar     # all films if none is named

The numbers are kept in `pictures/FILM.json`, a line for each moment. Fonts are shaped a little
differently by other versions of Pango, so they are compared with a tolerance.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from manim import VMobject

from clockhead.clips.drawing import manim_settings
from clockhead.look import Wish
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.carry import BlindRenderer
from clockhead.scenes.style.text import Formula, Label, TypesetText
from clockhead.storyboard.films import load_films
from tests.scenes import other_shots
from tests.scenes.staging import play

ROOT = Path(__file__).resolve().parents[2]
RECORDS = Path(__file__).with_name("pictures")
FILMS = sorted(file.stem for file in (ROOT / "storyboards").glob("*.yaml"))
OTHERS = [f"{film}_others" for film in other_shots.FILMS]
WITHIN = 0.4
"""The moment of every play that is looked at besides its end, as a share of its time."""
TOLERANCE = 0.05
_VISIBLE = 0.02
_ROUNDING_ERROR = re.compile(r"0\.0{9,}\d+")
"""A number that another processor computes differently."""

Moment = list[float]
"""How many pieces can be seen, and sums over them; see `numbers`."""


class MomentsRenderer(BlindRenderer):
    """Draws nothing; keeps the numbers of a moment within every play, and of its end."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: list[tuple[str, Moment]] = []

    def play(self, scene: Any, *animations: Any, **options: Any) -> None:
        super().play(scene, *animations, **options)
        self._keep(scene, "")

    def go_through(self, scene: Stage) -> None:
        moving, static = scene.get_moving_and_static_mobjects(scene.animations)
        scene.moving_mobjects, scene.static_mobjects = moving, static
        scene.update_to_time(WITHIN * scene.duration)
        self._keep(scene, ", on the way")
        super().go_through(scene)

    def _keep(self, scene: Stage, when: str) -> None:
        beat = scene.beats[-1].name if scene.beats else "opening"
        self.moments.append((f"{beat}{when}", numbers(scene)))


def numbers(scene: Stage) -> Moment:
    """How many pieces a scene shows, and nine sums over what they are and where.

    Every piece has three weights, which stand for its text and its colours. Summed are the
    weights, and the weights times where a piece stands, how large it is, how much of it is seen
    and when it is drawn.
    """
    family = scene.get_mobject_family_members()
    texts = {
        id(piece): mobject.text
        for mobject in family
        if isinstance(mobject, Label | Formula | TypesetText)
        for piece in mobject.get_family()
    }
    pieces = [
        (_weights(mobject, texts.get(id(mobject), "")), *_measures(mobject, scene))
        for mobject in family
        if isinstance(mobject, VMobject) and len(mobject.points) and _opacity(mobject) > _VISIBLE
        if not _ROUNDING_ERROR.search(texts.get(id(mobject), ""))
    ]
    if not pieces:
        return [0.0] * 10
    weights = np.array([weight for weight, *_ in pieces])  # (n, 3)
    measures = np.array([measure for _, *measure in pieces])  # (n, 5)
    order = np.linspace(0, 1, len(pieces))
    sums = [
        *weights.sum(axis=0),
        *(weights[:, :1] * measures).sum(axis=0),
        float(weights[:, 1] @ order),
    ]
    return [float(len(pieces)), *(round(float(number), 3) for number in sums)]


def _opacity(mobject: VMobject) -> float:
    stroke = mobject.stroke_rgbas[0, 3] if mobject.get_stroke_width() > 0 else 0.0
    return float(max(mobject.fill_rgbas[0, 3], stroke))


def _measures(mobject: VMobject, scene: Stage) -> tuple[float, float, float, float, float]:
    """The mean of its points (not its box: an arrow has a direction), its size, how it is lit.

    The last is its opacity times its place: of two alike, another one that is lit is another sum.
    """
    points = scene.camera.transform_points_pre_display(mobject, mobject.points)[:, :2]
    x, y = points.mean(axis=0)
    width, height = np.ptp(points, axis=0)
    return x + 20, y + 20, width, height, _opacity(mobject) * (x + 2 * y + 20)


def _weights(mobject: VMobject, text: str) -> tuple[float, ...]:
    return _hashed((text, _hex(mobject.fill_rgbas), _hex(mobject.stroke_rgbas)))


def _hex(rgbas: Any) -> str:
    return bytes(np.round(rgbas[0, :3] * 255).astype(np.uint8)).hex()


@cache
def _hashed(key: tuple[str, ...]) -> tuple[float, ...]:
    digest = sha256(repr(key).encode()).digest()
    return tuple(byte / 255 for byte in digest[:3])


def moments(film: str) -> Iterator[tuple[str, list[tuple[str, Moment]]]]:
    """Every shot of a film, and its moments; or of its stages with other inputs."""
    if film in OTHERS:
        for name, given in other_shots.CASES:
            if film == f"{name.partition('.')[0]}_others":
                stage, renderer = find_stage(name), MomentsRenderer()
                play(stage, stage.shot(stage.Inputs(**given)), renderer=renderer)
                yield other_shots.named(name, given), renderer.moments
        return
    [found] = load_films(
        [str(ROOT / "storyboards" / f"{film}.yaml")], wish=Wish(aspect="16:9", theme="chalk")
    )
    for shot in found.shots:
        renderer = MomentsRenderer()
        with (
            tempfile.TemporaryDirectory() as media,
            manim_settings(found.look, Path(media), dry_run=True),
        ):
            find_stage(shot.stage)(shot.shot, renderer=renderer).render()
        yield shot.id, renderer.moments


Record = dict[str, list[list[Any]]]
"""By shot: a name and the numbers of each moment."""


def read_record(film: str) -> Record:
    record = RECORDS / f"{film}.json"
    return json.loads(record.read_text()) if record.exists() else {}


def differences(film: str, record: Record) -> Iterator[str]:
    """The moments of a film that are not as the record has them."""
    known = dict(record)
    for shot, found in moments(film):
        kept = known.pop(shot, [])
        where = f"{film}.{shot}"
        if [name for name, _ in found] != [name for name, *_ in kept]:
            yield f"{where}: {len(found)} moments, {len(kept)} in the record, or other beats"
            continue
        for number, ((name, new), (_, *old)) in enumerate(zip(found, kept, strict=True)):
            if np.abs(np.array(new) - old).max() > TOLERANCE:
                yield f"{where}: moment {number}, in {name!r}"
                break
    yield from (f"{film}.{shot}: no such shot" for shot in known)


@pytest.mark.parametrize("film", [*FILMS, *OTHERS])
def test_pictures_are_those_that_somebody_has_looked_at(film: str):
    assert list(differences(film, read_record(film))) == []


def test_every_record_is_of_a_film():
    assert sorted(record.stem for record in RECORDS.iterdir()) == sorted([*FILMS, *OTHERS])


def accept(films: list[str]) -> None:
    """Keep the pictures of these films as they are now, and say what has changed."""
    for film in films:
        print("\n".join(differences(film, read_record(film))) or f"{film}: nothing has changed")
        record = {shot: [[name, *found] for name, found in kept] for shot, kept in moments(film)}
        lines = re.sub(r"(\[\[|\], \[)", lambda m: m[0][:-1].rstrip() + "\n[", json.dumps(record))
        (RECORDS / f"{film}.json").write_text(lines + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--accept"]:
        sys.exit(__doc__)
    accept(sys.argv[2:] or [*FILMS, *OTHERS])

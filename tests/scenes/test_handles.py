"""Every stop of every handle that a stage declares, in the film that has the stage.

A page draws them in a wide frame, and in a square one for phones.
"""

from collections.abc import Sequence
from hashlib import sha256

import pytest

from clockhead.scenes.stage import Stage, find_stage, stage_names
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.stage.shown import misread
from clockhead.storyboard.resolved import ResolvedShot
from tests.scenes.staging import play
from tests.shipped import FILMS, shipped

TURNED = [
    pytest.param(name, handle.input, id=f"{name}.{handle.input}")
    for name in stage_names()
    if not name.startswith("heads.")  # no film has them; see `test_heads`
    for handle in find_stage(name).handles
]


@pytest.mark.parametrize("film", FILMS)
def test_every_film_has_something_to_turn(film: str):
    assert any(shot.handles for shot in shipped(film).shots)


@pytest.mark.parametrize(("name", "turned"), TURNED)
def test_every_stop_is_drawn_and_says_what_is_shown(name: str, turned: str):
    shot = shot_of(name)
    [handle] = [handle for handle in shot.handles if handle.input == turned]
    assert not shot.turn({turned: handle.stops[handle.own]}).refusals
    # As on a page, the first handle that names beats says which one is shown.
    beats = next((one.beats for one in shot.handles if one.beats), ())
    wrong = []
    for aspect in ("16:9", "1:1"):
        pictures = set()
        for value in handle.stops:
            at_stop = shot.turn({turned: value}).shot
            assert at_stop is not None, f"{turned}={value}"
            problems, picture = drawn(at_stop, beats, aspect)
            wrong += [f"{value}, {aspect}: {problem}" for problem in problems]
            pictures.add(picture)
        assert len(pictures) >= 3
    assert wrong == []


def shot_of(name: str) -> ResolvedShot:
    """A film's shot of a stage; most films are called as the folder of their stages."""
    folder = name.partition(".")[0]
    for film in sorted(FILMS, key=lambda film: not film.startswith(folder)):
        for shot in shipped(film).shots:
            if shot.stage == name:
                return shot
    raise AssertionError(f"no film has {name}")


def drawn(shot: ResolvedShot, beats: Sequence[str], aspect: str) -> tuple[list[str], str]:
    """What is wrong while a shot is played, and a digest of the picture that the page shows."""
    stage = find_stage(shot.stage)
    names = stage.beat_names(shot.values)
    shown = next((beat for beat in beats if beat in names), names[-1])
    checker, misreadings, pictures = LayoutChecker(), dict[str, None](), list[str]()

    def look(scene: Stage) -> None:
        checker(scene)
        misreadings.update(dict.fromkeys(misread(scene)))

    def keep(scene: Stage) -> None:
        if scene.beats[-1].name == shown:
            pieces = [m for m in scene.get_mobject_family_members() if len(m.points)]
            looks = [
                (m.points.round(3).tobytes(), m.get_fill_rgbas().tobytes(), m.get_stroke_opacity())
                for m in pieces
            ]
            pictures.append(sha256(repr(looks).encode()).hexdigest())

    play(stage, shot.shot, aspect=aspect, on_play=look, on_beat=keep)
    [picture] = pictures
    return [*checker.problems, *misreadings], picture

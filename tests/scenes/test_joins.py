"""Within plays, and from shot to shot, nothing is a double exposure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from manim import Circle, Rectangle, VGroup

from clockhead.clips.examine import layout_problems
from clockhead.look import Wish
from clockhead.scenes.stage import (
    FadeIn,
    FadeOut,
    Stage,
    StageInputs,
    Steps,
    beat,
    find_stage,
    together,
)
from clockhead.scenes.stage.carry import BlindRenderer, TakeOver
from clockhead.scenes.stage.layout_check import DoubleExposures
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.storyboard.films import load_films
from tests.scenes.staging import manim_options

STORYBOARDS = sorted((Path(__file__).resolve().parents[2] / "storyboards").glob("*.yaml"))
LOOKS = [{"aspect": "16:9", "theme": "chalk"}, {"aspect": "9:16", "theme": "paper"}]


class Changing(Stage[int]):
    """Two words in one place, and a clock."""

    class Inputs(StageInputs):
        """Nothing."""

    title, question, caption = "A change", "What changes?", "All of it."
    opens = ("there",)
    compute = classmethod(lambda cls, inputs: 1)

    def layout(self) -> None:
        self.old, self.new, self.same = (Label(text) for text in ("cat", "dog", "cat"))
        self.face = Circle(1.0, fill_color="#333333", fill_opacity=1)
        self.hand = Rectangle(width=0.1, height=0.9, fill_color="#ffffff", fill_opacity=1)
        for part in (self.old, self.new, self.same):
            part.move_to(self.canvas.point(0.2, 0.5))
        for part in (self.face, self.hand):
            part.move_to(self.canvas.point(0.7, 0.5))
        self.there = VGroup(self.face, self.hand, self.old)


def problems(change: Any) -> list[str]:
    """What is found within a beat that plays `change(stage)`."""

    class Changed(Changing):
        @beat("Look.")
        def change(self) -> Steps:
            yield from change(self)

    found = DoubleExposures()
    options = {"dry_run": True, "frame_width": 8 * 16 / 9, "frame_height": 8, "frame_rate": 15}
    with manim_options(**options):
        Changed(renderer=BlindRenderer(on_moment=found)).render()
    return found.problems


@pytest.mark.parametrize(
    ("shift", "color", "stays"), [(0, "#ffffff", 1), (0.5, "#ffffff", 0), (0, "#ff0000", 0)]
)
def test_what_stands_in_both_pictures_unchanged_stays(shift: float, color: str, stays: int) -> None:
    """Halfway, old pictures are gone and new ones not yet there, but for what does not change."""
    old = Rectangle(width=1, height=2, fill_color="#ffffff", fill_opacity=1, stroke_width=0)
    new = old.copy().set_fill(color).shift([shift, 0, 0])
    change = TakeOver([VGroup(old)], [new], [], run_time=1)
    change.begin()
    change.interpolate(0.5)
    seen = [piece.get_fill_opacity() for piece in change.mobject.submobjects]
    assert sum(seen) == pytest.approx(stays)


def show_both(stage: Any) -> Steps:
    """Both words at once, half seen."""

    def show(share: Any) -> None:
        stage.old.set_fill(opacity=1 - float(share))
        stage.new.set_fill(opacity=float(share))

    stage.add(stage.new)
    yield Drive(stage.new, show, 0, 1)


def lift_the_face(stage: Any) -> Steps:
    stage.add(stage.hand, stage.old)
    yield Drive(stage.old, lambda _: None, 0, 1)
    stage.add(stage.face)
    yield Drive(stage.old, lambda _: None, 0, 1)


def test_words_that_fade_into_each_other_are_found():
    [problem] = problems(show_both)
    assert "'cat' lies over 'dog'" in problem


def test_a_face_over_its_hand_is_found():
    assert any("covers" in problem for problem in problems(lift_the_face))


@pytest.mark.parametrize(
    "change",
    [
        lambda stage: [together(FadeOut(stage.old), FadeIn(stage.new))],
        lambda stage: [together(FadeIn(stage.new, run_time=2), FadeOut(stage.old, run_time=1))],
        lambda stage: [together(FadeIn(stage.same), FadeOut(stage.old))],
        lambda stage: [together(FadeOut(stage.face, stage.old), FadeIn(stage.new))],
        lambda stage: [stage.screen(stage.new)],
    ],
)
def test_what_goes_leaves_before_what_comes(change: Any):
    assert problems(lambda stage: iter(change(stage))) == []


def test_words_that_are_exchanged_for_the_same_never_vanish():
    seen: list[float] = []

    class Same(Changing):
        @beat("Look.")
        def change(self) -> Steps:
            yield together(FadeOut(self.old), FadeIn(self.same))

    def look(stage: Any) -> None:
        if stage.same in stage.mobjects:
            seen.append(stage.old.get_fill_opacity() + stage.same.get_fill_opacity())

    options = {"dry_run": True, "frame_width": 8 * 16 / 9, "frame_height": 8, "frame_rate": 15}
    with manim_options(**options):
        Same(renderer=BlindRenderer(on_moment=look)).render()
    assert seen
    assert np.min(seen) > 0.9


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look['aspect']}-{look['theme']}")
@pytest.mark.parametrize("storyboard", STORYBOARDS, ids=lambda file: file.stem)
def test_no_film_has_a_double_exposure_and_what_it_speaks_of_is_large(
    storyboard: Path, look: dict[str, Any]
):
    [film] = load_films([str(storyboard)], wish=Wish(**look))
    found = {
        shot.id: problems
        for shot in film.shots
        if (problems := sum(layout_problems(find_stage(shot.stage), shot.shot, film.look), ()))
    }
    assert found == {}

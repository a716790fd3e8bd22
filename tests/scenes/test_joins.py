"""Within plays, and from shot to shot, nothing is a double exposure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from manim import Circle, Rectangle, VGroup
from numpy.typing import NDArray

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
from clockhead.scenes.stage.ways import plan_ways
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


def problems(change: Any, **attributes: Any) -> list[str]:
    """What is found within a beat that plays `change(stage)`."""

    class Changed(Changing):
        crosses = attributes.get("crosses", {})

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


def fly(word: str, *, from_: tuple[float, float], on_card: bool = False) -> Any:
    """Let a word fly over "cat" and on, perhaps on a card of its own."""

    def steps(stage: Any) -> Steps:
        card = Rectangle(width=2, height=1, fill_color="#333333", fill_opacity=float(on_card))
        card.set_stroke(width=0).move_to(stage.canvas.point(*from_))
        flying = VGroup(card, Label(word).move_to(card))
        start, way = flying.get_center(), np.array([5.0, 0.0, 0.0])
        stage.add(flying)
        yield Drive(flying, lambda share: flying.move_to(start + share * way), 0, 1, run_time=3)

    return steps


def test_words_that_pass_over_others_are_found():
    [problem] = problems(fly("dog", from_=(0.02, 0.5)))
    assert "'dog' lies over 'cat'" in problem or "'cat' lies over 'dog'" in problem


def test_words_may_cross_where_the_stage_says_so():
    assert problems(fly("dog", from_=(0.02, 0.5)), crosses={"change": "it is a test"}) == []


@pytest.mark.parametrize(
    "change",
    [fly("dog", from_=(0.02, 0.5), on_card=True), fly("cat", from_=(0.2, 0.5))],
    ids=["on a card", "out of an equal word"],
)
def test_cards_and_copies_may_fly_over_words(change: Any):
    assert problems(change) == []


def tiles(middles: Any, *, wide: float = 1.8) -> NDArray[np.float64]:
    """Boxes of tiles about their middles, (n, 4)."""
    points = np.array(middles, dtype=float)
    half = np.array([wide / 2, 0.5])
    return np.hstack([points - half, points + half])


NOTHING = np.zeros((0, 4))
ROW = [(2 * k, 0) for k in range(5)]
COLUMN = [(0, 3 - 1.2 * k) for k in range(5)]


@pytest.mark.parametrize(("old", "new"), [(ROW, COLUMN), (COLUMN, ROW)])
def test_of_a_row_and_a_column_no_tile_passes_over_another(old: Any, new: Any):
    plan = plan_ways(tiles(old), tiles(new), NOTHING, NOTHING)
    assert not plan.is_plain
    assert None not in plan.ways
    for time in np.linspace(0, 1, 40):
        shares = np.array([way.at(float(time))[:2] for way in plan.ways if way])
        boxes = tiles(old + shares * (np.array(new) - old))
        low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
        high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
        assert (high - low > 0.05).all(axis=-1).sum() == len(boxes)  # each over itself


def test_tiles_that_do_not_meet_go_straight():
    assert plan_ways(tiles(ROW), tiles([(x + 1, y + 2) for x, y in ROW]), NOTHING, NOTHING).is_plain


def test_a_word_that_begins_a_new_line_leaves_and_comes():
    old = [(0, 2), (2, 2), (4, 2), (0, 0)]
    new = [(2, 2), (4, 2), (0, 0), (2, 0)]
    ways = plan_ways(tiles(old), tiles(new), NOTHING, NOTHING).ways
    assert [way is None for way in ways] == [False, False, True, False]


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

"""The contract: what a stage is, how it is found, and when things happen in it."""

import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from manim import RIGHT, FadeIn, Rectangle, Scene, Square, tempconfig
from PIL import Image
from pydantic import Field, ValidationError

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import (
    BREATH,
    LEAD,
    READING_SPEED,
    Spoken,
    Stage,
    StageInputs,
    Steps,
    UnknownStage,
    beat,
    find_stage,
    stage_names,
)
from clockhead.scenes.stage.carry import BlindRenderer
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.stage.rhythm import FIRST_LOOK, PAUSE, REST
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import theme
from tests.scenes.staging import play

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Doubled:
    """A number and what comes of it."""

    n: int
    squares: np.ndarray

    @property
    def double(self) -> int:
        """Twice the number."""
        return 2 * self.n


class Doubling(Stage):
    """A number and its double."""

    class Inputs(StageInputs):
        n: int = Field(2, ge=1, le=9, description="a number")

    title = "Twice {n}"
    question = "What is twice {n}?"
    caption = "Twice {n} is {double}."

    @classmethod
    def compute(cls, inputs: Inputs) -> Doubled:
        return Doubled(inputs.n, np.arange(inputs.n) ** 2)

    def layout(self) -> None:
        self.number = Figure(self["n"], "d").put(self.canvas.center)
        self.square = Square(0.5).move_to(self.canvas.point(0.8, 0.5))

    @beat("Here is {n}.")
    def ask(self) -> Steps:
        yield FadeIn(self.number, run_time=0.51)
        yield 0.33

    @beat("And a square.")
    def answer(self) -> Steps:
        yield FadeIn(self.square, run_time=1)


def faulty(draw) -> list[str]:
    """The layout problems of a stage that draws `draw()`."""

    class Faulty(Doubling):
        @beat()
        def ask(self) -> Steps:
            self.add(*draw(self))
            yield 0.2

        @beat()
        def answer(self) -> Steps:
            yield 0.2

    checker = LayoutChecker()
    play(Faulty, on_play=checker)
    return checker.problems


def test_texts_are_filled_with_facts():
    shot = Doubling.shot(Doubling.Inputs(n=4))
    assert (shot.title, shot.question, shot.caption) == (
        "Twice 4",
        "What is twice 4?",
        "Twice 4 is 8.",
    )


def test_a_stage_may_tell_some_beats_of_another_in_an_order_of_its_own():
    class Short(Doubling):
        tells = ("also", "ask")

        @beat("Twice it is {double}.")
        def also(self) -> Steps:
            yield 0.2

    inputs = Short.Inputs()
    assert Short.sentences(inputs, Short.compute(inputs)) == ("Twice it is 4.", "Here is 2.")
    assert [one.name for one in play(Short).beats] == ["also", "ask", "caption"]
    with pytest.raises(AttributeError, match="Wrong tells 'asked'"):

        class Wrong(Doubling):
            tells = ("ask", "asked")


@pytest.mark.parametrize("given", [{"n": "2"}, {"n": 0}, {"n": 2.5}, {"m": 1}, {"n": True}])
def test_inputs_are_strict(given: dict):
    with pytest.raises(ValidationError):
        Doubling.Inputs(**given)


@pytest.mark.parametrize("fps", [15, 24, 30, 60])
def test_every_play_takes_whole_frames(fps: int, tmp_path: Path):
    """What is counted in frames is what is drawn: nothing drifts, whatever the run times."""
    with tempconfig({"frame_rate": fps, "dry_run": True, "media_dir": str(tmp_path)}):
        scene = Doubling()
        written: list[int] = []
        scene.renderer.add_frame = lambda frame, num_frames=1: _count(scene, written, num_frames)
        scene.render()
        assert scene.frame == sum(written)
    moved = (round(0.51 * fps) + round(0.33 * fps)) / fps
    both = len("What is twice 2?") + len("Here is 2.")
    left = max(PAUSE, both / READING_SPEED - FIRST_LOOK - moved)
    spans = [FIRST_LOOK, 0.51, 0.33, left, 1, PAUSE, 0.8, REST]
    frames = [max(1, round(span * fps)) for span in spans]
    assert sum(written) == sum(frames)
    assert [beat.frame for beat in scene.beats] == [0, sum(frames[:4]), sum(frames[:6])]


def _count(scene: Stage, written: list[int], num_frames: int) -> None:
    written.append(num_frames)
    scene.renderer.time += num_frames / scene.renderer.camera.frame_rate


def test_the_caption_stays_until_it_is_read():
    long = "word " * 60
    scene = play(Doubling, Doubling.shot(Doubling.Inputs(), caption=long, hold=1.0))
    assert scene.frame - scene.lines[-1].frame >= 15 * (len(long) / READING_SPEED + 1.0)


def test_the_first_sentence_stays_until_the_question_is_read_too():
    question = "Which of them is it, and how could anybody have known that before?"
    scene = play(Doubling, Doubling.shot(Doubling.Inputs(), question=question))
    first, second, _ = scene.lines
    assert (second.frame - scene.opened) / 15 >= (len(question) + len(first.text)) / READING_SPEED
    assert (second.frame - first.frame) / 15 <= (
        len(question) + len(first.text)
    ) / READING_SPEED + 1


@pytest.mark.parametrize("pace", [0.5, 1, 2])
def test_a_spoken_sentence_stays_until_the_voice_is_done(pace: float):
    heard = Spoken("somebody", (3.0, 7.0, 0.5, 4.0))
    scene = play(Doubling, Doubling.shot(Doubling.Inputs(), spoken=heard, pace=pace))
    edges = [scene.opened, *(line.frame for line in scene.lines), scene.frame]
    stays = [(then - now) / 15 for now, then in pairwise(edges)]
    for span, seconds in zip(stays, heard.seconds, strict=True):
        assert span >= LEAD + seconds + BREATH - 0.07
    assert stays[1] <= LEAD + 7 + BREATH + 0.2, "no longer than the voice needs"


def test_motion_may_go_on_for_as_long_as_the_voice():
    class Talking(Doubling):
        @beat("And a square.")
        def answer(self) -> Steps:
            self.took = self.reading
            yield FadeIn(self.square, run_time=self.reading)

    heard = Spoken("somebody", (1.0, 1.0, 6.0, 1.0))
    scene = play(Talking, Talking.shot(Talking.Inputs(), spoken=heard))
    assert scene.took == pytest.approx(LEAD + 6 + BREATH)


def test_played_blindly_an_updater_has_seen_the_end_of_a_play():
    class Followed(Scene):
        def construct(self):
            self.ahead, self.behind = Square(), Square()
            self.behind.add_updater(lambda piece: piece.move_to(self.ahead))
            self.add(self.behind)
            self.play(self.ahead.animate.shift(2 * RIGHT))

    with tempconfig({"dry_run": True}):
        scene = Followed(renderer=BlindRenderer())
        scene.render()
    assert np.allclose(scene.behind.get_center(), 2 * RIGHT)


def test_a_stage_is_found_by_its_name():
    for name in stage_names():
        assert issubclass(find_stage(name), Stage)
    with pytest.raises(UnknownStage) as unknown:
        find_stage("rope.frequency")
    assert unknown.value.suggestions[0] == "rope.frequencies"
    for begun in ("prev", "previous_token", "previous_token.s"):
        assert UnknownStage(begun).suggestions[0].startswith(begun)


NO_STAGES = [
    "rope",
    "rope.",
    ".matrix",
    "rope.common",
    "rope.Matrix",
    "rope.matrix.Matrix",
    "no.stage",
    "stage.stage",
    "facts.fill",
    "parts.clock",
    "style.theme",
    "..os.path",
    "os.path",
    "rope.é",
]


@pytest.mark.parametrize("name", ["", *NO_STAGES])
def test_what_is_no_stage_is_not_found(name: str):
    with pytest.raises(UnknownStage):
        find_stage(name)


def test_the_layout_check_is_silent_when_all_is_well():
    assert faulty(lambda stage: [Label("fine").move_to(stage.canvas.center)]) == []


@pytest.mark.parametrize(
    ("draw", "problem"),
    [
        (
            lambda stage: [Label("one"), Label("two").shift(0.1 * RIGHT)],
            "'one' lies over 'two'",
        ),
        (lambda stage: [Label("far").shift(7 * RIGHT)], "'far' reaches outside the margins"),
        (lambda stage: [Rectangle(width=14, height=1)], "Rectangle reaches outside the margins"),
        (lambda stage: [Label("tiny", size=17)], "'tiny' is 17.0 px tall at 720p; 18 is the least"),
        (lambda stage: [Label("faint", color=theme().hairline)], "'faint' has contrast 1."),
        (
            lambda stage: [
                Rectangle(width=2, height=1, fill_color=theme().attention, fill_opacity=1),
                Label("lost", color=theme().ink).move_to([0, 0, 0]),
            ],
            "'lost' has contrast",
        ),
    ],
)
def test_the_layout_check_finds_faults(draw, problem: str):
    assert any(problem in found for found in faulty(draw)), faulty(draw)


def test_a_stage_is_an_ordinary_manim_scene(tmp_path: Path):
    """Manim's own command draws it, with its default inputs; `-s` saves the last frame."""
    command = [sys.executable, "-m", "manim", "render", "-ql", "-s", "--media_dir", str(tmp_path)]
    scene = ["src/clockhead/scenes/previous_token/sub_diagonal.py", "SubDiagonal"]
    subprocess.run([*command, *scene], cwd=ROOT, capture_output=True, check=True)
    [picture] = tmp_path.rglob("SubDiagonal*.png")
    with Image.open(picture) as frame:
        assert frame.size == (854, 480)
        assert len(frame.convert("RGB").getcolors(maxcolors=1 << 20) or []) > 50

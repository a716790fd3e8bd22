"""A stage: one idea, shown in 8 to 25 seconds, true for its inputs.

A stage says what it takes (`Inputs`), what follows from it (`compute`, `facts`, `arrays`), what it
asserts (`claims`), and how it looks (`construct`). It is found by its name: `rope.matrix` is the
class `Matrix` of `scenes/rope/matrix.py`. Only the last needs Manim, which takes seconds
to import; so a process that draws nothing never imports it. Whoever draws imports Manim first
(Manim's own command does so by nature), and `DRAWING` says which of the two this process is.
Stage modules import Manim and `scenes.parts` under `if DRAWING:`.
"""

from __future__ import annotations

import dataclasses
import pkgutil
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz import process

import scenes
from scenes.facts import Claim, Fact, fill
from scenes.style.layout import Region
from scenes.style.theme import Theme, ThemeName, use_theme

DRAWING = "manim" in sys.modules

if TYPE_CHECKING or DRAWING:
    from manim import Animation, Camera, ManimColor, Scene, Wait, config

    from scenes.parts.furniture import Furniture
else:

    class Scene:
        """Stands in for Manim's scene where nothing is drawn."""


_SHARED = ("parts", "style")
"""The folders of `scenes` that are not films."""

READING_SPEED = 15.0
"""Characters that a viewer reads in a second."""


class StageInputs(BaseModel):
    """What a stage takes: every field bounded, described, and with a default."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, validate_default=True
    )


EvenInt = Annotated[int, Field(multiple_of=2)]
"""The width of vectors that are taken two numbers at a time."""
Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=120,
        pattern=r"^[a-z]+( [a-z]+)*$",
        description="words of letters a to z, one space between them; one word is one token",
    ),
]


@dataclass(frozen=True, slots=True)
class Shot:
    """Everything a stage needs to be drawn. The texts are filled in already."""

    inputs: StageInputs
    title: str
    subtitle: str
    caption: str
    notes: tuple[str, ...] = ()
    hold: float = 0.0
    theme: ThemeName = "chalk"


@dataclass(frozen=True, slots=True)
class Beat:
    """A step of the story, and the frame with which it begins."""

    name: str
    frame: int


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the caption band, and the frame with which it appears."""

    text: str
    frame: int


class UnknownStage(KeyError):
    """There is no stage of this name; `suggestions` holds the nearest names."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
        near = process.extract(name, stage_names(), limit=3, score_cutoff=60)
        self.suggestions: list[str] = [match[0] for match in near]


class Stage(Scene):
    """One idea on screen. See the module's docstring."""

    class Inputs(StageInputs):
        """A stage that takes nothing."""

    title: ClassVar[str]
    subtitle: ClassVar[str]
    """The question, under the title."""
    caption: ClassVar[str]
    """What to take away, said at the end."""
    notes: ClassVar[tuple[str, ...]] = ()
    """What is being shown, sentence by sentence, where the caption will stand."""

    inputs: StageInputs
    values: Any
    theme: Theme
    canvas: Region
    beats: list[Beat]
    lines: list[Line]
    """What has been said; once the stage is over, the last is the caption."""

    @classmethod
    def compute(cls, inputs: Any) -> Any:
        """Model values for these inputs: a frozen dataclass. No Manim.

        Raises:
            ValueError: when the inputs are in bounds and still make no sense together.
        """
        raise NotImplementedError

    @classmethod
    def facts(cls, values: Any) -> dict[str, Fact]:
        """Named numbers and words for captions, expectations and exports."""
        raise NotImplementedError

    @classmethod
    def claims(cls, values: Any) -> list[Claim]:
        """What the pictures and texts assert; a film with a broken claim is not rendered."""
        return []

    @classmethod
    def arrays(cls, values: Any) -> dict[str, NDArray[Any]]:
        """Every array behind the pictures; by default, the array fields of `values`."""
        pairs = ((field.name, getattr(values, field.name)) for field in dataclasses.fields(values))
        return {name: value for name, value in pairs if isinstance(value, np.ndarray)}

    @classmethod
    def narration(cls, values: Any) -> tuple[str, ...]:
        """The notes, filled with the facts; a stage whose story varies in length tells its own."""
        return tuple(fill(note, cls.facts(values)) for note in cls.notes)

    @classmethod
    def shot(cls, inputs: StageInputs, values: Any = None, **changes: Any) -> Shot:
        """This stage's own texts, filled with the facts for `inputs`."""
        values = cls.compute(inputs) if values is None else values
        facts = cls.facts(values)
        texts: dict[str, Any] = {"notes": cls.narration(values)}
        for name in ("title", "subtitle", "caption"):
            texts[name] = fill(getattr(cls, name), facts)
        return Shot(inputs=inputs, **{**texts, **changes})

    def __init__(
        self,
        shot: Shot | None = None,
        *,
        on_play: Callable[[Stage], None] | None = None,
        **scene_options: Any,
    ) -> None:
        super().__init__(**scene_options)
        self._shot = shot or self.shot(self.Inputs())
        self._on_play = on_play
        self.inputs = self._shot.inputs
        self.beats, self.lines = [], []

    def setup(self) -> None:
        """Compute the values, then lay out title, caption band and canvas."""
        self.values = self.compute(self.inputs)
        self.theme = use_theme(self._shot.theme)
        cast("Camera", self.camera).background_color = ManimColor(self.theme.ground)
        frame = Region.frame(config.frame_width, config.frame_height)
        shot = self._shot
        sentences = [*shot.notes, shot.caption]
        self._furniture = Furniture(shot.title, shot.subtitle, sentences, frame)
        self.canvas = self._furniture.canvas
        self.add(self._furniture.opening)

    def tear_down(self) -> None:
        """Say the caption, and leave time to read it."""
        self.play(self._say(self._shot.caption, len(self._shot.notes)))
        self.wait(max(2.0, len(self._shot.caption) / READING_SPEED) + self._shot.hold)

    def say(self, note: int) -> Animation:
        """Let a note take the place of what the caption band says."""
        return self._say(self._shot.notes[note], note)

    def _say(self, text: str, sentence: int) -> Animation:
        self.lines.append(Line(text, self.frame))
        return self._furniture.say(sentence)

    @property
    def frame(self) -> int:
        """How many frames have been shown."""
        return round(self.renderer.time * config.frame_rate)

    def beat(self, name: str) -> None:
        """Open a step of the story."""
        self.beats.append(Beat(name, self.frame))

    def let_read(self, *, least: float = 0.8) -> None:
        """Wait until what stands in the caption band has been there long enough to be read."""
        line = self.lines[-1]
        shown = (self.frame - line.frame) / config.frame_rate
        self.wait(max(least, len(line.text) / READING_SPEED - shown))

    def play(self, *animations: Any, **options: Any) -> None:
        super().play(*animations, **options)
        if self._on_play is not None:
            self._on_play(self)

    def get_run_time(self, animations: Any) -> float:
        """A whole number of frames, so that captions and chapters never drift.

        Manim steps a play through `arange(0, run_time, 1 / fps)` and freezes a wait for
        `int(run_time * fps)` frames; a hundredth of a frame keeps both from rounding wrongly.
        """
        frames = max(1, round(super().get_run_time(animations) * config.frame_rate))
        nudge = 0.01 if isinstance(animations[0], Wait) else -0.01
        return float((frames + nudge) / config.frame_rate)


def stage_names() -> list[str]:
    """The names of all stages, `film.stage`."""
    return [
        f"{film.name}.{module.name}"
        for film in pkgutil.iter_modules(scenes.__path__)
        if film.ispkg
        for module in pkgutil.iter_modules([f"{scenes.__path__[0]}/{film.name}"])
        if _stage_in(f"{film.name}.{module.name}") is not None
    ]


def find_stage(name: str) -> type[Stage]:
    """The stage called `name`, such as `previous_token.sub_diagonal`.

    Raises:
        UnknownStage: when there is none.
    """
    if re.fullmatch(r"[a-z_0-9]+\.[a-z_0-9]+", name) and (stage := _stage_in(name)) is not None:
        return stage
    raise UnknownStage(name)


def _stage_in(name: str) -> type[Stage] | None:
    """The stage that the module `scenes.<name>` is named after, if there is one."""
    film, _, stage = name.partition(".")
    folder = find_spec(f"scenes.{film}")
    is_film = folder is not None and folder.submodule_search_locations and film not in _SHARED
    if not is_film or find_spec(f"scenes.{name}") is None:
        return None
    found = getattr(import_module(f"scenes.{name}"), _camel(stage), None)
    return found if isinstance(found, type) and issubclass(found, Stage) else None


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))

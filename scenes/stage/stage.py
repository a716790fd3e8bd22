"""A stage: one idea, shown in 8 to 60 seconds, with words that are true for its inputs.

A stage declares its inputs (`Inputs`), its computation (`compute`), the assumptions of its words
(`claims`), the arrangement of its parts (`layout`) and, beat by beat, its sentences and animations.
It is an ordinary Manim scene: this class owns `construct`, lays out, begins with the picture of the
shot before (or its own), and then runs the beats.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from inspect import signature
from itertools import chain
from operator import attrgetter
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, ClassVar, Final, Generic, cast

from manim import Animation, ManimColor, Mobject, Scene, VGroup, VMobject, Wait, config
from numpy.typing import NDArray
from rapidfuzz import process
from typing_extensions import TypeVar

from clockhead.scenes.facts import fill
from clockhead.scenes.language import ENGLISH, Language, speaking, translated, use_language
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import paths
from clockhead.scenes.stage.beats import BeatSpec, Step, beats_of, plays_of
from clockhead.scenes.stage.camera import (
    CLOSEST,
    CameraMove,
    StageCamera,
    closest_view,
    is_fixed,
    region_of,
)
from clockhead.scenes.stage.carry import BlindRenderer, TakeOver
from clockhead.scenes.stage.claims import Claim, Handle
from clockhead.scenes.stage.contract import (
    Beat,
    CaptionLine,
    FilmCredits,
    Finding,
    Predecessor,
    Shot,
    StageInputs,
)
from clockhead.scenes.stage.data_files import data_of
from clockhead.scenes.stage.furniture import Furniture
from clockhead.scenes.stage.layout import Alternatives, Box, fit
from clockhead.scenes.stage.paths import Derived, Facts
from clockhead.scenes.stage.rhythm import (
    BREATH,
    CARRY,
    DISSOLVE,
    FIRST_LOOK,
    GUESS,
    LEAD,
    PAUSE,
    READING_SPEED,
    REST,
)
from clockhead.scenes.stage.shown import Value, is_visible
from clockhead.scenes.style.fonts import drawing_with, fonts, use_fonts
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, Moves, fade_in_turn, together
from clockhead.scenes.style.shape import last_of_each
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Theme, use_theme

_z_index = attrgetter("z_index")
NO_WORDS: Final[Mapping[str, str]] = MappingProxyType({})
"""The replacements of a storyboard that keeps all words of a stage."""


def _no_values(inputs: Any) -> Any:
    raise NotImplementedError


V = TypeVar("V", default=Any)


class Stage(Scene, Generic[V]):
    """One idea on screen; `Stage[V]` has values of type V. See the docstring of the module."""

    Inputs: ClassVar[type[StageInputs]] = StageInputs
    """Its inputs: a class of its own, or one that several stages share."""
    title: ClassVar[str]
    question: ClassVar[str] = ""
    """The question under the title. Without one, the title is small and the canvas higher."""
    caption: ClassVar[str]
    """The conclusion, shown at the end."""
    opens: ClassVar[tuple[str, ...]] = ()
    """The attributes in the first frame; the shot before may leave them."""
    leaves: ClassVar[tuple[str, ...]] = ()
    """The attributes that the next shot may begin with. They depend on this shot alone.

    With `"end as hero"`, the next shot gets `self.end` under the name `hero`.
    """
    tells: ClassVar[tuple[str, ...]] = ()
    """The beats to play, in this order, for a stage that is a short version of another one."""
    free_texts: ClassVar[tuple[str, ...]] = ()
    """The inputs that are texts of the user's, with mathematics between dollar signs."""
    picture_files: ClassVar[tuple[str, ...]] = ()
    """The inputs that name pictures of the user's; the shot has their content."""
    data_files: ClassVar[tuple[str, ...]] = ()
    """The inputs that name data files of the user's, of type `DataName`.

    `data_of` returns their content while the stage computes.
    """
    has_heading: ClassVar[bool] = True
    """Whether its title is at the top left; otherwise its own parts show it."""
    crosses: ClassVar[Mapping[str, str]] = {}
    """Beats in which moving words may pass over other words, and why that is acceptable.

    In all other beats, `check` reports it unless it is very short.
    """
    claims: ClassVar[tuple[Claim, ...]] = ()
    handles: ClassVar[tuple[Handle, ...]] = ()
    """The inputs that can be changed on a page; a storyboard may choose others."""
    derived: ClassVar[Mapping[str, Derived]] = {}
    """Facts that only the words need; all others are found by path."""

    inputs: StageInputs
    values: V
    theme: Theme
    canvas: Region
    beats: list[Beat]
    lines: list[CaptionLine]
    """All sentences so far; at the end, the last one is the caption."""
    opened: int
    """The first frame in which title and question are visible."""

    # Information without drawing

    find: ClassVar[Callable[[str], type[Stage]]]
    """Find a stage by name; set by the module `find`, which imports this one."""

    compute: ClassVar[Callable[..., Any]] = staticmethod(_no_values)
    """Compute the values for these inputs: a class method, or a function or class of the model.

    A function gets the inputs with the names of its parameters (`compute = folded_head`), and for
    `data_files` their content, None if no file is named. It returns a frozen dataclass, and raises
    ValueError for inputs that are within bounds but do not make sense together.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Wrap a function of the model as `compute`, and check the names that the stage uses.

        Raises:
            AttributeError: if no method of the class mentions an attribute in `opens`,
                `leaves` or a focus, a beat has the name of a method of `Stage`, or a handle
                has an unknown input or beat.
        """
        super().__init_subclass__(**options)
        compute = vars(cls).get("compute")
        if isinstance(compute, FunctionType | type):
            cls.compute = staticmethod(_pass_inputs(compute, cls.data_files))
        focus = [name for spec in beats_of(cls) for name in spec.focus]
        for what, names in (
            ("opens with", cls.opens),
            ("leaves", cls.left_attributes().values()),
            ("speaks of", focus),
        ):
            if unknown := [name for name in names if not _mentions(cls, name)]:
                raise AttributeError(f"{cls.__name__} {what} {unknown[0]!r}, which it never makes")
        chapters = [spec.name for spec in beats_of(cls)]
        for name in cls.data_files:
            if name not in cls.Inputs.model_fields:
                raise AttributeError(f"{cls.__name__} has no input {name!r} to name a data file")
        for handle in cls.handles:
            if handle.input not in cls.Inputs.model_fields:
                raise AttributeError(f"{cls.__name__} has no input {handle.input!r} to turn")
            if unknown := [beat for beat in handle.beats if beat not in chapters]:
                raise AttributeError(f"{cls.__name__} has no beat {unknown[0]!r} to show")
        for name, member in vars(cls).items():
            if hasattr(member, "beat") and hasattr(Stage, name):
                raise AttributeError(
                    f"the beat {name!r} of {cls.__name__} would replace a method that every stage "
                    f"has: call it {name}_, and chapters will still say {name!r}"
                )

    @classmethod
    def left_attributes(cls) -> dict[str, str]:
        """The attributes that the stage leaves, by their names for the next shot."""
        found = {}
        for entry in cls.leaves:
            attribute, _, name = entry.partition(" as ")
            found[name or attribute] = attribute
        return found

    @classmethod
    def facts_of(cls, inputs: StageInputs, values: Any) -> Facts:
        """All numbers and words that a sentence may use, by path."""
        return Facts(inputs, values, cls.derived)

    @classmethod
    def findings(cls, inputs: StageInputs, values: Any) -> list[Finding]:
        """The results of checking the claims for these values, in English, for authors."""
        facts = cls.facts_of(inputs, values)
        with speaking(ENGLISH):
            return [
                Finding(fill(claim.says, facts), holds, "" if holds else fill(claim.found, facts))
                for claim in cls.claims
                for holds in [bool(claim.holds(values))]
            ]

    @classmethod
    def arrays(cls, values: Any) -> dict[str, NDArray[Any]]:
        """All arrays behind the pictures, by path."""
        return paths.arrays(values)

    @classmethod
    def templates_of(
        cls, values: Any, given: Mapping[str, str] = NO_WORDS
    ) -> Iterator[tuple[str, str]]:
        """Question and sentence of each played beat, as templates in the current language.

        Either may be empty. `given` has the sentences of a storyboard, under `asks.BEAT` and
        `beats.BEAT`: these are in its author's language and not translated.
        """
        for spec in cls._played_specs(values):
            ask, sentence = spec.lines(values)
            yield (
                given.get(f"asks.{spec.key}") or translated(ask),
                given.get(f"beats.{spec.key}") or translated(sentence),
            )

    @classmethod
    def lines_of(
        cls,
        inputs: StageInputs,
        values: Any,
        language: Language = ENGLISH,
        given: Mapping[str, str] = NO_WORDS,
    ) -> tuple[tuple[str, str], ...]:
        """The same with the facts filled in."""
        facts = cls.facts_of(inputs, values)
        with speaking(language):
            return tuple(
                (fill(ask, facts), fill(sentence, facts))
                for ask, sentence in cls.templates_of(values, given)
            )

    @classmethod
    def sentences(
        cls, inputs: StageInputs, values: Any, language: Language = ENGLISH
    ) -> tuple[str, ...]:
        """All sentences before the caption, in order."""
        lines = cls.lines_of(inputs, values, language)
        return tuple(filter(None, chain.from_iterable(lines)))

    @classmethod
    def shot(
        cls,
        inputs: StageInputs,
        values: Any = None,
        *,
        language: Language = ENGLISH,
        **changes: Any,
    ) -> Shot:
        """A shot with this stage's own texts, filled with the facts for `inputs`."""
        values = cls.compute(inputs) if values is None else values
        facts = cls.facts_of(inputs, values)
        texts: dict[str, Any] = {"lines": cls.lines_of(inputs, values, language)}
        with speaking(language):
            for name in ("title", "question", "caption"):
                texts[name] = fill(translated(getattr(cls, name)), facts)
        known = {"inputs": inputs, "values": values, "language": language, "fonts": fonts()}
        return Shot(**known | texts | changes)

    @classmethod
    def in_band(cls, shot: Shot) -> list[str]:
        """The sentences of a shot that appear in the band at the bottom, in order."""
        return [*shot.sentences, shot.caption]

    @classmethod
    def refusal(cls, shot: Shot, frame: Region) -> str:
        """Why a shot cannot be drawn in a frame; empty unless a text of the user's is too large."""
        return ""

    @classmethod
    def beat_names(cls, values: Any) -> list[str]:
        """The names of the beats that are played for these values, in order."""
        return [spec.name for spec in cls._played_specs(values)]

    @classmethod
    def _played_specs(cls, values: Any) -> list[BeatSpec]:
        return [spec for spec in beats_of(cls) if spec.told(values)]

    # For authors of stages

    def layout(self) -> Box | Alternatives | tuple[Box | Alternatives, ...] | None:
        """Make the parts, and return their arrangement on the canvas.

        Of several arrangements, the first one that fits is used. None if all parts are placed
        already.
        """
        return None

    def __getitem__(self, path: str) -> Value:
        """A value by its path, for a part that shows it.

        Raises:
            KeyError: if there is no declared field, input or derived fact with this name.
        """
        try:
            content = self._facts.find(path)
        except KeyError:
            near = process.extractOne(path, [*self._facts.about, *paths.arrays(self.values)])
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise KeyError(f"{type(self).__name__} has no value {path!r}{hint}") from None
        known = self._facts.about.get(path) or paths.describe(self.values, path)
        if known is None:
            return Value(path, content)
        return Value(path, content, known.description, known.unit)

    def say_of(self, template: str) -> str:
        """A label from a template over this stage's facts, translated and filled in."""
        return fill(said(template), self._facts)

    @property
    def film(self) -> FilmCredits:
        """The film that this shot belongs to; without a title if the shot is played alone."""
        return self._shot.film

    @property
    def reading(self) -> float:
        """Seconds to read the current sentence, and to hear it if it is spoken.

        The title's question is read together with the first sentence, less the time that it was
        alone.
        """
        if not self.lines:
            return 1.0
        line = self.lines[-1]
        alone = (line.frame - self.opened) / config.frame_rate if self._question else 0.0
        return max(
            1.0, self._reading_time() - alone, self._speaking_time(line.text) * self._shot.pace
        )

    def look_at(
        self, *targets: Mobject | Region, closest: float = CLOSEST, run_time: float = 1.2
    ) -> CameraMove:
        """Zoom in on parts or cells, as closely as they and whole words are visible.

        Between two views the camera moves straight; if no closer view is possible, the whole canvas
        stays in view. Title and sentences do not move.
        """
        target = region_of(*targets)
        words = [
            piece
            for mobject in self.mobjects
            for piece in mobject.family_members_with_points()
            if isinstance(piece, Label) and is_visible(piece) and not is_fixed(piece)
        ]
        view = closest_view(self.canvas, target, words, closest)
        if view is not None:
            self._furniture.cover(self)
        return CameraMove(self._stage_camera, self._anchor, view, run_time=run_time)

    def look_back(self, *, run_time: float = 1.2) -> CameraMove:
        """Zoom out to the whole canvas."""
        return CameraMove(self._stage_camera, self._anchor, None, run_time=run_time)

    def screen(self, *parts: Mobject, run_time: float = 1.0) -> Moves:
        """Make these the only parts on the canvas: fade out all others, and fade in the new ones.

        New parts are drawn over all others, in the given order. A part that is on screen as a piece
        of another one stays, and so do the pieces of each part.
        """
        there = set(self.get_mobject_family_members())
        stay = {piece for part in parts for piece in part.get_family()}
        new = [part for part in parts if not _is_there(part, there)]
        gone = list(_leaving_pieces(self.mobjects, stay))
        changes = ([FadeOut(*gone)] if gone else []) + ([FadeIn(*new)] if new else [])
        return together(*changes, run_time=run_time)

    # Playing

    def __init__(
        self,
        shot: Shot | None = None,
        *,
        on_play: Callable[[Stage], None] | None = None,
        on_beat: Callable[[Stage], None] | None = None,
        **scene_options: Any,
    ) -> None:
        """`on_play` is called after plays that changed something, `on_beat` after every beat."""
        super().__init__(**{"camera_class": StageCamera} | scene_options)
        self._shot = shot or self.shot(self.Inputs())
        self._on_play, self._on_beat = on_play, on_beat
        self._has_reported = False
        self.inputs = self._shot.inputs
        self.beats, self.lines, self.opened = [], [], 0
        self._seconds_spoken = _seconds_spoken(self._shot)

    def render(self, preview: bool = False) -> bool:
        """Render in the shot's language and fonts, and restore the caller's afterwards."""
        with speaking(self._shot.language), drawing_with(self._shot.fonts):
            return super().render(preview)

    def setup(self) -> None:
        """Lay out title, sentences, canvas and parts, and add the first picture."""
        shot = self._shot
        self.values = self.compute(self.inputs) if shot.values is None else shot.values
        self._facts = Facts(self.inputs, self.values, self.derived)
        self.theme = use_theme(shot.own.theme(shot.theme))
        use_language(shot.language)
        use_fonts(shot.fonts)
        cast("Any", self.camera).background_color = ManimColor(self.theme.ground)
        frame = Region.frame(config.frame_width, config.frame_height)
        self._furniture = Furniture(
            shot.title if self.has_heading else "",
            shot.question if self.has_heading else "",
            self.in_band(shot),
            frame,
            credit=self._credit,
            captions=shot.captions,
            logo=shot.own.logo(shot.theme),
        )
        self.canvas = self._furniture.canvas
        self._stage_camera.middle = self.canvas.center
        self._anchor = VGroup()
        arranged = self.layout()
        if arranged is not None:
            fit(self.canvas, *(arranged if isinstance(arranged, tuple) else (arranged,)))
        self._begin_with(self._picture_before())

    def construct(self) -> None:
        """Run the beats."""
        for spec, (ask, own) in zip(self._played_specs(self.values), self._shot.lines, strict=True):
            self._begin_beat(spec.name)
            self._open_shot()
            if ask:
                self._hold_question(ask)
            text = self._shot.caption if spec.says_caption else own
            self._play_steps(getattr(self, spec.method)(), text)
            if not spec.says_caption:
                self.let_read(least=spec.rest)
        if self._looks_closer:
            raise RuntimeError(f"{type(self).__name__} ends without looking back")
        self._close()
        self._end_beat()

    def _close(self) -> None:
        """Say the caption if no beat has, and wait until it has been read."""
        if not self.lines or self.lines[-1].text != self._shot.caption:
            self._begin_beat("caption")
            self.play(self._say(self._shot.caption))
        self.let_read(least=REST)
        if credit := self._credit:
            said = self._furniture.say(credit)
            self.play(said)
            pace = self._shot.pace
            self.wait(max(REST, len(credit) / READING_SPEED * max(pace, 1.0) - said.run_time))
        if self._shot.hold:
            self.wait(self._shot.hold)

    def _play_steps(self, steps: Iterator[Step], text: str) -> None:
        """Play the steps of a beat, and show its sentence with the first of them.

        The sentence is registered before the beat runs, so that `reading` is its time.
        """
        waiting = [self._say(text)] if text else []
        for step in steps:
            for play in plays_of(step, self.reading):
                if isinstance(play, tuple) and (animations := [*waiting, *play]):
                    self.play(*animations)
                elif isinstance(play, float):
                    if waiting:
                        self.play(*waiting)
                    self.wait(play)
                waiting = []
        if waiting:
            self.play(*waiting)

    def _hold_question(self, text: str) -> None:
        """Show a question and hold it, so that viewers can guess."""
        self.play(self._say(text, asks=True))
        self.let_read(least=GUESS)

    def _say(self, text: str, *, asks: bool = False) -> Animation:
        self.lines.append(CaptionLine(text, self.frame, asks))
        return self._furniture.say(text)

    def let_read(self, *, least: float = PAUSE) -> None:
        """Wait until the current sentence has been read and spoken."""
        self.wait(max(least, self._seconds_left() * self._shot.pace))

    def _seconds_left(self) -> float:
        """Seconds for which the current sentence, and the question if read with it, must stay."""
        if not self.lines:
            return 0.0
        line, slow = self.lines[-1], min(self._shot.pace, 1.0)
        since = self.opened if self._question else line.frame
        left = [self._remaining(self._reading_time() / slow, since)]
        if line.text in self._seconds_spoken:
            left.append(self._remaining(self._speaking_time(line.text), line.frame))
        return max(left)

    def _reading_time(self) -> float:
        """Seconds to read the current sentence, and with the first one the title's question."""
        return (len(self._question) + len(self.lines[-1].text)) / READING_SPEED

    @property
    def _question(self) -> str:
        """The title's question while it is read with the first sentence; else empty."""
        return self._shot.question if len(self.lines) == 1 else ""

    def _remaining(self, seconds: float, since: int) -> float:
        """The remaining part of a time that began with the frame `since`, in seconds."""
        return seconds - (self.frame - since) / config.frame_rate

    def _speaking_time(self, text: str) -> float:
        """Seconds from a sentence's appearance to the end of its voice; 0 if it is not spoken."""
        seconds = self._seconds_spoken.get(text, 0.0)
        return LEAD + seconds + BREATH if seconds else 0.0

    def _begin_beat(self, name: str) -> None:
        """Begin a beat, which is a section for Manim."""
        self._end_beat()
        self.beats.append(Beat(name, self.frame))
        if self.manager is not None:
            self.next_section(name)

    def _end_beat(self) -> None:
        if self.beats and self._on_beat is not None:
            self._on_beat(self)

    def _open_shot(self) -> None:
        """Show the picture of the shot before, or its own, while the question is spoken."""
        if len(self.beats) > 1:
            return
        if self._shot_before is not None:
            self._take_over()
            self.opened = self.frame
        spoken = self._speaking_time(self._shot.question) * self._shot.pace
        super().play(Wait(max(FIRST_LOOK, spoken)))

    # The picture of the shot before

    def _picture_before(self) -> Stage | None:
        before = self._shot.after
        return None if before is None else _play_blindly(before)

    def _begin_with(self, before: Stage | None) -> None:
        self._shot_before = before
        if before is None:
            self.add(self._furniture.opening, *self._opening.values())
        else:
            self.add(*before.mobjects)

    def _take_over(self) -> None:
        """Turn the last picture of the shot before into the first one of this shot."""
        before, self._shot_before = self._shot_before, None
        if before is None:
            return
        new = self._opening
        left = before.left_attributes()
        carried = [
            (getattr(before, left[name]), part)
            for name, part in new.items()
            if name in left and hasattr(before, left[name])
        ]
        pictures = [self._furniture.opening, *new.values()]
        take_over = TakeOver(
            before.mobjects,
            pictures,
            [*carried, (before._furniture.rule, self._furniture.rule)],
            run_time=CARRY if carried else DISSOLVE,
        )
        self.clear()
        super().play(take_over)
        self.clear()
        self.add(*pictures)
        self._report_play()

    @property
    def _credit(self) -> str:
        """The film's credit if this is its last shot; else empty."""
        return self._shot.film.credit if self._shot.is_last else ""

    @property
    def _opening(self) -> dict[str, Mobject]:
        missing = [name for name in self.opens if not hasattr(self, name)]
        if missing:
            raise AttributeError(
                f"{type(self).__name__} opens with {missing[0]!r}, which its layout does not make"
            )
        return {name: getattr(self, name) for name in self.opens}

    # Manim's scene, exact to the frame

    @property
    def frame(self) -> int:
        """Number of frames so far."""
        return round(self.renderer.time * config.frame_rate)

    @property
    def _stage_camera(self) -> StageCamera:
        return cast("StageCamera", self.camera)

    @property
    def _looks_closer(self) -> bool:
        return getattr(self.camera, "view", None) is not None

    def play(self, *animations: Any, **options: Any) -> None:
        super().play(*animations, **options)
        if not self._looks_closer:
            self._furniture.uncover(self)
        if not (self._has_reported and all(map(_was_pause, animations))):
            self._report_play()

    def _report_play(self) -> None:
        """Call `on_play`."""
        self._has_reported = True
        if self._on_play is not None:
            self._on_play(self)

    def compile_animations(self, *args: Any, **options: Any) -> list[Animation]:
        """The animations at the pace of the shot; words fade out before others fade in."""
        animations: list[Animation] = super().compile_animations(*args, **options)
        fade_in_turn(animations)
        for animation in animations:
            animation.run_time /= self._shot.pace
        return animations

    def add_mobjects_from_animations(self, animations: list[Animation]) -> None:
        """Add mobjects that are animated and not on screen; those that fade out keep their order.

        Manim adds parts that are animated together as a new group on top of all others: the face of
        a clock would cover its hand while it fades.
        """
        there = set(self.get_mobject_family_members())
        super().add_mobjects_from_animations(
            [
                animation
                for animation in animations
                if not (isinstance(animation, FadeOut) and animation.is_of(there))
            ]
        )

    def get_moving_mobjects(self, *animations: Animation) -> list[Mobject]:
        """Everything while the camera moves."""
        if any(isinstance(animation, CameraMove) for animation in animations):
            return list(self.mobjects)
        return list(super().get_moving_mobjects(*animations))

    def get_mobject_family_members(self) -> list[Mobject]:
        """Everything on screen with all parts, in drawing order.

        Manim takes twice as long to list the parts of a mobject, and lists all of them in every
        play.
        """
        family = last_of_each(part for one in self.mobjects for part in one.get_family())
        return sorted(family, key=_z_index) if self.camera.use_z_index else family

    def get_moving_and_static_mobjects(
        self, animations: Iterable[Animation]
    ) -> tuple[list[Mobject], list[Mobject]]:
        """The moving mobjects as wholes, where Manim lists their pieces at the beginning of a play.

        Manim would draw those pieces to the end of the play, even if a picture drops them on the
        way.
        """
        moving, static = super().get_moving_and_static_mobjects(animations)
        return _drop_pieces(moving), static

    def get_run_time(self, animations: Any) -> float:
        """The run time rounded to whole frames, so that captions and chapters never drift.

        Manim steps a play through `arange(0, run_time, 1 / fps)` and freezes a wait for
        `int(run_time * fps)` frames; a hundredth of a frame keeps both from rounding wrongly.
        """
        frames = max(1, round(super().get_run_time(animations) * config.frame_rate))
        nudge = 0.01 if isinstance(animations[0], Wait) else -0.01
        return float((frames + nudge) / config.frame_rate)


def _pass_inputs(
    function: Callable[..., Any], data_files: Collection[str]
) -> Callable[[StageInputs], Any]:
    """A function of the inputs that calls another one with the inputs named by its parameters."""
    names = tuple(signature(function).parameters)

    def compute(inputs: StageInputs) -> Any:
        given = {name: getattr(inputs, name) for name in names}
        return function(**{n: data_of(v) if n in data_files else v for n, v in given.items()})

    return compute


def _mentions(stage: type[Stage], name: str) -> bool:
    """Whether a class declares an attribute, or its methods use one with this name."""
    if hasattr(stage, name):
        return True
    own = [kind for kind in stage.__mro__ if issubclass(kind, Stage) and kind is not Stage]
    members = [member for kind in own for member in vars(kind).values()]
    functions = [getattr(m, "fget", getattr(m, "__func__", m)) for m in members]
    codes = [function.__code__ for function in functions if isinstance(function, FunctionType)]
    return any(name in vars(kind).get("__annotations__", ()) for kind in own) or any(
        name in code.co_names for code in _nested_codes(codes)
    )


def _nested_codes(codes: Iterable[CodeType]) -> Iterator[CodeType]:
    for code in codes:
        yield code
        yield from _nested_codes(const for const in code.co_consts if isinstance(const, CodeType))


def _is_there(part: Mobject, there: Collection[Mobject]) -> bool:
    """Whether a part, or every piece of it that is drawn, is on screen."""
    pieces = part.family_members_with_points()
    return part in there or (bool(pieces) and all(piece in there for piece in pieces))


def _leaving_pieces(mobjects: Iterable[Mobject], stay: Collection[Mobject]) -> Iterator[Mobject]:
    """The mobjects on the canvas that do not stay; of a group, the pieces that do not.

    Title and sentences are fixed, and stay.
    """
    for mobject in mobjects:
        if is_fixed(mobject) or mobject in stay:
            continue
        if any(piece in stay or is_fixed(piece) for piece in mobject.get_family()):
            yield from _leaving_pieces(mobject.submobjects, stay)
        elif mobject.submobjects or isinstance(mobject, VMobject):  # waits leave empty mobjects
            yield mobject


def _seconds_spoken(shot: Shot) -> dict[str, float]:
    """The duration of each spoken sentence, in seconds."""
    texts = (shot.question, *shot.sentences, shot.caption)
    return dict(zip(texts, shot.spoken.seconds, strict=True)) if shot.spoken else {}


def _was_pause(animation: Any) -> bool:
    """Whether it was a pause in which nothing moved."""
    return isinstance(animation, Wait) and bool(animation.is_static_wait)


def _drop_pieces(mobjects: Iterable[Mobject]) -> list[Mobject]:
    """The mobjects that are not pieces of an earlier one."""
    wholes: list[Mobject] = []
    pieces: set[Mobject] = set()
    for mobject in mobjects:
        if mobject not in pieces:
            wholes.append(mobject)
            pieces.update(mobject.get_family())
    return wholes


def _play_blindly(before: Predecessor) -> Stage:
    """A stage with its last picture, played without drawing."""
    stage = Stage.find(before.stage)(before.shot, renderer=BlindRenderer())
    with (
        speaking(before.shot.language),
        drawing_with(before.shot.fonts),
    ):  # restored after the block
        stage.setup()
        stage.construct()
    return stage

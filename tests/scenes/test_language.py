"""The stage language: beats, facts by path, what is carried over, the camera."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import pytest
from manim import (
    DOWN,
    Animation,
    Camera,
    Dot,
    FadeIn,
    FadeOut,
    Rectangle,
    Scene,
    Square,
    VGroup,
    tempconfig,
)
from pydantic import Field

from clockhead.model.units import Doc, Unit
from clockhead.scenes.facts import TemplateError, fill
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    Predecessor,
    Shot,
    Stage,
    StageInputs,
    Steps,
    beat,
)
from clockhead.scenes.stage.camera import StageCamera
from clockhead.scenes.stage.carry import TakeOver, _pair_pieces
from clockhead.scenes.stage.layout_check import FocusChecker, LayoutChecker
from clockhead.scenes.stage.rhythm import CARRY, FIRST_LOOK
from clockhead.scenes.stage.shown import misread
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label, Number
from tests.scenes.staging import play

Share = Annotated[float, Unit("share")]


@dataclass(frozen=True)
class Inner:
    """A head."""

    n: Annotated[int, Doc("number of tokens")]
    _hidden: int = 7

    @cached_property
    def mass(self) -> Share:
        """The smallest mass. More of it here."""
        return 1 - 10.0**-self.n

    @property
    def undescribed(self) -> float:
        return 1.0

    @property
    def impossible(self) -> float:
        """What makes no sense for these values."""
        raise ValueError("no")

    def call(self) -> int:
        """A method."""
        return 1


@dataclass(frozen=True)
class Outer:
    """Values of a stage."""

    head: Inner
    words: tuple[str, ...] = ("a", "b")

    @property
    def squares(self) -> np.ndarray:
        """The squares; shape (n,)."""
        return np.arange(self.head.n) ** 2


class Told(Stage):
    """A small story."""

    class Inputs(StageInputs):
        n: int = Field(3, ge=1, le=9, description="how many")

    title = "The {head.n}"
    question = "How much?"
    caption = "It is {head.mass:.1%}."
    opens = ("dot", "name")
    leaves = ("dot", "name")
    derived = {"double": Derived("twice as many", lambda v: 2 * v.head.n, "tokens")}
    claims = (Claim("more than one", lambda v: v.head.n > 1, "there is {head.n}"),)

    values: Outer

    @classmethod
    def compute(cls, inputs: Inputs) -> Outer:
        return Outer(Inner(inputs.n))

    def layout(self) -> None:
        self.dot = Dot(self.canvas.center)
        self.name = Label("name").move_to(self.canvas.point(0.5, 0.2))
        self.figure = Figure(self["head.n"], "d").put(self.canvas.point(0.2, 0.5))

    @beat("First there are {head.n}.", ask="How many are there?")
    def first(self) -> Steps:
        yield FadeIn(self.figure)
        yield 0.5

    @beat(lambda v: "One." if v.head.n == 1 else "Several, {double} twice.")
    def second(self) -> Steps:
        yield (self.dot.animate.shift([1, 0, 0]), self.name.animate.shift([0, 1, 0]))

    @beat("Many.", when=lambda v: v.head.n > 5)
    def many(self) -> Steps:
        yield FadeIn(Square(0.3).move_to(self.canvas.point(0.8, 0.8)))

    @beat(CAPTION)
    def last(self) -> Steps:
        yield self.dot.animate.shift([-1, 0, 0])


class Next(Told):
    """It goes on."""

    title = "Then"
    opens = ("dot",)


@pytest.fixture(autouse=True)
def stages(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"test.told": Told, "test.next": Next}
    monkeypatch.setattr(Stage, "find", lambda name: known[name])


def shot(stage: type[Stage] = Told, **given: int) -> Shot:
    return stage.shot(stage.Inputs(**given))


# Beats


def test_every_beat_says_its_own_sentences_in_order():
    scene = play(Told, shot(n=3))
    said = ["How many are there?", "First there are 3.", "Several, 6 twice.", "It is 99.9%."]
    assert [line.text for line in scene.lines] == said
    assert [b.name for b in scene.beats] == ["first", "second", "last"]


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (1, ["First there are 1.", "One."]),
        (6, ["First there are 6.", "Several, 12 twice.", "Many."]),
    ],
)
def test_sentences_and_beats_depend_on_the_case(n: int, said: list[str]):
    assert list(Told.sentences(Told.Inputs(n=n), Told.compute(Told.Inputs(n=n))))[1:] == said


def test_a_question_is_held_and_every_sentence_is_left_until_it_is_read():
    scene = play(Told, shot())
    ends = [*(line.frame for line in scene.lines[1:]), scene.frame]
    seconds = [(end - line.frame) / 15 for line, end in zip(scene.lines, ends, strict=True)]
    assert seconds[0] >= 2.0
    for line, time in zip(scene.lines, seconds, strict=True):
        assert time >= len(line.text) / 15 - 0.07
    assert seconds[-1] >= 2.0


def test_every_change_is_seen_and_no_pause_in_which_nothing_moved():
    seen: list[int] = []
    scene = play(Told, shot(), on_play=lambda s: seen.append(s.frame))
    moves = ["the question", "the figure", "the dot", "the caption"]
    assert len(seen) == len(moves)
    assert seen == sorted(set(seen))
    assert seen[-1] < scene.frame


def test_a_subclass_keeps_the_place_of_a_beat_that_it_tells_anew():
    class Other(Told):
        @beat("Another first.")
        def first(self) -> Steps:
            yield 0.2

    assert [b.name for b in play(Other, shot(Other)).beats] == ["first", "second", "last"]


def test_a_beat_is_named_after_its_method_without_a_trailing_underscore():
    class Other(Told):
        @beat("Once more.")
        def type_(self) -> Steps:
            yield 0.2

    assert "type" in [b.name for b in play(Other, shot(Other)).beats]


def test_a_piece_that_a_picture_lets_go_in_mid_play_is_drawn_no_more():
    """Manim itself draws to the end of a play whatever was there when it began."""
    gone = Square(1, color="#FF0000", fill_opacity=1)
    picture = VGroup(gone)

    class Fickle(Told):
        @beat("It goes.")
        def last(self) -> Steps:
            self.add(picture.move_to(self.canvas.center))
            yield Drive(
                picture, lambda share: picture.set(submobjects=[gone][: int(share < 0.5)]), 0, 1
            )

    reds: list[bool] = []
    with tempconfig({"dry_run": True, "quality": "low_quality"}):
        scene = Fickle(shot(Fickle))
        draw = scene.renderer.update_frame

        def see(*args: Any, **options: Any) -> None:
            draw(*args, **options)
            pixels = scene.renderer.camera.pixel_array
            reds.append(bool((pixels[..., 0].astype(int) - pixels[..., 1] > 200).any()))

        scene.renderer.update_frame = see
        scene.render()
    first = reds.index(True)
    assert 5 <= sum(reds) <= 10
    assert all(reds[first : first + sum(reds)])


def test_paths_that_are_kept_draw_what_manim_draws(monkeypatch: pytest.MonkeyPatch):
    kept = _frames()
    assert len(kept) > 20
    monkeypatch.setattr(StageCamera, "set_cairo_context_path", Camera.set_cairo_context_path)
    for ours, manims in zip(kept, _frames(), strict=True):
        assert (ours == manims).all()


def _frames() -> list[np.ndarray]:
    """Every frame that is drawn of a stage in which some things move and others do not."""
    frames: list[np.ndarray] = []
    with tempconfig({"dry_run": True, "quality": "low_quality"}):
        scene = Told(shot())
        draw = scene.renderer.update_frame

        def see(*args: Any, **options: Any) -> None:
            draw(*args, **options)
            frames.append(scene.renderer.camera.pixel_array.copy())

        scene.renderer.update_frame = see
        scene.render()
    return frames


def test_a_beat_has_to_yield():
    with pytest.raises(TypeError, match="the beat wrong must yield"):

        @beat("No.")
        def wrong(self) -> Steps:
            return iter(())


def test_a_caption_that_no_beat_says_is_said_at_the_end():
    class Silent(Told):
        @beat()
        def last(self) -> Steps:
            yield 0.3

    assert play(Silent, shot(Silent)).lines[-1].text == "It is 99.9%."


def test_a_claim_that_does_not_hold_says_what_is_so_instead():
    inputs = Told.Inputs(n=1)
    [finding] = Told.findings(inputs, Told.compute(inputs))
    assert (finding.holds, finding.says, finding.found) == (False, "more than one", "there is 1")


# Facts by path


def facts(n: int = 3):
    inputs = Told.Inputs(n=n)
    return Told.facts_of(inputs, Told.compute(inputs))


def test_facts_are_declared_fields_described_and_with_their_unit():
    known = facts()
    assert dict(known) == {"double": 6, "head.n": 3, "head.mass": 0.999, "inputs.n": 3}
    assert known.about["head.mass"].description == "The smallest mass"
    assert known.about["head.mass"].unit == "share"
    assert known.about["head.n"].description == "Number of tokens"
    assert known.about["double"].unit == "tokens"
    assert known.about["inputs.n"].description == "how many"


@pytest.mark.parametrize(
    "path",
    [
        "head",
        "words",
        "squares",
        "head._hidden",
        "head.call",
        "head.undescribed",
        "head.impossible",
        "head.__class__",
        "head.n.real",
        "head.mass.hex",
        "__class__",
        "inputs.model_fields",
        "inputs.__dict__",
        "inputs.n.real",
        "self",
        "double.real",
        "head.n.__class__.__mro__",
    ],
)
def test_nothing_else_can_be_reached(path: str):
    assert path not in facts()
    with pytest.raises(TemplateError):
        fill(f"{{{path}}}", facts())


def test_a_share_never_reads_as_certain_in_any_format():
    assert (
        fill("{head.mass:.2g} {head.mass:.1f}", facts(n=9)) == "> 0.99 > 0.9"
        or fill("{head.mass:.1f}", facts(n=9)) == "> 0.9"
    )


def test_a_value_that_is_misspelt_is_told_so():
    scene = play(Told, shot())
    with pytest.raises(KeyError, match=r"no value 'head\.mas'; did you mean 'head\.mass'"):
        scene["head.mas"]


def test_arrays_are_listed_by_path():
    assert {k: v.tolist() for k, v in Told.arrays(Told.compute(Told.Inputs())).items()} == {
        "squares": [0, 1, 4]
    }


# What is carried over


def after(stage: type[Stage], **given: int) -> Shot:
    return replace(shot(stage, **given), after=Predecessor("test.told", shot(Told)))


def picture(scene: Stage) -> list[tuple[float, ...]]:
    """Where every visible piece stands, in drawing order."""
    pieces = [p for m in scene.mobjects for p in m.family_members_with_points()]
    return sorted(
        (*np.round(p.get_center()[:2], 6).tolist(), round(float(p.get_fill_opacity()), 6))
        for p in pieces
        if max(p.get_fill_opacity(), p.get_stroke_opacity() * p.get_stroke_width()) > 1e-3
    )


def test_alone_a_stage_opens_with_its_own_picture():
    scene = Next(shot(Next))
    with tempconfig({"dry_run": True}):
        scene.setup()
    assert scene.dot in scene.mobjects


def test_a_shot_begins_with_the_last_picture_of_the_shot_before():
    last = picture(play(Told, shot(Told)))
    with tempconfig({"dry_run": True, "frame_width": 8 * 16 / 9, "frame_height": 8}):
        scene = Next(after(Next))
        scene.setup()
    assert picture(scene) == last


def test_what_a_shot_leaves_does_not_depend_on_what_it_began_with():
    alone, carried = play(Next, shot(Next)), play(Next, after(Next))
    assert picture(alone) == picture(carried)
    assert carried.renderer.time - alone.renderer.time == pytest.approx(1.2, abs=0.001)
    assert carried.beats[0].frame == 0


def test_the_first_sentence_waits_for_the_picture():
    assert play(Next, after(Next)).lines[0].frame == round((CARRY + FIRST_LOOK) * 15)


def test_where_nothing_is_left_the_picture_dissolves(monkeypatch: pytest.MonkeyPatch):
    class Stranger(Told):
        opens = ("name",)
        leaves = ()

    class Leaves(Told):
        leaves = ()

    monkeypatch.setattr(Stage, "find", {"test.told": Leaves}.__getitem__)
    carried = play(Stranger, after(Stranger))
    alone = play(Stranger, shot(Stranger))
    assert carried.renderer.time - alone.renderer.time == pytest.approx(12 / 15, abs=0.001)


def test_a_carried_piece_goes_straight_from_where_it_was_to_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
):
    class Moved(Next):
        def layout(self) -> None:
            super().layout()
            self.dot.shift([2, 1, 0])

    with tempconfig({"dry_run": True, "frame_width": 8 * 16 / 9, "frame_height": 8}):
        scene = Moved(after(Moved))
        scene.setup()
        end = scene.dot.get_center()
        start = next(m for m in scene.mobjects if isinstance(m, Dot)).get_center()
        seen = []

        def watch(_: Scene, animation: Animation) -> None:
            for share in (0, 0.5, 1):
                animation.interpolate(share)
                seen.append(scene.dot.get_center())

        monkeypatch.setattr(Scene, "play", watch)
        scene._take_over()
    np.testing.assert_allclose(seen, [start, (start + end) / 2, end], atol=1e-9)


def test_a_frame_goes_along_with_its_word():
    framed, bare = VGroup(frame := Square(), word := Label("cat")), Label("cat").shift([3, 1, 0])
    start, way = frame.get_center(), bare.get_center() - word.get_center()
    over = TakeOver([framed], [VGroup(bare)], [(framed, VGroup(bare))], run_time=1)
    over.interpolate(0.5)
    np.testing.assert_allclose(frame.get_center(), start + way / 2, atol=1e-9)


def test_what_a_word_covers_fades_with_it():
    going, coming = (Label(text).set_stroke("#000000", 8, background=True) for text in "ab")
    over = TakeOver([going], [coming], [], run_time=1)
    for share, left, there in ((0.0, 1.0, 0.0), (0.5, 0.0, 0.0), (1.0, 0.0, 1.0)):
        over.interpolate(share)
        halos = [word.background_stroke_rgbas[:, 3] for word in (going, coming)]
        assert halos == [pytest.approx(left), pytest.approx(there)]


def test_words_take_their_own_frames_along_however_many_other_frames_there_are():
    old = VGroup(VGroup(Square(), Square(), Label("cat")), VGroup(frame := Square(), Label("sat")))
    new = VGroup(*(VGroup(Square(), Label(word)).shift([3, 1, 0]) for word in ("cat", "sat")))
    pairs = {id(after): before for before, after in _pair_pieces(old, new)}
    assert pairs[id(new[1][0])] is frame


# Shown values


def test_a_number_that_stands_for_no_value_is_reported():
    class Typed(Told):
        @beat("Typed.")
        def first(self) -> Steps:
            yield FadeIn(Number(4.0, "d").move_to(self.canvas.point(0.3, 0.8)))

    problems: list[str] = []
    play(Typed, shot(Typed), on_play=lambda scene: problems.extend(misread(scene)))
    assert "the number 4 stands for no value" in problems


def test_a_figure_that_says_something_else_is_reported():
    class Wrong(Told):
        @beat("Wrong.")
        def second(self) -> Steps:
            self.figure.number.set_value(4)
            yield 0.2

    problems: list[str] = []
    play(Wrong, shot(Wrong), on_play=lambda scene: problems.extend(misread(scene)))
    assert "Figure says 4 for head.n, which is 3" in problems


# The camera


class Close(Told):
    """Looks closer at its dot."""

    @beat("Closer.")
    def second(self) -> Steps:
        yield self.look_at(self.dot, closest=3.0)
        yield 0.2
        yield self.look_back()


def test_the_camera_looks_closer_and_back():
    zooms = []
    scene = play(Close, shot(Close), on_play=lambda s: zooms.append(s.camera.view))
    assert max(view.zoom for view in zooms if view) == pytest.approx(3.0)
    assert scene.camera.view is None


def test_title_and_sentences_stay_when_the_camera_looks_closer():
    seen = {}

    def look(scene: Stage) -> None:
        if scene.camera.view:
            title = scene._furniture.heading.family_members_with_points()[0]
            for name, piece in (("title", title), ("dot", scene.dot)):
                shown = scene.camera.transform_points_pre_display(piece, piece.points)
                seen[name] = (shown, piece.points)

    play(Close, shot(Close), on_play=look)
    np.testing.assert_array_equal(*seen["title"])
    width = np.ptp(seen["dot"][0][:, 0]) / np.ptp(seen["dot"][1][:, 0])
    assert width == pytest.approx(3.0)


def test_a_closer_look_cuts_no_word():
    class Beside(Close):
        def layout(self) -> None:
            super().layout()
            for x in np.arange(-5.5, 6, 1.0):
                self.add(Label("a word").move_to(self.dot).shift([x, 0, 0]))

    checker, zooms = LayoutChecker(), []

    def look(scene: Stage) -> None:
        checker(scene)
        zooms.append(scene.camera.view.zoom if scene.camera.view else 1.0)

    play(Beside, shot(Beside), on_play=look)
    assert checker.problems == []
    assert max(zooms) < 3.0


def test_the_camera_goes_from_part_to_part():
    class Tour(Close):
        @beat("Closer.")
        def second(self) -> Steps:
            yield self.look_at(self.dot, closest=3.0)
            yield self.look_at(Region(-3, -1, -1, 1), closest=2.0)
            yield self.look_back()

    views = []
    play(Tour, shot(Tour), on_play=lambda scene: views.append(scene.camera.view))
    seen = list(dict.fromkeys((view.focus, view.zoom) for view in views if view))
    assert [zoom for _, zoom in seen] == pytest.approx([3.0, 2.0])
    assert seen[1][0] == pytest.approx((-2.0, 0.0))


def test_a_beat_may_not_be_called_like_a_method_of_every_stage():
    with pytest.raises(AttributeError, match="call it add_"):

        class Adding(Told):
            @beat("One more.")
            def add(self) -> Steps:
                yield 0.2


def test_a_stage_has_to_look_back():
    class Lost(Told):
        @beat("Closer.")
        def last(self) -> Steps:
            yield self.look_at(self.dot, closest=3.0)

    with pytest.raises(RuntimeError, match="without looking back"):
        play(Lost, shot(Lost))


def test_the_layout_check_sees_what_the_camera_shows():
    class Cut(Close):
        @beat("Closer.")
        def second(self) -> Steps:
            yield self.look_at(self.dot, closest=3.0)
            beside = Label("a label that is cut").move_to(self.dot).shift([2.3, 0, 0])
            yield FadeIn(beside)
            yield FadeOut(beside), self.look_back()

    checker = LayoutChecker()
    play(Cut, shot(Cut), on_play=checker)
    assert any("is cut by the edge of the view" in problem for problem in checker.problems)


@pytest.mark.parametrize(
    ("size", "scale", "closest", "problems"),
    [
        (40, 8.0, 1.0, []),
        (40, 2.0, 4.0, []),  # small, but the camera is close
        (40, 2.0, 1.0, ["number, which the beat speaks of, fills"]),
        (26, 8.0, 1.0, ["'7' is 17 px high at 720p; 20 is the least in"]),
    ],
)
def test_what_a_beat_speaks_of_is_large(
    size: float, scale: float, closest: float, problems: list[str]
):
    class Speaking(Told):
        def layout(self) -> None:
            super().layout()
            plate = Rectangle(width=scale, height=scale / 2, stroke_color=self.theme.ink)
            middle = self.canvas.center
            self.number = VGroup(plate.move_to(middle), Label("7", size=size).move_to(middle))
            self.word = Label("aside", size=25).next_to(plate, DOWN)
            self.remove(self.dot)

        @beat("A seven.", focus="number")
        def second(self) -> Steps:
            yield FadeIn(self.number), FadeIn(self.word)
            if closest > 1:
                yield FadeOut(self.word)
                yield self.look_at(self.number, closest=closest)

        @beat("That was all.")
        def third(self) -> Steps:
            yield self.look_back()

    checker = FocusChecker()
    play(Speaking, shot(Speaking), on_beat=checker)
    assert len(checker.problems) == len(problems)
    assert all(part in found for part, found in zip(problems, checker.problems, strict=True))


def test_a_beat_cannot_speak_of_what_is_never_made():
    with pytest.raises(AttributeError, match="speaks of 'nubmer'"):

        class Misspelt(Told):
            @beat("A seven.", focus="nubmer")
            def second(self) -> Steps:
                yield 0.2

"""The stages over patterns of any model: small and large, long, looking ahead, without repeats."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from manim import Mobject

from clockhead.clips.clip import ClipJob
from clockhead.clips.drawing import manim_options
from clockhead.clips.stills import draw_still
from clockhead.export.handles import PAPER as HANDLE_PAPER
from clockhead.export.vectors import SharedPictures
from clockhead.look import QUALITIES, FilmLook
from clockhead.scenes.catalogues import entries
from clockhead.scenes.language import without_formats
from clockhead.scenes.stage import Shot, Stage, StageInputs, find_stage, stage_names
from clockhead.scenes.stage.data_files import using_data
from clockhead.scenes.stage.flaws import sayings
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.stage.shown import misread
from clockhead.scenes.stage.translations import mistranslated, spoken_by, untranslated
from clockhead.scenes.style.raster import Raster
from clockhead.storyboard.handles import read_stops
from clockhead.storyboard.problems import Place
from tests.scenes.staging import play
from tests.scenes.test_repaint import OPTIONS, Witness
from tests.scenes.truths_heads import FILES, FILM, made_up

STAGES = [name for name in stage_names() if name.startswith("heads.")]
ASPECTS = ("16:9", "9:16", "1:1", "4:3")


@pytest.fixture(autouse=True)
def files() -> Iterator[None]:
    """The files of the user's have been read."""
    with using_data(FILES):
        yield


def inputs_of(name: str, **given: object) -> StageInputs:
    """Inputs of a stage, of those that it takes."""
    kind = find_stage(name).Inputs
    return kind(**{key: value for key, value in given.items() if key in kind.model_fields})


def wrong_in(stage: type[Stage], shot: Shot, aspect: str = "16:9") -> list[str]:
    """What is wrong on screen at the end of any play."""
    checker, misreadings = LayoutChecker(), dict[str, None]()

    def look(scene: Stage) -> None:
        checker(scene)
        misreadings.update(dict.fromkeys(misread(scene)))

    play(stage, shot, aspect=aspect, on_play=look)
    return [*checker.problems, *misreadings]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", STAGES)
def test_all_that_is_said_of_any_model_is_so(name: str, file: str):
    last = FILES[file].n_layers - 1, FILES[file].n_heads - 1
    for layer, head in {(0, 0), last}:
        for first in (None, 1):
            inputs = inputs_of(name, data=file, layer=layer, head=head, first=first, at=1)
            assert FILM.problems(name, inputs) == []


@pytest.mark.parametrize("name", STAGES)
def test_all_of_it_is_said_in_german_too(name: str):
    stage, german, known = find_stage(name), spoken_by(find_stage(name), "de"), set[str]()
    given = [inputs_of(name, data=file, layer=0, head=0) for file in FILES]
    for inputs in [*given, *FILM.examples(name)]:
        try:
            values = stage.compute(inputs)
        except ValueError:
            continue
        assert untranslated(stage, inputs, values, german) == []
        assert list(mistranslated(stage, inputs, values, german)) == []
        known |= {without_formats(one.template) for one in sayings(stage, values)}
    # No sentence is left over that the stage does not say any more.
    told = entries("de", "heads", name.partition(".")[2])
    sentences = {english for english in told if english.endswith((".", "?"))}
    assert sentences - {*entries("de", "", "")} <= known
    assert wrong_in(stage, stage.shot(stage.Inputs(), language=german), "9:16") == []


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", STAGES)
def test_any_model_fits_in_every_shape(name: str, file: str):
    stage = find_stage(name)
    shot = stage.shot(inputs_of(name, data=file, layer=0, head=0))
    for aspect in ASPECTS:
        assert wrong_in(stage, shot, aspect) == []


@pytest.mark.parametrize("name", STAGES)
def test_longest_tokens_and_letters_without_a_glyph_fit(name: str):
    words = ("▁" + "W" * 30, "שלום עולם", "\x00", "‮abc", "😀", "$x$", "{a}", "*b*", "")
    longest = made_up(2, 2, 24, words=words, period=12, seed=8)
    stage = find_stage(name)
    with using_data({"longest.npz": longest}):
        shot = stage.shot(inputs_of(name, data="longest.npz", layer=0, head=0))
        for aspect in ("16:9", "9:16", "1:1"):
            assert wrong_in(stage, shot, aspect) == []


@pytest.mark.parametrize(
    ("name", "turned"),
    [(name, handle.input) for name in STAGES for handle in find_stage(name).handles],
)
def test_every_stop_of_a_handle_is_drawn_and_is_another_picture(name: str, turned: str):
    stage = find_stage(name)
    [handle] = [handle for handle in stage.handles if handle.input == turned]
    shown = next((one.beats for one in stage.handles if one.beats), ())
    pictures = set()
    stops = handle.stops
    values = read_stops(stops if isinstance(stops, str) else list(stops), Place("stage"))
    for value in values:
        shot = stage.shot(stage.Inputs(**{turned: value}))
        told = stage.beat_names(shot.values)
        beat = next((one for one in shown if one in told), told[-1])

        def keep(scene: Stage, beat: str = beat) -> None:
            if scene.beats[-1].name == beat:
                pictures.add(tuple(map(_looks, scene.get_mobject_family_members())))

        play(stage, shot, on_beat=keep)
        assert wrong_in(stage, shot) == []
    assert len(pictures) == len(values)


def _looks(mobject: Mobject) -> tuple[bytes, ...]:
    pixels = mobject.colors.tobytes() if isinstance(mobject, Raster) else b""
    colors = mobject.fill_rgbas.tobytes() if hasattr(mobject, "fill_rgbas") else b""
    return mobject.points.round(3).tobytes(), colors, pixels


@pytest.mark.parametrize("name", STAGES)
def test_heads_and_tokens_that_are_not_there_are_refused_with_what_there_is(name: str):
    given = {
        "layer": ({"layer": 12, "data": "large.npz"}, "layer must be 0 to 11: .* 12 layers"),
        "head": ({"head": 4, "layer": 0}, "head must be 0 to 3: .* 4 heads in each layer"),
        "first": ({"first": 64, "data": "large.npz"}, "first must be 0 to 63: .* 64 tokens"),
        "text": ({"text": "a", "data": "large.npz"}, "text must be left out: .* its own text"),
        "moment": ({"moment": 0, "data": "large.npz"}, "moment must be left out: .* one moment"),
        "at": ({"at": 64, "data": "large.npz"}, "at must be 0 to 63: .* 64 tokens"),
    }
    stage = find_stage(name)
    for field in set(given) & set(stage.Inputs.model_fields):
        inputs, message = given[field]
        with pytest.raises(ValueError, match=f"^{message}"):
            stage.compute(inputs_of(name, **inputs))
    one = made_up(1, 1, 4)
    with using_data({"one.npz": one}), pytest.raises(ValueError, match=r"has 1 layer$"):
        find_stage("heads.large").compute(inputs_of("heads.large", data="one.npz", layer=1))


@pytest.mark.parametrize("name", ["heads.sheet", "heads.large"])
def test_every_frame_is_that_of_manim(name: str):
    """Squares of pixels move and change, and the camera looks closer."""
    stage = find_stage(name)
    with manim_options(**OPTIONS):
        witness = Witness()
        stage(stage.shot(stage.Inputs()), renderer=witness).render()
    assert witness.seen > 5
    assert witness.wrong == []


@pytest.mark.parametrize("name", STAGES)
def test_pages_can_turn_the_pictures(name: str):
    """They take lines and areas alone, so cells are areas there."""
    stage, look = find_stage(name), FilmLook(QUALITIES["l"])
    shot = stage.shot(inputs_of(name, data="large.npz"))
    beats = next((one.beats for one in stage.handles if one.beats), ())
    still = draw_still(ClipJob(name, shot, look), paper=HANDLE_PAPER, beats=beats)
    assert SharedPictures().add("wide", still.picture) == 0


def test_of_many_heads_those_are_shown_that_do_something_and_others_are_counted():
    values = find_stage("heads.sheet").compute(inputs_of("heads.sheet", data="many.npz"))
    assert values.n_all == 288
    assert values.n_shown == len(values.heads) == len(values.patterns) == 144
    assert values.n_left_out == 144
    on_shelves = {head for kind in values.kinds for head in values.shelf(kind)}
    assert on_shelves <= set(values.heads)
    assert sum(map(values.count, values.kinds)) == 288

"""`clockhead.film`, `clockhead.stage` and `clockhead.sliders`, as a notebook uses them."""

import html
import os
import re
import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import clockhead
from clockhead.notebook import controls
from clockhead.places import PACKAGE
from clockhead.release import install_command
from clockhead.scenes.language import language
from clockhead.scenes.stage import find_stage
from clockhead.scenes.style.theme import CHALK, PAPER, rgb
from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import StoryboardError
from tests.fonts import HEBREW, TEXTS
from tests.pipeline.project import Project


@pytest.fixture(scope="module")
def turn() -> clockhead.NotebookShot:
    return clockhead.stage("rope.matrix", m=7)


def error(act) -> str:
    with pytest.raises(clockhead.ClockheadError) as raised:
        act()
    assert raised.value.__context__ is None or raised.value.__suppress_context__
    assert raised.value._render_traceback_() == [f"ClockheadError: {raised.value}"]
    return str(raised.value)


def corner(png: bytes) -> tuple[int, ...]:
    return Image.open(BytesIO(png)).convert("RGB").getpixel((1, 1))


def test_importing_clockhead_imports_nothing_heavy():
    heavy = "[name for name in ('manim', 'numpy', 'pydantic', 'click') if name in sys.modules]"
    code = f"import sys, clockhead; dir(clockhead); print({heavy})"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_an_unknown_attribute_is_an_error():
    with pytest.raises(AttributeError, match="no attribute 'flim'"):
        clockhead.flim  # noqa: B018
    assert {"film", "stage", "sliders"} <= set(dir(clockhead))


class TestStage:
    def test_facts_and_arrays_are_those_of_the_stage(self, turn):
        stage = find_stage("rope.matrix")
        inputs = stage.Inputs(m=7)
        values = stage.compute(inputs)
        assert dict(turn.facts) == dict(stage.facts_of(inputs, values))
        expected = stage.arrays(values)
        assert turn.arrays.keys() == expected.keys()
        assert all(np.array_equal(turn.arrays[name], array) for name, array in expected.items())
        assert turn.inputs["m"] == 7

    def test_facts_are_a_table_with_descriptions(self, turn):
        page = turn.facts._repr_html_()
        rows = list(turn.facts.rows())
        assert len(rows) == len(turn.facts)
        assert ("longest", turn.facts["longest"], "length") in [row[:3] for row in rows]
        assert all(about for *_, about in rows)
        for path, _, _, about in rows:
            assert f">{path}<" in page
            assert f">{html.escape(about)}<" in page
            assert f"{path} = " in repr(turn.facts)

    def test_a_still_shows_the_named_beat(self, turn):
        zeros, same, last = turn.still("zeros"), turn.still(-2), turn.still()
        assert zeros.beat == "zeros"
        assert zeros.png == same.png != last.png
        assert last.sentence == turn.sentences[-1]
        assert last.image.size == (854, 480)
        assert zeros.sentence in zeros.alt
        assert f'alt="{zeros.alt}"' in zeros._repr_html_()

    def test_a_still_has_any_width_in_either_theme(self, turn):
        still = turn.still(0, theme="paper", width=400)
        assert still.image.size == (400, 225)
        ground = tuple(round(255 * channel) for channel in rgb(PAPER.ground))
        assert corner(still.png) == ground
        assert corner(turn.still(0).png) == tuple(round(255 * c) for c in rgb(CHALK.ground))

    def test_a_still_is_saved_in_the_format_of_its_file_name(self, turn, tmp_path):
        still = turn.still(0)
        assert still.save(tmp_path / "a.png").read_bytes() == still.png
        assert still.save(tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
        assert still.save(tmp_path / "a.svg").read_text().startswith("<?xml")
        assert "<path" in still.svg
        assert "'bmp'" in error(lambda: still.save(tmp_path / "a.bmp"))

    def test_a_stage_has_the_look_of_a_file(self, tmp_path):
        (tmp_path / "blue.yaml").write_text('colors: {chalk: {ground: "#0B1A2B"}}\n')
        blue = clockhead.stage("induction.idea", look=tmp_path / "blue.yaml").still(0)
        assert corner(blue.png) == (0x0B, 0x1A, 0x2B)
        (tmp_path / "blue.yaml").write_text('colors: {chalk: {ground: "#FFFFFF"}}\n')
        assert "contrast" in error(
            lambda: clockhead.stage("induction.idea", look=tmp_path / "blue.yaml")
        )

    def test_letters_of_a_users_font_are_drawn_and_a_broken_font_is_refused(self, tmp_path):
        given = {"text": TEXTS[HEBREW], "font": HEBREW}
        stage = clockhead.stage("induction.idea", **given)
        assert stage.inputs["text"] == given["text"]
        assert "<path" in stage.still(0).svg
        assert "'ש'" in error(lambda: clockhead.stage("induction.idea", text=given["text"]))
        gone = str(tmp_path / "gone.ttf")
        assert gone in error(lambda: clockhead.stage("induction.idea", **given | {"font": gone}))
        assert "gone.txt" in error(lambda: clockhead.stage("induction.idea", font="gone.txt"))

    def test_the_language_of_the_session_stays(self):
        clockhead.stage("rope.matrix", language="de").still(0)
        assert language().code == "en"


class TestErrors:
    @pytest.mark.parametrize("given", [{"alpha": -1}, {"nonsuch": 3}, {"text": "a{b}"}])
    def test_errors_of_a_film_are_those_of_the_command(self, given):
        [(name, value)] = given.items()
        with pytest.raises(StoryboardError) as raised:
            load_films(["previous_token"], settings=[f"{name}={value}"])
        told = error(lambda: clockhead.film("previous_token", **given))
        assert without_marks(told) == without_marks(str(raised.value))

    def test_errors_of_a_stage_say_what_is_allowed_and_what_was_meant(self):
        assert error(lambda: clockhead.stage("rope.matrx")) == (
            "there is no stage 'rope.matrx'; did you mean rope.matrix?"
        )
        assert error(lambda: clockhead.stage("rope.matrix", n=7)).startswith(
            "--set n=7: there is no input 'n'"
        )
        told = error(lambda: clockhead.stage("rope.matrix", d_head=7, asks="x"))
        assert "--set d_head=7: " in told
        assert "--set asks=x: " in told
        assert "rope.matrix:" not in told

    def test_errors_of_a_beat_a_look_and_a_shot(self, turn):
        assert "did you mean zeros?" in error(lambda: turn.still("zero"))
        assert "they are 0 to 6" in error(lambda: turn.still(9))
        assert "did you mean 'paper'?" in error(lambda: turn.still(theme="papre"))
        assert "quality='x'" in error(lambda: clockhead.film("rope", quality="x"))
        assert "pace=9" in error(lambda: clockhead.film("rope", pace=9))
        film = clockhead.film("previous_token")
        assert "did you mean riddle?" in error(lambda: film["ridle"])

    def test_a_film_whose_claim_fails_is_not_shown(self, tmp_path):
        film = clockhead.film("previous_token", alpha=2, media=tmp_path)
        assert any("alpha=10" in problem for problem in film.problems)
        assert error(lambda: film.path) == "\n".join(film.problems)
        assert 'role="alert"' in film._repr_html_()
        assert "video" not in film._repr_html_()
        assert list(tmp_path.iterdir()) == []


def without_marks(text: str) -> str:
    """A message, whatever quotes a value was given in."""
    return re.sub(r"[\"']", "", text)


SCRIPT = """
import clockhead
from pathlib import Path

film = clockhead.film("film", moves=1, captions="track", media="out")
print(repr(film))
print(film.path)
print(film["two"].path)
film.show()
Path("page.html").write_text(film._repr_html_())
alone = clockhead.stage("tiny.moving", moves=3, media="out")
print(alone.path)
"""


def test_a_script_renders_what_it_shows(tmp_path):
    """It has no `if __name__ == "__main__"`: workers do not run it again."""
    project = Project.make(tmp_path / "project")
    project.write("film", "stage: tiny.moving\nid: one", "stage: tiny.moving\nid: two")
    (project.root / "script.py").write_text(SCRIPT)
    look = "480p15-captions-track"
    film = f"out/film-moves-1/{look}/film-moves-1.mp4"
    assert project.python(project.root / "script.py").splitlines() == [
        "film film-moves-1: The tiny film (2 shots: one, two)",
        film,
        f"out/film-moves-1/{look}/shots/02-two.mp4",
        film,
        "out/tiny_moving-moves-3/480p15/tiny_moving-moves-3.mp4",
    ]
    page = (project.root / "page.html").read_text()
    assert page.count("data:video/mp4;base64,") == page.count("data:text/vtt;base64,") == 1
    assert '<track kind="captions" srclang="en" label="Captions" default' in page
    assert "http" not in page


UNTOUCHED = """
import builtins, configparser, logging, os, random, signal, sys, warnings

def surroundings():
    return {
        "imports": (list(sys.meta_path), list(sys.path_hooks), list(sys.path), builtins.__import__),
        "random": random.getstate(),
        "hooks": (sys.excepthook, sys.unraisablehook, sys.displayhook, sys.stdout, sys.stderr),
        "parser": dict(vars(configparser.RawConfigParser)),
        "log": (logging.root.handlers[:], logging.root.level, logging.root.manager.disable),
        "warnings": (list(warnings.filters), warnings.showwarning),
        "signals": [signal.getsignal(number) for number in signal.valid_signals()],
        "environment": dict(os.environ),
    }

def same(before, now):
    changed = {name: (before[name], now[name]) for name in now if before[name] != now[name]}
    assert not changed, changed

at_first = surroundings()
import clockhead
same(at_first, surroundings())

import manim, networkx, numpy, scipy.spatial.transform, tqdm
from manim import config

def manims():
    return {
        "options": dict(config.items()),
        "rotation": manim.utils.space_ops.Rotation,
        "graphs": manim.mobject.graph.nx,
        "random": str(numpy.random.get_state()),
        "bars": tqdm.tqdm.get_lock(),
        "log": (manim.logger.level, manim.logger.handlers[:], manim.logger.disabled),
        "classes": (manim.Mobject.__bases__, manim.VMobject.__bases__, manim.Scene.__bases__),
    }

assert config.frame_rate == 7
assert manim.utils.space_ops.Rotation is scipy.spatial.transform.Rotation
assert manim.mobject.graph.nx is networkx
config.background_color = "#123456"
before, theirs = surroundings(), manims()
film = clockhead.film("film", media="out")
assert film.path.is_file()
assert film["one"].still().save("one.png").is_file()
alone = clockhead.stage("tiny.moving", moves=2)
assert alone._repr_html_() and not alone.problems
same(before, surroundings())
same(theirs, manims())
"""


def test_importing_it_changes_nothing_in_the_program(tmp_path):
    """Neither Manim and its configuration nor SciPy, logging, signals and the import system."""
    project = Project.make(tmp_path / "project")
    project.write("film", "stage: tiny.moving\nid: one")
    (project.root / "manim.cfg").write_text("[CLI]\nframe_rate = 7\n")
    (project.root / "script.py").write_text(UNTOUCHED)
    project.python(project.root / "script.py")


class TestSliders:
    @pytest.fixture
    def sliders(self):
        pytest.importorskip("ipywidgets")
        return clockhead.sliders("rope.matrix", m=7)

    def test_every_input_has_a_control_within_its_bounds(self, sliders):
        fields = find_stage("rope.matrix").Inputs.model_fields
        assert list(sliders.controls) == list(fields)
        assert sliders.controls["m"].value == 7
        assert (sliders.controls["d_head"].min, sliders.controls["d_head"].step) == (4, 2)

    def test_the_picture_follows_the_controls(self, sliders):
        before = sliders._picture.value
        sliders.controls["m"].value = 3
        assert sliders.stage.inputs["m"] == 3
        assert sliders._picture.value != before
        alt, said = html.unescape(sliders._picture.value).split('<div role="status">')
        assert sliders.stage.still().sentence in alt
        assert sliders.stage.still().sentence in said

    def test_a_wrong_value_is_explained_and_the_picture_stays(self, sliders):
        before = sliders._picture.value
        sliders.controls["text"].value = "one"
        assert "text: 1 word" in sliders._trouble.value
        assert sliders._picture.value == before
        sliders.controls["text"].value = "one two three"
        assert sliders._trouble.value == ""
        assert sliders.stage.inputs["text"] == "one two three"

    def test_what_is_wrong_with_the_first_inputs_is_an_error(self):
        pytest.importorskip("ipywidgets")
        assert "no input 'n'" in error(lambda: clockhead.sliders("rope.matrix", n=7))
        assert "d_head: 7 is odd" in error(lambda: clockhead.sliders("rope.matrix", d_head=7))
        assert "did you mean zeros?" in error(lambda: clockhead.sliders("rope.matrix", beat="zero"))
        assert 'film["' in error(lambda: clockhead.sliders(clockhead.film("rope")))
        told = error(lambda: clockhead.sliders("rope.matrix", handles_only=True))
        assert "rope.matrix has no handles" in told

    def test_every_stage_has_controls(self):
        pytest.importorskip("ipywidgets")
        from clockhead.scenes.stage import stage_names
        from clockhead.storyboard.models import inputs_schema

        for name in stage_names():
            inputs = find_stage(name).Inputs()
            for key, part in inputs_schema(name)["properties"].items():
                value = getattr(inputs, key)
                control = controls.control_for(key, part, value)
                read = controls.reader_for(part)(control.value)
                assert np.array_equal(read or None, value or None), (name, key)

    def test_controls_of_handles_take_every_stop(self):
        pytest.importorskip("ipywidgets")
        from clockhead.scenes.stage import stage_names
        from clockhead.storyboard.models import inputs_schema

        with_handles = [name for name in stage_names() if find_stage(name).handles]
        assert with_handles
        for name in with_handles:
            shot = clockhead.stage(name)._shot
            parts = inputs_schema(name)["properties"]
            for handle in shot.handles:
                own = handle.stops[handle.own]
                control = controls.control_for(handle.input, parts[handle.input], own, handle.stops)
                for stop in handle.stops:
                    is_field = isinstance(control.value, str)
                    text = "" if stop is None else str(stop)
                    control.value = text if is_field else stop
                    read = controls.reader_for(parts[handle.input])(control.value)
                    assert np.array_equal(read or None, stop or None), (name, handle.input)

    def test_without_ipywidgets_the_error_says_how_to_install_it(self, monkeypatch):
        import importlib.util

        monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
        told = error(lambda: clockhead.sliders("rope.matrix"))
        assert install_command("notebook") in told
        assert "ipywidgets" in told


class TestHandles:
    """The handles of a shot in a notebook are those of its page."""

    FILM = """\
version: 1
title: Turn it
shots:
  - stage: previous_token.sub_diagonal
    handles: {alpha: "2:12:5", text: [to be or not to be]}
    expect: {row.head.worst_weight: ">= 0.9"}
"""

    @pytest.fixture
    def sliders(self, tmp_path):
        pytest.importorskip("ipywidgets")
        file = tmp_path / "turning.yaml"
        file.write_text(self.FILM)
        shot = clockhead.film(file, media=tmp_path / "media")["sub_diagonal"]
        return clockhead.sliders(shot, handles_only=True)

    def test_those_of_a_stage_come_first_and_stop_where_the_page_s_do(self):
        pytest.importorskip("ipywidgets")
        sliders = clockhead.sliders("previous_token.sub_diagonal", alpha=2.5)
        fields = find_stage("previous_token.sub_diagonal").Inputs.model_fields
        assert next(iter(sliders.controls)) == "alpha"
        assert set(sliders.controls) == set(fields)
        stops = [value for _, value in sliders.controls["alpha"].options]
        assert stops == [1, 2, 2.5, *range(3, 21)]
        assert sliders.controls["alpha"].value == 2.5

    def test_those_of_a_storyboard_are_all_that_is_shown_if_wanted(self, sliders):
        assert list(sliders.controls) == ["alpha", "text"]
        assert [value for _, value in sliders.controls["alpha"].options] == [2, 7, 10, 12]
        assert "to be or not to be" in sliders.controls["text"].options
        sliders.controls["text"].value = "any other words will do"
        assert sliders.stage.inputs["text"] == "any other words will do"
        assert sliders._trouble.value == ""

    def test_where_the_point_fails_the_picture_stays_and_what_was_found_is_said(self, sliders):
        before = sliders._picture.value
        sentence = sliders.stage._picture("below", None, "").sentence
        assert f'<p lang="en" dir="auto">{html.escape(sentence)}</p>' in before
        sliders.controls["alpha"].value = 2
        assert sliders.stage.inputs["alpha"] == 2
        worst = sliders.stage.facts["row.head.worst_weight"]
        assert worst < 0.9
        assert f"{worst:.1%}" in sliders._trouble.value
        assert sliders._picture.value != before
        assert "<img" in sliders._picture.value
        assert "<p lang" in sliders._picture.value, "no claim fails: its sentence is true"
        assert f"{worst:.1%}" in error(lambda: sliders.stage.path)
        sliders.controls["alpha"].value = 10
        assert sliders._trouble.value == ""
        assert sliders._picture.value == before

    def test_the_picture_is_that_of_the_page(self, sliders):
        page_s = sliders._base._picture("below", None, "")
        assert page_s.png != sliders._base._picture(None, None, "").png
        sliders.controls["text"].value = "to be or not to be"
        sliders.controls["text"].value = "the cat sat on the mat and ran"
        assert page_s._repr_html_() in sliders._picture.value

    def test_a_beat_can_be_chosen(self, sliders):
        shot = sliders._base
        chosen = clockhead.sliders(shot, beat=0)
        assert chosen._picture.value != sliders._picture.value
        assert chosen.stage._picture(0, None, "").png == shot._picture(0, None, "").png

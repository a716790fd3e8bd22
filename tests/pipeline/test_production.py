"""`clockhead render` from end to end: the files it writes, and what it does not repeat."""

import hashlib
import json
import sys

import av
import numpy as np
import pytest
import srt
import webvtt
from PIL import Image

from clockhead.scenes.stage.rhythm import DISSOLVE, FIRST_LOOK, PAUSE, READING_SPEED
from clockhead.scenes.style.theme import CHALK
from tests.pipeline.footage import index_in_front, shown
from tests.pipeline.project import COMMAND, LOOK, PATIENCE, TINY, Project, start

pytestmark = pytest.mark.xdist_group("production")

FPS = 15
ONE = "stage: tiny.moving\nid: one\ninputs: {moves: 1}"
TWO = 'stage: tiny.moving\nid: two\ncaption: "$n = {moves}$ of {share:.1%}"'
OPENED = {"one": 0, "two": round(DISSOLVE * FPS)}
"""In frames: the second shot dissolves into its first picture."""
NOTE = {shot: opened + round(FIRST_LOOK * FPS) for shot, opened in OPENED.items()}
OPENING = round((len("How often does it move?") + len("Here comes $n$.")) / READING_SPEED * FPS)
PAUSED = round(PAUSE * FPS)
CAPTION = {"one": OPENING + 3 + 3 + PAUSED, "two": OPENED["two"] + OPENING + 6 + 3 + PAUSED}
"""The question and the note are read; the moves, the last one, the least pause."""
READ = 12 + 30
"""A fade, and the least time to read what it brings: the caption and, at the end, the credit."""
FRAMES = {"one": CAPTION["one"] + READ, "two": CAPTION["two"] + READ + READ}
SAID = ["Here comes n.", "It moved 1 times.", "Here comes n.", "n = 2 of 66.7%"]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with a film of two shots that has been rendered once."""
    project = Project.make(tmp_path_factory.mktemp("production"))
    project.write("film", ONE, TWO)
    done = project.run("render", "film", "-ql")
    assert (done.returncode, done.stderr) == (0, "film: 2 of 2 shots rendered now\n")
    assert done.stdout == f"media/film/{LOOK}/film.mp4\n"
    return project


@pytest.fixture
def changing(project):
    """The same project, for a test that changes the film; restored afterwards."""
    yield project
    project.write("film", ONE, TWO)
    project.run("render", "film", "-ql")


class TestTheFilm:
    def test_the_film_is_there_with_all_its_files(self, project):
        folder = project.folder("film")
        found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        assert found - {".lock"} == {
            *(f"film.{suffix}" for suffix in ("mp4", "vtt", "srt", "txt", "png", "json")),
            *(f"clips/01-one.{suffix}" for suffix in ("mp4", "vtt", "srt", "png")),
            *(f"clips/02-two.{suffix}" for suffix in ("mp4", "vtt", "srt", "png")),
        }
        assert project.leftovers() == []
        assert project.processes() == []

    def test_it_has_every_frame_chapters_and_captions(self, project):
        path = project.folder("film") / "film.mp4"
        assert index_in_front(path)
        with av.open(str(path)) as film:
            assert [c["metadata"]["title"] for c in film.chapters()] == ["A square, moved"] * 2
            assert sum(1 for _ in shown(film)) == sum(FRAMES.values())
        assert _captions(path) == SAID

    def test_its_pictures_have_the_colours_of_the_theme(self, project):
        with av.open(str(project.folder("film") / "film.mp4")) as film:
            frame = list(shown(film))[CAPTION["one"]].to_ndarray(format="rgb24")
        assert np.abs(frame[5, 5].astype(int) - _rgb(CHALK.ground)).max() <= 2
        assert np.abs(frame[40:440, 300:500].astype(int) - _blend()).max(axis=2).min() <= 4

    def test_each_clip_is_a_film_of_its_own(self, project):
        for number, (shot, frames) in enumerate(FRAMES.items(), 1):
            path = project.folder("film") / f"clips/{number:02}-{shot}.mp4"
            assert index_in_front(path)
            assert _captions(path) == (SAID[:2] if shot == "one" else SAID[2:])
            with av.open(str(path)) as clip:
                assert sum(1 for _ in shown(clip)) == frames

    def test_captions_and_transcript_are_beside_it(self, project):
        folder = project.folder("film")
        found = [(cue.start, cue.end, cue.text) for cue in webvtt.read(folder / "film.vtt")]
        edges = [NOTE["one"], CAPTION["one"], FRAMES["one"]]
        edges += [FRAMES["one"] + frame for frame in (NOTE["two"], CAPTION["two"], FRAMES["two"])]
        clock = [
            f"00:00:{frame // FPS:02}.{round(1000 * (frame % FPS) / FPS):03}" for frame in edges
        ]
        assert found == [
            (clock[at], clock[at + 1], text) for at, text in zip((0, 1, 3, 4), SAID, strict=True)
        ]
        subs = list(srt.parse((folder / "film.srt").read_text()))
        assert [sub.content for sub in subs] == SAID
        assert (folder / "film.txt").read_text() == (
            "The tiny film\nNobody in particular\n\n"
            "[0:00] A square, moved\nHow often does it move?\nHere comes n.\nIt moved 1 times.\n\n"
            "[0:06] A square, moved\nHow often does it move?\nHere comes n.\nn = 2 of 66.7%\n"
        )

    def test_the_poster_is_one_of_its_frames(self, project):
        with Image.open(project.folder("film") / "film.png") as poster:
            assert poster.size == (854, 480)
            assert len(poster.convert("L").getcolors(256)) > 10

    def test_the_manifest_lists_what_it_was_made_of(self, project):
        manifest = project.manifest("film")
        assert [(t["shot"], t["frames"]) for t in manifest["timing"]] == list(FRAMES.items())
        assert manifest["frames"] == sum(FRAMES.values())
        said = manifest["timing"][1]["lines"]
        assert [line["plain"] for line in said] == SAID[2:]
        assert [line["text"] for line in said][1] == "$n = 2$ of 66.7%"
        for shot in manifest["timing"]:
            assert max(shot["reading"]["question"], *shot["reading"]["lines"]) <= 15
            assert len(shot["reading"]["lines"]) == len(shot["lines"])
        facts = {"moves": 2, "most": 9, "share": 2 / 3, "inputs.moves": 2, "inputs.most": 9}
        assert manifest["shots"][1]["facts"] == facts
        assert manifest["versions"]["manim"].startswith("0.22.")
        for name, known in manifest["files"].items():
            data = (project.folder("film") / name).read_bytes()
            assert hashlib.sha256(data).hexdigest() == known

    def test_a_player_can_jump_to_every_beat_and_to_the_caption(self, project):
        with av.open(str(project.folder("film") / "film.mp4")) as film:
            video = film.streams.video[0]
            packets = [p for p in film.demux(video) if p.dts is not None and p.is_keyframe]
            keys = {round(packet.pts * video.time_base * FPS) for packet in packets}
        timing = project.manifest("film")["timing"]
        beats = {t["start"] + beat["frame"] for t in timing for beat in t["beats"]}
        assert {t["start"] + t["lines"][-1]["frame"] for t in timing} <= beats <= keys

    def test_the_manifest_holds_a_storyboard_that_makes_the_same_film(self, project):
        manifest = project.manifest("film")
        (project.root / "again.yaml").write_text(json.dumps(manifest["storyboard"]))
        done = project.run("render", "again.yaml", "-ql")
        assert (done.returncode, done.stderr) == (0, "again: 0 of 2 shots rendered now\n")
        again = project.manifest("again")
        assert again["shots"] == manifest["shots"]
        assert again["files"]["again.mp4"] == manifest["files"]["film.mp4"]


class TestElsewhere:
    def test_films_and_sheets_go_to_the_given_folder(self, project, tmp_path):
        place = tmp_path / "my films/new"
        done = project.run("render", "film", "-ql", "--output", str(place))
        assert (done.returncode, done.stdout) == (0, f"{place}/film/{LOOK}/film.mp4\n")
        assert (place / f"film/{LOOK}/film.mp4").is_file()
        (project.folder("film") / "film-sheet.png").unlink(missing_ok=True)
        done = project.run("sheet", "film", "-ql", "-o", str(place))
        assert done.returncode == 0
        assert done.stdout.splitlines()[-1] == f"{place}/film/{LOOK}/film-sheet.png"
        assert "0 of 2 shots" in done.stderr
        assert not (project.folder("film") / "film-sheet.png").exists()

    def test_a_file_instead_of_a_folder_is_refused(self, project):
        done = project.run("render", "film", "-o", "storyboards/film.yaml")
        assert done.returncode == 2
        assert "'storyboards/film.yaml' is a file" in done.stderr


def test_a_log_lists_the_shots_and_the_progress(project):
    project.write("logged", ONE.replace("1}", "6}"), TWO + "\ninputs: {moves: 6}")
    process = project.start("render", "logged", "-ql", "--workers", "1")
    _, err = process.communicate(timeout=PATIENCE)
    assert err.splitlines() == [
        "logged: one: rendering",
        "logged: one: done (1/2)",
        "logged: two: rendering",
        "logged: two: done (2/2)",
        "logged: 2 of 2 shots rendered now",
    ]


class TestNothingIsDoneTwice:
    def test_an_unchanged_film_is_left_alone(self, project):
        before = _state(project)
        done = project.run("render", "film", "-ql")
        assert (done.returncode, done.stderr) == (0, "film: 0 of 2 shots rendered now\n")
        assert _state(project) == before

    def test_a_changed_caption_renders_its_shot_and_no_other(self, changing):
        """It is the last shot's: what another says is in the first picture of the one after it."""
        before = changing.manifest("film")
        changing.write("film", ONE, TWO.replace(" of ", " or "))
        done = changing.run("render", "film", "-ql")
        assert (done.returncode, done.stderr) == (0, "film: 1 of 2 shots rendered now\n")
        assert _captions(changing.folder("film") / "film.mp4")[3] == "n = 2 or 66.7%"
        changing.write("film", ONE, TWO)
        done = changing.run("render", "film", "-ql")
        assert done.stderr == "film: 0 of 2 shots rendered now\n"
        assert changing.manifest("film") == before

    def test_reordered_shots_are_rendered_and_joined_again(self, changing):
        for order, rendered in (([TWO, ONE], 2), ([ONE, TWO], 0)):
            changing.write("film", *order)
            done = changing.run("render", "film", "-ql")
            assert done.stderr == f"film: {rendered} of 2 shots rendered now\n"
            clips = sorted({path.stem for path in (changing.folder("film") / "clips").iterdir()})
            first, second = ("one", "two") if order[0] == ONE else ("two", "one")
            assert clips == [f"01-{first}", f"02-{second}"]

    def test_a_damaged_film_is_put_together_again(self, changing):
        film = changing.folder("film") / "film.mp4"
        whole = film.read_bytes()
        film.write_bytes(whole[:-1000])
        changing.run("render", "film", "-ql")
        assert film.read_bytes() == whole

    def test_an_edited_helper_module_renders_every_shot_that_uses_it(self, changing):
        theme = changing.root / "src/clockhead/scenes/style/theme.py"
        before = theme.read_text()
        theme.write_text(before.replace(CHALK.query, "#00FF00"))
        done = changing.run("render", "film", "-ql")
        theme.write_text(before)
        assert done.stderr == "film: 2 of 2 shots rendered now\n"
        with av.open(str(changing.folder("film") / "film.mp4")) as film:
            frame = list(shown(film))[NOTE["one"] + 7].to_ndarray(format="rgb24")
        assert np.abs(frame.astype(int) - [0, 255, 0]).max(axis=2).min() <= 4

    def test_an_edit_to_production_joins_films_again(self, changing):
        timeline = changing.root / "src/clockhead/production/timeline.py"
        before = timeline.read_text()
        timeline.write_text(before.replace("WebVTT(", 'WebVTT(header_text="by hand", '))
        done = changing.run("render", "film", "-ql")
        timeline.write_text(before)
        assert done.stderr == "film: 0 of 2 shots rendered now\n"
        assert (changing.folder("film") / "film.vtt").read_text().startswith("WEBVTT by hand\n")

    def test_an_edit_that_no_shot_depends_on_renders_nothing(self, project):
        with (project.root / TINY / "crowded.py").open("a") as file:
            file.write("# edited\n")
        done = project.run("render", "film", "-ql")
        assert done.stderr == "film: 0 of 2 shots rendered now\n"


class TestOneShot:
    def test_a_single_shot_is_rendered_without_touching_the_film(self, project):
        film = _hash(project.folder("film") / "film.mp4")
        manifest = project.manifest("film")
        project.write("film", ONE, TWO + "\ninputs: {moves: 3}")
        done = project.run("render", "film", "-ql", "--shot", "two")
        project.write("film", ONE, TWO)
        assert done.returncode == 0
        assert done.stdout == f"media/film/{LOOK}/shots/02-two.mp4\n"
        assert _hash(project.folder("film") / "film.mp4") == film
        assert project.manifest("film") == manifest
        assert _captions(project.folder("film") / "clips/02-two.mp4")[1] == "n = 2 of 66.7%"
        clip = project.folder("film") / "shots/02-two.mp4"
        assert _captions(clip)[1] == "n = 3 of 100.0%"
        [shot] = json.loads(clip.with_suffix(".json").read_text())["shots"]
        assert (shot["id"], shot["inputs"]["moves"]) == ("two", 3)

    def test_a_film_of_other_inputs_is_beside_it(self, project):
        film = _hash(project.folder("film") / "film.mp4")
        done = project.run("render", "film", "-ql", "--set", "two.moves=3")
        name = "film-two-moves-3"
        assert done.stdout == f"media/{name}/{LOOK}/{name}.mp4\n"
        assert project.manifest(name)["shots"][1]["inputs"]["moves"] == 3
        assert _hash(project.folder("film") / "film.mp4") == film
        done = project.run("render", "film", "-ql", "--set", "two.moves=3", "--name", "tuesday")
        assert done.stdout == f"media/tuesday/{LOOK}/tuesday.mp4\n"
        assert done.stderr == "tuesday: 0 of 2 shots rendered now\n"

    def test_a_single_shot_makes_no_film(self, project):
        project.write("other", ONE, TWO)
        done = project.run("render", "other", "-ql", "--shot", "one")
        assert done.returncode == 0
        names = {path.name for path in project.folder("other").rglob("*") if path.is_file()}
        assert names == {
            ".lock",
            *(f"01-one.{suffix}" for suffix in ("mp4", "vtt", "srt", "png", "json")),
        }


class TestFailures:
    def test_a_broken_shot_fails_its_film_and_spares_the_others(self, project):
        project.mark("fail")
        project.write("bad", ONE.replace("1}", "4}"), "stage: tiny.broken\nid: lost")
        project.write("good", ONE.replace("1}", "5}"))
        done = project.run("render", "bad", "good", "-ql")
        assert done.returncode == 1
        assert done.stdout == f"media/good/{LOOK}/good.mp4\n"
        reason = f"RuntimeError: the square got lost ({TINY}/broken.py, line "
        assert f"bad: lost: {reason}" in done.stderr
        assert not (project.folder("bad") / "bad.mp4").exists()
        project.unmark("fail")
        done = project.run("render", "bad", "-ql")
        assert (done.returncode, done.stderr) == (0, "bad: 1 of 2 shots rendered now\n")

    def test_a_broken_stage_is_named_by_every_shot_that_needs_it(self, project):
        module = project.root / TINY / "moving.py"
        before = module.read_text()
        module.write_text(before + "nonsense\n")
        done = project.run("render", "film", "-ql", "--set", "moves=7")
        module.write_text(before)
        assert done.returncode == 2
        lines = done.stderr.splitlines()
        assert len(lines) == len(FRAMES)
        for number, line in enumerate(lines):
            assert f"shots[{number}].stage: tiny.moving cannot be imported: NameError: " in line
            assert f"({TINY}/moving.py, line " in line

    @pytest.mark.parametrize("command", ["check", "render"])
    def test_an_unknown_colour_is_an_error_at_the_line_of_the_stage(self, project, command):
        source = (project.root / TINY / "moving.py").read_text()
        module = project.root / TINY / "painted.py"
        source = source.replace("class Moving", "class Painted").replace(
            ".query", ".text_color('qery')"
        )
        module.write_text(source)
        project.write("painted", "stage: tiny.painted")
        done = project.run(command, "painted", "-ql")
        module.unlink()
        line = 1 + next(k for k, text in enumerate(source.splitlines()) if "qery" in text)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert "there is no colour 'qery'; did you mean 'query'? (colours: query, " in done.stderr
        theme = "src/clockhead/scenes/style/theme"
        assert f"({TINY}/painted.py, line {line}, through {theme}" in done.stderr

    def test_a_film_whose_claim_fails_spares_the_others(self, project):
        project.write("untrue", ONE.replace("1}", "4, most: 3}"))
        done = project.run("render", "untrue", "film", "-ql")
        assert done.returncode == 1
        assert done.stdout == f"media/film/{LOOK}/film.mp4\n"
        assert "it moves no more than it may" in done.stderr
        assert not project.folder("untrue").exists()

    def test_a_folder_that_cannot_be_written_is_an_error(self, project, tmp_path):
        (tmp_path / "media").write_text("a file where a folder should be")
        command = [*COMMAND, "render", project.root / "storyboards/film.yaml", "-ql"]
        process = start(command, tmp_path, project.environment())
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1
        assert "Traceback" not in err
        assert "media" in err


def test_folders_of_the_same_names_in_the_working_folder_are_not_imported(project, tmp_path):
    for name in ("model", "scenes", "pipeline"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('not ours')")
    script = tmp_path / "bin/clockhead"
    script.parent.mkdir()
    script.write_text("if __name__ == '__main__':\n    " + COMMAND[-1])
    command = [sys.executable, script, "check", project.root / "storyboards/film.yaml"]
    out, err = start(command, tmp_path, project.environment()).communicate(timeout=PATIENCE)
    assert (out, err) == ("film: 2 shots, in order\n", "")


def test_check_looks_at_the_layout_and_writes_nothing(project):
    project.write("crowded", "stage: tiny.moving", "stage: tiny.crowded")
    before = _files(project)
    done = project.run("check", "film")
    assert (done.returncode, done.stderr) == (0, "")
    done = project.run("check", "crowded")
    assert done.returncode == 1
    assert done.stdout.startswith("crowded: 2 shots, ")
    assert "crowded.yaml: shots[1] (crowded): " in done.stderr
    assert "reaches outside the margins" in done.stderr
    assert _files(project) == before


def test_a_contact_sheet_shows_every_beat(project):
    done = project.run("sheet", "film", "-ql")
    assert done.returncode == 0
    assert f"media/film/{LOOK}/film-sheet.png" in done.stdout.splitlines()
    done = project.run("sheet", "film", "-ql", "--shot", "two")
    assert f"media/film/{LOOK}/film-two-sheet.png" in done.stdout.splitlines()
    with Image.open(project.folder("film") / "film-two-sheet.png") as sheet:
        assert sheet.width == 1920
        dark = (np.asarray(sheet.convert("L")) < 25).mean(axis=1) > 0.8
    rows = np.diff(dark.astype(int)).clip(0).sum() / 2  # a rule cuts each picture in two
    assert rows == len(["appear", "move", "caption"])


def _files(project):
    """All files but Python's caches."""
    return {path for path in project.root.rglob("*") if "__pycache__" not in path.parts}


def _captions(path):
    with av.open(str(path)) as film:
        packets = [bytes(packet)[2:].decode() for packet in film.demux(subtitles=0)]
    return [text for text in packets if text]


def _hash(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _state(project):
    files = [path for path in project.folder("film").rglob("*") if path.suffix]
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in files}


def _rgb(color):
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


def _blend():
    """The square at half opacity."""
    return (_rgb(CHALK.query) + _rgb(CHALK.ground)) / 2


def test_a_film_that_replaces_one_of_another_storyboard_says_so(project):
    """Of which file it was; not when the same one has changed."""
    for folder in ("ours", "theirs"):
        (project.root / folder).mkdir()
        text = (project.root / "storyboards/film.yaml").read_text()
        (project.root / folder / "lecture.yaml").write_text(text.replace("tiny film", folder))

    def said(folder):
        done = project.run("render", f"{folder}/lecture.yaml", "-ql")
        assert done.returncode == 0
        return done.stderr.splitlines()[:-1]

    assert said("ours") == []
    [line] = said("theirs")
    assert line.startswith("lecture: ")
    assert "ours/lecture.yaml" in line
    assert said("theirs") == []
    assert str(project.root) not in (project.folder("lecture") / "lecture.json").read_text()

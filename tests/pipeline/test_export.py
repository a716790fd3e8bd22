"""`clockhead export`: its errors, and the formats that can be read without another program."""

import csv
import io
import json
import re
import shutil
import zipfile
from dataclasses import fields
from html import escape

import av
import numpy as np
import pytest
import typst
from markdown_it import MarkdownIt
from PIL import Image

from clockhead.clips.clip import ClipJob
from clockhead.export import video
from clockhead.export.edition import ExportError
from clockhead.export.folder import MANIFEST, fill_folder
from clockhead.export.formats import FORMATS, Choices
from clockhead.export.numbers import escape_markdown
from clockhead.look import FilmLook, Quality
from clockhead.scenes.stage import find_stage
from tests.pipeline.project import LOOK, Project

pytestmark = pytest.mark.xdist_group("export")

ONE = "stage: tiny.moving\nid: one\ninputs: {moves: 1}"
TWO = 'stage: tiny.moving\nid: two\ntitle: "50% & more_or_less"'
FPS = 15


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with a film of two shots, exported into `out` in several formats."""
    project = Project.make(tmp_path_factory.mktemp("export"))
    project.write("film", ONE, TWO)
    done = project.run(
        *("export", "film", "-ql", "--to", "numbers,figures,mp4,webm", "--to", "gif,webp,zip"),
        *("--arrays", "--width", "320", "-o", "out"),
    )
    assert (done.returncode, done.stderr) == (0, "film: 2 of 2 shots rendered now\n")
    return project


@pytest.fixture(scope="module")
def out(project):
    return project.root / "out"


def clip(path):
    """Width in pixels, length in seconds, and the frame at which its last picture ends."""
    with av.open(str(path)) as film:
        video = film.streams.video[0]
        [*_, last] = film.decode(video=0)
        end = round((last.time + float((last.duration or 0) * last.time_base)) * FPS)
        return video.width, film.duration / av.time_base, end


class TestTheCommand:
    def test_an_unknown_format_is_refused_with_a_suggestion(self, project):
        done = project.run("export", "film", "--to", "powerpoint")
        assert done.returncode == 2
        assert "there is no format 'powerpoint'" in done.stderr
        assert "pptx" in done.stderr

    @pytest.mark.parametrize(
        ("choice", "told"),
        [
            (["--width", "300"], "--width applies to gif, webp"),
            (["--max-mb", "3"], "--max-mb applies to mp4, webm, gif"),
            (["--per", "beat"], "--per applies to reveal"),
        ],
    )
    def test_an_option_that_applies_to_no_chosen_format_is_refused(self, project, choice, told):
        done = project.run("export", "film", "--to", "numbers", *choice)
        assert done.returncode == 2
        assert told in done.stderr
        assert done.stderr.rstrip().endswith("not to numbers")

    @pytest.mark.parametrize("option", ["--max-mb", "--pace"])
    def test_a_number_that_is_none_is_refused(self, project, option):
        done = project.run("export", "film", "--to", "gif", option, "nan")
        assert done.returncode == 2
        assert option in done.stderr
        assert "nan" in done.stderr

    def test_zip_alone_is_refused(self, project):
        done = project.run("export", "film", "--to", "zip")
        assert done.returncode == 2
        assert "zip packs other formats" in done.stderr

    def test_a_film_whose_claims_fail_is_not_exported(self, project):
        project.write("false", ONE + "\nexpect: {moves: '> 3'}")
        for format in ("numbers", "mp4"):
            done = project.run("export", "false", "-ql", "--to", format, "-o", "nowhere")
            assert done.returncode == 1
            assert "moves" in done.stderr
            assert not (project.root / "nowhere").exists()

    def test_formats_without_the_film_render_nothing(self, project):
        project.write("drawn", ONE)
        done = project.run("export", "drawn", "--to", "figures,numbers")
        assert done.returncode == 0, done.stderr
        found = {path.name for path in (project.root / "media/drawn").rglob("*.*")}
        assert "drawn-numbers.csv" in found
        assert not any(name.endswith(".mp4") for name in found)

    def test_every_choice_belongs_to_a_format(self):
        known = {choice for format in FORMATS.values() for choice in format.choices}
        assert known == {field.name for field in fields(Choices)}

    def test_no_incomplete_file_is_left(self, project):
        assert project.leftovers() == []


class TestNumbers:
    def test_the_table_has_every_fact_with_all_its_digits(self, project, out):
        rows = list(csv.DictReader((out / "film-numbers.csv").open()))
        asked = json.loads(project.run("numbers", "film", "--json").stdout)
        facts = {
            (shot["id"], name): value
            for shot in asked["shots"]
            for name, value in shot["facts"].items()
        }
        assert {(row["shot"], row["fact"]): row["value"] for row in rows} == {
            key: str(value) for key, value in facts.items()
        }
        [share] = [row for row in rows if (row["shot"], row["fact"]) == ("two", "share")]
        assert share["description"] == "The share of three moves"

    def test_facts_with_a_description_come_first(self, out):
        rows = list(csv.DictReader((out / "film-numbers.csv").open()))
        described = [bool(row["description"]) for row in rows if row["shot"] == "one"]
        assert described == sorted(described, reverse=True)

    def test_arrays_are_an_npz_file(self, project, out):
        asked = json.loads(project.run("numbers", "film", "--json").stdout)
        with np.load(out / "film-arrays.npz") as arrays:
            assert {name: arrays[name].tolist() for name in arrays.files} == {
                f"{shot['id']}.{name}": value
                for shot in asked["shots"]
                for name, value in shot["arrays"].items()
            }

    def test_typst_sets_its_table(self, out, tmp_path):
        pages = typst.compile(str(out / "film-numbers.typ"), format="pdf")
        assert pages.startswith(b"%PDF")

    def test_latex_and_markdown_escape_their_own_markup(self, out):
        assert r"50\% \& more\_or\_less" in (out / "film-numbers.tex").read_text()
        assert "## 50% & more_or_less" in (out / "film-numbers.md").read_text()

    @pytest.mark.parametrize(
        "text",
        [
            *("<script>x</script> ![](http://evil.example/p)", "[a](javascript:alert(3))", "a|b"),
            *("`</script>` *a* _b_ ~~c~~ $x$", "&lt; &#60; &", "www.a.example", "me@a.example"),
            *("# x", "\\<b>", "x_y_z", "![x][y]", "[y]: http://a.example", "< 0.1% & > 99.9%"),
        ],
    )
    def test_markdown_shows_a_text_as_it_is(self, text):
        rendered = MarkdownIt("gfm-like").disable("linkify").render(f"# {escape_markdown(text)}\n")
        assert rendered == f"<h1>{escape(text)}</h1>\n"
        assert not re.search(r"https?://|www\.|\w@\w", escape_markdown(text))


class TestTheFolder:
    """The folder's other files."""

    @staticmethod
    def fill(target, **files):
        with fill_folder(target) as staging:
            for name, text in files.items():
                file = staging / name.replace("__", "/")
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)

    @staticmethod
    def texts(folder):
        files = (file for file in folder.rglob("*") if file.is_file())
        found = {file.relative_to(folder).as_posix(): file.read_text() for file in files}
        return {name: text for name, text in found.items() if name != MANIFEST}

    def test_it_replaces_its_own_files_and_leaves_the_others(self, tmp_path):
        self.fill(tmp_path / "a/out", one="1", deck__page="1")
        (tmp_path / "a/out/deck/mine").write_text("mine")
        self.fill(tmp_path / "a/out", one="2", deck__page="2", deck__more="2")
        self.fill(tmp_path / "a/out", one="3")
        assert self.texts(tmp_path / "a/out") == {
            "one": "3",
            "deck/page": "2",
            "deck/more": "2",
            "deck/mine": "mine",
        }

    @pytest.mark.parametrize(
        "make",
        [
            lambda out, other: (out / "one").write_text("mine"),
            lambda out, other: (out / "more").write_text("mine"),
            lambda out, other: (out / "more").mkdir(),
            lambda out, other: (out / "more").symlink_to(other / "file"),
            lambda out, other: (out / "more").symlink_to("nowhere"),
            lambda out, other: [(out / "deck").rename(other / "deck"), link(out, other, "deck")],
            lambda out, other: [shutil.rmtree(out / "deck"), (out / "deck").write_text("mine")],
            lambda out, other: [(out / MANIFEST).unlink(), link(out, other, MANIFEST)],
            lambda out, other: (out / MANIFEST).write_text("{"),
            lambda out, other: [out.rename(other / "out"), link(out.parent, other, "out")],
        ],
    )
    def test_a_file_in_the_way_stays_and_nothing_is_written(self, tmp_path, make):
        out, other = tmp_path / "out", tmp_path / "other"
        other.mkdir()
        (other / "file").write_text("mine")
        self.fill(out, one="1", deck__page="1")
        make(out, other)
        before = self.texts(tmp_path)
        with pytest.raises(ExportError, match=str(out)):
            self.fill(out, one="2", deck__page="2", more="2")
        assert self.texts(tmp_path) == before
        assert not list(tmp_path.rglob(".clockhead-staging*"))

    def test_identical_files_may_be_written_again(self, tmp_path):
        self.fill(tmp_path / "out", one="1")
        (tmp_path / "out" / MANIFEST).unlink()
        self.fill(tmp_path / "out", one="1")
        self.fill(tmp_path / "out", one="2")
        assert self.texts(tmp_path / "out") == {"one": "2"}

    def test_a_full_disk_changes_nothing(self, project):
        for folder in ("full/in/it", "partly"):
            there = project.root / folder
            if folder == "partly":
                there.mkdir(exist_ok=True)
                (there / "mine").write_text("mine")
            done = project.run("export", "film", "--to", "numbers", "-o", folder, limit=800)
            assert done.returncode == 1
            assert "no room left on the disk" in done.stderr
            assert "Traceback" not in done.stderr
        assert not (project.root / "full").exists()
        assert [file.name for file in there.iterdir()] == ["mine"]


def link(folder, other, name):
    (folder / name).symlink_to(other / name)


class TestFigures:
    def test_there_is_a_figure_of_every_beat_in_three_forms(self, out):
        told = json.loads((out / "figures/figures.json").read_text())
        names = {figure["figure"] for figure in told}
        assert {name.split("-")[1] for name in names} == {"one", "two"}
        files = {path.name for path in (out / "figures").iterdir()} - {"figures.json"}
        assert files == {f"{name}.{form}" for name in names for form in ("png", "svg", "pdf")}
        for name in names:
            with Image.open(out / f"figures/{name}.png") as picture:
                assert picture.width == 320

    def test_each_figure_has_an_alternative_text(self, out):
        told = json.loads((out / "figures/figures.json").read_text())
        last = [figure for figure in told if figure["figure"].startswith("02-two")][-1]
        assert last["alt"].startswith("50% & more_or_less. ")
        assert last["sentence"] in last["alt"]


class TestMoving:
    def test_the_film_is_unchanged(self, project, out):
        film = project.folder("film") / "film.mp4"
        assert (out / "film.mp4").read_bytes() == film.read_bytes()
        assert (out / "film.vtt").read_bytes() == film.with_suffix(".vtt").read_bytes()

    def test_webm_has_the_same_length_and_chapters(self, project, out):
        frames = project.manifest("film")["frames"]
        assert clip(out / "film.webm") == (854, pytest.approx(frames / FPS, abs=0.1), frames)
        with av.open(str(out / "film.webm")) as film:
            assert [c["metadata"]["title"] for c in film.chapters()][1] == "50% & more_or_less"
            assert film.streams.video[0].codec_context.name in ("vp9", "libvpx-vp9")

    @pytest.mark.parametrize("kind", ["gif", "webp"])
    def test_an_animation_lasts_as_long_as_its_clip(self, project, out, kind):
        for shot in project.manifest("film")["timing"]:
            [file] = out.glob(f"film-*-{shot['shot']}.{kind}")
            with Image.open(file) as picture:
                assert picture.width == 320
                assert picture.info["loop"] == 0
                times = []
                for number in range(picture.n_frames):
                    picture.seek(number)
                    picture.load()
                    times.append(picture.info["duration"])
            assert len(times) > 3
            assert sum(times) == pytest.approx(1000 * shot["frames"] / FPS, abs=15)

    def test_no_file_is_larger_than_the_limit(self, project):
        done = project.run(
            *("export", "film", "-ql", "--to", "mp4,webm,gif", "--max-mb", "0.06", "-o", "small")
        )
        assert done.returncode == 0, done.stderr
        sizes = {path.name: path.stat().st_size for path in (project.root / "small").iterdir()}
        moving = {name for name in sizes if not name.endswith(("vtt", "srt"))} - {MANIFEST}
        assert moving == {"film.mp4", "film.webm", "film-01-one.gif", "film-02-two.gif"}
        assert {line.removeprefix("small/") for line in done.stdout.splitlines()} == moving
        assert all(sizes[name] <= 60_000 for name in moving)
        wide = {name: _width(project.root / "small" / name) for name in moving}
        usual = {name: 720 if name.endswith("gif") else 854 for name in moving}
        for name in moving:
            [*told] = [line for line in done.stderr.splitlines() if line.startswith(f"{name}:")]
            assert len(told) == (wide[name] < usual[name])
            assert all(f" {wide[name]} " in line and str(usual[name]) in line for line in told)
        frames = project.manifest("film")["frames"]
        assert clip(project.root / "small/film.mp4")[2] == frames

    def test_quality_is_reduced_before_the_picture(self, project):
        """A limit just below the usual size does not make the picture smaller."""
        made = project.root / "wide"
        command = ("export", "film", "-ql", "--shot", "two", "--to", "webp", "--width", "640")
        project.run(*command, "-o", "wide")
        [file] = made.glob("*.webp")
        limit = 0.8 * file.stat().st_size
        done = project.run(*command, "-o", "wide", "--max-mb", str(limit / 1e6))
        assert (done.returncode, done.stderr.count("pixels")) == (0, 0)
        assert (_width(file), file.stat().st_size <= limit) == (640, True)

    def test_an_impossible_limit_is_an_error_with_the_smallest_size(self, project):
        done = project.run(
            *("export", "film", "-ql", "--to", "mp4", "--max-mb", "0.001", "-o", "tiny")
        )
        assert done.returncode == 1
        assert "film.mp4 cannot be made to fit into 0.001 MB; the smallest" in done.stderr
        assert not list((project.root / "tiny").glob("*"))

    def test_a_transparent_shot_is_opaque_only_where_it_is_drawn(self, project):
        command = ("export", "film", "-ql", "--shot", "one", "--to", "webm", "--transparent")
        out, err = project.start(*command, "-o", "c").communicate()
        assert out.splitlines() == ["c/film-01-one.webm"]
        assert [line.partition("film: one: ")[2][:9] for line in err.splitlines()] == [
            "rendering",
            "done (1/1",
        ]
        last = _with_alpha(project.root / "c/film-01-one.webm")[-1][..., 3]
        assert last[2, 2] < 10
        assert last.max() > 245
        assert 0.005 < (last > 128).mean() < 0.5

    def test_captions_of_some_shots_on_a_page_are_in_the_films_language(self, project):
        command = ("export", "film", "-ql", "--shot", "one", "--shot", "two", "--lang", "de")
        done = project.run(*command, "--to", "html", "-o", "page")
        assert done.returncode == 0
        [film] = (project.root / "page").rglob("*.mp4")
        with av.open(str(film)) as opened:
            assert [one.metadata["language"] for one in opened.streams.subtitles] == ["deu"]


class TestTheZip:
    def test_the_zip_has_all_chosen_formats(self, out):
        with zipfile.ZipFile(out / "film.zip") as archive:
            assert archive.testzip() is None
            packed = {name: archive.read(name) for name in archive.namelist()}
        files = {p.relative_to(out).as_posix(): p for p in out.rglob("*") if p.is_file()}
        del files["film.zip"], files[MANIFEST]
        assert packed == {name: path.read_bytes() for name, path in files.items()}


def _with_alpha(path):
    """The pixels of each frame, as libvpx decodes them: (height, width, 4)."""
    return _decoded(path.read_bytes())


def _decoded(video):
    decoder = av.CodecContext.create("libvpx-vp9", "r")
    with av.open(io.BytesIO(video)) as film:
        frames = [f for packet in film.demux(video=0) for f in decoder.decode(packet)]
    return [frame.to_ndarray(format="rgba") for frame in frames]


def _width(path):
    if path.suffix in (".gif", ".webp"):
        with Image.open(path) as picture:
            return picture.width
    return clip(path)[0]


@pytest.mark.parametrize("ground", [(255, 255, 255), (0, 0, 0), (200, 30, 60)])
def test_a_transparent_film_over_a_background_looks_as_drawn(clear, ground):
    """Within three levels, except where two colours meet: chroma has half the resolution."""
    drawn, found = clear
    cover = drawn[..., 3:] / 255
    true = drawn[..., :3] + (1 - cover) * ground
    share = found[..., 3:] / 255
    off = np.abs(found[..., :3] * share + (1 - share) * ground - true).max(axis=2)
    edge = (drawn[..., 3] > 80) & (drawn[..., 3] < 160)
    assert off[edge].mean() < 3
    assert off[drawn[..., 3] > 0].mean() < 3
    assert (off > 3).mean() < 0.01
    assert off[drawn[..., 3] == 0].max() < 6


@pytest.fixture(scope="module")
def clear():
    """The last frame of a transparent shot with dark words: as drawn, and as decoded."""
    look = FilmLook(Quality(720, 10), "paper")
    stage = find_stage("rope.matrix")
    shot = stage.shot(stage.Inputs(), theme="paper")
    seen = []
    write = video._AlphaEncoder.write

    def listening(self, pixels, repeat=1, changed=None):
        seen[:] = [pixels.copy()]
        write(self, pixels, repeat, changed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(video._AlphaEncoder, "write", listening)
        film = video.render_transparent(ClipJob("rope.matrix", shot, look))
    return seen[0].astype(float), _decoded(film)[-1].astype(float)


def test_by_default_exports_go_beside_the_film(project):
    done = project.run("export", "film", "-ql", "--to", "mp4")
    assert done.stdout == f"media/film/{LOOK}/export/film.mp4\n"

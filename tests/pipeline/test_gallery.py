"""`clockhead stages --gallery`: the page in Chromium, and the pictures that are kept."""

import io
import re
from base64 import b64decode

import click
import pytest
from PIL import Image

from tests.pipeline.project import Project

pytestmark = pytest.mark.xdist_group("gallery")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = Project.make(tmp_path_factory.mktemp("gallery"))
    shots = [f"stage: tiny.{name}" for name in ("moving", "told", "asking", "broken")]
    project.write("film", *shots)
    project.mark("fail")
    return project


@pytest.fixture(scope="module")
def page(project):
    done = project.run("stages", "film", "--gallery", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "out/stages.html\n"
    return project.root / "out/stages.html"


def pictures(page):
    """The pictures on a page, by stage."""
    found = re.findall(
        r'<li id="([\w.]+)">\s*<img src="data:image/webp;base64,([^"]+)"', page.read_text()
    )
    return {name: Image.open(io.BytesIO(b64decode(data))) for name, data in found}


def kept(project):
    return {file: file.stat().st_ino for file in (project.root / "out/.stills").glob("*.still")}


class TestThePage:
    def test_it_has_the_last_picture_of_every_stage(self, page):
        drawn = pictures(page)
        assert list(drawn) == ["tiny.moving", "tiny.told", "tiny.asking"]
        for picture in drawn.values():
            assert picture.width == 640
            assert picture.convert("L").getextrema()[1] > 80, "something is drawn"

    def test_a_stage_that_cannot_be_drawn_says_why(self, browser, page):
        browser.open(page)
        told = browser.run("return document.getElementById('tiny.broken').innerText")
        assert "It cannot be drawn: " in told
        assert "the square got lost" in told

    def test_it_needs_nothing_else(self, browser, page):
        browser.open(page)
        broken = "[...document.images].filter(image => !image.naturalWidth).length"
        browser.wait(f"document.images.length == 3 && {broken} == 0")
        assert browser.console() == []
        assert browser.requests() <= {"file", "data"}

    def test_the_search_shows_stages_with_all_words(self, browser, page):
        browser.open(page)
        browser.click("#wanted")
        browser.press(*"PLACE dot")
        shown = "[...document.querySelectorAll('li:not([hidden])')].map(one => one.id)"
        browser.wait(f"{shown} == 'tiny.told'")
        assert browser.run("return document.getElementById('found').textContent") == "1 of 4"
        browser.press(*" zzz")
        assert browser.run("return document.querySelector('section').hidden")

    @pytest.mark.parametrize("width", [1280, 390])
    def test_it_fits_on_a_desktop_and_a_phone(self, browser, page, width):
        browser.open(page, width=width)
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.violations() == []


class TestTheCommand:
    def test_pictures_are_kept(self, project, page):
        before, shown = kept(project), page.read_bytes()
        assert len(before) == 3
        done = project.run("stages", "film", "--gallery", "-o", "out")
        assert (done.returncode, done.stdout) == (0, "out/stages.html\n")
        assert kept(project) == before
        assert page.read_bytes() == shown

    def test_an_edited_stage_is_drawn_anew(self, project, page):
        before, shown = kept(project), pictures(page)
        told = project.root / "src/clockhead/scenes/tiny/told.py"
        source = told.read_text()
        try:
            told.write_text(source.replace("radius=0.8", "radius=1.6"))
            assert project.run("stages", "film", "--gallery", "-o", "out").returncode == 0
            new = set(kept(project)) - set(before)
            assert len(new) == 1
            assert pictures(page)["tiny.told"] != shown["tiny.told"]
            assert pictures(page)["tiny.moving"] == shown["tiny.moving"]
        finally:
            told.write_text(source)

    def test_clean_removes_them(self, project, page):
        assert kept(project)
        done = project.run("clean", "-o", "out")
        assert done.returncode == 0
        assert re.search(r"removed 0 clips, \d pictures", done.stdout)
        assert not kept(project)

    def test_a_stage_alone(self, project):
        done = project.run("stages", "tiny.told", "--gallery", "-o", "alone")
        assert done.returncode == 0, done.stderr
        assert list(pictures(project.root / "alone/stages.html")) == ["tiny.told"]

    def test_a_browser_opens_it_where_there_is_a_display(self, run, monkeypatch, tmp_path):
        opened = []
        monkeypatch.setattr(click, "launch", opened.append)
        monkeypatch.setattr("clockhead.export.gallery.draw_cards", lambda *_: [])
        for display, times in ((":0", 1), ("", 1)):
            monkeypatch.setenv("DISPLAY", display)
            monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
            assert run("stages", "rope", "--gallery", "-o", str(tmp_path))[0] == 0
            assert opened == [str(tmp_path / "stages.html")] * times

    @pytest.mark.parametrize("options", [("--gallery", "--json"), ("-o", "out")])
    def test_options_that_do_not_go_together_are_refused(self, run, options):
        code, _, told = run("stages", "rope", *options)
        assert code == 2
        assert "--gallery" in told

    def test_a_folder_that_cannot_be_made_is_an_error(self, run, tmp_path):
        (tmp_path / "file").touch()
        code, _, told = run("stages", "rope", "--gallery", "-o", str(tmp_path / "file/in"))
        assert code == 1
        assert "-o DIR" in told

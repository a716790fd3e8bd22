"""`clockhead export A B --to site`: a course page, as lecturers put it on the web."""

import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import pytest
from pypdf import PdfReader

from tests.pipeline.project import run_module

pytestmark = pytest.mark.xdist_group("site")

FILM = "version: 1\ntitle: {title}\n{more}shots:\n  - stage: {stage}\n"
FOUND = "document.querySelectorAll('#places li')"


def export(folder: Path, *args: str):
    return run_module("clockhead", "export", *args, "-ql", cwd=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    bit = FILM.format(title="Who bit whom?", more="credit: Nobody\n", stage="rope.word_order")
    (folder / "bit.yaml").write_text(bit)
    sharp = FILM.format(title="How sharp?", more="", stage="previous_token.sharpness")
    (folder / "sharp.yaml").write_text(sharp)
    return folder


@pytest.fixture(scope="module")
def site(folder):
    done = export(folder, "bit.yaml", "sharp.yaml", "--to", "site,zip", "--title", "My course")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["media/site/index.html", "media/site/site.zip"]
    return folder / "media/site"


def search(browser, words):
    browser.run(
        "words.value = arguments[0]; words.dispatchEvent(new Event('input', {bubbles: true}))",
        words,
    )
    return browser.run(f"return [...{FOUND}].map((one) => one.querySelector('a').href)")


def test_it_shows_every_film_and_what_to_take_along(browser, site):
    browser.open(site / "index.html")
    assert browser.run("return document.title") == "My course"
    titles = browser.run("return [...document.querySelectorAll('h2')].map((h) => h.textContent)")
    assert titles == ["Who bit whom?", "How sharp?"]
    links = browser.run(
        "return [...document.querySelectorAll('article a')].map((a) => a.getAttribute('href'))"
    )
    assert all((site / link.partition("#")[0]).is_file() for link in links)
    with av.open(site / "bit/bit.mp4") as film:
        assert film.streams.video[0].frames > 100
    assert "Who bit whom?" in PdfReader(site / "bit/bit-handout.pdf").pages[0].extract_text()
    assert (site / "sharp/sharp.vtt").read_text().startswith("WEBVTT")
    assert browser.console() == []


def test_the_search_finds_a_sentence_and_its_place_in_the_film(browser, site):
    browser.open(site / "index.html")
    assert search(browser, "no such word at all") == []
    found = search(browser, "BITES man")
    assert found
    assert all("/bit/index.html#word_order/" in link for link in found)
    marked = browser.run("return [...document.querySelectorAll('mark')].map((m) => m.textContent)")
    assert {one.lower() for one in marked} == {"bites", "man"}
    browser.click("#places a")
    browser.wait("document.getElementById('position')")
    assert browser.run("return location.hash").startswith("#word_order/")
    browser.click("header .home a")
    browser.wait("document.getElementById('words')")


def test_a_search_has_an_address(browser, site):
    browser.open(f"{site / 'index.html'}?find=bites")
    assert browser.run(f"return {FOUND}.length") > 0


def test_the_page_of_a_film_has_its_handles_and_the_letters_of_the_site(browser, site):
    browser.open(f"{site / 'sharp/index.html'}#sharpness?alpha=2")
    browser.wait("document.documentElement.classList.contains('can-turn')")
    browser.wait("document.fonts.check('16px \"Source Sans Pro\"')")
    assert browser.run("return document.querySelectorAll('.turned path').length") > 10
    assert browser.console() == []
    assert browser.requests() <= {"file", "data", "blob"}


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def test_on_a_server_no_request_leaves_it(browser, site):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        here = f"127.0.0.1:{server.server_port}"
        browser.open(f"http://{here}/")
        search(browser, "dog")
        browser.click("#places a")
        browser.wait("document.querySelector('video')?.readyState >= 2")
        assert browser.console() == []
        assert browser.requests() <= {here, "data", "blob"}
        server.shutdown()


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_phone_and_axe_finds_nothing(browser, site, width):
    browser.open(f"{site / 'index.html'}", width=width, height=800)
    assert browser.violations() == []
    search(browser, "dog")
    assert browser.violations() == []
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


def test_the_zip_holds_the_site(site):
    with zipfile.ZipFile(site / "site.zip") as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed["index.html"] == (site / "index.html").read_bytes()
    assert packed["bit/bit.mp4"] == (site / "bit/bit.mp4").read_bytes()


def test_a_film_that_is_refused_makes_no_site(folder):
    (folder / "weak.yaml").write_text(
        FILM.format(title="Weak", more="", stage="previous_token.sharpness")
        + "    expect: {weight: '> 1'}\n"
    )
    done = export(folder, "bit.yaml", "weak.yaml", "--to", "site", "-o", "refused")
    assert done.returncode == 1
    assert "weak.yaml:" in done.stderr
    assert not (folder / "refused").exists()


def test_other_formats_are_made_of_each_film(folder):
    done = export(folder, "bit.yaml", "sharp.yaml", "--to", "numbers", "-o", "tables")
    assert done.returncode == 0, done.stderr
    assert {file.parent.name for file in (folder / "tables").rglob("*.csv")} >= {"bit", "sharp"}


def test_a_site_is_made_alone(folder):
    done = export(folder, "bit.yaml", "--to", "site,html")
    assert done.returncode == 2
    assert "site is made alone" in done.stderr

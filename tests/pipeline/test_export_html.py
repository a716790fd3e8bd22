"""`clockhead export --to html`: the page in a real Chromium, as lecturers and students use it."""

import csv
import io
import json
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

import pytest
from PIL import Image

from clockhead.export.folder import MANIFEST
from tests.pipeline.project import output

pytestmark = pytest.mark.xdist_group("html")

FRAME = 1 / 15
VIDEO = "document.querySelector('video')"
STILL = "document.getElementById('still')"
PLACE = "document.getElementById('place').firstChild.textContent"


def exported(asking, *choices):
    """Export the page with some options; return its path."""
    done = asking.run("export", "film", "-ql", "--to", "html", *choices)
    assert done.returncode == 0, done.stderr
    return asking.root / done.stdout.strip()


@pytest.fixture(scope="module")
def page(asking):
    """A dark page with files beside it; the sentences are in the picture."""
    return exported(asking, "-o", "beside")


@pytest.fixture(scope="module")
def single(asking):
    """A light page in one file, with captions in a track and German texts."""
    look = ("--theme", "paper", "--captions", "track", "--lang", "de")
    return exported(asking, *look, "--single-file", "-o", "single")


@pytest.fixture(scope="module")
def calm(asking):
    return exported(asking, "--reduced-motion", "-o", "calm")


@pytest.fixture(scope="module")
def stops(page):
    """Time in seconds at which each beat or question ends, by its address."""
    found = {}
    for beat in json.loads(_between(page.read_text(), '"beats">', "</script>")):
        if beat["asked_until"] is not None:
            found[f"{beat['id']}/question"] = beat["asked_until"]
        found[beat["id"]] = beat["end"]
    assert list(found)[:3] == ["asks/appear", "asks/move/question", "asks/move"]
    return found


def _between(text, before, after):
    return text.split(before)[1].split(after)[0]


def time_of(browser):
    return browser.run(f"return {VIDEO}.currentTime")


def ready(browser):
    browser.wait(f"{VIDEO}.readyState >= 3")


class TestPlaying:
    def test_it_plays_from_a_file_and_asks_for_nothing_else(self, browser, page):
        browser.open(page)
        ready(browser)
        assert not browser.run(f"return {VIDEO}.controls")
        browser.click("#play")
        browser.wait(f"{VIDEO}.currentTime > 0.5")
        browser.press(" ")
        assert browser.run(f"return {VIDEO}.paused")
        assert browser.console() == []
        assert browser.requests() <= {"file", "data", "blob"}

    def test_it_first_shows_its_poster_not_the_empty_first_frame(self, browser, page):
        browser.open(page)
        ready(browser)
        assert time_of(browser) == 0
        drawn = browser.run(
            "const picture = new Image(); picture.src = arguments[0]; return picture.decode()"
            ".then(() => [picture.naturalWidth, picture.naturalHeight])",
            browser.run(f"return {VIDEO}.poster"),
        )
        assert drawn == [854, 480]

    def test_it_seeks_on_a_server_without_range_requests(self, browser, page, stops):
        handler = partial(_Silent, directory=page.parent)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser.open(f"http://127.0.0.1:{server.server_port}/index.html#asks/move")
            browser.wait(f"{VIDEO}.currentSrc.startsWith('blob:') && {VIDEO}.readyState >= 3")
            assert time_of(browser) == pytest.approx(stops["asks/move/question"], abs=1.01 * FRAME)
            assert browser.console() == []
            assert browser.requests() <= {f"127.0.0.1:{server.server_port}", "data", "blob"}
            server.shutdown()

    def test_arrow_keys_skip_seconds(self, browser, page):
        browser.open(page)
        ready(browser)
        browser.press("Right")
        assert time_of(browser) == pytest.approx(5, abs=0.01)
        browser.press("Left")
        assert time_of(browser) == 0

    def test_the_timeline_shows_every_shot_and_beat_and_seeks(self, browser, page, stops):
        browser.open(page)
        ready(browser)
        assert browser.run("return document.querySelectorAll('#marks > span').length") == 2
        assert (
            browser.run("return document.querySelectorAll('#marks > b').length") == len(stops) - 2
        )
        browser.run(
            "position.value = arguments[0]; position.dispatchEvent(new Event('input'))",
            stops["asks/move"],
        )
        assert time_of(browser) == pytest.approx(stops["asks/move"])
        told = browser.run("return position.getAttribute('aria-valuetext')")
        assert told.endswith(", Is 1 < 2 & 3?")


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


class TestSteps:
    def test_a_remote_stops_after_every_beat_and_question(self, browser, page, stops):
        browser.open(f"{page}?steps")
        ready(browser)
        browser.run(f"{VIDEO}.playbackRate = 4")
        for number, (name, end) in enumerate(stops.items(), 1):
            browser.press("PageDown")
            browser.wait(f"!{VIDEO}.paused && location.hash === '#{name}'")
            browser.wait(f"{VIDEO}.paused && !{VIDEO}.seeking")
            assert time_of(browser) == pytest.approx(end, abs=0.001)
            assert browser.run(f"return {PLACE}") == f"{number} / {len(stops)}"
        browser.press("PageDown")
        assert time_of(browser) == pytest.approx(end, abs=0.001)

    @pytest.mark.parametrize(("on", "back"), [("PageDown", "PageUp"), ("Right", "Left")])
    def test_a_key_during_a_beat_goes_to_its_end(self, browser, page, stops, on, back):
        browser.open(page)
        ready(browser)
        browser.click("button[data-mode=steps]")
        browser.press(on, on)
        first, second, *_ = stops.values()
        browser.wait(f"{VIDEO}.paused")
        assert time_of(browser) == pytest.approx(first, abs=0.001)
        browser.press(on, on)
        assert time_of(browser) == pytest.approx(second, abs=0.001)
        browser.press(back)
        assert time_of(browser) == pytest.approx(first, abs=0.001)

    def test_space_works_after_a_click_on_a_button_elsewhere(self, browser, page, stops):
        browser.open(f"{page}?steps")
        ready(browser)
        browser.run(f"{VIDEO}.playbackRate = 4")
        browser.click("#transcript h3 a")
        browser.press(" ")
        browser.wait(f"location.hash === '#asks/move/question' && {VIDEO}.paused")
        assert time_of(browser) == pytest.approx(stops["asks/move/question"], abs=0.001)

    def test_in_a_full_screen_a_remote_steps_at_once(self, browser, page):
        browser.open(page)
        ready(browser)
        browser.click("#larger")
        browser.wait("document.fullscreenElement")
        browser.press("PageDown")
        assert browser.run("return player.dataset.mode") == "steps"
        browser.click("#larger")
        browser.wait("!document.fullscreenElement")

    def test_without_full_screen_page_keys_scroll_the_page(self, browser, page):
        browser.open(page)
        ready(browser)
        browser.press("PageDown")
        assert browser.run("return player.dataset.mode") == "through"
        assert time_of(browser) == 0

    def test_keys_scroll_the_page_if_the_player_is_out_of_view(self, browser, page):
        browser.open(f"{page}?steps", height=400)
        ready(browser)
        browser.run("scrollTo(0, document.body.scrollHeight)")
        browser.press("PageDown", "Right", " ")
        assert time_of(browser) == 0


class TestLinks:
    def test_a_link_to_a_beat_shows_its_end(self, browser, page, stops):
        browser.open(f"{page}#asks/move")
        ready(browser)
        asked_until = stops["asks/move/question"]
        browser.wait(f"Math.abs({VIDEO}.currentTime - {asked_until}) < {1.5 * FRAME}")
        assert browser.run(f"return {STILL}.src").endswith("asks-move.webp")
        browser.open(f"{page}?steps#asks/move")
        ready(browser)
        assert time_of(browser) == pytest.approx(stops["asks/move"], abs=0.001)
        assert browser.run(f"return {STILL}.hidden")

    def test_the_transcript_seeks_and_follows(self, browser, page, stops):
        browser.open(page)
        ready(browser)
        browser.click("#transcript a[href='#asks/caption']")
        assert time_of(browser) == pytest.approx(stops["asks/move"], abs=1.01 * FRAME)
        current = "document.querySelector('[aria-current]')"
        assert browser.run(f"return {current}.textContent") == "It moved 3 times."
        browser.run(f"{VIDEO}.playbackRate = 4")
        browser.click("#play")
        browser.wait(f"{current}.textContent === 'It moves.'")
        assert browser.run("return location.hash") == "#goes/move"

    def test_a_still_links_to_its_beat(self, browser, page):
        browser.open(page)
        ready(browser)
        browser.click("a[href='#goes/move'] img")
        assert browser.run("return location.hash") == "#goes/move"
        assert browser.run("return player.getBoundingClientRect().top") >= -1


class TestCaptions:
    def test_burnt_captions_are_not_repeated_until_asked_for(self, browser, page):
        browser.open(page)
        mode = f"{VIDEO}.textTracks[0].mode"
        assert browser.run(f"return {mode}") == "disabled"
        browser.click("#captions")
        assert browser.run(f"return {mode}") == "showing"

    def test_captions_of_a_track_are_shown_over_the_film(self, browser, single, stops):
        browser.open(single)
        ready(browser)
        assert browser.run(f"return [...{VIDEO}.textTracks].map((track) => track.mode)") == [
            "showing"
        ]
        browser.press("Right")
        browser.wait(f"{VIDEO}.textTracks[0].activeCues?.length")
        said = browser.run(f"return {VIDEO}.textTracks[0].activeCues[0].getCueAsHTML().textContent")
        assert said in browser.run("return transcript.textContent")
        assert browser.console() == []


class TestOneFile:
    def test_it_needs_no_other_file(self, browser, single, tmp_path):
        assert {path.name for path in single.parent.iterdir()} == {"film.html", MANIFEST}
        alone = shutil.copy(single, tmp_path / "alone.html")
        browser.open(alone)
        ready(browser)
        browser.click("#play")
        browser.wait(f"{VIDEO}.currentTime > 0.3")
        assert browser.run("return document.fonts.check('16px \"Source Sans Pro\"')")
        assert browser.requests() <= {"file", "data", "blob"}

    def test_the_licence_of_the_font_comes_with_it(self, page, single):
        licence = "SIL OPEN FONT LICENSE Version 1.1"
        assert licence in (page.parent / "fonts/LICENSE.txt").read_text()
        assert licence in single.read_text()

    def test_a_german_page_has_german_texts(self, browser, single):
        browser.open(single)
        assert browser.run("return document.documentElement.lang") == "de"
        modes = (
            "[...document.querySelectorAll('button[data-mode]')].map((mode) => mode.textContent)"
        )
        assert browser.run(f"return {modes}") == ["Am Stück", "Schritt für Schritt", "Standbilder"]


class TestWithinAPage:
    @pytest.mark.parametrize("which", ["page", "single"])
    def test_in_a_small_frame_there_is_only_the_film_and_a_button(
        self, browser, which, request, tmp_path
    ):
        address = request.getfixturevalue(which).as_uri()
        (tmp_path / "course.html").write_text(
            f"<!doctype html><title>A course</title><iframe src='{address}' width=760 height=440>"
        )
        browser.open(tmp_path / "course.html")
        browser.driver.switch_to.frame(0)
        ready(browser)
        box = browser.run(
            "const b = document.querySelector('.screen').getBoundingClientRect();"
            "return [b.left >= 0, b.top >= 0, b.right <= 760, b.bottom <= 440, b.height > 300]"
        )
        assert box == [True] * 5
        assert browser.run("return document.documentElement.scrollHeight <= innerHeight")
        browser.click("button.begin")
        browser.wait(f"{VIDEO}.currentTime > 0.2")
        assert not browser.run("return document.querySelector('.begin').checkVisibility()")
        browser.driver.switch_to.default_content()
        assert browser.console() == []

    def test_embed_in_the_address_shows_only_the_film(self, browser, page):
        browser.open(f"{page}?embed")
        assert not browser.run("return document.querySelector('h1').checkVisibility()")
        assert browser.run("return document.querySelector('#play').checkVisibility()")


class TestPolicy:
    def test_only_exported_scripts_run(self, browser, page, single):
        for made in (page, single):
            browser.open(made)
            browser.run(
                "const own = document.createElement('script'); own.textContent = 'window.own = 1';"
                "document.head.append(own);"
                "document.body.setAttribute('onclick', 'window.own = 2');"
                "document.body.click();"
                "const far = new Image(); far.src = 'https://clockhead.invalid/seen.png'"
            )
            assert browser.run("return window.own") is None
            assert any("Content Security Policy" in line for line in browser.console())
            assert "unsafe" not in made.read_text().partition("<title>")[0]


class TestStills:
    def test_reduced_motion_for_everyone(self, browser, calm):
        assert not list(calm.parent.rglob("*.mp4"))
        browser.open(calm)
        assert browser.run(f"return {VIDEO}") is None
        seen = []
        for number in range(1, 5):
            assert browser.run(f"return {PLACE}") == f"{number} / 5"
            seen.append(browser.run("return location.hash.slice(1)"))
            browser.wait(f"{STILL}.complete && {STILL}.naturalWidth === 854")
            browser.press("PageDown")
        assert seen == ["asks/appear", "asks/move", "asks/caption", "goes/move"]
        browser.press("PageUp")
        said = browser.run("return document.getElementById('sentence').textContent")
        assert said in browser.run(f"return {STILL}.alt")
        assert browser.run("return document.getElementById('heard').textContent") == said

    def test_reduced_motion_if_the_system_asks_for_it(self, browser, page):
        browser.open(page)
        browser.media(prefers_reduced_motion="reduce")
        browser.driver.refresh()
        assert browser.run("return player.dataset.mode") == "stills"
        browser.press(" ", " ")
        assert browser.run(f"return {VIDEO}.paused && {VIDEO}.currentTime === 0")
        assert not browser.run(f"return {STILL}.hidden")
        browser.media()

    def test_each_still_has_an_alternative_text(self, browser, page):
        browser.open(page)
        stills = "[...document.querySelectorAll('figure a img')]"
        alts = browser.run(f"return {stills}.map((one) => one.alt)")
        assert alts[0].startswith("Is 1 < 2 & 3? It comes & goes.")
        assert len(set(alts)) == len(alts)

    def test_printed_stills_are_dark_on_light(self, browser, page):
        browser.open(page)
        browser.media("print")
        seen = browser.run(
            "return [...document.querySelectorAll('figure img')]"
            ".filter((one) => one.checkVisibility()).map((one) => one.src)"
        )
        browser.media()
        assert len(seen) == 5
        for still in seen:
            with Image.open(still.removeprefix("file://")) as picture:
                assert min(picture.convert("RGB").getpixel((2, 2))) > 240


class TestNumbers:
    def test_facts_are_a_table_with_descriptions_first(self, browser, page):
        browser.open(page)
        assert not browser.run("return document.querySelector('details').open")
        browser.click("summary")
        rows = browser.run(
            "return [...document.querySelectorAll('details[open] tbody tr')]"
            ".map((row) => [...row.children].map((cell) => cell.textContent))"
        )
        assert ["How often it moves moves", "3", "count"] in rows
        described = [" " in what for what, _, _ in rows]
        assert described == sorted(described, reverse=True)

    @pytest.mark.parametrize("which", ["page", "single"])
    def test_facts_can_be_downloaded(self, browser, which, request):
        made = request.getfixturevalue(which)
        browser.open(made)
        links = browser.run(
            "return [...document.querySelectorAll('[download]')].map((a) => a.href)"
        )
        text = [_content(browser, link) for link in links]
        rows = list(csv.DictReader(io.StringIO(text[0])))
        assert ("asks", "moves", "3") in {(row["shot"], row["fact"], row["value"]) for row in rows}
        assert json.loads(text[1])["shots"][0]["facts"]["moves"] == 3
        assert [shot["id"] for shot in json.loads(text[-1])["shots"]] == ["asks", "goes"]


def _content(browser, link):
    if link.startswith("file:"):
        return Path(link.removeprefix("file://")).read_text()
    with urlopen(link) as file:
        return file.read().decode()


class TestEverybody:
    @pytest.mark.parametrize("which", ["page", "single", "calm"])
    @pytest.mark.parametrize("width", [1280, 400])
    def test_axe_finds_no_violation(self, browser, which, width, request):
        browser.open(request.getfixturevalue(which), width=width)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert browser.violations() == []
        assert browser.run("return document.documentElement.scrollWidth") <= width

    def test_the_page_follows_the_films_theme_and_paper_is_light(self, browser, page, single):
        ground = "getComputedStyle(document.documentElement).getPropertyValue('--ground')"
        browser.open(single)
        assert browser.run(f"return {ground}") == "#FBFAF6"
        browser.open(page)
        assert browser.run(f"return {ground}") == "#11151B"
        browser.media("print")
        assert browser.run(f"return {ground}") == "#FBFAF6"
        browser.media()

    def test_the_printed_page_has_stills_and_sentences(self, browser, page, tmp_path):
        if not shutil.which("pdftotext"):
            pytest.skip("what is printed is read with poppler; it is not installed")
        browser.open(page)
        pdf = browser.print_pdf(tmp_path / "page.pdf")
        text = " ".join(output("pdftotext", pdf, "-").split())
        for sentence in ("It comes & goes.", "How often will it move?", "It is at 20."):
            assert text.count(sentence) == 1
        assert "Step by step" not in text
        pictures = [
            line for line in output("pdfimages", "-list", pdf).splitlines() if " 854 " in line
        ]
        assert len(pictures) >= len(browser.run("return [...document.querySelectorAll('figure')]"))

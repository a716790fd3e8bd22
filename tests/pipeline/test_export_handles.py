"""Handles: inputs that readers of a page turn, with a picture, words and numbers for every stop."""

import base64
import gzip
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from clockhead.clips.clip import ClipJob
from clockhead.clips.stills import Paper, draw_still
from clockhead.export import handles
from clockhead.export.edition import Edition
from clockhead.export.handles import turn_handles
from clockhead.export.vectors import SharedPictures, UnknownDrawing
from clockhead.scenes.stage import Handle, Stage, StageInputs
from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import StoryboardError

pytestmark = pytest.mark.xdist_group("handles")

HEAD = "version: 1\ntitle: Turn it\nshots:\n"
SHOT = "  - stage: previous_token.sharpness\n    expect: {weight: '>= 0.9'}\n"
HANDLES = "    handles: {alpha: '1:20', text: [to be or not to be]}\n"


def film(folder: Path, text: str):
    file = folder / "turning.yaml"
    file.write_text(HEAD + text)
    [found] = load_films([str(file)])
    return found


def refused(folder: Path, text: str) -> list[str]:
    with pytest.raises(StoryboardError) as error:
        film(folder, text)
    return str(error.value).replace(f"{folder}/", "").splitlines()


class TestStoryboards:
    def test_the_stops_are_the_storyboard_s_and_the_film_s_own_value(self, tmp_path):
        text = SHOT + "    inputs: {alpha: 2.5}\n    handles: {alpha: '1:3', text: [a b]}\n"
        alpha, words = film(tmp_path, text).shots[0].handles
        assert (alpha.stops, alpha.own) == ((1.0, 2.0, 2.5, 3.0), 2)
        assert words.stops == ("the cat sat on the mat and ran", "a b")
        assert words.own == 0

    def test_a_storyboard_may_have_none(self, tmp_path):
        assert film(tmp_path, SHOT + "    handles: {}\n").shots[0].handles == ()

    @pytest.mark.parametrize(
        ("handles", "place", "message"),
        [
            ("{alhpa: '1:3'}", "6:15", "there is no input 'alhpa'; did you mean alpha?"),
            ("{alpha: '3:1'}", "6:22", "the step leads away from the end"),
            ("{alpha: '1:3000'}", "6:22", "3,000 values are too many"),
            ("{alpha: [2, 0]}", "6:26", "alpha must be a number from 0.01"),
            ("{alpha: [2, many]}", "6:26", "'many'"),
            ("{alpha: {from: 1}}", "6:22", "is no list of values"),
            ("", "6:13", "nothing here; name inputs"),
            ("{alpha: }", "6:21", "no value here; write"),
            ("{a: 1, b: 1, c: 1, d: 1, e: 1}", "6:14", "5 handles; a shot has at most 4"),
            ("{alpha: []}", "6:22", "a handle stops at 1 to 60 values"),
        ],
    )
    def test_mistakes_are_told_where_they_are(self, tmp_path, handles, place, message):
        [line] = refused(tmp_path, f"{SHOT}    handles: {handles}\n")
        assert line.startswith(f"turning.yaml:{place}: shots[0].handles")
        assert message in line

    def test_a_turn_says_what_no_longer_holds(self, tmp_path):
        shot = film(tmp_path, SHOT + HANDLES).shots[0]
        turned = shot.turn({"alpha": 2.0})
        assert turned.shot.facts["inputs.alpha"] == 2
        weight = turned.shot.facts["weight"]
        assert weight < 0.9
        assert f"{weight:.1%}" in turned.refusals[0].message
        assert "at least 90%" in turned.refusals[0].message
        assert shot.turn({"alpha": 12.0}).refusals == ()

    def test_a_turn_that_cannot_be_computed_says_why(self, tmp_path):
        turned = film(tmp_path, "  - stage: induction.rank\n").shots[0].turn({"n_large": 7})
        assert turned.shot is None
        assert "n_large" in turned.refusals[0].message

    def test_a_stage_that_turns_what_it_does_not_take_is_refused(self):
        with pytest.raises(AttributeError, match="no input 'm'"):
            type("Odd", (Stage,), {"Inputs": StageInputs, "handles": (Handle("m", "1:3"),)})


class TestStops:
    @pytest.fixture
    def packed(self, tmp_path):
        """What the page gets for two handles."""
        turning = "    handles: {alpha: [2, 10], m: [3, 5, 7]}\n"
        edition = Edition(film(tmp_path, SHOT + turning))
        return lambda: json.loads(
            gzip.decompress(base64.b64decode(turn_handles(edition)["sharpness"].packed))
        )

    def test_what_is_on_or_off_says_yes_or_no(self, tmp_path):
        shot = "  - stage: heads.scores\n    handles: {exclude_first: [false, true]}\n"
        page = turn_handles(Edition(film(tmp_path, shot)))["scores"]
        data = json.loads(gzip.decompress(base64.b64decode(page.packed)))
        assert data["handles"][0]["texts"] == ["no", "yes"]

    def test_few_stops_are_drawn_for_all_values_together(self, packed):
        data = packed()
        sizes = [len(handle["values"]) for handle in data["handles"]]
        assert len(data["stops"]) == sizes[0] * sizes[1]
        own = ",".join(str(handle["own"]) for handle in data["handles"])
        assert data["stops"][own]["refusals"] == []
        assert all(stop["pictures"] for stop in data["stops"].values())

    def test_of_many_stops_one_handle_is_away_at_a_time(self, packed, monkeypatch):
        monkeypatch.setattr(handles, "_MOST_TOGETHER", 3)
        data = packed()
        own = [handle["own"] for handle in data["handles"]]
        places = [list(map(int, at.split(","))) for at in data["stops"]]
        assert all(sum(a != b for a, b in zip(at, own, strict=True)) <= 1 for at in places)
        assert len(places) == sum(len(handle["values"]) for handle in data["handles"]) - 1


class TestSharedPictures:
    @pytest.fixture(scope="class")
    @classmethod
    def stills(cls, tmp_path_factory):
        """The same picture for two inputs, as cairo draws it: as vectors and as pixels."""
        found = film(tmp_path_factory.mktemp("stills"), SHOT + HANDLES)
        [shot] = found.shots
        drawn = []
        for alpha in (2.0, 12.0):
            job = ClipJob(shot.stage, shot.turn({"alpha": alpha}).shot.shot, found.look)
            vector = draw_still(job, paper=Paper("svg", picture_only=True))
            pixels = draw_still(job, paper=Paper(width=960, picture_only=True))
            drawn.append((vector.picture, pixels.picture))
        return drawn

    def test_a_browser_draws_from_them_what_cairo_draws(self, browser, stills, tmp_path):
        shared = SharedPictures()
        for vector, _ in stills:
            shared.add("usual", vector)
        data = shared.data()
        [view] = data["views"]
        for (_, pixels), picture in zip(stills, view["pictures"], strict=True):
            expected = np.asarray(Image.open(io.BytesIO(pixels)).convert("RGB"), float)
            height, width, _ = expected.shape
            page = tmp_path / "picture.html"
            page.write_text(f"<body style='margin:0'>{svg_of(data, view, picture, width)}")
            browser.open(page, width=width, height=height)
            shot = base64.b64decode(browser.driver.get_screenshot_as_base64())
            seen = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), float)
            assert np.abs(seen - expected).mean() < 1.5
            assert (np.abs(seen - expected).max(axis=2) > 100).mean() < 0.002

    def test_what_two_pictures_share_is_kept_once(self, stills):
        shared = SharedPictures()
        numbers = [shared.add("usual", vector) for vector, _ in (*stills, stills[0])]
        assert numbers == [0, 1, 0]
        data = shared.data()
        elements = sum(len(picture) // 4 for picture in data["views"][0]["pictures"])
        assert len(data["shapes"]) < 0.75 * elements
        assert len(str(data)) < sum(len(vector) for vector, _ in stills) / 2

    def test_other_drawings_are_refused(self):
        svg = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image/></svg>'
        with pytest.raises(UnknownDrawing, match="image"):
            SharedPictures().add("usual", svg)


def svg_of(data, view, picture, width) -> str:
    """A shared picture as SVG, put together as the page does it."""
    across, down = (data["unit"] * side for side in view["size"])
    root = ET.Element("svg", viewBox=f"0 0 {across} {down}", width=str(width))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("style", "display:block")
    for n in range(0, len(picture), 4):
        shape, paint, x, y = picture[n : n + 4]
        attributes = {**data["paints"][paint], "transform": f"translate({x} {y})"}
        ET.SubElement(root, "path", d=data["shapes"][shape], **attributes)
    return ET.tostring(root, encoding="unicode")


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A page and a deck with two handles, and a page without."""
    folder = tmp_path_factory.mktemp("handles")
    (folder / "turning.yaml").write_text(HEAD + SHOT + HANDLES)
    command = [sys.executable, "-m", "clockhead", "export", "turning.yaml", "-ql"]
    for more in ("--to html,reveal -o out", "--to html --no-handles -o without"):
        done = subprocess.run([*command, *more.split()], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def page(exported):
    return exported / "out/html/index.html"


READY = "document.documentElement.classList.contains('can-turn')"
SLIDER = "document.getElementById('turn-sharpness-alpha')"
DRAWN = "document.querySelector('.turned').innerHTML"
TOLD = "document.querySelector('.told').textContent"


def opened(browser, page, **size):
    browser.open(page, **size)
    browser.wait(READY)


class TestThePage:
    def test_arrow_keys_turn_a_handle_and_all_follows(self, browser, page):
        opened(browser, page)
        before = browser.run(f"return {DRAWN}")
        browser.run(f"{SLIDER}.focus()")
        browser.press("Left", "Left")
        assert browser.run(f"return {SLIDER}.getAttribute('aria-valuetext')") == "8"
        assert browser.run("return document.querySelector('.turn output').textContent") == "8"
        assert browser.run(f"return {DRAWN}") != before
        label = browser.run("return document.querySelector('.turned').getAttribute('aria-label')")
        assert "α" in label or "alpha" in label
        assert browser.run("return location.hash") == "#sharpness?alpha=8"
        browser.click(".reset")
        assert browser.run(f"return {DRAWN}") == before
        assert browser.console() == []
        assert browser.requests() <= {"file", "data", "blob"}

    def test_the_numbers_are_those_of_the_stop(self, browser, page, exported):
        opened(browser, f"{page}#sharpness?alpha=12")
        [shot] = load_films([str(exported / "turning.yaml")])[0].shots
        weight = shot.turn({"alpha": 12.0}).shot.facts["weight"]
        assert f"{weight:.2%}" in browser.run(f"return {TOLD}")
        assert browser.run("return document.querySelector('.refusal').hidden")

    def test_where_the_point_fails_the_page_says_so(self, browser, page):
        opened(browser, f"{page}#sharpness?alpha=2")
        assert not browser.run("return document.querySelector('.refusal').hidden")
        assert "α (alpha) = 2:" in browser.run(f"return {TOLD}")
        # Only what the film asks for fails here, and no claim: the sentence is still true.
        assert browser.run("return document.querySelector('.refused').hidden")
        assert browser.run("return document.querySelector('.sentence').textContent")
        assert browser.run("return document.querySelectorAll('.turned path').length") > 10

    def test_two_handles_are_turned_independently(self, browser, page):
        opened(browser, f"{page}#sharpness?alpha=2")
        before = browser.run(f"return {DRAWN}")
        browser.click("fieldset label:last-of-type")
        assert browser.run(f"return {SLIDER}.getAttribute('aria-valuetext')") == "2"
        assert browser.run(f"return {DRAWN}") != before
        hash_ = browser.run("return location.hash")
        assert hash_ == "#sharpness?alpha=2&text=to+be+or+not+to+be"
        seen = browser.run(f"return {DRAWN}")
        opened(browser, f"{page}{hash_}")
        assert browser.run(f"return {DRAWN}") == seen

    def test_a_phone_has_a_picture_with_larger_letters(self, browser, page):
        opened(browser, page, width=1280, height=800)
        wide = browser.run("return document.querySelector('.turned').getAttribute('viewBox')")
        opened(browser, page, width=390, height=844)
        narrow = browser.run("return document.querySelector('.turned').getAttribute('viewBox')")
        across, down = (float(one) for one in narrow.split()[2:])
        assert narrow != wide
        assert across / down < 1.5
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")

    def test_the_player_leads_to_the_handles_of_its_shot(self, browser, page):
        opened(browser, page)
        browser.press("Right")
        browser.click("#turn")
        box = "document.getElementById('turn-sharpness').getBoundingClientRect()"
        assert 0 <= browser.run(f"return {box}.top") < 600

    def test_it_can_be_embedded_alone(self, browser, page):
        opened(browser, f"{page}?turn#sharpness?alpha=4")
        others = "document.querySelectorAll('video, header, .stills')"
        assert browser.run(f"return [...{others}].every((one) => !one.offsetParent)")
        assert browser.run(f"return {SLIDER}.getAttribute('aria-valuetext')") == "4"

    def test_alone_it_begins_with_the_film_s_own_values(self, browser, page):
        opened(browser, f"{page}?turn#sharpness")
        assert browser.run(f"return {SLIDER}.offsetParent !== null")
        assert browser.run("return document.querySelector('.handles .reset').disabled")

    def test_axe_finds_no_violation(self, browser, page):
        opened(browser, f"{page}#sharpness?alpha=2")
        assert browser.violations() == []

    def test_it_is_printed_as_it_stands(self, browser, page, tmp_path):
        from pypdf import PdfReader

        opened(browser, f"{page}#sharpness?alpha=2")
        printed = PdfReader(browser.print_pdf(tmp_path / "page.pdf"))
        text = "".join(sheet.extract_text() for sheet in printed.pages)
        assert re.search(r"alpha\)\s*=\s*2:", text)

    def test_without_handles_there_is_none(self, exported):
        text = (exported / "without/html/index.html").read_text()
        assert 'class="handles"' not in text
        assert "DecompressionStream" not in text


class TestTheDeck:
    def test_the_last_slide_of_a_shot_turns_and_a_remote_goes_on(self, browser, exported):
        deck = exported / "out/reveal/index.html"
        browser.open(f"{deck}#/sharpness-turn")
        browser.wait("!document.querySelector('.handles').hidden")
        before = browser.run(f"return {DRAWN}")
        browser.run(f"{SLIDER}.focus()")
        browser.press("Right")
        assert browser.run(f"return {SLIDER}.getAttribute('aria-valuetext')") == "11"
        assert browser.run(f"return {DRAWN}") != before
        browser.press("PageUp")
        browser.wait("!location.hash.includes('turn')")
        assert browser.console() == []

    def test_axe_finds_no_violation(self, browser, exported):
        browser.open(f"{exported / 'out/reveal/index.html'}#/sharpness-turn")
        browser.wait("!document.querySelector('.handles').hidden")
        assert browser.violations() == []

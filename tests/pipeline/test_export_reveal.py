"""`clockhead export --to reveal`: the deck in a real Chromium, as lecturers step through it."""

import re
import shutil

import numpy as np
import pytest
from PIL import Image

from tests.pipeline.browser import PATIENCE, chromium
from tests.pipeline.project import output

pytestmark = pytest.mark.xdist_group("reveal")

SLIDES = ["asks-1-appear", "asks-2-move", "asks-3-move", "asks-4-caption"]
SLIDES += ["goes-1-move", "goes-2-caption"]
HERE = "document.querySelector('section.clockhead.present')"
MOVIE = f"{HERE}.querySelector('video')"
READY = "document.querySelector('.reveal.ready')"


def exported(asking, *choices):
    """Export a deck with some options; return its path."""
    done = asking.run("export", "film", "-ql", "--to", "reveal", *choices)
    assert done.returncode == 0, done.stderr
    return asking.root / done.stdout.strip()


@pytest.fixture(scope="module")
def deck(asking):
    return exported(asking, "-o", "deck")


@pytest.fixture(scope="module")
def track(asking):
    """A light portrait deck with a slide for each shot and captions in a track."""
    look = ("--theme", "paper", "--captions", "track", "--aspect", "9:16")
    return exported(asking, *look, "--per", "shot", "-o", "track")


@pytest.fixture(scope="module")
def own(asking, deck):
    """Another deck, of another size and theme, with the slides pasted into it."""
    slides = exported(asking, "--fragment", "-o", "pasted")
    page = slides.with_name("own.html")
    dist = (deck.parent / "dist").as_uri()
    page.write_text(
        f"<!doctype html><link rel=stylesheet href={dist}/reveal.css>"
        "<style>.reveal img {max-width: 50%; margin: 20px; border: 4px solid red}</style>"
        "<div class=reveal><div class=slides><section>Mine</section>"
        f"{slides.read_text()}<section>Mine again</section></div></div>"
        f"<script src={dist}/reveal.js></script><script>Reveal.initialize()</script>"
    )
    return page


def opened(browser, page, **size):
    browser.open(page, **{"width": 800, "height": 500} | size)
    browser.wait(READY)


def on(browser):
    return browser.run(f"return {HERE} && {HERE}.id")


def test_licences_are_beside_reveal_and_the_font(deck):
    assert "SIL OPEN FONT LICENSE" in (deck.parent / "fonts/LICENSE.txt").read_text()
    assert "Hakim El Hattab" in (deck.parent / "dist/LICENSE").read_text()


def stood(browser, *, faster=8):
    """Wait until the movie of the current slide has ended."""
    browser.run(f"{MOVIE}.playbackRate = {faster}")
    browser.wait(f"{MOVIE}.ended")


def looks(browser, path):
    """A screenshot in grey."""
    browser.driver.save_screenshot(str(path))
    return np.asarray(Image.open(path).convert("L"), int)


def _orange(page):
    """Whether the square or the dot is visible."""
    red, _, blue = np.moveaxis(np.asarray(page, int), 2, 0)
    return (red - blue > 80).mean() > 0.01


class TestTheDeck:
    def test_a_remote_steps_through_the_film(self, browser, deck):
        opened(browser, deck)
        assert on(browser) is None
        seen = []
        for _ in SLIDES:
            browser.press("PageDown")
            browser.wait(f"{MOVIE} && !{MOVIE}.paused && {MOVIE}.currentTime > 0")
            seen.append(on(browser))
        assert seen == SLIDES
        assert browser.console() == []
        assert browser.requests() == {"file"}

    @pytest.mark.parametrize("key", ["Right", " "])
    def test_other_keys_step_through_the_film_too(self, browser, deck, key):
        opened(browser, deck)
        browser.press(key, key)
        assert on(browser) == SLIDES[1]

    def test_each_slide_plays_once_and_shows_its_end(self, browser, deck):
        opened(browser, f"{deck}#/{SLIDES[0]}")
        stood(browser)
        assert browser.run(f"return {MOVIE}.currentTime == {MOVIE}.duration && !{MOVIE}.loop")

    def test_going_forward_nothing_flashes(self, browser, deck, tmp_path):
        opened(browser, f"{deck}#/{SLIDES[1]}", width=854, height=480)
        stood(browser, faster=1)
        end = looks(browser, tmp_path / "end.png")
        browser.run("HTMLMediaElement.prototype.play = () => Promise.resolve()")
        browser.press("PageDown")
        assert on(browser) == SLIDES[2]
        going_on = looks(browser, tmp_path / "next.png")
        assert end.max() > 200
        picture = slice(0, -8)  # without the line that says how far it is
        assert (np.abs(end - going_on)[picture] > 24).mean() < 0.001

    def test_going_back_shows_the_end_and_going_forward_plays_again(self, browser, deck):
        opened(browser, f"{deck}#/{SLIDES[1]}")
        browser.press("PageDown", "PageUp")
        assert on(browser) == SLIDES[1]
        assert browser.run(f"return getComputedStyle({MOVIE}).visibility") == "hidden"
        assert browser.run(f"return {MOVIE}.paused")
        assert browser.run(f"return {HERE}.querySelector('img').naturalWidth") == 854
        browser.press("PageDown")
        browser.wait(f"!{MOVIE}.paused && {MOVIE}.currentTime > 0")
        assert browser.run(f"return getComputedStyle({MOVIE}).visibility") == "visible"

    def test_it_can_be_paused_and_played_again(self, browser, deck):
        opened(browser, f"{deck}#/{SLIDES[1]}")
        browser.wait(f"{MOVIE}.currentTime > 0.1")
        browser.press("t")
        assert browser.run(f"return {MOVIE}.paused && !{MOVIE}.ended")
        browser.press("t")
        stood(browser)
        browser.press("r")
        browser.wait(f"!{MOVIE}.paused")

    def test_only_exported_scripts_run(self, browser, deck):
        browser.open(deck)
        browser.wait(READY)
        assert not [line for line in browser.console() if "Content Security" in line]
        browser.run(
            "const own = document.createElement('script'); own.textContent = 'window.own = 1';"
            "document.head.append(own)"
        )
        assert browser.run("return window.own") is None

    def test_the_speaker_has_a_window_that_follows_and_leads(self, deck):
        with chromium(load="none") as browser:
            driver = browser.driver
            driver.set_script_timeout(PATIENCE)
            opened(browser, deck)
            main = driver.current_window_handle
            browser.press("s")
            browser.press("PageDown")
            [notes] = {*driver.window_handles} - {main}
            driver.switch_to.window(notes)
            said = "document.querySelector('.speaker-controls-notes .value')?.innerText"
            browser.wait(f"{said} == 'It comes & goes.'")
            browser.wait("document.querySelectorAll('iframe').length == 2")
            for frame, slide in enumerate(SLIDES[:2]):
                driver.switch_to.frame(frame)
                browser.wait(f"{HERE}?.id == '{slide}'")
                driver.switch_to.default_content()
            browser.press("PageDown")
            browser.wait(f"{said} == 'How often will it move?'")
            assert not browser.console()
            driver.switch_to.window(main)
            browser.wait(f"{HERE}.id == '{SLIDES[1]}'")
            assert not browser.console()

    def test_notes_have_the_sentences_and_at_the_shot_s_end_their_numbers(self, browser, deck):
        opened(browser, deck)
        notes = {
            name: browser.run(
                "return document.getElementById(arguments[0]).querySelector('.notes').textContent",
                name,
            )
            for name in SLIDES
        }
        assert notes[SLIDES[0]].split() == ["It", "comes", "&", "goes."]
        assert notes[SLIDES[1]].split() == ["How", "often", "will", "it", "move?"]
        assert "How often it moves: 3" in notes[SLIDES[3]]
        assert "How often it moves: 3" not in notes[SLIDES[2]]

    def test_reduced_motion_shows_the_end_pictures(self, browser, deck):
        browser.open(deck)
        browser.media(prefers_reduced_motion="reduce")
        browser.run("location.reload()")
        browser.wait(READY)
        browser.press("PageDown")
        assert on(browser) == SLIDES[0]
        assert browser.run(f"return getComputedStyle({MOVIE}).visibility") == "hidden"
        assert browser.run(f"return {MOVIE}.paused")

    @pytest.mark.skipif(not shutil.which("pdftoppm"), reason="pages are looked at with poppler")
    def test_printed_each_slide_is_a_page_with_its_end_picture(self, browser, deck, tmp_path):
        opened(browser, f"{deck}?print-pdf")
        browser.wait("document.querySelectorAll('.pdf-page').length == 7")
        shown = browser.run(
            "return [...document.querySelectorAll('video')]"
            ".every(v => getComputedStyle(v).visibility == 'hidden')"
        )
        assert shown
        browser.print_pdf(tmp_path / "deck.pdf")
        output("pdftoppm", "-r", "20", "-png", "deck.pdf", "page", cwd=tmp_path)
        pages = [Image.open(page).convert("RGB") for page in sorted(tmp_path.glob("page*.png"))]
        assert len(pages) == 7
        assert all(_orange(page) for page in pages[1:])

    @pytest.mark.parametrize("slide", ["title", SLIDES[0], SLIDES[3]])
    def test_axe_finds_no_violation(self, browser, deck, slide):
        opened(browser, f"{deck}#/{slide}")
        assert browser.violations() == []

    def test_alternative_texts_do_not_give_answers_away(self, browser, deck):
        opened(browser, deck)
        alts = browser.run("return [...document.querySelectorAll('img')].map(i => i.alt)")
        assert alts[0] == "Is 1 < 2 & 3? It comes & goes."
        assert alts[1] == "Is 1 < 2 & 3? How often will it move?"
        assert alts[2].startswith("Is 1 < 2 & 3? It moved 3 times")


class TestATrack:
    def test_the_sentence_of_a_track_is_shown_and_stays(self, browser, track):
        opened(browser, f"{track}#/asks", width=480, height=854)
        browser.wait(f"{MOVIE}.textTracks[0].activeCues?.length")
        cue = f"{MOVIE}.textTracks[0].activeCues[0]"
        assert browser.run(f"return {cue}.text") == "It comes &amp; goes."
        stood(browser)
        assert browser.run(f"return {cue}.text") == "It moved 3 times."
        assert browser.run(f"return {cue}.endTime > {MOVIE}.duration + 60")
        assert browser.console() == []

    def test_it_is_as_tall_as_the_film_and_light(self, browser, track, tmp_path):
        opened(browser, f"{track}#/asks", width=480, height=854)
        width, height = browser.run(
            "const {width, height} = document.querySelector('.slides').getBoundingClientRect();"
            "return [width, height]"
        )
        assert width / height == pytest.approx(9 / 16, rel=0.01)
        assert looks(browser, tmp_path / "tall.png")[2, 2] > 240


class TestAFragment:
    def test_the_fragment_plays_in_another_deck(self, browser, own):
        opened(browser, own)
        for name in SLIDES[:3]:
            browser.press("Right")
            assert on(browser) == name
            stood(browser)
        assert browser.console() == []

    def test_the_fragment_fills_its_slide_in_every_theme(self, browser, own):
        opened(browser, own)
        browser.press("Right")
        boxes = browser.run(
            f"return [{MOVIE}, {HERE}.querySelector('img'), document.querySelector('.slides')]"
            ".map(e => e.getBoundingClientRect()).map(r => [r.x, r.y, r.width, r.height])"
        )
        assert boxes[0] == pytest.approx(boxes[2], abs=1)
        assert boxes[1] == pytest.approx(boxes[2], abs=1)

    def test_the_fragment_says_how_to_paste_it(self, own):
        slides = own.with_name("slides.html").read_text()
        assert "Lay the folder" in slides.split("-->")[0]
        needed = re.findall(r'(?:src|poster)="([^"]+)"', slides)
        assert needed
        assert all((own.parent / name).is_file() for name in needed)
        assert {name.split("/")[0] for name in needed} == {"film"}
        assert "<script" not in slides


def test_reduced_motion_exports_only_stills(browser, asking):
    page = exported(asking, "--reduced-motion", "-o", "calm")
    assert not list(page.parent.rglob("*.mp4"))
    opened(browser, page)
    browser.press("PageDown")
    assert browser.run(f"return {HERE}.querySelector('img').naturalWidth") == 854
    assert browser.console() == []

"""Quizzes at the questions of a film, on pages and in decks, in a real Chromium."""

import json
import re
import shutil
import threading
import zipfile
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import StoryboardError
from tests.pipeline.project import Project, output
from tests.pipeline.saying import assert_said
from tests.pipeline.test_export_scorm import LMS, Silent

pytestmark = pytest.mark.xdist_group("quiz")

VIDEO = "document.querySelector('video')"
OPEN = "document.querySelector('.quiz:not([hidden])')"
VERDICT = f"{OPEN}.querySelector('[role=status]').textContent"
QUESTION = "asks/move/question"
FILM = (
    "stage: tiny.asking\nid: asks\ninputs: {moves: 3}\n"
    "quiz: {move: {answers: ['Never < once', '{moves} times', 'Twice'], right: 2}}",
    "stage: tiny.told\nid: goes",
)


# In a storyboard

HEAD = "version: 1\ntitle: T\nshots:\n- stage: previous_token.sharpness\n"


def film(folder: Path, text: str, **options):
    (folder / "f.yaml").write_text(HEAD + text)
    [found] = load_films([str(folder / "f.yaml")], **options)
    return found.shots[0]


def test_answers_hold_facts_and_formulas_in_plain_text(tmp_path: Path):
    answers = "['More than {at_one.runner_up:.1f}', 'With $alpha_1$', '日本語 *so*']"
    quiz = f"  quiz: {{answer: {{answers: {answers}, right: 3}}}}\n"
    found = film(tmp_path, quiz).quizzes["answer"]
    assert (found.answers, found.right) == (("More than 15.3", "With α₁", "日本語 *so*"), 2)
    assert film(tmp_path, quiz).shot == film(tmp_path, "").shot


def test_all_mistakes_of_quizzes_are_found_at_once(tmp_path: Path):
    text = (
        "  quiz:\n"
        "    anwser: {answers: [a, b], right: 1}\n"
        "    close: {answers: [a, b], right: 3}\n"
        "    answer: {answers: ['{row.m}', b, '5', '{nobody}'], right: 1}\n"
        "    turn: {answers: [a], right: 0}\n"
        "    scale: {answers: a, wrong: 2}\n"
    )
    with pytest.raises(StoryboardError) as refused:
        film(tmp_path, text)
    assert_said(
        [
            "6:5: shots[0].quiz.anwser: there is no beat 'anwser'; did you mean answer?…",
            "7:5: shots[0].quiz.close: this beat asks nothing: give its question as `asks: …",
            "7:37: shots[0].quiz.close.right: right is 3, and there are 2 answers",
            "8:38: shots[0].quiz.answer.answers[2]: this reads like answer 1: 5",
            "8:43: shots[0].quiz.answer.answers[3]: there is no fact {nobody}…",
            "9:21: shots[0].quiz.turn.answers: 1 thing here; answers must be a list of 2 to 6…",
            "9:33: shots[0].quiz.turn.right: 0 is too small; right must be…from 1 to 6",
            "10:12: shots[0].quiz.scale.right: right is missing",
            "10:22: shots[0].quiz.scale.answers: …must be a list of 2 to 6 things…",
            "10:25: shots[0].quiz.scale.wrong: there is no key 'wrong'…",
        ],
        [str(problem).replace(f"{tmp_path}/", "") for problem in refused.value.problems],
    )


def test_a_question_of_the_storyboard_s_own_can_have_a_quiz(tmp_path: Path):
    text = "  asks: {turn: 'How much?'}\n  quiz: {turn: {answers: [A, B], right: 1}}\n"
    assert list(film(tmp_path, text).quizzes) == ["turn"]


# On a page


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.make(tmp_path_factory.mktemp("quiz"))
    project.write("film", *FILM)
    return project


def exported(project: Project, *choices: str) -> Path:
    done = project.run("export", "film", "-ql", *choices)
    assert done.returncode == 0, done.stderr
    return project.root / done.stdout.splitlines()[0]


@pytest.fixture(scope="module")
def page(project: Project) -> Path:
    return exported(project, "--to", "html", "-o", "page")


@pytest.fixture(scope="module")
def asked_until(page: Path) -> float:
    beats = page.read_text().split('"beats">')[1].split("</script>")[0]
    [time] = [beat["asked_until"] for beat in json.loads(beats) if beat["asked_until"]]
    return time


def opened(browser, page: Path, address: str = "", **size: int) -> None:
    browser.open(f"file://{page}{address}", **size)
    browser.wait(f"{VIDEO}.readyState >= 3")


def play_to_the_question(browser) -> None:
    browser.click("#play")
    browser.run(f"{VIDEO}.playbackRate = 4")
    browser.wait(OPEN)


class TestPage:
    def test_the_film_stops_at_the_question_until_an_answer_is_chosen(
        self, browser, page, asked_until
    ):
        opened(browser, page)
        play_to_the_question(browser)
        assert browser.run(f"return {VIDEO}.paused")
        assert browser.run(f"return {VIDEO}.currentTime") == pytest.approx(asked_until, abs=0.001)
        answers = browser.run(
            f"return [...{OPEN}.querySelectorAll('li')].map(e => e.innerText.trim())"
        )
        assert answers == ["Never < once", "3 times", "Twice"]
        assert browser.run(f"return {OPEN}.querySelector('legend').textContent") == (
            "How often will it move?"
        )
        assert browser.violations() == []
        browser.click(".quiz:not([hidden]) li:nth-child(1) button")
        assert browser.run(f"return {VERDICT}") == "Not this one. Right is: 3 times"
        assert browser.violations() == []
        browser.click(".quiz:not([hidden]) .go-on")
        browser.wait(f"!{OPEN} && !{VIDEO}.paused")
        browser.wait(f"{VIDEO}.currentTime > {asked_until + 0.5}")
        assert not browser.run(f"return Boolean({OPEN})")
        assert browser.console() == []
        assert browser.requests() <= {"file", "data", "blob"}

    def test_who_goes_back_is_asked_again(self, browser, page, asked_until):
        opened(browser, page)
        play_to_the_question(browser)
        browser.press("2")
        assert browser.run(f"return {VERDICT}") == "Right."
        browser.run(
            "position.value = arguments[0]; position.dispatchEvent(new Event('input'))",
            asked_until - 1,
        )
        assert not browser.run(f"return Boolean({OPEN})")
        play_to_the_question(browser)
        assert browser.run(f"return {VERDICT}") == "Choose an answer."
        assert not browser.run(f"return {OPEN}.querySelector('.answer:disabled')")

    def test_keys_choose_and_go_on(self, browser, page):
        opened(browser, page)
        play_to_the_question(browser)
        focus = "document.activeElement.textContent.trim()"
        assert browser.run(f"return {focus}") == "Never < once"
        browser.press("Down", "Down", "Down", "Down")
        assert browser.run(f"return {focus}") == "3 times"
        browser.press("Enter")
        assert browser.run(f"return {VERDICT}") == "Right."
        assert browser.run(f"return {focus}") == "Go on"
        browser.press(" ")
        browser.wait(f"!{OPEN} && !{VIDEO}.paused")
        assert browser.run("return document.activeElement.id") == "play"

    def test_a_lecturer_goes_on_without_an_answer(self, browser, page, asked_until):
        opened(browser, page, "?steps")
        browser.press("PageDown")
        browser.wait(f"{VIDEO}.currentTime > 0.3 && {VIDEO}.paused")
        browser.press("PageDown")
        browser.wait(OPEN)
        assert browser.run(f"return {VIDEO}.paused")
        browser.press("PageDown")
        browser.wait(f"!{OPEN} && !{VIDEO}.paused")
        browser.wait(f"{VIDEO}.paused")
        assert browser.run(f"return {VIDEO}.currentTime") > asked_until + 0.5
        browser.press("PageUp")
        browser.wait(OPEN)

    def test_stills_ask_before_they_show_the_answer(self, browser, page):
        opened(browser, page)
        browser.media(prefers_reduced_motion="reduce")
        browser.run("location.reload()")
        browser.wait("document.getElementById('player').dataset.mode === 'stills'")
        place = "document.getElementById('place').firstChild.textContent"
        browser.press("Right")
        browser.wait(OPEN)
        assert browser.run(f"return {place}") == "1 / 5"
        assert browser.run("return document.getElementById('heard').textContent") == (
            "How often will it move?"
        )
        browser.press("2", "Enter")
        assert browser.run(f"return {place}") == "2 / 5"
        assert not browser.run(f"return Boolean({OPEN})")
        browser.press("Left", "Right", "Right")
        assert browser.run(f"return {place}") == "2 / 5"

    def test_the_address_of_the_question_opens_it(self, browser, page):
        opened(browser, page, f"?steps#{QUESTION}")
        browser.wait(OPEN)

    @pytest.mark.parametrize(
        "size", [{"width": 390, "height": 844}, {"width": 1280, "height": 900}]
    )
    def test_picture_and_answers_are_seen_together(self, browser, page, size):
        opened(browser, page, f"?steps#{QUESTION}", **size)
        browser.wait(OPEN)
        boxes = browser.run(
            f"return [document.querySelector('.screen'), {OPEN}]"
            ".map(e => { const b = e.getBoundingClientRect(); return [b.top, b.bottom] })"
        )
        screen, quiz = boxes
        assert 0 <= screen[0] < screen[1] <= quiz[0] < quiz[1] <= size["height"]
        assert browser.run("return document.documentElement.scrollWidth") <= size["width"]
        heights = browser.run(
            f"return [...{OPEN}.querySelectorAll('button:not([hidden])')].map(e => e.offsetHeight)"
        )
        assert min(heights) >= 44
        assert browser.violations() == []

    def test_in_a_frame_it_stands_over_the_film(self, browser, page):
        opened(browser, page, f"?embed&steps#{QUESTION}", width=760, height=440)
        browser.wait(OPEN)
        box = browser.run(f"const b = {OPEN}.getBoundingClientRect(); return [b.top, b.bottom]")
        controls = browser.run(
            "return document.getElementById('controls').getBoundingClientRect().top"
        )
        assert 0 <= box[0] < box[1] <= controls + 12

    def test_without_a_quiz_a_page_has_none_of_it(self, asking):
        done = asking.run("export", "film", "-ql", "--to", "html", "-o", "none")
        html = (asking.root / done.stdout.strip()).read_text()
        assert "<fieldset" not in html
        assert ".quiz" not in html

    @pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler")
    def test_in_print_the_answers_stand_below_the_question(self, browser, page, tmp_path):
        opened(browser, page)
        text = output("pdftotext", "-layout", browser.print_pdf(tmp_path / "a.pdf"), "-")
        assert [
            f"☐ {a}" in " ".join(text.split()) for a in ("Never < once", "3 times", "Twice")
        ] == ([True] * 3)
        assert "Right." not in text


def test_a_german_page_judges_in_german_in_one_file(browser, project: Project):
    page = exported(project, "--to", "html", "--single-file", "--lang", "de", "-o", "single")
    opened(browser, page, f"?steps#{QUESTION}")
    browser.wait(OPEN)
    browser.press("3")
    assert browser.run(f"return {VERDICT}") == "Diese nicht. Richtig ist: 3 times"
    assert browser.console() == []


# In a learning platform

INTERACTION = """const texts = {
  'cmi.interactions._count': /^$/,
  'cmi.interactions.0.id': /^[\\w-]{1,255}$/,
  'cmi.interactions.0.type': /^choice$/,
  'cmi.interactions.0.correct_responses.0.pattern': /^[a-z0-9]$/,
  'cmi.interactions.0.student_response': /^[a-z0-9]$/,
  'cmi.interactions.0.result': /^(correct|wrong|unanticipated|neutral)$/,
"""


def test_a_learning_platform_is_told_the_answer(browser, project: Project, tmp_path: Path):
    with zipfile.ZipFile(exported(project, "--to", "scorm", "-o", "moodle")) as archive:
        archive.extractall(tmp_path / "package")
    platform = LMS.replace("const texts = {\n", INTERACTION).replace("PAGE", "package/index.html")
    assert "_count" in platform
    (tmp_path / "lms.html").write_text(platform)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.open(f"http://127.0.0.1:{server.server_port}/lms.html", height=900)
        browser.driver.switch_to.frame(0)
        browser.wait(f"{VIDEO}?.readyState >= 3")
        play_to_the_question(browser)
        browser.run(f"{OPEN}.querySelector('.answer').click()")
        told = {
            name: browser.run(f"return parent.eval(\"data['cmi.interactions.0.{name}']\")")
            for name in ("id", "student_response", "correct_responses.0.pattern", "result")
        }
        assert list(told.values()) == ["asks-move-question", "a", "b", "wrong"]
        assert browser.run("return parent.eval('wrong')") == []
        browser.driver.switch_to.default_content()
        server.shutdown()


# In a deck

SLIDE = "document.querySelector('section.clockhead.present')"


@pytest.fixture(scope="module")
def deck(project: Project) -> Path:
    return exported(project, "--to", "reveal", "-o", "deck")


class TestDeck:
    def ask(self, browser, deck: Path) -> None:
        browser.open(deck, width=1280, height=720)
        browser.wait("document.querySelector('.reveal.ready')")
        browser.press("PageDown", "PageDown")
        browser.wait(f"{SLIDE}.id === 'asks-2-move'")
        browser.wait(OPEN)

    def test_the_slide_of_the_question_asks_when_its_film_has_ended(self, browser, deck):
        self.ask(browser, deck)
        assert browser.run(f"return {SLIDE}.querySelector('video').ended")
        assert browser.violations() == []
        browser.click(".present .quiz li:nth-child(2) button")
        assert browser.run(f"return {VERDICT}") == "Right."
        assert browser.run(f"return {SLIDE}.id") == "asks-2-move"
        browser.press("Enter")
        browser.wait(f"{SLIDE}.id === 'asks-3-move'")
        assert not browser.run(f"return Boolean({OPEN})")
        browser.press("PageUp")
        browser.wait(f"{OPEN} && {SLIDE}.id === 'asks-2-move'")
        assert browser.run(f"return {VERDICT}") == "Choose an answer."
        browser.press("PageDown")
        browser.wait(f"{SLIDE}.id === 'asks-3-move'")
        assert browser.console() == []
        assert browser.requests() <= {"file", "data", "blob"}

    def test_keys_on_an_answer_do_not_turn_the_slide(self, browser, deck):
        self.ask(browser, deck)
        browser.run(f"{OPEN}.querySelector('.answer').focus()")
        browser.press("Down", " ")
        assert browser.run(f"return {VERDICT}") == "Right."
        assert browser.run(f"return {SLIDE}.id") == "asks-2-move"

    def test_pasted_slides_ask_in_another_deck(self, browser, project: Project, deck):
        slides = exported(project, "--to", "reveal", "--fragment", "-o", "pasted")
        page, dist = slides.with_name("own.html"), (deck.parent / "dist").as_uri()
        page.write_text(
            f"<!doctype html><link rel=stylesheet href={dist}/reveal.css>"
            f"<div class=reveal><div class=slides><section>Mine</section>{slides.read_text()}</div>"
            f"</div><script src={dist}/reveal.js></script><script>Reveal.initialize()</script>"
        )
        self.ask(browser, page)
        browser.press("PageDown")
        browser.wait(f"{SLIDE}.id === 'asks-3-move'")

    def test_beamer_has_notes_and_answers_for_the_speaker(self, project: Project):
        project.write("noted", f"{FILM[0]}\nnotes: {{appear: Say hello & wait.}}")
        done = project.run("export", "noted", "-ql", "--to", "beamer", "-o", "beamer")
        assert done.returncode == 0, done.stderr
        tex = (project.root / done.stdout.splitlines()[1]).read_text()
        first, second = re.findall(r"\\note<([12])>\{(.*)\}%", tex)[:2]
        assert first[1].startswith(r"Say hello \& wait.\par ")
        assert "Twice" in first[1]
        assert "hello" not in second[1]

    def test_the_speaker_sees_which_answer_is_right(self, deck):
        notes = deck.read_text().split('id="asks-2-move"')[1].split("</aside>")[0]
        assert "[ ] Never &lt; once" in notes
        assert "[x] 3 times" in notes

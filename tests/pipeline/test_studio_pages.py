"""The studio's commands: pages in a browser, files that others change, and how all of it ends."""

import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("sse_starlette", reason="the studio is an extra")
pytest.importorskip("httpx", reason="the studio is tried with httpx")
import httpx

from clockhead.places import PACKAGE
from clockhead.release import install_command
from tests.pipeline.project import PATIENCE, TINY, Project, output, wait_until
from tests.pipeline.studio import SQUARES as FILM

pytestmark = pytest.mark.xdist_group("studio pages")


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    project = Project.make(tmp_path_factory.mktemp("studio") / "project")
    (project.root / "storyboards/squares.yaml").write_text(FILM.replace("small.", "tiny."))
    (project.root / TINY / "worded.py").write_text(WORDED)
    return project


@pytest.fixture
def file(project) -> Iterator[Path]:
    """The film of two shots; as it was afterwards."""
    file = project.root / "storyboards/squares.yaml"
    before = file.read_text()
    yield file
    file.write_text(before)


@pytest.fixture
def served(project) -> Iterator[Any]:
    """A command that serves a page, and the address that it tells; ended like by Ctrl-C."""
    running = []

    def start(*args: str, opens: bool = False) -> tuple[Any, str]:
        process = project.start(*args, *([] if opens else ["--no-open"]))
        running.append(process)
        line = process.stderr.readline()
        assert "http://127.0.0.1:" in line, line + process.stderr.read()
        return process, line.rpartition(": ")[2].strip()

    yield start
    for process in running:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, "Traceback" in err) == (0, False), err
    wait_until(lambda: not project.processes())
    assert project.leftovers() == []


@contextmanager
def page_at(address: str) -> Iterator[Any]:
    """A client that talks to a studio as its page does, with access."""
    origin = address.split("/?")[0]
    with httpx.Client(headers={"Origin": origin}, timeout=PATIENCE) as page:
        entrance = page.get(address)
        assert entrance.status_code == 200
        page.base_url = origin + entrance.text.partition("url=")[2].partition('"')[0]
        yield page


ALL_DRAWN = "document.querySelectorAll('#shots figure:not(.old) img').length === 6"


def test_the_studio_in_a_browser(file, project, browser, served):
    before = file.read_text()
    _, address = served("studio", "squares", "-o", "media")
    browser.open(address)
    browser.wait(ALL_DRAWN, PATIENCE)
    token = address.partition("=")[2]
    assert token not in browser.run("return location.href"), "it is not left in the address bar"

    # A turn of a slider changes the text where it is written, and the picture.
    browser.click("#shots li:nth-child(2) .head button")
    picture = "document.querySelector('#shots li:nth-child(2) img')"
    old = browser.run(f"return {picture}.src")
    browser.run(
        "const r = document.querySelector('li.chosen input[type=range]');"
        "r.value = 6; r.dispatchEvent(new Event('input'))"
    )
    browser.wait(f"{picture}.src !== '{old}' && {picture}.complete")
    assert browser.run("return text.value") == before.replace("moves: 3 ", "moves: 6 ")
    browser.wait("document.body.dataset.seconds")

    # What is typed wrong is said beside its line; a step back takes it back.
    browser.run(
        "text.focus(); const at = text.value.indexOf('moves: 6') + 8;text.setSelectionRange(at, at)"
    )
    browser.press("0")
    browser.wait("document.querySelector('#remarks .at')?.textContent === '11:14'")
    assert "60 is too large" in browser.run(
        "return document.querySelector('#mirror em').textContent"
    )
    assert browser.violations() == []
    browser.run(
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown',"
        "{key: 'z', ctrlKey: true, bubbles: true}))"
    )
    browser.wait("document.querySelector('#remarks-title.well')")
    assert file.read_text() == before, "nothing was written unasked"

    # Saved when asked, and rendered.
    browser.click("#save")
    browser.click("#write")
    wait_until(lambda: "moves: 6 " in file.read_text())
    browser.wait("!document.getElementById('saving').open")
    browser.click("#render")
    browser.run("document.getElementById('quality').value = 'l'")
    browser.click("#begin")
    browser.wait("!document.getElementById('made').hidden", PATIENCE)
    assert "done (2/2)" in browser.run("return document.getElementById('progress').textContent")
    assert (project.folder("squares") / "squares.mp4").is_file()
    status = "return fetch('film.mp4').then((a) => [a.status, a.headers.get('content-type')])"
    assert browser.run(status) == [200, "video/mp4"]
    assert browser.console() == []
    assert browser.requests() == {address.split("/")[2]}

    # A shot that is not saved is rendered as it stands, and played.
    browser.click("#rendering menu button")
    browser.click("li.chosen .render")
    browser.wait("document.querySelector('li.chosen video').duration > 1", PATIENCE)
    assert browser.run("return document.querySelector('li.chosen .render').hidden")
    browser.run("text.value = text.value.replace('moves: 6', 'moves: 7')")
    browser.run("text.dispatchEvent(new Event('input'))")
    browser.wait("document.querySelector('li.chosen .clip.old')")
    browser.click("li.chosen .render")
    browser.wait("document.querySelector('li.chosen .clip:not(.old)')", PATIENCE)
    assert "moves: 6 " in file.read_text()
    assert browser.violations() == []
    assert browser.console() == []
    of_chromium = {"data"}  # the buttons that it draws below a clip
    assert browser.requests() - of_chromium == {address.split("/")[2]}


def test_the_editor_wraps_completes_and_adds_shots(file, browser, served):
    before = file.read_text()
    _, address = served("studio", "squares")
    browser.open(address)
    browser.wait(ALL_DRAWN, PATIENCE)

    # A long line goes on below, and the line after it is where it is drawn.
    long = "# " + "many words " * 30
    browser.run(f"text.value = '{long}\\n' + text.value; text.dispatchEvent(new Event('input'))")
    heights = browser.run("return [...mirror.children].map((row) => row.offsetHeight)")
    assert heights[0] > 2 * heights[1]
    assert browser.run("return text.scrollWidth <= text.clientWidth")
    assert browser.run("return text.scrollHeight - mirror.offsetHeight") < heights[1]

    # Keys go to what is offered, and Enter alone begins a line below the key.
    browser.run("text.focus(); text.setSelectionRange(text.value.length, text.value.length)")
    browser.press(*"  - stage: ti")
    offered = "[...document.querySelectorAll('#choices code')].map((one) => one.textContent)"
    browser.wait(f"{offered}.includes('tiny.moving')")
    assert browser.violations() == []
    at = browser.run(f"return {offered}").index("tiny.moving")
    browser.press(*["Down"] * at, "Enter")
    browser.press("Enter", *"inp")
    browser.wait(f"{offered}[0] === 'inputs'")
    browser.press("Tab", *"{mo")
    browser.wait(f"{offered}[0] === 'moves'")
    browser.press("Enter", *"1}")
    wanted = before + "  - stage: tiny.moving\n    inputs: {moves: 1}"
    assert browser.run("return text.value") == f"{long}\n{wanted}"
    browser.wait("document.querySelectorAll('#shots > li').length === 3")

    # A button adds a shot, behind the one that is chosen.
    browser.click("#shots li:nth-child(1) .head button")
    browser.click("#add")
    browser.press(*"tiny.moving", "Enter")
    browser.wait("document.querySelectorAll('#shots > li').length === 4", PATIENCE)
    browser.wait("document.querySelector('#shots li.chosen .head button').textContent[0] === '2'")

    # What is done to the text elsewhere is taken in, unless there is something of one's own: then
    # the page asks. A file that cannot be read is told.
    bar = "document.querySelector('#moved:not([hidden])')?.textContent ?? ''"
    elsewhere = "return fetch('edit', {method: 'POST', body: JSON.stringify({text: arguments[0]})})"
    browser.run(f"{elsewhere}.then((a) => a.status)", before + "# theirs\n")
    browser.wait("text.value.endsWith('# theirs\\n')")
    browser.run(f"typing = 1; text.value += '# mine'; {elsewhere}.then(() => edited())", before)
    browser.wait(f"({bar}).includes('elsewhere')")
    assert browser.violations() == []
    browser.click("#keep")
    browser.wait("fetch && known.endsWith('# mine')")
    assert browser.run(f"return {bar}") == ""
    browser.run(f"typing = 1; text.value += '!'; {elsewhere}.then(() => edited())", before)
    browser.wait(f"({bar}).includes('elsewhere')")
    browser.click("#reload")
    assert browser.run("return text.value") == before
    file.write_bytes(b"title: Carr\xe9s\n")
    browser.wait(f"({bar}).includes('1:12: ')")
    file.unlink()
    browser.wait(f"({bar}).includes('no such file')")
    file.write_text(before)
    browser.wait(f"({bar}) === ''")
    assert [line for line in browser.console() if " 409 " not in line] == []
    assert file.read_text() == before


WORDED = """\
from pydantic import Field

from clockhead.scenes.stage import Handle, Words
from clockhead.scenes.tiny.moving import Moving


class Worded(Moving):
    \"\"\"A square that takes words, too.\"\"\"

    class Inputs(Moving.Inputs):
        text: Words = "the cat sat"
        alpha: float = Field(10, gt=0, le=1e4, description="how large it is")

    handles = (Handle("alpha", "0.5,1:20"),)
"""
TURNED = """\
version: 1
title: Turned
shots:
  - stage: tiny.worded
    inputs: {alpha: 2.5, text: a b c}
    handles: {text: [to be or not to be, a b c]}
"""


def test_handles_in_a_browser(file, browser, served):
    file.write_text(TURNED)
    _, address = served("studio", "squares")
    browser.open(address, width=1280, height=900)
    names = (
        "[...document.querySelectorAll('li.chosen .control label')].map((one) => one.textContent)"
    )
    browser.wait(f"{names}.length", PATIENCE)
    assert browser.run(f"return {names}")[0] == "text"
    pressed = (
        "return [...document.querySelectorAll('.handle[aria-pressed=true]')].map((one) => one.id)"
    )
    assert browser.run(pressed) == ["handle-0-text"]

    # Texts are chosen from the handle's list, or typed.
    browser.run(
        "const list = document.getElementById('input-0-text-stops'); list.value = arguments[0];"
        "list.dispatchEvent(new Event('change'))",
        "to be or not to be",
    )
    chosen = TURNED.replace("text: a b c}", "text: to be or not to be}")
    browser.wait(f"text.value === {chosen!r}")
    assert (
        browser.run("return document.getElementById('input-0-text').value") == "to be or not to be"
    )

    # A press makes an input a handle, first among those that are none, and it keeps the focus.
    browser.run("document.getElementById('handle-0-alpha').focus()")
    browser.press("Enter")
    line = '    handles: {text: [to be or not to be, a b c], alpha: "0.5,1:20"}'
    browser.wait(f"text.value.includes({line!r})")
    browser.wait(f"{names}[1] === 'alpha'")
    assert browser.run("return document.activeElement.id") == "handle-0-alpha"
    assert browser.violations() == []

    # Its slider stops where the page's does, and other values can be typed.
    slider = "document.querySelector('li.chosen .control:nth-child(2) input[type=range]')"
    assert browser.run(f"return {slider}.getAttribute('aria-valuetext')") == "2.5"
    turn = f"{slider}.value = arguments[0]; {slider}.dispatchEvent(new Event('input'))"
    said = []
    for at in (0, 1, 2):
        browser.run(turn, at)
        said.append(browser.run(f"return Number({slider}.getAttribute('aria-valuetext'))"))
    assert said == [0.5, 1, 2]
    browser.wait("text.value.includes('{alpha: 2, ')")
    browser.run(
        "const n = document.getElementById('input-0-alpha'); n.focus(); n.value = 3.75;"
        "n.dispatchEvent(new Event('input'))"
    )
    browser.wait("text.value.includes('{alpha: 3.75, ')")
    browser.wait(f"{slider}.getAttribute('aria-valuetext') === '3.75'")

    # Another press takes the handle away, and a step back brings it again.
    before = browser.run("return text.value")
    browser.click("#handle-0-alpha")
    browser.wait("text.value.includes('handles: {text: [to be or not to be, a b c]}')")
    browser.wait(
        "document.getElementById('handle-0-alpha').getAttribute('aria-pressed') === 'false'"
    )
    browser.run(
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown',"
        "{key: 'z', ctrlKey: true, bubbles: true}))"
    )
    browser.wait(f"text.value === {before!r}")
    assert browser.console() == []
    assert file.read_text() == TURNED


def test_sliders_over_wide_ranges_step_by_the_second_digit(browser, tmp_path):
    page = tmp_path / "page.html"
    source = (PACKAGE / "studio/page/studio.js").read_text()
    stops = source[source.index("function stopsOf(") : source.index("function sliderFor(")]
    page.write_text(f"<script>{stops}</script>")
    browser.open(page)

    def after(value: float, **control: Any) -> tuple[float, float]:
        found = browser.run("return stopsOf(arguments[0])", {"whole": False, **control})
        assert found == sorted(set(found))
        assert (found[0], found[-1]) == (control["least"], control["most"])
        assert len(found) < 1200
        up = next(stop for stop in found if stop > value)
        return up, max(stop for stop in found if stop < value)

    wide = {"least": 0.01, "most": 10_000, "step": 10}
    assert after(12, **wide) == (13, 11)
    assert after(100, **wide) == (110, 99)
    assert after(0.5, **wide) == (0.51, 0.49)
    assert after(1, least=0.05, most=3, step=0.01) == (1.01, 0.99)
    assert after(-0.2, least=-5, most=5, step=0.1) == (-0.1, -0.3)
    assert after(0, least=-1000, most=1000, step=10)[0] < 0.1
    assert after(2322, least=0, most=2**32 - 1, step=1, whole=True) == (2400, 2300)
    assert after(0, least=-4, most=2**32, step=1, whole=True) == (1, -1)
    assert after(32, least=2, most=256, step=2, whole=True) == (34, 30)
    assert after(7, least=1, most=1000, step=1, whole=True) == (8, 6)


def test_watch_follows_the_file_and_prints_problems(file, browser, served):
    before = file.read_text()
    process, address = served("watch", "squares")
    browser.open(address)
    browser.wait(ALL_DRAWN, PATIENCE)
    assert browser.run("return document.querySelector('textarea')") is None
    old = browser.run("return document.querySelector('#shots li:nth-child(2) img').src")
    file.write_text(before.replace("moves: 3", "moves: 5"))
    browser.wait(f"document.querySelector('#shots li:nth-child(2) img').src !== '{old}'")
    file.write_text(before.replace("moves: 3", "moves: 30"))
    browser.wait("document.querySelector('#remarks .at')?.textContent === '11:14'")
    said = []
    while not any("storyboards/squares.yaml:11:14: " in line for line in said):
        said.append(process.stderr.readline())
    assert browser.violations() == []
    answer = "fetch('save', {method: 'POST', body: '{}'}).then((a) => a.status)"
    assert browser.run(f"return {answer}") == 404, "it edits nothing"
    assert file.read_text() == before.replace("moves: 3", "moves: 30")


def test_watch_renders_clips_of_changed_shots(file, browser, served):
    before = file.read_text()
    process, address = served("watch", "squares", "--render", "-o", "media")
    browser.open(address)
    made = "document.querySelectorAll('#shots .clip:not(.old) video[src]')"
    browser.wait(f"{made}.length === 2", PATIENCE)
    assert browser.run("return document.querySelector('.head .render')") is None
    told = [process.stdout.readline() for _ in range(2)]
    assert sorted(told) == [f"media/squares/480p15/shots/{n}.mp4\n" for n in ("01-one", "02-two")]
    [one, two] = browser.run(f"return [...{made}].map((video) => video.src)")
    file.write_text(before.replace("moves: 3", "moves: 5"))
    browser.wait(f"{made}.length === 2 && {made}[1].src !== '{two}'", PATIENCE)
    assert browser.run(f"return {made}[0].src") == one
    assert process.stdout.readline() == told[1]
    assert browser.violations() == []


def test_a_quality_needs_render(project):
    done = project.run("watch", "squares", "-qm", "--no-open")
    assert (done.returncode, done.stdout) == (2, "")
    assert "-qm is the quality of clips; add --render to have them" in done.stderr


@pytest.fixture
def waiting(project) -> Iterator[Callable[[str], None]]:
    """Has the studio at an address render a film that does not end."""
    project.write("waits", "stage: tiny.waiting")
    project.mark("wait")
    for mark in project.marks.glob("pid-*"):
        mark.unlink()

    def render(address: str) -> None:
        with page_at(address) as page:
            assert page.post("/render", json={"quality": "l"}).status_code == 204
            project.worker(but=frozenset({project.worker()}))  # one draws its stills

    yield render
    project.unmark("wait")


def test_a_render_ends_with_the_studio(project, served, waiting):
    process, address = served("studio", "waits", "-o", "media")
    waiting(address)
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)
    wait_until(lambda: not project.processes())


def test_a_render_ends_even_with_a_studio_that_is_killed(project, waiting):
    process = project.start("studio", "waits", "-o", "media", "--no-open")
    waiting(process.stderr.readline().rpartition(": ")[2].strip())
    process.kill()
    process.communicate(timeout=PATIENCE)
    wait_until(lambda: not project.processes())
    assert project.leftovers() == []


def test_a_port_in_use_is_an_error(project, served):
    _, address = served("studio")
    done = project.run("studio", "--no-open", "--port", address.split(":")[2].split("/")[0])
    assert done.returncode == 2
    assert "cannot be used" in done.stderr
    assert "without --port, a free one" in done.stderr


def test_a_missing_package_is_named_with_the_command_that_installs_it(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    code, _, said = run("studio", "rope", "--no-open")
    assert code == 1
    assert "watchfiles" in said
    assert install_command("studio") in said


def test_an_unknown_film_is_reported_as_by_every_command(project):
    done = project.run("studio", "sqares", "--no-open")
    assert done.returncode == 2
    assert "did you mean squares?" in done.stderr


OPENER = """#!/bin/sh
# A browser that waits before it looks at the file that it is given.
printf '%s' "$1" >"$MARKS/opened.part"
mv "$MARKS/opened.part" "$MARKS/opened"
file=${1#file://}
while [ -e "$file" ]; do sleep 0.02; done
"""


@contextmanager
def another_server() -> Iterator[tuple[str, list[str]]]:
    """A server on another port of this machine, and the cookies that it is sent."""
    cookies = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cookies.append(self.headers.get("Cookie", ""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", cookies
        server.shutdown()


def test_the_token_is_in_no_command_line_and_the_cookie_goes_to_no_other_server(
    project, browser, served, monkeypatch, tmp_path
):
    opener = tmp_path / "opener"
    opener.write_text(OPENER)
    opener.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(opener))
    monkeypatch.setenv("DISPLAY", ":0")
    process, address = served("studio", "squares", opens=True)
    opened = project.marks / "opened"
    wait_until(opened.exists)
    door = opened.read_text()
    ps = output("ps", "-eww", "-o", "args")
    assert door in ps
    assert address.partition("=")[2] not in ps
    file = Path(door.removeprefix("file://"))
    assert file.stat().st_mode & 0o077 == 0

    browser.open(door)
    browser.wait("document.querySelector('#shots figure img')", PATIENCE)
    wait_until(lambda: not file.exists())
    with another_server() as (other, cookies):
        for path in ("", "/state", "/page/studio.js"):
            browser.driver.get(f"{other}{path}")
    assert cookies
    assert "clockhead" not in "".join(cookies)

    assert httpx.get(address).status_code == 403, "it lets in once"
    told = iter(process.stderr.readline, "")
    [another] = [next(line for line in told if "?token=" in line).rpartition(": ")[2].strip()]
    with page_at(another) as page:
        assert page.get("state").status_code == 200


@pytest.fixture
def two_pages(served) -> Iterator[list[Any]]:
    """Pages of two studios with the same film."""
    with ExitStack() as stack:
        yield [stack.enter_context(page_at(served("studio", "squares")[1])) for _ in range(2)]


def test_two_studios_never_overwrite_each_other_s_film(file, two_pages):
    before = file.read_text()
    pages = two_pages
    lost, kept = [], []
    for turn in range(6):
        wait_until(lambda: len({page.get("state").json()["text"] for page in pages}) == 1)
        numbers = [page.get("state").json()["revision"] for page in pages]

        def save(who: int, turn: int, number: int) -> None:
            text = before.replace("Squares", f"Turn {turn} of {who}")
            body = {"text": text, "revision": number, "file": str(file)}
            answer = pages[who].post("save", json=body)
            (kept if answer.status_code == 200 else lost).append((turn, text))
            if answer.status_code != 200:
                assert answer.status_code == 409
                assert pages[who].post("reload", json={}).status_code == 204

        both = [Thread(target=save, args=(who, turn, numbers[who])) for who in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert ([turn for turn, _ in kept[turn:]], file.read_text()) == ([turn], kept[-1][1])
    assert len(lost) == 6

    # One that has something unsaved is told of the other's save, and asks.
    [one, other] = pages
    mine = before.replace("Squares", "Mine")
    one.post("edit", json={"text": mine})
    theirs = before.replace("Squares", "Theirs")
    assert other.post("save", json={"text": theirs, "file": str(file)}).status_code == 200
    wait_until(lambda: one.get("state").json()["moved"])
    assert one.post("save", json={"text": mine, "file": str(file)}).status_code == 409
    assert file.read_text() == theirs


def test_changes_of_the_file_by_other_programs_are_reported_and_survived(project, served):
    folder = project.root / "elsewhere"
    folder.mkdir()
    file = folder / "squares.yaml"
    text = (project.root / "storyboards/squares.yaml").read_text()
    file.write_text(text)
    _, address = served("studio", "elsewhere/squares.yaml")
    with page_at(address) as page:

        def state() -> dict[str, Any]:
            answer = page.get("state")
            assert answer.status_code == 200
            return answer.json()

        file.write_bytes(text.replace("Squares", "Carr\xe9s").encode("latin-1"))
        wait_until(lambda: ":3:12: " in state()["trouble"])
        assert (state()["text"], state()["saved"]) == (text, False)
        file.write_text(text.replace("Squares", "Carr\xe9s"))
        wait_until(lambda: "Carr\xe9s" in state()["text"])
        assert (state()["trouble"], state()["saved"]) == ("", True)

        file.unlink()
        wait_until(lambda: bool(state()["trouble"]))
        assert "Carr\xe9s" in state()["text"]
        file.write_text(text)
        wait_until(lambda: state()["text"] == text and not state()["trouble"])

        page.post("edit", json={"text": text + "# mine\n"})
        shutil.rmtree(folder)
        wait_until(lambda: bool(state()["trouble"]))
        folder.mkdir()
        file.write_text(text)
        wait_until(lambda: not state()["trouble"])
        assert (state()["text"], state()["saved"]) == (text + "# mine\n", False)
        file.write_text(text + "# yours\n")
        wait_until(lambda: state()["moved"])
        page.post("reload", json={})
        assert state()["text"] == text + "# yours\n"

        file.unlink()
        wait_until(lambda: bool(state()["trouble"]))
        body = {"text": text, "file": str(file)}
        assert page.post("save", json=body).status_code == 200
        assert (file.read_text(), state()["trouble"], state()["saved"]) == (text, "", True)
    shutil.rmtree(folder)


def test_watch_reports_a_file_that_is_missing_or_not_text(file, served):
    before = file.read_text()
    process, address = served("watch", "squares")

    def told(what: str) -> bool:
        return any(what in line for line in iter(process.stderr.readline, ""))

    with page_at(address) as page:
        wait_until(lambda: bool(page.get("state").json()["read"]))
        file.unlink()
        assert told("storyboards/squares.yaml: ")
        file.write_text(before)
        assert told("2 shots")
        file.write_bytes(b"title: Carr\xe9s\n")
        assert told("storyboards/squares.yaml:1:12: ")
        assert page.get("state").status_code == 200
        file.write_text(before)
        assert told("2 shots")


DIES = """
import os, signal
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
from clockhead.__main__ import main
main()
"""
"""A studio that is killed in the middle of a save."""


@pytest.mark.parametrize("system", ["", "import os; del os.O_TMPFILE\n"], ids=["Linux", "others"])
def test_a_save_that_is_killed_leaves_the_film_and_nothing_else(project, served, system):
    folder = project.root / "storyboards"
    file = folder / "squares.yaml"
    before = file.read_text()
    there = {*folder.iterdir()}
    own = folder / ".squares.yaml.of-mine.tmp"
    args = ("studio", "squares", "--no-open")
    process = project.start(*args, code=system + DIES)
    try:
        with page_at(process.stderr.readline().rpartition(": ")[2].strip()) as page:
            body = {"text": before + "# more\n", "file": str(file)}
            with pytest.raises(httpx.TransportError):
                page.post("save", json=body)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)
    assert (process.returncode, file.read_text()) == (-signal.SIGKILL, before)
    wait_until(lambda: not project.processes())
    if system:
        assert {*folder.iterdir()} != there, "a file had to have a name"
        own.write_text("somebody's own")
        served("studio", "squares")
        assert own.read_text() == "somebody's own"
        own.unlink()
    assert {*folder.iterdir()} == there

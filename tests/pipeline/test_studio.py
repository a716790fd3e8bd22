"""The studio in the browser: edits are drawn, and the file is written only when it is saved."""

import asyncio
import io
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import av
import pytest
import yaml

pytest.importorskip("sse_starlette", reason="the studio is an extra")
pytest.importorskip("httpx", reason="the studio is tried with httpx")
from starlette.testclient import TestClient

from clockhead.libraries import PROJECT
from clockhead.look import Wish
from clockhead.places import PACKAGE
from clockhead.release import install_command
from clockhead.storyboard.rewrite import RewriteError, add_shot, set_value
from clockhead.studio import session as sessions
from clockhead.studio.access import AccessControl
from clockhead.studio.completion import complete
from clockhead.studio.messages import (
    HelpEntry,
    InputControl,
    ShotReport,
    StageHelp,
    StoryboardReport,
)
from clockhead.studio.rendering import Renderer, StudioClips
from clockhead.studio.server import Studio, application
from clockhead.studio.session import Session
from clockhead.trust import trust
from tests.pipeline.browser import Browser, chromium
from tests.pipeline.project import PATIENCE, Project, wait_until

pytestmark = pytest.mark.xdist_group("studio")

PORT = 8321
OWN = f"http://127.0.0.1:{PORT}"
TINY = Path(__file__).with_name("tiny") / "moving.py"

FILM = """\
# A film of two shots.
version: 1
title: Squares
shots:
  - stage: small.moving  # the first
    id: one
    inputs: {moves: 2}
  - stage: small.moving
    id: two
    inputs:
      moves: 3  # three of them
    expect: {moves: "< 8"}
"""

NOTED = """\
version: 1
title: Noted
shots:
  - {stage: small.noting, inputs: {moves: 1}}
"""
NOTING = """\
import os
import time
from pathlib import Path

from clockhead.own.small.moving import Moving
from clockhead.scenes.stage import Steps, beat

PROJECT = Path(__file__).parents[2]


class Noting(Moving):
    \"\"\"Notes which process draws its clip, and holds still while it is told to.\"\"\"

    @beat()
    def move(self) -> Steps:
        with (PROJECT / "drawn_by").open("a") as file:
            file.write(f"{os.getpid()} {os.getppid()}\\n")
        while (PROJECT / "wait").exists():
            time.sleep(0.02)
        yield from super().move()
"""


@dataclass
class Shop:
    """The studio without a socket, as a page would talk to it."""

    client: TestClient
    session: Session
    home: Path
    renderer: Renderer

    def open(self, text: str, name: str = "squares") -> Path:
        """Open a new file, and wait until all of it is drawn."""
        file = self.home / "storyboards" / f"{name}.yaml"
        file.write_text(text)
        assert self.post("/open", film=f"./storyboards/{file.name}").status_code == 204
        self.settle()
        return file

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body, headers={"Origin": OWN})

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.client.get("/state").json()
        return state

    def settle(self) -> dict[str, Any]:
        """The whole state, once everything is drawn."""

        def over() -> bool:
            state = self.state()
            read, number = state["read"], self.session.number
            keys = [shot["key"] for shot in read["shots"]] if read else []
            done = set(state["done"])
            return (
                bool(read) and read["number"] == number and all(key in done for key in keys if key)
            )

        wait_until(over)
        return self.state()

    def edit(self, text: str, shot: int | None = None) -> dict[str, Any]:
        self.post("/edit", text=text, shot=shot)
        return self.settle()

    def clips(self) -> dict[str, Any]:
        clips: dict[str, Any] = self.state()["clips"]
        return clips

    def take(self, shot: int) -> dict[str, Any]:
        """Render the clip of a shot; returns the state of all clips."""
        assert self.post("/clip", shot=shot).status_code == 204
        wait_until(lambda: not self.renderer.is_running and not self.clips()["making"])
        return self.clips()

    def drawn_by(self) -> list[tuple[int, int]]:
        """The processes that drew clips of the noting stage, and their parents."""
        lines = (self.home / "drawn_by").read_text().splitlines()
        found = [(int(pid), int(parent)) for pid, parent in map(str.split, lines)]
        return [(pid, parent) for pid, parent in found if parent != os.getpid()]


def keys(state: dict[str, Any]) -> list[str]:
    return [shot["key"] for shot in state["read"]["shots"]]


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Iterator[Shop]:
    home = tmp_path_factory.mktemp("home")
    for folder in ("stages/small", "storyboards"):
        (home / folder).mkdir(parents=True)
    (home / "stages/small/moving.py").write_text(TINY.read_text())
    (home / "stages/small/noting.py").write_text(NOTING)
    (home / "stages/small/forever.py").write_text(
        TINY.read_text()
        .replace("class Moving", "class Forever")
        .replace("        return Moves(", "        while True: pass\n        return Moves(")
    )
    trust(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv(PROJECT, str(home))
        session = Session(Wish())
        renderer = Renderer(home / "media")
        studio = Studio(session, renderer, StudioClips(session, renderer))
        access = AccessControl(PORT)
        with TestClient(application(studio, access), base_url=OWN + access.path) as client:
            assert client.get(access.address).status_code == 200
            yield Shop(client, session, home, renderer)


class TestRewriting:
    """A value is changed where it is written, and comments stay."""

    def test_a_value_in_a_block(self):
        text = set_value(FILM, ("shots", 1, "inputs", "moves"), 5)
        assert text == FILM.replace("moves: 3 ", "moves: 5 ")

    def test_a_value_in_braces(self):
        text = set_value(FILM, ("shots", 0, "inputs", "moves"), 7)
        assert text == FILM.replace("{moves: 2}", "{moves: 7}")

    def test_a_value_that_is_not_there_yet(self):
        first = set_value(FILM, ("shots", 0, "inputs", "most"), 4)
        assert first == FILM.replace("{moves: 2}", "{moves: 2, most: 4}")
        second = set_value(FILM, ("shots", 1, "inputs", "most"), 4)
        assert second == FILM.replace("# three of them\n", "# three of them\n      most: 4\n")

    def test_inputs_that_are_not_there_yet(self):
        text = "shots:\n  - stage: a.b  # why\n    hold: 1\n  - {stage: c.d}"
        block = set_value(text, ("shots", 0, "inputs", "m"), 0.5)
        assert block == text.replace("# why\n", "# why\n    inputs: {m: 0.5}\n")
        braces = set_value(text, ("shots", 1, "inputs", "m"), True)
        assert braces == text.replace("c.d", "c.d, inputs: {m: true}")
        last = set_value("shots:\n  - stage: a.b", ("shots", 0, "inputs", "m"), 1)
        assert last == "shots:\n  - stage: a.b\n    inputs: {m: 1}"

    @pytest.mark.parametrize(
        ("before", "value", "after"),
        [
            ("a:\n  - 1 # one\n  - [2, 3]\n# end\nb: 1\n", [4, 5], "a: [4, 5]\n# end\nb: 1\n"),
            ("a: 'it''s'  # said\n", "that's", "a: 'that''s'  # said\n"),
            ('a: "x" # y\n', "no: more", 'a: "no: more" # y\n'),
            ("a: plain\n", "true", 'a: "true"\n'),
            ("a: |\n  long\n  text\nb: 2\n", "short", "a: short\nb: 2\n"),
            ("a:  # nothing yet\nb: 2\n", 3, "a: 3  # nothing yet\nb: 2\n"),
            ("a: []\n", None, "a: null\n"),
        ],
    )
    def test_a_value_of_every_kind_is_written(self, before, value, after):
        assert set_value(before, ("a",), value) == after
        assert yaml.safe_load(after)["a"] == value

    def test_a_text_that_is_not_yaml_is_not_changed(self):
        with pytest.raises(RewriteError, match="correct the storyboard first: line 1"):
            set_value("a: [1, 2", ("a",), 3)
        with pytest.raises(RewriteError, match="there is no"):
            set_value("shots: []\n", ("shots", 3, "inputs"), 3)


class TestAddingShots:
    """A shot more is written into the list of shots, and nothing else changes."""

    @pytest.mark.parametrize(
        ("before", "after", "wanted"),
        [
            (FILM, None, f"{FILM}  - stage: a.new\n"),
            (FILM, 0, FILM.replace("{moves: 2}\n", "{moves: 2}\n  - stage: a.new\n")),
            ("shots:  # none\ntitle: x\n", None, "shots:\n  - stage: a.new  # none\ntitle: x\n"),
            ("shots: []\ntitle: x\n", None, "shots:\n  - stage: a.new\ntitle: x\n"),
            ("title: x\n", None, "title: x\nshots:\n  - stage: a.new\n"),
            ("shots: [{stage: b}]\n", 0, "shots: [{stage: b}, {stage: a.new}]\n"),
            ("shots:\n- stage: b\n- {}", 0, "shots:\n- stage: b\n- stage: a.new\n- {}"),
        ],
    )
    def test_a_shot_is_added_at_its_place(self, before, after, wanted):
        assert add_shot(before, "a.new", after) == wanted

    def test_a_second_shot_of_a_stage_gets_an_id(self):
        text = add_shot("shots:\n  - stage: a.b\n  - {stage: c.d, id: b_2}\n", "a.b")
        assert yaml.safe_load(text)["shots"][-1] == {"stage": "a.b", "id": "b_3"}

    @pytest.mark.parametrize("text", ["a: [", "shots: 3\n", "- 1\n", ""])
    def test_a_text_that_is_no_storyboard_is_not_changed(self, text):
        with pytest.raises(RewriteError):
            add_shot(text, "a.b")


WORDS = (
    StageHelp("previous_token.riddle", "who came before?", (HelpEntry("alpha", "how strong"),)),
    StageHelp("rope.matrix", "clock hands", (HelpEntry("m", "position"),)),
    StageHelp("rope.turn", "one hand", (HelpEntry("theta", "speed"),)),
)


def latest_report() -> StoryboardReport:
    """The latest report of a film of two shots."""
    control = InputControl(
        "scale", "how it is shown", "", "choice", "log", "log", (), "", choices=("log", "linear")
    )
    facts = (HelpEntry("row.head.alpha", "how strong"), HelpEntry("row.worst", "the least"))
    one = ShotReport(0, "one", "rope.matrix", 5, "", "", (control,), None, ())
    two = ShotReport(1, "two", "previous_token.riddle", 8, "", "", (), None, facts)
    return StoryboardReport(1, "", (one, two), (), True, 1280, 720)


class TestCompletion:
    """Completions at | in a text."""

    @pytest.mark.parametrize(
        ("text", "first", "typed"),
        [
            ("ti|", "title", "ti"),
            ("theme: pa|", "paper", "pa"),
            ("version: 1\nasp|\nshots: []", "aspect", "asp"),
            ("shots:\n  - stage: prev|", "previous_token.riddle", "prev"),
            ("shots:\n  - stage: matr|", "rope.matrix", "matr"),
            ("shots:\n  - stage: rope.matirx|", "rope.matrix", "rope.matirx"),
            ("shots:\n- {stage: ro|", "rope.matrix", "ro"),
            ("shots: [{stage: x}, {id: two, cap|", "caption", "cap"),
            ("shots:\n  - stage: rope.matrix\n    ho|", "hold", "ho"),
            ("shots:\n  - stage: rope.matrix\n    inputs:\n      sc|", "scale", "sc"),
            ("shots:\n  - stage: rope.matrix\n    inputs: {sc|", "scale", "sc"),
            ("shots:\n  - stage: rope.matrix\n    inputs: {scale: li|}", "linear", "li"),
            ("inputs:\n  sc|", "scale", "sc"),
            ("shots:\n  - a: 1\n  - b: 2\n  - stage: rope.turn\n    inputs: {th|", "theta", "th"),
            (
                'shots:\n  - stage: previous_token.riddle\n    caption: "With {row.w|',
                "row.worst",
                "row.w",
            ),
            ("shots:\n  - a: 1\n  - caption: With {worst|", "row.worst", "worst"),
            ('shots: [{}, {caption: "With {row.|', "row.head.alpha", "row."),
            ("shots:\n  - a: 1\n  - caption: |\n      With\n      {row.w|", "row.worst", "row.w"),
            ('shots:\n  - a: 1\n  - say: {1: "{row.w|', "row.worst", "row.w"),
            ("shots:\n  - a: 1\n  - expect: {row.w|", "row.worst", "row.w"),
            ("shots:\n  - a: 1\n  - expect:\n      row.head.a|", "row.head.alpha", "row.head.a"),
            ("shots: [{}, {stage: rope.turn, inputs: {th|", "theta", "th"),
        ],
    )
    def test_the_first_choice_of_each_place(self, text, first, typed):
        # A block text has a bar too; the place is the last one.
        at = text.rindex("|")
        found = complete(text[:at] + text[at + 1 :], at, latest_report(), WORDS)
        assert found is not None
        assert (found.choices[0].name, found.typed) == (first, typed)

    @pytest.mark.parametrize(
        "text",
        [
            "title: ti|",
            "# ti|",
            "shots:\n  - stage: rope.matrix|",
            "shots:\n  - stage: rope.matrix  # ro|",
            'shots:\n  - caption: "With row.w|',
            "shots:\n  - title:|",
            "shots:\n  - caption: |\n      ti|",
            "zzzzqqq|",
        ],
    )
    def test_places_without_choices(self, text):
        at = text.rindex("|")
        assert complete(text[:at] + text[at + 1 :], at, latest_report(), WORDS) is None

    def test_completion_never_fails(self):
        for text in (FILM, "{[\"'|:\n- - {a: [", "\t\n  -\n -", "a: |\n\n b"):
            for at in range(len(text) + 1):
                complete(text, at, latest_report(), WORDS)


class TestAccess:
    """Only a browser that was given the address has access."""

    @pytest.fixture
    def opened(self) -> list[None]:
        """An item for each browser that got access."""
        return []

    @pytest.fixture
    def access(self, opened) -> AccessControl:
        return AccessControl(PORT, lambda: opened.append(None))

    @pytest.fixture
    def stranger(self, shop, access) -> TestClient:
        studio = Studio(shop.session, shop.renderer, StudioClips(shop.session, shop.renderer))
        return TestClient(application(studio, access), base_url=OWN)

    def test_the_token_is_exchanged_once_for_a_cookie(self, stranger, access, opened):
        address, state = access.address, f"{access.path}/state"
        assert stranger.get(state).status_code == 403
        assert stranger.get("/?token=another").status_code == 403
        answer = stranger.get(address)
        assert answer.status_code == 200
        said = answer.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", f"Path={access.path}/"} <= set(said.split("; "))
        assert stranger.get(state).status_code == 200
        token = address.partition("=")[2]
        assert token not in said + answer.text
        assert stranger.get(address).status_code == 403, "it lets in once"
        assert stranger.get("/state").status_code == 403, "elsewhere the cookie is not sent"
        assert (len(opened), access.address != address) == (1, True)
        assert TestClient(stranger.app, base_url=OWN).get(access.address).status_code == 200

    def test_a_browser_that_comes_from_a_file_or_a_link_may_use_the_token(self, stranger, access):
        answer = stranger.get(access.address, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 200

    def test_the_cookie_of_another_start_is_refused(self, shop, stranger, access):
        stranger.get(access.address)
        [cookie] = stranger.cookies.jar
        headers = {"Cookie": f"{cookie.name}={cookie.value}"}
        for path in (f"{access.path}/state", "/state"):
            answer = TestClient(shop.client.app, base_url=shop.client.base_url).get(
                path, headers=headers
            )
            assert answer.status_code == 403

    def test_a_cookie_of_another_port_does_no_harm(self, stranger, access):
        stranger.get(access.address)
        [cookie] = stranger.cookies.jar
        both = f"{cookie.name}={cookie.value}; {cookie.name}=another"
        fresh = TestClient(stranger.app, base_url=OWN)
        answer = fresh.get(f"{access.path}/state", headers={"Cookie": both})
        assert answer.status_code == 200

    @pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1"])
    def test_another_host_name_is_refused(self, shop, host):
        assert shop.client.get("/state", headers={"Host": host}).status_code == 403

    @pytest.mark.parametrize("origin", [None, "http://evil.example", "http://127.0.0.1:1", "null"])
    def test_another_page_can_change_nothing(self, shop, origin):
        headers = {"Origin": origin} if origin else {}
        answer = shop.client.post("/edit", json={"text": "stolen"}, headers=headers)
        assert answer.status_code == 403
        assert shop.session.text != "stolen"

    def test_another_page_can_read_nothing(self, shop):
        answer = shop.client.get("/state", headers={"Sec-Fetch-Site": "same-site"})
        assert answer.status_code == 403

    def test_the_page_may_load_nothing_from_elsewhere(self, shop):
        headers = shop.client.get("/").headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            ("/edit", b""),
            ("/edit", b"{"),
            ("/edit", b"[1]"),
            ("/edit", b"null"),
            ("/edit", b"\xff"),
            ("/edit", b"[" * 100_000),
            ("/edit", b"{}"),
            ("/edit", b'{"text": 5}'),
            ("/edit", b'{"text": "\\ud800"}'),
            ("/edit", b'{"text": "a", "shot": true}'),
            ("/edit", b'{"text": "a", "shot": 1e400}'),
            ("/edit", b'{"text": "a", "who": 1}'),
            ("/edit", b'{"text": "' + b"x" * 600_000 + b'"}'),
            ("/set", b'{"text": "a: 1", "at": 5, "value": 1}'),
            ("/set", b'{"text": "a: 1", "at": [[1]], "value": 1}'),
            ("/set", b'{"text": "a: 1", "at": [], "value": 1}'),
            ("/set", b'{"text": "a: 1", "at": ["a"], "value": {"b": 1}}'),
            ("/set", b'{"text": "a: 1", "at": ["a"], "value": NaN}'),
            ("/look", b'{"theme": []}'),
            ("/look", b'{"colour": "red"}'),
            ("/open", b'{"film": null}'),
            ("/open", b'{"film": "./a\\u0000b/x.yaml"}'),
            ("/save", b'{"text": "a", "file": {}}'),
            ("/save", b'{"text": "a", "file": "x.yaml", "over": true}'),
            ("/render", b'{"quality": ["l"]}'),
            ("/clip", b'{"shot": "1"}'),
            ("/clip", b"{}"),
            ("/complete", b'{"text": "a", "at": -1}'),
            ("/reload", b"7"),
        ],
    )
    def test_odd_requests_are_malformed(self, shop, path, body):
        answer = shop.client.post(path, content=body, headers={"Origin": OWN})
        assert (answer.status_code, bool(answer.json()["problem"])) == (400, True)


class TestSession:
    def test_every_beat_of_every_shot_has_a_still(self, shop):
        shop.open(FILM)
        state = shop.state()
        beats = [(s["key"], s["beat"]) for s in state["stills"]]
        assert beats == [
            (key, beat) for key in keys(state) for beat in ("appear", "move", "caption")
        ]
        assert state["stills"][0]["alt"].startswith("A square, moved.")
        picture = shop.client.get(state["stills"][0]["src"]).content
        assert picture.startswith(b"\x89PNG")

    def test_an_edit_draws_only_the_changed_shot_and_writes_nothing(self, shop):
        file = shop.open(FILM)
        before = shop.state()
        heard = shop.session.subscribe()
        after = shop.edit(FILM.replace("moves: 3", "moves: 4"), 1)
        wait_until(lambda: any(e["event"] == "done" for e in list(heard._queue)))
        shop.session.unsubscribe(heard)
        assert keys(after)[0] == keys(before)[0] != keys(after)[1] != keys(before)[1]
        events = [heard.get_nowait() for _ in range(heard.qsize())]
        assert {e["key"] for e in events if e["event"] == "still"} == {keys(after)[1]}
        assert file.read_text() == FILM
        assert after["saved"] is False

    def test_the_edited_shot_is_drawn_first(self, shop):
        shop.open(FILM)
        heard = shop.session.subscribe()
        text = FILM.replace("moves: 3", "moves: 5").replace("moves: 2", "moves: 6")
        state = shop.edit(text, 1)
        shop.session.unsubscribe(heard)
        events = [heard.get_nowait() for _ in range(heard.qsize())]
        drawn = [event["key"] for event in events if event["event"] == "shot"]
        assert drawn == keys(state)[::-1]

    def test_an_error_has_a_line_and_the_other_shots_stay(self, shop):
        shop.open(FILM)
        before = shop.state()
        state = shop.edit(FILM.replace("moves: 3", "moves: 30"))
        [remark] = state["read"]["remarks"]
        assert (remark["line"], remark["column"], remark["shot"]) == (11, 14, 1)
        assert "30 is too large; moves must be a whole number from 0 to 9" in remark["message"]
        assert keys(state) == [keys(before)[0], None]

    def test_long_lists_of_problems_are_cut(self, shop):
        shop.open(FILM)
        unknown = "".join(f"key{n}: 1\n" for n in range(30))
        remarks = shop.edit(unknown + FILM)["read"]["remarks"]
        assert len(remarks) == 21
        assert remarks[-1]["message"] == "and 10 more"

    def test_a_half_typed_line_keeps_the_pictures(self, shop):
        shop.open(FILM)
        before = shop.state()
        state = shop.edit(FILM.replace("shots:\n", "shots: [\n"))
        assert state["read"]["remarks"][0]["kind"] == "error"
        assert keys(state) == keys(before)

    def test_a_failed_claim_shows_its_value(self, shop):
        shop.open(FILM)
        state = shop.edit(FILM.replace("{moves: 2}", "{moves: 2, most: 1}"))
        [remark] = state["read"]["remarks"]
        assert remark["kind"] == "claim"
        assert (remark["line"], remark["shot"]) == (5, 0)
        assert "it moves no more than it may: this does not hold; 2 times" in remark["message"]
        assert all(keys(state)), "it is drawn all the same"

    def test_controls_follow_the_schema(self, shop):
        shop.open(FILM)
        moves, most = shop.state()["read"]["shots"][1]["controls"]
        assert moves["kind"] == "number"
        assert (moves["least"], moves["most"], moves["step"]) == (0, 9, 1)
        assert (moves["value"], moves["given"]) == (3, "shot")
        assert moves["about"] == "how often it moves"
        assert (most["value"], most["given"]) == (9, "")

    def test_a_moved_slider_changes_the_text(self, shop):
        shop.open(FILM)
        [moves, _] = shop.state()["read"]["shots"][1]["controls"]
        answer = shop.post("/set", text=FILM, at=moves["at"], value=1, shot=1)
        assert answer.json()["text"] == FILM.replace("moves: 3 ", "moves: 1 ")
        assert shop.settle()["read"]["shots"][1]["controls"][0]["value"] == 1
        refused = shop.post("/set", text="a: [", at=["a"], value=1)
        assert (refused.status_code, shop.session.text) == (422, answer.json()["text"])

    def test_another_look_does_not_change_the_text(self, shop):
        file = shop.open(FILM)
        before = shop.state()
        assert shop.post("/look", theme="paper", aspect="1:1").status_code == 200
        state = shop.settle()
        assert not {*keys(before)} & {*keys(state)}
        assert state["read"]["width"] == state["read"]["height"]
        assert shop.post("/look", theme="neon").status_code == 422
        shop.post("/look", theme=None, aspect=None)
        assert keys(shop.settle()) == keys(before)
        assert file.read_text() == FILM == shop.session.text

    def test_the_file_is_written_only_when_saved(self, shop):
        file = shop.open(FILM)
        text = FILM.replace("Squares", "More squares")
        assert shop.post("/save", text=text, file=str(file)).status_code == 200
        assert file.read_text() == text
        assert shop.state()["saved"] is True

    def test_saving_asks_before_it_overwrites_a_changed_file(self, shop):
        file = shop.open(FILM)
        text = FILM.replace("Squares", "More squares")
        shop.edit(text)
        file.write_text(FILM.replace("Squares", "Their squares"))
        wait_until(lambda: shop.state()["moved"])
        asked = shop.post("/save", text=text, file=str(file))
        assert asked.status_code == 409
        assert "was changed by another program" in asked.json()["asks"]
        assert "Their squares" in file.read_text()
        other = shop.home / "storyboards/other.yaml"
        other.write_text("mine")
        assert "is there already" in shop.post("/save", text=text, file=str(other)).json()["asks"]
        assert other.read_text() == "mine"
        file.write_text(FILM.replace("Squares", "Their latest squares"))
        version = asked.json()["over"]
        asked = shop.post("/save", text=text, file=str(file), over=version)
        assert asked.status_code == 409, "it was asked about another version"
        version = asked.json()["over"]
        assert shop.post("/save", text=text, file=str(file), over=version).status_code == 200
        assert file.read_text() == text

    def test_saving_keeps_permissions(self, shop):
        file = shop.open(FILM)
        file.chmod(0o600)
        assert shop.post("/save", text=FILM + "# more\n", file=str(file)).status_code == 200
        assert file.stat().st_mode & 0o777 == 0o600

    def test_an_edit_of_an_old_text_is_refused(self, shop):
        shop.open(FILM)
        revision = shop.state()["revision"]
        heard = shop.session.subscribe()
        one, other = FILM.replace("Squares", "Mine"), FILM.replace("Squares", "Yours")
        assert shop.post("/edit", text=one, revision=revision).status_code == 200
        for path, more in (
            ("/edit", {}),
            ("/save", {"file": "x"}),
            ("/add", {"stage": "small.moving"}),
        ):
            answer = shop.post(path, text=other, revision=revision, **more)
            assert (answer.status_code, answer.json()["stale"]) == (409, True)
        assert shop.session.text == one
        shop.session.unsubscribe(heard)
        told = [e for e in list(heard._queue) if e["event"] == "text"]
        assert [(e["text"], e["saved"]) for e in told] == [(one, False)]
        assert shop.post("/edit", text=other, revision=revision + 1).status_code == 200

    def test_a_shot_is_added(self, shop):
        shop.open(FILM)
        wait_until(lambda: bool(shop.session.stages))
        answer = shop.post("/add", text=FILM, stage="small.noting", shot=0)
        state = shop.settle()
        assert [shot["stage"] for shot in state["read"]["shots"]] == [
            *("small.moving", "small.noting", "small.moving")
        ]
        assert answer.json()["text"] == state["text"]
        refused = shop.post("/add", text=FILM, stage="small.notin")
        assert refused.status_code == 422
        assert "small.noting" in refused.json()["problem"]

    def test_inputs_facts_and_stages_are_completed(self, shop):
        shop.open(FILM)
        wait_until(lambda: bool(shop.session.stages))

        def offered(before: str) -> list[str]:
            answer = shop.post("/complete", text=before, at=len(before)).json()
            return [choice["name"] for choice in answer["choices"]]

        assert offered("shots:\n  - stage: small.mov") == ["small.moving"]
        assert offered("shots:\n  - stage: small.moving\n    inputs: {mo") == ["moves", "most"]
        wrong = shop.edit(FILM.replace("moves: 3", "moves: 30"))
        assert wrong["read"]["remarks"]
        caption = FILM + '    caption: "{mov'
        assert offered(caption)[0] == "moves", "what was known before an input was wrong"

    def test_windows_line_ends_stay(self, shop):
        file = shop.home / "storyboards/windows.yaml"
        file.write_bytes(FILM.replace("\n", "\r\n").encode())
        shop.post("/open", film="./storyboards/windows.yaml")
        shop.post("/save", text=FILM.replace("Squares", "Windows"), file=str(file))
        assert (
            file.read_bytes() == FILM.replace("Squares", "Windows").replace("\n", "\r\n").encode()
        )

    def test_an_invalid_file_name_is_refused(self, shop):
        shop.open(FILM)
        answer = shop.post("/save", text=FILM, file="Bad Name.yaml")
        assert answer.status_code == 422
        assert "a-z, 0-9" in answer.json()["problem"]

    def test_a_save_by_another_program_is_loaded(self, shop):
        file = shop.open(FILM)
        replacement = file.with_name(".squares.swp")  # as many editors save
        replacement.write_text(FILM.replace("moves: 3", "moves: 8"))
        replacement.replace(file)
        wait_until(lambda: "moves: 8" in shop.state()["text"])
        [remark] = shop.settle()["read"]["remarks"]
        assert "moves is 8, not < 8" in remark["message"]

    def test_an_edited_stage_is_drawn_again(self, shop):
        shop.open(FILM)
        source = shop.home / "stages/small/moving.py"
        source.write_text(TINY.read_text().replace("A square, moved", "A square, pushed"))
        wait_until(lambda: shop.settle()["read"]["shots"][0]["title"] == "A square, pushed")
        source.write_text(TINY.read_text())
        wait_until(lambda: shop.settle()["read"]["shots"][0]["title"] == "A square, moved")

    def test_a_worker_that_dies_is_started_again(self, shop):
        shop.open(FILM)
        heard = shop.session.subscribe()
        os.kill(shop.session._worker.pid, signal.SIGKILL)
        wait_until(lambda: any(e["event"] == "gone" for e in list(heard._queue)))
        shop.session.unsubscribe(heard)
        state = shop.edit(FILM.replace("moves: 3", "moves: 7"), 1)
        assert state["stills"][-1]["key"] == keys(state)[1]

    def test_a_worker_that_never_finishes_is_killed(self, shop, monkeypatch):
        shop.open(FILM)
        monkeypatch.setattr(sessions, "TIME_TO_READ", 1.0)
        heard = shop.session.subscribe()
        shop.post("/edit", text=FILM.replace("small.moving\n", "small.forever\n"))
        wait_until(lambda: any(e["event"] == "gone" for e in list(heard._queue)))
        shop.session.unsubscribe(heard)
        monkeypatch.undo()
        assert all(keys(shop.edit(FILM)))

    def test_without_a_film_the_page_lists_films(self, tmp_path):
        session = Session(Wish())
        assert "rope" in session.snapshot()["films"]


class TestClips:
    """Clips of single shots, from a process that stays warm."""

    def test_a_clip_shows_the_shot_of_the_current_text(self, shop):
        file = shop.open(FILM)
        key = keys(shop.edit(FILM.replace("moves: 3", "moves: 4"), 1))[1]
        clips = shop.take(1)
        assert clips["made"] == {key: "media/squares/480p15/shots/02-two.mp4"}
        answer = shop.client.get(f"/clips/{key}.mp4")
        assert answer.headers["content-type"] == "video/mp4"
        [clip] = probe(answer.content)
        assert (clip.height, 1 / clip.time_base) == (480, 15)
        assert "It moved 4 times." in shop.client.get(f"/clips/{key}.vtt").text
        assert shop.client.get(f"/clips/{key}.png").content.startswith(b"\x89PNG")
        assert shop.client.get(f"/clips/{key}.json").status_code == 404
        assert file.read_text() == FILM, "nothing is written unasked"

    def test_one_worker_and_one_fork_server_render_everything(self, shop):
        shop.open(NOTED)
        shop.take(0)
        first = shop.renderer.pid
        shop.edit(NOTED.replace("moves: 1", "moves: 2"))
        shop.take(0)
        [(one, parent), (other, other_parent)] = shop.drawn_by()
        assert shop.renderer.pid == first
        assert (one != other, parent) == (True, other_parent)

    def test_a_clip_is_not_rendered_twice(self, shop):
        shop.open(NOTED)
        shop.take(0)
        drawn = shop.drawn_by()
        shop.take(0)
        assert shop.drawn_by() == drawn

    def test_a_clip_is_replaced_by_the_next_of_its_shot(self, shop):
        shop.open(FILM)
        # What the test before did to the stages may be noticed only now: then a clip is given up.
        old = shop.take(1)["made"] or shop.take(1)["made"]
        key = keys(shop.edit(FILM.replace("moves: 3", "moves: 6"), 1))[1]
        assert {*shop.take(1)["made"]} == {*old} - {keys_of(old, "02-two")} | {key}

    def test_a_shot_whose_claim_fails_is_not_rendered(self, shop):
        shop.open(FILM.replace("moves: 3", "moves: 8"))
        clips = shop.take(1)
        [(key, said)] = clips["failures"].items()
        assert "moves is 8, not < 8" in said
        assert key not in clips["made"]
        assert shop.post("/clip", shot=7).status_code == 422

    def test_a_cancelled_render_leaves_nothing_and_the_worker_goes_on(self, shop):
        shop.open(NOTED)
        shop.take(0)
        process, drawn = shop.renderer.pid, len(shop.drawn_by())
        shop.edit(NOTED.replace("moves: 1", "moves: 5"))
        (shop.home / "wait").touch()
        assert shop.post("/clip", shot=0).status_code == 204
        wait_until(lambda: len(shop.drawn_by()) > drawn)
        drawer = shop.drawn_by()[-1][0]
        assert shop.post("/clip", shot=0).status_code == 422, "one at a time"
        assert shop.post("/stop").status_code == 204
        (shop.home / "wait").unlink()
        assert not Path(f"/proc/{drawer}").exists()
        clips = shop.clips()
        key = keys(shop.state())[0]
        assert (clips["making"], key in clips["failures"]) == ([], False)
        left = {path.suffix for path in (shop.home / "media").rglob("*")} & {".tmp", ".staging"}
        assert left == set()
        assert key in shop.take(0)["made"]
        assert shop.renderer.pid == process

    def test_a_worker_that_dies_while_rendering_is_reported_and_replaced(self, shop):
        shop.open(NOTED.replace("moves: 1", "moves: 7"))
        key = keys(shop.state())[0]
        (shop.home / "wait").touch()
        drawn = len(shop.drawn_by())
        shop.post("/clip", shot=0)
        wait_until(lambda: len(shop.drawn_by()) > drawn)
        drawer, died = shop.drawn_by()[-1][0], shop.renderer.pid
        os.kill(died, signal.SIGKILL)
        wait_until(lambda: key in shop.clips()["failures"])
        assert "ended (SIGKILL)" in shop.clips()["failures"][key]
        wait_until(lambda: not Path(f"/proc/{drawer}").exists())
        (shop.home / "wait").unlink()
        clips = shop.take(0)
        assert key in clips["made"]
        assert key not in clips["failures"]
        assert shop.renderer.pid != died

    def test_an_edited_stage_is_rendered_by_a_new_worker(self, shop, monkeypatch):
        shop.open(FILM)
        shop.take(0)
        key, before = keys(shop.state())[0], shop.renderer.pid
        source = shop.home / "stages/small/moving.py"
        heard = shop.session.subscribe()
        with monkeypatch.context() as patch:
            # The page may be quicker than what follows the files.
            patch.setattr(StudioClips, "forget", lambda _: asyncio.sleep(0))
            source.write_text(TINY.read_text().replace("moved {moves} times", "was pushed"))
            clips = shop.take(0)
            assert "It was pushed." in shop.client.get(f"/clips/{key}.vtt").text
            assert shop.renderer.pid != before
            said = [e for e in list(heard._queue) if e and e["event"] in ("gone", "render")]
            assert (key in clips["failures"], said) == (False, [])
            shop.settle()
        shop.session.unsubscribe(heard)
        source.write_text(TINY.read_text())
        wait_until(lambda: not shop.clips()["made"])


def probe(video: bytes) -> list[Any]:
    with av.open(io.BytesIO(video)) as container:
        return list(container.streams.video)


def keys_of(made: dict[str, str], name: str) -> str:
    return next(key for key, file in made.items() if name in file)


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    project = Project.make(tmp_path_factory.mktemp("studio") / "project")
    (project.root / "storyboards/squares.yaml").write_text(FILM.replace("small.", "tiny."))
    return project


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


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
    import httpx

    origin = address.split("/?")[0]
    with httpx.Client(headers={"Origin": origin}, timeout=PATIENCE) as page:
        entrance = page.get(address)
        assert entrance.status_code == 200
        page.base_url = origin + entrance.text.partition("url=")[2].partition('"')[0]
        yield page


ALL_DRAWN = "document.querySelectorAll('#shots figure:not(.old) img').length === 6"


def test_the_studio_in_a_browser(project, browser, served):
    file = project.root / "storyboards/squares.yaml"
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
    file.write_text(before)


def test_the_editor_wraps_completes_and_adds_shots(project, browser, served):
    file = project.root / "storyboards/squares.yaml"
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


def test_watch_follows_the_file_and_prints_problems(project, browser, served):
    file = project.root / "storyboards/squares.yaml"
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
    file.write_text(before)


def test_watch_renders_clips_of_changed_shots(project, browser, served):
    file = project.root / "storyboards/squares.yaml"
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
    file.write_text(before)


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


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch, capsys):
    import sys

    from clockhead.cli import main

    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(SystemExit) as ended:
        main(["studio", "rope", "--no-open"])
    assert ended.value.code == 1
    said = capsys.readouterr().err
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
    ps = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True).stdout
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

    import httpx

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


def test_two_studios_never_overwrite_each_other_s_film(project, two_pages):
    file = project.root / "storyboards/squares.yaml"
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
    file.write_text(before)


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


def test_watch_reports_a_file_that_is_missing_or_not_text(project, served):
    file = project.root / "storyboards/squares.yaml"
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
    import httpx

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

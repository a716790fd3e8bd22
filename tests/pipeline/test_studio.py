"""The studio without a socket: who has access, what edits do, and clips of single shots."""

import asyncio
import io
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

pytest.importorskip("sse_starlette", reason="the studio is an extra")
pytest.importorskip("httpx", reason="the studio is tried with httpx")
from starlette.testclient import TestClient

from clockhead.libraries import PROJECT
from clockhead.look import Wish
from clockhead.scenes.stage import find_stage
from clockhead.studio import session as sessions
from clockhead.studio.access import AccessControl
from clockhead.studio.draw_job import _offer_stops, stage_controls
from clockhead.studio.rendering import Renderer, StudioClips
from clockhead.studio.server import Studio, application
from clockhead.studio.session import Session
from clockhead.trust import trust
from tests.pipeline.project import wait_until
from tests.pipeline.studio import SQUARES as FILM

pytestmark = pytest.mark.xdist_group("studio")

PORT = 8321
OWN = f"http://127.0.0.1:{PORT}"
TINY = Path(__file__).with_name("tiny") / "moving.py"

NOTED = """\
version: 1
title: Noted
shots:
  - {stage: small.noting, inputs: {moves: 1}}
"""
HANDLED = """\
version: 1
title: Handled
shots:
  - stage: small.moving
    inputs: {moves: 1}
    handles: {most: "3:7:2"}
  - stage: previous_token.sharpness
    handles: {text: [to be or not to be, a b], alpha: [2, 0.5]}
  - id: again
    stage: previous_token.sharpness
"""
LIKED = """\
version: 1
title: Liked
shots:
  - stage: small.liked
    inputs: {data: data/heads.npz}
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

    @contextmanager
    def listen(self) -> Iterator[Callable[[], list[dict[str, Any]]]]:
        """Subscribe as a page does; the events that it is told so far can be asked for."""
        queue = self.session.subscribe()
        yield lambda: [event for event in list(queue._queue) if event]
        self.session.unsubscribe(queue)

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

    def begin_clip(self) -> int:
        """Begin the clip of the first shot and hold it still: the process that draws it."""
        drawn = len(self.drawn_by())
        (self.home / "wait").touch()
        assert self.post("/clip", shot=0).status_code == 204
        wait_until(lambda: len(self.drawn_by()) > drawn)
        return self.drawn_by()[-1][0]

    def drawn_by(self) -> list[tuple[int, int]]:
        """The processes that drew clips of the noting stage, and their parents."""
        noted = self.home / "drawn_by"
        lines = noted.read_text().splitlines() if noted.exists() else []
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
    shutil.copy(Path(__file__).with_name("liked_stage.py"), home / "stages/small/liked.py")
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
            ("/handle", b'{"text": "a", "name": "moves", "on": true}'),
            ("/handle", b'{"text": "a", "shot": 0, "name": "moves", "on": 1}'),
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
        with shop.listen() as told:
            after = shop.edit(FILM.replace("moves: 3", "moves: 4"), 1)
            wait_until(lambda: any(e["event"] == "done" for e in told()))
        assert keys(after)[0] == keys(before)[0] != keys(after)[1] != keys(before)[1]
        assert {e["key"] for e in told() if e["event"] == "still"} == {keys(after)[1]}
        assert file.read_text() == FILM
        assert after["saved"] is False

    def test_the_edited_shot_is_drawn_first(self, shop):
        shop.open(FILM)
        with shop.listen() as told:
            text = FILM.replace("moves: 3", "moves: 5").replace("moves: 2", "moves: 6")
            state = shop.edit(text, 1)
        assert [e["key"] for e in told() if e["event"] == "shot"] == keys(state)[::-1]

    def test_an_error_has_a_line_and_the_other_shots_stay(self, shop):
        shop.open(FILM)
        before = shop.state()
        state = shop.edit(FILM.replace("moves: 3", "moves: 30"))
        [remark] = state["read"]["remarks"]
        assert (remark["line"], remark["column"], remark["shot"]) == (11, 14, 1)
        assert "30 is too large; moves must be a whole number from 0 to 9" in remark["message"]
        assert keys(state) == [keys(before)[0], None]

    def test_data_files_are_read_again_when_they_change(self, shop):
        def write(patterns):
            np.savez(shop.home / "data/heads.npz", tokens=["a", "b"], patterns=[[patterns]])

        (shop.home / "data").mkdir()
        write([[1, 0], [0.25, 0.75]])
        shop.open(LIKED, "liked")
        before = shop.state()
        assert "75.0%" in before["stills"][-1]["sentence"]
        write([[1, 0], [0.125, 0.875]])
        after = shop.edit(LIKED.replace("title: Liked", "title: Liked again"))
        assert "87.5%" in after["stills"][-1]["sentence"]
        assert keys(after) != keys(before)
        write([[1, 0], [1, 0.75]])
        [remark] = shop.edit(LIKED)["read"]["remarks"]
        assert (remark["line"], remark["kind"]) == (5, "error")
        assert "row 1 of head 0.0 sums to 1.75" in remark["message"]

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

    def test_handles_come_first_with_their_stops(self, shop):
        shop.open(HANDLED)
        stops = {
            shot["place"]: {one["name"]: one["stops"] for one in shot["controls"]}
            for shot in shop.state()["read"]["shots"]
        }
        assert next(iter(stops[0].items())) == ("most", [3, 5, 7])
        assert list(stops[1].items())[:2] == [
            ("text", ["to be or not to be", "a b"]),
            ("alpha", [0.5, 2]),
        ]
        assert list(stops[2].items())[:1] == [("alpha", [0.5, *range(1, 21)])]
        handles = [
            [one["name"] for one in shot["controls"] if one["is_handle"]]
            for shot in shop.state()["read"]["shots"]
        ]
        assert handles == [["most"], ["text", "alpha"], ["alpha"]]

    def test_an_input_becomes_a_handle_and_none_again(self, shop):
        shop.open(HANDLED)
        answer = shop.post("/handle", text=HANDLED, shot=0, name="moves", on=True)
        line = '    handles: {most: "3:7:2", moves: "0:9"}\n'
        assert answer.json()["text"].splitlines(keepends=True)[5] == line
        moves = shop.settle()["read"]["shots"][0]["controls"][1]
        assert (moves["name"], moves["is_handle"], moves["stops"]) == ("moves", True, [*range(10)])
        answer = shop.post("/handle", text=shop.session.text, shot=0, name="moves", on=False)
        assert answer.json()["text"] == HANDLED
        shop.settle()
        for name in ("alpha", "text"):
            on = name == "text"
            answer = shop.post("/handle", text=shop.session.text, shot=2, name=name, on=on)
            shop.settle()
        words = "the cat sat on the mat and ran"
        assert answer.json()["text"] == f"{HANDLED}    handles: {{text: [{words}]}}\n"

    def test_a_handle_that_cannot_be_written_is_refused(self, shop):
        shop.open(HANDLED)
        for body in ({"shot": 7, "name": "moves"}, {"shot": 0, "name": "nonsuch"}):
            assert shop.post("/handle", text=HANDLED, on=True, **body).status_code == 422
        full = HANDLED.replace("alpha: [", "d_head: [4], base: [3], alpha: [")
        shop.edit(full)
        refused = shop.post("/handle", text=full, shot=1, name="m", on=True)
        assert refused.status_code == 422
        assert "4 handles" in refused.json()["problem"]
        assert shop.session.text == full

    def test_offered_handles_are_legal_and_few(self):
        from clockhead.scenes.stage import stage_names
        from clockhead.storyboard.handles import read_stops
        from clockhead.storyboard.inputs import validate
        from clockhead.storyboard.models import MAX_STOPS
        from clockhead.storyboard.problems import Place

        for name in stage_names():
            stage = find_stage(name)
            for control in stage_controls(stage, {}, None, 0):
                offered = _offer_stops(control)
                if offered is None:
                    assert control.default in (None, "", [])
                    continue
                stops = read_stops(offered, Place(""))
                assert 1 <= len(stops) <= MAX_STOPS, (name, control.name)
                for stop in stops:
                    _, errors = validate(stage, {control.name: stop})
                    wrong = [one for one in errors if one["loc"][:1] == (control.name,)]
                    assert not wrong, (name, control.name, offered, stop)

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
        one, other = FILM.replace("Squares", "Mine"), FILM.replace("Squares", "Yours")
        added = {"stage": "small.moving"}
        with shop.listen() as told:
            assert shop.post("/edit", text=one, revision=revision).status_code == 200
            for path, more in (("/edit", {}), ("/save", {"file": "x"}), ("/add", added)):
                answer = shop.post(path, text=other, revision=revision, **more)
                assert (answer.status_code, answer.json()["stale"]) == (409, True)
            assert shop.session.text == one
        texts = [(e["text"], e["saved"]) for e in told() if e["event"] == "text"]
        assert texts == [(one, False)]
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
        with shop.listen() as told:
            os.kill(shop.session._worker.pid, signal.SIGKILL)
            wait_until(lambda: any(e["event"] == "gone" for e in told()))
        state = shop.edit(FILM.replace("moves: 3", "moves: 7"), 1)
        assert state["stills"][-1]["key"] == keys(state)[1]

    def test_a_worker_that_never_finishes_is_killed(self, shop, monkeypatch):
        shop.open(FILM)
        monkeypatch.setattr(sessions, "TIME_TO_READ", 1.0)
        with shop.listen() as told:
            shop.post("/edit", text=FILM.replace("small.moving\n", "small.forever\n"))
            wait_until(lambda: any(e["event"] == "gone" for e in told()))
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
        process = shop.renderer.pid
        shop.edit(NOTED.replace("moves: 1", "moves: 5"))
        drawer = shop.begin_clip()
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
        drawer, died = shop.begin_clip(), shop.renderer.pid
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
        with monkeypatch.context() as patch, shop.listen() as told:
            # The page may be quicker than what follows the files.
            patch.setattr(StudioClips, "forget", lambda _: asyncio.sleep(0))
            source.write_text(TINY.read_text().replace("moved {moves} times", "was pushed"))
            clips = shop.take(0)
            assert "It was pushed." in shop.client.get(f"/clips/{key}.vtt").text
            assert shop.renderer.pid != before
            said = [e for e in told() if e["event"] in ("gone", "render")]
            assert (key in clips["failures"], said) == (False, [])
            shop.settle()
        source.write_text(TINY.read_text())
        wait_until(lambda: not shop.clips()["made"])


def probe(video: bytes) -> list[Any]:
    with av.open(io.BytesIO(video)) as container:
        return list(container.streams.video)


def keys_of(made: dict[str, str], name: str) -> str:
    return next(key for key, file in made.items() if name in file)

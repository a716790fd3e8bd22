"""The workshop in the browser: what is typed is drawn, and nothing is written unasked."""

import asyncio
import io
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import pytest
import yaml

pytest.importorskip("starlette", reason="the studio is an extra")
pytest.importorskip("httpx", reason="the studio is tried with httpx")
from starlette.testclient import TestClient

from clockhead.libraries import HOME
from clockhead.pipeline.look import Wish
from clockhead.pipeline.studio import bench
from clockhead.pipeline.studio import desk as desks
from clockhead.pipeline.studio.clips import Clips
from clockhead.pipeline.studio.desk import Desk
from clockhead.pipeline.studio.rendering import Rendering
from clockhead.pipeline.studio.rewrite import NotRewritten, with_value
from clockhead.pipeline.studio.server import Studio, application
from clockhead.trust import trust
from tests.pipeline.browser import Browser, chromium
from tests.pipeline.project import PATIENCE, Project, wait_until
from tests.pipeline.warm import WarmPython, parent_of_commands

pytestmark = pytest.mark.xdist_group("studio")

PORT, TOKEN = 8321, "a-token-that-nobody-guesses"
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

HOME = Path(__file__).parents[2]


class Noting(Moving):
    \"\"\"Notes which process draws its clip, and holds still while it is told to.\"\"\"

    @beat()
    def move(self) -> Steps:
        with (HOME / "drawn_by").open("a") as file:
            file.write(f"{os.getpid()} {os.getppid()}\\n")
        while (HOME / "wait").exists():
            time.sleep(0.02)
        yield from super().move()
"""


WARM_PROCESSES = SimpleNamespace(
    Popen=WarmPython, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired
)
"""Those of the studio that is tried without a socket; the others import Manim for themselves."""


@dataclass
class Shop:
    """The studio without a socket, as a page would talk to it."""

    client: TestClient
    desk: Desk
    home: Path
    rendering: Rendering

    def open(self, text: str, name: str = "squares") -> Path:
        """Lay a new file on the desk, and wait until all of it is drawn."""
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
        """All there is, once nothing more is to come."""

        def over() -> bool:
            state = self.state()
            read, number = state["read"], self.desk.number
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
        """Render the clip of a shot; what there is of clips when that is over."""
        assert self.post("/clip", shot=shot).status_code == 204
        wait_until(lambda: not self.rendering.is_running and not self.clips()["making"])
        return self.clips()

    def drawn_by(self) -> list[tuple[int, int]]:
        """The processes that drew clips of the noting stage, and their parents."""
        lines = (self.home / "drawn_by").read_text().splitlines()
        found = [(int(pid), int(parent)) for pid, parent in map(str.split, lines)]
        return [(pid, parent) for pid, parent in found if parent != parent_of_commands()]


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
        patch.setenv(HOME, str(home))
        patch.setattr(bench, "subprocess", WARM_PROCESSES)
        desk = Desk(Wish())
        rendering = Rendering(home / "media")
        studio = Studio(desk, rendering, Clips(desk, rendering))
        with TestClient(application(studio, TOKEN, PORT), base_url=OWN) as client:
            assert client.get(f"/?token={TOKEN}").status_code == 200
            yield Shop(client, desk, home, rendering)


class TestRewriting:
    """A value is changed where it is written, and comments stay."""

    def test_a_value_in_a_block(self):
        text = with_value(FILM, ("shots", 1, "inputs", "moves"), 5)
        assert text == FILM.replace("moves: 3 ", "moves: 5 ")

    def test_a_value_in_braces(self):
        text = with_value(FILM, ("shots", 0, "inputs", "moves"), 7)
        assert text == FILM.replace("{moves: 2}", "{moves: 7}")

    def test_a_value_that_is_not_there_yet(self):
        first = with_value(FILM, ("shots", 0, "inputs", "most"), 4)
        assert first == FILM.replace("{moves: 2}", "{moves: 2, most: 4}")
        second = with_value(FILM, ("shots", 1, "inputs", "most"), 4)
        assert second == FILM.replace("# three of them\n", "# three of them\n      most: 4\n")

    def test_inputs_that_are_not_there_yet(self):
        text = "shots:\n  - stage: a.b  # why\n    hold: 1\n  - {stage: c.d}"
        block = with_value(text, ("shots", 0, "inputs", "m"), 0.5)
        assert block == text.replace("# why\n", "# why\n    inputs: {m: 0.5}\n")
        braces = with_value(text, ("shots", 1, "inputs", "m"), True)
        assert braces == text.replace("c.d", "c.d, inputs: {m: true}")
        last = with_value("shots:\n  - stage: a.b", ("shots", 0, "inputs", "m"), 1)
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
    def test_values_of_every_kind(self, before, value, after):
        assert with_value(before, ("a",), value) == after
        assert yaml.safe_load(after)["a"] == value

    def test_what_cannot_be_read_is_not_touched(self):
        with pytest.raises(NotRewritten, match="mend the storyboard first: line 1"):
            with_value("a: [1, 2", ("a",), 3)
        with pytest.raises(NotRewritten, match="there is no"):
            with_value("shots: []\n", ("shots", 3, "inputs"), 3)


class TestGate:
    """Only the page that was given the token comes in."""

    @pytest.fixture
    def stranger(self, shop) -> TestClient:
        return TestClient(shop.client.app, base_url=OWN, follow_redirects=False)

    def test_the_token_becomes_a_cookie(self, stranger):
        assert stranger.get("/state").status_code == 403
        assert stranger.get("/?token=another").status_code == 403
        answer = stranger.get(f"/?token={TOKEN}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert {"HttpOnly", "SameSite=strict"} <= set(answer.headers["set-cookie"].split("; "))
        assert stranger.get("/state").status_code == 200

    @pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1"])
    def test_a_name_that_was_made_to_stand_for_this_machine_is_refused(self, shop, host):
        assert shop.client.get("/state", headers={"Host": host}).status_code == 403

    @pytest.mark.parametrize("origin", [None, "http://evil.example", "http://127.0.0.1:1", "null"])
    def test_another_page_can_change_nothing(self, shop, origin):
        headers = {"Origin": origin} if origin else {}
        answer = shop.client.post("/edit", json={"text": "stolen"}, headers=headers)
        assert answer.status_code == 403
        assert shop.desk.text != "stolen"

    def test_another_page_can_look_at_nothing(self, shop):
        answer = shop.client.get("/state", headers={"Sec-Fetch-Site": "same-site"})
        assert answer.status_code == 403

    def test_the_page_is_told_to_ask_nobody_else(self, shop):
        headers = shop.client.get("/").headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


class TestDesk:
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

    def test_an_edit_draws_the_changed_shot_alone_and_writes_nothing(self, shop):
        file = shop.open(FILM)
        before = shop.state()
        heard = shop.desk.listen()
        after = shop.edit(FILM.replace("moves: 3", "moves: 4"), 1)
        wait_until(lambda: any(e["event"] == "done" for e in list(heard._queue)))
        shop.desk.leave(heard)
        assert keys(after)[0] == keys(before)[0] != keys(after)[1] != keys(before)[1]
        events = [heard.get_nowait() for _ in range(heard.qsize())]
        assert {e["key"] for e in events if e["event"] == "still"} == {keys(after)[1]}
        assert file.read_text() == FILM
        assert after["saved"] is False

    def test_the_shot_that_was_edited_is_drawn_first(self, shop):
        shop.open(FILM)
        heard = shop.desk.listen()
        text = FILM.replace("moves: 3", "moves: 5").replace("moves: 2", "moves: 6")
        state = shop.edit(text, 1)
        shop.desk.leave(heard)
        events = [heard.get_nowait() for _ in range(heard.qsize())]
        drawn = [event["key"] for event in events if event["event"] == "shot"]
        assert drawn == keys(state)[::-1]

    def test_an_error_has_its_place_and_the_other_shots_stay(self, shop):
        shop.open(FILM)
        before = shop.state()
        state = shop.edit(FILM.replace("moves: 3", "moves: 30"))
        [remark] = state["read"]["remarks"]
        assert (remark["line"], remark["column"], remark["shot"]) == (11, 14, 1)
        assert "30 is too large; moves must be a whole number from 0 to 9" in remark["message"]
        assert keys(state) == [keys(before)[0], None]

    def test_no_more_is_listed_than_somebody_reads(self, shop):
        shop.open(FILM)
        unknown = "".join(f"key{n}: 1\n" for n in range(30))
        remarks = shop.edit(unknown + FILM)["read"]["remarks"]
        assert len(remarks) == 21
        assert remarks[-1]["message"] == "and 10 more"

    def test_what_is_half_typed_takes_no_picture_away(self, shop):
        shop.open(FILM)
        before = shop.state()
        state = shop.edit(FILM.replace("shots:\n", "shots: [\n"))
        assert state["read"]["remarks"][0]["kind"] == "error"
        assert keys(state) == keys(before)

    def test_a_broken_claim_shows_its_value(self, shop):
        shop.open(FILM)
        state = shop.edit(FILM.replace("{moves: 2}", "{moves: 2, most: 1}"))
        [remark] = state["read"]["remarks"]
        assert remark["kind"] == "claim"
        assert (remark["line"], remark["shot"]) == (5, 0)
        assert "it moves no more than it may: this does not hold; 2 times" in remark["message"]
        assert all(keys(state)), "it is drawn all the same"

    def test_controls_are_made_of_the_schema(self, shop):
        shop.open(FILM)
        moves, most = shop.state()["read"]["shots"][1]["controls"]
        assert moves["kind"] == "number"
        assert (moves["least"], moves["most"], moves["step"]) == (0, 9, 1)
        assert (moves["value"], moves["given"]) == (3, "shot")
        assert moves["about"] == "how often it moves"
        assert (most["value"], most["given"]) == (9, "")

    def test_a_turned_input_is_written_into_the_text(self, shop):
        shop.open(FILM)
        [moves, _] = shop.state()["read"]["shots"][1]["controls"]
        answer = shop.post("/set", text=FILM, at=moves["at"], value=1, shot=1)
        assert answer.json()["text"] == FILM.replace("moves: 3 ", "moves: 1 ")
        assert shop.settle()["read"]["shots"][1]["controls"][0]["value"] == 1
        refused = shop.post("/set", text="a: [", at=["a"], value=1)
        assert (refused.status_code, shop.desk.text) == (422, answer.json()["text"])

    def test_another_look_is_not_written_into_the_text(self, shop):
        file = shop.open(FILM)
        before = shop.state()
        assert shop.post("/look", theme="paper", aspect="1:1").status_code == 200
        state = shop.settle()
        assert not {*keys(before)} & {*keys(state)}
        assert state["read"]["width"] == state["read"]["height"]
        assert shop.post("/look", theme="neon").status_code == 422
        shop.post("/look", theme=None, aspect=None)
        assert keys(shop.settle()) == keys(before)
        assert file.read_text() == FILM == shop.desk.text

    def test_it_is_saved_when_asked(self, shop):
        file = shop.open(FILM)
        text = FILM.replace("Squares", "More squares")
        assert shop.post("/save", text=text, file=str(file)).status_code == 200
        assert file.read_text() == text
        assert shop.state()["saved"] is True

    def test_saving_asks_before_it_overwrites_what_others_wrote(self, shop):
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
        assert shop.post("/save", text=text, file=str(file), over=True).status_code == 200
        assert file.read_text() == text

    def test_windows_line_ends_stay(self, shop):
        file = shop.home / "storyboards/windows.yaml"
        file.write_bytes(FILM.replace("\n", "\r\n").encode())
        shop.post("/open", film="./storyboards/windows.yaml")
        shop.post("/save", text=FILM.replace("Squares", "Windows"), file=str(file))
        assert (
            file.read_bytes() == FILM.replace("Squares", "Windows").replace("\n", "\r\n").encode()
        )

    def test_a_bad_name_is_refused_with_what_is_allowed(self, shop):
        shop.open(FILM)
        answer = shop.post("/save", text=FILM, file="Bad Name.yaml")
        assert answer.status_code == 422
        assert "a-z, 0-9" in answer.json()["problem"]

    def test_another_program_s_save_is_followed(self, shop):
        file = shop.open(FILM)
        replacement = file.with_name(".squares.swp")  # as many editors save
        replacement.write_text(FILM.replace("moves: 3", "moves: 8"))
        replacement.replace(file)
        wait_until(lambda: "moves: 8" in shop.state()["text"])
        [remark] = shop.settle()["read"]["remarks"]
        assert "moves is 8, not < 8" in remark["message"]

    def test_an_edited_stage_is_drawn_anew(self, shop):
        shop.open(FILM)
        source = shop.home / "stages/small/moving.py"
        source.write_text(TINY.read_text().replace("A square, moved", "A square, pushed"))
        wait_until(lambda: shop.settle()["read"]["shots"][0]["title"] == "A square, pushed")
        source.write_text(TINY.read_text())
        wait_until(lambda: shop.settle()["read"]["shots"][0]["title"] == "A square, moved")

    def test_a_worker_that_dies_is_started_again(self, shop):
        shop.open(FILM)
        heard = shop.desk.listen()
        shop.desk._bench._worker._process.kill()
        wait_until(lambda: any(e["event"] == "gone" for e in list(heard._queue)))
        shop.desk.leave(heard)
        state = shop.edit(FILM.replace("moves: 3", "moves: 7"), 1)
        assert state["stills"][-1]["key"] == keys(state)[1]

    def test_a_worker_that_computes_without_end_is_given_up(self, shop, monkeypatch):
        shop.open(FILM)
        monkeypatch.setattr(desks, "PATIENCE", 1.0)
        heard = shop.desk.listen()
        shop.post("/edit", text=FILM.replace("small.moving\n", "small.forever\n"))
        wait_until(lambda: any(e["event"] == "gone" for e in list(heard._queue)))
        shop.desk.leave(heard)
        monkeypatch.undo()
        assert all(keys(shop.edit(FILM)))

    def test_without_a_film_one_is_chosen_from_those_there_are(self, tmp_path):
        desk = Desk(Wish())
        assert "rope" in desk.snapshot()["films"]


class TestClips:
    """Clips of single shots, from a process that stays warm."""

    def test_it_is_of_the_shot_as_it_stands_in_the_text(self, shop):
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

    def test_one_process_renders_all_and_one_fork_server_starts_all_that_draw(self, shop):
        shop.open(NOTED)
        shop.take(0)
        first = shop.rendering.pid
        shop.edit(NOTED.replace("moves: 1", "moves: 2"))
        shop.take(0)
        [(one, parent), (other, other_parent)] = shop.drawn_by()
        assert shop.rendering.pid == first
        assert (one != other, parent) == (True, other_parent)

    def test_what_is_there_is_not_rendered_again(self, shop):
        shop.open(NOTED)
        shop.take(0)
        drawn = shop.drawn_by()
        shop.take(0)
        assert shop.drawn_by() == drawn

    def test_a_clip_gives_way_to_the_next_of_its_shot(self, shop):
        shop.open(FILM)
        # What the test before did to the stages may be noticed only now: then a clip is given up.
        old = shop.take(1)["made"] or shop.take(1)["made"]
        key = keys(shop.edit(FILM.replace("moves: 3", "moves: 6"), 1))[1]
        assert {*shop.take(1)["made"]} == {*old} - {keys_of(old, "02-two")} | {key}

    def test_what_does_not_hold_is_not_rendered(self, shop):
        shop.open(FILM.replace("moves: 3", "moves: 8"))
        clips = shop.take(1)
        [(key, said)] = clips["failures"].items()
        assert "moves is 8, not < 8" in said
        assert key not in clips["made"]
        assert shop.post("/clip", shot=7).status_code == 422

    def test_what_is_called_off_leaves_nothing_and_the_next_is_made_by_the_same_process(self, shop):
        shop.open(NOTED)
        shop.take(0)
        process, drawn = shop.rendering.pid, len(shop.drawn_by())
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
        assert shop.rendering.pid == process

    def test_a_process_that_dies_is_said_and_replaced(self, shop):
        shop.open(NOTED.replace("moves: 1", "moves: 7"))
        key = keys(shop.state())[0]
        (shop.home / "wait").touch()
        drawn = len(shop.drawn_by())
        shop.post("/clip", shot=0)
        wait_until(lambda: len(shop.drawn_by()) > drawn)
        drawer, died = shop.drawn_by()[-1][0], shop.rendering.pid
        os.kill(died, signal.SIGKILL)
        wait_until(lambda: key in shop.clips()["failures"])
        assert "ended (SIGKILL)" in shop.clips()["failures"][key]
        wait_until(lambda: not Path(f"/proc/{drawer}").exists())
        (shop.home / "wait").unlink()
        clips = shop.take(0)
        assert key in clips["made"]
        assert key not in clips["failures"]
        assert shop.rendering.pid != died

    def test_an_edited_stage_is_rendered_by_a_new_process_without_a_word(self, shop, monkeypatch):
        shop.open(FILM)
        shop.take(0)
        key, before = keys(shop.state())[0], shop.rendering.pid
        source = shop.home / "stages/small/moving.py"
        heard = shop.desk.listen()
        with monkeypatch.context() as patch:
            # The page may be quicker than what follows the files.
            patch.setattr(Clips, "forget", lambda _: asyncio.sleep(0))
            source.write_text(TINY.read_text().replace("moved {moves} times", "was pushed"))
            clips = shop.take(0)
            assert "It was pushed." in shop.client.get(f"/clips/{key}.vtt").text
            assert shop.rendering.pid != before
            said = [e for e in list(heard._queue) if e and e["event"] in ("gone", "render")]
            assert (key in clips["failures"], said) == (False, [])
            shop.settle()
        shop.desk.leave(heard)
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

    def start(*args: str) -> tuple[Any, str]:
        process = project.start(*args, "--no-open")
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


ALL_DRAWN = "document.querySelectorAll('#shots figure:not(.old) img').length === 6"


def test_the_studio_in_a_browser(project, browser, served):
    file = project.root / "storyboards/squares.yaml"
    before = file.read_text()
    _, address = served("studio", "squares", "-o", "media")
    browser.open(address)
    browser.wait(ALL_DRAWN, PATIENCE)
    assert browser.run("return location.search") == "", "the token is not left in the address bar"

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
    assert browser.barriers() == []
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
    status = "return fetch('/film.mp4').then((a) => [a.status, a.headers.get('content-type')])"
    assert browser.run(status) == [200, "video/mp4"]
    assert browser.said() == []
    assert browser.asked() == {address.split("/")[2]}

    # A shot that is not saved is rendered as it stands, and played.
    browser.click("#rendering menu button")
    browser.click("li.chosen .take")
    browser.wait("document.querySelector('li.chosen video').duration > 1", PATIENCE)
    assert browser.run("return document.querySelector('li.chosen .take').hidden")
    browser.run("text.value = text.value.replace('moves: 6', 'moves: 7')")
    browser.run("text.dispatchEvent(new Event('input'))")
    browser.wait("document.querySelector('li.chosen .clip.old')")
    browser.click("li.chosen .take")
    browser.wait("document.querySelector('li.chosen .clip:not(.old)')", PATIENCE)
    assert "moves: 6 " in file.read_text()
    assert browser.barriers() == []
    assert browser.said() == []
    of_chromium = {"data"}  # the buttons that it draws below a clip
    assert browser.asked() - of_chromium == {address.split("/")[2]}
    file.write_text(before)


def test_watch_follows_the_file_and_says_what_is_wrong(project, browser, served):
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
    assert browser.barriers() == []
    answer = "fetch('/save', {method: 'POST', body: '{}'}).then((a) => a.status)"
    assert browser.run(f"return {answer}") == 404, "it edits nothing"
    assert file.read_text() == before.replace("moves: 3", "moves: 30")
    file.write_text(before)


def test_watch_renders_the_clips_of_what_changes(project, browser, served):
    file = project.root / "storyboards/squares.yaml"
    before = file.read_text()
    process, address = served("watch", "squares", "--render", "-o", "media")
    browser.open(address)
    made = "document.querySelectorAll('#shots .clip:not(.old) video[src]')"
    browser.wait(f"{made}.length === 2", PATIENCE)
    assert browser.run("return document.querySelector('.take')") is None
    told = [process.stdout.readline() for _ in range(2)]
    assert sorted(told) == [f"media/squares/480p15/shots/{n}.mp4\n" for n in ("01-one", "02-two")]
    [one, two] = browser.run(f"return [...{made}].map((video) => video.src)")
    file.write_text(before.replace("moves: 3", "moves: 5"))
    browser.wait(f"{made}.length === 2 && {made}[1].src !== '{two}'", PATIENCE)
    assert browser.run(f"return {made}[0].src") == one
    assert process.stdout.readline() == told[1]
    assert browser.barriers() == []
    file.write_text(before)


def test_the_quality_of_clips_is_for_those_who_want_some(project):
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
        import httpx

        with httpx.Client(base_url=address.split("/?")[0], follow_redirects=True) as client:
            own = {"Origin": address.split("/?")[0]}
            client.get(address)
            assert client.post("/render", json={"quality": "l"}, headers=own).status_code == 204
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


def test_a_taken_port_is_said(project, served):
    _, address = served("studio")
    done = project.run("studio", "--no-open", "--port", address.split(":")[2].split("/")[0])
    assert done.returncode == 2
    assert "cannot be used" in done.stderr
    assert "leave out --port" in done.stderr


def test_what_is_missing_is_said_with_what_installs_it(monkeypatch, capsys):
    import sys

    from clockhead.pipeline.cli import main

    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(SystemExit) as ended:
        main(["studio", "rope", "--no-open"])
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert "the studio needs watchfiles; install it with: " in said
    assert "pip install" in said
    assert "starlette" in said


def test_a_film_that_is_not_there_is_told_as_by_every_command(project):
    done = project.run("studio", "sqares", "--no-open")
    assert done.returncode == 2
    assert "did you mean squares?" in done.stderr

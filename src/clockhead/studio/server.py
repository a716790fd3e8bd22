"""The page's server: on this machine alone, for a browser that was given its address."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib import resources
from pathlib import Path
from types import FrameType
from typing import Annotated, TypeVar

import uvicorn
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from clockhead.look import ASPECTS, QUALITIES
from clockhead.places import relative_path
from clockhead.scenes.catalogues import languages
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.theme import CHALK, PAPER, THEMES
from clockhead.storyboard.problems import StoryboardError, unknown_name
from clockhead.storyboard.scalars import Value
from clockhead.storyboard.yaml_reader import MAX_BYTES, parse_value
from clockhead.studio.clips import Clips
from clockhead.studio.completion import completion
from clockhead.studio.desk import Busy, Desk, Stale, Unasked
from clockhead.studio.following import follow_file, follow_stages
from clockhead.studio.gate import Gate, Keys
from clockhead.studio.news import Made
from clockhead.studio.rendering import Rendering
from clockhead.studio.rewrite import NotRewritten, with_shot, with_value

HERE = "127.0.0.1"
_PAGE = "clockhead.studio.page"
_OWN = {"studio.css": "text/css", "studio.js": "text/javascript"}
_FACES = {400: "SourceSansPro-Regular.otf", 600: "SourceSansPro-Semibold.otf"}
_TEMPLATES = Environment(
    loader=PackageLoader("clockhead.studio", "page"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_MOST = 4 * MAX_BYTES
"""Bytes that a browser may send at once: a storyboard with every character escaped."""
_LOOK = 0.5
"""Seconds between two looks whether all stills are there."""
_HEARTBEAT = 15.0
"""Seconds after which a stream of events says something, so that a browser that left is noticed."""


class Refused(Exception):
    """A request that cannot be done; the message is for the page."""


class Malformed(Exception):
    """A request that no page of ours makes."""


class _Request(BaseModel):
    """What a page sends: a JSON object with these keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Name = Annotated[str, Field(max_length=4096, pattern=r"^[^\x00-\x1f]*$")]
Place = Annotated[int, Field(ge=0)]


class Nothing(_Request):
    """There is nothing to say."""


class Edit(_Request):
    """Another text."""

    text: str
    shot: Place | None = None
    """The shot that is drawn before the others."""
    revision: int | None = None
    """Which text it was made of."""

    @property
    def lines(self) -> str:
        """The text, its lines ended as they are on a page."""
        return self.text.replace("\r\n", "\n")


class Turn(Edit):
    """Another value of an input; with `yaml` it is what is to be written."""

    at: tuple[str | int, ...] = Field(min_length=1, max_length=20)
    value: bool | int | float | str | None
    yaml: bool = False


class Add(Edit):
    """One shot more, after `shot`."""

    stage: Name


class Complete(Edit):
    """What might be typed here; `at` counts characters."""

    at: Place


class Save(Edit):
    """Write the text to a file; `over` is the version of a file there that may be lost."""

    file: Name
    over: Annotated[str, Field(max_length=64)] = ""


class LookAt(_Request):
    """Another look; null is as the storyboard says, and what is left out stays."""

    theme: Name | None = None
    aspect: Name | None = None
    language: Name | None = None


class Open(_Request):
    """A film to be edited."""

    film: Name


class Render(_Request):
    """The film, in a quality."""

    quality: Name


class Take(_Request):
    """The clip of a shot."""

    shot: Place


Asked = TypeVar("Asked", bound=_Request)

_CLIP = {".mp4": "video/mp4", ".vtt": "text/vtt", ".png": "image/png"}
"""What there is of a clip: itself, its words, its poster."""


@dataclass(frozen=True)
class Studio:
    """The desk, what is rendered at it, and the requests that a page makes of both."""

    desk: Desk
    rendering: Rendering
    clips: Clips
    keeps_up: bool = False
    """Whether there is to be a clip of every shot, unasked."""

    # What is looked at

    async def page(self, _: Request) -> Response:
        text = _TEMPLATES.get_template("page.html.jinja").render(
            themes={"dark": CHALK, "light": PAPER},
            faces=_FACES,
            choices={"theme": list(THEMES), "aspect": list(ASPECTS), "language": languages()},
            qualities={letter: str(quality) for letter, quality in QUALITIES.items()},
            watching=self.desk.watching,
        )
        return Response(text, media_type="text/html")

    async def own(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _OWN:
            return PlainTextResponse("there is no such file\n", 404)
        text = resources.files(_PAGE).joinpath(name).read_text("utf-8")
        return Response(text, media_type=_OWN[name])

    async def face(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _FACES.values():
            return PlainTextResponse("there is no such face\n", 404)
        return FileResponse(FONT_DIR / name, media_type="font/otf")

    async def still(self, request: Request) -> Response:
        shot = self.desk.stills.get(request.path_params["key"], [])
        place = request.path_params["place"]
        if place >= len(shot):
            return PlainTextResponse("there is no such still\n", 404)
        # Drawn again after an edit of its stage it would have the same address.
        return Response(shot[place].picture, media_type="image/png")

    async def film(self, _: Request) -> Response:
        film = self.rendering.film
        if film is None or not film.is_file():
            return PlainTextResponse("no film was rendered here\n", 404)
        return FileResponse(film, media_type="video/mp4")

    async def clip(self, request: Request) -> Response:
        name = Path(request.path_params["name"])
        found = self.clips.file(name.stem)
        if found is None or name.suffix not in _CLIP or not found.is_file():
            return PlainTextResponse("there is no such clip\n", 404)
        return FileResponse(found.with_suffix(name.suffix), media_type=_CLIP[name.suffix])

    async def state(self, _: Request) -> Response:
        return JSONResponse({**self.desk.snapshot(), "clips": self.clips.about()})

    async def events(self, _: Request) -> Response:
        return StreamingResponse(self._events(), media_type="text/event-stream")

    async def _events(self) -> AsyncIterator[str]:
        queue = self.desk.listen()
        queue.put_nowait(self.clips.about())
        try:
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), _HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                yield f"data: {json.dumps(event)}\n\n"
        finally:
            self.desk.leave(queue)

    # What is done

    async def edit(self, request: Request) -> Response:
        asked = await _asked(request, Edit)
        self.desk.edit(asked.lines, asked.shot, asked.revision)
        return JSONResponse({"number": self.desk.number, "revision": self.desk.revision})

    async def set(self, request: Request) -> Response:
        """Write one value into the text; the page takes the text that comes back."""
        asked = await _asked(request, Turn)
        value: Value = asked.value
        if asked.yaml:
            value = parse_value(str(value), "this value") if str(value).strip() else None
        rewrite = partial(with_value, asked.lines, asked.at, value)
        return self._rewritten(asked, rewrite, asked.shot)

    async def add(self, request: Request) -> Response:
        """Write one shot more into the text."""
        asked = await _asked(request, Add)
        stages = [stage.name for stage in self.desk.stages]
        if stages and asked.stage not in stages:
            raise Refused(unknown_name("stage", asked.stage, stages))
        after = asked.shot
        rewrite = partial(with_shot, asked.lines, asked.stage, after)
        return self._rewritten(asked, rewrite, None if after is None else after + 1)

    def _rewritten(self, asked: Edit, rewrite: Callable[[], str], first: int | None) -> Response:
        try:
            text = rewrite()
        except NotRewritten as error:
            raise Refused(str(error)) from None
        self.desk.edit(text, first, asked.revision)
        said = {"text": text, "number": self.desk.number, "revision": self.desk.revision}
        return JSONResponse(said)

    async def complete(self, request: Request) -> Response:
        """What might be typed at a place of the text."""
        asked = await _asked(request, Complete)
        found = completion(asked.lines, asked.at, self.desk.read, self.desk.stages)
        return JSONResponse(asdict(found) if found else None)

    async def look(self, request: Request) -> Response:
        asked = await _asked(request, LookAt)
        known = {"theme": THEMES, "aspect": ASPECTS, "language": languages()}
        wished = asked.model_dump(exclude_unset=True)
        for name, value in wished.items():
            if value is not None and value not in known[name]:
                raise Refused(f"there is no {name} called {value}")
        self.desk.look(**wished)
        return JSONResponse({"number": self.desk.number})

    async def open(self, request: Request) -> Response:
        self.desk.open((await _asked(request, Open)).film)
        return Response(status_code=204)

    async def take(self, request: Request) -> Response:
        await _asked(request, Nothing)
        self.desk.take()
        return Response(status_code=204)

    async def save(self, request: Request) -> Response:
        asked = await _asked(request, Save)
        self.desk.edit(asked.lines, asked.shot, asked.revision)
        try:
            self.desk.save(Path(asked.file), over=asked.over)
        except Unasked as question:
            asks = {"asks": str(question), "over": question.version}
            return JSONResponse({**asks, "revision": self.desk.revision}, 409)
        except Busy as refusal:
            raise Refused(str(refusal)) from None
        except OSError as error:
            raise Refused(f"it cannot be written: {error.strerror}") from error
        return JSONResponse({"file": str(self.desk.file), "revision": self.desk.revision})

    async def render(self, request: Request) -> Response:
        quality = (await _asked(request, Render)).quality
        if quality not in QUALITIES:
            raise Refused(f"there is no quality {quality}")
        if self.desk.file is None or not self.desk.is_saved:
            raise Refused("save it first: the film is made from the file")
        if self.rendering.is_running:
            raise Refused("something is being rendered already")

        def say(line: str) -> None:
            self.desk.publish({"event": "render", "line": line})

        def over(made: asyncio.Future[Made]) -> None:
            film = made.result().film
            self.desk.publish(
                {"event": "rendered", "film": str(relative_path(film)) if film else None}
            )

        say(f"{self.desk.file}: rendering")
        wish = replace(self.desk.wish, quality=QUALITIES[quality])
        rendered = self.rendering.start(self.desk.file, self.desk.text.encode(), wish, say)
        rendered.add_done_callback(over)
        return Response(status_code=204)

    async def take_clip(self, request: Request) -> Response:
        place = (await _asked(request, Take)).shot
        try:
            await self.clips.make(place)
        except Busy as refusal:
            raise Refused(str(refusal)) from None
        return Response(status_code=204)

    async def stop(self, request: Request) -> Response:
        await _asked(request, Nothing)
        await self.rendering.stop()
        return Response(status_code=204)


def application(studio: Studio, keys: Keys, opened: Callable[[], None] = lambda: None) -> Starlette:
    """The whole of it, behind its gate; `opened` is called when a browser has come in."""
    looked_at = {
        "/": studio.page,
        "/page/{name:str}": studio.own,
        "/fonts/{name:str}": studio.face,
        "/stills/{key:str}/{place:int}.png": studio.still,
        "/film.mp4": studio.film,
        "/clips/{name:str}": studio.clip,
        "/state": studio.state,
        "/events": studio.events,
    }
    edited = {
        "/edit": studio.edit,
        "/set": studio.set,
        "/add": studio.add,
        "/complete": studio.complete,
        "/open": studio.open,
        "/take": studio.take,
        "/save": studio.save,
        "/render": studio.render,
        "/clip": studio.take_clip,
        "/stop": studio.stop,
    }
    done = {"/look": studio.look} | ({} if studio.desk.watching else edited)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        studio.desk.start()
        followers = [
            asyncio.create_task(follow_file(studio.desk)),
            asyncio.create_task(follow_stages(studio.desk, studio.clips)),
            asyncio.create_task(_render_later(studio)),
        ]
        try:
            yield
        finally:
            for follower in followers:
                follower.cancel()
            await asyncio.gather(*followers, return_exceptions=True)
            await studio.rendering.end()
            studio.desk.end()

    return Starlette(
        routes=[
            *(Route(path, answer) for path, answer in looked_at.items()),
            *(Route(path, answer, methods=["POST"]) for path, answer in done.items()),
        ],
        middleware=[Middleware(Gate, keys=keys, opened=opened)],
        exception_handlers={
            Malformed: _malformed,
            Refused: _refuse,
            Stale: _stale,
            StoryboardError: _refuse,
        },
        lifespan=life,
    )


async def _render_later(studio: Studio) -> None:
    """Once all stills are there, have the process that renders get warm, or begin to render."""
    if studio.desk.watching and not studio.keeps_up:
        return
    while not studio.desk.is_drawn:
        await asyncio.sleep(_LOOK)
    studio.rendering.warm()
    if studio.keeps_up:
        await studio.clips.keep_up()


async def _malformed(_: Request, error: Exception) -> Response:
    return JSONResponse({"problem": str(error)}, 400)


async def _refuse(_: Request, error: Exception) -> Response:
    return JSONResponse({"problem": str(error)}, 422)


async def _stale(_: Request, __: Exception) -> Response:
    return JSONResponse({"stale": True}, 409)


async def _asked(request: Request, kind: type[Asked]) -> Asked:
    """What a page asks for.

    Raises:
        Malformed: when it is no JSON object, or not one of this kind, or too much.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST:
            raise Malformed("this is too much")
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise Malformed(f"{where}: {first['msg']}" if where else first["msg"]) from None


class _Server(uvicorn.Server):
    """One that ends the streams of events first, for they have no end of their own."""

    def __init__(self, config: uvicorn.Config, desk: Desk, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._desk = desk
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            asyncio.get_running_loop().run_in_executor(None, self._ready)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._desk.hang_up()
        await super().shutdown(sockets)


def reserve(port: int) -> socket.socket:
    """A port of this machine that nobody else can reach from elsewhere; any free one for 0.

    Raises:
        OSError: when it is taken.
    """
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HERE, port))
    except OSError:
        found.close()
        raise
    return found


def serve(
    studio: Studio,
    place: socket.socket,
    ready: Callable[[str], None],
    opened: Callable[[str], None],
) -> None:
    """Serve until asked to end.

    `ready` takes the address that opens the page, from another thread. It does so once: `opened`
    takes the next one when it has.
    """
    keys = Keys(place.getsockname()[1])
    config = uvicorn.Config(
        application(studio, keys, lambda: opened(keys.address)),
        log_level="error",
        access_log=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    address = keys.address
    server = _Server(config, studio.desk, lambda: ready(address))

    def hang_up(number: int, frame: FrameType | None) -> None:
        server.handle_exit(signal.SIGTERM, frame)

    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, hang_up)
    with place:
        server.run(sockets=[place])

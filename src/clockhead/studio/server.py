"""The web server of the page: on this machine only, for a browser that was given its address."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, TypeVar

import uvicorn
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from clockhead.export.pages import FACES, templates
from clockhead.look import ASPECTS, QUALITIES
from clockhead.places import relative_path
from clockhead.scenes.catalogues import languages
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.theme import CHALK, PAPER, THEMES
from clockhead.storyboard.models import MAX_HANDLES
from clockhead.storyboard.problems import StoryboardError, unknown_name
from clockhead.storyboard.rewrite import RewriteError, add_shot, set_handle, set_value
from clockhead.storyboard.scalars import Value
from clockhead.storyboard.yaml_reader import MAX_BYTES, parse_value
from clockhead.studio.access import AccessControl, SafeHeaders, refuse
from clockhead.studio.completion import complete
from clockhead.studio.following import follow_file, follow_look, follow_stages
from clockhead.studio.messages import RenderResult
from clockhead.studio.rendering import Renderer, StudioClips
from clockhead.studio.session import Refusal, Session, StaleRevision, WouldOverwrite

HERE = "127.0.0.1"
_TEMPLATES = templates("clockhead.studio", "page")
_MAX_REQUEST = 4 * MAX_BYTES
"""Bytes of a request: a storyboard with every character escaped."""
_INTERVAL = 0.5
"""Seconds between two checks whether all stills are drawn."""


class MalformedRequest(Exception):
    """A request that our page never makes."""


class _Request(BaseModel):
    """A JSON object that a page sends; without fields, a request without data."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Name = Annotated[str, Field(max_length=4096, pattern=r"^[^\x00-\x1f]*$")]
Place = Annotated[int, Field(ge=0)]


class EditRequest(_Request):
    """Replace the text."""

    text: str
    shot: Place | None = None
    """The shot to draw first."""
    revision: int | None = None
    """The text that was edited."""

    @property
    def lines(self) -> str:
        """The text, with the line ends of a page."""
        return self.text.replace("\r\n", "\n")


class SetValueRequest(EditRequest):
    """Write another value into the text; with `yaml`, the value is YAML."""

    at: tuple[str | int, ...] = Field(min_length=1, max_length=20)
    value: bool | int | float | str | None
    yaml: bool = False


class HandleRequest(EditRequest):
    """Make an input of `shot` a handle, or with `on` false take the handle away."""

    shot: Place
    name: Name
    on: bool


class AddShotRequest(EditRequest):
    """Add a shot after `shot`."""

    stage: Name


class CompletionRequest(EditRequest):
    """Complete what is typed at this character of the text."""

    at: Place


class SaveRequest(EditRequest):
    """Write the text to a file; `over` is the version of the file that may be overwritten."""

    file: Name
    over: Annotated[str, Field(max_length=64)] = ""


class LookRequest(_Request):
    """Change the look; null is as the storyboard says, and what is missing stays."""

    theme: Name | None = None
    aspect: Name | None = None
    language: Name | None = None


class OpenRequest(_Request):
    """Open a film."""

    film: Name


class RenderFilmRequest(_Request):
    """Render the film in a quality."""

    quality: Name


class RenderClipRequest(_Request):
    """Render the clip of a shot."""

    shot: Place


AnyRequest = TypeVar("AnyRequest", bound=_Request)

_CLIP_FILES = {".mp4": "video/mp4", ".vtt": "text/vtt", ".png": "image/png"}
"""The video, the captions and the poster of a clip."""


@dataclass(frozen=True)
class Studio:
    """The requests of the page, and what they work on."""

    session: Session
    renderer: Renderer
    clips: StudioClips
    renders_all: bool = False
    """Whether a clip of every shot is rendered without a request."""

    # Requests that change nothing

    async def page(self, _: Request) -> Response:
        text = _TEMPLATES.get_template("page.html.jinja").render(
            themes={"dark": CHALK, "light": PAPER},
            faces=FACES,
            choices={"theme": list(THEMES), "aspect": list(ASPECTS), "language": languages()},
            qualities={letter: str(quality) for letter, quality in QUALITIES.items()},
            watching=self.session.watching,
        )
        return Response(text, media_type="text/html")

    async def still(self, request: Request) -> Response:
        shot = self.session.stills.get(request.path_params["key"], [])
        place = request.path_params["place"]
        if place >= len(shot):
            return PlainTextResponse("there is no such still\n", 404)
        # After an edit of its stage, another picture has the same address: no caching.
        return Response(shot[place].picture, media_type="image/png")

    async def film(self, _: Request) -> Response:
        film = self.renderer.film
        if film is None or not film.is_file():
            return PlainTextResponse("no film was rendered here\n", 404)
        return FileResponse(film, media_type="video/mp4")

    async def clip(self, request: Request) -> Response:
        name = Path(request.path_params["name"])
        found = self.clips.file(name.stem)
        if found is None or name.suffix not in _CLIP_FILES or not found.is_file():
            return PlainTextResponse("there is no such clip\n", 404)
        return FileResponse(found.with_suffix(name.suffix), media_type=_CLIP_FILES[name.suffix])

    async def state(self, _: Request) -> Response:
        return JSONResponse({**self.session.snapshot(), "clips": self.clips.describe()})

    async def events(self, _: Request) -> Response:
        response: Response = EventSourceResponse(self._events())
        return response

    async def _events(self) -> AsyncIterator[dict[str, str]]:
        queue = self.session.subscribe()
        queue.put_nowait(self.clips.describe())
        try:
            while (event := await queue.get()) is not None:
                yield {"data": json.dumps(event)}
        finally:
            self.session.unsubscribe(queue)

    # Requests that change something

    async def edit(self, request: Request) -> Response:
        wanted = await _parse(request, EditRequest)
        self.session.edit(wanted.lines, wanted.shot, wanted.revision)
        return JSONResponse({"number": self.session.number, "revision": self.session.revision})

    async def set(self, request: Request) -> Response:
        """Write a value into the text; the page shows the text of the answer."""
        wanted = await _parse(request, SetValueRequest)
        value: Value = wanted.value
        if wanted.yaml:
            value = parse_value(str(value), "this value") if str(value).strip() else None
        return self._edit(set_value(wanted.lines, wanted.at, value), wanted.shot, wanted.revision)

    async def handle(self, request: Request) -> Response:
        """Write into the text which inputs readers of a page can turn."""
        wanted = await _parse(request, HandleRequest)
        report = self.session.report
        shots = [shot for shot in report.shots if shot.place == wanted.shot] if report else []
        found = [one for shot in shots for one in shot.controls if one.name == wanted.name]
        if not found:
            raise Refusal("the storyboard was not read yet; try again")
        [shot], [control] = shots, found
        if wanted.on and control.offered is None:
            raise Refusal(f"write its values into the text: handles: {{{wanted.name}: [...]}}")
        if wanted.on and sum(one.is_handle for one in shot.controls) >= MAX_HANDLES:
            raise Refusal(f"a shot has up to {MAX_HANDLES} handles; take one away first")
        stops = control.offered if wanted.on else None
        text = set_handle(wanted.lines, wanted.shot, wanted.name, stops, shot.own_handles)
        return self._edit(text, wanted.shot, wanted.revision)

    async def add(self, request: Request) -> Response:
        """Add a shot to the text."""
        wanted = await _parse(request, AddShotRequest)
        stages = [stage.name for stage in self.session.stages]
        if stages and wanted.stage not in stages:
            raise Refusal(unknown_name("stage", wanted.stage, stages))
        text = add_shot(wanted.lines, wanted.stage, wanted.shot)
        first = None if wanted.shot is None else wanted.shot + 1
        return self._edit(text, first, wanted.revision)

    def _edit(self, text: str, first: int | None, revision: int | None) -> Response:
        """Replace the text by one that was rewritten here."""
        self.session.edit(text, first, revision)
        state = {"number": self.session.number, "revision": self.session.revision}
        return JSONResponse({"text": text, **state})

    async def complete(self, request: Request) -> Response:
        """Names and values that can be typed at a place of the text."""
        wanted = await _parse(request, CompletionRequest)
        found = complete(wanted.lines, wanted.at, self.session.report, self.session.stages)
        return JSONResponse(asdict(found) if found else None)

    async def look(self, request: Request) -> Response:
        wanted = await _parse(request, LookRequest)
        known = {"theme": THEMES, "aspect": ASPECTS, "language": languages()}
        wished = wanted.model_dump(exclude_unset=True)
        for name, value in wished.items():
            if value is not None and value not in known[name]:
                raise Refusal(f"there is no {name} called {value}")
        self.session.look(**wished)
        return JSONResponse({"number": self.session.number})

    async def open(self, request: Request) -> Response:
        self.session.open((await _parse(request, OpenRequest)).film)
        return Response(status_code=204)

    async def reload(self, request: Request) -> Response:
        await _parse(request, _Request)
        self.session.reload()
        return Response(status_code=204)

    async def save(self, request: Request) -> Response:
        wanted = await _parse(request, SaveRequest)
        self.session.edit(wanted.lines, wanted.shot, wanted.revision)
        try:
            self.session.save(Path(wanted.file), over=wanted.over)
        except WouldOverwrite as question:
            asks = {"asks": str(question), "over": question.version}
            return JSONResponse({**asks, "revision": self.session.revision}, 409)
        except OSError as error:
            raise Refusal(f"it cannot be written: {error.strerror}") from error
        return JSONResponse({"file": str(self.session.file), "revision": self.session.revision})

    async def render(self, request: Request) -> Response:
        quality = (await _parse(request, RenderFilmRequest)).quality
        if quality not in QUALITIES:
            raise Refusal(f"there is no quality {quality}")
        if self.session.file is None or not self.session.is_saved:
            raise Refusal("save it first: the film is made from the file")
        if self.renderer.is_running:
            raise Refusal("something is being rendered already")

        def say(line: str) -> None:
            self.session.publish({"event": "render", "line": line})

        def publish_end(rendered: asyncio.Future[RenderResult]) -> None:
            film = rendered.result().film
            self.session.publish(
                {"event": "rendered", "film": str(relative_path(film)) if film else None}
            )

        say(f"{self.session.file}: rendering")
        wish = replace(self.session.wish, quality=QUALITIES[quality])
        rendered = self.renderer.start(self.session.file, self.session.text.encode(), wish, say)
        rendered.add_done_callback(publish_end)
        return Response(status_code=204)

    async def render_clip(self, request: Request) -> Response:
        place = (await _parse(request, RenderClipRequest)).shot
        await self.clips.make(place)
        return Response(status_code=204)

    async def stop(self, request: Request) -> Response:
        await _parse(request, _Request)
        await self.renderer.stop()
        return Response(status_code=204)


def application(studio: Studio, access: AccessControl) -> Starlette:
    """The web application, behind its access control."""
    reads = {
        "/": studio.page,
        "/stills/{key:str}/{place:int}.png": studio.still,
        "/film.mp4": studio.film,
        "/clips/{name:str}": studio.clip,
        "/state": studio.state,
        "/events": studio.events,
    }
    edits = {
        "/edit": studio.edit,
        "/set": studio.set,
        "/handle": studio.handle,
        "/add": studio.add,
        "/complete": studio.complete,
        "/open": studio.open,
        "/reload": studio.reload,
        "/save": studio.save,
        "/render": studio.render,
        "/clip": studio.render_clip,
        "/stop": studio.stop,
    }
    writes = {"/look": studio.look} | ({} if studio.session.watching else edits)
    page = [
        Mount("/page", StaticFiles(packages=[("clockhead.studio", "page")])),
        Mount("/fonts", StaticFiles(directory=FONT_DIR)),
        *(Route(path, answer) for path, answer in reads.items()),
        *(Route(path, answer, methods=["POST"]) for path, answer in writes.items()),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        studio.session.start()
        followers = [
            asyncio.create_task(follow_file(studio.session)),
            asyncio.create_task(follow_look(studio.session)),
            asyncio.create_task(follow_stages(studio.session, studio.clips)),
            asyncio.create_task(_start_rendering(studio)),
        ]
        try:
            yield
        finally:
            for follower in followers:
                follower.cancel()
            await asyncio.gather(*followers, return_exceptions=True)
            await studio.renderer.end()
            studio.session.end()

    return Starlette(
        routes=[Route("/", access.enter), Mount(access.path, routes=page)],
        middleware=[
            Middleware(SafeHeaders),
            Middleware(AuthenticationMiddleware, backend=access, on_error=refuse),
        ],
        exception_handlers=dict.fromkeys(
            (MalformedRequest, StaleRevision, Refusal, RewriteError, StoryboardError), _answer_error
        ),
        lifespan=lifespan,
    )


async def _start_rendering(studio: Studio) -> None:
    """Once all stills are drawn, start the worker that renders, or render all clips."""
    if studio.session.watching and not studio.renders_all:
        return
    while not studio.session.is_drawn:
        await asyncio.sleep(_INTERVAL)
    studio.renderer.warm_up()
    if studio.renders_all:
        await studio.clips.keep_up()


async def _answer_error(_: Request, error: Exception) -> Response:
    if isinstance(error, StaleRevision):
        return JSONResponse({"stale": True}, 409)
    code = 400 if isinstance(error, MalformedRequest) else 422
    return JSONResponse({"problem": str(error)}, code)


async def _parse(request: Request, kind: type[AnyRequest]) -> AnyRequest:
    """The data of a request.

    Raises:
        MalformedRequest: if it is too long, or not a JSON object of this kind.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_REQUEST:
            raise MalformedRequest(f"more than {_MAX_REQUEST:,} bytes")
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise MalformedRequest(f"{where}: {first['msg']}" if where else first["msg"]) from None


class _Server(uvicorn.Server):
    """A server that ends the streams of events first, since they have no end of their own."""

    def __init__(self, config: uvicorn.Config, session: Session, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._session = session
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            asyncio.get_running_loop().run_in_executor(None, self._ready)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._session.end_events()
        await super().shutdown(sockets)


def reserve(port: int) -> socket.socket:
    """A socket bound to a port of this machine, or to any free one for 0.

    Raises:
        OSError: if the port is in use.
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
    """Serve until the process is asked to end.

    `ready` gets the address that opens the page once, from another thread; `opened` gets the next
    address when the page was opened.
    """
    access = AccessControl(place.getsockname()[1], lambda: opened(access.address))
    config = uvicorn.Config(
        application(studio, access),
        log_level="error",
        access_log=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    address = access.address
    server = _Server(config, studio.session, lambda: ready(address))
    signal.signal(signal.SIGHUP, lambda _, frame: server.handle_exit(signal.SIGTERM, frame))
    with place:
        server.run(sockets=[place])

"""Who may come in: the page of this very server, in a browser that was given its address.

Only this machine can reach the server at all. Three more things keep out other pages in the same
browser and other people on the same machine:

- The address that is printed holds a token that lets in once. What it is exchanged for, a cookie,
  is another secret.
- Browsers send a cookie to every port of a host. So ours is for a path that nobody can guess, and
  servers on other ports are not sent it.
- A name that somebody's domain server has made to stand for this machine comes with the wrong
  `Host`.

All secrets are made anew at every start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hmac import compare_digest
from secrets import token_urlsafe

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' "
    "'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_SAFE = ("GET", "HEAD")
_COOKIE = "clockhead"
_ENTRANCE = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Clockhead</title>
<link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url={page}"></head>
<body><p><a href="{page}">Open the page</a></p></body>
</html>
"""
"""The step from the address with the token to the page.

No redirection: a browser that comes from a file, or from a link in a mail, would still count it as
another site's request, for which it keeps back a strict cookie.
"""


class Keys:
    """The secrets of one server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.path = f"/{token_urlsafe(16)}"
        """The page and all that belongs to it are below this path."""
        self.cookie = token_urlsafe(24)
        self._token = token_urlsafe(24)

    @property
    def address(self) -> str:
        """What opens the page in a browser, once."""
        return f"http://127.0.0.1:{self.port}/?token={self._token}"

    def redeem(self, token: str) -> bool:
        """Whether this is the token; it is another one from now on."""
        if not _same(token, self._token):
            return False
        self._token = token_urlsafe(24)
        return True


class Gate:
    """Lets in who has the cookie, and tells browsers to let nothing out.

    `opened` is called whenever a token was exchanged for the cookie.
    """

    def __init__(self, app: ASGIApp, keys: Keys, opened: Callable[[], None]) -> None:
        self._app = app
        self._keys = keys
        self._opened = opened
        self._hosts = {f"{name}:{keys.port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        answer = self._answer(Request(scope)) or self._app
        await answer({**scope, "root_path": self._keys.path}, receive, guarded)

    def _answer(self, request: Request) -> Response | None:
        """What is said instead of the page; None lets in."""
        headers, path = request.headers, request.scope["path"]
        if headers.get("host") not in self._hosts:
            return _refusal("this address is not the studio's")
        if path == "/" and request.method == "GET":
            return self._entrance(request.query_params.get("token", ""))
        if not self._is_own(headers, request.method):
            return _refusal("another page asked for this")
        is_known = any(_same(cookie, self._keys.cookie) for cookie in _cookies(headers))
        if not is_known or not path.startswith(f"{self._keys.path}/"):
            return _refusal("open the address that the terminal shows")
        return None

    def _is_own(self, headers: Headers, method: str) -> bool:
        """Whether the request was made by our page, or by the person; not by another page."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site not in (None, "same-origin", "none"):
            return False
        return method in _SAFE or origin in {f"http://{host}" for host in self._hosts}

    def _entrance(self, token: str) -> Response:
        """The way in with a token; from there on the cookie counts."""
        if not self._keys.redeem(token):
            return _refusal(
                "an address with a token opens the page once, and this one is used up or another "
                "studio's; the last address in the terminal is still good"
            )
        self._opened()
        page = f"{self._keys.path}/"
        answer = HTMLResponse(_ENTRANCE.format(page=page))
        answer.set_cookie(_COOKIE, self._keys.cookie, path=page, httponly=True, samesite="strict")
        return answer


def _same(given: str, secret: str) -> bool:
    return compare_digest(given.encode(errors="replace"), secret.encode())


def _refusal(why: str) -> Response:
    return PlainTextResponse(f"{why}\n", 403)


def _cookies(headers: Headers) -> Iterator[str]:
    """Every cookie of our name: a server on another port may have set one of its own."""
    for part in headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == _COOKIE:
            yield value

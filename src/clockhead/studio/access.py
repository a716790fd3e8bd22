"""Access control: only the page of this server, in a browser that was given its address.

The server listens on this machine only. Three more things keep out other pages in the same browser
and other people on the same machine:

- The printed address holds a token that works once. It is exchanged for a cookie with another
  secret.
- Browsers send a cookie to every port of a host. So the cookie is for a path that nobody can guess,
  and servers on other ports do not get it.
- A domain name that an attacker has pointed at this machine comes with the wrong `Host`.

All secrets are new at every start. Starlette's `TrustedHostMiddleware` ignores the port of a host,
and its `SessionMiddleware` reads only one of several cookies with the same name: here, a server on
another port could set one and lock the page out.
"""

from __future__ import annotations

from collections.abc import Callable
from hmac import compare_digest
from secrets import token_urlsafe

from starlette.authentication import (
    AuthCredentials,
    AuthenticationBackend,
    AuthenticationError,
    BaseUser,
    UnauthenticatedUser,
)
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' "
    "'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
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
"""Leads from the address with the token to the page.

It is not an HTTP redirect: a browser that comes from a file, or from a link in a mail, would still
treat the redirected request as another site's, and not send a strict cookie with it.
"""


class AccessControl(AuthenticationBackend):
    """The secrets of one server, and an authentication backend that checks them.

    `opened` is called whenever a token was exchanged for the cookie.
    """

    def __init__(self, port: int, opened: Callable[[], None] = lambda: None) -> None:
        self.path = f"/{token_urlsafe(16)}"
        """The page and everything that belongs to it are below this path."""
        self._origins = {f"http://{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._port = port
        self._opened = opened
        self._cookie = token_urlsafe(24)
        self._token = token_urlsafe(24)

    @property
    def address(self) -> str:
        """The address that opens the page in a browser, once."""
        return f"http://127.0.0.1:{self._port}/?token={self._token}"

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        """Let requests of the page pass, and requests for the entrance.

        Raises:
            AuthenticationError: for all others; the message says why.
        """
        headers, path, method = conn.headers, conn.scope["path"], conn.scope["method"]
        if f"http://{headers.get('host')}" not in self._origins:
            raise AuthenticationError("this address is not the studio's")
        if path != "/" or method != "GET":
            is_safe = method in ("GET", "HEAD") or headers.get("origin") in self._origins
            if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") or not is_safe:
                raise AuthenticationError("the request came from another page, not the studio's")
            cookies = [part.strip().partition("=") for part in headers.get("cookie", "").split(";")]
            is_known = any(n == _COOKIE and _equal(v, self._cookie) for n, _, v in cookies)
            if not is_known or not path.startswith(f"{self.path}/"):
                raise AuthenticationError("open the address that the terminal shows")
        return AuthCredentials(), UnauthenticatedUser()

    async def enter(self, request: Request) -> Response:
        """Exchange the token of the address for the cookie; from now on there is another token."""
        if not _equal(request.query_params.get("token", ""), self._token):
            return refuse(
                request,
                "an address with a token opens the page once, and this one is used up or another "
                "studio's; the last address in the terminal still works",
            )
        self._token = token_urlsafe(24)
        self._opened()
        page = f"{self.path}/"
        answer = HTMLResponse(_ENTRANCE.format(page=page))
        answer.set_cookie(_COOKIE, self._cookie, path=page, httponly=True, samesite="strict")
        return answer


class SafeHeaders:
    """Middleware that adds headers with which browsers keep the page to itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def refuse(_: HTTPConnection, reason: object) -> Response:
    """The answer to a request without access."""
    return PlainTextResponse(f"{reason}\n", 403)


def _equal(given: str, secret: str) -> bool:
    return compare_digest(given.encode(errors="replace"), secret.encode())

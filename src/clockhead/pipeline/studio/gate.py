"""Who may come in: pages of this very server, in a browser that was given the token.

Only this machine can reach the server at all. Other pages in the same browser and other people on
the same machine are kept out by a random token, and a name that somebody's domain server has made
to stand for this machine by the `Host` that it brings along.
"""

from __future__ import annotations

from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
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


class Gate:
    """Lets in who has the token, and tells browsers to let nothing out."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._cookie = f"clockhead-{port}"

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
        await answer(scope, receive, guarded)

    def _answer(self, request: Request) -> Response | None:
        """What is said instead of the page; None lets in."""
        headers = request.headers
        if headers.get("host") not in self._hosts:
            return _refusal("this address is not the workshop's")
        if not self._is_own(headers, request.method):
            return _refusal("another page asked for this")
        given = request.query_params.get("token")
        if request.method == "GET" and request.url.path == "/" and self._is_token(given):
            return self._entrance()
        if not self._is_token(_cookies(headers).get(self._cookie)):
            return _refusal("open the address that the terminal shows; the token in it is missing")
        return None

    def _is_own(self, headers: Headers, method: str) -> bool:
        """Whether the request was made by our page, or by the person; not by another page."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site not in (None, "same-origin", "none"):
            return False
        return method in _SAFE or origin in {f"http://{host}" for host in self._hosts}

    def _is_token(self, given: str | None) -> bool:
        return given is not None and compare_digest(given.encode(), self._token.encode())

    def _entrance(self) -> Response:
        """From here on the token is in a cookie, and not in the address bar."""
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return answer


def _refusal(why: str) -> Response:
    return PlainTextResponse(f"{why}\n", 403)


def _cookies(headers: Headers) -> dict[str, Any]:
    try:
        found = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}

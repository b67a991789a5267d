"""Who may ask: this machine's browser, through the link that the command printed.

Every request must name this server as its host (so no other name was bound to this
address), must hold the cookie that the link with the token gave, and must not come from
a page of another origin. A WebSocket must name our origin, as no browser leaves it out.

The cookie is not the token: browsers send it to every port of this machine. It holds
for one port alone, and the token cannot be computed from it.
"""

import asyncio
import hmac
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
OPEN_THE_LINK = "open the link that `oneway lab` printed where it was started"


REQUEST_SECONDS = 10.0  # until a request has arrived whole


def cookie_of(token: str, port: int) -> str:
    """Return what a browser holds that came by the link of a server."""
    return hmac.new(token.encode(), b"cookie of %d" % port, "sha256").hexdigest()


class PromptProtocol(H11Protocol):  # type: ignore[misc]  # uvicorn's is untyped
    """HTTP that closes a connection whose request does not arrive in time.

    uvicorn itself ends only connections that are silent after an answer.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read; bytes that are no whole request do not put the end off."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        super().connection_lost(exc)
        if self._late is not None:
            self._late.cancel()

    def _watch(self) -> None:
        answering = self.cycle is not None and not self.cycle.response_complete
        if self._late is not None and answering:
            self._late.cancel()
            self._late = None
        elif self._late is None and not answering:
            self._late = self.loop.call_later(REQUEST_SECONDS, self._too_late)

    def _too_late(self) -> None:
        self._late = None
        if self.transport.get_protocol() is self:  # else it is a WebSocket now
            self.transport.close()


class Guard:
    """An ASGI application that lets through what may pass, and closes the rest."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token = app, token
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._cookie = f"oneway-{port}"  # cookies ignore ports
        self._held = cookie_of(token, port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, self._with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to what may not pass; None lets it through."""
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("this host is not known here", 403)
        origin = headers.get("origin")
        strict = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if (origin is not None or strict) and origin not in self._origins:
            return PlainTextResponse("this origin may not ask", 403)
        first = scope["type"] == "http" and scope["path"] == "/"
        site = headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and not first:
            return PlainTextResponse("this site may not ask", 403)
        if first:
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])
            if _same(given[0], self._token):
                answer = RedirectResponse("/", 303)
                answer.set_cookie(
                    self._cookie, self._held, httponly=True, samesite="lax"
                )
                return answer
        if not _same(self._sent(headers), self._held):
            return PlainTextResponse(OPEN_THE_LINK, 401)
        return None

    def _sent(self, headers: Headers) -> str:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return ""
        found = cookies.get(self._cookie)
        return found.value if found else ""

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        return sending


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())

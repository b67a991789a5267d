"""Who may ask: this machine's browser, through the link that the command printed.

Every request must name this server as its host (so no other name was bound to this
address), must hold the cookie that the link with the token gave, and must not come from
a page of another origin. A WebSocket must name our origin, as no browser leaves it out.
"""

import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Guard:
    """An ASGI application that lets through what may pass, and closes the rest."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token = app, token
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._cookie = f"oneway-{port}"  # cookies ignore ports

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
            if self._right(given[0]):
                answer = RedirectResponse("/", 303)
                answer.set_cookie(
                    self._cookie, self._token, httponly=True, samesite="lax"
                )
                return answer
        if not self._right(self._sent(headers)):
            return PlainTextResponse(OPEN_THE_LINK, 401)
        return None

    def _right(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._token.encode())

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

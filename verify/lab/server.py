"""The server of `oneway lab`: pages as files, and one WebSocket a page for requests.

Only the browser of this machine may connect, through the link that the command printed.
Every request must name this server as its host, so that no other name can be bound to
this address. It must hold the cookie that the link with the token gave, and must not
come from a page of another origin. A WebSocket must name our origin, which browsers
always send. The cookie is not the token, because browsers send cookies to every port of
this machine. It is valid for one port, and the token cannot be computed from it.

The help of the pages links to the documentation: the Markdown files of the project,
which an installed package holds too. Each page is rendered when it is requested.
"""

import asyncio
import hmac
import json
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from html import escape
from itertools import pairwise
from pathlib import Path

import msgspec
import uvicorn
from markdown_it import MarkdownIt
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope
from starlette.types import Send as SendMessage
from starlette.websockets import WebSocket, WebSocketDisconnect

from heuristic.groups import about, group_names
from heuristic.rules.drawing import CellState
from heuristic.rules.letters import FORBID, FORBIDDEN, LEGEND, MARKS, STATES, sign
from solver.errors import OptionError
from solver.files import make_folder
from verify.formatting import documentation_folder
from verify.lab.messages import (
    QUEUES,
    Fault,
    Letter,
    Look,
    Stop,
    Welcome,
    encoded,
    read_request,
)
from verify.lab.pool import Job, LatestWinsQueue, Send, WorkerPool
from verify.lab.shared import Settings, first_picture, immediate_replies

STATIC = Path(__file__).parent / "static"
LAST_SERVER = ".server.json"  # in the folder: open pages find a restarted server
WS_BYTES = 8_000_000
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
OPEN_THE_LINK = "open the link that `oneway lab` printed when it started"

STATE_LOOKS = {
    CellState.FREE: "free",
    CellState.VISITED: "visited",
    CellState.OUTSIDE: "border",
    CellState.VISITED | CellState.OUTSIDE: "taken",
    CellState.FREE | CellState.VISITED: "onboard",
}


def letters() -> list[Letter]:
    """Return the letters of drawings as pages need them."""
    listed = []
    for letter, (states, says) in LEGEND.items():
        look = "line" if letter in MARKS else STATE_LOOKS[states] if states else "any"
        look = "live" if letter == "@" else look
        bans = letter in FORBID, FORBIDDEN.get(letter, "")
        main = letter in STATES or letter in "@?x"
        listed.append(Letter(letter, says, look, sign(letter), *bans, main))
    return listed


class Pages:
    """The connections of a server, and the state that they share."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.pool = WorkerPool(settings)

    def _welcome(self) -> Welcome:
        saved = self._settings.folder.glob("*.toml")
        return Welcome(
            0,
            position=self._settings.position,
            rules=self._settings.rules,
            groups={name: about(name) for name in group_names()},
            files=[*self._settings.files, *sorted(path.name for path in saved)],
            letters=letters(),
        )

    async def live(self, socket: WebSocket) -> None:
        """Serve one page until it closes."""

        async def send(data: bytes) -> None:
            with suppress(RuntimeError, WebSocketDisconnect):  # the page has closed
                await socket.send_text(data.decode())

        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.accept()
        queues: dict[str, LatestWinsQueue] = {}
        try:
            await send(encoded(self._welcome()))
            while (frame := await socket.receive())["type"] == "websocket.receive":
                await self._take(frame.get("text"), send, queues)
        finally:
            for queue in queues.values():
                queue.cancel()

    async def _take(
        self, text: str | None, send: Send, queues: dict[str, LatestWinsQueue]
    ) -> None:
        """Answer a request at once, or queue it; malformed requests get a fault."""
        data = (text or "").encode()
        try:
            request = read_request(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            await send(encoded(Fault(0, f"not a request: {error}")))
            return
        if isinstance(request, Stop):
            if request.what in queues:
                await queues[request.what].stop()
            return
        kind, seconds = QUEUES[type(request)]
        if isinstance(request, Look) and not self.pool.loaded:
            for reply in first_picture(request):
                await send(encoded(reply))
        replies = await asyncio.to_thread(immediate_replies, request)
        if replies is not None:
            if kind in queues:
                await queues[kind].stop()
            for reply in replies:
                await send(encoded(reply))
            return
        if kind not in queues:
            queues[kind] = LatestWinsQueue(self.pool, send)
        await queues[kind].ask(Job(request.id, data, seconds))


_FRAME = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · oneway</title><link rel="stylesheet" href="/static/style.css"></head>
<body><main class="documentation"><p><a href="/">The laboratory</a> ·
<a href="/docs/index.md">All pages</a></p>{body}</main></body></html>
"""


def rendered(text: str, title: str) -> str:
    """Return a Markdown text as an HTML page; each heading has its anchor."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(text)
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            words = re.sub(r"[^\w\s-]", "", following.content.lower())
            token.attrSet("id", re.sub(r"[\s-]+", "-", words).strip("-"))
    body = parser.renderer.render(tokens, parser.options, {})
    return _FRAME.format(title=escape(title), body=body)


def documentation(request: Request) -> Response:
    """Return a page or a file of the documentation."""
    top = documentation_folder().resolve()
    path = (top / request.path_params["path"]).resolve()
    if not path.is_relative_to(top) or not path.is_file():
        return PlainTextResponse("the documentation has no such page", 404)
    if path.suffix != ".md":
        return FileResponse(path)
    return HTMLResponse(rendered(path.read_text(encoding="utf-8"), path.stem))


def application(settings: Settings, token: str, port: int) -> ASGIApp:
    """Return the application of a server on a port, behind the guard."""
    pages = Pages(settings)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        pages.pool.close()

    routes = [
        Route("/", lambda request: FileResponse(STATIC / "index.html")),
        WebSocketRoute("/live", pages.live),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/docs/{path:path}", documentation),
    ]
    return Guard(Starlette(routes=routes, lifespan=life), token, port)


def cookie_of(token: str, port: int) -> str:
    """Return the value of the cookie that the link of a server gives."""
    return hmac.new(token.encode(), b"cookie of %d" % port, "sha256").hexdigest()


class Guard:
    """An ASGI application that refuses requests of strangers."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token = app, token
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._cookie = f"oneway-{port}"  # cookies ignore ports
        self._held = cookie_of(token, port)

    async def __call__(self, scope: Scope, receive: Receive, send: SendMessage) -> None:
        """Refuse a request, or pass it on to the application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(HTTPConnection(scope))
        if refusal is None:
            await self._app(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, self._with_headers(send))

    def _refusal(self, request: HTTPConnection) -> Response | None:
        """Return the response to a refused request; None lets it through."""
        scope, headers = request.scope, request.headers
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("wrong host", 403)
        origin = headers.get("origin")
        strict = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if (origin is not None or strict) and origin not in self._origins:
            return PlainTextResponse("wrong origin", 403)
        first = scope["type"] == "http" and scope["path"] == "/"
        site = headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and not first:
            return PlainTextResponse("wrong site", 403)
        if first and _same(request.query_params.get("token", ""), self._token):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self._cookie, self._held, httponly=True, samesite="lax")
            return answer
        if not _same(request.cookies.get(self._cookie, ""), self._held):
            return PlainTextResponse(OPEN_THE_LINK, 401)
        return None

    def _with_headers(self, send: SendMessage) -> SendMessage:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        return sending


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())


def open_socket(port: int | None, last: int) -> socket.socket:
    """Return a listening socket that only this machine can reach.

    - `port`: None takes the last port if it is free, else any port.

    Raises `OptionError` if the port is taken.
    """
    for wanted in [port] if port is not None else [last, 0]:
        try:
            listening = socket.create_server(("127.0.0.1", wanted), backlog=128)
        except OSError as error:
            why = error.strerror
            continue
        # Made of the number it knows its protocol; else asyncio delays small messages.
        return socket.socket(fileno=listening.detach())
    raise OptionError(f"port {wanted} cannot be used: {why}")


def remembered(folder: Path) -> tuple[str, int]:
    """Return token and port of the last server in a folder, or new ones."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        path = folder / LAST_SERVER
        if not path.is_symlink() and path.stat().st_mode & 0o077 == 0:
            saved = json.loads(path.read_text(encoding="utf-8"))
            token, port = str(saved["token"]), int(saved["port"])
            if len(token) >= 32 and 0 < port < 65536:
                return token, port
    return secrets.token_urlsafe(24), 0


def remember(folder: Path, token: str, port: int) -> None:
    """Save token and port for the next server, readable by this user only."""
    path = folder / LAST_SERVER
    with suppress(OSError):
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(json.dumps({"token": token, "port": port}), encoding="utf-8")


def serve(settings: Settings, port: int | None, started: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `started` is called with the link of the first page.

    Raises `OptionError` if the port is taken or the folder cannot be written.
    """
    make_folder(settings.folder)
    token, last = remembered(settings.folder)
    with open_socket(port, last) as listening:
        number = int(listening.getsockname()[1])
        remember(settings.folder, token, number)
        started(f"http://127.0.0.1:{number}/?token={token}")
        config = uvicorn.Config(
            application(settings, token, number),
            ws="websockets-sansio",
            ws_max_size=WS_BYTES,
            access_log=False,  # it would print the token
            log_level="error",
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[listening])

"""The server of `oneway lab`: pages as files, and one WebSocket a page for questions.

Only this machine's browser may ask, through the link that the command printed. Every
request must name this server as its host, so that no other name was bound to this
address; it must hold the cookie that the link with the token gave, and must not come
from a page of another origin. A WebSocket must name our origin, as no browser leaves it
out. The cookie is not the token: browsers send it to every port of this machine. It
holds for one port alone, and the token cannot be computed from it.
"""

import asyncio
import hmac
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
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
from solver import __version__
from solver.errors import OptionError
from solver.files import make_folder
from verify.lab.documentation import documentation
from verify.lab.messages import (
    QUEUES,
    Fault,
    Group,
    Letter,
    Look,
    Open,
    Stop,
    Welcome,
    encoded,
    read_request,
)
from verify.lab.places import Settings, immediate_replies, pictured
from verify.lab.pool import Job, LatestWinsQueue, Send, WorkerPool, number_of

STATIC = Path(__file__).parent / "static"
PAGES = 8  # connections at a time
QUIET = 5.0  # seconds before workers are loaded though no page has asked yet
KEPT = ".server.json"  # in the folder: an open page finds a restarted server
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
OPEN_THE_LINK = "open the link that `oneway lab` printed where it was started"

_LOOKS = {
    CellState.FREE: "free",
    CellState.VISITED: "visited",
    CellState.OUTSIDE: "border",
    CellState.VISITED | CellState.OUTSIDE: "taken",
    CellState.FREE | CellState.VISITED: "onboard",
}


def letters() -> list[Letter]:
    """Return the letters of drawings as pages need them."""
    found = []
    for letter, (states, says) in LEGEND.items():
        look = "line" if letter in MARKS else _LOOKS[states] if states else "any"
        look = "live" if letter == "@" else look
        forbidden = FORBIDDEN.get(letter, "")
        main = letter in STATES or letter in "@?x"
        found.append(
            Letter(letter, says, look, sign(letter), letter in FORBID, forbidden, main)
        )
    return found


class Pages:
    """The connections of a server and what they share."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.pool = WorkerPool(settings)
        self._open = 0

    async def prepare(self) -> None:
        """Load what workers need, once the first page has what it shows at once."""
        await asyncio.sleep(QUIET)
        self.pool.prepare()

    def _welcome(self) -> Welcome:
        kept = self._settings.folder.glob("*.toml")
        return Welcome(
            0,
            version=__version__,
            position=self._settings.position,
            rules=self._settings.rules,
            groups=[Group(name, about(name)) for name in group_names()],
            files=[*self._settings.files, *sorted(path.name for path in kept)],
            folder=str(self._settings.folder),
            letters=letters(),
        )

    async def live(self, socket: WebSocket) -> None:
        """Serve one page until it closes."""

        async def send(data: bytes) -> None:
            with suppress(RuntimeError, WebSocketDisconnect):  # it closes just now
                await socket.send_text(data.decode())

        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.accept()
        if self._open >= PAGES:
            why = f"{PAGES} pages are open already: close one, then reload this"
            await send(encoded(Fault(0, why)))
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(1013)
            return
        self._open += 1
        queues: dict[str, LatestWinsQueue] = {}
        try:
            await send(encoded(self._welcome()))
            while (frame := await socket.receive())["type"] == "websocket.receive":
                await self._take(frame.get("text"), send, queues)
        finally:
            self._open -= 1
            for queue in queues.values():
                queue.cancel()

    async def _take(
        self, text: str | None, send: Send, queues: dict[str, LatestWinsQueue]
    ) -> None:
        """Queue a request; malformed ones get a fault."""
        if text is None:
            await send(encoded(Fault(0, "no request: a message of bytes, not of text")))
            return
        data = text.encode()
        try:
            request = read_request(data)
        except RecursionError:
            await send(encoded(Fault(0, "no request: it is nested too deeply")))
            return
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            await send(encoded(Fault(number_of(data), f"no request: {error}")))
            return
        if isinstance(request, Stop):
            if request.what in queues:
                queues[request.what].stop()
            return
        kind, seconds, grace = QUEUES[type(request)]
        if isinstance(request, Look) and not self.pool.loaded:
            for reply in pictured(request):
                await send(encoded(reply))
        replies = None
        if isinstance(request, Open):
            replies = await asyncio.to_thread(immediate_replies, request)
        if replies is not None:
            if kind in queues:
                queues[kind].stop()
            for reply in replies:
                await send(encoded(reply))
            return
        if kind not in queues:
            queues[kind] = LatestWinsQueue(self.pool, send)
        queues[kind].ask(Job(request.id, data, seconds, grace))


async def _first(_: Request) -> FileResponse:
    return FileResponse(STATIC / "index.html")


def application(settings: Settings, token: str, port: int) -> ASGIApp:
    """Return the guarded application of a server on a port."""
    pages = Pages(settings)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        preparing = asyncio.create_task(pages.prepare())
        yield
        preparing.cancel()
        pages.pool.close()

    routes = [
        Route("/", _first),
        WebSocketRoute("/live", pages.live),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/docs/{path:path}", documentation),
    ]
    return Guard(Starlette(routes=routes, lifespan=life), token, port)


def cookie_of(token: str, port: int) -> str:
    """Return what a browser holds that came by the link of a server."""
    return hmac.new(token.encode(), b"cookie of %d" % port, "sha256").hexdigest()


class Guard:
    """An ASGI application that lets through what may pass, and closes the rest."""

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

    def _with_headers(self, send: SendMessage) -> SendMessage:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        return sending


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())


def open_socket(port: int | None, last: int) -> socket.socket:
    """Return a listening socket of this machine alone.

    - `port`: the port wanted; None takes the last one if it is free, else any.

    Raises `OptionError` if the port wanted is taken.
    """
    for wanted in [port] if port is not None else [last, 0]:
        # said in full: asyncio sends small messages at once on such sockets alone
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", wanted))
            found.listen(128)
        except OSError as error:
            found.close()
            if port is not None:
                why = error.strerror or str(error)
                raise OptionError(f"port {port} cannot be used: {why}") from None
        else:
            return found
    raise OptionError("no port of this machine is free")


def remembered(folder: Path) -> tuple[str, int]:
    """Return token and port of the last server in a folder, or new ones."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        path = folder / KEPT
        if not path.is_symlink() and path.stat().st_mode & 0o077 == 0:
            kept = json.loads(path.read_text(encoding="utf-8"))
            token, port = str(kept["token"]), int(kept["port"])
            if len(token) >= 32 and 0 < port < 65536:
                return token, port
    return secrets.token_urlsafe(24), 0


def remember(folder: Path, token: str, port: int) -> None:
    """Keep token and port for the next server; for nobody else's eyes."""
    path = folder / KEPT
    with suppress(OSError):
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(json.dumps({"token": token, "port": port}), encoding="utf-8")


def serve(settings: Settings, port: int | None, started: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `started` is given the link that opens the first page.

    Raises `OptionError` if the port is taken, or the folder cannot be written.
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

"""The application: pages as files, and one WebSocket a page for all questions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from heuristic.groups import about, group_names
from heuristic.rules.drawing import CellState
from heuristic.rules.letters import FORBID, FORBIDDEN, LEGEND, MARKS
from solver import __version__
from verify.lab.guard import Guard
from verify.lab.messages import QUEUES, Look, Open, Stop, read_request
from verify.lab.places import Settings, immediate_replies
from verify.lab.pool import Job, LatestWinsQueue, Send, WorkerPool, number_of
from verify.lab.replies import Fault, Group, Letter, Welcome, encoded

if TYPE_CHECKING:
    from verify.lab.server import EarlyProcess

STATIC = Path(__file__).parent / "static"
PAGES = 8  # connections at a time
QUIET = 5.0  # seconds before workers are loaded though no page has asked yet


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
        found.append(Letter(letter, says, look, letter in FORBID, forbidden))
    return found


class Pages:
    """The connections of a server and what they share."""

    def __init__(self, settings: Settings, first: "EarlyProcess") -> None:
        self._settings = settings
        self.pool = WorkerPool(settings, first)
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
        """Answer one page until it goes."""

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
        """Give a request to its queue, or say why it is none."""
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
        early = isinstance(request, Look)
        queues[kind].ask(Job(request.id, data, seconds, grace, early))


async def _first(_: Request) -> FileResponse:
    return FileResponse(STATIC / "index.html")


def application(
    settings: Settings, token: str, port: int, first: "EarlyProcess"
) -> ASGIApp:
    """Return the guarded application of a server on a port."""
    pages = Pages(settings, first)

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
    ]
    return Guard(Starlette(routes=routes, lifespan=life), token, port)

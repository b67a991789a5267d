"""Worker processes: one request at a time each, and killed to cancel it.

A *house* starts them, forked from a process that has loaded everything, and keeps a
fresh one ready. A *lane* of a page has one at a time. A newer request gives
the older one its seconds of grace to end by itself; then the process is killed, and the
ready one takes its place. Where nothing can be forked each starts anew, which takes
seconds.
"""

import asyncio
import multiprocessing
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from solver.system import POSIX, starting_workers
from verify.lab.messages import Fault, Numbered, Reply
from verify.lab.settings import Settings
from verify.lab.worker import LAST, encoded, work

GIVEN_UP = "given up"  # told of what a newer request replaced, or a page stopped
MOST = 24  # processes of one server

Send = Callable[[bytes], Awaitable[None]]


class Job(NamedTuple):
    """A request as bytes, its number, the seconds it may take, and those of grace.

    `first` makes what can be said of it before the first worker is loaded, if anything.
    """

    number: int
    data: bytes
    seconds: float
    grace: float
    first: Callable[[], Reply | None] = lambda: None


class Worker:
    """One process, and a thread that reads what it says."""

    def __init__(self, settings: Settings) -> None:
        self._loop = asyncio.get_running_loop()
        self.heard: asyncio.Queue[bytes | None] = asyncio.Queue()
        context: Any = multiprocessing.get_context("forkserver" if POSIX else "spawn")
        if POSIX:
            context.set_forkserver_preload(["verify.lab.preload"])
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=work, args=(theirs, settings), daemon=True
        )
        self._theirs = theirs

    def start(self) -> None:
        """Start it; takes milliseconds, or seconds for the first one."""
        with starting_workers():
            self._process.start()
        self._theirs.close()
        threading.Thread(target=self._read, args=(self._pipe,), daemon=True).start()

    def _read(self, pipe: Connection) -> None:
        data: bytes | None = b""
        while data is not None:
            try:
                data = pipe.recv_bytes()
            except (EOFError, OSError):
                data = None
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self.heard.put_nowait, data)

    def ask(self, data: bytes) -> None:
        """Send a request; it is small."""
        with suppress(OSError):
            self._pipe.send_bytes(data)

    def kill(self) -> None:
        """End it at once, whatever it does."""
        self._process.kill()
        self._process.join(2)
        self._pipe.close()


class House:
    """All workers of a server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ready: asyncio.Task[Worker] | None = None
        self._all: set[Worker] = set()
        self._starting = threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether a worker waits for somebody who needs it."""
        return self._ready is not None and self._ready.done()

    def prepare(self) -> None:
        """Begin to start a worker that nobody needs yet."""
        if self._ready is None and len(self._all) < MOST:
            self._ready = asyncio.create_task(self._started())

    async def _started(self) -> Worker:
        worker = Worker(self._settings)
        self._all.add(worker)

        def start() -> None:
            with self._starting:
                worker.start()

        await asyncio.to_thread(start)
        return worker

    async def worker(self) -> Worker | None:
        """Give a fresh worker; None if there are too many."""
        self.prepare()
        if self._ready is None:
            return None
        task, self._ready = self._ready, None
        worker = await asyncio.shield(task)
        self.prepare()
        return worker

    def dismiss(self, worker: Worker) -> None:
        """End a worker."""
        self._all.discard(worker)
        worker.kill()

    def close(self) -> None:
        """End them all."""
        for worker in list(self._all):
            with suppress(AssertionError, ValueError, AttributeError):  # not started
                worker.kill()
        self._all.clear()


class Lane:
    """Requests of one page and one kind, one after the other, the newest next."""

    def __init__(self, house: House, send: Send) -> None:
        self._house, self._send = house, send
        self._next: Job | None = None
        self._replaced: list[Job] = []
        self._news = asyncio.Event()
        self._stopping = False
        self._worker: Worker | None = None
        self._task = asyncio.create_task(self._live())

    def ask(self, job: Job) -> None:
        """Take a request; it replaces one that waits, which is told so."""
        self._replaced += [self._next] if self._next else []
        self._next, self._stopping = job, False
        self._news.set()

    def stop(self) -> None:
        """Give up what is under way and what waits."""
        self._replaced += [self._next] if self._next else []
        self._next, self._stopping = None, True
        self._news.set()

    async def close(self) -> None:
        """Give up everything, and the process too."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._dismiss()

    def _dismiss(self) -> None:
        if self._worker is not None:
            self._house.dismiss(self._worker)
            self._worker = None

    async def _live(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            job, self._next = self._next, None
            gone, self._replaced = self._replaced, []
            for one in gone:
                await self._send(encoded(Fault(one.number, GIVEN_UP)))
            if job is not None:
                await self._do(job)

    async def _do(self, job: Job) -> None:
        if self._worker is None:
            if not self._house.ready:
                first = await asyncio.to_thread(job.first)
                if first is not None:
                    await self._send(encoded(first))
            self._worker = await self._house.worker()
        why = "" if self._worker else "too many pages are open: close one"
        if self._next is not None or self._stopping:  # it was loading for long
            why = GIVEN_UP
        if self._worker is None or why:
            await self._send(encoded(Fault(job.number, why)))
            return
        worker, loop = self._worker, asyncio.get_running_loop()
        worker.ask(job.data)
        end, news = loop.time() + job.seconds, asyncio.create_task(self._news.wait())
        hurried = False
        try:
            while True:
                heard = asyncio.create_task(worker.heard.get())
                waiting = {heard} if hurried else {heard, news}
                left = max(0.0, end - loop.time())
                await asyncio.wait(
                    waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED
                )
                if heard.done():
                    if not await self._pass_on(job, heard.result(), hurried):
                        return
                    continue
                heard.cancel()
                if not hurried and news.done() and not self._stopping:
                    hurried, end = True, min(end, loop.time() + job.grace)
                    continue
                self._dismiss()
                why = f"stopped after {job.seconds:g} seconds"
                if hurried or news.done():
                    why = GIVEN_UP
                await self._send(encoded(Fault(job.number, why)))
                return
        finally:
            news.cancel()

    async def _pass_on(self, job: Job, data: bytes | None, hurried: bool) -> bool:
        """Send a reply to the page; tell whether more will come."""
        if data is None:
            self._dismiss()
            why = "the process that worked on this is gone; ask again"
            await self._send(encoded(Fault(job.number, why)))
            return False
        await self._send(data[1:])
        return data[:1] != LAST


def number_of(data: bytes) -> int:
    """Return the number of a request that may be none, 0 if it has none."""
    import msgspec

    try:
        return msgspec.json.decode(data, type=Numbered).id
    except (msgspec.DecodeError, UnicodeDecodeError):
        return 0

"""Worker processes: one request at a time each, and killed to cancel it.

The pool starts them, forked from a process that has loaded everything, and keeps a
fresh one spare. A queue of a page has one at a time. A newer request gives the older
one its seconds of grace to end by itself; then the process is killed, and the spare one
takes its place. Where nothing can be forked each starts anew, which takes seconds.
"""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from solver.files import starting_workers
from verify.lab.messages import LAST, Fault, Numbered, encoded
from verify.lab.places import Settings
from verify.runs.pool import begin_worker

GIVEN_UP = "given up"  # the fault of what a newer request replaced, or a page stopped
MOST = 24  # processes of one server

# A start polls all processes of before: one that is closed meanwhile by another thread
# would be read from a number that is a new pipe's, for ever.
_changing = threading.Lock()

Send = Callable[[bytes], Awaitable[None]]


class Job(NamedTuple):
    """A request as bytes, its number, the seconds it may take, and those of grace."""

    number: int
    data: bytes
    seconds: float
    grace: float


class ReadWorker:
    """One process, and a thread that reads what it says.

    It is no process of a pool: one request has many replies, and the process is forked
    from one that has loaded everything, so that a fresh one takes milliseconds.
    """

    def __init__(self, settings: Settings) -> None:
        self._loop = asyncio.get_running_loop()
        self.heard: asyncio.Queue[bytes | None] = asyncio.Queue()
        posix = os.name == "posix"
        context: Any = multiprocessing.get_context("forkserver" if posix else "spawn")
        if posix:
            context.set_forkserver_preload(["verify.lab.worker"])
        self.pipe, self._theirs = context.Pipe()  # on Windows a PipeConnection
        self.process = context.Process(
            target=_serve, args=(self._theirs, settings), daemon=True
        )

    def start(self) -> None:
        """Start it; takes milliseconds, or seconds for the first one."""
        with starting_workers():
            self.process.start()
        self._theirs.close()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Pass on what it says until it is gone, then free what it held.

        Only this thread closes the pipe: closed by another one, its number could be
        that of a new connection when this one reads again.
        """
        data: bytes | None = b""
        while data is not None:
            try:
                data = self.pipe.recv_bytes()
            except (EOFError, OSError):
                data = None
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self.heard.put_nowait, data)
        self.pipe.close()
        with _changing:
            self.process.join()
            self.process.close()

    def ask(self, data: bytes) -> None:
        """Send a request; it is small."""
        with suppress(OSError):
            self.pipe.send_bytes(data)

    def kill(self) -> None:
        """End it at once, whatever it does."""
        with suppress(ValueError, AttributeError):  # it has ended; it never started
            self.process.kill()


def _serve(pipe: Connection, settings: Settings) -> None:
    """Run a worker of the laboratory until the pipe closes."""
    from verify.lab.worker import work  # the server itself loads no rules

    begin_worker()
    work(pipe, settings)


class WorkerPool:
    """All workers of a server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.loaded = False  # whether a worker has ever been started
        self._spare: asyncio.Task[ReadWorker] | None = None
        self._all: set[ReadWorker] = set()

    def prepare(self) -> None:
        """Begin to start a worker that nobody needs yet."""
        if self._spare is None and len(self._all) < MOST:
            self._spare = asyncio.create_task(self._started())

    async def _started(self) -> ReadWorker:
        worker = ReadWorker(self._settings)
        self._all.add(worker)

        def start() -> None:
            with _changing:
                worker.start()

        try:
            await asyncio.to_thread(start)
        except OSError:
            self._all.discard(worker)
            raise
        self.loaded = True
        return worker

    async def worker(self) -> ReadWorker | None:
        """Return a fresh worker; None if there are too many.

        Raises `OSError` if none can be started.
        """
        self.prepare()
        if self._spare is None:
            return None
        task, self._spare = self._spare, None
        try:
            worker = await asyncio.shield(task)
        except asyncio.CancelledError:  # its page went meanwhile: the next one has it
            if self._spare is None:
                self._spare = task
            else:
                task.add_done_callback(self._unwanted)
            raise
        self.prepare()
        return worker

    def _unwanted(self, task: "asyncio.Task[ReadWorker]") -> None:
        if not task.cancelled() and task.exception() is None:
            self.dismiss(task.result())

    def dismiss(self, worker: ReadWorker) -> None:
        """End a worker."""
        self._all.discard(worker)
        worker.kill()

    def close(self) -> None:
        """End them all."""
        for worker in list(self._all):
            self.dismiss(worker)


class LatestWinsQueue:
    """Requests of one page and one kind, one after the other, the newest next."""

    def __init__(self, pool: WorkerPool, send: Send) -> None:
        self._pool, self._send = pool, send
        self._next: Job | None = None
        self._replaced: list[Job] = []
        self._news = asyncio.Event()
        self._stopping = False
        self._worker: ReadWorker | None = None
        self._task = asyncio.create_task(self._live())

    def ask(self, job: Job) -> None:
        """Queue a request; it replaces one that waits, which fails."""
        self._replaced += [self._next] if self._next else []
        self._next, self._stopping = job, False
        self._news.set()

    def stop(self) -> None:
        """Cancel the current request and the one that waits."""
        self._replaced += [self._next] if self._next else []
        self._next, self._stopping = None, True
        self._news.set()

    def cancel(self) -> None:
        """Cancel everything, and end the process."""
        self._task.cancel()
        self._dismiss()

    def _dismiss(self) -> None:
        if self._worker is not None:
            self._pool.dismiss(self._worker)
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

    async def _load(self) -> str:
        """Wait for a worker; return why there is none."""
        try:
            self._worker = await self._pool.worker()
        except OSError as error:
            return f"no process can be started for this: {error}"
        if self._next is not None or self._stopping:  # it was loading for long
            self._news.set()
            return GIVEN_UP
        return "" if self._worker else "too many pages are open: close one"

    async def _do(self, job: Job) -> None:
        if self._worker is None and (why := await self._load()):
            await self._send(encoded(Fault(job.number, why)))
            return
        assert self._worker is not None
        worker, loop = self._worker, asyncio.get_running_loop()
        worker.ask(job.data)
        end, news = loop.time() + job.seconds, asyncio.create_task(self._news.wait())
        hurried = False
        heard: asyncio.Task[bytes | None] | None = None
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
            if heard is not None:
                heard.cancel()

    async def _pass_on(self, job: Job, data: bytes | None, hurried: bool) -> bool:
        """Send a reply to the page; return whether more will come."""
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
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0

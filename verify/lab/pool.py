"""Worker processes of the laboratory: one request at a time, killed to cancel it.

Workers are forked from a process that has loaded everything, so a new worker takes
milliseconds; one is always spare. A queue of a page uses one worker. A newer request
leaves the current one `GRACE` seconds to end. Then the worker is killed and replaced.
Where processes cannot be forked each worker takes seconds to start.
"""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeAlias

from solver.files import starting_workers
from verify.lab.messages import Fault, encoded
from verify.lab.shared import LAST, Settings
from verify.runs.pool import begin_worker

GIVEN_UP = "given up"  # the fault of a request that was replaced or stopped
GRACE = 0.15  # seconds that a replaced request has left
MOST = 24  # processes of one server

# A start polls all earlier processes. If another thread closed one meanwhile, the
# number of its pipe could belong to a new pipe, and the poll would never end.
_changing = threading.Lock()

Send: TypeAlias = Callable[[bytes], Awaitable[None]]


class Job(NamedTuple):
    """A request as bytes, with its number and its time limit in seconds."""

    number: int
    data: bytes
    seconds: float


class Worker:
    """A process, and a thread that reads its replies.

    Unlike in the pool of long runs a request has many replies, and a new process must
    take milliseconds.
    """

    def __init__(self, settings: Settings) -> None:
        self._loop = asyncio.get_running_loop()
        self.replies: asyncio.Queue[bytes | None] = asyncio.Queue()
        posix = os.name == "posix"
        context: Any = multiprocessing.get_context("forkserver" if posix else "spawn")
        if posix:
            context.set_forkserver_preload(["verify.lab.worker"])
        self._pipe, self._theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(self._theirs, settings), daemon=True
        )

    def start(self) -> None:
        """Start the process; takes milliseconds, or seconds for the first one."""
        with _changing, starting_workers():
            self._process.start()
        self._theirs.close()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Queue the replies until the process is gone, then free its resources.

        Only this thread closes the pipe. If another thread did, this one could read
        from a new connection with the same number.
        """
        data: bytes | None = b""
        while data is not None:
            try:
                data = self._pipe.recv_bytes()
            except (EOFError, OSError):
                data = None
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self.replies.put_nowait, data)
        self._pipe.close()
        with _changing:
            self._process.join()
            self._process.close()

    def ask(self, data: bytes) -> None:
        """Send a request."""
        with suppress(OSError):  # the process is gone; `replies` has None
            self._pipe.send_bytes(data)

    def kill(self) -> None:
        """End the process at once."""
        with suppress(ValueError, AttributeError):  # it has ended, or never started
            self._process.kill()


def _serve(pipe: Connection, settings: Settings) -> None:
    """Run a worker until the pipe closes."""
    from verify.lab.worker import work  # the server itself loads no rules

    begin_worker()
    work(pipe, settings)


class WorkerPool:
    """The workers of a server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.loaded = False  # whether a worker was ever started
        self._spare: asyncio.Task[Worker] | None = None
        self._all: set[Worker] = set()

    def _prepare(self) -> None:
        if self._spare is None and len(self._all) < MOST:
            self._spare = asyncio.create_task(self._started())

    async def _started(self) -> Worker:
        worker = Worker(self._settings)
        self._all.add(worker)
        try:
            await asyncio.to_thread(worker.start)
        except OSError:
            self._all.discard(worker)
            self._spare = None
            raise
        self.loaded = True
        return worker

    async def worker(self) -> Worker | None:
        """Return a fresh worker; None if there are too many.

        Raises `OSError` if no process can be started.
        """
        self._prepare()
        while (task := self._spare) is not None:
            await asyncio.shield(task)  # the page may go meanwhile
            if self._spare is task:
                self._spare = None
                self._prepare()
                return task.result()
        return None

    def dismiss(self, worker: Worker) -> None:
        """End a worker."""
        self._all.discard(worker)
        worker.kill()

    def close(self) -> None:
        """End all workers."""
        for worker in list(self._all):
            self.dismiss(worker)


class LatestWinsQueue:
    """Requests of one page and one kind: one runs, and the newest waits."""

    def __init__(self, pool: WorkerPool, send: Send) -> None:
        self._pool, self._send = pool, send
        self._next: Job | None = None
        self._limit: asyncio.Timeout | None = None  # of the current request
        self._given_up = False
        self._worker: Worker | None = None
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._live())

    async def ask(self, job: Job) -> None:
        """Queue a request; it replaces the waiting one, which fails."""
        await self._replace(job, GRACE)

    async def stop(self) -> None:
        """Cancel the current request and the waiting one."""
        await self._replace(None, 0.0)

    def cancel(self) -> None:
        """Cancel everything, and end the process."""
        self._task.cancel()
        self._dismiss()

    async def _replace(self, job: Job | None, grace: float) -> None:
        replaced, self._next = self._next, job
        self._news.set()
        if self._limit is not None:
            self._given_up = True
            self._end_within(grace, self._limit)
        if replaced is not None:
            await self._fail(replaced, GIVEN_UP)

    async def _fail(self, job: Job, why: str) -> None:
        await self._send(encoded(Fault(job.number, why)))

    def _end_within(self, seconds: float, limit: asyncio.Timeout) -> None:
        if not limit.expired():
            end = asyncio.get_running_loop().time() + seconds
            limit.reschedule(min(end, limit.when() or end))

    def _dismiss(self) -> None:
        if self._worker is not None:
            self._pool.dismiss(self._worker)
            self._worker = None

    async def _live(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            job, self._next = self._next, None
            if job is None:
                continue
            self._given_up = False
            try:
                async with asyncio.timeout(None) as self._limit:
                    why = await self._work(job, self._limit)
            except TimeoutError:
                late = f"stopped after {job.seconds:g} seconds"
                why = GIVEN_UP if self._given_up else late
            self._limit = None
            if why:
                self._dismiss()
                await self._fail(job, why)

    async def _work(self, job: Job, limit: asyncio.Timeout) -> str:
        """Pass the replies of a worker on to the page; return why it failed, or ""."""
        try:
            self._worker = self._worker or await self._pool.worker()
        except OSError as error:
            return f"no process can be started for this: {error}"
        if self._worker is None:
            return "too many pages are open: close one"
        self._end_within(job.seconds, limit)
        self._worker.ask(job.data)
        while (data := await self._worker.replies.get()) is not None:
            await self._send(data[1:])
            if data[:1] == LAST:
                return ""
        return "the process that worked on this is gone; ask again"

"""Who works at units: processes of this machine, or a Dask cluster.

Both hand out units by `submit` and answer by futures. A process that dies fails the
unit in its hand alone, and is replaced.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from os import _exit
from signal import SIG_DFL, SIGTERM, signal
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from solver.errors import OptionError
from solver.files import ignore_interrupts, starting_workers
from verify.runs.work import Reply, RunError, Work, line_of, perform

if TYPE_CHECKING:
    from pebble import ProcessPool

A = TypeVar("A")
B = TypeVar("B")

_AHEAD = 4  # units handed out for each process, so that none waits for this one
_LEAST = 8  # units handed out to a cluster, which may get workers later
_ANSWER = 10.0  # seconds for a scheduler to answer


class Team(NamedTuple):
    """Workers: `submit` hands out the payload of a unit; `room` is for so many."""

    submit: Callable[[str], "Future[Reply]"]
    room: Callable[[], int]


class _Process(SpawnProcess):
    """A process that Ctrl-C does not reach, and that does not run our script."""

    def start(self) -> None:
        """Start it, also from a thread of the pool that replaces a dead one."""
        with starting_workers():
            super().start()


class _Spawning(SpawnContext):
    Process = _Process


def begin_worker() -> None:
    """Prepare a process: it ends by SIGTERM and with its parent, inside a kernel too.

    Ctrl-C does not reach it.
    """
    ignore_interrupts()
    signal(SIGTERM, SIG_DFL)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # Kernels release the lock of the interpreter, so this thread runs beside them.
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        _exit(1)


@contextmanager
def started_pool(jobs: int) -> "Iterator[ProcessPool]":
    """Start a pool of processes; at the end, they end whatever they do."""
    from pebble import ProcessPool  # 20 ms that commands without processes spare

    context: Any = _Spawning()  # on Windows its pipes have another type
    pool = ProcessPool(jobs, initializer=begin_worker, context=context)
    try:
        yield pool
    finally:
        pool.stop()  # type: ignore[no-untyped-call]  # of Pebble
        pool.join()


@contextmanager
def processes(work: Work, jobs: int) -> Iterator[Team]:
    """Start processes of this machine that work at units."""
    with started_pool(jobs) as pool:
        yield Team(
            lambda payload: pool.schedule(perform, (work, payload)),
            lambda: _AHEAD * jobs,
        )


@contextmanager
def machines(work: Work, address: str) -> Iterator[Team]:
    """Let the workers of a Dask cluster work at units.

    - `address`: of its scheduler: ``tcp://host:8786``.

    Raises `OptionError` if the extra ``cluster`` is not installed or no scheduler
    answers; `RunError` if the scheduler is lost.
    """
    try:
        from distributed import Client
    except ImportError:
        raise OptionError(
            "--cluster needs Dask: pip install 'oneway[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise OptionError(f"--cluster {address}: {why}") from None
    executor = client.get_executor(pure=False)
    try:
        yield Team(
            lambda payload: executor.submit(perform, work, payload),
            lambda: max(_LEAST, _AHEAD * sum(client.nthreads().values())),
        )
    except RunError:
        raise
    except (CancelledError, OSError, RuntimeError) as error:
        raise RunError(f"the scheduler at {address} is gone") from error
    finally:
        client.close(timeout=1)


def _exit_code(error: BaseException) -> int | None:
    """Return the exit code of a process that died, if that is the error."""
    code: int | None = getattr(error, "exitcode", None)  # of `pebble.ProcessExpired`
    return code


def reply_of(future: "Future[Reply]") -> Reply:
    """Return what came of a unit that is done.

    Raises `CancelledError` if the team is gone; `RunError` if workers die as they
    start.
    """
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, BrokenExecutor):
        raise RunError("worker processes die as they start")
    if (code := _exit_code(error)) is not None:
        return Reply(error=f"its process died, exit code {code}")
    return Reply(error=line_of(error))


def each(
    function: Callable[[A], B],
    items: Iterable[A],
    jobs: int,
    *,
    order: Sequence[int] | None = None,
) -> Iterator[B]:
    """Yield what a function returns for each item, in their order, from processes.

    - `order`: which items are begun first.

    An exception of the function is raised here, and ends what is under way; so does
    closing the iterator.

    Raises `RunError` if a process dies.
    """
    tasks = list(items)
    with started_pool(min(jobs, len(tasks)) or 1) as pool:
        futures: dict[int, Future[Any]] = {}
        for number in range(len(tasks)) if order is None else order:
            futures[number] = pool.schedule(function, (tasks[number],))
        for number in range(len(tasks)):
            try:
                answer = futures[number].result()
            except Exception as error:
                if _exit_code(error) is not None or isinstance(error, BrokenExecutor):
                    raise RunError("a process died at its work") from None
                raise
            yield answer

"""Workers for long tasks: processes of this machine, or a Dask cluster.

A process that dies fails only the task it was working on, and is replaced.
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

from solver.errors import OptionError, RunError
from solver.files import ignore_interrupts, starting_workers

if TYPE_CHECKING:
    from pebble import ProcessPool

A = TypeVar("A")
B = TypeVar("B")

_AHEAD = 4  # tasks queued for each worker, so that no worker waits for this process
_LEAST = 8  # tasks queued on a cluster that has no workers yet
_ANSWER = 10.0  # seconds for a scheduler to answer


class Team(NamedTuple):
    """Workers: `submit` queues a call of a function, `room` is the number of calls."""

    submit: Callable[..., "Future[Any]"]
    room: Callable[[], int]


class _Process(SpawnProcess):
    """A process that Ctrl-C does not reach and that does not run our script."""

    def start(self) -> None:
        with starting_workers():
            super().start()


class _Spawning(SpawnContext):
    Process = _Process


def begin_worker() -> None:
    """Prepare a worker process: it ignores Ctrl-C and ends with its parent."""
    ignore_interrupts()
    signal(SIGTERM, SIG_DFL)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # Kernels release the lock of the interpreter, so this thread runs meanwhile.
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        _exit(1)


@contextmanager
def started_pool(jobs: int) -> "Iterator[ProcessPool]":
    """Start a pool of processes, and end them at the end of the block."""
    from pebble import ProcessPool  # 20 ms that commands without processes save

    context: Any = _Spawning()  # on Windows its pipes have another type
    pool = ProcessPool(jobs, initializer=begin_worker, context=context)
    try:
        yield pool
    finally:
        pool.stop()  # type: ignore[no-untyped-call]  # of Pebble
        pool.join()


@contextmanager
def processes(jobs: int) -> Iterator[Team]:
    """Start worker processes on this machine."""
    with started_pool(jobs) as pool:
        yield Team(
            lambda function, *values: pool.schedule(function, values),
            lambda: _AHEAD * jobs,
        )


@contextmanager
def machines(address: str) -> Iterator[Team]:
    """Connect to the workers of a Dask cluster by its scheduler's address.

    Raises `OptionError` if the extra ``cluster`` is not installed or no scheduler
    answers; `RunError` if the scheduler is lost.
    """
    try:
        from distributed import Client
    except ImportError:
        why = "--cluster needs Dask: pip install 'oneway[cluster]'"
        raise OptionError(why) from None
    try:
        client = Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise OptionError(f"--cluster {address}: {why}") from None
    executor = client.get_executor(pure=False)
    try:
        yield Team(
            executor.submit,
            lambda: max(_LEAST, _AHEAD * sum(client.nthreads().values())),
        )
    except RunError:
        raise
    except (CancelledError, OSError, RuntimeError) as error:
        raise RunError(f"the scheduler at {address} is gone") from error
    finally:
        client.close(timeout=1)


def exit_code(error: BaseException) -> int | None:
    """Return the exit code of a worker that died at a task; None for other errors."""
    code: int | None = getattr(error, "exitcode", None)  # of `pebble.ProcessExpired`
    return code


def each(
    function: Callable[[A], B],
    items: Iterable[A],
    jobs: int,
    *,
    order: Sequence[int] | None = None,
) -> Iterator[B]:
    """Yield the value of a function for each item, in order, from `jobs` processes.

    - `order`: the indices of the items in the order in which to start them.

    An exception of the function is raised here and ends the other tasks, as does
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
                if exit_code(error) is not None or isinstance(error, BrokenExecutor):
                    raise RunError("a process died at its work") from None
                raise
            yield answer

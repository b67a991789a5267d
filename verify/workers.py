"""Processes that share work, and end when their parent does."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

from solver.system import ignore_interrupts, starting_workers

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Workers(ProcessPoolExecutor):
    """A pool whose processes are not reached by Ctrl-C."""

    def __init__(self, jobs: int) -> None:
        context = get_context("spawn")
        super().__init__(jobs, mp_context=context, initializer=ignore_interrupts)
        self._started: set[BaseProcess] = set()

    def submit(
        self, task: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_T]:
        """Give work to a process; it may be started now."""
        before = set(active_children())
        with starting_workers():
            future = super().submit(task, *args, **kwargs)
        self._started |= set(active_children()) - before
        return future

    def give_up(self) -> None:
        """End the processes at once, whatever they do."""
        self.shutdown(wait=False, cancel_futures=True)
        for process in self._started:
            process.kill()


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """Give a pool of processes that is gone at the end of the block.

    If the block is left by an exception, Ctrl-C among them, work under way is given up:
    nobody waits for it.
    """
    pool = Workers(jobs)
    try:
        yield pool
    except BaseException:
        pool.give_up()
        raise
    pool.shutdown(cancel_futures=True)

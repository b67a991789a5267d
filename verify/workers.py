"""Processes of ours, each with a pipe: of campaigns, of proofs, of the laboratory."""

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from solver.system import ignore_interrupts, starting_workers

_A = TypeVar("_A")
_B = TypeVar("_B")


class WorkerError(RuntimeError):
    """A process that died at its work."""


class Worker:
    """A process, and the pipe to it; Ctrl-C does not reach it.

    There `serve` is called with its end of the pipe and the arguments. It ends with
    this process, in the middle of its work too.
    """

    def __init__(
        self, serve: Callable[..., None], *args: Any, method: str = "spawn"
    ) -> None:
        context: Any = multiprocessing.get_context(method)
        self.pipe, self._theirs = context.Pipe()  # on Windows a PipeConnection
        self.process = context.Process(
            target=_begin, args=(serve, self._theirs, *args), daemon=True
        )

    def start(self) -> None:
        """Start it; takes milliseconds, or seconds for the first one."""
        with starting_workers():
            self.process.start()
        self._theirs.close()

    def kill(self) -> None:
        """End it at once, whatever it does, and free what it held."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        self.process.close()


def _begin(serve: Callable[..., None], pipe: Connection, *args: Any) -> None:
    ignore_interrupts()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    serve(pipe, *args)


def _leave_with_parent() -> None:
    """End at once when the parent is gone.

    Works as long as kernels release the lock, which `solver.jit` sees to.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def each(
    function: Callable[[_A], _B],
    items: Iterable[_A],
    jobs: int,
    *,
    order: Sequence[int] | None = None,
) -> Iterator[_B]:
    """Yield what a function says of each item, in their order; processes share them.

    `order` says which items are begun first. Whoever stops asking, by an exception
    too, gives up what is under way.

    Raises `WorkerError` if a process dies; what the function raises is raised here.
    """
    tasks, answers = list(items), dict[int, tuple[bool, Any]]()
    waiting = deque(range(len(tasks)) if order is None else order)
    team = [Worker(_answer, function) for _ in range(min(jobs, len(tasks)))]
    hand: dict[Any, int] = {}
    started: list[Worker] = []
    try:
        for worker in team:
            worker.start()
            started.append(worker)
            hand[worker.pipe] = waiting.popleft()
            worker.pipe.send(tasks[hand[worker.pipe]])
        for number in range(len(tasks)):
            while number not in answers:
                ready: list[Any] = wait(list(hand))
                for pipe in ready:
                    answers[hand.pop(pipe)] = _heard(pipe)
                    if waiting:
                        hand[pipe] = waiting.popleft()
                        pipe.send(tasks[hand[pipe]])
            good, answer = answers.pop(number)
            if not good:
                raise answer
            yield answer
    finally:
        for worker in started:
            worker.kill()


def _heard(pipe: Any) -> tuple[bool, Any]:
    try:
        answer: tuple[bool, Any] = pipe.recv()
    except (EOFError, OSError):
        raise WorkerError("a process died at its work") from None
    return answer


def _answer(pipe: Connection, function: Callable[[Any], Any]) -> None:
    """Be a process of `each`, until the pipe closes."""
    while True:
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, function(item)
        except Exception as error:
            answer = False, error
        pipe.send(answer)

"""What executes units: the protocol, and the simplest executor, this process."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from verify.campaign.campaign import Campaign
from verify.campaign.records import Ahead, Report, Task
from verify.campaign.worker import perform


class Executor(Protocol):
    """Takes tasks and gives reports, in any order; work-ahead is its own affair.

    A task that was taken is reported, unless the executor is closed first. One that a
    worker died of is reported as an error; one that only lay with that worker goes
    back into the queue of the executor.
    """

    ahead: dict[int, Ahead]  # how far units are that are at work, by place

    def room(self) -> int:
        """Return how many tasks it would take now."""
        ...

    def take(self, tasks: Sequence[Task]) -> None:
        """Take tasks, no more than there is room for."""
        ...

    def reports(self, seconds: float) -> list[Report]:
        """Return what was finished; wait for something, but not longer."""
        ...

    def close(self) -> None:
        """Give up what is running; return within two seconds."""
        ...


class Inline:
    """Works at units in this process, one after the other."""

    def __init__(self, campaign: Campaign[Any], moved: Callable[[], None]) -> None:
        self._campaign, self._moved = campaign, moved
        self.ahead: dict[int, Ahead] = {}
        self._tasks: deque[Task] = deque()

    def room(self) -> int:
        """Return 1 if nothing waits."""
        return 1 - len(self._tasks)

    def take(self, tasks: Sequence[Task]) -> None:
        """Take a task."""
        self._tasks.extend(tasks)

    def reports(self, seconds: float) -> list[Report]:
        """Work at what was taken, however long it takes."""
        done = [perform(self._campaign, task, self._hear) for task in self._tasks]
        self._tasks.clear()
        self.ahead.clear()
        return done

    def _hear(self, ahead: Ahead) -> None:
        self.ahead[ahead.place] = ahead
        self._moved()

    def close(self) -> None:
        """Do nothing."""
        self._tasks.clear()

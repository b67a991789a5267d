"""The executor of several machines: Dask, with a scheduler and workers started apart.

Only this process knows the ledger; workers get a place and a payload and return a
report. Keys carry the name of the run, so that nothing of a dead run is taken for
ours. Few futures live at a time, however many units there are.
"""

import itertools
import json
import os
from collections.abc import Sequence
from concurrent.futures import CancelledError
from functools import lru_cache
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from solver.errors import OptionError
from verify.campaign.campaign import Ahead, Campaign, CampaignError, Report, Task, plain
from verify.campaign.worker import OtherProgramError, make_here, perform

_AHEAD = 4  # units a worker
_LEAST = 8
_PATIENCE = 60.0  # seconds without any worker
_ANSWER = 10.0  # seconds for a scheduler to answer
_FETCH = 2.0  # seconds for one result to come over
_LOOK = 1.0  # seconds between two looks at which workers there are


def open_to_all(address: str) -> bool:
    """Return whether others of the network may reach a scheduler: no TLS, no loopback.

    Whoever reaches it can run any program on it and on its workers.

    >>> [open_to_all(f"{one}:8786") for one in ("tcp://first", "tls://first", "[::1]")]
    [True, False, False]
    """
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme in ("tls", "wss", "inproc"):
        return False
    try:
        return not ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname != "localhost"


class Cluster:
    """A Dask cluster.

    - `address`: of the scheduler: ``tcp://host:8786``.
    - `maker`, `parameters`, `deciding`: by which a worker makes the campaign again.

    Raises `OptionError` if the extra ``cluster`` is not installed or nobody answers
    there.
    """

    def __init__(
        self, address: str, maker: str, parameters: dict[str, Any], deciding: str
    ) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise OptionError(
                "--cluster needs Dask: pip install 'oneway[cluster]'"
            ) from None
        try:
            self._client = Client(address, timeout=_ANSWER, set_as_default=False)
        except (OSError, ValueError) as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise OptionError(f"--cluster {address}: {why}") from None
        self._address = address
        self.ahead: dict[int, Ahead] = {}  # not known of other machines
        self._named = maker, plain(parameters), deciding
        self._live: dict[str, tuple[Task, Any]] = {}
        self._done: SimpleQueue[str] = SimpleQueue()
        self._run, self._numbers = os.urandom(6).hex(), itertools.count()
        self._threads = 0
        self._met = self._looked = monotonic()  # when a worker was met; was looked for
        self._look()

    def _look(self) -> None:
        """Count the threads of the workers there are."""
        self._looked = monotonic()
        try:
            info = self._client.scheduler_info(n_workers=-1)
        except (CancelledError, OSError, RuntimeError) as error:
            raise self._gone() from error
        self._threads = sum(one["nthreads"] for one in info["workers"].values())
        if self._threads:
            self._met = self._looked
        elif self._looked - self._met > _PATIENCE:
            raise CampaignError(
                f"the scheduler at {self._address} has no worker for a minute now"
            )

    def room(self) -> int:
        """Return how many units would be sent ahead now."""
        return max(_LEAST, _AHEAD * self._threads) - len(self._live)

    def take(self, tasks: Sequence[Task]) -> None:
        """Send tasks to the scheduler."""
        if not tasks:
            return
        keys = [f"oneway-{self._run}-{next(self._numbers)}" for _ in tasks]
        try:
            futures = self._client.map(
                _perform_there,
                list(tasks),
                named=self._named,
                key=keys,
                pure=False,
                retries=0,
            )
        except (CancelledError, OSError, RuntimeError) as error:
            raise self._gone() from error
        for task, future in zip(tasks, futures, strict=True):
            self._live[future.key] = task, future
            future.add_done_callback(self._note)

    def _note(self, future: Any) -> None:
        self._done.put(future.key)

    def _gone(self) -> CampaignError:
        return CampaignError(f"the scheduler at {self._address} is gone")

    def reports(self, seconds: float) -> list[Report]:
        """Return what came back."""
        found: list[Report] = []
        if monotonic() - self._looked > _LOOK:
            self._look()
        with_wait = True
        while True:
            try:
                key = self._done.get(block=with_wait, timeout=seconds)
            except Empty:
                return found
            with_wait = False
            report = self._fetched(key)
            if report is not None:
                found.append(report)

    def _fetched(self, key: str) -> Report | None:
        task, future = self._live[key]
        if future.status == "cancelled":
            raise self._gone()
        try:
            if future.status == "error":
                report = self._failed(task, future.exception(timeout=_FETCH))
            else:
                report = future.result(timeout=_FETCH)
        except TimeoutError:  # its worker died meanwhile; it comes again
            future.add_done_callback(self._note)
            return None
        except (CancelledError, OSError) as error:
            raise self._gone() from error
        del self._live[key]
        future.release()
        return report

    def _failed(self, task: Task, error: BaseException) -> Report:
        if isinstance(error, OtherProgramError):
            raise CampaignError(str(error))
        why = " ".join(str(error).split())
        name = f"cluster {self._address}"
        return Report(task.place, name, error=f"{type(error).__name__}: {why}")

    def close(self) -> None:
        """Cancel what is live and leave the cluster."""
        try:
            if self._live:
                self._client.cancel([one for _, one in self._live.values()], force=True)
        except (CancelledError, OSError, RuntimeError, TimeoutError):
            pass  # nobody is there to hear it
        self._live.clear()
        self._client.close(timeout=1)


@lru_cache(maxsize=2)
def _made(maker: str, parameters: str, deciding: str) -> Campaign[Any]:
    return make_here(maker, json.loads(parameters), deciding)


def _perform_there(task: Task, *, named: tuple[str, str, str]) -> Report:
    """Work at a unit in a worker of the cluster."""
    return perform(_made(*named), task)

"""The executor of several machines against a double of Dask, which fails when told to.

`tests/campaign/test_cluster.py` has a cluster of processes; here nothing is started.
"""

import re
import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from queue import Empty
from types import SimpleNamespace
from typing import Any, cast

import pytest

from solver.errors import OptionError
from tests.campaign.sums import squares
from verify.campaign.campaign import CampaignError, Report, Task, reference
from verify.campaign.cluster import Cluster
from verify.campaign.engine import run
from verify.campaign.worker import worker_name

ADDRESS = "tcp://there:8786"
GONE = f"^the scheduler at {ADDRESS} is gone$"


class Future:
    """What a scheduler says of a task; the work is done by whoever made it."""

    def __init__(self, key: str, status: str, value: Any) -> None:
        self.key, self.status, self.value = key, status, value
        self.faults = deque[Exception]()  # raised before the value is given
        self.noted = self.released = 0

    def add_done_callback(self, note: Callable[["Future"], None]) -> None:
        self.noted += 1
        note(self)

    def result(self, *, timeout: float) -> Any:
        assert timeout == 2.0
        if self.faults:
            raise self.faults.popleft()
        return self.value

    exception = result

    def release(self) -> None:
        self.released += 1


class Client:
    """A scheduler with workers of 2 and 1 threads, as Dask shows them."""

    def __init__(self) -> None:
        self.threads = [2, 1]
        self.fault: Exception | None = None  # raised by whatever is asked next
        self.futures: list[Future] = []
        self.asked: list[tuple[Any, ...]] = []

    def __call__(self, address: str, *, timeout: float, set_as_default: bool) -> Any:
        self.answer(address, timeout, set_as_default)
        return self

    def answer(self, *asked: object) -> None:
        self.asked.append(asked)
        if self.fault is not None:
            raise self.fault

    def scheduler_info(self, *, n_workers: int) -> dict[str, Any]:
        assert n_workers == -1  # or no more than five would be told
        self.answer("info")
        return {"workers": {str(n): {"nthreads": n} for n in self.threads}}

    def map(
        self,
        function: Callable[..., Report],
        tasks: Sequence[Task],
        *,
        named: Any,
        key: list[str],
        pure: bool,
        retries: int,
    ) -> list[Future]:
        self.answer("map", tasks, pure, retries)
        futures = []
        for name, task in zip(key, tasks, strict=True):
            try:
                value: object = function(task, named=named)
                futures.append(Future(name, "finished", value))
            except Exception as error:
                futures.append(Future(name, "error", error))
        self.futures += futures
        return futures

    def cancel(self, futures: list[Future], *, force: bool) -> None:
        self.answer("cancel", futures, force)

    def close(self, *, timeout: float) -> None:
        self.asked.append(("close", timeout))


class Waits:
    """A queue that never waits, and knows how long it would have."""

    def __init__(self) -> None:
        self.keys, self.waits = deque[str](), list[tuple[bool, float]]()
        self.put = self.keys.append

    def get(self, *, block: bool, timeout: float) -> str:
        self.waits.append((block, timeout))
        if not self.keys:
            raise Empty
        return self.keys.popleft()


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    client = Client()
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    monkeypatch.setattr("verify.campaign.cluster.SimpleQueue", Waits)
    return client


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time, which the test sets."""
    now = [100.0]
    monkeypatch.setattr("verify.campaign.cluster.monotonic", lambda: now[0])
    return now


def _cluster(**parameters: Any) -> Cluster:
    campaign = squares(parameters := {"count": 100, **parameters})
    return Cluster(ADDRESS, reference(squares), parameters, campaign.deciding)


def _tasks(*numbers: int) -> list[Task]:
    return [Task(10 + number, str(number), 1.0) for number in numbers]


def test_a_campaign_on_a_cluster(client: Client) -> None:
    places: list[int] = []
    outcome = run(
        squares,
        {"count": 100, "wrong": [4]},
        cluster=ADDRESS,
        arrived=lambda place, _: places.append(place),
    )
    assert sorted(places) == [n for n in range(100) if n != 4]
    (failure,) = outcome.failures
    assert failure.error.startswith("ValueError: 4 is wrong\n")
    assert client.asked[:2] == [(ADDRESS, 10.0, False), ("info",)]
    assert client.asked[-1] == ("close", 1)
    sent = [one for one in client.asked if one[0] == "map"]
    assert {one[2:] for one in sent} == {(False, 0)}
    assert len(sent[0][1]) == 12
    keys = [future.key for future in client.futures]
    assert len(set(keys)) == 102  # a failed unit is tried three times
    assert all(re.fullmatch(r"oneway-[0-9a-f]{12}-\d+", key) for key in keys)
    assert len({key.split("-")[1] for key in keys}) == 1
    assert all(future.released == 1 for future in client.futures)


def test_few_units_live_at_a_time(client: Client, now: list[float]) -> None:
    cluster = _cluster()
    assert (cluster.room(), cluster.ahead) == (12, {})
    cluster.take([])
    assert client.futures == []
    cluster.take(_tasks(3, 7))
    assert cluster.room() == 10
    first, second = cluster.reports(5.0)
    assert (first.place, first.worker, first.value) == (13, worker_name(), "9")
    assert (second.place, second.value, second.cases) == (17, "49", ("7 ends in 7",))
    assert cluster.room() == 12
    waits = cast(Waits, cluster._done).waits
    assert waits == [(True, 5.0), (False, 5.0), (False, 5.0)]
    assert cluster.reports(0.5) == []
    assert waits[3:] == [(True, 0.5)]
    assert client.asked[1:].count(("info",)) == 1  # it looks once a second
    client.threads = [1]
    now[0] = 101.0
    cluster.reports(0.0)
    assert cluster.room() == 12
    now[0] = 101.1
    cluster.reports(0.0)
    cluster.reports(0.0)
    assert client.asked[1:].count(("info",)) == 2
    assert cluster.room() == 8  # not as few as four
    assert _cluster()._run != cluster._run


def test_a_result_that_does_not_come_is_waited_for(client: Client) -> None:
    cluster = _cluster()
    cluster.take(_tasks(3))
    (future,) = client.futures
    future.faults.append(TimeoutError())
    (report,) = cluster.reports(1.0)
    assert (report.place, report.value) == (13, "9")
    assert (future.noted, future.released) == (2, 1)


def test_what_dask_says_of_a_unit_is_its_error(client: Client) -> None:
    cluster = _cluster()
    cluster.take(_tasks(3, 5))
    client.futures[0].status = "error"
    client.futures[0].value = MemoryError("its worker\n  died")
    first, second = cluster.reports(1.0)
    error = "MemoryError: its worker died"
    assert first == Report(13, f"cluster {ADDRESS}", error=error)
    assert second.value == "25"
    assert [future.released for future in client.futures] == [1, 1]


def test_a_worker_of_another_program_ends_the_run(client: Client) -> None:
    cluster = Cluster(ADDRESS, reference(squares), {"count": 9}, "another")
    cluster.take(_tasks(3))
    why = f"^worker {worker_name()} has another version of the program or of the rules$"
    with pytest.raises(CampaignError, match=why):
        cluster.reports(1.0)


def test_a_scheduler_that_goes_is_said(client: Client, now: list[float]) -> None:
    for error in (CancelledError(), OSError(), RuntimeError()):
        cluster = _cluster()
        client.fault = error
        with pytest.raises(CampaignError, match=GONE):
            cluster.take(_tasks(3))
        now[0] += 2.0
        with pytest.raises(CampaignError, match=GONE):
            cluster.reports(1.0)
        client.fault = None
    for error in (CancelledError(), OSError()):
        cluster = _cluster()
        cluster.take(_tasks(3))
        client.futures[-1].faults.append(error)
        with pytest.raises(CampaignError, match=GONE):
            cluster.reports(1.0)
    cluster = _cluster()
    cluster.take(_tasks(3))
    client.futures[-1].status = "cancelled"
    with pytest.raises(CampaignError, match=GONE):
        cluster.reports(1.0)


def test_a_minute_without_workers_ends_the_run(
    client: Client, now: list[float]
) -> None:
    cluster, client.threads = _cluster(), []
    now[0] = 160.0
    assert cluster.reports(1.0) == []
    client.threads = [1]
    now[0] = 162.0  # one came
    assert cluster.reports(1.0) == []
    client.threads = []
    now[0] = 222.0
    assert cluster.reports(1.0) == []
    now[0] = 223.5
    why = f"^the scheduler at {ADDRESS} has no worker for a minute now$"
    with pytest.raises(CampaignError, match=why):
        cluster.reports(1.0)


def test_what_is_live_is_cancelled_at_the_end(client: Client) -> None:
    cluster = _cluster()
    cluster.close()
    assert client.asked[2:] == [("close", 1)]  # nothing was
    for error in (None, CancelledError(), OSError(), RuntimeError(), TimeoutError()):
        cluster, client.fault = _cluster(), None
        cluster.take(_tasks(3, 4))
        client.fault = error
        cluster.close()
        cancelled = ("cancel", client.futures[-2:], True)
        assert client.asked[-2:] == [cancelled, ("close", 1)]
        assert cluster.room() == 12
        client.fault = None


def test_a_cluster_that_nobody_answers_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, why in (
        (OSError("nobody\n  answers"), "nobody answers"),
        (ValueError(), "ValueError"),
    ):
        client.fault = error
        with pytest.raises(OptionError, match=f"^--cluster {ADDRESS}: {why}$"):
            _cluster()
    monkeypatch.setitem(sys.modules, "distributed", None)
    why = "--cluster needs Dask: pip install 'oneway[cluster]'"
    with pytest.raises(OptionError, match=f"^{re.escape(why)}$"):
        _cluster()

"""Pages that go at any moment leave nothing: no process, no memory, no thread."""

import asyncio
import json
import random
import socket
import struct
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from psutil import STATUS_ZOMBIE, NoSuchProcess, Process, pid_exists, wait_procs
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.lab.served import Served, served
from tests.lab.test_messages import place
from tests.lab.test_server import Page
from tests.runner import python

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="reads /proc"
)
ASKED: list[dict[str, Any]] = [
    {"ask": "look", "place": place("7:RRD"), "rules": "seed-5"},
    {"ask": "count", "place": place("15:")},
    {"ask": "leftfirst", "place": place("9:"), "rules": "seed-5", "stop_stuck": False},
    {"ask": "readrule", "text": "[[rule]]"},
    {"ask": "open", "text": "7:RR"},
    {"ask": "stop", "what": "board"},
    {"ask": "nothing"},
]
AT_ONCE = 6  # of the eight pages that a server has


def family(first: int) -> dict[int, int]:
    """Return the processes that pid has started, itself included: kB of each."""
    sizes = {}
    for process in (Process(first), *Process(first).children(recursive=True)):
        with suppress(NoSuchProcess):
            if process.status() != STATUS_ZOMBIE:
                sizes[process.pid] = process.memory_full_info().pss // 1000
    return sizes


def settled(lab: Served, count: int) -> dict[int, int]:
    """Wait for `count` processes and few files; return the processes anyhow."""
    end, server = time.monotonic() + 30, Process(lab.process.pid)
    while len(members := family(server.pid)) != count or server.num_fds() >= 30:
        if time.monotonic() > end:
            break
        time.sleep(0.2)
    return members


def cut(port: int, data: bytes, wait: float) -> None:
    """Send a part of a request, then reset the connection."""
    with socket.create_connection(("127.0.0.1", port)) as raw:
        raw.sendall(data)
        time.sleep(wait)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def one_page(lab: Served, draw: random.Random) -> None:
    """Come, perhaps ask, and go at a random moment in a random way."""
    wait = draw.choice([0.0, 0.0, draw.uniform(0, 0.02), draw.uniform(0, 0.2)])
    if draw.random() < 0.2:
        head = f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\n".encode()
        await asyncio.to_thread(cut, lab.port, head[: draw.randrange(len(head))], wait)
        return
    headers = {"Cookie": lab.cookie, "Origin": lab.origin}
    url = f"ws://127.0.0.1:{lab.port}/live"
    with suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
        page = await connect(url, additional_headers=headers, close_timeout=0.1)
        try:
            for number in range(draw.choice([0, 1, 1, 2, 4])):
                await page.send(json.dumps({"id": number, **draw.choice(ASKED)}))
                if draw.random() < 0.5:
                    await asyncio.sleep(wait)
            await asyncio.sleep(wait)
        finally:
            if draw.random() < 0.5:
                page.transport.abort()
            else:
                await page.close()


async def many(lab: Served, count: int, seed: int) -> None:
    draws = iter([random.Random(seed + number) for number in range(count)])

    async def some() -> None:
        for draw in draws:
            await one_page(lab, draw)

    await asyncio.gather(*[some() for _ in range(AT_ONCE)])


def test_a_server_that_ends_while_kernels_are_compiled_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    with served(tmp_path, "7:RR") as lab, closing(Page(lab)) as page:
        page.ask(1, "look", place=place("7:RR"))
        page.hear()
        while not list(tmp_path.glob("none/oneway/*")):  # a process compiles
            time.sleep(0.1)
        all_of_it = settled(lab, 3)
        assert len(all_of_it) == 3  # the server, and two that load
    _, left = wait_procs([Process(pid) for pid in all_of_it if pid_exists(pid)], 30)
    assert not left


@pytest.mark.parametrize(
    "count", [60, pytest.param(10_000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_pages_that_go_at_any_moment_leave_nothing(count: int, tmp_path: Path) -> None:
    with served(tmp_path, "7:RR") as lab:
        with closing(Page(lab)) as page:
            page.answer("look", place=place("7:RR"), rules="seed-5")
        asyncio.run(many(lab, count // 20, seed=1_000_000))  # what is loaded once
        before = settled(lab, len(family(lab.process.pid)))
        time.sleep(1)
        before = family(lab.process.pid)
        began = time.monotonic()
        asyncio.run(many(lab, count, seed=0))
        after = settled(lab, len(before))
        took = time.monotonic() - began
        megabytes = [sum(sizes.values()) // 1000 for sizes in (before, after)]
        print(f"{count} disconnects in {took:.0f} s: {len(after)} processes, MB:")
        print(*megabytes, sep=", then ")
        server = Process(lab.process.pid)
        assert len(after) == len(before)
        grown = after[server.pid] - before[server.pid]
        assert grown < 12_000  # a lost page holds some 50 kB: 500 MB of 10,000
        assert server.num_threads() < 15
        assert server.num_fds() < 30
        with closing(Page(lab)) as page:  # and it still answers
            heard = page.answer("look", place=place("5:RRDL"), rules="seed-5")
            assert heard[-1]["reply"] == "done"


def test_a_worker_that_cannot_load_ends() -> None:
    code = "from verify.lab import board\nboard.warm = None\nimport verify.lab.worker"
    done = python(code, timeout=60)
    assert done.returncode == 1
    assert "TypeError" in done.stderr

"""The server: refused strangers, and requests that wait, are replaced, and end."""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from heuristic.groups import about
from solver.board import Position
from solver.svg import draw
from tests.lab.served import Served, served
from tests.lab.test_messages import place
from tests.runner import assert_refused, run
from verify.commands import lab as lab_command
from verify.lab import pool, server
from verify.lab.server import (
    OPEN_THE_LINK,
    letters,
    open_socket,
    remember,
    remembered,
)
from verify.lab.shared import Settings

LATE = 120.0  # seconds for a first answer: kernels may have to be compiled


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served"), "7:RR") as opened:
        yield opened


def get(lab: Served, path: str, **headers: str) -> httpx.Response:
    return httpx.get(lab.origin + path, headers=headers)


def test_the_link_gives_a_cookie_and_the_cookie_the_page(lab: Served) -> None:
    first = httpx.get(lab.link)
    assert first.status_code == 303
    assert "HttpOnly" in first.headers["set-cookie"]
    assert lab.token not in str(first.headers.items())  # the cookie is another word
    answer = get(lab, f"/?token={lab.cookie.partition('=')[2]}")
    assert answer.status_code == 401
    assert get(lab, "/", Cookie=f"oneway-{lab.port}={lab.token}").status_code == 401
    page = get(lab, "/", Cookie=lab.cookie)
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert get(lab, "/static/main.js", Cookie=lab.cookie).status_code == 200


def test_the_documentation_is_served_with_anchors_and_pictures(lab: Served) -> None:
    page = get(lab, "/docs/reference/exit-codes.md", Cookie=lab.cookie)
    assert re.search(r'<h1 id="exit-codes">Exit codes</h1>', page.text)
    picture = get(lab, "/docs/img/gap.svg", Cookie=lab.cookie)
    assert picture.headers["content-type"].startswith("image/svg+xml")


@pytest.mark.parametrize(
    ("path", "headers", "code"),
    [
        ("/", {}, 401),
        ("/?token=wrong", {}, 401),
        ("/static/main.js", {}, 401),
        ("/", {"Host": "evil.example:80", "Cookie": "COOKIE"}, 403),
        ("/", {"Host": "127.0.0.1", "Cookie": "COOKIE"}, 403),
        ("/", {"Origin": "http://evil.example", "Cookie": "COOKIE"}, 403),
        ("/", {"Origin": "null", "Cookie": "COOKIE"}, 403),
        ("/static/main.js", {"Sec-Fetch-Site": "same-site", "Cookie": "COOKIE"}, 403),
        ("/static/../server.py", {"Cookie": "COOKIE"}, 404),
        ("/static/%2e%2e/server.py", {"Cookie": "COOKIE"}, 404),
        ("/docs/index.md", {}, 401),
        ("/docs/%2e%2e/pyproject.toml", {"Cookie": "COOKIE"}, 404),
        ("/docs//etc/passwd", {"Cookie": "COOKIE"}, 404),
    ],
)
def test_strangers_are_refused(
    lab: Served, path: str, headers: dict[str, str], code: int
) -> None:
    sent = {key: value.replace("COOKIE", lab.cookie) for key, value in headers.items()}
    answer = get(lab, path, **sent)
    assert answer.status_code == code
    if code == 401:
        assert answer.text == OPEN_THE_LINK


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
def test_a_socket_of_another_origin_is_refused(lab: Served, origin: str | None) -> None:
    headers = {"Cookie": lab.cookie} | ({"Origin": origin} if origin else {})
    with (
        pytest.raises(InvalidStatus),
        connect(f"ws://127.0.0.1:{lab.port}/live", additional_headers=headers),
    ):
        pass


class Page:
    """A page without a browser."""

    def __init__(self, lab: Served) -> None:
        headers = {"Cookie": lab.cookie, "Origin": lab.origin}
        url = f"ws://127.0.0.1:{lab.port}/live"
        self._held = connect(url, additional_headers=headers, max_size=None)
        self.socket = self._held.__enter__()
        self.welcome = self.hear()

    def close(self) -> None:
        self._held.__exit__(None, None, None)

    def hear(self) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(self.socket.recv(timeout=LATE))
        return reply

    def ask(self, number: int, kind: str, /, **fields: Any) -> None:
        self.socket.send(json.dumps({"ask": kind, "id": number, **fields}))

    def end_of(self, number: int) -> list[dict[str, Any]]:
        """Return all that is heard up to the last reply to a question."""
        heard = [self.hear()]
        while heard[-1]["id"] != number or heard[-1]["reply"] not in ("done", "fault"):
            heard.append(self.hear())
        return heard

    def answer(self, kind: str, /, **fields: Any) -> list[dict[str, Any]]:
        """Ask, and return all that is heard up to the last reply."""
        self.ask(99, kind, **fields)
        return self.end_of(99)


@pytest.fixture
def page(lab: Served) -> Iterator[Page]:
    with closing(Page(lab)) as opened:
        yield opened


def test_a_page_is_welcomed_and_answered(page: Page) -> None:
    assert page.welcome["reply"] == "welcome"
    assert page.welcome["position"] == "7:RR"
    assert page.welcome["letters"] == msgspec.to_builtins(letters())
    assert page.welcome["groups"]["seed-5"] == about("seed-5")
    heard = page.answer("look", place=place("5:RRDL"), rules="seed-5")
    assert [reply["reply"] for reply in heard[-2:]] == ["seen", "done"]


def test_letters_are_shown_as_drawings_mean_them() -> None:
    looks: dict[str, str] = {}
    for letter in letters():
        looks[letter.look] = looks.get(letter.look, "") + letter.letter
    assert looks == {
        **{"live": "@", "any": "?x", "free": ".KXFfG", "visited": "#", "border": "B"},
        **{"taken": "%<>^v", "onboard": "o", "line": "sme+SME"},
    }
    assert "".join(x.letter for x in letters() if x.main) == "@?.K#B%ox"
    assert "".join(x.letter for x in letters() if x.forbids) == "xXSMEf"
    forbidden = [x.letter + x.forbidden for x in letters() if x.forbidden]
    assert forbidden == ["?x", ".X", "sS", "mM", "eE", "Ff"]


def test_a_server_has_so_many_processes_and_ends_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[Any] = []
    broken: list[OSError] = []

    class Double:
        """A worker without a process."""

        def __init__(self, settings: Settings) -> None:
            self.kill = partial(ended.append, self)

        def start(self) -> None:
            for error in broken:
                raise error

    async def use() -> None:
        workers = pool.WorkerPool(Settings(tmp_path, tmp_path))
        first, second, third = [await workers.worker() for _ in "123"]
        assert await workers.worker() is None  # there are three
        assert second is not None
        workers.dismiss(second)
        assert ended == [second]
        broken.append(OSError("no more"))
        with pytest.raises(OSError, match="no more"):
            await workers.worker()
        broken.clear()
        fourth = await workers.worker()
        workers.close()
        assert {*ended} == {first, second, third, fourth}

    monkeypatch.setattr(pool, "Worker", Double)
    monkeypatch.setattr(pool, "MOST", 3)
    asyncio.run(use())


def test_the_first_picture_waits_for_no_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))  # none is compiled
    with served(tmp_path, "5:RRDL") as fresh, closing(Page(fresh)) as page:
        for number, text in enumerate(("5:RRDL", "5:RRDLD"), 1):  # each replaces
            page.ask(number, "look", place=place(text), rules="seed-5")
            seen = page.hear()
            assert (seen["id"], seen["partial"], seen["verdict"]) == (number, True, "")
            assert seen["svg"] == draw(Position.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", '{"ask":"look","id":3}', "\x00", "9", b"", b"\xff{}"),
        *("[" * 100_000, '{"ask":' * 20_000, '{"id":true}', '{"id":1e400}'),
        '{"ask":"stop","id":3,"what":null}',
        '{"ask":["look"],"id":3}',
        '{"ask":"book\\ud800"}',
    ],
    ids=lambda text: repr(text)[:20],
)
def test_malformed_requests_are_refused(page: Page, text: str | bytes) -> None:
    page.socket.send(text)
    reply = page.hear()
    assert (reply["reply"], reply["id"]) == ("fault", 0)
    assert page.answer("open", text="5:")[-1]["reply"] == "done"  # the page lives


def test_a_newer_request_replaces_an_older_one(page: Page) -> None:
    page.answer("look", place=place("5:"))
    page.ask(2, "count", place=place("17:"))
    time.sleep(0.3)
    before = page.answer("look", place=place("5:R"))  # another queue: not disturbed
    assert before[-1]["reply"] == "done"
    heard = page.answer("count", place=place("5:"))
    (ended,) = [r for r in before + heard if r["id"] == 2]
    assert ended["why"] == "given up"  # not: stopped after its seconds
    assert heard[-2]["total"] == "104"


def test_a_request_can_be_stopped(page: Page) -> None:
    page.answer("look", place=place("5:"))
    page.ask(2, "count", place=place("17:"))
    time.sleep(0.3)
    page.ask(3, "stop", what="count")
    assert page.end_of(2)[-1] == {"reply": "fault", "id": 2, "why": "given up"}


def test_two_pages_are_independent(lab: Served, page: Page) -> None:
    with closing(Page(lab)) as other:
        page.ask(1, "look", place=place("5:R"))
        assert other.answer("look", place=place("5:D"))[-2]["notation"] == "5:D"
        assert page.end_of(1)[-2]["notation"] == "5:R"


def test_a_restarted_server_keeps_its_address(tmp_path: Path) -> None:
    assert remembered(tmp_path)[1] == 0
    token, _ = remembered(tmp_path)
    with open_socket(None, 0) as first:
        port = int(first.getsockname()[1])
        remember(tmp_path, token, port)
        with open_socket(None, port) as second:  # taken: another one
            assert second.getsockname()[1] != port
    assert remembered(tmp_path) == (token, port)
    (tmp_path / ".server.json").chmod(0o644)  # others could have read it
    assert remembered(tmp_path)[0] != token
    for bad in ('{"token": "short", "port": 80}', f'{{"token": "{token}", "port": 0}}'):
        (tmp_path / ".server.json").write_text(bad)
        (tmp_path / ".server.json").chmod(0o600)
        assert remembered(tmp_path)[0] not in ("short", token)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_command, "NEEDED", ("no_such_library",))
    ran = run("lab", "--no-browser")
    assert_refused(ran)
    assert "lab needs no_such_library" in ran.err


def test_the_first_page_preloads_all_modules() -> None:
    folder = Path(server.__file__).parent / "static"
    first = (folder / "index.html").read_text(encoding="utf-8")
    named = set(re.findall(r'(?:href|src)="static/([\w/-]+\.js)"', first))
    assert named == {p.relative_to(folder).as_posix() for p in folder.rglob("*.js")}

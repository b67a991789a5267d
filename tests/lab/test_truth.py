"""No page says what is not known: replies are held back, and the screen is read."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from heuristic.groups import load_rules
from solver.board import Position
from solver.oracles.oracle import Verdict, get_oracle
from tests.lab.served import Served
from tests.lab.tab import LATE, Tab
from tests.samples import CORNER_AHEAD, GAP, MENDED


class Late(Tab):
    """A page whose server answers late: replies wait until they are let through."""

    def __init__(self, chrome: Any, lab: Served, where: str = "") -> None:
        self.holds: Callable[[dict[str, Any]], bool] = lambda reply: False
        self._waiting: list[tuple[Any, str]] = []
        self._late: set[int] = set()
        super().__init__(chrome, lab, where, prepare=self._prepare)

    def _prepare(self, page: Any) -> None:
        page.route_web_socket(re.compile("/live$"), self._connected)

    def _connected(self, socket: Any) -> None:
        def take(message: str) -> None:
            reply = json.loads(message)
            if self.holds(reply) or reply["id"] in self._late:  # in their order
                self._late.add(reply["id"])
                self._waiting.append((socket, message))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(take)

    def hold(self, *kinds: str, whole: bool = False) -> None:
        """Hold replies of these kinds back; with `whole` only complete ones."""
        self.holds = lambda reply: (
            reply["reply"] in kinds and not (whole and reply.get("partial"))
        )

    def held(self, count: int = 1) -> None:
        """Wait until so many replies are held, and the page has drawn what it has."""
        for _ in range(int(LATE) // 10):
            if len(self._waiting) >= count:
                break
            self.page.wait_for_timeout(10)
        assert len(self._waiting) >= count
        self.page.wait_for_timeout(50)

    def release(self) -> None:
        """Let through what was held, and all that follows."""
        self.holds = lambda reply: False
        for socket, message in self._waiting:
            socket.send(message)
        self._waiting.clear()
        self._late.clear()

    def says(self, selector: str) -> str:
        return " ".join(self.page.locator(selector).all_inner_texts())


@pytest.fixture
def late(chrome: Any, lab: Served) -> Iterator[Late]:
    opened = Late(chrome, lab)
    yield opened
    opened.close()


def test_a_move_is_no_gap_until_the_rules_have_answered(late: Late) -> None:
    late.hold("seen", whole=True)
    late.page.goto(f"{late.lab.origin}/#board/{GAP}?rules=seed-5")
    late.page.locator("table.moves").wait_for()
    late.held()
    assert "gap" not in late.says(".verdicts")
    assert late.says("table.moves .by").strip() == "unknown " * 2 + "unknown"
    assert "waiting for the rules" in late.says(".asked")
    late.release()
    late.page.locator(f".verdicts[data-of='{GAP}'][data-rules='seed-5']").wait_for()
    here, judge = Position.parse(GAP), get_oracle("sat")
    banned = {f.move for f in load_rules("seed-5").forbids(here)}
    gaps = [
        move
        for move in here.options()
        if move not in banned and judge.decide(here.step(move)).verdict is Verdict.DEAD
    ]
    assert gaps
    rows = late.page.locator("table.moves tr", has_text="gap").locator("button.move")
    assert rows.all_inner_texts() == gaps
    assert late.says(".asked .notation") == f"{GAP} under seed-5"


@pytest.mark.slow
def test_a_verdict_is_of_the_walk_that_is_drawn(late: Late) -> None:
    late.page.goto(f"{late.lab.origin}/#board/7:RRDD?rules=seed-5")
    late.page.locator(".verdicts[data-of='7:RRDD'][data-rules='seed-5']").wait_for()
    late.hold("seen")
    late.page.goto(f"{late.lab.origin}/#board/7:DDRR?rules=seed-5")  # as many steps
    late.held()
    assert late.page.locator(".verdicts[data-of]").count() == 0
    assert late.page.locator("table.moves, .mark, .rules li").count() == 0
    assert not late.page.locator(".board .drawn .forbidden").first.is_visible()
    assert "completable" not in late.says(".verdicts")
    late.release()
    late.page.locator(".verdicts[data-of='7:DDRR']").wait_for()


@pytest.mark.slow
def test_what_other_rules_forbade_is_not_shown(late: Late) -> None:
    late.page.goto(f"{late.lab.origin}/#board/{GAP}?rules=seed-5")
    late.page.locator(".verdicts[data-rules='seed-5']").wait_for()
    late.hold("seen")
    late.page.get_by_label("rules").fill("seed-2024")
    late.page.get_by_label("rules").press("Enter")
    late.held()
    assert "gap" not in late.says(".verdicts")
    assert late.page.locator("[data-rules='seed-5'], .rules li").count() == 0
    late.release()
    late.page.locator(".verdicts[data-rules='seed-2024']").wait_for()


@pytest.mark.slow
def test_an_edited_drawing_has_no_verdict_until_it_has_its_own(late: Late) -> None:
    late.page.goto(f"{late.lab.origin}/#rule")
    text = late.page.get_by_label("text")
    text.fill(MENDED)
    late.page.locator(".word.proved").wait_for()
    late.page.get_by_role("heading", name="In the book").wait_for()
    assert late.page.locator(".judged").get_attribute("data-text") == MENDED
    for kind in ("judged", "ruleread"):
        late.hold(kind)
        text.fill(CORNER_AHEAD)
        late.held()
        assert late.page.locator(".word.proved").count() == 0
        assert "unknown" in late.says(".word")
        assert late.page.locator(".judged h2, .judged .line").count() == 0
        late.release()
        late.page.locator(".word.refuted").wait_for()
        assert late.page.locator(".judged").get_attribute("data-text") == CORNER_AHEAD
        text.fill(MENDED)
        late.page.locator(".word.proved").wait_for()
    late.hold("ruleread")  # a click on the drawing
    late.page.get_by_role("button", name=re.compile("^1 ahead:")).click()
    late.held()
    assert late.page.locator(".word.proved").count() == 0

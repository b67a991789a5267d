"""No page shows a guess: replies are held back, and the screen is read."""

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

    def __init__(self, chrome: Any, lab: Served) -> None:
        self.holds: Callable[[dict[str, Any]], bool] = lambda reply: False
        self._waiting: list[tuple[Any, str]] = []
        self._late: set[int] = set()
        super().__init__(chrome, lab, prepare=self._prepare)

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

    def hold(self, kind: str, whole: bool = False) -> None:
        """Hold replies of a kind back; with `whole` only complete ones."""
        self.holds = lambda reply: (
            reply["reply"] == kind and not (whole and reply.get("partial"))
        )

    def held(self) -> None:
        """Wait until a reply is held, and the page has drawn what it has."""
        for _ in range(int(LATE) // 10):
            if self._waiting:
                break
            self.page.wait_for_timeout(10)
        assert self._waiting
        self.page.wait_for_timeout(50)

    def release(self) -> None:
        """Release the held replies, and all later ones."""
        self.holds = lambda reply: False
        for socket, message in self._waiting:
            socket.send(message)
        self._waiting.clear()
        self._late.clear()

    def shows_none(self, selector: str) -> bool:
        return int(self.page.locator(selector).count()) == 0


@pytest.fixture
def late(chrome: Any, lab: Served) -> Iterator[Late]:
    opened = Late(chrome, lab)
    yield opened
    opened.close()


def test_a_move_is_no_gap_until_the_rules_have_answered(late: Late) -> None:
    late.hold("seen", whole=True)
    late.go(f"board/{GAP}?rules=seed-5", "table.moves")
    late.held()
    assert "gap" not in late.says(".verdicts")
    assert late.says("table.moves .by").split() == ["unknown"] * 3
    assert "waiting for the rules" in late.says(".asked")
    late.release()
    late.of(GAP, "seed-5")
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
def test_verdicts_are_of_the_walk_that_is_drawn_under_its_rules(late: Late) -> None:
    late.go("board/7:RRDD?rules=seed-5")
    late.of("7:RRDD", "seed-5")
    late.hold("seen")
    late.go("board/7:DDRR?rules=seed-5")  # as many steps
    late.held()
    assert late.shows_none(".verdicts[data-of], table.moves, .mark, .rules li")
    assert not late.page.locator(".board .drawn .forbidden").first.is_visible()
    assert "completable" not in late.says(".verdicts")
    late.release()
    late.of("7:DDRR", "seed-5")
    late.go(f"board/{GAP}?rules=seed-5")
    late.of(GAP, "seed-5")
    late.hold("seen")
    late.page.get_by_label("rules").fill("seed-2024")
    late.page.get_by_label("rules").press("Enter")
    late.held()
    assert "gap" not in late.says(".verdicts")
    assert late.shows_none("[data-rules='seed-5'], .rules li")
    late.release()
    late.of(GAP, "seed-2024")


@pytest.mark.slow
def test_an_edited_drawing_has_no_verdict_until_it_has_its_own(late: Late) -> None:
    late.go("rule")
    text, judged = late.page.get_by_label("text"), late.page.locator(".judged")
    text.fill(MENDED)
    late.wait(".word.proved")
    late.page.get_by_role("heading", name="In the book").wait_for()
    assert judged.get_attribute("data-text") == MENDED
    for kind in ("judged", "ruleread"):
        late.hold(kind)
        text.fill(CORNER_AHEAD)
        late.held()
        assert "unknown" in late.says(".word")
        assert late.shows_none(".word.proved, .judged h2, .judged .line")
        late.release()
        late.wait(".word.refuted")
        assert judged.get_attribute("data-text") == CORNER_AHEAD
        text.fill(MENDED)
        late.wait(".word.proved")
    late.hold("ruleread")  # a click on the drawing
    late.press(re.compile("^1 ahead:"))
    late.held()
    assert late.shows_none(".word.proved")

"""One page of the laboratory in a browser, and what tests ask of it."""

import re
from collections.abc import Callable
from typing import Any

from solver.board import Position
from solver.oracles.oracle import get_oracle
from solver.svg import CELL
from tests.lab.served import Served

LATE = 180_000.0  # milliseconds for a first answer: kernels may be compiled
KINDS = (".js", ".css", ".html", ".svg")
WORDS = {"COMPLETABLE": "completable", "DEAD": "dead"}


class Tab:
    """One page, and what it complained of."""

    def __init__(
        self,
        chrome: Any,
        lab: Served,
        where: str = "",
        prepare: Callable[[Any], None] = lambda page: None,
        **more: Any,
    ) -> None:
        self.context = chrome.new_context(
            viewport={"width": 1200, "height": 900}, accept_downloads=True, **more
        )
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.set_default_timeout(LATE)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._heard)
        self.lab = lab
        prepare(self.page)
        self.page.goto(lab.link)
        if where:
            self.page.goto(f"{lab.origin}/{where}")

    def _heard(self, message: Any) -> None:
        refused = (
            "ERR_CONNECTION_REFUSED" in message.text or "WebSocket" in message.text
        )
        if message.type in ("error", "warning") and not refused:
            self.faults.append(message.text)

    def at(self, notation: str) -> None:
        """Wait until the page shows the truth of a position."""
        steps = len(notation.rpartition(":")[2])
        where = re.escape(notation.replace(",", ".").replace(">", "-"))
        self.page.wait_for_url(re.compile(rf"#board/{where}(\?|$)"))
        self.page.locator(".slide output", has_text=f"{steps} /").wait_for()
        self.page.locator(".verdict:not(.waiting)").wait_for()
        self.page.locator("table.moves, .verdict").first.wait_for()

    def verdicts(self) -> dict[str, str]:
        rows = self.page.locator("table.moves tbody tr").all()
        return {
            row.locator("button.move").inner_text(): row.locator(".truth").inner_text()
            for row in rows
        }

    def centre(self, row: int, col: int) -> tuple[float, float]:
        """Return the middle of a cell, from 1, in pixels of the window."""
        box = self.page.locator("svg.over").bounding_box()
        view = self.page.locator("svg.over").get_attribute("viewBox")
        left, top, width, _ = (float(part) for part in view.split())
        unit = box["width"] / width
        x, y = (6 + (at - 0.5) * CELL for at in (col, row))
        return box["x"] + (x - left) * unit, box["y"] + (y - top) * unit

    def click(self, row: int, col: int) -> None:
        self.page.mouse.click(*self.centre(row, col))

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


def truth(notation: str) -> dict[str, str]:
    here, judge = Position.parse(notation), get_oracle("sat")
    return {
        move: WORDS[judge.decide(here.step(move)).verdict.name]
        for move in here.options()
    }

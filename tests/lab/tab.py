"""A page of the laboratory in a browser."""

import re
from collections.abc import Callable
from typing import Any

from solver.board import Position
from solver.oracles.oracle import get_oracle
from solver.svg import CELL
from tests.lab.served import Served

LATE = 180_000.0  # milliseconds for a first answer: kernels may be compiled
KINDS = (".js", ".css", ".html", ".svg")


class Tab:
    """A page, and the faults of its scripts."""

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
            self.go(where)

    def _heard(self, message: Any) -> None:
        refused = (
            "ERR_CONNECTION_REFUSED" in message.text or "WebSocket" in message.text
        )
        if message.type in ("error", "warning") and not refused:
            self.faults.append(message.text)

    def go(self, where: str, until: str = "") -> None:
        """Open a page, and wait until it shows a selector."""
        self.page.goto(f"{self.lab.origin}/#{where}")
        if until:
            self.wait(until)

    def wait(self, selector: str, text: str | None = None) -> None:
        self.page.locator(selector, has_text=text).first.wait_for()

    def press(self, name: str | re.Pattern[str], **more: Any) -> None:
        exact = isinstance(name, str)
        self.page.get_by_role("button", name=name, exact=exact).click(**more)

    def text(self, text: str | re.Pattern[str], **more: Any) -> None:
        self.page.get_by_text(text, **more).first.wait_for()

    def at(self, notation: str) -> None:
        """Wait until the page shows the truth of a position."""
        steps = len(notation.rpartition(":")[2])
        where = re.escape(notation.replace(",", ".").replace(">", "-"))
        self.page.wait_for_url(re.compile(rf"#board/{where}(\?|$)"))
        self.wait(".slide output", f"{steps} /")
        self.wait(".verdict:not(.waiting)")

    def of(self, notation: str, rules: str = "") -> None:
        """Wait until the verdicts are those of a position, and of rules."""
        ruled = f"[data-rules='{rules}']" if rules else ""
        self.wait(f".verdicts[data-of='{notation}']{ruled}")

    def says(self, selector: str) -> str:
        return " ".join(self.page.locator(selector).all_inner_texts())

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

    def middle(self, name: str | re.Pattern[str]) -> tuple[float, float]:
        """Return the middle of a button."""
        box = self.page.get_by_role("button", name=name).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, row: int, col: int) -> None:
        self.page.mouse.click(*self.centre(row, col))

    def stroke(self, first: tuple[float, float], *points: tuple[float, float]) -> None:
        """Draw with the mouse along points of the window."""
        self.page.mouse.move(*first)
        self.page.mouse.down()
        for point in points:
            self.page.mouse.move(*point, steps=6)
        self.page.mouse.up()

    def download(self, name: str) -> Any:
        with self.page.expect_download() as got:
            self.press(name)
        return got.value

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


def truth(notation: str) -> dict[str, str]:
    here, judge = Position.parse(notation), get_oracle("sat")
    verdicts = {move: judge.decide(here.step(move)).verdict for move in here.options()}
    return {move: verdict.name.lower() for move, verdict in verdicts.items()}

"""How large the built site is, and how long its largest pages take to load.

Seconds are of processor time of the page's thread, the least of three loads.
``make docs``, then ``python -m tests.bench.site``; needs Chromium.
"""

from pathlib import Path
from typing import Any

from tests.lab.served import browser

SITE = Path("out/site")
TIMES = 3


def main() -> None:
    files = [path for path in SITE.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{size / 1e6:.1f} MB in {len(files):,} files")
    pages = [path for path in files if path.suffix == ".html"]
    largest = sorted(pages, key=lambda path: path.stat().st_size)[-3:]
    with browser() as chrome:
        for path in (SITE / "index.html", *reversed(largest)):
            taken = [loading(chrome, path.resolve().as_uri()) for _ in range(TIMES)]
            large = path.stat().st_size / 1000
            print(f"{path.relative_to(SITE)}: {large:.0f} kB, {min(taken):.2f} s")


def loading(chrome: Any, address: str) -> float:
    """Return the processor time that a page takes of a browser until it is loaded."""
    context = chrome.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address, wait_until="load")
    said = session.send("Performance.getMetrics")["metrics"]
    context.close()
    return float(next(one["value"] for one in said if one["name"] == "TaskDuration"))


if __name__ == "__main__":
    main()

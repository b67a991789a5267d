"""Pictures of the laboratory, as a browser shows it.

``python -m tests.bench.shots`` draws those of the documentation anew;
``python -m tests.bench.shots FOLDER`` draws every page on a desk and on a phone, in
light and in dark, to be looked at. Needs Chromium.
"""

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image

from tests.lab.served import ROOT, browser, served
from tests.lab.tab import Tab
from tests.lab.test_axe import PAGES, SIZES, shown
from tests.samples import CORNER_AHEAD

WALK = "board/9:RRRDRURDRURRDLDRDDDDDLLLLUULLUU?rules=seed-2024"
IN_DOCS = {
    "lab-board": (WALK, ":has(> .verdicts[data-rules]) .why", ""),
    "lab-rule": ("rule", ".judged[data-of='corner-ahead'] li", CORNER_AHEAD),
    "lab-labyrinth": ("labyrinth?rows=13&cols=13&seed=7", ".sheets svg", ""),
}


def shot(tab: Tab) -> Any:
    """Return the picture of a page in few colours."""
    tab.page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    tab.page.wait_for_timeout(300)
    drawn: Any = Image.open(BytesIO(tab.page.screenshot())).convert("RGB")
    often = sorted(drawn.getcolors(1 << 24), reverse=True)[:200]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in often for part in colour])
    return drawn.quantize(palette=palette, dither=Image.Dither.NONE)


def main() -> None:
    pages, colours, sizes = IN_DOCS, ["light"], {"": SIZES["desk"]}
    folder = ROOT / "docs" / "img"
    if len(sys.argv) > 1:
        pages, colours, sizes = IN_DOCS | PAGES, ["light", "dark"], SIZES
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as made,
        browser() as chrome,
        served(Path(made), corpus=ROOT / "corpus") as lab,
    ):
        for size, (width, height) in sizes.items():
            for colour in colours:
                tab = Tab(chrome, lab, color_scheme=colour)
                tab.page.set_viewport_size({"width": width, "height": height})
                for name, page in pages.items():
                    known = "-".join(filter(None, (name, size, size and colour)))
                    file = folder / f"{known}.png"
                    shown(tab, *page)
                    shot(tab).save(file, optimize=True)
                    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")
                tab.close()


if __name__ == "__main__":
    main()

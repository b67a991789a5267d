"""Build the site: lay out its pages, let Zensical build them, check what came out."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from solver.errors import OptionError
from website.casepages import case_pages
from website.commands import command_pages
from website.foundpages import found_pages
from website.modules import module_pages
from website.pages import ROOT, written
from website.rulepages import PARTS, rule_pages

PAGES, SITE = ROOT / "out/pages", ROOT / "out/site"
_MOST = 30_000_000  # bytes: what a slow line still takes
_SHIM = "iframe-worker.js"  # search in pages opened as files; see website/assets
_KEPT = re.compile(
    r"(<(?:pre|script|textarea)\b.*?</(?:pre|script|textarea)>)", re.DOTALL
)
_PYTHON = "reference/python/"
_BLANK = re.compile(r"\s*\n\s*")
_ANCHOR = re.compile(
    r'<a id="__codeline[^>]*></a>| id="__span-[-0-9]+"| title="Permanent link"'
)
_HEAD = re.compile(r'<meta name="(?:generator|description)"[^>]*>\n?')
_CODE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_NO_HEAD = re.compile(r"<thead>\s*<tr>\s*(?:<th></th>\s*)+</tr>\s*</thead>\s*")
_FOREIGN = re.compile(
    r"<(?:script|img|iframe|source|video|audio)[^>]*\ssrc=\"(?:https?:)?//[^\"]*\""
    r"|<link[^>]*\shref=\"(?:https?:)?//[^\"]*\"[^>]*>"
    r"|@import[^;]*//|url\([\"']?(?:https?:)?//[^)]*\)"
)


def lay_out(folder: Path) -> int:
    """Write all pages into a folder, which is emptied first; return how many."""
    pages: dict[str, str | bytes] = dict(written())
    makers = (command_pages, module_pages, case_pages, rule_pages, found_pages)
    for made in (make() for make in makers):
        if double := pages.keys() & made.keys():
            raise OptionError(f"two pages have the place {min(double)}")
        pages.update(made)
    shutil.rmtree(folder, ignore_errors=True)
    for place, content in sorted(pages.items()):
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(data)
    return len(pages)


def build() -> None:
    """Build the pages with Zensical; warnings are errors."""
    shutil.rmtree(SITE, ignore_errors=True)
    command = [str(Path(sys.executable).parent / "zensical"), "build"]
    options = ["--strict", "--clean"]
    subprocess.run([*command, *options], cwd=ROOT, check=True)


def mend(site: Path) -> None:
    """Make the built site smaller, and its search usable without a server.

    Pages load our copy of the shim that their search needs when opened as files. Blanks
    between elements, anchors of code lines, repeated head elements and empty table
    heads are removed. The button that copies code is not a landmark of the page.
    """
    for name in (_SHIM, "iframe-worker-LICENSE"):
        shutil.copy(Path(__file__).parent / "assets" / name, site / "assets" / name)
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        here = os.path.relpath(site / "assets" / _SHIM, page.parent)
        text = text.replace("https://unpkg.com/iframe-worker/shim", here)
        for useless in (_ANCHOR, _HEAD, _NO_HEAD):
            text = useless.sub("", text)
        parts = _KEPT.split(text)
        parts[::2] = [_BLANK.sub("\n", part) for part in parts[::2]]
        page.write_text("".join(parts), encoding="utf-8")
    for script in site.glob("assets/javascripts/bundle.*.js"):
        text = script.read_text(encoding="utf-8")
        text = text.replace('"nav",{class:"md-code', '"div",{class:"md-code')
        script.write_text(text, encoding="utf-8")


def shorten(site: Path) -> None:
    """Write the index of the search anew: what nobody searches for goes, pages lead.

    Drawings, counts and positions are left out: a rule is found by its name, its reason
    and what it draws. A Python module is one entry, which names what it holds. Entries
    that match alike are listed in the order of the index.
    """
    data = json.loads((site / "search.json").read_text(encoding="utf-8"))
    kept: list[dict[str, Any]] = []
    module: dict[str, Any] = {}
    for item in data["items"]:
        place = item["location"].partition("/")[0]
        if item["location"].startswith(_PYTHON):
            if "#" in item["location"]:
                module["text"] += f" {item['title']}"
                continue
            module = item | {"text": ""}
            item = module
        elif place in ("rules", "cases"):
            if item["title"] in PARTS:
                continue
            item["text"] = _CODE.sub("", item["text"])
        kept.append(item)
    kept.sort(key=_rank)
    text = json.dumps(data | {"items": kept}, ensure_ascii=False, separators=(",", ":"))
    (site / "search.json").write_text(text, encoding="utf-8")
    (site / "search.js").write_text(f"var __index = {text};", encoding="utf-8")


def _rank(item: dict[str, Any]) -> tuple[int, int]:
    """Return where an entry stands: pages, their sections, what is made, modules."""
    place = item["location"]
    made = place.startswith(("rules/", "cases/", "found/", "tables/", "changelog"))
    return 2 if place.startswith(_PYTHON) else int(made), item["level"]


def loads(site: Path) -> list[str]:
    """Return what pages and styles would load from a network: page, and what."""
    files = [*sorted(site.rglob("*.html")), *sorted(site.rglob("*.css"))]
    return [
        f"{file.relative_to(site)}: {found[0]}"
        for file in files
        for found in _FOREIGN.finditer(file.read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Build the site; 1 if a page loads from a network, or the site is too large."""
    print(f"{lay_out(PAGES):,} pages and pictures in {PAGES.relative_to(ROOT)}")
    if "--pages" in sys.argv:
        return 0
    build()
    mend(SITE)
    shorten(SITE)
    if found := loads(SITE):
        print(*found, sep="\n", file=sys.stderr)
        return 1
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
    spent = sum(os.times()[:4])
    print(f"{size / 1e6:.1f} MB in {spent:.0f} s of processor time")
    print(f"the site: {SITE.relative_to(ROOT) / 'index.html'}")
    return int(size > _MOST)


if __name__ == "__main__":
    raise SystemExit(main())

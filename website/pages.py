"""The pages of the site by their place, and links that follow a page to its place.

A page is Markdown or a picture; its *place* is its path on the site. Written pages lie
in ``docs`` and keep their place; a few other pages get a place of their own. Links of
written pages name files of the repository, so that they work there too; on the
site they are turned to the places of those files.
"""

import re
from collections.abc import Callable
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath

from solver.errors import OptionError

ROOT = Path(__file__).parents[1]
# What of the repository stands outside `docs`, and its places on the site.
MOVED = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "corpus/README.md": "cases/index.md",
    "verify/lab/static/icon.svg": "assets/icon.svg",
}
_FENCE = re.compile(r"^(```.*?^```\s*$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r'(\]\(|src="|href=")([^)"\s]+)')


def place_of(file: str) -> str | None:
    """Return the place of a file of the repository, None if the site has none.

    >>> place_of("docs/glossary.md"), place_of("corpus/gap/7x7-1.toml")
    ('glossary.md', 'cases/7x7-1.md')
    >>> place_of("solver/board.py")
    """
    if file in MOVED:
        return MOVED[file]
    path = PurePosixPath(file)
    if path.parts[0] == "docs":
        return str(path.relative_to("docs"))
    if path.parts[0] == "corpus" and len(path.parts) == 3 and path.suffix == ".toml":
        return f"cases/{path.stem}.md"
    return None


def moved(text: str, file: str) -> str:
    """Return a written page with its links turned to places on the site.

    Parameters
    ----------
    text : str
        Markdown. Fenced code is left as it is.
    file : str
        Its path in the repository, from which its links are read.

    Raises
    ------
    OptionError
        If it links to a file that has no place on the site.
    """
    here = place_of(file)
    if here is None:
        raise OptionError(f"{file} has no place on the site")
    parts = _FENCE.split(text)
    turn = _turning(file, here)
    return "".join(
        part if part.startswith("```") else _LINK.sub(turn, part) for part in parts
    )


def _turning(file: str, here: str) -> Callable[[re.Match[str]], str]:
    """Return the function that rewrites one link of a page."""

    def turn(found: re.Match[str]) -> str:
        before, target = found.groups()
        target, mark, anchor = target.partition("#")
        if not target or ":" in target:
            return found[0]
        aim = normpath(PurePosixPath(file).parent / target)
        place = place_of(aim)
        if place is None:
            raise OptionError(f"{file} links to {aim}, which has no place on the site")
        return f"{before}{relpath(place, PurePosixPath(here).parent)}{mark}{anchor}"

    return turn


def written() -> dict[str, str | bytes]:
    """Return the written pages and pictures of the repository, by place."""
    found: dict[str, str | bytes] = {}
    files = [ROOT / name for name in MOVED] + sorted((ROOT / "docs").rglob("*"))
    for path in files:
        file = path.relative_to(ROOT).as_posix()
        if not path.is_file():
            continue
        place = place_of(file)
        if place is None:
            continue
        if path.suffix == ".md":
            found[place] = moved(path.read_text(encoding="utf-8"), file)
        else:
            found[place] = path.read_bytes()
    return found

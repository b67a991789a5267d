"""Rows of the tables in `docs/tables`, found by the rule they speak of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from website.pages import ROOT, moved

TABLES = (
    *("verdicts", "verdicts-found", "evidence", "evidence-future", "milestones"),
    "against",
)


@dataclass(frozen=True, slots=True)
class Found:
    """One row of a table, with the words of its columns.

    Attributes
    ----------
    page : str
        The stem of the page: ``verdicts`` for ``docs/tables/verdicts.md``.
    section : str
        The heading it stands under.
    columns, cells : tuple of str
        As many of the one as of the other, in Markdown.
    """

    page: str
    section: str
    columns: tuple[str, ...]
    cells: tuple[str, ...]


def rows_by_rule() -> dict[str, list[Found]]:
    """Return the rows of all tables by the rules that their first cell names."""
    found: dict[str, list[Found]] = {}
    for page in TABLES:
        file = f"docs/tables/{page}.md"
        # Links are turned as if the table stood on the page of a rule.
        text = (ROOT / file).read_text(encoding="utf-8")
        for row in rows(page, moved(text, file)):
            for name in re.findall(r"[a-z][\w-]*", row.cells[0]):
                found.setdefault(name, []).append(row)
    return found


def rows(page: str, text: str) -> Iterator[Found]:
    r"""Yield the rows of all tables of a page.

    >>> [row.cells for row in rows("a", "# A\n| rule | n |\n|--|--|\n| `x` | 12 |")]
    [('`x`', '12')]
    """
    section = ""
    columns: tuple[str, ...] = ()
    for line in text.splitlines():
        if line.startswith("#"):
            section, columns = line.lstrip("# "), ()
        elif not line.startswith("|"):
            columns = ()
        elif set(line) <= set("|-: "):
            continue
        else:
            inner = line.strip().removeprefix("|").removesuffix("|")
            cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", inner))
            if not columns:
                columns = cells
            elif len(cells) == len(columns):
                yield Found(page, section, columns, cells)

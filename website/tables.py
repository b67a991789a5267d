"""Rows of the tables in `docs/tables`, found by the rule they speak of."""

import re
from dataclasses import dataclass

from verify.formatting import markdown_rows
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
        for row in markdown_rows(moved(text, file)):
            for name in re.findall(r"[a-z][\w-]*", row[2][0]):
                found.setdefault(name, []).append(Found(page, *row))
    return found

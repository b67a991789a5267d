"""Words and tables that pages and commands share."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

_STYLE = """
body { font: 15px/1.4 sans-serif; margin: 2em; color: #222 }
table { border-collapse: collapse; margin-bottom: 2em }
td, th { padding: .3em .7em; text-align: left; border-bottom: 1px solid #ddd;
vertical-align: top } .pictures svg { margin-right: .6em }
.sound, .PROVED { color: #1d7a3c } .unused, .OPEN { color: #9a6b00 }
.unsound, .REFUTED { color: #b0291c }
"""


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown.

    >>> print(markdown_table(["a", "b"], [["1", "2"]]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)


def markdown_rows(text: str) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    r"""Yield the rows of all tables of a page: heading above, header and cells.

    >>> list(markdown_rows("# A\n" + markdown_table(["a", "b"], [["1", "2"]])))
    [('A', ('a', 'b'), ('1', '2'))]
    """
    section, header = "", tuple[str, ...]()
    for line in text.splitlines():
        if line.startswith("#"):
            section = line.lstrip("# ")
        if not line.startswith("|"):
            header = ()
        elif not set(line) <= set("|-: "):
            inner = line.strip().removeprefix("|").removesuffix("|")
            cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", inner))
            if not header:
                header = cells
            elif len(cells) == len(header):
                yield section, header, cells


def html_row(cells: Sequence[str], tag: str = "td") -> str:
    """Return a row of a table in HTML, of plain text."""
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


class Table(NamedTuple):
    """A table of plain text under a heading, with a note before it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def markdown(self) -> str:
        """Return it in Markdown."""
        parts = [f"## {self.title}", self.note, markdown_table(self.header, self.rows)]
        return "\n\n".join(filter(None, parts))


def html_rule(cells: Sequence[str], reason: str, pictures: Sequence[str]) -> str:
    """Return a row of a table of rules: name, claim, verdict, ..., and pictures."""
    name, claim, verdict, *rest = map(escape, cells)
    name += f"<br><small>{escape(reason)}</small>"
    shown = [name, claim, f'<b class="{verdict}">{verdict}</b>', *rest]
    data = "".join(f"<td>{cell}</td>" for cell in shown)
    drawn = f'<td class="pictures">{"".join(pictures)}</td>'
    return f'<tr id="{escape(cells[0])}">{data}{drawn}</tr>'


def html_page(title: str, body: str) -> str:
    """Return a page whose title is its first heading too."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style><h1>{title}</h1>{body}</html>\n"
    )


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "case"), counted(1200, "case")
    ('1 case', '1,200 cases')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def linked(file: Path, folder: Path) -> str:
    """Return a link to a file, in Markdown, for a page in a folder.

    >>> linked(Path("corpus/gap/a.toml"), Path("docs"))
    '[a](../corpus/gap/a.toml)'
    """
    return f"[{file.stem}]({Path(relpath(file, folder)).as_posix()})"


def span(seconds: float) -> str:
    """Return a time as people say it, to two units.

    >>> [span(seconds) for seconds in (0.4, 59.6, 3700, 200_000)]
    ['0.4 s', '1 min 0 s', '1 h 1 min', '2 d 7 h']
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    for size, unit, part, below in (
        (86_400, "d", 3600, "h"),
        (3600, "h", 60, "min"),
        (60, "min", 1, "s"),
    ):
        if whole >= size:
            return f"{whole // size} {unit} {whole % size // part} {below}"
    return f"{whole} s"

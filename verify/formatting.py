"""Words and tables that pages and commands share."""

import re
from collections.abc import Iterator, Sequence
from os.path import relpath
from pathlib import Path


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


def documentation_folder() -> Path:
    """Return the folder of the documentation, in an installed package or a clone."""
    here = Path(__file__).resolve().parent
    folders = (here / "lab/docs", here.parent / "docs")
    return next((folder for folder in folders if folder.is_dir()), folders[0])

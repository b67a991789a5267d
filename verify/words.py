"""Words that tables, pages and commands share."""

from os.path import relpath
from pathlib import Path


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

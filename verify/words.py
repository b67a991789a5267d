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

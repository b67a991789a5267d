"""Files written whole or not at all."""

import os
from pathlib import Path

from solver.errors import OptionError


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file aside and rename it, so that nobody ever sees half of it.

    Text is written as UTF-8 with line feeds. Folders that are missing are not made.

    Raises
    ------
    OptionError
        If the folder cannot be written; nothing is left behind.
    """
    data = content.encode() if isinstance(content, str) else content
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            aside.write_bytes(data)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None


def make_folder(folder: Path) -> None:
    """Make a folder and its parents unless they are there.

    Raises
    ------
    OptionError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot make {folder}: {error.strerror}") from None

"""Files written whole or not at all, and read within bounds; JSON by a type."""

import hashlib
import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from solver.errors import OptionError

Content: TypeAlias = str | bytes
_asides: set[Path] = set()  # written, and not renamed yet


def write_whole(path: Path, content: Content) -> None:
    """Write a file aside and rename it, so that nobody ever sees half of it.

    Text is written as UTF-8 with line feeds. Folders that are missing are not made.

    Raises `OptionError` if the folder cannot be written; nothing is left behind.
    """
    write_together([(path, content)])


def write_together(files: Iterable[tuple[Path, Content | None]]) -> None:
    """Write files that belong together: all aside first, then all are renamed.

    Each is whole, and none appears before the content of the last one is there. A file
    whose content is None is removed before.

    Raises `OptionError` if one cannot be written.
    """
    parts: list[tuple[Path, Path]] = []
    gone = []
    path = Path()
    try:
        try:
            for path, content in files:
                if content is None:
                    gone.append(path)
                    continue
                parts.append((path.with_name(f".{path.name}.{os.getpid()}.part"), path))
                _asides.add(parts[-1][0])
                data = content.encode() if isinstance(content, str) else content
                parts[-1][0].write_bytes(data)
            for path in gone:
                path.unlink(missing_ok=True)
            for aside, path in parts:
                aside.replace(path)
        finally:
            for aside, _ in parts:
                aside.unlink(missing_ok=True)
                _asides.discard(aside)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None


def write_with_digest(path: Path, content: bytes) -> None:
    """Write a file with a digest of its name and content in front.

    Raises `OptionError` if it cannot be written.
    """
    write_whole(path, _digest(path, content) + content)


def read_with_digest(path: Path) -> bytes | None:
    """Return the content of a file of `write_with_digest`; None if there is none.

    A damaged file is removed, and so is one under another name.
    """
    try:
        if not path.is_file():
            return None
        data = path.read_bytes()
        content = data[_DIGEST:]
        if data[:_DIGEST] == _digest(path, content):
            return content
        path.unlink(missing_ok=True)
    except OSError:
        pass
    return None


_DIGEST = hashlib.sha256().digest_size


def _digest(path: Path, content: bytes) -> bytes:
    digest = hashlib.sha256(path.name.encode() + b"\0")
    digest.update(content)
    return digest.digest()


def forget_asides() -> None:
    """Remove what is written aside: for whoever ends this process at once."""
    for aside in tuple(_asides):
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents unless they are there.

    Raises `OptionError` if it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot make {folder}: {error.strerror}") from None


def table_beside(module: str, name: str) -> dict[str, Any]:
    """Return the TOML table of this name that lies beside a module's file."""
    import tomllib  # few commands need it

    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def read_most(file: str, most: int) -> bytes:
    """Read a regular file, or standard input for ``-``, which may be endless.

    Raises `OptionError` if it cannot be read, or holds more than `most` bytes.
    """
    if file != "-":
        try:
            return read_regular(Path(file), most)
        except OptionError as error:
            raise OptionError(f"cannot read {file}: {error}") from None
    try:
        data = sys.stdin.buffer.read(most + 1)
    except OSError as error:
        raise OptionError(f"standard input cannot be read: {error.strerror}") from None
    if len(data) > most:
        raise OptionError(f"standard input holds more than {most:,} bytes")
    return data


def read_regular(path: Path, most: int) -> bytes:
    """Read a regular file of at most `most` bytes; never waits for a pipe.

    Raises `OptionError` if it cannot be read, is larger, or is a folder, a device or a
    pipe. The message is the reason alone.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OptionError("not a regular file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise OptionError(str(error.strerror)) from None
    except ValueError as error:  # a zero in the path, or no regular file
        raise OptionError(str(error)) from None
    if len(data) > most:
        raise OptionError(f"larger than {most:,} bytes")
    return data


_T = TypeVar("_T")


def checked(value: Any, kind: type[_T], what: str) -> _T:
    """Return plain values as that type.

    Raises `OptionError` if they are something else.
    """
    import msgspec

    try:
        return msgspec.convert(value, type=kind, str_keys=True)
    except msgspec.MsgspecError as error:
        raise OptionError(f"{what}: {error}") from None

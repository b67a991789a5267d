"""Cases of PATH: saved boards with what the referee must say of them.

A case is a small TOML file under ``corpus/path/``, never edited to make a test pass:

``why``
    One sentence: why it was kept.
``source``
    Where it comes from: a publication, or a command with its seed.
``board``
    The rows, a line each.
``answer``
    The sentence.
``path``
    Optional: the number of cells of a shortest winning path, if there is one.
``moves``
    Optional: all winning moves of the player the answer speaks of, [row, col] from 1.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import BoardError, CaseError
from solver.path.board import Outcome, PathBoard
from solver.path.judge import Explanation

_KEYS = {"why", "source", "board", "answer", "path", "moves"}


@dataclass(frozen=True, slots=True)
class PathCase:
    """One saved board and its claim; `path` and `moves` are None where not claimed."""

    name: str
    why: str
    source: str
    board: PathBoard
    answer: Outcome
    path: int | None = None
    moves: tuple[tuple[int, int], ...] | None = None

    def fault(self, found: Explanation) -> str | None:
        """Return what an explanation says against the claim, None if it agrees."""
        if found.outcome is not self.answer:
            return f"says {found.outcome.value!r}, not {self.answer.value!r}"
        if self.path is not None and len(found.path) != self.path:
            return f"finds a path of {len(found.path)} cells, not {self.path}"
        moves = tuple(self.board.row_col(move) for move in found.moves)
        if self.moves is not None and moves != self.moves:
            return f"finds the winning moves {moves}, not {self.moves}"
        return None


def parse_case(text: str, file: str) -> PathCase:
    """Read a case; `file` names it.

    Raises
    ------
    CaseError
        If the text is no TOML, or a key is missing, unknown or has no sense.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CaseError(file, None, f"no TOML: {error}") from None
    for key in data:
        if key not in _KEYS:
            raise CaseError(file, key, "unknown key")
    why, source, rows, sentence = (
        _text(data, key, file) for key in ("why", "source", "board", "answer")
    )
    try:
        board = PathBoard.parse("/".join(rows.split()))
    except BoardError as error:
        raise CaseError(file, "board", str(error)) from None
    try:
        answer = Outcome(sentence)
    except ValueError:
        why_not = f"{sentence!r} is none of the five sentences"
        raise CaseError(file, "answer", why_not) from None
    path = data.get("path")
    if path is not None and (type(path) is not int or path < board.n):
        raise CaseError(file, "path", f"{path!r} is no number of at least {board.n}")
    return PathCase(
        Path(file).stem, why, source, board, answer, path, _moves(data, board, file)
    )


def load_cases(folder: Path) -> list[PathCase]:
    """Read all cases of a folder, by name; errors as `parse_case`.

    A folder without a single case is an error too: nothing would be checked.
    """
    cases = []
    for path in sorted(folder.glob("*.toml")):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CaseError(str(path), None, f"cannot be read: {error}") from None
        cases.append(parse_case(text, str(path)))
    if not cases:
        raise CaseError(str(folder), None, "no case is there")
    return cases


def _text(data: dict[str, Any], key: str, file: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise CaseError(file, key, f"expected text, got {value!r}")
    return value


def _moves(
    data: dict[str, Any], board: PathBoard, file: str
) -> tuple[tuple[int, int], ...] | None:
    moves = data.get("moves")
    if moves is None:
        return None
    inside = range(1, board.n + 1)
    good = isinstance(moves, list) and all(
        isinstance(move, list) and len(move) == 2 and all(one in inside for one in move)
        for move in moves
    )
    if not good:
        raise CaseError(
            file, "moves", f"{moves!r} are no cells [row, col] of the board"
        )
    return tuple((row, col) for row, col in moves)

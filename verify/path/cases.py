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

from dataclasses import dataclass
from pathlib import Path

from solver.errors import BoardError, CaseError
from solver.path.board import Outcome, PathBoard
from solver.path.judge import Explanation
from verify.corpus.casefile import CaseFile, checked_case, read_folder, read_table


class _File(CaseFile, frozen=True):
    board: str
    answer: str
    path: int | None = None
    moves: tuple[tuple[int, int], ...] | None = None


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
    said = checked_case(read_table(text, file), _File, file)
    try:
        board = PathBoard.parse("/".join(said.board.split()))
    except BoardError as error:
        raise CaseError(file, "board", str(error)) from None
    try:
        answer = Outcome(said.answer)
    except ValueError:
        why_not = f"{said.answer!r} is none of the five sentences"
        raise CaseError(file, "answer", why_not) from None
    if said.path is not None and said.path < board.n:
        why_not = f"{said.path!r} is no number of at least {board.n}"
        raise CaseError(file, "path", why_not)
    for move in said.moves or ():
        if not all(1 <= one <= board.n for one in move):
            raise CaseError(file, "moves", f"{list(move)} is no cell of the board")
    return PathCase(
        Path(file).stem, said.why, said.source, board, answer, said.path, said.moves
    )


def load_cases(folder: Path) -> list[PathCase]:
    """Read all cases of a folder, by name; errors as `parse_case`."""
    return read_folder(folder, parse_case)

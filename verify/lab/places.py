"""What pages hold: settings of the server, positions, replies that need no worker.

A position in one line is read here, so that a page shows its board at once; no kernel,
no rule and no oracle is loaded for it.
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from heuristic.groups import refuse_python, words_of
from heuristic.rule import choices
from solver.board import Board, Position
from solver.errors import OnewayError, OptionError
from solver.notation import unquoted
from solver.oracles.oracle import Answer
from solver.svg import draw
from verify.lab.messages import (
    SIDE,
    Done,
    Exported,
    Fault,
    Look,
    MoveTruth,
    Open,
    Opened,
    Place,
    Reply,
    Request,
    Seen,
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Which rules and position a page begins with, and where files may lie.

    - `folder`: all that is written lies in here, and rule files that pages name.
    - `corpus`: the cases that are shown; new ones are saved here.
    - `position`, `rules`: what a page without an address of its own shows.
    - `files`: rule files that the command named: the only ones outside the folder.
    """

    folder: Path
    corpus: Path
    position: str = "9:"
    rules: str = "seed-2024"
    files: tuple[str, ...] = ()

    def rule_file(self, name: str) -> Path:
        """Return the file of rules that a page means.

        Raises `OptionError` if it is neither one that the command named nor a plain
        name in the folder.
        """
        if name in self.files:
            return Path(name)
        if name.startswith(".") or Path(name).name != name or "\\" in name:
            raise OptionError(f"{name!r} is no file of {self.folder}")
        return self.folder / name

    def named(self, rules: str) -> str:
        """Return names of rules with each file where it lies; see `load_rules`.

        Raises `OptionError` as `rule_file`, or if a Python rule is among them: a page
        must not choose a file to import.
        """
        refuse_python(rules)
        return ",".join(
            str(self.rule_file(word)) if word.endswith(".toml") else word
            for word in words_of(rules)
        )


def documentation_folder() -> Path:
    """Return the folder of the documentation, in an installed package or a checkout."""
    here = Path(__file__).resolve().parent
    folders = (here / "docs", here.parents[1] / "docs")
    return next((one for one in folders if one.is_dir()), folders[0])


def position_of(place: Place) -> Position:
    """Return the position that a page holds.

    Raises `BoardError` if there is no such board, or no such walk on it.
    """
    board = Board(place.rows, place.cols, place.start, place.end, tuple(place.walls))
    step = {"U": -board.cols, "R": 1, "D": board.cols, "L": -1}
    cell, walk = board.start, [board.start]
    for move in place.moves:
        cell += step[move]
        walk.append(cell)
    return Position(board, tuple(walk))


def read_line(text: str) -> Position:
    """Read a position in one line; a board may stand alone.

    Raises `NotationError` or `BoardError` if it is none.
    """
    return Position.parse(text if ":" in text else f"{text}:")


def place_of(position: Position) -> Place:
    """Return a position as pages hold it.

    Raises `OptionError` if the board is larger than pages show.
    """
    board = position.board
    if max(board.rows, board.cols) > SIDE:
        raise OptionError(
            f"a board of {board.rows} x {board.cols}; pages show up to {SIDE} x {SIDE}"
        )
    walls = list(board.walls)
    return Place(board.rows, board.cols, board.start, board.end, walls, position.moves)


def opened(number: int, position: Position, note: str = "", rules: str = "") -> Opened:
    """Return the message that opens a position on a page."""
    text = position.notation
    return Opened(number, place_of(position), text, unquoted(text), note, rules)


_MEDIA = {
    "html": "text/html",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
}


def exported(number: int, stem: str, ending: str, content: str | bytes) -> Exported:
    """Return the message with a file for the page to save."""
    name, kind = f"{stem}.{ending}", _MEDIA.get(ending, "text/plain")
    if isinstance(content, str):
        return Exported(number, name, kind, content)
    return Exported(number, name, kind, data=b64encode(content).decode())


LINE = 12_000  # characters; to read more takes a tenth of a second, in a worker
_SIGNS = "<|=\n\r"  # each kind of file that pages open has one of them


def immediate_replies(request: Request) -> list[Reply] | None:
    """Return all replies to what needs no worker; None if it needs one."""
    if not isinstance(request, Open) or len(request.text) > LINE:
        return None
    text = request.text.strip()
    if not text or any(sign in text for sign in _SIGNS):
        return None
    try:
        return [opened(request.id, read_line(text)), Done(request.id, 0.0)]
    except OnewayError as error:
        return [Fault(request.id, str(error))]


def pictured(ask: Look) -> list[Reply]:
    """Return the picture of a position, for a page that waits for the first worker."""
    try:
        place = position_of(ask.place)
    except OnewayError:
        return []  # the worker says why
    svg = draw(place)
    return [seen(ask, place, None, svg=svg, forbidden=[], areas=[], partial=True)]


Known: TypeAlias = tuple[str, Answer, Mapping[str, Answer]]


def seen(ask: Look, place: Position, known: Known | None, **more: Any) -> Seen:
    """Return a position for a page, and what is known of it and its moves, if that is.

    `more` are other fields, the picture among them.
    """
    why, whole, answers = known or ("", None, {})
    free = choices(place)
    moves = [
        MoveTruth(move, cell, answers[move].verdict.name, move not in free)
        for move, cell in place.options().items()
        if move in answers
    ]
    return Seen(
        ask.id,
        plain=unquoted(place.notation),
        notation=place.notation,
        verdict=whole.verdict.name if whole else "",
        moves=moves,
        unvisited=place.unvisited,
        rules=ask.rules,
        complete=place.complete,
        why=why,
        **more,
    )

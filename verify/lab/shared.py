"""Settings, positions and replies that the server and its workers share.

No kernel, no rule and no oracle is loaded here, so the server can show the board of a
position in one line at once.
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
from verify.lab import messages
from verify.lab.messages import Look, Open, Place, Reply, Request

MORE, LAST = b"+", b"."  # the byte before a reply in a pipe
LINE = 12_000  # characters; a longer text takes a tenth of a second, in a worker
_SIGNS = "<|=\n\r"  # each kind of file that pages open has one of them
_MEDIA = {
    "html": "text/html",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
}
Decision: TypeAlias = tuple[str, Answer, Mapping[str, Answer]]


@dataclass(frozen=True, slots=True)
class Settings:
    """The first rules and position of a page, and the files that pages may use.

    - `folder`: pages write all files here, and read rule files from here.
    - `corpus`: the cases that pages show; new cases are saved here.
    - `position`, `rules`: of a page whose address has none.
    - `files`: rule files outside the folder that the command named.
    """

    folder: Path
    corpus: Path
    position: str = "9:"
    rules: str = "seed-2024"
    files: tuple[str, ...] = ()

    def rule_file(self, name: str) -> Path:
        """Return the path of a rule file that a page names.

        Raises `OptionError` if it is neither a file that the command named nor a plain
        name in the folder.
        """
        if name in self.files:
            return Path(name)
        if name.startswith(".") or Path(name).name != name or "\\" in name:
            raise OptionError(f"{name!r} is not a file of {self.folder}")
        return self.folder / name

    def resolve(self, rules: str) -> str:
        """Return the rules that a page names, with the path of each file.

        Raises `OptionError` as `rule_file`, and for a Python rule: a page must not
        choose a file to import.
        """
        refuse_python(rules)
        return ",".join(
            str(self.rule_file(word)) if word.endswith(".toml") else word
            for word in words_of(rules)
        )


def position_of(place: Place) -> Position:
    """Return the position that a page holds.

    Raises `BoardError` if the board or the walk is impossible.
    """
    board = Board(place.rows, place.cols, place.start, place.end, tuple(place.walls))
    step = {"U": -board.cols, "R": 1, "D": board.cols, "L": -1}
    cell, walk = board.start, [board.start]
    for move in place.moves:
        cell += step[move]
        walk.append(cell)
    return Position(board, tuple(walk))


def place_of(position: Position) -> Place:
    """Return a position as pages hold it.

    Raises `OptionError` if the board is larger than pages show.
    """
    board, most = position.board, messages.SIDE
    if max(board.rows, board.cols) > most:
        raise OptionError(
            f"a board of {board.rows} x {board.cols}; pages show up to {most} x {most}"
        )
    walls = list(board.walls)
    return Place(board.rows, board.cols, board.start, board.end, walls, position.moves)


def read_line(text: str) -> Position:
    """Read a position in one line; a board alone is its start.

    Raises `NotationError` or `BoardError` if the text is not a position.
    """
    return Position.parse(text if ":" in text else f"{text}:")


def exported(number: int, stem: str, ending: str, content: str | bytes) -> Reply:
    """Return the message with a file for the page to save."""
    data = content.encode() if isinstance(content, str) else content
    kind = _MEDIA.get(ending, "text/plain")
    return messages.Exported(number, f"{stem}.{ending}", kind, b64encode(data).decode())


def immediate_replies(request: Request) -> list[Reply] | None:
    """Return all replies to a request that needs no worker; None if it needs one."""
    if not isinstance(request, Open) or len(request.text) > LINE:
        return None
    text = request.text.strip()
    if not text or any(sign in text for sign in _SIGNS):
        return None
    try:
        place = place_of(read_line(text))
    except OnewayError as error:
        return [messages.Fault(request.id, str(error))]
    return [messages.Opened(request.id, place), messages.Done(request.id, 0.0)]


def first_picture(ask: Look) -> list[Reply]:
    """Return the picture of a position for a page that waits for the first worker."""
    try:
        place = position_of(ask.place)
    except OnewayError:
        return []  # the worker sends the fault
    svg = draw(place)
    return [seen(ask, place, None, svg=svg, forbidden=[], areas=[], partial=True)]


def seen(
    ask: Look, place: Position, decision: Decision | None, **more: Any
) -> messages.Seen:
    """Return a position for a page, with more fields of `Seen`."""
    why, whole, answers = decision or ("", None, {})
    free = choices(place)
    moves = [
        messages.MoveTruth(move, cell, answers[move].verdict.name, move not in free)
        for move, cell in place.options().items()
        if move in answers
    ]
    return messages.Seen(
        ask.id,
        plain=unquoted(place.notation),
        notation=place.notation,
        verdict=whole.verdict.name if whole else "",
        moves=moves,
        unvisited=place.unvisited,
        rules=ask.rules,
        why=why,
        **more,
    )

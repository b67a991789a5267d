"""Rules, rule sets, the reasons they give, and the boards they are meant for.

A rule looks at a position and *forbids* moves at its live end. Every forbidden move
comes with a `Reason` that readers can check on a picture. Moves are letters U, R, D,
L; a *mask* is a set of moves as bits 1, 2, 4, 8 in that order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Protocol, TypeAlias

from solver.board import LETTERS, Board, Cell, Position
from solver.errors import RuleError, UnknownNameError

if TYPE_CHECKING:
    from heuristic.walker import Walker


class Boards(Enum):
    """The kinds of boards that a rule is meant for; each contains the next one.

    A rule file names one of `BOARD_WORDS` by the key ``boards``; without it a rule is
    meant for `CORNERS`, the task of the founding text. `UPPER_LEFT` has no word of its
    own. It is what `CORNERS` means for a drawing in the board frame, which knows up
    from down.
    """

    ANY = "any"
    RIM = "rim"
    PLAIN = "plain"
    CORNERS = "corners"
    UPPER_LEFT = "upper-left"

    @property
    def text(self) -> str:
        """The boards in words."""
        return _TEXTS[self]

    @property
    def word(self) -> str:
        """The word that rule files and options use."""
        return "corners" if self is Boards.UPPER_LEFT else self.value

    def admits(self, board: Board) -> bool:
        """Return whether a board is of this kind.

        >>> Boards.PLAIN.admits(Board.parse("5!3,3"))
        False
        """
        ends = divmod(board.start, board.cols), divmod(board.end, board.cols)
        last = board.rows - 1, board.cols - 1
        rims = [[a in (0, m) for a, m in zip(e, last, strict=True)] for e in ends]
        opposite = all(a + b == m for a, b, m in zip(*ends, last, strict=True))
        corners = all(rims[0]) and opposite
        conditions = all(map(any, rims)), not board.walls, corners, board.start == 0
        return all(conditions[: _ORDER.index(self)])


_TEXTS = {
    Boards.ANY: "boards with any walls and ends",
    Boards.RIM: "rectangles with any walls, start and end on the rim",
    Boards.PLAIN: "rectangles without walls, start and end on the rim",
    Boards.CORNERS: "rectangles without walls, start and end in opposite corners",
    Boards.UPPER_LEFT: "rectangles without walls, start upper left, end lower right",
}
BOARD_WORDS = tuple(kind.value for kind in Boards if kind is not Boards.UPPER_LEFT)
_ORDER = list(Boards)


def boards_named(word: str) -> Boards:
    """Return the kind of boards that a word names.

    Raises `UnknownNameError` if the word is not one of `BOARD_WORDS`.
    """
    if word not in BOARD_WORDS:
        raise UnknownNameError("kind of boards", word, BOARD_WORDS)
    return Boards(word)


def narrowest(kinds: Iterable[Boards]) -> Boards:
    """Return the kind whose boards all of the kinds admit; `ANY` of none."""
    return max(kinds, key=_ORDER.index, default=Boards.ANY)


def widest(kinds: Iterable[Boards]) -> Boards:
    """Return the kind that holds all boards of the kinds; `UPPER_LEFT` of none."""
    return min(kinds, key=_ORDER.index, default=Boards.UPPER_LEFT)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is forbidden: one sentence, and what to look at on a picture.

    - `sentence`: for a person, without full stop.
    - `cells`: cells to mark: walls, gaps and marked cells of the sentence.
    - `areas`: the cells of each area that is counted, in the order of the rule.
    - `edges`, tuple of (int, int): forced edges, pairs of touching cells, drawn blue.
    """

    sentence: str
    cells: tuple[Cell, ...] = ()
    areas: tuple[tuple[Cell, ...], ...] = ()
    edges: tuple[tuple[Cell, Cell], ...] = ()

    @property
    def area(self) -> tuple[Cell, ...]:
        """The cells of all areas, in order."""
        return tuple(sorted({cell for area in self.areas for cell in area}))


@dataclass(frozen=True, slots=True)
class Forbid:
    """A move, as a letter, that a rule forbids."""

    rule: str
    move: str
    reason: Reason


class Rule(Protocol):
    """The properties of a rule; its engine applies it to positions."""

    @property
    def name(self) -> str:
        """Unique within a book; lower case with hyphens."""

    @property
    def claim(self) -> str:
        """The claim of its author: ``sound``, or a status such as ``withdrawn``."""

    @property
    def origin(self) -> str:
        """Source and place, or a theorem with its paper."""

    @property
    def boards(self) -> Boards:
        """The boards that it is meant for."""

    @property
    def related(self) -> tuple[str, ...]:
        """Oracles that share its kernels, so that neither can confirm the other."""
        return ()

    @property
    def engine(self) -> str:
        """The `Engine` that applies rules of its kind: "module:function"."""


# Takes the rules of one kind of a set; returns what makes a walker on a board.
Engine: TypeAlias = Callable[[Sequence[Rule]], Callable[[Board], "Walker"]]


_DRAWN = "heuristic.matching.drawn:drawn_rules"  # of a set without rules


class RuleSet:
    """Rules applied together.

    - `name`: the text from which `heuristic.groups.load_rules` makes the same set.
    - `rules`: in the order in which the set asks them. Equal rules count once.

    Neighbours of one kind are applied by one engine. A rule that stops the others stops
    those of its own engine.

    Raises `RuleError` if two different rules have the same name.
    """

    def __init__(self, name: str, rules: Iterable[Rule]) -> None:
        self.name = name
        by_name: dict[str, Rule] = {}
        for rule in rules:
            if by_name.setdefault(rule.name, rule) != rule:
                why = "another rule of the set has this name"
                raise RuleError(rule.origin, rule.name, why)
        self.rules = tuple(by_name.values())
        self._walker: Walker | None = None  # of `masks`, on the last board

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return what every rule forbids, by rule and then by move."""
        walker = self._walker_at(position)
        return tuple(
            Forbid(self.rules[number].name, move, walker.reason(number, move))
            for number, mask in enumerate(walker.masks())
            for move in mask_moves(mask)
        )

    def masks(self, position: Position) -> list[int]:
        """Return the moves that each rule forbids, as bits; no reasons are made."""
        return self._walker_at(position).masks()

    def _walker_at(self, position: Position) -> "Walker":
        if self._walker is None or self._walker.board != position.board:
            self._walker = self.walker(position.board)
        self._walker.follow(position.walk)
        return self._walker

    def walker(self, board: Board) -> "Walker":
        """Return a walker under these rules, at the start of a board."""
        first, *others = (make(board) for make in self._makers)
        return first.joined(others)

    @cached_property
    def _makers(self) -> list[Callable[[Board], "Walker"]]:
        groups = groupby(self.rules, key=lambda rule: rule.engine)
        runs = [(name, [*rules]) for name, rules in groups]
        makers = []
        for name, run in runs or [(_DRAWN, [])]:
            module, function = name.split(":")
            engine: Engine = getattr(import_module(module), function)
            makers.append(engine(run))
        return makers

    def __repr__(self) -> str:
        return f"<RuleSet {self.name}: {len(self.rules)} rules>"


def related_oracles(rules: RuleSet) -> tuple[str, ...]:
    """Return the oracles that share kernels with a rule of the set."""
    names = (oracle for rule in rules.rules for oracle in rule.related)
    return tuple(dict.fromkeys(names))


def completion_edges(
    rules: RuleSet, position: Position
) -> tuple[tuple[Cell, Cell], ...]:
    """Return the edges that future lines and universal rules know in each completion.

    Edges of the walk are left out.
    """
    walker = rules.walker(position.board)
    walker.follow(position.walk)
    return walker.edges()


def choices(position: Position) -> dict[str, Cell]:
    """Return the moves a walker chooses among before any rule, letter to cell.

    A walk enters the end cell last, by the problem itself. Entering it early is dead,
    and never counts as a gap.

    >>> choices(Position.parse("2x3:RD")), choices(Position.parse("2x3:DRUR"))
    ({'L': 3}, {'D': 5})
    """
    options = position.options()
    if position.unvisited > 1:
        return {m: cell for m, cell in options.items() if cell != position.board.end}
    return options


def mask_moves(mask: int) -> str:
    """Return the moves of a mask as letters.

    >>> mask_moves(0b1010)
    'RL'
    """
    return "".join(LETTERS[d] for d in range(4) if mask >> d & 1)


def mask_of(moves: Iterable[str]) -> int:
    """Return letters of moves as a mask; the inverse of `mask_moves`."""
    return sum(1 << LETTERS.index(move) for move in moves)


def union_mask(masks: list[int]) -> int:
    """Return the moves that at least one rule forbids."""
    united = 0
    for mask in masks:
        united |= mask
    return united

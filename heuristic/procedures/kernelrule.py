"""Rules that are kernels: procedures no drawing can hold, with the same interface.

Each returns the moves that it forbids as bits. With `wanted`, a mask of moves, it stops
at the first ground against one of them, and `work` has the line and the area of it. So
masks and reasons come from one piece of code. Each kernel is tested against a double.

In the rounds of a left-first walk procedures share what is ahead with walks that agree
in visited cells, live end and heading, as drawings do (`heuristic.walks.rounds`).
Whether a procedure says of a transposed position the transposed was never shown:
positions and their images are kept apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from heuristic.boards import Boards
from heuristic.matching.areas import is_filled
from heuristic.matching.drawn import DrawnRuleSet, OrderTracker
from heuristic.matching.pattern import board_numbers, new_order
from heuristic.matching.tables import Ints, Tables
from heuristic.matching.walks import (
    ASK,
    Drawn,
    DrawnRounds,
    Memory,
    allowed_moves,
    go_on,
    heading_of,
    look,
    settle,
)
from heuristic.mixed import MixedRuleSet
from heuristic.procedures.corners import (
    View,
    Work,
    corners_mask,
    new_work,
    second_corner_mask,
)
from heuristic.procedures.forcedwalk import NextStepRule, sequence_mask, stair_mask
from heuristic.rule import (
    FRESH,
    LENGTH,
    Event,
    Forbid,
    Reason,
    Rounds,
    RuleSet,
    Run,
    Stops,
    letters,
)
from heuristic.rules.picture import rules_html
from heuristic.walks.walker import ByTracker
from solver.board import LETTERS, Board, Position
from solver.files import table_beside
from solver.jit import njit

_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value


@njit
def procedure(
    which: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    work: Work,
    wanted: int,
) -> int:
    """Kernel: what a procedure forbids, by its place in rules.toml; see the module."""
    row, col = live_end // board[1], live_end % board[1]
    here = View(order, board, row, col, heading, (heading + 3) % 4)
    if which == 1:
        return sequence_mask(here, work, wanted)
    if which == 3:
        return second_corner_mask(here, work, wanted)
    if which in (2, 4):
        return stair_mask(here, work, wanted, which == 4)
    return corners_mask(here, work, wanted, which == 0)


@njit
def _ask(
    which: Ints, drawn: Drawn, live_end: int, heading: int, work: Work, masks: Ints
) -> int:
    """Kernel: what procedures forbid, each in its place of masks, and all together."""
    order, board, together = drawn.order, drawn.board, 0
    for k in range(len(which)):
        masks[k] = procedure(which[k], order, board, live_end, heading, work, 0)
        together |= masks[k]
    return together


@njit
def _leaves_none(drawn: Drawn, run: Run) -> bool:
    """Kernel: whether no cell beside the live end may be entered, before any rule."""
    length = run.counts[LENGTH]
    here = run.walk[length - 1]
    for d in range(4):
        cell = drawn.neighbours[here, d]
        early = cell == drawn.board[2] and length < run.open_cells - 1
        if cell >= 0 and drawn.order[cell] == -1 and not early:
            return False
    return True


@njit
def _rounds(
    drawn: Drawn,
    which: Ints,
    work: Work,
    masks: Ints,
    run: Run,
    memory: Memory,
    stops: Stops,
) -> int:
    """Kernel of `BookRounds.go`; returns the value of an `Event`.

    `masks` has a place for each drawn rule, which `drawn.masks` is, then for each
    procedure.
    """
    first = len(masks) - len(which)
    for _ in range(stops.rounds):
        at = run.counts[LENGTH] - 1
        heading = heading_of(run, drawn.neighbours)
        if run.todo[at] == FRESH:
            event = look(run, memory, heading, stops)
            if event == ASK:
                masks[:] = 0
                moves = 0
                if not _leaves_none(drawn, run):
                    moves = allowed_moves(drawn, run.walk, at + 1, run.open_cells)
                    if at > 0:
                        here = run.walk[at]
                        moves &= ~_ask(which, drawn, here, heading, work, masks[first:])
                event = settle(masks, moves, run, memory, stops)
            if event != _BUDGET:
                return event
        if not go_on(drawn, run, memory, heading):
            return _FINISHED
    return _BUDGET


class BookRounds(DrawnRounds):
    """Rounds of drawn rules and of procedures behind them.

    - `which`: the procedures, by their numbers.
    """

    pace = 300_000

    def __init__(self, tables: Tables, board: Board, which: Sequence[int]) -> None:
        super().__init__(tables, board)
        self._which, self._work = np.array(which, dtype=np.int32), new_work(board)
        rules = len(tables.rules)
        self._masks = np.zeros(rules + len(which), dtype=np.int32)
        self._drawn = self._drawn._replace(masks=self._masks[:rules])

    def _make(self, run: Run, memory: Memory, stops: Stops) -> int:
        parts = self._drawn, self._which, self._work, self._masks
        return _rounds(*parts, run, memory, stops)


@dataclass(frozen=True, slots=True)
class KernelRule:
    """One procedure of the source; a `Rule`."""

    name: str  # with claim and origin, as drawn rules have them
    claim: str
    origin: str
    reason: str  # one sentence for people, without full stop
    what: str  # what the procedure does, a few sentences
    number: int  # its place in rules.toml
    boards: Boards = Boards.CORNERS

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves with reasons, in the order U, R, D, L."""
        work = new_work(position.board)
        mask = self._ask(position, work, 0)
        return tuple(self._explain(position, work, move) for move in letters(mask))

    def _ask(self, position: Position, work: Work, wanted: int) -> int:
        if position.heading < 0:
            return 0
        board = position.board
        return procedure(
            self.number,
            new_order(board, position.walk),
            board_numbers(board),
            position.live_end,
            position.heading,
            work,
            wanted,
        )

    def _explain(self, position: Position, work: Work, move: str) -> Forbid:
        board = position.board
        self._ask(position, work, 1 << LETTERS.index(move))
        line = work.line[: work.found[0] + 2].tolist()
        cells = {
            row * board.cols + col
            for row, col in line
            if 0 <= row < board.rows and 0 <= col < board.cols
        }
        area = tuple(
            cell for cell in range(board.cells) if is_filled(work.scratch, cell)
        )
        black = sum(board.black(cell) for cell in area)
        white = len(area) - black
        reason = Reason(
            f"{self.reason}; its area has {len(area)} cells, {black} black and "
            f"{white} white",
            cells=tuple(sorted(cells)),
            area=area,
            facts=(("black 1", black), ("white 1", white)),
        )
        return Forbid(self.name, move, reason)


def _read(number: int, table: dict[str, str]) -> KernelRule:
    """Return a rule from its table in rules.toml."""
    words = {key: text for key, text in table.items() if key != "boards"}
    boards = Boards(table.get("boards", Boards.CORNERS.value))
    return KernelRule(**words, number=number, boards=boards)


RULES = tuple(
    _read(number, table)
    for number, table in enumerate(table_beside(__file__, "rules.toml")["rule"])
)
_BY_NAME = {rule.name: rule for rule in RULES}


class KernelRuleSet(ByTracker):
    """Kernel rules asked one after the other; a `RuleSet`.

    >>> rules = KernelRuleSet("kernels", RULES[:1])
    >>> [(f.move, f.reason.cells) for f in rules.forbids(Position.parse("7:RDDLDR"))]
    []
    """

    def __init__(self, name: str, rules: Sequence[KernelRule]) -> None:
        self.name, self.rules = name, tuple(rules)  # in the order they are asked

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return what every rule forbids, by rule and then by move."""
        return tuple(f for rule in self.rules for f in rule.forbids(position))

    def _repr_html_(self) -> str:
        return rules_html(self.name, self.rules)

    def rounds_behind(self, before: RuleSet, board: Board) -> Rounds | None:
        """Return the rounds of drawn rules and of these behind them, by one kernel."""
        if not isinstance(before, DrawnRuleSet):
            return None
        which = [rule.number for rule in self.rules]
        return BookRounds(before.tables_on(board), board, which)

    def tracker(self, board: Board) -> "KernelTracker":
        """Return a fresh tracker at the board's start."""
        return KernelTracker(self.rules, board)


class KernelTracker(OrderTracker):
    """Kernel rules along a walk, and what the kernels write on."""

    def __init__(self, rules: Sequence[KernelRule], board: Board) -> None:
        super().__init__(board)
        self._rules, self._work = [rule.number for rule in rules], new_work(board)

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        if len(self.walk) < 2:
            return [0] * len(self._rules)
        heading = self.board.direction(*self.walk[-2:])
        state = self._order, self._numbers, self.walk[-1], heading, self._work, 0
        return [int(procedure(number, *state)) for number in self._rules]


def kernel_rules(names: tuple[str, ...], load: Callable[[str], RuleSet]) -> RuleSet:
    """Return the rule set of these names; the factory of the rule groups.

    `load` finds rules by name, for a rule that asks others.
    """
    parts: list[RuleSet] = []
    for alone, some in groupby(names, lambda name: name == NextStepRule.name):
        kernels = [] if alone else [_BY_NAME[name] for name in some]
        parts.append(NextStepRule(load) if alone else KernelRuleSet("kernels", kernels))
    return parts[0] if len(parts) == 1 else MixedRuleSet("kernels", parts)

"""Refute a rule: a position it matches, completable by a move that it forbids.

First the positions that the corpus keeps against it; then those of the 5x5 board, all
of them; then the directed search (`verify.refute.directed`) on larger and larger
boards, for the parts that the prover left open. What is found is checked by
`verify.checker.position`, which shares no code with any of this, and made smaller while
it lasts.

A rule that is never asked the question it answers is proved and worth nothing. On small
boards some rules never fire. The directed search finds a larger board with a
completable position in which the rule forbids a dead move: the position matches the
drawing, and the completion goes on with another move than the forbidden one. If none
can, the rule is *void*: then a proof says that no completion goes on from such a
position by any move.

For the first position at which each of many rules forbids a move known to be good,
thousands of rules are asked together, in one kernel, along the positions of a tree;
nothing is counted, so this is for refuting, not for evidence.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heuristic.matching.drawn import DrawnRule
from heuristic.matching.tables import (
    RULE,
    SKIP,
    Ints,
    Tables,
    compile_rules,
    fitting,
    grouped,
)
from heuristic.matching.walks import Drawn, ask, new_drawn, step_to
from heuristic.rule import Forbid
from heuristic.rules.drawing import (
    INFERENCES,
    CellState,
    Drawing,
    Offset,
    RuleSpec,
)
from solver.board import LETTERS, Board, Position, Walk
from solver.errors import OptionError, WitnessError
from solver.jit import njit
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.positions import PositionTree, completable_positions
from verify.checker.position import find_fault
from verify.corpus.cases import Case
from verify.corpus.origin import Origin
from verify.proof.prove import Part
from verify.proof.view import Pose, poses
from verify.refute.directed import directed
from verify.shrink import minimise
from verify.truth import truth

SIZES = (5, 7, 9, 11, 13)


@dataclass(frozen=True, slots=True)
class Refutation:
    """A counterexample.

    - `move`: the letter of a move that the rule forbids there.
    - `completion`: cells after the live end, beginning with that move, up
      to the end cell.
    - `found`: by what.
    - `case`: the case of the corpus that it is.
    - `among`: the names of the rules that it is asked with: inferences whose future
      lines it reads, if not those of all nine.
    """

    rule: str
    position: Position
    move: str
    completion: Walk
    found: str
    case: Path | None = None
    among: str = ""

    @property
    def lines(self) -> str:
        """Say whose future lines the rule reads there; empty if those of all."""
        used = self.among.split(",")[:-1]
        left_out = [name for name in INFERENCES if name not in used]
        if not used or not left_out:
            return ""
        if len(left_out) < len(used):
            return f"with the lines of all inferences but {', '.join(left_out)}"
        return f"with the lines of {', '.join(used)} alone"


def confirmed(
    rule: RuleSpec, position: Position, completion: Walk, found: str, among: str = ""
) -> Refutation:
    """Check a counterexample by the rule itself and by the independent checker.

    `among` names rules to ask it with, if not alone; see `Refutation`.

    Raises `WitnessError` if it is none: a fault of ours.
    """
    fault = find_fault(position.notation, completion)
    if fault:
        raise WitnessError(f"{position.notation}: {fault}")
    move = LETTERS[position.board.direction(position.live_end, completion[0])]
    forbidden = {forbid.move for forbid in _asked(rule, position, among)}
    if move not in forbidden:
        why = f"{rule.name} does not forbid {move} there"
        raise WitnessError(f"{position.notation}: {why}")
    return Refutation(rule.name, position, move, completion, found, among=among)


def _asked(rule: RuleSpec, position: Position, among: str = "") -> tuple[Forbid, ...]:
    """Ask a rule alone, or among others; one that reads lines follows the walk."""
    if rule.kind == "procedure" or among:
        from heuristic.groups import load_rules

        said = load_rules(among or rule.name).forbids(position)
        return tuple(forbid for forbid in said if forbid.rule == rule.name)
    if not rule.reads_lines:
        return DrawnRule(rule).forbids(position)
    from heuristic.future.futurerules import FutureRule

    return FutureRule(rule).forbids(position)


def wrong_moves(
    rule: RuleSpec, position: Position, oracle: Oracle, among: str = ""
) -> tuple[str, Walk] | None:
    """Return a move that the rule forbids though it is completable, with completion."""
    options = position.options()
    for forbid in _asked(rule, position, among):
        answer = oracle.decide(position.step(forbid.move))
        if answer.verdict is Verdict.COMPLETABLE and answer.witness is not None:
            return forbid.move, (options[forbid.move], *answer.witness)
    return None


def minimal(rule: RuleSpec, refutation: Refutation) -> Refutation:
    """Return a smaller counterexample: smaller board, shorter walk, no step further."""
    oracle = get_oracle("sat")

    def holds(position: Position) -> bool:
        return position.heading >= 0 and wrong_moves(rule, position, oracle) is not None

    position = minimise(refutation.position, holds)
    if position == refutation.position:
        return refutation
    found = wrong_moves(rule, position, oracle)
    assert found is not None
    return confirmed(rule, position, found[1], f"{refutation.found}, made smaller")


def refute_known(rule: RuleSpec, cases: Iterable[Case]) -> Refutation | None:
    """Try the positions of cases, in order."""
    oracle = get_oracle("sat")
    for case in cases:
        among = ""
        if rule.reads_lines and "," in case.rules and case.of_the_book:
            among = case.rules
        if wrong := wrong_moves(rule, case.position, oracle, among):
            name = case.path.stem if case.path else case.position.notation
            found = confirmed(rule, case.position, wrong[1], f"case {name}", among)
            return replace(found, case=case.path)
    return None


def refute(
    rule: RuleSpec,
    parts: Sequence[Part],
    *,
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Sequence[Case] = (),
) -> Refutation | None:
    """Look for a counterexample to one of the parts; None proves nothing.

    - `parts`: where to look: what the prover left open.
    - `sizes`: sides of the square boards, tried in order for all parts.
    - `seconds`: limit for one part on one board.
    - `cases`: positions to try first.
    """
    if known := refute_known(rule, cases):
        return known
    if 5 in sizes and (found := wrong_on(rule, Board.square(5), alone(rule))):
        return found
    for size in [size for size in sizes if size != 5]:
        board = Board.square(size)
        for part in parts:
            drawing = rule.drawings[part.drawing]
            hit = directed(
                drawing, part.pose, part.move, board, seed=seed, seconds=seconds
            )
            if hit is not None:
                how = f"directed search on {board.notation}, seed {seed}"
                return minimal(rule, confirmed(rule, *hit, how))
    return None


SIDES = (7, 9, 11, 13, 15)
AROUND: tuple[Offset, ...] = ((0, 1), (1, 0), (-1, 0), (0, -1))
_SHARES = 0.3, 3.0  # seconds for a drawing, pose and moves at first, and then


@dataclass(frozen=True, slots=True)
class Firing:
    """A completable position in which a rule forbids dead moves.

    - `forbidden`: the moves that the rule forbids there, all dead.
    - `moves`: every move, ``completable`` or ``dead``.
    """

    rule: str
    position: Position
    forbidden: str
    moves: dict[str, str]

    def case(self, source: str, origin: Origin) -> Case:
        """Return it as a case, to be replayed."""
        why, at = "the rule fires and decides", self.position
        return Case(
            "fired",
            why,
            source,
            at,
            self.moves,
            rules=origin.rules,
            rule="" if self.rule == origin.rules else self.rule,
            subject=self.forbidden,
            text=origin.text,
        )


def find_firing(rule: RuleSpec, *, seconds: float, seed: int = 0) -> Firing | None:
    """Look for a position in which a rule decides, on boards of 7x7 to 15x15.

    None if the limit of processor time came first; each size of the board gets the same
    share of it.

    Raises `OptionError` if the rule is wrong: it forbids a completable move there.
    Raises `WitnessError` if the completion found is none.
    """
    questions = list(_questions(rule))
    random.Random(seed).shuffle(questions)
    for side in SIDES:
        until, board = time.process_time() + seconds / len(SIDES), Board.square(side)
        for share, question in product(_SHARES, questions):
            left = min(share, until - time.process_time())
            if left <= 0:
                continue
            hit = directed(*question, board, seed=seed, seconds=left)
            if hit is not None:
                position, completion = hit
                if fault := find_fault(position.notation, completion):
                    raise WitnessError(f"{position.notation}: {fault}")
                forbidden = {f.move for f in DrawnRule(rule).forbids(position)}
                if forbidden:
                    return _firing(rule, position, forbidden)
    return None


def _questions(rule: RuleSpec) -> Iterator[tuple[Drawing, Pose, Offset]]:
    """Yield drawings with one forbidden cell known to be free, and another move."""
    for drawing in rule.drawings:
        for forbidden in drawing.forbidden:
            need = drawing.need(forbidden)
            if need.states & CellState.FREE:
                others = tuple(one for one in drawing.needs if one.at != forbidden)
                free = replace(need, states=CellState.FREE)
                known = replace(drawing, needs=(*others, free))
                for move, pose in product(AROUND, poses(drawing)):
                    if move != forbidden:
                        yield replace(known, forbidden=(move,)), pose, move


def _firing(rule: RuleSpec, position: Position, forbidden: set[str]) -> Firing:
    moves = truth(position, get_oracle("sat"))
    said = "".join(move for move in moves if move in forbidden)
    for move in said:
        if moves[move] != "dead":
            why = f"forbids {move} at {position.notation}, which can be completed"
            raise OptionError(f"{rule.name} is wrong: it {why}")
    return Firing(rule.name, position, said, moves)


_CHUNK = 1 << 15  # positions, before the rules that are refuted are left out
_LARGE = 13  # on boards from this side on hardly any drawing is too large


@njit
def _first_wrong(
    drawn: Drawn,
    depths: npt.NDArray[np.int16],
    cells: Ints,
    good: npt.NDArray[np.uint8],
    walk: Ints,
    length: int,
    first: npt.NDArray[np.int64],
    base: int,
) -> int:
    """Note in `first` where a rule is wrong for the first time; return the length.

    `drawn.order`, `walk` and its length carry the walk from one chunk to the next.
    """
    masks = drawn.masks
    for i in range(len(depths)):
        length = step_to(drawn, walk, length, depths[i], cells[i])
        if ask(drawn, walk, length) & good[i] != 0:
            for rule in range(len(masks)):
                if masks[rule] & good[i] != 0 and first[rule] < 0:
                    first[rule] = base + i
    return length


class Trier:
    """Rules on trial, each alone: `stops` and `unless` are to be left out before.

    - `left`, (rules,) bool: those not refuted yet; only they are asked.
    """

    def __init__(self, rules: Sequence[RuleSpec]) -> None:
        self._tables = compile_rules(rules)
        self.left = np.ones(len(rules), dtype=np.bool_)

    def run(self, tree: PositionTree) -> Iterator[tuple[int, int]]:
        """Try the rules that are left on all positions; yield (rule, position) numbers.

        A tenth of a microsecond a position and a hundred rules, about.
        """
        board = tree.board
        tables = self._without_refuted(self._tables)
        if min(board.rows, board.cols) < _LARGE:
            tables = fitting(tables, board)
        drawn = new_drawn(tables, board)
        walk = np.zeros(board.cells, np.int32)
        first = np.full(len(self.left), -1, np.int64)
        length = 0
        for begin in range(0, len(tree), _CHUNK):
            if not drawn.tables.heads[4]:
                return
            part = slice(begin, begin + _CHUNK)
            places = tree.depth[part], tree.cell[part], tree.good[part]
            length = _first_wrong(drawn, *places, walk, length, first, begin)
            found = np.flatnonzero(self.left & (first >= 0))
            if len(found):
                self.left[found] = False
                yield from ((int(rule), int(first[rule])) for rule in found)
                drawn = drawn._replace(tables=self._without_refuted(drawn.tables))

    def _without_refuted(self, tables: Tables) -> Tables:
        """Leave out the placements of refuted rules."""
        keep = self.left[tables.placements[:, RULE]]
        if keep.all():
            return tables
        position = np.concatenate(([0], np.cumsum(keep))).astype(np.int32)
        kept = tables.placements[keep].copy()
        kept[:, SKIP] = position[kept[:, SKIP]]
        return grouped(tables._replace(heads=position[tables.heads], placements=kept))


def alone(rule: RuleSpec) -> Trier:
    """Return a rule on trial, whatever its precedence says."""
    return Trier([replace(rule, stops=False, unless=())])


def wrong_on(rule: RuleSpec, board: Board, trier: Trier) -> Refutation | None:
    """Try a rule on all completable positions of a small board; see `alone`."""
    tree = completable_positions(board)
    for _, index in trier.run(tree):
        position, good = tree.position(index), int(tree.good[index])
        said = {LETTERS.index(x.move) for x in DrawnRule(rule).forbids(position)}
        move = next(d for d in said if good >> d & 1)
        way = completion(tree, index, move)
        return confirmed(rule, position, way, f"all of {board.notation}")
    return None


def completion(tree: PositionTree, index: int, move: int) -> Walk:
    """Return a completion of a position of the tree that begins with a good move.

    `move` counts U, R, D, L from 0. The tree is in preorder and all its positions are
    completable, so the first children lead to the end.
    """
    wanted = int(tree.board.neighbours[tree.cell[index], move])
    at = index + 1
    while tree.depth[at] != tree.depth[index] + 1 or tree.cell[at] != wanted:
        at += 1
    last = at
    while tree.cell[last] != tree.board.end:
        last += 1
    return tuple(map(int, tree.cell[at : last + 1]))

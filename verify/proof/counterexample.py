"""Refute a rule: a position it matches, completable by a move that it forbids.

First the positions that the corpus keeps against it. Then those of the 5x5 board, all
of them. Then the directed search (`verify.proof.directed`) on larger and larger boards,
for the parts that the prover left open. `verify.checker.position`, which shares no code
with any of this, checks each counterexample; then it is minimised.

A rule that never has to decide is proved and worth nothing. On small boards some rules
never fire. `find_firing` looks for a larger board with a completable position in which
the rule forbids a dead move: the position matches the drawing, and the completion
begins with another move than the forbidden one.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

from heuristic.groups import drawn_rules, load_rules
from heuristic.rule import Forbid, RuleSet
from heuristic.rules.drawing import INFERENCES, CellState, Drawing, RuleSpec, Spot
from solver.board import LETTERS, Board, Position, Walk
from solver.errors import OptionError, WitnessError
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.positions import completable_positions
from solver.symmetry import Symmetry
from verify.checker.position import find_fault
from verify.corpus.cases import Case, Origin
from verify.proof.directed import directed
from verify.proof.prove import Part
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

    Raises `WitnessError` if it is none: an internal error.
    """
    if fault := find_fault(position.notation, completion):
        raise WitnessError(f"{position.notation}: {fault}")
    move = LETTERS[position.board.direction(position.live_end, completion[0])]
    if move not in {forbid.move for forbid in _forbids(rule, position, among)}:
        why = f"{rule.name} does not forbid {move} there"
        raise WitnessError(f"{position.notation}: {why}")
    return Refutation(rule.name, position, move, completion, found, among=among)


@lru_cache(maxsize=4)
def alone(rule: RuleSpec) -> RuleSet:
    """Return a drawn rule as a rule set of its own, without its precedence."""
    return drawn_rules(rule.name, [replace(rule, stops=False, unless=())])


def _forbids(rule: RuleSpec, position: Position, among: str) -> list[Forbid]:
    """Return what a rule forbids, alone or among others."""
    by_name = rule.kind == "procedure" or among
    rules = load_rules(among or rule.name) if by_name else alone(rule)
    return [forbid for forbid in rules.forbids(position) if forbid.rule == rule.name]


def wrong_move(
    rule: RuleSpec, position: Position, oracle: Oracle, among: str = ""
) -> Walk | None:
    """Return a completion that begins with a move that the rule forbids, or None."""
    options = position.options()
    for forbid in _forbids(rule, position, among):
        answer = oracle.decide(position.step(forbid.move))
        if answer.verdict is Verdict.COMPLETABLE and answer.witness is not None:
            return (options[forbid.move], *answer.witness)
    return None


def minimal(rule: RuleSpec, refutation: Refutation) -> Refutation:
    """Return a smaller counterexample: smaller board, shorter walk, no step further."""
    oracle = get_oracle("sat")

    def holds(position: Position) -> bool:
        return position.heading >= 0 and wrong_move(rule, position, oracle) is not None

    position = minimise(refutation.position, holds)
    if position == refutation.position:
        return refutation
    completion = wrong_move(rule, position, oracle)
    assert completion is not None
    return confirmed(rule, position, completion, f"{refutation.found}, made smaller")


def refute_by_cases(rule: RuleSpec, cases: Iterable[Case]) -> Refutation | None:
    """Try the positions of cases, in order."""
    oracle = get_oracle("sat")
    for case in cases:
        among = ""
        if rule.reads_lines and "," in case.rules and case.of_the_book:
            among = case.rules
        if completion := wrong_move(rule, case.position, oracle, among):
            name = case.path.stem if case.path else case.position.notation
            found = confirmed(rule, case.position, completion, f"case {name}", among)
            return replace(found, case=case.path)
    return None


def refute_on(rules: RuleSet, rule: RuleSpec, board: Board) -> Refutation | None:
    """Try a rule on all completable positions of a small board.

    `rules` is the rule `alone`, to be passed on from board to board.
    """
    tree, begin = completable_positions(board), 0
    for part in rules.walker(board).tree(tree):
        wrong = np.flatnonzero(part.masks[:, 0] & part.good)
        if len(wrong):
            position = tree.position(begin + int(wrong[0]))
            completion = wrong_move(rule, position, get_oracle("sat"))
            if completion is None:
                why = f"`sat` finds no completion against {rule.name}"
                raise WitnessError(f"{position.notation}: {why}")
            return confirmed(rule, position, completion, f"all of {board.notation}")
        begin += len(part.good)
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
    if found := refute_by_cases(rule, cases):
        return found
    if 5 in sizes and (found := refute_on(alone(rule), rule, Board.square(5))):
        return found
    for size, part in product([size for size in sizes if size != 5], parts):
        board, drawing = Board.square(size), rule.drawings[part.drawing]
        hit = directed(drawing, part.pose, part.move, board, seed=seed, seconds=seconds)
        if hit is not None:
            how = f"directed search on {board.notation}, seed {seed}"
            return minimal(rule, confirmed(rule, *hit, how))
    return None


_SIDES = (7, 9, 11, 13, 15)
_MOVES: tuple[Spot, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
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
        return Case(
            "fired",
            "the rule fires and decides",
            source,
            self.position,
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
    """
    questions = list(_questions(rule))
    random.Random(seed).shuffle(questions)
    for side in _SIDES:
        until, board = time.process_time() + seconds / len(_SIDES), Board.square(side)
        for share, question in product(_SHARES, questions):
            left = min(share, until - time.process_time())
            if left <= 0:
                continue
            hit = directed(*question, board, seed=seed, seconds=left)
            forbids = _forbids(rule, hit[0], "") if hit else []
            if hit and forbids:
                return _firing(rule, hit[0], {forbid.move for forbid in forbids})
    return None


def _questions(rule: RuleSpec) -> Iterator[tuple[Drawing, Symmetry, Spot]]:
    """Yield drawings with one forbidden cell known to be free, and another move."""
    for drawing in rule.drawings:
        for forbidden in drawing.forbidden:
            need = drawing.need(forbidden)
            if need.states & CellState.FREE:
                others = tuple(one for one in drawing.needs if one.at != forbidden)
                free = replace(need, states=CellState.FREE)
                firing = replace(drawing, needs=(*others, free))
                for move, pose in product(_MOVES, drawing.turns):
                    if move != forbidden:
                        yield replace(firing, forbidden=(move,)), pose, move


def _firing(rule: RuleSpec, position: Position, forbidden: set[str]) -> Firing:
    moves = truth(position, get_oracle("sat"))
    letters = "".join(move for move in moves if move in forbidden)
    for move in letters:
        if moves[move] != "dead":
            why = f"forbids {move} at {position.notation}, which can be completed"
            raise OptionError(f"{rule.name} is wrong: it {why}")
    return Firing(rule.name, position, letters, moves)

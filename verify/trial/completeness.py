"""From a stuck walk or a disagreement to a case: the fatal move, the gap, the truth.

The truth of a disagreement takes no oracle's word: it is a witness that
`verify.checker` walks, or a proof that it follows.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from heuristic.rule import Event, Forbid, RuleSet, choices
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from solver.errors import OptionError, WitnessError
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.oracles.sat import prove_dead
from verify.checker.position import find_fault, find_proof_fault
from verify.corpus.cases import Case
from verify.trial.evidence import known_moves, verify_exhaustive
from verify.trial.shrink import minimise


def truth(position: Position, oracle: Oracle) -> dict[str, str]:
    """Return ``completable`` or ``dead`` for every move of a position.

    Raises
    ------
    OptionError
        If the oracle does not know within its limit.
    """
    answers = known_moves(oracle, position)
    return {move: answer.verdict.name.lower() for move, answer in answers.items()}


def blame(position: Position, oracle: Oracle) -> Position | None:
    """Return the last completable position of a walk that went wrong.

    What comes before a completable position is completable, so bisection finds it:
    about log2(steps) questions. None if the oracle knows no completion of the start.
    """
    low, high = 0, len(position.walk)  # cells of the walk: completable, not known
    if oracle.decide(position).verdict is Verdict.COMPLETABLE:
        return position
    while high - low > 1:
        middle = (low + high) // 2
        prefix = position.back(len(position.walk) - middle)
        if oracle.decide(prefix).verdict is Verdict.COMPLETABLE:
            low = middle
        else:
            high = middle
    return position.back(len(position.walk) - low) if low else None


@dataclass(frozen=True, slots=True)
class Claim:
    """What a case of a kind says of a position, for one rule set and oracle."""

    kind: str
    rule_set: RuleSet
    oracle: Oracle

    def subject(self, position: Position) -> str:
        """Return the moves in question; empty if the claim does not hold."""
        forbidden = {forbid.move for forbid in self.rule_set.forbids(position)}
        if self.kind == "unsound":
            good = [move for move in position.options() if move in forbidden]
            return self._decided(position, good, Verdict.COMPLETABLE)
        allowed = [move for move in choices(position) if move not in forbidden]
        dead = self._decided(position, allowed, Verdict.DEAD)
        if dead and self.oracle.decide(position).verdict is Verdict.COMPLETABLE:
            return dead
        return ""

    def _decided(self, position: Position, moves: list[str], verdict: Verdict) -> str:
        found = [
            m for m in moves if self.oracle.decide(position.step(m)).verdict is verdict
        ]
        return "".join(found)

    def holds(self, position: Position) -> bool:
        """Whether the position shows what the claim says."""
        return bool(self.subject(position))


def _on_smaller_square(claim: Claim, position: Position) -> Position | None:
    """Return the smallest position of a smaller square where a rule is wrong, too.

    Exhaustive, so nothing smaller exists; up to 7 x 7, in seconds. Gaps are left on
    their board: what a rule set misses on a smaller one is another gap.
    """
    if claim.kind != "unsound" or position.board != Board.square(position.board.rows):
        return None
    for side in range(3, min(position.board.rows, 9), 2):
        evidence = verify_exhaustive(claim.rule_set, Board.square(side))
        found = (rule.first_wrong for rule in evidence.rules)
        shown = [example.position for example in found if example]
        if shown:
            return min(shown, key=lambda p: len(p.walk))
    return None


def make_case(
    kind: str,
    position: Position,
    rule_set: RuleSet,
    rules: str,
    oracle: Oracle,
    *,
    source: str,
    book: str = "",
    why: str = "",
    minimal: bool = True,
    walls: bool = False,
    progress: Callable[[Position], None] | None = None,
) -> Case:
    """Make the minimal case of a gap or of a wrongly forbidden move.

    - `kind`, "gap" or "unsound"
    - `position`: shows the fault; the case may be of a smaller one.
    - `rules`, `book`: how the case names the rules, and their TOML text if no group
      holds them.
    - `why`: one sentence; by default what the rules get wrong.
    - `minimal`, `walls`: whether to minimise, and how, as in `minimise`.

    Raises
    ------
    OptionError
        If the position does not show the fault.
    """
    claim = Claim(kind, rule_set, oracle)
    if not claim.holds(position):
        raise OptionError(f"{position.notation} shows no {kind} of {rules}")
    small = position
    if minimal:
        small = _on_smaller_square(claim, position) or minimise(
            position, claim.holds, walls=walls, progress=progress
        )
    subject = claim.subject(small)
    if kind == "gap":  # no letters: an image of the case may be saved
        why = why or f"{rules} allows a move that no completion begins with"
    else:
        why = why or f"{rules} forbids a move that a completion begins with"
    return Case(kind, why, source, small, truth(small, oracle), rules, subject, book)


_FORBIDS = re.compile(r"(\S+) forbids ([URDL]), which is completable")
_WITNESSES = ("sat", "search", "frontier")


def case_of(fault: str, source: str) -> Case | None:
    """Return the case of a disagreement; None if not all its moves can be settled.

    `fault` is a line of `verify.trial.comparing.Compared`: a position, then what
    does not fit. A rule that forbids a completable move makes a case against it, all
    else one that states the truth.
    """
    notation, _, why = fault.partition(" ")
    position = Position.parse(notation)
    moves = {}
    for move in position.options():
        truth = settled(position.step(move))
        if truth is Verdict.UNKNOWN:
            return None
        moves[move] = truth.name.lower()
    cause = f"the comparison of oracles disagreed: {why}"
    if (found := _FORBIDS.search(why)) and moves.get(found[2]) == "completable":
        rule, move = found.groups()
        return Case("unsound", cause, source, position, moves, rule, move)
    return Case("verdict", cause, source, position, moves)


def settled(position: Position) -> Verdict:
    """Return what a witness or a proof shows of a position, judged by the checker.

    UNKNOWN if no oracle brings one that is good.
    """
    for name in _WITNESSES:
        witness = get_oracle(name).decide(position).witness
        if witness and not find_fault(position.notation, witness):
            return Verdict.COMPLETABLE
    try:
        fault = find_proof_fault(position.notation, prove_dead(position))
    except WitnessError:
        return Verdict.UNKNOWN
    return Verdict.UNKNOWN if fault else Verdict.DEAD


SECONDS = 50  # of the walker at its pace: 7x7 under any useful drawn rules


@dataclass(frozen=True, slots=True)
class StuckEvidence:
    """What a walker met that tried every allowed move.

    - `completed`, `stuck`: complete walks, and positions without an allowed move though
      cells are left.
    - `finished`: whether everything was tried; if not, both numbers are lower bounds.
    - `first`: the first stuck position of the left-first order.
    - `mistake`: the last completable position on the way there: the next move was the
      mistake. The same as `first` if a completion still exists there; None if the
      oracle knows no completion of the start.
    - `budget`: rounds that the walker had.
    """

    completed: int
    stuck: int
    finished: bool
    first: Position | None
    mistake: Position | None
    budget: int


def stuck_positions(
    rule_set: RuleSet,
    board: Board,
    oracle: Oracle,
    *,
    budget: int | None = None,
    progress: Callable[[LeftFirstWalk], None] | None = None,
) -> StuckEvidence:
    """Try every move that the rules allow, and count where that ends.

    A sound rule set completes every walk of the board; a complete one is never stuck.
    Microseconds a round for drawn rules; bounded by `budget` rounds, by default those
    of `SECONDS`, see `LeftFirstWalk.run`.
    """
    walker = LeftFirstWalk(rule_set, Position(board))
    if budget is None:
        budget = SECONDS * walker.pace
    event = walker.run(budget=budget, stop_stuck=True, progress=progress)
    first = walker.position if event is Event.STUCK else None
    if first is not None:
        event = walker.run(budget=budget, progress=progress)
    return StuckEvidence(
        walker.completed,
        walker.stuck,
        event is Event.FINISHED,
        first,
        blame(first, oracle) if first else None,
        budget,
    )


@dataclass(frozen=True, slots=True)
class Fatal:
    """The move of a walk after which no completion is left, though before there was.

    - `before`: the last completable position of the walk.
    - `move`: the letter of the fatal move.
    - `whole`: the walk that is blamed.
    """

    before: Position
    move: str
    whole: Position

    @property
    def number(self) -> int:
        """Which move of the walk it is, from 1."""
        return len(self.before.walk)

    def forbidden_by(self, rules: RuleSet) -> tuple[Forbid, ...]:
        """Return what forbids the move, by rule: who would have seen it."""
        return tuple(f for f in rules.forbids(self.before) if f.move == self.move)

    @property
    def sentence(self) -> str:
        """Say it in one line.

        >>> from solver.oracles.oracle import get_oracle
        >>> first_fatal(Position.parse("5:RRRDDRDL"), get_oracle("search")).sentence
        'move 4, D, is the first fatal one: 5:RRR can be completed, 5:RRRD cannot'
        """
        after = self.before.step(self.move)
        return (
            f"move {self.number}, {self.move}, is the first fatal one: "
            f"{self.before.notation} can be completed, {after.notation} cannot"
        )


def first_fatal(position: Position, oracle: Oracle) -> Fatal | None:
    """Return the first fatal move of a walk, found by bisection.

    None if the walk can be completed, or if its board has no walk at all. About
    log2(steps) questions.

    Raises
    ------
    OptionError
        If the oracle meets its limit: then what it does not know could be completable.
    """
    before = blame(position, oracle)
    known = position if before is None else before
    if before is None or len(before.walk) < len(position.walk):
        after = Position(position.board) if before is None else _after(before, position)
        answer = oracle.decide(after)
        if answer.verdict is not Verdict.DEAD:
            raise OptionError(
                f"oracle {oracle.name!r} does not know whether {after.notation} can be "
                f"completed: {answer.why or answer.verdict.value}"
            )
    if before is None or known == position:
        return None
    return Fatal(before, _after(before, position).moves[-1], position)


def _after(before: Position, whole: Position) -> Position:
    return whole.back(len(whole.walk) - len(before.walk) - 1)

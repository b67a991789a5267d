"""From a stuck walk to a case: the step to blame, the gap, the minimal position."""

from collections.abc import Callable
from dataclasses import dataclass

from heuristic.rule import Forbid, RuleSet, choices
from solver.board import Board, Position
from solver.errors import OptionError
from solver.oracles.oracle import Oracle, Verdict, decide_moves
from verify.corpus.cases import Case
from verify.evidence.minimise import minimise
from verify.evidence.soundness import verify_exhaustive


def truth(position: Position, oracle: Oracle) -> dict[str, str]:
    """Return ``completable`` or ``dead`` for every move of a position.

    Raises
    ------
    OptionError
        If the oracle does not know within its limit.
    """
    words = {}
    for move, answer in decide_moves(oracle, position).items():
        if answer.verdict is Verdict.UNKNOWN:
            raise OptionError(
                f"oracle {oracle.name!r} does not know move {move} of "
                f"{position.notation} within its limit"
            )
        words[move] = answer.verdict.name.lower()
    return words


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


def allowed_dead(
    position: Position, forbids: tuple[Forbid, ...], oracle: Oracle
) -> str:
    """Return the dead moves, letters, that nothing in `forbids` forbids."""
    forbidden = {f.move for f in forbids}
    return "".join(
        move
        for move in choices(position)
        if move not in forbidden
        and oracle.decide(position.step(move)).verdict is Verdict.DEAD
    )


def forbidden_good(
    position: Position, forbids: tuple[Forbid, ...], oracle: Oracle
) -> str:
    """Return the completable moves, letters, that something in `forbids` forbids."""
    forbidden = {f.move for f in forbids}
    return "".join(
        move
        for move in position.options()
        if move in forbidden
        and oracle.decide(position.step(move)).verdict is Verdict.COMPLETABLE
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """What a case of a kind says of a position, for one rule set and oracle."""

    kind: str
    rule_set: RuleSet
    oracle: Oracle

    def subject(self, position: Position) -> str:
        """Return the moves in question; empty if the claim does not hold."""
        forbids = self.rule_set.forbids(position)
        if self.kind == "unsound":
            return forbidden_good(position, forbids, self.oracle)
        dead = allowed_dead(position, forbids, self.oracle)
        if dead and self.oracle.decide(position).verdict is Verdict.COMPLETABLE:
            return dead
        return ""

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

    Parameters
    ----------
    kind : "gap" or "unsound"
    position : Position
        Shows the fault; the case may be of a smaller one.
    rules, book : str
        How the case names the rules, and their TOML text if no group holds them.
    why : str
        One sentence; by default what the rules get wrong.
    minimal, walls : bool
        Whether to minimise, and how, as in `minimise`.

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

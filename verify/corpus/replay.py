"""Replay: the truth of a case is decided again, and the rules are asked as they are.

What a case once observed is compared with what the rules do now. The stored text of a
rule file is never asked. A case *fails*

- when its truth or its kind is not what it says,
- when a rule forbids a completable move at its position, whatever the kind,
- when the rules miss a dead move that they forbade once (`state`), or
- when its own rules no longer do what it expects of them (`expect`).

A rule counts on the boards that it is meant for. The rule that a case accuses, or that
fired there, counts on every board. `expect` speaks of the rules that the case names, so
it is ignored when others are asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from heuristic.rule import Forbid, RuleSet, choices, mask_moves, union_mask
from solver.errors import LostRulesError
from solver.files import write_whole
from solver.oracles.oracle import Oracle, decide_moves, get_oracle
from verify.corpus.cases import CAUGHT, COMPLETABLE, DEAD, KINDS, Case, rules_of


class Outcome(Enum):
    """What a replay shows; the values are the words that people read."""

    WRONG = "still wrong"
    MENDED = "mended"
    CAUGHT = "now caught"
    MISSED = "still missed"
    FIRES = "still fires"
    SILENT = "no longer fires"
    TRUE = "true"
    FALSE = "false"
    SKIPPED = "skipped"


_OUTCOMES = {  # whether the subject is forbidden, by kind
    "unsound": (Outcome.WRONG, Outcome.MENDED),
    "gap": (Outcome.CAUGHT, Outcome.MISSED),
    "stuck": (Outcome.CAUGHT, Outcome.MISSED),
    "fired": (Outcome.FIRES, Outcome.SILENT),
}
_EXPECTED = {"wrong": Outcome.WRONG, "missed": Outcome.MISSED, "fires": Outcome.FIRES}


@dataclass(frozen=True, slots=True)
class Replayed:
    """One case, asked again.

    - `broken`: what is wrong with the case or the rules, a line each.
    - `changed`: what `accepted` would accept: the rules do something else than was
      recorded. Empty if they do not.
    - `skipped`: why the rules could not be asked.
    - `rules`: those that were asked.
    - `own`: whether the rules that the case names were asked.
    """

    case: Case
    outcome: Outcome
    broken: tuple[str, ...] = ()
    changed: str = ""
    skipped: str = ""
    rules: RuleSet | None = None
    own: bool = True

    @property
    def forbids(self) -> tuple[Forbid, ...]:
        """What the rules forbid at the position, with reasons."""
        if self.rules is None:
            return ()
        meant = _meant(self.case, self.rules)
        found = self.rules.forbids(self.case.position)
        return tuple(forbid for forbid in found if forbid.rule in meant)

    @property
    def faults(self) -> tuple[str, ...]:
        """Why the case fails, a line each; empty if it does not."""
        return (*self.broken, self.changed) if self.changed else self.broken

    @property
    def notable(self) -> bool:
        """Whether people want to read of it: a failure, a skip or a fresh catch."""
        fresh = self.outcome is Outcome.CAUGHT and not self.case.state
        return not self.good or fresh

    @property
    def good(self) -> bool:
        """Whether the case neither fails nor was skipped."""
        return not self.faults and not self.skipped


def replay(
    case: Case, rules: RuleSet | None = None, oracle: Oracle | None = None
) -> Replayed:
    """Replay one case.

    - `rules`: asked in place of the rules that the case names.
    - `oracle`: decides the truth of every move; by default ``sat``.

    A case whose rules cannot be asked is skipped, unless its truth is wrong already.
    """
    faults = [*_not_of_its_kind(case), *_untrue(case, oracle or get_oracle("sat"))]
    if faults:
        return Replayed(case, Outcome.FALSE, tuple(faults))
    own = rules is None
    if rules is None:
        if not case.rules:
            return Replayed(case, Outcome.TRUE)
        try:
            rules = rules_of(case)
        except LostRulesError as error:
            return Replayed(case, Outcome.SKIPPED, skipped=str(error))
    meant = _meant(case, rules)
    masks = zip(rules.rules, rules.masks(case.position), strict=True)
    forbidden = [(rule.name, m) for rule, m in masks if rule.name in meant]
    outcome = _outcome(case, set(mask_moves(union_mask([m for _, m in forbidden]))))
    expected = outcome is Outcome.WRONG and own and bool(case.expect)
    broken = [
        f"{rule} forbids {move}, which is completable"
        for rule, mask in forbidden
        for move in mask_moves(mask)
        if case.moves.get(move) == COMPLETABLE
        and not (expected and move in case.subject)
    ]
    changed = ""
    if case.expect and own and outcome is not _EXPECTED[case.expect]:
        changed = f"{case.expect!r} is expected"
    if case.state == CAUGHT and outcome is Outcome.MISSED:
        changed = "it was caught once, and accepted"
    return Replayed(case, outcome, tuple(broken), changed, "", rules, own)


def _not_of_its_kind(case: Case) -> Iterator[str]:
    """Yield what the file, and the moves as the case states them, do not bear out."""
    position = case.position
    if case.path is not None:
        if case.path.stem != case.name:
            yield f"the name of the file does not fit its claim: {case.name} does"
        folder = case.path.absolute().parent.name
        if folder in KINDS and folder != case.kind:
            yield f"a case of kind {case.kind} lies in the folder {folder}"
    if case.kind in ("gap", "fired") and COMPLETABLE not in case.moves.values():
        yield "no move is completable: the position is dead, nothing is decided there"
    if case.kind == "gap" and not set(case.subject) <= set(choices(position)):
        yield "entering the end cell early is not a gap"
    if case.kind == "stuck" and position.complete:
        yield "the board is full: no rule left it stuck"


def _untrue(case: Case, oracle: Oracle) -> Iterator[str]:
    for move, answer in decide_moves(oracle, case.position).items():
        word, verdict = case.moves[move], answer.verdict.name
        if verdict.lower() != word:
            yield f"{move} is said to be {word}, {oracle.name} says {verdict}"


def _meant(case: Case, rules: RuleSet) -> set[str]:
    """Return the rules that are meant for the board, and the one that is accused."""
    board = case.position.board
    meant = {rule.name for rule in rules.rules if rule.boards.admits(board)}
    if case.kind in ("unsound", "fired"):
        meant.add(case.accused)
    return meant


def _outcome(case: Case, forbidden: set[str]) -> Outcome:
    if case.kind == "verdict":
        return Outcome.TRUE
    if case.kind == "unsound":
        same = bool(forbidden & set(case.subject))
    else:
        dead = {move for move, word in case.moves.items() if word == DEAD}
        wanted = set(case.subject) or dead  # of a stuck walk every dead move
        same = wanted <= forbidden
    return _OUTCOMES[case.kind][0 if same else 1]


def accepted(done: Replayed) -> Case:
    """Return the case as it is after its outcome was accepted.

    What it expected in vain is dropped; a caught gap is to be caught from now on, one
    that is missed again no more. A wrong rule and a false case are never accepted, and
    rules that a case does not name change nothing of what it expects.
    """
    case = done.case
    if done.broken or done.skipped:
        return case
    if case.expect and not (done.own and done.changed):
        return case
    state = CAUGHT if done.outcome is Outcome.CAUGHT else ""
    return replace(case, expect="", state=state)


def accept(done: Replayed) -> bool:
    """Write a case as `accepted` returns it; True if that changes the file."""
    case = accepted(done)
    if case == done.case or case.path is None:
        return False
    write_whole(case.path, case.to_toml())
    return True

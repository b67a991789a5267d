"""Replay: decide the truth of a case again, and compare its rules with the record.

A case *fails*

- if its truth or its kind is wrong,
- if a rule forbids a completable move at its position,
- if the rules miss a dead move that they once forbade (`state`), or
- if its own rules no longer do what it expects of them (`expect`).

A rule counts on the boards that it is meant for. The accused rule of a case, or the one
that fired, counts on every board. `expect` refers to the rules of the case, so a replay
with other rules ignores it.
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
    """The outcome of a replay, in the words that people read."""

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
    """A case after its replay.

    - `broken`: faults of the case or the rules, a line each.
    - `changed`: how the rules differ from the record, which `accepted` would change.
    - `skipped`: why the rules cannot be loaded.
    - `own`: whether the rules are those of the case.
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
        """The moves that the rules forbid at the position, with reasons."""
        if self.rules is None:
            return ()
        meant = _meant(self.case, self.rules)
        forbids = self.rules.forbids(self.case.position)
        return tuple(forbid for forbid in forbids if forbid.rule in meant)

    @property
    def faults(self) -> tuple[str, ...]:
        """Why the case fails, a line each; empty if it does not."""
        return (*self.broken, self.changed) if self.changed else self.broken

    @property
    def notable(self) -> bool:
        """True for a failure, a skip, or a gap that is caught for the first time."""
        fresh = self.outcome is Outcome.CAUGHT and not self.case.state
        return not self.good or fresh

    @property
    def good(self) -> bool:
        """True if the case neither failed nor was skipped."""
        return not self.faults and not self.skipped


def replay(
    case: Case, rules: RuleSet | None = None, oracle: Oracle | None = None
) -> Replayed:
    """Replay one case, with its own rules or those given.

    - `oracle`: decides the truth of every move; by default ``sat``.

    A case without loadable rules is skipped, unless its truth is wrong.
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
    """Yield contradictions between the kind, the file and the moves of a case."""
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
            yield f"{move} should be {word}, but {oracle.name} decides {verdict}"


def _meant(case: Case, rules: RuleSet) -> set[str]:
    """Return the names of the rules that count at a case."""
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
    """Return the case with the outcome of its replay recorded.

    A wrong expectation is dropped. The state becomes `CAUGHT` for a caught gap, and
    empty for a missed one. A wrong rule and a false case are never accepted.
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

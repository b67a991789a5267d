"""The mutation test: it must not be possible to fool the prover by one change.

From a proved rule every one-change mutant is made: a cell's state, an area's condition,
bound or side, a move, an order test, a turn. Each goes through the prover, and all go
over the positions of small boards together; those without a proof are looked for by
the directed search too. A mutant that is proved only shows that the rule asked for more
than it needs. A mutant both proved and refuted is a fault of the prover.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from heuristic.drawing import (
    ANY,
    TAKEN,
    AreaSpec,
    Drawing,
    Frame,
    Kind,
    Offset,
    RuleSpec,
    Run,
    State,
    Turn,
)
from solver.board import Board
from verify.prove import Part, Proved, Settle, prove_rule
from verify.prove import settled as prover_settles
from verify.refute import Refutation, refute, refute_exhaustive
from verify.sharpen import with_area, with_need

BOARDS = ("5", "5x7", "7x5")  # exhausted for all mutants, proved ones too
SIZES = (7, 9)  # directed search for those without a proof
_MOVES: tuple[Offset, ...] = ((0, 1), (1, 0), (-1, 0), (0, -1))
_STATES = (State.FREE, State.VISITED, TAKEN, ANY)
_KINDS = (Kind.PAIR, Kind.IMPAIR, Kind.CLOSED)


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one mutant.

    Attributes
    ----------
    rule : str
        The rule it was made from.
    change : str
        The one change, in words.
    proved : bool
    refutation : Refutation or None
    """

    rule: str
    change: str
    proved: bool
    refutation: Refutation | None

    @property
    def word(self) -> str:
        """One word: contradiction, proved, refuted or open."""
        if self.proved:
            return "contradiction" if self.refutation else "proved"
        return "refuted" if self.refutation else "open"


def mutants(rule: RuleSpec) -> Iterator[tuple[str, RuleSpec]]:
    """Yield every one-change mutant of a rule, with the change in words.

    Its name is that of the rule with a number behind a tilde.
    """
    number = 0
    for index, drawing in enumerate(rule.drawings):
        for change, mutant in _changes(drawing):
            if _sensible(mutant):
                number += 1
                drawings = list(rule.drawings)
                drawings[index] = mutant
                told = f"drawing {index + 1}: {change}"
                name = f"{rule.name}~{number}"
                alone = replace(rule, name=name, drawings=tuple(drawings), unless=())
                yield told, replace(alone, stops=False)


def _changes(drawing: Drawing) -> Iterator[tuple[str, Drawing]]:
    fixed = {at for area in drawing.areas for at in (*area.cells, area.wall, area.base)}
    fixed |= {at for run in drawing.runs for at in (run.first, run.then)}
    for need in drawing.needs:
        if need.not_end:
            changed = replace(need, not_end=False)
            yield f"{list(need.at)} may be the end", with_need(drawing, changed)
        for states in _STATES:
            if need.at not in fixed and states != need.states:
                told = f"{list(need.at)} is {_name(states)}"
                fewer = need.not_end and State.FREE in states
                changed = replace(need, states=states, not_end=fewer)
                yield told, with_need(drawing, changed)
    for number, area in enumerate(drawing.areas):
        for told, changed_area in _area_changes(area):
            yield f"area {number + 1}: {told}", with_area(drawing, number, changed_area)
    for number, run in enumerate(drawing.runs):
        runs = list(drawing.runs)
        runs[number] = Run(run.then, run.first)
        yield f"run {number + 1} turned round", replace(drawing, runs=tuple(runs))
    for move in _MOVES:
        if move not in drawing.forbidden and move != (0, -1):
            told = f"forbids {list(move)} too"
            yield told, replace(drawing, forbidden=(*drawing.forbidden, move))
    if drawing.frame is Frame.HEADING:
        for turn in Turn:
            if turn not in drawing.turns:
                turns = (*drawing.turns, turn)
                yield f"turned {turn.name.lower()} too", replace(drawing, turns=turns)


def _area_changes(area: AreaSpec) -> Iterator[tuple[str, AreaSpec]]:
    for kind in _KINDS:
        if kind is not area.kind:
            yield kind.value, replace(area, kind=kind)
    if area.kind in (Kind.WITHIN, Kind.BEYOND):
        for step in (-1, 1):
            if area.kind is Kind.BEYOND or area.low + step <= area.high:
                yield f"low {area.low + step}", replace(area, low=area.low + step)
            if area.kind is Kind.BEYOND or area.low <= area.high + step:
                yield f"high {area.high + step}", replace(area, high=area.high + step)
    other = "right" if area.side == "left" else "left"
    yield f"on the {other}", replace(area, side=other)
    if area.least > len(area.cells):
        yield "of any size", replace(area, least=len(area.cells))


def _name(states: State) -> str:
    known = {State.FREE: "free", State.VISITED: "visited", ANY: "anything"}
    return known.get(states, "not free")


def _sensible(drawing: Drawing) -> bool:
    """Tell whether the drawing could stand in a rule file."""
    return not any(set(area.inside) & set(area.outside) for area in drawing.areas)


def mutation_test(
    rules: Sequence[RuleSpec],
    *,
    boards: Sequence[str] = BOARDS,
    sizes: Sequence[int] = SIZES,
    seconds: float = 3.0,
    seed: int = 0,
    settled: Settle = prover_settles,
    progress: Callable[[int, int], None] | None = None,
) -> list[Trial]:
    """Put all mutants of the rules through prover and refuter.

    Parameters
    ----------
    rules : sequence of RuleSpec
        Those of them that are proved are mutated.
    boards : sequence of str
        Boards in the one-line notation, exhausted for every mutant.
    sizes : sequence of int
        Boards of the directed search, for mutants without a proof.
    seconds : float
        Limit for every single search.
    settled : callable
        The prover's decision; a faulty one shows whether the test finds faults.
    """
    trials = [
        (rule.name, told, mutant)
        for rule in rules
        if isinstance(prove_rule(rule, seconds=seconds), Proved)
        for told, mutant in mutants(rule)
    ]
    specs = [mutant for _, _, mutant in trials]
    refuted: dict[str, Refutation] = {}
    for text in boards if specs else ():
        refuted = refute_exhaustive(specs, Board.parse(text))[0] | refuted
    found = []
    for number, (name, told, mutant) in enumerate(trials, 1):
        attempt = prove_rule(mutant, seconds=seconds, settled=settled)
        proved = isinstance(attempt, Proved)
        refutation = refuted.get(mutant.name)
        if not isinstance(attempt, Proved) and refutation is None:
            parts: list[Part] = [part for part, _ in attempt.survivors]
            refutation = refute(
                mutant, parts, sizes=sizes, seed=seed, seconds=seconds, smaller=False
            )
        found.append(Trial(name, told, proved, refutation))
        if progress:
            progress(number, len(trials))
    return found


def table(trials: Sequence[Trial]) -> list[list[str]]:
    """Return one row a rule: mutants, refuted, proved, open, contradictions."""
    rows = []
    for name in dict.fromkeys(trial.rule for trial in trials):
        counts = Counter(trial.word for trial in trials if trial.rule == name)
        words = ("refuted", "proved", "open", "contradiction")
        rows.append([name, str(counts.total()), *(str(counts[word]) for word in words)])
    return rows

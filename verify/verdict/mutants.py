"""The mutation test: it must not be possible to fool the prover by one change.

From a proved rule every one-change mutant is made, or so many drawn ones: a cell's
state, an area's condition, bound or side, a move, an order test, what is forced, a
turn. A drawing forbids several moves in several poses, and each of these is a window of
its own. The windows that the rule has too are proved with it; the others are tried one
by one, equal ones once. All are asked together along positions with a known completable
move: those of small boards, and of random complete walks of large ones. The prover then
looks at all windows of the mutants that were not refuted. For what is open after that a
counterexample is built (`verify.verdict.mutant_judge`), and what refutes one window is
asked of all the others. At last the prover looks at the refuted windows, which it must
not prove: a window both proved and refuted is a fault of the prover. A mutant that is
proved only shows that the rule asked for more than it needs.

A mutant is tried on the boards that its rule is proved for. So where these have walls,
a board with walls refutes it.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from heuristic.rules.drawing import (
    ANY,
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Frame,
    Kind,
    Offset,
    RuleSpec,
    Run,
    Turn,
)
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts
from verify.proof.formula import Scope
from verify.proof.provable import sorted_out
from verify.proof.prove import Memory, Part, Search, open_parts, parts, searched
from verify.verdict.mutant_judge import Limits, MutantJudge, Piece
from verify.verdict.sharpen import drawn_by, looser, with_area, with_need

_MOVES: tuple[Offset, ...] = ((0, 1), (1, 0), (-1, 0), (0, -1))
_STATES = (CellState.FREE, CellState.VISITED, TAKEN, ANY)
_KINDS = (Kind.PAIR, Kind.IMPAIR, Kind.CLOSED)


def mutants(rule: RuleSpec) -> Iterator[tuple[str, RuleSpec]]:
    """Yield every one-change mutant of a rule, with the change in words.

    A mutant is the changed drawing alone: it is wrong exactly when the rule with this
    drawing in place of its own is, the others being proved. Its name is that of the
    rule with a number behind a tilde.
    """
    number = 0
    for index, drawing in enumerate(rule.drawings):
        for change, mutant in _changes(drawing):
            if _sensible(mutant):
                number += 1
                yield (
                    f"drawing {index + 1}: {change}",
                    replace(
                        rule,
                        name=f"{rule.name}~{number}",
                        drawings=(mutant,),
                        unless=(),
                        stops=False,
                    ),
                )


def _changes(drawing: Drawing) -> Iterator[tuple[str, Drawing]]:
    fixed = drawn_by(drawing)
    for need in drawing.needs:
        if need.not_end:
            changed = replace(need, not_end=False)
            yield f"{list(need.at)} may be the end", with_need(drawing, changed)
        for states in _STATES:
            if need.at not in fixed and states != need.states:
                phrase = f"{list(need.at)} is {_name(states)}"
                fewer = need.not_end and CellState.FREE in states
                changed = replace(need, states=states, not_end=fewer)
                yield phrase, with_need(drawing, changed)
    for number, area in enumerate(drawing.areas):
        for phrase, changed_area in _area_changes(area):
            yield (
                f"area {number + 1}: {phrase}",
                with_area(drawing, number, changed_area),
            )
    for number, run in enumerate(drawing.runs):
        runs = list(drawing.runs)
        runs[number] = Run(run.then, run.first)
        yield f"run {number + 1} turned round", replace(drawing, runs=tuple(runs))
    for change in looser(drawing):
        yield change.text, change.drawing
    for move in _MOVES:
        if move not in drawing.forbidden and move != (0, -1):
            phrase = f"forbids {list(move)} too"
            yield phrase, replace(drawing, forbidden=(*drawing.forbidden, move))
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


def _name(states: CellState) -> str:
    known = {CellState.FREE: "free", CellState.VISITED: "visited", ANY: "anything"}
    return known.get(states, "not free")


def _sensible(drawing: Drawing) -> bool:
    """Tell whether the drawing could stand in a rule file."""
    return not any(set(area.inside) & set(area.outside) for area in drawing.areas)


WORDS = ("refuted", "proved", "open", "contradiction")
_BLOCK = 50  # mutants matched together: about ten seconds
_OWN = 20.0  # seconds for a window of the rule itself


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one mutant.

    Attributes
    ----------
    number : int
        Among the mutants of its rule, from 0.
    change : str
        The one change, in words.
    word : str
        ``refuted``; ``proved``: all its windows; ``open``; or ``contradiction``: one
        window is both proved and refuted.
    counterexample : str or None
        Notation of the position and the move that is completable.
    found : str
        By what; empty if there is no counterexample.
    longer : bool
        Whether it was looked at longer.
    """

    number: int
    change: str
    word: str
    counterexample: str | None = None
    found: str = ""
    longer: bool = False


@dataclass(frozen=True, slots=True)
class RuleTrials:
    """The mutants of one rule: how many there are, and what became of those tried.

    Attributes
    ----------
    total : int or None
        None for a rule that is not proved itself.
    trials : tuple of Trial
        By number.
    """

    rule: str
    total: int | None
    trials: tuple[Trial, ...] = ()

    def count(self, word: str) -> int:
        """Return how many of the tried mutants got that word."""
        return sum(trial.word == word for trial in self.trials)


def proved_scope(rule: RuleSpec) -> Scope | None:
    """Return the boards that a rule is proved for; None if its mutants say nothing."""
    memory = Memory()
    open_itself = open_parts(rule, seconds=_OWN, most=1, memory=memory)
    return None if open_itself else memory.scope


def count_mutants(rule: RuleSpec) -> int:
    """Count the one-change mutants of a rule."""
    return sum(1 for _ in mutants(rule))


def blocks(total: int, limits: Limits) -> Iterator[list[int]]:
    """Yield the numbers of the mutants to try, those that are matched together.

    Mutants of one drawing come together: what refutes one refutes another.
    """
    numbers = sorted(chosen_numbers(total, limits))
    for begin in range(0, len(numbers), _BLOCK):
        yield numbers[begin : begin + _BLOCK]


def try_block(
    rule: RuleSpec,
    numbers: Sequence[int],
    limits: Limits,
    scope: Scope,
    *,
    longer: bool,
) -> list[Trial]:
    """Put mutants of a rule on trial; a third of a second each."""
    wanted = set(numbers)
    chosen = [
        (number, change, mutant)
        for number, (change, mutant) in enumerate(mutants(rule))
        if number in wanted
    ]
    return try_mutants(rule, chosen, limits, longer=longer, scope=scope)


def table(tested: Sequence[RuleTrials]) -> list[list[str]]:
    """Return one row a proved rule: mutants, tried, and the words; the sum last."""
    shown = [one for one in tested if one.total is not None]
    rows = [
        [
            one.rule,
            str(one.total),
            str(len(one.trials)),
            *(str(one.count(word)) for word in WORDS),
        ]
        for one in shown
    ]
    counts = Counter(trial.word for one in shown for trial in one.trials)
    totals = sum(one.total or 0 for one in shown), counts.total()
    sums = [*totals, *(counts[word] for word in WORDS)]
    return [*rows, ["all", *(str(number) for number in sums)]]


def open_share(tested: Sequence[RuleTrials]) -> tuple[float, float, float]:
    """Estimate the share of open mutants among all, from those drawn of each rule.

    Returns
    -------
    (share, low, high)
        Each rule counts by the number of its mutants. The bounds are those of 95 %:
        Wilson's interval, of as many drawn from all as would be equally sure.

    Notes
    -----
    A rule of which few of many were drawn makes the bounds wide, whatever was found.
    """
    drawn = [(one.total or 0, len(one.trials), one.count("open")) for one in tested]
    drawn = [one for one in drawn if one[1]]
    whole = sum(total for total, _, _ in drawn)
    if not whole:
        return 0.0, 0.0, 1.0
    share = sum(total * found / tried for total, tried, found in drawn) / whole
    spread = sum(
        (total / whole) ** 2 * (1 - tried / total) / tried for total, tried, _ in drawn
    )
    if not spread:  # all were tried
        return share, share, share
    z = 1.96
    middle = (share + z * z * spread / 2) / (1 + z * z * spread)
    off = z * math.sqrt(share * (1 - share) * spread + (z * spread / 2) ** 2)
    off /= 1 + z * z * spread
    return share, max(0.0, middle - off), min(1.0, middle + off)


def try_mutants(
    rule: RuleSpec,
    mutants: Sequence[tuple[int, str, RuleSpec]],
    limits: Limits,
    searched: Search = searched,
    *,
    longer: bool = False,
    scope: Scope = Scope.CORNERS,
) -> list[Trial]:
    """Put mutants of a proved rule, with their numbers and changes, on trial.

    A few hundred at a time are best: they are matched together.

    Parameters
    ----------
    mutants : sequence of (int, str, RuleSpec)
    searched : callable
        The prover's decision; a faulty one shows whether the test finds faults.
    longer : bool
        Whether what is open is searched for on more boards: some ten seconds a mutant.
    scope : Scope
        What the rule is proved for, or less.
    """
    own = {repr(window) for _, window in parts(rule)}
    pieces: dict[str, Piece] = {}
    windows: list[list[str]] = []
    for _, _, mutant in mutants:
        windows.append([])
        for part, window in parts(mutant):
            key = repr(window)
            if key not in own:
                windows[-1].append(key)
                name = f"{mutant.name}, window {len(windows[-1])}"
                alone = replace(mutant, name=name, drawings=(_alone(mutant, part),))
                pieces.setdefault(key, Piece(alone, part, window))
    judge = MutantJudge(pieces, limits, searched, scope)
    judge.refute(list(pieces), longer=False)
    if scope.walled:
        for keys in judge.open(windows):
            judge.try_walls(keys)
    for keys in judge.open(windows):
        all(map(judge.settle, keys))  # one without a proof leaves the mutant open
    left = [key for keys in judge.open(windows) for key in keys]
    judge.refute(list(dict.fromkeys(left)), longer=True)
    for keys in judge.open(windows):
        judge.search(keys)
    if longer:
        for keys in judge.open(windows):
            judge.search(keys, longer=True)
    for keys in judge.open(windows):
        judge.ask_again(keys)
    for key in judge.refuted:
        judge.settle(key)  # none of these may be proved
    return [
        replace(_trial(number, change, keys, judge), longer=longer)
        for (number, change, _), keys in zip(mutants, windows, strict=True)
    ]


def _trial(number: int, change: str, keys: Sequence[str], judge: MutantJudge) -> Trial:
    wrong = [key for key in keys if key in judge.refuted]
    if not wrong:
        good = judge.proved.issuperset(keys)
        return Trial(number, change, "proved" if good else "open")
    clash = [key for key in wrong if key in judge.proved]
    found = judge.refuted[(clash or wrong)[0]]
    return Trial(
        number,
        change,
        "contradiction" if clash else "refuted",
        f"{found.position.notation} {found.move}",
        found.found,
    )


def _alone(mutant: RuleSpec, part: Part) -> Drawing:
    """Return the drawing of a mutant in one pose, forbidding one move."""
    drawing = replace(mutant.drawings[part.drawing], forbidden=(part.move,))
    if drawing.frame is Frame.BOARD:
        return replace(drawing, symmetries=(part.pose,))  # type: ignore[arg-type] # of its frame
    return replace(drawing, turns=(part.pose,))  # type: ignore[arg-type] # of its frame


def chosen_numbers(total: int, limits: Limits) -> list[int]:
    """Return the numbers of the mutants to try; drawn, if not all are."""
    order = list(range(total))
    random.Random(limits.seed).shuffle(order)
    return order[: limits.most] if limits.most else order


_MUTANT = 0.3  # seconds, about
_RULE = 1.0  # for the proof of the rule itself


def mutation(parameters: dict[str, Any]) -> Campaign[list[RuleTrials]]:
    """Test mutants of `rules`, of all drawn ones if that is empty.

    `limits` are those of `Limits`; `longer` looks longer at what stays open. Seconds
    are of processor time, so what is open may depend on the machine.
    """
    specs = sorted_out(parameters["rules"])[0]
    limits, longer = Limits(**parameters["limits"]), parameters["longer"]
    scope_of = cache(lambda name: proved_scope(specs[name]))

    def units() -> Iterator[Unit]:
        found = [
            (name, number, block)
            for name, spec in specs.items()
            for number, block in enumerate(blocks(count_mutants(spec), limits), 1)
        ]
        # so that what is tried so far is a fair sample
        random.Random(limits.seed).shuffle(found)
        for name, number, block in found:
            phrase = f"{name}: mutants, block {number}"
            yield Unit(phrase, [name, block], _RULE + _MUTANT * len(block))

    def work(payload: list[Any]) -> dict[str, Any]:
        name, numbers = payload
        scope = scope_of(name)
        if scope is None:
            return {"rule": name, "total": None, "trials": []}
        trials = try_block(specs[name], numbers, limits, scope, longer=longer)
        total = count_mutants(specs[name])
        kept = [asdict(trial) for trial in trials]
        return {"rule": name, "total": total, "trials": kept}

    def fold(results: Iterator[dict[str, Any]]) -> list[RuleTrials]:
        totals: dict[str, int | None] = {}
        trials: dict[str, list[Trial]] = {name: [] for name in specs}
        for one in results:
            totals[one["rule"]] = one["total"]
            trials[one["rule"]] += [Trial(**trial) for trial in one["trials"]]
        for found in trials.values():
            found.sort(key=lambda trial: trial.number)
        return [
            RuleTrials(name, totals.get(name), tuple(found))
            for name, found in trials.items()
        ]

    return Campaign(
        "mutants",
        parameters,
        deciding(
            *("solver", "heuristic", "verify.proof", "verify.refute"),
            *("verify.verdict", "verify.checker"),
            texts=rule_texts(parameters["rules"]),
        ),
        units,
        work,
        fold,
        summary_lines,
    )


def summary_lines(tested: list[RuleTrials]) -> list[str]:
    """Return the numbers of all rules together."""
    proved = [one for one in tested if one.total is not None]
    words = [f"{sum(one.count(word) for one in proved):,} {word}" for word in WORDS]
    tried = sum(len(one.trials) for one in proved)
    return [f"{tried:,} mutants of {len(proved)} rules tried: {', '.join(words)}"]

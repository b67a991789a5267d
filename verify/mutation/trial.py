"""Mutants on trial: each of their windows through the prover, and through the refuter.

A drawing forbids several moves in several poses, and each of these is a window of its
own. The windows that the rule has too are proved with it; the others are tried one by
one, equal ones once. All are asked together along positions with a known completable
move: those of small boards, and of random complete walks of large ones. The prover then
looks at all windows of the mutants that were not refuted. For what is open after that a
counterexample is built (`verify.mutation.court`), and what refutes one window is asked
of all the others. At last the prover looks at the refuted windows, which it must not
prove.

A mutant is tried on the boards that its rule is proved for. So where these have walls,
a board with walls refutes it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heuristic.rules.drawing import Drawing, Frame, RuleSpec
from verify.mutation.court import Court, Limits, Piece
from verify.proof.formula import Scope
from verify.proof.prove import Part, Search, parts, searched


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
    rule : RuleSpec
    mutants : sequence of (int, str, RuleSpec)
    limits : Limits
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
    court = Court(pieces, limits, searched, scope)
    court.refute(list(pieces), longer=False)
    if scope.walled:
        for keys in court.open(windows):
            court.try_walls(keys)
    for keys in court.open(windows):
        all(map(court.settle, keys))  # one without a proof leaves the mutant open
    left = [key for keys in court.open(windows) for key in keys]
    court.refute(list(dict.fromkeys(left)), longer=True)
    for keys in court.open(windows):
        court.search(keys)
    if longer:
        for keys in court.open(windows):
            court.search(keys, longer=True)
    for keys in court.open(windows):
        court.ask_again(keys)
    for key in court.refuted:
        court.settle(key)  # none of these may be proved
    return [
        replace(_trial(number, change, keys, court), longer=longer)
        for (number, change, _), keys in zip(mutants, windows, strict=True)
    ]


def _trial(number: int, change: str, keys: Sequence[str], court: Court) -> Trial:
    wrong = [key for key in keys if key in court.refuted]
    if not wrong:
        good = court.proved.issuperset(keys)
        return Trial(number, change, "proved" if good else "open")
    clash = [key for key in wrong if key in court.proved]
    found = court.refuted[(clash or wrong)[0]]
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

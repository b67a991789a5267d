"""Mutants on trial: each of their windows through the prover, and through the refuter.

A drawing forbids several moves in several poses, and each of these is a window of its
own. The windows that the rule has too are proved with it; the others are tried one by
one, equal ones once. All are asked together along positions with a known completable
move: those of small boards, and of random complete walks of large ones. The prover then
decides each of those that were refuted, which it must not prove, and all windows of the
mutants that were not. What is open after that is looked at longer, and a counterexample
is built for it by the directed search.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from heuristic.language.drawing import LIVE_END, Drawing, Frame, RuleSpec
from heuristic.matching.drawn import DrawnRule
from solver.board import LETTERS, Board, Position
from solver.positions import PositionTree, completable_positions
from verify.proof.formula import Scope
from verify.proof.growth import Shape, shape_of
from verify.proof.prove import Memory, Part, Search, parts, searched
from verify.proof.settle import Decision, NoModel, Survivor
from verify.proof.view import Window
from verify.refute.directed import directed
from verify.refute.first_wrong import Trier, completion
from verify.refute.found import Refutation
from verify.refute.refute import confirmed
from verify.refute.rewire import complete_walks, walked

WALKED = ("9", "11", "13", "17", "21", "25", "7x15", "15x7", "9x21", "21x9")
STRAIGHTNESS = (0.0, 0.4)
EXHAUSTED, THEN = ("5", "5x7", "7x5"), ("7",)
_LONGER = 10  # times as many positions, for what is open
_HARDER = 4  # times as much time for the prover, when looking longer
_SEARCH = 0.3, 1.5  # times as much for a directed search, at first and for longer


@dataclass(frozen=True, slots=True)
class Limits:
    """What a mutation test may cost.

    Attributes
    ----------
    seconds : float
        Of processor time, for one window in one scope; a directed search takes a third
        of it at first, and half as much again on each board when it looks longer.
    positions : int
        Positions of random complete walks, on each board of `WALKED`.
    most : int
        Mutants a rule, drawn at random where there are more; 0 for all.
    seed : int
    """

    seconds: float = 1.0
    positions: int = 20_000
    most: int = 0
    seed: int = 0


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
class _Piece:
    """One window of a mutant, and a rule that draws nothing else."""

    rule: RuleSpec
    part: Part
    window: Window


class _Court:
    """Windows with what is known of them."""

    def __init__(self, pieces: dict[str, _Piece], limits: Limits, searched: Search):
        self.pieces, self.limits, self.searched = pieces, limits, searched
        self.refuted: dict[str, Refutation] = {}
        self.proved: set[str] = set()
        self.asked: dict[str, int] = {}  # how long; the longest if it has a model
        self.memory = Memory()  # what did for the windows before

    def refute(self, keys: Sequence[str], longer: bool) -> None:
        """Ask the windows together along many positions."""
        if not keys:
            return
        trier = Trier([self.pieces[key].rule for key in keys])
        for told, tree in _positions(self.limits, longer):
            for number, index in trier.run(tree):
                key, position = keys[number], tree.position(index)
                rule = self.pieces[key].rule
                move = _wrong_move(rule, position, int(tree.good[index]))
                witness = completion(tree, index, move)
                self.refuted[key] = confirmed(rule, position, witness, told)

    def settle(self, key: str, longer: bool = False) -> bool:
        """Ask the prover for one window; again only if it may take longer now."""
        times = _HARDER if longer else 1
        if self.asked.get(key, 0) < times:
            self.asked[key] = times
            if self._searched(key, self.limits.seconds * times):
                self.proved.add(key)
        return key in self.proved

    def _searched(self, key: str, seconds: float) -> bool:
        """Search a window on all boards, then on plain rectangles.

        Each scope lies within the one before: the two between would add nothing. The
        whole of a window comes early: if that has a model, no part of it and no wider
        scope is without, so nothing is left to try.
        """
        window, scope = self.pieces[key].window, Scope.CORNERS
        whole = shape_of(window, window.cells())
        tries: list[tuple[Scope, list[Shape], float]] = [
            (Scope.PLAIN, [], seconds),
            (scope, [*self.memory.shapes.get(scope, ()), whole], seconds / 2),
            (scope, [], seconds / 2),
        ]
        if key in self.refuted:
            tries.insert(0, (scope, [whole], seconds))
        for one, first, limit in tries:
            outcome = self.searched(window, one, limit, first)
            if isinstance(outcome, NoModel):
                self.memory.learn(window, outcome)
                return True
            if one is scope and _of_all(window, outcome):
                self.asked[key] = _HARDER
                break
        return False

    def search(self, key: str, longer: bool = False) -> bool:
        """Look for a counterexample by the directed search."""
        piece, seed = self.pieces[key], self.limits.seed
        (drawing,) = piece.rule.drawings
        seconds = self.limits.seconds * _SEARCH[longer]
        for board in islice(boards_for(drawing), None if longer else 1):
            hit = directed(
                *(drawing, piece.part.pose, piece.part.move, board),
                seed=seed,
                seconds=seconds,
            )
            if hit is not None:
                told = f"directed search on {board.notation}, seed {seed}"
                self.refuted[key] = confirmed(piece.rule, *hit, told)
                break
        return key in self.refuted

    def open(self, windows: Iterable[Sequence[str]]) -> list[list[str]]:
        """Return the windows without a proof of each mutant that is not refuted."""
        good = (keys for keys in windows if self.refuted.keys().isdisjoint(keys))
        left = [[key for key in keys if key not in self.proved] for keys in good]
        return [keys for keys in left if keys]


def _of_all(window: Window, outcome: Decision) -> bool:
    """Tell whether there is a model of the whole window."""
    return isinstance(outcome, Survivor) and outcome.window.cells() == window.cells()


def try_mutants(
    rule: RuleSpec,
    mutants: Sequence[tuple[int, str, RuleSpec]],
    limits: Limits,
    searched: Search = searched,
    *,
    longer: bool = False,
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
        Whether what is open is searched for on more boards, and given to the prover for
        four times as long: some ten seconds a mutant.
    """
    own = {repr(window) for _, window in parts(rule)}
    pieces: dict[str, _Piece] = {}
    windows: list[list[str]] = []
    for _, _, mutant in mutants:
        windows.append([])
        for part, window in parts(mutant):
            key = repr(window)
            if key not in own:
                windows[-1].append(key)
                name = f"{mutant.name}, window {len(windows[-1])}"
                alone = replace(mutant, name=name, drawings=(_alone(mutant, part),))
                pieces.setdefault(key, _Piece(alone, part, window))
    court = _Court(pieces, limits, searched)
    court.refute(list(pieces), longer=False)
    for keys in court.open(windows):
        all(map(court.settle, keys))  # one without a proof leaves the mutant open
    left = [key for keys in court.open(windows) for key in keys]
    court.refute(list(dict.fromkeys(left)), longer=True)
    for keys in court.open(windows):
        any(map(court.search, keys))
    if longer:
        for keys in court.open(windows):
            any(court.search(key, longer=True) for key in keys)
        for keys in court.open(windows):
            all(court.settle(key, longer=True) for key in keys)
    for key in court.refuted:
        court.settle(key)  # none of these may be proved
    return [
        replace(_trial(number, change, keys, court), longer=longer)
        for (number, change, _), keys in zip(mutants, windows, strict=True)
    ]


def _trial(number: int, change: str, keys: Sequence[str], court: _Court) -> Trial:
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


def _wrong_move(rule: RuleSpec, position: Position, good: int) -> int:
    """Return the good move that the rule forbids, counting U, R, D, L from 0."""
    forbidden = (forbid.move for forbid in DrawnRule(rule).forbids(position))
    return next(d for d in map(LETTERS.index, forbidden) if good >> d & 1)


@lru_cache(maxsize=4)
def _positions(limits: Limits, longer: bool) -> list[tuple[str, PositionTree]]:
    """Return positions with a known completable move, and words for them."""
    found = [
        (f"all of {text}", completable_positions(Board.parse(text)))
        for text in (THEN if longer else EXHAUSTED)
    ]
    many = limits.positions * (_LONGER if longer else 1)
    seed = limits.seed + longer
    for text in WALKED if many else ():
        board = Board.parse(text)
        count = -(-many // board.cells // len(STRAIGHTNESS))
        for bend in STRAIGHTNESS:
            walks = complete_walks(board, count, seed=seed, straightness=bend)
            told = f"walks on {text}, seed {seed}, straightness {bend}"
            found.append((told, walked(board, walks)))
    return found


def boards_for(drawing: Drawing) -> Iterator[Board]:
    """Yield square boards for a drawing, all sides odd; the likeliest first.

    Seven cells more than the drawing are enough for most, and small enough for the
    solver; where there is little room, a search for what is not there takes all time.
    """
    at = [LIVE_END, *(need.at for need in drawing.needs)]
    lefts, aheads = [left for left, _ in at], [ahead for _, ahead in at]
    high, wide = max(aheads) - min(aheads), max(lefts) - min(lefts)
    side = max(high, wide)
    for more in (7, 11):
        yield Board.square(side + more - side % 2)


def chosen_numbers(total: int, limits: Limits) -> list[int]:
    """Return the numbers of the mutants to try, in the order of trial.

    The order is drawn, so that what is tried so far is a fair sample.
    """
    order = list(range(total))
    random.Random(limits.seed).shuffle(order)
    return order[: limits.most] if limits.most else order

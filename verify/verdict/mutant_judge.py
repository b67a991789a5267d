"""Windows of mutants put to prover and refuter, and what is known of each.

A counterexample is sought for where the prover found none impossible: along positions
of complete walks; by a directed search on boards with walls, if the rule is proved for
such boards, at first free and then led by the model that the prover leaves; by a
directed search on plain boards. Each path that is found is asked of all other windows
that are open: drawings of one rule are much alike.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

import numpy as np

from heuristic.rules.drawing import LIVE_END, Drawing, RuleSpec
from solver.board import Board, Position, Walk
from solver.positions import PositionTree, completable_positions
from verify.proof.formula import Scope
from verify.proof.growth import Shape, shape_of
from verify.proof.prove import Memory, Part, Search
from verify.proof.settle import Decision, NoModel, Survivor
from verify.proof.view import Window
from verify.refute.directed import directed
from verify.refute.first_wrong import Trier, complete_walks, completion, walked
from verify.refute.found import Refutation
from verify.refute.refute import confirmed, wrong_move
from verify.refute.walled import walled

WALKED = ("9", "11", "13", "17", "21", "25", "7x15", "15x7", "9x21", "21x9")
STRAIGHTNESS = (0.0, 0.4)
EXHAUSTED, THEN = ("5", "5x7", "7x5"), ("7",)
_LONGER = 10  # times as many positions, for what is open
_HARDER = 4  # times as much time for the prover, when looking longer
_SEARCH = 0.3, 1.5  # times as much for a directed search, at first and for longer
_WALLED = 0.5, 5.0  # the same, on boards with walls
_LED = 3.0  # the same, led by a model, and to look for that

Found: TypeAlias = tuple[Position, Walk] | None
Look: TypeAlias = Callable[["Piece", str, bool], tuple[Found, str]]


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
    """

    seconds: float = 1.0
    positions: int = 20_000
    most: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """One window of a mutant, and a rule that draws nothing else."""

    rule: RuleSpec
    part: Part
    window: Window


class MutantJudge:
    """Proof and refutation state of each window.

    Attributes
    ----------
    scope : Scope
        The boards that a counterexample may be on.
    """

    def __init__(
        self,
        pieces: dict[str, Piece],
        limits: Limits,
        searched: Search,
        scope: Scope = Scope.CORNERS,
    ):
        self.pieces, self.limits, self.searched = pieces, limits, searched
        self.scope = scope
        self.refuted: dict[str, Refutation] = {}
        self.proved: set[str] = set()
        self._asked: dict[str, int] = {}  # how long; the longest if it has a model
        self._memory = Memory()  # what did for the windows before
        self._models: dict[str, Survivor] = {}  # of whole windows, planar ones
        self._possible: set[str] = set()  # with a model on every board
        self._trier: Trier | None = None

    def refute(self, keys: Sequence[str], longer: bool) -> None:
        """Ask the windows together along many positions."""
        if keys:
            trier = Trier([self.pieces[key].rule for key in keys])
            for found_by, tree in _positions(self.limits, longer):
                self._ask(trier, keys, tree, found_by)

    def _ask(
        self, trier: Trier, keys: Sequence[str], tree: PositionTree, found_by: str
    ) -> None:
        for number, index in trier.run(tree):
            key, position = keys[number], tree.position(index)
            rule = self.pieces[key].rule
            move = wrong_move(rule, position, int(tree.good[index]))
            witness = completion(tree, index, move)
            self.refuted[key] = confirmed(rule, position, witness, found_by)

    def settle(self, key: str, longer: bool = False) -> bool:
        """Ask the prover for one window; again only if it may take longer now."""
        times = _HARDER if longer else 1
        if self._asked.get(key, 0) < times:
            self._asked[key] = times
            if self._searched(key, self.limits.seconds * times):
                self.proved.add(key)
        return key in self.proved

    def _searched(self, key: str, seconds: float) -> bool:
        """Search a window on all boards, then on plain rectangles.

        Each scope lies within the one before: the two between would add nothing. The
        whole of a window comes early: if that has a model, no part of it and no wider
        scope is without, so nothing is left to try. A window that is refuted by a board
        with walls may well be right without.
        """
        window, scope = self.pieces[key].window, Scope.CORNERS
        whole = shape_of(window, window.cells())
        tries: list[tuple[Scope, list[Shape], float]] = [
            (Scope.PLAIN, [], seconds),
            (scope, [*self._memory.shapes.get(scope, ()), whole], seconds / 2),
            (scope, [], seconds / 2),
        ]
        if key in self.refuted:
            tries.insert(0, (scope, [whole], seconds))
            if self.refuted[key].position.board.walls:
                tries = [one for one in tries if one[0] is Scope.PLAIN]
        for one, first, limit in tries:
            if one is Scope.PLAIN and key in self._possible:
                continue
            outcome = self._outcome(key, one, limit, first)
            if isinstance(outcome, NoModel):
                return True
            if one is scope and key in self._models:
                self._asked[key] = _HARDER
                break
        return False

    def _outcome(
        self, key: str, scope: Scope, seconds: float, first: Sequence[Shape]
    ) -> Decision:
        """Search a window in one scope; remember a proof, or a model of all of it."""
        window = self.pieces[key].window
        outcome = self.searched(window, scope, seconds, first)
        if isinstance(outcome, NoModel):
            self._memory.learn(window, outcome)
        elif isinstance(outcome, Survivor) and outcome.window.cells() == window.cells():
            if scope.planar:
                self._models[key] = outcome
            else:
                self._possible.add(key)
        return outcome

    def try_walls(self, keys: Sequence[str]) -> None:
        """Try boards with walls first, for windows that are possible on every board.

        What is right on all boards is proved in a moment. A board with walls is found
        in a moment too, often; planarity takes longer.
        """
        for key in keys:
            seconds = self.limits.seconds
            if isinstance(self._outcome(key, Scope.PLAIN, seconds, ()), NoModel):
                self.proved.add(key)
            else:
                self._look(key, self._walled, longer=False)
            if key in self.refuted:
                return

    def search(self, keys: Sequence[str], longer: bool = False) -> None:
        """Build a counterexample to one of the windows of a mutant, if none is known.

        What is quick comes first, for each of the windows.
        """
        for look in (self._walled, self._led, self._plain):
            if look == self._walled and not longer:
                continue  # `try_walls` has looked
            for key in keys:
                if not self.refuted.keys().isdisjoint(keys):
                    return
                if key not in self.proved:
                    self._look(key, look, longer)

    def ask_again(self, keys: Sequence[str]) -> None:
        """Give what is still open more time: few are left, and mostly that was all.

        Where a model leads, the search with walls; where none is known, the prover.
        """
        for key in keys:
            if key in self._models and self.scope.walled:
                self._look(key, self._led, longer=True)
            if key in self.refuted or not self.settle(key, longer=True):
                return

    def _look(self, key: str, look: Look, longer: bool) -> None:
        piece = self.pieces[key]
        hit, found_by = look(piece, key, longer)
        if hit is not None:
            position, rest = hit
            self.refuted[key] = confirmed(piece.rule, position, rest, found_by)
            keys = list(self.pieces)
            if self._trier is None:
                self._trier = Trier([self.pieces[key].rule for key in keys])
            for number, other in enumerate(keys):
                if other in self.refuted or other in self.proved:
                    self._trier.left[number] = False
            path = np.array([[*position.walk, *rest]], dtype=np.int32)
            self._ask(self._trier, keys, walked(position.board, path), found_by)

    def _walled(self, piece: Piece, key: str, longer: bool) -> tuple[Found, str]:
        return self._with_walls(piece, None, _WALLED[longer])

    def _led(self, piece: Piece, key: str, longer: bool) -> tuple[Found, str]:
        if self.scope.walled and key not in self._models:
            whole = shape_of(piece.window, piece.window.cells())
            seconds = self.limits.seconds * _LED
            # the narrowest scope finds its models soonest, and they are wider ones too
            outcome = self._outcome(key, Scope.CORNERS, seconds, [whole])
            if isinstance(outcome, NoModel):
                self.proved.add(key)
        if key not in self._models:
            return None, ""
        return self._with_walls(piece, self._models[key], _LED * (1 + longer))

    def _with_walls(
        self, piece: Piece, model: Survivor | None, times: float
    ) -> tuple[Found, str]:
        if not self.scope.walled:
            return None, ""
        (drawing,) = piece.rule.drawings
        hit = walled(
            *(drawing, piece.part.pose, piece.part.move, self.scope),
            model=model,
            seed=self.limits.seed,
            seconds=self.limits.seconds * times,
        )
        led = ", led by a model" if model else ""
        return hit, f"walled search{led}, seed {self.limits.seed}"

    def _plain(self, piece: Piece, key: str, longer: bool) -> tuple[Found, str]:
        (drawing,), seed = piece.rule.drawings, self.limits.seed
        for board in islice(boards_for(drawing), None if longer else 1):
            hit = directed(
                *(drawing, piece.part.pose, piece.part.move, board),
                seed=seed,
                seconds=self.limits.seconds * _SEARCH[longer],
            )
            if hit is not None:
                return hit, f"directed search on {board.notation}, seed {seed}"
        return None, ""

    def open(self, windows: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Yield the windows without a proof of each mutant that is not refuted yet."""
        for keys in windows:
            left = [key for key in keys if key not in self.proved]
            if left and self.refuted.keys().isdisjoint(keys):
                yield left


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
            found_by = f"walks on {text}, seed {seed}, straightness {bend}"
            found.append((found_by, walked(board, walks)))
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

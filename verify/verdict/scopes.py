"""Where a rule holds: a verdict for each scope.

The scopes lie within each other. So what is proved in one holds in the narrower ones,
and what is wrong in one is wrong in the wider ones. A counterexample is looked for on
the smallest boards first, with walls and ends as the scope allows, then by the directed
search on larger boards with random ends.
"""

import math
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Cell, Position
from solver.nowalk import why_dead
from verify.proof.counterexample import Refutation, refute_on, refute_part
from verify.proof.formula import Scope
from verify.proof.prove import Proved, parts, prove_rule

_MOST = 20  # cells of the boards of which all positions are tried
_EACH = 400  # boards of one size; all of them if there are not more
_LARGER = (7, 9)


@dataclass(frozen=True, slots=True)
class InScope:
    """What is known of a rule on the boards of a scope: proved, refuted or neither."""

    scope: Scope
    proved: bool
    refutation: Refutation | None = None
    boards: str = ""  # those of a proof, in words

    @property
    def word(self) -> str:
        """PROVED, REFUTED or OPEN."""
        return "PROVED" if self.proved else "REFUTED" if self.refutation else "OPEN"


def in_all_scopes(
    rule: RuleSpec, *, seconds: float = 10.0, seed: int = 0
) -> list[InScope]:
    """Judge a rule in every scope, from the widest to the narrowest.

    `seconds` of processor time limit one part in one scope, and the search for a
    counterexample in one scope. A counterexample is the smallest found: smaller boards
    were tried before, some hundred of a size where there are more.
    """
    judged: list[InScope] = []
    for scope in Scope:
        if judged and judged[-1].proved:
            judged.append(InScope(scope, True, boards=scope.value))
            continue
        attempt = prove_rule(rule, seconds=2 * seconds, most=1, within=scope)
        if isinstance(attempt, Proved):
            judged.append(InScope(scope, True, boards=attempt.boards))
        else:
            found = counterexample_in(rule, scope, seconds=seconds, seed=seed)
            judged.append(InScope(scope, False, found, scope.value))
    for i in reversed(range(len(judged) - 1)):
        known = [one.refutation for one in judged[i : i + 2] if one.refutation]
        if known:
            judged[i] = replace(judged[i], refutation=min(known, key=_size))
    return judged


def _size(found: Refutation) -> tuple[int, int]:
    board = found.position.board
    return board.rows * board.cols, len(board.walls)


def boards_in(
    scope: Scope, rows: int, cols: int, rng: random.Random, most: int = _EACH
) -> Iterator[Board]:
    """Yield boards of one size in a scope, with up to two walls: all, or so many drawn.

    Boards that plainly have no complete walk are left out.
    """
    cells = range(rows * cols)
    rim = [c for c in cells if c // cols in (0, rows - 1) or c % cols in (0, cols - 1)]
    corners = [0, cols - 1, (rows - 1) * cols, rows * cols - 1]
    pairs = list(zip(corners, reversed(corners), strict=True))
    if scope is not Scope.CORNERS:
        pairs = list(permutations(cells if scope is Scope.PLAIN else rim, 2))
    fewest = 3 if scope.walled else 1
    total = len(pairs) * sum(math.comb(rows * cols, count) for count in range(fewest))
    choices: Iterable[tuple[tuple[Cell, ...], tuple[Cell, Cell]]] = (
        (walls, ends)
        for count in range(fewest)
        for walls in combinations(cells, count)
        for ends in dict.fromkeys(pairs)
    )
    if total > 4 * most:
        choices = (
            (tuple(rng.sample(cells, rng.randrange(fewest))), rng.choice(pairs))
            for _ in range(4 * most)
        )
    for walls, (start, end) in choices:
        if start != end and start not in walls and end not in walls:
            board = Board(rows, cols, start, end, walls)
            if not why_dead(Position(board)):
                yield board


def counterexample_in(
    rule: RuleSpec, scope: Scope, *, seconds: float = 10.0, seed: int = 0
) -> Refutation | None:
    """Look for a counterexample in a scope, small boards first; None proves nothing."""
    rng, until = random.Random(seed), time.process_time() + seconds
    sizes = [(r, c) for r in range(1, 11) for c in range(1, 11) if r * c <= _MOST]
    for rows, cols in sorted(sizes, key=lambda size: (size[0] * size[1], size)):
        for board in boards_in(scope, rows, cols, rng):
            if found := refute_on(rule, board):
                return found
            if time.process_time() > until:
                return None
    shown = list(parts(rule))
    plain = scope if scope is Scope.CORNERS else Scope.RIM
    while time.process_time() < until:  # larger boards with ends drawn, without walls
        side = rng.choice(_LARGER)
        drawn = next(boards_in(plain, side, side, rng, most=1), None)
        if drawn is not None:
            part, _ = rng.choice(shown)
            seed = rng.randrange(1 << 30)
            if found := refute_part(rule, part, drawn, seed=seed, seconds=0.5):
                return found
    return None

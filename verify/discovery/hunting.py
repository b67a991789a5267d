"""Gaps of boards too large to list: walks under the book, until they get stuck.

A walk that gets stuck is blamed on a step by an exact search, and all dead moves that
the book allows there are gaps. They are explained like any others; then the book has
more rules, and walks again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from heuristic.groups import drawn_rules
from heuristic.rounds import Event
from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from verify.discovery.gaps import Bools, Gaps, columns_of, gaps_at
from verify.discovery.pool import Entry, Pool
from verify.evidence.completeness import blame
from verify.evidence.mining import mine
from verify.evidence.shrink import gap_moves

_BLOCK = 200  # walks between two looks at what they found


@dataclass(slots=True)
class Hunt:
    """Walks on some boards under a book that grows.

    Attributes
    ----------
    board : Board
        Holds all others.
    start : tuple of RuleSpec
        What the book began with.
    positions : list of Position
        Where walks went wrong.
    moves : list of str
        The dead moves that the book allowed there, letters.
    walked : int
        Walks made; walk k has seed `seed` + k.
    boards : tuple of Board
        That are walked on; `board` if empty.
    """

    board: Board
    start: tuple[RuleSpec, ...]
    seed: int = 0
    positions: list[Position] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    walked: int = 0
    boards: tuple[Board, ...] = ()

    def walk(
        self,
        chosen: Sequence[RuleSpec],
        walks: int,
        most: int,
        told: Callable[[int], None] | None = None,
    ) -> int:
        """Make walks on each board until so many gaps are found; return how many were.

        `told` is given the walks of this call on one board, block by block.
        """
        rules, found = self._rules(chosen), 0
        for board in self.boards or (self.board,):
            new, left = 0, walks
            while left > 0 and new < most:
                count = min(_BLOCK, left)
                first = self.seed + self.walked
                for gap in mine(rules, board, walks=count, seed=first, minimal=False):
                    self.positions.append(gap.position)
                    self.moves.append(gap.moves)
                    new += 1
                self.walked += count
                left -= count
                if told:
                    told(walks - left)
            found += new
        return found

    def left_first(
        self,
        chosen: Sequence[RuleSpec],
        most: int,
        told: Callable[[int], None] | None = None,
    ) -> int:
        """Walk left first, until so many gaps are found or all is tried.

        Every walk of the board is among them, so none found is none there. Returns how
        many were found; `told` is given the walks completed.
        """
        rules, oracle = self._rules(chosen), get_oracle("search")
        walk, new = LeftFirstWalk(rules, Position(self.board)), set[Position]()
        while len(new) < most:
            event = walk.run(
                stop_stuck=True,
                progress=told and (lambda walk: told(walk.completed)),
            )
            if event is Event.FINISHED:
                break
            wrong = blame(walk.position, oracle)
            moves = gap_moves(rules, wrong, oracle) if wrong else ""
            if wrong and moves and wrong not in new:
                new.add(wrong)
                self.positions.append(wrong)
                self.moves.append(moves)
        return len(new)

    def _rules(self, chosen: Sequence[RuleSpec]) -> RuleSet:
        """Return what it began with and the rules chosen, under names of their own."""
        found = [
            replace(rule, name=f"drawing-{number}")
            for number, rule in enumerate(chosen)
        ]
        return drawn_rules("found", [*self.start, *found])

    def add(self, known: Iterable[tuple[Position, str]]) -> None:
        """Take gaps from before, each with its dead moves, letters; each once."""
        there = set(self.positions)
        for position, moves in known:
            if position not in there:
                there.add(position)
                self.positions.append(position)
                self.moves.append(moves)

    def met(self) -> list[tuple[Position, str]]:
        """Return the gaps found so far."""
        return list(zip(self.positions, self.moves, strict=True))

    def position(self, number: int) -> Position:
        """Return a position by its number."""
        return self.positions[number]

    def gaps(self) -> Gaps:
        """Return all gaps found so far, as rows; what it began with misses them."""
        found = gaps_at(self.board, self.met())
        columns = columns_of(self.start, found)
        caught: Bools = np.logical_or.reduce(columns, axis=1)
        return found.kept(~caught)

    def pool(self, entries: Sequence[Entry]) -> Pool:
        """Return the pool of these gaps, with the drawings found before."""
        pool = Pool(self.gaps(), quick=True)
        pool.extend(entries)
        return pool

"""One-change mutants of rules, and the windows of them that a walk refutes.

A cell's state, an area's condition, bound or side, a move, an order test, what is
forced, a turn: one thing is changed. A window that is both proved and refuted would be
a fault of the prover.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from heuristic.matching.tables import Ints
from heuristic.rules.drawing import (
    ANY,
    MOVES,
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Fact,
    Frame,
    Kind,
    RuleSpec,
    Spot,
)
from solver.board import ROTATIONS, Board
from solver.oracles.exact import exact_walk
from solver.positions import PositionTree, completable_positions
from tests.doubles.exhaustion import first_wrong
from verify.proof.decision import Decision, NoModel, Shape, search, shape_of
from verify.proof.formula import Scope
from verify.proof.prove import parts
from verify.proof.window import Window
from verify.verdict.conditions import with_need

Search: TypeAlias = Callable[[Window, Scope, float, Sequence[Shape]], Decision]


def mutants(rule: RuleSpec) -> Iterator[tuple[str, RuleSpec]]:
    """Yield every one-change mutant of a rule, with the change in words.

    A mutant is the changed drawing alone: it is wrong exactly when the rule with this
    drawing in place of its own is, the others being proved. Its name is that of the
    rule with a number behind a tilde.
    """
    number = 0
    for index, drawing in enumerate(rule.drawings, 1):
        for change, mutant in _changes(drawing):
            # the drawing could stand in a rule file
            if not any(set(area.inside) & set(area.outside) for area in mutant.areas):
                number += 1
                name = f"{rule.name}~{number}"
                changed = replace(rule, name=name, drawings=(mutant,), stops=False)
                yield f"drawing {index}: {change}", replace(changed, unless=())


def _changes(drawing: Drawing) -> Iterator[tuple[str, Drawing]]:
    fixed = drawn_by(drawing)
    for need in drawing.needs:
        if need.not_end:
            changed = replace(need, not_end=False)
            yield f"{list(need.at)} may be the end", with_need(drawing, changed)
        for states in (CellState.FREE, CellState.VISITED, TAKEN, ANY):
            if need.at not in fixed and states != need.states:
                fewer = need.not_end and CellState.FREE in states
                changed = replace(need, states=states, not_end=fewer)
                yield f"{list(need.at)} is {states}", with_need(drawing, changed)
    for number, area in enumerate(drawing.areas):
        areas = list(drawing.areas)
        for phrase, areas[number] in _area_changes(area):
            yield f"area {number + 1}: {phrase}", replace(drawing, areas=tuple(areas))
    for fact, less in without_a_fact(drawing):
        yield f"without {fact[0]} {fact[1:]}", less
    for move in MOVES.values():
        if move not in drawing.forbidden and move != MOVES["behind"]:
            phrase = f"forbids {list(move)} too"
            yield phrase, replace(drawing, forbidden=(*drawing.forbidden, move))
    if drawing.frame is Frame.HEADING:
        for turn in set(ROTATIONS) - set(drawing.turns):
            turns = (*drawing.turns, turn)
            yield f"turned {turn.name.lower()} too", replace(drawing, turns=turns)


def drawn_by(drawing: Drawing) -> set[Spot]:
    """Return the cells that areas, runs and facts are drawn by: their needs stay."""
    cells = {at for area in drawing.areas for at in (*area.cells, area.base, area.wall)}
    cells |= {at for run in drawing.runs for at in (run.first, run.then)}
    return cells | {at for _, *pair in drawing.tested_facts for at in pair}


def without_a_fact(drawing: Drawing) -> Iterator[tuple[Fact, Drawing]]:
    """Yield the drawing with one fact less; lines leave their ends by an edge each."""
    ends = {at for pair in drawing.pairs("mates") for at in pair}
    for fact in drawing.tested_facts:
        word, *pair = fact
        if word != "joined" or ends.isdisjoint(pair):
            facts = tuple(other for other in drawing.facts if other != fact)
            yield fact, replace(drawing, facts=facts)


def _area_changes(area: AreaSpec) -> Iterator[tuple[str, AreaSpec]]:
    for kind in {Kind.EVEN, Kind.ODD, Kind.CLOSED} - {area.kind}:
        yield kind.value, replace(area, kind=kind)
    if area.kind is Kind.BEYOND:
        yield "a lower low", replace(area, low=area.low - 1)
        yield "a higher low", replace(area, low=area.low + 1)
    other = "right" if area.side == "left" else "left"
    yield f"on the {other}", replace(area, side=other)
    if area.least > len(area.cells):
        yield "of any size", replace(area, least=len(area.cells))


class Piece(NamedTuple):
    """One window of a mutant that its rule does not have, and a rule of that alone."""

    change: str
    rule: RuleSpec
    window: Window


def pieces(rule: RuleSpec, some: Sequence[tuple[str, RuleSpec]]) -> list[Piece]:
    known, found = {repr(window) for _, window in parts(rule)}, list[Piece]()
    for change, mutant in some:
        for part, window in parts(mutant):
            if repr(window) not in known:
                known.add(repr(window))
                shown, one = mutant.drawings[part.drawing], (part.move,)
                drawing = replace(shown, forbidden=one, turns=(part.pose,))
                name = f"{mutant.name}-{len(found)}"
                alone = replace(mutant, name=name, drawings=(drawing,))
                found.append(Piece(change, alone, window))
    return found


@cache
def positions() -> list[PositionTree]:
    """Return all positions of small boards, and those along walks of large ones."""
    found = [completable_positions(Board.parse(text)) for text in ("5", "5x7", "7x5")]
    for side in (9, 15, 25):
        board = Board.square(side)
        found.append(walked(board, complete_walks(board, 20)))
    return found


def complete_walks(board: Board, count: int, seed: int = 0) -> Ints:
    walks = [exact_walk(board, seed + k).position.walk for k in range(count)]
    return np.array(walks, dtype=np.int32)


def walked(board: Board, walks: Ints) -> PositionTree:
    """Return all positions of complete walks; of each, its next step is `good`."""
    steps, good = np.diff(walks, axis=1), np.zeros(walks.shape, dtype=np.uint8)
    for direction, step in enumerate((-board.cols, 1, board.cols, -1)):
        good[:, :-1][steps == step] = 1 << direction
    depth = np.tile(np.arange(walks.shape[1], dtype=np.int16), len(walks))
    return PositionTree(
        board, depth, walks.reshape(-1), good.reshape(-1), walks=len(walks)
    )


def refuted(some: Sequence[Piece]) -> list[tuple[Piece, Board]]:
    """Return the pieces that forbid a move that is good, and a board on which."""
    found: dict[int, Board] = {}
    for tree in positions():
        for number in first_wrong([piece.rule for piece in some], tree):
            found.setdefault(number, tree.board)
    return [(some[number], board) for number, board in found.items()]


def contradictions(
    rule: RuleSpec, some: Sequence[tuple[str, RuleSpec]], decide: Search = search
) -> tuple[int, list[str]]:
    """Return how many windows are refuted, and the changes of those proved too."""
    wrong, found = refuted(pieces(rule, some)), []
    for piece, _ in wrong:
        whole = [shape_of(piece.window, piece.window)]
        for scope in (Scope.PLAIN, Scope.CORNERS):
            if isinstance(decide(piece.window, scope, 2.0, whole), NoModel):
                found.append(piece.change)
    return len(wrong), found

"""The tree of needs says what the groups of placements say, rule by rule."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from heuristic.groups import load_rules
from heuristic.matching import areas, pattern
from heuristic.matching import tables as tables_module
from heuristic.matching.contour import Contour, count_shape, trace
from heuristic.matching.pattern import board_numbers, new_order
from heuristic.matching.tables import (
    AREAS,
    AREAS_END,
    COL_BIT,
    HAS_LEAVES,
    MASK,
    MIDDLE,
    MOVES,
    NEEDS,
    NEEDS_END,
    NEXT_BIT,
    ROW_BIT,
    SHAPE,
    STATES_BIT,
    Tables,
    compile_rules,
    fitting,
    grouped,
    planted,
)
from heuristic.matching.walks import Drawn, ask, new_drawn
from heuristic.rules.drawing import ANY, RuleSpec
from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from tests.samples import specs

Need: TypeAlias = tuple[int, ...]
Node: TypeAlias = tuple[dict[Need, "Node"], list[int]]


def said(drawn: Drawn, position: Position) -> tuple[int, list[int]]:
    """Return what rules forbid at a position: all together, and each."""
    drawn.order[:] = -1
    walk = np.array(position.walk, np.int32)
    drawn.order[walk] = np.arange(len(walk), dtype=np.int32)
    united = ask(drawn, walk, len(walk))
    return united, drawn.masks.tolist()


def tables(group: str, board: Board) -> tuple[Tables, Tables]:
    """Return tables with a tree and without."""
    fit = fitting(compile_rules(specs(group)), max(board.rows, board.cols))
    return fit, grouped(fit)


def naive_tree(
    tables: Tables, heading: int
) -> tuple[list[list[int]], list[int], list[int]]:
    """Return nodes and leaves of a heading's tree, turned to U, and the first leaves.

    A node is its row, column, states, moves, whether it has leaves, and the next one.
    """

    def near(need: Need) -> tuple[int, Need]:
        return abs(need[0]) + abs(need[1]), need

    def turned(need: Need) -> Need:
        row, col, states = need
        for _ in range(heading):
            row, col = -col, row
        return row, col, states

    def plant(need: Need, node: Node) -> int:
        children, here = node
        row = [*need, 0, len(here) > 0, 0]
        nodes.append(row)
        firsts.append(len(leaves))
        leaves.extend(here)
        for p in here:
            for d in range(4):
                row[3] |= (int(tables.placements[p, MOVES]) >> d & 1) << (
                    d - heading
                ) % 4
        for below in sorted(children, key=near):
            row[3] |= plant(below, children[below])
        row[5] = len(nodes)
        return int(row[3])

    nodes, leaves, firsts = list[list[int]](), list[int](), list[int]()
    root: Node = {}, []
    for p in range(*tables.heads[heading : heading + 2].tolist()):
        begin, end = tables.placements[p, [NEEDS, NEEDS_END]].tolist()
        node = root
        needs = map(turned, map(tuple, tables.needs[begin:end].tolist()))
        for need in sorted(needs, key=near):
            node = node[0].setdefault(need, ({}, []))
        node[1].append(p)
    if tables.heads[heading] < tables.heads[heading + 1]:
        plant((0, 0, int(ANY)), root)
    return nodes, leaves, [*firsts, len(leaves)]


def unpacked(tree: Tables, heading: int) -> tuple[list[list[int]], list[int]]:
    """Return the nodes of a heading as `naive_tree` does, and their first leaves."""
    begin, end, _ = tree.node_heads[heading].tolist()
    nodes = [
        [
            (node >> ROW_BIT & MASK) - MIDDLE,
            (node >> COL_BIT & MASK) - MIDDLE,
            node >> STATES_BIT & 15,
            node & 15,
            node & HAS_LEAVES > 0,
            (node >> NEXT_BIT) - begin,
        ]
        for node in tree.nodes[begin:end].tolist()
    ]
    return nodes, tree.firsts[begin : end + 1].tolist()


@pytest.mark.parametrize("seed", range(8))
def test_a_tree_is_that_of_its_naive_double(seed: int) -> None:
    tables = compile_rules(specs("found-9"))
    rng = np.random.default_rng(seed)
    # some placements, and of some only the first needs: equal paths, paths in others
    rows = tables.placements.copy()
    short = rng.random(len(rows)) < seed / 10
    rows[short, NEEDS_END] = rows[short, NEEDS] + rng.integers(0, 3, short.sum())
    keep = rng.random(len(rows)) < 0.8
    begins = np.concatenate(([0], np.cumsum(keep)))[tables.heads].astype(np.int32)
    chosen = tables._replace(placements=rows[keep], heads=begins)
    tree = planted(chosen)
    for heading in range(4):
        nodes, leaves, firsts = naive_tree(chosen, heading)
        assert unpacked(tree, heading) == (nodes, firsts)
        begin = tree.node_heads[heading, 2]
        there = tree.leaves[begin : begin + len(leaves)]
        assert (there == chosen.placements[leaves]).all()
    assert len(tree.leaves) == keep.sum()


def test_headings_that_are_turns_of_each_other_share_their_nodes() -> None:
    tree, _ = tables("found-9", Board.square(9))
    (begin, end), *others = tree.node_heads[:, :2].tolist()
    assert others == 3 * [[begin, end]]
    assert len(tree.nodes) == end + 1


def test_a_heading_without_placements_has_no_node() -> None:
    tables = compile_rules(specs("found-9"))
    heads = np.array([0, 0, 5, 5, 5], dtype=np.int32)
    tree = planted(tables._replace(placements=tables.placements[:5], heads=heads))
    begin, end, _ = tree.node_heads.T
    assert (end > begin).tolist() == [False, True, False, False]


BOARDS = ["7", "11", "9x12@1,1>4,7", "11!3,3;4,5", "10@3,4>7,7", "12x8@2,1>1,8!6,6"]


def positions_of(board: Board, walks: int) -> list[Position]:
    """Return positions with a heading, of exact walks and of walks by rules."""
    whole = [exact_walk(board, seed).position for seed in range(walks)]
    walker = load_rules("universal-4").walker(board)
    whole += [walker.walk(seed).position for seed in range(walks)]
    return [full.back(k) for full in whole for k in range(1, len(full.walk) - 1)]


@pytest.mark.parametrize("board", BOARDS)
def test_a_tree_says_what_groups_say(board: str) -> None:
    place = Board.parse(board)
    tree, groups = tables("found-9", place)
    assert len(tree.nodes)
    assert not len(groups.nodes)
    by_tree, by_groups = new_drawn(tree, place), new_drawn(groups, place)
    alone = by_tree._replace(masks=np.zeros(1, np.int32))
    fired = 0
    for position in positions_of(place, 3):
        united, masks = said(by_groups, position)
        assert said(by_tree, position) == (united, masks)
        assert said(alone, position) == (united, [united])
        fired += united > 0
    assert fired > 50


@pytest.mark.parametrize("board", BOARDS)
def test_the_contour_counts_what_a_fill_counts(board: str) -> None:
    place = Board.parse(board)
    rules, numbers = (
        fitting(compile_rules(specs("found-9")), max(place.rows, place.cols)),
        board_numbers(place),
    )
    scratch, sides = pattern.new_scratch(rules, place), 4 * place.cells
    room = [np.zeros(n, np.int32) for n in (sides, sides, sides + 1, sides + 1, sides)]
    contour, seen, holes = Contour(*room), dict[int, int](), 0
    for position in positions_of(place, 3):
        order, here = new_order(place, position.walk), position.live_end
        areas.next_step(scratch)
        areas.look_around(order, numbers, scratch)
        around = scratch[areas.ORIGIN], scratch[areas.WIDTH]
        if not trace(scratch, *around, numbers, contour):
            holes += 1
            continue
        rows = rules.placements[slice(*rules.heads[position.heading :][:2])]
        for row in rows:
            begin, end = row[[NEEDS, NEEDS_END]]
            held = pattern.needs_hold(rules.needs, begin, end, order, numbers, here)
            if not held:
                continue
            for shape in rules.areas[slice(*row[[AREAS, AREAS_END]]), SHAPE].tolist():
                at, slot = rules.shapes[shape], areas.slot_of(shape)
                size, black = count_shape(numbers, here, at, rules.offsets, contour)
                closed = areas.fill_shape(
                    order, numbers, here, at, rules.offsets, scratch, slot
                )
                seen[min(size, 0)] = seen.get(min(size, 0), 0) + 1
                assert size == -2 or (closed == areas.CLOSED) == (size >= 0)
                if size >= 0:
                    there = scratch[slot + areas.SIZE], scratch[slot + areas.BLACK]
                    assert (size, black) == there
    assert seen[0] > 100 < seen[-1]
    assert (holes > 0) == ("!" in board or "@3" in board)
    # an end that no cell but free ones touches stands on no contour
    assert (-2 in seen) == ("@" in board and "8!" not in board)


def test_tables_of_many_drawings_are_kept_on_disk_and_only_whole_ones_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "cache_folder", lambda: tmp_path)
    rules = specs("found-7")
    compiled = compile_rules(rules)
    assert not list(tmp_path.iterdir())  # few drawings
    monkeypatch.setattr(tables_module, "_LARGE", 1)
    made, compiler = list[Sequence[RuleSpec]](), tables_module._Compiler

    def compiling(rules: Sequence[RuleSpec]) -> object:
        made.append(rules)
        return compiler(rules)

    monkeypatch.setattr(tables_module, "_Compiler", compiling)

    def again(rules: Sequence[RuleSpec]) -> int:
        """Compile as a new process would; how often rules were compiled for it."""
        made.clear()
        tables_module._compiled.cache_clear()
        for one, other in zip(compile_rules(rules), compiled, strict=True):
            np.testing.assert_array_equal(one, other)
        return sum(map(bool, made))

    assert (again(rules), again(rules)) == (1, 0)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[:100] + b"!" + whole[101:]):
        file.write_bytes(damaged)
        assert (again(rules), again(rules)) == (1, 0)
        assert file.read_bytes()[:32] == whole[:32]
    for name in ("heads", "node_heads"):  # rows are looked up there by heading
        heads = getattr(compiled, name)
        longer = np.concatenate((heads[:1], heads))
        tables_module._keep(file, compiled._replace(**{name: longer}))
        assert (again(rules), again(rules)) == (1, 0)
    again([replace(rule, note="not as its file says") for rule in rules])
    assert [*tmp_path.iterdir()] == [file]


def test_rules_that_stop_others_have_no_tree() -> None:
    rules = [rule for rule in specs("seed-9-size") if rule.stops or rule.unless]
    assert rules
    fit = fitting(compile_rules(specs("seed-9-size")), 9)
    assert not len(fit.nodes)

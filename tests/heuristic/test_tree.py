"""The tree of needs says what the groups of placements say, rule by rule."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from heuristic.matching import tables as tables_module
from heuristic.matching.tables import (
    MOVES,
    NEEDS,
    NEEDS_END,
    NEXT,
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
    fit = fitting(compile_rules(specs(group)), board)
    return fit, grouped(fit)


def naive_tree(tables: Tables) -> tuple[list[int], list[list[int]], list[int]]:
    """Return heads, nodes and leaves of the tree of needs, node after node."""

    def near(need: Need) -> tuple[int, Need]:
        return abs(need[0]) + abs(need[1]), need

    def plant(need: Need, node: Node) -> int:
        children, here = node
        row = [*need, len(leaves), len(leaves) + len(here), 0, 0]
        nodes.append(row)
        leaves.extend(here)
        for p in here:
            row[-1] |= int(tables.placements[p, MOVES])
        for below in sorted(children, key=near):
            row[-1] |= plant(below, children[below])
        row[NEXT] = len(nodes)
        return row[-1]

    heads, nodes, leaves = [0], list[list[int]](), list[int]()
    for first, last in pairwise(tables.heads.tolist()):
        root: Node = {}, []
        for p in range(first, last):
            begin, end = tables.placements[p, [NEEDS, NEEDS_END]].tolist()
            node = root
            for need in sorted(map(tuple, tables.needs[begin:end].tolist()), key=near):
                node = node[0].setdefault(need, ({}, []))
            node[1].append(p)
        plant((0, 0, int(ANY)), root)
        heads.append(len(nodes))
    return heads, nodes, leaves


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
    heads, nodes, leaves = naive_tree(chosen)
    assert (tree.node_heads.tolist(), tree.nodes.tolist()) == (heads, nodes)
    assert (tree.leaves == chosen.placements[leaves]).all()
    assert len(tree.leaves) == keep.sum()


def test_a_heading_without_placements_has_no_node() -> None:
    tables = compile_rules(specs("found-9"))
    heads = np.array([0, 0, 5, 5, 5], dtype=np.int32)
    tree = planted(tables._replace(placements=tables.placements[:5], heads=heads))
    assert tree.node_heads[1] == 0
    assert (np.diff(tree.node_heads) > 0).tolist() == [False, True, False, False]


@pytest.mark.parametrize("side", [7, 11])
def test_a_tree_says_what_groups_say(side: int) -> None:
    board = Board.square(side)
    tree, groups = tables("found-9", board)
    assert len(tree.nodes)
    assert not len(groups.nodes)
    by_tree, by_groups = new_drawn(tree, board), new_drawn(groups, board)
    alone = by_tree._replace(masks=np.zeros(1, np.int32))
    fired = 0
    for seed in range(4):
        whole = exact_walk(board, seed).position
        for steps in range(1, len(whole.walk) - 2):
            position = whole.back(steps)
            if position.heading < 0:
                continue
            united, masks = said(by_groups, position)
            assert said(by_tree, position) == (united, masks)
            assert said(alone, position) == (united, [united])
            fired += united > 0
    assert fired > 50


def test_what_is_below_a_node_lies_between_it_and_the_next() -> None:
    tree, _ = tables("found-9", Board.square(9))
    heads = tree.node_heads.tolist()
    for begin, end in pairwise(heads):
        for at in range(begin, end):
            assert at < tree.nodes[at, NEXT] <= end
    assert sorted(tree.leaves.tolist()) == sorted(tree.placements.tolist())


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
        longer = getattr(compiled, name)[[0, *range(5)]]
        tables_module._keep(file, compiled._replace(**{name: longer}))
        assert (again(rules), again(rules)) == (1, 0)
    again([replace(rule, note="not as its file says") for rule in rules])
    assert [*tmp_path.iterdir()] == [file]


def test_rules_that_stop_others_have_no_tree() -> None:
    rules = [rule for rule in specs("seed-9-size") if rule.stops or rule.unless]
    assert rules
    fit = fitting(compile_rules(specs("seed-9-size")), Board.square(9))
    assert not len(fit.nodes)

"""The tables of a compiled rule set: shapes, shared trees, omitted placements."""

import re
from typing import TypeAlias

import numpy as np
import pytest

from heuristic.matching.tables import (
    NEEDS,
    Tables,
    compile_rules,
)
from heuristic.rules.drawing import CellState, RuleSpec
from heuristic.rules.rulefile import parse_rules
from tests.samples import specs

Need: TypeAlias = tuple[int, ...]
Node: TypeAlias = tuple[dict[Need, "Node"], list[int]]


def rule(drawing: str, name: str = "one") -> RuleSpec:
    text = f'[[rule]]\nname = "{name}"\nclaim = "unargued"\n'
    (spec,) = parse_rules(f"{text}drawing = '''\n{drawing}\n'''")
    return spec


WITHOUT_NEEDS = [rule("@ x"), rule("x ?\n@ #", "two"), rule("x @", "three")]


def leaves_of(tables: Tables, heading: int) -> range:
    """Return the numbers of the leaves of a heading."""
    _, end, first = tables.trees[heading].tolist()
    return range(first, first + int(tables.firsts[end]))


def needs_of(tables: Tables, leaf: int) -> tuple[Need, ...]:
    """Return the needs of a leaf: row, column, states."""
    begin, end = tables.leaves[leaf, [NEEDS, NEEDS + 1]].tolist()
    return tuple(map(tuple, tables.needs[begin:end].tolist()))


@pytest.mark.parametrize("group", ["found-7", "seed-close", "seed-9-size"])
def test_tables_have_the_shapes_that_their_docstring_says(group: str) -> None:
    rows = re.findall(r"- `(\w+)`, \(([\w ]+),(?: (\w+))?\)", Tables.__doc__ or "")
    assert [name for name, *_ in rows] == [*Tables._fields]
    rules = specs(group)
    for made in (compile_rules(rules, 9), compile_rules([], 9)):
        for name, count, width in rows:
            table = getattr(made, name)
            if name != "blocks":
                assert table.shape[1:] == ((int(width),) if width else ())
            assert not count.isdigit() or len(table) == int(count)
            assert table.dtype == (np.int64 if name == "nodes" else np.int32)
    blocks = compile_rules(rules, 9).blocks
    assert blocks.shape == ((group != "found-7") * len(rules), len(rules))


def test_headings_that_are_turns_of_each_other_share_their_tree() -> None:
    trees = compile_rules(specs("found-9"), 9).trees.tolist()
    assert trees == 4 * trees[:1]
    by_board = compile_rules(specs("seed-9-size"), 9).trees.tolist()
    assert len({tuple(tree) for tree in by_board}) > 1


@pytest.mark.parametrize("group", ["", "found-9", "seed-9-size"])
@pytest.mark.parametrize("side", [4, 6, 30])
def test_placements_that_are_larger_than_a_board_are_left_out(
    group: str, side: int
) -> None:
    rules = specs(group) if group else WITHOUT_NEEDS
    whole, fit = compile_rules(rules, 99), compile_rules(rules, side)
    for heading in range(4):
        there = {needs_of(fit, leaf) for leaf in leaves_of(fit, heading)}
        for leaf in leaves_of(whole, heading):
            inner = [x for x in needs_of(whole, leaf) if not x[2] & CellState.OUTSIDE]
            rows, cols, _ = zip((0, 0, 0), *inner, strict=True)
            fits = max(rows) - min(rows) < side > max(cols) - min(cols)
            assert (needs_of(whole, leaf) in there) == fits

"""The tables of a compiled rule set: shapes and shared trees."""

import re

import numpy as np
import pytest

from heuristic.matching.tables import Tables, compile_rules
from tests.samples import specs


@pytest.mark.parametrize("group", ["found-7", "seed-close", "seed-9-size"])
def test_tables_have_the_shapes_that_their_docstring_says(group: str) -> None:
    rows = re.findall(r"- `(\w+)`, \(([\w ]+),(?: (\w+))?\)", Tables.__doc__ or "")
    assert [name for name, *_ in rows] == [*Tables._fields]
    rules = specs(group)
    for made in (compile_rules(rules), compile_rules([])):
        for name, count, width in rows:
            table = getattr(made, name)
            if name != "blocks":
                assert table.shape[1:] == ((int(width),) if width else ())
            assert not count.isdigit() or len(table) == int(count)
            assert table.dtype == (np.int64 if name == "nodes" else np.int32)
    blocks = compile_rules(rules).blocks
    assert blocks.shape == ((group != "found-7") * len(rules), len(rules))


def test_headings_that_are_turns_of_each_other_share_their_tree() -> None:
    trees = compile_rules(specs("found-9")).trees.tolist()
    assert trees == 4 * trees[:1]
    by_board = compile_rules(specs("seed-9-size")).trees.tolist()
    assert len({tuple(tree) for tree in by_board}) > 1

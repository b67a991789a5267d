"""What stands in the tables of a compiled rule set, and which of them are kept."""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from heuristic.matching import tables as tables_module
from heuristic.matching.tables import (
    NEEDS,
    NEEDS_END,
    NUMBER,
    Tables,
    compile_rules,
)
from heuristic.rules.drawing import CellState, RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.errors import OptionError
from tests.samples import specs

Need: TypeAlias = tuple[int, ...]
Node: TypeAlias = tuple[dict[Need, "Node"], list[int]]


def rule(drawing: str, name: str = "one") -> RuleSpec:
    text = f'[[rule]]\nname = "{name}"\nclaim = "unargued"\n'
    (spec,) = parse_rules(f"{text}drawing = '''\n{drawing}\n'''")
    return spec


WITHOUT_NEEDS = [rule("@ x"), rule("x ?\n@ #", "two"), rule("x @", "three")]


def needs_of(tables: Tables, leaf: int) -> tuple[Need, ...]:
    """Return the needs of a leaf: row, column, states."""
    begin, end = tables.leaves[leaf, [NEEDS, NEEDS_END]].tolist()
    return tuple(map(tuple, tables.needs[begin:end].tolist()))


@pytest.mark.parametrize("group", ["found-7", "seed-close", "seed-9-size"])
def test_tables_have_the_shapes_that_their_docstring_says(group: str) -> None:
    rows = re.findall(r"- `(\w+)`, \(([\w ]+),(?: (\d+))?\)", Tables.__doc__ or "")
    assert [name for name, *_ in rows] == [*Tables._fields]
    for made in (compile_rules(specs(group), 9), compile_rules([], 9)):
        for name, count, width in rows:
            table = getattr(made, name)
            assert table.shape[1:] == ((int(width),) if width else ())
            assert count in ("n", "0") or len(table) == int(count)
            assert table.dtype == (np.int64 if name == "nodes" else np.int32)
    tree = compile_rules(specs(group), 9)
    assert len(tree.ordered) == (group != "found-7")


def test_headings_that_are_turns_of_each_other_share_their_nodes() -> None:
    tree = compile_rules(specs("found-9"), 9)
    (begin, end), *others = tree.node_heads.tolist()
    assert others == 3 * [[begin, end]]
    assert len(tree.nodes) == end + 1


@pytest.mark.parametrize("group", ["", "found-9", "seed-9-size"])
@pytest.mark.parametrize("side", [4, 6, 30])
def test_placements_that_are_larger_than_a_board_are_left_out(
    group: str, side: int
) -> None:
    whole = tables_module._Compiler(specs(group) if group else WITHOUT_NEEDS).tables()
    fit = compile_rules(specs(group) if group else WITHOUT_NEEDS, side)
    for heading in range(4):
        numbers = set()
        for leaf in range(*whole.heads[heading:][:2].tolist()):
            inner = [x for x in needs_of(whole, leaf) if not x[2] & CellState.OUTSIDE]
            rows, cols, _ = zip((0, 0, 0), *inner, strict=True)
            if max(rows) - min(rows) < side > max(cols) - min(cols):
                numbers.add(int(whole.leaves[leaf, NUMBER]))
        there = fit.leaves[slice(*fit.heads[heading:][:2]), NUMBER].tolist()
        assert sorted(there) == sorted(numbers)


def test_tables_of_many_drawings_are_kept_on_disk_and_only_whole_ones_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "cache_folder", lambda: tmp_path)
    rules, compiler = specs("found-7"), tables_module._Compiler
    compiled = compile_rules(rules, 9)
    assert not list(tmp_path.iterdir())  # few drawings
    monkeypatch.setattr(tables_module, "_LARGE", 1)
    made = list[object]()

    def compiling(rules: Sequence[RuleSpec]) -> object:
        made.append(rules)
        return compiler(rules)

    monkeypatch.setattr(tables_module, "_Compiler", compiling)

    def again() -> int:
        """Compile once more; how often rules were compiled for it."""
        made.clear()
        for one, other in zip(compile_rules(rules, 9), compiled, strict=True):
            np.testing.assert_array_equal(one, other)
        return len(made)

    assert (again(), again()) == (1, 0)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[:100] + b"!" + whole[101:]):
        file.write_bytes(damaged)
        assert (again(), again()) == (1, 0)
    changed = [replace(rule, note="not as its file says") for rule in rules]
    compile_rules(changed, 9)
    assert [*tmp_path.iterdir()] == [file]


def test_a_file_of_tables_is_named_by_its_rules_and_by_the_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables_module, "_LARGE", 2)
    code = ["old"]
    monkeypatch.setattr(
        tables_module, "source_key", lambda module, whole=False: module + code[0]
    )
    one, two, three = WITHOUT_NEEDS
    sets = [[one, two], [two, one], [one, three], [one, two, three]]
    names = {tables_module._file_of(rules) for rules in sets}
    code[0] = "new"
    names.add(tables_module._file_of(sets[0]))
    assert len(names) == len(sets) + 1
    assert None not in names
    assert tables_module._file_of([one]) is None


def test_the_tables_of_the_last_rule_sets_stay_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = tables_module._Compiler(WITHOUT_NEEDS).tables()
    (tmp_path / "kernel").touch()
    for number in range(6):
        file = tmp_path / f"tables-{9 - number}"
        tables_module._keep(file, tables)
        os.utime(file, (number, number))
    left = {"kernel", *(f"tables-{9 - number}" for number in range(2, 6))}
    assert {file.name for file in tmp_path.iterdir()} == left
    for error in (OSError("full"), OptionError("not ours")):

        def refuse(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(tables_module, "write_with_digest", refuse)
        tables_module._keep(tmp_path / "tables-x", tables)
    assert {file.name for file in tmp_path.iterdir()} == left

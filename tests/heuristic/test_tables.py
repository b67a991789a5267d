"""What stands in the tables of a compiled rule set, and which of them are kept."""

import os
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heuristic.matching import tables as tables_module
from heuristic.matching.tables import (
    NEEDS,
    NEEDS_END,
    RULE,
    SKIP,
    Tables,
    compile_rules,
    fitting,
    grouped,
    planted,
)
from heuristic.rules.drawing import ANY, CellNeed, CellState, Drawing, RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.errors import OptionError
from tests.samples import specs

Need = tuple[int, ...]


def needs_of(tables: Tables, p: int) -> tuple[Need, ...]:
    """Return the needs of a placement: row, column, states."""
    begin, end = tables.placements[p, [NEEDS, NEEDS_END]].tolist()
    return tuple(map(tuple, tables.needs[begin:end].tolist()))


def rule(drawing: str, name: str = "one", more: str = "") -> RuleSpec:
    text = f'[[rule]]\nname = "{name}"\nclaim = "unargued"\n{more}\n'
    (spec,) = parse_rules(f"{text}drawing = '''\n{drawing}\n'''")
    assert isinstance(spec, RuleSpec)
    return spec


WITHOUT_NEEDS = [rule("@ x"), rule("x ?\n@ #", "two"), rule("x @", "three")]


@pytest.mark.parametrize("group", ["found-7", "seed-close", "seed-9-size"])
def test_tables_have_the_shapes_that_their_docstring_says(group: str) -> None:
    rows = re.findall(r"- `(\w+)`, \((\w+),(?: (\d+))?\)", Tables.__doc__ or "")
    assert [name for name, *_ in rows] == [*Tables._fields]
    compiled = compile_rules(specs(group))
    for made in (compiled, grouped(compiled), planted(compiled), compile_rules([])):
        for name, count, width in rows:
            table = getattr(made, name)
            assert table.shape[1:] == ((int(width),) if width else ())
            assert count == "n" or len(table) == int(count)
            assert table.dtype == (np.int64 if name == "nodes" else np.int32)
    for name in ("nodes", "firsts", "leaves"):
        tree = planted(compiled)
        assert len(getattr(tree, name)) > 0 == len(getattr(compiled, name))
        assert len(getattr(grouped(tree), name)) == 0
        assert tree.node_heads.any()
        assert not grouped(tree).node_heads.any()


@pytest.mark.parametrize("group", ["", "found-9", "seed-9-size"])
@pytest.mark.parametrize("side", [4, 6, 30])
def test_placements_that_fit_stand_in_groups_of_one_first_need(
    group: str, side: int
) -> None:
    whole = compile_rules(specs(group) if group else WITHOUT_NEEDS)
    fit, row = fitting(whole, side), 0
    rest = [x for x in range(whole.placements.shape[1]) if x != SKIP]
    groups = [tuple(one) for one in fit.groups.tolist()]
    for heading in range(4):
        assert fit.heads[heading] == row
        assert fit.group_heads[heading] == len(fit.groups) - len(groups)
        kept = []
        for p in range(*whole.heads[heading : heading + 2].tolist()):
            inner = [x[:2] for x in needs_of(whole, p) if not x[2] & CellState.OUTSIDE]
            ways = zip((0, 0), *inner, strict=True)
            sides = [max(way) - min(way) for way in ways]
            if max(sides) < side:
                assert (fit.placements[row, rest] == whole.placements[p, rest]).all()
                kept.append((int(whole.placements[p, RULE]), needs_of(whole, p)))
                row += 1
        assert kept == sorted(kept, key=lambda one: (one[0], one[1] or NO_NEED))
        begin = int(fit.heads[heading])
        for (of_rule, first), same in groupby(kept, lambda x: (x[0], x[1][:1])):
            end = begin + len([*same])
            assert groups.pop(0) == (*(first or NO_NEED)[0], begin, end, of_rule)
            begin = end
        at = int(fit.heads[heading])
        for _, same in groupby(kept):
            end = at + len([*same])
            assert (fit.placements[at:end, SKIP] == end).all()
            at = end
    assert fit.heads[4] == len(fit.placements) == row
    assert fit.group_heads[4] == len(fit.groups)
    assert not groups


NO_NEED = ((0, 0, int(ANY)),)


def test_needs_that_fail_most_often_are_tested_first() -> None:
    free, visited, outside = CellState.FREE, CellState.VISITED, CellState.OUTSIDE
    order = [
        CellNeed((-2, 3), outside),
        CellNeed((-2, 0), outside),
        CellNeed((1, 2), visited, not_end=True),
        CellNeed((0, -1), visited | outside),
        CellNeed((1, 0), free | outside),
        CellNeed((-1, -1), free, not_end=True),
        CellNeed((0, 4), free | visited),
    ]
    drawing = Drawing("", tuple(sorted(order, key=repr)), (), (), ((-1, 0),))
    tables = compile_rules([RuleSpec("one", "sound", "a test", "so", (drawing,))])
    begin, end = tables.heads[1:3].tolist()  # heading R
    assert {needs_of(tables, p) for p in range(begin, end)} == {
        tuple(
            (mirror * need.at[1], -need.at[0], int(need.states) | 8 * need.not_end)
            for need in order
        )
        for mirror in (1, -1)
    }


def test_tables_are_named_by_their_rules_and_by_the_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables_module, "_LARGE", 2)
    asked, code = set[tuple[str, bool]](), ["old"]

    def source_key(module: str, *, whole: bool = False) -> str:
        asked.add((module, whole))
        return code[0] if module in ("heuristic.rules.rulefile", code[-1]) else module

    monkeypatch.setattr(tables_module, "source_key", source_key)
    one, two, three = WITHOUT_NEEDS
    sets = [[one, two], [two, one], [one, three], [one, two, three]]
    names = {tables_module._key(rules) for rules in sets}
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in names)
    code[0] = "new"
    names.add(tables_module._key(sets[0]))
    code.append("heuristic.matching.tables")
    names.add(tables_module._key(sets[0]))
    assert len(names) == len(sets) + 2
    modules = "heuristic.matching.tables", "heuristic.rules.rulefile"
    assert asked == {(module, True) for module in modules}
    assert tables_module._key([one]) == ""


def test_the_tables_of_the_last_rule_sets_stay_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = compile_rules(WITHOUT_NEEDS)
    other = tmp_path / "kernel"
    other.touch()
    for number in range(6):
        file = tmp_path / f"tables-{9 - number}"
        tables_module._keep(file, tables)
        os.utime(file, (number, number))
    left = {other.name, *(f"tables-{9 - number}" for number in range(2, 6))}
    assert {file.name for file in tmp_path.iterdir()} == left
    for one, kept in zip(tables, tables_module._read(file) or (), strict=True):
        np.testing.assert_array_equal(one, kept)
    wrong: list[Any] = [np.zeros((2, 7), np.int32), np.zeros((2, 6), np.int64)]
    for areas in (*wrong, wrong[0][0]):
        tables_module._keep(file, tables._replace(areas=areas))
        assert tables_module._read(file) is None
    tables_module._keep(file, tables)
    assert tables_module._read(tmp_path / "tables-") is None
    for error in (OSError("full"), OptionError("not ours")):

        def refuse(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(tables_module, "write_with_digest", refuse)
        tables_module._keep(tmp_path / "tables-x", tables)
    assert {file.name for file in tmp_path.iterdir()} == left

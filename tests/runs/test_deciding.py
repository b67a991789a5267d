"""The key of a ledger covers all modules that decide the results of its run."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from solver.board import Board
from verify.evidence.comparing import oracles
from verify.evidence.evidence import trials, walk_counts
from verify.evidence.mining import mining, shrinking
from verify.puzzles.knight import enumeration
from verify.runs.longrun import LongRun
from verify.verdict.report import judging

ROOT = Path(__file__).parents[2]
APART = "verify.runs", "verify.corpus", "verify.formatting"  # no result depends on them
RULES, BOARD = load_rules("seed-5"), Board.square(5)
RUNS: list[LongRun[Any]] = [
    trials(["seed-5"], [("5", "sat", None)], seed=0),
    walk_counts(RULES, [BOARD], count=1, seed=0),
    mining(RULES, BOARD, count=1, seed=0),
    shrinking(RULES, [], boards=RULES.rules[0].boards),
    oracles(1, seed=0),
    enumeration(["c3"]),
    judging("c-shape", corpus=Path("none")),
]


def source(module: str) -> Path:
    return ROOT / f"{module.replace('.', '/')}.py"


def imported(module: str) -> Iterator[str]:
    """Yield the modules of `verify` that a module imports."""
    for node in ast.walk(ast.parse(source(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{x.name}" for x in node.names)]
            yield from (name for name in names if name.startswith("verify."))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_every_module_behind_a_run_decides_its_key(run: LongRun[Any]) -> None:
    todo, seen = [run.work.prepare.__module__], set[str]()
    while todo:
        module = todo.pop()
        if module not in seen and source(module).exists():
            seen.add(module)
            todo += imported(module)
    behind = {module for module in seen if not module.startswith(APART)}
    assert behind
    covered = {
        m
        for m in behind
        if f"{m}.".startswith(tuple(f"{r}." for r in run.work.modules))
    }
    assert covered == behind

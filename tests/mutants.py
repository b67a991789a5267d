"""Small wrong changes of what must be believed, tried on the tests: `make mutants`.

The changes are those of mutmut, decorated functions too. Tests are collected and run
once in one process, with kernels as plain Python; a fork for each change puts the
changed code into the function and runs the tests that reach its line, the fastest
and those that failed most often first, until one fails. `tests/mutants.toml` has the
tests by module, and the changes that change nothing, each with its reason.
"""

import argparse
import ast
import gc
import inspect
import os
import resource
import signal
import time
import tomllib
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from importlib import import_module
from operator import eq
from pathlib import Path
from typing import Any

import coverage
import libcst as cst
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings
from mutmut.mutation.file_mutation import create_mutations

from solver.jit import plain

ROOT = Path(__file__).resolve().parent.parent
KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
LONGEST = 20.0  # seconds of processor time that the tests of one mutant may take


@dataclass(frozen=True)
class Mutant:
    name: str  # function: its lines as they are -> as they would be
    lines: list[int]  # of the file
    place: str  # the function, within its class
    code: str  # of the function, or of its class with it alone


def alike(a: list[str], b: list[str]) -> int:
    """Return how many lines two texts have in common at their beginning."""
    return next(i for i, same in enumerate([*map(eq, a, b), False]) if not same)


def mutants(path: str) -> Iterator[Mutant]:
    """Yield the changes of the functions and methods of a module."""
    text = Path(path).read_text(encoding="utf-8")
    lines, starts = text.split("\n"), {}
    reach: dict[int, range] = {}  # lines by which it is known that one of them is run
    for part in ast.walk(ast.parse(text)):
        if isinstance(part, ast.stmt) and not hasattr(part, "body"):
            whole = range(part.lineno, (part.end_lineno or 0) + 1)
            reach |= dict.fromkeys(whole, whole)
    for top in ast.parse(text).body:
        for node in top.body if isinstance(top, ast.ClassDef) else [top]:
            if isinstance(node, ast.FunctionDef):
                of = f"{top.name}." if isinstance(top, ast.ClassDef) else ""
                starts[of + node.name] = node.lineno
                for line in range(node.lineno, node.body[0].lineno):
                    reach[line] = range(node.lineno, (node.end_lineno or 0) + 1)
                if node.decorator_list:  # or mutmut would leave it out
                    first = node.decorator_list[0].lineno
                    lines[first - 1 : node.lineno - 1] = [""] * (node.lineno - first)
    module, found, *_ = create_mutations(path, "\n".join(lines))
    owner = {
        id(node): top.name.value
        for top in module.body
        if isinstance(top, cst.ClassDef)
        for node in top.body.body
    }
    again = Counter[str]()
    for one in found:
        function = one.contained_by_top_level_function
        if not isinstance(function, cst.FunctionDef):
            continue
        of = owner.get(id(function), "")
        place = f"{of}.{function.name.value}" if of else function.name.value
        function = function.with_changes(leading_lines=())
        changed = function.deep_replace(one.original_node, one.mutated_node)
        code = module.code_for_node(changed)
        old, new = module.code_for_node(function).split("\n"), code.split("\n")
        if old == new:
            continue
        at = alike(old, new)
        end = alike(old[:at:-1], new[:at:-1])
        parts = (" ".join(x.strip() for x in s[at : len(s) - end]) for s in (old, new))
        name = f"{place}: " + " -> ".join(parts)
        again[name] += 1
        if again[name] > 1:
            name += f" #{again[name]}"
        span = range(starts[place] + at, starts[place] + len(old) - end)
        within = [x for line in span for x in reach.get(line, [line])]
        yield Mutant(name, within, place, f"class {of}:\n{code}" if of else code)


def replace(module: types.ModuleType, mutant: Mutant, copies: list[Any]) -> None:
    """Put the changed code into the function, whoever holds it, and into its copies."""
    space = dict(vars(module))
    exec(compile(mutant.code, str(module.__file__), "exec"), space)
    live, new = module, types.SimpleNamespace(**space)
    for name in mutant.place.split("."):
        live, new = (
            inspect.getattr_static(live, name),
            inspect.getattr_static(new, name),
        )
    for name in ("__func__", "fget", "func", "py_func", "__wrapped__"):
        live = getattr(live, name, live)
    named = module.__name__, mutant.place
    held = [one for one in copies if (one.__module__, one.__qualname__) == named]
    for one in (live, *held):
        for name in ("__code__", "__defaults__", "__kwdefaults__"):
            setattr(one, name, getattr(new, name))


def functions_of(name: str) -> list[types.FunctionType]:
    """Return functions of a module and of its copies, but for those that are frozen."""
    return [
        one
        for one in gc.get_objects()
        if isinstance(one, types.FunctionType)
        and one.__module__ == name
        and not hasattr(one, "__wrapped__")
    ]


def failed(item: pytest.Item) -> bool:
    return any(x.failed for x in runtestprotocol(item, log=False, nextitem=None))


class Runner:
    """Runs the mutants of some modules in place of the tests that were collected."""

    def __init__(self, paths: list[str], first: int, every: int) -> None:
        self.paths, self.some = paths, slice(first, None, every)
        self.outcomes: dict[str, Counter[str]] = {}
        self.noticed = Counter[str]()  # changes, by the test that failed

    def pytest_sessionstart(self) -> None:
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants", settings(), derandomize=True, database=None, phases=phases
        )
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        changes = {path: [*mutants(path)][self.some] for path in self.paths}
        names = {p: p.removesuffix(".py").replace("/", ".") for p in self.paths}
        modules = {path: import_module(name) for path, name in names.items()}
        cover = coverage.Coverage(data_file=None, include=self.paths, config_file=False)
        spent = dict[str, float]()
        cover.start()
        for item in session.items:
            began = time.process_time()
            cover.switch_context(item.nodeid)
            if item.name in KNOWN["left_out"]:
                continue
            if failed(item):
                raise pytest.UsageError(f"{item.nodeid} fails without any change")
            spent[item.nodeid] = time.process_time() - began
        cover.stop()
        gc.unfreeze()  # or nothing that was imported with the tests is found
        caches = [
            one
            for one in gc.get_objects()
            if isinstance(one, _lru_cache_wrapper)
            and one.__module__.startswith(("solver", "heuristic", "verify"))
        ]
        functions = [  # those that `solver.jit.plain` has copied, too
            one for name in names.values() for one in functions_of(name)
        ]
        gc.freeze()
        for path, module in modules.items():
            by_line = cover.get_data().contexts_by_lineno(str(ROOT / path))
            known = dict(KNOWN["equivalent"].get(path, {}))
            told = self.outcomes[path] = Counter()
            for mutant in changes[path]:
                ids = {x for line in mutant.lines for x in by_line.get(line, ()) if x}
                items, left = [], LONGEST
                ids &= spent.keys()
                reaching = [item for item in session.items if item.nodeid in ids]
                for item in sorted(reaching, key=lambda x: spent[x.nodeid]):
                    left -= spent[item.nodeid]
                    if left > 0:
                        items.append(item)
                items.sort(key=lambda x: spent[x.nodeid] / (1 + self.noticed[x.nodeid]))
                how = "untested"
                if items:
                    how = self.tried(module, mutant, items, caches, spent, functions)
                if mutant.name in known:
                    how = "equivalent" if how == "survived" else f"known, but {how}"
                told[how] += 1
                if how not in ("killed", "endless", "equivalent"):
                    print(f"{path} {mutant.lines[0]} {how}: {mutant.name}", flush=True)
            print(path, dict(told), flush=True)
        return True

    def tried(
        self,
        module: types.ModuleType,
        mutant: Mutant,
        items: list[pytest.Item],
        caches: list[Any],
        spent: dict[str, float],
        functions: list[Any],
    ) -> str:
        child = os.fork()
        if child:
            status = os.waitpid(child, 0)[1]
            if os.WIFSIGNALED(status):
                return (
                    "endless" if os.WTERMSIG(status) == signal.SIGVTALRM else "killed"
                )
            number = os.WEXITSTATUS(status)
            self.noticed.update(x.nodeid for x in items[number - 1 : number])
            return "killed" if number else "survived"
        code = 255
        try:
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
            for cached in caches:
                cached.cache_clear()
            name = module.__name__
            if {id(x.__globals__) for x in functions if x.__module__ == name} - {
                id(vars(module))
            }:
                plain(name)  # anew: tests change their copies, and find this one
                functions = [*functions, *functions_of(name)]
            replace(module, mutant, functions)
            for number, item in enumerate(items, 1):
                limit = 4 + 4 * spent[item.nodeid]
                signal.setitimer(signal.ITIMER_VIRTUAL, limit)
                signal.alarm(60 + int(100 * limit))  # one that waits takes no time
                code = min(number, 255)
                if failed(item):
                    break
            else:
                code = 0
        finally:
            os._exit(code)


TABLE = ROOT / "docs/tables/mutants.md"
COLUMNS = ("killed", "endless", "equivalent", "survived", "untested")


def write_rows(outcomes: dict[str, Counter[str]], every: int) -> None:
    """Put the rows of modules into the table; those of other modules stay."""
    head, mark, body = TABLE.read_text(encoding="utf-8").rpartition("| --- |\n")
    rows = dict(line.strip("| ").split(" | ", 1) for line in body.splitlines())
    for path, told in outcomes.items():
        if not told:
            continue
        right = told["killed"] + told["endless"]
        asked = told.total() - told["equivalent"]
        score = f"{100 * right / asked:.1f} %" if asked else ""
        which = "all" if every == 1 else f"one of {every}"
        cells = [which, told.total(), *(told[x] for x in COLUMNS), score]
        rows[f"`{path}`"] = " | ".join(map(str, cells))
    lines = [f"| {name} | {row} |\n" for name, row in sorted(rows.items())]
    TABLE.write_text(head + mark + "".join(lines), encoding="utf-8")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("paths", nargs="*", help="modules, or folders of them")
    ask.add_argument("--every", type=int, default=1, help="try one of so many")
    ask.add_argument("--first", type=int, default=0, help="begin with this one, from 0")
    given = ask.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for group in KNOWN["tests"]:
        files = [file for name in group["of"] for file in sorted(ROOT.glob(name))]
        paths = [str(file.relative_to(ROOT)) for file in files if file.stat().st_size]
        paths = [path for path in paths if path.startswith(tuple(given.paths or ("",)))]
        if paths and not os.fork():
            runner = Runner(paths, given.first, given.every)
            options = ["-q", "--tb=native", "-p", "no:cacheprovider", "-W", "ignore"]
            pytest.main([*options, *group["by"]], plugins=[runner])
            if not given.first:
                write_rows(runner.outcomes, given.every)
            os._exit(0)
        elif paths:
            os.wait()


if __name__ == "__main__":
    main()

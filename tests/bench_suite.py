"""Solvers on the benchmark suite: `python -m tests.bench_suite OUT.json`.

Each is asked for the verdict of the same instances, some of each rung, drawn by a seed.
Each try is a process of its own, on one core, under a limit of processor time; reading
the file is left out. What stands in OUT is not asked again. The table is Markdown: of a
rung the solved, and PAR-2, the mean of seconds where those that are not solved count
twice the limit. It has the instances that every solver was asked.
"""

import argparse
import json
import multiprocessing
import random
import resource
import signal
from collections.abc import Callable, Iterator
from itertools import zip_longest
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import Any, cast

from pysat.formula import CNF
from pysat.solvers import Solver

from solver.board import Position
from solver.export import SuiteInstance, cnf, problem_of, suite
from solver.files import write_whole
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.oracles.reference import CpsatOracle

SAT = {"CaDiCaL 1.9.5": "cadical195", "Glucose 4.2": "glucose42",
       "Kissat 4.0.4": "kissat404"}  # fmt: skip
OURS = ("search", "strips", "sat")
SOLVERS = (*OURS, *SAT, "cpsat")
Ask = Callable[[], bool | None]


def prepare(solver: str, position: Position, seconds: float) -> Ask:
    """Return what says whether there is a completion, None if it does not know."""
    if solver in SAT:
        clauses = CNF(from_string=cnf(problem_of(position))).clauses

        def by_sat() -> bool:
            with Solver(SAT[solver], clauses) as one:
                return bool(one.solve())

        return by_sat
    oracle: Oracle = get_oracle(solver)
    if solver == "cpsat":
        oracle = CpsatOracle(seconds=10 * seconds)
    known = {Verdict.COMPLETABLE: True, Verdict.DEAD: False}
    return lambda: known.get(oracle.decide(position).verdict)


def child(solver: str, text: str, seconds: float, answers: Connection) -> None:
    ask = prepare(solver, Position.parse(text), seconds)
    begin = processor_seconds()
    used = int(begin + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used, used + 1))
    found = ask()
    answers.send((found, processor_seconds() - begin))


def processor_seconds() -> float:
    """Return those used; the clock of `time` counts by ticks where a limit is set."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def drawn(most: int, seed: int) -> list[SuiteInstance]:
    """Return the instances: one of each rung, then the second of each, and so on."""
    rungs = dict[str, list[SuiteInstance]]()
    for known in suite():
        rungs.setdefault(known.rung, []).append(known)
    some = [
        random.Random(f"{seed} {rung}").sample(whole, min(most, len(whole)))
        for rung, whole in rungs.items()
    ]
    return [one for turn in zip_longest(*some) for one in turn if one is not None]


def ask_all(
    tasks: list[tuple[str, SuiteInstance]], options: argparse.Namespace
) -> Iterator[tuple[str, SuiteInstance, float | None]]:
    """Yield seconds, None if there was no answer; `jobs` processes at a time.

    After `minutes` no other instance is begun.
    """
    begin, begun = monotonic(), set[str]()
    waiting, running = tasks[::-1], dict[Connection, tuple[str, SuiteInstance, Any]]()
    while waiting or running:
        while waiting and len(running) < options.jobs:
            solver, known = waiting.pop()
            late = monotonic() - begin > 60 * options.minutes
            if late and known.name not in begun:
                waiting.clear()
                break
            begun.add(known.name)
            mine, other = multiprocessing.Pipe(duplex=False)
            process = multiprocessing.get_context("fork").Process(
                target=child, args=(solver, known.position, options.seconds, other)
            )
            process.start()
            other.close()
            running[mine] = solver, known, process
        for ready in cast("list[Connection]", wait(list(running))):
            solver, known, process = running.pop(ready)
            try:
                found, used = ready.recv()
            except EOFError:
                found, used = None, options.seconds
            process.join()
            assert process.exitcode in (0, -signal.SIGXCPU, -signal.SIGKILL)
            assert found in (None, known.completion is not None), (solver, known)
            good = found is not None and used <= options.seconds
            yield solver, known, used if good else None


def table(
    kept: dict[str, float | None], chosen: list[SuiteInstance], seconds: float
) -> str:
    """Return what every solver was asked, as Markdown."""
    done = [k for k in chosen if all(f"{s} {k.name}" in kept for s in SOLVERS)]
    rungs = {known.rung: 0 for known in suite() if known.rung in {k.rung for k in done}}
    lines = ["| | " + " | ".join(f"`{rung}`" for rung in rungs) + " | all |"]
    lines.append("| --- |" + " --- |" * (len(rungs) + 1))
    for solver in SOLVERS:
        row = []
        for rung in (*rungs, None):
            asked = [kept[f"{solver} {k.name}"] for k in done if rung in (None, k.rung)]
            good = [t for t in asked if t is not None]
            par2 = sum(good) + 2 * seconds * (len(asked) - len(good))
            mean = par2 / len(asked)
            shown = f"{mean:.0f}" if mean >= 100 else f"{mean:.2g}"
            shown = shown if mean >= 0.01 else "< 0.01"
            row.append(f"{len(good)} of {len(asked)}, {shown}")
        name = solver if solver[0].isupper() else f"`{solver}`"
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sample", type=int, default=4, help="instances of each rung")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--minutes", type=float, default=31)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    kept = json.loads(options.out.read_text()) if options.out.exists() else {}
    chosen = drawn(options.sample, options.seed)
    for solver in OURS:  # kernels are compiled here, not in each process
        prepare(solver, Position.parse("5:RD"), 1)()
    tasks = [(s, k) for k in chosen for s in SOLVERS if f"{s} {k.name}" not in kept]
    for solver, known, used in ask_all(tasks, options):
        kept[f"{solver} {known.name}"] = used
        write_whole(options.out, json.dumps(kept, indent=0) + "\n")
    print(table(kept, chosen, options.seconds))


if __name__ == "__main__":
    main()

"""Solvers on the benchmark suite: `python -m tests.bench_suite OUT.json`.

Each is asked for the verdict of every k-th instance of each rung, in a process of its
own and on one core, under a limit of processor time; reading the file is left out. What
stands in OUT is not asked again. Of a rung it prints the solved, and PAR-2: the mean of
seconds, those that are not solved counted as twice the limit.
"""

import argparse
import json
import multiprocessing
import resource
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from ortools.linear_solver.python import model_builder
from pysat.formula import CNF
from pysat.solvers import Solver

from solver.board import Position
from solver.export import cnf, instance, mps, suite
from solver.files import write_whole
from solver.oracles.oracle import Verdict, get_oracle

SAT = {"CaDiCaL 1.9.5": "cadical195", "Glucose 4.2": "glucose42",
       "Kissat 4.0.4": "kissat404"}  # fmt: skip
OURS = ("search", "strips", "sat")
Ask = Callable[[], bool | None]


def prepare(solver: str, position: Position, seconds: float) -> Ask:
    """Return what says whether there is a completion, None if it does not know."""
    if solver in SAT:
        clauses = CNF(from_string=cnf(instance(position))).clauses

        def by_sat() -> bool:
            with Solver(SAT[solver], clauses) as one:
                return bool(one.solve())

        return by_sat
    if solver == "HiGHS":
        model = model_builder.ModelBuilder()
        assert model.import_from_mps_string(mps(instance(position)))

        def by_programme() -> bool | None:
            status = model_builder.ModelSolver("highs").solve(model)
            known = {
                model_builder.SolveStatus.OPTIMAL: True,
                model_builder.SolveStatus.INFEASIBLE: False,
            }
            return known.get(status)

        return by_programme
    options = {"seconds": 10 * seconds} if solver == "cpsat" else {}
    oracle = get_oracle(solver, **options)
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


def timed(solver: str, text: str, seconds: float) -> tuple[bool | None, float]:
    """Return the answer and its seconds; None if the process was ended before."""
    mine, other = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=child, args=(solver, text, seconds, other)
    )
    process.start()
    other.close()
    try:
        found, used = mine.recv()
    except EOFError:
        found, used = None, seconds
    process.join()
    assert process.exitcode in (0, -signal.SIGXCPU, -signal.SIGKILL)
    return (found, used) if used <= seconds else (None, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--every", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    solvers = [*OURS, *SAT, "cpsat", "HiGHS"]
    kept = json.loads(options.out.read_text()) if options.out.exists() else {}
    rungs = dict[str, list[str]]()
    for known in suite():
        rungs.setdefault(known.rung, []).append(known.name)
    chosen = {name for names in rungs.values() for name in names[:: options.every]}
    for solver in OURS:  # kernels are compiled here, not in each process
        prepare(solver, Position.parse("5:RD"), 1)()
    for solver in solvers:
        for known in suite():
            if known.name in chosen and f"{solver} {known.name}" not in kept:
                found, used = timed(solver, known.position, options.seconds)
                assert found in (None, known.completion is not None), (solver, known)
                kept[f"{solver} {known.name}"] = used if found is not None else None
                write_whole(options.out, json.dumps(kept, indent=0) + "\n")
    print("| | " + " | ".join(rungs) + " | all |")
    print("| --- |" + " --- |" * (len(rungs) + 1))
    for solver in solvers:
        row = []
        for names in (*rungs.values(), sorted(chosen)):
            some = [kept[f"{solver} {name}"] for name in names if name in chosen]
            good = [t for t in some if t is not None and t <= options.seconds]
            par2 = sum(good) + 2 * options.seconds * (len(some) - len(good))
            row.append(f"{len(good)} of {len(some)}, {par2 / len(some):.2g} s")
        print(f"| {solver} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()

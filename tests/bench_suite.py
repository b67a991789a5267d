"""Solvers on the benchmark suite: `python -m tests.bench_suite OUT.json`.

All solvers decide the same instances, a random sample of each rung. Each try is a
process of its own under a limit of processor time, without reading the file. Results in
OUT are not measured again. The table is Markdown: for each rung the number solved, and
PAR-2, the mean of seconds in which unsolved instances count twice the limit.
"""

import argparse
import json
import multiprocessing
import random
import resource
from collections.abc import Callable
from itertools import zip_longest
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, process_time

from pysat.formula import CNF
from pysat.solvers import Solver

from solver.board import Position
from solver.export import SuiteInstance, cnf, problem_of, suite
from solver.files import write_whole
from solver.oracles.oracle import Verdict, get_oracle

SAT = {
    "CaDiCaL 1.9.5": "cadical195",
    "Glucose 4.2": "glucose42",
    "Kissat 4.0.4": "kissat404",
}
OURS = ("search", "strips", "sat")
SOLVERS = (*OURS, *SAT, "cpsat")
Results = dict[str, float | None]  # "solver instance" -> seconds, None if unsolved


def prepare(solver: str, text: str, seconds: float) -> Callable[[], bool | None]:
    """Return a call that decides a position: True, False, or None for no answer."""
    position = Position.parse(text)
    if solver in SAT:
        sat = Solver(SAT[solver], CNF(from_string=cnf(problem_of(position))).clauses)
        return lambda: bool(sat.solve())
    options = {"seconds": 10 * seconds} if solver == "cpsat" else {}
    oracle = get_oracle(solver, **options)
    answers = {Verdict.COMPLETABLE: True, Verdict.DEAD: False}
    return lambda: answers.get(oracle.decide(position).verdict)


def child(solver: str, text: str, seconds: float, answers: Connection) -> None:
    decide = prepare(solver, text, seconds)
    begin = process_time()
    most = int(begin + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    answers.send((decide(), process_time() - begin))


def measure(solver: str, instance: SuiteInstance, limit: float) -> float | None:
    """Return the seconds of a solver for an instance, None if it is unsolved."""
    mine, other = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=child, args=(solver, instance.position, limit, other)
    )
    process.start()
    other.close()
    try:
        answer, used = mine.recv()
    except EOFError:  # the limit killed it
        return None
    finally:
        process.join()
    assert answer in (None, instance.completion is not None), (solver, instance)
    return used if answer is not None and used <= limit else None


def sample(most: int, seed: int) -> list[SuiteInstance]:
    """Return the first instance of each rung, then the second of each, and so on."""
    rungs = dict[str, list[SuiteInstance]]()
    for instance in suite():
        rungs.setdefault(instance.rung, []).append(instance)
    chosen = [
        random.Random(f"{seed} {rung}").sample(whole, min(most, len(whole)))
        for rung, whole in rungs.items()
    ]
    return [item for turn in zip_longest(*chosen) for item in turn if item is not None]


def table(results: Results, chosen: list[SuiteInstance], limit: float) -> str:
    """Return the instances that every solver tried, as Markdown."""
    done = [k for k in chosen if all(f"{s} {k.name}" in results for s in SOLVERS)]
    tried = {k.rung for k in done}
    rungs = [rung for rung in dict.fromkeys(k.rung for k in suite()) if rung in tried]
    lines = ["| | " + " | ".join(f"`{rung}`" for rung in rungs) + " | all |"]
    lines.append("| --- |" + " --- |" * (len(rungs) + 1))
    for solver in SOLVERS:
        row = [solver if solver in SAT else f"`{solver}`"]
        for group in (*([rung] for rung in rungs), rungs):
            names = [k.name for k in done if k.rung in group]
            times = [results[f"{solver} {name}"] for name in names]
            solved = [t for t in times if t is not None]
            lost = 2 * limit * (len(times) - len(solved))
            mean = (sum(solved) + lost) / len(times)
            shown = f"{mean:.0f}" if mean >= 100 else f"{mean:.2g}"
            shown = shown if mean >= 0.01 else "< 0.01"
            row.append(f"{len(solved)} of {len(times)}, {shown}")
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    for name, value in (("sample", 4), ("seconds", 60), ("minutes", 31), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    results: Results = {}
    if options.out.exists():
        results = json.loads(options.out.read_text())
    chosen = sample(options.sample, options.seed)
    for solver in OURS:  # kernels are compiled here, not in each process
        prepare(solver, "5:RD", 1)()
    begin = monotonic()
    for instance in chosen:
        if monotonic() - begin > 60 * options.minutes:
            break
        for solver in SOLVERS:
            name = f"{solver} {instance.name}"
            if name not in results:
                results[name] = measure(solver, instance, options.seconds)
                write_whole(options.out, json.dumps(results, indent=0) + "\n")
    print(table(results, chosen, options.seconds))


if __name__ == "__main__":
    main()

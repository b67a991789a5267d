"""Exported formulas against other encodings of the same question, by two solvers.

`python -m tests.bench_export FILE.md` writes a table of 30 positions: ten completable,
ten dead, ten with walls. Each has ten seconds of a process of its own.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from multiprocessing import Process, SimpleQueue
from pathlib import Path
from random import Random
from typing import TypeAlias

from pysat.formula import CNF
from pysat.solvers import Solver

from solver.board import Board, Position
from solver.export import Instance, cnf, instance
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict, get_oracle

SECONDS = 10.0
SOLVERS = ("cadical195", "glucose4")
Clauses: TypeAlias = list[Sequence[int]]
# x^k + x^tap + 1 is primitive (Zierler and Brillhart, Information and Control 13, 1968)
TAPS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 9: 4, 10: 3}


def degrees(asked: Instance) -> Clauses:
    """Return what all encodings share: a successor and a predecessor each."""
    clauses: Clauses = []
    for some in asked.degrees():
        clauses += [some, *((-a, -b) for a, b in combinations(some, 2))]
    return [*clauses, *asked.short_loops()]


def exported(asked: Instance) -> Clauses:
    return list(CNF(from_string=cnf(asked)).clauses)


def binary(asked: Instance) -> Clauses:
    """Number the nodes in binary; only the live end's number is known."""
    clauses, bits = degrees(asked), max(1, (len(asked.nodes) - 1).bit_length())
    first = {n: len(asked.arcs) + 1 + bits * i for i, n in enumerate(asked.nodes)}
    clauses += [(-(first[asked.nodes[0]] + i),) for i in range(bits)]
    for variable, (a, b) in enumerate(asked.arcs, 1):
        p, q = first[a], first[b]
        clauses += [(-variable, -p, -q), (-variable, p, q)]
        for i in range(1, bits):
            low, then, x, y = p + i - 1, q + i - 1, p + i, q + i
            clauses += [(-variable, -low, then, x, y), (-variable, -low, then, -x, -y)]
            for stays in (low, -then):
                clauses += [(-variable, stays, -x, y), (-variable, stays, x, -y)]
    return clauses


def register(asked: Instance) -> Clauses:
    """Give nodes states of a shift register with feedback (Johnson 2014)."""
    clauses = degrees(asked)
    k = next(k for k in TAPS if 2**k - 1 > len(asked.nodes))
    first = {n: len(asked.arcs) + 1 + k * i for i, n in enumerate(asked.nodes)}
    start = first[asked.nodes[0]]
    clauses += [(start,), *((-(start + i),) for i in range(1, k))]
    clauses += [[first[node] + i for i in range(k)] for node in asked.nodes[1:]]
    for variable, (a, b) in enumerate(asked.arcs, 1):
        p, q = first[a], first[b]
        for i in range(k - 1):
            clauses += [(-variable, -(q + i), p + i + 1)]
            clauses += [(-variable, q + i, -(p + i + 1))]
        last, x, y = q + k - 1, p, p + TAPS[k]
        clauses += [(-variable, -last, x, y), (-variable, -last, -x, -y)]
        clauses += [(-variable, last, -x, y), (-variable, last, x, -y)]
    return clauses


def remainders(asked: Instance) -> Clauses:
    """Number the nodes by remainders of 4, 3, 5, 7, one variable each (Heule 2021)."""
    clauses, top = degrees(asked), len(asked.arcs)
    product = 1
    for modulus in (4, 3, 5, 7):
        if product > len(asked.nodes):
            break
        product *= modulus
        x = {
            n: range(top + 1 + modulus * i, top + 1 + modulus * (i + 1))
            for i, n in enumerate(asked.nodes)
        }
        top += modulus * len(asked.nodes)
        for states in x.values():
            clauses += [list(states), *((-a, -b) for a, b in combinations(states, 2))]
        clauses += [(x[asked.nodes[0]][0],)]
        for variable, (a, b) in enumerate(asked.arcs, 1):
            for j in range(modulus):
                after = x[b][(j + 1) % modulus]
                clauses += [(-variable, -x[a][j], after), (-variable, x[a][j], -after)]
    return clauses


ENCODINGS: dict[str, Callable[[Instance], Clauses]] = {
    "exported": exported,
    "binary": binary,
    "register": register,
    "remainders": remainders,
}


def positions() -> Iterator[tuple[str, Position]]:
    """Yield 30 positions with their kinds, of seed 1."""
    random, judge = Random(1), get_oracle("auto")
    for seed, side in enumerate((7, 8, 9, 9, 10, 10, 11, 11, 11, 11)):
        walk = exact_walk(_board(side), seed).position
        moves = random.randrange(side)
        yield "completable", Position(walk.board, walk.walk[: moves + 1])
    many = dict.fromkeys(("dead", "walls"), 0)
    while min(many.values()) < 10:
        kind = min(many, key=lambda one: many[one])
        side = random.choice((7, 8, 9))
        board = _board(side)
        if kind == "walls":
            board = _board(side, tuple(random.sample(range(1, board.end), 4)))
        here = Position(board)
        for _ in range(random.randrange(3, side * 2)):
            if options := [*here.options()]:
                here = here.step(random.choice(options))
        dead = judge.decide(here).verdict is Verdict.DEAD
        if here.free[board.end] and dead is (kind == "dead"):
            many[kind] += 1
            yield kind, here


def _board(side: int, walls: tuple[int, ...] = ()) -> Board:
    """Return a square from a corner to one, or beside one, of the right colour."""
    return Board(side, side, 0, side * side - 2 + side % 2, tuple(sorted(walls)))


def _solve(
    name: str, clauses: Clauses, answers: "SimpleQueue[tuple[bool, float]]"
) -> None:
    with Solver(name, clauses) as solver:
        begin = time.process_time()
        answers.put((bool(solver.solve()), time.process_time() - begin))


def seconds(name: str, clauses: Clauses) -> tuple[bool | None, float]:
    """Return the answer of a solver and its seconds; None after `SECONDS`."""
    answers: SimpleQueue[tuple[bool, float]] = SimpleQueue()
    process = Process(target=_solve, args=(name, clauses, answers))
    process.start()
    process.join(SECONDS * 4)  # of the clock; other work may share the machine
    if process.is_alive() or answers.empty():
        process.kill()
        process.join()
        return None, SECONDS
    answer, spent = answers.get()
    return answer, min(spent, SECONDS)


def main(path: Path) -> None:
    """Measure, compare the answers, and write the table."""
    sums = {(e, s): [0.0, 0] for e in ENCODINGS for s in SOLVERS}
    rows = []
    for kind, here in positions():
        asked, cells, verdicts = instance(here), [], set[bool]()
        for (encoding, solver), total in sums.items():
            answer, spent = seconds(solver, ENCODINGS[encoding](asked))
            verdicts |= {answer} - {None}  # type: ignore[arg-type] # None is left out
            total[0] += spent
            total[1] += answer is not None
            cells.append(f"{spent:.2f}" if answer is not None else "-")
        assert len(verdicts) == 1, here
        rows.append(f"| {kind} | `{here.notation}` | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    heads = [f"{encoding}, {solver}" for encoding, solver in sums]
    ends = [f"**{spent:.1f} ({solved})**" for spent, solved in sums.values()]
    path.write_text(
        "# Encodings of the exported question\n\n"
        "Seconds of processor time for 30 positions; `-`: no answer in "
        f"{SECONDS:g} seconds. The last row has sums, and how many were answered.\n\n"
        f"| | position | {' | '.join(heads)} |\n"
        f"|{' --- |' * (2 + len(heads))}\n"
        + "\n".join(rows)
        + f"\n| | all | {' | '.join(ends)} |\n",
        encoding="utf-8",
    )


def test_all_encodings_answer_alike() -> None:
    for notation in ("5:RD", "5:RRDLD", "5!2,3:"):
        asked = instance(Position.parse(notation))
        answers = set()
        for encoding in ENCODINGS.values():
            with Solver("cadical195", encoding(asked)) as solver:
                answers.add(solver.solve())
        assert len(answers) == 1, notation


if __name__ == "__main__":
    main(Path(sys.argv[1]))

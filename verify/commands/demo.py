"""`oneway demo` and `oneway selftest`: what an installation can do, and that it does.

`demo` shows the main job, or compiles all kernels in advance. `selftest` compares the
oracles with each other.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from typer import Exit, Option

from heuristic.groups import load_rules
from solver.board import Board
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from verify.commands import console, options
from verify.commands.verify import print_evidence, save_faults
from verify.corpus.cases import corpus_folder, save_case
from verify.corpus.faults import disagreement_case
from verify.evidence.comparing import oracles, summary_lines
from verify.evidence.evidence import verify_exhaustive
from verify.runs.pool import each

RULES = "seed-5"
NEXT = """\
Next:
  Is a rule right on every board?       oneway prove c-shape
  Where do rules get stuck?             oneway mine 7 --rules seed-5 -n 100
  Are the saved mistakes still fixed?   oneway corpus replay
  What do random boards show?           oneway fuzz seed-5
  Draw walks and rules in the browser:  oneway lab"""  # an installed wheel has no files


def demo(
    warm: bool = Option(False, "--warm", help="Compile the kernels of most commands."),
) -> None:
    """Show verdicts of a rule group, a gap and a saved case.

    `oneway` tests the four rules of seed-5 at every completable position of 5 x 5 and
    of 7 x 7. It shows the first gap with the moves that each rule forbids, minimises it
    and saves it as a case of the corpus.

    Kernels are compiled at first use and stay in your cache folder. --warm runs a small
    case of each command in two processes, so later commands start at once. Exit code 1
    if one of them failed.
    """
    if warm:
        wrong = [line for lines in each(_failures, LINES, 2) for line in lines]
        console.warn(*wrong)
        total = sum(map(len, LINES))
        console.say(f"compiled: {total - len(wrong)} of {total} commands")
        raise Exit(1 if wrong else 0)
    rule_set, oracle = load_rules(RULES), get_oracle("sat")
    for side in (5, 7):
        board = Board.square(side)
        walks = completable_positions(board).walks
        number = f"{walks:,} Hamiltonian walks from corner to corner"
        console.say(f"{side} x {side} has {number}")
        with console.progress(f"{rule_set.name} on {board.notation}") as bar:
            evidence = verify_exhaustive(rule_set, board, progress=bar.update)
        print_evidence(evidence, rule_set, oracle)
        for path, new in save_faults(evidence, rule_set, oracle, None):
            console.say(f"case {console.saved(path, new)}")
        console.say()
    console.say(NEXT)


LINES = (  # small cases; one process runs each group, whose kernels overlap
    (
        "verify seed-5 5",
        "verify seed-5 9 -n 20",
        "fuzz seed-5 -n 2",
        "stats 9 --rules seed-2024 -n 10",
        "discover 3x6 -o book.toml",
        "walk 9 --rules seed-5",
        "walk 9 --rules seed-9-future",
        "stats 9 --rules found-13 -n 10",
        "check 7:RRDRURDDLD --rules seed-kernels",
        "prove c-shape",
        "knight tour 8",
        "knight tour 100 -o tour.svg",
        "knight symmetric",
        "knight enumerate --start c3 --estimate 20000",
        "maze random:8,seed=4",
        "path path.txt",
    ),
    (
        "stats 9 --rules universal-4 -n 10",
        "walk 21 --exact --seed 1",
        "check 25:RRDD --rules seed-5,universal-4 --oracle search",
        "check --blame 7:RRDRURDDLDLU",
        "mine 9 --rules universal-4 -n 5",
        "milestones 7 --rules seed-7 -n 1000",
        "stats 9 --rules universal -n 10",
        "count 9:RRDD",
        "count 9:RRDD --rank",
        "walk 9 --uniform",
        "selftest -n 200 --jobs 1",
    ),
)


def _failures(lines: Sequence[str]) -> list[str]:
    from verify.start import command  # which imports this module

    wrong = []
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("path.txt").write_text("3 WBB WWU WBB 0\n", encoding="utf-8")
        for line in lines:
            sys.argv = ["oneway", "-q", *line.split()]
            errors = StringIO()
            with redirect_stdout(StringIO()), redirect_stderr(errors):
                good = command() in (0, 1)
            if not good:
                wrong.append(f"{line}: {errors.getvalue().strip()}")
    return wrong


def selftest(
    count: int = options.count(1_000_000, "Number of positions."),
    seed: options.Seed = 0,
    corpus: options.Corpus = None,
    jobs: options.Jobs = options.CORES,
) -> None:
    """Compare the oracles with each other on random positions.

    The positions are dead or completable, of 5 x 5 to 21 x 21, with walls and with
    ends inside the board. `sat` and `search` decide each position, the other oracles a
    sample or those they can. Independent code checks witnesses and a sample of proofs.
    A disagreement becomes a case of the corpus.

    Exit code 0 if there is no contradiction, 1 if there is.

    \b
    A short run:
      oneway selftest -n 1000
    """
    comparison = console.conduct(oracles(count, seed=seed), jobs)
    for line in comparison.faults:
        console.warn(f"a disagreement: {line}")
        case = disagreement_case(line, f"oneway selftest --seed {seed}")
        if case is None:
            console.note("no case: no witness and no proof decides all of its moves")
        else:
            path, new = save_case(case, corpus or corpus_folder())
            console.note(f"case {console.saved(path, new)}")
    console.say(*summary_lines(comparison))
    raise Exit(1 if comparison.faults else 0)

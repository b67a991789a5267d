"""`oneway selftest`: claims put on trial by code that shares nothing with them.

`oneway warm`: compile the kernels of the commands used most.

`oneway demo`: the main job in one go.
"""

import os
import sys
from concurrent.futures import as_completed
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import asdict
from io import StringIO
from tempfile import TemporaryDirectory
from typing import Any

import typer

from solver.errors import UnknownNameError
from verify.commands import console, options
from verify.commands.console import emit, kept, note, say, warn
from verify.commands.options import argument, option
from verify.commands.running import CORES, How, conduct


def selftest(
    what: str = argument("oracles."),
    count: int = option("--count -n", "Number of positions.", 1_000_000, min=1),
    seed: options.Seed = 0,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
    jobs: options.Jobs = CORES,
    cluster: options.Cluster = None,
) -> None:
    """Compare the oracles with each other on random positions.

    Positions of 5 x 5 to 21 x 21, with walls and inner ends, dead and completable, go
    to all oracles and the universal rules: `sat` and `search` decide each, `strips`
    those it has answers for, `frontier` the narrow ones, `cpsat` a sample. Independent
    code checks witnesses, reasons and a sample of proofs. A disagreement becomes a case
    of the corpus.

    Exit code 0 if there is no contradiction, 1 if there is, 2 on bad input.

    Try: oneway selftest oracles -n 1000
    """
    from verify.corpus.cases import corpus_folder, save_case
    from verify.corpus.making import disagreement_case
    from verify.evidence.comparing import oracles, summary_lines

    if what != "oracles":
        raise UnknownNameError("trial", what, ["oracles"])

    def keep(line: str) -> None:
        case = disagreement_case(line, f"oneway selftest oracles --seed {seed}")
        if case is None:
            note(f"no case, as no witness or proof settles all moves: {line}")
        else:
            note(f"case {kept(*save_case(case, corpus or corpus_folder()))}")

    def arrived(result: dict[str, Any]) -> None:
        for line in result.get("lines", ()):
            warn(f"a disagreement: {line}")
            keep(line)

    run = oracles(count, seed=seed)
    found = conduct(run, How(jobs, cluster), arrived=arrived)
    for line in found.lines:  # those of runs before, too
        keep(line)
    if as_json:
        emit(asdict(found))
    else:
        for line in summary_lines(found):
            say(line)
    raise typer.Exit(1 if found.faults else 0)


LINES = (  # small cases; each group is run by one process, as it compiles much the same
    (
        "verify seed-5 5 --ways",
        "verify seed-5 9 -n 20",
        "fuzz seed-5 -n 2",
        "stats 9 --rules seed-2024 -n 10",
        "discover 3x6 -o book.toml",
        "walk 9 --rules seed-9-future",
        "stats 9 --rules found-13 -n 10",
        "check 7:RRDRURDDLD --rules seed-kernels",
        "prove c-shape",
        "knight tour 8",
        "knight tour 100 -o tour.svg",
        "knight symmetric",
        "knight enumerate --start c3 --estimate 20000",
        "maze solve random:8,moves=5",
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
        "rank 9:RRDD",
        "walk 9 --uniform",
        "selftest oracles -n 200 --jobs 1",
    ),
)


def _run_line(line: str, folder: str) -> str:
    """Run a command in a folder; return what was wrong with it, or nothing."""
    from verify.start import command

    os.chdir(folder)
    sys.argv = ["oneway", "-q", *line.split()]
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors):
        good = command() in (0, 1)
    wrong = (errors.getvalue().splitlines() or ["no word of why"])[-1]
    return "" if good else f"{line}: {wrong}"


def warm() -> None:
    """Compile the kernels of the commands used most, so that they do not wait later.

    Runs a small case of each, in two processes. What is compiled lies in the user's
    cache folder; a second run finds it there.

    Exit code 1 if a command failed.

    Try: oneway warm
    """
    from verify.runs.pool import started_pool

    many, good = sum(map(len, LINES)), 0
    with (
        TemporaryDirectory() as folder,
        console.ticking("commands", many) as tick,
        ExitStack() as stack,
    ):
        pools = [stack.enter_context(started_pool(1)) for _ in LINES]
        running = [
            pool.schedule(_run_line, (line, folder))
            for pool, lines in zip(pools, LINES, strict=True)
            for line in lines
        ]
        for done in as_completed(running):
            wrong = str(done.exception() or done.result())
            tick()
            if wrong:
                warn(wrong)
            else:
                good += 1
    say(f"compiled: {good} of {many} commands")
    raise typer.Exit(0 if good == many else 1)


RULES = "seed-5"
NEXT = {  # an installed wheel has no files of the repository
    "Is a rule right on every board?": "oneway prove c-shape",
    "Where do rules get stuck?": "oneway mine 7 --rules seed-5 -n 100",
    "Are the saved mistakes still mended?": "oneway corpus replay",
    "What do random boards show?": "oneway fuzz seed-5 --gaps",
}


def demo() -> None:
    """Show what this is for: verdicts of a rule group, a gap, a saved case.

    Puts the rules that were first needed on 5 x 5 on trial on every completable
    position of 5 x 5 and of 7 x 7, shows the first gap with what each rule says of it,
    and saves it, made minimal, as a case of the corpus.
    """
    from heuristic.groups import load_rules
    from solver.board import Board
    from solver.positions import completable_positions
    from verify.commands.verify import print_evidence, print_stuck, save_found
    from verify.evidence.evidence import verify_exhaustive

    rule_set, oracle = load_rules(RULES), console.make_oracle("sat")
    for side in (5, 7):
        board = Board.square(side)
        walks = completable_positions(board).walks
        say(f"{side} x {side} has {walks:,} Hamiltonian walks from corner to corner")
        with console.counting(f"{rule_set.name} on {board.notation}") as moved:
            evidence = verify_exhaustive(rule_set, board, progress=moved)
        print_evidence(evidence, rule_set, oracle)
        print_stuck(rule_set, board, oracle)
        for path, new in save_found(evidence, rule_set, oracle, None):
            say(f"case {kept(path, new)}")
        say()
    say("Next:")
    for question, line in NEXT.items():
        say(f"  {question:38}{line}")
    say(f"  {'Draw walks and rules in the browser:':38}oneway lab")

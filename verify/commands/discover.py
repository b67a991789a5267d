"""`oneway discover`: rules discovered, proved and put into a book."""

from math import inf
from pathlib import Path
from time import monotonic
from typing import Annotated

from typer import Argument, Exit

from heuristic.groups import load_rules, refuse_python
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.letters import drawing_lines
from solver.board import LETTERS
from solver.errors import OptionError
from solver.files import write_whole
from verify.commands import console, options
from verify.discovery import running
from verify.discovery.gaps import columns_of
from verify.discovery.search import Candidate
from verify.formatting import counted
from verify.proof.certificate import save_certificate


def discover(
    board: Annotated[str, Argument(help="A board: 5, 7, 5x7, 9 ...")],
    rules: options.Rules = None,
    count: int = options.count(1000, "Walks in a row, none stuck, above 7 x 7."),
    seconds: options.Deadline = None,
    proofs: options.Proofs = options.PROOFS,
    seed: options.Seed = 0,
    output: Path | None = options.output("FILE.toml of the book.", ".toml"),
) -> None:
    """Discover proved rules for the dead moves that a rule set misses.

    The book begins with --rules, or empty. Up to 7 x 7 `oneway` tests every completable
    position. On larger boards it walks by the book until a walk gets stuck. A formula
    explains each missed dead move as a drawing. The drawing is generalised and proved.
    The new book is the smallest that the drawings allow.

    Exit code 0 if no dead move is missed, 1 if some are.

    \b
    A first book:
      oneway discover 5 -o book.toml
    On a large board:
      oneway discover 13 --rules found-9
    """
    place, named = options.read_board(board), ",".join(rules or ())
    with console.progress("discover") as bar:
        run = running.Discovery(
            place,
            _specs(named),
            name=output.stem if output else f"found-{place.notation}",
            until=inf if seconds is None else monotonic() + seconds,
            listener=_Printer(bar),
        )
        small = max(place.rows, place.cols) <= running.EXHAUSTIVE
        book = run.listed() if small else run.hunted(walks=count, seed=seed)
    for member in book.members:
        save_certificate(member.proved, proofs)
    if output:
        write_whole(output, running.text_of_book(book, run, named))
    _print(book, run)
    raise Exit(1 if run.missed or run.stuck else 0)


def _specs(named: str) -> tuple[RuleSpec, ...]:
    refuse_python(named)
    rules = load_rules(named).rules if named else ()
    specs = tuple(rule for rule in rules if isinstance(rule, RuleSpec))
    if len(specs) < len(rules) or any(spec.reads_lines for spec in specs):
        why = "a rule is not a drawing of cells and areas"
        raise OptionError(f"--rules {named}: {why}")
    return specs


class _Printer(running.Listener):
    """Prints a run as it goes: progress, and each gap with its drawing."""

    def __init__(self, bar: console.Progress) -> None:
        self._bar = bar

    def work(self, what: str, done: int, total: int | None) -> None:
        """Show how far a piece of work is."""
        self._bar.title = what
        self._bar.update(done, total)

    def explained(
        self, run: running.Discovery, number: int, candidate: Candidate | None
    ) -> None:
        """Print gap, picture, drawing, what it catches, and how many gaps are left."""
        gaps = run.pool.gaps
        move = LETTERS[int(gaps.move[number])]
        console.say_position(run.position(int(gaps.first[number])))
        console.say(f"  {move} is dead, and allowed")
        if candidate is None:
            console.say("  no drawing within four cells of the live end explains it\n")
            return
        for drawing in candidate.rule.drawings:
            console.say("", *(f"    {line}" for line in drawing_lines(drawing)))
        caught = int(gaps.counts[columns_of([candidate.rule], gaps)[:, 0]].sum())
        catches = f"catches {counted(caught, 'dead move')}"
        left = f"{int(run.pool.open.sum()):,} distinct ones are left"
        facts = counted(candidate.picture.facts, "fact")
        console.say(f"\n  {facts}, {catches}; {left}\n")


def _print(book: running.ChosenRules, run: running.Discovery) -> None:
    for member in book.members:
        facts = counted(member.candidate.picture.facts, "fact")
        rule = member.proved.rule
        console.say(
            f"{rule.name}: PROVED for {member.proved.boards}; {facts}, "
            f"catches {member.caught:,}, alone {member.only:,}",
            f"  {rule.reason}",
        )
    least = "the fewest" if book.optimal else "perhaps not the fewest"
    pool = counted(len(run.pool.candidates), "drawing")
    console.say(f"{counted(len(book.members), 'rule')}, {least} of a pool of {pool}")
    if run.walked:
        walks = counted(run.walked, "walk")
        console.say(f"{walks} made, {run.stuck:,} of the last got stuck")
    console.say(f"{counted(run.missed, 'dead move')} missed")

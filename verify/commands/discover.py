"""`oneway discover`: rules found by the machine, proved, and put into a book."""

from math import inf
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from typer import Option

from heuristic.groups import load_rules, refuse_python
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.letters import drawing_lines
from solver.board import LETTERS
from solver.errors import OptionError
from solver.files import write_whole
from verify.commands import options
from verify.commands.console import Progress, emit, note, progress, say, say_position
from verify.discovery import running
from verify.discovery.book import Book
from verify.discovery.gaps import columns_of, fits
from verify.discovery.search import Entry
from verify.formatting import counted
from verify.proof.certificate import save_certificate

_FIRST_WALKS = 1000  # random walks before all walks of the board are tried


def discover(
    board: Annotated[str, typer.Argument(help="A board: 5, 7, 5x7, 9 ...")],
    rules: options.Rules = None,
    count: int = options.count(
        1000, "Walks in a row, none stuck, above 7 x 7; 0: all.", 0
    ),
    walk: list[str] | None = Option(None, help="Smaller boards to walk on."),
    reach: int | None = options.number(None, "Longest line of a family.", 0, 201),
    most: int = options.number(12, "Facts of a drawing.", 1, 1000, "--most-facts"),
    seconds: options.Deadline = None,
    proofs: options.Proofs = options.PROOFS,
    seed: options.Seed = 0,
    as_json: options.Json = False,
    output: Path | None = options.output("FILE.toml of the book.", ".toml"),
) -> None:
    """Find proved rules for the dead moves that a book misses.

    The book begins with --rules, or empty. Up to 7 x 7 every completable position is
    looked at; on larger boards the book walks until it gets stuck. A formula explains
    a missed dead move, the drawing is generalised and proved, and the book is the
    smallest that the drawings allow.

    Exit code 0 if no dead move is missed, 1 if some are.

    \b
    A first book:
      oneway discover 5 -o book.toml
    Two boards, one book:
      oneway discover 13 --walk 11 --walk 13 --rules found-9
    """
    place, named = options.read_board(board), ",".join(rules or ())
    specs = _specs(named)
    boards = [options.read_board(text) for text in walk or ()]
    small = max(place.rows, place.cols) <= running.EXHAUSTIVE
    if small and boards:
        raise OptionError(f"all positions of {place.notation} are tried: drop --walk")
    for inner in boards:
        if not fits(inner, place):
            raise OptionError(f"--walk {inner.notation}: not in {place.notation}")
    longest = max(max(inner.rows, inner.cols) for inner in boards or [place])
    with progress("discover") as bar:
        run = running.Run(
            place,
            specs,
            name=output.stem if output else f"found-{place.notation}",
            most=most,
            reach=longest if reach is None else reach,
            until=inf if seconds is None else monotonic() + seconds,
            listener=_Printer(bar, as_json),
        )
        if small:
            book = run.listed()
        else:
            walks, everything = count or _FIRST_WALKS, count == 0
            book = run.hunted(
                boards or [place], walks=walks, seed=seed, everything=everything
            )
    for member in book.members:
        save_certificate(member.proved, proofs)
    if output:
        write_whole(output, book.toml(running.head_of(book, run, named)))
    rows, summary = _rows(book), _summary(book, run)
    if as_json:
        for value in (*rows, {"summary": summary}):
            emit(value)
    else:
        _print(rows, summary)
    raise typer.Exit(1 if run.missed or run.stuck else 0)


def _specs(named: str) -> tuple[RuleSpec, ...]:
    """Return the drawings that the book begins with."""
    refuse_python(named)
    rules = load_rules(named).rules if named else ()
    specs = tuple(rule for rule in rules if isinstance(rule, RuleSpec))
    if len(specs) < len(rules) or any(spec.reads_lines for spec in specs):
        raise OptionError(f"--rules {named}: a rule is no drawing of cells and areas")
    return specs


class _Printer(running.Listener):
    """Prints a run as it goes: progress, and each gap with its drawing."""

    def __init__(self, bar: Progress, quiet: bool) -> None:
        self._bar, self._quiet = bar, quiet

    def work(self, what: str, done: int, total: int | None) -> None:
        """Show how far a piece of work is."""
        self._bar.title = what
        self._bar.update(done, total)

    def explained(self, run: running.Run, number: int, entry: Entry | None) -> None:
        """Print gap, picture, drawing, what it catches, and how many gaps are left."""
        if self._quiet:
            return
        gaps = run.pool.gaps
        move = LETTERS[int(gaps.move[number])]
        say_position(run.position(int(gaps.first[number])))
        say(f"  {move} is dead, and allowed")
        if entry is None:
            say("  nothing explains it within four cells of the live end\n")
            return
        for drawing in entry.rule.drawings:
            say("", *(f"    {line}" for line in drawing_lines(drawing)))
        caught = int(gaps.counts[columns_of((entry.rule,), gaps)[:, 0]].sum())
        left = int(run.pool.open.sum())
        say(
            f"\n  {counted(entry.facts, 'fact')}, catches "
            f"{counted(caught, 'dead move')}; {left:,} distinct ones are left\n"
        )

    def walked(self, walks: int, new: int) -> None:
        """Print what walks met."""
        note(f"{counted(walks, 'walk')} made, {counted(new, 'gap')} new")


def _rows(book: Book) -> list[dict[str, Any]]:
    return [
        {
            "rule": member.rule.name,
            "facts": member.entry.facts,
            "boards": member.proved.boards,
            "caught": member.caught,
            "only": member.only,
            "reason": member.rule.reason,
        }
        for member in book.members
    ]


def _summary(book: Book, run: running.Run) -> dict[str, Any]:
    return {
        "rules": len(book.members),
        "optimal": book.optimal,
        "pool": len(run.pool.entries),
        "refused": book.refused,
        "missed": run.missed,
        "walks": run.walked,
        "stuck": run.stuck,
    }


def _print(rows: list[dict[str, Any]], summary: dict[str, Any]) -> None:
    for row in rows:
        say(
            f"{row['rule']}: PROVED for {row['boards']}; "
            f"{counted(row['facts'], 'fact')}, catches {row['caught']:,}, "
            f"alone {row['only']:,}",
            f"  {row['reason']}",
        )
    least = "the fewest" if summary["optimal"] else "perhaps not the fewest"
    say(
        f"{counted(summary['rules'], 'rule')}, {least} of a pool of "
        f"{counted(summary['pool'], 'drawing')}"
    )
    if summary["walks"]:
        walks = counted(summary["walks"], "walk")
        say(f"{walks} made, {summary['stuck']:,} of the last got stuck")
    say(f"{counted(summary['missed'], 'dead move')} missed")

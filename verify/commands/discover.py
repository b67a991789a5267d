"""`oneway discover`: rules found by the machine, proved, and put into a book."""

from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import typer

from solver.board import LETTERS
from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, joined, note, say
from verify.commands.options import argument, option
from verify.words import counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from verify.discovery.book import Book
    from verify.discovery.running import Listener, Run
    from verify.discovery.search import Entry

_SAMPLED = 1000  # random walks before all walks are tried


def discover(
    size: str = argument("A board: 5, 7, 5x7, 9 ..."),
    start: options.Rules = options.NONE,
    out: Path | None = option("--output -o", "Write the book to this TOML file.", None),
    proofs: options.Proofs = options.PROOFS,
    rounds: int = option(
        "--rounds", "Times that the pool is made larger for a smaller book.", 2, min=0
    ),
    most: int = option(
        "--most-facts", "Use larger drawings only where no smaller one does.", 12, min=1
    ),
    walks: int = option(
        "--count -n",
        "Above 7 x 7: walks in a row that must not get stuck. 0: all walks of the "
        "board, after a thousand random ones.",
        1000,
        min=0,
    ),
    walked: list[str] | None = option(
        "--walk",
        "Above 7 x 7: walk on this board, which fits into the board. Repeatable.",
        None,
    ),
    reach: int | None = option(
        "--reach",
        "Above 7 x 7: let drawings grow to so many cells; 0: not at all. Default: the "
        "longer side.",
        None,
        min=0,
    ),
    minutes: options.Minutes = None,
    name: str | None = option("--name", "Name of the rules; a number follows.", None),
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Find rules: from the dead moves that a book misses to drawings that are proved.

    Up to 7 x 7 every dead move that --rules allow is explained: which cells and areas
    make it impossible. On larger boards the book walks until it gets stuck, and the
    moves to blame are explained. Drawings are made general, turned every way and
    proved. The book is the smallest choice that catches everything.

    Exit code 0 if no dead move is missed, 1 if some are, 2 on bad input.

    Try: oneway discover 5 -o book.toml

    What a group misses: oneway discover 5 --rules seed-5

    A larger board, by walks: oneway discover 9 --rules found-7 -n 2000

    Two boards, one book: oneway discover 13 --walk 11 --walk 13 --rules found-9
    """
    from heuristic.groups import load_rules, refuse_python
    from heuristic.written import WrittenRule
    from solver.files import write_whole
    from verify.discovery import running
    from verify.discovery.gaps import fits
    from verify.proof.certificate import save_certificate

    board, named = console.read_board(size), joined(start)
    refuse_python(named)
    rules = load_rules(named).rules if start else ()
    specs = tuple(rule.spec for rule in rules if isinstance(rule, WrittenRule))
    if len(specs) < len(rules) or any(rule.reads_lines for rule in specs):
        raise OptionError(f"--rules {named}: a rule is no drawing of cells and areas")
    boards = [console.read_board(text) for text in walked or ()]
    small = max(board.rows, board.cols) <= running.EXHAUSTIVE
    if small and boards:
        raise OptionError(f"all positions of {board.notation} are tried: drop --walk")
    for other in boards:
        if not fits(other, board):
            raise OptionError(f"--walk {other.notation}: not in {board.notation}")
    sides = [max(other.rows, other.cols) for other in boards or [board]]
    wanted = running.Options(
        name=name or f"found-{board.notation}",
        rounds=rounds,
        most=most,
        reach=max(sides) if reach is None else reach,
        until=inf if minutes is None else monotonic() + 60 * minutes,
    )
    with console.progress_bar() as bar:
        listener = _listener(bar, as_json)
        if small:
            run, book = running.listed(board, specs, wanted, listener)
        else:
            run, book = running.hunted(
                *(board, specs, wanted, listener),
                walks=walks or _SAMPLED,
                seed=seed,
                everything=walks == 0,
                boards=boards,
            )
    for member in book.members:
        save_certificate(member.proved, proofs)
    if out:
        write_whole(out, book.toml(running.head_of(book, run, named)))
    _print(book, run, as_json)
    raise typer.Exit(1 if run.missed or run.stuck else 0)


def _listener(bar: "Progress", quiet: bool) -> "Listener":
    """Return what prints a run as it goes: bars, and each gap with its drawing."""
    from heuristic.rules.writing import area_lines
    from verify.discovery.gaps import columns_of
    from verify.discovery.running import Listener

    tasks: dict[str, TaskID] = {}

    class Printer(Listener):
        """Prints."""

        def work(self, what: str, done: int, total: int | None) -> None:
            """Move the bar of a piece of work."""
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total)

        def explained(self, run: "Run", number: int, entry: "Entry | None") -> None:
            """Print the gap, its drawing, what it catches, and how many are left."""
            if quiet:
                return
            gaps = run.pool.gaps
            console.say_position(run.position(int(gaps.first[number])))
            say(f"  {LETTERS[int(gaps.move[number])]} is dead, and allowed")
            if entry is None:
                say("  nothing explains it within four cells of the live end\n")
                return
            for drawing in entry.rule.drawings:
                say()
                for line in [*drawing.text.splitlines(), *area_lines(drawing)]:
                    say(f"    {line}")
            caught = int(gaps.counts[columns_of((entry.rule,), gaps)[:, 0]].sum())
            left = int(run.pool.open.sum())
            say(
                f"\n  {counted(entry.facts, 'fact')}, catches "
                f"{counted(caught, 'dead move')}; {left:,} distinct ones are left\n"
            )

        def walked(self, walks: int, new: int) -> None:
            """Print what walks found."""
            note(f"{counted(walks, 'walk')} made, {counted(new, 'gap')} new")

    return Printer()


def _print(book: "Book", run: "Run", as_json: bool) -> None:
    for member in book.members:
        facts = member.entry.facts
        if as_json:
            emit(
                rule=member.rule.name,
                facts=facts,
                boards=member.proved.boards,
                caught=member.caught,
                only=member.only,
                reason=member.rule.reason,
            )
        else:
            say(
                f"{member.rule.name}: PROVED for {member.proved.boards}; "
                f"{counted(facts, 'fact')}, catches {member.caught:,}, "
                f"alone {member.only:,}"
            )
            say(f"  {member.rule.reason}")
    if as_json:
        summary = {
            "rules": len(book.members),
            "at_least": book.cover.rules_at_least,
            "optimal": book.cover.optimal,
            "pool": len(run.pool.entries),
            "refused": book.refused,
            "missed": run.missed,
            "walks": run.walked,
            "stuck": run.stuck,
        }
        emit(summary=summary)
        return
    least = "the fewest" if book.cover.optimal else "perhaps not the fewest"
    say(
        f"{counted(len(book.members), 'rule')}, {least} of a pool of "
        f"{counted(len(run.pool.entries), 'drawing')}; at least "
        f"{book.cover.rules_at_least:,} are needed from it"
    )
    if run.walked:
        say(f"{counted(run.walked, 'walk')} made, {run.stuck:,} of the last got stuck")
    say(f"{counted(run.missed, 'dead move')} missed")

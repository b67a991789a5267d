"""`oneway discover`: rules found by the machine, proved, and put into a book."""

from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from solver.errors import OptionError
from verify.commands.console import (
    NONE,
    PROOFS,
    JsonOption,
    MinutesOption,
    ProofsOption,
    RulesOption,
    SeedOption,
    argument,
    emit,
    joined,
    note,
    option,
    progress_bar,
    read_board,
    say,
    say_position,
    shown,
)
from verify.commands.ending import going_on
from verify.commands.running import resuming
from verify.words import counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from verify.discovery.book import Book
    from verify.discovery.running import Run
    from verify.discovery.search import Entry, Pool

POOLS = Path("out/discovery")
_DRAWN = 1000  # walks before all are tried


def discover(
    size: Annotated[str, argument("A board: 5, 7, 5x7, 9 ...")],
    start: RulesOption = NONE,
    out: Annotated[
        Path | None, option("--output -o", "Write the book to this TOML file.")
    ] = None,
    still_open: Annotated[
        Path | None,
        option("--open", "Write the gaps that stay open here, as --gaps reads them."),
    ] = None,
    proofs: ProofsOption = PROOFS,
    rounds: Annotated[
        int,
        option(
            "--rounds", "Times that the pool is made larger for a smaller book.", min=0
        ),
    ] = 2,
    most: Annotated[
        int,
        option(
            "--most-facts",
            "Larger drawings are taken only where nothing smaller will do.",
            min=1,
        ),
    ] = 12,
    walks: Annotated[
        int,
        option(
            "--count -n",
            "Above 7 x 7: walks in a row that must not get stuck; 0 for all of "
            "the board, left first, after a thousand drawn ones: minutes a round on "
            "9 x 9, too many on larger boards.",
            min=0,
        ),
    ] = 1000,
    walked: Annotated[
        list[str] | None,
        option(
            "--walk",
            "Above 7 x 7: walk on these boards, which fit into the board; say it "
            "again for several (default: the board).",
        ),
    ] = None,
    gaps: Annotated[
        Path | None,
        option(
            "--gaps",
            "Above 7 x 7: explain these gaps too: a text file, a position and its "
            "dead moves a line, on boards that fit into the board.",
        ),
    ] = None,
    reach: Annotated[
        int | None,
        option(
            "--reach",
            "Above 7 x 7: drawings become families, with lines as long as a board "
            "of so many cells holds (default: the board's longer side; 0: none).",
            min=0,
        ),
    ] = None,
    minutes: MinutesOption = None,
    name: Annotated[
        str | None, option("--name", "What the rules are called, with a number.")
    ] = None,
    pool_file: Annotated[
        Path | None,
        option(
            "--ledger",
            "File that remembers what was found (default: in out/discovery, by "
            "the board and --rules); the same line goes on with it.",
        ),
    ] = None,
    take: Annotated[
        list[Path] | None,
        option(
            "--take",
            "Above 7 x 7: take over what this ledger of another run holds, of the "
            "same board and rules; say it again for several.",
        ),
    ] = None,
    fresh: Annotated[
        bool, option("--fresh", "Begin anew; forget what was found before.")
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Find rules: from the dead moves that a book misses to drawings that are proved.

    The book begins with --rules, and only what they miss is looked at; or with nothing.
    Up to 7 x 7 every completable position is looked at; on larger boards the book
    walks until it gets stuck. A dead move that no rule forbids is explained: which
    area, which cells make it impossible, by the core of a formula that knows of all of
    them. The drawing is made general, turned every way, proved, and taken if the book
    needs it: the fewest rules of all that were found, exactly; where boards are walked
    on, the fewest that catch each gap twice, where two rules do. Each gets a reason in
    words, made from its proof.

    Exit code 0 if no dead move is missed, 1 if some are, 2 on bad input.

    Try: oneway discover 5 -o book.toml

    What a group misses: oneway discover 5 --rules seed-5

    A larger board, by walks: oneway discover 9 --rules found-7 -n 2000

    Until no walk of it gets stuck: oneway discover 9 --rules found-7 -n 0

    Two boards, one book: oneway discover 13 --walk 11 --walk 13 --rules found-9
    """
    from heuristic.groups import written_rules
    from heuristic.rules.drawing import RuleSpec
    from verify.discovery.book import read_gaps
    from verify.discovery.gaps import fits
    from verify.discovery.running import EXHAUSTIVE, Options, hunted, listed

    board, named = read_board(size), joined(start)
    known = written_rules(start) if start else []
    specs = tuple(rule for rule in known if isinstance(rule, RuleSpec))
    if len(specs) < len(known) or any(rule.reads_lines for rule in specs):
        raise OptionError(f"--rules {named}: a rule is no drawing of cells and areas")
    stem = f"{board.notation}{'-from-' if named else ''}{named}"
    stem = "".join(c if c.isalnum() else "-" for c in stem)
    boards = tuple(read_board(text) for text in walked or ())
    small = max(board.rows, board.cols) <= EXHAUSTIVE
    if small and (boards or gaps or take):
        what = f"all of {board.notation} is listed"
        raise OptionError(f"--walk, --gaps and --take: {what}")
    for path in take or ():
        if not path.is_file():
            raise OptionError(f"--take {path}: no such file")
    for one in boards:
        if not fits(one, board):
            raise OptionError(f"--walk {one.notation}: not in {board.notation}")
    listed_gaps = read_gaps(gaps, board) if gaps else ()
    file = pool_file or POOLS / f"{stem}.json"
    if fresh:
        file.unlink(missing_ok=True)
    longest = max(max(one.rows, one.cols) for one in boards or (board,))
    reach = longest if reach is None else reach
    options = Options(
        *(name or f"found-{board.notation}", file, named, rounds, most, reach),
        until=monotonic() + 60 * minutes if minutes is not None else inf,
        others=tuple(take or ()),
    )
    going_on(f"what was found is kept; to go on: {resuming()}")
    with progress_bar() as bar:
        listener = _Listener(bar, file, as_json)
        if small:
            run, book = listed(board, specs, options, listener)
        else:
            run, book = hunted(
                *(board, specs, options, listener),
                walks=walks or _DRAWN,
                seed=seed,
                everything=walks == 0,
                boards=boards,
                known=listed_gaps,
            )
    _write(book, run, (out, named), still_open, proofs)
    _print(book, run, as_json)
    raise typer.Exit(1 if run.missed or run.stuck else 0)


class _Listener:
    """Prints a run as it goes: bars, and each gap with its drawing."""

    def __init__(self, bar: "Progress", file: Path, quiet: bool) -> None:
        self._bar, self._file, self._quiet = bar, file, quiet
        self._tasks: dict[str, TaskID] = {}

    def work(self, what: str, done: int, total: int | None) -> None:
        """Move the bar of a piece of work."""
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total)
        self._bar.update(self._tasks[what], completed=done, total=total)

    def began(self, pool: "Pool", before: int) -> None:
        """Say how much there is to explain."""
        if before:
            note(f"{shown(self._file)}: {counted(before, 'drawing')} from before")
        if len(pool.gaps):
            dead = counted(int(pool.gaps.counts.sum()), "dead move")
            note(f"{dead} missed, {len(pool.gaps):,} of them distinct")

    def explained(self, run: "Run", number: int, entry: "Entry | None") -> None:
        """Say gap, picture, drawing, what it catches, and how many gaps are left."""
        from heuristic.rules.writing import area_lines
        from verify.discovery.gaps import columns_of

        if self._quiet:
            return
        gaps = run.pool.gaps
        position = run.position(int(gaps.first[number]))
        move = "URDL"[int(gaps.move[number])]
        say_position(position)
        say(f"  {move} is dead, and allowed")
        if entry is None:
            say("  nothing explains it within four cells of the live end")
            say()
            return
        for drawing in entry.rule.drawings:
            say()
            for line in [*drawing.text.splitlines(), *area_lines(drawing)]:
                say(f"    {line}")
        caught = int(gaps.counts[columns_of((entry.rule,), gaps)[:, 0]].sum())
        left = int(run.pool.open.sum())
        say()
        say(
            f"  {counted(entry.facts, 'fact')}, catches "
            f"{counted(caught, 'dead move')}; {left:,} distinct ones are left"
        )
        say()

    def walked(self, walks: int, new: int) -> None:
        """Say what walks found."""
        note(f"{counted(walks, 'walk')} made, {counted(new, 'gap')} new")


def _write(
    book: "Book",
    run: "Run",
    wanted: tuple[Path | None, str],
    still_open: Path | None,
    proofs: Path,
) -> None:
    from solver.files import write_whole
    from verify.discovery.running import head_of, open_gaps
    from verify.proof.certificate import save_certificate

    out, start = wanted
    for member in book.members:
        save_certificate(member.proved, proofs)
    if out:
        write_whole(out, book.toml(head_of(book, run, start)))
    if still_open:
        write_whole(still_open, open_gaps(run))


def _print(book: "Book", run: "Run", as_json: bool) -> None:
    if as_json:
        for member in book.members:
            emit(
                rule=member.rule.name,
                facts=member.entry.facts,
                boards=member.proved.boards,
                caught=member.caught,
                only=member.only,
                reason=member.rule.reason,
            )
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
    for member in book.members:
        say(
            f"{member.rule.name}: PROVED for {member.proved.boards}; "
            f"{counted(member.entry.facts, 'fact')}, catches {member.caught:,}, "
            f"alone {member.only:,}"
        )
        say(f"  {member.rule.reason}")
    least = "the fewest" if book.cover.optimal else "perhaps not the fewest"
    say(
        f"{counted(len(book.members), 'rule')}, {least} of a pool of "
        f"{counted(len(run.pool.entries), 'drawing')}; at least "
        f"{book.cover.rules_at_least:,} are needed from it"
    )
    if run.walked:
        say(f"{counted(run.walked, 'walk')} made, {run.stuck:,} of the last got stuck")
    say(f"{counted(run.missed, 'dead move')} missed")

"""`oneway discover`: rules found by the machine, proved, and put into a book."""

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from solver.errors import OptionError
from verify.commands.console import (
    JsonOption,
    emit,
    joined,
    note,
    progress_bar,
    read_board,
    say,
    shown,
)
from verify.commands.ending import going_on
from verify.commands.running import resuming
from verify.words import counted

if TYPE_CHECKING:
    from solver.positions import PositionTree
    from verify.discovery.book import Book
    from verify.discovery.search import Entry, Pool

PROOFS = Path("out/proofs")
POOLS = Path("out/discovery")
_SAVED = 10.0  # seconds between two savings of the pool


def discover(
    size: Annotated[str, typer.Argument(help="A board: 5, 7, 5x7 ...")],
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            help="Rules to begin with; only what they miss is looked at. From nothing "
            "if left out.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the book to this TOML file."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--page", help="Write a page to this Markdown file, pictures beside it."
        ),
    ] = None,
    proofs: Annotated[
        Path, typer.Option("--proofs", help="Folder of the certificates.")
    ] = PROOFS,
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds", help="Times that the pool is made larger for a smaller book."
        ),
    ] = 4,
    most: Annotated[
        int,
        typer.Option(
            "--most-facts",
            help="Larger drawings are taken only where nothing smaller will do.",
        ),
    ] = 12,
    name: Annotated[
        str | None,
        typer.Option("--name", help="What the rules are called, with a number."),
    ] = None,
    pool_file: Annotated[
        Path | None,
        typer.Option(
            "--pool",
            help="File that keeps what was found (default: in out/discovery, by the "
            "board); the same command goes on with it.",
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew; forget what was found before.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Find rules: from the dead moves that a book misses to drawings that are proved.

    Every completable position of the board is looked at. A dead move that no rule
    forbids is explained: which cells, and which areas, make it impossible, by the core
    of a formula that knows of all of them. The drawing is made general, turned every
    way, proved, and taken if it makes the book smaller: the fewest rules of all that
    were found, exactly. Each gets a reason in words, made from its proof.

    Exit code 0 if no dead move of the board is missed, 1 if some are, 2 on bad input.

    Try: oneway discover 5 -o book.toml

    What a group misses: oneway discover 5 --from seed-5
    """
    from heuristic.groups import written_rules
    from heuristic.language.drawing import RuleSpec
    from solver.positions import completable_positions
    from verify.discovery.gaps import missed_by
    from verify.discovery.search import Pool

    for option, number, least in (("--rounds", rounds, 0), ("--most-facts", most, 1)):
        if number < least:
            raise OptionError(f"{option} {number} is not at least {least}")
    board, named = read_board(size), joined(start)
    known = written_rules(named) if named else []
    specs = tuple(rule for rule in known if isinstance(rule, RuleSpec))
    if len(specs) < len(known) or any(rule.reads_lines for rule in specs):
        raise OptionError(f"--from {named}: a rule is no drawing of cells and areas")
    stem = f"{board.notation}{'-from-' if named else ''}{named}"
    stem = "".join(c if c.isalnum() else "-" for c in stem)
    file = pool_file or POOLS / f"{stem}.json"
    if fresh:
        file.unlink(missing_ok=True)
    with progress_bar() as bar:
        tree = completable_positions(board)
        task = bar.add_task("positions", total=len(tree))
        gaps = missed_by(specs, tree, lambda done: bar.update(task, completed=done))
    pool = Pool(gaps)
    note(
        f"{len(tree):,} positions, {counted(int(gaps.counts.sum()), 'dead move')} "
        f"missed, {len(gaps):,} of them distinct"
    )
    _search(pool, tree, file, named, rounds, as_json)
    book = _book(pool, name or f"found-{board.notation}", most)
    _write(book, pool, out, page, proofs)
    left = int(gaps.counts[pool.open].sum())
    _tell(book, pool, left, as_json)
    raise typer.Exit(1 if left else 0)


def _search(
    pool: "Pool", tree: "PositionTree", file: Path, named: str, rounds: int, quiet: bool
) -> None:
    """Fill the pool, telling each drawing that a gap needed, and keep it on disk."""
    from verify.discovery.covering import worth
    from verify.discovery.keeping import load_pool, save_pool
    from verify.discovery.search import explain_all, vary

    before = load_pool(file, pool, named)
    if before:
        note(f"{shown(file)}: {counted(before, 'drawing')} from before")
    going_on(f"what was found is kept; to go on: {resuming()}")
    saved = monotonic()
    with progress_bar() as bar:
        task = bar.add_task("gaps", total=len(pool.gaps))
        for number, entry in explain_all(pool):
            open_ = pool.open
            bar.update(task, completed=int((~open_).sum()))
            if entry is not None and not quiet:
                _tell_found(pool, tree, number, entry, int(open_.sum()))
            if monotonic() - saved > _SAVED:
                save_pool(file, pool, named)
                saved = monotonic()
        save_pool(file, pool, named)
        task = bar.add_task("smaller books", total=rounds)
        for _ in range(rounds):
            better = list(vary(pool, worth(pool.columns), 100))
            save_pool(file, pool, named)
            bar.advance(task)
            if not better:
                break


def _tell_found(
    pool: "Pool", tree: "PositionTree", number: int, entry: "Entry", left: int
) -> None:
    position = tree.position(int(pool.gaps.first[number]))
    move = "URDL"[int(pool.gaps.move[number])]
    caught = int(pool.gaps.counts[pool.columns[:, -1]].sum())
    say(str(position))
    say(f"{position.notation}: {move} is dead, and allowed")
    for drawing in entry.rule.drawings:
        say()
        say("\n".join(f"    {row}" for row in drawing.text.splitlines()))
    say()
    say(
        f"  {counted(entry.facts, 'fact')}, catches {counted(caught, 'dead move')}; "
        f"{left:,} distinct ones are left"
    )
    say()


def _book(pool: "Pool", name: str, most: int) -> "Book":
    from verify.discovery.book import choose

    with progress_bar() as bar:
        task = bar.add_task("proofs", total=None)
        return choose(pool, name, most=most, told=lambda _, __: bar.advance(task))


def _write(
    book: "Book", pool: "Pool", out: Path | None, page: Path | None, proofs: Path
) -> None:
    from solver.files import write_whole
    from verify.discovery.pages import head_of, page_files
    from verify.proof.certificate import save_certificate

    for member in book.members:
        save_certificate(member.proved, proofs)
    if out:
        write_whole(out, book.toml(head_of(book, pool)))
    if page:
        for path, text in page_files(book, pool, page):
            write_whole(path, text)


def _tell(book: "Book", pool: "Pool", left: int, as_json: bool) -> None:
    if as_json:
        for member in book.members:
            emit(
                {
                    "rule": member.rule.name,
                    "facts": member.entry.facts,
                    "boards": member.proved.boards,
                    "caught": member.caught,
                    "only": member.only,
                    "reason": member.rule.reason,
                }
            )
        emit(
            {
                "summary": {
                    "rules": len(book.members),
                    "at_least": book.cover.rules_at_least,
                    "optimal": book.cover.optimal,
                    "pool": len(pool.entries),
                    "refused": book.refused,
                    "missed": left,
                }
            }
        )
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
        f"{counted(len(pool.entries), 'drawing')}; at least "
        f"{book.cover.rules_at_least:,} are needed from it"
    )
    say(f"{counted(left, 'dead move')} missed")

"""`oneway rules`: the rule book, listed and shown, and where each rule decides.

`oneway discover`: rules found by the machine, proved, and put into a book.
"""

import inspect
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, joined, kept, note, say, shown, table
from verify.commands.ending import going_on
from verify.commands.options import argument, flag, option
from verify.commands.running import resuming
from verify.words import counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from heuristic.rule import Rule
    from heuristic.rules.drawing import RuleSpec
    from verify.discovery.book import Book
    from verify.discovery.running import DiscoveryRun
    from verify.discovery.search import Entry, Pool


_SHOWN = 12  # drawings of a rule; families have hundreds


def rules(
    rules: options.RulesArgument = None,
    as_list: bool = flag("--list", "A table: rule, claim and origin."),
    example: bool = flag(
        "--example",
        "Find a position in which each rule decides: it forbids a dead move, "
        "and another move completes the walk. Or prove that there is none.",
    ),
    save: options.Save = False,
    seconds: options.Seconds = 30.0,
    seed: options.Seed = 0,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Show the rule book: its groups, or rules with drawing, claim, reason and origin.

    Every rule is a drawing in a TOML file; docs/reference/rules.md teaches how to draw
    your own. Where a rule counts several areas, each has letters of its own. With -o
    the drawings go into a picture, a file for each rule that is drawn.

    With --example positions are searched for on boards from 7x7 to 15x15. A rule is
    void if no completable position matches it: that is proved first. Exit code 1 if
    neither was found for a rule.

    Try: oneway rules c-shape -o c-shape.svg

    A group: oneway rules seed-5 --list

    Where a rule decides: oneway rules double-area-3 --example
    """
    from heuristic.groups import about, group_names, load_rules, rule_names
    from verify.corpus.cases import corpus_folder

    if not rules:
        for name in group_names():
            names = rule_names(name)
            if as_json:
                emit(group=name, about=about(name), rules=names)
            else:
                say(f"{name:20} {counted(len(names), 'rule'):9} {about(name)}")
        return
    found = load_rules(rules).rules
    if example:
        cases = (corpus or corpus_folder()) if save else None
        raise typer.Exit(_show_examples(rules, (seconds, seed), cases, as_json))
    if as_json:
        for rule in found:
            emit(rule=rule.name, claim=rule.claim, origin=rule.origin)
    elif picture:
        _draw(found, picture)
    elif as_list:
        rows = [[rule.name, rule.claim, rule.origin] for rule in found]
        table(f"Rules of {joined(rules)}", ["rule", "claim", "origin"], rows)
    else:
        for rule in found:
            _show(rule)


def _show(rule: "Rule") -> None:
    from heuristic.future.futurerules import FutureRule
    from heuristic.matching.drawn import DrawnRule

    say(f"{rule.name}  (claim: {rule.claim})")
    say(f"  origin: {rule.origin}")
    if isinstance(rule, DrawnRule | FutureRule):
        _show_drawn(rule.spec)
    else:
        _indent(inspect.cleandoc(type(rule).__doc__ or ""))
    say()


def _show_examples(
    names: list[str], limits: tuple[float, int], corpus: Path | None, as_json: bool
) -> int:
    """Find and print where each drawn rule decides; return the exit code.

    What is found becomes a case of the `corpus`, if one is given.
    """
    from heuristic.groups import load_rules, written_rules
    from verify.corpus.cases import save_case
    from verify.corpus.origin import origin_of
    from verify.proof.provable import drawn_bans
    from verify.proof.silent import prove_void
    from verify.refute.refute import find_firing

    (seconds, seed), left = limits, 0
    written = written_rules(names)
    drawn = drawn_bans(written)
    if not drawn:
        raise OptionError(f"{joined(names)}: no drawn rule is among them")
    for rule in written:
        name = rule if isinstance(rule, str) else rule.name
        if name not in drawn:
            note(f"{name} has no example: it is not a ban by a drawing")
    for name, rule in drawn.items():
        void = prove_void(rule, seconds=min(seconds, 5.0))
        found = None if void else find_firing(rule, seconds=seconds, seed=seed)
        left += void is None and found is None
        if as_json:
            emit(
                rule=name,
                void=void and void.boards,
                position=found and found.position.notation,
                forbidden=found and found.forbidden,
            )
        elif void:
            say(f"{name}: void, no completable position matches it")
            say(f"  for {void.boards}")
        elif found is None:
            say(f"{name}: none found in {seconds:g} s")
        else:
            say(f"{name}: {found.position.notation} {found.forbidden}")
        if found and corpus:
            source = f"oneway rules {name} --example --seed {seed}"
            case = found.case(source, origin_of(names, corpus))
            note(kept(*save_case(case, corpus, load_rules(names))))
    return 1 if left else 0


def _draw(rules: "tuple[Rule, ...]", picture: Path) -> None:
    from heuristic.future.futurerules import FutureRule
    from heuristic.matching.drawn import DrawnRule
    from heuristic.rules.picture import draw_rules
    from solver.svg import write_pictures

    specs = [r.spec for r in rules if isinstance(r, DrawnRule | FutureRule)]
    specs = [spec for spec in specs if spec.drawings]
    if not specs:
        raise OptionError("none of these rules is drawn: there is no picture of them")
    files = console.numbered(picture, len(specs))
    svgs = [draw_rules(spec.drawings[:_SHOWN], spec.name) for spec in specs]
    write_pictures(zip(files, svgs, strict=True))
    for file in files:
        say(f"picture: {shown(file)}")


def _indent(text: str) -> None:
    for line in text.splitlines():
        say(f"  {line}")


def _show_drawn(spec: "RuleSpec") -> None:
    from heuristic.rules.drawing import Frame
    from heuristic.rules.writing import area_lines, lettered
    from solver.board import LETTERS

    say(f"  reason: {spec.reason}")
    if spec.kind == "inference":
        say(
            "  an inference of future lines, carried out by a kernel; "
            "see docs/reference/rules.md"
        )
    if spec.note:
        say(f"  note:   {spec.note}")
    for drawing in spec.drawings[:_SHOWN]:
        say()
        if drawing.variant:
            say(f"  {drawing.variant}:")
        for line in lettered(drawing):
            say(f"    {line}".rstrip())
        if any(mark.same for mark in drawing.marks):
            say("    F and G are ends of one line")
        for line in area_lines(drawing):
            say(f"    {line}")
        if drawing.frame is Frame.HEADING:
            turns = ", ".join(turn.name.lower() for turn in drawing.turns)
            mirrored = " and mirrored" if drawing.mirror else ""
            say(f"    turned: {turns}{mirrored}; the last step runs up the page")
        else:
            names = ", ".join(s.name.lower() for s in drawing.symmetries)
            say(f"    absolute, last step {LETTERS[drawing.heading]}; images: {names}")
    if len(spec.drawings) > _SHOWN:
        say(f"\n  and {len(spec.drawings) - _SHOWN} more drawings, larger ones mostly")


POOLS = Path("out/discovery")
_DRAWN = 1000  # walks before all are tried


def discover(
    size: str = argument("A board: 5, 7, 5x7, 9 ..."),
    start: options.Rules = options.NONE,
    out: Path | None = option("--output -o", "Write the book to this TOML file.", None),
    still_open: Path | None = option(
        "--open", "Write the gaps that stay open here, as --gaps reads them.", None
    ),
    proofs: options.Proofs = options.PROOFS,
    rounds: int = option(
        "--rounds", "Times that the pool is made larger for a smaller book.", 2, min=0
    ),
    most: int = option(
        "--most-facts",
        "Larger drawings are taken only where nothing smaller will do.",
        12,
        min=1,
    ),
    walks: int = option(
        "--count -n",
        "Above 7 x 7: walks in a row that must not get stuck; 0 for all of "
        "the board, left first, after a thousand drawn ones: minutes a round on "
        "9 x 9, too many on larger boards.",
        1000,
        min=0,
    ),
    walked: list[str] | None = option(
        "--walk",
        "Above 7 x 7: walk on these boards, which fit into the board; say it "
        "again for several (default: the board).",
        None,
    ),
    gaps: Path | None = option(
        "--gaps",
        "Above 7 x 7: explain these gaps too: a text file, a position and its "
        "dead moves a line, on boards that fit into the board.",
        None,
    ),
    reach: int | None = option(
        "--reach",
        "Above 7 x 7: drawings become families, with lines as long as a board "
        "of so many cells holds (default: the board's longer side; 0: none).",
        None,
        min=0,
    ),
    minutes: options.Minutes = None,
    name: str | None = option(
        "--name", "What the rules are called, with a number.", None
    ),
    pool_file: Path | None = option(
        "--ledger",
        "File that remembers what was found (default: in out/discovery, by "
        "the board and --rules); the same line goes on with it.",
        None,
    ),
    take: list[Path] | None = option(
        "--take",
        "Above 7 x 7: take over what this ledger of another run holds, of the "
        "same board and rules; say it again for several.",
        None,
    ),
    fresh: options.Fresh = False,
    seed: options.Seed = 0,
    as_json: options.Json = False,
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
    from heuristic.groups import refuse_python, written_rules
    from heuristic.rules.drawing import RuleSpec
    from solver.files import write_whole
    from verify.discovery import running
    from verify.discovery.book import read_gaps
    from verify.discovery.gaps import fits
    from verify.proof.certificate import save_certificate

    board, named = console.read_board(size), joined(start)
    refuse_python(start)
    known = written_rules(start) if start else []
    specs = tuple(rule for rule in known if isinstance(rule, RuleSpec))
    if len(specs) < len(known) or any(rule.reads_lines for rule in specs):
        raise OptionError(f"--rules {named}: a rule is no drawing of cells and areas")
    stem = f"{board.notation}{'-from-' if named else ''}{named}"
    stem = "".join(c if c.isalnum() else "-" for c in stem)
    boards = tuple(console.read_board(text) for text in walked or ())
    small = max(board.rows, board.cols) <= running.EXHAUSTIVE
    if small and (boards or gaps or take):
        raise OptionError(
            f"all positions of {board.notation} are tried: leave out --walk, --gaps "
            "and --take"
        )
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
    wanted = running.Options(
        *(name or f"found-{board.notation}", file, named, rounds, most, reach),
        until=monotonic() + 60 * minutes if minutes is not None else inf,
        others=tuple(take or ()),
    )
    going_on(f"what was found is kept; to go on: {resuming()}")
    with console.progress_bar() as bar:
        listener = _Listener(bar, file, as_json)
        if small:
            run, book = running.listed(board, specs, wanted, listener)
        else:
            run, book = running.hunted(
                *(board, specs, wanted, listener),
                walks=walks or _DRAWN,
                seed=seed,
                everything=walks == 0,
                boards=boards,
                known=listed_gaps,
            )
    for member in book.members:
        save_certificate(member.proved, proofs)
    if out:
        write_whole(out, book.toml(running.head_of(book, run, named)))
    if still_open:
        write_whole(still_open, running.open_gaps(run))
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

    def explained(
        self, run: "DiscoveryRun", number: int, entry: "Entry | None"
    ) -> None:
        """Say gap, picture, drawing, what it catches, and how many gaps are left."""
        from heuristic.rules.writing import area_lines
        from verify.discovery.gaps import columns_of

        if self._quiet:
            return
        gaps = run.pool.gaps
        position = run.position(int(gaps.first[number]))
        move = "URDL"[int(gaps.move[number])]
        console.say_position(position)
        say(f"  {move} is dead, and allowed")
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
        """Say what walks found."""
        note(f"{counted(walks, 'walk')} made, {counted(new, 'gap')} new")


def _print(book: "Book", run: "DiscoveryRun", as_json: bool) -> None:
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

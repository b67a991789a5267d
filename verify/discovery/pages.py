"""The page of a found book: every rule with its picture, its proof and its reason."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from heuristic.rules.drawing import Drawing
from heuristic.rules.letters import TURN_NAMES
from heuristic.rules.picture import draw_rules
from solver.board import LETTERS
from verify.discovery.areas import LONG
from verify.discovery.book import Book, Member
from verify.discovery.families import MOVE_NAMES, Family, enlarged
from verify.discovery.running import Run
from verify.discovery.search import FAR_LOOKS, LOOKS, SECONDS
from verify.words import counted


def head_of(book: Book, run: Run, start: str) -> str:
    """Return the comment that a found book begins with."""
    began = f" --rules {start}" if start else ""
    missed = f"they miss {counted(run.missed, 'dead move')}"
    if run.walked:
        missed += f" of {len(run.pool.gaps):,} that were met or named,\n# on {_on(run)}"
    return (
        f"# {counted(len(book.members), 'rule')}, found and proved: with the rules "
        f"before them\n# {missed}. Made by the command, never by hand:\n"
        f"# oneway discover {run.pool.gaps.board.notation}{began}\n"
    )


def _on(run: Run) -> str:
    """Return the boards that gaps were met on: the listed one, or those of walks."""
    boards = {position.board for position, _ in run.met()} or {run.pool.gaps.board}
    return ", ".join(b.notation for b in sorted(boards, key=lambda b: b.cells))


def page_files(book: Book, run: Run, page: Path) -> Iterator[tuple[Path, str]]:
    """Yield the page, its pictures and a list of open gaps, each with its text."""
    lines = [
        f"# Rules found on {_on(run)}",
        "",
        "Made by `oneway discover`. White is free, blue visited, dark outside, grey "
        "either, sand anything; N is not the end cell; a cross is a forbidden move. "
        "Each rule is tried with left and right exchanged too, and in the turns named.",
        "",
        f"{counted(len(book.members), 'rule')} from a pool of "
        f"{counted(len(run.pool.entries), 'drawing')}; "
        + (
            "no choice from it is smaller"
            if book.cover.optimal
            else f"at least {book.cover.rules_at_least:,} are needed from it"
        )
        + ", as each gap is caught by two where it can be." * run.pool.quick
        + "." * (not run.pool.quick),
        "",
    ]
    if run.walked and run.pool.open.any():
        listed = page.with_name(f"{page.stem}-open.txt")
        yield listed, _open_gaps(run)
        count = counted(int(run.pool.open.sum()), "dead move")
        lines += [
            f"{count} of those met or named stay open: [list]({listed.name}).",
            "",
        ]
    for member in book.members:
        picture = page.with_name(f"{member.rule.name}.svg")
        yield picture, draw_rules(_shown(member), member.rule.name)
        lines += _section(member, picture.name)
    yield page, "\n".join(lines) + "\n"


def _open_gaps(run: Run) -> str:
    """Return the gaps that no drawing catches, as `--gaps` reads them."""
    near = max(look[0] for look in LOOKS)
    far = max(look[0] for look in FAR_LOOKS)
    lines = [
        "# Dead moves that no drawing of the pool forbids: a position and the move.",
        f"# Tried for {SECONDS:.0f} s each: windows of {far} cells each way from the",
        f"# live end, forced lines of {near}, areas behind up to {LONG[-1][-1]} marked",
        "# cells, two areas. Those marked so were not tried.",
    ]
    gaps = run.pool.gaps
    for number in np.flatnonzero(run.pool.open):
        position = run.position(int(gaps.first[number]))
        tried = gaps.key(int(number)) in run.tried
        move = LETTERS[int(gaps.move[number])]
        lines.append(f"{position.notation} {move}" + "  # not tried" * (not tried))
    return "\n".join(lines) + "\n"


def _section(member: Member, picture: str) -> Iterator[str]:
    rule = member.rule
    turns = sorted({t.name.lower() for d in rule.drawings for t in d.turns})
    yield f"## {rule.name}"
    yield ""
    yield f"![{rule.name}]({picture})"
    yield ""
    yield f"{rule.reason[:1].upper()}{rule.reason[1:]}."
    yield ""
    yield (
        f"{counted(member.entry.facts, 'fact')}; turns: {', '.join(turns)}. PROVED for "
        f"{member.proved.boards}, by {counted(member.proved.clauses, 'clause')}. "
        f"Forbids {counted(member.caught, 'dead move')}, {member.only:,} of them alone."
    )
    yield ""
    if isinstance(member.entry.found, Family):
        yield from _table(member.entry.found)


def _shown(member: Member) -> tuple[Drawing, ...]:
    """Return the drawings to show: of a family its smallest member's."""
    drawings, found = member.rule.drawings, member.entry.found
    if not isinstance(found, Family):
        return drawings
    cells = {len(drawing.areas[0].cells) for drawing in drawings}
    return tuple(d for d in drawings if len(d.areas[0].cells) == min(cells))


def _table(family: Family) -> Iterator[str]:
    """Yield the table of a family: surpluses that are not impossible."""
    cases = list(family.cases())
    heads = []
    for cells, turns, _ in cases:
        moves = ", ".join(MOVE_NAMES[cell] for cell in cells)
        turned = ", ".join(TURN_NAMES[turn] for turn in turns)
        heads.append(f"{moves} (turns {turned})")
    yield "Surplus of the first area that is not impossible, by the cells of its line:"
    yield ""
    yield f"| cells | {' | '.join(heads)} |"
    yield f"| --- |{' --- |' * len(heads)}"
    most = max(len(ranges) for _, _, ranges in cases)
    for step in range(most):
        line = enlarged(family.picture, family.growth, step).areas[0].cells
        row = [_range(ranges[step : step + 1]) for _, _, ranges in cases]
        yield f"| {len(line)} | {' | '.join(row)} |"
    yield ""


def _range(ranges: tuple[tuple[int, int], ...]) -> str:
    if not ranges:
        return ""
    low, high = ranges[0]
    return "never" if low > high else f"{low} to {high}"

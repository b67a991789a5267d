"""`oneway draw`: a position as a picture.

`oneway export`: a position as an instance for other solvers, with its answer.

`oneway import`: drawings out of the researcher's rule pictures.

`oneway puzzle`: boards with just enough clues for one walk, on paper.
"""

import json
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, joined, note, say, shown
from verify.commands.options import argument, flag, option
from verify.words import counted

if TYPE_CHECKING:
    from heuristic.pictures.rule import Facts
    from heuristic.rule import Forbid


@console.kernels_by_size
def draw(
    context: typer.Context,
    position: str = argument("A position, such as 9:RRDD."),
    output: Path | None = option(
        "--output -o", "FILE.svg, FILE.png or FILE.pdf; none: as text.", None
    ),
    witness: bool = flag("--witness", "Dot a completion, if there is one."),
    rules: options.Rules = options.NONE,
    future: options.Future = False,
    walls: options.Walls = False,
    oracle: options.Oracle = "auto",
    scale: float = option("", "Size: a cell is 24 pixels at 1.", 1.0),
) -> None:
    """Draw a position: on the terminal, or into an SVG, PNG or PDF file.

    The walk is a line; with --rules the moves that they forbid are crossed and the
    areas they count are coloured; with --future the edges that they know to come are
    blue: future lines of the book, forced edges of the universal rules. With --witness
    a completion is dotted. On the terminal moves and completion are given in letters.

    Try: oneway draw 5:RDLDDDRRRU --rules seed-5 --witness -o position.svg

    Future lines: oneway draw 7:RDDRDDLDR --rules seed-future --future -o lines.svg

    A labyrinth: oneway draw 3:RRDLLDRR --walls -o labyrinth.svg
    """
    from solver.board import Position

    if not witness:
        options.refuse_idle(context, "without --witness", "oracle")
    if output is None:
        options.refuse_idle(context, "without --output", "scale")
    place = console.parse_line("", position)
    completion: tuple[int, ...] = ()
    if witness:
        from solver.nowalk import why_dead
        from solver.oracles.oracle import Verdict

        if why := why_dead(place):
            note(f"no witness: {why}")
        else:
            answer = console.make_oracle(oracle).decide(place)
            completion = answer.witness or ()
            if answer.verdict is not Verdict.COMPLETABLE:
                note(f"no witness: {answer.sentence}")
    forbids: tuple[Forbid, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    if future and not rules:
        raise OptionError("--future draws what rules know: add --rules universal")
    if future and output is None:
        raise OptionError("--future draws blue edges: add -o FILE.svg")
    if walls and output is None:
        raise OptionError("--walls draws a labyrinth: add -o FILE.svg")
    if walls and (rules or witness):
        raise OptionError("--walls has no marks: leave out --rules and --witness")
    if rules:
        from heuristic.groups import load_rules
        from heuristic.rule import known_edges

        rule_set = load_rules(joined(rules))
        forbids = rule_set.forbids(place)
        edges = known_edges(rule_set, place) if future else ()
    if output is None:
        console.say_position(place)
        if rules:
            from verify.display import lines

            for line in lines(place, forbids):
                say(line)
        if completion:
            whole = Position(place.board, (*place.walk, *completion))
            say(f"completion: {whole.notation}")
        return
    from solver.svg import write_picture

    if walls:
        from solver.labyrinth import draw_labyrinth

        svg = draw_labyrinth(place, scale=scale)
    else:
        from verify.display import picture

        svg = picture(place, forbids, completion, edges=edges, scale=scale)
    write_picture(svg, output)
    say(str(output))


_CONFLICTS = 100_000


def export(
    output: Path = option(
        "--output -o",
        "FILE.cnf, FILE.hcp, FILE.mps or FILE.opb; with --suite a folder.",
    ),
    position: str = argument("A position, such as 9:RRDD.", "", show_default=False),
    suite: str = option(
        "",
        "Write the benchmark suite into the folder -o: cnf, hcp, mps or opb.",
        "",
        metavar="FORMAT",
        show_default=False,
    ),
    oracle: options.Oracle = "sat",
    conflicts: int = option(
        "", "Conflicts after which a proof is given up.", _CONFLICTS, min=0
    ),
) -> None:
    """Write a position for other solvers, which say if there is a completion.

    The ending of FILE names the format: DIMACS for SAT solvers, TSPLIB for those of
    the travelling salesman, MPS for integer programming, OPB for pseudo-Boolean
    solvers. The file holds the whole question, no constraint is to be added later.
    FILE.json beside it has the answer of the oracle, a completion if there is one, and
    what the variables mean. Beside the .cnf of a dead position stands the proof that it
    has no model, checked: .drat and .lrat.

    --suite writes positions with known answers, and answers.json, into a folder.

    Try: oneway export 9:RRDLD -o dead.cnf
    """
    from solver.export import FORMATS, instance
    from solver.files import write_together
    from solver.oracles.oracle import Verdict

    if bool(position) == bool(suite):
        raise OptionError("give a position such as 9:RRDD, or --suite, not both")
    if suite and (oracle, conflicts) != ("sat", _CONFLICTS):
        raise OptionError("--suite is written as it is: leave out the other options")
    if suite:
        from solver.export import write_suite

        with console.progress_bar() as bar:
            along = partial(bar.track, description="write")
            many = write_suite(suite, output, along)
        say(f"{many} instances, answers: {output / 'answers.json'}")
        return
    kind = output.suffix.removeprefix(".")
    if kind not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise OptionError(f"{output.name!r} ends in none of {endings}")
    place = console.parse_line("", position)
    asked = instance(place)
    answer = console.make_oracle(oracle).decide(place)
    where = place.board.row_col
    about = {
        "position": place.notation,
        "verdict": answer.verdict.name,
        "oracle": oracle,
        "completion": [where(cell) for cell in answer.witness or ()] or None,
        "nodes": [where(cell) for cell in asked.nodes],
        "variables": [[where(a), where(b)] for a, b in asked.arcs],
    }
    beside = output.with_name(f"{output.name}.json")
    asks = FORMATS[kind](asked)
    files: list[tuple[Path, str | bytes | None]]
    files = [(output, asks), (beside, json.dumps(about) + "\n")]
    proved, proof = "", None
    if kind == "cnf":
        if answer.verdict is Verdict.DEAD and conflicts:
            from verify.proof.lrat import refute

            proof = refute(asks, conflicts)
            proved = f", no proof found in {conflicts:,} conflicts"
        names = output.with_suffix(".drat"), output.with_suffix(".lrat")
        files += zip(names, proof or (None, None), strict=True)
        if proof:
            proved = f", proof: {names[0]}, {names[1]}"
    write_together(files)
    say(f"{answer.verdict.name}: {output}, answer: {beside}{proved}")


_PICTURES = 10_000  # of one call


def import_pictures(
    pictures: list[Path] = argument("Rule pictures (.svg)."),
    output: Path | None = option(
        "--output -o", "Write the drawings into this rule file.", None
    ),
    facts: list[str] = option(
        "--facts",
        "What the picture does not hold: forbid=left,turns=0,turns=cw and so "
        "on; of many pictures a TOML file. docs/how-to/pictures.md has the keys.",
        options.NONE,
    ),
    prefix: str = option("", "Before the name of each rule.", ""),
    source: str = option("", "Where the pictures are from; kept with each rule.", ""),
) -> None:
    """Read rule pictures of the researcher's rule editor as drawings of a rule file.

    A cell is read from its shape, not from its number, which changed its meaning. The
    last edition crosses no forbidden move, marks no area and gives no turn. The count
    of an area may stand in the file's name (_E, _1W, _vB); the rest is given by
    --facts. A picture that lacks something says what.

    Exit code 0 if every picture is read, 1 if some are not, 2 if none is, or on bad
    input.

    Try: oneway import docs/examples/picture.svg

    A picture of 2026: oneway import StairAtEndConvexOut1_E.svg
    --facts forbid=left,turns=0,turns=cw

    Many: oneway import pictures/*.svg -o book.toml
    """
    from solver.files import write_whole
    from verify.verdict.pictures import book_text, count_files, read_pictures

    if len(pictures) > _PICTURES:
        raise OptionError(f"{len(pictures):,} pictures; at most {_PICTURES:,} at once")
    known = _facts(facts)
    read = read_pictures(pictures, source=source, prefix=prefix, facts=known)
    drawn = [one for one in read if one.found]
    if len(read) == 1 and read[0].error:
        raise read[0].error
    for one in read:
        if one.found is None:
            note(str(one.error))
        elif output is None:
            say(one.found.text)
    files, good = count_files(read)
    if files > 1:
        say(f"{counted(files, 'picture')}: {good} read, {files - good} not")
    command = " ".join(["oneway", *_written(sys.argv[1:], pictures)])
    if output and drawn:
        write_whole(output, book_text(read, command))
        say(f"written: {shown(output)}")
    if not drawn:
        raise typer.Exit(2)
    raise typer.Exit(0 if len(drawn) == len(read) else 1)


def _facts(words: list[str]) -> "Facts | dict[str, list[Facts]]":
    """Read a file of facts, or those of all pictures as KEY=VALUE,KEY=VALUE."""
    import msgspec

    from heuristic.pictures.rule import Facts, load_facts

    if len(words) == 1 and words[0].endswith(".toml"):
        return load_facts(Path(words[0]))
    found: dict[str, Any] = {"names": ["of one call"], "source": "the command line"}
    for word in ",".join(words).split(",") if words else ():
        key, _, value = word.partition("=")
        if key in ("forbid", "turns"):
            found.setdefault(key, []).append(value)
        else:
            found[key] = value
    try:
        return msgspec.convert(found, type=Facts, strict=False)
    except msgspec.ValidationError as error:
        raise OptionError(f"--facts {','.join(words)}: {error}") from None


def _written(words: list[str], pictures: list[Path]) -> list[str]:
    """Return the words of the command line, many pictures as their folder's pattern."""
    names = {str(path) for path in pictures}
    parents = {path.parent for path in pictures}  # without what is above them here
    folders = sorted({x.name if x.is_absolute() else x.as_posix() for x in parents})
    patterns = [f"{folder}/*.svg" for folder in folders]
    found: list[str] = []
    for word in words:
        if len(names) < 3 or word not in names:
            found.append(shlex.quote(word))
        elif patterns[0] not in found:
            found += [one if " " not in one else shlex.quote(one) for one in patterns]
    return found


MOST = 1000  # puzzles of one run


def puzzle(
    context: typer.Context,
    board: str = argument("The board: 9, 7x9, with walls, or cut out: 40!heart.png."),
    clues: str = option("", "What is given: steps of the walk, or walls.", "steps"),
    count: int = option("--count -n", "Number of puzzles.", 1, min=1, max=MOST),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    output: Path | None = option(
        "--output -o", "FILE.pdf; solutions go into FILE-solutions.pdf.", None
    ),
    paper: str = option(
        "", "Paper of the PDF, a4 or letter, and puzzles on a page.", "a4:4"
    ),
    title: str = option("", "Title of the pages.", "Puzzles"),
) -> None:
    """Make puzzles: draw one line through every cell, from the dot to the ring.

    Some steps of the line are given, or some walls, and there is one way to go on. No
    clue can be left out: without it there would be a second way. Two solvers that share
    no code agree on that. Each puzzle is graded by what it takes to solve: forced steps
    alone, counting black and white cells as well, or trial.

    Try: oneway puzzle 9 --seed 7 -n 12 -o sheet.pdf

    Walls instead of steps, as data: oneway puzzle 13 --clues walls --json
    """
    from solver.paper import Sheet
    from solver.puzzles.clues import make_puzzle, puzzle_pdf

    if output is None:
        options.refuse_idle(context, "without --output", "paper", "title")
    if output is not None and output.suffix != ".pdf":
        raise OptionError(f"{output.name!r} does not end in .pdf")
    if output is not None and not output.parent.is_dir():
        raise OptionError(f"cannot write {output}: {output.parent} is no folder")
    sheet, place = Sheet.parse(paper), console.read_board(board)
    made, captions = [], []
    with console.progress_bar() as bar:
        for own in bar.track(range(seed, seed + count), description="puzzles"):
            one = make_puzzle(place, own, clues)
            made.append(one)
            captions.append(
                f"seed {own}   {len(one.clues)} {clues}   {one.grade.value}"
            )
            if as_json:
                emit(
                    {
                        "board": place.notation,
                        "seed": own,
                        clues: [[place.row_col(cell) for cell in c] for c in one.clues],
                        "grade": one.grade.value,
                        "solution": one.solution.notation,
                    }
                )
            elif output is None:
                say(captions[-1])
    if output is not None:
        pages = puzzle_pdf(made, captions, sheet, title)
        name = f"{title}: solutions"
        solved = puzzle_pdf(made, captions, sheet, name, solved=True)
        files = console.with_solutions(output, pages, solved)
        (note if as_json else say)(f"puzzles: {files}")

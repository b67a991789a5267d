"""`oneway walk`: random walks that obey rules, or an exact oracle.

`oneway stats`: how many random walks are completed before an error.

`oneway milestones`: left-first runs that say when each rule is first needed.
"""

from dataclasses import asdict
from itertools import count as numbers
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from solver.errors import NoWalkError, OptionError
from verify.commands import console, options
from verify.commands.console import emit, joined, note, say, shown, table
from verify.commands.count import bytes_of
from verify.commands.ending import one_line
from verify.commands.options import argument, flag, option
from verify.commands.running import CORES, How, conduct
from verify.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress

    from heuristic.rule import RuleSet
    from solver.board import Board, Position
    from solver.oracles.oracle import Oracle


PICTURES = 1000  # of one run
_COMPLETE = "add --exact or --uniform, and leave out --future"
LARGE = 10_000  # cells of boards of which a single walk shows its progress


def walk(
    context: typer.Context,
    board: str = argument("The board: 9, 7x9, or 7x9@1,1>7,9!2,2 with walls."),
    rules: options.Rules = options.SEED_5,
    exact: bool = flag("--exact", "Obey no rules but the truth: never get stuck."),
    uniform: bool = flag(
        "--uniform", "Draw among all complete walks alike; up to 15 x 15."
    ),
    memory: options.Memory = 4.0,
    count: int = option("--count -n", "Number of walks.", 1, min=1),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    picture: Path | None = option(
        "--output -o",
        "FILE.svg or FILE.png, for several walks FILE-1.svg and so on; or "
        "FILE.pdf: labyrinths to print, and their solutions in FILE-solutions.pdf.",
        None,
        callback=options.checked_picture,
    ),
    paper: str = option(
        "--paper",
        "Paper of a PDF, a4 or letter, and labyrinths on a page: letter:4.",
        "a4",
    ),
    future: options.Future = False,
    walls: options.Walls = False,
    oracle: str = option(
        "", "Exact oracle, for --exact and for finding the step to blame.", "auto"
    ),
) -> None:
    """Walk at random, choosing uniformly among the moves that rules allow.

    With --exact the choice is among the completable moves: every walk is completed, on
    any board that has one. With --uniform every complete walk of the board has the same
    probability, which a choice step by step does not give.

    A walk under rules that gets stuck is shown with the step to blame: the last
    position that could still be completed. With --json one object a walk is printed,
    and last a summary. Every walk gets a picture of its own, up to 1000 of them; with
    --future it shows the edges that the rules know to come, with --walls it is a
    labyrinth: one corridor through all cells. Exit code 1 if no walk was completed.

    Try: oneway walk 9 --rules seed-5 --count 10 --seed 1

    A labyrinth to print: oneway walk 31 --exact --seed 7 --walls -o labyrinth.svg

    Twenty, maze-01.svg to maze-20.svg: oneway walk 31 --exact -n 20 --walls -o maze.svg

    On paper: oneway walk 21 --exact -n 8 -o mazes.pdf --paper letter:4
    """
    from solver.board import Position
    from solver.nowalk import end_hint, why_dead
    from solver.paper import Sheet, labyrinth_pdf

    if picture and count > PICTURES:
        raise OptionError(f"-o draws up to {PICTURES} walks, not {count}")
    if exact and uniform:
        raise OptionError("--exact and --uniform are two ways to walk: give one")
    if not uniform:
        options.refuse_idle(context, "without --uniform", "memory")
    if exact or uniform:
        which = "--exact" if exact else "--uniform"
        options.refuse_idle(context, f"with {which}", "rules", "future")
    if uniform:
        options.refuse_idle(context, "with --uniform", "oracle")
    sheet = Sheet.parse(paper)
    pdf = picture is not None and picture.suffix == ".pdf"
    if pdf and (future or not (exact or uniform)):
        raise OptionError(f"a PDF shows complete walks alone: {_COMPLETE}")
    if not pdf and paper != "a4":
        raise OptionError("--paper is that of a PDF: add -o FILE.pdf")
    if walls and picture is None:
        raise OptionError("--walls draws a labyrinth: add -o FILE.svg or -o FILE.pdf")
    if walls and (future or not (exact or uniform)):
        raise OptionError(f"a labyrinth is drawn of complete walks: {_COMPLETE}")
    place = console.read_board(board, walkable=False)
    if why := why_dead(Position(place)):
        if as_json:
            emit(summary={"walks": 0, "stuck": 0, "seed": seed, "why": why})
        else:
            raise NoWalkError(place.notation, f"{why}{end_hint(place)}")
        raise typer.Exit(1)
    judge = console.make_oracle(oracle)
    rule_set = None
    if uniform:
        walks = _uniform_walks(place, seed, bytes_of(memory))
    elif not exact:
        from heuristic.groups import load_rules
        from heuristic.rule import related_oracles

        rule_set = load_rules(joined(rules))
        judge = console.make_judge(oracle, related_oracles(rule_set))
        walker = rule_set.walker(place)
        walks = (walker.walk(number).position for number in numbers(seed))
    stuck, last = 0, None
    drawn: list[Position] = []
    with console.progress_bar() as bar:
        if exact:
            walks = _exact_walks(place, seed, judge, bar)
        for _ in bar.track(range(count), description=f"walks on {board}"):
            last = next(walks)
            stuck += not last.complete
            if picture:
                drawn.append(last)
            if as_json:
                emit(position=last.notation, stuck=not last.complete)
            elif count > 1 and not picture:
                say(f"{'complete' if last.complete else 'stuck   '} {last.notation}")
    if picture and pdf:
        if uniform:
            own = [f"each alike, seed {seed}, number {n}" for n in range(1, count + 1)]
        else:
            own = [f"step by step, seed {n}" for n in range(seed, seed + count)]
        captions = [f"{board}, {text}" for text in own]
        made = [labyrinth_pdf(drawn, captions, sheet, solved=x) for x in (False, True)]
        files = f"labyrinths: {console.with_solutions(picture, *made)}"
    elif picture:  # before the rest is printed: a reader may leave early
        files = _draw(drawn, rule_set if future else None, walls, picture)
    if picture:
        (note if as_json else say)(files)
    if as_json:
        emit(summary={"walks": count, "stuck": stuck, "seed": seed})
    elif count > 1:
        from heuristic.walks.statistics import summarise

        before, interval = summarise(count, stuck).in_words()
        say(
            f"{count - stuck:,} of {count:,} walks completed; walks before an error: "
            f"{before} (95 % interval {interval})"
        )
    elif last and not picture:
        _show(last, rule_set, judge)
    raise typer.Exit(1 if stuck == count else 0)


def _draw(
    drawn: "list[Position]", rule_set: "RuleSet | None", walls: bool, picture: Path
) -> str:
    """Draw walks, with the edges that the rules know to come, or as labyrinths.

    Returns the line that names the files.
    """
    from heuristic.rule import known_edges
    from solver.labyrinth import draw_labyrinth
    from solver.svg import draw, write_pictures

    def svg(position: "Position") -> str:
        if walls:
            return draw_labyrinth(position)
        edges = known_edges(rule_set, position) if rule_set is not None else ()
        return draw(position, edges=edges)

    files = console.numbered(picture, len(drawn))
    with console.progress_bar() as bar:
        pairs = list(zip(files, drawn, strict=True))
        todo = bar.track(pairs, description="pictures")
        write_pictures((file, svg(position)) for file, position in todo)
    if len(files) > 1:
        return f"pictures: {shown(files[0])} to {one_line(files[-1].name)}"
    state = "complete" if drawn[0].complete else "stuck"
    return f"{state}: {shown(picture)}"


def _uniform_walks(board: "Board", seed: int, memory: int) -> "Iterator[Position]":
    """Yield complete walks, all alike; one generator of one seed."""
    from solver.counting.plan import TooLargeError
    from solver.counting.uniform import UniformWalks

    try:
        with console.ticking(f"layers of {board.notation[:40]}") as tick:
            drawn = UniformWalks(board, seed=seed, memory=memory, progress=tick)
    except TooLargeError as error:
        raise TooLargeError(f"{error}; --memory allows more") from None
    while True:
        yield drawn.draw()


def _exact_walks(
    board: "Board", seed: int, oracle: "Oracle", bar: "Progress"
) -> "Iterator[Position]":
    """Yield exact walks, of the seeds that follow; the kernel if its oracle will do."""
    from solver.oracles.exact import exact_walk, oracle_walk
    from solver.oracles.oracle import Verdict

    progress = None
    if board.cells > LARGE:
        task = bar.add_task("cells of a walk", total=board.open_cells)

        def progress(visited: int) -> None:
            bar.update(task, completed=visited)

    for number in numbers(seed):
        if oracle.name in ("auto", "search"):
            found = exact_walk(board, number, progress=progress)
        else:
            found = oracle_walk(board, number, oracle)
        if found.verdict is Verdict.UNKNOWN:
            raise OptionError(
                f"oracle {oracle.name!r} does not know {found.position.notation}: "
                f"{oracle.decide(found.position).why or found.verdict.value}"
            )
        yield found.position


def _show(place: "Position", rule_set: "RuleSet | None", oracle: "Oracle") -> None:
    from solver.board import Position
    from solver.oracles.oracle import Verdict
    from verify.truth import blame

    console.say_position(place)
    if place.complete:
        say("complete")
        return
    if rule_set is None:
        raise NoWalkError(place.board.notation)
    stuck = f"stuck after {counted(len(place.moves), 'move')}"
    guilty = blame(place, oracle)
    if guilty is None:
        verdict = oracle.decide(Position(place.board)).verdict
        known = "has no" if verdict is Verdict.DEAD else "is not known to have a"
        say(f"{stuck}; this board {known} Hamiltonian walk")
        return
    step = len(guilty.walk)
    if step == len(place.walk):
        say(f"{stuck}, though a completion exists: the rules forbid every good move")
    else:
        taken = place.moves[step - 1]
        say(f"{stuck}; move {step}, {taken}, was the mistake.")
        say("Before it a completion existed:")
    console.say_judged(guilty, rule_set, oracle)


def stats(
    boards: list[str] = argument("Boards: 9 11 13, or 7x9 ..."),
    rules: options.Rules = options.SEED_5,
    count: int = option("--count -n", "Walks a board.", 1000, min=1),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    jobs: options.Jobs = CORES,
    cluster: options.Cluster = None,
) -> None:
    """Measure a rule set by random walks: how many are completed before one is stuck.

    The interval is the 95 % interval of Wilson for the share of stuck walks, turned
    into walks before an error.

    Try: oneway stats 5 7 9 11 --rules seed-5

    A million walks; run it again to resume:
    oneway stats 21 --rules universal -n 1000000
    """
    from heuristic.groups import load_rules
    from heuristic.universal.universal import REPEATED, UniversalWalker
    from solver.board import Board
    from verify.evidence.trials import walk_counts

    named = joined(rules)
    rule_set = load_rules(named)
    places = list(dict.fromkeys(console.read_board(text) for text in boards))
    run = walk_counts(rule_set, places, count=count, seed=seed)
    found = conduct(run, How(jobs, cluster))
    rows = []
    for board, one in found.items():
        if as_json:
            ends = one.before_error_interval
            finite = [x if x < float("inf") else None for x in ends]
            entry = asdict(one) | {"board": board, "seed": seed}
            mean = one.before_error if one.stuck else None
            emit(entry | {"before_error": mean, "before_error_interval": finite})
        walker = rule_set.walker(Board.parse(board))
        if isinstance(walker, UniversalWalker) and walker.exact:
            note(
                f"{board}: exact walks, which the rules allow by theorem; up to 1,000 "
                f"cells one in {REPEATED} is made again by the rules alone"
            )
        share = f"{100 * one.error_rate:.2f} %"
        rows.append([board, one.walks, one.stuck, share, *one.in_words()])
    if not as_json:
        header = ["board", "walks", "stuck", "errors", "before an error", "95 %"]
        table(f"Random walks under {named}, seed {seed}", header, rows)


SEED_9 = ["seed-9-size"]


def milestones(
    board: str = argument("A board: 5, 7, 9 ..."),
    rules: options.Rules = SEED_9,
    walks: int = option(
        "--count -n",
        "Stop after so many completed walks; 0 for all of the board.",
        1_000_000,
        min=0,
    ),
    stop_stuck: bool = flag("--stop-stuck", "Stop at the first stuck position."),
    as_json: options.Json = False,
) -> None:
    """Walk left first; say when each rule was first needed and where it got stuck.

    A rule is first needed when it alone forbids a move. Walks ahead of a position that
    was met before are counted, not walked. To see where the walk gets stuck without a
    rule, leave it out: --rules GROUP,-RULE --stop-stuck.

    Try: oneway milestones 7 --rules seed-7 -n 1000

    All of 9 x 9, where nothing is stuck: oneway milestones 9 --rules seed-2024 -n 0
    """
    from heuristic.groups import load_rules
    from verify.evidence.milestones import milestones as left_first_run

    rule_set, place = load_rules(joined(rules)), console.read_board(board)
    with console.counting(f"walks on {place.notation}", walks or None) as moved:
        found = left_first_run(
            rule_set, place, walks=walks, stop_stuck=stop_stuck, progress=moved
        )
    stuck_at = [(before, position.notation) for before, position in found.stuck_at]
    if as_json:
        emit(
            {
                "rules": rule_set.name,
                "board": place.notation,
                "completed": found.completed,
                "stuck": found.stuck,
                "steps": found.steps,
                "finished": found.finished,
                "needed": found.needed,
                "stuck at": stuck_at,
            }
        )
        return
    say(f"{found.completed:,} walks completed, {found.stuck:,} positions stuck")
    say("everything was tried" if found.finished else "the run is not finished")
    for completed, notation in stuck_at:
        say(f"stuck after {completed:,} walks: {notation}")
    firsts = [[first, rule] for rule, first in found.needed.items()]
    table("First needed after so many walks", ["walks", "rule"], firsts)

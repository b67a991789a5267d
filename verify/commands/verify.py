"""`oneway verify`: rules tested at positions whose truth is known."""

from dataclasses import asdict
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from heuristic.boards import read_boards
from solver.errors import NoWalkError, OptionError
from solver.oracles.registry import listed
from verify.commands import console, options
from verify.commands.console import emit, kept, note, say, shown, table
from verify.commands.options import flag, option
from verify.commands.running import CORES, How, conduct
from verify.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from heuristic.boards import Boards
    from heuristic.rule import RuleSet
    from solver.board import Board
    from solver.oracles.oracle import Oracle
    from verify.evidence.evidence import Evidence, Example


EXHAUSTIVE = 49  # open cells up to which all positions are tried: 7x7
DRAWN = 2000  # positions drawn on larger boards, if nothing else is said
WAYS = 50  # seconds of --ways, at the pace of drawn rules: all of 7 x 7
QUICK = 1681  # open cells up to which `sat` draws those in seconds: 41x41


def verify(
    context: typer.Context,
    rules: options.RulesBoards = None,
    drawn: int | None = option(
        "--count -n",
        "Number of random positions, instead of all. Default above 49 cells: 2000.",
        None,
        min=1,
    ),
    uniform: bool = flag(
        "--uniform",
        "Sample along walks that all have the same probability; up to 13 x 13.",
    ),
    save: options.Save = False,
    ways: bool = flag(
        "--ways",
        "Then walk every allowed way of a board of up to 49 cells and count the stuck "
        "ones. A minute or more.",
    ),
    meant_for: options.BoardKind = None,
    seed: options.Seed = 0,
    oracle: str | None = option(
        "--oracle",
        f"Exact oracle: {listed()}. Default: sat; search above 41 x 41, but not for "
        "universal rules, whose kernels it shares.",
        None,
    ),
    corpus: options.Corpus = None,
    watch: options.Watch = False,
    as_json: options.Json = False,
    picture: options.Picture = None,
    jobs: options.Jobs = CORES,
) -> None:
    """Test rules at positions whose truth is known: what is wrong, what is missed.

    Boards of up to 49 cells are tested at every completable position, larger ones at
    random positions that an exact oracle keeps completable. The default boards are 5
    and 7. A rule is *unsound* if it forbids a completable move once; the smallest such
    position is printed. So is the first gap: a completable position where the rules
    allow a dead move. A rule is asked only on boards that it is meant for.

    Exit code 1 if a rule is unsound. Gaps do not count.

    Try: oneway verify seed-5 5 7

    With rules of your own: oneway verify my-rule.toml 9 --save

    A Python rule: oneway verify my_rules.py:corner_ahead 5

    While you draw a rule: oneway verify my-rule.toml 5 --watch
    """
    words, named = console.rules_and_boards(rules)
    words = words or options.SEED_5
    boards = named or [console.read_board(text) for text in ("5", "7")]
    if not save:
        options.refuse_idle(context, "without --save", "corpus")
    if ways and as_json:
        raise OptionError("--ways prints a table: leave out --json")
    _check_sizes(boards, drawn, ways)
    pictures = console.numbered(picture, len(boards)) if picture else repeat(None)
    asked = drawn, uniform, seed, oracle
    meant = read_boards(meant_for) if meant_for else None

    def once() -> bool:
        sound = True
        trials = _tried(How(jobs), words, boards, asked, meant)
        for tried, file in zip(trials, pictures, strict=False):
            evidence, rule_set, board, judge = tried
            sound &= evidence.sound
            if as_json:
                emit(as_dict(evidence, rule_set))
            else:
                print_evidence(evidence, rule_set, judge, file)
                if ways:
                    print_stuck(rule_set, board, judge)
            if save:
                for path, new in save_found(evidence, rule_set, judge, corpus):
                    (note if as_json else say)(f"case {kept(path, new)}")
        return sound

    good = console.again_when_saved(words, once) if watch else once()
    raise typer.Exit(0 if good else 1)


def _check_sizes(boards: "list[Board]", drawn: int | None, ways: bool) -> None:
    """Refuse --ways of a large board; say how many positions are drawn on one."""
    for board in boards:
        if ways and board.open_cells > EXHAUSTIVE:
            raise OptionError(f"--ways is for boards up to {EXHAUSTIVE} cells")
        if board.open_cells > EXHAUSTIVE and drawn is None:
            note(
                f"{board.notation}: above {EXHAUSTIVE} cells positions are drawn, "
                f"{DRAWN:,} here; -n draws more"
            )


def _tried(
    how: How,
    words: list[str],
    boards: "list[Board]",
    asked: tuple[int | None, bool, int, str | None],
    meant: "Boards | None",
) -> "Iterator[tuple[Evidence, RuleSet, Board, Oracle]]":
    """Try the rules, loaded again, on all boards that they are meant for.

    - `asked`: how many positions to draw, whether uniformly, the seed and the oracle.
    - `meant`: the boards that all rules are taken to be meant for, if not None.
    """
    from solver.board import Position
    from solver.nowalk import end_hint, why_dead
    from solver.oracles.oracle import Verdict
    from verify.evidence.trials import trials

    drawn, uniform, seed, oracle = asked
    for board in boards:
        rule_set = console.rules_meant_for(words, board, meant)
        judge = oracle_for(rule_set, board, oracle)
        why = why_dead(Position(board))
        if why or judge.decide(Position(board)).verdict is Verdict.DEAD:
            raise NoWalkError(board.notation, f"{why}{end_hint(board)}")
        whole = drawn is None and board.open_cells <= EXHAUSTIVE and not uniform
        positions = None if whole else drawn or DRAWN
        tried = [(board.notation, judge.name, positions)]
        run = trials([rule_set.name], tried, seed=seed, uniform=uniform)
        for evidence in conduct(run, how):
            yield evidence, rule_set, board, judge


def oracle_for(rule_set: "RuleSet", board: "Board", name: str | None) -> "Oracle":
    """Return the oracle of that name, or the one that suits rules and board.

    `sat`, which shares nothing with any rule; on a large board `search`, if the rules
    are no kernels of its own. Either way the positions drawn are the same.

    Raises `OptionError` if the oracle of that name shares kernels with the rules.
    """
    from heuristic.rule import related_oracles

    related = related_oracles(rule_set)
    if name in related or (name == "auto" and related):
        raise OptionError(
            f"oracle {name!r} shares its kernels with these rules; use --oracle sat"
        )
    if name is not None or board.open_cells <= QUICK:
        return console.make_oracle(name or "sat")
    if "search" in related:
        note(
            f"{board.notation}: sat takes long on such a board, but the other oracles "
            "share their kernels with the universal rules"
        )
        return console.make_oracle("sat")
    note(f"{board.notation}: the oracle is search; --oracle sat takes long here")
    return console.make_oracle("search")


def as_dict(evidence: "Evidence", rules: "RuleSet") -> dict[str, Any]:
    """Return the evidence of rules as plain values, for JSON."""
    boards = {rule.name: rule.boards for rule in rules.rules}

    def named(example: "Example | None") -> dict[str, str] | None:
        if example is None:
            return None
        return {"position": example.notation, "moves": example.moves}

    found = asdict(evidence)
    for entry, rule in zip(found["rules"], evidence.rules, strict=True):
        entry["verdict"] = rule.verdict
        entry["boards"] = boards[rule.name].word
        entry["first_wrong"] = named(rule.first_wrong)
    return found | {
        "first_gap": named(evidence.first_gap),
        "sound": evidence.sound,
        "complete": evidence.complete,
    }


def print_evidence(
    evidence: "Evidence",
    rule_set: "RuleSet",
    oracle: "Oracle",
    picture: Path | None = None,
) -> None:
    """Print the table of verdicts, the first wrong positions and the first gap."""
    columns = ("name", "claim", "fired", "wrong", "caught", "only", "verdict")
    rows = [[getattr(rule, name) for name in columns] for rule in evidence.rules]
    header = ["rule", "claim", "fired", "wrong", "caught", "only it", "verdict"]
    table(f"{evidence.rule_set} on {evidence.scope}", header, rows)
    caught = evidence.dead_moves - evidence.missed
    say(
        f"{counted(evidence.positions, 'position')}, "
        f"{counted(evidence.dead_moves, 'dead move')}: "
        f"{caught:,} forbidden, {evidence.missed:,} missed, "
        f"in {counted(evidence.gaps, 'gap')}"
    )
    silent = [rule.name for rule in evidence.rules if not rule.fired]
    if silent:
        say(f"never fired: {', '.join(silent)}; no move was forbidden at any position")
    for rule in evidence.rules:
        if rule.first_wrong:
            position, moves = rule.first_wrong.position, rule.first_wrong.moves
            say(f"\n{rule.name} forbids {' and '.join(moves)}, though completable:")
            console.say_judged(position, rule_set, oracle)
    if evidence.first_gap:
        position, moves = evidence.first_gap.position, evidence.first_gap.moves
        verb, it = ("is", "it") if len(moves) == 1 else ("are", "them")
        phrase = f"{' and '.join(moves)} {verb} dead, and no rule forbids {it}"
        say(f"\nfirst gap: {phrase}")
        console.say_judged(position, rule_set, oracle)
    elif evidence.complete:
        say("complete: every dead move was forbidden")
    if picture:
        write_example(evidence, rule_set, oracle, picture)


def print_stuck(
    rule_set: "RuleSet", board: "Board", oracle: "Oracle", seconds: int = WAYS
) -> None:
    """Walk every allowed way of a small board; print how often it gets stuck.

    A sound rule set completes every walk of the board; a complete one is never stuck.
    There are as many rounds as the walker makes in so many `seconds` at its pace.
    """
    from heuristic.walks.leftfirst import LeftFirstWalk
    from heuristic.walks.rounds import Event
    from solver.board import Position
    from verify.truth import blame

    walker = LeftFirstWalk(rule_set, Position(board))
    budget, first = seconds * walker.pace, None
    with console.counting(f"stuck positions on {board.notation}") as moved:

        def tell(walker: LeftFirstWalk) -> None:
            moved(walker.completed)

        event = walker.run(budget=budget, stop_stuck=True, progress=tell)
        if event is Event.STUCK:
            first = walker.position
            event = walker.run(budget=budget, progress=tell)
    limited = f"the ways tried in {budget:,} rounds, the limit"
    scope = "every allowed way" if event is Event.FINISHED else limited
    completed = counted(walker.completed, "walk")
    say(f"\n{scope}: {completed} completed, {walker.stuck:,} stuck")
    if first and (mistake := blame(first, oracle)):
        say(f"the first stuck position: {first.notation}")
        step = len(mistake.walk)
        if mistake == first:
            say("it is completable: the rules forbid every good move")
        else:
            move = first.moves[step - 1]
            say(f"its mistake was move {step}, {move}, at {mistake.notation}")


def write_example(
    evidence: "Evidence", rule_set: "RuleSet", oracle: "Oracle", picture: Path
) -> None:
    """Draw the first wrong position with its completion, or else the first gap."""
    from solver.svg import write_picture
    from verify.display import picture as picture_of

    wrong = [rule.first_wrong for rule in evidence.rules if rule.first_wrong]
    example = wrong[0] if wrong else evidence.first_gap
    if example is None:
        say("no picture: nothing was wrong and nothing was missed")
        return
    place = example.position
    witness: tuple[int, ...] = ()
    if wrong:
        after = place.step(example.moves[0])
        witness = (after.live_end, *(oracle.decide(after).witness or ()))
    gaps = "" if wrong else example.moves
    forbids = rule_set.forbids(place)
    write_picture(picture_of(place, forbids, witness, gaps=gaps), picture)
    say(f"picture: {shown(picture)}")


def save_found(
    evidence: "Evidence",
    rule_set: "RuleSet",
    oracle: "Oracle",
    corpus: Path | None,
) -> list[tuple[Path, bool]]:
    """Save the first gap and each rule's first wrong position, made minimal."""
    from verify.corpus.cases import corpus_folder, save_case
    from verify.corpus.making import make_case
    from verify.corpus.origin import origin_of

    folder = corpus or corpus_folder()
    origin = origin_of(rule_set.name, folder)
    found = [(r.name, r.first_wrong) for r in evidence.rules if r.first_wrong]
    faults = [("unsound", name, example) for name, example in found]
    if evidence.first_gap:
        faults.append(("gap", "", evidence.first_gap))
    saved = []
    for kind, rule, example in faults:
        case = make_case(
            *(kind, example.position, rule_set, origin, oracle),
            rule=rule,
            source=f"oneway verify, {evidence.scope}",
        )
        saved.append(save_case(case, folder, rule_set))
    return saved

"""`oneway verify`: rules tested at positions whose truth is known."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from heuristic.rule import RuleSet, related_oracles
from heuristic.walks.leftfirst import LeftFirstWalk
from heuristic.walks.rounds import Event
from solver.board import Board, Position
from solver.errors import NoWalkError, OptionError
from solver.nowalk import end_hint, why_dead
from solver.oracles.answer import Oracle, Verdict
from solver.oracles.oracle import get_oracle
from solver.oracles.registry import listed
from verify.commands import options
from verify.commands.console import (
    emit,
    kept,
    note,
    progress,
    say,
    table,
)
from verify.commands.rulesets import rules_and_boards, rules_meant_for, say_judged
from verify.commands.running import CORES, How, conduct
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.corpus.making import make_case
from verify.evidence.evidence import Evidence, Example
from verify.evidence.trials import trials
from verify.truth import blame
from verify.words import counted

EXHAUSTIVE = 49  # open cells up to which all positions are tested: 7x7
SAMPLED = 2000  # positions of larger boards by default
WAYS = 50  # seconds of --ways, at the pace of drawn rules: all of 7 x 7
QUICK = 1681  # open cells up to which `sat` samples positions in seconds: 41x41


def verify(
    context: typer.Context,
    rules: options.RulesBoards = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            metavar="N",
            parser=options.whole(1),
            help="Random positions, instead of all.",
        ),
    ] = None,
    uniform: Annotated[
        bool,
        typer.Option(
            "--uniform", help="Sample along equally likely walks; up to 13 x 13."
        ),
    ] = False,
    ways: Annotated[
        bool,
        typer.Option("--ways", help="Walk every allowed way of a small board, too."),
    ] = False,
    boards: options.BoardKind = None,
    save: options.Save = False,
    corpus: options.Corpus = None,
    oracle: Annotated[
        str | None,
        typer.Option("--oracle", help=f"Exact oracle: {listed()}. Default: sat."),
    ] = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = CORES,
    as_json: options.Json = False,
) -> None:
    """Test rules at positions whose truth is known.

    Boards of up to 49 cells are tested at every completable position, larger ones at
    2,000 random ones. The default boards are 5 and 7. A rule is *unsound* if it forbids
    a completable move once; the smallest such position is printed. So is the first gap:
    a completable position where the rules allow a dead move.

    Exit code 1 if a rule is unsound. Gaps do not count.

    \b
    Every position:
      oneway verify seed-5 5 7
    With rules of your own:
      oneway verify my-rule.toml 9 --save
    A Python rule:
      oneway verify my_rules.py:corner_ahead 5
    """
    words, named = rules_and_boards(rules)
    words = words or options.SEED_5
    places = named or [Board.square(5), Board.square(7)]
    if not save:
        options.refuse_idle(context, "without --save", "corpus")
    if ways and as_json:
        raise OptionError("--ways prints a table: leave out --json")
    if ways and any(place.open_cells > EXHAUSTIVE for place in places):
        raise OptionError(f"--ways is for boards up to {EXHAUSTIVE} cells")
    sound = True
    for place in places:
        rule_set = rules_meant_for(words, place, boards)
        judge = oracle_for(rule_set, place, oracle)
        _check_walkable(place, judge)
        whole = count is None and place.open_cells <= EXHAUSTIVE and not uniform
        if count is None and place.open_cells > EXHAUSTIVE:
            note(
                f"{place.notation}: above {EXHAUSTIVE} cells positions are sampled, "
                f"{SAMPLED:,} here; -n samples more"
            )
        tried = (place.notation, judge.name, None if whole else count or SAMPLED)
        run = trials([rule_set.name], [tried], seed=seed, uniform=uniform)
        (evidence,) = conduct(run, How(jobs))
        sound &= evidence.sound
        if as_json:
            emit(as_dict(evidence, rule_set))
        else:
            print_evidence(evidence, rule_set, judge)
        if ways:
            print_stuck(rule_set, place, judge)
        if save:
            for path, new in save_found(evidence, rule_set, judge, corpus):
                (note if as_json else say)(f"case {kept(path, new)}")
    raise typer.Exit(0 if sound else 1)


def _check_walkable(board: Board, judge: Oracle) -> None:
    """Refuse a board that has no Hamiltonian walk."""
    why = why_dead(Position(board))
    if why or judge.decide(Position(board)).verdict is Verdict.DEAD:
        raise NoWalkError(board.notation, f"{why}{end_hint(board)}")


def oracle_for(rule_set: RuleSet, board: Board, name: str | None) -> Oracle:
    """Return the oracle of that name, or the one that suits rules and board.

    `sat`, which shares nothing with any rule; on a large board `search`, if the rules
    do not use its kernels. Both sample the same positions.

    Raises `OptionError` if the oracle of that name shares kernels with the rules.
    """
    related = related_oracles(rule_set)
    if name in related or (name == "auto" and related):
        raise OptionError(
            f"oracle {name!r} shares its kernels with these rules; use --oracle sat"
        )
    if name is not None or board.open_cells <= QUICK:
        return get_oracle(name or "sat")
    if "search" in related:
        note(
            f"{board.notation}: sat takes long on such a board, but the other oracles "
            "share their kernels with the universal rules"
        )
        return get_oracle("sat")
    note(f"{board.notation}: the oracle is search; --oracle sat takes long here")
    return get_oracle("search")


def as_dict(evidence: Evidence, rules: RuleSet) -> dict[str, Any]:
    """Return the evidence of rules as plain values, for JSON."""
    boards = {rule.name: rule.boards for rule in rules.rules}

    def named(example: Example | None) -> dict[str, str] | None:
        if example is None:
            return None
        return {"position": example.notation, "moves": example.moves}

    data = asdict(evidence)
    for entry, rule in zip(data["rules"], evidence.rules, strict=True):
        entry["verdict"] = rule.verdict
        entry["boards"] = boards[rule.name].word
        entry["first_wrong"] = named(rule.first_wrong)
    return data | {
        "first_gap": named(evidence.first_gap),
        "sound": evidence.sound,
        "complete": evidence.complete,
    }


def print_evidence(evidence: Evidence, rule_set: RuleSet, oracle: Oracle) -> None:
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
    if silent := [rule.name for rule in evidence.rules if not rule.fired]:
        say(f"never fired: {', '.join(silent)}; no move was forbidden at any position")
    for name, wrong in _wrong(evidence):
        say(f"\n{name} forbids {' and '.join(wrong.moves)}, though completable:")
        say_judged(wrong.position, rule_set, oracle)
    if gap := evidence.first_gap:
        verb, it = ("is", "it") if len(gap.moves) == 1 else ("are", "them")
        moves = " and ".join(gap.moves)
        say(f"\nfirst gap: {moves} {verb} dead, and no rule forbids {it}")
        say_judged(gap.position, rule_set, oracle)
    elif evidence.complete:
        say("complete: every dead move was forbidden")


def _wrong(evidence: Evidence) -> Iterator[tuple[str, Example]]:
    """Yield each unsound rule with the first position at which it is wrong."""
    for rule in evidence.rules:
        if rule.first_wrong:
            yield rule.name, rule.first_wrong


def print_stuck(
    rule_set: RuleSet, board: Board, oracle: Oracle, seconds: int = WAYS
) -> None:
    """Walk every allowed way of a small board; print how often it gets stuck.

    A sound rule set completes every walk of the board; a complete one is never stuck.
    The limit is as many rounds as the walker makes in `seconds` at its pace.
    """
    walker = LeftFirstWalk(rule_set, Position(board))
    budget, first = seconds * walker.pace, None
    with progress(f"stuck positions on {board.notation}") as bar:

        def tell(walker: LeftFirstWalk) -> None:
            bar.update(walker.completed)

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


def save_found(
    evidence: Evidence, rule_set: RuleSet, oracle: Oracle, corpus: Path | None
) -> list[tuple[Path, bool]]:
    """Save the first gap and each rule's first wrong position, minimised."""
    folder = corpus or corpus_folder()
    origin = origin_of(rule_set.name, folder)
    faults = [("unsound", name, example) for name, example in _wrong(evidence)]
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

"""`oneway report`: pages about rules, from positions and proofs."""

from dataclasses import replace
from pathlib import Path

from typer import Context, Exit, Option

from heuristic.groups import NO_DRAWING, is_python, load_rules, words_of
from heuristic.rule import Boards, RuleSet, narrowest
from solver.board import Board
from solver.errors import OptionError
from solver.files import make_folder
from solver.oracles.oracle import get_oracle
from verify.commands import console, options
from verify.commands.prove import provable_rules
from verify.corpus.cases import corpus_folder
from verify.evidence.evidence import (
    EXHAUSTIVE,
    GROUPS,
    compare_versions,
    sampled_positions,
    small_boards,
    trials,
    walk_counts,
)
from verify.evidence.report import evidence_summary, write_evidence
from verify.proof.certificate import write_certificate
from verify.proof.prove import book_rules, not_provable
from verify.verdict.report import cells_of, judging, verdict_counts, write_report

_SAMPLED = 2000  # positions of 9 x 9 if --against is given no board


def report(
    context: Context,
    rules: options.RulesBoards = None,
    everything: options.All = False,
    against: list[str] | None = Option(None, help="Compare with these older rules."),
    boards: options.BoardKind = None,
    count: int = options.count(20_000, "Samples of boards above 7 x 7."),
    walks: int = options.number(0, "Random walks by group and board."),
    no_verdicts: bool = Option(False, "--no-verdicts", help="Prove nothing."),
    seconds: options.Seconds = 10.0,
    corpus: options.Corpus = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = options.CORES,
    output: Path = Option("out/report", "--output", "-o", help="Folder of the pages."),
) -> None:
    """Write pages about rules: evidence, walks and verdicts.

    evidence.md: how often each rule fired on the boards (default 5), was wrong, or
    caught dead moves. verdicts.md: each drawn rule is PROVED, REFUTED or OPEN.

    --against writes nothing. It counts the moves that only one version of the rules
    forbids. The default boards are the rectangles up to 5 x 5, and 9 x 9.

    Exit code 0 if every rule is proved, 1 if not; with --against 1 if the new rules
    forbid a completable move.

    \b
    The whole book:
      oneway report --all 5 7 --jobs 2
    What a changed rule lost:
      oneway report new.toml --against old.toml
    """
    words, places = options.rules_and_boards(rules)
    if against:
        if not words:
            raise OptionError("name the new rules: oneway report NEW --against OLD")
        idle = ("everything", "walks", "no_verdicts", "output", "seconds")
        options.refuse_idle(context, "with --against", *idle)
        versions = options.read_rules(words), options.read_rules(against)
        wrong = _compare(*versions, places, count, seed, boards)
        raise Exit(1 if wrong else 0)
    options.refuse_idle(context, "without --against", "boards")
    named = words_of(",".join(words)) if words else []
    if named and all(map(is_python, named)) and not no_verdicts:
        console.note(f"no verdict of {', '.join(named)}: {NO_DRAWING}")
        no_verdicts = True
    if not no_verdicts or bool(words) == everything:
        provable_rules(words, everything)  # prints what cannot be proved
    left_out = any(",-" in word for word in words)
    groups = tuple(words if left_out or not words else named) or GROUPS
    for group in groups:
        load_rules(group)  # refuses unknown names
    folder, places = corpus or corpus_folder(), places or [Board.square(5)]
    tried = [
        (board.notation, "search", None if board.open_cells <= EXHAUSTIVE else count)
        for board in dict.fromkeys(places)
    ]
    evidence = console.conduct(trials(groups, tried, seed=seed, alone=True), jobs)
    if walks:
        counts = {}
        for group in dict.fromkeys(part.rule_set for part in evidence):
            made = walk_counts(load_rules(group), places, count=walks, seed=seed)
            counts[group] = console.conduct(made, jobs)
        evidence = [replace(e, walks=counts[e.rule_set][e.board]) for e in evidence]
    make_folder(output)
    write_evidence(evidence, output, seed=seed)
    console.say(evidence_summary(evidence))
    console.say(f"written: {console.shown(output / 'evidence.md')}")
    if no_verdicts:
        return
    run = judging(",".join(words), corpus=folder, seed=seed, seconds=seconds)
    rows = console.conduct(run, jobs)
    for row in rows:
        if row.certificate:
            write_certificate(row.rule, row.certificate, options.PROOFS)
    for cells in cells_of(rows, evidence):
        if cells["verdict"] == "PROVED" and cells["wrong"] not in ("0", "-"):
            why = "is proved, and wrong at a position: an error of oneway"
            console.warn(f"{cells['rule']} {why}")
    left = not_provable(options.read_rules(words).rules if words else book_rules())
    write_report(rows, evidence, output, left)
    console.say(verdict_counts(rows))
    console.say(f"written: {console.shown(output / 'verdicts.md')}")
    raise Exit(0 if all(row.verdict == "PROVED" for row in rows) else 1)


def _compare(
    newer: RuleSet,
    older: RuleSet,
    boards: list[Board],
    count: int,
    seed: int,
    kind: Boards | None,
) -> bool:
    """Compare two versions of rules, and print it; True if the new one is wrong."""
    rules = (*newer.rules, *older.rules)
    meant = kind or narrowest(rule.boards for rule in rules)
    for board in boards:
        if not meant.admits(board):
            why = f"is not among the boards of both rules: {meant.text}"
            raise OptionError(f"board {board.notation} {why}; add --boards any")
    if not boards:
        boards = [*small_boards(), Board.square(9)]
        count = min(count, _SAMPLED)
    oracle = get_oracle("search")
    places = (
        board
        if board.open_cells <= EXHAUSTIVE
        else sampled_positions(board, count, seed=seed, oracle=oracle)
        for board in console.track(boards, "boards")
    )
    versions = compare_versions(newer, older, places)
    rows, to_see = [], ""
    for difference in versions.differences:
        name = newer.name if difference.newer else older.name
        truth = "dead" if difference.dead else "completable"
        where, moves = "-", "-"
        if place := difference.smallest:
            where, moves = place.notation, " ".join(place.moves)
            to_see = to_see or console.command_line("check", where, "--rules", name)
        rows.append([name, truth, difference.moves, where, moves])
    header = ["forbidden by", "truth", "moves", "smallest position", "there"]
    console.table("Moves that one version forbids alone", header, rows)
    both = f"{versions.both:,} moves are forbidden by both"
    console.say(f"{versions.positions:,} positions, {both}", f"tested on {meant.text}")
    if to_see:
        console.say(f"to see one: {to_see}")
    return any(d.newer and not d.dead and d.moves for d in versions.differences)

"""`oneway report`: what positions, walks and proofs say of a rule book, as pages."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import joined, note, say, shown, table, warn
from verify.commands.ending import PassedOver
from verify.commands.options import option
from verify.commands.prove import chosen
from verify.commands.running import CORES, How, conduct

if TYPE_CHECKING:
    from solver.board import Board
    from verify.evidence.evidence import Evidence


def report(
    context: typer.Context,
    rules: options.RulesBoards = None,
    everything: options.All = False,
    folder: Path = option("--output -o", "Folder for the pages.", Path("out/report")),
    count: int = option(
        "--count -n", "Positions drawn on a board over 7 x 7.", 20_000, min=1
    ),
    walks: int = option(
        "--walks", "Random walks a board under each group; 0 for none.", 0, min=0
    ),
    verdicts: bool = option(
        "--verdicts/--no-verdicts", "Prove and refute, or only look.", True
    ),
    seconds: options.Seconds = 10.0,
    proofs: options.Proofs = options.PROOFS,
    corpus: options.Corpus = None,
    against: list[str] = option(
        "--against",
        "Instead: compare with these rules, such as the version before.",
        options.NONE,
    ),
    meant_for: options.BoardKind = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = CORES,
    cluster: options.Cluster = None,
) -> None:
    """Write what is known of rules: on positions, on walks, and proved or refuted.

    Every rule is asked at positions of the boards (5 if none is named): how often it
    fired, was wrong, caught dead moves, and caught what no other rule of its group did.
    Boards up to 7 x 7 are tried on every completable position. With --walks random
    walks show how many each group completes before one gets stuck. These are
    evidence.md and evidence.json in the folder.

    Then every drawn rule is PROVED, REFUTED or OPEN, with the size of the proof or the
    counterexample: verdicts.md. Let `oneway proof check` judge the
    certificates.

    With --against nothing is written. Both versions are asked at every completable
    position of rectangles up to 5 x 5, and at random positions of 9 x 9, or of the
    boards named. Moves that one version forbids alone are counted, with the smallest
    position.

    Exit code 0 if every rule is proved, 1 if not, 2 on bad input; with --against 1 if
    the new rules forbid a completable move.

    What a mended rule lost: oneway report new.toml --against old.toml

    Try: oneway report --all 5 7 --jobs 2

    Positions and walks alone: oneway report seed-5 5 9 -n 1000 --walks 100
    --no-verdicts
    """
    from heuristic.groups import load_rules, words_of
    from heuristic.python_rule import NO_DRAWING, is_python
    from solver.files import make_folder
    from verify.corpus.cases import cases_against, corpus_folder
    from verify.evidence.evidence import GROUPS
    from verify.evidence.report import scopes, summary, write_evidence

    named, boards = console.rules_and_boards(rules)
    if against:
        if not named:
            raise OptionError("name the new rules: oneway report NEW --against OLD")
        idle = "everything", "walks", "verdicts", "folder", "seconds", "proofs"
        options.refuse_idle(context, "with --against", *idle, "corpus")
        wrong = _compare(named, against, boards, (count, seed, meant_for))
        raise typer.Exit(1 if wrong else 0)
    if meant_for:
        raise OptionError("--boards has no effect here: add --against RULES")
    words = words_of(joined(named)) if named else []
    python = [word for word in words if is_python(word)]
    if python and verdicts:
        note(f"no verdict of {', '.join(python)}: {NO_DRAWING}")
        verdicts = len(python) < len(words)
    if verdicts or bool(named) == everything:
        chosen(named, everything)  # says what cannot be put to a proof
    how = How(jobs, cluster)
    cases = corpus or corpus_folder()
    boards = boards or [console.read_board("5")]
    exact = any(",-" in word for word in named)  # some rules are left out
    groups = tuple(named if exact or not named else words) or GROUPS
    for group in groups:
        load_rules(group)  # refuses unknown names
    found = _gathered(groups, boards, (count, walks, seed), how)
    make_folder(folder)
    write_evidence(found, folder, cases_against(cases, PassedOver()))
    say(summary(found))
    say(f"written: {shown(folder / 'evidence.md')}, {shown(folder / 'evidence.json')}")
    if not verdicts:
        return
    from verify.proof.certificate import write_certificate
    from verify.proof.provable import book_rules, not_provable
    from verify.verdict.report import cells_of, rows_of, write_report
    from verify.verdict.report import summary as judged_summary
    from verify.verdict.verdict import Certified, judging

    run = judging(joined(named), corpus=cases, seed=seed, seconds=seconds)
    judged = conduct(run, how)
    for verdict in judged:
        if isinstance(verdict, Certified):
            write_certificate(verdict.rule, verdict.certificate, proofs)
    rows = rows_of(judged, found)
    left = not_provable(load_rules(joined(named)).rules if named else book_rules())
    write_report(rows, folder, scopes(found), left)
    for row in rows:
        if row.verdict.word == "PROVED" and row.total("wrong") not in ("0", "-"):
            name = row.verdict.rule.name
            warn(f"{name} is proved and refuted: a fault of the prover")
    table(
        judged_summary(rows),
        ["rule", "verdict", "parts", "fired", "wrong", "seconds"],
        [[cells_of(row)[i] for i in (0, 2, 4, 7, 8, 11)] for row in rows],
    )
    say(f"written: {shown(folder / 'verdicts.md')}")
    proved = all(row.verdict.word == "PROVED" for row in rows)
    raise typer.Exit(0 if proved else 1)


_DRAWN = 2000  # positions drawn on 9 x 9, if no board is named


def _compare(
    new: list[str],
    old: list[str],
    boards: "list[Board]",
    asked: tuple[int, int, str | None],
) -> bool:
    """Compare two versions of rules, and print it; True if the new one is wrong.

    `asked` are the positions drawn on a large board, the seed, and the kind of boards.
    """
    from heuristic.boards import narrowest, read_boards
    from heuristic.groups import load_rules
    from solver.oracles.oracle import get_oracle
    from verify.evidence.evidence import sampled_positions, small, small_boards
    from verify.evidence.versions import Versions

    newer, older = load_rules(joined(new)), load_rules(joined(old))
    count, seed, word = asked
    own = narrowest(rule.boards for rule in (*newer.rules, *older.rules))
    kind = read_boards(word) if word else own
    for board in boards:
        if not kind.admits(board):
            raise OptionError(
                f"one of the two is not meant for board {board.notation}, but for "
                f"{kind.text}; add --boards any"
            )
    if not boards:
        boards = [*small_boards(), console.read_board("9")]
        count = min(count, _DRAWN)
    found = Versions()
    with console.progress_bar() as bar:
        for board in bar.track(boards, description="boards"):
            known = None
            if not small(board):
                oracle = get_oracle("search")
                known = sampled_positions(board, count, seed=seed, oracle=oracle)
            found.add(newer, older, known or board)
    rows = []
    for one in found.differences:
        place = one.smallest
        rows.append(
            [
                joined(new if one.newer else old),
                "dead" if one.dead else "completable",
                one.moves,
                place.notation if place else "-",
                " ".join(place.moves) if place else "-",
            ]
        )
    header = ["forbidden by", "truth", "moves", "smallest position", "there"]
    table("Moves that one version forbids alone", header, rows)
    both = f"{found.both:,} moves are forbidden by both"
    say(f"{found.positions:,} positions, {both}")
    say(f"asked on {kind.text}")
    first = next((one for one in found.differences if one.smallest), None)
    if first and first.smallest:
        rules = joined(new if first.newer else old)
        words = ["oneway", "check", first.smallest.notation, "--rules", rules]
        say(f"to see one: {shlex.join(words)}")
    return any(one.newer and not one.dead and one.moves for one in found.differences)


def _gathered(
    groups: tuple[str, ...],
    boards: "list[Board]",
    drawn: tuple[int, int, int],
    how: How,
) -> "list[Evidence]":
    """Ask the rules on boards, and walk under each group if so asked.

    `drawn` are the positions of a board, the walks of a group, and the seed of both.
    """
    from heuristic.groups import load_rules
    from verify.evidence.evidence import WalksFound, small
    from verify.evidence.trials import trials, walk_counts

    count, walks, seed = drawn
    places = list(dict.fromkeys(boards))
    tried = [
        (board.notation, "search", None if small(board) else count) for board in places
    ]
    evidence = conduct(trials(groups, tried, seed=seed, alone=True), how)
    for group in groups if walks else ():
        run = walk_counts(load_rules(group), places, count=walks, seed=seed)
        counts = conduct(run, how)
        evidence = [
            replace(part, walks=WalksFound(walks, seed, counts[part.board].stuck))
            if part.rule_set == group
            else part
            for part in evidence
        ]
    return evidence

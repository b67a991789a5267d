"""`oneway report`: what positions, walks and proofs say of a rule book, as pages."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from solver.errors import CertificateError
from verify.commands import console, options
from verify.commands.console import joined, say, shown, table, warn
from verify.commands.ending import PassedOver
from verify.commands.options import option
from verify.commands.prove import chosen
from verify.commands.running import How, campaigning, conduct

if TYPE_CHECKING:
    from solver.board import Board
    from verify.verdict.verdict import Judged, Judgement


@campaigning
def report(
    how: How,
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
    seed: options.Seed = 0,
) -> None:
    """Write what is known of rules: on positions, on walks, and proved or refuted.

    Every rule is asked at positions of the boards (5 if none is named): how often it
    fired, was wrong, caught dead moves, and caught what no other rule of its group did.
    Boards up to 7 x 7 are tried on every completable position. With --walks random
    walks show how many each group completes before one gets stuck. These are
    evidence.md and evidence.html in the folder. What was found is kept in evidence.json
    there, board by board, and not tried again unless --fresh says so; runs side by side
    may write to one folder.

    Then every drawn rule is PROVED, REFUTED or OPEN, with the size of the proof or the
    counterexample: verdicts.md and verdicts.html. Let `oneway proof check` judge the
    certificates.

    Exit code 0 if every rule is proved, 1 if not, 2 on bad input.

    Try: oneway report --all 5 7 --jobs 2

    Positions and walks alone: oneway report seed-5 5 9 -n 1000 --walks 100
    --no-verdicts
    """
    from heuristic.groups import words_of, written_rules
    from verify.corpus.cases import cases_against, corpus_folder
    from verify.trial.evidence import GROUPS
    from verify.trial.report import scopes, summary, write_evidence

    named, boards = console.rules_and_boards(rules)
    if verdicts or bool(named) == everything:
        chosen(named, everything)  # says what cannot be put to a proof
    cases = corpus or corpus_folder()
    boards = boards or [console.read_board("5")]
    exact = any(",-" in word for word in named)  # some rules are left out
    groups = tuple(named if exact else words_of(named)) or GROUPS
    written_rules(groups)  # refuses unknown names
    file = _gather(groups, boards, folder, (count, walks, seed), how)
    found = write_evidence(file, cases_against(cases, PassedOver()))
    say(summary(found))
    say(f"written: {shown(folder / 'evidence.md')}, {shown(folder / 'evidence.html')}")
    if not verdicts:
        return
    from verify.proof.provable import sorted_out
    from verify.verdict.report import cells_of, rows_of, write_report
    from verify.verdict.report import summary as judged_summary
    from verify.verdict.verdict import judging

    asked = {"rules": joined(named), "seconds": seconds, "seed": seed}
    parameters = asked | {"corpus": str(cases)}
    spent: dict[str, float] = {}
    judged = conduct(judging, parameters, how, efforts=spent)
    judged = [replace(one, seconds=spent[one.rule.name]) for one in judged]
    phrases, certificates = kept_verdicts(judged, proofs)
    rows = rows_of(phrases, found, certificates)
    names = {verdict.rule.name for verdict in phrases}
    others = sorted_out(named)[1].items()
    left = {name: why for name, why in others if name not in names}
    write_report(rows, folder, scopes(found), left)
    for row in rows:
        if row.verdict.word == "PROVED" and row.total("wrong") not in ("0", "-"):
            warn(f"{row.rule.name} is proved and refuted: a fault of the prover")
    table(
        judged_summary(rows),
        ["rule", "verdict", "parts", "fired", "wrong", "seconds"],
        [[cells_of(row)[i] for i in (0, 2, 4, 7, 8, 11)] for row in rows],
    )
    say(f"written: {shown(folder / 'verdicts.md')}, {shown(folder / 'verdicts.html')}")
    proved = all(row.verdict.word == "PROVED" for row in rows)
    raise typer.Exit(0 if proved else 1)


def _gather(
    groups: tuple[str, ...],
    boards: "list[Board]",
    folder: Path,
    drawn: tuple[int, int, int],
    how: How,
) -> Path:
    """Ask the rules on boards that the folder has no evidence of; return its file.

    `drawn` are the positions of a board, the walks of a group, and the seed of both.
    """
    from solver.files import make_folder
    from verify.trial.campaigns import trial, walk_counts
    from verify.trial.evidence import Evidence, WalksFound, scope_of, small
    from verify.trial.report import add_evidence, load_evidence

    (count, walks, seed), file = drawn, folder / "evidence.json"
    make_folder(folder)
    there = [] if how.fresh else load_evidence(file)
    trials, walked = [], []
    for board in {one.notation: one for one in boards}.values():
        many, name = None if small(board) else count, board.notation
        known = [one for one in there if one.board == name]
        scope = scope_of(board, many, seed)
        if {(one.rule_set, one.scope) for one in known} != {(g, scope) for g in groups}:
            trials.append([name, "search", many])
            known = []
        made = {(one.walks.walks, one.walks.seed) for one in known if one.walks}
        if walks and (not known or made != {(walks, seed)}):
            walked.append(name)
    found: list[Evidence] = []
    if trials:
        asked = {"groups": list(groups), "alone": True, "uniform": False}
        found = conduct(trial, asked | {"trials": trials, "seed": seed}, how)
    made_walks = {}
    for group in groups if walked else ():
        parameters = {"boards": walked, "rules": group, "count": walks, "seed": seed}
        one_each = conduct(walk_counts, parameters, how._replace(ledger=None))
        made_walks[group] = {
            board: WalksFound(one.walks, seed, one.stuck)
            for board, one in one_each.items()
        }
    if found or made_walks:
        add_evidence(found, made_walks, file)
    return file


def kept_verdicts(
    judged: "list[Judged]", folder: Path
) -> "tuple[list[Judgement], dict[str, Path]]":
    """Write the certificates; return the verdicts and where the certificates are."""
    from verify.proof.certificate import kept_proof, write_certificate
    from verify.verdict.verdict import Certified

    verdicts: list[Judgement] = []
    files: dict[str, Path] = {}
    for one in judged:
        if not isinstance(one, Certified):
            verdicts.append(one)
            continue
        name = one.rule.name
        files[name] = write_certificate(one.rule, one.certificate, folder)
        proof = kept_proof(one.rule, folder)
        if proof is None:
            raise CertificateError(files[name].name, f"is not of rule {name}")
        verdicts.append(replace(proof, seconds=one.seconds))
    return verdicts, files

"""`oneway report`: the table of proofs of a rule book."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solver.errors import OptionError
from verify.commands.console import (
    BOARD_FLAGS,
    CorpusOption,
    JobsOption,
    RulesArgument,
    SeedOption,
    joined,
    note,
    progress_bar,
    read_board,
    say,
    table,
)
from verify.commands.prove import (
    PROOFS,
    AllOption,
    CertificatesOption,
    SecondsOption,
    chosen,
)

if TYPE_CHECKING:
    from verify.verdict.verdict import Judgement


def report(
    rules: RulesArgument = None,
    everything: AllOption = False,
    folder: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the two files.")
    ] = Path("out/report"),
    boards: Annotated[
        list[str] | None,
        typer.Option(*BOARD_FLAGS, help="Exhaust this board (default: 5); repeat."),
    ] = None,
    seen: Annotated[
        Path | None,
        typer.Option("--evidence", help="Also what `oneway evidence` kept as JSON."),
    ] = None,
    seconds: SecondsOption = 10.0,
    proofs: CertificatesOption = PROOFS,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Take the certificates that are there already."),
    ] = False,
    jobs: JobsOption = 1,
    corpus: CorpusOption = None,
    seed: SeedOption = 0,
) -> None:
    """Write the verdict table of a rule book: Markdown, and HTML with pictures.

    For every rule: PROVED, REFUTED or OPEN; how often it fired on known positions, was
    wrong, caught dead moves, and caught what no other rule here did; the size of the
    proof; the counterexample. A run that was cut short goes on with --resume; then let
    `oneway proof check` judge the certificates.

    Exit code 0 if every rule is proved, 1 if not, 2 on bad input.

    Try: oneway report --all -b 5 -b 7 --jobs 2
    """
    from verify.corpus.cases import cases_against, corpus_folder
    from verify.evidence.evidence_report import load_evidence
    from verify.proof.certificate import kept_proof, save_certificate
    from verify.proof.provable import sorted_out
    from verify.proof.prove import Proved
    from verify.refute.refute import refute_exhaustive
    from verify.verdict.report import cells_of, rows_of, summary, write_report
    from verify.verdict.verdict import judge_all

    named = joined(rules)
    specs = chosen(named, everything, seconds)
    if seen is not None and not seen.is_file():
        raise OptionError(f"--evidence {seen}: there is no such file")
    kept = load_evidence(seen) if seen else []
    places = [read_board(text) for text in boards or ([] if seen else ["5"])]
    cases = cases_against(corpus or corpus_folder())
    verdicts: dict[str, Judgement] = {}
    certificates: dict[str, Path] = {}
    if resume:
        for spec in specs:
            if proof := kept_proof(spec, proofs):
                verdicts[spec.name] = proof
                certificates[spec.name] = save_certificate(proof, proofs)
    rest = [spec for spec in specs if spec.name not in verdicts]
    with progress_bar() as bar:
        task = bar.add_task("rules", total=len(specs), completed=len(verdicts))
        for verdict in judge_all(
            rest, seed=seed, seconds=seconds, cases=cases, jobs=jobs
        ):
            name = verdict.rule.name
            verdicts[name] = verdict
            if isinstance(verdict, Proved):
                certificates[name] = save_certificate(verdict, proofs)
            bar.advance(task)
        evidence = []
        task = bar.add_task("boards", total=len(places))
        for board in places:
            evidence.append(refute_exhaustive(specs, board)[1])
            bar.advance(task)
    told = [verdicts[spec.name] for spec in specs]
    rows = rows_of(told, evidence, certificates, kept)
    scopes = [one.scope for one in evidence]
    scopes += [f"{one.positions:,} of {one.board}" for one in kept]
    write_report(rows, folder, scopes, sorted_out(named)[1])
    for row in rows:
        if row.verdict.word == "PROVED" and row.total("wrong") not in ("0", "-"):
            note(f"{row.rule.name} is proved and refuted: a fault of the prover")
    table(
        summary(rows),
        ["rule", "verdict", "parts", "fired", "wrong", "seconds"],
        [[cells_of(row)[i] for i in (0, 2, 4, 7, 8, 11)] for row in rows],
    )
    say(f"written: {folder / 'verdicts.md'}, {folder / 'verdicts.html'}")
    raise typer.Exit(0 if all(row.verdict.word == "PROVED" for row in rows) else 1)

"""`oneway report`: the table of proofs of a rule book."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solver.errors import CertificateError, OptionError
from verify.commands.console import (
    BOARD_FLAGS,
    PROOFS,
    AllOption,
    CorpusOption,
    ProofsOption,
    RulesArgument,
    SecondsOption,
    SeedOption,
    joined,
    note,
    progress_bar,
    read_board,
    say,
    table,
)
from verify.commands.prove import chosen
from verify.commands.running import How, campaigning, conduct, efforts

if TYPE_CHECKING:
    from verify.verdict.verdict import Judged, Judgement, OpenSummary


@campaigning
def report(
    how: How,
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
    proofs: ProofsOption = PROOFS,
    corpus: CorpusOption = None,
    seed: SeedOption = 0,
) -> None:
    """Write the verdict table of a rule book: Markdown, and HTML with pictures.

    For every rule: PROVED, REFUTED or OPEN; how often it fired on known positions, was
    wrong, caught dead moves, and caught what no other rule here did; the size of the
    proof; the counterexample. Let `oneway proof check` judge the certificates.

    Exit code 0 if every rule is proved, 1 if not, 2 on bad input.

    Try: oneway report --all -b 5 -b 7 --jobs 2
    """
    from verify.corpus.cases import corpus_folder
    from verify.proof.granted import grants
    from verify.proof.provable import sorted_out
    from verify.refute.refute import refute_exhaustive
    from verify.trial.report import load_evidence
    from verify.verdict.report import cells_of, rows_of, summary, write_report
    from verify.verdict.verdict import judging

    named = joined(rules)
    specs = chosen(rules or (), everything)
    if seen is not None and not seen.is_file():
        raise OptionError(f"--evidence {seen}: there is no such file")
    kept = load_evidence(seen) if seen else []
    places = [read_board(text) for text in boards or ([] if seen else ["5"])]
    parameters = {
        "rules": named,
        "seconds": seconds,
        "seed": seed,
        "corpus": str(corpus or corpus_folder()),
    }
    judged = conduct(judging, parameters, how)
    spent = efforts(judging, parameters, how)
    judged = [replace(one, seconds=spent[one.rule.name]) for one in judged]
    told, certificates = kept_verdicts(judged, proofs)
    evidence = []
    with progress_bar() as bar:
        task = bar.add_task("boards", total=len(places))
        for board in places:
            drawn = [spec for spec in specs if not grants(spec)]
            evidence.append(refute_exhaustive(drawn, board)[1])
            bar.advance(task)
    rows = rows_of(told, evidence, certificates, kept)
    scopes = [one.scope for one in evidence]
    scopes += [f"{one.positions:,} of {one.board}" for one in kept]
    others = sorted_out(rules or ())[1].items()
    names = {verdict.rule.name for verdict in told}
    others_left = {name: why for name, why in others if name not in names}
    write_report(rows, folder, scopes, others_left)
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


def kept_verdicts(
    judged: "list[Judged]", folder: Path
) -> "tuple[list[Judgement | OpenSummary], dict[str, Path]]":
    """Write the certificates; return the verdicts and where the certificates are."""
    from verify.proof.certificate import kept_proof, write_certificate
    from verify.verdict.verdict import Certified

    verdicts: list[Judgement | OpenSummary] = []
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

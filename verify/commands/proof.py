"""`oneway proof check`: certificates checked without the prover."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from heuristic.groups import load_rules, rule_names
from heuristic.rules.drawing import RuleSpec
from solver.errors import CertificateError, OptionError
from solver.system import cores
from verify.commands import options
from verify.commands.console import emit, note, say, track, warn
from verify.commands.ending import one_line
from verify.commands.rulesets import rules_of
from verify.proof.certificate import (
    SUFFIX,
    Checked,
    check_certificate,
    load_certificate,
)
from verify.proof.dead import SUFFIX as DEAD
from verify.proof.dead import check_dead
from verify.proof.families import SUFFIX as FAMILY
from verify.proof.families import check_family_certificate
from verify.proof.lrat import export as write_lrat
from verify.proof.provable import provable

CORES = cores()

app = typer.Typer(no_args_is_help=True, help="Check the certificates of proved rules.")


@app.callback()
def proof() -> None:
    """Check the certificates of proved rules."""


@app.command("check")
def check(
    paths: Annotated[
        list[Path], typer.Argument(help="Certificates, or folders of them.")
    ],
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            "-r",
            help="What must be proved: each drawn rule needs a certificate, and no "
            "other certificate is accepted.",
        ),
    ] = None,
    lrat: Annotated[
        Path | None,
        typer.Option("--lrat", help="Folder for formulas and LRAT proofs."),
    ] = None,
    jobs: options.Jobs = CORES,
    as_json: options.Json = False,
) -> None:
    """Check proofs from their files, without the prover and without a SAT solver.

    Each clause is derived again from the drawing in the file, each lemma from the
    clauses it follows from. The drawing is compared with the rule's in --rules, or
    else in the book; if neither has that rule, the drawings are printed. Certificates
    of families and of dead positions are checked too.

    --lrat writes each part as a formula (.cnf) and a proof that it has no model
    (.lrat), for any LRAT checker. Only this command checks that the clauses follow
    from the drawing.

    Exit code 0 if every certificate holds, 1 if one does not.

    \b
    Prove, then check:
      oneway prove c-shape && oneway proof check out/proofs
    A rule of your own:
      oneway proof check out/proofs --rules my-rule.toml
    """
    rules = rules or []
    files = list(_certificates(paths, families=not rules))
    if not files:
        raise OptionError(f"no certificate ({SUFFIX}, {FAMILY}, {DEAD}) in {paths[0]}")
    wanted = provable(rules_of(rules).rules) if rules else None
    name = ",".join(rules) or "the book"
    if rules and not wanted:
        raise OptionError(f"--rules {name}: no drawn rule is among them")
    book: Mapping[str, RuleSpec] = _Book() if wanted is None else wanted
    missing = dict(wanted or {})
    good, written = True, 0
    checked_parts = set[bytes]()  # rules that share drawings share parts
    with _no_garbage():
        for path in track(files, "certificates"):
            try:
                if path.name.endswith(FAMILY) and not rules:
                    checked = check_family_certificate(load_certificate(path))
                    good &= checked.fault is None
                    _print(path, checked, "", as_json=as_json)
                    continue
                if path.name.endswith(DEAD) and not rules:
                    good &= _check_dead(path, as_json)
                    continue
                checked = check_certificate(path, book, jobs=jobs, good=checked_parts)
            except CertificateError as error:
                if len(files) == 1:
                    raise
                good = False
                say(f"{one_line(path)}: {one_line(error.why)}")
                continue
            if wanted is not None and not checked.meant and checked.fault is None:
                checked = replace(
                    checked, fault=f"{checked.name!r} is no rule of {name}"
                )
            good &= checked.fault is None
            if checked.fault is None:
                missing.pop(checked.name, None)
                written += len(write_lrat(path, lrat, book)) if lrat else 0
            _print(path, checked, name, as_json=as_json)
    if lrat:
        (note if as_json else say)(f"written: {written:,} files in {one_line(lrat)}")
    for lacking in missing:
        warn(f"{lacking} has no certificate that holds")
    raise typer.Exit(0 if good and not missing else 1)


def _certificates(paths: list[Path], *, families: bool) -> Iterator[Path]:
    """Yield files; of a folder its certificates, and those of families and deaths."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for kind in (SUFFIX, FAMILY, DEAD) if families else (SUFFIX,):
            yield from sorted(path.glob(f"*{kind}"))


def _check_dead(path: Path, as_json: bool) -> bool:
    """Check and print the certificate of a dead position; whether it holds."""
    place, fault = check_dead(path)
    if as_json:
        emit(certificate=str(path), dead=place.notation, fault=fault)
    else:
        say(f"{one_line(path)}: {fault or f'{place.notation} is dead'}")
    return fault is None


def _print(path: Path, checked: Checked, meant: str, *, as_json: bool) -> None:
    """Print what a certificate proves, or its fault.

    `meant` names the rules that it was compared with; empty for a family.
    """
    kind, claims = ("rule", "drawings") if meant else ("family", "claims")
    if as_json:
        emit(
            {
                "certificate": str(path),
                kind: checked.name,
                "fault": checked.fault,
                "scope": checked.scope and checked.scope.name,
                "boards": checked.boards,
                "compared": checked.meant,
                claims: list(checked.claims),
            }
        )
        return
    name = one_line(path)
    if checked.fault is not None:
        say(f"{name}: {one_line(checked.fault)}")
        return
    if not checked.meant:
        alone = repr(checked.name) if meant else f"family {checked.name!r}"
        say(f"{name}: proves the drawings inside the file, {alone}")
    elif meant:
        say(f"{name}: {checked.name} is proved, as in {one_line(meant)}")
    else:
        say(f"{name}: family {checked.name} is proved, every distance and way to go on")
    say(f"  for {checked.boards}")
    for number, text in enumerate(checked.claims, 1):
        if meant:
            say(f"  drawing {number}:")
        for line in text.splitlines():
            say(f"{'    ' if meant else '  '}{line}")


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Disable the cyclic garbage collector while proofs are in memory."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Book(Mapping[str, RuleSpec]):
    """The drawn rules of the book by name, each read when it is looked up."""

    def __init__(self) -> None:
        self.names = frozenset(rule_names())

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> RuleSpec:
        return provable(load_rules(name).rules if name in self.names else ())[name]

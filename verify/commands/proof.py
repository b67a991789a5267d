"""`oneway proof check`: certificates checked without the prover."""

import gc
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from heuristic.groups import load_rules, rule_names
from heuristic.rules.drawing import RuleSpec
from solver.errors import CertificateError, OptionError
from verify.commands import options
from verify.commands.console import emit, say, shown, track, warn, written
from verify.commands.ending import one_line
from verify.commands.rulesets import rules_of
from verify.proof.certificate import FAMILY_SUFFIX as FAMILY
from verify.proof.certificate import SUFFIX
from verify.proof.checking import (
    Checked,
    check_certificate,
    export,
    load_certificate,
)
from verify.proof.dead import SUFFIX as DEAD
from verify.proof.dead import check_dead
from verify.proof.families import check_family_certificate
from verify.proof.prove import provable

app = typer.Typer(no_args_is_help=True)


@app.callback()
def proof() -> None:
    """Check the certificates of proved rules."""


@app.command("check")
def check(
    paths: Annotated[
        list[Path], typer.Argument(help="Certificates, or folders of them.")
    ],
    rules: list[str] | None = Option(
        None, "--rules", "-r", help="Rules of which each must be proved, and no others."
    ),
    lrat: Path | None = Option(None, help="Folder for formulas and LRAT proofs."),
    jobs: options.Jobs = options.CORES,
    as_json: options.Json = False,
) -> None:
    """Check proofs from their files, without the prover and without a SAT solver.

    The drawing in the file is compared with the rule's in --rules, or else in the book;
    if neither has that rule, the drawings are printed. Certificates of families and of
    dead positions are checked too. --lrat writes each part as a formula (.cnf) and a
    proof that it has no model (.lrat), for any LRAT checker.

    Exit code 0 if every certificate holds, 1 if one does not.

    \b
    Prove, then check:
      oneway prove c-shape && oneway proof check out/proofs
    A rule of your own:
      oneway proof check out/proofs --rules my-rule.toml
    """
    kinds = (SUFFIX,) if rules else (SUFFIX, FAMILY, DEAD)
    files = list(_certificates(paths, kinds))
    if not files:
        raise OptionError(f"no certificate ({SUFFIX}, {FAMILY}, {DEAD}) in {paths[0]}")
    name = ",".join(rules or ["the book"])
    wanted = provable(rules_of(rules).rules) if rules else {}
    if rules and not wanted:
        raise OptionError(f"--rules {name}: no drawn rule is among them")
    book: Mapping[str, RuleSpec] = wanted or _Book()
    missing = set(wanted)
    good, lrat_files = True, 0
    checked_parts = set[bytes]()  # rules that share drawings share parts
    gc.disable()  # proofs are millions of objects without cycles
    for path in track(files, "certificates"):
        try:
            if path.name.endswith(FAMILY) and not rules:
                checked = check_family_certificate(load_certificate(path))
                value = _value(path, checked, "family", "claims")
            elif path.name.endswith(DEAD) and not rules:
                place, fault = check_dead(path)
                value = {"certificate": str(path), "dead": place.notation}
                value["fault"] = fault
            else:
                checked = check_certificate(path, book, jobs=jobs, good=checked_parts)
                value = _value(path, checked, "rule", "drawings")
                if rules and not checked.meant and not checked.fault:
                    value["fault"] = f"{checked.name!r} is no rule of {name}"
                if not value["fault"]:
                    missing.discard(checked.name)
                    lrat_files += len(export(path, lrat, book)) if lrat else 0
        except CertificateError as error:
            if len(files) == 1:
                raise
            value = {"certificate": str(path), "fault": error.why}
        good &= value["fault"] is None
        if as_json:
            emit(value)
        else:
            say(*_lines(value, name))
    if lrat:
        written(f"written: {lrat_files:,} files in {shown(lrat)}", as_json)
    for lacking in sorted(missing):
        warn(f"{lacking} has no certificate that holds")
    raise typer.Exit(0 if good and not missing else 1)


def _certificates(paths: list[Path], kinds: tuple[str, ...]) -> Iterator[Path]:
    """Yield files; of a folder its certificates."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for kind in kinds:
            yield from sorted(path.glob(f"*{kind}"))


def _value(path: Path, checked: Checked, kind: str, claims: str) -> dict[str, Any]:
    """Return what a certificate of a rule or a family proves, or its fault."""
    return {
        "certificate": str(path),
        kind: checked.name,
        "fault": checked.fault,
        "scope": checked.scope and checked.scope.name,
        "boards": checked.boards,
        "compared": checked.meant,
        claims: list(checked.claims),
    }


def _lines(value: dict[str, Any], meant: str) -> Iterator[str]:
    """Yield the lines for a person; `meant` names the rules compared with."""
    file = one_line(value["certificate"])
    if value["fault"] is not None:
        yield f"{file}: {one_line(value['fault'])}"
    elif "dead" in value:
        yield f"{file}: {value['dead']} is dead"
    elif "family" in value:
        family = f"family {value['family']!r}"
        if value["compared"]:
            yield f"{file}: {family} is proved, every distance and way to go on"
        else:
            yield f"{file}: proves the drawings inside the file, {family}"
        yield f"  for {value['boards']}"
        for claim in value["claims"]:
            yield from (f"  {line}" for line in claim.splitlines())
    else:
        if value["compared"]:
            yield f"{file}: {value['rule']} is proved, as in {one_line(meant)}"
        else:
            yield f"{file}: proves the drawings inside the file, {value['rule']!r}"
        yield f"  for {value['boards']}"
        for number, drawing in enumerate(value["drawings"], 1):
            yield f"  drawing {number}:"
            yield from (f"    {line}" for line in drawing.splitlines())


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

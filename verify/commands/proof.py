"""`oneway proof check`: certificates checked without the prover."""

import gc
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option, Typer

from heuristic.groups import load_rules, rule_names
from heuristic.rules.drawing import RuleSpec
from solver.errors import CertificateError, OptionError
from verify.commands import console, options
from verify.commands.exits import one_line
from verify.proof.certificate import FAMILY_SUFFIX as FAMILY
from verify.proof.certificate import SUFFIX
from verify.proof.checking import (
    Checked,
    check_certificate,
    export_lrat,
    load_certificate,
)
from verify.proof.dead import SUFFIX as DEAD
from verify.proof.dead import check_dead
from verify.proof.families import check_family_certificate
from verify.proof.prove import provable

app = Typer(no_args_is_help=True, help="Check the certificates of proved rules.")


@app.command("check")
def check(
    paths: Annotated[list[Path], Argument(help="Certificates, or folders of them.")],
    rules: list[str] | None = Option(
        None, "--rules", "-r", help="Rules that must all be proved."
    ),
    lrat: Path | None = Option(None, help="Folder for formulas and LRAT proofs."),
    jobs: options.Jobs = options.CORES,
) -> None:
    """Check certificates without the prover and without a SAT solver.

    A certificate must prove the drawings that its rule has in --rules, or else in the
    book. If neither has that rule, `oneway` prints what is proved. Certificates of
    distance families and of dead positions are checked too. --lrat writes a formula
    (.cnf) and a proof (.lrat) for each part, for any LRAT checker.

    Exit code 0 if every certificate holds, 1 if one does not.

    \b
    Prove, then check:
      oneway prove c-shape && oneway proof check out/proofs
    A rule of your own:
      oneway proof check out/proofs --rules my-rule.toml
    """
    name = ",".join(rules or ["the book"])
    required = provable(options.read_rules(rules).rules) if rules else {}
    if rules and not required:
        raise OptionError(f"--rules {name}: no drawn rule is among them")
    files = [file for path in paths for file in _certificates(path, bool(rules))]
    if not files:
        raise OptionError(f"no certificate ({SUFFIX}, {FAMILY}, {DEAD}) in {paths[0]}")
    book = required or _Book()
    missing, good, lrat_files = set(required), True, 0
    checked_parts = set[bytes]()  # Rules that share drawings share parts.
    gc.disable()  # the cyclic collector is slow while proofs are in memory
    for path in console.track(files, "certificates"):
        lines, fault = list[str](), None
        try:
            if path.name.endswith(DEAD) and not rules:
                place, fault = check_dead(path)
                lines = [f"{place.notation} is dead"]
            elif path.name.endswith(FAMILY) and not rules:
                checked = check_family_certificate(load_certificate(path))
                way = "is proved, every distance and way to go on"
                fault = checked.fault
                lines = _lines(checked, f"family {checked.name!r} {way}")
            else:
                checked = check_certificate(path, book, jobs=jobs, good=checked_parts)
                way = f"is proved, as in {one_line(name)}"
                fault, lines = checked.fault, _lines(checked, f"{checked.name} {way}")
                if rules and not checked.meant and not fault:
                    fault = f"{checked.name!r} is not a rule of {name}"
                if not fault:
                    missing.discard(checked.name)
                    lrat_files += export_lrat(path, lrat, book) if lrat else 0
        except CertificateError as error:
            if len(files) == 1:
                raise
            fault = error.why
        good &= fault is None
        first, *more = [one_line(fault)] if fault else lines
        console.say(f"{one_line(path)}: {first}", *more)
    if lrat:
        console.say(f"written: {lrat_files:,} files in {console.shown(lrat)}")
    for lacking in sorted(missing):
        console.warn(f"{lacking} has no certificate that holds")
    raise Exit(0 if good and not missing else 1)


def _certificates(path: Path, of_rules: bool) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for kind in (SUFFIX,) if of_rules else (SUFFIX, FAMILY, DEAD):
        yield from sorted(path.glob(f"*{kind}"))


def _lines(checked: Checked, head: str) -> list[str]:
    """Return what is proved: of a rule or family that was compared, or by the file."""
    if not checked.meant:
        head = f"proves the drawings inside the file, {checked.name!r}"
    return [head, f"  for {checked.boards}", *(f"  {x}" for x in checked.claims)]


class _Book(Mapping[str, RuleSpec]):
    """The drawn rules of the book by name; a lookup reads the rule."""

    def __init__(self) -> None:
        self.names = frozenset(rule_names())

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> RuleSpec:
        return provable(load_rules(name).rules if name in self.names else ())[name]

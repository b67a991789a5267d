"""`oneway proof check`: certificates checked without the prover."""

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    NONE,
    JobsOption,
    JsonOption,
    emit,
    joined,
    note,
    progress_bar,
    say,
    warn,
)
from verify.commands.ending import one_line
from verify.commands.prove import UpToOption

if TYPE_CHECKING:
    from heuristic.rules.drawing import RuleSpec
    from verify.proof.certificate import Checked

    Known = Mapping[str, RuleSpec]
else:
    Known = Mapping

app = typer.Typer(
    no_args_is_help=True, help="Certificates of proved rules: check them again."
)
_CORES = os.cpu_count() or 1


@app.command("check")
def proof_check(
    paths: Annotated[
        list[Path], typer.Argument(help="Certificates, or folders of them.")
    ],
    rules: Annotated[
        list[str],
        typer.Option(
            "--rules",
            "-r",
            help="What must be proved: a rule, group or file. Each of its drawn rules "
            "needs a certificate, and no other is accepted.",
        ),
    ] = NONE,
    lrat: Annotated[
        Path | None,
        typer.Option(
            "--lrat",
            help="Folder for the propositional half of each certificate that holds, "
            "for other checkers: DIMACS and LRAT.",
        ),
    ] = None,
    up_to: UpToOption = 12,
    jobs: JobsOption = _CORES,
    as_json: JsonOption = False,
) -> None:
    """Repeat proofs from their files, without the prover and without a SAT solver.

    Each clause is judged by the drawing that the file holds, each lemma by the clauses
    it follows from; the boards are those that the parts prove. The drawing is compared
    with the rule's in --rules, or else in the book. If the book has no rule of that
    name, the drawings are printed: those are what the file proves. Certificates of
    `oneway prove FAMILY` are checked the same way, and so are those of dead positions
    that `oneway check --proof` writes.

    With --lrat each part becomes a formula (.cnf, with comments on what its variables
    say) and a proof that it has no model (.lrat). Any checker of LRAT reads them. That
    the clauses follow from the drawing, no such checker can say.

    Exit code 0 if every certificate holds, 1 if one does not, 2 on bad input.

    Try: oneway prove c-shape && oneway proof check out/proofs

    A rule of your own: oneway proof check out/proofs --rules my-rule.toml
    """
    from solver.errors import CertificateError, OptionError
    from verify.families.every import SUFFIX as FAMILY
    from verify.proof.certificate import SUFFIX, check_certificate
    from verify.proof.files import DEAD as PAGE
    from verify.proof.files import export
    from verify.proof.provable import provable

    files: list[Path] = []
    for path in paths:
        kinds = (SUFFIX, FAMILY, PAGE) if path.is_dir() and not rules else (SUFFIX,)
        some = (sorted(path.glob(f"*{kind}")) for kind in kinds)
        files += chain.from_iterable(some) if path.is_dir() else [path]
    if not files:
        raise OptionError(f"no certificate ({SUFFIX}, {FAMILY}, {PAGE}) in {paths[0]}")
    wanted = provable(rules, up_to) if rules else None
    if wanted is not None and not wanted:
        raise OptionError(f"--rules {joined(rules)}: no drawn rule is among them")
    known = _Book(up_to) if wanted is None else wanted
    good, written = True, 0
    missing = dict(wanted or {})
    judged = set[bytes]()  # rules that share drawings share parts
    with progress_bar() as bar, _no_garbage():
        for path in bar.track(files, description="certificates"):
            try:
                if path.name.endswith(FAMILY) and not rules:
                    good &= _family_holds(path, as_json=as_json)
                    continue
                if path.name.endswith(PAGE) and not rules:
                    good &= _page_holds(path, as_json=as_json)
                    continue
                checked = check_certificate(path, known, jobs=jobs, good=judged)
            except CertificateError as error:
                if len(files) == 1:
                    raise
                good = False  # the others are checked all the same
                say(f"{one_line(path)}: {one_line(error.why)}")
                continue
            if wanted is not None and not checked.meant and checked.fault is None:
                why = f"{checked.rule!r} is no rule of {joined(rules)}"
                checked = replace(checked, fault=why)
            good &= checked.fault is None
            if checked.fault is None:
                missing.pop(checked.rule, None)
                written += len(export(path, lrat, known)) if lrat else 0
            _print(path, checked, joined(rules) or "the book", as_json=as_json)
    if lrat:
        (note if as_json else say)(f"written: {written:,} files in {one_line(lrat)}")
    for name in missing:
        warn(f"{name} has no certificate that holds")
    raise typer.Exit(0 if good and not missing else 1)


def _print(path: Path, checked: "Checked", meant: str, *, as_json: bool) -> None:
    """Print what a certificate proves, or its fault; `meant` names the rules."""
    if as_json:
        emit(
            {
                "certificate": str(path),
                "rule": checked.rule,
                "fault": checked.fault,
                "scope": checked.scope and checked.scope.name,
                "boards": checked.boards,
                "compared": checked.meant,
                "drawings": list(checked.drawings),
            }
        )
        return
    name = one_line(path)
    if checked.fault is not None:
        say(f"{name}: {one_line(checked.fault)}")
        return
    if checked.meant:
        say(f"{name}: {checked.rule} is proved, as in {one_line(meant)}")
    else:
        say(f"{name}: proves the drawings inside the file, {checked.rule!r}")
    say(f"  for {checked.boards}")
    for number, text in enumerate(checked.drawings, 1):
        say(f"  drawing {number}:")
        for line in text.splitlines():
            say(f"    {line}")


def _page_holds(path: Path, *, as_json: bool) -> bool:
    """Check the certificate of a dead position, print it; say whether it holds."""
    from verify.proof.files import check_dead

    position, fault = check_dead(path)
    if as_json:
        emit({"certificate": str(path), "dead": position.notation, "fault": fault})
    else:
        say(f"{one_line(path)}: {fault or f'{position.notation} is dead'}")
    return fault is None


def _family_holds(path: Path, *, as_json: bool) -> bool:
    """Check a family's certificate and print what it proves; return whether it holds.

    Of a family of the project the bounds are compared with the published ones too.
    """
    from verify.families.every import check_family_certificate
    from verify.proof.certificate import load_certificate

    checked = check_family_certificate(load_certificate(path))
    boards = checked.scope and checked.scope.value
    if as_json:
        emit(
            {
                "certificate": str(path),
                "family": checked.name,
                "fault": checked.fault,
                "scope": checked.scope and checked.scope.name,
                "boards": boards or "",
                "compared": checked.meant,
                "claims": list(checked.claims),
            }
        )
        return checked.fault is None
    name = one_line(path)
    if checked.fault is not None:
        say(f"{name}: {one_line(checked.fault)}")
        return False
    if checked.meant:
        say(f"{name}: family {checked.name} is proved, every distance and way to go on")
    else:
        say(f"{name}: proves the drawings inside the file, family {checked.name!r}")
    say(f"  for {boards}")
    for line in checked.claims:
        say(f"  {line}")
    return True


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Look for no unused circles of objects: a proof is many objects, and no circle."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Book(Known):
    """The drawn rules of the book by name, each read when it is asked for.

    A name that is none of the book's is not looked for anywhere else.
    """

    def __init__(self, up_to: int) -> None:
        from heuristic.groups import rule_names

        self.up_to = up_to
        self.names = frozenset(rule_names())

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> "RuleSpec":
        from heuristic.groups import written_rules
        from verify.proof.procedures import procedure
        from verify.proof.provable import provable_form

        if name in self.names:
            for rule in written_rules(name):
                if isinstance(rule, str):
                    form = procedure(rule, self.up_to)
                else:
                    form = provable_form(rule) if rule.name == name else None
                if form is not None and form.name == name:
                    return form
        raise KeyError(name)

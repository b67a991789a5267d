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
    from verify.proof.certificate import SUFFIX, check_certificate, load_certificate
    from verify.proof.families import SUFFIX as FAMILY
    from verify.proof.families import check_family_certificate
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
                    checked = check_family_certificate(load_certificate(path))
                    good &= checked.fault is None
                    _print(path, checked, "", as_json=as_json)
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
                why = f"{checked.name!r} is no rule of {joined(rules)}"
                checked = replace(checked, fault=why)
            good &= checked.fault is None
            if checked.fault is None:
                missing.pop(checked.name, None)
                written += len(export(path, lrat, known)) if lrat else 0
            _print(path, checked, joined(rules) or "the book", as_json=as_json)
    if lrat:
        (note if as_json else say)(f"written: {written:,} files in {one_line(lrat)}")
    for name in missing:
        warn(f"{name} has no certificate that holds")
    raise typer.Exit(0 if good and not missing else 1)


def _print(path: Path, checked: "Checked", meant: str, *, as_json: bool) -> None:
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


def _page_holds(path: Path, *, as_json: bool) -> bool:
    """Check the certificate of a dead position, print it; say whether it holds."""
    from verify.proof.files import check_dead

    position, fault = check_dead(path)
    if as_json:
        emit({"certificate": str(path), "dead": position.notation, "fault": fault})
    else:
        say(f"{one_line(path)}: {fault or f'{position.notation} is dead'}")
    return fault is None


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

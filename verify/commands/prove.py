"""`oneway prove`: rules for every board size.

`oneway proof check`: certificates checked without the prover.
"""

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from solver.errors import CertificateError, OptionError
from verify.commands import console, options
from verify.commands.console import emit, joined, note, say, warn
from verify.commands.ending import PassedOver, one_line
from verify.commands.options import argument, flag, option
from verify.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heuristic.rules.drawing import RuleSpec
    from verify.proof.certificate import Checked
    from verify.proof.counterexample import Refutation
    from verify.verdict.scopes import InScope
    from verify.verdict.verdict import Judgement


NEVER = "no completable position matches the drawing"


def prove(
    rules: options.RulesArgument = None,
    everything: options.All = False,
    sharpen: bool = flag(
        "--sharpen",
        "Say which extra conditions would make a rule provable, and which "
        "conditions a proved rule does not need.",
    ),
    all_scopes: bool = flag(
        "--all-scopes",
        "Say for each kind of board whether the rule holds there, with the "
        "smallest counterexample found where it does not.",
    ),
    seconds: options.Seconds = 10.0,
    proofs: options.Proofs = options.PROOFS,
    pictures: Path | None = option(
        "--pictures", "Folder for pictures: the rule, and what is open or wrong.", None
    ),
    save: options.Save = False,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    corpus: options.Corpus = None,
    watch: options.Watch = False,
    as_json: options.Json = False,
) -> None:
    """Prove rules for every board size, or refute them, or say what is open.

    PROVED: no completion of any position that the drawing matches, on any board of
    the kind named, begins with a forbidden move. A certificate is written that
    `oneway proof check` repeats without the prover. REFUTED: a position, and its
    completion through the forbidden move. OPEN: neither was found; the picture shows
    a local configuration that the drawing leaves possible, so what condition it lacks.

    Of a rule that reads future lines it is proved that it is right where its lines are:
    a ban, that the line's ends in their order leave no completion; an inference, that
    no completion does without the step. Of `sequence-recursion` each step of the walk
    that it follows is proved. Only known cases refute all of those.

    A distance family (straight, up-small, up-big, corner) is named as a rule is. A
    border of D cells, or a stair to a corner, cuts off an area: for each way to go on,
    the lowest and the highest surplus of white cells that a completion leaves possible
    are proved and printed for every distance at once.

    Exit code 0 if every rule is proved, 1 if not, 2 on bad input.

    Try: oneway prove c-shape

    Two families: oneway prove up-small up-big

    A group, with hints: oneway prove seed-close --sharpen

    A large group, on two cores: oneway prove seed-composite --jobs 2

    Several at once: oneway prove c-shape near-border-side my-rule.toml

    A rule of your own: oneway prove my-rule.toml --pictures out/open

    While you draw it: oneway prove my-rule.toml --watch
    """
    from heuristic.groups import refuse_python
    from verify.corpus.cases import cases_against, corpus_folder
    from verify.proof.certificate import save_certificate
    from verify.proof.families import NAMES as FAMILIES
    from verify.proof.prove import Proved, never_fires
    from verify.proof.view import grants
    from verify.verdict.verdict import Refuted, judge_all

    if families := [name for name in rules or () if name in FAMILIES]:
        if families != rules:
            raise OptionError(
                f"prove families apart from rules: oneway prove {' '.join(families)}"
            )
        prove_families(families, proofs, as_json)
        return
    known = cases_against(corpus or corpus_folder(), PassedOver())
    named = rules or []

    refuse_python(joined(named))

    def once() -> bool:
        specs = chosen(named, everything)
        all_proved = True
        with console.ticking("rules", len(specs)) as tick:
            verdicts = judge_all(
                specs, seed=seed, seconds=seconds, cases=known, jobs=jobs
            )
            for spec, verdict in zip(specs, verdicts, strict=True):
                path, case, silent = None, None, False
                all_proved &= holds_where_meant(spec, verdict)
                if isinstance(verdict, Proved):
                    path = save_certificate(verdict, proofs)
                    silent = not everything and never_fires(spec)
                elif isinstance(verdict, Refuted):
                    case = verdict.refutation.case
                    if save and case is None:
                        case = keep(spec, verdict.refutation, named, corpus, seed)
                files = _draw(verdict, pictures) if pictures else []
                of_lines = grants(spec)  # no position alone can refute it
                hints, scopes = [], []
                if sharpen and not of_lines:
                    from verify.verdict.sharpen import advice

                    hints = [f"  {x}" for x in advice(verdict, seconds=seconds)]
                if all_scopes and not of_lines:
                    from verify.verdict.scopes import in_all_scopes

                    scopes = in_all_scopes(spec, seconds=seconds, seed=seed)
                if as_json:
                    more = {"sharpened": hints, "scopes": [as_scope(x) for x in scopes]}
                    emit(as_dict(verdict, path, case, silent) | more)
                else:
                    print_verdict(verdict, path, case, silent)
                    lines = [f"  picture: {one_line(one)}" for one in files] + hints
                    for line in lines + [f"  {in_words(one)}" for one in scopes]:
                        say(line)
                tick()
        return all_proved

    good = console.again_when_saved(named, once) if watch else once()
    raise typer.Exit(0 if good else 1)


def prove_families(names: list[str], proofs: Path, as_json: bool) -> None:
    """Prove the bounds of distance families, print them, keep certificates."""
    from verify.proof.families import SUFFIX, prove_every_distance

    for name in dict.fromkeys(names):
        found = prove_every_distance(name, proofs)
        if as_json:
            emit(family=name, boards=found.boards, claims=found.claims)
            continue
        say(f"{name}: PROVED, every distance and way to go on")
        for line in (f"for {found.boards}", *found.claims):
            say(f"  {line}")
        say(f"  certificate: {one_line(proofs / f'{name}{SUFFIX}')}")


def chosen(words: list[str], everything: bool) -> "Sequence[RuleSpec]":
    """Return the rules that are meant; say why others cannot be put to a proof.

    Those that read future lines, and procedures, are as a proof speaks of them.

    Raises `OptionError` if nothing or too much is said, or no drawn rule is among them.
    """
    from heuristic.groups import load_rules
    from verify.proof.provable import book_rules, not_provable, provable

    if bool(words) == everything:
        raise OptionError("name rules, or say --all: one of the two")
    rules = load_rules(joined(words)).rules if words else book_rules()
    forms = provable(rules)
    for name, why in not_provable(rules).items() if words else ():
        note(f"{name} {why}")
    if not forms:
        raise OptionError(f"no rule of {joined(words)!r} can be put to a proof")
    return list(forms.values())


def holds_where_meant(rule: "RuleSpec", verdict: "Judgement") -> bool:
    """Whether a rule is proved on all boards that it is meant for."""
    from heuristic.boards import widest
    from verify.proof.prove import Proved

    if not isinstance(verdict, Proved):
        return False
    return widest([verdict.admitted, rule.boards]) is verdict.admitted


def print_verdict(
    verdict: "Judgement",
    certificate: Path | None,
    case: Path | None,
    silent: bool = False,
) -> None:
    """Print a verdict for a person; a `silent` rule was proved never to fire."""
    from verify.proof.prove import Proved
    from verify.proof.settle import Survivor
    from verify.verdict.verdict import Refuted

    word = verdict.word
    if silent:
        word += f", but it never fires: {NEVER}"
    say(f"{verdict.rule.name}: {word}  ({verdict.seconds:.2f} s)")
    if isinstance(verdict, Proved):
        say(f"  for {verdict.boards}")
        if not holds_where_meant(verdict.rule, verdict):
            say(
                f"  not proved for all that it is meant for: {verdict.rule.boards.text}"
            )
        parts = counted(len(verdict.proofs), "part")
        say(f"  {parts}, {counted(verdict.clauses, 'clause')}: {one_line(certificate)}")
    elif isinstance(verdict, Refuted):
        found = verdict.refutation
        say(f"  {_wrong(found)}")
        for line in str(found.position).splitlines():
            say(f"    {line}")
        if found.lines:
            say(f"  {found.lines}")
        say(f"  found by: {found.found}")
        if case:
            say(f"  case: {one_line(case)}")
    else:
        say(f"  {verdict.proved} parts proved; tried: {verdict.tried}")
        for part, survivor in verdict.survivors:
            shown = isinstance(survivor, Survivor)
            why = "is left possible" if shown else "the time limit came first"
            say(f"  {part}: {why}")


def as_dict(
    verdict: "Judgement",
    certificate: Path | None,
    case: Path | None,
    silent: bool = False,
) -> dict[str, Any]:
    """Return a verdict as plain values, for JSON."""
    from verify.proof.prove import Proved
    from verify.verdict.verdict import Refuted

    data: dict[str, Any] = {
        "rule": verdict.rule.name,
        "claim": verdict.rule.claim,
        "verdict": verdict.word,
        "meant_for": verdict.rule.boards.word,
        "seconds": round(verdict.seconds, 3),
    }
    if isinstance(verdict, Proved):
        data |= {
            "boards": verdict.boards,
            "never_fires": silent,
            "clauses": verdict.clauses,
            "certificate": str(certificate) if certificate else None,
        }
    elif isinstance(verdict, Refuted):
        found = verdict.refutation
        data |= {
            "position": found.position.notation,
            "move": found.move,
            "completion": list(found.completion),
            "found": found.found,
            "case": str(case) if case else None,
        }
    else:
        data |= {"open": [*map(str, verdict.open_parts)], "tried": verdict.tried}
    return data


def in_words(one: "InScope") -> str:
    """Say what is known of a rule in one scope."""
    found = f": {_wrong(one.refutation)}" if one.refutation else ""
    return f"{one.word} for {one.boards}{found}"


def _wrong(found: "Refutation") -> str:
    return f"{found.position.notation} can be completed by {found.move}"


def as_scope(one: "InScope") -> dict[str, Any]:
    """Return what is known of a rule in one scope as plain values, for JSON."""
    found = one.refutation
    return {
        "scope": one.scope.name,
        "boards": one.boards,
        "verdict": one.word,
        "position": found.position.notation if found else None,
        "move": found.move if found else None,
    }


def _draw(verdict: "Judgement", folder: Path) -> list[Path]:
    """Write pictures of a verdict; return the files."""
    from solver.files import make_folder
    from solver.svg import write_pictures
    from verify.verdict.verdict import pictures_of

    svgs = pictures_of(verdict)
    files = [folder / f"{verdict.rule.name}-{n}.svg" for n in range(1, len(svgs) + 1)]
    make_folder(folder)
    write_pictures(zip(files, svgs, strict=True))
    return files


def keep(
    spec: "RuleSpec",
    found: "Refutation",
    rules: "Sequence[str]",
    corpus: Path | None,
    seed: int,
) -> Path:
    """Save a counterexample as a case of the corpus; return its path."""
    from heuristic.groups import drawn_rules
    from solver.oracles.oracle import get_oracle
    from verify.corpus.cases import corpus_folder, save_case
    from verify.corpus.making import make_case
    from verify.corpus.origin import origin_of

    rule_set, folder = drawn_rules(spec.name, [spec]), corpus or corpus_folder()
    origin = origin_of(_word_of(spec, rules), folder)
    case = make_case(
        *("unsound", found.position, rule_set, origin, get_oracle("sat")),
        rule=spec.name,
        source=f"oneway prove {spec.name} --seed {seed}: {found.found}",
    )
    return save_case(case, folder, rule_set)[0]


def _word_of(spec: "RuleSpec", rules: "Sequence[str]") -> str:
    """Return the rule file that holds a rule; its name if the book does."""
    from heuristic.groups import load_rules, rule_file, words_of

    for word in words_of(",".join(rules)):
        if rule_file(word) and spec.name in [r.name for r in load_rules(word).rules]:
            return word
    return spec.name


app = typer.Typer(
    no_args_is_help=True, help="Certificates of proved rules: check them again."
)
_CORES = os.cpu_count() or 1


@app.command("check")
def proof_check(
    paths: list[Path] = argument("Certificates, or folders of them."),
    rules: list[str] = option(
        "--rules -r",
        "What must be proved: a rule, group or file. Each of its drawn rules "
        "needs a certificate, and no other is accepted.",
        options.NONE,
    ),
    lrat: Path | None = option(
        "--lrat",
        "Folder for the propositional half of each certificate that holds, "
        "for other checkers: DIMACS and LRAT.",
        None,
    ),
    jobs: options.Jobs = _CORES,
    as_json: options.Json = False,
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
    from heuristic.groups import load_rules
    from verify.proof.certificate import SUFFIX, check_certificate, load_certificate
    from verify.proof.dead import SUFFIX as PAGE
    from verify.proof.dead import check_dead
    from verify.proof.families import SUFFIX as FAMILY
    from verify.proof.families import check_family_certificate
    from verify.proof.lrat import export
    from verify.proof.provable import provable

    files: list[Path] = []
    for path in paths:
        kinds = (SUFFIX, FAMILY, PAGE) if path.is_dir() and not rules else (SUFFIX,)
        some = (sorted(path.glob(f"*{kind}")) for kind in kinds)
        files += chain.from_iterable(some) if path.is_dir() else [path]
    if not files:
        raise OptionError(f"no certificate ({SUFFIX}, {FAMILY}, {PAGE}) in {paths[0]}")
    wanted = provable(load_rules(joined(rules)).rules) if rules else None
    if rules and not wanted:
        raise OptionError(f"--rules {joined(rules)}: no drawn rule is among them")
    known = _Book() if wanted is None else wanted
    good, written = True, 0
    missing = dict(wanted or {})
    judged = set[bytes]()  # rules that share drawings share parts
    with console.progress_bar() as bar, _no_garbage():
        for path in bar.track(files, description="certificates"):
            try:
                if path.name.endswith(FAMILY) and not rules:
                    checked = check_family_certificate(load_certificate(path))
                    good &= checked.fault is None
                    _print(path, checked, "", as_json=as_json)
                    continue
                if path.name.endswith(PAGE) and not rules:
                    place, fault = check_dead(path)
                    good &= fault is None
                    if as_json:
                        emit(certificate=str(path), dead=place.notation, fault=fault)
                    else:
                        say(f"{one_line(path)}: {fault or f'{place.notation} is dead'}")
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


class _Book(Mapping[str, "RuleSpec"]):
    """The drawn rules of the book by name, each read when it is asked for.

    A name that is none of the book's is not looked for anywhere else.
    """

    def __init__(self) -> None:
        from heuristic.groups import rule_names

        self.names = frozenset(rule_names())

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> "RuleSpec":
        from heuristic.groups import load_rules
        from verify.proof.provable import provable

        return provable(load_rules(name).rules if name in self.names else ())[name]

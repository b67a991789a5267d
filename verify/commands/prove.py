"""`oneway prove`: rules proved for every board size, or refuted, or left open."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from heuristic.boards import widest
from heuristic.groups import (
    drawn_rules,
    load_rules,
    refuse_python,
    rule_file,
    words_of,
)
from heuristic.rules.drawing import RuleSpec
from solver.errors import OptionError
from solver.files import make_folder
from solver.oracles.oracle import get_oracle
from solver.svg import write_pictures
from verify.commands import options
from verify.commands.console import emit, note, progress, say
from verify.commands.ending import Skipped, one_line
from verify.commands.rulesets import rules_of
from verify.corpus.cases import cases_against, corpus_folder, origin_of, save_case
from verify.corpus.making import make_case
from verify.proof.certificate import save_certificate
from verify.proof.counterexample import Refutation
from verify.proof.families import NAMES as FAMILIES
from verify.proof.families import SUFFIX, prove_every_distance
from verify.proof.provable import book_rules, not_provable, provable
from verify.proof.prove import Proved, never_fires
from verify.proof.settle import Survivor
from verify.proof.view import grants
from verify.verdict.scopes import InScope, in_all_scopes
from verify.verdict.sharpen import advice
from verify.verdict.verdict import Judgement, Refuted, judge_all, pictures_of
from verify.words import counted


def prove(
    rules: options.RulesArgument = None,
    everything: options.All = False,
    sharpen: Annotated[
        bool,
        typer.Option("--sharpen", help="Print conditions to add or to leave out."),
    ] = False,
    all_scopes: Annotated[
        bool,
        typer.Option("--all-scopes", help="Print the verdict for each kind of board."),
    ] = False,
    seconds: options.Seconds = 10.0,
    proofs: options.Proofs = options.PROOFS,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures", help="Folder for pictures of what is open or wrong."
        ),
    ] = None,
    save: options.Save = False,
    corpus: options.Corpus = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
) -> None:
    """Prove rules for every board size, or refute them.

    PROVED: on every board in the stated scope, a forbidden move is never the first move
    of a completion. `oneway proof check` checks the certificate without the prover.
    REFUTED: a position, and its completion through a forbidden move. OPEN: neither was
    found; --pictures draws what the drawing leaves possible.

    A distance family (straight, up-small, up-big, corner) is named like a rule; its
    bounds are proved for every distance at once.

    Exit code 0 if every rule is proved, 1 if not.

    \b
    Several rules:
      oneway prove c-shape near-border-side my-rule.toml
    A group, with hints:
      oneway prove seed-close --sharpen
    On two cores:
      oneway prove seed-composite --jobs 2
    Two families:
      oneway prove up-small up-big
    """
    words = rules or []
    if families := [name for name in words if name in FAMILIES]:
        if families != words:
            raise OptionError(
                f"prove families apart from rules: oneway prove {' '.join(families)}"
            )
        _prove_families(families, proofs, as_json)
        return
    refuse_python(",".join(words))
    specs = chosen(words, everything)
    cases = cases_against(corpus or corpus_folder(), Skipped())
    all_proved = True
    with progress("rules", len(specs)) as bar:
        verdicts = judge_all(specs, seed=seed, seconds=seconds, cases=cases, jobs=jobs)
        for spec, verdict in zip(specs, verdicts, strict=True):
            all_proved &= holds_where_meant(spec, verdict)
            certificate, case, silent = None, None, False
            if isinstance(verdict, Proved):
                certificate = save_certificate(verdict, proofs)
                silent = not everything and never_fires(spec)
            elif isinstance(verdict, Refuted):
                case = verdict.refutation.case
                if save and case is None:
                    case = _save(spec, verdict.refutation, words, corpus, seed)
            files = _draw(verdict, pictures) if pictures else []
            of_lines = grants(spec)  # no position alone can refute it
            hints: Sequence[str] = ()
            scopes: Sequence[InScope] = ()
            if sharpen and not of_lines:
                hints = advice(verdict, seconds=seconds)
            if all_scopes and not of_lines:
                scopes = in_all_scopes(spec, seconds=seconds, seed=seed)
            if as_json:
                more = {
                    "sharpened": [f"  {hint}" for hint in hints],
                    "scopes": [_scope_as_dict(scope) for scope in scopes],
                }
                emit(_as_dict(verdict, certificate, case, silent) | more)
            else:
                _print(verdict, certificate, case, silent)
                lines = [f"picture: {one_line(file)}" for file in files]
                for line in [*lines, *hints, *map(_scope_in_words, scopes)]:
                    say(f"  {line}")
            bar.advance()
    raise typer.Exit(0 if all_proved else 1)


def _prove_families(names: list[str], proofs: Path, as_json: bool) -> None:
    """Prove the bounds of distance families, print them, keep certificates."""
    for name in dict.fromkeys(names):
        family = prove_every_distance(name, proofs)
        if as_json:
            emit(family=name, boards=family.boards, claims=family.claims)
            continue
        say(f"{name}: PROVED, every distance and way to go on")
        for line in (f"for {family.boards}", *family.claims):
            say(f"  {line}")
        say(f"  certificate: {one_line(proofs / f'{name}{SUFFIX}')}")


def chosen(words: Sequence[str], everything: bool) -> Sequence[RuleSpec]:
    """Return the rules to prove; print why others cannot be proved.

    Rules that read future lines, and procedures, are as a proof speaks of them.

    Raises `OptionError` if nothing or too much is named, or no drawn rule is.
    """
    if bool(words) == everything:
        raise OptionError("name rules, or add --all: one of the two")
    rules = rules_of(words).rules if words else book_rules()
    specs = provable(rules)
    for name, why in not_provable(rules).items() if words else ():
        note(f"{name} {why}")
    if not specs:
        raise OptionError(f"no rule of {','.join(words)!r} can be proved")
    return list(specs.values())


def holds_where_meant(rule: RuleSpec, verdict: Judgement) -> bool:
    """Whether a rule is proved on all boards that it is meant for."""
    if not isinstance(verdict, Proved):
        return False
    return widest([verdict.admitted, rule.boards]) is verdict.admitted


def _print(
    verdict: Judgement, certificate: Path | None, case: Path | None, silent: bool
) -> None:
    """Print a verdict for a person; a `silent` rule was proved never to fire."""
    never = ", but it never fires: no completable position matches the drawing"
    word = verdict.word + (never if silent else "")
    say(f"{verdict.rule.name}: {word}  ({verdict.seconds:.2f} s)")
    if isinstance(verdict, Proved):
        say(f"  for {verdict.boards}")
        if not holds_where_meant(verdict.rule, verdict):
            meant = verdict.rule.boards.text
            say(f"  not proved for all that it is meant for: {meant}")
        parts = counted(len(verdict.proofs), "part")
        say(f"  {parts}, {counted(verdict.clauses, 'clause')}: {one_line(certificate)}")
    elif isinstance(verdict, Refuted):
        refutation = verdict.refutation
        say(f"  {_wrong(refutation)}")
        for line in str(refutation.position).splitlines():
            say(f"    {line}")
        if refutation.lines:
            say(f"  {refutation.lines}")
        say(f"  found by: {refutation.found}")
        if case:
            say(f"  case: {one_line(case)}")
    else:
        say(f"  {verdict.proved} parts proved; tried: {verdict.tried}")
        for part, survivor in verdict.survivors:
            possible = isinstance(survivor, Survivor)
            why = "is left possible" if possible else "the time limit came first"
            say(f"  {part}: {why}")


def _as_dict(
    verdict: Judgement, certificate: Path | None, case: Path | None, silent: bool
) -> dict[str, Any]:
    """Return a verdict as plain values, for JSON."""
    data: dict[str, Any] = {
        "rule": verdict.rule.name,
        "claim": verdict.rule.claim,
        "verdict": verdict.word,
        "meant_for": verdict.rule.boards.word,
        "seconds": round(verdict.seconds, 3),
    }
    if isinstance(verdict, Proved):
        return data | {
            "boards": verdict.boards,
            "never_fires": silent,
            "clauses": verdict.clauses,
            "certificate": str(certificate) if certificate else None,
        }
    if isinstance(verdict, Refuted):
        refutation = verdict.refutation
        return data | {
            "position": refutation.position.notation,
            "move": refutation.move,
            "completion": list(refutation.completion),
            "found": refutation.found,
            "case": str(case) if case else None,
        }
    return data | {"open": [*map(str, verdict.open_parts)], "tried": verdict.tried}


def _wrong(refutation: Refutation) -> str:
    return f"{refutation.position.notation} can be completed by {refutation.move}"


def _scope_in_words(scope: InScope) -> str:
    why = f": {_wrong(scope.refutation)}" if scope.refutation else ""
    return f"{scope.word} for {scope.boards}{why}"


def _scope_as_dict(scope: InScope) -> dict[str, Any]:
    refutation = scope.refutation
    return {
        "scope": scope.scope.name,
        "boards": scope.boards,
        "verdict": scope.word,
        "position": refutation.position.notation if refutation else None,
        "move": refutation.move if refutation else None,
    }


def _draw(verdict: Judgement, folder: Path) -> list[Path]:
    """Write pictures of a verdict; return the files."""
    svgs = pictures_of(verdict)
    files = [folder / f"{verdict.rule.name}-{n}.svg" for n in range(1, len(svgs) + 1)]
    make_folder(folder)
    write_pictures(zip(files, svgs, strict=True))
    return files


def _save(
    spec: RuleSpec,
    refutation: Refutation,
    rules: Sequence[str],
    corpus: Path | None,
    seed: int,
) -> Path:
    """Save a counterexample as a case of the corpus; return its path."""
    rule_set, folder = drawn_rules(spec.name, [spec]), corpus or corpus_folder()
    own = spec.name
    for word in words_of(",".join(rules)):
        if rule_file(word) and spec.name in [r.name for r in load_rules(word).rules]:
            own = word
            break
    case = make_case(
        *("unsound", refutation.position, rule_set),
        *(origin_of(own, folder), get_oracle("sat")),
        rule=spec.name,
        source=f"oneway prove {spec.name} --seed {seed}: {refutation.found}",
    )
    return save_case(case, folder, rule_set)[0]

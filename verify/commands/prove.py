"""`oneway prove`: rules proved for every board size, or refuted, or left open."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from typer import Exit, Option

from heuristic.groups import refuse_python
from heuristic.rule import RuleSet, widest
from heuristic.rules.drawing import RuleSpec
from solver.errors import OptionError
from solver.files import make_folder
from solver.oracles.oracle import get_oracle
from verify.commands import console, options
from verify.commands.exits import one_line, print_error
from verify.corpus.cases import cases_against, corpus_folder, origin_of, save_case
from verify.corpus.faults import make_case
from verify.formatting import counted
from verify.proof.certificate import FAMILIES, FAMILY_SUFFIX, save_certificate
from verify.proof.decision import Survivor
from verify.proof.prove import Proved, book_rules, never_fires, not_provable, provable
from verify.proof.window import grants
from verify.verdict.verdict import InScope, Judgement, Refuted, in_all_scopes, judge_all


def prove(
    rules: options.RulesArgument = None,
    everything: options.All = False,
    sharpen: bool = Option(False, "--sharpen", help="Print conditions to add."),
    all_scopes: bool = Option(False, "--all-scopes", help="Judge each kind of board."),
    seconds: options.Seconds = 10.0,
    proofs: options.Proofs = options.PROOFS,
    pictures: Path | None = Option(None, help="Folder for pictures of the verdict."),
    save: options.Save = False,
    corpus: options.Corpus = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
) -> None:
    """Prove rules for every board size, or refute them.

    PROVED: on every board in the stated scope, a forbidden move is never the first move
    of a completion. REFUTED: a position, and its completion through a forbidden move.
    OPEN: no proof and no counterexample; --pictures shows what the drawing leaves
    possible.

    A distance family (straight, up-small, up-big, corner) has a name like a rule. Its
    bounds are proved for every distance at once.

    Exit code 0 if every rule is proved, 1 if not.

    \b
    Several rules:
      oneway prove c-shape near-border-side my-rule.toml
    A group, with hints:
      oneway prove seed-close --sharpen
    """
    words = rules or []
    if families := [name for name in words if name in FAMILIES]:
        if families != words:
            apart = " ".join(families)
            raise OptionError(f"prove families apart from rules: oneway prove {apart}")
        _prove_families(families, proofs, as_json)
        return
    refuse_python(",".join(words))
    specs = provable_rules(words, everything)
    folder = corpus or corpus_folder()
    cases = cases_against(folder, print_error)
    good = True
    with console.progress("rules", len(specs)) as bar:
        verdicts = judge_all(specs, seed=seed, seconds=seconds, cases=cases, jobs=jobs)
        for spec, verdict in zip(specs, verdicts, strict=True):
            value = _value(verdict)
            good &= value["verdict"] == "PROVED" and not value["narrower"]
            if isinstance(verdict, Proved):
                value["certificate"] = str(save_certificate(verdict, proofs))
                value["never_fires"] = not everything and never_fires(spec)
            elif isinstance(verdict, Refuted) and save and not value["case"]:
                value["case"] = str(_save(verdict, words, folder))
            value["sharpened"], value["scopes"] = [], []
            if sharpen and not grants(spec):  # no position alone can refute lines
                from verify.verdict.conditions import advice_lines  # rarely needed

                value["sharpened"] = advice_lines(verdict, seconds=seconds)
            if all_scopes and not grants(spec):
                scopes = in_all_scopes(spec, seconds=seconds, seed=seed)
                value["scopes"] = [_in_scope(judged) for judged in scopes]
            console.answer(value, _lines(value), as_json)
            if pictures:
                _draw(verdict, pictures, as_json)
            bar.advance()
    raise Exit(0 if good else 1)


def _prove_families(names: list[str], proofs: Path, as_json: bool) -> None:
    from verify.proof.families import prove_every_distance

    for name in dict.fromkeys(names):
        family = prove_every_distance(name, proofs)
        file = one_line(proofs / f"{name}{FAMILY_SUFFIX}")
        lines = (f"for {family.boards}", *family.claims, f"certificate: {file}")
        head = f"{name}: PROVED, every distance and way to go on"
        value = {"family": name, "boards": family.boards, "claims": family.claims}
        console.answer(value, [head, *(f"  {line}" for line in lines)], as_json)


def provable_rules(words: Sequence[str], everything: bool) -> Sequence[RuleSpec]:
    """Return the rules to prove, as a proof speaks of them; report the others.

    Raises `OptionError` if rules are both named and asked for by --all, or neither, or
    no rule can be proved.
    """
    if bool(words) == everything:
        raise OptionError("name rules, or add --all: one of the two")
    rules = options.read_rules(words).rules if words else book_rules()
    specs = provable(rules)
    for name, why in not_provable(rules).items() if words else ():
        console.note(f"{name} {why}")
    if not specs:
        raise OptionError(f"no rule of {','.join(words)!r} can be proved")
    return list(specs.values())


def _value(verdict: Judgement) -> dict[str, Any]:
    """Return a verdict as plain values.

    `narrower`: the boards that a proved rule is meant for, if the proof has fewer.
    """
    rule = verdict.rule
    value: dict[str, Any] = {
        "rule": rule.name,
        "claim": rule.claim,
        "verdict": verdict.word,
        "meant_for": rule.boards.word,
        "seconds": round(verdict.seconds, 3),
    }
    if isinstance(verdict, Proved):
        whole = widest([verdict.admitted, rule.boards]) is verdict.admitted
        return value | {
            "boards": verdict.boards,
            "narrower": "" if whole else rule.boards.text,
            "parts": len(verdict.proofs),
            "clauses": verdict.clauses,
        }
    if isinstance(verdict, Refuted):
        refutation = verdict.refutation
        return value | {
            "position": refutation.position.notation,
            "picture": str(refutation.position),
            "move": refutation.move,
            "completion": list(refutation.completion),
            "lines": refutation.lines,
            "method": refutation.method,
            "case": str(refutation.case) if refutation.case else None,
        }
    late = [part for part, left in verdict.survivors if not isinstance(left, Survivor)]
    return value | {
        "open": [str(part) for part in verdict.open_parts],
        "late": [*map(str, late)],
        "proved": verdict.proved,
        "tried": verdict.tried,
    }


def _lines(value: dict[str, Any]) -> Iterator[str]:
    word = value["verdict"]
    if value.get("never_fires"):
        word += ", but it never fires: no completable position matches the drawing"
    yield f"{value['rule']}: {word}  ({value['seconds']:.2f} s)"
    if value["verdict"] == "PROVED":
        yield f"  for {value['boards']}"
        if value["narrower"]:
            yield f"  not proved for all boards it is meant for: {value['narrower']}"
        counts = f"{counted(value['parts'], 'part')}, {value['clauses']:,} clauses"
        yield f"  {counts}: {one_line(value['certificate'])}"
    elif value["verdict"] == "REFUTED":
        yield f"  {value['position']} can be completed by {value['move']}"
        yield from (f"    {row}" for row in value["picture"].splitlines())
        if value["lines"]:
            yield f"  {value['lines']}"
        yield f"  found by: {value['method']}"
        if value["case"]:
            yield f"  case: {one_line(value['case'])}"
    else:
        yield f"  {value['proved']} parts proved; tried: {value['tried']}"
        for part in value["open"]:
            late = part in value["late"]
            why = "the time limit came first" if late else "is left possible"
            yield f"  {part}: {why}"
    yield from (f"  {hint}" for hint in value["sharpened"])
    for scope in value["scopes"]:
        line = f"  {scope['verdict']} for {scope['boards']}"
        if scope["position"]:
            line += f": {scope['position']} can be completed by {scope['move']}"
        yield line


def _in_scope(judged: InScope) -> dict[str, Any]:
    wrong = judged.refutation
    return {
        "scope": judged.scope.name,
        "boards": judged.boards,
        "verdict": judged.word,
        "position": wrong and wrong.position.notation,
        "move": wrong and wrong.move,
    }


def _draw(verdict: Judgement, folder: Path, as_json: bool) -> None:
    from solver.svg import write_pictures
    from verify.verdict.report import pictures_of

    svgs = pictures_of(verdict)
    make_folder(folder)
    files = options.numbered(folder / f"{verdict.rule.name}.svg", len(svgs))
    write_pictures(zip(files, svgs, strict=True))
    for file in files:
        console.say_written(f"  picture: {console.shown(file)}", as_json)


def _save(verdict: Refuted, words: Sequence[str], folder: Path) -> Path:
    spec, refutation = verdict.rule, verdict.refutation
    rule_set = RuleSet(spec.name, (spec,))
    origin = origin_of(",".join(words) or spec.name, folder)
    source = f"oneway prove {spec.name}: {refutation.method}"
    fault = (spec.name, refutation.position, rule_set, origin, get_oracle("sat"))
    return save_case(make_case(*fault, source=source), folder, rule_set)[0]

"""`oneway prove`: rules for every board size."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.commands.console import (
    PROOFS,
    AllOption,
    CorpusOption,
    JobsOption,
    JsonOption,
    ProofsOption,
    RulesArgument,
    SaveOption,
    SecondsOption,
    SeedOption,
    WatchOption,
    again_when_saved,
    emit,
    note,
    progress_bar,
    say,
)
from verify.commands.ending import PassedOver, one_line
from verify.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heuristic.groups import Names
    from heuristic.rules.drawing import RuleSpec
    from verify.refute.found import Refutation
    from verify.verdict.scopes import InScope
    from verify.verdict.verdict import Judgement

UpToOption = Annotated[
    int,
    typer.Option(
        "--up-to",
        min=2,
        max=40,
        help="Of procedures that find corners: how far away, in cells; stairs a third.",
    ),
]


def prove(
    rules: RulesArgument = None,
    everything: AllOption = False,
    sharpen: Annotated[
        bool,
        typer.Option(
            "--sharpen",
            help="Say which extra conditions would make a rule provable, and which "
            "conditions a proved rule does not need.",
        ),
    ] = False,
    all_scopes: Annotated[
        bool,
        typer.Option(
            "--all-scopes",
            help="Say for each kind of board whether the rule holds there, with the "
            "smallest counterexample found where it does not.",
        ),
    ] = False,
    seconds: SecondsOption = 10.0,
    proofs: ProofsOption = PROOFS,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures",
            help="Folder for pictures: the rule proved, what is open or wrong.",
        ),
    ] = None,
    save: SaveOption = False,
    up_to: UpToOption = 12,
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    corpus: CorpusOption = None,
    watch: WatchOption = False,
    as_json: JsonOption = False,
) -> None:
    """Prove rules for every board size, or refute them, or say what is open.

    PROVED: no completion of any position that the drawing matches, on any board of
    the kind named, begins with a forbidden move. A certificate is written that
    `oneway proof check` repeats without the prover. REFUTED: a position, and its
    completion through the forbidden move. OPEN: neither was found; the picture shows
    a local configuration that the drawing leaves possible, so what condition it lacks.

    Of a rule that reads future lines it is proved that it is right where its lines are:
    a ban, that the line's ends in their order leave no completion; an inference, that
    no completion does without the step. Of a procedure it is proved that the drawings
    it stands for are right: the corners that it can find up to --up-to cells away, or
    each step of the walk that it follows. Only known cases refute all of those.

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

    Corners up to 16 cells away: oneway prove sa-corner-discovery-2024-07 --up-to 16

    While you draw it: oneway prove my-rule.toml --watch
    """
    from solver.errors import OptionError
    from verify.corpus.cases import cases_against, corpus_folder
    from verify.proof.certificate import save_certificate
    from verify.proof.families import NAMES as FAMILIES
    from verify.proof.prove import Proved
    from verify.proof.view import grants
    from verify.verdict.verdict import Refuted, judge_all

    if families := [name for name in rules or () if name in FAMILIES]:
        if families != rules:
            raise OptionError(f"{', '.join(families)}: families go without rules")
        prove_families(families, proofs, as_json)
        return
    known = cases_against(corpus or corpus_folder(), PassedOver())
    named = rules or []

    def once() -> bool:
        specs = chosen(named, everything, up_to=up_to)
        all_proved = True
        with progress_bar() as bar:
            task = bar.add_task("rules", total=len(specs))
            verdicts = judge_all(
                specs, seed=seed, seconds=seconds, cases=known, jobs=jobs
            )
            for spec, verdict in zip(specs, verdicts, strict=True):
                all_proved &= isinstance(verdict, Proved)
                path = None
                if isinstance(verdict, Proved):
                    path = save_certificate(verdict, proofs)
                case = None
                if isinstance(verdict, Refuted):
                    case = verdict.refutation.case
                if isinstance(verdict, Refuted) and save and case is None:
                    case = keep(spec, verdict.refutation, named, corpus, seed)
                files = draw_verdict(verdict, pictures) if pictures else []
                of_lines = grants(spec)  # no position alone can refute it
                hints = sharpened(verdict, seconds) if sharpen and not of_lines else []
                scopes = []
                if all_scopes and not of_lines:
                    from verify.verdict.scopes import in_all_scopes

                    scopes = in_all_scopes(spec, seconds=seconds, seed=seed)
                if as_json:
                    more = {"sharpened": hints, "scopes": [as_scope(x) for x in scopes]}
                    emit(as_dict(verdict, path, case) | more)
                else:
                    print_verdict(verdict, path, case)
                    lines = [f"  picture: {one_line(one)}" for one in files] + hints
                    for line in lines + [f"  {in_words(one)}" for one in scopes]:
                        say(line)
                bar.advance(task)
        return all_proved

    good = again_when_saved(named, once) if watch else once()
    raise typer.Exit(0 if good else 1)


def prove_families(names: list[str], proofs: Path, as_json: bool) -> None:
    """Prove the bounds of distance families, print them, keep certificates."""
    from verify.proof.families import SUFFIX, prove_every_distance

    for name in dict.fromkeys(names):
        found = prove_every_distance(name, proofs)
        if as_json:
            emit({"family": name, "boards": found.boards, "claims": found.claims})
            continue
        say(f"{name}: PROVED, every distance and way to go on")
        for line in (f"for {found.boards}", *found.claims):
            say(f"  {line}")
        say(f"  certificate: {one_line(proofs / f'{name}{SUFFIX}')}")


def chosen(
    rules: "Names", everything: bool, *, drawn: bool = False, up_to: int = 12
) -> "Sequence[RuleSpec]":
    """Return the rules that are meant; say why others cannot be put to a proof.

    Unless only `drawn` rules are asked for, those that read future lines too, and
    procedures, as a proof speaks of them.

    Raises
    ------
    OptionError
        If nothing or too much is said, or no drawn rule is among them.
    """
    from heuristic.groups import in_one
    from solver.errors import OptionError
    from verify.proof.provable import otherwise, sorted_out

    if bool(rules) == everything:
        raise OptionError("name rules, or say --all: one of the two")
    found, others = sorted_out(rules)
    more = {} if drawn else otherwise(rules, up_to)
    found |= more
    others = {name: why for name, why in others.items() if name not in more}
    for name, why in others.items() if rules else ():
        note(f"{name} {why}")
    if not found:
        raise OptionError(f"no rule of {in_one(rules)!r} can be put to a proof")
    return list(found.values())


def print_verdict(
    verdict: "Judgement", certificate: Path | None, case: Path | None
) -> None:
    """Print a verdict for a person."""
    from verify.proof.prove import Proved
    from verify.proof.settle import Survivor
    from verify.verdict.verdict import Refuted

    say(f"{verdict.rule.name}: {verdict.word}  ({verdict.seconds:.2f} s)")
    if isinstance(verdict, Proved):
        say(f"  for {verdict.boards}")
        parts = counted(len(verdict.proofs), "part")
        say(f"  {parts}, {counted(verdict.clauses, 'clause')}: {one_line(certificate)}")
    elif isinstance(verdict, Refuted):
        found = verdict.refutation
        say(f"  {found.position.notation} can be completed by {found.move}")
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
    verdict: "Judgement", certificate: Path | None, case: Path | None
) -> dict[str, Any]:
    """Return a verdict as plain values, for JSON."""
    from verify.proof.prove import Proved
    from verify.verdict.verdict import Refuted

    data: dict[str, Any] = {
        "rule": verdict.rule.name,
        "claim": verdict.rule.claim,
        "verdict": verdict.word,
        "seconds": round(verdict.seconds, 3),
    }
    if isinstance(verdict, Proved):
        data |= {
            "scope": verdict.boards,
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
        data |= {
            "open": [str(part) for part, _ in verdict.survivors],
            "tried": verdict.tried,
        }
    return data


def in_words(one: "InScope") -> str:
    """Say what is known of a rule in one scope."""
    if one.refutation is None:
        return f"{one.word} for {one.boards}"
    found = one.refutation
    wrong = f"{found.position.notation} can be completed by {found.move}"
    return f"{one.word} for {one.boards}: {wrong}"


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


def draw_verdict(verdict: "Judgement", folder: Path) -> list[Path]:
    """Write pictures of a proved rule, of a counterexample, or of what is open."""
    from heuristic.rules.picture import draw_rule
    from solver.files import make_folder, write_whole
    from solver.svg import draw
    from verify.proof.picture import draw_survivor
    from verify.proof.prove import Proved
    from verify.proof.settle import Survivor
    from verify.verdict.verdict import Open, Refuted

    svgs: list[str] = []
    if isinstance(verdict, Proved):
        svgs += [draw_rule(one, verdict.rule.name) for one in verdict.rule.drawings[:4]]
    elif isinstance(verdict, Refuted):
        found = verdict.refutation
        svgs.append(
            draw(found.position, forbidden=found.move, witness=found.completion)
        )
    elif isinstance(verdict, Open):
        svgs += [
            draw_survivor(survivor, str(part))
            for part, survivor in verdict.survivors
            if isinstance(survivor, Survivor)
        ]
    make_folder(folder)
    paths = []
    for number, svg in enumerate(svgs, 1):
        paths.append(folder / f"{verdict.rule.name}-{number}.svg")
        write_whole(paths[-1], svg)
    return paths


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
    from verify.trial.completeness import make_case

    case = make_case(
        "unsound",
        found.position,
        drawn_rules(spec.name, [spec]),
        spec.name,
        get_oracle("sat"),
        source=f"oneway prove {spec.name} --seed {seed}: {found.found}",
        book=_file_with(spec, rules),
    )
    return save_case(case, corpus or corpus_folder())[0]


def _file_with(spec: "RuleSpec", rules: "Sequence[str]") -> str:
    """Return the text of the rule file that holds a rule; empty if the book does."""
    from heuristic.groups import words_of
    from heuristic.rules.rulefile import load_file

    for word in words_of(rules):
        file = Path(word)
        if file.suffix == ".toml" and spec in load_file(file):
            return file.read_text(encoding="utf-8")
    return ""


def sharpened(verdict: "Judgement", seconds: float) -> list[str]:
    """Return lines about conditions to add or to drop."""
    from verify.verdict.sharpen import advice

    return [f"  {line}" for line in advice(verdict, seconds=seconds)]

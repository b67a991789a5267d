"""`oneway fuzz`: a search for a counterexample of rules, with Hypothesis."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer
from typer import Option

from heuristic.rule import Boards, RuleSet, read_boards
from solver.board import Position
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from verify.commands import options
from verify.commands.console import answer, progress, saved, written
from verify.commands.rulesets import rules_of
from verify.corpus.cases import Case, corpus_folder, origin_of, save_case
from verify.corpus.faults import make_case
from verify.formatting import counted
from verify.fuzz import FuzzResult, fuzz_rules

_SHOWN = 20  # names of rules that never fired


def fuzz(
    rules: options.RulesArgument = None,
    seconds: options.Deadline = None,
    count: int | None = options.count(None, "Examples of 16 walks; default: 20 s."),
    boards: options.BoardKind = None,
    gaps: bool = Option(False, "--gaps", help="Look for dead moves not forbidden."),
    max_side: int = options.number(15, "Longest side of a board.", 1, 201),
    save: options.Save = False,
    corpus: options.Corpus = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Look for a counterexample on random boards, and shrink it.

    Hypothesis chooses boards that the rules are meant for and complete walks on them. A
    rule that forbids a step of such a walk is wrong. The search begins with the saved
    positions and their neighbours. The same seed and --count give the same answer.

    Exit code 0 if nothing was found, 1 if a counterexample was.

    \b
    A rule of your own:
      oneway fuzz my-rule.toml
    On boards with walls:
      oneway fuzz my-rule.toml --boards any
    """
    if not rules:
        raise OptionError("no rules: give a rule file, a rule or a group")
    rule_set, folder = rules_of(rules), corpus or corpus_folder()
    if corpus is not None and not folder.is_dir() and not save:
        raise OptionError(f"corpus {folder} is not there; --save makes it")
    with progress("examples") as bar:
        result = fuzz_rules(
            rule_set,
            seconds=seconds,
            examples=count,
            boards=read_boards(boards) if boards else None,
            gaps=gaps,
            max_side=max_side,
            seed=seed,
            corpus=folder,
            progress=bar.update,
        )
    value, case = _value(result, seed), None
    if save and result.counterexample:
        case = save_case(_case(result, rule_set, folder, seed), folder, rule_set)
        value["case"] = str(case[0])
    answer(value, _lines(value, rule_set, result.boards), as_json)
    if case:
        written(f"case {saved(*case)}", as_json)
    raise typer.Exit(1 if result.counterexample else 0)


def _value(result: FuzzResult, seed: int) -> dict[str, Any]:
    """Return a result as plain values."""
    counterexample = result.counterexample
    return {
        "counterexample": counterexample
        and {
            "kind": "unsound" if counterexample.rule else "gap",
            "rule": counterexample.rule,
            "position": counterexample.position.notation,
            "moves": counterexample.moves,
            "completion": list(counterexample.witness),
            "found": counterexample.found.notation,
        },
        "boards": [kind.word for kind in result.boards],
        "max_side": result.max_side,
        "seed": seed,
        "examples": result.examples,
        "saved": result.saved,
        "walks": result.walks,
        "positions": result.positions,
        "firings": result.firings,
        "patterns": result.patterns,
        "fired": result.fired,
        "case": None,
    }


def _lines(
    value: dict[str, Any], rule_set: RuleSet, boards: Sequence[Boards]
) -> Iterator[str]:
    """Yield the lines for a person: a counterexample and what to do with it."""
    sides = f"sides up to {value['max_side']}"
    scope = [f"asked on {kind.text}; {sides}" for kind in boards]
    counts = [counted(value[f"{name}s"], name) for name in ("position", "firing")]
    silent = [name for name, times in value["fired"].items() if not times]
    shown = value["counterexample"]
    if shown is None:
        patterns = counted(value["patterns"], "distinct pattern")
        yield f"no counterexample: {', '.join(counts)}, {patterns}"
        yield from scope
        if silent:
            more = f" and {len(silent) - _SHOWN} more" if len(silent) > _SHOWN else ""
            yield f"never fired: {', '.join(silent[:_SHOWN])}{more}"
        yield f"stopped after example {value['examples']:,}, seed {value['seed']}"
        return
    place, moves = Position.parse(shown["position"]), " and ".join(shown["moves"])
    if shown["rule"]:
        yield f"{shown['rule']} forbids {moves}, though completable:"
    else:
        are = "is" if len(shown["moves"]) == 1 else "are"
        yield f"{moves} {are} dead, and no rule forbids it:"
    yield from (str(place), place.notation)
    for forbid in rule_set.forbids(place):
        if forbid.rule == shown["rule"]:
            yield f"  {forbid.move}: {forbid.rule}: {forbid.reason.sentence}"
    yield from scope
    if value["examples"]:
        yield f"found at example {value['examples']:,}, seed {value['seed']}\n"
    else:
        yield "found among the saved positions and their neighbours\n"
    command = ["oneway", "check", place.notation, "--rules", rule_set.name]
    yield f"check it: {shlex.join(command)}"
    yield f"pin it:   @example(Position.parse({place.notation!r}))"


def _case(result: FuzzResult, rule_set: RuleSet, folder: Path, seed: int) -> Case:
    """Return the case of the counterexample."""
    shown = result.counterexample
    assert shown is not None
    case = make_case(
        "unsound" if shown.rule else "gap",
        shown.position,
        rule_set,
        origin_of(rule_set.name, folder),
        get_oracle("sat"),
        rule=shown.rule,
        source=f"oneway fuzz, seed {seed}",
        minimal=False,
    )
    if shown.found == shown.position:
        return case
    return replace(case, found=shown.found.notation)

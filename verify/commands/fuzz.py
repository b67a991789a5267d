"""`oneway fuzz`: a search for a counterexample of rules, with Hypothesis."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from heuristic.boards import read_boards
from heuristic.rule import RuleSet
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from verify.commands import options
from verify.commands.console import emit, progress, saved, say, say_position, written
from verify.commands.rulesets import rules_of
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.corpus.making import make_case
from verify.fuzz import Counterexample, FuzzResult, fuzz_rules
from verify.words import counted

_SHOWN = 20  # names of rules that never fired


def fuzz(
    rules: options.RulesArgument = None,
    seconds: options.Deadline = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            metavar="N",
            min=1,
            max=options.MOST,
            help="Examples of 16 walks each; default: 20 seconds.",
        ),
    ] = None,
    boards: options.BoardKind = None,
    gaps: Annotated[
        bool,
        typer.Option("--gaps", help="Look for dead moves that the rules allow."),
    ] = False,
    max_side: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=201, help="Longest side of a board."),
    ] = 15,
    save: options.Save = False,
    corpus: options.Corpus = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Look for a counterexample on random boards, and shrink it.

    Hypothesis chooses boards that the rules are meant for and complete walks on them. A
    rule that forbids a step of such a walk is wrong. The search begins with the saved
    positions of the corpus and their neighbours. An independent checker accepts each
    witness. With --gaps the search is for a dead move that all rules allow. The same
    seed and --count give the same answer everywhere.

    Exit code 0 if nothing was found, 1 if a counterexample was.

    \b
    A rule of your own:
      oneway fuzz my-rule.toml
    Longer, on larger boards:
      oneway fuzz my-rule.toml --seconds 300 --max-side 21
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
    counterexample = result.counterexample
    case = None
    if save and counterexample is not None:
        case = _save(counterexample, rule_set, folder, seed)
    if as_json:
        emit(_as_json(result, seed) | {"case": str(case[0]) if case else None})
    elif counterexample is None:
        _print_nothing(result, seed)
    else:
        _print(counterexample, result, rule_set, seed)
    if case:
        written(f"case {saved(*case)}", as_json)
    raise typer.Exit(0 if counterexample is None else 1)


def _as_json(result: FuzzResult, seed: int) -> dict[str, Any]:
    """Return a result as plain values, for JSON."""
    shown = result.counterexample
    counterexample = shown and {
        "kind": "unsound" if shown.rule else "gap",
        "rule": shown.rule,
        "position": shown.position.notation,
        "moves": shown.moves,
        "completion": list(shown.witness),
        "found": shown.found.notation,
    }
    return {
        "counterexample": counterexample,
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
    }


def _print_nothing(result: FuzzResult, seed: int) -> None:
    say(
        f"no counterexample: {counted(result.positions, 'position')}, "
        f"{counted(result.firings, 'firing')}, "
        f"{counted(result.patterns, 'distinct pattern')}"
    )
    _print_scope(result)
    if silent := [name for name, times in result.fired.items() if not times]:
        more = f" and {len(silent) - _SHOWN} more" if len(silent) > _SHOWN else ""
        say(f"never fired: {', '.join(silent[:_SHOWN])}{more}")
    say(f"stopped after example {result.examples:,}, seed {seed}")


def _print_scope(result: FuzzResult) -> None:
    for kind in result.boards:
        say(f"asked on {kind.text}; sides up to {result.max_side}")


def _print(
    counterexample: Counterexample, result: FuzzResult, rule_set: RuleSet, seed: int
) -> None:
    """Print a counterexample and what to do with it."""
    place, rule = counterexample.position, counterexample.rule
    moves = " and ".join(counterexample.moves)
    if rule:
        say(f"{rule} forbids {moves}, though completable:")
    else:
        are = "is" if len(counterexample.moves) == 1 else "are"
        say(f"{moves} {are} dead, and no rule forbids it:")
    say_position(place)
    for forbid in rule_set.forbids(place):
        if forbid.rule == rule:
            say(f"  {forbid.move}: {forbid.rule}: {forbid.reason.sentence}")
    _print_scope(result)
    where = "among the saved positions and their neighbours"
    if result.examples:
        where = f"at example {result.examples:,}, seed {seed}"
    say(f"found {where}\n")
    command = ["oneway", "check", place.notation, "--rules", rule_set.name]
    say(f"check it: {shlex.join(command)}")
    say(f"pin it:   @example(Position.parse({place.notation!r}))")


def _save(
    counterexample: Counterexample, rule_set: RuleSet, folder: Path, seed: int
) -> tuple[Path, bool]:
    """Save a counterexample as a case."""
    case = make_case(
        "unsound" if counterexample.rule else "gap",
        counterexample.position,
        rule_set,
        origin_of(rule_set.name, folder),
        get_oracle("sat"),
        rule=counterexample.rule,
        source=f"oneway fuzz, seed {seed}",
        minimal=False,
    )
    if counterexample.found != counterexample.position:
        case = replace(case, found=counterexample.found.notation)
    return save_case(case, folder, rule_set)

"""`oneway fuzz`: a search for a counterexample of rules, with Hypothesis."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, joined, kept, say
from verify.commands.options import flag, option
from verify.words import counted

if TYPE_CHECKING:
    from heuristic.rule import RuleSet
    from verify.corpus.origin import Origin
    from verify.fuzz import Counterexample, FuzzResult

_SHOWN = 20  # rules of the table


def fuzz(
    rules: options.RulesArgument = None,
    seconds: options.Deadline = None,
    count: int | None = option(
        "--count -n",
        "Stop after this many examples of 16 walks each; the same seed then gives the "
        "same answer everywhere. Without this and --seconds it searches 20 seconds.",
        None,
        min=1,
    ),
    boards: options.BoardKind = None,
    gaps: bool = flag(
        "--gaps", "Look for dead moves that the rules allow, not for wrong bans."
    ),
    max_side: int = option("--max-side", "Longest side of a board.", 15, min=1),
    save: options.Save = False,
    corpus: options.Corpus = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Look for a counterexample on random boards, and shrink it.

    Hypothesis chooses boards that the rules are meant for and complete walks on them. A
    rule that forbids a step of such a walk is wrong. With --gaps the search is for a
    completable position where the rules allow a dead move.

    The search begins with the saved positions of the corpus and their neighbours. A
    counterexample is printed when an independent checker has accepted its witness.

    Exit code 0 if nothing was found, 1 if a counterexample was.

    Try: oneway fuzz my-rule.toml

    Longer, on larger boards: oneway fuzz my-rule.toml --seconds 300 --max-side 21

    The same everywhere: oneway fuzz my-rule.toml -n 2000 --seed 7

    On boards with any walls and ends: oneway fuzz my-rule.toml --boards any

    Where two groups miss a dead move: oneway fuzz seed-5,seed-close --gaps
    """
    from heuristic.boards import read_boards
    from heuristic.groups import load_rules
    from verify.corpus.cases import corpus_folder
    from verify.corpus.origin import origin_of
    from verify.fuzz import fuzz_rules

    words = rules or []
    if not words:
        raise OptionError("no rules: give a rule file, a rule or a group")
    rule_set, folder = load_rules(joined(words)), corpus or corpus_folder()
    origin = origin_of(joined(words), folder)
    if corpus is not None and not folder.is_dir() and not save:
        raise OptionError(f"corpus {folder} is not there; --save makes it")
    with console.counting("examples") as moved:
        result = fuzz_rules(
            rule_set,
            seconds=seconds,
            examples=count,
            boards=None if boards is None else read_boards(boards),
            gaps=gaps,
            max_side=max_side,
            seed=seed,
            corpus=folder,
            progress=moved,
        )
    found = result.counterexample
    case = None
    if save and found is not None:
        case = _save(found, rule_set, origin, folder, seed)
    if as_json:
        emit(as_dict(result, seed) | {"case": str(case[0]) if case else None})
    elif found is None:
        _print_nothing(result, seed)
    else:
        _print_found(found, result, rule_set, words, seed)
    if case and not as_json:
        say(f"case {kept(*case)}")
    raise typer.Exit(0 if found is None else 1)


def as_dict(result: "FuzzResult", seed: int) -> dict[str, Any]:
    """Return a result as plain values, for JSON."""
    found = result.counterexample
    shown = None
    if found is not None:
        shown = {
            "kind": "unsound" if found.rule else "gap",
            "rule": found.rule,
            "position": found.position.notation,
            "moves": found.moves,
            "completion": list(found.witness),
            "found": found.found.notation,
        }
    return {
        "counterexample": shown,
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


def _print_nothing(result: "FuzzResult", seed: int) -> None:
    """Print what was looked at."""
    say(
        f"no counterexample: {counted(result.positions, 'position')}, "
        f"{counted(result.firings, 'firing')}, "
        f"{counted(result.patterns, 'distinct pattern')}"
    )
    _print_scope(result)
    silent = [name for name, times in result.fired.items() if not times]
    if silent:
        more = f" and {len(silent) - _SHOWN} more" if len(silent) > _SHOWN else ""
        say(f"never fired: {', '.join(silent[:_SHOWN])}{more}")
    say(f"stopped after example {result.examples:,}, seed {seed}")


def _print_scope(result: "FuzzResult") -> None:
    for kind in result.boards:
        say(f"asked on {kind.text}; sides up to {result.max_side}")


def _print_found(
    found: "Counterexample",
    result: "FuzzResult",
    rule_set: "RuleSet",
    words: list[str],
    seed: int,
) -> None:
    """Print a counterexample and how to go on with it."""
    moves, one = " and ".join(found.moves), len(found.moves) == 1
    if found.rule:
        say(f"{found.rule} forbids {moves}, though completable:")
    else:
        say(f"{moves} {'is' if one else 'are'} dead, and no rule forbids it:")
    console.say_position(found.position)
    forbids = rule_set.forbids(found.position)
    for forbid in forbids:
        if not found.rule or forbid.rule == found.rule:
            say(f"  {forbid.move}: {forbid.rule}: {forbid.reason.sentence}")
    _print_scope(result)
    text = found.position.notation
    where = "among the saved positions and their neighbours"
    if result.examples:
        where = f"at example {result.examples:,}, seed {seed}"
    say(f"found {where}")
    command = shlex.join(["oneway", "check", text, "--rules", joined(words)])
    say()
    say(f"check it: {command}")
    say(f"pin it:   @example(Position.parse({text!r}))")


def _save(
    found: "Counterexample",
    rule_set: "RuleSet",
    origin: "Origin",
    folder: Path,
    seed: int,
) -> tuple[Path, bool]:
    """Save a counterexample as a case."""
    from solver.oracles.oracle import get_oracle
    from verify.corpus.cases import save_case
    from verify.corpus.making import make_case

    kind = "unsound" if found.rule else "gap"
    case = make_case(
        *(kind, found.position, rule_set, origin, get_oracle("sat")),
        rule=found.rule,
        source=f"oneway fuzz, seed {seed}",
        minimal=False,
    )
    if found.found != found.position:
        case = replace(case, found=found.found.notation)
    return save_case(case, folder, rule_set)

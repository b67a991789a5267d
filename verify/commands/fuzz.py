"""`oneway fuzz`: a search for a counterexample of rules, with Hypothesis."""

from collections.abc import Iterator
from typing import Any

from typer import Exit, Option

from heuristic.rule import RuleSet
from solver.errors import OptionError
from verify.commands import console, options
from verify.corpus.cases import corpus_folder, origin_of, save_case
from verify.corpus.faults import rule_case
from verify.display import gap_sentence
from verify.formatting import counted
from verify.fuzz import FuzzResult, fuzz_rules


def fuzz(
    rules: options.RulesArgument = None,
    seconds: options.Deadline = None,
    count: int | None = options.count(None, "Examples of 16 walks; default: 20 s."),
    boards: options.BoardKind = None,
    gaps: bool = Option(False, "--gaps", help="Look for gaps, not for wrong rules."),
    max_side: int = options.number(15, "Longest side of a board.", least=1, most=201),
    save: options.Save = False,
    corpus: options.Corpus = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Search random boards for a counterexample, and shrink it.

    Hypothesis chooses boards that the rules are meant for, and complete walks on them.
    A rule that forbids a step of such a walk is wrong. The search begins with the saved
    positions and their neighbours. The same seed and --count give the same answer.

    Exit code 0 if there is no counterexample, 1 if there is one.

    \b
    A rule of your own:
      oneway fuzz my-rule.toml
    On boards with walls:
      oneway fuzz my-rule.toml --boards any
    """
    if not rules:
        raise OptionError("no rules: give a rule file, a rule or a group")
    rule_set, folder = options.read_rules(rules), corpus or corpus_folder()
    if corpus is not None and not folder.is_dir() and not save:
        raise OptionError(f"corpus {folder} does not exist; --save makes it")
    with console.progress("examples") as bar:
        result = fuzz_rules(
            rule_set,
            seconds=seconds,
            examples=count,
            boards=boards,
            gaps=gaps,
            max_side=max_side,
            seed=seed,
            corpus=folder,
            progress=bar.update,
        )
    wrong, file = result.counterexample, None
    if wrong and save:
        origin, source = origin_of(rule_set.name, folder), f"oneway fuzz, seed {seed}"
        fault = (wrong.rule, wrong.position, wrong.original, wrong.moves)
        file = save_case(rule_case(*fault, origin, source), folder, rule_set)
    value = _value(result) | {"seed": seed, "case": str(file[0]) if file else None}
    console.answer(value, _lines(result, rule_set, seed), as_json)
    if file:
        console.say_written(f"case {console.saved(*file)}", as_json)
    raise Exit(1 if wrong else 0)


def _value(result: FuzzResult) -> dict[str, Any]:
    wrong = result.counterexample
    names = ("max_side", "examples", "saved", "walks", "positions", "firings")
    value = {name: getattr(result, name) for name in (*names, "patterns", "fired")}
    value["boards"] = [kind.word for kind in result.boards]
    value["counterexample"] = wrong and {
        "kind": "unsound" if wrong.rule else "gap",
        "rule": wrong.rule,
        "position": wrong.position.notation,
        "moves": wrong.moves,
        "completion": list(wrong.witness),
        "found": wrong.original.notation,
    }
    return value


def _lines(result: FuzzResult, rule_set: RuleSet, seed: int) -> Iterator[str]:
    wrong = result.counterexample
    if wrong is None:
        counts = [
            counted(result.positions, "position"),
            counted(result.firings, "firing"),
            counted(result.patterns, "distinct pattern"),
        ]
        yield f"no counterexample: {', '.join(counts)}"
    else:
        moves, place = " and ".join(wrong.moves), wrong.position
        forbids = f"{wrong.rule} forbids {moves}, though completable"
        yield f"{forbids if wrong.rule else gap_sentence(wrong.moves)}:"
        yield from (str(place), place.notation)
        for forbid in rule_set.forbids(place):
            if forbid.rule == wrong.rule:
                yield f"  {forbid.move}: {forbid.rule}: {forbid.reason.sentence}"
    for kind in result.boards:
        yield f"tested on {kind.text}; sides up to {result.max_side}"
    where = f"example {result.examples:,}, seed {seed}"
    if wrong is None:
        if silent := [name for name, times in result.fired.items() if not times]:
            yield f"never fired: {', '.join(silent)}"
        yield f"stopped after {where}"
        return
    old = "among the saved positions and their neighbours"
    yield f"found {f'at {where}' if result.examples else old}\n"
    check = console.command_line("check", place.notation, "--rules", rule_set.name)
    yield f"check it: {check}"
    yield f"pin it:   @example(Position.parse({place.notation!r}))"

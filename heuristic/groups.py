"""Rule groups by name, and the one way to name the rules that a walker obeys."""

import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import REASON, load_file
from solver.errors import OptionError, RuleError, UnknownNameError

_BOOK = Path(__file__).parent / "book"

# A group of drawn rules is a list of book files, read in this order.
_GROUPS: dict[str, tuple[str, ...]] = {
    "seed-5": ("seed-5",),
    "seed-close": ("seed-close",),
    "seed-7": ("seed-5", "seed-close", "seed-far"),
    "seed-9-size": ("seed-5", "seed-close", "seed-far", "seed-9-size"),
    "seed-single-area": ("seed-single-area", "seed-single-area-more"),
    "seed-composite": ("seed-composite",),
    "seed-2024": ("seed-single-area", "seed-composite"),
    "seed-superseded": ("seed-superseded",),
    "seed-future": ("seed-future",),
    "seed-7-future": (
        *("seed-5", "seed-close", "seed-far"),
        *("seed-future", "seed-7-future"),
    ),
    "seed-9-future": (
        *("seed-5", "seed-close", "seed-far"),
        *("seed-future", "seed-9-future"),
    ),
    "seed-future-refuted": ("seed-future-refuted",),
    "found-5": ("found-5",),
    "found-7": ("found-7",),
    "found-9": ("found-7", "found-9"),
    "researcher-2026": ("researcher-2026", "researcher-2026-program"),
    "found-13": ("found-13",),
}
# Made by `oneway discover`, and told apart from the book.
FOUND = tuple(group for group in _GROUPS if group.startswith("found-"))
# Made by a command, and told apart from the book.
APART = (*FOUND, "researcher-2026")

# Rules that are kernels: group -> (factory "module:function", rule names). The factory
# takes the tuple of names that are wanted, in order, and how others are found, and
# returns a RuleSet of them.
_KERNELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "universal": (
        "heuristic.universal.universal:universal_rules",
        ("forced-edges", "fragments", "block-chain", "two-factor", "strips"),
    ),
    "universal-probing": (
        "heuristic.universal.universal:universal_rules",
        ("forced-edges", "fragments", "block-chain", "two-factor", "probing"),
    ),
    "universal-4": (
        "heuristic.universal.universal:universal_rules",
        ("forced-edges", "fragments", "block-chain", "two-factor"),
    ),
    "seed-kernels": (
        "heuristic.procedures.kernelrule:kernel_rules",
        (
            *("sa-corner-discovery-2024-07", "sequence-recursion"),
            *("down-stair-scan", "end-obstacle-corners"),
        ),
    ),
    "seed-kernels-old": (
        "heuristic.procedures.kernelrule:kernel_rules",
        ("sa-corner-discovery-2024-06", "down-stair-program", "sa-next-step"),
    ),
}

# Groups that are other groups together.
_UNIONS: dict[str, tuple[str, ...]] = {"seed-2024-full": ("seed-2024", "seed-kernels")}
_DRAWN, _FUTURE = "drawn", "future"

# What a group is, in the words of docs/reference/rules.md.
_ABOUT = {
    "seed-5": "the bans of the 5 x 5 board",
    "seed-close": "obstacles one gap away",
    "seed-7": "seed-5, seed-close, and obstacles two gaps away, counted",
    "seed-9-size": "seed-7 and the rules made for single stops on 9 x 9",
    "seed-single-area": "one area, any distance",
    "seed-composite": "two areas, or an area and an obstacle",
    "seed-2024": "seed-single-area and seed-composite: of all drawings the fewest gaps",
    "seed-superseded": "replaced, withdrawn and rejected forms, kept to be refuted",
    "seed-future": "nine inferences of future lines, and what follows from lines",
    "seed-7-future": "seed-7, seed-future, and the bans of 7 x 7 that read lines",
    "seed-9-future": "seed-7, seed-future, and the bans of a first pass on 9 x 9",
    "seed-future-refuted": "a ban by future lines that its author refuted",
    "seed-kernels": "procedures that no drawing can hold",
    "seed-kernels-old": "older forms of seed-kernels, and a look ahead",
    "seed-2024-full": "seed-2024 and seed-kernels",
    "found-5": "found by machine: misses no dead move of 5 x 5",
    "found-7": "found by machine: misses no dead move of 7 x 7",
    "found-9": "found by machine: found-7, and what walks on 9 x 9 missed",
    "researcher-2026": "rule pictures of 2026, and three functions without one",
    "found-13": "found by machine from nothing: steps followed, on 9, 13 and 21",
    "universal": "five theorems: forced edges, fragments, block chain, flow, strips",
    "universal-4": "the first four of universal",
    "universal-probing": "universal-4, and trying edges near the live end",
}


def group_names() -> list[str]:
    """Return the groups that `load_rules` knows.

    >>> "seed-5" in group_names()
    True
    """
    return sorted([*_GROUPS, *_KERNELS, *_UNIONS])


def about(group: str) -> str:
    """Say in a few words what a group is.

    >>> about("seed-close")
    'obstacles one gap away'

    Raises `UnknownNameError` if there is no such group.
    """
    if group not in _ABOUT:
        raise UnknownNameError("rule group", group, group_names())
    return _ABOUT[group]


def rule_names(group: str | None = None) -> list[str]:
    """Return the names of a group's rules in their order, or of all rules."""
    if group is None:
        names = [name for known in group_names() for name in rule_names(known)]
        return list(dict.fromkeys(names))
    if group in _UNIONS:
        return [name for part in _UNIONS[group] for name in rule_names(part)]
    if group in _KERNELS:
        return list(_KERNELS[group][1])
    if group not in _GROUPS:
        raise UnknownNameError("rule group", group, group_names())
    return [name for stem in _GROUPS[group] for name in _book_names(stem)]


Names: TypeAlias = str | Sequence[str]  # one text with commas, or several
_Runs: TypeAlias = list[tuple[str, list[Any]]]  # what one factory makes goes together
_Find: TypeAlias = Callable[[str], list[tuple[str, Any]]]


def load_rules(names: Names) -> RuleSet:
    """Return the rule set of a group, a rule, a rule file, or several with commas.

    Anything ending in ``.toml`` is a file. Rules stand in the order named; one named
    twice counts once, and one named with a minus before it is left out. Rules that
    read future lines know the lines that the inferences among them find, all nine if
    none is named, and stand together.

    >>> load_rules("seed-5,close-across-left").rules[-1].name
    'close-across-left'
    >>> [rule.name for rule in load_rules("seed-5,-c-shape,-area-near-border").rules]
    ['near-border-side', 'near-border-front']

    Raises `UnknownNameError` if a part is no group and no rule; the message lists the
    groups; `RuleError` if a file is no rule file, or two different rules have one name;
    `OptionError` if a part between commas is empty, a rule left out is not there, or no
    rule is left.
    """
    return _made(in_one(names), _runs(names))


def written_rules(names: Names) -> list[RuleSpec | str]:
    """Return the rules that names stand for as they are written; imports no kernel.

    A rule of a rule file is its specification; of any other rule there is the name.
    Names and errors are those of `load_rules`.

    >>> [rule.name for rule in written_rules("c-shape") if isinstance(rule, RuleSpec)]
    ['c-shape']
    >>> written_rules("universal-4")[:2]
    ['forced-edges', 'fragments']
    """
    return [rule for _, found in _runs(names) for rule in found]


def names_of(names: Names) -> list[str]:
    """Return the names of the rules that names stand for; reads no drawing of the book.

    Errors are those of `load_rules`, but for two rules of one name.

    >>> names_of("seed-5,-c-shape,seed-kernels")[:2]
    ['near-border-side', 'near-border-front']
    """
    return [rule for _, found in _runs(names, _find_names) for rule in found]


def in_one(names: Names) -> str:
    """Return names as one text with commas, as people write them and files keep them.

    >>> in_one(["seed-5", "seed-close,-c-shape"])
    'seed-5,seed-close,-c-shape'
    """
    return names if isinstance(names, str) else ",".join(names)


def words_of(names: Names) -> list[str]:
    """Return the words of names, one by one.

    >>> words_of(["seed-5", "seed-close, -c-shape"])
    ['seed-5', 'seed-close', '-c-shape']
    """
    return [word.strip() for word in in_one(names).split(",")]


def _runs(names: Names, find: _Find | None = None) -> _Runs:
    """Find the rules of some names, each with the factory of its rule set."""
    find = find or _find
    spec, runs = in_one(names), _Runs()
    words = [part for word in words_of(names) for part in _UNIONS.get(word, (word,))]
    dropped = {word[1:].strip() for word in words if word.startswith("-")}
    unmet = set(dropped)
    for word in words:
        if not word:
            raise OptionError(f"rules {spec!r}: a name between commas is empty")
        if word.startswith("-"):
            continue
        for factory, rule in find(word):
            unmet.discard(_name(rule))
            if _name(rule) not in dropped:
                _gather(runs, factory, rule)
    if unmet or not runs:
        why = f"{min(unmet)!r} is not there" if unmet else "no rule is left"
        raise OptionError(f"rules {spec!r}: {why}")
    return runs


def drawn_rules(name: str, specs: Sequence[RuleSpec]) -> RuleSet:
    """Return the rule set of rules that were read from a file.

    Raises `RuleError` if two different rules have one name.
    """
    runs = _Runs()
    for rule in specs:
        _gather(runs, _factory(rule), rule)
    return _made(name, runs)


def _factory(rule: RuleSpec) -> str:
    return _FUTURE if rule.reads_lines else _DRAWN


def _gather(runs: _Runs, factory: str, found: Any) -> None:
    """Add to the last run of its factory; all that reads future lines is one run.

    What one of its runs holds already is left out.
    """
    if any(other == factory and found in held for other, held in runs):
        return
    for other, held in runs if factory == _FUTURE else runs[-1:]:
        if other == factory:
            held.append(found)
            return
    runs.append((factory, [found]))


def _made(name: str, runs: _Runs) -> RuleSet:
    from heuristic.matching.drawn import DrawnRule, DrawnRuleSet  # these import numba
    from heuristic.mixed import MixedRuleSet

    parts: list[RuleSet] = []
    for factory, found in runs:
        if factory == _DRAWN:
            parts.append(DrawnRuleSet(name, [DrawnRule(rule) for rule in found]))
        elif factory == _FUTURE:
            from heuristic.future.futurerules import FutureRuleSet

            parts.append(FutureRuleSet(name, found))
        else:
            module, function = factory.split(":")
            make = getattr(import_module(module), function)
            parts.append(make(tuple(dict.fromkeys(found)), load_rules))
    return parts[0] if len(parts) == 1 else MixedRuleSet(name, parts)


def _find(word: str) -> list[tuple[str, Any]]:
    """Return factories and what to give them: rule specs if drawn, else rule names."""
    for group, (factory, names) in _KERNELS.items():
        if word == group:
            return [(factory, name) for name in names]
        if word in names:
            return [(factory, word)]
    if word.endswith(".toml"):
        return [(_factory(rule), rule) for rule in load_file(word)]
    if word in _GROUPS:
        return [(_factory(rule), rule) for rule in _group(word)]
    for stem in dict.fromkeys(stem for stems in _GROUPS.values() for stem in stems):
        if word in _book_names(stem):
            return [(_factory(one), one) for one in _book(stem) if one.name == word]
    raise UnknownNameError("rule or rule group", word, group_names(), rule_names())


def _find_names(word: str) -> list[tuple[str, Any]]:
    """Return names alone, where `_find` returns rules; a file is read all the same."""
    if word.endswith(".toml"):
        return [("", rule.name) for rule in load_file(word)]
    if word in group_names():
        return [("", name) for name in rule_names(word)]
    if word in rule_names():
        return [("", word)]
    raise UnknownNameError("rule or rule group", word, group_names(), rule_names())


def _name(rule: Any) -> str:
    return rule if isinstance(rule, str) else str(rule.name)


def _group(name: str) -> tuple[RuleSpec, ...]:
    return tuple(spec for stem in _GROUPS[name] for spec in _book(stem))


@cache
def _book(stem: str) -> tuple[RuleSpec, ...]:
    """Read a file of the book; a second for the families, so each once.

    Every rule of the book says where it is from and why it holds.
    """
    rules = load_file(_BOOK / f"{stem}.toml")
    for rule in rules:
        if rule.origin == rule.file or rule.reason == REASON:
            why = "a rule of the book needs origin and reason"
            raise RuleError(rule.file, rule.name, why, line=rule.line)
    return rules


@cache
def _book_names(stem: str) -> tuple[str, ...]:
    """Return the names in a file of the book, without reading the drawings."""
    text = (_BOOK / f"{stem}.toml").read_text(encoding="utf-8")
    return tuple(rule["name"] for rule in tomllib.loads(text)["rule"])

"""Rule groups by name, and the one way to name the rules that a walker obeys."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from heuristic.boards import Boards, widest
from heuristic.python_rule import (
    NO_DRAWING,
    PythonRule,
    is_python,
    load_python,
    python_file,
)
from heuristic.rule import Rule, RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import REASON, load_file
from solver.board import Board
from solver.errors import OptionError, RuleError, UnknownNameError
from solver.files import table_beside

_BOOK = Path(__file__).parent / "book"


@dataclass(frozen=True, slots=True)
class _Group:
    """What a name stands for, as groups.toml says."""

    about: str
    files: tuple[str, ...] = ()
    factory: str = ""
    rules: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


_GROUPS = {
    name: _Group(**said) for name, said in table_beside(__file__, "groups.toml").items()
}
# Made by `oneway discover`, and kept apart from the book.
FOUND = tuple(name for name in _GROUPS if name.startswith("found-"))
# Made by a command, and kept apart from the book.
APART = (*FOUND, "researcher-2026")
_LIST = "`oneway rules` lists all groups"
_DRAWN, _FUTURE, _PYTHON = "drawn", "future", "python"


def group_names() -> list[str]:
    """Return the groups that `load_rules` knows.

    >>> "seed-5" in group_names()
    True
    """
    return sorted(_GROUPS)


def about(group: str) -> str:
    """Say in a few words what a group is.

    >>> about("seed-close")
    'obstacles one gap away'

    Raises `UnknownNameError` if there is no such group.
    """
    return _group(group).about


def _group(name: str) -> _Group:
    if name not in _GROUPS:
        raise UnknownNameError("rule group", name, group_names(), _LIST)
    return _GROUPS[name]


def rule_names(group: str | None = None) -> list[str]:
    """Return the names of a group's rules in their order, or of all rules."""
    if group is None:
        names = [name for known in group_names() for name in rule_names(known)]
        return list(dict.fromkeys(names))
    known = _group(group)
    names = [name for part in known.groups for name in rule_names(part)]
    names += [name for stem in known.files for name in _book_names(stem)]
    return [*names, *known.rules]


Names: TypeAlias = str | Sequence[str]  # one text with commas, or several
_Runs: TypeAlias = list[tuple[str, list[Any]]]  # what one factory makes goes together
_Find: TypeAlias = Callable[[str], list[tuple[str, Any]]]
_At: TypeAlias = Callable[[str], Path]


def load_rules(names: Names, at: _At = Path) -> RuleSet:
    """Return the rule set of a group, a rule, a rule file, or several with commas.

    Anything ending in ``.toml`` is a rule file. ``FILE.py:FUNCTION`` is a Python rule
    (`heuristic.python_rule`), which is imported. Rules stand in the order named; one
    named twice counts once, and one named with a minus before it is left out. Rules
    that read future lines know the lines that the inferences among them find, all nine
    if none is named, and stand together.

    >>> load_rules("seed-5,close-across-left").rules[-1].name
    'close-across-left'
    >>> [rule.name for rule in load_rules("seed-5,-c-shape,-area-near-border").rules]
    ['near-border-side', 'near-border-front']

    `at` returns where the rule file of a word lies, if not at its own path.

    Raises `UnknownNameError` if a part is no group and no rule; the message names near
    ones; `RuleError` if a file is no rule file, or two different rules have one name;
    `OptionError` if a part between commas is empty, a rule left out is not there, or no
    rule is left.
    """
    return _made(in_one(names), _runs(names, partial(_find, at=at)))


def written_rules(names: Names) -> list[RuleSpec | str]:
    """Return the rules that names stand for as they are written; imports no kernel.

    A rule of a rule file is its specification; of any other rule there is the name. A
    Python rule is imported.
    Names and errors are those of `load_rules`.

    >>> [rule.name for rule in written_rules("c-shape") if isinstance(rule, RuleSpec)]
    ['c-shape']
    >>> written_rules("universal-4")[:2]
    ['forced-edges', 'fragments']
    """
    rules = [rule for _, found in _runs(names) for rule in found]
    return [rule.name if isinstance(rule, PythonRule) else rule for rule in rules]


def names_of(names: Names) -> list[str]:
    """Return the names of the rules that names stand for; reads no drawing of the book.

    Errors are those of `load_rules`, but for two rules of one name.

    >>> names_of("seed-5,-c-shape,seed-kernels")[:2]
    ['near-border-side', 'near-border-front']
    """
    return [rule for _, found in _runs(names, _find_names) for rule in found]


def python_names(names: Names) -> list[str]:
    """Return the names of the Python rules among the rules that names stand for."""
    rules = [rule for _, found in _runs(names) for rule in found]
    return [rule.name for rule in rules if isinstance(rule, PythonRule)]


def refuse_python(names: Names) -> None:
    """Refuse Python rules where drawings are needed; the files are not imported.

    Raises `OptionError` if one is among the names.
    """
    if python := [word for word in words_of(names) if is_python(word)]:
        raise OptionError(f"{', '.join(python)}: {NO_DRAWING}")


def meant_for(
    names: Names, board: Board, boards: Boards | None = None
) -> tuple[str, tuple[Rule, ...]]:
    """Return names without the rules that are not meant for a board, and those rules.

    - `boards`: the boards that all rules are taken to be meant for, instead of what
      each of them says.

    >>> words, left_out = meant_for("c-shape,area-near-border", Board.parse("5!3,3"))
    >>> words, [rule.name for rule in left_out]
    ('c-shape', ['area-near-border'])

    Raises `OptionError` if no rule is meant for the board.
    """
    rules = load_rules(names).rules
    kinds = [boards or rule.boards for rule in rules]
    others = [
        rule for rule, kind in zip(rules, kinds, strict=True) if not kind.admits(board)
    ]
    if len(others) == len(rules):
        meant = boards or widest(kinds)
        raise OptionError(
            f"no rule of {in_one(names)!r} is meant for board {board.notation}: "
            f"{meant.text}; --boards any asks all of them there"
        )
    dropped = [rule.name for rule in others]
    named = words_of(names)
    kept = [word for word in named if word not in dropped]
    still = names_of(kept)  # a rule may be named and stand in a group, too
    kept += [f"-{name}" for name in dropped if name in still]
    return ",".join(kept), tuple(others)


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


def rule_file(word: str) -> Path | None:
    """Return the file that a word takes its rules from; None for a name of the book.

    >>> tuple(str(rule_file(word)) for word in ("a.toml", "b.py:f", "seed-5"))
    ('a.toml', 'b.py', 'None')
    """
    if word.startswith("-"):
        return None
    if is_python(word):
        return python_file(word)
    return Path(word) if word.endswith(".toml") else None


def _runs(names: Names, find: _Find | None = None) -> _Runs:
    """Find the rules of some names, each with the factory of its rule set."""
    find = find or _find
    spec, runs = in_one(names), _Runs()
    parts = {name: group.groups for name, group in _GROUPS.items() if group.groups}
    words = [part for word in words_of(names) for part in parts.get(word, (word,))]
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
    from heuristic.python_set import PythonRuleSet

    parts: list[RuleSet] = []
    for factory, found in runs:
        if factory == _DRAWN:
            parts.append(DrawnRuleSet(name, [DrawnRule(rule) for rule in found]))
        elif factory == _PYTHON:
            parts.append(PythonRuleSet(name, found))
        elif factory == _FUTURE:
            from heuristic.future.futurerules import FutureRuleSet

            parts.append(FutureRuleSet(name, found))
        else:
            module, function = factory.split(":")
            make = getattr(import_module(module), function)
            parts.append(make(tuple(dict.fromkeys(found)), load_rules))
    return parts[0] if len(parts) == 1 else MixedRuleSet(name, parts)


def _find(word: str, at: _At = Path) -> list[tuple[str, Any]]:
    """Return factories and what to give them: rule specs if drawn, else rule names."""
    if is_python(word):
        return [(_PYTHON, load_python(word))]
    for group in _GROUPS.values():
        if word in group.rules:
            return [(group.factory, word)]
    if word.endswith(".toml"):
        return [(_factory(rule), rule) for rule in load_file(at(word))]
    if word in _GROUPS:
        group = _GROUPS[word]
        specs = (spec for stem in group.files for spec in _book(stem))
        coded = [(group.factory, rule) for rule in group.rules]
        return [*((_factory(rule), rule) for rule in specs), *coded]
    for stem in dict.fromkeys(stem for one in _GROUPS.values() for stem in one.files):
        if word in _book_names(stem):
            return [(_factory(one), one) for one in _book(stem) if one.name == word]
    raise UnknownNameError("rule or group", word, _all_names(), _LIST)


def _find_names(word: str) -> list[tuple[str, Any]]:
    """Return names alone, where `_find` returns rules; a file is read all the same."""
    if is_python(word):
        return [("", load_python(word).name)]
    if word.endswith(".toml"):
        return [("", rule.name) for rule in load_file(word)]
    if word in group_names():
        return [("", name) for name in rule_names(word)]
    if word in rule_names():
        return [("", word)]
    raise UnknownNameError("rule or group", word, _all_names(), _LIST)


def _all_names() -> list[str]:
    return [*group_names(), *rule_names()]


def _name(rule: Any) -> str:
    return rule if isinstance(rule, str) else str(rule.name)


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

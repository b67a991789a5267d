"""Rule groups by name, and the step from words to rules."""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path

from heuristic.rule import Boards, Rule, RuleSet, widest
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import load_file
from solver.board import Board
from solver.errors import OptionError, UnknownNameError
from solver.files import load_table

_BOOK = Path(__file__).parent / "book"
NO_DRAWING = "a Python rule has no drawing; `verify` and `fuzz` test it"


@dataclass(frozen=True, slots=True)
class _Group:
    """A rule group, as groups.toml describes it."""

    about: str
    files: tuple[str, ...] = ()
    factory: str = ""
    base: str = ""  # the group that the rules of the factory ask
    rules: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


_GROUPS = {
    name: _Group(**entry) for name, entry in load_table(__file__, "groups.toml").items()
}
# Groups apart from the book: those that `oneway discover` made, and another import.
DISCOVERED = tuple(name for name in _GROUPS if name.startswith("found-"))
APART = (*DISCOVERED, "researcher-2026")
_LIST = "`oneway rules` lists all groups"


def group_names() -> list[str]:
    """Return the names of all groups, sorted."""
    return sorted(_GROUPS)


def about(group: str) -> str:
    """Return a few words about a group.

    Raises `UnknownNameError` for an unknown group.
    """
    return _group(group).about


def _group(name: str) -> _Group:
    if name not in _GROUPS:
        raise UnknownNameError("rule group", name, group_names(), _LIST)
    return _GROUPS[name]


def rule_names(group: str | None = None) -> list[str]:
    """Return the names of a group's rules in order, or of all; no drawing is read."""
    if group is None:
        names = [name for every in group_names() for name in rule_names(every)]
        return list(dict.fromkeys(names))
    entry = _group(group)
    names = [name for part in entry.groups for name in rule_names(part)]
    names += [name for stem in entry.files for name in _book_names(stem)]
    return [*names, *entry.rules]


def load_rules(text: str, at: Callable[[str], Path] = Path) -> RuleSet:
    """Return the rule set of a group, a rule, a rule file, or several with commas.

    - ``.toml`` at the end of a word marks a rule file, ``FILE.py:FUNCTION`` a Python
      rule (`heuristic.python_rule`), which is imported.
    - Rules stand in the order named. A rule named twice counts once, and a minus before
      a name removes that rule. Rules that read future lines stand together, at the
      place of the first one.
    - `at` returns the path of a rule file, if it is not the word.

    >>> load_rules("seed-5,close-across-left").rules[-1].name
    'close-across-left'
    >>> [rule.name for rule in load_rules("seed-5,-c-shape,-area-near-border").rules]
    ['near-border-side', 'near-border-front']

    Raises `UnknownNameError` if a part is no group and no rule; the message has similar
    names; `RuleError` if a file is no rule file, or two different rules have one name;
    `OptionError` if a part between commas is empty, a rule left out is not there, or no
    rule is left.
    """
    words = words_of(text)
    if not all(words):
        raise OptionError(f"rules {text!r}: a name between commas is empty")
    dropped = {word[1:].strip() for word in words if word.startswith("-")}
    named = [
        rule for word in words if not word.startswith("-") for rule in _find(word, at)
    ]
    unmet = dropped - {rule.name for rule in named}
    rules = [rule for rule in named if rule.name not in dropped]
    if unmet or not rules:
        why = f"{min(unmet)!r} is not there" if unmet else "no rule is left"
        raise OptionError(f"rules {text!r}: {why}")
    return rules_together(text, rules)


def _find(word: str, at: Callable[[str], Path]) -> Sequence[Rule]:
    """Return the rules that a word stands for."""
    if is_python(word):
        from heuristic.python_rule import load_python  # few words name one

        return [load_python(word)]
    if word.endswith(".toml"):
        return load_file(at(word))
    if word in _GROUPS:
        group = _GROUPS[word]
        parts = [rule for part in group.groups for rule in _find(part, at)]
        parts += [rule for stem in group.files for rule in _book(stem)]
        return [*parts, *_made(group, group.rules)]
    for group in _GROUPS.values():
        if word in group.rules:
            return _made(group, [word])
        for stem in group.files:
            if word in _book_names(stem):
                return [rule for rule in _book(stem) if rule.name == word]
    names = [*group_names(), *rule_names()]
    raise UnknownNameError("rule or group", word, names, _LIST)


def _made(group: _Group, names: Sequence[str]) -> list[Rule]:
    """Return rules that the group's factory makes."""
    if not names:
        return []
    module, function = group.factory.split(":")
    make: Callable[..., Rule] = getattr(import_module(module), function)
    base = [load_rules(group.base)] if group.base else []
    return [make(name, *base) for name in names]


@cache
def _book(stem: str) -> tuple[RuleSpec, ...]:
    """Read a file of the book; the families take a second, so each is read once."""
    return load_file(_BOOK / f"{stem}.toml")


@cache
def _book_names(stem: str) -> tuple[str, ...]:
    """Return the names in a file of the book, without reading the drawings."""
    text = (_BOOK / f"{stem}.toml").read_text(encoding="utf-8")
    return tuple(rule["name"] for rule in tomllib.loads(text)["rule"])


def rules_together(name: str, rules: Iterable[Rule]) -> RuleSet:
    """Return a set in which rules that read future lines follow the first of them.

    Raises `RuleError` if two different rules have one name.
    """
    rules = list(rules)
    lines = [r for r in rules if isinstance(r, RuleSpec) and r.reads_lines]
    first = rules.index(lines[0]) if lines else 0
    return RuleSet(name, [*rules[:first], *lines, *rules[first:]])


def without_precedence(rules: RuleSet) -> RuleSet:
    """Return the set with each rule asked at every position, whatever others forbid."""
    free = [
        replace(rule, stops=False, unless=()) if isinstance(rule, RuleSpec) else rule
        for rule in rules.rules
    ]
    return RuleSet(rules.name, free)


def drawings_of(rules: RuleSet) -> list[RuleSpec]:
    """Return the drawn rules of a set."""
    return [rule for rule in rules.rules if isinstance(rule, RuleSpec)]


def meant_for(
    rules: RuleSet, board: Board, boards: Boards | None = None
) -> tuple[RuleSet, tuple[Rule, ...]]:
    """Return a set without the rules that are not meant for a board, and those rules.

    - `boards`: overrides the boards that each rule is meant for.

    >>> rules = load_rules("c-shape,area-near-border")
    >>> meant, left_out = meant_for(rules, Board.parse("5!3,3"))
    >>> meant.name, [rule.name for rule in left_out]
    ('c-shape,area-near-border,-area-near-border', ['area-near-border'])

    Raises `OptionError` if no rule is meant for the board.
    """
    kinds = {rule.name: boards or rule.boards for rule in rules.rules}
    others = [rule for rule in rules.rules if not kinds[rule.name].admits(board)]
    if len(others) == len(rules.rules):
        meant = boards or widest(kinds.values())
        raise OptionError(
            f"no rule of {rules.name!r} is meant for board {board.notation}: "
            f"{meant.text}; --boards any asks all of them there"
        )
    if not others:
        return rules, ()
    name = ",".join([rules.name, *(f"-{rule.name}" for rule in others)])
    return RuleSet(name, [r for r in rules.rules if r not in others]), tuple(others)


def words_of(text: str) -> list[str]:
    """Return the words of a text that names rules."""
    return [word.strip() for word in text.split(",")]


def is_python(word: str) -> bool:
    """Return whether a word names a Python rule, ``FILE.py:FUNCTION``."""
    return word.endswith(".py") or ".py:" in word


def rule_file(word: str) -> Path | None:
    """Return the file that a word takes its rules from; None for a name of the book.

    >>> tuple(str(rule_file(word)) for word in ("a.toml", "b.py:f", "seed-5"))
    ('a.toml', 'b.py', 'None')
    """
    if word.startswith("-"):
        return None
    if is_python(word):
        return Path(word if word.endswith(".py") else word.rpartition(":")[0])
    return Path(word) if word.endswith(".toml") else None


def refuse_python(text: str) -> None:
    """Refuse Python rules where drawings are needed; the files are not imported.

    Raises `OptionError` if one is among the words.
    """
    if python := [word for word in words_of(text) if is_python(word)]:
        raise OptionError(f"{', '.join(python)}: {NO_DRAWING}")

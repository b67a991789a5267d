"""Rule groups by name, and the one way to name the rules that a walker obeys."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from heuristic.drawing import RuleSpec
from heuristic.rule import RuleSet
from heuristic.rulefile import load_file
from solver.errors import OptionError, UnknownNameError

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
}

# Rules that are kernels: group -> (factory "module:function", rule names). The factory
# takes the tuple of names that are wanted, in order, and returns a RuleSet of them.
_KERNELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "universal": (
        "heuristic.universal:universal_rules",
        ("forced-edges", "fragments", "block-chain", "two-factor", "probing"),
    ),
    "universal-4": (
        "heuristic.universal:universal_rules",
        ("forced-edges", "fragments", "block-chain", "two-factor"),
    ),
    "seed-kernels": (
        "heuristic.kernelrule:kernel_rules",
        (
            *("sa-corner-discovery-2024-07", "sequence-recursion"),
            *("down-stair-scan", "end-obstacle-corners"),
        ),
    ),
    "seed-kernels-old": (
        "heuristic.kernelrule:kernel_rules",
        ("sa-corner-discovery-2024-06", "down-stair-program", "sa-next-step"),
    ),
}

# Groups that are other groups together.
_UNIONS: dict[str, tuple[str, ...]] = {"seed-2024-full": ("seed-2024", "seed-kernels")}
_DRAWN = "drawn"


def group_names() -> list[str]:
    """Return the groups that `load_rules` knows.

    >>> "seed-5" in group_names()
    True
    """
    return sorted([*_GROUPS, *_KERNELS, *_UNIONS])


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
    return [spec.name for spec in _group(group)]


def load_rules(spec: str) -> RuleSet:
    """Return the rule set of a group, a rule, a rule file, or several with commas.

    Anything ending in ``.toml`` is a file. Rules stand in the order named; one named
    twice counts once, and one named with a minus before it is left out.

    >>> load_rules("seed-5,close-across-left").rules[-1].name
    'close-across-left'
    >>> [rule.name for rule in load_rules("seed-5,-c-shape,-area-near-border").rules]
    ['near-border-side', 'near-border-front']

    Raises
    ------
    UnknownNameError
        If a part is no group and no rule; the message lists the groups.
    RuleError
        If a file is no rule file, or two different rules have one name.
    OptionError
        If a part between commas is empty, a rule left out is not there, or no rule
        is left.
    """
    from heuristic.drawn import DrawnRule, DrawnRuleSet  # these import numba
    from heuristic.mixed import MixedRuleSet

    runs: list[tuple[str, list[Any]]] = []  # what one factory makes goes together
    words = [word.strip() for word in spec.split(",")]
    words = [part for word in words for part in _UNIONS.get(word, (word,))]
    dropped = {word[1:].strip() for word in words if word.startswith("-")}
    unmet = set(dropped)
    for word in words:
        if not word:
            raise OptionError(f"rules {spec!r}: a name between commas is empty")
        if word.startswith("-"):
            continue
        factory, found = _find(word)
        unmet.difference_update(map(_name, found))
        known = [rule for other, rules in runs if other == factory for rule in rules]
        found = [r for r in found if _name(r) not in dropped and r not in known]
        if not found:
            continue
        if runs and runs[-1][0] == factory:
            runs[-1][1].extend(found)
        else:
            runs.append((factory, found))
    if unmet or not runs:
        why = f"{min(unmet)!r} is not there" if unmet else "no rule is left"
        raise OptionError(f"rules {spec!r}: {why}")
    parts: list[RuleSet] = []
    for factory, found in runs:
        if factory == _DRAWN:
            parts.append(DrawnRuleSet(spec, [DrawnRule(rule) for rule in found]))
        else:
            module, function = factory.split(":")
            make = getattr(import_module(module), function)
            parts.append(make(tuple(dict.fromkeys(found))))
    return parts[0] if len(parts) == 1 else MixedRuleSet(spec, parts)


def _find(word: str) -> tuple[str, list[Any]]:
    """Return a factory and what to give it: rule specs if drawn, else rule names."""
    for group, (factory, names) in _KERNELS.items():
        if word == group:
            return factory, list(names)
        if word in names:
            return factory, [word]
    if word.endswith(".toml"):
        return _DRAWN, list(load_file(word))
    if word in _GROUPS:
        return _DRAWN, list(_group(word))
    for group in _GROUPS:
        for spec in _group(group):
            if spec.name == word:
                return _DRAWN, [spec]
    raise UnknownNameError("rule or rule group", word, group_names())


def _name(rule: Any) -> str:
    return rule if isinstance(rule, str) else str(rule.name)


@cache
def _group(name: str) -> tuple[RuleSpec, ...]:
    return tuple(s for stem in _GROUPS[name] for s in load_file(_BOOK / f"{stem}.toml"))

"""Which rules can be put to a proof: drawings, rules of future lines, procedures."""

from collections.abc import Iterable

from heuristic.groups import APART, group_names, load_rules
from heuristic.rule import Rule
from heuristic.rules.drawing import RuleSpec

_LEFT_OPEN = "sa-next-step"  # a procedure that only a case can decide


def book_rules() -> list[Rule]:
    """Return all rules of the book, without the groups that a command made."""
    groups = [group for group in group_names() if group not in APART]
    rules: dict[str, Rule] = {}
    for group in groups:
        for rule in load_rules(group).rules:
            rules.setdefault(rule.name, rule)
    return list(rules.values())


def drawn_bans(rules: Iterable[Rule]) -> dict[str, RuleSpec]:
    """Return by name the rules that are drawn and read no future lines."""
    specs = (rule for rule in rules if isinstance(rule, RuleSpec))
    return {spec.name: spec for spec in specs if not spec.reads_lines}


def provable_form(rule: Rule) -> RuleSpec | None:
    """Return a rule as a proof speaks of it; None if it cannot be put to a proof.

    A ban that reads the ends of a line grants that the completion passes them in their
    order; of an inference it is shown that no completion does without. The procedure
    `sequence-recursion` is proved step by step. Of `sa-next-step` only a case can
    decide.
    """
    if isinstance(rule, RuleSpec) and rule.kind != "inference":
        return rule
    # most rules are bans, which need neither
    from verify.proof.lines import DENYING, as_rule
    from verify.proof.sequence import SEQUENCE, as_procedure

    if isinstance(rule, RuleSpec):
        return as_rule(rule) if rule.name in DENYING else None
    if rule.name == SEQUENCE:
        return as_procedure(rule)
    if rule.name == _LEFT_OPEN:
        reason = "after it the rules leave no move"
        return RuleSpec(
            rule.name, rule.claim, rule.origin, reason, (), kind="procedure"
        )
    return None


def provable(rules: Iterable[Rule]) -> dict[str, RuleSpec]:
    """Return by name, as a proof speaks of them, the rules that can be put to one."""
    forms = [form for form in map(provable_form, rules) if form is not None]
    return {form.name: form for form in forms}


def not_provable(rules: Iterable[Rule]) -> dict[str, str]:
    """Return by name why rules cannot be put to a proof."""
    lines, other = "reads future lines", "has no drawing"
    return {
        rule.name: lines if isinstance(rule, RuleSpec) else other
        for rule in rules
        if provable_form(rule) is None
    }

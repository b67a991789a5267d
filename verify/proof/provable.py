"""Which rules can be put to a proof: drawings, rules of future lines, procedures.

Rules come as `heuristic.groups.written_rules` returns them: the specification of a rule
that a file holds, the name of any other.
"""

from collections.abc import Iterable

from heuristic.groups import APART, group_names, written_rules
from heuristic.rules.drawing import RuleSpec
from verify.proof.lines import DENYING, as_rule
from verify.proof.sequence import NOTE, sequence_drawings


def book_rules() -> list[RuleSpec | str]:
    """Return all rules of the book, without the groups that a command made."""
    groups = [group for group in group_names() if group not in APART]
    rules: dict[str, RuleSpec | str] = {}
    for group in groups:
        for rule in written_rules(group):
            rules.setdefault(_name(rule), rule)
    return list(rules.values())


def _name(rule: RuleSpec | str) -> str:
    return rule if isinstance(rule, str) else rule.name


def drawn_bans(rules: Iterable[RuleSpec | str]) -> dict[str, RuleSpec]:
    """Return by name the rules that are drawn and read no future lines."""
    specs = (rule for rule in rules if isinstance(rule, RuleSpec))
    return {spec.name: spec for spec in specs if not spec.reads_lines}


def provable_form(rule: RuleSpec | str) -> RuleSpec | None:
    """Return a rule as a proof speaks of it; None if it cannot be put to a proof.

    A ban that reads the ends of a line grants that the completion passes them in their
    order; of an inference it is shown that no completion does without. The procedure
    `sequence-recursion` is proved step by step. Of `sa-next-step` only a case can
    decide.
    """
    if isinstance(rule, RuleSpec):
        if rule.kind != "inference":
            return rule
        return as_rule(rule) if rule.name in DENYING else None
    if rule == "sequence-recursion":
        from heuristic.procedures.sequence import SequenceRule  # loads numba

        about = SequenceRule.name, SequenceRule.claim, SequenceRule.origin
        drawings = tuple(sequence_drawings())
        reason = SequenceRule.reason
        return RuleSpec(*about, reason, drawings, note=NOTE, kind="procedure")
    if rule == "sa-next-step":
        from heuristic.procedures.nextstep import NextStepRule  # loads numba

        about = NextStepRule.name, NextStepRule.claim, NextStepRule.origin
        return RuleSpec(*about, NextStepRule.reason, (), kind="procedure")
    return None


def provable(rules: Iterable[RuleSpec | str]) -> dict[str, RuleSpec]:
    """Return by name, as a proof speaks of them, the rules that can be put to one."""
    forms = [form for form in map(provable_form, rules) if form is not None]
    return {form.name: form for form in forms}


def not_provable(rules: Iterable[RuleSpec | str]) -> dict[str, str]:
    """Return by name why rules cannot be put to a proof."""
    return {
        _name(rule): "has no drawing" if isinstance(rule, str) else "reads future lines"
        for rule in rules
        if provable_form(rule) is None
    }

"""Which rules can be put to a proof: drawings, rules of future lines, procedures."""

from heuristic.groups import APART, Names, group_names, written_rules
from heuristic.rules.drawing import RuleSpec
from verify.proof.inferences import DENYING, as_rule
from verify.proof.procedures import UP_TO, procedure

REFUTABLE = ("sa-next-step", "down-stair-program")  # procedures that a case refutes
_LINES = "reads future lines"  # and is put to a proof all the same


def sorted_out(rules: Names) -> tuple[dict[str, RuleSpec], dict[str, str]]:
    """Return drawn rules by name, and why the others are none.

    If none is named, of the whole book without what the machine found. Rules that read
    future lines are among the others: see `otherwise`.
    """
    found: dict[str, RuleSpec] = {}
    others: dict[str, str] = {}
    for word in [rules] if rules else book_groups():
        for rule in written_rules(word):
            if isinstance(rule, str):
                others[rule] = "is a procedure: it is not known what drawings show it"
            elif rule.reads_lines:
                others[rule.name] = _LINES
            else:
                found.setdefault(rule.name, rule)
    return found, others


def provable_form(rule: RuleSpec) -> RuleSpec | None:
    """Return a rule as a proof speaks of it; None if it is no drawing.

    A ban that reads the ends of a line grants that the completion passes them in their
    order; of an inference it is shown that no completion does without.
    """
    if rule.name in DENYING and rule.kind == "inference":
        return as_rule(rule)
    return None if rule.kind == "inference" else rule


def otherwise(rules: Names, up_to: int = UP_TO) -> dict[str, RuleSpec]:
    """Return by name, as a proof speaks of them, the rules that are no plain drawings.

    Those that read future lines, and procedures: corners are drawn `up_to` cells away.
    A procedure that stands for no drawings is there if a case can decide it.
    """
    found = {}
    words: list[Names] = [rules] if rules else [*book_groups()]
    for word in words:
        for rule in written_rules(word):
            form: RuleSpec | None
            if isinstance(rule, str):
                form = procedure(rule, up_to)
                if form is not None and not form.drawings and rule not in REFUTABLE:
                    continue
            else:
                form = provable_form(rule) if rule.reads_lines else None
            if form is not None:
                found[form.name] = form
    return found


def provable(rules: Names, up_to: int = UP_TO) -> dict[str, RuleSpec]:
    """Return all rules that can be put to a proof by name, as it speaks of them."""
    return sorted_out(rules)[0] | otherwise(rules, up_to)


def book_groups() -> list[str]:
    """Return the groups of the book, without those kept apart from it."""
    return [group for group in group_names() if group not in APART]

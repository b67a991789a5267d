"""Which rules can be put to a proof: drawings, but no procedures or whole walks."""

from heuristic.groups import FOUND, Names, group_names, written_rules
from heuristic.language.drawing import RuleSpec


def sorted_out(rules: Names) -> tuple[dict[str, RuleSpec], dict[str, str]]:
    """Return drawn rules by name, and why the others cannot be proved.

    If none is named, of the whole book without what the machine found.
    """
    found: dict[str, RuleSpec] = {}
    others: dict[str, str] = {}
    book = [group for group in group_names() if group not in FOUND]
    for word in [rules] if rules else book:
        for rule in written_rules(word):
            if isinstance(rule, str):
                others[rule] = "is a procedure, not a drawing: no window shows it"
            elif rule.reads_lines:
                others[rule.name] = "reads the whole walk; no window can prove it"
            else:
                found.setdefault(rule.name, rule)
    return found, others

"""Which rules can be put to a proof: drawings, but no procedures or whole walks."""

from heuristic.future.futurerules import FutureRule
from heuristic.groups import group_names, load_rules
from heuristic.language.drawing import RuleSpec
from heuristic.matching.drawn import DrawnRule


def sorted_out(rules: str) -> tuple[dict[str, RuleSpec], dict[str, str]]:
    """Return drawn rules by name, and why the others cannot be proved; '' for all."""
    found: dict[str, RuleSpec] = {}
    others: dict[str, str] = {}
    for word in [rules] if rules else group_names():
        for rule in load_rules(word).rules:
            if isinstance(rule, DrawnRule):
                found.setdefault(rule.name, rule.spec)
            elif isinstance(rule, FutureRule):
                others[rule.name] = "reads the whole walk; no window can prove it"
            else:
                others[rule.name] = "is a procedure, not a drawing: no window shows it"
    return found, others

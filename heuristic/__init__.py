"""Cheap rules and the walker that obeys them.

>>> from heuristic import load_rules
>>> load_rules("seed-5").name
'seed-5'
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heuristic.groups import load_rules as load_rules
    from heuristic.python_rule import PythonRule as PythonRule
    from heuristic.rule import Boards as Boards
    from heuristic.rule import Forbid as Forbid
    from heuristic.rule import Reason as Reason
    from heuristic.rule import Rule as Rule
    from heuristic.rule import RuleSet as RuleSet
    from heuristic.rules.rulefile import parse_rules as parse_rules

_FROM = {
    "Boards": "rule",
    "Forbid": "rule",
    "PythonRule": "python_rule",
    "Reason": "rule",
    "Rule": "rule",
    "RuleSet": "rule",
    "load_rules": "groups",
    "parse_rules": "rules.rulefile",
}
__all__ = [*_FROM]

_solver = find_spec("solver")
if _solver is None or _solver.submodule_search_locations is None:
    raise ImportError(
        f"{_solver.origin if _solver else 'nothing'} stands in the place of the "
        "package solver, which heuristic needs: give that file another name"
    )


def __getattr__(name: str) -> object:
    """Import the module that defines a name when the name is first used."""
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"heuristic.{_FROM[name]}"), name)

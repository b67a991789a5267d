"""Exact answers about positions: boards, oracles, counts; nothing about rules.

The names in `__all__` here, in `heuristic` and in `verify` keep their meaning until the
next major version. Everything else is internal and can change with any version.

>>> from solver import Position, get_oracle
>>> get_oracle("sat").decide(Position.parse("3:RR")).verdict.name
'COMPLETABLE'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.board import Board, Position
    from solver.counting.count import count_completions
    from solver.oracles.exact import exact_walk
    from solver.oracles.oracle import Verdict, decide_moves, get_oracle

__version__ = "0.3.0"
__all__ = [
    "Board",
    "Position",
    "Verdict",
    "count_completions",
    "decide_moves",
    "exact_walk",
    "get_oracle",
]

_FROM = {
    "Board": "board",
    "Position": "board",
    "Verdict": "oracles.oracle",
    "count_completions": "counting.count",
    "decide_moves": "oracles.oracle",
    "exact_walk": "oracles.exact",
    "get_oracle": "oracles.oracle",
}


def __getattr__(name: str) -> object:
    """Import a public name at its first use."""
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"solver.{_FROM[name]}"), name)

"""The state of a left-first walk as plain values, read and checked.

`heuristic.walks.leftfirst` writes it; the keys are the attributes of `RunState`, and
``rules``, the name of the rule set.
"""

from dataclasses import dataclass
from typing import Any

from heuristic.rounds import FRESH
from solver.board import LETTERS, Position
from solver.errors import OptionError

_MOST = 1 << 62  # walks that a kernel can count


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a left-first walk stands.

    Attributes
    ----------
    root, position : Position
        Where it began, where it stands.
    todo : list of int
        Moves left to try, as bits, for each cell from the root's live end on; -1 for a
        live end that was not asked about yet.
    completed, stuck, steps : int
    needed : dict of str to int
        Walks completed when each rule was first needed.
    """

    root: Position
    position: Position
    todo: list[int]
    completed: int
    stuck: int
    steps: int
    needed: dict[str, int]


def read_state(state: dict[str, Any], rules: str) -> RunState:
    """Read what was saved by a walk under the rules of this name.

    Raises
    ------
    OptionError
        If the state was saved with other rules or is no state.
    """
    try:
        if state["rules"] != rules:
            raise OptionError(
                f"the state belongs to rules {state['rules']!r}, not {rules!r}"
            )
        saved = RunState(
            Position.parse(state["root"]),
            Position.parse(state["position"]),
            [int(moves) for moves in state["todo"]],
            int(state["completed"]),
            int(state["stuck"]),
            int(state["steps"]),
            {str(name): int(n) for name, n in state.get("needed", {}).items()},
        )
    except OptionError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise OptionError(f"no state of a left-first walk: {error}") from None
    root, position = saved.root, saved.position
    same = position.board == root.board
    inside = position.walk[: len(root.walk)] == root.walk
    numbers = saved.completed, saved.stuck, saved.steps
    fits = len(saved.todo) == len(position.walk) - len(root.walk) + 1
    if not (same and inside and fits) or not 0 <= min(numbers) <= max(numbers) < _MOST:
        raise OptionError("no state of a left-first walk: its parts do not fit")
    for back, moves in enumerate(reversed(saved.todo)):
        options = sum(
            1 << LETTERS.index(move) for move in position.back(back).options()
        )
        fresh = moves == FRESH and back == 0
        if not fresh and (moves < 0 or moves & ~options):
            raise OptionError("no state of a left-first walk: no such moves to do")
    return saved

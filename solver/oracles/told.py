"""What is told of a position: the plain reason first, then what an oracle says.

Apart from `solver.oracles.oracle`, which needs no compiled kernel.
"""

from solver.board import Position
from solver.nowalk import why_dead
from solver.oracles.answer import Answer, Oracle, Verdict
from solver.oracles.oracle import decide_all


def decide_told(
    oracle: Oracle, position: Position
) -> tuple[str, Answer, dict[str, Answer]]:
    """Decide as `decide_all`, but only where nothing is plainly dead.

    Returns first why the position is plainly dead, which is empty if it is not.
    """
    if why := why_dead(position):
        dead = Answer(Verdict.DEAD)
        return why, dead, dict.fromkeys(position.options(), dead)
    return "", *decide_all(oracle, position)

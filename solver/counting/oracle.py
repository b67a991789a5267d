"""The oracle that counts: it shares no code with the others."""

from solver.board import Position
from solver.counting.count import Limits
from solver.counting.plan import TooLargeError, make_plan
from solver.counting.uniform import UniformWalks
from solver.errors import NoWalkError, OptionError
from solver.oracles.answer import Answer, Verdict, check_witness

LIMIT = 2_000_000  # states of one layer
MEMORY = 2_000_000_000  # bytes, of all layers together


class FrontierOracle:
    """Decide by counting; shares no code with the other oracles.

    Milliseconds up to 11 x 11, whatever the position; a fifth of a second and 140 MB on
    13 x 13, seconds and 1.2 GB on 15 x 15.

    - `limit`: states of the widest layer before the answer is UNKNOWN, known at once.

    >>> FrontierOracle().decide(Position.parse("3:RR")).witness
    (5, 4, 3, 6, 7, 8)
    """

    name = "frontier"

    def __init__(self, *, limit: int = LIMIT) -> None:
        if limit < 1:
            raise OptionError(f"the limit of states is at least 1, not {limit}")
        self.limit = limit

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; `work` is the number of states kept."""
        try:
            last_free = position.free[position.board.end]
            if last_free and make_plan(position).widest > self.limit:
                return Answer(Verdict.UNKNOWN)
            walks = UniformWalks(position, seed=0, limits=Limits(MEMORY))
        except NoWalkError:
            return Answer(Verdict.DEAD)
        except TooLargeError:
            return Answer(Verdict.UNKNOWN)
        witness = walks.completion(0).walk[len(position.walk) :]
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness, work=walks.states)

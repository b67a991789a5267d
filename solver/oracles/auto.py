"""The exact oracle `auto`: `strips` where it answers, else `search`, else `sat`.

Each answer says which of them gave it. A rule is never judged by an oracle that shares
its kernels: `without` leaves such oracles out.
"""

from collections.abc import Collection
from dataclasses import replace

from solver.board import Position
from solver.oracles.answer import Answer, Oracle, Verdict
from solver.oracles.strips import StripsOracle

ORDER = ("strips", "search", "sat")


class AutoOracle:
    """Exact, as fast as any: polynomial where the free cells have no hole.

    - `without`: names of oracles that are not asked, such as `RuleSet.kin`.

    >>> answer = AutoOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict.name, answer.oracle
    ('DEAD', 'strips')
    >>> AutoOracle(without=["strips"]).decide(Position.parse("5:RRDLD")).oracle
    'search'
    """

    name = "auto"

    def __init__(self, *, without: Collection[str] = ()) -> None:
        self._names = [name for name in ORDER if name not in without]
        self._oracles: dict[str, Oracle] = {}

    def decide(self, position: Position) -> Answer:
        """Ask the oracles in turn, until one knows."""
        answer = Answer(Verdict.UNKNOWN)
        for name in self._names:
            if name not in self._oracles:
                self._oracles[name] = _make(name)
            answer = replace(self._oracles[name].decide(position), oracle=name)
            if answer.verdict is not Verdict.UNKNOWN:
                break
        return answer


def _make(name: str) -> Oracle:
    """Return one of the oracles; the others are not imported until they are asked."""
    if name == "strips":
        return StripsOracle()
    if name == "search":
        from solver.oracles.search import SearchOracle

        return SearchOracle()
    from solver.oracles.sat import SatOracle

    return SatOracle()

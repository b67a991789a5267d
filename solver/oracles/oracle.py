"""The oracles by name, the oracle `auto`, and what to ask them.

`solver.oracles.answer` says what an oracle is.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from importlib import import_module
from typing import Any

from solver.board import Position
from solver.errors import OptionError, UnknownNameError
from solver.nowalk import why_dead
from solver.oracles.answer import Answer, Ground, Oracle, Proof, Verdict, check_witness
from solver.oracles.registry import AUTO, ORACLES, names

__all__ = [
    "ORDER",
    "Answer",
    "AutoOracle",
    "Ground",
    "Oracle",
    "Proof",
    "Verdict",
    "check_witness",
    "decide_all",
    "decide_moves",
    "decide_with_reason",
    "get_oracle",
    "oracle_names",
]


def oracle_names() -> list[str]:
    """Return the names that `get_oracle` knows."""
    return names()


def get_oracle(name: str, **options: Any) -> Oracle:
    """Make the oracle of that name; solvers are imported only here.

    Raises `UnknownNameError` if no oracle has the name; `OptionError` if the oracle
    does not take an option.
    """
    factory: Callable[..., Oracle] = AutoOracle
    if name != AUTO:
        if name not in ORACLES:
            raise UnknownNameError("oracle", name, oracle_names())
        module, attribute = ORACLES[name].split(":")
        factory = getattr(import_module(module), attribute)
    try:
        return factory(**options)
    except TypeError as error:
        raise OptionError(f"oracle {name!r}: {error}") from None


def decide_moves(oracle: Oracle, position: Position) -> dict[str, Answer]:
    """Decide every move of a position, in the order U, R, D, L; see `decide_all`."""
    return decide_all(oracle, position)[1]


def decide_all(oracle: Oracle, position: Position) -> tuple[Answer, dict[str, Answer]]:
    """Decide a position and every move of it, in the order U, R, D, L.

    A witness of the position answers for the move it begins with, so it is asked first:
    a dead position costs one question, others at most one a move.
    """
    moves = position.options()
    whole = oracle.decide(position)
    answers = {}
    for move, cell in moves.items():
        if whole.verdict is Verdict.DEAD:
            answers[move] = Answer(Verdict.DEAD, work=whole.work, oracle=whole.oracle)
        elif whole.witness and whole.witness[0] == cell:
            witness = whole.witness[1:]
            answers[move] = replace(whole, witness=witness)
        else:
            answers[move] = oracle.decide(position.step(move))
    return whole, answers


def decide_with_reason(
    oracle: Oracle, position: Position
) -> tuple[str, Answer, dict[str, Answer]]:
    """Decide as `decide_all`, but only where nothing is plainly dead.

    Returns first why the position is plainly dead, which is empty if it is not.
    """
    if why := why_dead(position):
        dead = Answer(Verdict.DEAD)
        return why, dead, dict.fromkeys(position.options(), dead)
    return "", *decide_all(oracle, position)


ORDER = ("strips", "search", "sat")


class AutoOracle:
    """The exact oracle `auto`: `strips` where it answers, else `search`, else `sat`.

    Each answer says which of them gave it. A rule is never judged by an oracle that
    shares its kernels: `without` leaves such oracles out.

    - `without`: names of oracles that are not asked, such as `Rule.kin`.

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
                self._oracles[name] = get_oracle(name)
            answer = replace(self._oracles[name].decide(position), oracle=name)
            if answer.verdict is not Verdict.UNKNOWN:
                break
        return answer

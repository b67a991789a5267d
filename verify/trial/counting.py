"""Long counts: a campaign whose units are a position and a modulus."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.board import Position
from solver.counting.bound import most_completions
from solver.counting.count import Limits, moves_of, residues_of, targets_of
from solver.counting.exact import combine, moduli_for
from solver.counting.plan import make_plan
from solver.errors import WitnessError
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding
from verify.campaign.places import folder

SECONDS = 1.6e-9  # a state


def long_count(parameters: dict[str, Any]) -> Campaign[dict[str, int]]:
    """Count the completions of each move of `position`.

    With `twice` two sets of primes have to agree. `layers` is a folder for the layers
    at work, or null. Each unit keeps its last layers beside the ledgers, and goes on.
    The answer has a number for each move.
    """
    position = Position.parse(parameters["position"])
    targets = targets_of(position)
    layers = Path(parameters["layers"]) if parameters["layers"] else None

    def units() -> Iterator[Unit]:
        for number in range(2 if parameters["twice"] else 1):
            for target, place in enumerate(targets):
                plan = make_plan(place)
                if not plan.states.all():
                    continue
                moduli = moduli_for(most_completions(plan), number)
                for modulus in moduli:
                    yield Unit(
                        f"{place.notation} modulo {modulus}",
                        [number, target, modulus],
                        max(plan.total * SECONDS, 0.01),
                    )

    def work(payload: list[int]) -> list[Any]:
        _, target, modulus = payload
        limits = Limits(layers=layers, state=folder() / "layers")
        return [*payload, residues_of(make_plan(targets[target]), modulus, limits)]

    def fold(results: Iterator[list[Any]]) -> dict[str, int]:
        by_set: dict[int, dict[int, list[tuple[int, list[int]]]]] = {}
        for number, target, modulus, residues in results:
            by_target = by_set.setdefault(number, {})
            by_target.setdefault(target, []).append((modulus, residues))
        answers = [
            moves_of(position, {t: _combined(found) for t, found in one.items()})
            for one in by_set.values()
        ]
        if any(answer != answers[0] for answer in answers):
            raise WitnessError(f"{position.notation}: two sets of primes disagree")
        return answers[0] if answers else moves_of(position, {})

    return Campaign(
        "count", parameters, deciding("solver", __name__), units, work, fold, told
    )


def _combined(found: list[tuple[int, list[int]]]) -> list[int]:
    moduli = [modulus for modulus, _ in found]
    columns = zip(*(residues for _, residues in found), strict=True)
    return [combine(column, moduli) for column in columns]


def told(moves: dict[str, int]) -> list[str]:
    """Return a line a move, and their sum."""
    lines = [f"{move}  {number:,}" for move, number in moves.items()]
    return [*lines, f"all  {sum(moves.values()):,}"]

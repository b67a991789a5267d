"""The bounds of distance families as a campaign: its units are members."""

from collections.abc import Iterator
from typing import Any

from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding
from verify.families.bounds import WAYS
from verify.families.tables import Place, Table, member, member_bounds, places
from verify.proof.surplus import Bounds, NoBounds

_CELL = 0.02  # seconds a border cell, about


def family_bounds(parameters: dict[str, Any]) -> Campaign[list[Table]]:
    """Prove the bounds of `families`, pairs of a name and the largest distance.

    `seconds` bounds the proof of one way. The answer has a table for each family.
    """
    families: list[tuple[str, int]] = parameters["families"]

    def units() -> Iterator[Unit]:
        for name, most in families:
            for place in places(name, most):
                told, weight = member(name, place).text, _CELL * sum(place)
                yield Unit(told, [name, *place], weight)

    def work(payload: list[Any]) -> dict[str, Any]:
        name, *place = payload
        found = member_bounds(name, tuple(place), seconds=parameters["seconds"])
        kept = {
            way: one.name if isinstance(one, NoBounds) else list(one)
            for way, one in found.items()
        }
        return {"member": payload, "bounds": kept}

    def fold(results: Iterator[dict[str, Any]]) -> list[Table]:
        tables: dict[str, dict[Place, dict[str, Bounds]]]
        tables = {name: {} for name, _ in families}
        for result in results:
            name, *place = result["member"]
            found = {way: _bounds(result["bounds"][way]) for way in WAYS}
            tables[name][tuple(place)] = found
        return [Table(name, bounds) for name, bounds in tables.items()]

    return Campaign(
        "families",
        parameters,
        deciding("solver", "heuristic", "verify.families", "verify.proof"),
        units,
        work,
        fold,
        told,
    )


def _bounds(kept: Any) -> Bounds:
    return NoBounds[kept] if isinstance(kept, str) else (kept[0], kept[1])


def told(tables: list[Table]) -> list[str]:
    """Return a line a family."""
    return [f"{table.name}: {len(table.bounds)} members" for table in tables]

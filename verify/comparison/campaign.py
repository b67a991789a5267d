"""The great comparison as a campaign: its units are runs of drawn positions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verify.campaign.campaign import Campaign, Found, Unit
from verify.campaign.deciding import deciding

_UNIT = 200  # positions, of 25 boards
_SECONDS = 0.005  # a position, about


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it.

    Attributes
    ----------
    positions : int
    faults : int
        Disagreements of whatever kind.
    counts : dict of str to int
        By words: what each oracle said, witnesses and proofs judged, moves, forbidden
        moves with their reasons judged, and boards of each kind.
    lines : tuple of str
        The disagreements.
    """

    positions: int
    faults: int
    counts: dict[str, int]
    lines: tuple[str, ...] = ()


def oracles(parameters: dict[str, Any]) -> Campaign[Comparison]:
    """Compare on `count` positions drawn by `seed`."""
    seed = parameters["seed"]

    def units() -> Iterator[Unit]:
        for first in range(0, parameters["count"], _UNIT):
            last = min(first + _UNIT, parameters["count"])
            name = f"positions {first + 1}-{last}"
            yield Unit(name, [first, last], (last - first) * _SECONDS)

    def work(payload: list[int]) -> Found:
        # Who only folds results needs no oracles.
        from verify.comparison.comparing import compare
        from verify.comparison.drawing import A_BOARD, draw_positions

        first, last = payload
        counts, faults = Counter[str](), list[str]()
        for number in range(first, last):
            if number % A_BOARD == 0:
                drawn = draw_positions(seed, number // A_BOARD)
            one = drawn[number % A_BOARD]
            compared = compare(one.position, number)
            counts.update(compared.counts)
            counts[f"board {one.kind}"] += 1
            faults += compared.faults
        result = {"positions": last - first, "faults": len(faults)} | counts
        return Found(result | ({"lines": faults} if faults else {}), tuple(faults))

    return Campaign(
        "oracles",
        parameters,
        deciding("solver", "heuristic", "verify.checker", "verify.comparison"),
        units,
        work,
        fold,
        told,
        extent=("count",),
    )


def fold(results: Iterator[dict[str, Any]]) -> Comparison:
    """Add results."""
    total, lines = Counter[str](), list[str]()
    for result in results:
        lines += result.pop("lines", ())
        total.update(result)
    positions, faults = total.pop("positions", 0), total.pop("faults", 0)
    return Comparison(positions, faults, dict(sorted(total.items())), tuple(lines))


def told(found: Comparison) -> list[str]:
    """Return what came of it, in lines."""
    counts = [f"  {key}: {number:,}" for key, number in found.counts.items()]
    return [
        f"{found.positions:,} positions compared, {found.faults:,} disagreements",
        *counts,
    ]

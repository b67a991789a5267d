"""Mining as a campaign: its units are blocks of walks, each walk with its seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from heuristic.groups import load_rules
from solver.board import Board, Position
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts
from verify.evidence.mining import Gap, mine
from verify.evidence.walk_counts import block_of, seconds_of
from verify.words import counted

_MOST = 100  # walks of a unit: making a gap small takes long, and many may be found


@dataclass(frozen=True, slots=True)
class Mined:
    """Walks made, and the gaps that stopped some of them, by seed."""

    walks: int
    gaps: list[Gap]


def mining(parameters: dict[str, Any]) -> Campaign[Mined]:
    """Mine on `board` under `rules` by `count` walks of seeds from `seed` on.

    `minimal` and `any_board` are those of `verify.evidence.mining.mine`.
    """
    rules, seed = parameters["rules"], parameters["seed"]
    board, rule_set = Board.parse(parameters["board"]), load_rules(rules)
    minimal, any_board = parameters["minimal"], parameters["any_board"]

    def units() -> Iterator[Unit]:
        block, count = min(_MOST, block_of(board)), parameters["count"]
        for first in range(0, count, block):
            walks = min(block, count - first)
            name = f"walks {first + 1}-{first + walks}"
            yield Unit(name, [first, walks], walks * seconds_of(board))

    def work(payload: list[int]) -> dict[str, Any]:
        first, walks = payload
        gaps = mine(
            rule_set,
            board,
            walks=walks,
            seed=seed + first,
            minimal=minimal,
            any_board=any_board,
        )
        kept = [
            [gap.position.notation, gap.moves, gap.found.notation, gap.seed]
            for gap in gaps
        ]
        return {"walks": walks, "gaps": kept}

    return Campaign(
        "mine",
        parameters,
        deciding("solver", "heuristic", "verify.evidence", texts=rule_texts(rules)),
        units,
        work,
        fold,
        told,
        extent=("count",),
    )


def gaps_of(result: dict[str, Any]) -> list[Gap]:
    """Return the gaps of a unit's result."""
    return [
        Gap(Position.parse(position), moves, Position.parse(found), seed)
        for position, moves, found, seed in result["gaps"]
    ]


def fold(results: Iterator[dict[str, Any]]) -> Mined:
    """Put results together."""
    walks, gaps = 0, list[Gap]()
    for result in results:
        walks += result["walks"]
        gaps += gaps_of(result)
    return Mined(walks, gaps)


def told(mined: Mined) -> list[str]:
    """Return what was found, in lines."""
    first = f"{counted(mined.walks, 'walk')}, {counted(len(mined.gaps), 'gap')}"
    return [first, *(f"  {gap.position.notation} {gap.moves}" for gap in mined.gaps)]

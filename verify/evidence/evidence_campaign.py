"""Evidence of many boards as a campaign: blocks of positions, runs of walks."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from heuristic.groups import load_rules
from solver.board import Board
from solver.saved import checked
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts
from verify.evidence.evidence import (
    BoardFound,
    WalksFound,
    asked_always,
    gather,
    joined,
    small,
)
from verify.evidence.sample import blocks

BLOCK = 20_000  # positions drawn by one generator
_WALKS = 100  # of a unit
_POSITION = 2e-5  # seconds a drawn position and cell of its board, with the oracle
_STEP = 1e-5  # seconds a step of a random walk


def evidence(
    parameters: dict[str, Any],
) -> Campaign[tuple[list[BoardFound], dict[str, dict[str, WalksFound]]]]:
    """Put the rules of `groups` on trial.

    On every board of `boards` at `count` positions drawn by `seed`, or at all of a
    small one; and by so many `walks` under each group on every board of `walked`. The
    answer is the evidence of the boards, and the walks by board and group.
    """
    groups, seed = parameters["groups"], parameters["seed"]
    count, walks = parameters["count"], parameters["walks"]

    def units() -> Iterator[Unit]:
        for text in parameters["boards"]:
            board = Board.parse(text)
            if small(board):
                yield Unit(f"{text}: all positions", [text, count, seed], 5.0)
                continue
            for block, (many, drawn_by) in enumerate(blocks(count, BLOCK, seed)):
                name = f"{text}: block {block + 1}, {many} positions"
                yield Unit(name, [text, many, drawn_by], many * board.cells * _POSITION)
        for text in parameters["walked"]:
            for group in groups:
                for first in range(0, walks, _WALKS):
                    many = min(_WALKS, walks - first)
                    name = f"{text}: walks {first + 1}-{first + many} under {group}"
                    weight = many * Board.parse(text).cells * _STEP
                    yield Unit(name, [text, group, first, many], weight)

    def work(payload: list[Any]) -> Any:
        board = Board.parse(payload[0])
        if len(payload) == 3:
            _, many, drawn_by = payload
            return asdict(gather(board, count=many, seed=drawn_by, groups=groups))
        _, group, first, many = payload
        walker = load_rules(group).walker(board)
        numbers = range(seed + first, seed + first + many)
        stuck = sum(walker.walk(number).stuck for number in numbers)
        return [board.notation, group, many, stuck]

    def fold(
        results: Iterator[Any],
    ) -> tuple[list[BoardFound], dict[str, dict[str, WalksFound]]]:
        parts: dict[str, list[BoardFound]] = {}
        walked: dict[str, dict[str, WalksFound]] = {}
        for result in results:
            if isinstance(result, dict):
                found = checked(result, BoardFound, "evidence")
                parts.setdefault(found.board, []).append(found)
                continue
            board, group, many, stuck = result
            there = walked.setdefault(board, {})
            old = there.get(group, WalksFound(0, seed, 0))
            there[group] = WalksFound(old.walks + many, seed, old.stuck + stuck)
        return [in_order(joined(some, seed)) for some in parts.values()], walked

    def in_order(found: BoardFound) -> BoardFound:
        """Return it with rules and groups as the book has them; results are sorted."""
        names = [rule.name for rule in asked_always(groups).rules]

        def of(only: dict[str, int]) -> dict[str, int]:
            return {name: only[name] for name in names if name in only}

        return replace(
            found,
            rules={name: found.rules[name] for name in names},
            groups={
                group: replace(found.groups[group], only=of(found.groups[group].only))
                for group in groups
            },
        )

    return Campaign(
        "evidence",
        parameters,
        deciding(
            *("solver", "heuristic", "verify.evidence"),
            texts=rule_texts(",".join(groups)),
        ),
        units,
        work,
        fold,
        told,
    )


def told(
    found: tuple[list[BoardFound], dict[str, dict[str, WalksFound]]],
) -> list[str]:
    """Return a line a board, and one a board and group with walks."""
    lines = []
    for one in found[0]:
        wrong = [name for name, rule in one.rules.items() if rule.wrong]
        told = f"{one.board}: {one.positions:,} positions, {len(wrong)} rules wrong"
        lines.append(f"{told}: {', '.join(wrong)}" if wrong else told)
    for board, groups in found[1].items():
        for group, walks in groups.items():
            told = f"{board}, {group}: {walks.walks:,} walks, {walks.stuck:,} stuck"
            lines.append(told)
    return lines

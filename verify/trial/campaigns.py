"""Campaigns: rules on trial on boards and drawn positions, random walks, long counts.

Positions are drawn in blocks, each by a generator of its own; walk number k is that of
seed `seed` + k. So what is found does not depend on how it is cut. A unit of a count is
a position and a modulus.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from heuristic.groups import load_rules
from heuristic.rule import RuleSet
from heuristic.walks.walker import Statistics, summarise
from solver.board import Board, Position
from solver.counting.count import (
    Limits,
    combine,
    moduli_for,
    most_completions,
    moves_of,
    residues_of,
    targets_of,
)
from solver.counting.plan import make_plan
from solver.errors import WitnessError
from solver.files import checked
from solver.oracles.oracle import get_oracle
from verify.campaign.campaign import (
    Campaign,
    Unit,
    advance,
    advancing,
    deciding,
    rule_texts,
)
from verify.campaign.places import folder
from verify.trial.evidence import (
    BoardEvidence,
    Evidence,
    WalksFound,
    blocks,
    gather,
    joined,
    merged,
    sampled_positions,
    small,
    verify_exhaustive,
    verify_positions,
)

BLOCK = 20_000  # positions drawn by one generator on a small board
LARGE = 169  # cells above which a block of `trial` is a tenth of that
_WHOLE = 1e-5  # seconds to the square of the cells: a whole small board
_POSITION = 2e-5  # seconds a drawn position and cell of its board, with the oracle
_CELL = 2e-8  # about the seconds of a walk, by the square of its board's cells

Walked: TypeAlias = dict[str, dict[str, WalksFound]]  # by board and group
_DECIDES = "solver", "heuristic", "verify.trial"


def seconds_of(board: Board) -> float:
    """Return about the seconds of a walk on a board."""
    return _CELL * board.open_cells**2


def block_of(board: Board) -> int:
    """Return the walks of a unit on a board: about half a second of work."""
    return max(1, min(20_000, round(0.5 / seconds_of(board))))


def _position_units(
    place: Any, text: str, drawn: int | None, seed: int, size: int
) -> Iterator[Unit]:
    """Yield units of positions, all of a board if none are drawn: [place, many, seed].

    How many are drawn, None for all, and by which seed.
    """
    cells = Board.parse(text).cells
    if drawn is None:
        yield Unit(f"{text}: all positions", [place, None, seed], _WHOLE * cells**2)
        return
    for block, (many, drawn_by) in enumerate(blocks(drawn, size, seed), 1):
        name = f"{text}: block {block}, {many} positions"
        yield Unit(name, [place, many, drawn_by], many * cells * _POSITION)


def _walk_units(place: list[Any], text: str, count: int, under: str) -> Iterator[Unit]:
    """Yield units of walks: [*place, number of the first, how many]."""
    board = Board.parse(text)
    block = block_of(board)
    for first in range(0, count, block):
        walks = min(block, count - first)
        name = f"{text}: walks {first + 1}-{first + walks}{under}"
        yield Unit(name, [*place, first, walks], walks * seconds_of(board))


def _stuck(rules: RuleSet, board: Board, seed: int, walks: int) -> int:
    walker = rules.walker(board)
    numbers = advancing(range(seed, seed + walks), walks)
    return sum(walker.walk(number).stuck for number in numbers)


def trial(parameters: dict[str, Any]) -> Campaign[list[Evidence]]:
    """Put `rules` on trial on several boards; the answer is the evidence of each.

    Each of `trials` is a board, the oracle to ask, and how many positions are drawn;
    where there is no number, all are tried. They are drawn by `seed`, or if `uniform`,
    along walks that all have the same probability.
    """
    rules, seed = parameters["rules"], parameters["seed"]
    uniform, trials = parameters["uniform"], parameters["trials"]
    rule_set = load_rules(rules)

    def units() -> Iterator[Unit]:
        for place, (text, _, drawn) in enumerate(trials):
            size = BLOCK if Board.parse(text).cells <= LARGE else BLOCK // 10
            yield from _position_units(place, text, drawn, seed, size)

    def work(payload: list[Any]) -> list[Any]:
        place, many, drawn_by = payload
        text, oracle, _ = trials[place]
        board = Board.parse(text)
        if many is None:
            return [place, asdict(verify_exhaustive(rule_set, board, progress=advance))]
        judge = get_oracle(oracle)
        known = sampled_positions(
            board, many, seed=drawn_by, oracle=judge, uniform=uniform
        )
        known = advancing(known, many)
        return [place, asdict(verify_positions(rule_set, known, text))]

    def fold(results: Iterator[list[Any]]) -> list[Evidence]:
        parts: dict[int, list[Evidence]] = {}
        for place, found in results:
            parts.setdefault(place, []).append(checked(found, Evidence, "evidence"))
        return [merged(some, _scope(trials[place])) for place, some in parts.items()]

    def _scope(asked: list[Any]) -> str:
        text, _, drawn = asked
        if drawn is None:
            return f"every completable position of {text}"
        kind = "uniformly drawn" if uniform else "drawn"
        return f"{drawn} {kind} positions of {text}, seed {seed}"

    def summary_lines(found: list[Evidence]) -> list[str]:
        return [_line(f"{one.scope}: {one.gaps:,} gaps", [one]) for one in found]

    texts = rule_texts(rules)
    decides = deciding(*_DECIDES, texts=texts)
    return Campaign(
        *("verify", parameters, decides, units, work, fold, summary_lines),
        noun="positions",
    )


def _line(what: str, found: list[Evidence]) -> str:
    """Return a line with the rules that were wrong."""
    wrong = dict.fromkeys(r.name for one in found for r in one.rules if r.wrong)
    line = f"{what}, {len(wrong)} rules wrong"
    return f"{line}: {', '.join(wrong)}" if wrong else line


def evidence(
    parameters: dict[str, Any],
) -> Campaign[tuple[list[BoardEvidence], Walked]]:
    """Put the rules of `groups` on trial.

    On every board of `boards` at `count` positions drawn by `seed`, or at all of a
    small one; and by so many `walks` under each group on every board of `walked`. The
    answer is the evidence of the boards, and the walks by board and group.
    """
    groups, seed = parameters["groups"], parameters["seed"]
    count, walks = parameters["count"], parameters["walks"]

    def units() -> Iterator[Unit]:
        for text in parameters["boards"]:
            drawn = None if small(Board.parse(text)) else count
            yield from _position_units(text, text, drawn, seed, BLOCK)
        for text in parameters["walked"]:
            for group in groups:
                yield from _walk_units([text, group], text, walks, f" under {group}")

    def work(payload: list[Any]) -> Any:
        board = Board.parse(payload[0])
        if len(payload) == 3:
            _, many, drawn_by = payload
            return asdict(gather(board, count=many or 0, seed=drawn_by, groups=groups))
        _, group, first, many = payload
        return [
            *(board.notation, group, many),
            _stuck(load_rules(group), board, seed + first, many),
        ]

    def fold(results: Iterator[Any]) -> tuple[list[BoardEvidence], Walked]:
        parts: dict[str, list[BoardEvidence]] = {}
        walked: Walked = {}
        for result in results:
            if isinstance(result, dict):
                found = checked(result, BoardEvidence, "evidence")
                parts.setdefault(found.board, []).append(found)
                continue
            board, group, many, stuck = result
            there = walked.setdefault(board, {})
            old = there.get(group, WalksFound(0, seed, 0))
            there[group] = WalksFound(old.walks + many, seed, old.stuck + stuck)
        boards = [joined(some, groups) for some in parts.values()]
        return [
            one if one.exhaustive else replace(one, seed=seed) for one in boards
        ], walked

    def summary_lines(found: tuple[list[BoardEvidence], Walked]) -> list[str]:
        boards, walked = found
        return [
            *(
                _line(
                    f"{one.board}: {one.positions:,} positions", [*one.groups.values()]
                )
                for one in boards
            ),
            *(
                f"{board}, {group}: {made.walks:,} walks, {made.stuck:,} stuck"
                for board, some in walked.items()
                for group, made in some.items()
            ),
        ]

    decides = deciding(*_DECIDES, texts=rule_texts(",".join(groups)))
    return Campaign("evidence", parameters, decides, units, work, fold, summary_lines)


def walk_counts(parameters: dict[str, Any]) -> Campaign[dict[str, Statistics]]:
    """Make `count` random walks on each of `boards` under `rules`; count the stuck.

    The answer has statistics for each board.
    """
    rules, seed = parameters["rules"], parameters["seed"]
    boards = [Board.parse(text) for text in parameters["boards"]]
    rule_set = cache(lambda: load_rules(rules))  # who only folds results needs none

    def units() -> Iterator[Unit]:
        for place, board in enumerate(boards):
            yield from _walk_units([place], board.notation, parameters["count"], "")

    def work(payload: list[int]) -> list[int]:
        place, first, walks = payload
        stuck = _stuck(rule_set(), boards[place], seed + first, walks)
        return [place, walks, stuck]

    def fold(results: Iterator[list[int]]) -> dict[str, Statistics]:
        walks, stuck = Counter[int](), Counter[int]()
        for place, made, lost in results:
            walks[place] += made
            stuck[place] += lost
        return {
            boards[place].notation: summarise(made, stuck[place])
            for place, made in sorted(walks.items())
        }

    def summary_lines(found: dict[str, Statistics]) -> list[str]:
        return [
            f"{board}: {one.walks:,} walks, {one.stuck:,} stuck, {one.in_words()[0]} "
            f"({one.in_words()[1]})"
            for board, one in found.items()
        ]

    decides = deciding("solver", "heuristic", __name__, texts=rule_texts(rules))
    return Campaign(
        *("stats", parameters, decides, units, work, fold, summary_lines),
        noun="walks",
        extent=("count",),
    )


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
        plan, made = make_plan(targets[target]), 0.0

        def progress(states: int) -> None:
            nonlocal made
            made += states
            advance(made, plan.total)

        residues = residues_of(plan, modulus, limits, progress=progress)
        return [*payload, residues]

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
        "count",
        parameters,
        deciding("solver", __name__),
        units,
        work,
        fold,
        summary_lines,
        noun="states",
    )


def _combined(found: list[tuple[int, list[int]]]) -> list[int]:
    moduli = [modulus for modulus, _ in found]
    columns = zip(*(residues for _, residues in found), strict=True)
    return [combine(column, moduli) for column in columns]


def summary_lines(moves: dict[str, int]) -> list[str]:
    """Return a line a move, and their sum."""
    lines = [f"{move}  {number:,}" for move, number in moves.items()]
    return [*lines, f"all  {sum(moves.values()):,}"]

"""Rules on trial as a campaign: whole small boards, and blocks of drawn positions."""

from collections.abc import Iterator
from typing import Any

from heuristic.groups import load_rules
from solver.board import Board
from solver.oracles.oracle import get_oracle
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts
from verify.evidence.sample import blocks, sampled_positions
from verify.evidence.soundness import (
    Evidence,
    evidence_of,
    merged,
    plain,
    verify_exhaustive,
    verify_positions,
)

BLOCK = 20_000  # positions drawn by one generator on a small board
LARGE = 169  # cells above which a block is a tenth of that
_WHOLE = 1e-5  # seconds to the square of the cells: a whole small board
_POSITION = 2e-5  # seconds a drawn position and cell of its board, with the oracle


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
            cells = Board.parse(text).cells
            if drawn is None:
                name = f"{text}: all positions"
                yield Unit(name, [place, None, 0], _WHOLE * cells**2)
                continue
            size = BLOCK if cells <= LARGE else BLOCK // 10
            for block, (many, drawn_by) in enumerate(blocks(drawn, size, seed)):
                name = f"{text}: block {block + 1}, {many} positions"
                yield Unit(name, [place, many, drawn_by], many * cells * _POSITION)

    def work(payload: list[Any]) -> list[Any]:
        place, many, drawn_by = payload
        text, oracle, _ = trials[place]
        board = Board.parse(text)
        if many is None:
            return [place, plain(verify_exhaustive(rule_set, board))]
        judge = get_oracle(oracle)
        known = sampled_positions(
            board, many, seed=drawn_by, oracle=judge, uniform=uniform
        )
        return [place, plain(verify_positions(rule_set, known, text))]

    def fold(results: Iterator[list[Any]]) -> list[Evidence]:
        parts: dict[int, list[Evidence]] = {}
        for place, found in results:
            parts.setdefault(place, []).append(evidence_of(found))
        return [merged(some, _scope(trials[place])) for place, some in parts.items()]

    def _scope(asked: list[Any]) -> str:
        text, _, drawn = asked
        if drawn is None:
            return f"every completable position of {text}"
        kind = "uniformly drawn" if uniform else "drawn"
        return f"{drawn} {kind} positions of {text}, seed {seed}"

    return Campaign(
        "verify",
        parameters,
        deciding("solver", "heuristic", "verify.evidence", texts=rule_texts(rules)),
        units,
        work,
        fold,
        told,
    )


def told(found: list[Evidence]) -> list[str]:
    """Return a line a board."""
    lines = []
    for one in found:
        wrong = [rule.name for rule in one.rules if rule.wrong]
        line = f"{one.scope}: {one.gaps:,} gaps, {len(wrong)} rules wrong"
        lines.append(f"{line}: {', '.join(wrong)}" if wrong else line)
    return lines

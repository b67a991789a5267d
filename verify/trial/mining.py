"""Mining for gaps: walk until stuck, find the mistake, make the position minimal.

A walk that obeys sound rules and gets stuck has made a move that the rules allowed and
no completion begins with: a gap. Its position is kept, and made small by
`verify.trial.completeness`. The units of a campaign are blocks of walks, each walk with
its seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from heuristic.groups import load_rules
from heuristic.rule import RuleSet
from solver.board import Board, Position
from solver.errors import OptionError
from solver.oracles.oracle import Oracle, get_oracle
from solver.symmetry import canonical
from verify.campaign.campaign import Campaign, Unit, advancing, deciding_rules, spans
from verify.corpus.cases import Case
from verify.corpus.origin import Origin
from verify.trial.campaigns import block_of, seconds_of
from verify.trial.completeness import blame, gap_moves, is_asked, shrink, truth
from verify.words import counted

_NAMED = 5  # rules that forbid nothing, named one by one in a case


@dataclass(frozen=True, slots=True)
class Gap:
    """A completable position in which a rule set allows dead moves.

    - `position`: made small, canonical under the symmetries.
    - `moves`: the allowed dead moves, letters.
    - `found`: where it was found: the last completable position of the walk that got
      stuck.
    - `seed`: of that walk.
    """

    position: Position
    moves: str
    found: Position
    seed: int


def mine(
    rule_set: RuleSet,
    board: Board,
    *,
    walks: int,
    seed: int,
    minimal: bool = True,
    any_board: bool = False,
) -> Iterator[Gap]:
    """Make walks of seeds from `seed` on and yield the gaps that stopped them.

    - `walks`: how many walks at most.
    - `minimal`: whether to make gaps small: seconds to minutes each on 21 x 21.
    - `any_board`: whether small gaps may have walls and ends of their own.
    """
    oracle = get_oracle("search")
    walker = rule_set.walker(board)
    for number in advancing(range(walks), walks):
        position = walker.walk(seed + number).position
        if not position.complete:
            found = blame(position, oracle)
            if found is not None and gap_moves(rule_set, found, oracle):
                small = found
                if minimal:
                    small = shrink(rule_set, found, oracle, any_board=any_board)
                small = image_of_gap(rule_set, small, oracle)
                moves = gap_moves(rule_set, small, oracle)
                yield Gap(small, moves, found, seed + number)


def image_of_gap(rule_set: RuleSet, position: Position, oracle: Oracle) -> Position:
    """Return the canonical image; as it is, if the rules see the image otherwise."""
    image = canonical(position)
    same = is_asked(rule_set, image) and gap_moves(rule_set, image, oracle)
    return image if same else position


def gap_case(
    position: Position, found: Position, rule_set: RuleSet, origin: Origin, source: str
) -> Case:
    """Return the case of a gap, saying what each rule forbids there.

    - `found`: the one that `position` was made from.
    - `origin`: how the case names the rules.

    Raises `OptionError` if the rules allow no dead move of the position.
    """
    dead = gap_moves(rule_set, position, get_oracle("search"))
    if not dead:
        raise OptionError(f"{position.notation} shows no gap of {origin.rules}")
    forbids = rule_set.forbids(position)
    moves_of = {rule.name: "" for rule in rule_set.rules}
    for forbid in forbids:
        moves_of[forbid.rule] += forbid.move
    silent = sum(not moves for moves in moves_of.values())
    few = silent <= _NAMED
    said = [
        f"{rule} forbids {moves or 'nothing'}"
        for rule, moves in moves_of.items()
        if moves or few
    ]
    if not few:
        said.append(f"{silent} rules forbid nothing")
    why = (
        f"allowed though dead: {' and '.join(dead)}; {', '.join(said)}; "
        f"{position.board.open_cells} cells"
    )
    words = truth(position, get_oracle("sat"))
    return Case(
        "gap",
        why,
        source,
        position,
        words,
        rules=origin.rules,
        subject=dead,
        text=origin.text,
        found=found.notation if found != position else "",
    )


_MOST = 100  # walks of a unit: making a gap small takes long, and many may be found


@dataclass(frozen=True, slots=True)
class Mined:
    """Walks made, and the gaps that stopped some of them, by seed."""

    walks: int
    gaps: list[Gap]


def mining(parameters: dict[str, Any]) -> Campaign[Mined]:
    """Mine on `board` under `rules` by `count` walks of seeds from `seed` on.

    `minimal` and `any_board` are those of `verify.trial.mining.mine`.
    """
    rules, seed = parameters["rules"], parameters["seed"]
    board, rule_set = Board.parse(parameters["board"]), load_rules(rules)
    small = {key: parameters[key] for key in ("minimal", "any_board")}

    def units() -> Iterator[Unit]:
        size = min(_MOST, block_of(board))
        return spans(parameters["count"], size, seconds_of(board), "walks")

    def work(payload: list[int]) -> dict[str, Any]:
        first, walks = payload
        gaps = mine(rule_set, board, walks=walks, seed=seed + first, **small)
        kept = [
            [gap.position.notation, gap.moves, gap.found.notation, gap.seed]
            for gap in gaps
        ]
        return {"walks": walks, "gaps": kept}

    decides = deciding_rules(rules, "verify.trial")
    made = decides, units, work, fold, summary_lines
    return Campaign("mine", parameters, *made, noun="walks", extent=("count",))


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


def summary_lines(mined: Mined) -> list[str]:
    """Return what was found, in lines."""
    first = f"{counted(mined.walks, 'walk')}, {counted(len(mined.gaps), 'gap')}"
    return [first, *(f"  {gap.position.notation} {gap.moves}" for gap in mined.gaps)]

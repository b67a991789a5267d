"""Mining for gaps: walk until stuck, find the mistake, make the position minimal.

A walk that obeys sound rules and gets stuck has made a move that the rules allowed and
no completion begins with: a gap. Its position is kept, and made small by
`verify.evidence.shrink`.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from heuristic.rule import RuleSet
from solver.board import Board, Position
from solver.errors import OptionError
from solver.files import write_whole
from solver.oracles.oracle import Oracle, get_oracle
from solver.symmetry import canonical
from verify.corpus.cases import Case, named_rules, save_case
from verify.evidence.completeness import blame, truth
from verify.evidence.shrink import gap_moves, is_asked, shrink

_NAMED = 5  # rules that forbid nothing, named one by one in a case
Progress = Callable[[int, int], None]  # walks made, gaps found


@dataclass(frozen=True, slots=True)
class Gap:
    """A completable position in which a rule set allows dead moves.

    Attributes
    ----------
    position : Position
        Made small, canonical under the symmetries.
    moves : str
        The allowed dead moves, letters.
    found : Position
        Where it was found: the last completable position of the walk that got stuck.
    seed : int
        Of that walk.
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
    seconds: float | None = None,
    minimal: bool = True,
    any_board: bool = False,
    oracle: Oracle | None = None,
    progress: Progress | None = None,
) -> Iterator[Gap]:
    """Make walks of seeds from `seed` on and yield the gaps that stopped them.

    Parameters
    ----------
    walks : int
        How many walks at most.
    seconds : float, optional
        Start no walk after that many.
    minimal : bool
        Whether to make gaps small: seconds to minutes each on 21 x 21.
    any_board : bool
        Whether small gaps may have walls and ends of their own.
    oracle : Oracle, optional
        Exact; ``search`` by default.
    progress : callable, optional
        Told after each walk how many were made and how many gaps found.
    """
    oracle = oracle or get_oracle("search")
    clock, gaps = monotonic(), 0
    walker = rule_set.walker(board)
    for number in range(walks):
        if seconds is not None and monotonic() - clock > seconds:
            return
        position = walker.walk(seed + number).position
        if not position.complete:
            found = blame(position, oracle)
            if found is not None and gap_moves(rule_set, found, oracle):
                gaps += 1
                small = found
                if minimal:
                    small = shrink(rule_set, found, oracle, any_board=any_board)
                small = _canonical(rule_set, small, oracle)
                moves = gap_moves(rule_set, small, oracle)
                yield Gap(small, moves, found, seed + number)
        if progress is not None:
            progress(number + 1, gaps)


def _canonical(rule_set: RuleSet, position: Position, oracle: Oracle) -> Position:
    """Return the canonical image; as it is, if the rules see the image otherwise."""
    image = canonical(position)
    same = is_asked(rule_set, image) and gap_moves(rule_set, image, oracle)
    return image if same else position


@dataclass(frozen=True, slots=True)
class MiningRun:
    """What a run of mining did, all its earlier parts included.

    Attributes
    ----------
    walks, gaps, saved : int
        Walks made, gaps found, and how many of them were new to the corpus.
    next_seed : int
        Where the next part goes on.
    """

    walks: int
    gaps: int
    saved: int
    next_seed: int


def run_mine(
    rules: str,
    board: Board,
    *,
    corpus: Path,
    walks: int,
    seed: int = 0,
    seconds: float | None = None,
    minimal: bool = True,
    any_board: bool = False,
    resume: Path | None = None,
    progress: Progress | None = None,
    tell: Callable[[Gap, Path, bool], None] | None = None,
) -> MiningRun:
    """Mine, and save every gap in the corpus as a case.

    Parameters
    ----------
    rules : str
        As `load_rules` takes it.
    corpus : Path
        Its folder.
    resume : Path, optional
        A small JSON file that remembers the next seed, so that a run that was stopped
        goes on where it was; another rule set, board or seed starts anew.
    tell : callable, optional
        Told of every gap: the gap, its file, and whether the file is new.
    """
    from heuristic.groups import load_rules

    rule_set = load_rules(rules)
    key = f"{rules} {board.notation} {seed}"
    state = _read_state(resume, key)
    before = state["walks"]

    def count(made: int, gaps: int) -> None:
        state["walks"] = before + made
        if made % 100 == 0:
            _write_state(resume, key, state)
        if progress is not None:
            progress(state["walks"], state["gaps"])

    gaps = mine(
        rule_set,
        board,
        walks=max(0, walks - before),
        seed=seed + before,
        seconds=seconds,
        minimal=minimal,
        any_board=any_board,
        progress=count,
    )
    for gap in gaps:
        path, new = save_case(gap_case(gap, rules, rule_set), corpus)
        state["gaps"] += 1
        state["saved"] += new
        state["walks"] = gap.seed - seed + 1
        _write_state(resume, key, state)
        if tell is not None:
            tell(gap, path, new)
    _write_state(resume, key, state)
    return MiningRun(
        state["walks"], state["gaps"], state["saved"], seed + state["walks"]
    )


def gap_case(gap: Gap, rules: str, rule_set: RuleSet) -> Case:
    """Return the case of a gap, saying what each rule forbids there."""
    position = gap.position
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
        f"allowed though dead: {' and '.join(gap.moves)}; {', '.join(said)}; "
        f"{position.board.open_cells} cells"
    )
    source = f"mined on {gap.found.board.notation} with {rules}, seed {gap.seed}"
    moves = truth(position, get_oracle("sat"))
    name, book = named_rules(rules)
    found = gap.found.notation if gap.found != position else ""
    return Case("gap", why, source, position, moves, name, gap.moves, book, found=found)


def _read_state(file: Path | None, key: str) -> dict[str, int]:
    fresh = {"walks": 0, "gaps": 0, "saved": 0}
    if file is None or not file.exists():
        return fresh
    try:
        state = json.loads(file.read_text(encoding="utf-8"))
        if state["key"] != key:
            return fresh
        return {name: int(state[name]) for name in fresh}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise OptionError(f"{file} is no state of a mining run: {error}") from None


def _write_state(file: Path | None, key: str, state: dict[str, int]) -> None:
    if file is not None:
        write_whole(file, json.dumps({"key": key, **state}) + "\n")

"""Mining for gaps: walk until stuck, find the mistake, make the position minimal.

A walk that obeys sound rules and gets stuck has made a move that the rules allowed and
no completion begins with: a gap. Its position is then made as small as it goes: the
walk behind the live end becomes walls, the completion is cut short at its end and along
its way, cells become walls one by one and in pairs, empty rows and columns go, all as
long as the rules still allow a dead move of a completable position.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from heuristic.rule import RuleSet, union_mask
from heuristic.universal.universal import UniversalRuleSet
from heuristic.walks.walker import RandomWalker
from solver.board import Board, Position
from solver.errors import OptionError
from solver.files import write_whole
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.propagation.roam import RuleWalker
from solver.symmetry import canonical
from verify.corpus.cases import Case, named_rules, save_case
from verify.evidence.completeness import blame, truth
from verify.evidence.minimise import minimise

Progress = Callable[[int, int], None]  # walks made, gaps found


@dataclass(frozen=True, slots=True)
class Gap:
    """A completable position in which a rule set allows dead moves.

    Attributes
    ----------
    position : Position
        Minimal, canonical under the symmetries.
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


def gap_moves(rule_set: RuleSet, position: Position, oracle: Oracle) -> str:
    """Return the dead moves that the rules allow; empty if the position is no gap.

    Empty also where the oracle meets its limit: an unknown move shows nothing.
    """
    options = position.options()
    end = position.board.end
    if len(options) < 2:
        return ""
    tracker = rule_set.tracker(position.board)
    for cell in position.walk[1:]:
        tracker.push(cell)
    forbidden = union_mask(tracker.masks())
    dead, good = "", False
    for move, cell in options.items():
        verdict = oracle.decide(position.step(move)).verdict
        good = good or verdict is Verdict.COMPLETABLE
        allowed = not forbidden >> "URDL".index(move) & 1 and cell != end
        if verdict is Verdict.DEAD and allowed:
            dead += move
    return dead if good else ""


def mine(
    rule_set: RuleSet,
    board: Board,
    *,
    walks: int,
    seed: int,
    seconds: float | None = None,
    minimal: bool = True,
    oracle: Oracle | None = None,
    progress: Progress | None = None,
) -> Iterator[Gap]:
    """Make walks of seeds from `seed` on and yield the gaps that stopped them.

    Walks under the universal rules run in a kernel, others through a tracker.

    Parameters
    ----------
    walks : int
        How many walks at most.
    seconds : float, optional
        Start no walk after that many.
    minimal : bool
        Whether to make gaps minimal: seconds to minutes each on 21 x 21.
    oracle : Oracle, optional
        Exact; ``search`` by default.
    progress : callable, optional
        Told after each walk how many were made and how many gaps found.
    """
    oracle = oracle or get_oracle("search")
    clock, gaps = monotonic(), 0
    walk_of = _walker(rule_set, board)
    for number in range(walks):
        if seconds is not None and monotonic() - clock > seconds:
            return
        position = walk_of(seed + number)
        if not position.complete:
            found = blame(position, oracle)
            if found is not None and gap_moves(rule_set, found, oracle):
                gaps += 1
                small = shrink(rule_set, found, oracle) if minimal else found
                small = _canonical(rule_set, small, oracle)
                moves = gap_moves(rule_set, small, oracle)
                yield Gap(small, moves, found, seed + number)
        if progress is not None:
            progress(number + 1, gaps)


def _walker(rule_set: RuleSet, board: Board) -> Callable[[int], Position]:
    if isinstance(rule_set, UniversalRuleSet):
        fast = RuleWalker(board, rule_set.propagation)
        return lambda seed: fast.walk(seed)[0]
    return lambda seed: RandomWalker(rule_set, board, seed=seed).walk().position


def _canonical(rule_set: RuleSet, position: Position, oracle: Oracle) -> Position:
    """Return the canonical image; as it is, if the rules see the image otherwise."""
    image = canonical(position)
    return image if gap_moves(rule_set, image, oracle) else position


def shrink(rule_set: RuleSet, position: Position, oracle: Oracle) -> Position:
    """Return a minimal gap made from a gap: fewest cells that greedy descent finds."""

    def holds(candidate: Position) -> bool:
        return bool(gap_moves(rule_set, candidate, oracle))

    before: Position | None = None
    while position != before:
        before = position
        for simplify in (_forget_walk, _chop, _crop):
            position = simplify(position, holds, oracle)
        position = minimise(position, holds, walls=True)
    return position


Holds = Callable[[Position], bool]


def _forget_walk(position: Position, holds: Holds, oracle: Oracle) -> Position:
    """Turn the walk behind the live end into walls."""
    board, walk = position.board, position.walk
    walls = (*board.walls, *walk[:-1])
    new = Position(Board(board.rows, board.cols, walk[-1], board.end, walls))
    return new if holds(new) else position


def _chop(position: Position, holds: Holds, oracle: Oracle) -> Position:
    """Take pieces out of a completion, long ones first, while the gap stays."""
    length = max(1, position.unvisited // 2)
    while length > 0:
        smaller = _without_piece(position, length, holds, oracle)
        if smaller is None:
            length //= 2
        else:
            position = smaller
    return position


def _without_piece(
    position: Position, length: int, holds: Holds, oracle: Oracle
) -> Position | None:
    """Take one piece out, at the end or where the completion touches itself."""
    board, walk = position.board, position.walk
    path = (walk[-1], *(oracle.decide(position).witness or ()))
    for i in range(len(path) - length, 0, -1):
        piece, rest = path[i : i + length], path[i + length :]
        if rest and board.direction(path[i - 1], rest[0]) < 0:
            continue
        end = board.end if rest else path[i - 1]
        if end == board.start:
            continue
        walls = (*board.walls, *piece)
        new = Position(Board(board.rows, board.cols, board.start, end, walls), walk)
        if holds(new):
            return new
    return None


def _crop(position: Position, holds: Holds, oracle: Oracle) -> Position:
    """Leave out border rows and columns that are all walls."""
    board = position.board
    free = [divmod(c, board.cols) for c in range(board.cells) if c not in board.walls]
    top, left = min(r for r, _ in free), min(c for _, c in free)
    rows = max(r for r, _ in free) - top + 1
    cols = max(c for _, c in free) - left + 1

    def move(cell: int) -> int:
        return (cell // board.cols - top) * cols + cell % board.cols - left

    kept = {
        r * board.cols + c
        for r in range(top, top + rows)
        for c in range(left, left + cols)
    }
    walls = tuple(move(w) for w in board.walls if w in kept)
    new = Board(rows, cols, move(board.start), move(board.end), walls)
    smaller = Position(new, tuple(move(c) for c in position.walk))
    return smaller if holds(smaller) else position


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
    said = [
        f"{rule.name} forbids "
        + ("".join(f.move for f in forbids if f.rule == rule.name) or "nothing")
        for rule in rule_set.rules
    ]
    why = (
        f"allowed though dead: {' and '.join(gap.moves)}; {', '.join(said)}; "
        f"{position.board.open_cells} cells"
    )
    source = f"mined on {gap.found.board.notation} with {rules}, seed {gap.seed}"
    moves = truth(position, get_oracle("sat"))
    name, book = named_rules(rules)
    return Case("gap", why, source, position, moves, name, gap.moves, book)


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

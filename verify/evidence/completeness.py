"""From a stuck walk or a disagreement to a case: the fatal move, the gap, the truth.

The truth of a disagreement takes no oracle's word: it is a witness that
`verify.checker` walks, or a proof that it follows.

A position is made smaller while what is claimed of it survives.

Greedy descent (`minimise`): every simplification makes the board smaller or the walk
shorter, so it ends; the result is minimal in that no single simplification keeps the
claim. Each candidate is a legal position of its own; whether the claim survives is for
the caller to say.

Gaps are made small (`shrink`) in two ways. *On its own kind of board*: the board stays
a rectangle of the same kind, its ends where they are (in the corners, if they were),
and the walk begins at the start. Rows and columns go that the walk crosses straight,
and detours of the walk. What is left is a position that a person meets on a smaller
board. *On any board*: the walk behind the live end becomes walls, the completion is cut
short at its end and along its way, cells become walls one by one and in pairs, empty
rows and columns go. That is the smallest picture of a gap, though no position of a full
board.

Either way the small form must fail for the reason of the large one: the same universal
rule is needed to see that the allowed moves are dead, and the rules that allow them are
asked, which rules drawn around the last step are only where there was a step.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations

from heuristic.groups import drawn_rules
from heuristic.matching.drawn import DrawnRule
from heuristic.rule import RuleSet, letters, union_mask
from heuristic.universal.universal import UniversalRuleSet
from solver.board import Board, Position
from solver.errors import BoardError, OptionError, WitnessError
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.oracles.sat import prove_dead
from verify.checker.position import find_fault, find_proof_fault
from verify.corpus.cases import Case
from verify.corpus.origin import Origin
from verify.evidence.evidence import known_moves, verify_exhaustive


def size(position: Position) -> tuple[int, int, int, str]:
    """Order of simplicity: open cells, cells, steps of the walk, text."""
    board = position.board
    return board.open_cells, board.cells, len(position.walk), position.notation


def _cut(position: Position, rows: set[int], cols: set[int]) -> Position | None:
    """Remove whole rows and columns; None if the walk or an end does not survive.

    A walk survives when it crosses what is removed straight, so that the cells before
    and after touch.
    """
    board = position.board
    keep_rows = [r for r in range(board.rows) if r not in rows]
    keep_cols = [c for c in range(board.cols) if c not in cols]
    new_row = {r: i for i, r in enumerate(keep_rows)}
    new_col = {c: i for i, c in enumerate(keep_cols)}

    def move(cell: int) -> int | None:
        r, c = divmod(cell, board.cols)
        if r in rows or c in cols:
            return None
        return new_row[r] * len(keep_cols) + new_col[c]

    corners = board.start == 0 and board.end == board.cells - 1
    start = 0 if corners else move(board.start)
    end = len(keep_rows) * len(keep_cols) - 1 if corners else move(board.end)
    if start is None or end is None:
        return None
    walls = [w for w in map(move, board.walls) if w is not None]
    walk = [cell for cell in map(move, position.walk) if cell is not None]
    try:
        smaller = Board(len(keep_rows), len(keep_cols), start, end, tuple(walls))
        return Position(smaller, tuple(walk))
    except BoardError:
        return None


def _smaller_boards(position: Position) -> Iterator[Position]:
    board = position.board
    square = board.rows == board.cols
    choices: list[tuple[set[int], set[int]]] = []
    for count in (2, 1):
        rows = [set(range(r, r + count)) for r in range(board.rows - count + 1)]
        cols = [set(range(c, c + count)) for c in range(board.cols - count + 1)]
        choices += [(r, c) for r in rows for c in cols]
        if not square or board.walls:
            choices += [(r, set()) for r in rows] + [(set(), c) for c in cols]
    for cut_rows, cut_cols in choices:
        if len(cut_rows) < board.rows and len(cut_cols) < board.cols:
            smaller = _cut(position, cut_rows, cut_cols)
            if smaller is not None:
                yield smaller


def _shorter_walks(position: Position) -> Iterator[Position]:
    """Shortcuts: a detour between two touching cells of the walk is left out."""
    board, walk = position.board, position.walk
    for i, j in combinations(range(len(walk)), 2):
        if j > i + 1 and board.direction(walk[i], walk[j]) >= 0:
            yield Position(board, walk[: i + 1] + walk[j:])


def _walled(position: Position) -> Iterator[Position]:
    """Cells become walls: the walk's first steps, and unvisited cells one by one."""
    board, walk = position.board, position.walk
    for steps in (len(walk) - 2, len(walk) // 2, 1):
        if 0 < steps < len(walk):
            walls = (*board.walls, *walk[:steps])
            with suppress(BoardError):  # the end cell was visited already
                shorter = replace(board, start=walk[steps], walls=walls)
                yield Position(shorter, walk[steps:])
    taken = {*walk, *board.walls, board.end}
    free = [cell for cell in range(board.cells) if cell not in taken]
    neighbours = board.neighbours.tolist()
    pairs = [(a, b) for a in free for b in neighbours[a] if a < b in free]
    for cells in [*pairs, *((cell,) for cell in free)]:
        yield Position(replace(board, walls=(*board.walls, *cells)), walk)


def minimise(
    position: Position, holds: Callable[[Position], bool], *, walls: bool = False
) -> Position:
    """Return a minimal position for which `holds` is still true.

    - `position`: must satisfy `holds`.
    - `holds`: the claim; called with legal positions only.
    - `walls`: whether cells may become walls and the walk's beginning may be cut off:
      smaller cases, though no longer positions of a full board.

    Quadratic in the walk and in the cells for each step of the descent, each candidate
    costing one call of `holds`.
    """
    sources = [_smaller_boards, _shorter_walks, *[_walled] * walls]
    smaller: Position | None = position
    while smaller is not None:
        position, now = smaller, size(smaller)
        candidates = chain.from_iterable(source(position) for source in sources)
        smaller = next((c for c in candidates if size(c) < now and holds(c)), None)
    return position


Holds = Callable[[Position], bool]
BEYOND = "beyond"  # the cause of a death that no universal rule sees
_NAMES = ("forced-edges", "fragments", "block-chain", "two-factor", "probing")


def gap_moves(rule_set: RuleSet, position: Position, oracle: Oracle) -> str:
    """Return the dead moves that the rules allow; empty if the position is no gap.

    Empty also where the oracle meets its limit: an unknown move shows nothing.
    """
    options = position.options()
    if len(options) < 2:
        return ""
    forbidden = forbidden_moves(rule_set, position)
    dead, good = "", False
    for move, cell in options.items():
        verdict = oracle.decide(position.step(move)).verdict
        good = good or verdict is Verdict.COMPLETABLE
        allowed = move not in forbidden and cell != position.board.end
        if verdict is Verdict.DEAD and allowed:
            dead += move
    return dead if good else ""


def rule_masks(rule_set: RuleSet, position: Position) -> list[int]:
    """Return the moves that each rule forbids, as bits; no reasons are made."""
    tracker = rule_set.tracker(position.board)
    for cell in position.walk[1:]:
        tracker.push(cell)
    return tracker.masks()


def forbidden_moves(rule_set: RuleSet, position: Position) -> str:
    """Return the moves that rules forbid, letters; no reasons are made."""
    return letters(union_mask(rule_masks(rule_set, position)))


@cache
def _first_rules(count: int) -> UniversalRuleSet:
    return UniversalRuleSet(_NAMES[:count])


def cause(position: Position, moves: str) -> str:
    """Return why the dead moves are dead: how many universal rules see it.

    The last of the first few, in their order, that together forbid all the moves;
    ``beyond`` if all five do not.
    """
    for count, name in enumerate(_NAMES, 1):
        if set(moves) <= set(forbidden_moves(_first_rules(count), position)):
            return name
    return BEYOND


def is_asked(rule_set: RuleSet, position: Position) -> bool:
    """Whether the rules are asked at all: drawn ones only after a step."""
    return position.heading >= 0 or isinstance(rule_set, UniversalRuleSet)


def shrink(
    rule_set: RuleSet,
    position: Position,
    oracle: Oracle,
    *,
    any_board: bool = False,
    progress: Callable[[Position], None] | None = None,
) -> Position:
    """Return a small gap made from a gap, as greedy descent finds it.

    - `position`: a gap of the rules.
    - `any_board`: whether cells may become walls and the ends move; see the module.
    - `progress`: called with every smaller gap on the way.
    """
    wanted = cause(position, gap_moves(rule_set, position, oracle))

    def holds(candidate: Position) -> bool:
        if not is_asked(rule_set, candidate):
            return False
        moves = gap_moves(rule_set, candidate, oracle)
        found = bool(moves) and cause(candidate, moves) == wanted
        if found and progress:
            progress(candidate)
        return found

    if not any_board:
        return minimise(position, holds)
    before: Position | None = None
    while position != before:
        before = position
        for simplify in (_forget_walk, _chop, _crop):
            position = simplify(position, holds, oracle)
        position = minimise(position, holds, walls=True)
    return position


def _forget_walk(position: Position, holds: Holds, oracle: Oracle) -> Position:
    """Turn the walk behind the live end into walls; else all of it but a step."""
    board, walk = position.board, position.walk
    for kept in range(1, min(2, len(walk)) + 1):
        walls = (*board.walls, *walk[:-kept])
        new = replace(board, start=walk[-kept], walls=walls)
        if holds(shorter := Position(new, walk[-kept:])):
            return shorter
    return position


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
        new = Position(replace(board, end=end, walls=walls), walk)
        if holds(new):
            return new
    return None


def _crop(position: Position, holds: Holds, oracle: Oracle) -> Position:
    """Leave out border rows and columns that are all walls."""
    board = position.board
    free = [divmod(c, board.cols) for c in range(board.cells) if c not in board.walls]
    rows, cols = ({*range(min(at), max(at) + 1)} for at in zip(*free, strict=True))
    smaller = _cut(position, {*range(board.rows)} - rows, {*range(board.cols)} - cols)
    return smaller if smaller and holds(smaller) else position


def truth(position: Position, oracle: Oracle) -> dict[str, str]:
    """Return ``completable`` or ``dead`` for every move of a position.

    Raises `OptionError` if the oracle does not know within its limit.
    """
    answers = known_moves(oracle, position)
    return {move: answer.verdict.name.lower() for move, answer in answers.items()}


def blame(position: Position, oracle: Oracle) -> Position | None:
    """Return the last completable position of a walk that went wrong.

    What comes before a completable position is completable, so bisection finds it:
    about log2(steps) questions. None if the oracle knows no completion of the start.
    """
    low, high = 0, len(position.walk)  # cells of the walk: completable, not known
    if _alive(position, oracle):
        return position
    while high - low > 1:
        middle = (low + high) // 2
        if _alive(position.back(len(position.walk) - middle), oracle):
            low = middle
        else:
            high = middle
    return position.back(len(position.walk) - low) if low else None


def _alive(position: Position, oracle: Oracle) -> bool:
    """Whether the oracle knows a completion."""
    return oracle.decide(position).verdict is Verdict.COMPLETABLE


def faulty(
    kind: str, rule_set: RuleSet, position: Position, oracle: Oracle, rule: str = ""
) -> str:
    """Return the moves that show a fault of rules; empty if they show none.

    A "gap": dead moves that they allow; "unsound": completable ones that they forbid,
    or that one `rule` of them forbids.
    """
    if kind == "gap":
        return gap_moves(rule_set, position, oracle)
    forbids = rule_set.forbids(position)
    forbidden = {f.move for f in forbids if rule in ("", f.rule)}
    banned = [move for move in position.options() if move in forbidden]
    return "".join(move for move in banned if _alive(position.step(move), oracle))


def wrong_rule(rule_set: RuleSet, position: Position, oracle: Oracle) -> str:
    """Return the first rule that forbids a completable move; empty if none does."""
    moves = faulty("unsound", rule_set, position, oracle)
    wrong = [f.rule for f in rule_set.forbids(position) if f.move in moves]
    return wrong[0] if wrong else ""


def _only(rule_set: RuleSet, rule: str) -> RuleSet:
    """Return a drawn rule by itself, which is faster; any other with its set."""
    for one in rule_set.rules:
        if one.name == rule and isinstance(one, DrawnRule):
            return drawn_rules(rule, [one.spec])
    return rule_set


def _on_smaller_square(
    rule_set: RuleSet, rule: str, position: Position
) -> Position | None:
    """Return the smallest position of a smaller square where the rule is wrong, too.

    Exhaustive, so nothing smaller exists; up to 7 x 7, in seconds.
    """
    if position.board != Board.square(position.board.rows):
        return None
    for side in range(3, min(position.board.rows, 9), 2):
        evidence = verify_exhaustive(rule_set, Board.square(side))
        found = (one.first_wrong for one in evidence.rules if one.name == rule)
        shown = [example.position for example in found if example]
        if shown:
            return min(shown, key=lambda p: len(p.walk))
    return None


def make_case(
    kind: str,
    position: Position,
    rule_set: RuleSet,
    origin: Origin,
    oracle: Oracle,
    *,
    rule: str = "",
    source: str,
    why: str = "",
    minimal: bool = True,
    walls: bool = False,
) -> Case:
    """Make the minimal case of a gap or of a wrongly forbidden move.

    - `kind`: "gap" or "unsound".
    - `position`: shows the fault; the case may be of a smaller one.
    - `origin`: how the case names the rules; see `verify.corpus.origin.origin_of`.
    - `rule`: the rule that is wrong; by default the first one that is.
    - `why`: one sentence; by default what the rules get wrong.
    - `minimal`, `walls`: whether to minimise, and how, as in `minimise`.

    Raises `OptionError` if the position does not show the fault.
    """
    if kind == "unsound":
        rule = rule or wrong_rule(rule_set, position, oracle)

    meant = [one.boards for one in rule_set.rules if one.name == rule]
    meant = [kind for kind in meant if kind.admits(position.board)]

    def subject(place: Position) -> str:
        if not all(kind.admits(place.board) for kind in meant):
            return ""
        return faulty(kind, rule_set, place, oracle, rule)

    if not subject(position):
        raise OptionError(f"{position.notation} shows no {kind} of {origin.rules}")
    small = None if minimal else position
    if kind == "unsound" and minimal:  # what is missed on a smaller one is another gap
        small = _on_smaller_square(_only(rule_set, rule), rule, position)
    if small is None or not subject(small):
        small = minimise(position, lambda x: bool(subject(x)), walls=walls)
    # no letters: an image of the case may be saved
    wrong = "allows a move that no" if kind == "gap" else "forbids a move that a"
    return Case(
        kind,
        why or f"{rule or origin.rules} {wrong} completion begins with",
        source,
        small,
        truth(small, oracle),
        rules=origin.rules,
        rule="" if rule == origin.rules else rule,
        subject=subject(small),
        text=origin.text,
    )


def fault_case(
    position: Position,
    rule_set: RuleSet,
    origin: Origin,
    oracle: Oracle,
    *,
    source: str,
    why: str = "",
    minimal: bool = True,
    walls: bool = False,
) -> Case | None:
    """Make the case of what rules get wrong at a position; None if nothing is.

    A wrong ban comes before a gap. The options are those of `make_case`.
    """
    for kind in ("unsound", "gap"):
        if faulty(kind, rule_set, position, oracle):
            return make_case(
                *(kind, position, rule_set, origin, oracle),
                source=source,
                why=why,
                minimal=minimal,
                walls=walls,
            )
    return None


_FORBIDS = re.compile(r"(\S+) forbids ([URDL]), which is completable")
_WITNESSES = ("sat", "search", "frontier")


def case_of(fault: str, source: str) -> Case | None:
    """Return the case of a disagreement; None if not all its moves can be settled.

    `fault` is a line of `verify.evidence.comparing.Compared`: a position, then what
    does not fit. A rule that forbids a completable move makes a case against it, all
    else one that states the truth.
    """
    notation, _, why = fault.partition(" ")
    position = Position.parse(notation)
    moves = {}
    for move in position.options():
        truth = settled(position.step(move))
        if truth is Verdict.UNKNOWN:
            return None
        moves[move] = truth.name.lower()
    cause = f"the comparison of oracles disagreed: {why}"
    if (found := _FORBIDS.search(why)) and moves.get(found[2]) == "completable":
        rule, move = found.groups()
        return Case("unsound", cause, source, position, moves, rule, move)
    return Case("verdict", cause, source, position, moves)


def settled(position: Position) -> Verdict:
    """Return what a witness or a proof shows of a position, judged by the checker.

    UNKNOWN if no oracle brings one that is good.
    """
    for name in _WITNESSES:
        witness = get_oracle(name).decide(position).witness
        if witness and not find_fault(position.notation, witness):
            return Verdict.COMPLETABLE
    return Verdict.UNKNOWN if proof_fault(position) else Verdict.DEAD


def proof_fault(position: Position) -> str | None:
    """Say what is wrong with a proof that a position is dead, or None."""
    try:
        return find_proof_fault(position.notation, prove_dead(position))
    except WitnessError as error:  # it is not dead
        return str(error)


@dataclass(frozen=True, slots=True)
class Fatal:
    """The move of a walk after which no completion is left, though before there was.

    - `before`: the last completable position of the walk.
    - `move`: the letter of the fatal move.
    """

    before: Position
    move: str

    @property
    def number(self) -> int:
        """Which move of the walk it is, from 1."""
        return len(self.before.walk)

    @property
    def sentence(self) -> str:
        """Say it in one line.

        >>> from solver.oracles.oracle import get_oracle
        >>> first_fatal(Position.parse("5:RRRDDRDL"), get_oracle("search")).sentence
        'move 4, D, is the first fatal one: 5:RRR can be completed, 5:RRRD cannot'
        """
        after = self.before.step(self.move)
        return (
            f"move {self.number}, {self.move}, is the first fatal one: "
            f"{self.before.notation} can be completed, {after.notation} cannot"
        )


def first_fatal(position: Position, oracle: Oracle) -> Fatal | None:
    """Return the first fatal move of a walk, found by bisection.

    None if the walk can be completed, or if its board has no walk at all. About
    log2(steps) questions.

    Raises `OptionError` if the oracle meets its limit: then what it does not know could
    be completable.
    """
    before = blame(position, oracle)
    if before == position:
        return None
    taken = len(before.walk) if before else 0
    after = position.back(len(position.walk) - taken - 1)
    answer = oracle.decide(after)
    if answer.verdict is not Verdict.DEAD:
        raise OptionError(
            f"oracle {oracle.name!r} does not know whether {after.notation} can be "
            f"completed: {answer.why or answer.verdict.value}"
        )
    return Fatal(before, after.moves[-1]) if before else None

"""The book of a pool: the smallest choice that the prover confirms, with certificates.

What a question's formula found is a candidate and no more. `verify.proof.prove` judges
the drawing as any other rule, and does not know where it came from; a candidate that it
refuses leaves the pool, and the choice, an exact set cover, is made again.

Why a rule holds is said in words, from what its proof makes use of. A proof is clauses.
Those that the window's formula has from the start say how many sides a cell is passed
by, what an area's doors come to, and how pieces of the path lie in the plane; those
added later are cuts: loops, an end met too early, sealed areas. So the clauses show
which of these arguments the rule needs.

The pool lies on disk, so that a search that was stopped goes on: as JSON, the board and
the rules it began from, and a record a drawing. What is read is checked, drawn anew,
and asked of the gaps anew; the prover judges it in the end as it does what was just
found.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct

from heuristic.rules.drawing import ASKED, FACTS, AreaSpec, Kind, RuleSpec, Turn
from heuristic.rules.letters import STATES
from heuristic.rules.rulefile import Growth
from solver.board import Board, Position
from solver.cp import new_solver, solve_model
from solver.errors import OnewayError, OptionError
from solver.files import make_folder, read_most, read_saved, write_whole
from verify.discovery.families import Family
from verify.discovery.gaps import fits
from verify.discovery.question import Found, Picture, sound_ties
from verify.discovery.search import Entry, Pool
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule
from verify.proof.settle import Impossible
from verify.proof.view import Spot, edge
from verify.words import counted

_RULE = 1000  # a rule more is worth any saving of facts
_COVER = 60.0  # seconds of the clock for one choice


@dataclass(frozen=True, slots=True)
class Cover:
    """A choice of rules that catches all that the pool catches.

    - `rules_at_least`: no choice of the pool has fewer rules.
    - `optimal`: whether the fewest rules, and the fewest facts with so many, are
      proved.
    """

    chosen: tuple[int, ...]
    rules_at_least: int
    optimal: bool


def smallest_cover(
    columns: npt.NDArray[np.bool_],
    facts: Sequence[int],
    *,
    most: int | None = None,
    times: int = 1,
) -> Cover:
    """Choose the fewest rules, then the fewest facts, that catch what all do.

    - `columns`, (gaps, rules) bool: which rule catches which gap; a gap that none
      catches is left out.
    - `facts`: of each rule.
    - `most`: a rule with more facts is taken only for gaps that no other catches.
    - `times`: a gap is caught by so many of the choice, where so many are there.
    """
    from ortools.sat.python import cp_model

    kinds = columns[columns.any(axis=1)]
    if most is not None:
        small = kinds & (np.array(facts) <= most)
        kinds = np.where(small.any(axis=1, keepdims=True), small, kinds)
    kinds = np.unique(kinds, axis=0)
    if not len(kinds):
        return Cover((), 0, True)
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"r{i}") for i in range(len(facts))]
    for kind in kinds:
        model.add(sum(taken[i] for i in np.flatnonzero(kind)) >= min(times, kind.sum()))
    model.minimize(sum((_RULE + f) * x for f, x in zip(facts, taken, strict=True)))
    solver = new_solver(_COVER)
    solver.parameters.random_seed = 0
    status = solve_model(solver, model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE), "all together are a cover"
    chosen = tuple(i for i, x in enumerate(taken) if solver.boolean_value(x))
    bound = solver.best_objective_bound
    least = max(1, int(np.ceil((bound - sum(sorted(facts))) / _RULE)))
    if status == cp_model.OPTIMAL:
        least = len(chosen)
    return Cover(chosen, least, status == cp_model.OPTIMAL)


def worth(columns: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return what each gap is worth: the dual prices of the cover's relaxation.

    A new rule can make the book smaller if the gaps that it catches are worth more
    than one together. Gaps that none catches are worth one each.
    """
    from ortools.linear_solver import pywraplp

    caught = columns.any(axis=1)
    prices = np.ones(len(columns))
    if not caught.any():
        return prices
    kinds, of, sizes = np.unique(
        columns[caught], axis=0, return_inverse=True, return_counts=True
    )
    solver = pywraplp.Solver.CreateSolver("GLOP")
    taken = [solver.NumVar(0, solver.infinity(), "") for _ in range(columns.shape[1])]
    rows = [solver.Add(sum(taken[i] for i in np.flatnonzero(k)) >= 1) for k in kinds]
    solver.Minimize(sum(taken))
    assert solver.Solve() == pywraplp.Solver.OPTIMAL, "all together are a cover"
    dual = np.array([row.dual_value() for row in rows])
    prices[caught] = (dual / sizes)[of.ravel()]
    return prices


_PLANE = {"p", "w", "v", "s", "t", "l", "u", "rowout", "colout", "S"}


def grounds_of(proof: Impossible, tied: Collection[Spot] = ()) -> set[str]:
    """Return what a proof makes use of: degree, loop, end, area, plane, rim.

    `degree` is left out where the others say enough. `tied` are the cells of forced
    edges, if there are any.
    """
    found: set[str] = set()
    for clause in proof.clauses:
        names = [proof.names[abs(x) - 1] for x in clause]
        kinds = {str(name[0]) for name in names}
        if kinds & {"a", "n"}:
            found.add("area")
        if kinds & {"rowout", "colout", "v"}:
            found.add("rim")
        elif kinds & _PLANE:
            found.add("plane")
        elif kinds == {"c"} and all(x < 0 for x in clause):
            edges = [name[1:] for name in names]
            long = len(clause) >= 4 and _loop(edges)
            if long or (tied and not _of_one_cell(edges, tied)):
                found.add("loop")
        elif "T" in kinds:
            found.add("end")
    return found or {"degree"}


def _of_one_cell(edges: list[tuple[object, ...]], tied: Collection[Spot]) -> bool:
    """Tell whether edges exclude each other at a cell, and close no loop by lines."""
    common = set(edges[0]).intersection(*edges)
    return bool(common if len(edges) > 2 else common & set(tied))


def _loop(edges: list[tuple[object, ...]]) -> bool:
    """Tell whether edges close a loop, or leave one edge of it out that is known."""
    return max(Counter(cell for cells in edges for cell in cells).values()) == 2


def reason_of(proved: Proved, found: Found | Family) -> str:
    """Return one sentence on why the rule holds, without full stop."""
    picture, areas = found.picture, len(found.picture.areas)
    if picture.pairs("dead"):
        if not areas:
            return "what the step forces closes a loop, or leaves a cell with one way"
        them = "the area" if areas == 1 else f"the {areas} areas"
        return f"with what the step forces, {them} cannot be filled"
    tied = picture.of_ties()
    grounds = set().union(*(grounds_of(proof, tied) for _, proof in proved.proofs))
    letters = [letter for _, letter in picture.cells]
    needy, free = letters.count("K"), letters.count(".")
    parts = [_of_areas(found, "area" in grounds)] if areas else []
    if tied:
        edges, ends = len(picture.pairs("joined")), len(picture.pairs("mates"))
        verb, lines = "is" if edges == 1 else "are", counted(ends, "forced line")
        also = f", and the ends of {lines} are known" if ends else ""
        parts.append(f"{counted(edges, 'edge')} {verb} forced before the move{also}")
    if needy:
        verb, each = ("needs", "") if needy == 1 else ("need", " each")
        phrase = f"{counted(needy, 'free cell')} that cannot be the end"
        parts.append(f"{phrase} {verb} two open sides{each}")
    elif free and not areas:
        parts.append(f"{counted(free, 'free cell')} must still be visited")
    if "rim" in grounds:
        parts.append(
            "the walk began and must end in corners, so the side of the board and the "
            "walk behind part the cells left"
        )
    elif "plane" in grounds:
        parts.append("the walk behind parts the cells left, and nothing crosses it")
    if "loop" in grounds:
        parts.append("else the ways that are forced close a loop")
    elif not areas and not grounds & {"rim", "plane"}:
        parts.append("after the move a cell is left with one way, or none")
    return "; ".join(parts)


_NUMBERS = {
    Kind.IMPAIR: "an odd number of cells, so a way through it begins and ends on one "
    "colour",
    Kind.PAIR: "an even number of cells, so a way through it begins and ends on two "
    "colours",
}
_COLOURS = "more cells of one colour than ways through it can visit"


def _of_areas(found: Found | Family, is_counted: bool) -> str:
    phrases = []
    for number, area in enumerate(found.picture.areas):
        marked = counted(len(area.cells), "marked cell").removeprefix("1 ")
        colours = _COLOURS if area.kind.bounded else ""
        if isinstance(found, Family) and number == 0:
            least, most = found.distances
            marked, colours = f"{least} to {most} marked cells", _COLOURS
        held = "does not hold the end, so it must be entered and left again"
        if has := _NUMBERS.get(area.kind, colours):
            held = f"has {has}"
        phrases.append(f"the area behind the {marked} {held}")
    doors = "; after the move the doors that are left cannot do that"
    return " and ".join(phrases) + doors * is_counted


_TWICE = 2  # rules for a gap that walks met: the next walk meets another
_SECONDS = (2.0, 20.0)  # of the prover, for one part: most need far less


@dataclass(frozen=True, slots=True)
class Member:
    """A rule of the book.

    - `proved`: of the rule with its name and its reason in words.
    - `caught`, `only`: dead moves of the board that it forbids, and those that no other
      rule does.
    """

    entry: Entry
    proved: Proved
    caught: int
    only: int

    @property
    def rule(self) -> RuleSpec:
        """The rule as the book has it."""
        return self.proved.rule


@dataclass(frozen=True, slots=True)
class Book:
    """The chosen rules, those that catch most first.

    - `cover`: what is known of smaller choices from the same pool.
    - `refused`: drawings that the prover did not confirm.
    """

    members: tuple[Member, ...]
    cover: Cover
    refused: int

    def toml(self, head: str) -> str:
        """Return the book as a rule file."""
        texts = [
            member.entry.found.toml(
                member.rule.name,
                member.rule.origin,
                member.rule.reason,
                member.proved.admitted.word,
            )
            for member in self.members
        ]
        return "\n".join([head, *texts])


def choose(
    pool: Pool,
    name: str,
    *,
    most: int | None = None,
    known: dict[RuleSpec, Proved | None] | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Book:
    """Choose the smallest book of a pool that the prover confirms.

    - `name`: rules are called so, with a number.
    - `most`: rules with more facts are taken only where nothing else will do.
    - `known`, dict of RuleSpec to Proved or None: answers of the prover from before;
      they are added to.
    """
    answers = {} if known is None else known
    refused = 0
    while True:
        cover = _cover(pool, most)
        bad = []
        for number in cover.chosen:
            rule = pool.entries[number].rule
            if rule not in answers:
                answers[rule] = _proved(rule)
                progress()
            if answers[rule] is None:
                bad.append(number)
        if not bad:
            return Book(_members(pool, cover.chosen, answers, name), cover, refused)
        refused += len(bad)
        for number in reversed(bad):
            pool.without(number)


def chosen(pool: Pool, most: int | None = None) -> tuple[Entry, ...]:
    """Return the smallest choice of a pool, whatever the prover says of it."""
    return tuple(pool.entries[number] for number in _cover(pool, most).chosen)


def _cover(pool: Pool, most: int | None) -> Cover:
    facts = [entry.facts for entry in pool.entries]
    times = _TWICE if pool.quick else 1
    return smallest_cover(pool.columns, facts, most=most, times=times)


def _proved(rule: RuleSpec) -> Proved | None:
    for seconds in _SECONDS:
        attempt = prove_rule(rule, seconds=seconds, most=1)
        if isinstance(attempt, Proved):
            return attempt
    return None


def _members(
    pool: Pool, chosen: Sequence[int], answers: dict[RuleSpec, Proved | None], name: str
) -> tuple[Member, ...]:
    counts = pool.gaps.counts
    columns = pool.columns[:, list(chosen)]
    alone = columns.sum(axis=1) == 1
    caught = [int(counts[column].sum()) for column in columns.T]
    members = []
    order = sorted(range(len(chosen)), key=lambda i: (-caught[i], chosen[i]))
    for place, i in enumerate(order, 1):
        entry = pool.entries[chosen[i]]
        proved = answers[entry.rule]
        assert proved is not None
        reason = reason_of(proved, entry.found)
        named = replace(proved, rule=entry.found.rule(f"{name}-{place}", reason))
        only = int(counts[columns[:, i] & alone].sum())
        members.append(Member(entry, named, caught[i], only))
    return tuple(members)


_SIZE = 64 << 20  # bytes of a list of gaps
_Far: TypeAlias = Annotated[int, Meta(ge=-100, le=100)]  # cells from the live end
_Cell: TypeAlias = tuple[_Far, _Far]
_Line: TypeAlias = Annotated[int, Meta(ge=1, le=100)]  # row or column
_Turn: TypeAlias = Literal["NONE", "CW", "CCW", "HALF"]
_Move: TypeAlias = Literal[0, 1, 3]
_Ways: TypeAlias = Annotated[list[tuple[_Turn, _Move]], Meta(min_length=1)]

Met: TypeAlias = Sequence[tuple[Position, str]]  # gaps, each with its dead moves


class _Record(Struct, omit_defaults=True):
    """One drawing: its cells with letters, its areas, and what it forbids.

    Of an area the marked cells, base and wall, side, kind, low and high. A family has
    `grow` (axis, row or column, step) and `tables` in place of `forbids`.
    """

    cells: list[tuple[_Far, _Far, str]]
    areas: list[
        tuple[
            Annotated[list[_Cell], Meta(min_length=3)],
            Literal["left", "right"],
            Kind,
            int,
            int,
        ]
    ]
    gap: int
    scope: str
    joined: list[tuple[_Cell, _Cell]] = []
    mates: list[tuple[_Cell, _Cell]] = []
    dead: list[tuple[_Cell, _Cell]] = []
    forbids: list[tuple[_Turn, Annotated[list[_Move], Meta(min_length=1)]]] = []
    grow: tuple[Literal[0, 1], _Line, _Far, _Far] | None = None
    tables: list[tuple[_Ways, Annotated[list[_Cell], Meta(min_length=1)]]] = []


class _File(Struct):
    format: Literal[1]
    board: str
    start: str = msgspec.field(name="from")
    met: list[tuple[str, str]] = []
    grown: list[str] = []
    walked: Annotated[int, Meta(ge=0, lt=1 << 60)] = 0
    tried: list[str] = []
    found: list[_Record] = []


class Kept(NamedTuple):
    """What a file keeps of a run.

    - `entries`: the drawings of its pool.
    - `met`, sequence of (Position, str): the gaps that walks met, of boards too large
      to list.
    - `grown`, set of str: pictures whose families were looked for (`key_of`).
    - `walked`: walks made.
    - `tried`, set of str: gaps that nothing explained (`Gaps.key`).
    """

    entries: Sequence[Entry] = ()
    met: Met = ()
    grown: Collection[str] = ()
    walked: int = 0
    tried: Collection[str] = ()


NOTHING = Kept()


def save_pool(path: Path, pool: Pool, start: str, kept: Kept = NOTHING) -> None:
    """Write the drawings of a pool and what else is kept; the file appears whole."""
    data = _File(
        *(1, pool.gaps.board.notation, start),
        met=[(position.notation, moves) for position, moves in kept.met],
        grown=sorted(kept.grown),
        walked=kept.walked,
        tried=sorted(kept.tried),
        found=[_record(entry) for entry in pool.entries],
    )
    make_folder(path.parent)
    write_whole(path, msgspec.json.encode(data).decode() + "\n")


def load_kept(path: Path, board: Board, start: str) -> Kept:
    """Return what a file keeps; nothing if there is no file.

    Raises `OptionError` if the file is no such file, or of another board or other
    rules; or if a gap is no position with moves that it has, of the board or one that
    fits into it.
    """
    if not path.exists():
        return Kept()
    data = read_saved(path, _File, "pool of this version")
    try:
        same = fits(Board.parse(data.board), board) and data.start == start
    except OnewayError:
        same = False
    if not same:
        raise OptionError(f"{path}: a pool of another board or of other rules")
    entries = []
    for number, record in enumerate(data.found, 1):
        try:
            entries.append(_entry(record))
        except ValueError as error:
            raise OptionError(f"{path}: drawing {number}: {error}") from None
    met = [_gap(words, path, board) for words in data.met]
    return Kept(entries, met, set(data.grown), data.walked, set(data.tried))


def load_pool(path: Path, pool: Pool, start: str) -> int:
    """Add the drawings of a file to a pool that are not in it; return how many.

    Errors as `load_kept`.
    """
    return pool.add_new(load_kept(path, pool.gaps.board, start).entries)


def key_of(picture: Picture) -> str:
    """Return what a file calls a picture that was grown."""
    text = f"Picture(cells={picture.cells!r}, areas={picture.areas!r})"
    words = {word for word, *_ in picture.ties}
    if words:
        asked = [x for x in ASKED if x in words or not FACTS[x].step]
        text += "".join(f"{tuple(picture.pairs(word))}" for word in asked)
    return sha256(text.encode()).hexdigest()[:16]


def read_gaps(path: Path, board: Board) -> Met:
    """Return the gaps of a text file: a position and its dead moves a line.

    What comes after ``#`` is left out, as are empty lines.

    Raises `OptionError` if the file cannot be read, or a line is no position of a board
    that fits into this one (`verify.discovery.gaps.fits`), with moves that it has.
    """
    lines = read_most(str(path), _SIZE).decode(errors="replace").splitlines()
    text = [line.split("#")[0].split() for line in lines]
    return [_gap(words, path, board) for words in text if words]


def _gap(words: Sequence[str], path: Path, board: Board) -> tuple[Position, str]:
    try:
        position = Position.parse(words[0]) if len(words) == 2 else None
    except OnewayError as error:
        raise OptionError(f"{path}: {error}") from None
    if (
        position is None
        or not fits(position.board, board)
        or position.heading < 0
        or not set(words[1]) <= set(position.options())
    ):
        raise OptionError(f"{path}: {str(words)[:40]} is no gap of {board.notation}")
    return position, "".join(sorted(set(words[1])))


def _record(entry: Entry) -> _Record:
    found, picture = entry.found, entry.found.picture
    record = _Record(
        [(*cell, letter) for cell, letter in picture.cells],
        [
            (
                [*area.cells, area.base, area.wall],
                "left" if area.side == "left" else "right",
                *(area.kind, area.low, area.high),
            )
            for area in picture.areas
        ],
        entry.gap,
        entry.scope.name,
        **{word: picture.pairs(word) for word in ASKED},  # type: ignore[arg-type] # of edges
    )
    if isinstance(found, Found):
        record.forbids = [(turn.name, list(moves)) for turn, moves in found.forbids]  # type: ignore[misc,arg-type] # of the literals
    else:
        growth = found.growth
        record.grow = (growth.axis, growth.at, *growth.by)  # type: ignore[assignment] # 0 or 1
        record.tables = [
            ([(turn.name, move) for turn, move in ways], list(ranges))  # type: ignore[misc] # of the literals
            for ways, ranges in found.tables
        ]
    return record


def _entry(record: _Record) -> Entry:
    """Draw what a record says anew; raises ValueError with what is wrong."""
    for *_, letter in record.cells:
        if letter not in STATES:
            raise ValueError(f"{letter[:9]!r} is no letter of a cell")
    areas = []
    for (*line, base, wall), side, kind, low, high in record.areas:
        spec = (tuple(line), side, base, wall, kind, low, high, line[0], len(line))
        areas.append(AreaSpec(*spec))
    cells = sorted(((row, col), letter) for row, col, letter in record.cells)
    ties = [(x, *edge(a, b)) for x in ASKED for a, b in getattr(record, x)]
    picture = Picture(tuple(cells), tuple(areas), tuple(sorted(ties)))
    if not sound_ties(picture):
        raise ValueError("forced edges or lines are none")
    if record.scope not in Scope.__members__:
        raise ValueError(f"{record.scope[:9]!r} is no scope")
    found: Found | Family
    if record.grow:
        axis, at, *by = record.grow
        if not areas or not record.tables:
            raise ValueError("a family has an area and tables")
        tables = [
            (tuple((Turn[turn], int(move)) for turn, move in ways), tuple(ranges))
            for ways, ranges in record.tables
        ]
        found = Family(picture, Growth(axis, at, (by[0], by[1])), tuple(tables))
    elif record.forbids:
        forbids = [(Turn[turn], tuple(moves)) for turn, moves in record.forbids]
        found = Found(picture, tuple(forbids))
    else:
        raise ValueError("what it forbids is missing")
    return Entry(found, found.rule(), record.gap, Scope[record.scope])

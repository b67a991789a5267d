"""A position looked at: its picture, every move judged, what rules forbid, counts."""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from heuristic.groups import load_rules, words_of
from heuristic.matching.drawn import DrawnRule
from heuristic.rule import Forbid, RuleSet, choices
from solver.board import Cell, Position
from solver.counting.count import Limits, count_completions, count_moves
from solver.errors import OnewayError
from solver.notation import unquoted
from solver.nowalk import why_dead
from solver.oracles.oracle import Answer, Verdict
from solver.oracles.search import LIMIT_NODES, SearchOracle
from solver.oracles.told import decide_told
from solver.svg import AREA_COLOURS
from verify.lab.messages import (
    Area,
    Count,
    Counted,
    Fatal,
    Forbidden,
    Look,
    MoveTold,
    Reply,
    Seen,
)
from verify.lab.places import position_of
from verify.lab.settings import Settings
from verify.tell import picture
from verify.trial.completeness import first_fatal

QUICK = 2_000  # nodes of the search before a first picture is shown
MEMORY = 400_000_000  # bytes of a count

_oracle = SearchOracle()
_asked: set[str] = set()  # names of rules that were loaded
_sets: list[RuleSet] = []  # those in use, whose rules are prepared in quiet moments


def oracle(limit: int = LIMIT_NODES) -> SearchOracle:
    """Return the oracle of this process, which remembers the boards it was asked of."""
    _oracle.limit = limit
    return _oracle


def rules_of(names: str, settings: Settings) -> RuleSet | None:
    """Return the rule set that a page names, None if it names none.

    A file is read anew when it has changed.
    """
    if not names.strip():
        return None
    named = settings.named(names)
    stamps = []
    for word in words_of(named):
        if word.endswith(".toml"):
            path = settings.rule_file(word) if word in settings.files else None
            found = path or settings.folder / word.rpartition("/")[2]
            stamps.append(found.stat().st_mtime_ns if found.exists() else 0)
    return _loaded(named, tuple(stamps))


@lru_cache(maxsize=8)
def _loaded(named: str, stamps: tuple[int, ...]) -> RuleSet:
    found = load_rules(named)
    _sets.append(found)
    return found


def _sets_known(names: str) -> bool:
    """Tell whether the rules were loaded before; to be told of them comes first."""
    known = names in _asked
    _asked.add(names)
    return known


def decided(place: Position, limit: int) -> tuple[str, Answer, dict[str, Answer]]:
    """Return why a position is plainly dead, its answer, and that of each move."""
    return decide_told(oracle(limit), place)


def look(ask: Look, settings: Settings) -> Iterator[Reply]:
    """Draw a position and judge its moves; twice if the second look takes longer."""
    place = position_of(ask.place)
    told = decided(place, QUICK)
    if ask.rules and not _sets_known(ask.rules):
        yield _seen(ask, place, told, (), (), partial=True)  # to load them takes time
    rules = rules_of(ask.rules, settings)
    forbids = rules.forbids(place) if rules else ()
    edges = rules.edges(place) if rules and ask.future else ()
    if _unknown(told):
        yield _seen(ask, place, told, forbids, edges, partial=True)
        told = decided(place, LIMIT_NODES)
    dead = told[1].verdict is Verdict.DEAD
    fatal = None
    if dead and not why_dead(Position(place.board)):
        if len(place.walk) > 300:
            yield _seen(ask, place, told, forbids, edges, partial=True)
        fatal = _fatal(place)
    yield _seen(ask, place, told, forbids, edges, fatal=fatal)


def _unknown(told: tuple[str, Answer, dict[str, Answer]]) -> bool:
    return any(a.verdict is Verdict.UNKNOWN for a in (told[1], *told[2].values()))


def _fatal(place: Position) -> Fatal | None:
    try:
        found = first_fatal(place, oracle())
    except OnewayError:  # the limit came first
        return None
    return Fatal(found.number, found.move) if found else None


def _seen(
    ask: Look,
    place: Position,
    told: tuple[str, Answer, dict[str, Answer]],
    forbids: tuple[Forbid, ...],
    edges: tuple[tuple[Cell, Cell], ...],
    *,
    partial: bool = False,
    fatal: Fatal | None = None,
) -> Seen:
    why, whole, answers = told
    witness = whole.witness if ask.witness and whole.witness else ()
    svg = picture(place, forbids, witness, edges=edges)
    areas, numbers = _areas(place, forbids)
    free = choices(place)
    return Seen(
        ask.id,
        plain=unquoted(place.notation),
        notation=place.notation,
        svg=svg,
        verdict=whole.verdict.name,
        moves=[
            MoveTold(move, cell, answers[move].verdict.name, move not in free)
            for move, cell in place.options().items()
        ],
        forbidden=[
            Forbidden(
                f.rule,
                f.move,
                f.reason.sentence,
                [numbers[area] for area in f.reason.counted],
            )
            for f in forbids
        ],
        areas=areas,
        unvisited=place.unvisited,
        complete=place.complete,
        why=why,
        fatal=fatal,
        partial=partial,
    )


def _areas(
    place: Position, forbids: tuple[Forbid, ...]
) -> tuple[list[Area], dict[tuple[Cell, ...], int]]:
    """Return the areas counted, in the order and the colours of the picture."""
    rules: dict[tuple[Cell, ...], list[str]] = {}
    for f in forbids:
        for area in f.reason.counted:
            names = rules.setdefault(area, [])
            if f.rule not in names:
                names.append(f.rule)
    found = []
    for number, (area, names) in enumerate(rules.items()):
        black = sum(place.board.black(cell) for cell in area)
        colour = AREA_COLOURS[number % len(AREA_COLOURS)]
        found.append(Area(colour, black, len(area) - black, names))
    return found, {area: number for number, area in enumerate(rules)}


def count(ask: Count, settings: Settings) -> Iterator[Reply]:
    """Count the completions of each move, if memory and time allow."""
    place = position_of(ask.place)
    limits = Limits(MEMORY)
    if place.complete or not place.options():
        total = count_completions(place, limits=limits)
        yield Counted(ask.id, str(total), {})
        return
    if why_dead(place):
        yield Counted(ask.id, "0", dict.fromkeys(place.options(), "0"))
        return
    moves = count_moves(place, limits=limits)
    numbers = {move: str(number) for move, number in moves.items()}
    yield Counted(ask.id, str(sum(moves.values())), numbers)


@cache
def warm() -> None:
    """Load the kernels of most questions, by asking them of a small board."""
    place = Position.parse("7:RRDRURDD")
    decided(place, QUICK)
    picture(place, ())


def preparations() -> Iterator[Callable[[], object]]:
    """Yield the rules in use that no question has needed yet, to be compiled."""
    while _sets:
        for rule in _sets[-1].rules:
            if isinstance(rule, DrawnRule) and "tables" not in vars(rule):
                yield _prepared(rule)
        _sets.pop()


def _prepared(rule: DrawnRule) -> Callable[[], object]:
    return lambda: rule.tables

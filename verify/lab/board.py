"""What the board page asks: a position judged, walked on, proved, saved, exported."""

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from heuristic.groups import load_rules, words_of
from heuristic.rule import Forbid, RuleSet, completion_edges
from solver.board import Cell, Position
from solver.counting.count import count_moves
from solver.errors import OnewayError, OptionError
from solver.files import file_name
from solver.notation import unquoted
from solver.oracles.exact import oracle_walk
from solver.oracles.oracle import (
    LIMIT_NODES,
    Answer,
    Verdict,
    check_walkable,
    decide_with_reason,
    get_oracle,
    why_dead,
)
from solver.oracles.search import SearchOracle
from solver.svg import AREA_COLOURS, png
from verify.corpus.cases import Case, origin_of, parse_case, save_case
from verify.corpus.faults import fault_case
from verify.corpus.saved_path import (
    parse_saved_path,
    print_saved_path,
)
from verify.display import Judged, picture, share
from verify.lab import messages
from verify.lab.messages import Count, Export, Go, Keep, Look, Open, Prove, Reply, Why
from verify.lab.places import Settings, exported, opened, position_of, read_line, seen
from verify.proof.dead import certificates, write_proof
from verify.truth import first_fatal, truth

QUICK = 2_000  # nodes of the search before a first picture is shown
MEMORY = 400_000_000  # bytes of a count

_oracle = SearchOracle()
_asked: set[str] = set()  # names of rules that were asked before


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
    files = [Path(word) for word in words_of(named) if word.endswith(".toml")]
    stamps = [file.stat().st_mtime_ns if file.exists() else 0 for file in files]
    return _loaded(named, tuple(stamps))


def chosen_rules(names: str, settings: Settings) -> RuleSet:
    """Return the rule set that a page names; `OptionError` if it names none."""
    rules = rules_of(names, settings)
    if rules is None:
        raise OptionError("choose rules first: none are named")
    return rules


@lru_cache(maxsize=8)
def _loaded(named: str, stamps: tuple[int, ...]) -> RuleSet:
    return load_rules(named)


def _prepared(ask: Look, settings: Settings) -> bool:
    """Return whether the rules were asked before, so that they answer at once."""
    if ask.rules not in _asked:
        _asked.add(ask.rules)
        return not ask.rules
    return True


class _Ruling(NamedTuple):
    """What rules say of a position, if they have answered, or why they cannot."""

    forbids: tuple[Forbid, ...] = ()
    edges: tuple[tuple[Cell, Cell], ...] = ()
    answered: bool = False
    fault: str = ""


def _ruling(ask: Look, place: Position, settings: Settings) -> _Ruling:
    try:
        rules = rules_of(ask.rules, settings)
    except OnewayError as error:
        return _Ruling(fault=str(error))
    if rules is None:
        return _Ruling()
    edges = completion_edges(rules, place) if ask.future else ()
    return _Ruling(rules.forbids(place), edges, answered=True)


def decided(place: Position, limit: int) -> tuple[str, Answer, dict[str, Answer]]:
    """Return why a position is plainly dead, its answer, and that of each move."""
    return decide_with_reason(oracle(limit), place)


def look(ask: Look, settings: Settings) -> Iterator[Reply]:
    """Draw a position and judge its moves; what is known comes before what is slow."""
    place = position_of(ask.place)
    known = decided(place, QUICK)
    if not _prepared(ask, settings):
        yield _seen(ask, place, known, _Ruling(), partial=True)
    ruling = _ruling(ask, place, settings)
    if Verdict.UNKNOWN in {a.verdict for a in (known[1], *known[2].values())}:
        yield _seen(ask, place, known, ruling, partial=True)
        known = decided(place, LIMIT_NODES)
    fatal, walkless = None, False
    if known[1].verdict is Verdict.DEAD:
        if len(place.walk) > 300:
            yield _seen(ask, place, known, ruling, partial=True)
        fatal, walkless = _fatal(place)
    yield _seen(ask, place, known, ruling, fatal=fatal, walkless=walkless)


def _dead(answers: dict[str, Answer]) -> list[str]:
    return [move for move, one in answers.items() if one.verdict is Verdict.DEAD]


def _fatal(place: Position) -> tuple[messages.Fatal | None, bool]:
    """Return the first fatal move, if it is found; whether the board has no walk."""
    if why_dead(Position(place.board)):
        return None, True
    try:
        found = first_fatal(place, oracle())
    except OnewayError:  # the limit came first
        return None, False
    return (messages.Fatal(found.number, found.move), False) if found else (None, True)


def _seen(
    ask: Look,
    place: Position,
    known: tuple[str, Answer, dict[str, Answer]],
    ruling: _Ruling,
    *,
    partial: bool = False,
    fatal: messages.Fatal | None = None,
    walkless: bool = False,
) -> messages.Seen:
    _, whole, _ = known
    witness = whole.witness if ask.witness and whole.witness else ()
    areas, numbers = _areas(place, ruling.forbids)
    return seen(
        *(ask, place, known),
        svg=picture(place, ruling.forbids, witness, edges=ruling.edges),
        forbidden=[
            messages.Forbidden(
                f.rule,
                f.move,
                f.reason.sentence,
                [numbers[area] for area in f.reason.areas],
            )
            for f in ruling.forbids
        ],
        areas=areas,
        ruled=ruling.answered,
        rules_fault=ruling.fault,
        fatal=fatal,
        walkless=walkless,
        partial=partial,
    )


def _areas(
    place: Position, forbids: tuple[Forbid, ...]
) -> tuple[list[messages.Area], dict[tuple[Cell, ...], int]]:
    """Return the areas counted, in the order and the colours of the picture."""
    rules: dict[tuple[Cell, ...], list[str]] = {}
    for f in forbids:
        for area in f.reason.areas:
            names = rules.setdefault(area, [])
            if f.rule not in names:
                names.append(f.rule)
    found = []
    for number, (area, names) in enumerate(rules.items()):
        black = sum(place.board.black(cell) for cell in area)
        colour = AREA_COLOURS[number % len(AREA_COLOURS)]
        found.append(messages.Area(colour, black, len(area) - black, names))
    return found, {area: number for number, area in enumerate(rules)}


def count(ask: Count, settings: Settings) -> Iterator[Reply]:
    """Count the completions of each move, if memory and time allow."""
    place = position_of(ask.place)
    moves = dict.fromkeys(place.options(), 0)
    if not place.complete and not why_dead(place):
        moves = count_moves(place, memory=MEMORY)
    total = 1 if place.complete else sum(moves.values())
    numbers = {move: str(number) for move, number in moves.items()}
    yield messages.Counted(ask.id, str(total), numbers)


def why(ask: Why, settings: Settings) -> Iterator[Reply]:
    """Explain the dead moves that have a certificate."""
    known = certificates(position_of(ask.place), ask.moves).items()
    found = {
        m: messages.DeadMove(c.sentence, [*c.region], [*c.doors]) for m, c in known
    }
    yield messages.Reasons(ask.id, found)


@cache
def warm() -> None:
    """Load the kernels of most questions, by asking them of a small board."""
    place = Position.parse("7:RRDRURDD")
    decided(place, QUICK)
    picture(place, ())


SOURCE = "oneway lab"


def open_position(ask: Open, settings: Settings) -> Iterator[Reply]:
    """Read a position from a text; its beginning shows what kind of text it is."""
    text = ask.text.removeprefix("\ufeff")
    begin = text.lstrip()[:400]
    name = ask.name or "the text"
    if "|" in begin:
        found = parse_saved_path(text, name)
        yield opened(ask.id, found.position, f"{name}: a saved walk of the researcher")
    elif "\n" in text.strip() or begin.startswith("kind"):
        case = parse_case(text, name)
        rules = case.rules if case.of_the_book else ""  # the page knows no path
        yield opened(ask.id, case.position, f"{name}: {case.why}", rules)
    else:
        yield opened(ask.id, read_line(text.strip()))


def go(ask: Go, settings: Settings) -> Iterator[Reply]:
    """Walk on from a position, or back to the last completable one."""
    end, note = _gone(ask, position_of(ask.place), settings)
    yield messages.Went(ask.id, end.moves, note)


def _gone(ask: Go, place: Position, settings: Settings) -> tuple[Position, str]:
    """Return where it comes to, and what there is to say."""
    if ask.how == "rules":
        rules = chosen_rules(ask.rules, settings)
        end = rules.walker(place.board).walk(ask.seed, place)
        steps = len(end.walk) - len(place.walk)
        what = "complete" if end.complete else "stuck"
        return end, f"{what} after {steps} moves by {ask.rules}"
    check_walkable(place.board)
    if ask.how == "back":
        if fatal := first_fatal(place, oracle()):
            return fatal.before, fatal.sentence
        return place, "no move is fatal: nothing to go back for"
    whole = oracle().decide(place)
    if whole.verdict is not Verdict.COMPLETABLE:
        raise OptionError(f"{whole.sentence}: this walk cannot be completed")
    if ask.how == "complete":
        end = Position(place.board, (*place.walk, *(whole.witness or ())))
        return end, "completed by the oracle's witness"
    end = oracle_walk(place, ask.seed, oracle()).position
    how = "complete" if end.complete else "the oracle gave up"
    return end, f"{how}: each step among the completable moves"


def prove(ask: Prove, settings: Settings) -> Iterator[Reply]:
    """Write a proof of every dead move, or of the position if all are."""
    place = position_of(ask.place)
    prover = get_oracle("sat", proof=True)
    folder = settings.folder / "proofs"
    _, whole, answers = decided(place, LIMIT_NODES)
    dead = [place] if whole.verdict is Verdict.DEAD else []
    dead = dead or [place.step(move) for move in _dead(answers)]
    if not dead:
        why = "nothing here is dead: there is nothing to prove"
        yield messages.Written(ask.id, [why], [])
        return
    lines, files = [], []
    for one in dead:
        paths = write_proof(one, prover, folder)
        size = sum(path.stat().st_size for path in paths)
        lines.append(f"{one.notation} is dead: proof of {size:,} bytes, checked")
        files += [str(path) for path in paths]
    yield messages.Written(ask.id, lines, files)


def keep(ask: Keep, settings: Settings) -> Iterator[Reply]:
    """Save a case: a gap or a wrong ban of the rules chosen, else the truth."""
    place = position_of(ask.place)
    case = _case(place, ask.rules, settings)
    path, new = save_case(case, settings.corpus, rules_of(ask.rules, settings))
    what = "saved" if new else "already saved"
    yield messages.Written(ask.id, [f"{what}: {case.kind}, {case.why}"], [str(path)])


def _case(place: Position, names: str, settings: Settings) -> Case:
    """Make the case that the rules give rise to, as it stands, not minimised."""
    judge, rules = get_oracle("sat"), rules_of(names, settings)
    if rules is not None:
        origin = origin_of(settings.named(names), settings.corpus)
        asked = place, rules, origin, judge
        if case := fault_case(*asked, source=SOURCE, minimal=False):
            return case
    return Case("verdict", "kept by hand", SOURCE, place, truth(place, judge))


def export(ask: Export, settings: Settings) -> Iterator[Reply]:
    """Make a file of a position."""
    place = position_of(ask.place)
    if ask.what == "case":
        case = _case(place, ask.rules, settings)
        yield exported(ask.id, case.name, "toml", case.to_toml())
    else:
        name = file_name(unquoted(place.notation))
        yield exported(ask.id, name, *_file_of(place, ask, settings))


def _file_of(
    place: Position, ask: Export, settings: Settings
) -> tuple[str, str | bytes]:
    """Return the ending of a file, and what it holds."""
    if ask.what == "notation":
        return "txt", place.notation + "\n"
    rules = rules_of(ask.rules, settings)
    forbids = rules.forbids(place) if rules else ()
    if ask.what == "saved":
        forbidden = {f.move for f in forbids}
        allowed = [move for move in place.options() if move not in forbidden]
        return "txt", print_saved_path(place, "".join(allowed))
    if ask.what == "html":
        why, whole, answers = decided(place, LIMIT_NODES)
        known = certificates(place, _dead(answers))
        return "html", share(
            Judged(place, why, whole, answers, forbids, known, ask.rules)
        )
    edges = completion_edges(rules, place) if rules and ask.future else ()
    witness = (oracle().decide(place).witness or ()) if ask.witness else ()
    svg = picture(place, forbids, witness, edges=edges)
    return ask.what, svg if ask.what == "svg" else png(svg)

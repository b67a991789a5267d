"""Positions on pages: decided, extended, saved, exported; walks and labyrinths."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from heuristic.groups import load_rules, words_of
from heuristic.rule import Forbid, RuleSet, completion_edges
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Board, Cell, Position
from solver.counting.count import UniformWalks, count_moves
from solver.errors import CaseError, OnewayError, OptionError
from solver.files import file_name
from solver.labyrinth import INSTRUCTIONS, draw_labyrinth
from solver.notation import unquoted
from solver.oracles.exact import complete_walk, oracle_walk
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
from solver.paper import Sheet, pages_pdf
from solver.svg import AREA_COLOURS, draw, png
from verify.corpus.cases import Case, load_corpus, origin_of, parse_case, save_case
from verify.corpus.faults import make_case, rule_at_fault
from verify.corpus.saved_path import parse_saved_path, print_saved_path
from verify.display import Judged, picture, share
from verify.lab import messages
from verify.lab.messages import Reply
from verify.lab.shared import (
    Decision,
    Settings,
    exported,
    place_of,
    position_of,
    read_line,
    seen,
)
from verify.proof.dead import certificates, write_proof
from verify.truth import first_fatal, truth

QUICK = 2_000  # nodes of the search before a first picture is shown
MEMORY = 400_000_000  # bytes of a count

_oracle = SearchOracle()  # remembers the boards of its questions
_rules_used: set[str] = set()


def _decide(place: Position, limit: int = LIMIT_NODES) -> Decision:
    return decide_with_reason(_search(limit), place)


def _search(limit: int = LIMIT_NODES) -> SearchOracle:
    _oracle.limit = limit
    return _oracle


@cache
def warm() -> None:
    """Load the kernels of most requests by a small board."""
    place = Position.parse("7:RRDRURDD")
    _decide(place, QUICK)
    picture(place, ())


def _rule_set(rules: str, settings: Settings) -> RuleSet | None:
    """Return the rules of a page; a file is read again after a change."""
    if not rules.strip():
        return None
    words = settings.resolve(rules)
    files = [Path(word) for word in words_of(words) if word.endswith(".toml")]
    times = [file.stat().st_mtime_ns if file.exists() else 0 for file in files]
    return _loaded(words, tuple(times))


@lru_cache(maxsize=8)
def _loaded(words: str, times: tuple[int, ...]) -> RuleSet:
    return load_rules(words)


def _chosen(rules: str, settings: Settings) -> RuleSet:
    rule_set = _rule_set(rules, settings)
    if rule_set is None:
        raise OptionError("choose rules first")
    return rule_set


def open_position(ask: messages.Open, settings: Settings) -> Iterator[Reply]:
    """Read a position from a text, whose beginning shows its format."""
    text = ask.text.removeprefix("\ufeff")
    begin = text.lstrip()[:400]
    name = ask.name or "the text"
    note = rules = ""
    if "|" in begin:
        position = parse_saved_path(text, name).position
        note = f"{name}: a saved walk of the researcher"
    elif "\n" in text.strip() or begin.startswith("kind"):
        case = parse_case(text, name)
        position, note = case.position, f"{name}: {case.why}"
        rules = case.rules if case.of_the_book else ""  # pages read no other paths
    else:
        position = read_line(text.strip())
    yield messages.Opened(ask.id, place_of(position), note, rules)


class _Ruling(NamedTuple):
    """The forbidden moves, if the rules have answered, or their fault."""

    forbids: tuple[Forbid, ...] = ()
    edges: tuple[tuple[Cell, Cell], ...] = ()
    answered: bool = False
    fault: str = ""


def _ruling(ask: messages.Look, place: Position, settings: Settings) -> _Ruling:
    try:
        rules = _rule_set(ask.rules, settings)
    except OnewayError as error:
        return _Ruling(fault=str(error))
    if rules is None:
        return _Ruling()
    edges = completion_edges(rules, place) if ask.future else ()
    return _Ruling(rules.forbids(place), edges, answered=True)


def look(ask: messages.Look, settings: Settings) -> Iterator[Reply]:
    """Draw a position and decide its moves; quick answers come before slow ones."""
    place = position_of(ask.place)
    decision = _decide(place, QUICK)
    if ask.rules and ask.rules not in _rules_used:  # kernels may have to be compiled
        _rules_used.add(ask.rules)
        yield _seen(ask, place, decision, _Ruling(), partial=True)
    ruling = _ruling(ask, place, settings)
    if Verdict.UNKNOWN in {a.verdict for a in (decision[1], *decision[2].values())}:
        yield _seen(ask, place, decision, ruling, partial=True)
        decision = _decide(place)
    fatal = None
    if decision[1].verdict is Verdict.DEAD:
        if len(place.walk) > 300:
            yield _seen(ask, place, decision, ruling, partial=True)
        fatal, why = _fatal(place)
        decision = (decision[0] or why, *decision[1:])
    yield _seen(ask, place, decision, ruling, fatal=fatal)


def _fatal(place: Position) -> tuple[tuple[int, str] | None, str]:
    """Return the first fatal move of a dead walk, or the reason for none."""
    try:
        fatal = first_fatal(place, _search())
    except OnewayError:  # the search met its limit
        return None, ""
    if fatal is None:
        return None, "this board has no such walk"
    return (fatal.number, fatal.move), ""


def _seen(
    ask: messages.Look,
    place: Position,
    decision: Decision,
    ruling: _Ruling,
    *,
    partial: bool = False,
    fatal: tuple[int, str] | None = None,
) -> messages.Seen:
    witness = decision[1].witness if ask.witness else None
    areas = list(dict.fromkeys(a for f in ruling.forbids for a in f.reason.areas))
    forbidden = [
        messages.Forbidden(
            *(f.rule, f.move, f.reason.sentence),
            [areas.index(area) for area in f.reason.areas],
        )
        for f in ruling.forbids
    ]
    return seen(
        *(ask, place, decision),
        svg=picture(place, ruling.forbids, witness or (), edges=ruling.edges),
        forbidden=forbidden,
        areas=[_area(place.board, number, area) for number, area in enumerate(areas)],
        ruled=ruling.answered,
        rules_fault=ruling.fault,
        fatal=fatal,
        partial=partial,
    )


def _area(board: Board, number: int, cells: tuple[Cell, ...]) -> messages.Area:
    """Return an area in the colour that the picture gives it."""
    black = sum(board.black(cell) for cell in cells)
    colour = AREA_COLOURS[number % len(AREA_COLOURS)]
    return messages.Area(colour, black, len(cells) - black)


def count(ask: messages.Count, settings: Settings) -> Iterator[Reply]:
    """Count the completions of each move, if memory and time allow."""
    place = position_of(ask.place)
    moves = dict.fromkeys(place.options(), 0)
    if not place.complete and not why_dead(place):
        moves = count_moves(place, memory=MEMORY)
    total = 1 if place.complete else sum(moves.values())
    numbers = {move: str(number) for move, number in moves.items()}
    yield messages.Counted(ask.id, str(total), numbers)


def why(ask: messages.Why, settings: Settings) -> Iterator[Reply]:
    """Explain the dead moves that have a certificate."""
    shown = certificates(position_of(ask.place), ask.moves).items()
    reasons = {
        m: messages.DeadMove(c.sentence, [*c.region], [*c.doors]) for m, c in shown
    }
    yield messages.Reasons(ask.id, reasons)


def go(ask: messages.Go, settings: Settings) -> Iterator[Reply]:
    """Extend a walk, or go back to its last completable position."""
    end, note = _extended(ask, position_of(ask.place), settings)
    yield messages.Went(ask.id, end.moves, note)


def _extended(
    ask: messages.Go, place: Position, settings: Settings
) -> tuple[Position, str]:
    if ask.how == "rules":
        rules = _chosen(ask.rules, settings)
        end = rules.walker(place.board).walk(ask.seed, place)
        steps = len(end.walk) - len(place.walk)
        state = "complete" if end.complete else "stuck"
        return end, f"{state} after {steps} moves by {ask.rules}"
    check_walkable(place.board)
    if ask.how == "back":
        if fatal := first_fatal(place, _search()):
            return fatal.before, fatal.sentence
        return place, "no move is fatal: the walk can be completed"
    whole = _search().decide(place)
    if whole.verdict is not Verdict.COMPLETABLE:
        raise OptionError(f"{whole.sentence}: this walk cannot be completed")
    if ask.how == "complete":
        end = Position(place.board, (*place.walk, *(whole.witness or ())))
        return end, "completed by the oracle"
    end = oracle_walk(place, ask.seed, _search()).position
    state = "complete" if end.complete else "the oracle gave up"
    return end, f"{state}: each step is a random completable move"


def prove(ask: messages.Prove, settings: Settings) -> Iterator[Reply]:
    """Write a proof of every dead move, or of the position if it is dead."""
    place = position_of(ask.place)
    prover = get_oracle("sat", proof=True)
    _, whole, answers = _decide(place)
    dead = [place.step(move) for move in _dead(answers)]
    if whole.verdict is Verdict.DEAD:
        dead = [place]
    lines, files = [], []
    for position in dead:
        paths = write_proof(position, prover, settings.folder / "proofs")
        size = sum(path.stat().st_size for path in paths)
        lines.append(f"{position.notation} is dead: proof of {size:,} bytes, checked")
        files += [str(path) for path in paths]
    yield messages.Written(ask.id, lines or ["no move is dead"], files)


def _dead(answers: Mapping[str, Answer]) -> list[str]:
    return [m for m, answer in answers.items() if answer.verdict is Verdict.DEAD]


def _case(place: Position, names: str, settings: Settings) -> Case:
    """Return the case of a gap or a wrong ban of rules, else of the truth."""
    judge, rules = get_oracle("sat"), _rule_set(names, settings)
    source = "oneway lab"
    rule = rule_at_fault(place, rules, judge) if rules else None
    if rules and rule is not None:
        origin = origin_of(settings.resolve(names), settings.corpus)
        fault = place, rules, origin, judge
        return make_case(rule, *fault, source=source, minimal=False)
    return Case("verdict", "saved by hand", source, place, truth(place, judge))


def keep(ask: messages.Keep, settings: Settings) -> Iterator[Reply]:
    """Save a case of a position."""
    case = _case(position_of(ask.place), ask.rules, settings)
    path, new = save_case(case, settings.corpus, _rule_set(ask.rules, settings))
    line = f"{'saved' if new else 'already saved'}: {case.kind}, {case.why}"
    yield messages.Written(ask.id, [line], [str(path)])


def export(ask: messages.Export, settings: Settings) -> Iterator[Reply]:
    """Return a position as a file."""
    place = position_of(ask.place)
    if ask.what == "case":
        case = _case(place, ask.rules, settings)
        yield exported(ask.id, case.name, "toml", case.to_toml())
    else:
        name = file_name(unquoted(place.notation))
        yield exported(ask.id, name, *_file_of(place, ask, settings))


def _file_of(
    place: Position, ask: messages.Export, settings: Settings
) -> tuple[str, str | bytes]:
    """Return the ending and the content of a file."""
    rules = _rule_set(ask.rules, settings)
    forbids = rules.forbids(place) if rules else ()
    if ask.what == "notation":
        return "txt", place.notation + "\n"
    if ask.what == "saved":
        forbidden = {f.move for f in forbids}
        allowed = [move for move in place.options() if move not in forbidden]
        return "txt", print_saved_path(place, "".join(allowed))
    if ask.what == "html":
        why, whole, answers = _decide(place)
        reasons = certificates(place, _dead(answers))
        judged = Judged(place, why, whole, answers, forbids, reasons, ask.rules)
        return "html", share(judged)
    edges = completion_edges(rules, place) if rules and ask.future else ()
    witness = (_search().decide(place).witness or ()) if ask.witness else ()
    svg = picture(place, forbids, witness, edges=edges)
    return ask.what, svg if ask.what == "svg" else png(svg)


CASES = 24  # cases in one message


def cases(ask: messages.Cases, settings: Settings) -> Iterator[Reply]:
    """List the cases that contain every word, one page at a time."""
    words = ask.words.lower().split()
    cards, faults, total = list[messages.CaseCard](), list[str](), 0

    def refused(error: CaseError) -> None:
        if ask.kind in ("", Path(error.file).parent.name):
            faults.append(str(error))

    for case in load_corpus(settings.corpus, refused):
        fields = (case.name, case.kind, case.why, case.rules, case.source)
        text = " ".join((*fields, case.position.notation)).lower()
        if ask.kind not in ("", case.kind) or not all(word in text for word in words):
            continue
        if ask.first <= total < ask.first + CASES:
            svg = draw(case.position, forbidden=case.subject)
            plain = unquoted(case.position.notation)
            cards.append(messages.CaseCard(*fields[:4], plain, svg))
        total += 1
    rest = ask.first, total, faults[:CASES], str(settings.corpus)
    yield messages.CaseList(ask.id, cards, *rest)


SECONDS = 600.0  # of one left-first run; then the page asks for another
PARTS = 8  # reports a second, at full speed
_last_run: list[tuple[RuleSet, Position, LeftFirstWalk]] = []  # and where it ended


def leftfirst(ask: messages.LeftFirst, settings: Settings) -> Iterator[Reply]:
    """Continue left first, and report several times a second where the walk is.

    The walk continues as if it had reached the position left first: moves to the right
    of those made are tried later. A walk that ended here knows the moves it has tried.
    """
    began = time.perf_counter()
    place = position_of(ask.place)
    rules = _chosen(ask.rules, settings)
    check_walkable(place.board)
    walkers = [walk for old, end, walk in _last_run if old is rules and end == place]
    if not walkers:  # a millisecond a step
        walkers = [LeftFirstWalk.standing(rules, place, counted=ask.counted)]
    [walker] = walkers
    rounds = 1 if ask.step or ask.speed else max(1, walker.pace // PARTS)
    before = (walker.completed, walker.stuck, walker.steps)
    event = ""
    while not event:
        turn = time.perf_counter()
        stop = walker.run(
            budget=rounds, stop_stuck=ask.stop_stuck, stop_complete=ask.stop_complete
        )
        here = walker.position
        forbids = () if here.complete else rules.forbids(here)
        if ask.speed and not ask.step:
            time.sleep(max(0.0, 1 / ask.speed - (time.perf_counter() - turn)))
        if stop is not Event.BUDGET:
            event = stop.name.lower()
        elif ask.step:
            event = "step"
        elif time.perf_counter() - began > SECONDS:
            event = "time"
        now = (walker.completed, walker.stuck, walker.steps)
        pairs = zip(now, before, strict=True)
        completed, stuck, steps = (new - old for new, old in pairs)
        before = now
        if event:
            _last_run[:] = [] if event == "finished" else [(rules, here, walker)]
        seconds = time.perf_counter() - turn
        fired = Counter(f.rule for f in forbids)
        counts = completed, stuck, steps, seconds, fired, event
        yield messages.LeftFirstPart(ask.id, here.moves, *counts)


PICTURES = 6  # labyrinths that a page shows
WALK_MEMORY = 800_000_000  # bytes for uniform walks


def _walks(ask: messages.Labyrinths, board: Board) -> list[Position]:
    """Return complete walks of a board, for the seed and those that follow."""
    check_walkable(board)
    if ask.how == "uniform":
        uniform = UniformWalks(board, seed=ask.seed, memory=WALK_MEMORY)
        return [uniform.draw() for _ in range(ask.count)]
    return [complete_walk(board, ask.seed + number) for number in range(ask.count)]


def _caption(ask: messages.Labyrinths, board: Board) -> str:
    how = "uniform" if ask.how == "uniform" else "step by step"
    return f"{board.notation}, {how}, seed {ask.seed}"


def labyrinths(ask: messages.Labyrinths, settings: Settings) -> Iterator[Reply]:
    """Draw labyrinths."""
    board = position_of(ask.place).board
    draw_walk = draw_labyrinth if ask.look == "walls" else draw
    drawn = [
        messages.Labyrinth(draw_walk(walk), unquoted(walk.notation))
        for walk in _walks(ask, board)[:PICTURES]
    ]
    yield messages.LabyrinthsDrawn(ask.id, drawn, _caption(ask, board))


def sheets(ask: messages.Sheets, settings: Settings) -> Iterator[Reply]:
    """Return pages to print, or the picture of the first labyrinth."""
    board = position_of(ask.place).board
    walks, caption = _walks(ask, board), _caption(ask, board)
    walls = ask.look == "walls"
    name = file_name(f"labyrinth-{board.rows}x{board.cols}-{ask.seed}")
    if ask.file != "pdf":
        svg = draw_labyrinth(walks[0]) if walls else draw(walks[0])
        yield exported(ask.id, name, ask.file, png(svg) if ask.file == "png" else svg)
        return
    parts = [[(draw_labyrinth(walk, solved=not walls), caption) for walk in walks]]
    if walls and ask.solutions:
        parts.append([(draw_labyrinth(walk, solved=True), caption) for walk in walks])
    sheet = Sheet(ask.paper, ask.per_page)
    words = {"title": "Labyrinths", "instructions": INSTRUCTIONS, "footer": caption}
    yield exported(ask.id, name, "pdf", pages_pdf(parts, sheet, **words))

"""Positions that come and go: read, walked on, proved dead, saved, exported."""

import base64
from collections.abc import Iterator

from heuristic.rule import RuleSet
from heuristic.walks.tracked import TrackedWalker
from solver.board import Position
from solver.errors import NoWalkError, OptionError
from solver.notation import unquoted
from solver.nowalk import why_dead
from solver.oracles.exact import oracle_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.svg import png
from solver.system import file_name
from verify.corpus.cases import Case, named_rules, parse_case, save_case
from verify.corpus.saved_path import (
    SavedPath,
    draw_saved_picture,
    parse_saved_path,
    parse_saved_picture,
    print_saved_path,
)
from verify.lab.looking import oracle, rules_of
from verify.lab.messages import (
    Export,
    Exported,
    Go,
    Keep,
    Open,
    Prove,
    Reply,
    Went,
    Written,
)
from verify.lab.places import opened, position_of, read_line
from verify.lab.settings import Settings
from verify.proof.proof_files import write_proof
from verify.tell import picture
from verify.trial.completeness import first_fatal, make_case, truth

SOURCE = "oneway lab"


def open_position(ask: Open, settings: Settings) -> Iterator[Reply]:
    """Read a position from a text; what kind of text it is its beginning tells."""
    text = ask.text.removeprefix("\ufeff")
    begin = text.lstrip()[:400]
    name = ask.name or "the text"
    if "<svg" in begin or begin.startswith("<?xml"):
        saved = parse_saved_picture(text, name)
        yield opened(ask.id, saved.position, f"{name}: a picture of the researcher")
    elif "|" in begin:
        found = parse_saved_path(text, name)
        yield opened(ask.id, found.position, f"{name}: a saved walk of the researcher")
    elif "\n" in text.strip() or begin.startswith("kind"):
        case = parse_case(text, name)
        yield opened(ask.id, case.position, f"{name}: {case.why}", case.rules)
    else:
        yield opened(ask.id, read_line(text.strip()))


def go(ask: Go, settings: Settings) -> Iterator[Reply]:
    """Walk on from a position, or back to the last completable one."""
    place = position_of(ask.place)
    if ask.how == "rules":
        rules = rules_of(ask.rules, settings)
        if rules is None:
            raise OptionError("choose rules first: none are named")
        end = TrackedWalker(rules, place.board).walk_on(place, ask.seed).position
        steps = len(end.walk) - len(place.walk)
        told = "complete" if end.complete else "stuck"
        yield Went(ask.id, end.moves, f"{told} after {steps} moves by {ask.rules}")
        return
    if why := why_dead(Position(place.board)):
        raise NoWalkError(place.board.notation, why)
    if ask.how == "back":
        fatal = first_fatal(place, oracle())
        told = fatal.sentence if fatal else "no move is fatal: nothing to go back for"
        end = fatal.before if fatal else place
        yield Went(ask.id, end.moves, told)
        return
    whole = oracle().decide(place)
    if whole.verdict is not Verdict.COMPLETABLE:
        raise OptionError(f"{whole.verdict.value}: this walk cannot be completed")
    if ask.how == "complete":
        end = Position(place.board, (*place.walk, *(whole.witness or ())))
        yield Went(ask.id, end.moves, "completed by the oracle's witness")
        return
    end = oracle_walk(place, ask.seed, oracle()).position
    told = "each step among the completable moves"
    how = "complete" if end.complete else "the oracle gave up"
    yield Went(ask.id, end.moves, f"{how}: {told}")


def prove(ask: Prove, settings: Settings) -> Iterator[Reply]:
    """Write a proof of every dead move, or of the position if all are."""
    place = position_of(ask.place)
    prover = get_oracle("sat", proof=True)
    folder = settings.folder / "proofs"
    dead = [place] if oracle().decide(place).verdict is Verdict.DEAD else []
    if not dead:
        after = map(place.step, place.options())
        dead = [p for p in after if oracle().decide(p).verdict is Verdict.DEAD]
    if not dead:
        yield Written(ask.id, ["nothing here is dead: there is nothing to prove"], [])
        return
    told, files = [], []
    for one in dead:
        paths = write_proof(one, prover, folder)
        size = sum(path.stat().st_size for path in paths)
        told.append(f"{one.notation} is dead: proof of {size:,} bytes, checked")
        files += [str(path) for path in paths]
    yield Written(ask.id, told, files)


def keep(ask: Keep, settings: Settings) -> Iterator[Reply]:
    """Save a case: a gap or a wrong ban of the rules chosen, else the truth."""
    place = position_of(ask.place)
    case = _case(place, ask.rules, settings)
    path, new = save_case(case, settings.corpus)
    what = "saved" if new else "found again"
    yield Written(ask.id, [f"{what}: {case.kind}, {case.why}"], [str(path)])


def _case(place: Position, names: str, settings: Settings) -> Case:
    """Make the case that the rules give rise to, as it stands, not minimised."""
    judge = get_oracle("sat")
    rules = rules_of(names, settings)
    if rules is not None:
        known, book = named_rules(settings.named(names))
        for kind in ("unsound", "gap"):
            try:
                return make_case(
                    *(kind, place, rules, known, judge),
                    source=SOURCE,
                    book=book,
                    minimal=False,
                )
            except OptionError:  # it shows none of this kind
                continue
    why = "kept by hand"
    return Case("verdict", why, SOURCE, place, truth(place, judge))


def export(ask: Export, settings: Settings) -> Iterator[Reply]:
    """Make a file of a position."""
    place = position_of(ask.place)
    name = file_name(unquoted(place.notation))
    if ask.what == "notation":
        yield Exported(ask.id, f"{name}.txt", "text/plain", place.notation + "\n")
        return
    rules = rules_of(ask.rules, settings)
    if ask.what in ("saved", "saved-svg"):
        saved = SavedPath(place, (), "".join(_allowed(place, rules)))
        if ask.what == "saved":
            yield Exported(ask.id, f"{name}.txt", "text/plain", print_saved_path(saved))
        else:
            svg = draw_saved_picture(saved)
            yield Exported(ask.id, f"{name}.svg", "image/svg+xml", svg)
        return
    if ask.what == "case":
        case = _case(place, ask.rules, settings)
        yield Exported(ask.id, f"{case.name}.toml", "text/plain", case.to_toml())
        return
    forbids = rules.forbids(place) if rules else ()
    edges = rules.edges(place) if rules and ask.future else ()
    witness = (oracle().decide(place).witness or ()) if ask.witness else ()
    svg = picture(place, forbids, witness, edges=edges)
    if ask.what == "svg":
        yield Exported(ask.id, f"{name}.svg", "image/svg+xml", svg)
    else:
        data = base64.b64encode(png(svg)).decode()
        yield Exported(ask.id, f"{name}.png", "image/png", data=data)


def _allowed(place: Position, rules: RuleSet | None) -> list[str]:
    """Return the moves that rules leave, or all."""
    forbidden = {f.move for f in rules.forbids(place)} if rules else set()
    return [move for move in place.options() if move not in forbidden]

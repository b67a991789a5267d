"""Coverage-guided fuzzing of every reader: `make fuzz READER=case SECONDS=3600`.

A reader reads valid files, changed by Atheris towards new branches; it may refuse them
with its own errors, and with no other. Some know more: a certificate of a dead position
must not be believed of one that is alive, and a ledger says what was put into it, or is
refused.

What was found lies in `tests/data/fuzz`. What reached new branches lies in `out/fuzz`,
where the next run goes on, and `python -m tests.fuzz keep` packs as much of it into
`CORPORA` as reaches all of them. The tests of each run read both. `docs/tables/fuzz.md`
adds up the time and the tries of each reader.
"""

import json
import lzma
import mmap
import os
import shutil
import signal
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests/data/fuzz"
CORPORA = KEPT / "corpora.tar.xz"
MET = ROOT / "out/fuzz"
TABLE = ROOT / "docs/tables/fuzz.md"
OURS = ("solver", "heuristic", "verify")
ALIVE = (
    *("5:RRRRDDDLUULDD", "7:RRDLLDRRRUURDRURDDDDL", "9@1,5>9,5:RR"),
    "4x5@1,3>1,4!1,5;2,3;3,1;4,1;4,4;4,5:",
)
DEAD = (
    *("5:RRRRDDDLUULDDLD", "7:RRDLLDRRRUURDRURDDDDLL", "9@1,5>9,5:RRDDRR"),
    *("7:DRURRRDDRUURDDDDDLLLLUU", "3x4@1,3>2,3!1,1;1,2;3,3;3,4:"),
    "3x6@1,3>2,3!1,1;1,2;3,3;3,4;3,5;3,6:",
)


def ours() -> tuple[type[Exception], ...]:
    from solver.errors import OnewayError

    return (OnewayError,)


def faults() -> tuple[type[Exception], ...]:
    from verify.checker.values import Fault

    return (Fault,)


def requests() -> tuple[type[Exception], ...]:
    from msgspec import MsgspecError

    return (MsgspecError, UnicodeDecodeError, RecursionError, *ours())


@dataclass(frozen=True)
class Reader:
    read: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]
    refuses: Callable[[], tuple[type[Exception], ...]] = ours
    lasting: bool = True  # what was met says the same in another run


def text(data: bytes) -> str:
    """Return what a person may type: bytes that are no UTF-8 become surrogates."""
    return data.decode("utf-8", "surrogateescape")


def value(data: bytes) -> Any:
    from verify.checker.reading import unpacked
    from verify.checker.values import Fault

    try:
        json.loads(data)
    except (ValueError, RecursionError):
        raise Fault("no JSON") from None  # and nothing is lost by packing it
    return unpacked(lzma.compress(data, preset=0))


def files(*patterns: str) -> list[bytes]:
    return [p.read_bytes() for x in patterns for p in sorted(ROOT.glob(x))]


# Readers ----------------------------------------------------------------------


def notation(data: bytes) -> object:
    from solver.board import Position

    position = Position.parse(text(data))
    assert Position.parse(position.notation) == position
    return position


def rules(data: bytes) -> object:
    from heuristic.rules.rulefile import parse_rules

    return parse_rules(text(data))


def written() -> list[bytes]:
    begin = b"[[rule]]"
    rules = [
        x for book in files("heuristic/book/*.toml") for x in book.split(begin)[1:]
    ]
    return [begin + rule for rule in rules if len(rule) < 900]


def picture(data: bytes) -> object:
    from heuristic.pictures.picture import read_picture

    return read_picture(data)


def pictures() -> list[bytes]:
    from tests.pictures import ahead, picture

    drawings = (
        *("? % ?\n% .K ?\nx @ x", "? < ?\n? .e ?\n? .sx ?\n? @ x"),
        "? v # >\n^ m b .\n? x @ x",
    )
    line = ahead("M 0.5 0.5 L 0.5 1.5 l 1 0 h 1 v 1 a 0.5 0.5 0 0 1 0.5 0.5")
    plain, *more = [
        picture(drawing, line, flags="|True|False|") for drawing in drawings
    ]
    turn = b'</style>\n\t<g transform="rotate(90, 1, 1)">'
    turned = plain.replace(b"</style>", turn).replace(b"</svg>", b"</g></svg>")
    return [picture(drawings[0]), plain, turned, *more]


def case(data: bytes) -> object:
    from verify.corpus.cases import parse_case

    return parse_case(text(data), "case")


def saved(data: bytes) -> object:
    from verify.corpus.saved_path import parse_saved_path

    return parse_saved_path(text(data))


def drawn(data: bytes) -> object:
    from verify.corpus.saved_path import parse_saved_picture

    return parse_saved_picture(text(data))


def walks(*, pictured: bool) -> list[bytes]:
    from solver.board import Position
    from verify.corpus.saved_path import SavedPath, draw_saved_picture, print_saved_path

    found = []
    for notation in ("5:RRDL", "7:RRDRURDDLD", "9:"):
        position = Position.parse(notation)
        options = tuple("RD" for _ in range(len(position.walk)))
        walk = SavedPath(position, options, "".join(position.options()))
        form = draw_saved_picture if pictured else print_saved_path
        found.append(form(walk).encode())
    return found


def certificate(data: bytes) -> None:
    from verify.checker.reading import hash_of, read
    from verify.checker.whole import check

    said = value(data)
    if type(said) is dict and type(said.get("rule")) is dict:
        said["hash"] = hash_of(said["rule"])  # no fuzzer finds it
    check(read(said))


def certificates() -> list[bytes]:
    from tests.proof.test_hostile import PROVED, of_lines
    from tests.samples import book
    from verify.proof.certificate import certificate_of
    from verify.proof.prove import Proved, prove_rule

    lines = of_lines()
    rules = [book(x) for x in PROVED if x != "near-border-front"]  # it is large
    rules += [lines[f"future-{x}"] for x in ("corner-pass", "connect", "2x3-start-end")]
    proved = [prove_rule(rule) for rule in rules]
    return [lzma.decompress(certificate_of(x)) for x in proved if isinstance(x, Proved)]


def packed(data: bytes) -> object:
    from verify.checker.reading import unpacked

    return unpacked(data)


def family(data: bytes) -> None:
    from verify.checker.family import check_family, read_family

    check_family(read_family(value(data)))


def families() -> list[bytes]:
    from verify.proof.families import every_distance

    return [json.dumps(every_distance(x)).encode() for x in ("up-small", "corner")]


def dead(data: bytes) -> object:
    from verify.checker.dead import find_dead_fault

    said = value(data)
    told = [find_dead_fault(position, said) for position in ALIVE]
    assert None not in told, "a completable position is believed dead"
    return [find_dead_fault(position, said) for position in DEAD]


def deaths() -> list[bytes]:
    from tests.solid.test_dead import KINDS, OTHER_LEVELS, by_moves, data_of, strips_of
    from tests.solid.test_static_certificates import RIGHT_ONES

    honest = [data_of(x) for x in DEAD[:3]]
    assert [x["kind"] for x in honest] == [*KINDS, "cuts"]
    honest += [strips_of(OTHER_LEVELS), by_moves(DEAD[0], 1)]
    honest += [data for text, data in RIGHT_ONES if text in DEAD]
    return [json.dumps(x).encode() for x in honest]


def request(data: bytes) -> None:
    """Read a request, and what it holds as far as a page is answered by reading."""
    from verify.lab import messages
    from verify.lab.handlers import HANDLERS
    from verify.lab.places import position_of
    from verify.lab.settings import Settings

    ask = messages.read_request(data)
    reads = messages.Open, messages.ReadRule, messages.ReadPicture, messages.EditRule
    if isinstance(ask, reads):
        list(HANDLERS[type(ask)](ask, Settings(MET, MET)))
    if place := getattr(ask, "place", None):
        position_of(place)


def asked() -> list[bytes]:
    from msgspec.json import encode

    from solver.board import Position
    from verify.lab import messages
    from verify.lab.places import place_of

    place = place_of(Position.parse("5!2,2:RRD"))
    rule = text(written()[0])
    kept = [
        text(x) for x in (*walks(pictured=False)[:1], *files("corpus/g*/*.toml")[:1])
    ]
    drawn = pictures()[:3]
    cells = messages.AreaDrawn([(0, 1), (1, 1)], "left", "pair", base=(0, 0))
    return [
        *(encode(messages.Open(id=1, text=x, name="a")) for x in ("5:RRD", *kept)),
        encode(messages.Look(id=2, place=place, rules="seed-5")),
        encode(messages.Go(id=3, place=place, how="exact", seed=4)),
        encode(messages.ReadRule(id=4, text=rule)),
        *(encode(messages.ReadPicture(id=5, text=text(x), name="a")) for x in drawn),
        encode(messages.EditRule(id=6, text=rule, rows=["% ?", "@ x"], areas=[cells])),
        encode(
            messages.EditRule(
                id=7, text=rule, words={"name": "b"}, flags={"mirror": True}
            )
        ),
    ]


def knight(data: bytes) -> object:
    from verify.puzzles.knight.boards import read_numbers

    return read_numbers(text(data))


def maze(data: bytes) -> object:
    from solver.puzzles.maze.board import Maze

    return Maze.parse(text(data))


def path(data: bytes) -> object:
    from solver.puzzles.path import read_boards

    return [*read_boards(BytesIO(data), "boards")]


def boards(puzzle: str, name: str = "board") -> list[bytes]:
    from tests.puzzles import samples

    found = [x.get(name) for x in samples.cases(puzzle)]
    return [x.strip().encode() for x in found if isinstance(x, str)]


def contest() -> list[bytes]:
    return [b"%d\n%b\n0\n" % (len(x.split()), x) for x in boards("path")]


def pool(data: bytes) -> object:
    from solver.board import Board
    from verify.discovery.book import load_kept

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pool.json"
        file.write_bytes(data)
        return load_kept(file, Board.square(5), "")


def pools() -> list[bytes]:
    """Return pools of one drawing each: a plain one, with forced edges, of a family."""
    line, both = [[0, 1], [-1, 1], [0, 0], [-2, 1]], [[1, 1], [2, 1]]
    longer = [*line[:2], [-2, 1], [0, 0], [-3, 1]]
    free = [[row, col, "."] for row, col in ([1, 1], [2, 1], [2, 0], [1, 0])]
    forbids, wide = [["NONE", [0, 3]], ["CW", [0]]], 1 << 20
    drawings: list[dict[str, object]] = [
        {"areas": [[line, "right", "impair", -wide, wide]], "forbids": forbids},
        {"cells": free, "joined": [both], "mates": [both], "forbids": forbids},
        {
            "areas": [[longer, "right", "closed", -wide, wide]],
            "grow": [0, 1, -1, 0],
            "tables": [[[["NONE", 3]], [[0, 2], [1, 3]]]],
        },
    ]
    drawings[0] |= {"dead": [[[0, 0], [0, 1]]]}
    common = {"cells": [], "areas": [], "gap": 0, "scope": "PLAIN"}
    head = {"format": 1, "board": "5", "from": "", "met": [["5:R", "D"]], "walked": 7}
    found = [head | {"found": [common | one]} for one in drawings]
    return [json.dumps(one).encode() for one in found]


@cache
def truth() -> tuple[bytes, str]:
    """Return a ledger, and what it says."""
    from tests.campaign.sums import squares
    from verify.campaign.engine import run
    from verify.campaign.ledger import Ledger

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "some.ledger"
        run(squares, {"count": 40, "wrong": [4]}, ledger=file, small=1e9)
        return file.read_bytes(), all_of(Ledger(file))


def all_of(one: Any) -> str:
    with one:
        return repr([*one.rows(), *one.placed(), *one.reports(), one.counts()])


def ledger(data: bytes) -> object:
    from verify.campaign.ledger import Ledger

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "some.ledger"
        file.write_bytes(data)
        told = all_of(Ledger(file))
    assert told == truth()[1], "a changed ledger says something else"
    return told


READERS = {
    "notation": Reader(notation, lambda: [b"5@1,1>5,5!2,2:RRD", b"7:RRDRURDDLD"]),
    "rules": Reader(rules, written),
    "picture": Reader(picture, pictures),
    "case": Reader(case, lambda: files("corpus/[fguv]*/*.toml")[::9]),
    "saved": Reader(saved, lambda: walks(pictured=False)),
    "drawn": Reader(drawn, lambda: walks(pictured=True)),
    "certificate": Reader(certificate, certificates, faults),
    "packed": Reader(packed, lambda: [lzma.compress(b'{"a": [1, 2]}')], faults),
    "family": Reader(family, families, faults),
    "dead": Reader(dead, deaths, faults),
    "request": Reader(request, asked, requests),
    "knight": Reader(knight, lambda: boards("knight", "numbers")),
    "maze": Reader(maze, lambda: boards("maze")),
    "path": Reader(path, contest),
    "pool": Reader(pool, pools),
    "ledger": Reader(ledger, lambda: [truth()[0]], lasting=False),
}


def reads(name: str, data: bytes) -> bool:
    """Tell whether a reader takes the bytes; an error that is not its own is raised."""
    reader = READERS[name]
    try:
        reader.read(data)
    except reader.refuses():
        return False
    return True


# Runs --------------------------------------------------------------------------


def corpora() -> dict[str, list[bytes]]:
    """Return what is packed of each reader."""
    found: dict[str, list[bytes]] = {name: [] for name in READERS}
    with tarfile.open(CORPORA) as packed:
        for member in packed:
            if content := packed.extractfile(member):
                found[member.name.split("/")[0]].append(content.read())
    return found


def few(name: str, inputs: Iterable[bytes]) -> Iterator[bytes]:
    """Yield inputs, short ones first, that reach a branch which none before did."""
    ours = tuple(str(ROOT / room) for room in OURS)
    seen, found = set[object](), set[object]()

    def called(frame: FrameType, *_: object) -> Any:
        code, before = frame.f_code, 0

        def traced(frame: FrameType, event: str, _: object) -> Any:
            nonlocal before
            if event == "line":
                found.add((code, before, frame.f_lineno))
                before = frame.f_lineno
            return traced

        return traced if code.co_filename.startswith(ours) else None

    for data in sorted({*inputs}, key=lambda data: (len(data), data)):
        found.clear()
        sys.settrace(called)
        reads(name, data)
        sys.settrace(None)
        if found - seen:
            seen |= found
            yield data


def keep() -> None:
    """Pack what reached new branches, with what is packed."""
    known = corpora()
    with tarfile.open(aside := CORPORA.with_suffix(".new"), "w:xz", preset=9) as packed:
        for name in [x for x in READERS if READERS[x].lasting]:
            met = {x.read_bytes() for x in (MET / name).glob("*")} | {*known[name]}
            chosen = [*few(name, met)]
            print(f"{name}: {len(chosen)} of {len(met)} inputs", flush=True)
            for number, data in enumerate(chosen):
                member = tarfile.TarInfo(f"{name}/{number}")
                member.size = len(data)
                packed.addfile(member, BytesIO(data))
    aside.replace(CORPORA)


def fuzz(name: str, seconds: float, tries: mmap.mmap) -> None:
    """Fuzz a reader, counting the tries; does not return."""
    import atheris

    os.environ["NUMBA_DISABLE_JIT"] = "1"  # kernels with more code in them
    seeds = READERS[name].seeds()
    for module in [
        x for x in sys.modules if x.startswith(("solver", "heur", "verify"))
    ]:
        del sys.modules[module]
    folder = MET / name
    if not READERS[name].lasting:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate([*seeds, *corpora()[name]]):
        (folder / f"seed-{number}").write_bytes(data)
    options = [f"-max_total_time={seconds:.0f}", "-timeout=60", "-max_len=200000"]
    options += [f"-artifact_prefix={KEPT}/{name}-", "-print_final_stats=1"]

    def tried(data: bytes) -> None:
        tries[:8] = (int.from_bytes(tries[:8], "big") + 1).to_bytes(8, "big")
        reads(name, data)

    with atheris.instrument_imports(include=list(OURS)):
        for data in seeds:
            assert reads(name, data), "a seed is refused"
    atheris.Setup([sys.argv[0], *options, str(folder)], tried)
    atheris.Fuzz()


def add_row(name: str, spent: float, tries: int) -> None:
    """Add time and tries to the row of a reader; several runs may end at a time."""
    import fcntl

    with open(TABLE, "r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        head, mark, body = file.read().rpartition("| --- |\n")
        rows: dict[str, tuple[float, int]] = {}
        for line in body.splitlines():
            cells = line.strip("| ").split(" | ")
            rows[cells[0].strip("`")] = float(cells[1]), int(cells[2].replace(",", ""))
        minutes, count = rows.get(name, (0.0, 0))
        rows[name] = minutes + spent / 60, count + tries
        lines = [f"| `{x}` | {m:.1f} | {n:,} |\n" for x, (m, n) in sorted(rows.items())]
        file.seek(0)
        file.write(head + mark + "".join(lines))


def main() -> None:
    import resource

    if sys.argv[1:] == ["keep"]:
        return keep()
    if sys.argv[1:2] not in [[name] for name in READERS]:
        sys.exit(f"READER is one of {' '.join(READERS)}")
    name, seconds = sys.argv[1], float(sys.argv[2])
    tries = mmap.mmap(-1, 8)
    child = os.fork()
    if not child:
        fuzz(name, seconds, tries)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child ends, and is added up
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    add_row(name, used.ru_utime + used.ru_stime, int.from_bytes(tries[:8], "big"))
    sys.exit(status)


if __name__ == "__main__":
    main()

"""Messages: each is bounded, declared to the pages, and answered exactly."""

import base64
import json
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from heuristic.groups import load_rules
from heuristic.rule import completion_edges
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Board, Position
from solver.counting.count import UniformWalks
from solver.errors import OptionError
from solver.labyrinth import draw_labyrinth
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import get_oracle
from solver.svg import draw, png
from tests.lab.declared import STATIC, declarations
from tests.lab.served import ROOT
from tests.runner import run
from verify.checker.dead import find_dead_fault
from verify.corpus.saved_path import print_saved_path
from verify.display import picture
from verify.lab import board, messages
from verify.lab.messages import QUEUES, encoded, read_request
from verify.lab.shared import Settings, immediate_replies, place_of, position_of
from verify.lab.worker import HANDLERS, answers
from verify.proof.dead import certificates
from verify.strategies import positions

GAP = "7:RRDRURDDLD"
AREAS = "7:DDRRDLLDDDRRRRU"
DEAD = "5:RRRDDRDL"


def lab_settings(folder: Path) -> Settings:
    return Settings(folder / "lab", folder / "corpus", files=(f"{folder}/out.toml",))


def place(notation: str) -> dict[str, Any]:
    reply: dict[str, Any] = msgspec.to_builtins(place_of(Position.parse(notation)))
    return reply


def ask(folder: Path, kind: str, /, **fields: Any) -> list[dict[str, Any]]:
    """Return the replies to a request, as a page gets them."""
    data = json.dumps({"ask": kind, "id": 7, **fields}).encode()
    replies = [
        json.loads(encoded(item)) for item in answers(data, lab_settings(folder))
    ]
    assert all(item["id"] == 7 for item in replies)
    assert replies[-1]["reply"] in ("done", "fault")
    return replies


def only(replies: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    matching = [item for item in replies if item["reply"] == kind]
    assert matching, replies
    return matching[-1]


def file_in(replies: list[dict[str, Any]]) -> tuple[str, str, bytes]:
    file = only(replies, "exported")
    return file["name"], file["kind"], base64.b64decode(file["data"])


def tag_of(kind: Any) -> str:
    return str(kind.__name__).lower()


def test_pages_send_every_request_and_read_every_reply() -> None:
    pages = "".join(file.read_text(encoding="utf-8") for file in STATIC.glob("*.js"))
    sent = set(re.findall(r'\bask: "(\w+)"', pages))
    assert sent == {*map(tag_of, (*QUEUES, messages.Stop))}
    read = set(re.findall(r'\breply [!=]== "(\w+)"', pages))
    assert read == {*map(tag_of, messages.Reply.__subclasses__())}
    assert set(HANDLERS) == set(QUEUES)


def test_messages_are_declared_in_typescript() -> None:
    text = (STATIC / "messages.d.ts").read_text(encoding="utf-8")
    assert text == declarations()
    assert '  reply: "fault";\n  id: number;\n  why: string;\n' in text
    assert "  fatal?: [number, string] | null;\n" in text
    assert '  how: "back" | "complete" | "exact" | "rules";\n' in text


@given(positions())
@settings(max_examples=20, deadline=None)
def test_a_place_is_a_position(position: Position) -> None:
    assert position_of(place_of(position)) == position


def test_look_answers_at_once_and_then_with_the_rules(tmp_path: Path) -> None:
    here, rules = Position.parse(AREAS), load_rules("seed-9-size")
    judge, forbids = get_oracle("sat"), rules.forbids(here)
    common = {
        **{"reply": "seen", "id": 7, "plain": AREAS, "notation": AREAS},
        **{"verdict": "COMPLETABLE", "unvisited": 33, "rules": "seed-9-size"},
        "moves": [
            {
                **{"move": move, "cell": cell, "last": False},
                "verdict": judge.decide(here.step(move)).verdict.name,
            }
            for move, cell in here.options().items()
        ],
    }
    fields = {"place": place(AREAS), "rules": "seed-9-size"}
    bare = fields | {"witness": False, "future": False}
    board._rules_used.clear()
    first, second, _ = ask(tmp_path, "look", **bare)
    more = {"forbidden": [], "areas": [], "partial": True}
    assert first == common | {"svg": picture(here, ())} | more
    areas = [("#ffd98a", 15, 14), ("#a9dcb6", 3, 3)]
    assert second == common | {
        "svg": picture(here, forbids),
        "forbidden": [
            {"rule": f.rule, "move": f.move, "reason": f.reason.sentence, "areas": [n]}
            for f, n in zip(forbids, (0, 1, 1), strict=True)
        ],
        "areas": [{"colour": c, "black": b, "white": w} for c, b, w in areas],
        "ruled": True,
    }
    witness = board._decide(here)[1].witness or ()
    whole, _ = ask(tmp_path, "look", **fields)
    edges = completion_edges(rules, here)
    assert whole["svg"] == picture(here, forbids, witness, edges=edges)


def test_unknown_rules_do_not_hide_the_verdicts(tmp_path: Path) -> None:
    bare = only(ask(tmp_path, "look", place=place(GAP)), "seen")
    seen = only(ask(tmp_path, "look", place=place(GAP), rules="sead-5"), "seen")
    assert seen["moves"] == bare["moves"]
    assert (seen["rules"], seen.get("ruled", False)) == ("sead-5", False)
    assert "sead-5" in seen["rules_fault"]


@pytest.mark.parametrize(
    ("notation", "fatal", "why", "replies"),
    [
        (DEAD, [4, "D"], "2 cells are cut off", 1),
        ("4!1,4;2,2;4,1:", None, "this board has no such walk", 1),
        (f"21:{('R' * 19 + 'D' + 'L' * 19 + 'D') * 8}", [20, "D"], "the region of", 2),
    ],
    ids=["short", "no walk", "long"],
)
def test_a_dead_walk_names_its_first_fatal_move(
    notation: str, fatal: Any, why: str, replies: int, tmp_path: Path
) -> None:
    *partial, seen, _ = ask(tmp_path, "look", place=place(notation))
    assert (seen["verdict"], seen.get("fatal")) == ("DEAD", fatal)
    assert seen["why"].startswith(why)
    assert [seen["partial"] for seen in partial] == [True] * (replies - 1)


def test_a_search_at_its_limit_names_no_fatal_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limited(*_: Any) -> None:
        raise OptionError("the limit came first")

    monkeypatch.setattr(board, "first_fatal", limited)
    seen = only(ask(tmp_path, "look", place=place(DEAD)), "seen")
    assert (seen["verdict"], seen.get("fatal")) == ("DEAD", None)


def test_a_move_to_the_end_is_marked(tmp_path: Path) -> None:
    moves = ask(tmp_path, "look", place=place("3:RRD"))[0]["moves"]
    last = [(item["move"], item["last"]) for item in moves]
    assert last == [("D", True), ("L", False)]


@pytest.mark.parametrize(
    ("notation", "total", "moves"),
    [
        ("7:", "111712", {"R": "55856", "D": "55856"}),
        (DEAD, "0", {"D": "0", "L": "0"}),
        ("3:RRDLLDRR", "1", {}),
    ],
)
def test_completions_of_each_move_are_counted(
    notation: str, total: str, moves: dict[str, str], tmp_path: Path
) -> None:
    reply = ask(tmp_path, "count", place=place(notation))[0]
    assert reply == {"reply": "counted", "id": 7, "total": total, "moves": moves}


WHOLE = "RRRRDDLULDDLUULDDDRRRURD"


@pytest.mark.parametrize(
    ("notation", "how", "moves", "note"),
    [
        ("5:RR", "rules", WHOLE, "complete after 22 moves by seed-5"),
        (DEAD, "rules", "RRRDDRDLLUULLDRDLDRRR", "stuck after 13 moves by seed-5"),
        ("5:RR", "exact", WHOLE, "complete: each step is a random completable move"),
        ("5:RR", "complete", WHOLE, "completed by the oracle"),
        ("5:RR", "back", "RR", "no move is fatal: the walk can be completed"),
        (DEAD, "back", "RRR", "move 4, D, is the first fatal one: 5:RRR can be "),
        (DEAD, "exact", "", "no completion exists: this walk cannot be completed"),
    ],
)
def test_a_walk_is_extended_or_goes_back(
    notation: str, how: str, moves: str, note: str, tmp_path: Path
) -> None:
    fields = {"place": place(notation), "how": how, "rules": "seed-5", "seed": 1}
    reply = ask(tmp_path, "go", **fields)[0]
    assert reply.get("moves", "") == moves
    assert (reply.get("note") or reply["why"]).startswith(note)


def test_a_left_first_walk_in_pieces_counts_as_a_whole_one(tmp_path: Path) -> None:
    rules = load_rules("seed-5")  # is stuck on 5 x 5
    whole = LeftFirstWalk(rules, Position.parse("5:"))
    whole.run()
    assert whole.stuck > 0
    at, event, sums = "5:", "", Counter[str]()
    while event != "finished":
        board._last_run.clear()  # another process, as after a stop
        counted = event in ("stuck", "complete")
        more = {"rules": "seed-5", "stop_complete": True, "counted": counted}
        *parts, done = ask(tmp_path, "leftfirst", place=place(at), **more)
        assert done["reply"] == "done"
        for part in parts:
            sums.update({key: part[key] for key in ("completed", "stuck", "steps")})
        at, event = f"5:{parts[-1]['moves']}", parts[-1]["event"]
    assert [*sums.values()] == [whole.completed, whole.stuck, whole.steps]
    # one round at a time: the same positions and forbidden moves
    walk, here = LeftFirstWalk(rules, Position.parse("5:")), "5:"
    for _ in range(40):
        stop = walk.run(budget=1, stop_stuck=True)
        more = {"rules": "seed-5", "step": True}
        part, _ = ask(tmp_path, "leftfirst", place=place(here), **more)
        here = f"5:{part['moves']}"
        assert here == walk.position.notation
        assert part["event"] == ("stuck" if stop is Event.STUCK else "step")
        fired = Counter(f.rule for f in rules.forbids(walk.position))
        assert part["fired"] == fired


def test_a_left_first_walk_keeps_its_speed(tmp_path: Path) -> None:
    fields = {"place": place("3:"), "rules": "seed-5", "speed": 50}
    *parts, done = ask(tmp_path, "leftfirst", stop_stuck=False, **fields)
    assert (done["reply"], parts[-1]["event"]) == ("done", "finished")
    assert min(part["seconds"] for part in parts) >= 0.02


def test_a_dead_move_is_explained_by_its_certificate(tmp_path: Path) -> None:
    reply = ask(tmp_path, "why", place=place(GAP), moves="RL")[0]["moves"]
    certificate = certificates(Position.parse(GAP), "L")["L"]
    assert reply == {  # R is not dead
        "L": {
            "sentence": certificate.sentence,
            "region": [*certificate.region],
            "doors": [[*door] for door in certificate.doors],
        }
    }


def test_a_shared_page_is_that_of_the_command_and_loads_nothing(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    ran = run("check", GAP, "-r", "seed-5", "--oracle", "search", "-o", str(file))
    assert ran.code == 0
    replies = ask(tmp_path, "export", place=place(GAP), what="html", rules="seed-5")
    page = file_in(replies)[2].decode()
    line = r' points="[^"]*"'  # of the walk and of a completion: there are several
    printed = file.read_text(encoding="utf-8")
    assert re.sub(line, "", page) == re.sub(line, "", printed)
    assert not re.search(r"<script|<link|<img|src=|@import|url\(|href=", page)
    (held,) = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    data = json.loads(unescape(held))
    assert find_dead_fault(data["position"], data["certificate"]) is None
    assert data["position"] == f"{GAP}L"


def test_what_is_dead_is_proved_and_kept_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "lab" / "proofs"
    for notation, dead in (("5:RRDLD", "5:RRDLD"), (GAP, f"{GAP}L")):
        reply = only(ask(tmp_path, "prove", place=place(notation)), "written")
        files = [Path(file) for file in reply["files"]]
        assert [file.suffix for file in files] == [".cnf", ".drat", ".lrat"]
        assert {file.parent for file in files} == {folder}
        size = sum(file.stat().st_size for file in files)
        assert reply["lines"] == [f"{dead} is dead: proof of {size:,} bytes, checked"]
    alive = only(ask(tmp_path, "prove", place=place("5:")), "written")
    assert (alive["lines"], alive["files"]) == (["no move is dead"], [])


def test_a_gap_is_kept_as_a_case(tmp_path: Path) -> None:
    says = "seed-5 allows a move that no completion begins with"
    for state in ("saved", "already saved"):
        reply = ask(tmp_path, "keep", place=place(GAP), rules="seed-5")[0]
        assert reply["lines"] == [f"{state}: gap, {says}"]
        assert Path(reply["files"][0]).parent == tmp_path / "corpus" / "gap"
    reply = ask(tmp_path, "keep", place=place("5:RR"), rules="seed-5")[0]
    assert reply["lines"] == ["saved: verdict, saved by hand"]


@pytest.mark.parametrize("what", ["notation", "saved", "svg", "png", "case"])
def test_exported_files_can_be_opened(what: str, tmp_path: Path) -> None:
    text, rules = "7:RRDRURDD", load_rules("seed-5")
    here, forbids = Position.parse(text), rules.forbids(Position.parse(text))
    fields = {"place": place(text), "rules": "seed-5", "witness": False}
    name, kind, content = file_in(ask(tmp_path, "export", what=what, **fields))
    svg = picture(here, forbids, edges=completion_edges(rules, here))
    allowed = [m for m in here.options() if m not in {f.move for f in forbids}]
    expected = {
        "notation": ("7-RRDRURDD.txt", "text/plain", f"{text}\n".encode()),
        "saved": (
            *("7-RRDRURDD.txt", "text/plain"),
            print_saved_path(here, "".join(allowed)).encode(),
        ),
        "svg": ("7-RRDRURDD.svg", "image/svg+xml", svg.encode()),
        "png": ("7-RRDRURDD.png", "image/png", png(svg)),
    }
    if what == "case":
        assert re.fullmatch(r"7x7-\w+\.toml", name)
        assert content.startswith(b'kind = "verdict"')
    else:
        assert (name, kind, content) == expected[what]
    if what in ("notation", "saved", "case"):
        opened = ask(tmp_path, "open", text=content.decode(), name=name)[0]
        assert opened["place"]["moves"] == "RRDRURDD"
        notes = {
            "saved": f"{name}: a saved walk of the researcher",
            "case": f"{name}: saved by hand",
        }
        assert opened.get("note") == notes.get(what)


@pytest.mark.parametrize("future", [True, False])
def test_a_picture_has_future_lines_if_they_are_wanted(
    future: bool, tmp_path: Path
) -> None:
    here, rules = Position.parse(GAP), load_rules("universal-4")
    edges = completion_edges(rules, here)
    assert edges
    fields = {"place": place(GAP), "rules": "universal-4", "witness": False}
    made = ask(tmp_path, "export", what="svg", future=future, **fields)
    svg = picture(here, rules.forbids(here), edges=edges if future else ())
    assert file_in(made)[2].decode() == svg


def test_internal_errors_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, messages.Count, lambda ask, settings: 1 // 0)
    [fault] = ask(tmp_path, "count", place=place("5:"))
    assert fault["why"].startswith("an internal error, ZeroDivisionError: ")


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 0},
        {"rows": 202},
        {"moves": "RX"},
        {"moves": "R" * 50_000},
        {"walls": [-1]},
        {"more": 1},
        {"start": "0"},
    ],
)
def test_malformed_places_are_refused(change: dict[str, Any]) -> None:
    data = {"ask": "look", "id": 1, "place": place("5:") | change}
    with pytest.raises(msgspec.ValidationError):
        read_request(json.dumps(data))


@pytest.mark.parametrize(
    "name", ["../x.toml", "/etc/x.toml", "a/b.toml", "a\\b.toml", ".x.toml"]
)
def test_pages_name_no_file_outside_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        lab_settings(tmp_path).rule_file(name)
    fields = {"place": place("5:"), "rules": name}
    seen = only(ask(tmp_path, "look", **fields), "seen")
    assert "is not a file of" in seen["rules_fault"]
    gone = ask(tmp_path, "go", **fields, how="rules")
    assert "is not a file of" in only(gone, "fault")["why"]


@pytest.mark.parametrize(
    "text", ["5:RRDLD", " 7x5 ", "9", "5:RX", "201:", "202:", "nonsense", "5:UU"]
)
def test_a_line_is_opened_without_a_worker_as_with_one(
    text: str, tmp_path: Path
) -> None:
    first, *_ = immediate_replies(messages.Open(7, text=text)) or []
    assert json.loads(encoded(first)) == ask(tmp_path, "open", text=text)[0]


def test_cases_are_listed_by_kind_words_and_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "CASES", 2)
    names = {}
    for kind in ("gap", "unsound"):
        folder = tmp_path / "corpus" / kind
        folder.mkdir(parents=True)
        files = sorted((ROOT / "corpus" / kind).glob("*.toml"))[:3]
        for file in files:
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / f"bad-{kind}.toml").write_text("kind = ")
        names[kind] = [file.stem for file in files]
    every = names["gap"] + names["unsound"]
    for fields, shown, total, bad in (
        ({}, every[:2], 6, ["gap", "unsound"]),
        ({"first": 2}, every[2:4], 6, ["gap", "unsound"]),
        ({"kind": "gap", "first": 2}, names["gap"][2:], 3, ["gap"]),
        ({"kind": "stuck"}, [], 0, []),
        ({"words": f"GAP {every[1]}"}, every[1:2], 1, ["gap", "unsound"]),
        ({"words": f"unsound {every[1]}"}, [], 0, ["gap", "unsound"]),
    ):
        listed = only(ask(tmp_path, "cases", **fields), "caselist")
        assert [case["name"] for case in listed["cases"]] == shown
        assert (listed["total"], listed["first"]) == (total, fields.get("first", 0))
        faults = [Path(fault.split(": ")[0]).stem for fault in listed["faults"]]
        assert faults == [f"bad-{kind}" for kind in bad]


@pytest.mark.parametrize("how", ["steps", "uniform"])
def test_labyrinths_are_complete_walks_of_the_seed(how: str, tmp_path: Path) -> None:
    where = Board.square(7)
    if how == "uniform":
        uniform = UniformWalks(where, seed=3)
        walks, says = [uniform.draw() for _ in range(8)], "uniform"
    else:
        walks = [exact_walk(where, seed).position for seed in range(3, 11)]
        says = "step by step"
    fields = {"place": place("7:"), "how": how, "seed": 3, "count": 8}
    for look, draw_walk, pages in (("walls", draw_labyrinth, 16), ("line", draw, 8)):
        reply = ask(tmp_path, "labyrinths", look=look, **fields)[0]
        assert reply == {
            **{"reply": "labyrinthsdrawn", "id": 7},
            "caption": f"7, {says}, seed 3",
            "drawn": [{"svg": draw_walk(w), "plain": w.notation} for w in walks[:6]],
        }
        pdf = file_in(ask(tmp_path, "sheets", look=look, **fields))
        assert pdf[:2] == ("labyrinth-7x7-3.pdf", "application/pdf")
        assert pdf[2].count(b"/Type /Page\n") == pages
        for file, content in (
            ("svg", draw_walk(walks[0]).encode()),
            ("png", png(draw_walk(walks[0]))),
        ):
            made = file_in(ask(tmp_path, "sheets", look=look, file=file, **fields))
            assert made[::2] == (f"labyrinth-7x7-3.{file}", content)


def test_pages_choose_no_file_to_import(tmp_path: Path) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text("import pathlib\npathlib.Path('imported').touch()\n")
    page = Settings(tmp_path, tmp_path)
    with pytest.raises(OptionError, match="Python rule"):
        page.resolve(f"seed-5,{evil}:f")

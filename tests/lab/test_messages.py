"""Messages: each is bounded, answered, and certificate to the pages."""

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
from heuristic.walker import LeftFirstWalk
from solver.board import Position
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from tests.lab.declared import STATIC, declarations
from tests.lab.served import ROOT
from tests.runner import run
from verify.checker.dead import find_dead_fault
from verify.display import picture
from verify.lab import board, messages
from verify.lab.messages import QUEUES, encoded, read_request
from verify.lab.shared import Settings, immediate_replies, place_of, position_of
from verify.lab.worker import HANDLERS, answers
from verify.proof.dead import certificates
from verify.strategies import positions


def lab_settings(folder: Path) -> Settings:
    return Settings(folder / "lab", folder / "corpus")


def place(notation: str) -> dict[str, Any]:
    reply: dict[str, Any] = msgspec.to_builtins(place_of(Position.parse(notation)))
    return reply


def ask(folder: Path, kind: str, /, **fields: Any) -> list[dict[str, Any]]:
    """Ask as a page does; return the replies as a page gets them."""
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


@pytest.mark.parametrize("notation", ["5:RRDLD", "7:RRDRURDDLD", "9:", "7x5!3,3:RR"])
def test_look_agrees_with_oracle_rules_and_picture(
    notation: str, tmp_path: Path
) -> None:
    seen = only(ask(tmp_path, "look", place=place(notation), rules="seed-5"), "seen")
    here = Position.parse(notation)
    judge = get_oracle("sat")
    assert {item["move"]: item["verdict"] for item in seen["moves"]} == {
        move: judge.decide(here.step(move)).verdict.name for move in here.options()
    }
    forbids = load_rules("seed-5").forbids(here)
    assert [(f["rule"], f["move"]) for f in seen["forbidden"]] == [
        (f.rule, f.move) for f in forbids
    ]
    assert seen["verdict"] == judge.decide(here).verdict.name
    bare = ask(
        tmp_path,
        "look",
        place=place(notation),
        rules="seed-5",
        witness=False,
        future=False,
    )
    assert only(bare, "seen")["svg"] == picture(here, forbids)


def test_areas_are_counted_in_the_order_of_the_rules(tmp_path: Path) -> None:
    here = Position.parse("7:DDRRDLLDDDRRRRU")
    fields = {"place": place(here.notation), "rules": "seed-9-size"}
    seen = only(ask(tmp_path, "look", **fields), "seen")
    forbids = load_rules("seed-9-size").forbids(here)
    areas = list(dict.fromkeys(area for f in forbids for area in f.reason.areas))
    assert len(areas) > 1
    black = [sum(map(here.board.black, area)) for area in areas]
    white = [len(area) - number for area, number in zip(areas, black, strict=True)]
    assert [area["black"] for area in seen["areas"]] == black
    assert [area["white"] for area in seen["areas"]] == white
    for shown, f in zip(seen["forbidden"], forbids, strict=True):
        assert [areas[number] for number in shown["areas"]] == list(f.reason.areas)


def test_the_picture_does_not_wait_for_new_rules(tmp_path: Path) -> None:
    board._rules_used.clear()
    fields = {"place": place("5:RRD"), "rules": "seed-5"}
    first, second, _ = ask(tmp_path, "look", **fields)
    assert (first["partial"], first.get("ruled")) == (True, None)
    assert (second.get("partial"), second["ruled"]) == (None, True)
    assert len(ask(tmp_path, "look", **fields)) == 2


def test_unknown_rules_do_not_hide_the_verdicts(tmp_path: Path) -> None:
    fields = {"place": place("7:RRDRURDDLD")}
    bare = only(ask(tmp_path, "look", **fields), "seen")
    seen = only(ask(tmp_path, "look", **fields, rules="sead-5"), "seen")
    assert seen["moves"] == bare["moves"]
    assert (seen["rules"], seen.get("ruled", False)) == ("sead-5", False)
    assert "sead-5" in seen["rules_fault"]


def test_a_dead_walk_names_its_first_fatal_move(tmp_path: Path) -> None:
    seen = only(ask(tmp_path, "look", place=place("5:RRRDDRDL")), "seen")
    assert seen["fatal"] == [4, "D"]
    back = ask(tmp_path, "go", place=place("5:RRRDDRDL"), how="back")
    assert only(back, "went")["moves"] == "RRR"


def test_completions_of_each_move_are_counted(tmp_path: Path) -> None:
    reply = only(ask(tmp_path, "count", place=place("7:")), "counted")
    assert reply["moves"] == {"R": "55856", "D": "55856"}
    assert reply["total"] == "111712"


def test_a_walk_by_rules_obeys_them_to_the_end(tmp_path: Path) -> None:
    rules = load_rules("seed-5")
    for seed in range(5):
        replies = ask(
            tmp_path, "go", place=place("7:RR"), how="rules", rules="seed-5", seed=seed
        )
        here = Position.parse("7:RR")
        for move in only(replies, "went")["moves"][2:]:
            assert move not in {f.move for f in rules.forbids(here)}
            here = here.step(move)
        left = set(here.options()) - {f.move for f in rules.forbids(here)}
        left = {m for m in left if here.options()[m] != here.board.end}
        assert here.complete or not left


def test_a_left_first_walk_in_pieces_counts_as_a_whole_one(tmp_path: Path) -> None:
    rules = "seed-5"  # is stuck on 5 x 5
    whole = LeftFirstWalk(load_rules(rules), Position.parse("5:"))
    whole.run()
    assert whole.stuck > 0
    at, event, sums = "5:", "", [0, 0, 0]
    while event != "finished":
        board._last_run.clear()  # another process, as after a stop
        counted = event in ("stuck", "complete")
        more = {"rules": rules, "stop_complete": True, "counted": counted}
        *parts, done = ask(tmp_path, "leftfirst", place=place(at), **more)
        assert done["reply"] == "done"
        for part in parts:
            keys = ("completed", "stuck", "steps")
            sums = [s + part[key] for s, key in zip(sums, keys, strict=True)]
        at, event = f"5:{parts[-1]['moves']}", parts[-1]["event"]
    assert sums == [whole.completed, whole.stuck, whole.steps]
    # one round at a time: the same positions and forbidden moves
    walk, here = LeftFirstWalk(load_rules(rules), Position.parse("5:")), "5:"
    for _ in range(40):
        walk.run(budget=1, stop_stuck=True)
        more = {"rules": rules, "step": True}
        part = ask(tmp_path, "leftfirst", place=place(here), **more)[0]
        here = f"5:{part['moves']}"
        assert here == walk.position.notation
        rule_names = [f.rule for f in load_rules(rules).forbids(walk.position)]
        assert part["fired"] == dict(Counter(rule_names))


def test_a_dead_move_is_explained_by_its_certificate(tmp_path: Path) -> None:
    reply = ask(tmp_path, "why", place=place("7:RRDRURDDLD"), moves="RL")[0]["moves"]
    certificate = certificates(Position.parse("7:RRDRURDDLD"), "L")["L"]
    assert list(reply) == ["L"]  # R is not dead
    assert reply["L"]["sentence"] == certificate.sentence
    assert reply["L"]["region"] == list(certificate.region)
    assert [tuple(door) for door in reply["L"]["doors"]] == list(certificate.doors)


def test_a_shared_page_is_that_of_the_command_and_loads_nothing(tmp_path: Path) -> None:
    here, file = "7:RRDRURDDLD", tmp_path / "page.html"
    ran = run("check", here, "-r", "seed-5", "--oracle", "search", "-o", str(file))
    assert ran.code == 0
    replies = ask(tmp_path, "export", place=place(here), what="html", rules="seed-5")
    page = base64.b64decode(only(replies, "exported")["data"]).decode()
    line = r' points="[^"]*"'  # of the walk and of a completion: there are several
    printed = file.read_text(encoding="utf-8")
    assert re.sub(line, "", page) == re.sub(line, "", printed)
    assert not re.search(r"<script|<link|<img|src=|@import|url\(|href=", page)
    (held,) = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    data = json.loads(unescape(held))
    assert find_dead_fault(data["position"], data["certificate"]) is None
    assert data["position"] == f"{here}L"
    for move, word in (("R", "completable"), ("D", "completable"), ("L", "dead")):
        assert f"  {move}  {word}" in page


def test_what_is_dead_is_proved_and_kept_in_the_folder(tmp_path: Path) -> None:
    reply = only(ask(tmp_path, "prove", place=place("5:RRDLD")), "written")
    assert "checked" in reply["lines"][0]
    assert {Path(file).suffix for file in reply["files"]} == {".cnf", ".drat", ".lrat"}
    assert all(Path(f).parent == tmp_path / "lab" / "proofs" for f in reply["files"])
    [line] = only(ask(tmp_path, "prove", place=place("5:RRRDDRDL")), "written")["lines"]
    assert line.startswith("5:RRRDDRDL is dead: ")
    alive = only(ask(tmp_path, "prove", place=place("5:")), "written")
    assert alive == {
        "reply": "written",
        "id": 7,
        "lines": ["no move is dead"],
        "files": [],
    }


def test_a_gap_is_kept_as_a_case(tmp_path: Path) -> None:
    gap = place("7:RRDRURDDLD")
    reply = only(ask(tmp_path, "keep", place=gap, rules="seed-5"), "written")
    assert Path(reply["files"][0]).parent.parent == tmp_path / "corpus"
    assert reply["lines"][0].startswith("saved: gap, seed-5 allows")
    again = only(ask(tmp_path, "keep", place=gap, rules="seed-5"), "written")
    assert again["lines"][0].startswith("already saved")


@pytest.mark.parametrize("what", ["notation", "saved", "svg", "png", "case"])
def test_exported_files_can_be_opened(what: str, tmp_path: Path) -> None:
    made = ask(tmp_path, "export", place=place("7:RRDRURDD"), what=what, rules="seed-5")
    file = only(made, "exported")
    assert re.fullmatch(r"[\w.,+=-]+", file["name"])
    content = base64.b64decode(file["data"])
    begins = {"svg": b"<svg", "png": b"\x89PNG", "case": b'kind = "verdict"'}
    assert content.startswith(begins.get(what, b"7"))
    if what in ("notation", "saved", "case"):
        opened = ask(tmp_path, "open", text=content.decode(), name=file["name"])
        assert only(opened, "opened")["place"]["moves"] == "RRDRURDD"


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
    "text", ["5:RRDLD", " 7x5 ", "9", "5:RX", "201:", "202:", "", "nonsense", "5:UU"]
)
def test_a_line_is_opened_without_a_worker_as_with_one(
    text: str, tmp_path: Path
) -> None:
    request = messages.Open(7, text=text)
    mine = immediate_replies(request)
    if mine is None:
        assert not text
        return
    reply = [json.loads(encoded(item)) for item in mine]
    assert reply[0] == ask(tmp_path, "open", text=text)[0]


def test_cases_of_a_kind_are_listed_with_unreadable_files(tmp_path: Path) -> None:
    for kind in ("gap", "unsound"):
        folder = tmp_path / "corpus" / kind
        folder.mkdir(parents=True)
        first = min((ROOT / "corpus" / kind).glob("*.toml"))
        (folder / first.name).write_bytes(first.read_bytes())
        (folder / f"bad-{kind}.toml").write_text("kind = ")
    for wanted, cases in (("", 2), ("gap", 1), ("stuck", 0)):
        listed = only(ask(tmp_path, "cases", kind=wanted), "caselist")
        assert [len(listed["cases"]), listed["total"]] == [cases, cases]
        bad = [fault.split(": ")[0] for fault in listed["faults"]]
        kinds = ("gap", "unsound") if not wanted else ("gap",) if cases else ()
        assert [Path(item).stem for item in bad] == [f"bad-{kind}" for kind in kinds]


def test_cases_are_listed_by_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "CASES", 2)
    folder = tmp_path / "corpus" / "gap"
    folder.mkdir(parents=True)
    files = sorted((ROOT / "corpus" / "gap").glob("*.toml"))[:3]
    for file in files:
        (folder / file.name).write_bytes(file.read_bytes())
    names = [file.stem for file in files]
    for first, shown in ((0, names[:2]), (2, names[2:])):
        listed = only(ask(tmp_path, "cases", first=first), "caselist")
        assert [case["name"] for case in listed["cases"]] == shown
        assert listed["total"] == 3


def test_pages_choose_no_file_to_import(tmp_path: Path) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text("import pathlib\npathlib.Path('imported').touch()\n")
    page = Settings(tmp_path, tmp_path)
    with pytest.raises(OptionError, match="Python rule"):
        page.resolve(f"seed-5,{evil}:f")

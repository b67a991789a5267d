"""`oneway check --blame`: the first fatal move, against a naive look along the walk."""

import json
from itertools import takewhile
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Position
from solver.errors import OptionError
from solver.oracles.brute import BruteOracle
from solver.oracles.oracle import Answer, Verdict, get_oracle
from tests.runner import Ran, assert_refused, run
from tests.samples import GAP
from verify.truth import first_fatal

SEARCH, BRUTE = get_oracle("search"), BruteOracle()
EXAMPLE = "21:RRRRRRDDDDDLLDLDDDLDDDDRRRRRUURRRRRRDDRRRRRUUUULUUUULLL"
DEAD = "5:RRRDDRDL"  # 5:RRR can be completed, 5:RRRD cannot


@pytest.mark.parametrize("text", [DEAD, "5:RD", "5:DDRURDRU", GAP[:-1], "4x5:RRDLL"])
def test_the_first_fatal_move_is_where_brute_force_says(text: str) -> None:
    position = Position.parse(text)
    steps = len(position.walk)
    before = [position.back(steps - n) for n in range(1, steps + 1)]
    alive = [BRUTE.decide(p).verdict is Verdict.COMPLETABLE for p in before]
    fatal = first_fatal(position, SEARCH)
    if all(alive):
        assert fatal is None
    else:
        assert fatal is not None
        assert fatal.number == alive.index(False)
        assert fatal.move == position.moves[fatal.number - 1]


def test_a_board_without_any_walk_has_no_fatal_move() -> None:
    assert first_fatal(Position.parse("4:RRDD"), SEARCH) is None
    ran = run("check", "--blame", "4:RRDD")
    assert ran.code == 1
    assert "this board has no Hamiltonian walk" in ran.out


def test_what_an_oracle_does_not_know_is_not_blamed() -> None:
    class Unsure:
        name = "unsure"

        def decide(self, position: Position) -> Answer:
            known = Verdict.COMPLETABLE if len(position.walk) < 3 else Verdict.UNKNOWN
            return Answer(known)

    with pytest.raises(OptionError, match="does not know"):
        first_fatal(Position.parse("5:RRDDL"), Unsure())


def test_the_command_tells_move_rules_and_picture(tmp_path: Path) -> None:
    file = tmp_path / "blame.svg"
    ran = run("check", "--blame", f"{GAP}LU", "-o", str(file))
    assert ran.code == 0
    assert "move 11, L, is the first fatal one" in ran.out
    assert "<- the move taken" in ran.out
    assert "forbidden by two-factor" in ran.out
    assert 'class="forbidden"' in file.read_text()
    assert 'class="witness"' in file.read_text()
    blind = run("check", "--blame", f"{GAP}LU", "--rules", "seed-5")
    assert "no rule forbids L" in blind.out
    told = json.loads(run("check", "--blame", f"{GAP}LU", "--json").out)
    assert (told["walk"], told["position"]) == (f"{GAP}LU", GAP)
    assert told["fatal"] == {"number": 11, "move": "L"}
    assert told["moves"]["L"]["forbidden"]
    assert run("check", "--blame", GAP).code == 1
    assert "no move is fatal" in run("check", "--blame", GAP).out


def of_moves(ran: Ran, before: str) -> list[str]:
    """Return what is printed of the moves behind a position's notation."""
    lines = ran.out.splitlines()
    rest = lines[lines.index(before) + 1 :]
    told = list(takewhile(lambda line: line.startswith("  "), rest))
    return [line.removesuffix("  <- the move taken") for line in told]


@pytest.mark.parametrize(("board", "rules"), [("7x9", "seed-5"), ("9", "seed-5")])
def test_it_says_of_every_move_what_check_says(board: str, rules: str) -> None:
    walker = load_rules(rules).walker(Position.parse(f"{board}:").board)
    walks = [walker.walk(seed) for seed in range(24)]
    how = ("--rules", rules, "--oracle", "search")
    others = 0
    for place in [walk.position for walk in walks if walk.stuck]:
        fatal = first_fatal(place, SEARCH)
        assert fatal is not None
        before = fatal.before.notation
        told = of_moves(run("check", place.notation, "--blame", *how), before)
        assert told == of_moves(run("check", before, *how), before)
        forbids = load_rules(rules).forbids(fatal.before)
        others += any(f.move != fatal.move for f in forbids)
    assert others, "no rule forbids another move than the fatal one"


def test_the_opening_example_has_no_gap() -> None:
    ran = run(
        "check",
        "--blame",
        EXAMPLE,
        "--rules",
        "forced-edges,area-near-border,sa-straight",
    )
    assert "gap" not in ran.out
    assert ran.out.count("forbidden by sa-straight:") == 2  # D and L


def test_files_and_streams_are_blamed(tmp_path: Path) -> None:
    saved = tmp_path / "walk.txt"
    saved.write_text("5|1-1,1;0,1-2,1;0,1-3,1;0,1-4,1;0,1-4,2;0-4,3;0,1,3")
    ran = run("check", "--blame", str(saved))
    assert "move 4, D, is the first fatal one" in ran.out
    ran = run("check", "--blame", "-", "--json", stdin=f"{DEAD}\n5:R\n")
    first, second = (json.loads(line)["fatal"] for line in ran.out.splitlines())
    assert (first["number"], second) == (4, None)
    assert ran.code == 1
    assert_refused(run("check", "--blame", str(tmp_path / "none.txt")))
    assert_refused(
        run("check", "--blame", "-", "-o", str(tmp_path / "x.svg"), stdin=DEAD)
    )


def test_check_and_import_name_the_first_fatal_move(tmp_path: Path) -> None:
    assert "move 4, D, is the first fatal one" in run("check", DEAD).out
    told = json.loads(run("check", DEAD, "--json").out)
    assert told["fatal"] == {"number": 4, "move": "D"}
    saved = tmp_path / "walk.txt"
    saved.write_text("5|1-1,1;0,1-2,1;0,1-3,1;0,1-4,1;0,1-4,2;0-4,3;0,1,3")
    ran = run("corpus", "add", str(saved), "--dry-run")
    assert "move 4, D, is the first fatal one" in ran.out

"""A position and rules that several tests speak of."""

from functools import cache
from pathlib import Path
from typing import Any

from heuristic.groups import drawings_of, load_rules
from heuristic.rules.drawing import RuleSpec
from solver.board import Position
from solver.oracles.oracle import get_oracle
from verify.corpus.cases import origin_of, save_case
from verify.corpus.faults import make_case, rule_at_fault
from verify.proof.prove import Proved, prove_rule
from verify.proof.window import Window, neighbours

GAP = "7:RRDRURDDLD"  # L is dead, and seed-5 allows it


def rule_text(name: str, drawing: str, more: str = "") -> str:
    """Return the text of a rule file with one drawn rule."""
    keys = f'name = "{name}"\nclaim = "sound"\n{more}'
    return f"[[rule]]\n{keys}drawing = '''\n{drawing}\n'''\n"


NEVER_RIGHT = rule_text("never-right", "@ x", 'reason = "right is never right"\n')
NEVER_AHEAD = rule_text("never-ahead", "x\n@")
CORNER_AHEAD = rule_text("corner-ahead", "? % ?\n% . ?\nx @ x")  # refuted
MENDED = CORNER_AHEAD.replace("% .", "% K")

# Where procedures forbid, met along random walks; among them every start of a sequence.
FIRING = {
    name: texts.split()
    for name, texts in {
        "sa-corner-discovery-2024-07": """
            7:RDLDDDRRRU
            7:RRDRURRRDDDL
            7:DDRDLDDDRRRU
        """,
        "sequence-recursion": """
            7:RRRRRRDLDRDLLUULLLLDDR
            7:RRRRRRDDDDDLUULURULLLLLDDR
            7:DRURRRDRURDDDDLLURULLULDLLDR
            7:DDDDRDLDRRURDRRULULLULUUURRD
            7:RRRRRRDDDDLLURUULDLULDLULDDR
            9:RDLDDRURRRDRDDRDDLULUULULDLLDR
            9:DRURRDLDDDDRRRRULULDLUURUURD
        """,
        "down-stair-scan": """
            9:RRRRRRRRDDDDLULLLLDLULURRRRRRULLLLLLLDDDRDLDRDLDRRURDRRRRU
            9:RRRRRRRRDDLULDLULDLULDDLUULDDDDDRDLDRRRRRURDRUULU
            9:RRRRRRRRDDLULDLULLLLLDRDLDDDRDLDRRRRRURDRUULU
            9:RRRRRRRRDDDDDDDLLLLLLLURRRURDRRULURULURULLDLULLLLDD
            13:RRDDRRDDLULLUULDDDDDDRUUURDRRDRDRDRURDDDLULDLDLLLLU
            11:RDLDDDRUURRRDRDRURDRUULULDLULLLURRRRRRDRURDDLDRDLDRDLLULLDRDDLULDLDLULLU
            13:RRRRRDLLDLULLDRDLDDRURURRURRRDRDDDDDDRRULURULURULURULLULLURRRDRURRDLDRDLDRDLDRDLDRDLDRDLLULDLULLURULLLULU
        """,
        "end-obstacle-corners": """
            11:DRURRRDDRUURDRURDRURDDLDRDDDLLDDDLLURULLLUU
            11:DRURRRDDRUURDRURDRURDDLDRDDDLLDDDLLURULLLUUUR
            9:RDLDDDRRDRDLLULDDDRURDRURDRUULURRDDDRUUUUUUULDL
            15:RDLDDDRDLDDDDRDLDRRRULURRULULDLUURRRDRDRRULULURUU
            13:RDLDDDDDDDDDDDRRRRRURDRRRURDRUUUUULURULUULULDDRDDL
        """,
        "down-stair-program": """
            9:RRRRRRDRURDDDDLLDDLLLULUULUR
            9:RRRDLDLULDDRRRURUURRRRDLDRDDDDLL
            9:DDDDDDRDLDRRRRUURRUUULULLULD
            9:RRRRRRRRDDDDDDDLLLLLLLURRRURDRRULURULURULLDLULLLLDD
            13:RRDDDRDLDLUUUULDDDDDRRDRDRRRRURDRRULURURULLDL
        """,
    }.items()
}
FIRING["sa-corner-discovery-2024-06"] = FIRING["sa-corner-discovery-2024-07"]


def specs(group: str) -> list[RuleSpec]:
    """Return the drawn rules of a group, or one by its name."""
    return drawings_of(load_rules(group))


def book(name: str) -> RuleSpec:
    """Return a drawn rule of the book."""
    (rule,) = specs(name)
    return rule


def in_one_piece(window: Window) -> bool:
    """Tell whether the cells of a window are in one piece without holes."""
    rim = sum(not window.holds(x) for c in window.cells() for x in neighbours(c))
    return rim == len(window.ports())


def saved_fault(folder: Path, names: str, place: str, **options: Any) -> Path:
    """Save what rules get wrong at a position in a corpus; return the file."""
    rules, oracle = load_rules(names), get_oracle("sat")
    position = Position.parse(place)
    rule = rule_at_fault(position, rules, oracle)
    assert rule is not None
    fault = rule, position, rules, origin_of(names, folder), oracle
    return save_case(make_case(*fault, source="a test", **options), folder, rules)[0]


@cache
def proof_of(rule: RuleSpec, **options: Any) -> Proved:
    """Return the proof of a rule, made once."""
    found = prove_rule(rule, **options)
    assert isinstance(found, Proved)
    return found

"""Cases of the small puzzles, and the boards that their tests share."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RIDDLER = "LUU?ULXL/RLRLU*UU/SLRLULXR/UR?RSL?R/RUURRRSL/S?SLSSLR/RLR?RL?L/LRSRSLRL"


def cases(puzzle: str) -> list[dict[str, Any]]:
    """Return the cases of a puzzle: `maze`, `path` or `knight`."""
    text = (ROOT / "corpus" / f"{puzzle}.toml").read_text("utf-8")
    entries: list[dict[str, Any]] = tomllib.loads(text)["case"]
    assert all(case["why"] and case["source"] for case in entries)
    assert len({case["name"] for case in entries}) == len(entries) >= 7
    return entries

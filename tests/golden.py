"""Golden results: `make golden` runs commands and compares what they answer.

`python -m tests.golden --accept` writes the results of today into
``tests/data/golden.json``; do that only where a change of results is meant.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "data" / "golden.json"
Rows: TypeAlias = list[dict[str, Any]]
TESTS = ["tests/proof/test_hostile.py", "tests/commands/test_examples.py"]
TESTS += ["tests/solid", "tests/puzzles"]


def _verdicts(rows: Rows) -> Any:
    return {
        row["rule"]: [row["verdict"], row.get("boards") or row.get("position")]
        for row in rows
    }


def _evidence(rows: Rows) -> Any:
    keys = ("fired", "wrong", "caught", "only")
    return {
        f"{row['rule_set']} on {row['scope']}": {
            "missed": row["missed"],
            "gaps": row["gaps"],
            "rules": {r["name"]: [r[key] for key in keys] for r in row["rules"]},
        }
        for row in rows
    }


def _digest(rows: Rows) -> Any:
    text = json.dumps(rows, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _outcomes(rows: Rows) -> Any:
    outcomes = {row["name"]: row["outcome"] for row in rows if "name" in row}
    return {"cases": len(outcomes), "digest": _digest([outcomes])}


GROUPS = ("seed-5", "seed-9-size", "seed-2024", "seed-superseded")
COMMANDS: dict[str, tuple[str, Callable[[Rows], Any]]] = {
    "verdicts of the book": ("prove --all --jobs 2 --seconds 30 --json", _verdicts),
    "replay of the corpus": ("corpus replay --json", _outcomes),
    **{
        f"evidence of {group}": (f"verify {group} 5 7 --json", _evidence)
        for group in GROUPS
    },
    "found-7 on 7 x 7": ("verify found-7 7 --json", _evidence),
    "gaps of seed-5": ("mine 9 --rules seed-5 -n 30 --dry-run --json", list),
    "milestones": ("milestones 9 --rules seed-9-size -n 100000 --json", list),
    **{
        f"{name} on {side}": (f"walk {side} {options} --json", _digest)
        for name, options in (
            ("exact walks", "--exact -n 20"),
            ("walks by rules", "--rules seed-2024 -n 30"),
        )
        for side in (9, 13, 21, 31)
    },
    "corner to corner, A001184": ("count 11 --b-file --json", list),
    "cycles, A003763": ("count 8 --cycles --b-file --json", list),
}


def run(line: str, folder: str) -> Rows:
    """Run ``oneway LINE`` in a folder; return the objects that it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "verify.start", "-q", *line.split()],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "ONEWAY_CORPUS": f"{ROOT}/corpus"},
        capture_output=True,
        text=True,
    )
    if done.returncode > 1:
        raise SystemExit(f"oneway {line}: {done.stderr}")
    lines = [text for text in done.stdout.splitlines() if text.startswith("{")]
    rows = [json.loads(text) for text in lines]
    return [{key: row[key] for key in row if key != "seconds"} for row in rows]


def main(accept: bool) -> int:
    """Compare, or accept; return the exit code."""
    saved = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    results: dict[str, Any] = {}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (line, reduce) in COMMANDS.items():
            began = time.monotonic()
            results[name] = json.loads(json.dumps(reduce(run(line, folder))))
            same = results[name] == saved.get(name)
            wrong += not same
            word = "same" if same else "DIFFERS"
            seconds = f"{time.monotonic() - began:6.1f} s"
            print(f"{word:8}{seconds}  {name}: oneway {line}", flush=True)
    if accept:
        text = json.dumps(results, indent=1, sort_keys=True)
        KEPT.write_text(f"{text}\n", encoding="utf-8")
        print(f"written: {KEPT.relative_to(ROOT)}")
        return 0
    words = [sys.executable, "-m", "pytest", "-q", "-n", "2", *TESTS]
    good = subprocess.run(words, cwd=ROOT).returncode == 0
    tests = "pass" if good else "FAIL"
    print(f"{wrong} of {len(results)} results differ; tests {tests}")
    return 1 if wrong or not good else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--accept", action="store_true", help="save today's results")
    raise SystemExit(main(parser.parse_args().accept))

"""Generated rules about forced edges, and drawings without a live end, in true worlds.

``python -m tests.proof.tied_worlds FOLDER`` generates rules until there are enough, has
each certificate checked, and asks all of them at positions of boards of their scope;
FOLDER keeps what was done, and the same line goes on.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristic.matching.tables import Ints, Tables, compile_rules, fitting
from heuristic.matching.walks import Drawn, ask, new_drawn, step_to
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.jit import njit
from solver.oracles.exact import exact_walk
from solver.positions import PositionTree, completable_positions
from tests.doubles.mutation import walked
from tests.proof.lines import away_drawings, flat, seen_in, with_less
from tests.proof.tied_rules import NARROW, pictures, proved, text_of
from verify.discovery.question import read_rule
from verify.proof.certificate import check_certificate, save_certificate
from verify.proof.formula import Scope
from verify.refute.refute import Trier
from verify.verdict.sharpen import removals
from verify.verdict.verdict import boards_in

_WALKS = 12  # of one board, each rewired from the one before
_SMALL = 0.3  # of the boards: all their positions, with all completable moves
_CHUNK = 50_000  # positions
_SUMS = ("positions", "boards", "small boards", "walks", "live ends")


def board_in(scope: Scope, board: Board) -> bool:
    """Tell whether a board is one that a scope speaks of."""
    ends = (board.start, board.end)
    rim = all((board.neighbours[cell] < 0).any() for cell in ends)
    if scope is Scope.CORNERS:
        return not board.walls and board.start + board.end == board.cells - 1
    return (scope.walled or not board.walls) and (rim or scope is Scope.PLAIN)


def _carved(board: Board, walk: Sequence[int], rng: random.Random) -> Board:
    """Return the board with walls where the walk has shortcuts, and beyond new ends.

    The new ends lie on the rim again.
    """
    rim = [i for i, at in enumerate(walk) if (board.neighbours[at] < 0).any()]
    first = rng.choice([i for i in rim if i <= len(walk) // 4])
    last = rng.choice([i for i in rim if i >= 3 * len(walk) // 4])
    left, i = list(walk[first : last + 1]), 0
    while i + 3 < len(left):
        if left[i + 3] in board.neighbours[left[i]] and rng.random() < 0.15:
            del left[i + 1 : i + 3]
        i += 1
    walls = tuple(sorted({*range(board.cells)}.difference(left)))
    return Board(board.rows, board.cols, left[0], left[-1], walls)


def _large(scope: Scope, rng: random.Random) -> Iterator[PositionTree]:
    plain = scope if scope is Scope.CORNERS else Scope.RIM
    rows, cols = rng.randint(5, 11), rng.randint(5, 11)
    for board in boards_in(plain, rows, cols, rng, most=1):
        first = _walk(board, rng)
        if not first.complete:
            continue
        if scope is not plain:
            board = _carved(board, first.walk, rng)
        some = [_walk(board, rng).walk for _ in range(_WALKS)]
        yield walked(board, np.array(some, dtype=np.int32))


def _walk(board: Board, rng: random.Random) -> Position:
    return exact_walk(board, rng.randrange(1 << 30)).position


def _small(scope: Scope, rng: random.Random) -> Iterator[PositionTree]:
    rows, cols = rng.randint(3, 6), rng.randint(3, 7)
    if rows * cols <= (20 if scope.walled else 30):
        for board in boards_in(scope, rows, cols, rng, most=1):
            tree = completable_positions(board)
            if len(tree) > 1:
                yield tree


def worlds_of(scope: Scope, seed: int | str) -> Iterator[PositionTree]:
    """Yield positions of boards of a scope with moves known to be completable.

    By lot all positions of a small board, with all such moves, or those along random
    walks of a larger one, each with its next step. Larger boards have their ends on the
    rim in `PLAIN` too.
    """
    rng = random.Random(seed)
    while True:
        yield from (_small if rng.random() < _SMALL else _large)(scope, rng)


@njit
def _count(
    drawn: Drawn,
    tree: tuple[npt.NDArray[np.int16], Ints, npt.NDArray[np.uint8]],
    walk: Ints,
    fired: npt.NDArray[np.int64],
    wrong: npt.NDArray[np.int64],
) -> None:
    """Kernel of `tried`."""
    depths, cells, good = tree
    length, masks = 0, drawn.masks
    for i in range(len(depths)):
        length = step_to(drawn, walk, length, depths[i], cells[i])
        if ask(drawn, walk, length):
            for rule in range(len(masks)):
                if masks[rule]:
                    fired[rule] += 1
                    if masks[rule] & good[i]:
                        wrong[rule] = i


def tried(
    rules: Sequence[RuleSpec] | Tables, tree: PositionTree
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return how often each rule fires, and a position where it is wrong, or -1."""
    tables = rules if isinstance(rules, Tables) else compile_rules(rules)
    fired = np.zeros(len(tables.rules), dtype=np.int64)
    wrong = np.full(len(tables.rules), -1, dtype=np.int64)
    drawn = new_drawn(fitting(tables, tree.board), tree.board)
    walk = np.zeros(tree.board.cells, dtype=np.int32)
    _count(drawn, (tree.depth, tree.cell, tree.good), walk, fired, wrong)
    return fired, wrong


# The command -------------------------------------------------------------------


def _read(path: Path) -> list[Any]:
    """Return the lines of a ledger; a last one that was cut short is left out."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def _note(path: Path, row: object) -> None:
    with path.open("a", encoding="utf-8") as file:
        print(json.dumps(row), file=file, flush=True)


def generate(folder: Path, scope: Scope, enough: int, seed: int) -> list[RuleSpec]:
    """Return so many proved rules of a scope; those of `folder` first."""
    path, kept, seen = folder / f"rules-{scope.name.lower()}.jsonl", [], set[str]()
    steps = 0
    for row in _read(path):
        steps += 1
        seen |= set(row["seen"])
        kept += [read_rule(text) for text in row["rules"]]
    (folder / "proofs").mkdir(parents=True, exist_ok=True)
    while len(kept) < enough:
        steps += 1
        row = {"seen": [], "rules": [], "other": 0}
        tree = next(worlds_of(scope, f"rules {seed} {steps}"))
        for picture, move in pictures(tree, scope, random.Random(f"{seed} {steps}")):
            key = repr((picture, move))
            if key in seen:
                continue
            seen.add(key)
            row["seen"].append(key)
            name = f"{scope.name.lower()}-{steps}-{len(row['seen'])}"
            text = text_of(picture, move, name)
            found = proved(text, scope)
            if found is None or found.scope is not scope:
                row["other"] += 1
                continue
            checked = check_certificate(save_certificate(found, folder / "proofs"))
            if checked.fault is not None:
                raise AssertionError(f"{name}: {checked.fault}")
            row["rules"].append(text)
            kept.append(found.rule)
        _note(path, row)
        print(f"{scope.name}: {steps} boards, {len(kept)} rules", file=sys.stderr)
    return kept


def mutants(rules: Sequence[RuleSpec]) -> list[RuleSpec]:
    """Return the rules with one fact left out, each a rule of its own."""
    return [
        replace(rule, name=f"{rule.name}-{k}", drawings=(change.drawing,))
        for rule in rules
        for k, change in enumerate(removals(rule.drawings[0]))
    ]


def attack(
    folder: Path, scope: Scope, rules: Sequence[RuleSpec], positions: int, seed: int
) -> dict[str, Any]:
    """Ask the rules of a scope at so many positions of it; of `folder` those first.

    There too: the rules with one fact less, and drawings without a live end. And the
    rules at as many positions of the next wider scope with other boards, as a control.
    """
    path, names = folder / f"{scope.name.lower()}.jsonl", [rule.name for rule in rules]
    tables, weaker = compile_rules(rules), mutants(rules)
    kinds = ("with one fact less", "beyond the scope", "away with one fact less")
    caught = {kind: set[str]() for kind in kinds}
    rows, sums = [row for row in _read(path) if row["names"] == names], Counter[str]()
    fired, wrong = np.zeros(len(rules), dtype=np.int64), dict[str, str]()
    away = set[int]()
    for step in count():
        if sums["positions"] >= positions:
            break
        if step < len(rows):
            row = rows[step]
        else:
            wide = Scope.PLANAR if scope is Scope.CORNERS else Scope.PLAIN
            chunk = f"worlds {seed} {step}"
            row = {"names": names} | _attacked(worlds_of(scope, chunk), tables)
            row |= _away(worlds_of(scope, chunk), control=step == 0)
            for what, some, where in zip(
                kinds, (weaker, rules), (scope, wide), strict=False
            ):
                left = [rule for rule in some if rule.name not in caught[what]]
                row[what] = _refuted(worlds_of(where, chunk), left)
            _note(path, row)
        fired += np.array(row["fired"], dtype=np.int64)
        sums.update({key: row[key] for key in _SUMS})
        away |= set(row["away"])
        wrong |= {names[int(k)]: at for k, at in row["wrong"].items()}
        for what, known in caught.items():
            known |= set(row[what])
        told = f"{sums['positions']:,} positions, {len(wrong)} wrong"
        print(f"{scope.name}: {told}", file=sys.stderr, flush=True)
    return {
        "rules": len(rules),
        "with mates": sum(bool(rule.drawings[0].pairs("mates")) for rule in rules),
        **sums,
        "rules that fired": int(np.count_nonzero(fired)),
        "firings": int(fired.sum()),
        "wrong": wrong,
        "rules with one fact less": len(weaker),
        "wrong where expected": {kind: len(found) for kind, found in caught.items()},
        "away drawings shown": sorted(away),
    }


def _chunk(trees: Iterator[PositionTree]) -> Iterator[PositionTree]:
    """Yield trees until they have `_CHUNK` positions."""
    positions = 0
    while positions < _CHUNK:
        tree = next(trees)
        positions += len(tree)
        yield tree


def _attacked(trees: Iterator[PositionTree], tables: Tables) -> dict[str, Any]:
    """Return what one chunk of worlds says of rules."""
    fired, wrong = np.zeros(len(tables.rules), dtype=np.int64), dict[int, str]()
    sums = Counter[str]()
    for tree in _chunk(trees):
        times, at = tried(tables, tree)
        fired += times
        for k in np.flatnonzero(at >= 0).tolist():
            wrong[k] = tree.position(int(at[k])).notation
        small = bool(np.bitwise_count(tree.good).max() > 1)
        sums.update({"positions": len(tree), "boards": 1, "small boards": small})
    return {**sums, "fired": fired.tolist(), "wrong": wrong}


def _refuted(trees: Iterator[PositionTree], rules: list[RuleSpec]) -> list[str]:
    """Return the names of rules that one chunk of worlds speaks against."""
    trier = Trier(rules)
    return [rules[k].name for tree in _chunk(trees) for k, _ in trier.run(tree)]


def _away(trees: Iterator[PositionTree], *, control: bool) -> dict[str, Any]:
    """Ask drawings without a live end along complete walks of one chunk.

    As a control once more with one fact less: many of those are seen.
    """
    drawings = away_drawings()
    weaker = [x for drawing in drawings for x in with_less(drawing) if control]
    tables, walks, ends = flat([*drawings, *weaker]), 0, 0
    seen = np.zeros(len(tables[0]), dtype=np.int64)
    for tree in _chunk(trees):
        whole = np.flatnonzero(tree.good == 0)
        for index in whole[:: -(-len(whole) // _WALKS)]:
            walk = tree.position(int(index)).walk
            seen += seen_in(tables, walk, tree.board)
            walks, ends = walks + 1, ends + len(walk) - 2
    shown = np.flatnonzero(seen)
    return {
        "walks": walks,
        "live ends": ends,
        "away": shown[shown < len(drawings)].tolist(),
        "away with one fact less": [str(k) for k in shown[shown >= len(drawings)]],
    }


def main() -> None:
    """Generate, prove, check and attack; print and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scope", choices=[scope.name for scope in NARROW])
    parser.add_argument("--rules", type=int, default=105, help="of one scope")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    told = {}
    for scope in NARROW:
        if given.scope in (None, scope.name):
            rules = generate(given.folder, scope, given.rules, given.seed)
            asked = given.folder, scope, rules, given.positions, given.seed
            told[scope.name] = attack(*asked)
    print(json.dumps(told, indent=2))
    bad = (one["wrong"] or one["away drawings shown"] for one in told.values())
    sys.exit(any(bad))


if __name__ == "__main__":
    main()

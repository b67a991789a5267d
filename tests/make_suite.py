"""`python -m tests.make_suite` makes the instances of `oneway export --suite`.

They come from the corpus, from docs/found and from seeds, so every run writes the same
file. `tests/verify/test_suite.py` decides them anew.
"""

import random
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from pathlib import Path

from solver.board import LETTERS, Board, Position
from solver.export import SUITE, suite
from solver.files import write_whole
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.propagation.propagate import Propagator, Rules
from solver.solid.certificate import find_certificate
from verify.corpus.cases import corpus_folder, load_corpus

ROOT = Path(__file__).resolve().parent.parent
PAIRS = {9: 3, 13: 3, 21: 2, 31: 2, 51: 2, 101: 1}  # of a rung, by side
DRAWN = ("forced", "blocks", "flow", "cuts")
SEEDS = 400  # walks looked through for a side
CLIMBS = {9: 3, 13: 3, 17: 2, 21: 2, 31: 2}  # boards with holes, by side and oracle
ROOMS = {7: (1, 1014), 9: (7922, 9887, 9991), 13: (2592, 6441, 9539, 10006)}
Suite = dict[str, dict[str, list[str]]]
Spot = tuple[int, int]
ANSWERS = (Verdict.DEAD, Verdict.COMPLETABLE)


def main() -> None:
    write_whole(SUITE, suite_text())
    print(Counter(known.name[:-4] for known in suite()))


def suite_text() -> str:
    """Return the file, made anew: a minute of processor time."""
    rungs: Suite = {}

    def put(rung: str, position: Position, verdict: Verdict) -> None:
        found = rungs.setdefault(rung, {"completable": [], "dead": []})
        answer = search.decide(position)
        assert answer.verdict is verdict, (rung, position, answer)
        text = position.notation
        if answer.witness:
            text += f" {letters(position, answer.witness)}"
        if text not in found[verdict.name.lower()]:
            found[verdict.name.lower()].append(text)

    search = get_oracle("search")
    for rung, before, dead, live in drawn():
        put(rung, before.step(dead), Verdict.DEAD)
        put(rung, before.step(live), Verdict.COMPLETABLE)
    hard = (corpus_folder() / "dead" / "with-factor.toml").read_text(encoding="utf-8")
    for number, text in enumerate(tomllib.loads(hard)["positions"]):
        place = Position.parse(text)
        found = find_certificate(place)
        assert found is not None
        if found.kind == "static" or number % 45 == 0:
            put(found.kind, place, Verdict.DEAD)
    for case in load_corpus(corpus_folder()):
        if case.kind == "gap" and str(case.rules).startswith("universal"):
            for move in case.subject:
                put("gap", case.position.step(move), Verdict.DEAD)
    for name, rung in (("windows-open", "found"), ("saved-gaps", "saved")):
        for line in (ROOT / f"docs/found/{name}.txt").read_text().splitlines():
            if line and line[0] != "#":
                text, moves = line.split()[:2]
                for move in moves:
                    put(rung, Position.parse(text).step(move), Verdict.DEAD)
    for position in holes():
        put("holes", position, Verdict.COMPLETABLE)
    for side, seed in [(n, seed) for n, seeds in ROOMS.items() for seed in seeds]:
        for walls, verdict in zip(pruned(side, seed), ANSWERS, strict=True):
            put("rooms", in_rooms(side, walls), verdict)
    lines = ["# Made by `python -m tests.make_suite`; a completion after a space"]
    for rung, parts in rungs.items():
        lines += ["", f"[{rung}]"]
        for kind, texts in parts.items():
            if texts:
                lines += [f"{kind} = [", *(f'"{text}",' for text in texts), "]"]
    return "\n".join(lines) + "\n"


def letters(position: Position, cells: tuple[int, ...]) -> str:
    """Return the moves to cells, one after the other."""
    pairs = pairwise((position.live_end, *cells))
    return "".join(LETTERS[position.board.direction(a, b)] for a, b in pairs)


def drawn() -> Iterator[tuple[str, Position, str, str]]:
    """Yield positions of exact walks, a dead and a completable move of each.

    The rung is the first of the rules that refutes the dead move, or else the kind of
    its certificate.
    """
    ladder = (
        ("forced", Rules.FORCED_EDGES | Rules.FRAGMENTS),
        ("blocks", Rules.FORCED_EDGES | Rules.FRAGMENTS | Rules.BLOCK_CHAIN),
    )
    for side, pairs in PAIRS.items():
        left = dict.fromkeys(DRAWN, pairs)
        board, strips = Board.square(side), get_oracle("strips")
        for seed in range(SEEDS):
            whole = exact_walk(board, seed).position
            steps = sorted(random.Random(seed).sample(range(side, side**2 - side), 40))
            tools = [(rung, Propagator(board, rules)) for rung, rules in ladder]
            taken = set[str]()
            for step in steps:
                before = whole.back(len(whole.walk) - 1 - step)
                moves = {
                    move: strips.decide(before.step(move)).verdict
                    for move in before.options()
                }
                dead = [m for m, v in moves.items() if v is Verdict.DEAD]
                live = [m for m, v in moves.items() if v is Verdict.COMPLETABLE]
                for move in dead:
                    rung = rung_of(tools, before, move)
                    if left.get(rung) and rung not in taken:
                        left[rung] -= 1
                        taken.add(rung)
                        yield rung, before, move, live[0]
            if not any(left.values()):
                break


def rung_of(tools: list[tuple[str, Propagator]], before: Position, move: str) -> str:
    for rung, propagator in tools:
        propagator.follow(before.walk)
        if move in propagator.forbidden():
            return rung
    found = find_certificate(before.step(move))
    assert found is not None
    return {"colours": "flow"}.get(found.kind, found.kind)


def holes() -> Iterator[Position]:
    """Yield boards with holes, moved about until an oracle finds them hard.

    One half is made hard for `search`, the other for `sat`.
    """
    asked = {
        "search": (get_oracle("search", limit=3_000), 600),
        "sat": (get_oracle("sat", conflicts=20_000), 60),
    }
    for (side, count), name in product(CLIMBS.items(), asked):
        oracle, rounds = asked[name]
        for i in range(count):
            found = climbed(side, f"{side} {name} COMPLETABLE {i}", oracle, rounds)
            if found is not None:
                yield found


def climbed(side: int, seed: str, oracle: Oracle, rounds: int) -> Position | None:
    """Return the hardest completable board met."""
    rng = random.Random(seed)
    walls, score = first_walls(side, rng), -1
    best: Position | None = None
    most = 0
    for _ in range(rounds):
        new = set(walls)
        for _ in range(rng.choice((1, 1, 2))):
            old = rng.choice(sorted(new))
            new.remove(old)
            new.add(rng.choice(open_like(side, new, old)))
        position = Position.parse(f"{side}!{listed(new)}:")
        answer = oracle.decide(position)
        if answer.verdict is Verdict.COMPLETABLE and answer.work >= most:
            best, most = position, answer.work
        if answer.work >= score and answer.verdict is not Verdict.UNKNOWN:
            walls, score = new, answer.work
    return best


def first_walls(side: int, rng: random.Random) -> set[Spot]:
    """Return walls of two cells each: a sixteenth of the board."""
    walls = set[Spot]()
    while len(walls) < side**2 // 16:
        row, col = rng.choice(open_like(side, walls, (0, 0)))
        other = rng.choice(((row + 1, col), (row, col + 1)))
        if other in open_like(side, walls, (0, 1)):
            walls |= {(row, col), other}
    return walls


def open_like(side: int, walls: set[Spot], cell: tuple[int, int]) -> list[Spot]:
    """Return the cells of a colour that are no wall, no start and no end."""
    return [
        (r, c)
        for r, c in product(range(side), repeat=2)
        if (r + c - sum(cell)) % 2 == 0
        and (r, c) not in walls
        and (r, c) not in ((0, 0), (side - 1, side - 1))
    ]


def listed(cells: Iterable[Spot]) -> str:
    return ";".join(f"{row + 1},{col + 1}" for row, col in sorted(cells))


def pruned(side: int, seed: int) -> tuple[set[Spot], set[Spot]]:
    """Return walls of a dead board, and of a completable one with two fewer.

    One wall of each colour after the other, none that rules 1 to 4 refute, until there
    is no walk any more. With one seed in some thousand there is such an end.
    """
    rng, walls = random.Random(f"{side} {seed}"), set[Spot]()
    search, rules = get_oracle("search", limit=3_000), Rules.FOUR
    colours = [open_like(side, set(), spot) for spot in ((0, 0), (0, 1))]
    for _ in range(side**2):
        new = walls | {rng.choice(colours[0]), rng.choice(colours[1])}
        if len(new) < len(walls) + 2:
            continue
        position = Position.parse(f"{side}!{listed(new)}:")
        propagator = Propagator(position.board, rules)
        propagator.follow(position.walk)
        if len(propagator.forbidden()) == len(position.options()):
            continue
        full = 10 * len(new) >= side**2
        if full and search.decide(position).verdict is Verdict.DEAD:
            return new, walls
        walls = new
    raise AssertionError(f"no board of side {side} with seed {seed} ends dead")


def in_rooms(side: int, walls: set[Spot]) -> Position:
    """Return a board with a room of 3 x 3 cells for each cell.

    Rooms of neighbours touch at one cell each, their corners. A room has one cell more
    of the colour of its corners, so each is entered once and left once, and the board
    has a completion if and only if the small one has.
    """
    wide = 5 * side - 2
    tops = {
        (row, col): (3 * row + 2 * col, 3 * col - 2 * row + 2 * side - 2)
        for row, col in product(range(side), repeat=2)
    }
    inside = {
        (top + i, left + j)
        for spot, (top, left) in tops.items()
        if spot not in walls
        for i in range(3)
        for j in range(3)
    }
    ends = tops[0, 0], (wide - 1, tops[side - 1, side - 1][1] + 2)
    shut = {(r, c) for r in range(wide) for c in range(wide)} - inside
    start, end = (listed([spot]) for spot in ends)
    return Position.parse(f"{wide}@{start}>{end}!{listed(shut)}:")


if __name__ == "__main__":
    main()

"""The first verdicts of a server, while its kernels are loaded or even compiled.

``python -m verify.lab.early`` reads requests, writes replies, a line each. The oracle
`sat` needs no kernel for boards of this size. A process of its own, started before the
server loads itself, and killed when a worker is there.
"""

import sys

import msgspec

from heuristic.rule import choices
from solver.board import Position
from solver.jit import python_kernels
from solver.nowalk import decide_with_reason
from solver.oracles.sat import SatOracle
from verify.lab.messages import Look, read_request
from verify.lab.places import first_picture, position_of
from verify.lab.replies import MoveTruth

CELLS = 900  # of a board; it takes some 0.1 s
_oracle = SatOracle(conflicts=20_000)


def early(data: bytes) -> bytes:
    """Return what is true of a position and its moves, or its picture; else nothing."""
    request = read_request(data)
    seen = first_picture(request)
    if not isinstance(request, Look) or seen is None:
        return b""
    place = position_of(request.place)
    if place.board.cells > CELLS:
        return msgspec.json.encode(seen)
    why, whole, answers = decide_with_reason(_oracle, place)
    free = choices(place)
    moves = [
        MoveTruth(move, cell, answers[move].verdict.name, move not in free)
        for move, cell in place.options().items()
    ]
    known = msgspec.structs.replace(
        seen,
        verdict=whole.verdict.name,
        moves=moves,
        why=why,
        complete=place.complete,
    )
    return msgspec.json.encode(known)


def main() -> None:
    """Answer until there is nobody who asks."""
    with python_kernels():
        decide_with_reason(_oracle, Position.parse("9:"))  # loads what it needs
        for line in sys.stdin.buffer:
            sys.stdout.buffer.write(early(line) + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

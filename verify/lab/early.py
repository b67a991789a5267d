"""The first verdicts of a server, while its kernels are loaded or even compiled.

``python -m verify.lab.early`` reads requests, writes replies, a line each. The oracle
`sat` needs no kernel for boards of this size. A process of its own, started before the
server loads itself, and killed when a worker is there.
"""

import sys

import msgspec

from solver.board import Position
from solver.errors import OnewayError
from solver.jit import python_kernels
from solver.notation import unquoted
from solver.nowalk import decide_with_reason
from solver.oracles.sat import SatOracle
from solver.svg import draw
from verify.lab.messages import Look, read_request
from verify.lab.places import position_of, truths
from verify.lab.replies import Seen

CELLS = 900  # of a board; it takes some 0.1 s
_oracle = SatOracle(conflicts=20_000)


def early(data: bytes) -> bytes:
    """Return what is true of a position and its moves, or its picture; else nothing."""
    request = read_request(data)
    if not isinstance(request, Look):
        return b""
    try:
        place = position_of(request.place)
    except OnewayError:
        return b""  # the worker says why
    seen = Seen(
        request.id,
        plain=unquoted(place.notation),
        notation=place.notation,
        svg=draw(place),
        verdict="",
        moves=[],
        forbidden=[],
        areas=[],
        unvisited=place.unvisited,
        rules=request.rules,
        partial=True,
    )
    if place.board.cells <= CELLS:
        why, whole, answers = decide_with_reason(_oracle, place)
        seen = msgspec.structs.replace(
            seen,
            verdict=whole.verdict.name,
            moves=truths(place, answers),
            why=why,
            complete=place.complete,
        )
    return msgspec.json.encode(seen)


def main() -> None:
    """Answer until there is nobody who asks."""
    with python_kernels():
        decide_with_reason(_oracle, Position.parse("9:"))  # loads what it needs
        for line in sys.stdin.buffer:
            sys.stdout.buffer.write(early(line) + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

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
from solver.nowalk import decide_with_reason
from solver.oracles.sat import SatOracle
from solver.svg import draw
from verify.lab.messages import Look, read_request
from verify.lab.places import position_of, seen

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
    known = None
    if place.board.cells <= CELLS:
        known = decide_with_reason(_oracle, place)
    svg = draw(place)
    found = seen(request, place, known, svg=svg, forbidden=[], areas=[], partial=True)
    return msgspec.json.encode(found)


def main() -> None:
    """Answer until there is nobody who asks."""
    with python_kernels():
        decide_with_reason(_oracle, Position.parse("9:"))  # loads what it needs
        for line in sys.stdin.buffer:
            sys.stdout.buffer.write(early(line) + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

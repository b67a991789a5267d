"""The first verdict of a server, while its kernels are loaded or even compiled.

``python -m verify.lab.early``, with ``NUMBA_DISABLE_JIT=1``, reads a request and writes
a reply: the oracle `sat` needs no kernel for a board of this size. A process of its
own, which is killed when a worker is there.
"""

import sys

import msgspec

from heuristic.rule import choices
from solver.nowalk import decide_with_reason
from solver.oracles.sat import SatOracle
from verify.lab.messages import Look, read_request
from verify.lab.places import first_picture, position_of
from verify.lab.replies import MoveTruth

CELLS = 900  # of a board; it takes some 0.1 s


def early(data: bytes) -> bytes:
    """Return what is true of a position and its moves; empty if nobody asks that."""
    request = read_request(data)
    seen = first_picture(request)
    if not isinstance(request, Look) or seen is None:
        return b""
    place = position_of(request.place)
    if place.board.cells > CELLS:
        return b""
    why, whole, answers = decide_with_reason(SatOracle(conflicts=20_000), place)
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


if __name__ == "__main__":
    sys.stdout.buffer.write(early(sys.stdin.buffer.read()))

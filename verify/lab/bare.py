"""What the server answers itself: no kernel, no rule and no oracle is loaded for it.

A position in one line is read here, so that a page shows its board at once. The first
look at a position is a picture alone, while the first worker is being loaded.
"""

from solver.errors import OnewayError
from solver.notation import unquoted
from solver.svg import draw
from verify.lab.messages import Asked, Done, Fault, Look, Open, Reply, Seen
from verify.lab.places import opened, position_of, read_line

LINE = 12_000  # characters; to read more takes a tenth of a second, in a worker
_SIGNS = "<|=\n\r"  # each kind of file that pages open has one of them


def whole_answer(request: Asked) -> list[Reply] | None:
    """Return all replies to what needs no worker; None if it needs one."""
    if not isinstance(request, Open) or len(request.text) > LINE:
        return None
    text = request.text.strip()
    if not text or any(sign in text for sign in _SIGNS):
        return None
    try:
        return [opened(request.id, read_line(text)), Done(request.id, 0.0)]
    except OnewayError as error:
        return [Fault(request.id, str(error))]


def first_look(request: Asked) -> Reply | None:
    """Return the picture of a position that is asked about, with no verdict yet."""
    if not isinstance(request, Look):
        return None
    try:
        place = position_of(request.place)
    except OnewayError:
        return None  # the worker says why
    return Seen(
        request.id,
        plain=unquoted(place.notation),
        notation=place.notation,
        svg=draw(place),
        verdict="",
        moves=[],
        forbidden=[],
        areas=[],
        unvisited=place.unvisited,
        partial=True,
    )

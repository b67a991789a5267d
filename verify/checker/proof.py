"""A certificate of a rule, judged from beginning to end.

The file is JSON compressed by xz. Every drawing, pose and move has a part, or never
fires. Every part's cells and names are such as a proof can speak of. Each of its
clauses follows from the drawing, and lemma by lemma they come to the empty clause. Then
no position on a board of the scope, that one of the drawings matches, is completable by
a move that it forbids.
"""

import hashlib
import lzma
from collections.abc import Callable, Iterable
from itertools import chain, product
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from verify.checker.claim import Flaw, Record, Sketch, Spot, read_as, refuse
from verify.checker.clauses import Clause, check_clauses, check_names
from verify.checker.scene import Scene

FORMAT = 8  # of certificates; no other is read
PACKED, UNPACKED = 16 << 20, 64 << 20  # bytes

SCOPES = ("PLAIN", "PLANAR", "RIM", "CORNERS")  # each lies within the one before
Scope = Literal["PLAIN", "PLANAR", "RIM", "CORNERS"]
# A lemma, and the numbers from 1 of the clauses and lemmas that it follows from.
Step = tuple[Clause, tuple[int, ...]]
NameRead = Annotated[tuple[str | int | Spot, ...], Meta(min_length=2, max_length=4)]


class ClaimedRule(Record, frozen=True):
    """A rule: its name, and its drawings."""

    name: str
    drawings: Annotated[tuple[Sketch, ...], Meta(min_length=1)]


class Part(Record, frozen=True):
    """A proof that no world has a drawing's move in some of its poses."""

    drawing: Annotated[int, Meta(ge=0)]
    poses: Annotated[tuple[str, ...], Meta(min_length=1)]
    move: Spot
    scope: Scope
    cells: Annotated[tuple[Spot, ...], Meta(min_length=1)]
    names: tuple[NameRead, ...]
    clauses: tuple[Clause, ...]
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]


class Certificate(Record, frozen=True):
    """A whole file."""

    format: Literal[8]
    rule: ClaimedRule
    scope: Scope
    parts: Annotated[tuple[Part, ...], Meta(min_length=1)]

    @property
    def upper_left(self) -> bool:
        """Return whether a part assumes that the start is the upper left corner."""
        return any(
            part.scope == "CORNERS"
            and self.rule.drawings[part.drawing].frame == "board"
            and len(part.poses) == 1
            for part in self.parts
        )

    def __post_init__(self) -> None:
        for part in self.parts:
            sketches = self.rule.drawings[part.drawing :][:1]
            own = sketches and set(part.poses) <= set(sketches[0].poses)
            own = own and part.move in sketches[0].moves
            refuse(not own, "a part is not one of its drawing")


Task = tuple[Sketch, Part]
Judged = Callable[[list[Task]], Iterable[str | None]]


def unpacked(data: bytes) -> Any:
    """Return the JSON value of a file, or raise `Flaw`; unpacks `UNPACKED` bytes."""
    refuse(len(data) > PACKED, f"the file has more than {PACKED >> 20} MiB")
    machine = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 << 20)
    why = "it is not xz-compressed JSON"
    try:
        text = machine.decompress(data, UNPACKED + 1)
    except (lzma.LZMAError, MemoryError):
        raise Flaw(why) from None
    refuse(len(text) > UNPACKED, f"it unpacks to more than {UNPACKED >> 20} MiB")
    whole = machine.eof and not machine.unused_data
    refuse(not whole, "the file is cut short, or has more behind its end")
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError, MemoryError):
        raise Flaw(why) from None


def read(data: Any) -> Certificate:
    """Read the JSON value of a certificate; raises `Flaw`."""
    return read_as(data, Certificate)


def check(
    certificate: Certificate,
    judged: Judged | None = None,
    good: set[bytes] | None = None,
) -> None:
    """Raise `Flaw` if a certificate does not prove what it says.

    `judged` may share out the parts: `part_fault` of each, in order. `good` are keys of
    parts without a fault. It grows: rules that share drawings share proofs.
    """
    sketches, parts = certificate.rule.drawings, certificate.parts
    shown = {(part.drawing, pose, part.move) for part in parts for pose in part.poses}
    for number, sketch in enumerate(sketches):
        for pose, move in product(sketch.poses, sketch.moves):
            fires, at = move != sketch.behind(pose), [-move[1], -move[0]]
            why = f"drawing {number + 1}, pose {pose}, move {at} has no proof"
            refuse(fires and (number, pose, move) not in shown, why)
    scope = max((part.scope for part in parts), key=SCOPES.index)
    why = f"it says {certificate.scope}, its parts prove {scope}"
    refuse(certificate.scope != scope, why)
    good = set() if good is None else good
    tasks = [(sketches[part.drawing], part) for part in parts]
    keys = list(map(_key, tasks))
    new = [number for number, key in enumerate(keys) if key not in good]
    tasks = [tasks[number] for number in new]
    faults = judged(tasks) if judged else map(part_fault, tasks)
    for number, fault in zip(new, faults, strict=True):
        refuse(fault is not None, f"part {number + 1}: {fault}")
        good.add(keys[number])


def _key(task: Task) -> bytes:
    sketch, part = task
    data = msgspec.json.encode((sketch, msgspec.structs.replace(part, drawing=0)))
    return hashlib.sha256(data).digest()


def part_fault(task: Task) -> str | None:
    """Return the first fault of a part, or None."""
    sketch, part = task
    try:
        check_numbers(part)
        cells = frozenset(part.cells)
        scene = Scene(sketch, part.poses, part.move, part.scope, cells)
        check_names(scene, part.names)
        check_clauses(scene, part.names, part.clauses)
        check_steps(part.clauses, part.steps)
    except Flaw as fault:
        return str(fault)
    return None


def check_numbers(part: Part) -> None:
    """Raise `Flaw` unless numbers name what there is."""
    named = set(map(abs, chain.from_iterable(part.clauses)))
    right = named == set(range(1, len(part.names) + 1))
    refuse(not right, "the names are not those of the clauses")
    for before, (lemma, used) in enumerate(part.steps, len(part.clauses)):
        variables = set(map(abs, lemma))
        if len(variables) < len(lemma) or not variables <= named:
            raise Flaw("a lemma names a variable twice, or one that there is not")
        if not used or min(used) < 1 or max(used) > before:
            raise Flaw("a lemma follows from nothing, or from a later one")


def check_steps(clauses: tuple[Clause, ...], steps: tuple[Step, ...]) -> None:
    """Raise `Flaw` unless every lemma follows, the last of them the empty clause.

    Suppose a lemma fails. Of its clauses in turn, each has one literal left that can
    hold, which then does, until one clause has none.
    """
    shown: list[frozenset[int]] = list(map(frozenset, clauses))
    for number, (lemma, used) in enumerate(steps, 1):
        failing = set(lemma)  # literals that do not hold
        for clause in used:
            left = shown[clause - 1] - failing
            if not left:
                break
            if len(left) > 1:
                raise Flaw(f"the proof fails: step {number} does not follow")
            failing.add(-next(iter(left)))
        else:
            raise Flaw(f"the proof fails: step {number} does not follow")
        shown.append(frozenset(lemma))
    refuse(bool(shown[-1]), "the proof fails: it does not end with the empty clause")

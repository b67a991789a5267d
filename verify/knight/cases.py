"""Cases of knight's tours: small TOML files under ``corpus/knight/``.

``why``, ``source``
    One sentence each: why it was kept, and where it comes from.
``kind``
    ``judged``: `numbers`, rows of a board, and `holds`, the conditions that hold.
    ``stuck``: `rule`, `seed`, `board` and `start` (row, col from 1): the walk that got
    stuck with `cells` cells, though a tour exists; `blame` is its first mistake.
    ``none``: `board`, `start` and `closed`: no such tour exists.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta

from heuristic.knight.rules import RULES, walk
from solver.errors import CaseError
from solver.knight.sat import sat_tour
from solver.knight.search import Status, search
from verify.corpus.casefile import CaseFile, checked_case, read_folder, read_table
from verify.knight.judge import judge
from verify.knight.reader import read_numbers
from verify.knight.trial import blame, completable

_Condition: TypeAlias = Annotated[int, Meta(ge=1, le=7)]
_Line: TypeAlias = Annotated[int, Meta(ge=1, le=24)]  # rows or columns of a case
_Pair: TypeAlias = tuple[_Line, _Line]


class Judged(CaseFile, frozen=True):
    """A board with numbers, and the conditions that hold."""

    numbers: str
    holds: Annotated[list[_Condition], Meta(max_length=7)]

    def fault(self) -> str | None:
        """Return what is found against the claim, None if it holds."""
        found = judge(read_numbers(self.numbers))
        holds = [one.number for one in found.conditions if one.holds]
        return None if holds == self.holds else f"conditions {holds} hold"


class OnBoard(CaseFile, frozen=True):
    """What cases of a board and a start have in common."""

    board: _Pair
    start: _Pair

    def __post_init__(self) -> None:
        """Refuse a start outside the board."""
        CaseFile.__post_init__(self)
        if self.start[0] > self.board[0] or self.start[1] > self.board[1]:
            raise ValueError("the start lies outside the board")

    @property
    def cell(self) -> int:
        """The start as a cell."""
        return (self.start[0] - 1) * self.board[1] + self.start[1] - 1


class Stuck(OnBoard, frozen=True):
    """A rule's walk that got stuck."""

    rule: str
    seed: Annotated[int, Meta(ge=0)]
    cells: Annotated[int, Meta(ge=1)]
    blame: Annotated[int, Meta(ge=2)]

    def fault(self) -> str | None:
        """Return what is found against the claim, None if it holds."""
        rows, cols = self.board
        walked = walk(rows, cols, self.cell, rule=self.rule, seed=self.seed)
        cells = tuple(map(int, walked.cells))
        if not walked.stuck or len(cells) != self.cells:
            return f"the rule visits {len(cells)} cells"
        if not completable(rows, cols, (self.cell,)):
            return "no tour begins there"
        at = blame(rows, cols, cells)
        return None if at == self.blame else f"the first mistake is number {at}"


class NoTour(OnBoard, frozen=True):
    """A start without a tour."""

    closed: bool

    def fault(self) -> str | None:
        """Return what is found against the claim, None if it holds."""
        rows, cols = self.board
        found = search(rows, cols, (self.cell,), closed=self.closed, steps=-1)
        asked = sat_tour(rows, cols, (self.cell,), closed=self.closed)
        if found.status is Status.NONE and asked.status is Status.NONE:
            return None
        return f"search says {found.status.name}, sat {asked.status.name}"


Claim: TypeAlias = Judged | Stuck | NoTour
KINDS: dict[str, type[Claim]] = {"judged": Judged, "stuck": Stuck, "none": NoTour}


@dataclass(frozen=True, slots=True)
class KnightCase:
    """One case: its name and what it claims."""

    name: str
    claim: Claim

    def fault(self) -> str | None:
        """Return what is found against the claim, None if it holds."""
        return self.claim.fault()


def parse_case(text: str, file: str) -> KnightCase:
    """Read a case; `file` names it.

    Raises
    ------
    CaseError
        If it is no TOML, or a key is missing, unknown or has no sense.
    """
    table = read_table(text, file)
    kind = table.pop("kind", None)
    if not isinstance(kind, str) or kind not in KINDS:
        raise CaseError(file, "kind", f"{kind!r} is none of {', '.join(KINDS)}")
    claim = checked_case(table, KINDS[kind], file)
    if isinstance(claim, Stuck) and claim.rule not in RULES:
        raise CaseError(file, "rule", f"{claim.rule!r} is none of {', '.join(RULES)}")
    return KnightCase(Path(file).stem, claim)


def load_cases(folder: Path) -> list[KnightCase]:
    """Read all cases of a folder, by name; errors as `parse_case`."""
    return read_folder(folder, parse_case)

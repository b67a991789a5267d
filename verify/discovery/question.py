"""One formula for all drawings of a kind: what they know is assumed, not written.

The formula of `verify.proof.encoding` is built for a window of which nothing is known
but the forbidden move. What a drawing knows of a cell is that it is *not* something:
free, visited, outside, the end; what it knows of its area is that the doors do *not*
come to some sums. Each such *fact* is the negation of a variable that the formula has
already, so it is assumed. One solver answers for every gap of a board and every
drawing, and keeps its cuts and what it learned. The facts that it needed to say no, the
*core*, are a drawing.

`verify.proof.encoding` lays the virtual arc along the first side of the board that the
drawing is sure to show. Here no cell is known, so each side of each cell gets a
variable, ``("seen", side, beyond)``: it can be true only where the cell beyond is
outside and the cell before it on the board. In every world one may take the first side,
in the order of directions, that shows anywhere, and lay the arc along it: so that is
true, and it speaks of any drawing at once.

Cells are ``(row, col)`` of the page, as in `verify.proof.window`. A *picture* is cells
and areas; what it forbids follows from it, move by move and turn by turn. So one
picture becomes one rule, with a form for each set of moves.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias
from weakref import finalize

from heuristic.rules.drawing import (
    LIVE_END,
    AreaSpec,
    Spot,
    box_around,
    page_cell,
    written,
)
from heuristic.rules.letters import (
    FORBIDDEN,
    STATES,
    TURN_NAMES,
    area_table,
    line_marks,
    rows_of,
    rule_text,
)
from solver.symmetry import Symmetry
from verify.proof.encoding import encode, surpluses
from verify.proof.formula import Formula, Name, Scope, cuts
from verify.proof.window import (
    FREE,
    LIVE,
    OUT,
    STATE_NAMES,
    VISITED,
    Edge,
    Window,
    edge,
    neighbours,
)

# The variable of that name is false; of ``("dead", a, b)`` it is true: the step is dead
# when it is followed.
Fact: TypeAlias = Name

BEHIND: Spot = (1, 0)
_SOLVER = "minisat22"
_CONFLICTS = 20_000  # of one answer
_QUESTIONS = 1000  # solvers that are kept
_MODELS = 20  # that are cut before a question is given up


def _window(move: int, radius: int, areas: tuple[AreaSpec, ...]) -> Window:
    """Return a window in which nothing is known but the move and lines of areas."""
    states = {neighbours(LIVE)[move]: FREE, BEHIND: VISITED}
    for area in areas:
        states |= dict.fromkeys(area.cells, FREE)
    for area in areas:
        for at in {area.base, area.wall} - {LIVE_END}:
            states[at] = states.get(at, VISITED | OUT)
    top, left, bottom, right = box_around([LIVE, *(states if areas else ())])
    return Window(
        *(top - radius, left - radius, bottom + radius, right + radius),
        states=states,
        move=move,
        behind=BEHIND,
        areas=areas,
    )


class Question:
    """A formula in a solver, asked for one set of facts after the other.

    - `sums`: for each area the facts that its doors come to a surplus, by surplus.
    """

    def __init__(self, window: Window) -> None:
        from pysat.solvers import Solver

        self.window = window
        self.formula: Formula = encode(window, Scope.PLAIN)
        self._dead: Fact = ("dead", *edge(LIVE, neighbours(LIVE)[window.move]))
        self.formula.add(-self.formula.var(*self._dead))
        self._solver: Any = Solver(name=_SOLVER, bootstrap_with=self.formula.clauses)
        # PySAT frees a solver noisily when the interpreter is half gone already.
        finalize(self, self._solver.delete)
        self.sums = tuple(
            surpluses(self.formula, window, k) for k in range(len(window.areas))
        )

    def _literal(self, fact: Fact) -> int:
        """Return the literal of a fact; 0 if the formula knows it, or says nothing."""
        if fact == self._dead:
            return self.formula.var(*fact)
        if fact in self.formula.constants:
            return 0
        return -self.formula.names.get(fact, 0)

    def core(self, facts: Collection[Fact]) -> frozenset[Fact] | None:
        """Return the facts that make the move impossible; None if it stays possible.

        None too where it is not known: after many conflicts, or many models that broke
        a statement.
        """
        number = {self._literal(fact): fact for fact in facts}
        number.pop(0, None)
        for _ in range(_MODELS):
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited(assumptions=list(number))
            if answer is False:
                return frozenset(number[x] for x in self._solver.get_core() or ())
            true = {x for x in self._solver.get_model() or () if x > 0}
            broken = cuts(self.window, self.formula, true) if answer else []
            if not broken:
                return None
            for clause in broken:
                self._solver.add_clause(clause)
        return None


@lru_cache(maxsize=_QUESTIONS)
def question(move: int, radius: int, areas: tuple[AreaSpec, ...] = ()) -> Question:
    """Return the one question of a kind; of many, those asked last are kept.

    - `move`: 0 or 3 of `verify.proof.window.STEPS`: straight on or to the left.
    - `radius`: cells each way; from the live end, or beyond live end and lines of the
      areas.
    - `areas`: their lines; their conditions are no part of the formula.
    """
    return Question(_window(move, radius, areas))


@dataclass(frozen=True, slots=True)
class Picture:
    """What a drawing asks of the page.

    - `cells`, tuple of (cell, letter): sorted; a letter of `STATES`. Cells of an area's
      line, base and wall are asked by the area, and are not among them.
    - `step`: a step of the live end that is dead when it is followed, if any. Its cell
      is free, and is among `cells` only where more is asked of it.
    """

    cells: tuple[tuple[Spot, str], ...]
    areas: tuple[AreaSpec, ...] = ()
    step: Edge | None = None

    @property
    def facts(self) -> int:
        """How much a person has to look at.

        Cells asked, and one for each area and a step that is followed. Where such a
        step leads is no fact more, as the cell of a forbidden move is none.
        """
        cells = {cell for cell, _ in self.cells} | self.of_areas()
        return len(cells) + len(self.areas) + (self.step is not None)

    def of_step(self) -> set[Spot]:
        """Return the cell that a followed step leads to, if there is one."""
        return set(self.step or ()) - {LIVE}

    def of_areas(self) -> set[Spot]:
        """Return the cells of areas: lines, bases, walls; the live end left out."""
        cells = {
            at for area in self.areas for at in (*area.cells, area.base, area.wall)
        }
        return cells - {LIVE}

    def letters(self) -> dict[Spot, str]:
        """Return what is asked of each cell, that of a followed step among them."""
        return dict.fromkeys(self.of_step(), ".") | dict(self.cells)

    def asks(self) -> list[tuple[str, Spot]]:
        """Return what is asked of cells: a letter and its cell."""
        return [(letter, cell) for cell, letter in self.letters().items()]

    def turned(self, turn: Symmetry) -> "Picture":
        """Return the picture as it lies when the page is turned."""

        def area(one: AreaSpec) -> AreaSpec:
            other = {"left": "right", "right": "left"}
            return replace(
                one,
                cells=tuple(map(turn.turn, one.cells)),
                side=other[one.side] if turn.mirrors else one.side,
                base=turn.turn(one.base),
                wall=turn.turn(one.wall),
                entry=turn.turn(one.entry),
            )

        return self.placed(turn.turn, area)

    def placed(
        self, land: Callable[[Spot], Spot], area: Callable[[AreaSpec], AreaSpec]
    ) -> "Picture":
        """Return the picture with its cells and areas somewhere else."""
        cells = sorted((land(cell), letter) for cell, letter in self.cells)
        step = self.step and edge(*map(land, self.step))
        return Picture(tuple(cells), tuple(map(area, self.areas)), step)

    def facts_of_cells(self) -> list[Fact]:
        """Return what its cells are not, and its step, as facts of a formula."""
        facts: list[Fact] = [("dead", *self.step)] if self.step else []
        for cell, letter in self.letters().items():
            states, not_end = STATES[letter]
            facts += [(name, cell) for name, bit in STATE_NAMES if not states & bit]
            if not_end:
                facts.append(("T", cell))
        return facts


@dataclass(frozen=True, slots=True)
class Found:
    """A picture with all that it forbids.

    - `forbids`, tuple of (turn, moves): for each turn of the page, the forbidden moves
      in the heading frame, 0 to 3 for straight, right, behind, left; turns that forbid
      nothing are left out.
    """

    picture: Picture
    forbids: tuple[tuple[Symmetry, tuple[int, ...]], ...]

    def toml(self, name: str, origin: str, reason: str, boards: str = "") -> str:
        """Return the rule as text of a rule file; `boards` names those it is for.

        Turns that forbid the same cells of the page share a form.
        """
        turns_of: dict[frozenset[Spot], list[str]] = {}
        for turn, moves in self.forbids:
            cells = frozenset(page_cell(turn, move) for move in moves)
            turns_of.setdefault(cells, []).append(TURN_NAMES[turn])
        forms: list[dict[str, Any]] = []
        for number, (cells, turns) in enumerate(turns_of.items(), 1):
            form: dict[str, Any] = {"variant": f"form {number}", "turns": turns}
            form |= drawing_table(self.picture, cells)
            if self.picture.areas:
                form["area"] = [area_table(area) for area in self.picture.areas]
            forms.append(form)
        head = rule_head(name, origin, reason, boards)
        if len(forms) > 1:
            return rule_text(head | {"form": forms})
        del forms[0]["variant"]
        return rule_text(head | forms[0])


def rule_head(name: str, origin: str, reason: str, boards: str = "") -> dict[str, Any]:
    """Return the first values of a found rule in a rule file."""
    words = {"boards": boards} if boards else {}
    head = {"name": name, "claim": "sound", **words}
    return head | {"origin": origin, "reason": reason}


def drawing_table(picture: Picture, forbidden: Collection[Spot] = ()) -> dict[str, Any]:
    """Return the drawing of a picture in a rule file, with a step that is followed."""
    letters = picture.letters()
    for area in picture.areas:
        for at in {area.base, area.wall} - {LIVE_END}:
            letters.setdefault(at, "%")
        letters |= line_marks(area.cells)
    for at in forbidden:
        letters[at] = FORBIDDEN[letters.get(at, "?")]
    table = {"dead": [list(map(written, picture.step))]} if picture.step else {}
    return table | {"drawing": rows_of(letters)}

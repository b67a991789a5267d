"""Questions to one formula: whether some facts make a move impossible.

The formula is that of `verify.proof.encoding`. Its window shows nothing but the
forbidden move and the lines of areas. A drawing rules out that a cell is free, visited,
outside or the end, and that the doors of an area come to some sums. Each such *fact*
negates a variable of the formula, so the solver assumes it. One solver answers for
every gap and every drawing, and keeps what it learned. The facts that it needed, the
*core*, are a drawing.

Cells are ``(row, col)`` of the page, as in `verify.proof.window`. What a `Picture`
forbids follows from it, move by move and turn by turn: one picture becomes one rule,
with a form for each set of moves.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias
from weakref import finalize

from heuristic.rules.drawing import (
    LIVE_END,
    AreaSpec,
    RuleSpec,
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
from heuristic.rules.rulefile import parse_rules
from solver.board import Symmetry
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
    rectangle,
)

# The variable of that name is false. That of ``("dead", a, b)`` is true: the step is
# dead when it is followed.
Fact: TypeAlias = Name
# For each turn of the page the forbidden moves in the heading frame, 0 to 3 for
# straight, right, behind, left. Only turns that forbid something.
Forbids: TypeAlias = tuple[tuple[Symmetry, tuple[int, ...]], ...]

BEHIND: Spot = (1, 0)
ORIGIN = "oneway discover"  # of each rule
_SOLVER = "minisat22"
_CONFLICTS = 20_000  # per answer
_QUESTIONS = 1000  # solvers in memory
_MODELS = 20  # models with cuts before a question is given up


class Question:
    """A formula in a solver, for one set of facts after the other.

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
        areas = range(len(window.areas))
        self.sums = tuple(surpluses(self.formula, window, k) for k in areas)

    def excluded(self, areas: Sequence[AreaSpec]) -> list[Fact]:
        """Return the sums of doors that the areas' conditions exclude, as facts."""
        return [
            name
            for area, sums in zip(areas, self.sums, strict=True)
            for surplus, name in sums.items()
            if not area.allows(surplus)
        ]

    def core(self, facts: Collection[Fact]) -> frozenset[Fact] | None:
        """Return the facts that make the move impossible.

        None if it stays possible, after many conflicts or many models that break cuts.
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

    def _literal(self, fact: Fact) -> int:
        """Return the literal of a fact; 0 if the formula knows it, or says nothing."""
        if fact == self._dead:
            return self.formula.var(*fact)
        if fact in self.formula.constants:
            return 0
        return -self.formula.names.get(fact, 0)


@lru_cache(maxsize=_QUESTIONS)
def question(move: int, radius: int, areas: tuple[AreaSpec, ...] = ()) -> Question:
    """Return the question of a window, the same one each time.

    - `move`: 0 straight on, 3 to the left.
    - `radius`: cells each way from the live end and the lines of the areas.
    - `areas`: the formula leaves out their conditions.
    """
    states = {neighbours(LIVE)[move]: FREE, BEHIND: VISITED}
    for area in areas:
        states |= dict.fromkeys(area.cells, FREE)
    for area in areas:
        for at in {area.base, area.wall} - {LIVE_END}:
            states[at] = states.get(at, VISITED | OUT)
    top, left, bottom, right = box_around([LIVE, *(states if areas else ())])
    window = Window(
        rectangle(top - radius, left - radius, bottom + radius, right + radius),
        states=states,
        move=move,
        behind=BEHIND,
        areas=areas,
    )
    return Question(window)


@dataclass(frozen=True, slots=True)
class Picture:
    """What a drawing asks of the page.

    - `cells`, tuple of (cell, letter): sorted; a letter of `STATES`. The areas ask for
      the cells of their lines, bases and walls, which are not among them.
    - `step`: a step of the live end that is dead when it is followed, if any. Its cell
      is free, and among `cells` only with a stronger letter.
    """

    cells: tuple[tuple[Spot, str], ...]
    areas: tuple[AreaSpec, ...] = ()
    step: Edge | None = None

    @property
    def facts(self) -> int:
        """The number of things to look at: cells, areas, and a step to follow."""
        cells = {cell for cell, _ in self.cells} | self.of_areas()
        return len(cells) + len(self.areas) + (self.step is not None)

    def of_areas(self) -> set[Spot]:
        """Return the cells of areas: lines, bases, walls; not the live end."""
        ways = ((*area.cells, area.base, area.wall) for area in self.areas)
        return {at for way in ways for at in way} - {LIVE}

    def letters(self) -> dict[Spot, str]:
        """Return the letter of each cell, also of that a followed step leads to."""
        led_to = set(self.step or ()) - {LIVE}
        return dict.fromkeys(led_to, ".") | dict(self.cells)

    def turned(self, turn: Symmetry) -> "Picture":
        """Return the picture as it lies when the page is turned."""
        cells = sorted((turn.turn(cell), letter) for cell, letter in self.cells)
        step = self.step and edge(*map(turn.turn, self.step))
        return Picture(tuple(cells), tuple(a.turned(turn) for a in self.areas), step)

    def as_facts(self) -> list[Fact]:
        """Return what its cells are not, and its step, as facts of a formula."""
        facts: list[Fact] = [("dead", *self.step)] if self.step else []
        for cell, letter in self.letters().items():
            states, not_end = STATES[letter]
            facts += [(name, cell) for name, bit in STATE_NAMES if not states & bit]
            if not_end:
                facts.append(("T", cell))
        return facts

    def table(self, forbidden: Collection[Spot]) -> dict[str, Any]:
        """Return the drawing with some forbidden cells, as in a rule file."""
        letters = self.letters()
        for area in self.areas:
            for at in {area.base, area.wall} - {LIVE_END}:
                letters.setdefault(at, "%")
            letters |= line_marks(area.cells)
        for at in forbidden:
            letters[at] = FORBIDDEN[letters.get(at, "?")]
        table: dict[str, Any] = {}
        if self.step:
            table["dead"] = [list(map(written, self.step))]
        table["drawing"] = rows_of(letters)
        if self.areas:
            table["area"] = [area_table(area) for area in self.areas]
        return table


def text_of_rule(
    picture: Picture, forbids: Forbids, name: str, reason: str, boards: str = ""
) -> str:
    """Return a picture with what it forbids, as text of a rule file.

    Turns that forbid the same cells of the page share a form. `boards` is a word of
    rule files; empty for all.
    """
    turns_of: dict[frozenset[Spot], list[str]] = {}
    for turn, moves in forbids:
        cells = frozenset(page_cell(turn, move) for move in moves)
        turns_of.setdefault(cells, []).append(TURN_NAMES[turn])
    forms: list[dict[str, Any]] = [
        {"variant": f"form {number}", "turns": turns, **picture.table(cells)}
        for number, (cells, turns) in enumerate(turns_of.items(), 1)
    ]
    rule = {"name": name, "claim": "sound"} | ({"boards": boards} if boards else {})
    rule |= {"origin": ORIGIN, "reason": reason}
    if len(forms) > 1:
        return rule_text(rule | {"form": forms})
    del forms[0]["variant"]
    return rule_text(rule | forms[0])


def rule_of(
    picture: Picture, forbids: Forbids, name: str = "candidate", reason: str = "a core"
) -> RuleSpec:
    """Return a picture with what it forbids as a rule, read as any other.

    Raises `RuleError` if no drawing can say it: a line that crosses itself, say.
    """
    return parse_rules(text_of_rule(picture, forbids, name, reason), name)[0]

"""Independent judge of a window proof's clauses: imports nothing of the toolkit.

It reads the drawing from the certificate itself. A clause is accepted when every true
world satisfies it, and it says so by looking at one thing at a time: all lawful states
of a cell and its four edges, of two touching cells, of a pair of ports, of a board's
edges. Loops, doors and sealed areas are followed by hand. What no view explains is a
fault. The statements themselves are those of `verify.window`; this is a second reading
of them, not a copy of the code that writes them.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

Cell = tuple[int, int]
Name = tuple[Any, ...]

LIVE = (0, 0)
NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))
STATE = {"free": 1, "visited": 2, "out": 4}
BEHIND = {"NONE": (0, -1), "CW": (-1, 0), "CCW": (1, 0), "HALF": (0, 1)}
# Directions on the page that lead out of the board at the start corner.
START = {
    "IDENTITY": (-1, -1),
    "TRANSPOSE": (-1, -1),
    "FLIP_ROWS": (1, -1),
    "FLIP_COLS": (-1, 1),
    "ROTATE_HALF": (1, 1),
    "ANTI_TRANSPOSE": (1, 1),
    "ROTATE_RIGHT": (1, -1),
    "ROTATE_LEFT": (-1, 1),
}


def find_clause_fault(drawing: dict[str, Any], part: dict[str, Any]) -> str | None:
    """Return the first clause of a part that no view explains, or None.

    Shapes as in `verify.certificate`. Milliseconds a clause.
    """
    page = _Page(drawing, part)
    names = [_thaw(name) for name in part["names"]]
    if len(set(names)) < len(names):
        return "two variables have one name"
    for number, clause in enumerate(part["clauses"], 1):
        false: dict[Name, bool] = {}  # what the world would be if the clause failed
        for literal in clause:
            name = names[abs(literal) - 1]
            if false.setdefault(name, literal < 0) != (literal < 0):
                break  # both signs: always true
        else:
            if not page.explains(false):
                told = " or ".join(
                    f"{'' if not value else 'not '}{_told(name)}"
                    for name, value in false.items()
                )
                return f"clause {number} does not follow: {told or 'the empty clause'}"
    return None


def _thaw(value: Any) -> Any:
    return tuple(_thaw(x) for x in value) if isinstance(value, list) else value


def _told(name: Name) -> str:
    return " ".join(str(x).replace(" ", "") for x in name)


def _edge(a: Cell, b: Cell) -> tuple[Cell, Cell]:
    return (a, b) if a < b else (b, a)


def _near(cell: Cell) -> list[Cell]:
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in NEAR]


class _Page:
    """The drawing in one pose, as cells (row, col) around the live end."""

    def __init__(self, drawing: dict[str, Any], part: dict[str, Any]) -> None:
        def cell(at: list[int]) -> Cell:
            return -at[1], -at[0]

        self.scope: str = part["scope"]
        if self.scope not in ("PLAIN", "PLANAR", "RIM", "CORNERS"):
            raise ValueError(f"scope {self.scope!r}")
        self.planar = self.scope in ("PLANAR", "CORNERS")
        self.top, self.left, self.bottom, self.right = part["box"]
        self.mask = {cell(n[:2]): n[2] for n in drawing["needs"]}
        self.not_end = {cell(n[:2]) for n in drawing["needs"] if n[3]}
        self.target = cell(part["move"])
        board_frame = drawing["frame"] == "board"
        if (
            part["pose"] not in drawing["poses"]
            or part["move"] not in drawing["forbidden"]
        ):
            raise ValueError("the part is none of the drawing")
        at = BEHIND.get(part["pose"])
        if board_frame:
            at = [(0, -1), (1, 0), (0, 1), (-1, 0)][drawing["heading"]]
        assert at is not None
        self.behind = cell(list(at))
        self.start = START[part["pose"]] if board_frame else None
        for known, bit in ((self.target, 1), (self.behind, 2), (LIVE, 2)):
            self.mask[known] = self.mask.get(known, 7) & bit
        self.areas = [
            {
                "line": [cell(at) for at in area["cells"]],
                "inside": {cell(at) for at in area["inside"]},
                "outside": {cell(at) for at in area["outside"]},
                "condition": area,
                "entry": cell(area["entry"]),
                "base": cell(area["base"]),
                "wall": cell(area["wall"]),
            }
            for area in drawing["areas"]
        ]
        self.lines = {c for area in self.areas for c in area["line"]}
        self.runs = [(cell(r[:2]), cell(r[2:])) for r in drawing["runs"]]
        self.cells = {
            (r, c)
            for r in range(self.top, self.bottom + 1)
            for c in range(self.left, self.right + 1)
        }
        if not {LIVE, *self.lines} <= self.cells:
            raise ValueError("the box leaves out the live end or a marked cell")
        if not self.planar and any(
            not set(_near(c)) <= self.cells for c in {LIVE, *self.lines}
        ):
            raise ValueError("the box leaves out a neighbour of a marked cell")
        top, left, bottom, right = self.top, self.left, self.bottom, self.right
        self.ports = (
            [((top, c), (top - 1, c)) for c in range(left, right + 1)]
            + [((r, right), (r, right + 1)) for r in range(top, bottom + 1)]
            + [((bottom, c), (bottom + 1, c)) for c in range(right, left - 1, -1)]
            + [((r, left), (r, left - 1)) for r in range(bottom, top - 1, -1)]
        )
        self.views: dict[Cell, list[dict[Name, bool]]] = {}

    def explains(self, false: dict[Name, bool]) -> bool:
        """Tell whether no true world gives these values."""
        spots = {x for name in false for x in name[1:] if isinstance(x, tuple)}
        spots &= self.cells
        if not spots and not false:
            spots = self.cells
        around = {c for spot in spots for c in _near(spot)} & self.cells
        lawful = {
            c: [v for v in self.view(c) if _agrees(v, false)] for c in spots | around
        }
        if not all(lawful.values()):
            return True
        for a in spots:
            for b in set(_near(a)) & self.cells:
                pairs = product(lawful[a], lawful[b])
                if not any(self.touching(a, b, v, w) for v, w in pairs):
                    return True
        wrongly = any(
            self.entered(k) is not None
            and false.get(("a", k, self.target)) not in (None, self.entered(k))
            for k in range(len(self.areas))
        )
        return (
            wrongly
            or self.unique(false)
            or self.least(false)
            or self.counted(false)
            or self.looped(false)
            or (not self.planar and (self.ended(false) or self.sealed(false)))
            or (self.planar and self.paired(false))
            or (self.scope == "CORNERS" and self.edged(false, lawful))
        )

    # One cell, two cells.

    def may(self, cell: Cell, bit: int) -> bool:
        """Tell whether the drawing lets the cell be free (1), visited (2), out (4)."""
        return cell not in self.cells or bool(self.mask.get(cell, 7) & bit)

    def view(self, cell: Cell) -> list[dict[Name, bool]]:
        """Return every lawful state of a cell and its edges, as values of names."""
        if cell not in self.views:
            self.views[cell] = [v for s in STATE for v in self._states(cell, s)]
        return self.views[cell]

    def _states(self, cell: Cell, state: str) -> Iterator[dict[Name, bool]]:
        if not self.mask.get(cell, 7) & STATE[state]:
            return
        planar, free = self.planar, state == "free"
        can_end = free and cell not in self.not_end | self.lines
        for end, start in product((False, True), repeat=2):
            if (end and not can_end) or (start and not (planar and state == "visited")):
                continue
            for kinds in product(*(self._kinds(cell, o, state) for o in _near(cell))):
                c, w, v = (kinds.count(kind) for kind in "cwv")
                good = {
                    "free": (c, w, v) == (2 - end, 0, end if planar else 0),
                    "visited": (c, w, v) == (0, (2 - start) * planar, start),
                    "out": c == w == 0 and v in (0, 2),
                }[state]
                if cell == LIVE:
                    good = (c, w, v) == (1, (1 - start) * planar, start)
                if good:
                    base: dict[Name, bool] = {
                        (name, cell): name == state for name in STATE
                    }
                    base |= {("T", cell): end, ("S", cell): start}
                    for kind, other in zip(kinds, _near(cell), strict=True):
                        edge = _edge(cell, other)
                        base |= {(k, *edge): k == kind for k in "cwv"}
                    yield from self._marks(cell, base)

    def _kinds(self, cell: Cell, other: Cell, state: str) -> str:
        """Return the kinds an edge may have at the cell, ``-`` for unused."""
        planar = self.planar
        if LIVE in (cell, other):
            far = other if cell == LIVE else cell
            if far == self.target:
                return "c"
            if far == self.behind and planar:
                return "w"
            return "-wv" if planar else "-"
        kinds = "-"
        if state == "free" and self.may(other, 1):
            kinds += "c"
        if planar and state == "visited" and self.may(other, 2):
            kinds += "w"
        return kinds + "v" * planar

    def _marks(self, cell: Cell, base: dict[Name, bool]) -> Iterator[dict[Name, bool]]:
        """Add membership in areas, and which half of walk and arc the edges lie on."""
        choices: list[list[dict[Name, bool]]] = [[base]]
        for k, area in enumerate(self.areas):
            member = base["free", cell] and not base["T", cell]
            values = {False, member}
            if cell == self.target and self.entered(k) is not None:
                values = values & {self.entered(k)}
            if cell in area["line"]:
                values = {True}
            elif cell in area["inside"] and base["free", cell]:
                values = {True} if member else set()
            elif cell in area["outside"]:
                values = {False}
            choices.append([{("a", k, cell): value} for value in values])
        edges = [_edge(cell, other) for other in _near(cell)]
        for k, (first, then) in enumerate(self.runs):
            if self.planar and {first, then} <= self.cells:
                walk = [e for e in edges if base["w", *e]]
                choices.append(list(self._halves(cell, k, walk, first, then, base)))
        if self.scope == "CORNERS":
            arcs = [e for e in edges if base["v", *e]]
            choices.append(list(self._arc_halves(cell, arcs, base)))
        for parts in product(*choices):
            yield {name: value for part in parts for name, value in part.items()}

    def _halves(
        self,
        cell: Cell,
        k: int,
        walk: list[tuple[Cell, Cell]],
        first: Cell,
        then: Cell,
        base: dict[Name, bool],
    ) -> Iterator[dict[Name, bool]]:
        """Which walk edges lie behind `then`: the half that holds the live end."""
        for late in product((False, True), repeat=len(walk)):
            if cell == then != LIVE:
                good = len(late) == 2 and late[0] != late[1]
            else:
                good = len(set(late)) < 2
                good &= not (cell == LIVE != then and False in late)
                good &= not ((cell == first or base["S", cell]) and True in late)
            if good:
                yield {("l", k, *e): x for e, x in zip(walk, late, strict=True)}

    def _arc_halves(
        self, cell: Cell, arcs: list[tuple[Cell, Cell]], base: dict[Name, bool]
    ) -> Iterator[dict[Name, bool]]:
        rim = self.rim()
        if rim is None:
            yield {}
            return
        place, d = rim
        assert self.start is not None
        for late in product((False, True), repeat=len(arcs)):
            good = True
            if cell == place:
                axis = 1 if d % 2 == 0 else 0
                for (a, b), x in zip(arcs, late, strict=True):
                    other = b if a == cell else a
                    along = other[axis] - cell[axis]
                    good &= not along or x == (along != self.start[axis])
            else:
                good = len(set(late)) < 2
                good &= not (base["S", cell] and True in late)
                good &= not (base["T", cell] and False in late)
            if good:
                yield {("u", *e): x for e, x in zip(arcs, late, strict=True)}

    def touching(
        self, a: Cell, b: Cell, one: dict[Name, bool], two: dict[Name, bool]
    ) -> bool:
        """Tell whether two touching cells can be so at once."""
        if any(two.get(name, value) != value for name, value in one.items()):
            return False
        if one["v", *_edge(a, b)] and not (one["out", a] or two["out", b]):
            return False
        if one["free", a] and two["free", b] and LIVE not in (a, b):
            for k, area in enumerate(self.areas):
                marked = {a, b} & set(area["line"])
                if not marked and one["a", k, a] != two["a", k, b]:
                    return False
        return True

    # One start, one end; the least size; the doors of an area.

    def unique(self, false: dict[Name, bool]) -> bool:
        """Find a second start or end, at a cell or beyond a port."""
        for event, beyond in (("S", "s"), ("T", "t")):
            held = [
                n for n, value in false.items() if value and n[0] in (event, beyond)
            ]
            if len(held) > 1 and (self.planar or event == "T"):
                return True
        return False

    def entered(self, k: int) -> bool | None:
        """Tell whether the move enters area k, if walk and line decide it.

        The curve runs from the cell behind over the live end into the line, and on to
        its wall; going round the live end from the line's first cell, the area's side
        comes before the cell behind, the far side after it.
        """
        area = self.areas[k]
        line, wall = area["line"], area["wall"]
        tight = {LIVE, line[0], line[-1], wall}
        rows, cols = [c[0] for c in tight], [c[1] for c in tight]
        small = max(rows) - min(rows) < 2 and max(cols) - min(cols) < 2
        if area["base"] != LIVE or (len(tight) == 4 and small):
            return None
        mask = self.mask.get(wall, 7)
        if mask != 2 and (self.scope in ("PLAIN", "PLANAR") or mask & 1):
            return None
        if self.behind == line[0] or self.target in line:
            return None
        clockwise = [
            (-1, 0),
            (-1, 1),
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
        ]
        turn = -1 if area["condition"]["side"] == "left" else 1
        first = clockwise.index(line[0])

        def steps(cell: Cell) -> int:
            return (turn * (clockwise.index(cell) - first)) % 8

        return steps(self.target) < steps(self.behind)

    def least(self, false: dict[Name, bool]) -> bool:
        """Find an area larger than its line without a free cell inside."""
        for area in self.areas:
            inside = [c for c in area["inside"] if self.mask.get(c, 7) & 1]
            if area["condition"]["least"] > len(area["line"]) and all(
                false.get(("free", c)) is False for c in inside
            ):
                return True
        return False

    def doors(self, k: int) -> list[tuple[Name, int]]:
        """Return the doors of an area in order, as literal and sign of the colour."""
        area = self.areas[k]
        found: list[tuple[Name, Cell]] = []
        for c in area["line"]:
            for other in _near(c):
                if other in area["inside"] or other in area["line"]:
                    continue
                if other == LIVE and c != self.target:
                    continue
                if other == LIVE or self.may(other, 1):
                    found.append((("c", *_edge(c, other)), c))
        beside = self.target in area["outside"] - area["inside"]
        if self.target not in area["line"] and not beside:
            found.append((("a", k, self.target), self.target))
        return [(name, 1 if sum(c) % 2 == 0 else -1) for name, c in found]

    def counted(self, false: dict[Name, bool]) -> bool:
        """Find a sum over the doors of an area that goes on wrongly or ends wrongly."""
        held = [n for n in false if n[0] == "n"]
        for k in {n[1] for n in held}:
            doors = self.doors(k)
            sums = [n for n in held if n[1] == k and false[n]]
            for _, _, i, total in [*sums, ("n", k, 0, 0)]:
                if i == len(doors) and not self.allowed(k, total):
                    return True
                if i < len(doors):
                    name, sign = doors[i]
                    uses = {False, True} if name not in false else {false[name]}
                    uses = {True} if self.certain(name) else uses
                    if all(
                        false.get(("n", k, i + 1, total + sign * use)) is False
                        for use in uses
                    ):
                        return True
        return any(
            not self.doors(k) and not self.allowed(k, 0) for k in range(len(self.areas))
        )

    def certain(self, name: Name) -> bool:
        """Tell whether the drawing alone makes a door used."""
        if name[0] == "c":
            return set(name[1:]) == {LIVE, self.target}
        inside = self.areas[name[1]]["inside"]
        return self.target in inside

    def allowed(self, k: int, total: int) -> bool:
        """Tell whether the doors' sum, twice the imbalance, meets the condition."""
        if total % 2:
            return False
        area, black_more = self.areas[k]["condition"], total // 2
        kind, surplus = area["kind"], -black_more
        if kind in ("pair", "impair"):
            return bool(surplus % 2 == (kind == "impair"))
        if kind == "impair-determined":
            entry = 1 if sum(self.areas[k]["entry"]) % 2 == 0 else -1
            return bool(surplus % 2 == 1 and black_more != entry)
        within = area["low"] <= surplus <= area["high"]
        return bool({"closed": True, "within": within, "beyond": not within}[kind])

    # Loops, an early end, a sealed area.

    def graph(self, false: dict[Name, bool]) -> dict[Any, list[Any]]:
        """Return what the clause takes to be used: cells and ports, and their ties."""
        ports = {_edge(*port): i for i, port in enumerate(self.ports)}
        ties: dict[Any, list[Any]] = {}
        used = {_edge(LIVE, self.target)}
        used |= {n[1:] for n, value in false.items() if value and n[0] in "cwv"}
        pairs = [n[1:] for n, value in false.items() if value and n[0] == "p"]
        for a, b in used:
            one: Any = a
            two: Any = b
            if _edge(a, b) in ports:
                one, two = (a if a in self.cells else b), ports[_edge(a, b)]
            ties.setdefault(one, []).append(two)
            ties.setdefault(two, []).append(one)
        for a, b in pairs:
            ties.setdefault(a, []).append(b)
            ties.setdefault(b, []).append(a)
        return ties

    def looped(self, false: dict[Name, bool]) -> bool:
        """Find a closed curve without the live end."""
        ties = self.graph(false)
        seen: set[Any] = set()
        for begin in ties:
            if begin in seen:
                continue
            piece = _piece(ties, begin)
            seen |= piece
            if LIVE not in piece and all(
                len(set(ties[x])) == len(ties[x]) == 2 for x in piece
            ):
                return True
        return False

    def ended(self, false: dict[Name, bool]) -> bool:
        """Find a path from live end to end cell that leaves a free cell out."""
        piece = _piece(self.graph(false), LIVE)
        ends = [n[1] for n, value in false.items() if value and n[0] == "T"]
        left_out = [n[1] for n, value in false.items() if value and n[0] == "free"]
        left_out += [c for c in self.cells if self.mask.get(c, 7) == 1]
        return any(end in piece for end in ends) and any(
            c not in piece for c in left_out
        )

    def sealed(self, false: dict[Name, bool]) -> bool:
        """Find an area part of which no path leaves.

        Begin with the cells that may have a door, and add what they may lead on to; if
        that ends inside the box and something of the area is left, it is sealed.
        """
        return any(self._sealed(k, false) for k in range(len(self.areas)))

    def _sealed(self, k: int, false: dict[Name, bool]) -> bool:
        line, inside = set(self.areas[k]["line"]), self.areas[k]["inside"]

        def within(cell: Cell) -> list[Cell]:
            near = [x for x in _near(cell) if x != LIVE]
            return [x for x in near if cell not in line or x in line | inside]

        reached = {
            c
            for c in line
            for x in set(_near(c)) - set(within(c))
            if not self._unused(c, x, false)
        }
        beside = self.target in self.areas[k]["outside"] - inside
        if not beside and false.get(("a", k, self.target), True):
            reached.add(self.target)
        todo = list(reached)
        while todo:
            cell = todo.pop()
            if cell not in self.cells:
                return False
            for other in within(cell):
                if other not in reached and not self._unused(cell, other, false):
                    reached.add(other)
                    todo.append(other)
        held = {n[2] for n, v in false.items() if v and n[:2] == ("a", k)}
        return bool((line | held) - reached)

    def _unused(self, a: Cell, b: Cell, false: dict[Name, bool]) -> bool:
        if LIVE in (a, b):
            return self.target not in (a, b)
        if false.get(("c", *_edge(a, b))) is False:
            return True
        return not (self.may(a, 1) and self.may(b, 1))

    # Pairs of ports.

    def paired(self, false: dict[Name, bool]) -> bool:
        """Find ports that pair up wrongly, cross, or do not keep what they carry."""
        pairs = [n[1:] for n, value in false.items() if value and n[0] == "p"]
        for (a, b), (c, d) in combinations(sorted(pairs), 2):
            if len({a, b, c, d}) < 4 or a < c < b < d:
                return True
        numbers = {i for n in false if n[0] == "p" for i in n[1:]}
        edges = {_edge(*port): i for i, port in enumerate(self.ports)}
        numbers |= {edges[n[-2:]] for n in false if len(n) > 2 and n[-2:] in edges}
        numbers |= {n[1] for n in false if n[0] in ("s", "t")}
        for i in numbers:
            if not any(self._alone(i, kind, false) for kind in "-cwv"):
                return True
            others = [j for j in range(len(self.ports)) if j != i]
            if not self._used(i, "-", false) and all(
                false.get(("p", min(i, j), max(i, j))) is False
                or not any(self._used(j, kind, false) for kind in "cwv")
                for j in others
            ):
                return True
        return any(
            not any(
                self._meets(i, j, one, two, false)
                for one, two in product("cwv", repeat=2)
            )
            for i, j in pairs
        )

    def _used(self, i: int, kind: str, false: dict[Name, bool]) -> bool:
        """Tell whether port i can carry a kind, ``-`` for nothing."""
        cell, other = self.ports[i]
        edge = _edge(cell, other)
        return any(
            _agrees(v, {n: x for n, x in false.items() if n[-2:] == edge})
            and (v[kind, *edge] if kind != "-" else not any(v[k, *edge] for k in "cwv"))
            for v in self.view(cell)
        )

    def _alone(self, i: int, kind: str, false: dict[Name, bool]) -> bool:
        """Tell whether port i can carry the kind, given what is said beyond it."""
        if not self._used(i, kind, false):
            return False
        paired = any(v and n[0] == "p" and i in n[1:] for n, v in false.items())
        if paired and kind == "-":
            return False
        edge = _edge(*self.ports[i])
        if kind == "c" and false.get(("t", i)):
            return all(
                False in self._beyond(k, i, false) for k in range(len(self.areas))
            )
        if kind == "w" and false.get(("s", i)):
            return not any(false.get(("l", k, *edge)) for k in self._tests())
        return True

    def _tests(self) -> list[int]:
        return [k for k, run in enumerate(self.runs) if set(run) <= self.cells]

    def _beyond(self, k: int, i: int, false: dict[Name, bool]) -> set[bool]:
        """Return whether the unseen cell beyond port i can belong to area k, or not."""
        area, (cell, other) = self.areas[k], self.ports[i]
        if cell in area["line"]:
            return {other in area["inside"]}
        name = ("a", k, other if cell == LIVE else cell)
        if name in false:
            return {false[name]}
        if cell == LIVE:
            return {False, True}
        return {v["a", k, cell] for v in self.view(cell) if v["free", cell]}

    def _meets(
        self, i: int, j: int, one: str, two: str, false: dict[Name, bool]
    ) -> bool:
        """Tell whether ports i and j can be one piece that carries two kinds."""
        if not (self._used(i, one, false) and self._used(j, two, false)):
            return False
        starts = {p for p, kind in ((i, one), (j, two)) if kind == "w" and one != two}
        ends = {p for p, kind in ((i, one), (j, two)) if kind == "c" and one != two}
        if any(false.get(("s", p)) is False for p in starts):
            return False
        if any(false.get(("t", p)) is False for p in ends):
            return False
        edges = [_edge(*self.ports[p]) for p in (i, j)]
        for k in range(len(self.areas)):
            sides = [self._beyond(k, p, false) for p in (i, j)]
            if one == two == "c" and not sides[0] & sides[1]:
                return False
            for p, side in ((i, sides[0]), (j, sides[1])):
                if p in ends and False not in side:
                    return False
        for k in self._tests():
            late = [false.get(("l", k, *edge)) for edge in edges]
            if one == two == "w" and set(late) == {False, True}:
                return False
            if any(p in starts and x for p, x in ((i, late[0]), (j, late[1]))):
                return False
        if self.scope == "CORNERS" and self.rim() is not None:
            half = [false.get(("u", *edge)) for edge in edges]
            if one == two == "v":
                return set(half) != {False, True}
            for a, b, x in ((one, two, half[1]), (two, one, half[0])):
                if b == "v" and ((a == "w" and x) or (a == "c" and x is False)):
                    return False
        return True

    # The edge of the board.

    def sides(self) -> list[list[Cell]]:
        """Return per direction the cells that may lie just outside a known cell."""
        found = []
        for dr, dc in NEAR:
            side = []
            for c in sorted(self.cells):
                beyond = c[0] + dr, c[1] + dc
                known = not self.mask.get(c, 7) & 4 and beyond in self.cells
                if known and self.mask.get(beyond, 7) & 4:
                    side.append(beyond)
            found.append(side)
        return found

    def order(self) -> list[int]:
        """Return the directions, those with a cell drawn outside first."""
        drawn = [any(self.mask.get(c, 7) == 4 for c in side) for side in self.sides()]
        return sorted(range(4), key=lambda d: not drawn[d])

    def rim(self) -> tuple[Cell, int] | None:
        """Return the drawn cell at which the arc is cut, and its direction."""
        d = self.order()[0]
        drawn = [c for c in self.sides()[d] if self.mask.get(c, 7) == 4]
        return (drawn[0], d) if drawn and self.start else None

    def edged(
        self, false: dict[Name, bool], lawful: dict[Cell, list[dict[Name, bool]]]
    ) -> bool:
        """Find rows or corners that no rectangle has, or an arc off its side."""
        if self._rim_breaks(false):
            return True
        heights = (range(self.top - 2, 1), range(self.bottom + 2))
        widths = (range(self.left - 2, 1), range(self.right + 2))
        cells = [c for c in lawful if any(c in name for name in false)]
        for first, last in product(*heights):
            for west, east in product(*widths):
                box = first, last, west, east
                if (
                    all(
                        self.mask.get(c, 7)
                        & (4 if self._outside(("out", c), box) else 3)
                        for c in self.cells
                    )
                    and all(
                        self._outside(name, box) == value
                        for name, value in false.items()
                        if name[0] in ("rowout", "colout", "out")
                    )
                    and all(
                        any(self._at_edge(c, v, box) for v in lawful[c]) for c in cells
                    )
                ):
                    return False
        return True

    def _outside(self, name: Name, box: tuple[int, int, int, int]) -> bool:
        first, last, west, east = box
        if name[0] == "rowout":
            return not first <= name[1] <= last
        if name[0] == "colout":
            return not west <= name[1] <= east
        row, col = name[1]
        return not (first <= row <= last and west <= col <= east)

    def _at_edge(
        self, cell: Cell, view: dict[Name, bool], box: tuple[int, int, int, int]
    ) -> bool:
        if view["out", cell] != self._outside(("out", cell), box):
            return False
        for event, sign in (("S", 1), ("T", -1)):
            if not view[event, cell]:
                continue
            for axis in (0, 1):
                low, high = box[2 * axis] == cell[axis], box[2 * axis + 1] == cell[axis]
                if self.start is None:
                    good = low or high
                else:
                    good = low if sign * self.start[axis] < 0 else high
                if not good:
                    return False
            for other in _near(cell):
                arc = view["v", *_edge(cell, other)]
                if arc and not self._outside(("out", other), box):
                    return False
        return True

    def _rim_breaks(self, false: dict[Name, bool]) -> bool:
        sides, earlier = self.sides(), list[Cell]()
        for d in self.order():
            for c in sides[d]:
                known = self.mask.get(c, 7) == 4 or false.get(("out", c)) is True
                for turn in (1, 3):
                    step = NEAR[(d + turn) % 4]
                    edge = _edge(c, (c[0] + step[0], c[1] + step[1]))
                    if known and false.get(("v", *edge)) is False:
                        return True
            earlier = sides[d]
            if any(false.get(("out", c)) is not False for c in earlier):
                break
        return False


def _agrees(view: dict[Name, bool], false: dict[Name, bool]) -> bool:
    return all(view.get(name, value) == value for name, value in false.items())


def _piece(ties: dict[Any, list[Any]], begin: Any) -> set[Any]:
    piece, todo = {begin}, [begin]
    while todo:
        for other in ties.get(todo.pop(), ()):
            if other not in piece:
                piece.add(other)
                todo.append(other)
    return piece

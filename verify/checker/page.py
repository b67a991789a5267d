"""The drawing of a certificate's part, read anew: imports nothing of the toolkit.

A part of a certificate is one drawing in one pose with one forbidden move. Here it
becomes cells ``(row, col)`` around the live end, as `verify.proof.window` defines them,
with what the drawing alone says of them. `verify.checker.clauses` judges clauses by it.
A part that speaks of several poses is read as if the pose were unknown: where the cell
before the live end lies, or the board's start. So what follows, follows in each.
"""

from typing import Any

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]
Name = tuple[Any, ...]
Values = dict[Name, bool]

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


def edge_of(a: Cell, b: Cell) -> Edge:
    """Name the edge between two touching cells."""
    return (a, b) if a < b else (b, a)


def near(cell: Cell) -> list[Cell]:
    """Return the four cells that touch a cell."""
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in NEAR]


class Page:
    """The drawing in one pose, as cells (row, col) around the live end."""

    def __init__(self, drawing: dict[str, Any], part: dict[str, Any]) -> None:
        def cell(at: list[int]) -> Cell:
            return -at[1], -at[0]

        self.scope: str = part["scope"]
        if self.scope not in ("PLAIN", "PLANAR", "RIM", "CORNERS"):
            raise ValueError(f"scope {self.scope!r}")
        self.planar = self.scope in ("PLANAR", "CORNERS")
        self.cells = {(row, col) for row, col in part["cells"]}
        rows, cols = [r for r, _ in self.cells], [c for _, c in self.cells]
        self.top, self.bottom = min(rows), max(rows)
        self.left, self.right = min(cols), max(cols)
        self.mask = {cell(n[:2]): n[2] for n in drawing["needs"]}
        self.not_end = {cell(n[:2]) for n in drawing["needs"] if n[3]}
        self.target = cell(part["move"])
        board_frame = drawing["frame"] == "board"
        poses = part["poses"]
        if (
            not poses
            or not set(poses) <= set(drawing["poses"])
            or part["move"] not in drawing["forbidden"]
        ):
            raise ValueError("the part is none of the drawing")
        pose: str = poses[0] if len(poses) == 1 else "unknown"
        at = BEHIND.get(pose)
        if board_frame:
            at = [(0, -1), (1, 0), (0, 1), (-1, 0)][drawing["heading"]]
        self.behind = None if at is None else cell(list(at))
        self.start = START.get(pose) if board_frame else None
        for known, bit in ((self.target, 1), (self.behind, 2), (LIVE, 2)):
            if known is not None:
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
        if not {LIVE, *self.lines} <= self.cells:
            raise ValueError("the cells leave out the live end or a marked cell")
        if not self.planar and any(
            not set(near(c)) <= self.cells for c in {LIVE, *self.lines}
        ):
            raise ValueError("the cells leave out a neighbour of a marked cell")
        self.ports = self._ports() if self.planar else []
        self.port_of = {edge_of(*port): i for i, port in enumerate(self.ports)}
        if self.planar:
            out = {(c, other) for c in self.cells for other in near(c)}
            rim = {port for port in out if port[1] not in self.cells}
            if rim != set(self.ports):
                raise ValueError("the cells are not one piece without holes")
        self.sides = self._sides()
        self.order = self._order()
        self.rim = self._rim()
        areas = range(len(self.areas))
        self.entered = [self._entered(k) for k in areas]
        self.doors = [self._doors(k) for k in areas]

    def may(self, cell: Cell, bit: int) -> bool:
        """Tell whether the drawing lets the cell be free (1), visited (2), out (4)."""
        return cell not in self.cells or bool(self.mask.get(cell, 7) & bit)

    def _ports(self) -> list[Edge]:
        """Return the edges out of the cells, in their order around them, clockwise.

        The rim is walked along the sides of cells, from corner to corner; the piece
        lies on the right hand. Where it touches itself in a corner, it is not joined.
        """
        first = min(self.cells), 0
        (cell, side), found = first, list[Edge]()
        while not found or (cell, side) != first:
            out, along = NEAR[side], NEAR[(side + 1) % 4]
            found.append((cell, (cell[0] + out[0], cell[1] + out[1])))
            after = cell[0] + along[0], cell[1] + along[1]
            above = after[0] + out[0], after[1] + out[1]
            if after not in self.cells:
                side = (side + 1) % 4
            elif above in self.cells:
                cell, side = above, (side - 1) % 4
            else:
                cell = after
        return found

    def tests(self) -> list[int]:
        """Return the order tests whose cells are both looked at."""
        return [k for k, run in enumerate(self.runs) if set(run) <= self.cells]

    def _entered(self, k: int) -> bool | None:
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
        if self.behind in (None, line[0]) or self.target in line:
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

        assert self.behind is not None
        return steps(self.target) < steps(self.behind)

    def _doors(self, k: int) -> list[tuple[Name, int]]:
        """Return the doors of an area in order, as literal and sign of the colour."""
        area = self.areas[k]
        found: list[tuple[Name, Cell]] = []
        for c in area["line"]:
            for other in near(c):
                if other in area["inside"] or other in area["line"]:
                    continue
                if other == LIVE and c != self.target:
                    continue
                if other == LIVE or self.may(other, 1):
                    found.append((("c", *edge_of(c, other)), c))
        beside = self.target in area["outside"] - area["inside"]
        if self.target not in area["line"] and not beside:
            found.append((("a", k, self.target), self.target))
        return [(name, 1 if sum(c) % 2 == 0 else -1) for name, c in found]

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

    def _sides(self) -> list[list[Cell]]:
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

    def _order(self) -> list[int]:
        """Return the directions, those with a cell drawn outside first."""
        drawn = [any(self.mask.get(c, 7) == 4 for c in side) for side in self.sides]
        return sorted(range(4), key=lambda d: not drawn[d])

    def _rim(self) -> tuple[Cell, int] | None:
        """Return the drawn cell at which the arc is cut, and its direction."""
        d = self.order[0]
        drawn = [c for c in self.sides[d] if self.mask.get(c, 7) == 4]
        return (drawn[0], d) if drawn and self.start else None

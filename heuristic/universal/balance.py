"""The two-factor rule, arguing: areas whose border cannot carry their imbalance."""

from collections import deque

from heuristic.rule import Reason
from heuristic.universal.grounds import Conflict, Edge, Ledger, edge
from solver.board import Cell


class Balance(Ledger):
    """A ledger that finds tight and overdrawn areas by a flow of chosen edges."""

    def _flow(self) -> bool:
        """Decide the border of one tight area; True if there was one."""
        black = self.board.black
        lack = [n - len(self._in(c)) for c, n in enumerate(self.degree)]
        self.chosen = {e for e in self.chosen if e not in self.value}
        for e in [*self.chosen]:
            lack[e[0]] -= 1
            lack[e[1]] -= 1
        for e in [*self.chosen]:
            if lack[e[0]] < 0 or lack[e[1]] < 0:
                self.chosen.remove(e)
                lack[e[0]] += 1
                lack[e[1]] += 1
        for c in range(self.board.cells):
            while black(c) and lack[c] > 0:
                area = self._augment(c, lack)
                if area:
                    self._overdrawn(area)
        if any(lack):
            self._overdrawn(self._backward(next(c for c, n in enumerate(lack) if n)))
        ahead = {c: self._ahead(c) for c in range(self.board.cells)}
        for area in self._components(ahead):
            rim = [e for e in self._rim(area) if e not in self.value]
            if rim:
                self._tight(area, rim)
                return True
        return False

    def _ahead(self, cell: Cell) -> list[Cell]:
        """Return the residual neighbours: other choices are closed walks of these."""
        chosen = not self.board.black(cell)
        return [
            v
            for v in self.near[cell]
            if (e := edge(cell, v)) not in self.value and (e in self.chosen) == chosen
        ]

    def _augment(self, root: Cell, lack: list[int]) -> set[Cell]:
        """Choose one more edge at a black cell; else return the area in the way."""
        parent = {root: -1}
        queue = deque([root])
        while queue:
            c = queue.popleft()
            if lack[c] > 0 and not self.board.black(c):
                lack[root] -= 1
                lack[c] -= 1
                while parent[c] >= 0:
                    self.chosen.symmetric_difference_update([edge(c, parent[c])])
                    c = parent[c]
                return set()
            for v in self._ahead(c):
                if v not in parent:
                    parent[v] = c
                    queue.append(v)
        return set(parent)

    def _backward(self, root: Cell) -> set[Cell]:
        """Return the cells from which a residual way leads to the root."""
        seen, stack = {root}, [root]
        while stack:
            c = stack.pop()
            for v in self.near[c]:
                if v not in seen and c in self._ahead(v):
                    seen.add(v)
                    stack.append(v)
        return seen

    def _components(self, ahead: dict[Cell, list[Cell]]) -> list[set[Cell]]:
        """Return closed sets whose borders are the edges between components.

        In the order of Tarjan's search each component is closed together with those
        before it; the smallest closed set around a component is what it reaches.
        """
        found: dict[Cell, int] = {}
        low: dict[Cell, int] = {}
        open_: list[Cell] = []
        done: set[Cell] = set()
        parts: list[set[Cell]] = []
        for root in ahead:
            if root in found or not ahead[root]:
                continue
            found[root] = low[root] = len(found)
            open_.append(root)
            stack = [(root, iter(ahead[root]))]
            while stack:
                c, rest = stack[-1]
                for v in rest:
                    if v not in found:
                        found[v] = low[v] = len(found)
                        open_.append(v)
                        stack.append((v, iter(ahead[v])))
                        break
                    if v not in done:
                        low[c] = min(low[c], found[v])
                else:
                    stack.pop()
                    if stack:
                        low[stack[-1][0]] = min(low[stack[-1][0]], low[c])
                    if low[c] == found[c]:
                        part: set[Cell] = set()
                        while c not in part:
                            part.add(open_.pop())
                        done |= part
                        parts.append(part)
        areas = []
        for part in parts:
            if any(e not in self.value for e in self._rim(part)):
                areas.append(self._forward(part, ahead))
                areas.append(self._backward(min(part)))
        return sorted(areas, key=len)

    @staticmethod
    def _forward(part: set[Cell], ahead: dict[Cell, list[Cell]]) -> set[Cell]:
        seen, stack = set(part), list(part)
        while stack:
            for v in ahead[stack.pop()]:
                if v not in seen:
                    seen.add(v)
                    stack.append(v)
        return seen

    def _count(self, area: set[Cell]) -> tuple[tuple[str, int], ...]:
        """Return what the area wants and what its border offers, by colour."""
        black = self.board.black
        rim = [e for e in self._rim(area) if self.value.get(e, True)]
        at_black = sum(black(e[0] if e[0] in area else e[1]) for e in rim)
        return (
            ("black", sum(black(c) for c in area)),
            ("white", sum(not black(c) for c in area)),
            ("wanted", sum(self.degree[c] * (1 if black(c) else -1) for c in area)),
            ("at-black", at_black),
            ("at-white", len(rim) - at_black),
        )

    def _overdrawn(self, area: set[Cell]) -> None:
        facts = self._count(area)
        n = dict(facts)
        colour = "black" if n["wanted"] > 0 else "white"
        raise Conflict(
            Reason(
                f"{n['black']} black and {n['white']} white cells want "
                f"{abs(n['wanted'])} more edges out at {colour} cells than at the "
                f"others, and the border offers {n['at-' + colour]}",
                area=tuple(sorted(area)),
                kind="overdrawn",
                facts=facts,
            ),
            [e for e in self._rim(area) if e in self.value],
        )

    def _tight(self, area: set[Cell], unknown: list[Edge]) -> None:
        facts = self._count(area)
        n = dict(facts)
        # All possible edges at one colour and, of the other, those in already.
        taken = [e for e in unknown if e in self.chosen]
        colour = "black" if n["wanted"] > 0 else "white"
        step = Reason(
            f"{n['black']} black and {n['white']} white cells want "
            f"{abs(n['wanted'])} more edges out at {colour} cells than at the others, "
            "which is all that the border offers",
            area=tuple(sorted(area)),
            edges=tuple(taken),
            kind="tight",
            facts=facts,
        )
        deps = [e for e in self._rim(area) if e in self.value]
        self._put([(e, e in self.chosen) for e in unknown], deps, step)

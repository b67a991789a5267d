"""Chains for the drawings of a family: potentials found as longest ways.

A chain tells drawings by the steps of their border, some of them repeated. Its
potentials are the longest ways through the states of `verify.checker.chain`. Each
drawing in turn that no chain tells so far gets one, with repeats where it can: where
the bounds grow by the same numbers each time.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from verify.checker.chain import (
    STATES,
    Border,
    Cut,
    Offset,
    beyond,
    sides_of,
    starts,
    visits_all,
)

Words: TypeAlias = tuple[tuple[str, bool], ...]
_TURNS = 30  # of a repeat, till its potentials stand still
_LEAST = -(1 << 20)  # less than any sum of doors


@dataclass(frozen=True, slots=True)
class Way:
    """A border with one way to go on: what its cells may add, cell by cell."""

    border: Border
    move: Offset
    behind: Offset

    def through(self, here: Cut, at: int, come: str, go: str, sign: int) -> Cut:
        """Return the most that is possible in each state behind cell `at`, from 0."""
        sides = sides_of(self.border, self.move, self.behind, come, go)
        gain = sign * (1 if (sum(self.border.first) + at) % 2 else -1)
        found: Cut = {}
        for state, total in here.items():
            for after, doors in beyond(state, sides, goes_on=bool(go)):
                found[after] = max(found.get(after, _LEAST), total + gain * doors)
        return found

    def most(self, steps: str, sign: int) -> int:
        """Return the largest surplus, `sign` times."""
        here, come = starts(self.border, self.move, self.behind, sign), ""
        for at, go in enumerate((*steps, "")):
            here, come = self.through(here, at, come, go, sign), go
        left = [x for state, x in here.items() if visits_all(self.border, state)]
        return max(left) // 2

    def potentials(self, words: Words, sign: int, bound: list[int]) -> list[Cut] | None:
        """Return potentials that prove `sign` times a bound, None if there are none."""
        here, come = starts(self.border, self.move, self.behind, sign), ""
        cuts: list[Cut] = []
        more = iter(bound[1:])
        for letters, repeated in words:
            less = 2 * next(more) if repeated else 0
            for _ in range(_TURNS):
                before, first = here, len(cuts)
                for go in letters:
                    here, come = self.through(here, len(cuts), come, go, sign), go
                    cuts.append(here)
                if not repeated:
                    break
                again = {state: total - less for state, total in here.items()}
                here = {
                    state: max(before.get(state, _LEAST), again.get(state, _LEAST))
                    for state in before | again
                }
                if here == before:
                    break
                del cuts[first:]
                cuts[-1] = here
            else:
                return None
        here = self.through(here, len(cuts), come, "", sign)
        left = [x for state, x in here.items() if visits_all(self.border, state)]
        return cuts if max(left) <= 2 * bound[0] + 1 else None

    def chain(self, words: Words) -> dict[str, Any] | None:
        """Return a chain's bounds and potentials as JSON values.

        None if the bounds do not grow by the same numbers at each repeat.
        """
        count = sum(repeated for _, repeated in words)
        bounds, vectors = [], []
        for sign in (-1, 1):
            bound = _linear(
                {
                    times: self.most(_unrolled(words, times), sign)
                    for times in product(range(3), repeat=count)
                }
            )
            if bound is None:
                return None
            cuts = self.potentials(words, sign, bound)
            if cuts is None:
                return None
            bounds.append([sign * number for number in bound])
            vectors.append([[cut.get(state) for state in STATES] for cut in cuts])
        told = "".join(f"({word})" if often else word for word, often in words)
        return {"steps": told, "bounds": bounds, "potentials": vectors}


def _linear(seen: dict[tuple[int, ...], int]) -> list[int] | None:
    """Return a number and what each repeat adds to it, None if that tells not all."""
    none = min(seen)
    more = [seen[(*none[:i], 1, *none[i + 1 :])] - seen[none] for i in range(len(none))]
    for times, found in seen.items():
        if found != seen[none] + sum(a * b for a, b in zip(more, times, strict=True)):
            return None
    return [seen[none], *more]


def _unrolled(words: Words, times: tuple[int, ...]) -> str:
    left = iter(times)
    return "".join(word * next(left) if often else word for word, often in words)


def _repeated(steps: str) -> Iterator[Words]:
    """Yield a drawing's steps with repeats put in, the most general first.

    >>> [[word for word, often in words if often] for words in _repeated("LLA")]
    [['LLLL', 'LA'], ['LLLL'], ['LA'], []]
    """
    stair = re.search("(LA)+", steps)
    begin, end = stair.span() if stair else (len(steps), len(steps))
    runs = [steps[:begin], steps[begin:end], steps[end:]]
    choices = [
        [*_one_more(run, word), ((run, False),)] if run else [()]
        for run, word in zip(runs, (steps[0] * 4, "LA", "AAAA"), strict=True)
    ]
    for first, second, third in sorted(product(*choices), key=_fewest):
        yield first + second + third


def _fewest(some: tuple[Words, ...]) -> int:
    return -sum(often for words in some for _, often in words)


def _one_more(run: str, word: str) -> list[Words]:
    """Return a run of equal steps, or of steps in turn, with a repeat put in."""
    first = run[: 1 if len(word) == 4 else 2]
    rest = run[len(first) :]
    return [((first, False), (word, True), *[(rest, False)][: len(rest)])]


def chains(way: Way, drawings: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield chains that tell all of the drawings, each as general as it can be."""
    told: list[str] = []
    for steps in drawings:
        if any(re.fullmatch(one, steps) for one in told):
            continue
        chain = next(filter(None, map(way.chain, _repeated(steps))))
        told.append(chain["steps"].replace(")", ")*"))
        yield chain

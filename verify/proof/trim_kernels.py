"""The kernels that trim a DRAT proof; see `verify.proof.trim`.

Literals are ``2 * variable + sign``, variables from 0. A clause is a row ``start,
length`` of `spans` over `lits`, its first two literals are watched; a watch is a
*slot*, ``2 * clause + 0 or 1``, in a doubly linked list for each literal. `last` holds
the step behind which a clause is not needed any more, `NONE` while nothing needs it.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import njit

Ints: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Hashes: TypeAlias = npt.NDArray[np.uint64]

NONE = -1
ASSUMED = -2  # reason of a literal that a check assumes
SKIP = -(2**31)  # a step that does nothing
TRUE, OPEN, FALSE = 1, 0, -1
START, LENGTH = 0, 1  # columns of `spans`
AFTER, BEFORE = 0, 1  # columns of `links`
REASON, PLACE = 0, 1  # columns of `why`
FULL = -2  # more was used than there is room for
ADD, DELETE = 97, 100  # bytes that begin a step of a proof: a and d


class Clauses(NamedTuple):
    """The clauses and lemmas, what is assigned, and what is needed; arrays.

    - `lits`, int32: the literals of all clauses; those of a clause stand together.
    - `spans`, (clauses, 2) int32: where each begins in `lits`, and how many they are.
    - `head`, (literals,) int32: the first slot that watches each literal.
    - `links`, (slots, 2) int32: the slots after and before each.
    - `value`, (literals,) int8: TRUE, FALSE or OPEN.
    - `why`, (variables, 2) int32: the clause that made each variable true, and its
      place on the trail.
    - `trail`, (variables,) int32: the true literals in the order in which they became
      so.
    - `last`, (clauses,) int32: the step behind which a clause is not needed any more.
    - `seen`, `active`, (variables,), (clauses,) uint8: variables that a conflict used;
      clauses that are not deleted.
    - `units`, (clauses,) int32: the clauses of one literal.
    - `used`, int32: for each needed lemma, the last one first, the clauses that it
      follows from, backwards; before all those of the conflict.
    - `ends`, (steps + 1,) int32: where those of each step end in `used`.
    - `sizes`, (3,) int32: how many entries of `trail`, of `units` and of `used` are
      taken.
    """

    lits: Ints
    spans: Ints
    head: Ints
    links: Ints
    value: Ints
    why: Ints
    trail: Ints
    last: Ints
    seen: Bytes
    active: Bytes
    units: Ints
    used: Ints
    ends: Ints
    sizes: Ints


TRAIL, UNITS, USED = 0, 1, 2  # entries of `Clauses.sizes`


def new_clauses(lits: Ints, spans: Ints, steps: int, room: int) -> Clauses:
    """Return clauses of which none is watched yet and nothing is assigned.

    `room` is how many clauses `used` can tell, beside those of one more lemma.
    """
    variables = int(lits.max(initial=0)) // 2 + 1
    return Clauses(
        lits,
        spans,
        head=np.full(2 * variables, NONE, np.int32),
        links=np.full((2 * len(spans), 2), NONE, np.int32),
        value=np.zeros(2 * variables, np.int8),
        why=np.full((variables, 2), NONE, np.int32),
        trail=np.empty(variables, np.int32),
        last=np.full(len(spans), NONE, np.int32),
        seen=np.zeros(variables, np.uint8),
        active=np.zeros(len(spans), np.uint8),
        units=np.empty(len(spans), np.int32),
        used=np.empty(room + variables, np.int32),
        ends=np.zeros(steps + 1, np.int32),
        sizes=np.zeros(3, np.int32),
    )


@njit
def read(
    data: Bytes,
    given: int,
    lits: Ints,
    spans: Ints,
    steps: Ints,
    table: Ints,
    chain: Ints,
    hashes: Hashes,
) -> int:
    """Read a binary proof; return the number of its steps, -1 if it is none.

    A step is a lemma's number, or -1 - number for a deletion. Clauses are found again
    by a hash of 64 bits that does not mind their order: a false one would only cost a
    proof that fails.
    """
    mask = np.uint64(table.size - 1)
    clauses, count, steps_read, at = 0, 0, 0, 0
    adding = True
    while True:
        if clauses < given:
            count = spans[clauses, START] + spans[clauses, LENGTH]
            first = spans[clauses, START]
        else:
            if at >= data.size:
                return steps_read
            adding = data[at] == ADD
            if not adding and data[at] != DELETE:
                return -1
            at += 1
            first = count
            while True:
                value, shift, byte = 0, 0, 255
                while byte > 127:
                    if at >= data.size:
                        return -1
                    byte = int(data[at])  # as Python it would overflow in 8 bits
                    at += 1
                    value |= (byte & 127) << shift
                    shift += 7
                if value == 0:
                    break
                lits[count] = value - 2
                count += 1
        code = np.uint64(count - first)
        for i in range(first, count):
            one = np.uint64(lits[i] + 1) * np.uint64(0x9E3779B97F4A7C15)
            one ^= one >> np.uint64(29)
            code += one * np.uint64(0xBF58476D1CE4E5B9)
        bucket = (code >> np.uint64(20)) & mask
        if adding:
            spans[clauses, START], spans[clauses, LENGTH] = first, count - first
            hashes[clauses], chain[clauses] = code, table[bucket]
            table[bucket] = clauses
            if clauses >= given:
                steps[steps_read] = clauses
                steps_read += 1
            clauses += 1
            continue
        count = first
        before, old = NONE, table[bucket]
        while old != NONE and hashes[old] != code:
            before, old = old, chain[old]
        if old != NONE:
            if before == NONE:
                table[bucket] = chain[old]
            else:
                chain[before] = chain[old]
            steps[steps_read] = -1 - old
            steps_read += 1


@njit
def _link(c: Clauses, lit: int, slot: int) -> None:
    c.links[slot, AFTER], c.links[slot, BEFORE] = c.head[lit], NONE
    if c.head[lit] != NONE:
        c.links[c.head[lit], BEFORE] = slot
    c.head[lit] = slot


@njit
def _unlink(c: Clauses, lit: int, slot: int) -> None:
    after, before = c.links[slot, AFTER], c.links[slot, BEFORE]
    if before == NONE:
        c.head[lit] = after
    else:
        c.links[before, AFTER] = after
    if after != NONE:
        c.links[after, BEFORE] = before


@njit
def _attach(c: Clauses, clause: int) -> int:
    """Watch two literals, those that are not false first; return how many those are."""
    lits, start, length = c.lits, c.spans[clause, START], c.spans[clause, LENGTH]
    free = 0
    for i in range(start, start + length):
        if c.value[lits[i]] != FALSE:
            if free < 2:
                lits[i], lits[start + free] = lits[start + free], lits[i]
            free += 1
    if length > 1:
        _link(c, lits[start], 2 * clause)
        _link(c, lits[start + 1], 2 * clause + 1)
    c.active[clause] = 1
    return free


@njit
def _detach(c: Clauses, clause: int) -> None:
    """Watch a clause no longer."""
    start = c.spans[clause, START]
    c.active[clause] = 0
    if c.spans[clause, LENGTH] > 1:
        _unlink(c, c.lits[start], 2 * clause)
        _unlink(c, c.lits[start + 1], 2 * clause + 1)


@njit
def _assign(c: Clauses, lit: int, reason: int) -> None:
    c.value[lit], c.value[lit ^ 1] = TRUE, FALSE
    c.why[lit >> 1, REASON], c.why[lit >> 1, PLACE] = reason, c.sizes[TRAIL]
    c.trail[c.sizes[TRAIL]] = lit
    c.sizes[TRAIL] += 1


@njit
def _unwind(c: Clauses, size: int) -> None:
    for i in range(size, c.sizes[TRAIL]):
        c.value[c.trail[i]] = OPEN
        c.value[c.trail[i] ^ 1] = OPEN
    c.sizes[TRAIL] = size


@njit
def _watch_another(c: Clauses, clause: int, mine: int, slot: int) -> bool:
    """Let a slot watch a literal that is not false in place of one that now is."""
    lits, start = c.lits, c.spans[clause, START]
    for i in range(start + 2, start + c.spans[clause, LENGTH]):
        if c.value[lits[i]] != FALSE:
            false = lits[mine]
            lits[mine], lits[i] = lits[i], false
            _unlink(c, false, slot)
            _link(c, lits[mine], slot)
            return True
    return False


@njit
def _propagate(c: Clauses, first: int) -> int:
    """Propagate the trail from `first` on; return the clause that fails, or NONE.

    Needed clauses go first: another one is looked at when they have nothing to say.
    """
    needed_at, at = first, first
    while True:
        if needed_at < c.sizes[TRAIL]:
            false, needed = c.trail[needed_at] ^ 1, True
            needed_at += 1
        elif at < c.sizes[TRAIL]:
            false, needed = c.trail[at] ^ 1, False
            at += 1
        else:
            return NONE
        slot = c.head[false]
        while slot != NONE:
            after = c.links[slot, AFTER]
            clause = slot >> 1
            if (c.last[clause] >= 0) != needed:
                slot = after
                continue
            start = c.spans[clause, START]
            other = c.lits[start + 1 - (slot & 1)]
            if c.value[other] != TRUE and not _watch_another(
                c, clause, start + (slot & 1), slot
            ):
                if c.value[other] == FALSE:
                    return int(clause)
                _assign(c, other, clause)
            slot = after


@njit
def _use(c: Clauses, clause: int, step: int, but: int) -> None:
    """Mark a clause as needed and its variables as seen, one literal left out.

    It is appended to `used`.
    """
    c.used[c.sizes[USED]] = clause
    c.sizes[USED] += 1
    if c.last[clause] < 0:
        c.last[clause] = step
    start = c.spans[clause, START]
    for i in range(start, start + c.spans[clause, LENGTH]):
        if c.lits[i] != but:
            c.seen[c.lits[i] >> 1] = 1


@njit
def _need(c: Clauses, clause: int, step: int) -> None:
    """Mark what a conflict used: clauses as needed, assumed literals as seen.

    The conflict comes first, then reasons backwards; at its step ends what is used.
    """
    if clause != NONE:
        _use(c, clause, step, NONE)
    for k in range(c.sizes[TRAIL] - 1, -1, -1):
        variable = c.trail[k] >> 1
        if not c.seen[variable] or c.why[variable, REASON] == ASSUMED:
            continue
        c.seen[variable] = 0
        _use(c, c.why[variable, REASON], step, c.trail[k])
    c.ends[step] = c.sizes[USED]


@njit
def _begin(c: Clauses, given: int) -> int:
    """Take the clauses of the formula up; return one that fails, or NONE."""
    for clause in range(given):
        _attach(c, clause)
        if c.spans[clause, LENGTH] == 1:
            c.units[c.sizes[UNITS]] = clause
            c.sizes[UNITS] += 1
            lit = c.lits[c.spans[clause, START]]
            if c.value[lit] == FALSE:
                return clause
            if c.value[lit] == OPEN:
                _assign(c, lit, clause)
    return _propagate(c, 0)


@njit
def _add(c: Clauses, clause: int) -> int:
    """Take a lemma up; return the clause that fails then, or NONE."""
    free = _attach(c, clause)
    start = c.spans[clause, START]
    if c.spans[clause, LENGTH] == 1:
        c.units[c.sizes[UNITS]] = clause
        c.sizes[UNITS] += 1
    if free == 0:
        return clause
    if free == 1 and c.value[c.lits[start]] == OPEN:
        size = c.sizes[TRAIL]
        _assign(c, c.lits[start], clause)
        return _propagate(c, size)
    return NONE


@njit
def _carried(c: Clauses, clause: int) -> int:
    """Return the watched literal that is true because of a clause, or NONE."""
    start = c.spans[clause, START]
    for i in range(start, start + min(c.spans[clause, LENGTH], 2)):
        lit = c.lits[i]
        if c.value[lit] == TRUE and c.why[lit >> 1, REASON] == clause:
            return int(lit)
    return NONE


@njit
def _forwards(c: Clauses, given: int, steps: Ints, count: int) -> tuple[int, int]:
    """Replay the proof until a clause fails; return it, or NONE, and the steps done."""
    conflict, done = _begin(c, given), 0
    while conflict == NONE and done < count:
        clause = steps[done]
        if clause >= 0:
            conflict = _add(c, clause)
        elif c.spans[-1 - clause, LENGTH] == 1 or _carried(c, -1 - clause) != NONE:
            steps[done] = SKIP  # what the trail rests on stays
        else:
            _detach(c, -1 - clause)
        done += 1
    return conflict, done


@njit
def _take_back(c: Clauses, clause: int) -> None:
    """Take a lemma back, and what is true because of it."""
    _detach(c, clause)
    lit = _carried(c, clause)
    if lit != NONE:
        _unwind(c, c.why[lit >> 1, PLACE])
        for k in range(c.sizes[UNITS]):
            unit = c.lits[c.spans[c.units[k], START]]
            if c.active[c.units[k]] and c.value[unit] == OPEN:
                _assign(c, unit, c.units[k])
        _propagate(c, 0)


@njit
def _check(c: Clauses, clause: int, step: int) -> int:
    """Check a needed lemma, mark what it needs, and drop literals it does not need.

    Returns 0, NONE if the lemma does not follow, or FULL.
    """
    lits, start, length = c.lits, c.spans[clause, START], c.spans[clause, LENGTH]
    size, conflict, true_lit = c.sizes[TRAIL], NONE, NONE
    for i in range(start, start + length):
        if c.value[lits[i]] == TRUE:  # it follows without the others
            c.seen[lits[i] >> 1] = 1
            true_lit = lits[i]
            break
        if c.value[lits[i]] == OPEN:
            _assign(c, lits[i] ^ 1, ASSUMED)
    if true_lit == NONE:
        conflict = _propagate(c, size)
        if conflict == NONE:
            return NONE
    if c.sizes[USED] + c.sizes[TRAIL] >= c.used.size:
        return FULL
    _need(c, conflict, step)
    kept = start
    for i in range(start, start + length):
        lit = lits[i]
        assumed = c.why[lit >> 1, REASON] == ASSUMED
        if lit == true_lit or (c.seen[lit >> 1] and assumed):
            lits[i], lits[kept] = lits[kept], lit
            kept += 1
    c.spans[clause, LENGTH] = kept - start
    for k in range(c.sizes[TRAIL]):
        c.seen[c.trail[k] >> 1] = 0
    _unwind(c, size)
    return 0


@njit
def mark(c: Clauses, given: int, steps: Ints, count: int) -> int:
    """Fill `last`, the step behind which a needed clause is not needed any more.

    The first `given` clauses are the formula. Returns the number of steps up to the
    conflict, -1 if there is none, `FULL` if `used` is too small.
    """
    conflict, done = _forwards(c, given, steps, count)
    if conflict == NONE:
        return -1
    _need(c, conflict, done)
    for step in range(done - 1, -1, -1):
        clause = steps[step]
        if clause == SKIP:
            continue
        if clause < 0:
            _attach(c, -1 - clause)
            continue
        _take_back(c, clause)
        if c.last[clause] >= 0:
            fault = _check(c, clause, step)
            if fault != 0:
                return fault
    return done

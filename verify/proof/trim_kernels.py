"""The kernels that read and trim a binary DRAT proof; see `verify.proof.trim`.

Literals are ``2 * variable + sign``, variables from 0. A clause is a row ``start,
length`` of `spans` over `lits`, its first two literals are watched; a watch is a
*slot*, ``2 * clause + 0 or 1``, in a doubly linked list for each literal. `last` holds
the step behind which a clause is not needed any more, `NONE` while nothing needs it.
"""

from typing import TypeAlias

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
FULL = -2  # more was used than there is room for


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
            count = spans[clauses, 0] + spans[clauses, 1]
            first = spans[clauses, 0]
        else:
            if at >= data.size:
                return steps_read
            adding = data[at] == 97
            if not adding and data[at] != 100:
                return -1
            at += 1
            first = count
            while True:
                value, shift, byte = 0, 0, 255
                while byte > 127:
                    if at >= data.size:
                        return -1
                    byte = data[at]
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
            spans[clauses, 0], spans[clauses, 1] = first, count - first
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
def _link(head: Ints, links: Ints, lit: int, slot: int) -> None:
    links[slot, 0], links[slot, 1] = head[lit], NONE
    if head[lit] != NONE:
        links[head[lit], 1] = slot
    head[lit] = slot


@njit
def _unlink(head: Ints, links: Ints, lit: int, slot: int) -> None:
    after, before = links[slot, 0], links[slot, 1]
    if before == NONE:
        head[lit] = after
    else:
        links[before, 0] = after
    if after != NONE:
        links[after, 1] = before


@njit
def _attach(
    lits: Ints, spans: Ints, head: Ints, links: Ints, value: Ints, clause: int
) -> int:
    """Watch two literals, those that are not false first; return how many those are."""
    start, length = spans[clause, 0], spans[clause, 1]
    free = 0
    for i in range(start, start + length):
        if value[lits[i]] != FALSE:
            if free < 2:
                lits[i], lits[start + free] = lits[start + free], lits[i]
            free += 1
    if length > 1:
        _link(head, links, lits[start], 2 * clause)
        _link(head, links, lits[start + 1], 2 * clause + 1)
    return free


@njit
def _assign(
    value: Ints, why: Ints, trail: Ints, state: Ints, lit: int, reason: int
) -> None:
    value[lit], value[lit ^ 1] = TRUE, FALSE
    why[lit >> 1, 0], why[lit >> 1, 1] = reason, state[0]
    trail[state[0]] = lit
    state[0] += 1


@njit
def _unwind(value: Ints, trail: Ints, state: Ints, size: int) -> None:
    for i in range(size, state[0]):
        value[trail[i]] = OPEN
        value[trail[i] ^ 1] = OPEN
    state[0] = size


@njit
def _propagate(
    lits: Ints,
    spans: Ints,
    head: Ints,
    links: Ints,
    value: Ints,
    why: Ints,
    trail: Ints,
    last: Ints,
    state: Ints,
    first: int,
) -> int:
    """Propagate the trail from `first` on; return the clause that fails, or NONE.

    Needed clauses go first: another one is looked at when they have nothing to say.
    """
    needed_at, at = first, first
    while True:
        if needed_at < state[0]:
            false, needed = trail[needed_at] ^ 1, True
            needed_at += 1
        elif at < state[0]:
            false, needed = trail[at] ^ 1, False
            at += 1
        else:
            return NONE
        slot = head[false]
        while slot != NONE:
            after = links[slot, 0]
            clause = slot >> 1
            if (last[clause] >= 0) != needed:
                slot = after
                continue
            start = spans[clause, 0]
            mine = start + (slot & 1)
            other = lits[start + 1 - (slot & 1)]
            if value[other] != TRUE:
                moved = False
                for i in range(start + 2, start + spans[clause, 1]):
                    if value[lits[i]] != FALSE:
                        lits[mine], lits[i] = lits[i], false
                        _unlink(head, links, false, slot)
                        _link(head, links, lits[mine], slot)
                        moved = True
                        break
                if not moved:
                    if value[other] == FALSE:
                        return int(clause)
                    _assign(value, why, trail, state, other, clause)
            slot = after


@njit
def _need(
    lits: Ints,
    spans: Ints,
    why: Ints,
    trail: Ints,
    seen: Bytes,
    last: Ints,
    state: Ints,
    used: Ints,
    clause: int,
    step: int,
) -> None:
    """Mark what a conflict used: clauses as needed, assumed literals as seen.

    The clauses are appended to `used`, the conflict first, then reasons backwards.
    """
    if clause != NONE:
        used[state[2]] = clause
        state[2] += 1
        if last[clause] < 0:
            last[clause] = step
        for i in range(spans[clause, 0], spans[clause, 0] + spans[clause, 1]):
            seen[lits[i] >> 1] = 1
    for k in range(state[0] - 1, -1, -1):
        variable = trail[k] >> 1
        if not seen[variable] or why[variable, 0] == ASSUMED:
            continue
        seen[variable] = 0
        clause = why[variable, 0]
        used[state[2]] = clause
        state[2] += 1
        if last[clause] < 0:
            last[clause] = step
        for i in range(spans[clause, 0], spans[clause, 0] + spans[clause, 1]):
            if lits[i] != trail[k]:
                seen[lits[i] >> 1] = 1


@njit
def mark(
    lits: Ints,
    spans: Ints,
    given: int,
    steps: Ints,
    count: int,
    last: Ints,
    head: Ints,
    links: Ints,
    value: Ints,
    why: Ints,
    seen: Bytes,
    trail: Ints,
    active: Bytes,
    units: Ints,
    state: Ints,
    used: Ints,
    ends: Ints,
) -> int:
    """Fill `last`, the step behind which a needed clause is not needed any more.

    `state` counts the trail, the unit clauses and what stands in `used`: for each lemma
    that is needed the clauses it follows from, backwards, ending before ``ends[step]``,
    the last lemma first; before all the conflict at ``ends[done]``. Returns the number
    of steps up to the conflict, -1 if there is none, `FULL` if `used` is too small.
    """
    conflict = NONE
    for clause in range(given):
        active[clause] = 1
        _attach(lits, spans, head, links, value, clause)
        if spans[clause, 1] == 1:
            units[state[1]] = clause
            state[1] += 1
            lit = lits[spans[clause, 0]]
            if value[lit] == FALSE:
                conflict = clause
                break
            if value[lit] == OPEN:
                _assign(value, why, trail, state, lit, clause)
    if conflict == NONE:
        conflict = _propagate(
            *(lits, spans, head, links, value, why, trail, last, state, 0)
        )
    done = 0
    while conflict == NONE and done < count:
        clause = steps[done]
        done += 1
        if clause >= 0:
            active[clause] = 1
            free = _attach(lits, spans, head, links, value, clause)
            start = spans[clause, 0]
            if spans[clause, 1] == 1:
                units[state[1]] = clause
                state[1] += 1
            if free == 0:
                conflict = clause
            elif free == 1 and value[lits[start]] == OPEN:
                size = state[0]
                _assign(value, why, trail, state, lits[start], clause)
                conflict = _propagate(
                    *(lits, spans, head, links, value, why, trail, last, state, size)
                )
            continue
        clause = -1 - clause
        start, length = spans[clause, 0], spans[clause, 1]
        holds = length == 1
        for i in range(start, start + min(length, 2)):
            true = value[lits[i]] == TRUE
            holds = holds or (true and why[lits[i] >> 1, 0] == clause)
        if holds:  # what the trail rests on stays
            steps[done - 1] = SKIP
            continue
        active[clause] = 0
        _unlink(head, links, lits[start], 2 * clause)
        _unlink(head, links, lits[start + 1], 2 * clause + 1)
    if conflict == NONE:
        return -1
    _need(lits, spans, why, trail, seen, last, state, used, conflict, done)
    ends[done] = state[2]
    for step in range(done - 1, -1, -1):
        clause = steps[step]
        if clause == SKIP:
            continue
        if clause < 0:
            active[-1 - clause] = 1
            _attach(lits, spans, head, links, value, -1 - clause)
            continue
        active[clause] = 0
        start, length = spans[clause, 0], spans[clause, 1]
        if length > 1:
            _unlink(head, links, lits[start], 2 * clause)
            _unlink(head, links, lits[start + 1], 2 * clause + 1)
        for i in range(start, start + min(length, 2)):
            if value[lits[i]] == TRUE and why[lits[i] >> 1, 0] == clause:
                _unwind(value, trail, state, why[lits[i] >> 1, 1])
                for k in range(state[1]):
                    lit = lits[spans[units[k], 0]]
                    if active[units[k]] and value[lit] == OPEN:
                        _assign(value, why, trail, state, lit, units[k])
                _propagate(
                    *(lits, spans, head, links, value, why, trail, last, state, 0)
                )
        if last[clause] < 0:
            continue
        size, conflict = state[0], NONE
        met = False
        for i in range(start, start + length):
            if value[lits[i]] == TRUE:  # it follows without the others
                seen[lits[i] >> 1] = 1
                met = True
                break
            if value[lits[i]] == OPEN:
                _assign(value, why, trail, state, lits[i] ^ 1, ASSUMED)
        if not met:
            conflict = _propagate(
                *(lits, spans, head, links, value, why, trail, last, state, size)
            )
            if conflict == NONE:
                return -1
        true_lit = lits[i] if met else NONE
        if state[2] + state[0] >= used.size:
            return FULL
        _need(lits, spans, why, trail, seen, last, state, used, conflict, step)
        ends[step] = state[2]
        kept = start
        for i in range(start, start + length):
            lit = lits[i]
            if lit == true_lit or (seen[lit >> 1] and why[lit >> 1, 0] == ASSUMED):
                lits[i], lits[kept] = lits[kept], lit
                kept += 1
        spans[clause, 1] = kept - start
        for k in range(state[0]):
            seen[trail[k] >> 1] = 0
        _unwind(value, trail, state, size)
    return done

"""x"""
import numpy as np
import numpy.typing as npt
from solver.jit import njit
from solver.knight.bits import first_bit, count_bits

U = np.uint64
Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

SIDE, CELLS, SUM = 8, 64, 260
JUMPS = ((1,2),(1,-2),(-1,2),(-1,-2),(2,1),(2,-1),(-2,1),(-2,-1))

def _near():
    out = np.zeros(64, dtype=np.uint64)
    for cell in range(64):
        r, c = divmod(cell, 8)
        for dr, dc in JUMPS:
            if 0 <= r+dr < 8 and 0 <= c+dc < 8:
                out[cell] |= U(1) << U((r+dr)*8+c+dc)
    return out

def _low():
    gaps = (0,3,2,3,2,3,4,5)
    best = np.full(256, 0, dtype=np.int64)
    from functools import lru_cache
    @lru_cache(None)
    def f(mask, last):
        # min sum over order of remaining mask, after last: gap * remaining
        if mask == 0: return 0
        k = bin(mask).count("1")
        return min(gaps[abs(last-j)]*k + f(mask & ~(1<<j), j) for j in range(8) if mask>>j&1)
    for mask in range(1,256):
        k = bin(mask).count("1")
        best[mask] = min(k + f(mask & ~(1<<j), j) for j in range(8) if mask>>j&1)
    return best

NEAR = _near()
LOW = _low().astype(np.uint64)
COUNT = np.array([bin(m).count("1") for m in range(256)], dtype=np.uint64)
# LATEST[k*512 + slack]: floor(slack / k)
LATEST = np.zeros(9*512, dtype=np.uint64)
for k in range(9):
    for s in range(512):
        LATEST[k*512+s] = (127 if s == 0 else 0) if k == 0 else (0 if s > 300 else min(s//k, 127))
ONES = U(0x0101010101010101)
HIGH = U(0x8080808080808080)
_delay = (1,0,0,1,1,2,2,3)
DELAY = np.array([sum(_delay[abs(r-h)] << (8*r) for r in range(8)) for h in range(8)], dtype=np.uint64)
DIAG = U(0x0102040810204080)
Z0, Z1, Z2, Z3, Z5, Z6, Z7, Z8, Z10, Z16, Z56, ZFF = (U(x) for x in (0,1,2,3,5,6,7,8,10,16,56,255))
Z9, Z63, Z511, ALL = U(9), U(63), U(511), U(2**64-1)
NOT1R, NOT2R = U(0x7f7f7f7f7f7f7f7f), U(0x3f3f3f3f3f3f3f3f)
NOT1L, NOT2L = U(0xfefefefefefefefe), U(0xfcfcfcfcfcfcfcfc)
# columns of a stack row
FREE, P0, P1, P2, P3, CAND, ROWS, COLS = range(8)


@njit
def counts(f):
    l1 = (f >> Z1) & NOT1R
    r1 = (f << Z1) & NOT1L
    l2 = (f >> Z2) & NOT2R
    r2 = (f << Z2) & NOT2L
    s1 = l1 ^ r1
    c1 = l1 & r1
    s2 = l2 ^ r2
    c2 = l2 & r2
    a = s1 << Z16
    b = s1 >> Z16
    c = s2 << Z8
    d = s2 >> Z8
    ab = a ^ b
    abc = ab ^ c
    k1 = (a & b) | (ab & c)
    ones = abc ^ d
    k2 = abc & d
    t1 = c1 << Z16
    t2 = c1 >> Z16
    t3 = c2 << Z8
    t4 = c2 >> Z8
    any2 = k1 | k2 
    two2 = k1 & k2
    two2 |= any2 & t1
    any2 |= t1
    two2 |= any2 & t2
    any2 |= t2
    two2 |= any2 & t3
    any2 |= t3
    two2 |= any2 & t4
    any2 |= t4
    return any2, two2 | (any2 & ones), two2


@njit
def relieved(cand, bad, severe, forced):
    """Keep the candidates that take the load off every overloaded square."""
    out = Z0
    while cand != Z0:
        v = cand & (~cand + Z1)
        cand ^= v
        left = bad & ~v
        if v & forced != Z0:
            left &= severe | ~NEAR[first_bit(v)]
        if left == Z0:
            out |= v
    return out


@njit
def expand(stack, t, head, finish, loose):
    """Fill planes after the head is left and the candidates of level t."""
    free = stack[t, FREE]
    near = NEAR[head]
    cand = near & free
    p0 = stack[t - Z1, P0]
    p1 = stack[t - Z1, P1]
    p2 = stack[t - Z1, P2]
    p3 = stack[t - Z1, P3]
    x = ~p0 & near
    p0 ^= near
    y = ~p1 & x
    p1 ^= x
    x = ~p2 & y
    p2 ^= y
    p3 ^= x
    stack[t, P0] = p0
    stack[t, P1] = p1
    stack[t, P2] = p2
    stack[t, P3] = p3
    few = free & ~(p3 | p2)
    d01 = few & ~p1
    d1 = d01 & p0
    d2 = few & p1 & ~p0
    two, three, four = counts(d2)
    if d01 == Z0:
        stop = (two & ~loose) | (three & loose)
        cand &= ~stop
        bad = ((three & ~loose) | (four & loose)) & free
        if bad != Z0:
            cand = relieved(cand, bad, four & ~loose, d2)
        return cand
    if d01 != d1:
        # a square without neighbours is the last of all
        return cand & finish if t == Z63 else Z0
    more = d1 & (d1 - Z1)
    never = d1 & ~finish
    if (more & (more - Z1)) | (never & (never - Z1)) != Z0:
        return Z0
    if more == Z0:
        cand &= d1 | (Z0 if never != Z0 else ALL)
    else:
        cand &= never if never != Z0 else d1
    # the square with one neighbour is the finish, unless it is the next one
    sure = cand & ~(d1 if more == Z0 else Z0)
    sure &= ~two
    bad = three & free
    maybe = cand & d1 & ~((two & ~loose) | (three & loose)) if more == Z0 else Z0
    if bad != Z0:
        sure = relieved(sure, bad, four, d2)
        if maybe != Z0:
            bad = ((three & ~loose) | (four & loose)) & free
            if bad != Z0:
                maybe = relieved(maybe, bad, four & ~loose, d2)
    return sure | maybe


@njit
def accept(stack, need, t, v, late):
    """Try square v as number t + 1; push it if all lines stay possible."""
    now = t + Z1
    r = v >> Z3
    c = v & Z7
    free = stack[t, FREE] & ~(Z1 << v)
    rsh = r << Z3
    csh = c << Z3
    row = (free >> rsh) & ZFF
    col = (((free >> c) & ONES) * DIAG) >> Z56
    left = need[r] - now
    cleft = need[c + Z8] - now
    k = COUNT[row]
    ck = COUNT[col]
    low = LOW[row]
    clow = LOW[col]
    slack = (left - low) & Z511
    cslack = (cleft - clow) & Z511
    last = LATEST[(k << Z9) | slack]
    clast = LATEST[(ck << Z9) | cslack]
    rows = (stack[t, ROWS] & ~(ZFF << rsh)) | (last << rsh)
    cols = (stack[t, COLS] & ~(ZFF << csh)) | (clast << csh)
    time = now * ONES
    ok = ((rows | HIGH) - time - DELAY[r]) & ((cols | HIGH) - time - DELAY[c]) & HIGH
    over = (k * late[r] - low - left) | (ck * late[c + Z8] - clow - cleft)
    if (ok != HIGH) | (over >> Z63 != Z0):
        return False
    stack[now, FREE] = free
    stack[now, ROWS] = rows
    stack[now, COLS] = cols
    need[r] = left
    need[c + Z8] = cleft
    return True


@njit
def search(stack, need, path, begin, stop, late, masks, out, tally):
    """Enumerate below the prefix of `begin` squares laid down in stack."""
    finish = masks[0]
    loose = masks[1]
    t = begin
    found = Z0
    most = U(out.shape[0])
    stack[t, CAND] = expand(stack, t, path[t], finish, loose)
    tried = Z0
    while True:
        cand = stack[t, CAND]
        if cand == Z0:
            if t == begin:
                break
            v = path[t]
            need[v >> Z3] += t
            need[(v & Z7) + Z8] += t
            t -= Z1
            continue
        v = first_bit(cand)
        stack[t, CAND] = cand & (cand - Z1)
        tried += Z1
        if not accept(stack, need, t, v, late):
            continue
        t += Z1
        path[t] = v
        tally[t] += Z1
        if t == stop:
            if found < most:
                for i in range(1, stop + 1):
                    out[found, i - 1] = path[i]
            found += Z1
            need[v >> Z3] += t
            need[(v & Z7) + Z8] += t
            t -= Z1
            continue
        stack[t, CAND] = expand(stack, t, v, finish, loose)
    tally[0] += tried
    return found


def first_planes():
    deg = [int(count_py(int(n))) for n in NEAR]
    return [U(sum(1 << c for c in range(64) if deg[c] >> i & 1)) for i in range(4)]

def count_py(x): return bin(x).count("1")

OCTANT = "a1 b1 c1 d1 b2 c2 d2 c3 d3 d4".split()
def cell(name): return (8-int(name[1]))*8 + "abcdefgh".index(name[0])
def grade(c):
    r, k = divmod(c, 8)
    r, k = min(r,7-r), min(k,7-k)
    return (min(r,k), max(r,k))
def masks_of(start, sparse):
    i = OCTANT.index(start)
    grades = {grade(cell(n)) for n in OCTANT[i:]}
    s = cell(start)
    colour = (sum(divmod(s,8)))%2
    fin = sum(1<<c for c in range(64) if sum(divmod(c,8))%2 != colour and grade(c) in grades)
    fc = sum(1<<c for c in range(64) if sum(divmod(c,8))%2 != colour)
    loose = ~fc & sum(1<<c for c in range(64) if int(NEAR[c]) & fin)
    drop = fin if sparse else 0
    late = np.zeros(16, dtype=np.uint64)
    dist = (0,1,1,2,2,3,3,4)
    for l in range(16):
        best = 9
        for c in range(64):
            if fin>>c&1:
                best = min(best, dist[abs((divmod(c,8)[l//8]) - l%8)])
        late[l] = 65 - best
    return np.array([fin, loose, drop], dtype=np.uint64), late

class Run:
    def __init__(self, start, prefix, sparse=False):
        self.masks, self.late = masks_of(start, sparse)
        self.stack = np.zeros((66,8), dtype=np.uint64)
        self.need = np.full(16, 260, dtype=np.uint64)
        self.path = np.zeros(66, dtype=np.uint64)
        self.tally = np.zeros(66, dtype=np.uint64)
        st = self.stack
        st[0, FREE] = U(2**64-1)
        p = first_planes()
        st[0, P0:P3+1] = p
        full = 0
        for i in range(8):
            full |= ((260 - int(LOW[255]))//8) << (8*i)
        st[0, ROWS] = st[0, COLS] = U(full)
        self.ok = True
        for t, v in enumerate(prefix):
            if not accept(st, self.need, U(t), U(v), self.late):
                self.ok = False; return
            self.path[t+1] = v
            if t+1 < len(prefix):
                c = expand(st, U(t+1), U(v), self.masks[0], self.masks[1])
                if not int(c) >> int(prefix[t+1]) & 1:
                    self.ok = False; return
        self.begin = len(prefix)
    def go(self, stop=64, most=1000):
        out = np.zeros((most, 64), dtype=np.int64)
        n = search(self.stack, self.need, self.path, U(self.begin), U(stop), self.late, self.masks, out, self.tally)
        n = int(n); return n, out[:min(n, most), :stop]

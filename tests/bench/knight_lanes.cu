// All semi-magic tours of the 8 x 8 board below prefixes, one prefix a lane of a GPU.
// Not a part of the product: so far compared on CPUs alone.
//
// The tree, and every step tried in it, is that of solver/puzzles/knight/semimagic.py,
// which explains the tests; here a level is undone, not copied. This is CUDA C++ and
// also plain C++, one lane then, which is how it is compared with the other kernel.
//
// An *item* of 68 bytes is a prefix: its cells, then at 64 its length, at 65 and 66 the
// steps still to try from its end, coded as in a level's word, all ones if all are.
// A lane takes items from a queue. When the queue is empty and `patience` turns have
// passed, every lane writes what is left of its walk as items into `rest`, for another
// launch: so no lane waits for the longest walk.

typedef unsigned long long Word;
typedef unsigned int Half;
typedef unsigned char Byte;

#ifdef __CUDACC__
#ifndef THREADS
#define THREADS 768
#endif
#define DEVICE static __device__ __forceinline__
#define DEVICE_FAR static __device__ __noinline__
#define FIRST_BIT(x) (__ffs((int)(x)) - 1)
#define FIRST_OF_WORD(x) (__ffsll((long long)(x)) - 1)
#define BYTE_OF(x, k) (__byte_perm((Half)(x), (Half)((x) >> 32), (Half)(k)) & 255u)
#define ADD(place, n) atomicAdd(place, n)
#define LOOK(place) (*(volatile Half *)(place))
#define ALL(x) __all_sync(~0u, x)
#define SYNC() __syncthreads()
#ifndef BLOCKS
#define BLOCKS 1
#endif
#else
#undef THREADS
#define THREADS 1
#define DEVICE static inline
#define DEVICE_FAR static
#define FIRST_BIT(x) __builtin_ctz(x)
#define FIRST_OF_WORD(x) __builtin_ctzll(x)
#define BYTE_OF(x, k) ((Half)((x) >> (8 * (k))) & 255u)
#define ADD(place, n) add(place, n)
#define LOOK(place) (*(place))
#define ALL(x) (x)
#define SYNC()
template <class T> static inline T add(T *place, T n) {
    T before = *place;
    *place += n;
    return before;
}
#endif
#ifndef TRIES
#define TRIES 2  // steps tried, at most, before the levels that were reached are opened
#endif

enum { ITEM = 68, COPIES = 16, LANES = 32, QUEUE = 0, FOUND = 1, REST = 2 };

// A level's word: steps left to try (13 bits), how the deadlines of row and column
// changed (7 bits each), and the code of the move that led here.
#define PENDING 0x1FFFu
#define ROW_AT 13
#define COL_AT 20
#define CODE_AT 27

#define EACH 0x0101010101010101ull
#define GUARD 0x8080808080808080ull
#define NOT_H 0x7F7F7F7F7F7F7F7Full
#define NOT_GH 0x3F3F3F3F3F3F3F3Full
#define NOT_A 0xFEFEFEFEFEFEFEFEull
#define NOT_AB 0xFCFCFCFCFCFCFCFCull

// By line and mask of its free cells: what `deadline` needs. By cell, in copies that lie
// in different banks: its neighbours. By row: the delays. By code of a move: its length.
struct Tables {
    Word lines[8 * 256];
    Word near[64 * COPIES];
    Word delay[8];
    int move[16];
    Half taken[65 * LANES];
};

DEVICE Word neighbours_of(int cell) {
    Word bit = 1ull << cell;
    Word one = ((bit >> 1) & NOT_H) | ((bit << 1) & NOT_A);
    Word two = ((bit >> 2) & NOT_GH) | ((bit << 2) & NOT_AB);
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

// How much later than the next step the knight can reach each row, a byte a row.
DEVICE Word delay_of(int row) {
    Word all = 0;
    for (int k = 0; k < 8; k++) {
        int apart = k < row ? row - k : k - row;
        all |= (Word)(apart == 0 ? 1 : apart < 3 ? 0 : (apart - 1) / 2) << 8 * k;
    }
    return all;
}

// Moves by code; see `coded`.
DEVICE int move_of(int code) {
    switch (code) {
    case 0: return -17;
    case 1: return 15;
    case 2: return -15;
    case 3: return 17;
    case 7: return -10;
    case 8: return 6;
    case 11: return -6;
    case 12: return 10;
    default: return 0;
    }
}

// The steps from a cell as 13 bits: turned so that the cell comes to bit 17, neighbours
// lie at 0, 2, 7, 11, 23, 27, 32 and 34; the last four are folded into gaps.
DEVICE Half coded(Word steps, int cell) {
    int by = (cell - 17) & 63;
    Word turned = steps >> by | steps << ((64 - by) & 63);
    Half all = (Half)turned | (Half)(turned >> 32) << 1;
    return (all | all >> 15) & PENDING;
}

// Last time at which a line can still be untouched, as `linetimes` says: the later of
// an even and an odd one; 0 if never.
DEVICE Half deadline(Word entry, int left) {
    int factor = (int)((entry >> 32) & 0x3FFFFF);
    int even = ((left - (int)(short)(entry & 0xFFFF)) * factor >> 16) * 2;
    int odd = ((left - (int)(short)(entry >> 16 & 0xFFFF)) * factor >> 16) * 2 + 1;
    int last = even > odd ? even : odd;
    return left > (int)(entry >> 54) || last < 0 ? 0u : (Half)last;
}


struct Lane {
    const Tables *tables;
    Half *stack;           // words of levels, THREADS apart, `first` the lowest
    unsigned short *left;  // what the free cells of each line still have to sum up to
    const Byte *item;
    Word free, p0, p1, p2, p3, rows, cols;  // degrees in planes; deadlines, guarded
    Half word;
    int copy, first, level, base, head;
};

DEVICE Word near_of(const Lane &a, int cell) {
    return a.tables->near[cell * COPIES + a.copy];
}

DEVICE Half &word_at(const Lane &a, int level) {
    return a.stack[(level - a.first) * THREADS];
}

// Two lines share a word, so that lanes never meet in a bank.
DEVICE unsigned short &left_of(const Lane &a, int line) {
    return a.left[(line >> 1) * (2 * THREADS) + (line & 1)];
}

DEVICE void degrees_down(Lane &a, Word near) {
    Word borrow = ~a.p0 & near;
    a.p0 ^= near;
    Word again = ~a.p1 & borrow;
    a.p1 ^= borrow;
    a.p3 ^= ~a.p2 & again;
    a.p2 ^= again;
}

DEVICE void degrees_up(Lane &a, Word near) {
    Word carry = a.p0 & near;
    a.p0 ^= near;
    Word again = a.p1 & carry;
    a.p1 ^= carry;
    a.p3 ^= a.p2 & again;
    a.p2 ^= again;
}

// What giving the next number to a cell would change.
struct Step {
    Word free, rows, cols;
    Half row_change, col_change;
    int row_left, col_left;
};

DEVICE Step look(const Lane &a, int cell) {
    Step s;
    int row = cell >> 3, col = cell & 7, now = a.level + 1;
    s.free = a.free & ~(1ull << cell);
    Half in_col = ((Half)s.free >> col & 0x01010101u) |
                  ((Half)(s.free >> 32) >> col & 0x01010101u) << 4;
    s.row_left = left_of(a, row) - now;
    s.col_left = left_of(a, col + 8) - now;
    const Word *lines = a.tables->lines;
    Half by_row = deadline(lines[row << 8 | BYTE_OF(s.free, row)], s.row_left);
    Half by_col = deadline(lines[col << 8 | in_col * 0x01020408u >> 24], s.col_left);
    s.row_change = (BYTE_OF(a.rows, row) ^ by_row) & 127u;
    s.col_change = (BYTE_OF(a.cols, col) ^ by_col) & 127u;
    s.rows = a.rows ^ (Word)s.row_change << 8 * row;
    s.cols = a.cols ^ (Word)s.col_change << 8 * col;
    return s;
}

// Whether all lines can be reached in time. Bytes stay below 128 beside their guard, so
// nothing is borrowed from the next one.
DEVICE bool in_time(const Lane &a, const Step &s, int cell) {
    Half time = (Half)(a.level + 1) * 0x01010101u;
    Word by_row = a.tables->delay[cell >> 3], by_col = a.tables->delay[cell & 7];
    Half kept = ((Half)s.rows - time - (Half)by_row) &
                ((Half)(s.rows >> 32) - time - (Half)(by_row >> 32)) &
                ((Half)s.cols - time - (Half)by_col) &
                ((Half)(s.cols >> 32) - time - (Half)(by_col >> 32));
    return (kept & (Half)GUARD) == (Half)GUARD;
}

DEVICE void take(Lane &a, const Step &s, int cell) {
    a.free = s.free;
    a.rows = s.rows;
    a.cols = s.cols;
    left_of(a, cell >> 3) = (unsigned short)s.row_left;
    left_of(a, (cell & 7) + 8) = (unsigned short)s.col_left;
    a.head = cell;
    a.level += 1;
}

DEVICE void take_back(Lane &a) {
    int row = a.head >> 3, col = a.head & 7;
    degrees_up(a, near_of(a, a.head));
    a.free |= 1ull << a.head;
    a.rows ^= (Word)(a.word >> ROW_AT & 127u) << 8 * row;
    a.cols ^= (Word)(a.word >> COL_AT & 127u) << 8 * col;
    left_of(a, row) = (unsigned short)(left_of(a, row) + a.level);
    left_of(a, col + 8) = (unsigned short)(left_of(a, col + 8) + a.level);
    a.head -= a.tables->move[a.word >> CODE_AT];
    a.level -= 1;
    a.word = word_at(a, a.level);
}

// Keep the steps after which no cell in `over` has too many tied neighbours: it is
// stepped on itself, or (unless it is in `severe`) a tied neighbour of it is.
DEVICE Word relieving(const Lane &a, Word steps, Word over, Word severe, Word tied) {
    while (over != 0 && steps != 0) {
        int cell = FIRST_OF_WORD(over);
        Word bit = over & (~over + 1);
        over ^= bit;
        steps &= severe & bit ? bit : bit | (near_of(a, cell) & tied);
    }
    return steps;
}

// Count the head out of its neighbours' degrees; return the steps, as `open_level`.
DEVICE Word open_level(Lane &a, Word finish, Word loose) {
    Word near = near_of(a, a.head), steps = near & a.free;
    degrees_down(a, near);
    Word few = a.free & ~(a.p3 | a.p2), low = few & ~a.p1, one = low & a.p0;
    Word tied = few & a.p1 & ~a.p0;
    // how many tied neighbours cells have: at least 2, 3, 4
    Word right1 = (tied >> 1) & NOT_H, left1 = (tied << 1) & NOT_A;
    Word right2 = (tied >> 2) & NOT_GH, left2 = (tied << 2) & NOT_AB;
    Word one1 = right1 ^ left1, both1 = right1 & left1;
    Word one2 = right2 ^ left2, both2 = right2 & left2;
    Word w = one1 << 16, x = one1 >> 16, y = one2 << 8, z = one2 >> 8;
    Word wx = w ^ x, wxy = wx ^ y, single = wxy ^ z;
    Word carry1 = (w & x) | (wx & y), carry2 = wxy & z;
    Word two = carry1 | carry2, four = carry1 & carry2, more = both1 << 16;
    four |= two & more;
    two |= more;
    more = both1 >> 16;
    four |= two & more;
    two |= more;
    more = both2 << 8;
    four |= two & more;
    two |= more;
    more = both2 >> 8;
    four |= two & more;
    two |= more;
    Word three = four | (two & single);
    Word others = one & (one - 1), never = one & ~finish;
    // `strict`: steps after which the last cell is known, so that no cell is let off
    Word strict = 0;
    if (low != 0) {
        if (low != one) return a.level == 63 ? steps & finish : 0;
        if (((others & (others - 1)) | (never & (never - 1))) != 0) return 0;
        if (others != 0) {
            strict = steps & (never != 0 ? never : one);
            steps = 0;
        } else {
            strict = never != 0 ? 0 : steps & ~one;
            steps &= one;
        }
        strict = relieving(a, strict & ~two, three & a.free, four, tied);
    }
    steps &= ~((two & ~loose) | (three & loose));
    Word over = ((three & ~loose) | (four & loose)) & a.free;
    return strict | relieving(a, steps, over, four & ~loose, tied);
}

// Write a lane's walk, and one more cell if it is none below 0, as an item. The lane
// comes by value, for an address would push its registers into memory.
DEVICE_FAR void write(const Byte *begun, const int *move, const Half *stack, int base,
                      int level, int head, int pending, int cell, Byte *item) {
    int length = level + (cell >= 0);
    if (cell >= 0) item[level] = (Byte)cell;
    for (; level > base; level--, stack -= THREADS) {
        item[level - 1] = (Byte)head;
        head -= move[*stack >> CODE_AT];
    }
    for (int k = 0; k < base; k++) item[k] = begun[k];
    item[64] = (Byte)length;
    item[65] = (Byte)pending;
    item[66] = (Byte)(pending >> 8);
    item[67] = 0;
}

DEVICE void emit(const Lane &a, int cell, Byte *items, Half room, Half *count) {
    Half slot = ADD(count, 1u);
    if (slot < room)  // else the host sees that `count` is too large
        write(a.item, a.tables->move, &word_at(a, a.level), a.base, a.level, a.head,
              cell < 0 ? (int)(a.word & PENDING) : 0xFFFF, cell,
              items + (Word)slot * ITEM);
}

// Lay an item down; its last level is still to be opened.
DEVICE void lay_down(Lane &a, const Byte *item) {
    a.item = item;
    a.free = ~0ull;
    a.p0 = a.p1 = a.p2 = a.p3 = 0;
    for (int cell = 0; cell < 64; cell++) degrees_up(a, near_of(a, cell));
    a.rows = a.cols = 63 * EACH | GUARD;
    for (int line = 0; line < 16; line++) left_of(a, line) = 260;
    a.level = 0;
    a.word = 0;
    a.base = item[64];
    for (int k = 0; k < a.base; k++) {
        if (k > 0) degrees_down(a, near_of(a, a.head));
        take(a, look(a, item[k]), item[k]);
    }
}

// Search below `count` items, down to `stop` cells: what is found goes to `found`, what
// is not done to `rest`. No item is shorter than `first`, nor as long as `stop`.
// `lines`: see the host; `finish`: cells where a tour may end; `loose`: their
// neighbours. `counts`: items taken, found, left over; `taken`: steps taken by level,
// and those tried in entry 0.
#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
#else
extern "C" void
#endif
knight_below(const Word *lines, Word finish, Word loose, const Byte *items, Half count,
             int stop, int first, Half patience, Byte *found, Half found_room,
             Byte *rest, Half rest_room, Half *counts, Word *taken) {
#ifdef __CUDACC__
    extern __shared__ Word memory[];
    Tables &tables = *(Tables *)memory;
    int thread = threadIdx.x, lane = thread % LANES;
#else
    static thread_local Word memory[sizeof(Tables) / 8 + 80];
    Tables &tables = *(Tables *)memory;
    int thread = 0, lane = 0;
#endif
    for (int k = thread; k < 8 * 256; k += THREADS) tables.lines[k] = lines[k];
    for (int k = thread; k < 64 * COPIES; k += THREADS)
        tables.near[k] = neighbours_of(k / COPIES);
    for (int k = thread; k < 65 * LANES; k += THREADS) tables.taken[k] = 0;
    for (int k = thread; k < 16; k += THREADS) tables.move[k] = move_of(k);
    for (int k = thread; k < 8; k += THREADS) tables.delay[k] = delay_of(k);
    SYNC();
    Lane a;
    a.tables = &tables;
    a.copy = lane % COPIES;
    a.first = first;
    a.left = (unsigned short *)((Half *)(&tables + 1) + thread);
    a.stack = (Half *)(&tables + 1) + 8 * THREADS + thread;
    a.word = 0;
    a.level = a.base = a.head = 0;
    a.item = items;
    a.free = 0;
    Half tried = 0, among = PENDING;
    bool idle = false, leaving = false;
    for (Half turn = 1;; turn++) {
        bool opening = false;
#pragma unroll
        for (int k = 0; k < TRIES; k++) {
            if (opening || idle) continue;
            if ((a.word & PENDING) == 0) {
                if (a.level != a.base) {
                    take_back(a);
                } else {
                    Half next = ADD(&counts[QUEUE], 1u);
                    idle = next >= count;
                    if (!idle) {
                        lay_down(a, items + (Word)next * ITEM);
                        among = a.item[65] | a.item[66] << 8;
                        opening = true;
                    }
                }
            }
            if (!opening && (a.word & PENDING) != 0) {
                int code = FIRST_BIT(a.word), cell = a.head + tables.move[code];
                a.word &= a.word - 1;
                tried++;
                Step s = look(a, cell);
                if (in_time(a, s, cell)) {
                    ADD(&tables.taken[(a.level + 1) * LANES + lane], 1u);
                    word_at(a, a.level) = a.word;
                    if (a.level + 1 == stop) {
                        emit(a, cell, found, found_room, &counts[FOUND]);
                    } else {
                        take(a, s, cell);
                        a.word = s.row_change << ROW_AT | s.col_change << COL_AT |
                                 (Half)code << CODE_AT;
                        opening = true;
                    }
                }
            }
        }
        if (opening) {
            a.word |= coded(open_level(a, finish, loose), a.head) & among;
            among = PENDING;
        }
        if (turn % 256 == 0) {
            if (ALL(idle)) break;
            if (turn >= patience && LOOK(&counts[QUEUE]) >= count) {
                leaving = !idle;
                break;
            }
        }
    }
    while (leaving) {
        word_at(a, a.level) = a.word;
        if (a.word & PENDING) emit(a, -1, rest, rest_room, &counts[REST]);
        leaving = a.level != a.base;
        if (leaving) {
            a.head -= tables.move[a.word >> CODE_AT];
            a.level -= 1;
            a.word = word_at(a, a.level);
        }
    }
    ADD(&taken[0], (Word)tried);
    SYNC();
    for (int level = 1 + thread; level <= 64; level += THREADS) {
        Word sum = 0;
        for (int k = 0; k < LANES; k++) sum += tables.taken[level * LANES + k];
        if (sum) ADD(&taken[level], sum);
    }
}

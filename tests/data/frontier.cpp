// Hamiltonian paths from corner to corner of an n x n grid, n odd, modulo a prime: cell by
// cell, with a hash table of frontiers. Written plainly, to be compared with.
//
// A frontier is n + 1 places of two bits: 0 no edge crosses there; 1 and 2 the left and
// right end of a part; 3 the end of the part that begins at the start.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using Key = uint64_t;

struct Row {
  Key key;
  uint64_t value;
};
const Key NONE = ~Key{0};

struct Table {
  std::vector<Row> rows;
  size_t used = 0;

  explicit Table(size_t size) : rows(size, Row{NONE, 0}) {}

  void add(Key key, uint64_t value, uint64_t prime) {
    if (2 * used > rows.size()) grow(prime);
    const size_t mask = rows.size() - 1;
    size_t at = (key * 0x9E3779B97F4A7C15u >> 24) & mask;
    while (rows[at].key != key && rows[at].key != NONE) at = (at + 1) & mask;
    if (rows[at].key == NONE) {
      rows[at].key = key;
      ++used;
    }
    const uint64_t sum = rows[at].value + value;
    rows[at].value = sum >= prime ? sum - prime : sum;
  }

  void grow(uint64_t prime) {
    Table larger(2 * rows.size());
    for (const Row &row : rows)
      if (row.key != NONE) larger.add(row.key, row.value, prime);
    *this = std::move(larger);
  }
};

static int at(Key key, int place) { return key >> 2 * place & 3; }

// The other end of the part that has an end at a place.
static int partner(Key key, int place) {
  int step = at(key, place) == 1 ? 1 : -1, depth = 0;
  for (int i = place;; i += step) {
    int found = at(key, i);
    if (found == 1) ++depth;
    if (found == 2) --depth;
    if (depth == 0) return i;
  }
}

static Key put(Key key, int place, int what) {
  return (key & ~(Key{3} << 2 * place)) | Key(what) << 2 * place;
}

int main(int, char **given) {
  const int n = std::atoi(given[1]);
  const uint64_t prime = std::strtoull(given[2], nullptr, 10);
  const clock_t begin = clock();
  Table now(1 << 10);
  now.add(0, 1, prime);
  uint64_t total = 0;
  for (int row = 0; row < n; ++row) {
    for (int col = 0; col < n; ++col) {
      Table next(now.rows.size());
      const bool right = col + 1 < n, down = row + 1 < n;
      for (const Row &from : now.rows) {
        if (from.key == NONE) continue;
        Key key = from.key;
        const uint64_t value = from.value;
        if (col == 0) key <<= 2;  // a new row: nothing comes from the left
        const int left = at(key, col), up = at(key, col + 1);
        const Key rest = put(put(key, col, 0), col + 1, 0);
        if (row == n - 1 && col == n - 1) {
          if (rest == 0 && left + up == 3 && left * up == 0)
            total = (total + value) % prime;
        } else if (row == 0 && col == 0) {
          next.add(put(rest, 0, 3), value, prime);
          next.add(put(rest, 1, 3), value, prime);
        } else if (!left && !up) {
          if (right && down) next.add(put(put(rest, col, 1), col + 1, 2), value, prime);
        } else if (!left || !up) {
          if (down) next.add(put(rest, col, left + up), value, prime);
          if (right) next.add(put(rest, col + 1, left + up), value, prime);
        } else if (left == 3 || up == 3) {
          next.add(put(rest, partner(key, left == 3 ? col + 1 : col), 3), value, prime);
        } else if (left == up) {
          const int other = partner(key, left == 1 ? col + 1 : col);
          next.add(put(rest, other, left), value, prime);
        } else if (left == 2) {
          next.add(rest, value, prime);
        }  // else a loop is closed
      }
      now = std::move(next);
    }
  }
  std::printf("%llu %.4f\n", (unsigned long long)total,
              double(clock() - begin) / CLOCKS_PER_SEC);
}

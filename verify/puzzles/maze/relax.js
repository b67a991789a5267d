// A spring layout in small pieces: the page goes on answering while it works.
//
// Near nodes push each other away, arcs pull like springs. Only nodes of the same and
// of the eight squares around push, so a round costs as much as there are nodes.

/* Yields after every piece of a round; x and y change in place. */
function* relaxing(x, y, arcs, rounds) {
  const REACH = 90, LENGTH = 40, PIECE = 200;
  const pushX = new Float64Array(x.length), pushY = new Float64Array(x.length);
  for (let round = 0; round < rounds; round += 1) {
    const squares = new Map(), step = 20 * (1 - round / rounds) + 1;
    const key = (column, row) => column * 1048576 + row;
    for (let n = 0; n < x.length; n += 1) {
      const at = key(Math.floor(x[n] / REACH), Math.floor(y[n] / REACH));
      if (squares.has(at)) squares.get(at).push(n); else squares.set(at, [n]);
    }
    pushX.fill(0);
    pushY.fill(0);
    for (let n = 0; n < x.length; n += 1) {
      const column = Math.floor(x[n] / REACH), row = Math.floor(y[n] / REACH);
      for (let c = column - 1; c <= column + 1; c += 1) {
        for (let r = row - 1; r <= row + 1; r += 1) {
          for (const other of squares.get(key(c, r)) || []) {
            if (other === n) continue;
            // two nodes on one spot part as their numbers say
            const dx = x[n] - x[other] || (n < other ? -0.1 : 0.1);
            const dy = y[n] - y[other] || (n % 2 ? 0.1 : -0.1);
            const far = Math.max(1, Math.hypot(dx, dy));
            if (far < REACH) {
              pushX[n] += dx / far * (REACH - far) * 0.15;
              pushY[n] += dy / far * (REACH - far) * 0.15;
            }
          }
        }
      }
      if (n % PIECE === PIECE - 1) yield round;
    }
    for (const [tail, head] of arcs) {
      const dx = x[head] - x[tail], dy = y[head] - y[tail];
      const far = Math.max(1, Math.hypot(dx, dy)), pull = (far - LENGTH) / far * 0.2;
      pushX[tail] += dx * pull;
      pushY[tail] += dy * pull;
      pushX[head] -= dx * pull;
      pushY[head] -= dy * pull;
    }
    for (let n = 0; n < x.length; n += 1) {
      const far = Math.hypot(pushX[n], pushY[n]), most = Math.min(1, step / (far || 1));
      x[n] += pushX[n] * most;
      y[n] += pushY[n] * most;
    }
    yield round;
  }
}

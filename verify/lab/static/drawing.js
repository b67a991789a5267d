// A rule's drawing as a grid of letters: what clicks and strokes make of it.

/** @typedef {import("./messages").AreaDrawn} AreaDrawn */
/** @typedef {string[][]} Grid */
/** @typedef {[number, number]} At offset [left, ahead] from the live end */

/** The letters of drawings, as the server lists them: empty until it is reached.
 * @type {Map<string, import("./messages").Letter>} */
export const LETTERS = new Map();

/** What a stroke paints: letters, in the order of the keys 1 to 7, then bans and lines. */
export const BRUSHES = [".", "%", "#", "B", "?", "K", "o", "forbid", "line"];

/** @param {string[]} rows @returns {Grid} */
export function gridOf(rows) {
  return rows.map((row) => row.split(" "));
}

/** @param {Grid} grid */
export function rowsOf(grid) {
  return grid.map((row) => row.join(" "));
}

/** Row and column of the live end.
 * @param {Grid} grid @returns {[number, number]} */
export function live(grid) {
  const row = grid.findIndex((one) => one.includes("@"));
  return row < 0 ? [-1, -1] : [row, grid[row].indexOf("@")];
}

/** @param {Grid} grid @param {number} row @param {number} col @returns {At} */
export function offset(grid, row, col) {
  const [r, c] = live(grid);
  return [c - col, r - row];
}

/** @param {Grid} grid @param {At} at @returns {[number, number]} */
export function placeOf(grid, at) {
  const [r, c] = live(grid);
  return [r - at[1], c - at[0]];
}

/** The grid with one letter put, grown where the cell lies outside it.
 * @param {Grid} grid @param {At} at @param {string} letter @returns {Grid} */
export function withLetter(grid, at, letter) {
  let next = grid.map((row) => [...row]);
  let [row, col] = placeOf(next, at);
  while (row < 0) { next = grown(next, "top", 1); row += 1; }
  while (col < 0) { next = grown(next, "left", 1); col += 1; }
  while (row >= next.length) next = grown(next, "bottom", 1);
  while (col >= next[0].length) next = grown(next, "right", 1);
  next[row][col] = letter;
  return next;
}

/** The grid with a row or column more, or one less if nothing but `?` stands there.
 * @param {Grid} grid @param {"top" | "bottom" | "left" | "right"} side @param {number} by @returns {Grid} */
export function grown(grid, side, by) {
  const empty = (/** @type {string[]} */ cells) => cells.every((cell) => cell === "?");
  if (side === "top" || side === "bottom") {
    const blank = grid[0].map(() => "?");
    if (by > 0) return side === "top" ? [blank, ...grid] : [...grid, blank];
    const edge = side === "top" ? grid[0] : grid[grid.length - 1];
    if (grid.length === 1 || !empty(edge)) return grid;
    return side === "top" ? grid.slice(1) : grid.slice(0, -1);
  }
  if (by > 0) return grid.map((row) => (side === "left" ? ["?", ...row] : [...row, "?"]));
  const edge = grid.map((row) => (side === "left" ? row[0] : row[row.length - 1]));
  if (grid[0].length === 1 || !empty(edge)) return grid;
  return grid.map((row) => (side === "left" ? row.slice(1) : row.slice(0, -1)));
}

/** A cell painted with a letter; a ban stays where the letter can carry one.
 * @param {string} old @param {string} letter */
export function painted(old, letter) {
  return (LETTERS.get(old)?.forbids && LETTERS.get(letter)?.forbidden) || letter;
}

/** The letter with the ban put or taken.
 * @param {string} letter */
export function forbidden(letter) {
  const plain = [...LETTERS.values()].find((one) => one.forbidden === letter);
  return plain ? plain.letter : LETTERS.get(letter)?.forbidden || "x";
}

/** Whether a cell touches the live end by a side.
 * @param {At} at */
export function besideLive(at) {
  return Math.abs(at[0]) + Math.abs(at[1]) === 1;
}

/** The drawing with the line of a new area: from its base over its cells to its wall.
 * @param {Grid} grid @param {At[]} path @param {AreaDrawn[]} areas
 * @returns {{grid: Grid, areas: AreaDrawn[]} | string} why it is no line, else the new drawing */
export function withLine(grid, path, areas) {
  const same = (/** @type {At} */ a, /** @type {At} */ b) => a[0] === b[0] && a[1] === b[1];
  const cells = path.slice(1, -1);
  if (!cells.length) return "draw from where the line comes from, over free cells, to what it runs into";
  if (cells.some((at) => same(at, [0, 0]))) return "a line does not run over the live end";
  for (let i = 1; i < cells.length; i += 1)
    if (Math.abs(cells[i][0] - cells[i - 1][0]) + Math.abs(cells[i][1] - cells[i - 1][1]) !== 1)
      return "the cells of a line touch by their sides";
  let next = grid;
  cells.forEach((at, index) => {
    const [row, col] = placeOf(next, at);
    const letter = index === 0 ? "s" : index === cells.length - 1 ? "e" : "m";
    next = withLetter(next, at, painted(next[row][col], letter));
  });
  for (const at of [path[0], path[path.length - 1]]) {
    if (same(at, [0, 0])) continue;
    const [row, col] = placeOf(next, at);
    if (["any", "free", "onboard"].includes(LETTERS.get(next[row][col])?.look ?? "")) next = withLetter(next, at, "%");
  }
  const area = /** @type {AreaDrawn} */ ({ cells, side: "left", kind: "closed", base: path[0], wall: path[path.length - 1] });
  return { grid: next, areas: [...areas, area] };
}

/** The drawing without one of its areas.
 * @param {Grid} grid @param {AreaDrawn[]} areas @param {number} index */
export function withoutArea(grid, areas, index) {
  const left = areas.filter((_, other) => other !== index);
  const kept = new Set(left.flatMap((area) => area.cells.map(String)));
  let next = grid;
  for (const at of areas[index].cells) {
    const [row, col] = placeOf(next, at);
    if (!kept.has(String(at))) next = withLetter(next, at, painted(next[row][col], "."));
  }
  return { grid: next, areas: left };
}

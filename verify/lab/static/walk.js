// A walk on a board as the page holds it; what is true of it the server says.

/** @typedef {import("./messages").Place} Place */

export const LETTERS = "URDL";

/** @param {Place} place @param {string} move */
export function stepOf(place, move) {
  return { U: -place.cols, R: 1, D: place.cols, L: -1 }[move] ?? 0;
}

/** The cells of the first so many moves.
 * @param {Place} place @param {number} upTo @returns {number[]} */
export function cellsOf(place, upTo = place.moves.length) {
  const cells = [place.start];
  for (const move of place.moves.slice(0, upTo)) cells.push(cells[cells.length - 1] + stepOf(place, move));
  return cells;
}

/** The letter of a step between two cells that touch, or "".
 * @param {Place} place @param {number} from @param {number} to */
export function letterOf(place, from, to) {
  const down = Math.floor(to / place.cols) - Math.floor(from / place.cols);
  const right = (to % place.cols) - (from % place.cols);
  if (Math.abs(down) + Math.abs(right) !== 1) return "";
  return down ? (down < 0 ? "U" : "D") : right > 0 ? "R" : "L";
}

/** Cells on the way from one cell to another, side by side: along the longer way first.
 * @param {Place} place @param {number} from @param {number} to @returns {number[]} */
export function between(place, from, to) {
  const found = [];
  let [row, col] = [Math.floor(from / place.cols), from % place.cols];
  const [row2, col2] = [Math.floor(to / place.cols), to % place.cols];
  while (row !== row2 || col !== col2) {
    const down = row2 - row;
    const right = col2 - col;
    if (Math.abs(down) > Math.abs(right)) row += Math.sign(down);
    else col += Math.sign(right);
    found.push(row * place.cols + col);
  }
  return found;
}

/** Go to a cell: on, if it is free and touches; back, if it was visited; else nothing.
 * @param {Place} place @param {number} at moves that are walked @param {number} cell
 * @returns {string | null} the moves then, or null */
export function gone(place, at, cell) {
  const cells = cellsOf(place, at);
  const index = cells.indexOf(cell);
  if (index >= 0) return index === at ? null : place.moves.slice(0, index);
  if (place.walls.includes(cell)) return null;
  const letter = letterOf(place, cells[cells.length - 1], cell);
  return letter ? place.moves.slice(0, at) + letter : null;
}

/** Go straight to a cell over free cells alone.
 * @param {Place} place @param {number} at @param {number} cell @returns {string | null} */
export function goneStraight(place, at, cell) {
  const cells = cellsOf(place, at);
  const from = cells[cells.length - 1];
  const level = Math.floor(from / place.cols) === Math.floor(cell / place.cols);
  if (!level && from % place.cols !== cell % place.cols) return null;
  const taken = new Set([...cells, ...place.walls]);
  let moves = place.moves.slice(0, at);
  let here = from;
  for (const next of between(place, from, cell)) {
    if (taken.has(next)) return null;
    moves += letterOf(place, here, next);
    here = next;
  }
  return moves;
}

/** Go to a cell as long as each step is the only one there is.
 * @param {Place} place @param {number} at @param {number} cell @returns {string | null} */
export function goneForced(place, at, cell) {
  const cells = cellsOf(place, at);
  const taken = new Set([...cells, ...place.walls]);
  let moves = place.moves.slice(0, at);
  let here = cells[cells.length - 1];
  while (here !== cell) {
    const free = [...LETTERS].filter((move) => {
      const to = here + stepOf(place, move);
      return to >= 0 && to < place.rows * place.cols && letterOf(place, here, to) === move && !taken.has(to);
    });
    if (free.length !== 1) return null;
    here += stepOf(place, free[0]);
    moves += free[0];
    taken.add(here);
  }
  return moves;
}

/** The board with a wall put or taken; a walk through it ends before.
 * @param {Place} place @param {number} cell @returns {Place} */
export function walled(place, cell) {
  if (cell === place.start || cell === place.end) return place;
  const there = place.walls.includes(cell);
  const walls = there ? place.walls.filter((one) => one !== cell) : [...place.walls, cell];
  const index = cellsOf(place).indexOf(cell);
  const moves = !there && index >= 0 ? place.moves.slice(0, index - 1) : place.moves;
  return { ...place, walls, moves };
}

/** The position after so many moves.
 * @param {Place} place @param {number} at @returns {Place} */
export function upTo(place, at) {
  return { ...place, moves: place.moves.slice(0, at) };
}

/** @param {Place} a @param {Place} b */
export function sameBoard(a, b) {
  return a.rows === b.rows && a.cols === b.cols && a.start === b.start && a.end === b.end && String(a.walls) === String(b.walls);
}

/** @param {Place} a @param {Place} b */
export function same(a, b) {
  return a.moves === b.moves && sameBoard(a, b);
}

/** An open board of another size, its ends in the corners.
 * @param {number} rows @param {number} cols @returns {Place} */
export function openBoard(rows, cols) {
  return { rows, cols, start: 0, end: rows * cols - 1, walls: [], moves: "" };
}

/** The page's name of a cell: row and column from 1.
 * @param {Place} place @param {number} cell */
export function named(place, cell) {
  return `row ${Math.floor(cell / place.cols) + 1}, column ${(cell % place.cols) + 1}`;
}

// The part of the board that is shown: zoomed and moved by wheel, fingers, buttons and keys.
import { useEffect, useLayoutEffect, useState } from "./vendor/preact-htm.js";
import { cellsOf } from "./walk.js";

/** @typedef {import("./messages").Place} Place */
/** A part of the picture: one `zoom`th of its sides, from the point x, y of it, in units.
 * @typedef {{zoom: number, x: number, y: number}} View */

export const CELL = 24; // units of a cell and of the margin, as in solver/svg.py
export const MARGIN = 6;
const FINGER = 22; // pixels of a cell that a finger meets
const NARROW = 600; // pixels of a board that is held in the hand
const FEWEST = 5; // cells that are shown at least
const WHOLE = { zoom: 1, x: 0, y: 0 };
const APART = 22; // pixels between two numbers at the rim

/** @param {Place} place @returns {[number, number]} */
export function sizeOf(place) {
  return [2 * MARGIN + place.cols * CELL, 2 * MARGIN + place.rows * CELL];
}

/** The view with all of it on the picture.
 * @param {Place} place @param {View} view @returns {View} */
function held(place, view) {
  const [width, height] = sizeOf(place);
  const zoom = Math.max(1, Math.min(view.zoom, Math.max(width, height) / (FEWEST * CELL)));
  const x = Math.max(0, Math.min(width - width / zoom, view.x));
  const y = Math.max(0, Math.min(height - height / zoom, view.y));
  return { zoom, x, y };
}

/** Zoom about a point, given as shares of what is shown, and move it by shares of that.
 * @param {Place} place @param {View} view @param {number} factor @param {number} [u] @param {number} [v] */
export function zoomed(place, view, factor, u = 0.5, v = 0.5, right = 0, down = 0) {
  const [width, height] = sizeOf(place);
  const { zoom } = held(place, { ...view, zoom: view.zoom * factor });
  const x = view.x + (u * width) / view.zoom - ((u + right) * width) / zoom;
  const y = view.y + (v * height) / view.zoom - ((v + down) * height) / zoom;
  return held(place, { zoom, x, y });
}

/** The view moved as little as shows a cell, and a cell or two around it.
 * @param {Place} place @param {View} view @param {number} cell @returns {View} */
function showing(place, view, cell) {
  const [width, height] = sizeOf(place);
  const near = (/** @type {number} */ from, /** @type {number} */ at, /** @type {number} */ long) =>
    Math.max(at + 2.5 * CELL - long, Math.min(at - 2.5 * CELL, from));
  const x = MARGIN + ((cell % place.cols) + 0.5) * CELL;
  const y = MARGIN + (Math.floor(cell / place.cols) + 0.5) * CELL;
  return held(place, { ...view, x: near(view.x, x, width / view.zoom), y: near(view.y, y, height / view.zoom) });
}

/** The numbers of rows or columns at the rim, each with its share of what is shown.
 * @param {number} count of rows or columns @param {number} from @param {number} long units that are shown @param {number} pixels
 * @returns {[number, number][]} */
export function numbers(count, from, long, pixels) {
  const cell = (CELL / long) * pixels;
  const step = [1, 2, 5, 10, 20, 50].find((one) => one * cell >= APART) ?? 100;
  /** @type {[number, number][]} */
  const found = [];
  for (let number = 1; number <= count; number += 1) {
    const share = (MARGIN + (number - 0.5) * CELL - from) / long;
    if ((number % step === 0 || (number === 1 && step > 2)) && share > 0 && share < 1) found.push([number, share]);
  }
  return found;
}

/** What is shown of a board; a large one in the hand begins near the live end, and the end stays in view.
 * @param {Place} place @param {number} at @param {{current: HTMLElement | null}} holder of the picture */
export function useView(place, at, holder) {
  const [view, setView] = useState(WHOLE);
  const [pixels, setPixels] = useState(0);
  const end = cellsOf(place, at)[at];
  useLayoutEffect(() => {
    const measure = () => setPixels(holder.current?.clientWidth ?? 0);
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [place.rows, place.cols]);
  useEffect(() => {
    const cell = (CELL * pixels) / sizeOf(place)[0];
    const small = pixels > 0 && pixels < NARROW && cell < 0.6 * FINGER;
    setView(small ? showing(place, { ...WHOLE, zoom: FINGER / cell }, end) : WHOLE);
  }, [place.rows, place.cols, pixels]);
  useEffect(() => setView((old) => (old.zoom > 1 ? showing(place, old, end) : old)), [end]);
  /** @param {number} factor 0 shows the whole board */
  const zoom = (factor, u = 0.5, v = 0.5, right = 0, down = 0) =>
    setView((old) => (factor ? zoomed(place, old, factor, u, v, right, down) : WHOLE));
  return { view, pixels, zoom };
}

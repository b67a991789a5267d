// The board: the server's picture below, what the page adds above, strokes and taps.
import { html, useLayoutEffect, useRef } from "./vendor/preact-htm.js";
import { between, cellsOf, named, sameBoard } from "./walk.js";

/** @typedef {import("./messages").Place} Place */
/** @typedef {import("./messages").Seen} Seen */

export const CELL = 24; // units of a cell and of the margin, as in solver/svg.py
export const MARGIN = 6;

/** @param {Place} place @param {number} cell @returns {[number, number]} */
function centre(place, cell) {
  return [MARGIN + ((cell % place.cols) + 0.5) * CELL, MARGIN + (Math.floor(cell / place.cols) + 0.5) * CELL];
}

/** @param {Place} place @param {number[]} cells */
function points(place, cells) {
  return cells.map((cell) => centre(place, cell).join(",")).join(" ");
}

/** @param {Place} place */
function blackCells(place) {
  let path = "";
  for (let cell = 0; cell < place.rows * place.cols; cell += 1) {
    const [row, col] = [Math.floor(cell / place.cols), cell % place.cols];
    if ((row + col) % 2 === 0) path += `M${MARGIN + col * CELL} ${MARGIN + row * CELL}h${CELL}v${CELL}h-${CELL}z`;
  }
  return path;
}

/** What is known of a move, as a mark in its cell: a ring, a bar, or a question.
 * A forbidden move has its cross there, so the mark goes into the corner.
 * @param {{place: Place, truth: import("./messages").MoveTruth, count: string, crossed: boolean}} props */
function Mark({ place, truth, count, crossed }) {
  const [x, y] = centre(place, truth.cell);
  const cls = `mark ${truth.verdict.toLowerCase()}`;
  const where = crossed ? `translate(${x + 8.2} ${y - 8.2}) scale(0.52)` : `translate(${x} ${y})`;
  return html`<g class=${cls}><g transform=${where}>
      ${truth.verdict === "COMPLETABLE" && html`<circle r="5.2" />`}
      ${truth.verdict === "DEAD" && html`<path d="M-5 0h10" />`}
      ${truth.verdict === "UNKNOWN" && html`<path d="M-2.5 -2q0 -3 2.5 -3t2.5 3q0 2 -2.5 3v1.2m0 2.6v.4" />`}</g>
    ${count && html`<text x=${x} y=${y + 10.5}>${count}</text>`}
  </g>`;
}

/** `known` is what is true of the position drawn; `answer` may be of an older one, and gives the picture alone.
 * @param {{place: Place, at: number, answer: import("./board.js").Answer | null, known: Seen | null, counts: Record<string, string>,
 *   colours: boolean, cursor: number | null, label: string, stroke: boolean,
 *   begin: () => void, over: (cell: number) => void, tap: (cell: number) => void,
 *   end: () => void, abort: () => void, hover: (cell: number) => void}} props */
export function BoardView(props) {
  const { place, at, answer, known, counts, colours, cursor, label } = props;
  const drawn = useRef(/** @type {HTMLDivElement | null} */ (null));
  const pen = useRef(/** @type {{id: number, cell: number, moved: boolean} | null} */ (null));
  const [width, height] = [2 * MARGIN + place.cols * CELL, 2 * MARGIN + place.rows * CELL];
  const box = `0 0 ${width} ${height}`;
  const moves = place.moves.slice(0, at);
  const svg = answer && sameBoard(answer.place, place) ? answer.seen.svg : "";
  const drawnMoves = answer && svg && moves.startsWith(answer.place.moves) ? answer.place.moves.length : -1;

  useLayoutEffect(() => {
    const holder = drawn.current;
    if (!holder) return;
    holder.innerHTML = svg;
    const picture = holder.querySelector("svg");
    if (!picture) return;
    // the legend below the board stands in the page beside it
    picture.setAttribute("viewBox", box);
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    for (const one of picture.querySelectorAll('title, .counts, rect[height="12"]')) one.remove();
  }, [svg, box]);

  const cells = cellsOf(place, at);
  const newer = drawnMoves < at ? cells.slice(Math.max(0, drawnMoves)) : [];
  const later = cellsOf(place).slice(at);
  const state = known ? "" : drawnMoves < 0 ? "stale other" : "stale";

  /** @param {PointerEvent} event */
  function cellAt(event) {
    const holder = /** @type {SVGSVGElement} */ (event.currentTarget);
    const matrix = holder.getScreenCTM();
    if (!matrix) return -1;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const row = Math.floor((point.y - MARGIN) / CELL);
    const col = Math.floor((point.x - MARGIN) / CELL);
    return row < 0 || col < 0 || row >= place.rows || col >= place.cols ? -1 : row * place.cols + col;
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (pen.current && event.pointerId !== pen.current.id) {
      pen.current = null; // a second finger: nothing of this stroke was meant
      props.abort();
      return;
    }
    const cell = cellAt(event);
    if (event.button !== 0 || cell < 0) return;
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    pen.current = { id: event.pointerId, cell, moved: false };
    props.begin();
  }

  /** @param {PointerEvent} event */
  function move(event) {
    const held = pen.current;
    if (!held) props.hover(cellAt(event));
    if (!held || held.id !== event.pointerId || !props.stroke) return;
    const cell = cellAt(event);
    if (cell < 0 || cell === held.cell) return;
    if (!held.moved) props.over(held.cell);
    held.moved = true;
    for (const one of between(place, held.cell, cell)) props.over(one);
    held.cell = cell;
  }

  /** @param {PointerEvent} event */
  function up(event) {
    const held = pen.current;
    if (!held || held.id !== event.pointerId) return;
    pen.current = null;
    if (!held.moved) props.tap(held.cell);
    props.end();
  }

  /** @param {PointerEvent} event */
  function cancel(event) {
    if (pen.current?.id !== event.pointerId) return;
    pen.current = null;
    props.abort();
  }

  return html`<div class=${`board ${state}`} style=${{ "--wide": place.cols, "--high": place.rows }}>
    <div class="drawn" ref=${drawn} aria-hidden="true"></div>
    <svg class="over" viewBox=${box} role="img" aria-label=${label}
      onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${cancel}
      onPointerLeave=${() => props.hover(-1)}>
      ${colours && html`<path class="black" d=${blackCells(place)} />`}
      ${later.length > 1 && html`<polyline class="later" points=${points(place, later)} />`}
      ${newer.length > 1 && html`<polyline class="newer" points=${points(place, newer)} />`}
      ${known?.fatal && html`<${FatalMark} place=${place} number=${known.fatal.number} />`}
      ${known?.moves.map((truth) => html`<${Mark} key=${truth.move} place=${place} truth=${truth}
        crossed=${known.forbidden.some((one) => one.move === truth.move)} count=${short(counts[truth.move] ?? "")} />`)}
      ${cursor !== null && html`<rect class="cursor" x=${MARGIN + (cursor % place.cols) * CELL + 1.5}
        y=${MARGIN + Math.floor(cursor / place.cols) * CELL + 1.5} width=${CELL - 3} height=${CELL - 3}>
        <title>${named(place, cursor)}</title></rect>`}
    </svg>
  </div>`;
}

/** The step after which nothing could be completed any more.
 * @param {{place: Place, number: number}} props */
function FatalMark({ place, number }) {
  const cells = cellsOf(place, number).slice(-2);
  const [x, y] = centre(place, cells[1]);
  return html`<g class="fatal"><polyline points=${points(place, cells)} />
    <circle cx=${x} cy=${y} r="9.5" /><title>move ${number}, the first fatal one</title></g>`;
}

/** A number that fits a cell, or nothing.
 * @param {string} digits */
function short(digits) {
  return digits.length > 5 ? "" : digits;
}

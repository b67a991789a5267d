// The board: the server's picture below, what the page adds above, strokes and taps.
import { html, useLayoutEffect, useRef } from "./vendor/preact-htm.js";
import { between, cellsOf, named, sameBoard } from "./walk.js";
import { CELL, MARGIN, numbers, sizeOf } from "./zoom.js";

/** @typedef {import("./messages").Place} Place */
/** @typedef {import("./messages").Seen} Seen */

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
 *   end: () => void, abort: () => void, hover: (cell: number) => void,
 *   view: import("./zoom.js").View, pixels: number, zoom: (factor: number, u?: number, v?: number, right?: number, down?: number) => void,
 *   marked?: import("./messages").DeadMove, holder: {current: HTMLDivElement | null}}} props */
export function BoardView(props) {
  const { place, at, answer, known, counts, colours, cursor, label, view, pixels, holder: drawn } = props;
  const pen = useRef(/** @type {{id: number, cell: number, moved: boolean} | null} */ (null));
  const held = useRef(/** @type {Map<number, PointerEvent>} */ (new Map())); // fingers, or a button that moves the board
  const pinched = useRef(false);
  const [width, height] = sizeOf(place).map((one) => one / view.zoom);
  const box = `${view.x} ${view.y} ${width} ${height}`;
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
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    for (const one of picture.querySelectorAll('title, .counts, rect[height="12"]')) one.remove();
  }, [svg]);
  useLayoutEffect(() => drawn.current?.querySelector("svg")?.setAttribute("viewBox", box), [svg, box]);

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

  /** Move the board with its fingers: two pinch it, one of another button takes it along.
   * @param {PointerEvent} event */
  function drag(event) {
    const old = [...held.current.values()].slice(0, 2);
    held.current.set(event.pointerId, event);
    const now = [...held.current.values()].slice(0, 2);
    const room = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const middle = (/** @type {PointerEvent[]} */ of) => [
      (of.reduce((sum, one) => sum + one.clientX, 0) / of.length - room.left) / room.width,
      (of.reduce((sum, one) => sum + one.clientY, 0) / of.length - room.top) / room.height];
    const long = (/** @type {PointerEvent[]} */ [a, b]) => (b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 1);
    const [[u, v], [u2, v2]] = [middle(old), middle(now)];
    props.zoom(long(now) / (long(old) || 1), u, v, u2 - u, v2 - v);
  }

  /** @param {WheelEvent} event */
  function wheel(event) {
    if (view.zoom === 1 && event.deltaY >= 0) return; // nothing to zoom out of: the page scrolls
    event.preventDefault();
    const room = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    props.zoom(Math.exp(-event.deltaY / 400), (event.clientX - room.left) / room.width, (event.clientY - room.top) / room.height);
  }

  /** @param {PointerEvent} event */
  function down(event) {
    held.current.set(event.pointerId, event);
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    if (held.current.size > 1 || event.button > 0) {
      if (pen.current) props.abort(); // a second finger: nothing of this stroke was meant
      pen.current = null;
      pinched.current = true;
      return;
    }
    const cell = cellAt(event);
    if (cell < 0) return;
    pen.current = { id: event.pointerId, cell, moved: false };
    props.begin();
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (pinched.current && held.current.has(event.pointerId)) return drag(event);
    const stroke = pen.current;
    props.hover(cellAt(event));
    if (!stroke || stroke.id !== event.pointerId || !props.stroke) return;
    const cell = cellAt(event);
    if (cell < 0 || cell === stroke.cell) return;
    if (!stroke.moved) props.over(stroke.cell);
    stroke.moved = true;
    for (const one of between(place, stroke.cell, cell)) props.over(one);
    stroke.cell = cell;
  }

  /** @param {PointerEvent} event */
  function left(event) {
    held.current.delete(event.pointerId);
    pinched.current &&= held.current.size > 0;
  }

  /** @param {PointerEvent} event */
  function up(event) {
    left(event);
    const stroke = pen.current;
    if (!stroke || stroke.id !== event.pointerId) return;
    pen.current = null;
    if (!stroke.moved) props.tap(stroke.cell);
    props.end();
  }

  /** @param {PointerEvent} event */
  function cancel(event) {
    left(event);
    if (pen.current?.id !== event.pointerId) return;
    pen.current = null;
    props.abort();
  }

  return html`<div class="boardbox" style=${{ "--wide": place.cols, "--high": place.rows }}><div class=${`board ${state}`}>
    <div class="rim top" aria-hidden="true">${numbers(place.cols, view.x, width, pixels).map(([number, share]) =>
      html`<span key=${number} style=${{ left: `${100 * share}%` }}>${number}</span>`)}</div>
    <div class="rim side" aria-hidden="true">${numbers(place.rows, view.y, height, (pixels * height) / width).map(([number, share]) =>
      html`<span key=${number} style=${{ top: `${100 * share}%` }}>${number}</span>`)}</div>
    <div class="drawn" ref=${drawn} aria-hidden="true"></div>
    <svg class="over" viewBox=${box} role="img" aria-label=${label}
      onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${cancel}
      onPointerLeave=${() => props.hover(-1)} onWheel=${wheel} onContextMenu=${(/** @type {Event} */ e) => e.preventDefault()}>
      ${colours && html`<path class="black" d=${blackCells(place)} />`}
      ${props.marked && html`<${Region} place=${place} ...${props.marked} />`}
      ${later.length > 1 && html`<polyline class="later" points=${points(place, later)} />`}
      ${newer.length > 1 && html`<polyline class="newer" points=${points(place, newer)} />`}
      ${known?.fatal && html`<${FatalMark} place=${place} number=${known.fatal[0]} />`}
      ${known?.moves.map((truth) => html`<${Mark} key=${truth.move} place=${place} truth=${truth}
        crossed=${known.forbidden.some((one) => one.move === truth.move)} count=${short(counts[truth.move] ?? "")} />`)}
      ${cursor !== null && html`<rect class="cursor" x=${MARGIN + (cursor % place.cols) * CELL + 1.5}
        y=${MARGIN + Math.floor(cursor / place.cols) * CELL + 1.5} width=${CELL - 3} height=${CELL - 3}>
        <title>${named(place, cursor)}</title></rect>`}
    </svg>
  </div></div>`;
}

/** The region that a certificate speaks of, and the edges that lead out of it.
 * @param {{place: Place, region: number[], doors: [number, number][]}} props */
function Region({ place, region, doors }) {
  const cells = region.map((cell) => centre(place, cell).map((one) => one - CELL / 2));
  const lines = doors.map((door) => door.map((cell) => centre(place, cell).join(" ")).join("L"));
  return html`<g class="region"><path d=${cells.map(([x, y]) => `M${x} ${y}h${CELL}v${CELL}h-${CELL}z`).join("")} />
    <path class="doors" d=${lines.map((line) => `M${line}`).join("")} /></g>`;
}

/** The first fatal move.
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

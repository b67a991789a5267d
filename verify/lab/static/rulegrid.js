// The grid of a rule: cells to click, bans, and lines of areas drawn with the mouse.
import { html, useRef, useState } from "./vendor/preact-htm.js";
import { NumberField, useKeys } from "./kit.js";
import { Tile } from "./help.js";
import { besideLive, BRUSHES, forbidden, grown, LETTERS, live, offset, painted, placeOf, withLetter, withLine, withoutArea } from "./drawing.js";

/** @typedef {import("./messages").AreaDrawn} AreaDrawn */
/** @typedef {import("./drawing.js").Grid} Grid */
/** @typedef {import("./drawing.js").At} At */

const KINDS = { closed: "closed", even: "even", odd: "odd", "odd-determined": "odd, determined",
  within: "surplus within", beyond: "surplus beyond" };
/** @type {Record<string, string>} */
const TITLES = { forbid: "forbidden move", line: "line of an area" };
/** @param {string} letter */
const says = (letter) => LETTERS.get(letter)?.says ?? letter;
/** @param {string} letter */
const lookOf = (letter) => LETTERS.get(letter)?.look ?? "taken";

/** @param {{grid: Grid, areas: AreaDrawn[], locked: string, undo: (which: "undo" | "redo") => void, canUndo: boolean, canRedo: boolean,
 *   change: (grid: Grid, areas: AreaDrawn[] | null) => void}} props */
export function RuleGrid({ grid: given, areas, locked, change, undo, canUndo, canRedo }) {
  const [brush, setBrush] = useState(".");
  const [path, setPath] = useState(/** @type {At[]} */ ([]));
  const [draft, setDraft] = useState(/** @type {Grid | null} */ (null));
  const [why, setWhy] = useState("");
  /** the stroke under way: the line of an area, or a letter and what it has made of the grid */
  const held = useRef(/** @type {{line: At[]} | {letter: string, grid: Grid} | null} */ (null));
  const holder = useRef(/** @type {HTMLDivElement | null} */ (null));
  const grid = draft ?? given;

  /** @param {Grid} old @param {At} at @param {string} letter @returns {Grid} */
  function paint(old, at, letter) {
    const [row, col] = placeOf(old, at);
    if (old[row][col] === "@") return old;
    if (letter !== "forbid") return withLetter(old, at, letter === "?" ? letter : painted(old[row][col], letter));
    if (besideLive(at)) return withLetter(old, at, forbidden(old[row][col]));
    setWhy("Only a cell next to the live end can be forbidden.");
    return old;
  }

  /** @param {PointerEvent} event @returns {At | null} */
  function under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-row]");
    if (!(found instanceof HTMLElement)) return null;
    return offset(grid, Number(found.dataset.row), Number(found.dataset.col));
  }
  /** @param {PointerEvent} event */
  function down(event) {
    const at = under(event);
    if (!at || !event.isPrimary || (event.button !== 0 && event.button !== 2)) return;
    setWhy("");
    if (brush === "line" && event.button === 0) {
      event.preventDefault();
      held.current = { line: [at] };
      setPath([at]);
      return;
    }
    const letter = event.button === 2 ? "?" : brush;
    held.current = { letter, grid: paint(grid, at, letter) };
    setDraft(held.current.grid);
  }
  /** @param {PointerEvent} event */
  function move(event) {
    const stroke = held.current;
    const at = stroke && under(event);
    if (!stroke || !at) return;
    if ("letter" in stroke) {
      if (stroke.letter === "forbid") return;
      stroke.grid = paint(stroke.grid, at, stroke.letter);
      setDraft(stroke.grid);
      return;
    }
    const line = stroke.line;
    if (line.some((one) => String(one) === String(at))) return;
    const last = line[line.length - 1];
    if (Math.max(Math.abs(at[0] - last[0]), Math.abs(at[1] - last[1])) > 1) return;
    stroke.line = [...line, at];
    setPath(stroke.line);
  }
  function up() {
    const stroke = held.current;
    held.current = null;
    setPath([]);
    setDraft(null);
    if (!stroke) return;
    if ("letter" in stroke) {
      if (String(stroke.grid) !== String(given)) change(stroke.grid, null);
      return;
    }
    const made = withLine(given, stroke.line, areas);
    if (typeof made === "string") setWhy(made);
    else change(made.grid, made.areas);
  }
  useKeys((event) => {
    const held = event.ctrlKey || event.metaKey;
    const number = Number(event.key);
    if (held && /^[zZ]$/.test(event.key)) undo(event.shiftKey ? "redo" : "undo");
    else if (held && event.key === "y") undo("redo");
    else if (!held && !event.altKey && number >= 1 && number <= BRUSHES.length && !(locked && BRUSHES[number - 1] === "line")) setBrush(BRUSHES[number - 1]);
    else return;
    event.preventDefault();
  });

  /** @param {KeyboardEvent} event @param {number} row @param {number} col */
  function key(event, row, col) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      event.preventDefault();
      /** @type {HTMLElement | null | undefined} */
      (holder.current?.querySelector(`[data-row="${row + step[0]}"][data-col="${col + step[1]}"]`))?.focus();
    } else if (LETTERS.has(event.key) && event.key !== "@" && !event.ctrlKey && !event.metaKey && grid[row][col] !== "@")
      change(withLetter(grid, offset(grid, row, col), event.key), null);
  }

  const marked = new Map(areas.flatMap((area, index) => area.cells.map((at) => [String(at), index])));
  const drawn = new Set(path.map(String));
  const [liveRow] = live(grid);
  return html`<div class="ruledraw">
    <div class="row palette" role="group" aria-label="Letter that a stroke paints">
      ${BRUSHES.map((name, index) => html`<button class="small" aria-pressed=${brush === name} onClick=${() => setBrush(name)}
        disabled=${name === "line" && !!locked} aria-keyshortcuts=${index + 1}>${name === "line" ? html`<span class="tile line" aria-hidden="true">→</span>` : html`<${Tile} letter=${name === "forbid" ? "x" : name} />`}
        ${TITLES[name] ?? says(name).split(":")[0]} <kbd aria-hidden="true">${index + 1}</kbd></button>`)}
      <button class="small" onClick=${() => undo("undo")} disabled=${!canUndo} title="undo (Ctrl+Z)" aria-label="undo">↶</button>
      <button class="small" onClick=${() => undo("redo")} disabled=${!canRedo} title="redo (Ctrl+Y)" aria-label="redo">↷</button></div>
    <div class="gridbox">
      <${Sides} side="top" grid=${grid} change=${change} />
      <div class="gridrow"><${Sides} side="left" grid=${grid} change=${change} />
        <div class="rulegrid" ref=${holder} role="group" aria-label="The drawing; the walk came up the page to the live end"
          style=${{ "--cols": grid[0].length, "--rows": grid.length }} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up}
          onPointerLeave=${up} onPointerCancel=${up} onContextMenu=${(/** @type {Event} */ e) => e.preventDefault()}>
          ${grid.map((row, r) => row.map((letter, c) => {
            const at = offset(grid, r, c);
            const area = marked.get(String(at));
            const look = area === undefined ? lookOf(letter) : "line";
            return html`<button key=${`${r},${c}`} class=${`cell ${look}${drawn.has(String(at)) ? " drawn-over" : ""}`}
              data-row=${r} data-col=${c} data-area=${area === undefined ? null : area % 4}
              tabIndex=${letter === "@" ? 0 : -1} aria-label=${`${where(at)}: ${says(letter)}`}
              onClick=${(/** @type {MouseEvent} */ e) => e.detail === 0 && brush !== "line" && change(paint(grid, at, brush), null)}
              onKeyDown=${(/** @type {KeyboardEvent} */ e) => key(e, r, c)}>
              ${letter === "@" ? html`<span class="disc"></span>` : html`<${Sign} letter=${letter} />`}</button>`;
          }))}
        </div>
        <${Sides} side="right" grid=${grid} change=${change} /></div>
      <${Sides} side="bottom" grid=${grid} change=${change} />
    </div>
    ${liveRow < 0 && html`<p class="note bad">The drawing has no live end @.</p>`}
    ${why && html`<p class="note bad" role="alert">${why}</p>`}
    ${locked && html`<p class="hint">${locked}</p>`}
    ${areas.map((area, index) => html`<${AreaRow} key=${index} area=${area} index=${index}
      change=${(/** @type {AreaDrawn} */ next) => change(grid, areas.map((one, other) => (other === index ? next : one)))}
      remove=${() => { const left = withoutArea(grid, areas, index); change(left.grid, left.areas); }} />`)}
  </div>`;
}

/** @param {{letter: string}} props */
function Sign({ letter }) {
  const one = LETTERS.get(letter);
  return html`${one?.sign && html`<span class="sign">${one.sign}</span>`}${one?.forbids && html`<span class="ban">✕</span>`}`;
}

/** @param {At} at */
function where([left, ahead]) {
  const parts = [];
  if (left) parts.push(`${Math.abs(left)} ${left > 0 ? "left" : "right"}`);
  if (ahead) parts.push(`${Math.abs(ahead)} ${ahead > 0 ? "ahead" : "behind"}`);
  return parts.join(", ") || "here";
}

/** @param {{side: "top" | "bottom" | "left" | "right", grid: Grid, change: (grid: Grid, areas: null) => void}} props */
function Sides({ side, grid, change }) {
  return html`<div class=${`sides ${side}`}>
    <button class="quiet" aria-label=${`one more at the ${side}`} onClick=${() => change(grown(grid, side, 1), null)}>+</button>
    <button class="quiet" aria-label=${`one less at the ${side}`} onClick=${() => change(grown(grid, side, -1), null)}>−</button></div>`;
}

/** @param {{area: AreaDrawn, index: number, change: (area: AreaDrawn) => void, remove: () => void}} props */
function AreaRow({ area, index, change, remove }) {
  const bounded = area.kind === "within" || area.kind === "beyond";
  /** @param {string} kind */
  const kindOf = (kind) => {
    const next = { ...area, kind: /** @type {AreaDrawn["kind"]} */ (kind) };
    const counts = kind === "within" || kind === "beyond";
    change(counts ? { ...next, low: area.low ?? 0, high: area.high ?? 0 } : { ...next, low: null, high: null });
  };
  /** @param {any} event */
  const number = (event) => (event.target.value === "" ? null : Math.round(Number(event.target.value)));
  return html`<div class="row arearow"><span class="swatch" data-area=${index % 4} aria-hidden="true"></span>
    <label>area <select value=${area.side} onChange=${(/** @type {any} */ e) => change({ ...area, side: e.target.value })}>
      <option value="left">on the left</option><option value="right">on the right</option></select></label>
    <label><span class="unseen">condition</span><select value=${area.kind} onChange=${(/** @type {any} */ e) => kindOf(e.target.value)}>
      ${Object.entries(KINDS).map(([name, title]) => html`<option value=${name}>${title}</option>`)}</select></label>
    ${bounded && html`<label>low <${NumberField} value=${area.low ?? ""} set=${(/** @type {any} */ e) => change({ ...area, low: number(e) })} /></label>
      <label>high <${NumberField} value=${area.high ?? ""} set=${(/** @type {any} */ e) => change({ ...area, high: number(e) })} /></label>`}
    <label>cells at least <${NumberField} least=${area.cells.length} value=${area.least ?? ""} hint=${String(area.cells.length)}
      set=${(/** @type {any} */ e) => change({ ...area, least: number(e) })} /></label>
    <button class="quiet" onClick=${remove} aria-label=${`remove area ${index + 1}`}>remove</button></div>`;
}

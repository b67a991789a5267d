// The grid of a rule: cells to click, bans, and lines of areas drawn with the mouse.
import { html, useRef, useState } from "./vendor/preact-htm.js";
import { NumberField } from "./kit.js";
import { besideLive, BRUSHES, cycled, forbidden, grown, live, offset, SAYS, withLetter, withLine, withoutArea } from "./drawing.js";

/** @typedef {import("./messages").AreaDrawn} AreaDrawn */
/** @typedef {import("./drawing.js").Grid} Grid */
/** @typedef {import("./drawing.js").At} At */

const KINDS = { closed: "closed", pair: "pair: even", impair: "impair: odd", "impair-determined": "impair, determined",
  within: "surplus within", beyond: "surplus beyond" };
/** @type {Record<string, string>} */
const LOOKS = { "@": "live", ".": "free", K: "free", "#": "visited", B: "border", "%": "taken", o: "onboard",
  "?": "any", x: "any", X: "free", F: "free", f: "free", G: "free", "+": "free", y: "any" };

/** @param {{grid: Grid, areas: AreaDrawn[], locked: string,
 *   change: (grid: Grid, areas: AreaDrawn[] | null) => void}} props */
export function RuleGrid({ grid, areas, locked, change }) {
  const [brush, setBrush] = useState("cycle");
  const [path, setPath] = useState(/** @type {At[]} */ ([]));
  const [why, setWhy] = useState("");
  const held = useRef(/** @type {At[] | null} */ (null));
  const holder = useRef(/** @type {HTMLDivElement | null} */ (null));

  /** @param {number} row @param {number} col */
  function click(row, col, back = false) {
    const at = offset(grid, row, col);
    const letter = grid[row][col];
    setWhy("");
    if (brush === "forbid") {
      if (!besideLive(at)) setWhy("only a cell that touches the live end can be forbidden");
      else change(withLetter(grid, at, forbidden(letter)), null);
    } else if (brush === "cycle" && letter !== "@") change(withLetter(grid, at, cycled(letter, back ? -1 : 1)), null);
  }

  /** @param {PointerEvent} event @returns {At | null} */
  function under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-row]");
    if (!(found instanceof HTMLElement)) return null;
    return offset(grid, Number(found.dataset.row), Number(found.dataset.col));
  }
  /** @param {PointerEvent} event */
  function down(event) {
    const at = brush === "line" ? under(event) : null;
    if (!at) return;
    event.preventDefault();
    held.current = [at];
    setPath([at]);
  }
  /** @param {PointerEvent} event */
  function move(event) {
    const line = held.current;
    const at = line && under(event);
    if (!line || !at || line.some((one) => String(one) === String(at))) return;
    const last = line[line.length - 1];
    if (Math.max(Math.abs(at[0] - last[0]), Math.abs(at[1] - last[1])) > 1) return;
    held.current = [...line, at];
    setPath(held.current);
  }
  function up() {
    const line = held.current;
    held.current = null;
    setPath([]);
    if (!line) return;
    const made = withLine(grid, line, areas);
    if (typeof made === "string") setWhy(made);
    else change(made.grid, made.areas);
  }

  /** @param {KeyboardEvent} event @param {number} row @param {number} col */
  function key(event, row, col) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      event.preventDefault();
      /** @type {HTMLElement | null | undefined} */
      (holder.current?.querySelector(`[data-row="${row + step[0]}"][data-col="${col + step[1]}"]`))?.focus();
    } else if (event.key.length === 1 && event.key in SAYS && event.key !== "@" && !event.ctrlKey && !event.metaKey && grid[row][col] !== "@")
      change(withLetter(grid, offset(grid, row, col), event.key), null);
  }

  const marked = new Map(areas.flatMap((area, index) => area.cells.map((at) => [String(at), index])));
  const drawn = new Set(path.map(String));
  const [liveRow] = live(grid);
  return html`<div class="ruledraw">
    <div class="row" role="group" aria-label="What a click on the drawing does">
      ${Object.entries(BRUSHES).map(([name, title]) => html`<button aria-pressed=${brush === name} onClick=${() => setBrush(name)}
        disabled=${name === "line" && !!locked}>${title}</button>`)}</div>
    <div class="gridbox">
      <${Sides} side="top" grid=${grid} change=${change} />
      <div class="gridrow"><${Sides} side="left" grid=${grid} change=${change} />
        <div class="rulegrid" ref=${holder} role="group" aria-label="The drawing; the walk came up the page to the live end"
          style=${{ "--cols": grid[0].length }} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerLeave=${up}
          data-brush=${brush}>
          ${grid.map((row, r) => row.map((letter, c) => {
            const at = offset(grid, r, c);
            const area = marked.get(String(at));
            const look = /[smeSME]/.test(letter) ? "line" : LOOKS[letter] ?? "taken";
            return html`<button key=${`${r},${c}`} class=${`cell ${look}${drawn.has(String(at)) ? " drawn-over" : ""}`}
              data-row=${r} data-col=${c} data-area=${area === undefined ? null : area % 4}
              tabIndex=${letter === "@" ? 0 : -1} aria-label=${`${where(at)}: ${SAYS[letter] ?? letter}`}
              onClick=${() => click(r, c)} onKeyDown=${(/** @type {KeyboardEvent} */ e) => key(e, r, c)}
              onContextMenu=${(/** @type {Event} */ e) => { e.preventDefault(); click(r, c, true); }}>
              ${letter === "@" ? html`<span class="disc"></span>` : html`<${Sign} letter=${letter} />`}</button>`;
          }))}
        </div>
        <${Sides} side="right" grid=${grid} change=${change} /></div>
      <${Sides} side="bottom" grid=${grid} change=${change} />
    </div>
    ${liveRow < 0 && html`<p class="note bad">the drawing has no live end @</p>`}
    ${why && html`<p class="note bad" role="alert">${why}</p>`}
    ${locked && html`<p class="hint">${locked}</p>`}
    ${areas.map((area, index) => html`<${AreaRow} key=${index} area=${area} index=${index}
      change=${(/** @type {AreaDrawn} */ next) => change(grid, areas.map((one, other) => (other === index ? next : one)))}
      remove=${() => { const left = withoutArea(grid, areas, index); change(left.grid, left.areas); }} />`)}
  </div>`;
}

/** @param {{letter: string}} props */
function Sign({ letter }) {
  const banned = /[xXSMEf]/.test(letter);
  const text = { K: "≠ end", F: "near", f: "near", G: "far", y: "or", "+": "entry", o: "on board", s: "s", m: "", e: "e", S: "s", M: "", E: "e" }[letter];
  return html`${text && html`<span class="sign">${text}</span>`}${banned && html`<span class="ban">✕</span>`}`;
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

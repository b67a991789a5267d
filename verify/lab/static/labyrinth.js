// The labyrinth page: a board, how its walk is drawn, and pages for a printer.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { addressOf, Drawn, NumberField, save } from "./kit.js";
import { openBoard, walled } from "./walk.js";

const SIZES = [11, 15, 21, 31, 41, 61];

/** @param {import("./main").PageProps} props */
export function LabyrinthPage({ wire, online, set }) {
  const number = (/** @type {string} */ name, /** @type {number} */ first) => Number(set.get(name) ?? first) || first;
  const [place, setPlace] = useState(openBoard(number("rows", 21), number("cols", 21)));
  const [how, setHow] = useState(/** @type {"uniform" | "steps"} */ ("steps"));
  const [look, setLook] = useState(/** @type {"walls" | "line"} */ ("walls"));
  const [seed, setSeed] = useState(number("seed", 1));
  const [count, setCount] = useState(1);
  const [perPage, setPerPage] = useState(1);
  const [paper, setPaper] = useState(/** @type {"a4" | "letter"} */ ("a4"));
  const [solutions, setSolutions] = useState(true);
  const [shape, setShape] = useState("");
  const [drawn, setDrawn] = useState(/** @type {import("./messages").LabyrinthsDrawn | null} */ (null));
  const [message, setMessage] = useState("");
  const [busy, setBusy] = useState(false);

  const question = { place, how, look, seed, count };
  const failed = (/** @type {Error} */ error) => error.message !== "given up" && setMessage(error.message);

  const draw = () => {
    setBusy(true);
    wire.ask({ ask: "labyrinths", ...question }, (reply) => {
      if (reply.reply !== "labyrinthsdrawn") return;
      setDrawn(reply);
      setMessage("");
    }).catch(failed).finally(() => setBusy(false));
  };
  useEffect(() => {
    if (!online) return;
    draw();
    history.replaceState(null, "", addressOf("labyrinth", "", { rows: String(place.rows), cols: String(place.cols), seed: String(seed) }));
  }, [place, how, look, seed, count, online]);

  const sheets = { ...question, paper, per_page: perPage, solutions };
  const newest = useRef(sheets);
  newest.current = sheets;
  /** @param {"pdf" | "svg" | "png"} file */
  const make = (file) => setTimeout(() => { // a field that is left reports first
    wire.ask({ ask: "sheets", ...newest.current, file }, (reply) => {
      if (reply.reply === "exported") save(reply);
    }).catch(failed);
  }, 30);
  /** @param {any} event */
  const whole = (event, most = 201) => Math.max(1, Math.min(most, Math.round(Number(event.target.value)) || 1));
  /** @param {number} cell */
  const paint = (cell) => {
    if (shape === "wall") setPlace(walled(place, cell));
    else if (shape === "start" && cell !== place.end && !place.walls.includes(cell)) setPlace({ ...place, start: cell });
    else if (shape === "end" && cell !== place.start && !place.walls.includes(cell)) setPlace({ ...place, end: cell });
  };
  return html`<div class="columns">
    <section aria-label="Labyrinths">
      ${drawn ? html`<div class=${`sheets many-${Math.min(drawn.drawn.length, 4)}`}>${drawn.drawn.map((one) => html`<figure>
          <${Drawn} svg=${one.svg} label="a labyrinth" cls="paper" /><figcaption><a href=${addressOf("board", one.plain, { rules: "" })}>Open the walk on the board</a></figcaption></figure>`)}</div>
        <p class="hint">${drawn.caption}${count > drawn.drawn.length ? `; ${count - drawn.drawn.length} more in the PDF` : ""}</p>`
        : html`<p class="note">Drawing …</p>`}
    </section>
    <aside aria-label="Settings">
      <h1>A labyrinth</h1>
      <p class="hint">One corridor without a branch leads through every cell.</p>
      <div class="row">${SIZES.map((side) => html`<button class="small" aria-pressed=${place.rows === side && place.cols === side && !place.walls.length}
        onClick=${() => setPlace(openBoard(side, side))}>${side}</button>`)}</div>
      <div class="row"><label>rows <${NumberField} least=${1} most=${201} value=${place.rows} set=${(/** @type {any} */ e) => setPlace(openBoard(whole(e), place.cols))} /></label>
        <label>cols <${NumberField} least=${1} most=${201} value=${place.cols} set=${(/** @type {any} */ e) => setPlace(openBoard(place.rows, whole(e)))} /></label></div>
      <fieldset><legend>choice</legend>
        <label><input type="radio" name="how" checked=${how === "steps"} onChange=${() => setHow("steps")} /> step by step</label>
        <label><input type="radio" name="how" checked=${how === "uniform"} onChange=${() => setHow("uniform")} /> uniform among all walks</label></fieldset>
      <fieldset><legend>picture</legend>
        <label><input type="radio" name="look" checked=${look === "walls"} onChange=${() => setLook("walls")} /> walls</label>
        <label><input type="radio" name="look" checked=${look === "line"} onChange=${() => setLook("line")} /> line</label></fieldset>
      <div class="row"><label>seed <${NumberField} cls="seed" least=${0} value=${seed} set=${(/** @type {any} */ e) => setSeed(Math.max(0, Math.round(Number(e.target.value)) || 0))} /></label>
        <button onClick=${() => setSeed(seed + count)}>Another</button></div>
      <details class="shape"><summary>Shape: walls and ends</summary>
        <div class="row" role="group" aria-label="What a click on the small board does">${[["wall", "Walls"], ["start", "Start"], ["end", "End"]].map(([name, title]) =>
          html`<button class="small" aria-pressed=${shape === name} onClick=${() => setShape(shape === name ? "" : name)}>${title}</button>`)}
          <button class="small" onClick=${() => setPlace(openBoard(place.rows, place.cols))}>clear</button></div>
        ${place.rows * place.cols <= 1700 ? html`<div class="shapegrid" style=${{ "--cols": place.cols }}>
          ${Array.from({ length: place.rows * place.cols }, (_, cell) => html`<button key=${cell} disabled=${!shape}
            class=${cell === place.start ? "start" : cell === place.end ? "end" : place.walls.includes(cell) ? "wall" : ""}
            aria-label=${`row ${Math.floor(cell / place.cols) + 1}, column ${(cell % place.cols) + 1}`} aria-pressed=${place.walls.includes(cell)}
            onClick=${() => paint(cell)}></button>`)}</div>` : html`<p class="hint">Draw walls by hand on boards up to 41 x 41.</p>`}
      </details>
      <h2>On paper</h2>
      <div class="row"><label>number <${NumberField} least=${1} most=${48} value=${count} set=${(/** @type {any} */ e) => setCount(whole(e, 48))} /></label>
        <label>per page <${NumberField} least=${1} most=${48} value=${perPage} set=${(/** @type {any} */ e) => setPerPage(whole(e, 48))} /></label>
        <label>paper <select value=${paper} onChange=${(/** @type {any} */ e) => setPaper(e.target.value)}><option value="a4">A4</option><option value="letter">Letter</option></select></label></div>
      <div class="row checks"><label><input type="checkbox" checked=${solutions} disabled=${look === "line"} onChange=${(/** @type {any} */ e) => setSolutions(e.target.checked)} /> solutions at the end</label></div>
      <div class="row"><button class="main" onClick=${() => make("pdf")}>PDF</button>
        <button onClick=${() => make("svg")}>SVG</button><button onClick=${() => make("png")}>PNG</button>
        ${busy && html`<button class="quiet" onClick=${() => wire.stop("labyrinth")}>stop</button>`}</div>
      ${message && html`<p class="note bad" role="alert">${message}</p>`}
    </aside></div>`;
}

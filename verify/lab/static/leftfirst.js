// The left-first walk: a step, a run, and what it came to.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { counted, RuleLink } from "./kit.js";
import { same, sameBoard, upTo } from "./walk.js";

/** @typedef {import("./messages").LeftFirstPart} Part */
/** @typedef {import("./board.js").Here} Here */
/** @typedef {{place: import("./messages").Place, rules: string, completed: number, stuck: number, steps: number, seconds: number,
 *   looked: number, fired: Map<string, number>}} Sum */

const SAID = { stuck: "Stuck: the rules allow no move. Run continues after it.", complete: "Complete. Run continues after it.",
  finished: "Finished: all walks that the rules allow were tried.", step: "", time: "Ten minutes are over. Run continues." };
const SHOWN = 5; // rules that are listed
const SPEEDS = [0, 1, 4, 15, 60]; // rounds a second

/** @param {Sum} sum @param {number} number */
function rate(sum, number) {
  return sum.seconds > 0 ? `${(number / sum.seconds).toLocaleString("en", { maximumSignificantDigits: 3 })} a second` : "";
}

/** @param {{wire: import("./wire.js").Wire, online: boolean, now: {current: Here}, rules: string,
 *   running: boolean, setRunning: (running: boolean) => void,
 *   glimpse: (then: Here) => void, show: (then: Here) => void}} props */
export function LeftFirst({ wire, online, now, rules, running, setRunning, glimpse, show }) {
  const [speed, setSpeed] = useState(0);
  const [on, setOn] = useState({ complete: true, stuck: false });
  const [sum, setSum] = useState(/** @type {Sum | null} */ (null));
  const [said, setSaid] = useState("");
  const total = useRef(/** @type {Sum | null} */ (null));
  const ended = useRef(/** @type {{place: import("./messages").Place, rules: string, event: string} | null} */ (null)); // the last run's end: it is counted
  const alive = useRef(true);
  useEffect(() => () => { alive.current = false; wire.stop("left"); }, []);

  /** @param {boolean} step */
  const go = (step) => {
    const begin = now.current;
    const place = upTo(begin.place, begin.at);
    const old = total.current;
    total.current = old && old.rules === rules && sameBoard(old.place, place) ? old
      : { place, rules, completed: 0, stuck: 0, steps: 0, seconds: 0, looked: 0, fired: new Map() };
    let shown = begin;
    setRunning(true);
    setSaid("");
    const last = ended.current;
    const counted = !!last && ["stuck", "complete"].includes(last.event) && last.rules === rules && same(last.place, place);
    ended.current = null;
    wire.ask({ ask: "leftfirst", place, rules, speed, step, stop_stuck: !on.stuck, stop_complete: !on.complete, counted }, (reply) => {
      if (reply.reply !== "leftfirstpart" || !alive.current) return;
      if (now.current !== shown) { // the user drew meanwhile: show that
        wire.stop("left");
        return;
      }
      total.current = more(/** @type {Sum} */ (total.current), reply);
      setSum(total.current);
      shown = { place: { ...place, moves: reply.moves }, at: reply.moves.length };
      glimpse(shown);
      if (!reply.event) return;
      ended.current = { place: shown.place, rules, event: reply.event };
      setSaid(SAID[/** @type {keyof SAID} */ (reply.event)]);
    }).catch((/** @type {Error} */ error) => setSaid(error.message === "given up" ? "Stopped." : error.message)).finally(() => {
      if (!alive.current) return;
      setRunning(false);
      if (now.current !== shown || shown === begin) return;
      glimpse(begin); // the whole run is one step of undo
      show(shown);
    });
  };
  const most = sum ? [...sum.fired].sort((a, b) => b[1] - a[1]).slice(0, SHOWN) : [];
  return html`<section class="leftfirst" aria-label="Left-first walk"><h2>Left-first walk</h2>
    <p class="hint">At every cell it tries left, then straight, then right, if the rules allow it. Where it is stuck it steps back.</p>
    <div class="row">
      <button onClick=${() => go(true)} disabled=${running || !online || !rules}>Step</button>
      ${running ? html`<button onClick=${() => wire.stop("left")}>Stop</button>`
        : html`<button onClick=${() => go(false)} disabled=${!online || !rules}>Run</button>`}
      <label>speed <select value=${speed} disabled=${running} onChange=${(/** @type {any} */ e) => setSpeed(Number(e.target.value))}>
        ${SPEEDS.map((one) => html`<option value=${one}>${one ? `${one} a second` : "full"}</option>`)}</select></label></div>
    <div class="row checks">
      ${[["complete", "continue at a completion"], ["stuck", "continue when stuck"]].map(([name, title]) => html`<label><input type="checkbox" disabled=${running}
        checked=${on[/** @type {keyof on} */ (name)]} onChange=${(/** @type {any} */ e) => setOn({ ...on, [name]: e.target.checked })} /> ${title}</label>`)}</div>
    ${sum && html`<table class="moves sums"><caption class="unseen">Totals</caption><tbody>
      <tr><th scope="row">walks completed</th><td class="number">${sum.completed.toLocaleString("en")}</td><td>${rate(sum, sum.completed)}</td></tr>
      <tr><th scope="row">stuck</th><td class="number">${sum.stuck.toLocaleString("en")}</td><td>${rate(sum, sum.stuck)}</td></tr>
      <tr><th scope="row">steps</th><td class="number">${sum.steps.toLocaleString("en")}</td><td>${rate(sum, sum.steps)}</td></tr></tbody></table>
      ${most.length > 0 && html`<p class="hint">Moves forbidden at ${counted(sum.looked, "position")} reported: ${most.map(([name, many], index) =>
        html`${index ? ", " : ""}<${RuleLink} name=${name} /> ${many.toLocaleString("en")}`)}</p>`}
      <p class="hint">on ${sum.place.rows} × ${sum.place.cols}${sum.place.walls.length ? " with walls" : ""} under ${sum.rules} <button class="small" disabled=${running} onClick=${() => { total.current = null; setSum(null); setSaid(""); }}>reset</button></p>`}
    <p class="note" role="status">${running ? "" : said}</p>
  </section>`;
}

/** @param {Sum} sum @param {Part} part @returns {Sum} */
function more(sum, part) {
  const fired = new Map(sum.fired);
  for (const [name, many] of Object.entries(part.fired)) fired.set(name, (fired.get(name) ?? 0) + many);
  return { ...sum, completed: sum.completed + part.completed, stuck: sum.stuck + part.stuck, steps: sum.steps + part.steps,
    seconds: sum.seconds + part.seconds, looked: sum.looked + 1, fired };
}

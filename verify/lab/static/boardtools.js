// The tools of the board page: steps, modes, size, rules, files.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";
import { addressOf, NumberField } from "./kit.js";

/** @param {{at: number, steps: number, jump: (step: number, remember?: boolean) => void, playing: boolean,
 *   play: () => void, speed: number, setSpeed: (speed: number) => void, undo: (which: "undo" | "redo") => void,
 *   zoom: (factor: number) => void, whole: boolean, canUndo: boolean, canRedo: boolean}} props */
export function Steps({ at, steps, jump, playing, play, speed, setSpeed, zoom, whole, undo, canUndo, canRedo }) {
  return html`<div class="steps" role="group" aria-label="Steps">
    <label class="slide"><span class="unseen">step</span>
      <input type="range" min="0" max=${steps} value=${at} disabled=${steps === 0}
        onInput=${(/** @type {any} */ e) => jump(Number(e.target.value))} />
      <output>${at}<span class="of"> / ${steps}</span></output></label>
    <button onClick=${() => undo("undo")} disabled=${!canUndo} title="undo (u)" aria-label="undo">↶</button>
    <button onClick=${() => undo("redo")} disabled=${!canRedo} title="redo (r)" aria-label="redo">↷</button>
    <span class="gap"></span>
    <button onClick=${() => jump(0, true)} disabled=${at === 0} title="to the start (Home)" aria-label="to the start">|◀</button>
    <button onClick=${() => jump(at - 1)} disabled=${at === 0} title="a step back (,)" aria-label="a step back">◀</button>
    <button onClick=${play} disabled=${steps === 0} title="play (p)" aria-label=${playing ? "pause" : "play"}>${playing ? "❚❚" : "▶"}</button>
    <button onClick=${() => jump(at + 1)} disabled=${at === steps} title="a step forward (.)" aria-label="a step forward"><span class="flip">◀</span></button>
    <button onClick=${() => jump(steps, true)} disabled=${at === steps} title="to the last step (End)" aria-label="to the last step"><span class="flip">|◀</span></button>
    <label class="speed" title="steps a second"><span class="unseen">steps a second</span>
      <input type="number" min="1" max="60" value=${speed}
        onInput=${(/** @type {any} */ e) => { const n = Number(e.target.value); if (n >= 1 && n <= 60) setSpeed(n); }} /> / s</label>
    <span class="zooms" role="group" aria-label="Zoom"><button onClick=${() => zoom(1.5)} title="zoom in (+)" aria-label="zoom in">+</button>
      <button onClick=${() => zoom(1 / 1.5)} disabled=${whole} title="zoom out (-)" aria-label="zoom out">−</button>
      <button onClick=${() => zoom(0)} disabled=${whole} title="the whole board (0)" aria-label="the whole board">all</button></span>
  </div>`;
}

const AROUND = 150; // moves before and behind the cursor that are listed
const NAMES = { U: "up", R: "right", D: "down", L: "left" };

/** The moves of the walk, with a cursor; a click goes to the position after one.
 * @param {{moves: string, at: number, jump: (step: number, remember?: boolean) => void}} props */
export function MoveList({ moves, at, jump }) {
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const from = Math.max(0, at - AROUND);
  useLayoutEffect(() => {
    const here = list.current?.querySelector("[aria-current]");
    if (list.current && here instanceof HTMLElement) list.current.scrollTop = here.offsetTop - list.current.clientHeight / 2;
  }, [moves, at]);
  return html`<ol class="movelist" aria-label="Moves of the walk" ref=${list}>
    ${from > 0 && html`<li>… ${from}</li>`}
    ${[...moves.slice(from, at + AROUND)].map((move, index) => {
      const number = from + index + 1;
      return html`<li key=${number}><button aria-current=${number === at ? "step" : null} tabIndex=${number === at ? 0 : -1}
        aria-label=${`move ${number}, ${NAMES[/** @type {keyof NAMES} */ (move)]}`} onClick=${() => jump(number, true)}>${move}</button></li>`;
    })}
    ${at + AROUND < moves.length && html`<li>… ${moves.length}</li>`}</ol>`;
}

/** The main buttons, and the message about the last action.
 * @param {{go: (how: import("./messages").Go["how"]) => void, busy: string, rules: string, seen: import("./messages").Seen | null, online: boolean,
 *   message: {text: string, bad: boolean, cases?: boolean}, stop: () => void}} props */
export function Go({ go, busy, rules, seen, online, message, stop }) {
  const idle = online && !busy && seen?.unvisited !== 0;
  const dead = seen?.verdict === "DEAD";
  return html`<div class="row go" role="group" aria-label="Extend the walk">
      <button class="main" onClick=${() => go("rules")} disabled=${!idle || !rules}>Walk by rules</button>
      <button onClick=${() => go("exact")} disabled=${!idle || dead}>Walk exactly</button>
      <button onClick=${() => go("complete")} disabled=${!idle || dead}>Complete it</button>
      <button onClick=${() => go("back")} disabled=${!idle || !dead}>Back to the mistake</button></div>
    <div class="message" tabIndex="0" role="group" aria-label="Message">
      ${busy ? html`<p class="note busy">working: ${busy} … <button class="quiet" onClick=${stop}>stop</button></p>`
        : message.text && html`<p class=${message.bad ? "note bad" : "note"} role=${message.bad ? "alert" : "status"}>${message.text}
          ${message.cases && seen && html` <a href=${addressOf("cases", "", { q: seen.notation })}>Cases of this position</a>`}</p>`}</div>`;
}

const FILES = { notation: "notation", saved: "saved path", svg: "SVG", png: "PNG", case: "case" };
const MODES = { walk: "Walk", wall: "Walls", start: "Start", end: "End" };

/** @param {any} props */
export function Settings({ mode, setMode, place, choice, choose, welcome, busy, seen, resize, keep, prove, exported, take, open }) {
  const [rules, setRules] = useState(choice.rules);
  const [text, setText] = useState("");
  useEffect(() => setRules(choice.rules), [choice.rules]);
  const dead = seen && (seen.verdict === "DEAD" || seen.moves.some((/** @type {any} */ one) => one.verdict === "DEAD"));
  /** @param {any} event */
  const number = (event) => Math.max(1, Math.min(201, Math.round(Number(event.target.value)) || 1));
  return html`<section class="tools" aria-label="Tools">
    <div class="row" role="group" aria-label="What a click does">
      ${Object.entries(MODES).map(([name, title]) => html`<button aria-pressed=${mode === name} onClick=${() => setMode(name)}>${title}</button>`)}
      <span class="grow"></span>
      <span class="size"><label><span class="unseen">rows</span><${NumberField} least=${1} most=${201} value=${place.rows} set=${(/** @type {any} */ e) => resize(number(e), place.cols)} /></label>
      <span class="times" aria-hidden="true">×</span><label><span class="unseen">cols</span><${NumberField} least=${1} most=${201} value=${place.cols} set=${(/** @type {any} */ e) => resize(place.rows, number(e))} /></label>
      <button onClick=${() => resize(place.rows, place.cols)}>New board</button></span>
    </div>
    <form class="row" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); choose({ rules: rules.trim() }); }}>
      <label class="wide">rules <input list="groups" value=${rules} placeholder="none" spellcheck=${false} autocomplete="off"
        aria-invalid=${seen?.rules_fault ? "true" : null} aria-describedby=${seen?.rules_fault ? "rules-fault" : null}
        onInput=${(/** @type {any} */ e) => setRules(e.target.value)} onChange=${(/** @type {any} */ e) => choose({ rules: e.target.value.trim() })} /></label>
      <datalist id="groups">${Object.entries(welcome.groups).map(([name, about]) => html`<option value=${name}>${about}</option>`)}
        ${welcome.files.map((/** @type {string} */ name) => html`<option value=${name}>a rule file</option>`)}</datalist>
      ${seen?.rules_fault && html`<p class="note bad" id="rules-fault" role="alert">${seen.rules_fault}</p>`}
    </form>
    <div class="row checks">
      ${[["future", "future lines"], ["witness", "a completion"], ["colours", "colours"], ["counts", "counts"]].map(([name, title]) =>
        html`<label><input type="checkbox" checked=${choice[name]} onChange=${(/** @type {any} */ e) => choose({ [name]: e.target.checked })} /> ${title}</label>`)}
    </div>
    <div class="row" role="group" aria-label="Save">
      <button onClick=${keep} disabled=${!!busy}>Save as case</button>
      <button onClick=${prove} disabled=${!!busy || !dead}>Prove what is dead</button>
      <button onClick=${() => exported("html")} disabled=${!!busy} title="one HTML file with the board, the verdicts and the reasons; it needs no server">Share as a page</button>
    </div>
    <details class="files"><summary>Files</summary>
      <div class="row" role="group" aria-label="Export">${Object.entries(FILES).map(([what, title]) =>
        html`<button class="small" onClick=${() => exported(what)}>${title}</button>`)}</div>
      <form class="row" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); if (text.trim()) open(text); }}>
        <label class="wide">position <input value=${text} placeholder="9:RRDD" spellcheck=${false} autocomplete="off"
          onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
        <label class="button">a file<input type="file" accept=".txt,.toml" onChange=${(/** @type {any} */ e) => e.target.files[0] && take(e.target.files[0])} /></label>
      </form>
      <p class="hint">Drop a saved path or a case anywhere on this page.</p>
    </details>
  </section>`;
}

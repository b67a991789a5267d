// The rule page: a drawing, its text, and the verdict after every change.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { address, addressOf, Drawn, Linked, save } from "./kit.js";
import { gridOf, rowsOf, withLetter } from "./drawing.js";
import { RuleGrid } from "./rulegrid.js";
import { Signs } from "./help.js";

/** @typedef {import("./messages").AreaDrawn} AreaDrawn */
/** @typedef {import("./messages").Advice} Advice */
/** @typedef {"left" | "straight" | "right"} Turned */
/** @typedef {import("./drawing.js").Grid} Grid */

const FIRST = `[[rule]]
name = "corner-ahead"
claim = "sound"
reason = "the cell ahead keeps one other open side, so it must come next"
drawing = """
? % ?
% . ?
x @ x
"""
`;
const KEPT = "rule-text";
const FILE = 60_000; // bytes of a rule file that the server reads
const PICTURE = 100_000; // bytes of a picture
/** @type {Turned[]} */
const FORBID = ["left", "straight", "right"];
const TYPING = 120; // milliseconds after a key before the text is judged
/** @type {Record<string, string>} */
const MEANS = {
  PROVED: "A proof shows: on these boards the rule never forbids a move that can be completed.",
  REFUTED: "The rule forbids a move that can be completed, here:",
  OPEN: "Neither a proof nor a counterexample was found.",
};
const TURNS = [["0", "as drawn"], ["cw", "clockwise"], ["ccw", "counter-clockwise"], ["180", "half"]];

/** @param {string} text */
function packed(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} code */
function unpacked(code) {
  try {
    const bytes = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
  } catch {
    return "";
  }
}

/** The text, what it says, and its verdict.
 * @param {import("./main").PageProps} props */
function useRule({ wire, online, word, set, turn }) {
  const [text, setText] = useState("");
  const [rule, setRule] = useState(0);
  const [read, setRead] = useState(/** @type {import("./messages").RuleRead | null} */ (null));
  const [answer, setAnswer] = useState(/** @type {{text: string, rule: number, judged: import("./messages").Judged} | null} */ (null));
  const [advice, setAdvice] = useState(/** @type {Advice[]} */ ([]));
  const [kin, setKin] = useState(/** @type {import("./messages").Compared | null} */ (null));
  const [state, setState] = useState("");
  const [message, setMessage] = useState("");
  const now = useRef({ text: "", rule: 0, asked: 0 });
  const [picture, setPicture] = useState(/** @type {File | null} */ (null)); // one that needs forbidden moves
  const timer = useRef(0);
  const written = useRef("");
  const past = useRef(/** @type {string[]} */ ([]));
  const next = useRef(/** @type {string[]} */ ([]));
  const keyed = useRef(-1e9); // when a key last changed the text: a burst of keys is one step of undo

  /** Keep the text that is about to change. */
  function remember() {
    past.current = [...past.current.slice(-199), now.current.text];
    next.current = [];
  }

  /** @param {"undo" | "redo"} which */
  function undo(which) {
    const [from, to] = which === "undo" ? [past, next] : [next, past];
    const then = from.current.pop();
    if (then === undefined) return;
    to.current.push(now.current.text);
    readText(then);
  }

  /** Drop the verdict of the old drawing until the new one has its own. */
  function forget() {
    now.current.asked += 1;
    setAnswer(null);
    setAdvice([]);
    setKin(null);
    setState("judging");
  }

  /** @param {import("./messages").RuleRead} reply */
  function heard(reply) {
    setRead((old) => (reply.fault && old ? { ...old, fault: reply.fault } : reply)); // the last drawing stays
    if (reply.text && reply.text !== now.current.text) {
      remember();
      now.current.text = reply.text;
      setText(reply.text);
    }
    localStorage.setItem(KEPT, now.current.text);
    const to = addressOf("rule", "", { t: packed(now.current.text) });
    if (now.current.text.length < 6000 && to !== location.hash && address().page === "rule") {
      written.current = to;
      history.replaceState(null, "", to);
    }
    if (reply.fault) {
      wire.stop("judge");
      forget();
      setState("");
    } else judge();
  }

  function judge() {
    forget();
    const { text: of, rule: number, asked } = now.current;
    const still = () => asked === now.current.asked;
    wire.ask({ ask: "judgerule", text: of, rule: number }, (reply) => {
      if (!still()) return;
      if (reply.reply === "judged") {
        setAnswer({ text: of, rule: number, judged: reply });
        setMessage("");
        setState(reply.word === "PROVED" ? "" : "looking for missing conditions");
        compare(still);
      } else if (reply.reply === "advice") setAdvice((old) => [...old, reply]);
    }).then(() => still() && setState("")).catch((error) => {
      if (!still()) return;
      setState("");
      if (error.message !== "given up") setMessage(error.message);
    });
  }

  /** List rules of the book that are alike, after the verdict.
   * @param {() => boolean} still */
  function compare(still) {
    wire.ask({ ask: "comparerule", text: now.current.text, rule: now.current.rule }, (reply) => {
      if (still() && reply.reply === "compared") setKin(reply);
    }).catch(() => {});
  }

  /** @param {string} next */
  function readText(next, at = now.current.rule) {
    now.current = { ...now.current, text: next, rule: at };
    setText(next);
    setRule(at);
    forget();
    wire.ask({ ask: "readrule", text: next, rule: at }, (reply) => {
      if (reply.reply === "ruleread") heard(reply);
    }).catch((error) => setMessage(error.message));
  }

  /** @param {string} then */
  function typed(then) {
    if (performance.now() - keyed.current > 1000) remember();
    keyed.current = performance.now();
    now.current.text = then;
    setText(then);
    forget();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => readText(then), TYPING);
  }

  /** @param {Partial<import("./messages").EditRule>} change */
  function edit(change) {
    clearTimeout(timer.current);
    forget();
    wire.ask({ ask: "editrule", text: now.current.text, rule: now.current.rule, ...change }, (reply) => {
      if (reply.reply === "ruleread") heard(reply);
    }).catch((error) => {
      if (error.message === "given up") return;
      setMessage(error.message);
      setState("");
    });
  }

  /** Open a rule file, or a picture that the server reads.
   * @param {File} file @param {Turned[]} forbid for a picture that crosses no cell */
  function take(file, forbid = []) {
    const drawn = file.name.endsWith(".svg");
    const most = drawn ? PICTURE : FILE;
    setPicture(drawn ? file : null);
    if (file.size > most) {
      setMessage(`${file.name} is larger than ${most / 1000} kB`);
      return;
    }
    setMessage("");
    file.text().then((then) => {
      if (!drawn) {
        remember();
        return readText(then, 0);
      }
      wire.ask({ ask: "readpicture", text: then, name: file.name, forbid }, (reply) => {
        if (reply.reply !== "ruleread") return;
        now.current.rule = 0;
        setRule(0);
        setPicture(null);
        heard(reply);
      }).catch((error) => error.message !== "given up" && setMessage(error.message));
    });
  }

  /** @param {import("./messages").Question} question */
  function write(question) {
    wire.ask(question, (reply) => {
      if (reply.reply === "written") setMessage([...reply.lines, ...reply.files].join("\n"));
    }).catch((error) => setMessage(error.message));
  }
  const certify = () => write({ ask: "certify", text: now.current.text, rule: now.current.rule });
  const keep = (/** @type {string} */ file) => write({ ask: "saverule", text: now.current.text, file });

  useEffect(() => {
    if (!online || (written.current && written.current === location.hash && read)) return;
    if (word) {
      wire.ask({ ask: "bookrule", name: word }, (reply) => {
        if (reply.reply === "ruledetails") readText(reply.text, 0);
      }).catch((error) => setMessage(error.message));
    } else readText(unpacked(set.get("t") ?? "") || now.current.text || localStorage.getItem(KEPT) || FIRST, 0);
  }, [word, set.toString(), online, turn]);

  const judged = answer && answer.text === text && answer.rule === rule ? answer.judged : null;
  return { text, rule, read, judged, advice, kin, state, message, picture, take, readText, typed, edit, keep, certify, setRead, undo,
    canUndo: past.current.length > 0, canRedo: next.current.length > 0 };
}

/** @param {import("./main").PageProps} props */
export function RulePage(props) {
  const { wire } = props;
  const page = useRule(props);
  const { read, judged, text } = page;
  const model = read?.model ?? null;
  const [file, setFile] = useState("my-rules.toml");
  const [forbid, setForbid] = useState(/** @type {Turned[]} */ ([]));

  /** @param {Grid} grid @param {AreaDrawn[] | null} areas */
  const change = (grid, areas) => {
    const rows = rowsOf(grid);
    if (read && model) page.setRead({ ...read, model: { ...model, rows, areas: areas ?? model.areas } });
    page.edit(areas ? { rows, areas } : { rows });
  };
  /** How the drawing is laid; it is shown before the text has it.
   * @param {{turns?: string[], mirror?: boolean}} laid */
  const lay = ({ turns, mirror }) => {
    if (read && model) page.setRead({ ...read, model: { ...model, turns: turns ?? model.turns, mirror: mirror ?? model.mirror } });
    page.edit(turns ? { turns } : { mirror });
  };
  /** @param {Advice} one */
  const apply = (one) => {
    if (model && one.at && one.letter) change(withLetter(gridOf(model.rows), one.at, one.letter), null);
  };
  const locked = !model ? "" : model.forms ? "This rule has several forms. The first is drawn here; edit the others in the text."
    : model.family ? "This drawing stands for a family. Edit its areas in the text." : "";
  /** @param {DragEvent} event */
  const dropped = (event) => {
    const one = event.dataTransfer?.files[0];
    if (!one) return;
    event.preventDefault();
    page.take(one);
  };
  return html`<div class="rulecolumns" onDragOver=${(/** @type {Event} */ e) => e.preventDefault()} onDrop=${dropped}>
    <section aria-label="Drawing" class="drawing">
      <div class="row">
        <h1>${model?.name || "A rule"}</h1>
        ${read && read.names.length > 1 && html`<label>of <select value=${page.rule} onChange=${(/** @type {any} */ e) => page.readText(text, Number(e.target.value))}>
          ${read.names.map((name, index) => html`<option value=${index}>${name}</option>`)}</select></label>`}
      </div>
      ${model && model.rows.length > 0 && html`<${RuleGrid} grid=${gridOf(model.rows)} areas=${model.areas} locked=${locked} change=${change}
          undo=${page.undo} canUndo=${page.canUndo} canRedo=${page.canRedo} />
        <div class="row checks" role="group" aria-label="Turns of the drawing">
          ${TURNS.map(([name, title]) => html`<label><input type="checkbox" checked=${model.turns.includes(name)} disabled=${model.frame === "board"}
            onChange=${(/** @type {any} */ e) => lay({ turns: e.target.checked ? [...model.turns, name] : model.turns.filter((one) => one !== name) })} /> ${title}</label>`)}
          <label><input type="checkbox" checked=${model.mirror} disabled=${model.frame === "board"}
            onChange=${(/** @type {any} */ e) => lay({ mirror: e.target.checked })} /> mirrored</label></div>`}
    </section>
    <section aria-label="Verdict" class="judged" data-of=${judged ? judged.name : null} data-text=${judged ? text : null} data-seconds=${judged ? judged.seconds : null}>
      <p class=${`word ${judged ? judged.word.toLowerCase() : ""}`} role="status" aria-live="polite">
        ${!props.online ? "The server has stopped" : judged ? judged.word : read?.fault ? "not a rule yet" : "unknown"}</p>
      ${judged && html`<p class="meaning">${MEANS[judged.word]}</p>`}
      ${judged && judged.lines.slice(0, 1).map((line) => html`<p class="line scope">${line}</p>`)}
      ${page.state && html`<p class="note">${page.state}${page.state === "judging" && !judged ? "; kernels may be compiled first" : ""} … <button class="quiet" onClick=${() => wire.stop("judge")}>stop</button></p>`}
      ${page.message && html`<p class="note" role="status"><${Linked} text=${page.message} /></p>`}
      ${judged?.position && html`<${Drawn} svg=${judged.svg ?? ""} label="the position that refutes the rule" cls="refutation" />
        <p><a href=${addressOf("board", judged.position, { rules: "" })}>Walk on it</a> from ${judged.position}, or${" "}
          <a href=${addressOf("board", judged.position + (judged.completion ?? ""), { at: String(judged.position.length - judged.position.lastIndexOf(":") - 1) })}>step
          through the completion</a>, dotted here, which begins with the forbidden ${judged.move}.</p>`}
      ${judged?.word === "PROVED" && html`<${Drawn} svg=${judged.svg ?? ""} label="the rule" cls="rulepicture" />
        <p><button onClick=${page.certify}>Write its certificate</button></p>`}
      ${judged && html`<details><summary>Details</summary>
        <p class="line">${judged.name} as drawn here, decided in ${judged.seconds < 1 ? `${Math.round(1000 * judged.seconds)} ms` : `${judged.seconds.toFixed(1)} s`}</p>
        ${judged.lines.slice(1).map((line) => html`<p class="line">${line}</p>`)}</details>`}
      ${judged?.local?.map((one) => html`<figure><${Drawn} svg=${one.svg} label="a configuration that the drawing allows" cls="local" />
        <figcaption>${one.caption}: the drawing allows this</figcaption></figure>`)}
      ${page.advice.length > 0 && html`<h2>Provable if</h2>
        <ul class="advice">${page.advice.map((one) => html`<li>${one.text}
          ${one.at && one.letter && html`<button class="small" onClick=${() => apply(one)}
            aria-label=${`add: ${one.text}`}>add</button>`} <span class="hint">${one.part}</span></li>`)}</ul>`}
      ${page.kin && html`<${Kin} kin=${page.kin} />`}
    </section>
    <section aria-label="Rule file" class="ruletext">
      <${Signs} />
      <label class="block">text<textarea spellcheck=${false} rows="16" value=${text} aria-invalid=${read?.fault ? "true" : null}
        onInput=${(/** @type {any} */ e) => page.typed(e.target.value)}></textarea></label>
      ${read?.fault && html`<p class="note bad" role="alert">${read.fault}</p>`}
      <form class="row" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); page.keep(file); }}>
        <label class="wide">file <input value=${file} spellcheck=${false} onInput=${(/** @type {any} */ e) => setFile(e.target.value)} /></label>
        <button disabled=${!!read?.fault}>Save</button>
        <button type="button" onClick=${() => save({ name: file, kind: "text/plain", text })}>TOML</button>
        <button type="button" disabled=${!model?.svg} onClick=${() => save({ name: `${model?.name || "rule"}.svg`, kind: "image/svg+xml", text: model?.svg })}>SVG</button>
        <label class="button">open<input type="file" accept=".toml,.svg" onChange=${(/** @type {any} */ e) => e.target.files[0] && page.take(e.target.files[0])} /></label></form>
      <p class="hint">Drop a rule file (.toml) or a rule picture of the researcher (.svg) anywhere on this page.</p>
      ${page.picture && html`<fieldset><legend>forbidden by ${page.picture.name}, which crosses no cell</legend>
        ${FORBID.map((one) => html`<label><input type="checkbox" checked=${forbid.includes(one)}
          onChange=${(/** @type {any} */ e) => setForbid(e.target.checked ? [...forbid, one] : forbid.filter((other) => other !== one))} /> ${one}</label>`)}
        <button class="small" onClick=${() => page.picture && page.take(page.picture, forbid)}>Read it</button></fieldset>`}
    </section></div>`;
}

/** @param {{kin: import("./messages").Compared}} props */
function Kin({ kin }) {
  const parts = [["the same as", kin.same], ["implied by", kin.implied_by], ["implies", kin.implies]];
  const found = parts.filter(([, names]) => names.length);
  return html`<h2>In the book</h2>
    ${found.length === 0 && html`<p class="hint">No rule in the book covers the same case.</p>`}
    ${found.map(([title, names]) => html`<p class="kin">${title} ${/** @type {string[]} */ (names).slice(0, 12).map((name, index) =>
      html`${index ? ", " : ""}<a href=${addressOf("book", name)}>${name}</a>`)}${names.length > 12 ? ` and ${names.length - 12} more` : ""}</p>`)}`;
}

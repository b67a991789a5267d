// The book: every rule with its picture, and one page a rule.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { addressOf, counted, Drawn } from "./kit.js";

/** @typedef {import("./messages").RuleCard} RuleCard */

/** @param {import("./main").PageProps} props */
export function BookPage(props) {
  return props.word ? html`<${One} ...${props} key=${props.word} />` : html`<${All} ...${props} />`;
}

/** @type {RuleCard[]} */
let known = []; // told once a page

/** @param {import("./main").PageProps} props */
function All({ wire, online, set }) {
  const [rules, setRules] = useState(known);
  const [words, setWords] = useState(set.get("q") ?? "");
  const [group, setGroup] = useState(set.get("group") ?? "");
  useEffect(() => {
    if (!online || known.length) return;
    /** @type {RuleCard[]} */
    const found = [];
    wire.ask({ ask: "book" }, (reply) => {
      if (reply.tell !== "booktold") return;
      found.push(...reply.rules);
      setRules([...found]);
    }).then(() => { known = found; }).catch(() => {});
  }, [online]);
  useEffect(() => history.replaceState(null, "", addressOf("book", "", { q: words, group })), [words, group]);
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rules.filter((rule) => (!group || rule.groups.includes(group)) &&
    all.every((word) => `${rule.name} ${rule.claim} ${rule.origin} ${rule.verdict} ${rule.groups.join(" ")}`.toLowerCase().includes(word)));
  return html`<div class="row search"><h1>The book</h1>
      <label class="wide"><span class="unseen">search</span><input type="search" placeholder="search name, group, verdict, origin" value=${words} onInput=${(/** @type {any} */ e) => setWords(e.target.value)} /></label>
      <label>group <select value=${group} onChange=${(/** @type {any} */ e) => setGroup(e.target.value)}><option value="">all</option>
        ${wire.welcome?.groups.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select></label>
      <span class="hint" role="status">${counted(shown.length, "rule")}</span></div>
    <ul class="cards">${shown.map((rule) => html`<li key=${rule.name}><a href=${addressOf("book", rule.name)}>
      ${rule.svg ? html`<${Drawn} svg=${rule.svg} label=${`drawing of ${rule.name}`} cls="rulepicture" />` : html`<span class="nodrawing">a procedure</span>`}
      <strong>${rule.name}</strong></a>
      <span class="facts"><${Word} word=${rule.verdict ?? ""} /> ${rule.claim !== "sound" ? rule.claim : ""} ${rule.cases ? counted(rule.cases, "case") : ""}</span></li>`)}</ul>`;
}

/** @param {{word: string}} props */
function Word({ word }) {
  return word ? html`<span class=${`word ${word.toLowerCase()}`}>${word}</span>` : null;
}

/** @param {import("./main").PageProps} props */
function One({ wire, online, word }) {
  const [told, setTold] = useState(/** @type {import("./messages").RuleTold | null} */ (null));
  const [judged, setJudged] = useState(/** @type {import("./messages").Judged | null} */ (null));
  const [why, setWhy] = useState("");
  useEffect(() => {
    if (!online) return;
    wire.ask({ ask: "bookrule", name: word }, (reply) => {
      if (reply.tell === "ruletold") setTold(reply);
    }).catch((error) => setWhy(error.message));
  }, [word, online]);
  const judge = () => told && wire.ask({ ask: "judgerule", text: told.text, rule: 0, advice: false }, (reply) => {
    if (reply.tell === "judged") setJudged(reply);
  }).catch((error) => setWhy(error.message));
  if (!told) return html`<p class=${why ? "note bad" : "note"}>${why || "reading …"}</p>`;
  const { card } = told;
  const evidence = Object.entries(told.evidence).filter(([, value]) => value);
  return html`<p><a href="#book">The book</a></p>
    <div class="row"><h1>${card.name}</h1> <${Word} word=${judged?.word ?? card.verdict ?? ""} /></div>
    ${told.reason && html`<p class="reason">${told.reason}.</p>`}
    <div class="row"><a class="button" href=${addressOf("board", "", { rules: card.name })}>On the board</a>
      ${told.text.includes("[[rule]]") && html`<a class="button" href=${addressOf("rule", card.name)}>Draw it further</a>
        <button onClick=${judge}>Judge it now</button>`}
      <a class="button" href=${addressOf("cases", "", { q: card.name })}>${card.cases ? counted(card.cases, "case") : "Cases"}</a></div>
    ${judged && html`<p>${judged.told.join("; ")}, ${judged.seconds.toFixed(2)} s</p>`}
    ${why && html`<p class="note bad">${why}</p>`}
    <div class="drawings">${told.drawn.map((one) => html`<figure><${Drawn} svg=${one.svg} label=${`drawing of ${card.name}`} cls="rulepicture" />
      <figcaption>${one.part}</figcaption></figure>`)}</div>
    ${told.more ? html`<p class="hint">and ${counted(told.more, "drawing")} more, larger ones mostly</p>` : ""}
    ${!evidence.length && html`<p class="hint">Nothing was measured of this rule on drawn positions.</p>`}
    <dl class="evidence"><dt>claim</dt><dd>${card.claim}</dd><dt>origin</dt><dd>${card.origin}</dd><dt>groups</dt><dd>${card.groups.join(", ")}</dd>
      ${evidence.map(([key, value]) => html`<dt>${key}</dt><dd>${value}</dd>`)}</dl>
    ${told.note && html`<p class="hint">${told.note}</p>`}
    ${told.text && html`<details><summary>Text</summary><pre tabIndex="0" role="region" aria-label="text of the rule">${told.text}</pre></details>`}`;
}

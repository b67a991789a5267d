// The book, rule by rule; the cases of the corpus.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { addressOf, counted, Drawn, Linked, RuleLink } from "./kit.js";
import { Legend } from "./verdict.js";
import { Signs } from "./help.js";

/** @typedef {import("./messages").RuleCard} RuleCard */

/** @param {import("./main").PageProps} props */
export function BookPage(props) {
  return props.word ? html`<${One} ...${props} key=${props.word} />` : html`<${All} ...${props} />`;
}

/** @type {RuleCard[]} */
let known = []; // asked for once a page

/** The rules of the book, as they arrive.
 * @param {import("./wire.js").Wire} wire @param {boolean} wanted */
function useBook(wire, wanted) {
  const [rules, setRules] = useState(known);
  const [whole, setWhole] = useState(known.length > 0);
  const [why, setWhy] = useState("");
  useEffect(() => {
    if (!wanted || known.length) return;
    /** @type {RuleCard[]} */
    const found = [];
    wire.ask({ ask: "book" }, (reply) => {
      if (reply.reply !== "bookpart") return;
      found.push(...reply.rules);
      setRules([...found]);
    }).then(() => {
      known = found;
      setWhole(true);
    }).catch((error) => setWhy(error.message));
  }, [wanted]);
  return { rules, whole, why };
}

/** The rules of the set that is chosen, by name, each with its picture.
 * @param {{wire: import("./wire.js").Wire, online: boolean, rules: string}} props */
export function SetRules({ wire, online, rules: named }) {
  const [open, setOpen] = useState(false);
  const { rules, whole, why } = useBook(wire, online && open);
  const words = named.split(",").map((word) => word.trim());
  const mine = rules.filter(({ name, groups }) => !words.includes(`-${name}`) &&
    (words.includes(name) || groups.some((group) => words.includes(group))));
  return html`<details class="setrules" onToggle=${(/** @type {any} */ e) => setOpen(e.target.open)}><summary>Rules of ${named || "no set"}</summary>
    ${open && html`<p class="hint" role="status">${why || (whole ? counted(mine.length, "rule") : "Reading …")}</p>
    <${Signs} /><ul class="cards">${mine.map((rule) => html`<li key=${rule.name}><${Card} rule=${rule} /></li>`)}</ul>`}</details>`;
}

/** @param {{rule: RuleCard}} props */
function Card({ rule }) {
  return html`<a href=${addressOf("book", rule.name)}>
    ${rule.svg ? html`<${Drawn} svg=${rule.svg} label=${`drawing of ${rule.name}`} cls="rulepicture" />` : html`<span class="nodrawing">a procedure</span>`}
    <strong>${rule.name}</strong></a>`;
}

/** @param {import("./main").PageProps} props */
function All({ wire, online, set }) {
  const { rules, whole, why } = useBook(wire, online);
  const [words, setWords] = useState(set.get("q") ?? "");
  const [group, setGroup] = useState(set.get("group") ?? "");
  useEffect(() => history.replaceState(null, "", addressOf("book", "", { q: words, group })), [words, group]);
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rules.filter((rule) => (!group || rule.groups.includes(group)) &&
    all.every((word) => `${rule.name} ${rule.claim} ${rule.origin} ${rule.verdict} ${rule.groups.join(" ")}`.toLowerCase().includes(word)));
  return html`<div class="row search"><h1>The book</h1>
      <label class="wide"><span class="unseen">search</span><input type="search" placeholder="search name, group, verdict, origin" value=${words} onInput=${(/** @type {any} */ e) => setWords(e.target.value)} /></label>
      <label>group <select value=${group} onChange=${(/** @type {any} */ e) => setGroup(e.target.value)}><option value="">all</option>
        ${Object.keys(wire.welcome?.groups ?? {}).map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
      <span class="hint" role="status">${whole ? counted(shown.length, "rule") : why ? why : `Reading … ${shown.length} so far`}</span></div>
    <${Signs} />
    <ul class="cards">${shown.map((rule) => html`<li key=${rule.name}><${Card} rule=${rule} />
      <span class="facts"><${Word} word=${rule.verdict ?? ""} /> ${rule.claim !== "sound" ? rule.claim : ""} ${rule.cases ? counted(rule.cases, "case") : ""}</span></li>`)}</ul>`;
}

/** @param {{word: string}} props */
function Word({ word }) {
  return word ? html`<span class=${`word ${word.toLowerCase()}`}>${word}</span>` : null;
}

/** @param {import("./main").PageProps} props */
function One({ wire, online, word }) {
  const [details, setDetails] = useState(/** @type {import("./messages").RuleDetails | null} */ (null));
  const [why, setWhy] = useState("");
  useEffect(() => {
    if (!online) return;
    wire.ask({ ask: "bookrule", name: word }, (reply) => {
      if (reply.reply === "ruledetails") setDetails(reply);
    }).catch((error) => setWhy(error.message));
  }, [word, online]);
  if (!details) return html`<p class=${why ? "note bad" : "note"}>${why || "Reading …"}</p>`;
  const { card } = details;
  const { for: scope = "", verdict: _, ...figures } = details.evidence;
  return html`<p><a href="#book">The book</a></p>
    <h1>${card.name}</h1>
    <p class="lead"><${Word} word=${card.verdict ?? ""} /> ${scope && `for ${scope}`}${" "}
      <span class="hint">${card.verdict ? "as published" : "no published verdict"}</span></p>
    ${details.reason && html`<p class="reason">${details.reason}.</p>`}
    <div class="drawings">${details.drawn.map((one) => html`<figure><${Drawn} svg=${one.svg} label=${`drawing of ${card.name}`} cls="rulepicture" />
      <figcaption>${one.caption}</figcaption></figure>`)}</div>
    ${details.drawn.length > 0 && html`<${Signs} />`}
    <div class="row"><a class="button" href=${addressOf("board", "", { rules: card.name })}>On the board</a>
      ${details.text.includes("[[rule]]") && html`<a class="button" href=${addressOf("rule", card.name)}>Edit a copy</a>`}
      <a class="button" href=${addressOf("cases", "", { q: card.name })}>${card.cases ? counted(card.cases, "case") : "Cases"}</a></div>
    <details><summary>Details</summary>
      <dl class="evidence"><dt>claim</dt><dd>${card.claim}</dd><dt>origin</dt><dd>${card.origin}</dd><dt>groups</dt><dd>${card.groups.join(", ")}</dd>
        ${Object.entries(figures).filter(([, value]) => value).map(([key, value]) => html`<dt>${key}</dt><dd>${value}</dd>`)}</dl>
      ${details.note && html`<p class="hint">${details.note}</p>`}</details>
    ${details.text && html`<details><summary>Text</summary><pre tabIndex="0" role="region" aria-label="text of the rule">${details.text}</pre></details>`}`;
}

const PAGE = 24; // cases in one message, as the server sends them

/** @param {import("./main").PageProps} props */
export function CasesPage({ wire, online, set }) {
  const [words, setWords] = useState(set.get("q") ?? "");
  const [kind, setKind] = useState(set.get("kind") ?? "");
  const [first, setFirst] = useState(0);
  const [answer, setAnswer] = useState(/** @type {{asked: string, list: import("./messages").CaseList} | null} */ (null));
  const [why, setWhy] = useState("");
  const asked = JSON.stringify([words, kind, first]);
  const list = answer && answer.asked === asked ? answer.list : null; // an older answer does not count
  useEffect(() => {
    if (!online) return;
    wire.ask({ ask: "cases", words, kind, first }, (reply) => {
      if (reply.reply !== "caselist") return;
      setAnswer({ asked, list: reply });
      setWhy("");
    }).catch((error) => error.message !== "given up" && setWhy(error.message));
    history.replaceState(null, "", addressOf("cases", "", { q: words, kind }));
  }, [words, kind, first, online]);
  return html`<div class="row search"><h1>Cases</h1>
      <label class="wide"><span class="unseen">search</span><input type="search" placeholder="search rule, board, reason" value=${words}
        onInput=${(/** @type {any} */ e) => { setWords(e.target.value); setFirst(0); }} /></label>
      <label>kind <select value=${kind} onChange=${(/** @type {any} */ e) => { setKind(e.target.value); setFirst(0); }}><option value="">all</option>
        ${["gap", "unsound", "fired", "stuck", "verdict"].map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
      <span class="hint" role="status">${list ? counted(list.total, "case") : why ? why : "Reading …"}</span></div>
    <${Legend} />
    ${list && list.total === 0 && html`<p>${words || kind ? "No case matches." : html`<code>${list.folder}</code> has no cases yet. Save one with <em>Save as case</em> on the
      <a href="#board">board</a>. A clone of the project has the cases of its book.`}</p>`}
    <ul class="cards">${list?.cases.map((one) => html`<li key=${one.name}><a href=${addressOf("board", one.plain, { rules: one.rules })}>
      <${Drawn} svg=${one.svg} label=${`position of ${one.name}`} cls="thumbnail" /><strong>${one.name}</strong></a>
      <span>${one.kind}${one.rules ? `: ${one.rules}` : ""}</span><span class="facts">${one.why}</span>
      <${Rules} rules=${one.rules} groups=${Object.keys(wire.welcome?.groups ?? {})} /></li>`)}</ul>
    ${list && list.total > PAGE && html`<div class="row pages"><button disabled=${first === 0} onClick=${() => setFirst(first - PAGE)}>before</button>
      <span>${list.first + 1} to ${Math.min(list.first + PAGE, list.total)} of ${list.total}</span>
      <button disabled=${first + PAGE >= list.total} onClick=${() => setFirst(first + PAGE)}>after</button></div>`}
    ${list?.faults.map((why) => html`<p class="note bad">${why}</p>`)}`;
}

/** Links to the groups and rules of the book that a case names.
 * @param {{rules: string, groups: string[]}} props */
function Rules({ rules, groups }) {
  const names = rules.split(",").filter((name) => /^[\w-]+$/.test(name) && !name.startsWith("-"));
  if (!names.length) return null;
  return html`<span class="hint">rules: ${names.map((name, index) => html`${index ? ", " : ""}<${RuleLink} name=${name} groups=${groups} />`)}</span>`;
}

// What is kept: cases of the corpus as thumbnails, and the ledgers of long runs.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { addressOf, counted, Drawn } from "./kit.js";

const PAGE = 24; // cases in one message, as the server sends them

/** @param {import("./main").PageProps} props */
export function CasesPage({ wire, online, set }) {
  const [words, setWords] = useState(set.get("q") ?? "");
  const [kind, setKind] = useState(set.get("kind") ?? "");
  const [first, setFirst] = useState(0);
  const [told, setTold] = useState(/** @type {import("./messages").CasesTold | null} */ (null));
  useEffect(() => {
    if (!online) return;
    wire.ask({ ask: "cases", words, kind, first }, (reply) => {
      if (reply.tell === "casestold") setTold(reply);
    }).catch(() => {});
    history.replaceState(null, "", addressOf("cases", "", { q: words, kind }));
  }, [words, kind, first, online]);
  return html`<div class="row search"><h1>Cases</h1>
      <label class="wide"><span class="unseen">search</span><input type="search" placeholder="search rule, board, reason" value=${words}
        onInput=${(/** @type {any} */ e) => { setWords(e.target.value); setFirst(0); }} /></label>
      <label>kind <select value=${kind} onChange=${(/** @type {any} */ e) => { setKind(e.target.value); setFirst(0); }}><option value="">all</option>
        ${["gap", "unsound", "fired", "stuck", "verdict"].map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
      <span class="hint" role="status">${told ? counted(told.total, "case") : ""}</span></div>
    ${told && told.total === 0 && html`<p>${words || kind ? "No case says that." : html`No case is kept in <code>${told.folder}</code> yet. <em>Save as case</em> on the
      <a href="#board">board</a> keeps one; a clone of the project brings those of its book.`}</p>`}
    <ul class="cards">${told?.cases.map((one) => html`<li key=${one.name}><a href=${addressOf("board", one.plain, { rules: one.rules })}>
      <${Drawn} svg=${one.svg} label=${`position of ${one.name}`} cls="thumbnail" /><strong>${one.kind}${one.rules ? `: ${one.rules}` : ""}</strong></a>
      <span class="facts">${one.why}</span></li>`)}</ul>
    ${told && told.total > PAGE && html`<div class="row pages"><button disabled=${first === 0} onClick=${() => setFirst(first - PAGE)}>before</button>
      <span>${told.first + 1} to ${Math.min(told.first + PAGE, told.total)} of ${told.total}</span>
      <button disabled=${first + PAGE >= told.total} onClick=${() => setFirst(first + PAGE)}>after</button></div>`}
    ${told?.faults.map((why) => html`<p class="note bad">${why}</p>`)}`;
}

const AGAIN = 4000; // milliseconds between two looks at the ledgers

/** @param {import("./main").PageProps} props */
export function CampaignsPage({ wire, online }) {
  const [told, setTold] = useState(/** @type {import("./messages").CampaignsTold | null} */ (null));
  useEffect(() => {
    if (!online) return;
    const look = () => wire.ask({ ask: "campaigns" }, (reply) => {
      if (reply.tell === "campaignstold") setTold(reply);
    }).catch(() => {});
    look();
    const timer = setInterval(look, AGAIN);
    return () => clearInterval(timer);
  }, [online]);
  return html`<h1>Campaigns</h1>
    ${told && !told.campaigns.length && html`<p>No long run is kept in <code>${told.folder}</code> yet. A command such as
      <code>oneway stats 21 --rules seed-2024 -n 1000</code> begins one; it is told here while it runs.</p>`}
    ${told?.campaigns.map((one) => html`<article class="campaign" key=${one.name}>
      <h2>${one.name}</h2>
      <progress max="1" value=${one.share} aria-label=${`${Math.round(100 * one.share)} % done`}></progress>
      <p>${one.done.toLocaleString("en")} of ${counted(one.units, "unit")}${one.failed ? `, ${one.failed} failed` : ""}; ${Math.round(one.seconds)} s of work</p>
      <p><code>${one.command}</code></p>
      ${one.told.length > 0 && html`<pre tabIndex="0" role="region" aria-label=${`result of ${one.name}`}>${one.told.join("\n")}</pre>`}
      ${one.found > 0 && html`<p>${counted(one.found, "case")} found</p><ul>${one.cases.map((text) => html`<li>${text}</li>`)}</ul>`}
    </article>`)}
    ${told?.faults.map((why) => html`<p class="note bad">${why}</p>`)}`;
}

// The laboratory: the page that is shown, and the frame around it.
import { html, render, useEffect, useState } from "./vendor/preact-htm.js";
import { LETTERS } from "./drawing.js";
import { address, useKeys } from "./kit.js";
import { Help } from "./help.js";
import { Wire } from "./wire.js";
import { BoardPage } from "./board.js";
import { BookPage, CasesPage } from "./library.js";
import { LabyrinthPage } from "./labyrinth.js";
import { RulePage } from "./rule.js";

/** @typedef {{wire: Wire, online: boolean, word: string, set: URLSearchParams, turn: number}} PageProps */

/** @type {Record<string, {title: string, page: (props: PageProps) => unknown}>} */
const PAGES = {
  board: { title: "Board", page: BoardPage },
  rule: { title: "Rule", page: RulePage },
  labyrinth: { title: "Labyrinth", page: LabyrinthPage },
  book: { title: "Book", page: BookPage },
  cases: { title: "Cases", page: CasesPage },
};

const THEMES = ["auto", "light", "dark"];

function Theme() {
  const [theme, setTheme] = useState(localStorage.getItem("theme") ?? "auto");
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  const sign = { auto: "◐", light: "○", dark: "●" }[theme];
  return html`<button class="quiet" onClick=${() => setTheme(next)}
    aria-label=${`Colours: ${theme}; change to ${next}`} title=${`colours: ${theme}`}>${sign}</button>`;
}

function Nowhere() {
  return html`<h1>No such page</h1><p class="note bad" role="alert">The laboratory has no page <code>${location.hash}</code>. The menu lists its pages.</p>`;
}

/** @param {{wire: Wire, online: boolean}} props */
function Lab({ wire, online }) {
  const [here, setHere] = useState(() => ({ ...address(), hash: location.hash, turn: 0 }));
  useEffect(() => {
    // pages write addresses themselves, so the same address can be a change too
    const moved = () => setHere((old) => ({ ...address(), hash: location.hash, turn: old.turn + 1 }));
    addEventListener("hashchange", moved);
    if (location.hash !== here.hash) moved(); // before the listener was added
    return () => removeEventListener("hashchange", moved);
  }, []);
  const [help, setHelp] = useState(false);
  useKeys((event) => {
    if (event.key === "?" && !event.ctrlKey && !event.metaKey) setHelp(true);
  });
  const shown = here.page || "board";
  const key = ["book", "cases"].includes(shown) ? `${shown} ${here.turn}` : shown; // lists restart with a new address
  const Page = Object.hasOwn(PAGES, shown) ? PAGES[shown].page : Nowhere;
  useEffect(() => {
    document.title = `${Object.hasOwn(PAGES, shown) ? PAGES[shown].title : "No such page"} · oneway`;
  }, [shown]);
  return html`
    <header>
      <a class="sign" href="#board" aria-label="oneway: the board"><img src="static/icon.svg" alt="" width="22" height="22" /> oneway</a>
      <nav aria-label="Pages">${Object.entries(PAGES).map(([name, { title }]) =>
        html`<a href=${`#${name}`} aria-current=${name === shown ? "page" : null}>${title}</a>`)}</nav>
      <span class="grow"></span>
      <span class="online" role="status">${online ? "" : wire.fault || "server stopped"}</span>
      <button class="quiet" onClick=${() => setHelp(true)} aria-label="Help: the task, the marks, the keys" title="help (?)">?</button>
      <${Theme} />
    </header>
    <${Help} open=${help} close=${() => setHelp(false)} />
    <main class=${`page-${Page === Nowhere ? "nowhere" : shown}`}>
      ${wire.welcome ? html`<${Page} key=${key} wire=${wire} online=${online} word=${here.word} set=${here.set} turn=${here.turn} />`
        : html`<p class="note">Connecting to the server …</p>`}
    </main>`;
}

/** @type {Wire} */
const wire = new Wire((online) => {
  for (const one of wire.welcome?.letters ?? []) LETTERS.set(one.letter, one);
  render(html`<${Lab} wire=${wire} online=${online} />`, /** @type {HTMLElement} */ (document.getElementById("lab")));
});

// Small things that all pages use: files, colours, keys, words.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";

/** Whether keys belong to a text field now.
 * @param {EventTarget | null} target */
export function writing(target) {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
      (target instanceof HTMLInputElement && !/^(checkbox|radio|range|button)$/.test(target.type)));
}

/** Let the browser save a file.
 * @param {{name: string, kind: string, text?: string, data?: string}} file */
export function save(file) {
  const bytes = file.data
    ? Uint8Array.from(atob(file.data), (c) => c.charCodeAt(0))
    : file.text ?? "";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: file.kind }));
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A picture that the server drew; it holds shapes alone.
 * @param {{svg: string, label: string, cls?: string}} props */
export function Drawn({ svg, label, cls = "" }) {
  return html`<div class=${`drawn ${cls}`} role="img" aria-label=${label}
    dangerouslySetInnerHTML=${{ __html: svg }}></div>`;
}

/** Call the newest function given, on keys of the whole page.
 * @param {(event: KeyboardEvent) => void} act */
export function useKeys(act) {
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => {
    const hear = (/** @type {KeyboardEvent} */ event) => {
      if (!writing(event.target)) newest.current(event);
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
}

/** A number that is set when the field is left; till then what is typed stays in it.
 * @param {{value: number | string, least?: number, most?: number, cls?: string, hint?: string, set: (event: any) => void}} props */
export function NumberField({ value, least, most, cls = "side", hint, set }) {
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  return html`<input class=${cls} type="number" min=${least} max=${most} placeholder=${hint} value=${draft ?? value}
    onInput=${(/** @type {any} */ e) => setDraft(e.target.value)}
    onChange=${(/** @type {any} */ e) => { set(e); setDraft(null); }} />`;
}

/** @param {number} number @param {string} noun */
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Large decimal numbers with commas.
 * @param {string} digits */
export function grouped(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The address of a page: its name, a word, and settings.
 * @typedef {{page: string, word: string, set: URLSearchParams}} Address */

/** @returns {Address} */
export function address() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const at = path.indexOf("/");
  const page = at < 0 ? path : path.slice(0, at);
  const set = new URLSearchParams(query);
  try {
    return { page, word: at < 0 ? "" : decodeURIComponent(path.slice(at + 1)), set };
  } catch {
    return { page: path, word: "", set }; // no page has this name
  }
}

/** @param {string} page @param {string} word @param {Record<string, string>} set */
export function addressOf(page, word = "", set = {}) {
  const query = new URLSearchParams(Object.entries(set).filter(([, value]) => value)).toString();
  const safe = encodeURIComponent(word).replaceAll("%3A", ":").replaceAll("%40", "@");
  return `#${page}${safe && "/" + safe}${query && "?" + query.replaceAll("%2C", ",")}`;
}

const POSITION = /(\d+(?:x\d+)?(?:@\d+,\d+)?(?:>\d+,\d+)?(?:![\d,;]+)?:[URDL]+)/;

/** A text in which positions lead to the board, under rules if any.
 * @param {{text: string, rules?: string}} props */
export function Linked({ text, rules = "" }) {
  return html`${text.split(POSITION).map((part, index) => (index % 2 ? html`<a href=${addressOf("board", part, { rules })}>${part}</a>` : part))}`;
}

/** A rule's name that leads to it, or to the rules of its group.
 * @param {{name: string, groups?: string[]}} props */
export function RuleLink({ name, groups = [] }) {
  return html`<a href=${groups.includes(name) ? addressOf("book", "", { group: name }) : addressOf("book", name)}>${name}</a>`;
}

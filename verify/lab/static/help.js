// The help of the laboratory: the task, the marks, the letters of drawings, the keys.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { LETTERS } from "./drawing.js";
import { LEGEND, MarkPicture } from "./verdict.js";

const KEYS = [
  ["arrows", "walk; back over the last step"], [", .", "one step back, one step forward"], ["Home End", "first and last step"],
  ["p", "play, pause"], ["+ - 0", "zoom in, zoom out, the whole board; the wheel and two fingers zoom too"],
  ["Shift+arrows", "move the view, as a drag with the right button does"], ["u r", "undo, redo; also Ctrl+Z, Ctrl+Y"],
  ["Enter", "put a wall, the start or the end at the cursor"], ["1 to 9", "choose the letter that a stroke paints"], ["?", "this help"],
];

/** @param {{open: boolean, close: () => void}} props */
export function Help({ open, close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return html`<dialog class="help" ref=${dialog} onClose=${close} aria-labelledby="help-title">
    <div class="row"><h1 id="help-title">Help</h1><span class="grow"></span><button onClick=${close}>Close</button></div>
    <p>The task: one line from the start to the ring that visits every cell exactly once. A move is <em>dead</em> if no such
      line continues it. A rule forbids moves; it is <em>sound</em> if it forbids only dead ones.</p>
    <p><strong>Board</strong>: draw a walk; see which moves are dead and which moves the rules forbid. <strong>Rule</strong>: draw a rule; the page proves or refutes it
      while you draw. <strong>Book</strong>: all rules of the book. <strong>Cases</strong>: saved positions.${" "}
      <strong>Labyrinth</strong>: pages to print. <a href="docs/index.md" target="_blank">Documentation</a></p>
    <h2>Marks on the board</h2>
    <ul class="meanings">${LEGEND.map(([mark, , means]) => html`<li><${MarkPicture} mark=${mark} /> ${means}</li>`)}</ul>
    <h2>Signs of rule drawings</h2><${Signs} />
    <h2>Keys</h2>
    <dl>${KEYS.map(([key, what]) => html`<dt>${key}</dt><dd>${what}</dd>`)}</dl></dialog>`;
}

/** The signs of drawings, as every drawing shows them. */
export function Signs() {
  return html`<ul class="signs" aria-label="What the signs mean">${[...LETTERS.values()].filter((one) => one.main).map((one) =>
    html`<li><${Tile} letter=${one.letter} /> ${one.says}</li>`)}</ul>`;
}

/** One cell of a drawing, small.
 * @param {{letter: string}} props */
export function Tile({ letter }) {
  const one = LETTERS.get(letter);
  return html`<span class=${`tile ${one?.look ?? ""}`} aria-hidden="true">${letter === "@" ? html`<span class="disc"></span>` : one?.forbids ? "✕" : one?.sign}</span>`;
}

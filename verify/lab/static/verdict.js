// The verdict on a position in words: on the whole, on each move, and what rules forbid.
import { html } from "./vendor/preact-htm.js";
import { counted, grouped } from "./kit.js";

/** @typedef {import("./messages").Seen} Seen */

const SAID = { COMPLETABLE: "completable", DEAD: "dead", UNKNOWN: "unknown" };
const WALKING = "Walking left first: the positions on the way are not decided.";
const WAITING = "Unknown yet. The first answer may wait for kernels to compile.";
const GONE = "The server has stopped. This page reconnects when it runs again.";
const SHOWN = 40; // moves of a walk that a label writes out
const NAMES = { U: "up", R: "right", D: "down", L: "left" };

/** The verdict in one sentence.
 * @param {Seen} seen */
export function sentence(seen) {
  if (!seen.unvisited) return "Complete: every cell is visited.";
  if (!seen.verdict) return WAITING;
  const left = counted(seen.unvisited, "cell");
  if (seen.verdict === "COMPLETABLE") return `This walk can be completed; ${left} left.`;
  if (seen.verdict === "UNKNOWN") return `Unknown ${seen.partial ? "yet: still searching" : "within the limit"}; ${left} left.`;
  if (seen.why) return `Dead: ${seen.why}.`;
  if (seen.fatal) return `Dead since move ${seen.fatal[0]}, ${NAMES[/** @type {keyof NAMES} */ (seen.fatal[1])]}.`;
  return seen.partial ? "Dead." : "Dead. The limit came before the first fatal move was found.";
}

/** What was asked: the position, and the rules.
 * @param {string} notation @param {string} rules */
export function question(notation, rules) {
  const at = notation.lastIndexOf(":") + 1;
  const moves = notation.length - at;
  const walk = moves <= SHOWN ? notation : `${notation.slice(0, at)}…${notation.slice(-SHOWN / 2)} (${counted(moves, "move")})`;
  return `${walk}${rules ? ` under ${rules}` : ", no rules chosen"}`;
}

/** What a move would do, in a sentence.
 * @param {Seen} seen @param {import("./messages").MoveTruth} truth @param {string} count @param {import("./messages").DeadMove} [reason] */
export function consequence(seen, truth, count, reason) {
  const rules = [...new Set(seen.forbidden.filter((one) => one.move === truth.move).map((one) => one.rule))];
  const said = { COMPLETABLE: "can be completed", DEAD: "is dead", UNKNOWN: "is undecided" }[truth.verdict];
  const many = count ? `; ${grouped(count)} ${count === "1" ? "completion" : "completions"} left` : "";
  const by = !seen.rules ? "" : !seen.ruled ? "; the rules have not answered"
    : rules.length ? `; forbidden by ${rules.slice(0, 3).join(", ")}${rules.length > 3 ? ` and ${rules.length - 3} more` : ""}` : "; no rule forbids it";
  return `${truth.move}, ${NAMES[/** @type {keyof NAMES} */ (truth.move)]}: ${said}${many}${by}${reason ? `; ${reason.sentence}` : ""}.`;
}

export const LEGEND = [
  ["ring", "completable", "A green ring: after this move the walk can still be completed."],
  ["bar", "dead", "A red bar: after this move the walk cannot be completed."],
  ["cross", "forbidden", "A red cross: a rule forbids this move. A cross on a ring refutes the rule; a bar without a cross is a gap."],
  ["segment", "fatal", "A brown segment with a circle: the first fatal move of this walk. No completion exists after it."],
  ["line", "future line", "A blue line: edges that every completion must use, as the rules see it."],
  ["dots", "a completion", "Dots: one completion, found by the oracle."],
  ["area", "area", "Cells in a colour: an area that a rule counts; its black and white cells are listed beside the rule. Or the region that shows why a move is dead, with its doors."],
];

/** @param {{mark: string}} props */
export function MarkPicture({ mark }) {
  return html`<svg viewBox="-8 -6 16 12" class=${mark} aria-hidden="true">${{ ring: html`<circle r="4.4" />`, bar: html`<path d="M-5 0h10" />`,
    cross: html`<path d="M-4 -4l8 8m0 -8l-8 8" />`, segment: html`<path d="M-7 0h8" /><circle cx="3" r="4" />`,
    line: html`<path d="M-7 0h14" />`, dots: html`<path d="M-7 0h14" />`, area: html`<rect x="-6" y="-5" width="12" height="10" />` }[mark]}</svg>`;
}

/** One line: what the marks on the board mean; each is explained on hover and to a screen reader. */
export function Legend() {
  return html`<ul class="legend" aria-label="What the marks mean">${LEGEND.map(([mark, name, means]) => html`<li title=${means}>
    <${MarkPicture} mark=${mark} /> ${name}<span class="unseen">: ${means}</span></li>`)}</ul>`;
}

/** `seen` is what is known of the position that is drawn; null while nothing is.
 * What changes keeps its place: the headline has two lines, the moves four rows.
 * @param {{seen: Seen | null, online: boolean, walking: boolean, counts: import("./messages").Counted | null, copied: () => void,
 *   stepTo: (move: string) => void, hover: (cell: number) => void}} props */
export function Verdict({ seen, online, walking, counts, copied, stepTo, hover }) {
  const waiting = seen?.rules && !seen.ruled && !seen.rules_fault ? " (waiting for the rules …)" : "";
  const cls = online && seen?.verdict ? seen.verdict.toLowerCase() : "waiting";
  const headline = !online ? GONE : seen ? sentence(seen) : walking ? WALKING : WAITING;
  const copy = () => navigator.clipboard.writeText(seen?.notation ?? "").then(copied);
  return html`<section class="verdicts" aria-label="Verdict" data-of=${seen?.verdict ? seen.notation : null}
    data-rules=${seen?.ruled ? seen.rules : null}>
    <p class=${`verdict ${cls}`} role="status" aria-live="polite" tabIndex="0">
      <span class="dot" aria-hidden="true"></span><span>${headline}</span></p>
    <p class="asked"><span class="notation" title=${seen?.notation}>${seen ? question(seen.notation, seen.rules ?? "") : ""}${waiting}</span>
      <button class="small" disabled=${!seen} onClick=${copy} title="copy the position in one line">Copy</button></p>
    <p class="count">${counts && seen ? `${grouped(counts.total)} ${counts.total === "1" ? "completion" : "completions"}` : ""}</p>
    <div class="movesbox">${seen && seen.moves.length > 0 && html`<table class="moves">
      <caption class="unseen">Moves</caption>
      <thead class="unseen"><tr><th>move</th><th>truth</th><th>completions</th><th>rules</th></tr></thead>
      <tbody>${seen.moves.map((truth) => html`<${MoveRow} key=${truth.move} truth=${truth} seen=${seen}
        count=${counts?.moves[truth.move] ?? ""} stepTo=${stepTo} hover=${hover} />`)}</tbody>
    </table>`}</div>
  </section>`;
}

/** Why moves are dead, where a certificate says so.
 * @param {{seen: Seen, dead: Record<string, import("./messages").DeadMove>, hover: (cell: number) => void}} props */
export function Dead({ seen, dead, hover }) {
  return html`${seen.moves.filter((one) => dead[one.move]).map((one) => html`<p class="why" key=${one.move}>
    <button class="small" onMouseEnter=${() => hover(one.cell)} onMouseLeave=${() => hover(-1)} onFocus=${() => hover(one.cell)} onBlur=${() => hover(-1)}
      onClick=${() => hover(one.cell)}>Why ${one.move} is dead</button> ${dead[one.move].sentence}.</p>`)}`;
}

/** @param {{truth: import("./messages").MoveTruth, seen: Seen, count: string, stepTo: (move: string) => void, hover: (cell: number) => void}} props */
function MoveRow({ truth, seen, count, stepTo, hover }) {
  const rules = seen.forbidden.filter((one) => one.move === truth.move).map((one) => one.rule);
  const good = truth.verdict === "COMPLETABLE";
  const gap = seen.ruled && truth.verdict === "DEAD" && !rules.length && seen.verdict === "COMPLETABLE";
  const said = SAID[/** @type {keyof SAID} */ (truth.verdict)];
  return html`<tr class=${truth.verdict.toLowerCase()} onMouseEnter=${() => hover(truth.cell)} onMouseLeave=${() => hover(-1)}>
    <th scope="row"><button class="move" onClick=${() => stepTo(truth.move)} title=${consequence(seen, truth, count)}
      onFocus=${() => hover(truth.cell)} onBlur=${() => hover(-1)}
      aria-label=${`go ${NAMES[/** @type {keyof NAMES} */ (truth.move)]}, ${said}`}>${truth.move}</button></th>
    <td class="truth">${said}</td>
    <td class="number">${count && grouped(count)}</td>
    <td class="by">${seen.rules && !seen.ruled && html`<span class="hint">unknown</span>`}${rules.length > 0 && html`<span class="cross" aria-label="forbidden">✕</span> `}${rules.length > 0 && counted(new Set(rules).size, "rule")}
      ${good && rules.length > 0 && html`<strong class="wrong">refuted</strong>`}
      ${gap && (truth.last ? html`<span class="hint">entered last</span>` : html`<strong class="gap">gap</strong>`)}</td>
  </tr>`;
}

/** The rules that forbid a move, each with what it counted.
 * @param {{seen: Seen}} props */
export function Rules({ seen }) {
  /** @type {Map<string, import("./messages").Forbidden[]>} */
  const byRule = new Map();
  for (const one of seen.forbidden) byRule.set(one.rule, [...(byRule.get(one.rule) ?? []), one]);
  if (!byRule.size) return null;
  return html`<ul class="rules">${[...byRule].map(([rule, found]) => {
    const areas = [...new Set(found.flatMap((one) => one.areas))].map((index) => seen.areas[index]);
    return html`<li key=${rule}><details><summary>
        <span class="bans">${found.map((one) => one.move).join(", ")}</span> ${rule}${" "}
        ${areas.map((area, index) => html`${index ? ", " : ""}<span class="area"><span class="swatch" data-colour=${area.colour} aria-hidden="true"></span>
          ${area.black} black, ${area.white} white</span>`)}</summary>
      <p>${found[0].reason}. <a href=${`#book/${rule}`}>The rule</a></p></details></li>`;
  })}</ul>`;
}

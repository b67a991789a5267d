// The board page: a walk, what is known of it, and what can be done with it.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { BoardView } from "./boardview.js";
import { Go, MoveList, Settings, Steps } from "./boardtools.js";
import { consequence, Dead, Legend, Rules, Verdict } from "./verdict.js";
import { SetRules } from "./library.js";
import { LeftFirst } from "./leftfirst.js";
import { useView } from "./zoom.js";
import { addressOf, address, save, useKeys } from "./kit.js";
import { cellsOf, gone, goneForced, goneStraight, LETTERS, named, openBoard, same, upTo, walled } from "./walk.js";

/** @typedef {import("./messages").Place} Place */
/** @typedef {import("./messages").Seen} Seen */
/** @typedef {import("./messages").DeadMove} DeadMove */
/** @typedef {{place: Place, at: number}} Here */
/** @typedef {{place: Place, rules: string, seen: Seen}} Answer what was asked, and what was replied */
/** @typedef {{rules: string, future: boolean, witness: boolean, colours: boolean, counts: boolean}} Choice */

const ARROWS = { ArrowUp: "U", ArrowRight: "R", ArrowDown: "D", ArrowLeft: "L" };
const ZOOMS = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, 0: 0 };
const COUNTED = 170; // cells of a board whose completions are counted unasked
const REST = 100; // milliseconds at one position before they are
const QUIET = { text: "", bad: false };

/** The state of the page, and all that changes it.
 * @param {import("./main").PageProps} props */
function useBoard({ wire, online, word, set, turn }) {
  const welcome = /** @type {import("./messages").Welcome} */ (wire.welcome);
  const [here, setHere] = useState(/** @type {Here} */ ({ place: openBoard(9, 9), at: 0 }));
  const [choice, setChoice] = useState(/** @type {Choice} */ ({
    rules: welcome.rules, future: true, witness: true, colours: false, counts: true }));
  const [answer, setAnswer] = useState(/** @type {Answer | null} */ (null));
  const [counts, setCounts] = useState(/** @type {{place: Place, counted: import("./messages").Counted} | null} */ (null));
  const [reasons, setReasons] = useState(/** @type {{place: Place, moves: Record<string, DeadMove>} | null} */ (null));
  const [message, setMessage] = useState(/** @type {{text: string, bad: boolean, look?: boolean, cases?: boolean}} */ (QUIET));
  const [busy, setBusy] = useState("");
  const now = useRef(here);
  const chosen = useRef(choice);
  const past = useRef(/** @type {Here[]} */ ([]));
  const next = useRef(/** @type {Here[]} */ ([]));
  const written = useRef(""); // the address that this page wrote itself
  const opened = useRef(""); // the address that was opened or written last
  const push = useRef(false);
  const rest = useRef(0);
  const late = useRef(0);

  /** @param {unknown} error */
  const failed = (error, look = false, what = "") => {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== "given up" && text !== "the server has stopped") setMessage({ text: what + text, bad: true, look });
  };

  /** Show another state; the one before can be undone unless it is passed over.
   * @param {Here} then @param {{undo?: boolean, push?: boolean}} how */
  function show(then, { undo = true, push: remember = true } = {}) {
    if (undo) {
      past.current.push(now.current);
      next.current = [];
    }
    now.current = then;
    setHere(then);
    push.current ||= remember;
    setMessage(QUIET); // a message is about one action and goes with the next
    look();
  }

  /** Show a state that is passed over at once: nobody is asked what is true of it.
   * @param {Here} then */
  function glimpse(then) {
    now.current = then;
    setHere(then);
  }

  /** Ask why moves are dead, unless the line has gone on.
   * @param {Place} asked @param {Seen} seen */
  function why(asked, seen) {
    const moves = seen.moves.filter((one) => one.verdict === "DEAD").map((one) => one.move).join("");
    clearTimeout(late.current);
    if (moves) late.current = setTimeout(() => wire.ask({ ask: "why", place: asked, moves }, (reply) => {
      if (reply.reply === "reasons") setReasons({ place: asked, moves: reply.moves });
    }).catch(() => {}), REST);
  }

  function look() {
    const { place, at } = now.current;
    const { rules, future, witness } = chosen.current;
    const asked = upTo(place, at);
    wire.ask({ ask: "look", place: asked, rules, future, witness }, (seen) => {
      if (seen.reply !== "seen") return;
      setAnswer({ place: asked, rules, seen });
      if (same(asked, upTo(now.current.place, now.current.at))) write(seen);
      if (!seen.partial && same(asked, upTo(now.current.place, now.current.at))) why(asked, seen);
      if (!seen.partial) setMessage((old) => (old.look ? QUIET : old));
    }).catch((error) => failed(error, true, "No verdict: "));
    const cells = place.rows * place.cols;
    clearTimeout(rest.current);
    if (chosen.current.counts && cells <= COUNTED)
      rest.current = setTimeout(() => wire.ask({ ask: "count", place: asked }, (reply) => {
        if (reply.reply === "counted") setCounts({ place: asked, counted: reply });
      }).catch(() => {}), REST);
  }

  /** Write the address of what is shown.
   * @param {Seen} reply */
  function write(reply) {
    const { place, at } = now.current;
    if (!["", "board"].includes(address().page)) return;
    const board = reply.plain.slice(0, reply.plain.lastIndexOf(":"));
    const { rules } = chosen.current;
    const to = addressOf("board", `${board}:${place.moves}`, {
      at: at === place.moves.length ? "" : String(at), rules });
    if (to === location.hash || location.hash !== opened.current) return; // or the browser is going elsewhere just now
    written.current = opened.current = to;
    history[push.current ? "pushState" : "replaceState"](null, "", to);
    push.current = false;
  }

  /** Open a text: an address, a file, what was pasted.
   * @param {string} text
   * @param {{name?: string, at?: number, undo?: boolean, push?: boolean, what?: string}} how `what` is said of a fault */
  function open(text, { name = "", at = -1, undo = true, push: remember = true, what = "" } = {}) {
    wire.ask({ ask: "open", text, name }, (reply) => {
      if (reply.reply !== "opened") return;
      const steps = reply.place.moves.length;
      if (reply.rules) choose({ rules: reply.rules }, false);
      show({ place: reply.place, at: at < 0 ? steps : Math.min(at, steps) }, { undo, push: remember });
      setMessage({ text: reply.note ?? "", bad: false });
    }).catch((error) => {
      failed(error, false, what);
      if (what) look(); // of the board that is shown instead
    });
  }

  /** @param {Partial<Choice>} change */
  function choose(change, again = true) {
    chosen.current = { ...chosen.current, ...change };
    setChoice(chosen.current);
    setMessage(QUIET);
    if (again) look();
  }

  /** @param {"undo" | "redo"} which */
  function undo(which) {
    const [from, to] = which === "undo" ? [past, next] : [next, past];
    const then = from.current.pop();
    if (!then) return;
    to.current.push(now.current);
    show(then, { undo: false });
  }

  /** Let the server do something longer.
   * @param {string} what @param {import("./messages").Question} question
   * @param {(reply: import("./messages").Reply) => void} heard */
  function work(what, question, heard) {
    setBusy(what);
    setMessage(QUIET);
    wire.ask(question, heard).catch(failed).finally(() => setBusy(""));
  }

  useEffect(() => {
    if (!online) return;
    if (location.hash === written.current && answer) {
      look(); // the server was restarted
      return;
    }
    opened.current = location.hash;
    const rules = set.get("rules");
    if (rules !== null) choose({ rules }, false);
    const at = set.has("at") ? Number(set.get("at")) : -1;
    const what = word ? `${word} is not a position; the board shown is another. ` : "";
    open(word || welcome.position, { at, undo: answer !== null, push: false, what });
  }, [word, set.toString(), online, turn]);

  const current = upTo(here.place, here.at);
  const known = answer && same(answer.place, current) && answer.rules === choice.rules ? answer.seen : null;
  const total = counts && choice.counts && same(counts.place, current) ? counts.counted : null;
  const dead = reasons && same(reasons.place, current) ? reasons.moves : {};
  return { here, now, choice, answer, known, current, counts: total, dead, message, busy, show, glimpse, open, choose, undo, work,
    setMessage, welcome, canUndo: past.current.length > 0, canRedo: next.current.length > 0 };
}

/** @param {import("./main").PageProps} props */
export function BoardPage(props) {
  const { wire } = props;
  const board = useBoard(props);
  const { here, now, choice, answer, known, current, counts, dead, show } = board;
  const [mode, setMode] = useState(/** @type {"walk" | "wall" | "start" | "end"} */ ("walk"));
  const [cursor, setCursor] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(8);
  const [hovered, hover] = useState(-1);
  const [walking, setWalking] = useState(false);
  const before = useRef(/** @type {Here | null} */ (null));
  const holder = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { place, at } = here;
  const { view, pixels, zoom } = useView(place, at, holder);

  /** @param {string | null} moves */
  const walk = (moves, undo = false) => {
    if (moves !== null) show({ place: { ...now.current.place, moves }, at: moves.length }, { undo, push: undo });
  };
  /** @param {number} step */
  const jump = (step, remember = false) => {
    const most = now.current.place.moves.length;
    show({ ...now.current, at: Math.max(0, Math.min(most, step)) }, { undo: false, push: remember });
  };
  /** @param {string} move */
  const stepTo = (move) => {
    hover(-1); // the cell of that move is the live end now
    const cells = cellsOf(now.current.place, now.current.at);
    const moves = now.current.place.moves;
    if (moves[now.current.at - 1] && LETTERS[(LETTERS.indexOf(moves[now.current.at - 1]) + 2) % 4] === move)
      jump(now.current.at - 1);
    else if (moves[now.current.at] === move) jump(now.current.at + 1);
    else {
      const to = beside(now.current.place, cells[cells.length - 1], move);
      if (to >= 0 && !cells.includes(to)) walk(gone(now.current.place, now.current.at, to), true);
    }
  };
  /** @param {number} cell */
  const edit = (cell) => {
    const old = now.current.place;
    if (mode === "wall") {
      const changed = walled(old, cell);
      show({ place: changed, at: Math.min(now.current.at, changed.moves.length) });
    } else if (mode === "start" && cell !== old.end && !old.walls.includes(cell))
      show({ place: { ...old, start: cell, moves: "" }, at: 0 });
    else if (mode === "end" && cell !== old.start && !old.walls.includes(cell))
      show({ place: { ...old, end: cell }, at: now.current.at });
  };
  /** @param {number} cell */
  const tap = (cell) => {
    setCursor(cell);
    if (mode !== "walk") return edit(cell);
    const index = cellsOf(now.current.place, now.current.at).indexOf(cell);
    if (index >= 0) return jump(index, true);
    const { place: here, at: step } = now.current;
    const moves = gone(here, step, cell) ?? goneStraight(here, step, cell) ?? goneForced(here, step, cell);
    if (moves !== null) walk(moves, true);
    else board.setMessage({ text: `More than one path leads to ${named(here, cell)}. Draw the one you want.`, bad: false });
  };

  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      if (now.current.at >= now.current.place.moves.length) setPlaying(false);
      else jump(now.current.at + 1);
    }, 1000 / speed);
    return () => clearInterval(timer);
  }, [playing, speed]);

  const play = () => {
    if (!playing && at >= place.moves.length) jump(0);
    setPlaying(!playing);
  };

  useKeys((event) => {
    const held = event.ctrlKey || event.metaKey;
    const key = event.key;
    if (held && (key === "z" || key === "Z")) board.undo(event.shiftKey ? "redo" : "undo");
    else if (held && key === "y") board.undo("redo");
    else if (held || event.altKey) return;
    else if (key in ZOOMS) zoom(ZOOMS[/** @type {keyof typeof ZOOMS} */ (key)]);
    else if (key in ARROWS) {
      const move = ARROWS[/** @type {keyof typeof ARROWS} */ (key)];
      const [right, down] = { U: [0, 0.2], R: [-0.2, 0], D: [0, -0.2], L: [0.2, 0] }[move] ?? [0, 0];
      if (event.shiftKey) {
        event.preventDefault();
        return zoom(1, 0.5, 0.5, right, down);
      }
      if (event.target instanceof HTMLInputElement && event.target.type === "range") return;
      if (mode === "walk") stepTo(move);
      else {
        const to = beside(place, cursor, move);
        if (to >= 0) setCursor(to);
        // from here on Enter is the cursor's, no longer that of the button that was pressed
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }
    } else if (key === "Enter" && mode !== "walk" && event.target === document.body) edit(cursor);
    else if (key === "Home") jump(0, true);
    else if (key === "End") jump(place.moves.length, true);
    else if (key === "," || key === "j") jump(at - 1);
    else if (key === "." || key === "k") jump(at + 1);
    else if (key === "p") play();
    else if (key === "u") board.undo("undo");
    else if (key === "r") board.undo("redo");
    else return;
    event.preventDefault();
  });

  /** @param {import("./messages").Go["how"]} how */
  const go = (how) => board.work(how, { ask: "go", place: current, how,
    rules: choice.rules, seed: Math.floor(Math.random() * 1e9) }, (reply) => {
    if (reply.reply !== "went") return;
    show({ place: { ...now.current.place, moves: reply.moves }, at: reply.moves.length });
    board.setMessage({ text: reply.note, bad: false });
  });
  const written = (/** @type {any} */ question, /** @type {string} */ what) => board.work(what, question, (reply) => {
    if (reply.reply === "written") board.setMessage({ text: [...reply.lines, ...reply.files].join("\n"), bad: false, cases: question.ask === "keep" });
  });
  /** @param {import("./messages").Export["what"]} what */
  const exported = (what) => board.work("export", { ask: "export", place: current, what, rules: choice.rules,
    future: choice.future, witness: choice.witness }, (reply) => {
    if (reply.reply === "exported") save(reply);
  });
  /** @param {DragEvent} event */
  const dropped = (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    take(file);
  };
  /** @param {File} file */
  const take = (file) => {
    if (file.size > 4_000_000) board.setMessage({ text: `${file.name} is larger than 4 MB`, bad: true });
    else file.text().then((text) => board.open(text, { name: file.name }));
  };

  const truth = known?.moves.find((one) => one.cell === hovered);
  const marked = truth && dead[truth.move];
  return html`<${Task} /><div class="columns" onDragOver=${(/** @type {Event} */ e) => e.preventDefault()} onDrop=${dropped}>
    <section class="play" aria-label="Board"><h1 class="unseen">Board</h1>
      <${BoardView} place=${place} at=${at} answer=${answer} known=${known} counts=${counts ? counts.moves : {}}
        colours=${choice.colours} cursor=${mode === "walk" ? null : cursor} stroke=${mode === "walk" || mode === "wall"}
        label=${`Board of ${place.rows} by ${place.cols}; ${at} moves: ${current.moves.slice(-40)}`}
        begin=${() => { before.current = now.current; }}
        over=${(/** @type {number} */ cell) => {
          if (mode === "wall" && !now.current.place.walls.includes(cell)) {
            const changed = walled(now.current.place, cell);
            show({ place: changed, at: Math.min(now.current.at, changed.moves.length) }, { undo: false, push: false });
          } else if (mode === "walk") walk(gone(now.current.place, now.current.at, cell));
        }}
        tap=${tap} hover=${hover} marked=${marked} view=${view} pixels=${pixels} zoom=${zoom} holder=${holder}
        end=${() => {
          const then = now.current;
          if (before.current && before.current.place !== then.place && mode === "walk") {
            now.current = before.current;
            show(then);
          }
          before.current = null;
        }}
        abort=${() => {
          if (before.current) show(before.current, { undo: false, push: false });
          before.current = null;
        }} />
      <${Steps} at=${at} steps=${place.moves.length} jump=${jump} playing=${playing} play=${play}
        speed=${speed} setSpeed=${setSpeed} zoom=${zoom} whole=${view.zoom === 1} undo=${board.undo} canUndo=${board.canUndo} canRedo=${board.canRedo} />
      <${Legend} />
      <p class="consequence" role="status">${truth && known ? consequence(known, truth, counts?.moves[truth.move] ?? "", dead[truth.move]) : hovered >= 0 ? named(place, hovered) : ""}</p>
      <${MoveList} moves=${place.moves} at=${at} jump=${jump} />
    </section>
    <aside aria-label="Verdict and tools">
      <${Go} go=${go} busy=${board.busy} rules=${choice.rules} seen=${known} online=${props.online} message=${board.message}
        stop=${() => wire.stop("go")} />
      <${Verdict} seen=${known} online=${props.online} walking=${walking} counts=${counts} stepTo=${stepTo} hover=${hover}
        copied=${() => board.setMessage({ text: "The notation is copied.", bad: false })} />
      <${Settings} mode=${mode} setMode=${setMode} place=${place} choice=${choice} choose=${board.choose}
        welcome=${board.welcome} busy=${board.busy} seen=${known}
        resize=${(/** @type {number} */ rows, /** @type {number} */ cols) => show({ place: openBoard(rows, cols), at: 0 })}
        keep=${() => written({ ask: "keep", place: current, rules: choice.rules }, "save")}
        prove=${() => written({ ask: "prove", place: current }, "prove")}
        exported=${exported} take=${take} open=${board.open} />
      ${known && html`<${Dead} seen=${known} dead=${dead} hover=${hover} /><${Rules} seen=${known} />`}
      <${SetRules} wire=${wire} online=${props.online} rules=${choice.rules} />
      <${LeftFirst} wire=${wire} online=${props.online} now=${now} rules=${choice.rules} running=${walking} setRunning=${setWalking} glimpse=${board.glimpse} show=${show} />
    </aside>
  </div>`;
}

/** The task in one sentence, until it is put away. */
function Task() {
  const [told, tell] = useState(localStorage.getItem("task") === "known");
  const close = () => {
    localStorage.setItem("task", "known");
    tell(true);
  };
  return told ? null : html`<p class="task">Draw one line from the dot to the ring through every cell: drag, use the arrow keys, or let rules walk.
    <button class="quiet small" onClick=${close} aria-label="hide this sentence">✕</button></p>`;
}

/** @param {Place} place @param {number} cell @param {string} move */
function beside(place, cell, move) {
  const [row, col] = [Math.floor(cell / place.cols), cell % place.cols];
  const row2 = row + (move === "D" ? 1 : move === "U" ? -1 : 0);
  const col2 = col + (move === "R" ? 1 : move === "L" ? -1 : 0);
  const inside = row2 >= 0 && col2 >= 0 && row2 < place.rows && col2 < place.cols;
  return inside ? row2 * place.cols + col2 : -1;
}

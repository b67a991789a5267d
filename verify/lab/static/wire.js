// The connection of a page: each request has a number, and its replies come in parts.

/** @typedef {import("./messages").Reply} Reply */
/** @typedef {import("./messages").Question} Question */
/** @typedef {{heard: (reply: Reply) => void, done: (seconds: number) => void,
 *             failed: (why: Error) => void}} Waiting */

const AGAIN = 700; // milliseconds between two tries to reach the server

export class Wire {
  /** @param {(open: boolean) => void} changed called when the server comes or goes */
  constructor(changed) {
    this.changed = changed;
    this.number = 0;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {import("./messages").Welcome | null} */
    this.welcome = null;
    this.fault = "";
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/live`);
    socket.onmessage = (event) => this.take(socket, JSON.parse(event.data));
    socket.onclose = () => {
      this.socket = null;
      for (const one of this.waiting.values()) one.failed(new Error("the server has stopped"));
      this.waiting.clear();
      this.changed(false);
      setTimeout(() => this.connect(), AGAIN);
    };
  }

  /** @param {WebSocket} socket @param {Reply} reply */
  take(socket, reply) {
    if (reply.reply === "welcome") {
      this.welcome = reply;
      this.socket = socket;
      this.fault = "";
      this.changed(true);
      return;
    }
    if (reply.reply === "fault" && reply.id === 0) this.refused(reply.why);
    const one = this.waiting.get(reply.id);
    if (!one) return;
    if (reply.reply === "done" || reply.reply === "fault") this.waiting.delete(reply.id);
    if (reply.reply === "done") one.done(reply.seconds);
    else if (reply.reply === "fault") one.failed(new Error(reply.why));
    else one.heard(reply);
  }

  /** Fail all waiting requests: one of them was malformed or too long.
   * @param {string} why */
  refused(why) {
    this.fault = why;
    for (const one of this.waiting.values()) one.failed(new Error(why));
    this.waiting.clear();
  }

  /** Send a request, and pass on every reply. A request that a newer one replaced fails.
   * @param {Question} question
   * @param {(reply: Reply) => void} heard
   * @returns {Promise<number>} seconds that the server needed */
  ask(question, heard) {
    this.number += 1;
    const id = this.number;
    return new Promise((done, failed) => {
      if (!this.socket) {
        failed(new Error("the server has stopped"));
        return;
      }
      this.waiting.set(id, { heard, done, failed });
      this.socket.send(JSON.stringify({ ...question, id }));
    });
  }

  /** Cancel the current request of a queue.
   * @param {string} what */
  stop(what) {
    this.ask({ ask: "stop", what }, () => {}).catch(() => {});
  }
}

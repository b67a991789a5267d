// Tables sort by a click or a key on a head: up, down, and as they were.
"use strict";

const number = (cell) => /^[-+]?[\d,.]+( ?[%a-z]+)?$/i.test(cell) ? parseFloat(cell.replaceAll(",", "")) : NaN;

/** Return which row stands first; empty cells stand last. */
function compare(one, other) {
  if (!one || !other) return one ? -1 : other ? 1 : 0;
  const a = number(one), b = number(other);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? one.localeCompare(other, "en") : Number.isNaN(a) ? 1 : -1;
  return a - b;
}

for (const table of document.querySelectorAll(".md-typeset table:not([class])")) {
  const body = table.tBodies[0], heads = [...table.querySelectorAll("thead th")];
  const rows = [...(body?.rows ?? [])];
  if (rows.length < 4 || rows.some((row) => row.cells.length !== heads.length)) continue;
  heads.forEach((head, column) => {
    const word = head.textContent.trim();
    if (!word) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = word;
    head.replaceChildren(button);
    button.onclick = () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.ariaSort ?? "none"];
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      const text = (row) => row.cells[column].textContent.trim(), turn = next === "descending" ? -1 : 1;
      if (next !== "none") head.ariaSort = next;
      body.append(...(next === "none" ? rows : rows.toSorted((a, b) => !text(a) || !text(b) ? compare(text(a), text(b)) : turn * compare(text(a), text(b)))));
    };
  });
}

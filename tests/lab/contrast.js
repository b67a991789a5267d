// What is told apart too little: texts below 4.5 to 1, marks on the board below 3 to 1 (WCAG 2.2).
() => {
  const parts = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, under) => top.slice(0, 3)
    .map((c, i) => c * (top[3] ?? 1) + under[i] * (1 - (top[3] ?? 1)));
  const behind = (node) => {
    if (!node) return [255, 255, 255];
    const own = parts(getComputedStyle(node).backgroundColor);
    return (own[3] ?? 1) === 0 ? behind(node.parentElement) : over(own, behind(node.parentElement));
  };
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const holder = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !holder.checkVisibility()) continue;
    if (holder.closest(":disabled, svg, .unseen")) continue;
    const under = behind(holder);
    const here = ratio(over(parts(getComputedStyle(holder).color), under), under);
    found.push([here, walk.currentNode.data.trim().slice(0, 40), holder.className]);
  }
  const board = document.querySelector(".board");
  const sheet = parts(getComputedStyle(document.querySelector(".board .drawn rect") ?? document.body).fill);
  for (const [what, name] of [[".drawn rect[fill='#333333']", "wall"], [".drawn .walk", "walk"],
      [".over .mark.completable circle", "ring"], [".over .mark.dead path", "bar"],
      [".drawn .forbidden", "cross"], [".drawn .witness", "dots"], [".drawn .future", "future line"],
      [".drawn rect[fill='#ffd98a']", "area"]]) {
    const one = board?.querySelector(what);
    if (!one) continue;
    const style = getComputedStyle(one);
    const colour = name === "wall" ? style.fill : style.stroke;
    found.push([ratio(parts(colour), sheet) * 1.5, name, "drawn"]);  // 3 is asked of these
  }
  return found.filter(([contrast]) => contrast < 4.5);
}

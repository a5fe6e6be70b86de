"use strict";
// Copy buttons: they need script, so script adds them.
for (const command of document.querySelectorAll(".command")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(command.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command.querySelector("code"));
      button.textContent = "Selected";
    }
  });
  command.append(button);
}

// The execution tree: decoded once into arrays, shown row by row when a row is opened.
const data = document.getElementById("tree-data");
const place = document.getElementById("tree");
if (data && place) {
  const { nodes, sites } = JSON.parse(data.textContent);
  const bytes = Uint8Array.from(atob(nodes), (letter) => letter.charCodeAt(0));
  const KINDS = ["open", "taken", "ended", "cut off", "infeasible", "gave up", "went elsewhere", "rejected", "explored", "given up", "left out"];
  const CLASSES = ["open", "taken", "taken", "gaveup", "infeasible", "gaveup", "gaveup", "infeasible", "taken", "gaveup", "gaveup"];
  const MARKS = ["○", "✓", "✓", "?", "∅", "?", "?", "∅", "✓", "?", "…"];
  const site = [], first = [], states = [], child = [], counts = [];
  let at = 0, next = 1;
  const number = () => {
    let value = 0, scale = 1, byte;
    do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte & 128);
    return value;
  };
  while (at < bytes.length) {
    site.push(number());
    first.push(states.length);
    for (let sides = number(); sides > 0; sides--) {
      const state = bytes[at++];
      states.push(state);
      child.push(state === 1 ? next++ : -1);
      counts.push(state === 10 ? number() : 0);
    }
  }
  first.push(states.length);
  const sizes = new Uint32Array(site.length).fill(1);
  for (let node = site.length - 1; node >= 0; node--)
    for (let slot = first[node]; slot < first[node + 1]; slot++)
      sizes[node] += child[slot] > 0 ? sizes[child[slot]] : counts[slot];

  const text = (parent, name, content) => {
    const span = document.createElement("span");
    if (name) span.className = name;
    span.textContent = content;
    parent.append(span);
  };
  const sideName = (node, side) => {
    const names = sites[site[node]]?.[2] ?? [];
    return names[side] ?? "choice " + side;
  };
  // A run of decisions that only one way was taken from is one row.
  const onlyWay = (node) => {
    let found = -1;
    for (let slot = first[node]; slot < first[node + 1]; slot++) {
      if (states[slot] === 1 || states[slot] === 2 || states[slot] === 8 || states[slot] === 10) {
        if (found >= 0 || states[slot] !== 1) return -1;
        found = slot;
      }
    }
    return found;
  };
  const row = (list, label, open) => {
    const item = document.createElement("li");
    item.setAttribute("role", "none");
    const line = document.createElement("div");
    line.className = "row";
    line.setAttribute("role", "treeitem");
    line.tabIndex = -1;
    text(line, "k", open ? "▸ " : "  ");
    for (const [name, content] of label) text(line, name, content);
    item.append(line);
    list.append(item);
    if (open) {
      line.setAttribute("aria-expanded", "false");
      line.open = () => {
        if (!item.querySelector("ul")) {
          const below = document.createElement("ul");
          below.setAttribute("role", "group");
          item.append(below);
          open(below);
        }
        item.querySelector("ul").hidden = false;
        line.setAttribute("aria-expanded", "true");
        line.firstChild.textContent = "▾ ";
      };
      line.close = () => {
        item.querySelector("ul").hidden = true;
        line.setAttribute("aria-expanded", "false");
        line.firstChild.textContent = "▸ ";
      };
      line.addEventListener("click", () => (line.getAttribute("aria-expanded") === "true" ? line.close() : line.open()));
    }
    return line;
  };
  const where = (node) => {
    const known = sites[site[node]];
    return known ? known[0] + " " + known[1] : "decision";
  };
  const show = (list, node) => {
    let skipped = 0, way = onlyWay(node);
    while (way >= 0 && skipped < 100000 && onlyWay(child[way]) >= 0) { skipped++; node = child[way]; way = onlyWay(node); }
    if (skipped > 0) row(list, [["k", skipped.toLocaleString("en") + " decisions with one way on"]]);
    for (let slot = first[node]; slot < first[node + 1]; slot++) {
      const state = states[slot], below = child[slot];
      const label = [["", where(node) + " "], [CLASSES[state], MARKS[state] + " " + sideName(node, slot - first[node])]];
      if (below > 0) label.push(["k", "  " + sizes[below].toLocaleString("en") + (sizes[below] === 1 ? " decision" : " decisions") + " below"]);
      else if (state === 10) label.push(["k", "  " + counts[slot].toLocaleString("en") + " decisions, left out of this page"]);
      else label.push(["k", "  " + KINDS[state]]);
      row(list, label, below > 0 ? (into) => show(into, below) : null);
    }
  };
  const root = document.createElement("ul");
  root.setAttribute("role", "tree");
  root.setAttribute("aria-label", "Execution tree");
  place.replaceChildren(root);
  if (site.length > 0) show(root, 0);
  const top = root.querySelector(".row");
  if (top) top.tabIndex = 0;
  root.addEventListener("keydown", (event) => {
    const line = document.activeElement;
    if (!line?.classList.contains("row")) return;
    const rows = [...root.querySelectorAll(".row")].filter((one) => one.offsetParent);
    const index = rows.indexOf(line);
    let target = null;
    if (event.key === "ArrowDown") target = rows[index + 1];
    else if (event.key === "ArrowUp") target = rows[index - 1];
    else if (event.key === "Home") target = rows[0];
    else if (event.key === "End") target = rows[rows.length - 1];
    else if (event.key === "ArrowRight" && line.open) { if (line.getAttribute("aria-expanded") === "true") target = rows[index + 1]; else line.open(); }
    else if (event.key === "ArrowLeft") { if (line.getAttribute("aria-expanded") === "true") line.close(); else target = line.parentElement.parentElement.closest("li")?.querySelector(".row"); }
    else if ((event.key === "Enter" || event.key === " ") && line.open) line.click();
    else return;
    event.preventDefault();
    if (target) { line.tabIndex = -1; target.tabIndex = 0; target.focus(); }
  });
}

// Pointer, keyboard and search; then the first view.

const tip = byId("tip");
const query = byId("query");

function visit(node) {
  choose(node);
  show(layout.nodes[node]);
  nodes[node].focus({ preventScroll: true });
}

function tell(event) {
  const at = event.target.dataset?.edge;
  for (const drawn of svg.querySelectorAll(".edge.hover")) drawn.classList.remove("hover");
  tip.hidden = at === undefined || fingers.size > 0;
  if (tip.hidden) return;
  const edge = graph.edges[at];
  const name = (node) => html("code", {}, graph.nodes[node].label);
  edges[at].classList.add("hover");
  const reasons = edge.reasons.map((reason) => html("li", {}, ...coded(reason.text)));
  tip.replaceChildren(html("p", {}, name(edge.to), " waits for ", name(edge.from)), html("ul", {}, ...reasons));
  const corner = canvas.getBoundingClientRect();
  const left = Math.min(event.clientX - corner.left + 14, corner.width - tip.offsetWidth - 8);
  const top = Math.min(event.clientY - corner.top + 16, corner.height - tip.offsetHeight - 8);
  Object.assign(tip.style, { left: `${Math.max(8, left)}px`, top: `${Math.max(8, top)}px` });
}

function search() {
  const text = query.value.trim().toLowerCase();
  const has = (name) => name.toLowerCase().includes(text);
  state.found = text ? graph.nodes.map((_, at) => at).filter((at) => has(graph.nodes[at].label) || has(graph.nodes[at].location ?? "")) : [];
  byId("found").textContent = text ? String(state.found.length) : "";
  for (const row of document.querySelectorAll(".buffer")) row.hidden = text !== "" && !has(graph.buffers[row.dataset.buffer].name) && !state.found.length;
  mark();
}

function next(step) {
  if (!state.found.length) return;
  const at = state.found.indexOf(state.node);
  const to = state.found[(at + step + state.found.length) % state.found.length];
  choose(to);
  show(layout.nodes[to]);
}

// The nearest node of the same body to the left or to the right, in the same row if there is one.
function beside(node, side) {
  const [x, y, width] = layout.nodes[node];
  const centre = (at) => layout.nodes[at][0] + layout.nodes[at][2] / 2;
  const others = graph.bodies[graph.nodes[node].body].nodes.filter((at) => at !== node && Math.sign(centre(at) - (x + width / 2)) === side);
  const row = others.filter((at) => layout.nodes[at][1] === y);
  const from = (at) => Math.hypot(centre(at) - (x + width / 2), (layout.nodes[at][1] - y) * 3);
  return (row.length ? row : others).sort((one, other) => from(one) - from(other))[0];
}

function below(node) {
  const inner = graph.nodes[node].bodies?.map((body) => graph.bodies[body].nodes[0]).find((first) => first !== undefined);
  return inner ?? (waited[node].length ? graph.edges[waited[node][0]].to : undefined);
}

function above(node) {
  return waits[node].length ? graph.edges[waits[node][0]].from : owner(node);
}

function walk(event) {
  const node = Number(document.activeElement?.dataset?.node ?? state.node ?? 0);
  const to = { ArrowDown: () => below(node), ArrowUp: () => above(node), ArrowLeft: () => beside(node, -1), ArrowRight: () => beside(node, 1) }[event.key]?.();
  if (to === undefined) return;
  event.preventDefault();
  visit(to);
}

function release() {
  Object.assign(state, { node: null, pinned: null, buffer: null, found: [] });
  query.value = "";
  search();
  describe();
}

function turn() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  moved();
}

function toggleChain() {
  const on = svg.classList.toggle("chain");
  byId("chain").setAttribute("aria-pressed", on);
}

function toggleHeat() {
  if (!graph.measured) return;
  const on = svg.classList.toggle("heated");
  byId("heat").setAttribute("aria-pressed", on);
  moved();
}

const SHORTCUTS = {
  "/": () => query.focus(), f: fit, "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), c: toggleChain, h: toggleHeat, t: turn, Escape: release,
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === query) {
    if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") {
      release();
      query.blur();
    }
    return;
  }
  const node = event.target.dataset?.node;
  if (node !== undefined && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(Number(node));
  } else if (SHORTCUTS[event.key]) {
    event.preventDefault();
    SHORTCUTS[event.key]();
  } else if (canvas.contains(document.activeElement) || document.activeElement === document.body) walk(event);
});
svg.addEventListener("click", (event) => {
  if (dragged > 4) return;
  const node = event.target.closest?.(".node");
  if (node) choose(Number(node.dataset.node));
  else if (!event.target.dataset.edge) release();
});
svg.addEventListener("pointermove", tell);
svg.addEventListener("pointerleave", () => (tip.hidden = true));
byId("panel").addEventListener("pointerover", (event) => hover(event.target.closest("[data-buffer]")));
byId("panel").addEventListener("pointerleave", () => hover(null));
query.addEventListener("input", search);
for (const [id, action] of [["chain", toggleChain], ["heat", toggleHeat], ["in", () => zoom(1.25)], ["out", () => zoom(0.8)], ["fit", fit], ["theme", turn]]) {
  byId(id).addEventListener("click", action);
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
summarise();
listBuffers();
markChain();
toggleChain();
if (graph.measured) {
  byId("heat").hidden = false;
  byId("chain").textContent = "Critical path";
  byId("chain").title = "Highlight the chain of waits that took longest (c)";
  toggleHeat();
}
describe();
begin();

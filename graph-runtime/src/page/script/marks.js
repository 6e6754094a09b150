// What is highlighted: the longest chain, a buffer, a node with its neighbours, what was searched for.

const state = { buffer: null, pinned: null, node: null, found: [] };
const waits = graph.nodes.map(() => []);
const waited = graph.nodes.map(() => []);
graph.edges.forEach((edge, at) => {
  waits[edge.to].push(at);
  waited[edge.from].push(at);
});

const owner = (node) => graph.bodies[graph.nodes[node].body].owner;

// In time if that was measured, else in nodes.
const longest = graph.measured?.critical_path ?? graph.longest_path;

function markChain() {
  const long = new Set(longest);
  const before = new Map();
  const last = new Map();
  for (const node of longest) {
    before.set(node, last.get(graph.nodes[node].body));
    last.set(graph.nodes[node].body, node);
  }
  nodes.forEach((drawn, at) => drawn.classList.toggle("long", long.has(at)));
  graph.edges.forEach((edge, at) => {
    const follows = long.has(edge.to) && before.get(edge.to) === edge.from;
    edges[at].classList.toggle("long", follows);
    // Above the others.
    if (follows) edges[at].parentNode.append(edges[at]);
  });
}

function usesOf(number) {
  const buffer = graph.buffers[number];
  const [reads, writes] = [new Set(buffer.readers), new Set(buffer.writers)];
  const lit = new Set([...reads, ...writes]);
  const [first, last] = buffer.live ?? [0, -1];
  const within = graph.nodes.map((_, at) => at).filter((at) => at >= first && at <= last);
  const edges = graph.edges.map((_, at) => at).filter((at) => graph.edges[at].reasons.some((reason) => reason.buffer === number));
  return { lit, reads, writes, within: new Set(within), edges: new Set(edges) };
}

function aroundOf(node) {
  const edges = new Set([...waits[node], ...waited[node]]);
  const lit = new Set([node, ...[...edges].flatMap((edge) => [graph.edges[edge].from, graph.edges[edge].to])]);
  for (const body of graph.nodes[node].bodies ?? []) inside(body, lit);
  const mates = new Set(laneOf(node));
  mates.forEach((mate) => lit.add(mate));
  graph.edges.forEach(({ from, to }, at) => mates.has(from) && mates.has(to) && edges.add(at));
  return { lit, edges };
}

// All that are on a node's lane, itself among them; nobody if it has none.
function laneOf(node) {
  const { lane, body } = graph.nodes[node];
  return lane === undefined ? [] : graph.bodies[body].nodes.filter((other) => graph.nodes[other].lane === lane);
}

function inside(body, into) {
  for (const node of graph.bodies[body].nodes) {
    into.add(node);
    for (const inner of graph.nodes[node].bodies ?? []) inside(inner, into);
  }
}

function mark() {
  const number = state.buffer ?? state.pinned;
  const none = new Set();
  let marks = { lit: none, edges: none };
  if (number !== null) marks = usesOf(number);
  else if (state.node !== null) marks = aroundOf(state.node);
  const { lit, reads = none, writes = none, within = none } = marks;
  const holds = new Set();
  for (let node of lit) {
    while ((node = owner(node)) !== undefined && !holds.has(node)) holds.add(node);
  }
  const found = new Set(state.found);
  svg.classList.toggle("lighting", lit.size > 0);
  nodes.forEach((drawn, at) => {
    const classes = drawn.classList;
    classes.toggle("lit", lit.has(at));
    classes.toggle("holds", holds.has(at));
    classes.toggle("within", within.has(at));
    classes.toggle("writes", writes.has(at));
    classes.toggle("reads", reads.has(at) && !writes.has(at));
    classes.toggle("found", found.has(at));
    classes.toggle("chosen", at === state.node);
  });
  edges.forEach((drawn, at) => drawn.classList.toggle("lit", marks.edges.has(at)));
  for (const drawn of document.querySelectorAll("[data-buffer]")) {
    const of = Number(drawn.dataset.buffer);
    drawn.classList.toggle("pinned", of === state.pinned);
    drawn.classList.toggle("lit", of === number);
    if (drawn.matches("button")) drawn.setAttribute("aria-pressed", of === state.pinned);
  }
}

function choose(node) {
  state.node = node;
  if (node !== null) {
    state.pinned = null;
    for (const drawn of nodes) drawn.tabIndex = -1;
    nodes[node].tabIndex = 0;
  }
  mark();
  describe();
}

// The graph as SVG: boxes in the plan's order, so that what is inside lies on top, and edges above them.

const { graph, layout } = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const canvas = byId("canvas");
const svg = byId("graph");

const GROUPS = {
  kernel: "kernel", "kernel for": "compute", reduction: "compute", copy: "memory", fill: "memory", scalar: "scalar", assert: "scalar",
  if: "branch", match: "branch", while: "loop", loop: "loop", for: "loop",
};
const HEAD = 46;

function element(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function html(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function cut(text, width, letter) {
  const most = Math.max(3, Math.floor(width / letter));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// From above to below; sideways only between rows.
function curve(points) {
  let path = `M${points[0]}`;
  for (let at = 1; at < points.length; at++) {
    const [[x, y], [right, below]] = [points[at - 1], points[at]];
    const middle = (y + below) / 2;
    path += x === right ? `V${below}` : `C${x},${middle} ${right},${middle} ${right},${below}`;
  }
  return path;
}

function drawNode(node, at) {
  const [x, y, width, height] = layout.nodes[at];
  const group = GROUPS[node.kind] ?? "host";
  const lane = node.lane === undefined ? "" : `lane ${node.lane}`;
  const drawn = element("g", {
    class: `node kind-${group}`, "data-node": at, tabindex: at === 0 ? 0 : -1, role: "button", "aria-label": `${node.label}, ${node.kind}`,
  });
  drawn.append(
    element("rect", { class: "box", x, y, width, height, rx: 7 }),
    element("path", { class: "stripe", d: `M${x + 4.5},${y + 8}v${Math.min(height, HEAD) - 16}h3v${16 - Math.min(height, HEAD)}z` }),
    element("text", { class: "label", x: x + 16, y: y + 20 }, cut(node.label, width - 24, 7.23)),
    element("text", { class: "caption", x: x + 16, y: y + 35 }, cut(layout.captions[at], width - (lane ? 22 + 6 * lane.length : 22), 5.7)),
  );
  if (lane) drawn.append(element("text", { class: "caption lane", x: x + width - 8, y: y + 35 }, lane));
  for (const body of node.bodies ?? []) {
    const [left, top, wide, high] = layout.bodies[body];
    drawn.append(
      element("rect", { class: "body", x: left, y: top, width: wide, height: high, rx: 6 }),
      element("text", { class: "title", x: left + 12, y: top + 17 }, cut(layout.titles[body], wide - 20, 5.7)),
    );
    if (!graph.bodies[body].nodes.length) {
      drawn.append(element("text", { class: "title", x: left + 12, y: top + 40 }, "nothing"));
    }
  }
  return drawn;
}

// How much of the hottest node's time each takes; none if nothing was measured.
function heats() {
  const own = graph.nodes.map((node) => (node.bodies ? 0 : node.time?.total_ns ?? 0));
  const most = own.reduce((one, other) => Math.max(one, other), 0);
  return most ? own.map((time) => Math.sqrt(time / most)) : [];
}

function arrow(id) {
  const marker = { id, viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" };
  return element("marker", marker, element("path", { d: "M0,.8L8,4L0,7.2z" }));
}

// Drawn things by where they begin, from above to below: what is out of sight is not painted.
const TILE = 1500;
const tiles = [];

function tiled(drawn, spans) {
  const layer = element("g", {});
  const made = new Map();
  drawn.forEach((one, at) => {
    const [top, bottom] = spans[at];
    const row = Math.floor(top / TILE);
    if (!made.has(row)) made.set(row, { group: element("g", {}), top, bottom });
    const tile = made.get(row);
    tile.group.append(one);
    Object.assign(tile, { top: Math.min(tile.top, top), bottom: Math.max(tile.bottom, bottom) });
  });
  const inOrder = [...made.keys()].sort((one, other) => one - other).map((row) => made.get(row));
  layer.append(...inOrder.map((tile) => tile.group));
  tiles.push(...inOrder);
  return layer;
}

const nodes = graph.nodes.map(drawNode);
const heat = heats();
heat.forEach((share, at) => nodes[at].style.setProperty("--heat", `${Math.round(62 * share)}%`));
// Dashed if only a lane asks for it.
const edgeClass = (at) => (graph.edges[at].reasons[0].kind === "lane" ? "edge of-lane" : "edge");
const edges = layout.edges.map((points, at) => element("path", { class: edgeClass(at), "data-edge": at, d: curve(points) }));
const hits = edges.map((edge, at) => element("path", { class: "hit", "data-edge": at, d: edge.getAttribute("d") }));
const boxes = layout.nodes.map(([, top, , height]) => [top, top + height]);
const lines = layout.edges.map((points) => [points[0][1], points[points.length - 1][1]]);
const scene = element("g", {}, tiled(nodes, boxes), tiled(edges, lines), tiled(hits, lines));
svg.append(element("defs", {}, ...["tip-edge", "tip-chain", "tip-hot"].map(arrow)), scene);

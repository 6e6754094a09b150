// The lists beside the graph: buffers on the left, what is chosen on the right.

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en").replaceAll(",", "\u202f")} ${number === 1 ? one : many}`;

function bytes(number) {
  let unit = 0;
  while (number >= 1024 && unit < UNITS.length - 1) [number, unit] = [number / 1024, unit + 1];
  return `${Number(number.toFixed(1))} ${UNITS[unit]}`;
}

function duration(ns) {
  const [unit, size] = [["s", 1e9], ["ms", 1e6], ["µs", 1e3]].find(([, size]) => ns >= size) ?? ["ns", 1];
  return `${Number((ns / size).toFixed(1))} ${unit}`;
}

function share(ns) {
  const percent = (100 * ns) / Math.max(graph.measured.total_ns, 1);
  return `${percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
}

function liveRange(buffer) {
  const share = (at) => `${(100 * at) / graph.nodes.length}%`;
  const bar = html("span", { class: "live" });
  if (!buffer.live) return bar;
  const [first, last] = buffer.live;
  bar.append(html("i", { style: `left:${share(first)};width:${share(last + 1 - first)}` }));
  const writes = new Set(buffer.writers);
  for (const at of new Set([...buffer.readers, ...buffer.writers])) {
    bar.append(html("b", { class: writes.has(at) ? "writes" : "reads", style: `left:${share(at + 0.5)}` }));
  }
  return bar;
}

function bufferRow(buffer, number) {
  const size = buffer.bytes === undefined ? "" : bytes(buffer.bytes);
  const type = buffer.memory === "host" ? `host ${buffer.ty}` : buffer.ty;
  const line = html("span", { class: "line" }, html("span", { class: "name" }, buffer.name), html("span", { class: "mode" }, buffer.mode ?? ""),
    html("span", { class: "size" }, size));
  const row = html("button", { class: "buffer", "data-buffer": number, "aria-pressed": "false", title: `${buffer.name}: ${type}` }, line,
    html("span", { class: "type" }, type), liveRange(buffer));
  row.addEventListener("click", () => pin(number));
  return row;
}

function pin(number) {
  state.pinned = state.pinned === number ? null : number;
  state.node = null;
  mark();
  describe();
}

function listBuffers() {
  const list = byId("buffers");
  for (const [title, origin] of [["Parameters", "parameter"], ["Transients", "transient"], ["Static", "static"]]) {
    const numbers = graph.buffers.map((_, at) => at).filter((at) => graph.buffers[at].origin === origin);
    if (numbers.length) list.append(html("h2", {}, title), ...numbers.map((at) => bufferRow(graph.buffers[at], at)));
  }
  list.append(html("p", { class: "key" }, html("span", { style: "--colour:var(--writes)" }, "written"),
    html("span", { style: "--colour:var(--reads)" }, "read"), html("span", { style: "--colour:var(--outline)" }, "live")));
  drawArena(list);
  list.addEventListener("pointerover", (event) => hover(event.target.closest("[data-buffer]")));
  list.addEventListener("pointerleave", () => hover(null));
}

function hover(row) {
  const number = row ? Number(row.dataset.buffer) : null;
  if (number === state.buffer) return;
  state.buffer = number;
  mark();
}

// Across: the nodes in the plan's order. Down: the bytes of the arena.
function drawArena(list) {
  const placed = graph.buffers.map((buffer, at) => ({ ...buffer, at })).filter((buffer) => buffer.offset !== undefined && buffer.memory === "device" && buffer.live);
  const high = graph.arena?.device ?? 0;
  if (!placed.length || !high) return;
  const chart = element("svg", { id: "arena", viewBox: `0 0 ${graph.nodes.length} ${high}`, preserveAspectRatio: "none", role: "img",
    "aria-label": "Which bytes of the arena are live behind which nodes" });
  for (const { at, name, live, offset, bytes: size } of placed) {
    const place = { x: live[0], y: offset, width: live[1] + 1 - live[0], height: Math.max(size, high / 200), "data-buffer": at };
    chart.append(element("rect", place, element("title", {}, `${name}: ${bytes(size)}`)));
  }
  list.append(html("h2", {}, `Arena, ${bytes(high)}`), chart);
}

function link(node) {
  const made = html("button", { class: "link" }, graph.nodes[node].label);
  made.addEventListener("click", () => visit(node));
  return made;
}

function bufferLink(number) {
  const made = html("button", { class: "link", "data-buffer": number }, graph.buffers[number].name);
  made.addEventListener("click", () => pin(number));
  return made;
}

function facts(pairs) {
  const list = html("dl", {});
  for (const [name, value] of pairs) {
    if (value !== undefined && value !== null && value !== "") list.append(html("dt", {}, name), html("dd", {}, value));
  }
  return list;
}

function section(title, items) {
  return items.length ? [html("h2", {}, title), html("ul", {}, ...items.map((item) => html("li", {}, ...[item].flat())))] : [];
}

const why = (text) => html("span", { class: "why" }, ...coded(text));

// `x` in a sentence.
function coded(text) {
  return text.split("`").map((part, at) => (at % 2 ? html("code", {}, part) : part));
}

const dimensions = (sizes) => (sizes?.length ? sizes.join(" × ") : undefined);

// How long a node took.
function timing({ time, bodies }) {
  if (!time) return graph.measured ? [["time", "did not run"]] : [];
  const { runs, total_ns: total, longest_ns: most, tests_ns: tests, passes } = time;
  return [
    ["time", `${duration(total)}, ${share(total)}`], ["runs", !bodies && runs > 1 && `${runs} × ${duration(total / runs)}`],
    ["longest", !bodies && runs > 1 && duration(most)], ["tests", bodies && `${runs} × ${duration(tests / Math.max(runs, 1))}`],
    ["passes", passes && `${passes.count} × ${duration(passes.total_ns / passes.count)}`],
    ["a pass", passes && `${duration(passes.shortest_ns)} to ${duration(passes.longest_ns)}`],
  ];
}

function slowest() {
  const leaves = graph.nodes.map((_, at) => at).filter((at) => !graph.nodes[at].bodies && graph.nodes[at].time);
  leaves.sort((one, other) => graph.nodes[other].time.total_ns - graph.nodes[one].time.total_ns || one - other);
  return leaves.slice(0, 12).map((at) => [link(at), why(`${duration(graph.nodes[at].time.total_ns)}, ${share(graph.nodes[at].time.total_ns)}`)]);
}

function describeNode(at) {
  const node = graph.nodes[at];
  const around = owner(at);
  const access = ({ buffer, mode, elements }) => [html("code", {}, `${mode} `), bufferLink(buffer), html("code", {}, elements ? `[${elements}]` : "")];
  const edge = (end) => (number) => [link(graph.edges[number][end]), ...graph.edges[number].reasons.map((reason) => why(reason.text))];
  return [
    html("h3", {}, node.label),
    html("div", { class: "of" }, node.kind, node.optional ? ", optional" : "", longest.includes(at) ? `, on the ${chainName()}` : ""),
    facts([
      ...timing(node), ["at", node.location && html("code", {}, node.location)], ["kernel", node.kernel && html("code", {}, node.kernel)],
      ["grid", dimensions(node.grid)], ["block", dimensions(node.block)], ["shared", node.shared_bytes && `${node.shared_bytes} B`],
      ["indices", node.indices?.toLocaleString("en").replaceAll(",", "\u202f")], ["writes", node.bytes !== undefined && bytes(node.bytes)],
      ["limit", node.limit], ["every", node.every], ["launch", node.launch], ["lane", node.lane !== undefined && `${node.lane}, with ${count(laneOf(at).length - 1, "other")}`], ["inside", around !== undefined && link(around)],
    ].filter(([, value]) => value !== false)),
    ...section("Accesses", node.accesses.map(access)),
    ...section("Waits for", waits[at].map(edge("from"))),
    ...section("Waited for by", waited[at].map(edge("to"))),
  ];
}

function describeBuffer(number) {
  const buffer = graph.buffers[number];
  const user = (at) => [link(at), why(graph.nodes[at].kind)];
  return [
    html("h3", {}, buffer.name),
    html("div", { class: "of" }, `${buffer.origin}${buffer.memory === "host" ? " in pinned memory" : ""}`),
    facts([
      ["type", html("code", {}, `${buffer.mode ?? ""} ${buffer.ty}`.trim())], ["size", buffer.bytes !== undefined ? bytes(buffer.bytes) : ""],
      ["offset", buffer.offset !== undefined ? bytes(buffer.offset) : ""], ["in registers", buffer.registers ?? ""],
      ["at", buffer.location && html("code", {}, buffer.location)],
    ]),
    ...section("Written by", buffer.writers.map(user)),
    ...section("Read by", buffer.readers.map(user)),
  ];
}

const KEYS = [
  ["↑ ↓", "along the waits"], ["← →", "along a row"], ["Enter", "choose"], ["/", "find"], ["f", "show all"], ["+ −", "zoom"],
  ["c", "longest chain"], ["h", "times as colours"], ["t", "light or dark"], ["Esc", "let go"],
];
const chainName = () => (graph.measured ? "critical path" : "longest chain");

function describeGraph() {
  const arena = graph.arena;
  const keys = html("dl", {});
  for (const [key, text] of KEYS.filter(([key]) => key !== "h" || graph.measured)) keys.append(html("dt", {}, ...key.split(" ").map((part) => html("kbd", {}, part))), html("dd", {}, text));
  return [
    html("h3", {}, graph.name),
    facts([
      ["nodes", graph.nodes.length], ["edges", graph.edges.length], ["side by side", graph.width ? `at most ${graph.width}` : ""],
      ["longest chain", count(graph.longest_path.length, "node")],
      ["launched as", graph.launched],
      ["measured on", graph.measured?.device], ["all nodes", graph.measured && duration(graph.measured.total_ns)],
      ["critical path", graph.measured && duration(graph.measured.critical_ns)],
      ["arena", arena && bytes(arena.device + arena.counters)], ["pinned", arena?.host ? bytes(arena.host) : ""],
    ]),
    ...section("Passes", (graph.passes ?? []).filter((pass) => pass.count || pass.off).map((pass) => [pass.name, why(pass.result)])),
    ...section("Slowest", graph.measured ? slowest() : []),
    ...section(graph.measured ? "Critical path" : "Longest chain", longest.slice(0, 60).map((node) => link(node))),
    html("h2", {}, "Keys"), keys,
  ];
}

function describe() {
  const shown = state.node !== null ? describeNode(state.node) : state.pinned !== null ? describeBuffer(state.pinned) : describeGraph();
  byId("panel").replaceChildren(...shown);
}

function summarise() {
  byId("name").textContent = graph.name;
  const parts = [[graph.nodes.length, "nodes"], [graph.edges.length, "edges"], [graph.width, "side by side"], [graph.longest_path.length, "in the longest chain"]];
  const { measured } = graph;
  if (measured) parts.push([duration(measured.total_ns), `in all nodes on ${measured.device}`], [duration(measured.critical_ns), "on the critical path"]);
  byId("figures").append(...parts.flatMap(([number, text], at) => [at ? " · " : "", html("b", {}, String(number)), ` ${text}`]));
}

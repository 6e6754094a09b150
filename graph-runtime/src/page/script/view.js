// Pan, zoom and the map in the corner.

const map = byId("map");
const MARGIN = 32;
const view = { x: 0, y: 0, scale: 1 };
let pending = false;

function bounds() {
  return { width: canvas.clientWidth, height: canvas.clientHeight };
}

function moved() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    scene.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.scale})`);
    const [top, bottom] = [-view.y / view.scale, (bounds().height - view.y) / view.scale];
    for (const tile of tiles) tile.group.style.display = tile.bottom < top - 20 || tile.top > bottom + 20 ? "none" : "";
    svg.classList.toggle("far", view.scale < 0.5);
    svg.classList.toggle("farther", view.scale < 0.28);
    drawMap();
  });
}

function zoom(factor, x = bounds().width / 2, y = bounds().height / 2) {
  const scale = Math.min(3, Math.max(0.02, view.scale * factor));
  const by = scale / view.scale;
  Object.assign(view, { x: x - (x - view.x) * by, y: y - (y - view.y) * by, scale });
  moved();
}

function whole() {
  const { width, height } = bounds();
  const [wide, high] = layout.size;
  return Math.min(1.15, (width - 2 * MARGIN) / wide, (height - 2 * MARGIN) / high);
}

function fit() {
  const { width, height } = bounds();
  const scale = Math.max(0.02, whole());
  Object.assign(view, { scale, x: (width - layout.size[0] * scale) / 2, y: Math.max(MARGIN, (height - layout.size[1] * scale) / 2) });
  moved();
}

// All of it if it can be read so, else its beginning.
function begin() {
  fit();
  if (view.scale >= 0.62) return;
  const { width, height } = bounds();
  const scale = Math.min(0.8, Math.max(0.62, (width - 2 * MARGIN) / layout.size[0]));
  const seen = layout.nodes.filter(([, top]) => top * scale < height * 0.6);
  const [left, right] = [Math.min(...seen.map(([x]) => x)), Math.max(...seen.map(([x, , wide]) => x + wide))];
  Object.assign(view, { scale, x: width / 2 - ((left + right) / 2) * scale, y: MARGIN });
  moved();
}

function show([x, y, wide, high]) {
  const { width, height } = bounds();
  if (view.scale < 0.5) view.scale = 0.8;
  const inside = (from, size, offset, room) => from * view.scale + offset >= 20 && (from + size) * view.scale + offset <= room - 20;
  if (!inside(x, wide, view.x, width)) view.x = width / 2 - (x + wide / 2) * view.scale;
  if (!inside(y, Math.min(high, HEAD), view.y, height)) view.y = height / 2 - (y + Math.min(high, HEAD) / 2) * view.scale;
  moved();
}

function mapScale() {
  const [wide, high] = layout.size;
  return Math.min(150 / wide, (bounds().height * 0.4) / high);
}

// The boxes, drawn anew only for another size or theme.
const boxesOfMap = { canvas: document.createElement("canvas"), of: "" };

function drawBoxes(scale, wide, high, dots, colours) {
  const of = [scale, dots, document.documentElement.dataset.theme].join();
  if (boxesOfMap.of === of) return;
  boxesOfMap.of = of;
  Object.assign(boxesOfMap.canvas, { width: wide * dots, height: high * dots });
  const brush = boxesOfMap.canvas.getContext("2d");
  brush.scale(dots, dots);
  const [outer, inner] = [colours.getPropertyValue("--rule"), colours.getPropertyValue("--faint")];
  graph.nodes.forEach((node, at) => {
    const [x, y, w, h] = layout.nodes[at].map((length) => length * scale);
    brush.fillStyle = node.bodies ? outer : inner;
    brush.fillRect(x, y, Math.max(w, 1), Math.max(h, 1));
  });
}

function drawHeat(brush, scale, colour) {
  brush.fillStyle = colour;
  heat.forEach((share, at) => {
    const [x, y, w, h] = layout.nodes[at].map((length) => length * scale);
    brush.globalAlpha = share;
    brush.fillRect(x, y, Math.max(w, 1), Math.max(h, 1));
  });
  brush.globalAlpha = 1;
}

function drawMap() {
  const { width, height } = bounds();
  map.hidden = whole() > 0.6 && view.scale <= whole() * 1.05;
  if (map.hidden) return;
  const scale = mapScale();
  const [wide, high] = [Math.max(12, layout.size[0] * scale), Math.max(12, layout.size[1] * scale)];
  const dots = window.devicePixelRatio || 1;
  const colours = getComputedStyle(document.documentElement);
  drawBoxes(scale, wide, high, dots, colours);
  Object.assign(map, { width: wide * dots, height: high * dots });
  Object.assign(map.style, { width: `${wide}px`, height: `${high}px` });
  const brush = map.getContext("2d");
  if (boxesOfMap.canvas.width && boxesOfMap.canvas.height) brush.drawImage(boxesOfMap.canvas, 0, 0);
  brush.scale(dots, dots);
  if (svg.classList.contains("heated")) drawHeat(brush, scale, colours.getPropertyValue("--warm"));
  brush.strokeStyle = colours.getPropertyValue("--hot");
  brush.lineWidth = 1.5;
  const at = (length) => (length / view.scale) * scale;
  brush.strokeRect(at(-view.x), at(-view.y), at(width), at(height));
}

function goto(event) {
  const { width, height } = bounds();
  const scale = mapScale();
  view.x = width / 2 - (event.offsetX / scale) * view.scale;
  view.y = height / 2 - (event.offsetY / scale) * view.scale;
  moved();
}

svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 16 : 1;
  if (event.ctrlKey || event.metaKey || !event.shiftKey) zoom(Math.exp(-event.deltaY * lines * 0.0016), event.offsetX, event.offsetY);
  else {
    view.x -= (event.deltaX || event.deltaY) * lines;
    moved();
  }
}, { passive: false });

const fingers = new Map();
let dragged = 0;

svg.addEventListener("pointerdown", (event) => {
  if (event.button > 0) return;
  fingers.set(event.pointerId, event);
  dragged = 0;
});
svg.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const [x, y] = [event.clientX - before.clientX, event.clientY - before.clientY];
  dragged += Math.abs(x) + Math.abs(y);
  if (dragged > 4 && !svg.hasPointerCapture(event.pointerId)) {
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("held");
  }
  const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
  if (other) {
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const corner = canvas.getBoundingClientRect();
    zoom(apart(event) / apart(before), (event.clientX + other.clientX) / 2 - corner.left, (event.clientY + other.clientY) / 2 - corner.top);
  }
  const share = fingers.size;
  Object.assign(view, { x: view.x + x / share, y: view.y + y / share });
  fingers.set(event.pointerId, event);
  moved();
});
for (const end of ["pointerup", "pointercancel"]) {
  svg.addEventListener(end, (event) => {
    fingers.delete(event.pointerId);
    svg.classList.remove("held");
  });
}
map.addEventListener("pointerdown", (event) => {
  map.setPointerCapture(event.pointerId);
  goto(event);
});
map.addEventListener("pointermove", (event) => event.buttons && goto(event));
new ResizeObserver(moved).observe(canvas);

"use strict";
// The drawing of the fabric on a canvas. Coordinates of the layout are units; `view` says where they are on the screen.
const view = { scale: 1, x: 0, y: 0, fitted: 1 };
const marks = { path: null, cycle: [], selected: null, changes: false };
const layerIsOn = [];
const kBuckets = 7;
let loads = { cables: null, most: 0, order: null };
let canvas, pen, colors, portOfCable;

function readColors() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  colors = { load: [] };
  for (const name of ["ground", "text", "quiet", "line", "bad", "accent", "switch", "host", "warn"]) colors[name] = value("--" + name);
  for (let i = 0; i < kBuckets; ++i) colors.load.push(value("--load-" + i));
}

// Which cable leaves a switch by a port, and from which end: by switch * 256 + port, twice the cable and 1 for the far end.
function indexCables() {
  const d = report.drawing;
  portOfCable = new Int32Array(d.sw_x.length * 256).fill(-1);
  for (let i = 0; i < d.link_a.length; ++i) {
    portOfCable[d.link_a[i] * 256 + d.link_pa[i]] = 2 * i;
    portOfCable[d.link_b[i] * 256 + d.link_pb[i]] = 2 * i + 1;
  }
}

// Pairs on each cable, in the direction that has more, by the entries of the steps that are switched on.
function sumLoads() {
  const d = report.drawing, count = d.link_a.length;
  const there = new Float64Array(count), back = new Float64Array(count), cables = new Float64Array(count);
  report.about.rows.forEach((row, r) => {
    if (!layerIsOn[r]) return;
    const ab = d["flow_ab_" + r], ba = d["flow_ba_" + r];
    for (let i = 0; i < count; ++i) {
      there[i] += ab[i];
      back[i] += ba[i];
    }
  });
  let most = 0;
  for (let i = 0; i < count; ++i) {
    cables[i] = Math.max(there[i], back[i]);
    most = Math.max(most, cables[i]);
  }
  loads = { there, back, cables, most };
}

function bucketOf(cable) {
  if (loads.most === 0 || loads.cables[cable] === 0) return 0;
  return Math.min(kBuckets - 1, Math.floor((loads.cables[cable] / loads.most) * kBuckets * 0.9999));
}

function screenX(x) { return (x - view.x) * view.scale; }
function screenY(y) { return (y - view.y) * view.scale; }

function fit() {
  const box = report.about.areas.reduce((all, area) => ({
    left: Math.min(all.left, area.box[0]), top: Math.min(all.top, area.box[1]),
    right: Math.max(all.right, area.box[2]), bottom: Math.max(all.bottom, area.box[3]) }),
    { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });
  if (!isFinite(box.left)) Object.assign(box, { left: 0, top: 0, right: 1, bottom: 1 });
  const width = canvas.clientWidth, height = canvas.clientHeight, margin = 30;
  view.scale = Math.min((width - 2 * margin) / (box.right - box.left), (height - 2 * margin) / (box.bottom - box.top), 70);
  view.fitted = view.scale;
  view.x = (box.left + box.right) / 2 - width / 2 / view.scale;
  view.y = (box.top + box.bottom) / 2 - height / 2 / view.scale;
  draw();
}

function zoom(factor, atX = canvas.clientWidth / 2, atY = canvas.clientHeight / 2) {
  const x = view.x + atX / view.scale, y = view.y + atY / view.scale;
  view.scale = Math.min(Math.max(view.scale * factor, view.fitted / 2), 400);
  view.x = x - atX / view.scale;
  view.y = y - atY / view.scale;
  draw();
}

function move(dx, dy) {
  view.x += dx / view.scale;
  view.y += dy / view.scale;
  draw();
}

function centerOn(sw) {
  const d = report.drawing;
  view.scale = Math.max(view.scale, Math.min(60, view.fitted * 12));
  view.x = d.sw_x[sw] - canvas.clientWidth / 2 / view.scale;
  view.y = d.sw_y[sw] - canvas.clientHeight / 2 / view.scale;
  draw();
}

let waits = true;  // nothing is drawn before the page is put together
function draw() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    drawNow();
  });
}

function drawNow() {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.fillStyle = colors.ground;
  pen.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  drawBoxes();
  drawCables();
  for (const cycle of marks.cycle) drawRoute(cycle, colors.bad, [9, 5]);
  drawHosts();
  drawSwitches();
  if (marks.path) drawRoute(marks.path, colors.accent, []);
  drawSelected();
}

function rectangle(box, grow = 0) {
  pen.strokeRect(screenX(box[0]) - grow, screenY(box[1]) - grow, (box[2] - box[0]) * view.scale + 2 * grow,
    (box[3] - box[1]) * view.scale + 2 * grow);
}

function drawBoxes() {
  pen.lineWidth = 1;
  pen.strokeStyle = colors.line;
  for (const box of report.about.groups) rectangle(box);
  report.about.areas.forEach((area) => {
    const isOn = layerIsOn[area.row];
    pen.setLineDash(isOn ? [] : [3, 5]);
    pen.lineWidth = 1.5;
    pen.strokeStyle = colors.quiet;
    if (report.about.areas.length > 1) rectangle(area.box, 4);
    pen.fillStyle = colors.quiet;
    pen.font = "13px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    const title = area.title + (isOn ? "" : " (off)");
    const right = canvas.clientWidth - 8 - pen.measureText(title).width;
    pen.fillText(title, Math.max(8, Math.min(screenX(area.box[0]), right)), Math.max(16, screenY(area.box[1]) - 9));
  });
  pen.setLineDash([]);
}

// A cable around a torus bends beside the switches that it passes. Switches along the third dimension are one unit apart.
function bendOf(cable) {
  const d = report.drawing, a = d.link_a[cable], b = d.link_b[cable], area = report.about.areas[d.sw_area[a]];
  if (d.sw_area[a] !== d.sw_area[b] || area.shape !== "grid") return 0;
  const wide = Math.abs(d.sw_x[a] - d.sw_x[b]), high = Math.abs(d.sw_y[a] - d.sw_y[b]);
  const unit = Math.min(wide, high) < 0.1 ? area.pitch : 1;
  return Math.hypot(wide, high) > 1.2 * unit ? 0.35 * unit : 0;
}

function traceCable(cable) {
  const d = report.drawing, a = d.link_a[cable], b = d.link_b[cable];
  const xa = screenX(d.sw_x[a]), ya = screenY(d.sw_y[a]), xb = screenX(d.sw_x[b]), yb = screenY(d.sw_y[b]);
  if (Math.max(xa, xb) < 0 || Math.max(ya, yb) < 0 || Math.min(xa, xb) > canvas.clientWidth ||
      Math.min(ya, yb) > canvas.clientHeight) return;
  pen.moveTo(xa, ya);
  const bend = bendOf(cable) * view.scale;
  if (bend === 0) {
    pen.lineTo(xb, yb);
    return;
  }
  const length = Math.hypot(xb - xa, yb - ya);
  const nx = (-(yb - ya) / length) * bend, ny = ((xb - xa) / length) * bend;
  pen.bezierCurveTo(xa + nx + (xb - xa) * 0.15, ya + ny + (yb - ya) * 0.15, xb + nx - (xb - xa) * 0.15,
    yb + ny - (yb - ya) * 0.15, xb, yb);
}

// Of cables that fall on one another, two pixels apart at most, one stands for all: a large fabric is drawn in a fraction of the time.
function distinct(cables) {
  if (cables.length < 4000) return cables;
  const d = report.drawing, seen = new Set();
  const pixel = (value) => (Math.round(value / 2) & 0xfff);
  return cables.filter((cable) => {
    const a = d.link_a[cable], b = d.link_b[cable];
    const key = ((pixel(screenX(d.sw_x[a])) * 4096 + pixel(screenY(d.sw_y[a]))) * 4096 + pixel(screenX(d.sw_x[b]))) * 4096 +
      pixel(screenY(d.sw_y[b]));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function drawCables() {
  const count = report.drawing.link_a.length;
  const lists = Array.from({ length: kBuckets }, () => []);
  for (let i = 0; i < count; ++i) lists[bucketOf(i)].push(i);
  const near = Math.min(count > 4000 ? 0.35 : 1, view.scale / (8 * view.fitted));
  lists.forEach((all, bucket) => {
    const list = distinct(all);
    if (list.length === 0) return;
    pen.globalAlpha = Math.max(0.25, Math.min(1, 1600 / list.length + near));
    pen.beginPath();
    pen.strokeStyle = colors.load[bucket];
    pen.lineWidth = (0.6 + (bucket * 3.4) / (kBuckets - 1)) * (count > 4000 ? 0.5 : 1);
    for (const cable of list) traceCable(cable);
    pen.stroke();
  });
  pen.globalAlpha = 1;
}

// Where the k-th of n hosts of a switch is: in rows below it in trees, else around it.
function hostPlace(sw, k, n) {
  const d = report.drawing;
  if (report.about.areas[d.sw_area[sw]].shape === "tree") {
    const columns = Math.min(n, 6), row = Math.floor(k / columns);
    return [d.sw_x[sw] + ((k % columns) - (columns - 1) / 2) * 0.14, d.sw_y[sw] + 0.34 + 0.13 * row];
  }
  const angle = ((k + 0.5) / n) * 2 * Math.PI;
  return [d.sw_x[sw] + 0.42 * Math.sin(angle), d.sw_y[sw] + 0.42 * Math.cos(angle)];
}

function isSeen(sw, margin = 1) {
  const x = screenX(report.drawing.sw_x[sw]), y = screenY(report.drawing.sw_y[sw]), edge = margin * view.scale;
  return x > -edge && y > -edge && x < canvas.clientWidth + edge && y < canvas.clientHeight + edge;
}

function drawHosts() {
  if (view.scale < 16) return;
  const d = report.drawing, size = Math.max(1.5, view.scale * 0.045);
  pen.fillStyle = colors.host;
  for (let sw = 0; sw < d.sw_x.length; ++sw) {
    const begin = d.host_begin[sw], n = d.host_begin[sw + 1] - begin;
    if (n === 0 || !isSeen(sw)) continue;
    for (let k = 0; k < n; ++k) {
      const [x, y] = hostPlace(sw, k, n);
      pen.beginPath();
      pen.arc(screenX(x), screenY(y), size, 0, 7);
      pen.fill();
      if (view.scale > 190) label(report.about.hosts[begin + k], screenX(x), screenY(y) + size + 2, 10);
    }
  }
}

function label(text, x, y, size) {
  pen.font = `${size}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  const shown = text.length > 24 ? text.slice(0, 23) + "…" : text;
  pen.lineWidth = 3;
  pen.strokeStyle = colors.ground;
  pen.strokeText(shown, x, y);
  const before = pen.fillStyle;
  pen.fillStyle = colors.text;
  pen.fillText(shown, x, y);
  pen.fillStyle = before;
}

function drawSwitches() {
  const d = report.drawing;
  const size = Math.max(2, Math.min(26, view.scale * 0.36));
  for (let sw = 0; sw < d.sw_x.length; ++sw) {
    if (!isSeen(sw)) continue;
    const x = screenX(d.sw_x[sw]), y = screenY(d.sw_y[sw]);
    const changed = marks.changes && d.sw_changes ? d.sw_changes[sw] : 0;
    pen.fillStyle = changed > 0 ? colors.warn : colors.switch;
    pen.fillRect(x - size / 2, y - size / 2, size, size);
    if (changed > 0) {
      pen.strokeStyle = colors.warn;
      pen.lineWidth = 2;
      pen.strokeRect(x - size / 2 - 3, y - size / 2 - 3, size + 6, size + 6);
    }
  }
  if (view.scale < 34) return;
  for (let sw = 0; sw < d.sw_x.length; ++sw)
    if (isSeen(sw)) label(report.about.switches[sw], screenX(d.sw_x[sw]), screenY(d.sw_y[sw]) - size / 2 - 15, 11);
}

// Cables one after the other, with arrows: [switch, port by which it is left].
function drawRoute(hops, color, dash) {
  const d = report.drawing;
  for (const [width, stroke] of [[8, colors.ground], [4, color]]) {
    pen.lineWidth = width;
    pen.strokeStyle = stroke;
    pen.setLineDash(stroke === color ? dash : []);
    for (const [sw, out] of hops) {
      const at = portOfCable[sw * 256 + out];
      if (at < 0) continue;
      pen.beginPath();
      traceCable(at >> 1);
      pen.stroke();
    }
  }
  pen.setLineDash([]);
  pen.fillStyle = color;
  for (const [sw, out] of hops) {
    const at = portOfCable[sw * 256 + out];
    if (at < 0) continue;
    const other = at & 1 ? d.link_a[at >> 1] : d.link_b[at >> 1];
    if (bendOf(at >> 1) === 0) arrow(sw, other);
  }
  const size = Math.max(5, Math.min(30, view.scale * 0.42));
  for (const [sw] of hops) pen.fillRect(screenX(d.sw_x[sw]) - size / 2, screenY(d.sw_y[sw]) - size / 2, size, size);
}

function arrow(from, to) {
  const d = report.drawing;
  const x = screenX((d.sw_x[from] + 1.4 * d.sw_x[to]) / 2.4), y = screenY((d.sw_y[from] + 1.4 * d.sw_y[to]) / 2.4);
  const angle = Math.atan2(d.sw_y[to] - d.sw_y[from], d.sw_x[to] - d.sw_x[from]);
  pen.beginPath();
  for (const turn of [0, 2.5, -2.5]) pen.lineTo(x + 10 * Math.cos(angle + turn), y + 10 * Math.sin(angle + turn));
  pen.fill();
}

function drawSelected() {
  if (!marks.selected) return;
  const d = report.drawing;
  pen.strokeStyle = colors.accent;
  pen.lineWidth = 3;
  if (marks.selected.cable !== undefined) {
    pen.beginPath();
    traceCable(marks.selected.cable);
    pen.stroke();
    return;
  }
  pen.beginPath();
  pen.arc(screenX(d.sw_x[marks.selected.sw]), screenY(d.sw_y[marks.selected.sw]), Math.max(10, view.scale * 0.32), 0, 7);
  pen.stroke();
}

// What is nearest to a place on the screen, within 12 pixels.
function nearestTo(px, py) {
  const d = report.drawing;
  let best = null, distance = 12;
  for (let sw = 0; sw < d.sw_x.length; ++sw) {
    const away = Math.hypot(screenX(d.sw_x[sw]) - px, screenY(d.sw_y[sw]) - py);
    if (away < distance) [best, distance] = [{ sw }, away];
  }
  if (best) return best;
  for (let i = 0; i < d.link_a.length; ++i) {
    const xa = screenX(d.sw_x[d.link_a[i]]), ya = screenY(d.sw_y[d.link_a[i]]);
    const xb = screenX(d.sw_x[d.link_b[i]]), yb = screenY(d.sw_y[d.link_b[i]]);
    const length = (xb - xa) ** 2 + (yb - ya) ** 2;
    const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((px - xa) * (xb - xa) + (py - ya) * (yb - ya)) / length));
    const away = Math.hypot(xa + t * (xb - xa) - px, ya + t * (yb - ya) - py);
    if (away < Math.min(distance, 5)) [best, distance] = [{ cable: i }, away];
  }
  return best;
}

function listenToMap(choose) {
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, y: event.clientY, moved: 0 };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    drag = { x: event.clientX, y: event.clientY, moved: drag.moved + Math.abs(dx) + Math.abs(dy) };
    move(-dx, -dy);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && drag.moved < 5) choose(nearestTo(event.offsetX, event.offsetY));
    drag = null;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
  }, { passive: false });
  const keys = { ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0), ArrowUp: () => move(0, -60),
    ArrowDown: () => move(0, 60), "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit };
  canvas.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  document.getElementById("zoom-in").addEventListener("click", () => zoom(1.4));
  document.getElementById("zoom-out").addEventListener("click", () => zoom(1 / 1.4));
  document.getElementById("zoom-fit").addEventListener("click", fit);
  new ResizeObserver(draw).observe(canvas);
}

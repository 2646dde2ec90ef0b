"use strict";
// The parts of the page beside the drawing. Names come from the fabric and are never taken for markup.
const byId = (id) => document.getElementById(id);

function nameOfSwitch(sw) {
  return report.about.switches[sw];
}

function titleOfRow(row) {
  const { id, engine } = report.about.rows[row];
  return id === 0 ? "tables" : `step ${id} ${engine}`;
}

function showHeader() {
  const { about } = report;
  document.title = `${about.verdict.word}: ${about.source.name}`;
  byId("source").textContent = `${about.source.what} ${about.source.name}`;
  const grade = { proven: ["good", "✓"], refused: ["bad", "✗"], open: ["warn", "!"] }[about.verdict.grade];
  byId("verdict").className = grade[0];
  byId("verdict").append(element("h1", {}, `${grade[1]} ${about.verdict.claim}`),
    element("p", {}, about.verdict.size), ...about.verdict.notes.map((note) => element("p", {}, note)));
  const figures = [["Switches", about.switches.length], ["Hosts", about.hosts.length], ["Cables", report.drawing.link_a.length],
    ["Pairs of hosts", about.verdict.pairs], ["Channels", about.verdict.channels], ["Most pairs on a cable", loads.most]];
  byId("figures").append(...figures.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, figure(value)))));
}

function hopWords(hop) {
  const lane = hop[3] === null ? "" : ` VL ${hop[3]}`;
  return `${nameOfSwitch(hop[0])} in ${hop[1]} out ${hop[2]}${lane}`;
}

// The channels of a cycle, as a ring with arrows.
function ring(witness) {
  const size = 400, middle = size / 2, radius = 105, n = witness.length;
  const at = (i) => {
    const angle = (2 * Math.PI * i) / n - Math.PI / 2;
    return [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)];
  };
  const svg = drawn("svg", { class: "cycle", viewBox: `0 0 ${size} ${size}`, width: "100%", role: "img",
    "aria-label": "Cycle: " + witness.map(hopWords).join(", then ") });
  witness.forEach((hop, i) => {
    const [x, y] = at(i), [nx, ny] = at((i + 1) % n), length = Math.hypot(nx - x, ny - y) || 1;
    const ux = (nx - x) / length, uy = (ny - y) / length, ex = nx - 17 * ux, ey = ny - 17 * uy;
    svg.append(drawn("line", { x1: x + 12 * ux, y1: y + 12 * uy, x2: ex, y2: ey }));
    svg.append(drawn("path", { class: "tip",
      d: `M${nx - 11 * ux} ${ny - 11 * uy}L${ex - 5 * uy} ${ey + 5 * ux}L${ex + 5 * uy} ${ey - 5 * ux}Z` }));
  });
  witness.forEach((hop, i) => {
    const [x, y] = at(i), out = 18, lx = middle + ((x - middle) * (radius + out)) / radius, ly = middle + ((y - middle) * (radius + out)) / radius;
    svg.append(drawn("circle", { class: "place", cx: x, cy: y, r: 10 }), drawn("text", { x, y: y + 4, "text-anchor": "middle" }, String(i + 1)));
    if (n <= 16) svg.append(drawn("text", { x: lx, y: ly + 4, "text-anchor": Math.abs(lx - middle) < 20 ? "middle" : lx < middle ? "end" : "start" },
      nameOfSwitch(hop[0]).slice(0, 16)));
  });
  return svg;
}

function witnessList(witness) {
  return element("ol", { class: "hops" }, ...witness.map((hop) => {
    const packet = hop[4] === "" ? null : element("span", { class: "quiet" }, `used by ${hop[4]} to LID ${hop[5]}, SL ${hop[6]}`);
    const lane = hop[3] === null ? "" : `, VL ${hop[3]}`;
    return element("li", {}, `${nameOfSwitch(hop[0])}: in port ${hop[1]}, out port ${hop[2]}${lane}`, packet);
  }));
}

function showFindings() {
  const { findings } = report.about.verdict;
  byId("findings-section").hidden = findings.length === 0;
  for (const finding of findings) {
    const isCycle = ["credit-loop", "loop"].includes(finding.kind) && finding.witness.length > 1;
    if (isCycle) marks.cycle.push(finding.witness.map((hop) => [hop[0], hop[2]]));
    const words = element("div", {}, element("h3", {}, `${finding.accepted ? "Accepted: " : ""}${finding.title}`),
      element("p", { class: "quiet" }, finding.explained), witnessList(finding.witness));
    byId("findings").append(element("div", { class: finding.accepted ? "finding accepted" : "finding" },
      isCycle ? element("div", { class: "finding-grid" }, ring(finding.witness), words) : words));
  }
}

function showLegend() {
  const svg = drawn("svg", { width: 150, height: 16, role: "img", "aria-label": "thin and light: few pairs; wide and dark: many" });
  for (let i = 0; i < kBuckets; ++i)
    svg.append(drawn("line", { x1: 21 * i + 2, x2: 21 * i + 21, y1: 8, y2: 8, stroke: colors.load[i], "stroke-width": 1 + i * 1.6 }));
  byId("legend").replaceChildren(`0`, svg, `${figure(loads.most)} pairs of hosts on a cable`);
}

function showLayers(changed) {
  report.about.rows.forEach((row, r) => {
    layerIsOn[r] = true;
    const box = element("input", { type: "checkbox", id: "layer-" + r, checked: "" });
    box.addEventListener("change", () => {
      layerIsOn[r] = box.checked;
      changed();
    });
    byId("layers").append(element("label", { class: "layer" }, box, `${titleOfRow(r)}: ${counted(row.switches, "switch", "switches")}`));
  });
  if (!report.drawing.sw_changes) return;
  const box = element("input", { type: "checkbox", id: "show-changes" });
  box.addEventListener("change", () => {
    marks.changes = box.checked;
    draw();
  });
  byId("layers").append(element("label", { class: "layer" }, box, "mark switches whose entries change"));
}

function showPath(path) {
  const target = byId("path");
  marks.path = path.hops.map((hop) => [hop.sw, hop.out]);
  const level = path.sl === null ? "service level not known" : `SL ${path.sl}`;
  const lines = path.hops.map((hop) => {
    const load = hop.cable === undefined ? null : element("span", { class: "quiet" },
      `${counted((hop.cable & 1 ? loads.back : loads.there)[hop.cable >> 1], "pair")} on this cable`);
    const lane = hop.vl === null ? "" : `, VL ${hop.vl}`;
    const writer = hop.row === null ? ", no entry" : report.about.rows[hop.row].id === 0 ? "" : `, ${titleOfRow(hop.row)}`;
    const out = hop.out === kNoPath ? "" : `, out ${hop.out}`;
    return element("li", {}, `${nameOfSwitch(hop.sw)}: in ${hop.in}${out}${lane}${writer}`, load);
  });
  target.replaceChildren(element("p", {}, path.reached
    ? `Reached through ${counted(path.hops.length, "switch", "switches")}, LID ${path.lid}, ${level}`
    : `Not reached, LID ${path.lid}: ${path.end}`), element("ol", { class: "hops" }, ...lines));
  draw();
}

function cableWords(cable) {
  const d = report.drawing;
  return `${nameOfSwitch(d.link_a[cable])} port ${d.link_pa[cable]} – ${nameOfSwitch(d.link_b[cable])} port ${d.link_pb[cable]}`;
}

function keysOf(host) {
  const d = report.drawing;
  if (!d.key_begin) return "";
  return Array.from(d.keys.subarray(d.key_begin[host], d.key_begin[host + 1]), (key) => hex(key, 4)).join(", ");
}

function aboutSwitch(sw) {
  const d = report.drawing, begin = d.host_begin[sw], end = d.host_begin[sw + 1];
  const changes = d.sw_changes ? [["Entries that change", figure(d.sw_changes[sw])]] : [];
  const rows = [["GUID", hex(d.sw_guid[sw], 16)], ["LID", String(d.sw_lid[sw])], ["Ports", String(d.sw_ports[sw])],
    ["Hosts", figure(end - begin)], ...changes];
  const hosts = Array.from({ length: Math.min(64, end - begin) }, (_, k) => element("li", {}, report.about.hosts[begin + k]));
  const left = end - begin - hosts.length;
  return [element("p", {}, element("strong", {}, nameOfSwitch(sw))), table(["", ""], rows),
    element("ul", {}, ...hosts, left > 0 ? element("li", { class: "quiet" }, `and ${left} more`) : "")];
}

function aboutHost(host) {
  const d = report.drawing;
  const rows = [["GUID", hex(d.host_guid[host], 16)], ["LID", String(d.host_lid[host])],
    ["Switch", `${nameOfSwitch(d.host_switch[host])} port ${d.host_port[host]}`]];
  if (keysOf(host) !== "") rows.push(["P_Keys", keysOf(host)]);
  return [element("p", {}, element("strong", {}, report.about.hosts[host])), table(["", ""], rows)];
}

function aboutCable(cable) {
  const d = report.drawing;
  return [element("p", {}, element("strong", {}, cableWords(cable))), table(["", ""], [
    ["Rate", report.about.rates[d.link_rate[cable]]],
    [`From ${nameOfSwitch(d.link_a[cable])}`, counted(loads.there[cable], "pair")],
    [`From ${nameOfSwitch(d.link_b[cable])}`, counted(loads.back[cable], "pair")]])];
}

function choose(what) {
  marks.selected = what;
  byId("selected").replaceChildren(...(!what ? [] : what.cable !== undefined ? aboutCable(what.cable)
    : what.host !== undefined ? aboutHost(what.host) : aboutSwitch(what.sw)));
  draw();
}

function showSteps() {
  const rows = report.about.steps.map((step) => [String(step.id), step.engine,
    step.topology === 0 ? "whole fabric" : `topology ${step.topology}`, step.outcome, figure(step.entries)]);
  if (rows.length === 0) byId("steps").append(element("p", {}, "The tables do not tell which steps wrote them."));
  else byId("steps").append(table(["Step", "Engine", "Routes", "Outcome", "#Table entries"], rows));
}

function range(low, high) {
  return low === high ? figure(low) : `${figure(low)}–${figure(high)}`;
}

// Cables by load, in equal ranges.
function loadRanges() {
  const bins = Math.min(12, loads.most + 1), counts = new Array(bins).fill(0);
  if (loads.most === 0) return [];
  for (const load of loads.cables) ++counts[Math.min(bins - 1, Math.floor((load * bins) / (loads.most + 1)))];
  const low = (i) => Math.ceil((i * (loads.most + 1)) / bins);
  return counts.map((count, i) => [range(low(i), low(i + 1) - 1), count]);
}

function showLoad() {
  const order = Array.from(loads.cables.keys()).sort((a, b) => loads.cables[b] - loads.cables[a]).slice(0, 12);
  const off = layerIsOn.filter((isOn) => !isOn).length;
  byId("load").replaceChildren(
    element("p", {}, "Every host sends to every LID of the others; a pair loads each cable on its path, in one direction." +
      (off > 0 ? ` Entries of ${counted(off, "step")} are left out.` : "")),
    element("div", { class: "columns" },
      element("div", {}, element("h3", {}, "Cables by pairs of hosts, in the direction with more"), bars(loadRanges(), "cables")),
      element("div", {}, element("h3", {}, "Fullest cables"), table(["Cable", "#One way", "#Other way"],
        order.map((i) => [cableWords(i), figure(loads.there[i]), figure(loads.back[i])])))));
}

function histogram(title, bins, unit) {
  return element("div", {}, element("h3", {}, title), bars(bins.map((bin) => [String(bin.value), bin.count]), unit));
}

function showMetrics() {
  const { hops, metrics } = report.about;
  byId("metrics-section").hidden = false;
  const charts = [histogram("Pairs of hosts by cables on their path", hops, "pairs")];
  if (metrics) {
    charts.push(histogram("Directions of cables by hosts that are reached over them", metrics.destinations_per_link, "directions"));
    charts.push(table(["Pattern", "Figure"], [
      ["All to all", `at most ${figure(metrics.all_to_all.most)} flows on a cable, at least ${figure(metrics.all_to_all.least)}`],
      ["Shifts", `${metrics.shifts.mean.toFixed(3)} flows on the fullest cable on average, ${metrics.shifts.worst} at worst`],
      ["Random permutations", `${metrics.random.permutation.toFixed(3)} flows on the fullest cable on average`],
      ["Effective bisection", `${metrics.random.bisection.toFixed(4)} of a cable's bandwidth`]]));
  }
  byId("metrics").append(element("div", { class: "columns" }, ...charts));
}

const kMatrix = 40;
function matrix(tenants) {
  const names = tenants.partitions.map((p) => p.key);
  const meets = new Map(tenants.meetings.map((m) => [`${m.a} ${m.b}`, m]));
  const cell = (a, b) => {
    if (a === b) return element("td", {}, "–");
    const met = meets.get(a < b ? `${a} ${b}` : `${b} ${a}`);
    if (!met) return element("td", { class: "apart" }, "apart");
    return met.shared > 0 ? element("td", { class: "share" }, `share ${figure(met.shared)}`) : element("td", { class: "meet" }, "MEET");
  };
  return element("div", { class: "scroll" }, element("table", { class: "matrix" },
    element("thead", {}, element("tr", {}, element("th"), ...names.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...names.map((a) => element("tr", {}, element("th", { scope: "row" }, a), ...names.map((b) => cell(a, b)))))));
}

function showTenants() {
  const { tenants } = report.about;
  if (!tenants) return;
  byId("tenants-section").hidden = false;
  const shown = tenants.partitions.length <= kMatrix;
  byId("tenants").append(
    element("p", {}, `${counted(tenants.pairs, "pair")} of tenants: ${figure(tenants.apart)} apart, ${figure(tenants.sharing)} share ports, ` +
      `${figure(tenants.meeting)} exchange packets in a third partition.` +
      (tenants.unknown > 0 ? ` The P_Keys of ${counted(tenants.unknown, "port")} are not known.` : "")),
    shown ? matrix(tenants) : element("p", {}, `A matrix of ${tenants.partitions.length} tenants is not drawn; the pairs that are not apart follow.`),
    table(["Partition", "#Full members", "#Limited members", "#Others that its packets reach"],
      tenants.partitions.map((p) => [p.key, figure(p.full), figure(p.limited), figure(p.reached)])));
  if (tenants.meetings.length === 0) return;
  byId("tenants").append(element("h3", {}, "Not apart"), table(["Tenants", "Why"],
    tenants.meetings.slice(0, 200).map((m) => [`${m.a}, ${m.b}`, m.why])));
  if (tenants.not_apart > 200)
    byId("tenants").append(element("p", { class: "quiet" }, `${figure(tenants.not_apart)} pairs are not apart; the first 200 are listed.`));
}

function showDiff() {
  const { diff } = report.about;
  if (!diff) return;
  byId("diff-section").hidden = false;
  const switches = diff.entries.switches.slice().sort((a, b) => b.total - a.total).slice(0, 200);
  const charts = diff.equal ? [] : [element("h3", {}, "Switches by entries that change"), table(["Switch", "#Changed", "#New", "#Gone"],
    switches.map((s) => [s.node, figure(s.changed), figure(s.new), figure(s.gone)]))];
  if (diff.entries.switches.length > 200) charts.push(element("p", { class: "quiet" }, `${figure(diff.entries.switches.length)} switches change; 200 are listed.`));
  byId("diff").append(element("p", {}, `Compared with ${diff.before}.`), element("pre", {}, diff.text), ...charts);
}

function showWhatif() {
  const { whatif } = report.about;
  if (!whatif) return;
  byId("whatif-section").hidden = false;
  const spreads = whatif.spreads.map((spread) => element("div", {}, element("h3", {}, spread.what),
    bars(spread.histogram.map((bin) => [range(bin.low, bin.high), bin.cases]), "cases")));
  if (!whatif.same_fabric)
    byId("whatif").append(element("p", { class: "notice" }, "The cases are of another fabric than this report."));
  byId("whatif").append(element("pre", {}, whatif.text), element("div", { class: "columns" }, ...spreads));
}

function showAbout() {
  const { about } = report;
  const rows = [["Written by", about.rch], ["Fingerprint of the fabric", about.fingerprint],
    ...about.configuration.map((file) => [`Configuration ${file.file}`, file.hash])];
  byId("about").append(table(["", ""], rows), element("details", {}, element("summary", {}, "The verdict as text"),
    element("pre", {}, about.verdict.text)),
    element("p", { class: "quiet" }, "A channel is a virtual lane of one direction of a cable. A channel depends on another when packets hold the one and request the other. A cycle of dependencies is a credit loop: it can stop all traffic for ever."));
}

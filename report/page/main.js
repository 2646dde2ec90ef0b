"use strict";
// Puts the page together, and keeps the pair and the layers in the address, so that a link shows the same.

function showPair() {
  const [from, wrongFrom] = oneHost(byId("from").value), [to, wrongTo] = oneHost(byId("to").value);
  const wrong = wrongFrom || wrongTo || (from === to ? "These are the same host." : "");
  if (wrong) {
    marks.path = null;
    byId("path").replaceChildren(element("p", { class: "error" }, wrong));
    draw();
    return Promise.resolve();
  }
  return tablesOf().then(() => {
    showPath(pathOf(from, to));
    saveAddress();
  });
}

function saveAddress() {
  const address = new URLSearchParams();
  for (const id of ["from", "to"]) if (byId(id).value) address.set(id, byId(id).value);
  const off = layerIsOn.flatMap((isOn, r) => (isOn ? [] : [r]));
  if (off.length > 0) address.set("off", off.join(","));
  history.replaceState(null, "", "#" + address);
}

function readAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  for (const id of ["from", "to"]) byId(id).value = address.get(id) ?? "";
  const off = (address.get("off") ?? "").split(","), before = layerIsOn.join();
  layerIsOn.forEach((_, r) => (byId("layer-" + r).checked = layerIsOn[r] = !off.includes(String(r))));
  if (layerIsOn.join() !== before) layersChanged();
  if (byId("find").value = address.get("find") ?? "") findNode();
  return byId("from").value && byId("to").value ? showPair() : Promise.resolve();
}

function layersChanged() {
  sumLoads();
  showLegend();
  showLoad();
  saveAddress();
  draw();
}

function findNode() {
  const word = byId("find").value, switches = switchesNamed(word), hosts = switches.length > 0 ? [] : hostsNamed(word);
  const found = switches.length + hosts.length;
  if (found !== 1) {
    byId("selected").replaceChildren(element("p", { class: "error" }, found === 0 ? `Nothing is called “${word}”.`
      : `${figure(found)} nodes are called “${word}”; name one by its GUID.`));
    return;
  }
  const sw = switches.length > 0 ? switches[0] : report.drawing.host_switch[hosts[0]];
  choose(switches.length > 0 ? { sw } : { sw, host: hosts[0] });
  centerOn(sw);
}

function offerNames(input, list, lists) {
  byId(input).addEventListener("input", () => {
    byId(list).replaceChildren(...namesLike(byId(input).value, lists).map((name) => element("option", { value: name })));
  });
}

function listenToForms() {
  byId("path-form").addEventListener("submit", (event) => {
    event.preventDefault();
    showPair();
  });
  byId("swap-path").addEventListener("click", () => {
    [byId("from").value, byId("to").value] = [byId("to").value, byId("from").value];
    showPair();
  });
  byId("find-form").addEventListener("submit", (event) => {
    event.preventDefault();
    findNode();
  });
  offerNames("from", "hosts-from", [report.about.hosts]);
  offerNames("to", "hosts-to", [report.about.hosts]);
  offerNames("find", "nodes", [report.about.switches, report.about.hosts]);
}

async function begin() {
  report.about = JSON.parse(textOf("data"));
  report.drawing = await arraysOf("drawing");
  canvas = byId("map");
  readColors();
  indexCables();
  showLayers(layersChanged);
  sumLoads();
  showHeader();
  showFindings();
  showLegend();
  showSteps();
  showLoad();
  showMetrics();
  showTenants();
  showDiff();
  showWhatif();
  showAbout();
  canvas.setAttribute("aria-label", report.about.drawn);
  listenToMap(choose);
  listenToForms();
  fit();
  await readAddress();
  waits = false;
  draw();
  addEventListener("hashchange", readAddress);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readColors();
    showLegend();
    draw();
  });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    document.documentElement.dataset.state = "ready";
    document.documentElement.dataset.milliseconds = Math.round(performance.now());
  }));
}

begin().catch((error) => {
  document.documentElement.dataset.state = "failed";
  byId("verdict").className = "bad";
  byId("verdict").replaceChildren(element("h1", {}, "This report cannot be shown"), element("p", {}, String(error)),
    element("p", {}, "It needs a browser of 2023 or later (DecompressionStream)."));
});

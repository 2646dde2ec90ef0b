"use strict";
// What the report is about: `report.about` is an object, `report.drawing` and `report.tables` are typed arrays by name.
const report = { about: null, drawing: null, tables: null };

const kArrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array, f32: Float32Array };

function textOf(id) {
  return document.getElementById(id).textContent;
}

// Base64 of the zlib format, as typed arrays that share one buffer.
async function arraysOf(id) {
  const packed = Uint8Array.from(atob(textOf(id)), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  const arrays = {};
  for (const [name, [type, offset, count]] of Object.entries(JSON.parse(textOf(id + "-index")))) {
    arrays[name] = new kArrays[type](buffer, offset, count);
  }
  return arrays;
}

let tablesAsked = null;
// The tables are unpacked when the first path is asked for.
function tablesOf() {
  tablesAsked ??= arraysOf("tables").then((arrays) => (report.tables = arrays));
  return tablesAsked;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const counts = new Intl.NumberFormat("en");
function figure(value) {
  return counts.format(value);
}

function counted(count, noun, nouns = noun + "s") {
  return figure(count) + " " + (count === 1 ? noun : nouns);
}

function hex(value, digits) {
  return "0x" + value.toString(16).padStart(digits, "0");
}

// Rows of texts and elements as a table; names of columns that begin with `#` hold numbers.
function table(columns, rows) {
  const isNumber = columns.map((name) => name.startsWith("#"));
  const head = columns.map((name, i) =>
    element("th", isNumber[i] ? { class: "number", scope: "col" } : { scope: "col" }, name.replace(/^#/, "")));
  const body = rows.map((row) => element("tr", {}, ...row.map((cell, i) =>
    element("td", isNumber[i] ? { class: "number" } : {}, cell))));
  return element("div", { class: "scroll" },
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)));
}

// Bars, one a line: [label, value, what a reader hears].
function bars(rows, unit) {
  const most = Math.max(1, ...rows.map((row) => row[1]));
  const height = 20 * rows.length + 4;
  const svg = drawn("svg", { class: "chart", width: "100%", height, role: "img",
    "aria-label": rows.map((row) => `${row[0]}: ${figure(row[1])} ${unit}`).join("; ") });
  rows.forEach(([label, value], i) => {
    const y = 20 * i + 2;
    svg.append(drawn("text", { x: "34%", y: y + 13, "text-anchor": "end", class: "quiet-text" }, label));
    svg.append(drawn("rect", { x: "36%", y: y + 2, height: 14, width: `${(44 * value) / most}%` }));
    svg.append(drawn("text", { x: `${36.8 + (44 * value) / most}%`, y: y + 13 }, figure(value)));
  });
  return svg;
}

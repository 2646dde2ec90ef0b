"use strict";
// Paths by the tables of the report, as `rch trace` follows them.
const kNoPath = 255, kDrops = 15;

function holds(bits, i) {
  return (bits[i >> 3] & (1 << (i & 7))) !== 0;
}

function isHole(holes, key) {
  let low = 0, high = holes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holes[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low < holes.length && holes[low] === key;
}

// The step that wrote an entry: the last one that covers it.
function stepOf(sw, lid) {
  for (let r = report.about.rows.length - 1; r > 0; --r) {
    const covers = holds(report.tables["step_switches_" + r], sw) && holds(report.tables["step_lids_" + r], lid);
    if (covers && !isHole(report.tables["step_holes_" + r], sw * 65536 + lid)) return r;
  }
  return 0;
}

function entryOf(sw, lid) {
  return lid < report.about.stride ? report.tables.entries[sw * report.about.stride + lid] : kNoPath;
}

// The service level of a path; null: the report does not know it.
function serviceLevelOf(sw, host) {
  if (report.about.sls === "common") return report.about.common_sl;
  if (report.about.sls === "unknown") return null;
  return report.tables.sls[host * report.drawing.sw_x.length + sw];
}

// The virtual lane of a packet that leaves a switch; null: not known.
function laneOf(sw, port, out, sl) {
  if (sl === null || !report.about.knows_lanes) return null;
  if (!report.tables.map_ids) return sl === 15 ? 7 : sl;
  const ports = report.drawing.sw_ports[sw] + 1;
  return report.tables.maps[report.tables.map_ids[report.tables.map_begin[sw] + port * ports + out] * 16 + sl];
}

// Follows the path from one host to another: its hops, and how it ends.
function pathOf(from, to) {
  const d = report.drawing;
  const path = { from, to, lid: d.host_lid[to], hops: [], end: "", reached: false };
  let sw = d.host_switch[from], port = d.host_port[from];
  path.sl = serviceLevelOf(sw, to);
  const seen = new Set();
  while (path.end === "" && !path.reached) {
    const out = entryOf(sw, path.lid);
    const hop = { sw, in: port, out, row: out === kNoPath ? null : stepOf(sw, path.lid), vl: null };
    path.hops.push(hop);
    if (seen.has(sw)) path.end = "the tables send the packet to a switch where it was before";
    seen.add(sw);
    if (out === kNoPath) path.end = "the switch has no entry for this LID";
    if (path.end !== "") break;
    hop.vl = laneOf(sw, port, out, path.sl);
    if (hop.vl === kDrops) path.end = `service level ${path.sl} is dropped here`;
    else if (sw === d.host_switch[to] && out === d.host_port[to]) path.reached = true;
    else step(path, hop);
    sw = hop.next;
    port = hop.entered;
  }
  return path;
}

function step(path, hop) {
  const d = report.drawing, at = portOfCable[hop.sw * 256 + hop.out];
  if (at < 0) {
    path.end = `no switch is behind port ${hop.out}`;
    return;
  }
  const cable = at >> 1;
  hop.cable = at;
  hop.next = at & 1 ? d.link_a[cable] : d.link_b[cable];
  hop.entered = at & 1 ? d.link_pa[cable] : d.link_pb[cable];
}

// Finds hosts or switches by description, its first word, GUID or LID. Returns indices.
function named(word, names, guids, lids) {
  const sought = word.trim();
  if (sought === "") return [];
  const all = names.map((_, i) => i);
  const exact = all.filter((i) => names[i] === sought);
  if (exact.length > 0) return exact;
  if (/^0x[0-9a-f]+$/i.test(sought) && BigInt(sought) > 0xffffn) {
    const guid = BigInt(sought);
    return all.filter((i) => guids[i] === guid);
  }
  const lid = Number(sought);
  if (Number.isInteger(lid) && lid > 0) {
    const owners = all.filter((i) => lids[i] <= lid && lid < lids[i] + (1 << (report.drawing.host_lmc[i] || 0)));
    if (owners.length > 0) return owners;
  }
  return all.filter((i) => names[i].split(/\s+/)[0] === sought);
}

function hostsNamed(word) {
  return named(word, report.about.hosts, report.drawing.host_guid, report.drawing.host_lid);
}

function switchesNamed(word) {
  return named(word, report.about.switches, report.drawing.sw_guid, report.drawing.sw_lid);
}

// One host by what the reader typed. Returns [host, ""] or [-1, what is wrong].
function oneHost(word) {
  const found = hostsNamed(word);
  if (found.length === 1) return [found[0], ""];
  if (found.length === 0) return [-1, word.trim() === "" ? "Name both hosts." : `No host is called “${word}”.`];
  return [-1, `${counted(found.length, "host")} are called “${word}”; name one by its GUID or LID.`];
}

function namesLike(word, lists) {
  const sought = word.toLowerCase(), found = [];
  for (const list of lists)
    for (const name of list) {
      if (found.length === 30) return found;
      if (name.toLowerCase().includes(sought)) found.push(name);
    }
  return found;
}

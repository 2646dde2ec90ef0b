#include "verify/transition/change.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "base/parallel.h"

namespace rch::verify {
namespace {

IdSet<Lid> differing_lids(const Change& change) {
  IdSet<Lid> lids(std::size_t{0x10000});
  for (const fabric::LftBlock& at : change.blocks) {
    const auto installed = block_of(change.installed, at), target = block_of(change.target, at);
    for (std::size_t i = 0; i < kBlock; ++i)
      if (installed[i] != target[i]) lids.insert(Lid(static_cast<std::uint16_t>(at.block * kBlock + i)));
  }
  return lids;
}

/// Packets that leave a switch by this entry enter a switch.
bool leads_to_switch(const fabric::Fabric& fabric, SwitchId sw, std::uint8_t entry) {
  if (entry > fabric.node(sw).num_ports) return false;
  const PortId peer = fabric.port(fabric.port_id(sw, PortNum(entry))).peer;
  return !peer.is_none() && fabric.is_switch(fabric.port(peer).node);
}

/// An entry of the block that differs sends packets to a switch now.
bool replaces_hops(const Change& change, const fabric::LftBlock& at) {
  const auto installed = block_of(change.installed, at), target = block_of(change.target, at);
  for (std::size_t i = 0; i < kBlock; ++i)
    if (installed[i] != target[i] && leads_to_switch(change.fabric, at.sw, installed[i])) return true;
  return false;
}

bool holds_nothing(const fabric::ForwardingTables& lfts) {
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s)
    if (std::ranges::any_of(lfts.row(SwitchId(s)), [](std::uint8_t entry) { return entry != kNoPath; }))
      return false;
  return true;
}

bool replaces_hops(const Move& move, const Wiring& wiring) {
  for (std::size_t s = 0; s < move.installed.size(); ++s)
    if (move.installed[s] != move.target[s] &&
        wiring.exit(s, move.installed[s]).kind == Exit::Kind::to_switch)
      return true;
  return false;
}

/// Some switch hands packets to a host by the installed entries.
bool was_of_a_host(const Move& move, const Wiring& wiring) {
  for (std::size_t s = 0; s < move.installed.size(); ++s)
    if (wiring.exit(s, move.installed[s]).kind == Exit::Kind::to_host) return true;
  return false;
}

/// Packets of some host are caught in a forwarding loop by the installed entries.
bool loops(const Move& move, const Wiring& wiring) {
  std::vector<std::uint32_t> met(move.installed.size());  // by the walk from which switch, plus one
  for (std::uint32_t s = 0; s < met.size(); ++s) {
    if (!wiring.sends(s)) continue;
    for (std::size_t at = s; met[at] == 0;) {
      met[at] = s + 1;
      const Exit& exit = wiring.exit(at, move.installed[at]);
      if (exit.kind != Exit::Kind::to_switch) break;
      at = exit.to;
      if (met[at] == s + 1) return true;
    }
  }
  return false;
}

/// Group of each destination of the run.
std::vector<std::uint32_t> group_of(const Columns& columns) {
  std::vector<std::uint32_t> out(columns.destinations().size());
  for (std::uint32_t g = 0; g < columns.groups().size(); ++g)
    for (const Destination* member : columns.groups()[g].members)
      out[static_cast<std::size_t>(member - columns.destinations().data())] = g;
  return out;
}

}  // namespace

Moves::Moves(const Change& change, const Wiring& wiring) : of_lid_(0x10000, kNone) {
  find_changing(change, wiring);
  columns_.reserve(2);
  for (const fabric::RoutingTables* tables : {&change.installed, &change.target})
    columns_.emplace_back(*tables, wiring, changing_);
  group(change, wiring);
}

void Moves::find_changing(const Change& change, const Wiring& wiring) {
  IdSet<Lid> differs = differing_lids(change);
  for (const Destination& d : destinations(change.fabric, wiring)) {
    of_hosts_.insert(d.lid);
    (differs.contains(d.lid) ? changing_ : others_).push_back(d);
  }
  for (const Destination& d : changing_) differs.erase(d.lid);
  other_hosts_ = others_.size();
  if (change.switch_packets == SwitchPackets::all)
    std::ranges::copy_if(switch_destinations(change.fabric), std::back_inserter(others_),
                         [&](const Destination& d) { return !differs.contains(d.lid); });
  // LIDs of switches, and of nobody. No entry hands them over.
  const Source nobody{PortId::none(), SwitchId(0), PortNum(kNoPath)};
  differs.for_each([&](Lid lid) { changing_.push_back({lid, nobody}); });
}

void Moves::group(const Change& change, const Wiring& wiring) {
  const std::vector<std::uint32_t> installed = group_of(columns_[0]), target = group_of(columns_[1]);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, std::uint32_t> known;
  for (std::size_t i = 0; i < changing_.size(); ++i) {
    const Destination& d = changing_[i];
    const auto [at, fresh] = known.try_emplace({installed[i], target[i], d.lid.index() / kBlock},
                                               static_cast<std::uint32_t>(moves_.size()));
    if (fresh) moves_.push_back({{}, columns_[0].of(d), columns_[1].of(d)});
    moves_[at->second].lids.push_back(d.lid);
  }
  std::sort(moves_.begin(), moves_.end(),
            [](const Move& a, const Move& b) { return a.lids.front() < b.lids.front(); });
  parallel_ranges(moves_.size(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t m = first; m < last; ++m) classify(change, wiring, moves_[m]);
  });
  std::erase_if(moves_, [](const Move& move) { return move.lids.empty(); });
  for (std::uint32_t m = 0; m < moves_.size(); ++m)
    for (const Lid lid : moves_[m].lids) of_lid_[lid.index()] = m;
}

/// The proof holds no packets to LIDs that are not of hosts. Leaves out LIDs of switches to which packets
/// loop already: no order of writes is worse.
void Moves::classify(const Change& change, const Wiring& wiring, Move& move) const {
  const bool of_host = of_hosts_.contains(move.lids.front());
  const bool of_switch = change.fabric.lid_owner(move.lids.front()).has_value() && !of_host;
  const bool of_former_host =
      of_switch && change.switch_packets != SwitchPackets::none && was_of_a_host(move, wiring);
  for (std::size_t s = 0; s < move.installed.size(); ++s)
    move.differing += move.installed[s] != move.target[s] ? 1 : 0;
  move.to_switch = of_switch && !of_former_host;
  if (move.to_switch && loops(move, wiring)) move.lids.clear();
  move.depends = !move.to_switch || change.switch_packets == SwitchPackets::all;
  move.proven = of_host;
  move.replaces = (move.depends && !of_host) || replaces_hops(move, wiring);
}

bool loses_packets(const Change& change) {
  const fabric::Fabric& fabric = change.fabric;
  const auto is_of_host = [&](Lid lid) {
    const auto owner = fabric.lid_owner(lid);
    return owner && !fabric.is_switch(fabric.port(*owner).node);
  };
  const auto leads_nowhere = [&](SwitchId sw, std::uint8_t entry) {
    return entry > fabric.node(sw).num_ports ||
           (entry != 0 && fabric.port(fabric.port_id(sw, PortNum(entry))).peer.is_none());
  };
  return std::ranges::any_of(change.blocks, [&](const fabric::LftBlock& at) {
    const auto installed = block_of(change.installed, at), target = block_of(change.target, at);
    for (std::size_t i = 0; i < kBlock; ++i)
      if (installed[i] != target[i] && leads_nowhere(at.sw, installed[i]) &&
          is_of_host(Lid(static_cast<std::uint16_t>(at.block * kBlock + i))))
        return true;
    return false;
  });
}

bool only_adds(const Change& change) {
  if (holds_nothing(change.installed.lfts)) return true;
  return change.previous.empty() && change.installed.sl2vl.empty() &&
         std::ranges::none_of(change.blocks,
                              [&](const fabric::LftBlock& at) { return replaces_hops(change, at); });
}

}  // namespace rch::verify

// A path that moves takes its flows from the links that it leaves to the links that it joins. For each LID
// all moved entries are taken away first, one by one: what a switch and those behind it send comes off the
// rest of its way. Then they are put back as they are now, and what a switch sends is added. What is left of
// a tree without some of its entries is free of loops, so are its parts while it grows, and no order matters.

#include "whatif/link_flows.h"

#include <algorithm>
#include <utility>

#include "chains/balance.h"
#include "verify/columns.h"
#include "verify/metrics/metrics.h"

namespace rch::whatif {
namespace {

using verify::Exit;

/// Which VLs a port has does not matter here.
constexpr std::uint8_t kAnyVls = 5;
constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;

}  // namespace

/// Paths to one LID while its entries change.
class LinkFlows::Paths {
 public:
  Paths(const verify::Wiring& wiring, const std::vector<bool>& lost, std::vector<std::uint64_t> flows)
      : wiring_(wiring), lost_(lost), flows_(std::move(flows)) {}

  /// Returns false where entries close a forwarding loop.
  bool move(std::span<const std::uint8_t> before, std::span<const Move> moves) {
    entries_.assign(before.begin(), before.end());
    is_sound_ = true;
    for (const Move& move : moves) {
      send(move.sw.value, std::uint64_t{0} - behind(move.sw.value));
      entries_[move.sw.index()] = kNoPath;
    }
    for (const Move& move : moves) {
      const std::uint64_t hosts = behind(move.sw.value);
      entries_[move.sw.index()] = is_lost(move.sw.value, move.entry) ? kNoPath : move.entry;
      send(move.sw.value, hosts);
    }
    return is_sound_;
  }

  const std::vector<std::uint64_t>& flows() const { return flows_; }

 private:
  bool is_lost(std::uint32_t sw, std::uint8_t entry) const {
    return entry <= wiring_.num_ports(sw) && lost_[wiring_.slot(sw, entry)];
  }

  /// Hosts of the switch and of all that send to it.
  std::uint64_t behind(std::uint32_t sw) {
    std::uint64_t hosts = 0;
    met_.assign(1, sw);
    for (std::size_t i = 0; i < met_.size(); ++i) {
      if (met_.size() > entries_.size()) {
        is_sound_ = false;
        return 0;
      }
      const std::uint32_t at = met_[i];
      hosts += wiring_.sources_of(at).size();
      const Exit* exits = wiring_.exits(at);
      for (unsigned port = 1; port <= wiring_.num_ports(at); ++port)
        if (exits[port].kind == Exit::Kind::to_switch && entries_[exits[port].to] == exits[port].in)
          met_.push_back(exits[port].to);
    }
    return hosts;
  }

  /// Adds flows to all links from the switch on.
  void send(std::uint32_t sw, std::uint64_t flows) {
    for (std::size_t hops = 0; hops <= entries_.size(); ++hops) {
      const Exit& exit = wiring_.exit(sw, entries_[sw]);
      if (exit.kind != Exit::Kind::to_switch) return;
      flows_[wiring_.slot(sw, entries_[sw])] += flows;
      sw = exit.to;
    }
    is_sound_ = false;
  }

  const verify::Wiring& wiring_;
  const std::vector<bool>& lost_;
  std::vector<std::uint64_t> flows_;
  std::vector<std::uint8_t> entries_;
  std::vector<std::uint32_t> met_;
  bool is_sound_ = true;
};

LinkFlows::LinkFlows(const chains::Plan& base)
    : base_(base),
      wiring_(*base.fabric, kAnyVls),
      is_of_host_(std::size_t{0x10000}),
      flows_(wiring_.slot_count()) {
  const fabric::Fabric& fabric = *base.fabric;
  const std::vector<verify::Destination> hosts = verify::destinations(fabric, wiring_);
  for (const verify::Destination& host : hosts) is_of_host_.insert(host.lid);
  const std::vector<std::uint64_t> by_port =
      verify::flows_to(fabric, *base.tables, IdSet<Lid>(std::size_t{0x10000}, true));
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (unsigned port = 1; port <= wiring_.num_ports(s); ++port) {
      const PortId id = fabric.port_id(SwitchId(s), PortNum(static_cast<std::uint8_t>(port)));
      flows_[wiring_.slot(s, port)] = by_port[id.index()];
    }
  if (!flows_.empty()) fullest_ = *std::ranges::max_element(flows_);
}

std::optional<std::vector<bool>> LinkFlows::lost_slots(const fabric::Fabric& now) const {
  const fabric::Fabric& before = *base_.fabric;
  // Generations with the same nodes share them.
  if (now.nodes().data() != before.nodes().data() || now.ports().size() != before.ports().size())
    return std::nullopt;
  std::vector<bool> lost(wiring_.slot_count());
  for (std::uint32_t p = 0; p < now.ports().size(); ++p) {
    const fabric::Port &was = before.port(PortId(p)), &is = now.port(PortId(p));
    if (was.lid != is.lid || was.lmc != is.lmc) return std::nullopt;
    if (was.peer == is.peer) continue;
    const bool is_lost_link =
        is.peer.is_none() && before.is_switch(was.node) && before.is_switch(before.port(was.peer).node);
    if (!is_lost_link) return std::nullopt;
    lost[wiring_.slot(was.node.index(), was.number.index())] = true;
  }
  return lost;
}

std::vector<LinkFlows::Move> LinkFlows::moves(const chains::Plan& now, const std::vector<bool>& lost) const {
  std::vector<Move> moves;
  const auto add = [&](std::size_t l, SwitchId sw, std::uint8_t entry) {
    const Lid lid(static_cast<std::uint16_t>(l));
    if (is_of_host_.contains(lid)) moves.push_back({lid, sw, entry});
  };
  for (std::uint32_t s = 0; s < now.fabric->switch_count(); ++s) {
    const SwitchId sw(s);
    const auto before = base_.tables->lfts.row(sw), after = now.tables->lfts.row(sw);
    bool has_lost = false;
    for (unsigned port = 1; port <= wiring_.num_ports(s); ++port) has_lost |= lost[wiring_.slot(s, port)];
    if (!has_lost && before.data() == after.data()) continue;
    for (std::size_t at = 0; at < after.size(); at += kBlock) {
      if (!has_lost && std::equal(&before[at], &before[at] + kBlock, &after[at])) continue;
      for (std::size_t l = at; l < at + kBlock; ++l) {
        const bool leads_there = before[l] <= wiring_.num_ports(s) && lost[wiring_.slot(s, before[l])];
        if ((before[l] != after[l] || leads_there)) add(l, sw, after[l]);
      }
    }
  }
  std::ranges::stable_sort(moves, {}, &Move::lid);
  return moves;
}

std::uint64_t LinkFlows::fullest(const chains::Plan& plan) const {
  const auto whole = [&] { return chains::balance(*plan.fabric, *plan.tables).most; };
  // A path that does not arrive counts nowhere.
  const bool all_arrive = base_.verdict.findings.empty() && plan.verdict.findings.empty() &&
                          base_.verdict.unneeded_pairs == 0 && plan.verdict.unneeded_pairs == 0;
  const auto lost = all_arrive ? lost_slots(*plan.fabric) : std::nullopt;
  if (!lost || plan.tables->lfts.stride() != base_.tables->lfts.stride()) return whole();
  const fabric::EntriesByLid& by_lid = *base_.tables->lfts.by_lid();
  const std::vector<Move> all = moves(plan, *lost);
  Paths paths(wiring_, *lost, flows_);
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].lid == all[begin].lid) ++end;
    if (!paths.move(by_lid.of(all[begin].lid), std::span(all).subspan(begin, end - begin))) return whole();
  }
  return flows_.empty() ? 0 : *std::ranges::max_element(paths.flows());
}

}  // namespace rch::whatif

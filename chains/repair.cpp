#include "chains/repair.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "chains/carry.h"
#include "engines/multicast/breadth_first_tree.h"
#include "engines/multicast/roots.h"
#include "fabric/difference.h"
#include "verify/dependencies.h"
#include "verify/earlier_proof.h"
#include "verify/verify.h"

namespace rch::chains {
namespace {

using engines::SpanningTree;
using engines::common::ChannelId;
using engines::common::Channels;
using fabric::Fabric;

/// The switches of two generations of a fabric, each by the ids of the other.
struct SameSwitches {
  SameSwitches(const Fabric& before, const Fabric& now)
      : before_of(now.switch_count(), SwitchId::none()), now_of(before.switch_count(), SwitchId::none()) {
    for (std::uint32_t s = 0; s < now.switch_count(); ++s)
      if (const auto was = before.find_switch(now.node(SwitchId(s)).guid);
          was && before.node(*was).num_ports == now.node(SwitchId(s)).num_ports) {
        before_of[s] = *was;
        now_of[was->index()] = SwitchId(s);
      }
  }
  bool has_new() const { return std::ranges::find(before_of, SwitchId::none()) != before_of.end(); }

  std::vector<SwitchId> before_of, now_of;
};

/// What a port of a switch leads to: a switch by its id of now, or an end port by its GUID.
struct Peer {
  SwitchId sw = SwitchId::none();
  PortNum in{};
  Guid end_port{};

  friend bool operator==(const Peer&, const Peer&) = default;
};

Peer peer_of(const Fabric& fabric, PortId port, const std::vector<SwitchId>* now_of) {
  const PortId peer = fabric.port(port).peer;
  if (peer.is_none()) return {};
  const fabric::Port& there = fabric.port(peer);
  const auto sw = fabric.switch_id(there.node);
  if (!sw) return {SwitchId::none(), there.number, there.guid};
  return {now_of == nullptr ? *sw : (*now_of)[sw->index()], there.number, Guid{}};
}

/// Rules for service levels tell of each switch where it is, and maps belong to switches. Nothing is known of
/// new ones then.
bool has_rules_by_place(const fabric::RoutingTables& tables) {
  const auto has_rule = [](const fabric::RoutedStep& step) {
    return !step.sl.dimensions.empty() || step.sl.border != 0;
  };
  return !tables.sl2vl.empty() || std::ranges::any_of(tables.steps, has_rule);
}

fabric::RoutedStep step_of_now(const fabric::RoutedStep& step, const Fabric& now, const SameSwitches& same) {
  fabric::RoutedStep out = step;
  const bool everywhere = step.switches.count() == same.now_of.size();
  out.switches = IdSet<SwitchId>(now.switch_count(), everywhere);
  out.lids = IdSet<Lid>(now.max_lid().index() + 1, everywhere);
  if (!everywhere) {
    step.switches.for_each([&](SwitchId sw) {
      if (!same.now_of[sw.index()].is_none()) out.switches.insert(same.now_of[sw.index()]);
    });
    step.lids.for_each([&](Lid lid) {
      if (lid <= now.max_lid()) out.lids.insert(lid);
    });
  }
  out.holes.clear();
  for (const std::uint64_t hole : step.holes)
    if (const SwitchId sw = same.now_of[hole >> 16]; !sw.is_none())
      out.holes.push_back(std::uint64_t{sw.value} << 16 | (hole & 0xFFFF));
  std::ranges::sort(out.holes);
  for (std::size_t d = 0; d < out.sl.dimensions.size(); ++d) {
    auto& coordinate = out.sl.dimensions[d].coordinate;
    coordinate.resize(now.switch_count());
    for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
      const SwitchId was = same.before_of[s];
      coordinate[s] = was.is_none() ? 0 : step.sl.dimensions[d].coordinate[was.index()];
    }
  }
  return out;
}

fabric::Sl2VlTables maps_of_now(const fabric::Sl2VlTables& maps, const Fabric& before, const Fabric& now,
                                const SameSwitches& same) {
  if (maps.empty()) return {};
  std::vector<std::uint8_t> ports;
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) ports.push_back(now.node(SwitchId(s)).num_ports);
  fabric::Sl2VlTables out(ports, maps.map(0));
  for (const fabric::Sl2VlMap& map : maps.maps()) out.intern(map);
  for (std::uint32_t s = 0; s < now.switch_count(); ++s)
    if (!same.before_of[s].is_none())
      std::ranges::copy(maps.ids(same.before_of[s]), out.ids(SwitchId(s)).begin());
  out.set_end_port(maps.end_port_id());
  if (maps.own_ids().empty()) return out;
  std::vector<fabric::Sl2VlTables::MapId> own(now.ports().size(), fabric::Sl2VlTables::kNoMap);
  for (std::uint32_t p = 0; p < own.size(); ++p)
    if (const auto then = fabric::counterpart(before, now, now.port(PortId(p))))
      own[p] = maps.own_ids()[then->index()];
  out.set_own(std::move(own));
  return out;
}

/// Reads what the switches hold, and marks the LIDs to which that may not lead any more.
class CarriedReader {
 public:
  CarriedReader(const Plan& installed, const Fabric& now, const Channels& channels, const SameSwitches& same)
      : before_(*installed.fabric),
        now_(now),
        channels_(channels),
        same_(same),
        entries_(installed.tables->lfts) {
    tables.moved.assign(channels.size(), true);
    tables.unsure = IdSet<Lid>(now.max_lid().index() + 1);
    read_tables(*installed.tables);
    if (has_rules_by_place(*installed.tables))
      for (std::uint32_t s = 0; s < now.switch_count(); ++s)
        if (same.before_of[s].is_none()) tables.closed.emplace_back(s);
    for (std::uint32_t s = 0; s < now.switch_count(); ++s) compare_ports(SwitchId(s));
    std::ranges::sort(tables.ends);
    compare_owners();
    read_dependencies(installed);
    for (const fabric::MulticastGroup& group : groups_left(before_, now_, installed.tables->groups))
      add_dependencies(group);
    for (const verify::Finding& finding : installed.verdict.findings)
      if (finding.kind == verify::FindingKind::unreachable) suspect_all();
  }

  CarriedTables tables;

 private:
  void read_tables(const fabric::RoutingTables& installed) {
    fabric::RoutingTables& out = tables.tables;
    out.lfts = fabric::ForwardingTables(now_.switch_count(), now_.max_lid());
    for (std::uint32_t s = 0; s < now_.switch_count(); ++s) {
      const SwitchId was = same_.before_of[s];
      if (was.is_none()) continue;
      if (out.lfts.stride() == entries_.stride()) {
        out.lfts.share_row(SwitchId(s), entries_, was);
        continue;
      }
      const auto row = entries_.row(was);
      const auto to = out.lfts.row(SwitchId(s));
      std::ranges::copy(row.first(std::min(row.size(), to.size())), to.begin());
    }
    for (const fabric::RoutedStep& step : installed.steps)
      out.steps.push_back(step_of_now(step, now_, same_));
    out.sl2vl = maps_of_now(installed.sl2vl, before_, now_, same_);
    out.sl2vl_of_options = installed.sl2vl_of_options;
  }

  /// Ports that lead elsewhere than before, or nowhere: LIDs with entries there.
  void compare_ports(SwitchId sw) {
    const SwitchId was = same_.before_of[sw.index()];
    if (was.is_none()) return suspect_all();
    std::array<bool, 256> changed{};
    for (unsigned p = 1; p <= now_.node(sw).num_ports; ++p) {
      const PortNum number(static_cast<std::uint8_t>(p));
      const Peer then = peer_of(before_, before_.port_id(was, number), &same_.now_of);
      const Peer here = peer_of(now_, now_.port_id(sw, number), nullptr);
      changed[p] = then != here;
      const ChannelId c = channels_.at(sw, number.value);
      if (!c.is_none() && !changed[p]) tables.moved[c.index()] = false;
    }
    if (std::ranges::find(changed, true) == changed.end()) return;
    const std::span<const std::uint8_t> row = std::as_const(tables.tables.lfts).row(sw);
    for (std::size_t lid = 1; lid <= now_.max_lid().index(); ++lid)
      if (changed[row[lid]]) tables.ends.push_back({Lid(static_cast<std::uint16_t>(lid)), sw});
  }

  /// LIDs that are new, or at another switch or port.
  void compare_owners() {
    for (std::size_t l = 1; l <= now_.max_lid().index(); ++l) {
      const Lid lid(static_cast<std::uint16_t>(l));
      const auto owner = now_.lid_owner(lid);
      if (!owner) continue;
      const auto then = lid <= before_.max_lid() ? before_.lid_owner(lid) : std::nullopt;
      if (!then || place(now_, *owner, nullptr) != place(before_, *then, &same_.now_of))
        tables.unsure.insert(lid);
    }
  }
  static Peer place(const Fabric& fabric, PortId port, const std::vector<SwitchId>* now_of) {
    if (!fabric.is_switch(fabric.port(port).node)) return peer_of(fabric, port, now_of);
    const SwitchId sw = *fabric.switch_id(fabric.port(port).node);
    return {now_of == nullptr ? sw : (*now_of)[sw.index()], PortNum(0), Guid{}};
  }

  void suspect_all() {
    for (std::size_t lid = 1; lid <= now_.max_lid().index(); ++lid)
      tables.unsure.insert(Lid(static_cast<std::uint16_t>(lid)));
  }

  /// Reads those of the proof of the installed tables, on cables that are where they were; of a plan from a
  /// file the proof is not there. Packets to LIDs of switches count unless they closed cycles before.
  void read_dependencies(const Plan& installed) {
    const bool with_switches = installed.verdict.switch_lids.sound();
    if (!with_switches && installed.channels) return read_graph(*installed.channels);
    if (with_switches && installed.dependencies)
      return read_graph(verify::graph_of_all(*installed.fabric, *installed.dependencies));
    for (const verify::ChannelDependency& d : verify::channel_dependencies(
             before_, *installed.tables,
             {.max_op_vls = installed.options.qos.max_op_vls, .switch_lids = with_switches})) {
      const ChannelId from = channel_of_now(d.from), to = channel_of_now(d.to);
      if (!from.is_none() && !to.is_none())
        tables.dependencies.emplace_back(lane_of(from, d.from_vl), lane_of(to, d.to_vl));
    }
  }
  /// The channel that a port of the earlier fabric sends on, if its cable is where it was.
  ChannelId channel_of_now(SwitchId was, PortNum out) const {
    const SwitchId sw = same_.now_of[was.index()];
    const ChannelId c = sw.is_none() ? ChannelId::none() : channels_.at(sw, out.value);
    return c.is_none() || tables.moved[c.index()] ? ChannelId::none() : c;
  }
  ChannelId channel_of_now(PortId was) const {
    const fabric::Port& port = before_.port(was);
    return channel_of_now(*before_.switch_id(port.node), port.number);
  }
  void read_graph(const verify::ChannelDependencyGraph& graph) {
    std::vector<std::uint32_t> lane(graph.channels.size(), kGone);
    for (std::size_t c = 0; c < lane.size(); ++c) {
      const ChannelId here = channel_of_now(graph.channels[c].sw, graph.channels[c].out);
      if (!here.is_none()) lane[c] = lane_of(here, graph.vls[graph.channels[c].lane]);
    }
    tables.dependencies.reserve(graph.dependents.size());
    for (std::size_t c = 0; c < lane.size(); ++c)
      for (const std::uint32_t next : lane[c] == kGone ? std::span<const std::uint32_t>() : graph.after(c))
        if (lane[next] != kGone) tables.dependencies.emplace_back(lane[c], lane[next]);
  }

  /// Adds those of the packets of a group on what is left of its tree: a port that carries the group passes
  /// on what comes by each other one of its switch.
  void add_dependencies(const fabric::MulticastGroup& group) {
    std::vector<ChannelId> branches;  // by switch
    for (const PortId id : group.ports) {
      const fabric::Port& port = now_.port(id);
      const ChannelId c = channels_.at(*now_.switch_id(port.node), port.number.value);
      if (!c.is_none()) branches.push_back(c);
    }
    std::ranges::sort(branches);
    for (auto first = branches.begin(); first != branches.end();) {
      const SwitchId sw = channels_.from(*first);
      const auto last =
          std::find_if(first, branches.end(), [&](ChannelId c) { return channels_.from(c) != sw; });
      for (const ChannelId next : std::span(first, last))
        for (const ChannelId back : std::span(first, last))
          if (next != back) pass_on(group, channels_.back(back), next);
      first = last;
    }
  }
  void pass_on(const fabric::MulticastGroup& group, ChannelId entering, ChannelId next) {
    const PortNum in = channels_.port(channels_.back(entering));
    const std::uint8_t vl = tables.tables.vl(channels_.to(entering), in, channels_.port(next), group.sl);
    for (const std::uint8_t lane : lanes_on(entering, group))
      tables.dependencies.emplace_back(lane_of(entering, lane), lane_of(next, vl));
  }
  std::vector<std::uint8_t> lanes_on(ChannelId channel, const fabric::MulticastGroup& group) const {
    std::vector<std::uint8_t> lanes;
    const SwitchId sw = channels_.from(channel);
    for (unsigned in = 0; in <= now_.node(sw).num_ports; ++in) {
      const std::uint8_t vl =
          tables.tables.vl(sw, PortNum(static_cast<std::uint8_t>(in)), channels_.port(channel), group.sl);
      if (std::ranges::find(lanes, vl) == lanes.end()) lanes.push_back(vl);
      if (tables.tables.sl2vl.empty()) break;
    }
    return lanes;
  }

  static constexpr std::uint32_t kGone = 0xFFFFFFFF;
  const Fabric& before_;
  const Fabric& now_;
  const Channels& channels_;
  const SameSwitches& same_;
  const fabric::ForwardingTables& entries_;
};

/// The branches between switches of the installed trees that are still there, by switch of now.
std::vector<std::vector<SwitchId>> branches_left(const Plan& installed, const Fabric& now,
                                                 const SameSwitches& same) {
  const Fabric& before = *installed.fabric;
  std::vector<std::vector<SwitchId>> branches(now.switch_count());
  for (const fabric::MulticastGroup& group : installed.tables->groups)
    for (const PortId id : group.ports) {
      const auto here = fabric::counterpart(now, before, before.port(id));
      const auto was = before.port(id).peer;
      if (!here || was.is_none()) continue;
      const Peer then = peer_of(before, id, &same.now_of), peer = peer_of(now, *here, nullptr);
      if (peer != then || peer.sw.is_none()) continue;
      auto& list = branches[now.switch_id(now.port(*here).node)->index()];
      if (std::ranges::find(list, peer.sw) == list.end()) list.push_back(peer.sw);
    }
  return branches;
}

/// The installed tree from its largest part outwards; other parts are entered by one link each.
std::optional<SpanningTree> tree_of_now(const Plan& installed, const Fabric& now, const SameSwitches& same) {
  const auto branches = branches_left(installed, now, same);
  std::vector<SpanningTree> parts;
  std::vector<bool> seen(now.switch_count());
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
    if (seen[s] || branches[s].empty()) continue;
    SpanningTree part{{SwitchId(s)}, std::vector<SwitchId>(now.switch_count(), SwitchId::none())};
    seen[s] = true;
    for (std::size_t i = 0; i < part.order.size(); ++i)
      for (const SwitchId next : branches[part.order[i].index()])
        if (!seen[next.index()]) {
          seen[next.index()] = true;
          part.parent[next.index()] = part.order[i];
          part.order.push_back(next);
        }
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return std::nullopt;
  std::ranges::stable_sort(parts, std::greater<>{},
                           [](const SpanningTree& part) { return part.order.size(); });
  std::vector<const SpanningTree*> all;
  for (const SpanningTree& part : parts) all.push_back(&part);
  return engines::multicast::breadth_first_tree(now.graph(), parts.front().order.front(), all);
}

/// Bits of the SL that the paths leave to multicast.
std::uint8_t free_sl_bits(const fabric::RoutingTables& tables) {
  if (fabric::common_path_sl(tables)) return 15;
  if (tables.steps.size() > 1) return 0;
  return tables.steps.front().sl.border;
}

}  // namespace

Repair repair(const policy::BoundPolicy& bound, const Plan& installed) {
  const Fabric& now = *bound.fabric;
  const SameSwitches same(*installed.fabric, now);
  const Channels channels(now.graph());
  CarriedReader reader(installed, now, channels, same);
  Repair made;
  if (!reader.tables.suspects().empty()) made.paths = repair_paths(now, channels, reader.tables);
  made.run.steps = installed.steps;
  made.run.degraded = installed.degraded;
  if (!made.run.steps.empty() && made.paths.entries > 0)
    made.run.steps.front().remarks = {fmt::format("repaired: {} for {} replaced",
                                                  counted(made.paths.entries, "table entry"),
                                                  counted(made.paths.lids, "LID"))};
  made.run.tables = std::move(reader.tables.tables);
  made.run.multicast_sl_bits = free_sl_bits(made.run.tables);
  made.run.trees.resize(std::max<std::size_t>(made.run.tables.steps.size(), 1));
  if (auto tree = tree_of_now(installed, now, same)) made.run.trees.front().push_back(std::move(*tree));
  made.run.two_level_ports = IdSet<PortId>(now.ports().size());
  made.run.tables.arbitration = arbitration_left(*installed.fabric, now, installed.tables->arbitration);
  return made;
}

bool is_followed_by_whole(const policy::BoundPolicy& bound, const Plan& installed, Repair& made) {
  if (made.paths.entries == 0 || made.paths.left_pairs == 0) return made.paths.left_pairs == 0;
  auto tables = std::make_shared<fabric::RoutingTables>(std::move(made.run.tables));
  tables->groups = groups_left(*installed.fabric, *bound.fabric, installed.tables->groups);
  Plan part;
  part.fabric = bound.fabric;
  part.tables = tables;
  part.options = installed.options;
  part.verdict = installed.verdict;
  verify::Finding lost{};
  lost.kind = verify::FindingKind::unreachable;
  part.verdict.findings.push_back(std::move(lost));
  const Repair further = repair(bound, part);
  part.tables.reset();
  made.run.tables = std::move(*tables);
  made.run.tables.groups.clear();
  return further.paths.entries > 0 && further.paths.left_pairs == 0;
}

}  // namespace rch::chains

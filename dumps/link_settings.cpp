#include "dumps/link_settings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "fabric/fabric_builder.h"
#include "fabric/link_rate.h"
#include "fabric/names.h"

namespace rch::dumps {
namespace {

using fabric::Fabric;

constexpr std::array<std::string_view, 6> kSettingNames{
    "dead-port-entries", "entries-beyond-top", "link-mtu", "link-vls", "link-width", "link-speed"};

std::string node_text(const Fabric& fabric, NodeId node) {
  return fmt::format("`{}` ({})", fabric.node(node).name(), fabric.node(node).guid);
}
std::string port_text(const Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return fmt::format("{} port {}{}", node_text(fabric, port.node), port.number,
                     fabric::label_behind(fabric, port.node, port.number));
}
std::string lid_text(const Fabric& fabric, Lid lid) {
  return fmt::format("LID {} of {}", lid, port_text(fabric, *fabric.lid_owner(lid)));
}

std::string mtu_text(std::uint8_t code) { return std::to_string(128U << code); }
std::string vls_text(std::uint8_t code) {
  constexpr std::array<unsigned, 6> kVls{0, 1, 2, 4, 8, 15};
  return std::to_string(kVls[code]);
}

/// By number of a port of a switch, those it does not have among them: packets that are sent there get no
/// further.
std::array<bool, 256> dead_ports(const Fabric& fabric, SwitchId sw) {
  std::array<bool, 256> dead{};
  for (unsigned p = 1; p < kNoPath; ++p) {
    if (p > fabric.node(sw).num_ports) {
      dead[p] = true;
      continue;
    }
    const fabric::Port& port = fabric.port(fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(p))));
    dead[p] = port.peer.is_none() || port.state < fabric::PortState::armed;
  }
  return dead;
}

struct DeadEntries {
  std::uint64_t entries = 0;
  Lid first;  ///< the lowest LID
};

DeadEntries dead_entries_of(const Fabric& fabric, const fabric::RoutingTables& tables, SwitchId sw) {
  DeadEntries found;
  const std::array<bool, 256> dead = dead_ports(fabric, sw);
  const std::span<const std::uint8_t> row = tables.lfts.row(sw);
  for (std::size_t lid = 1; lid < row.size(); ++lid) {
    if (!dead[row[lid]] || !fabric.lid_owner(Lid(static_cast<std::uint16_t>(lid)))) continue;
    if (found.entries++ == 0) found.first = Lid(static_cast<std::uint16_t>(lid));
  }
  return found;
}

std::optional<SettingFinding> dead_port_entries(const Fabric& fabric, const fabric::RoutingTables& tables) {
  std::vector<DeadEntries> of(fabric.switch_count());
  parallel_ranges(of.size(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s)
      of[s] = dead_entries_of(fabric, tables, SwitchId(static_cast<std::uint32_t>(s)));
  });
  std::uint64_t entries = 0;
  std::optional<SwitchId> first;
  for (std::uint32_t s = 0; s < of.size(); ++s) {
    entries += of[s].entries;
    if (!first && of[s].entries > 0) first = SwitchId(s);
  }
  if (!first) return std::nullopt;
  const Lid lid = of[first->index()].first;
  const std::uint8_t number = tables.lfts.at(*first, lid);
  std::string where;
  if (number > fabric.node(*first).num_ports) {
    where = fmt::format("by port {}, which it does not have", number);
  } else {
    const fabric::Port& port = fabric.port(fabric.port_id(*first, PortNum(number)));
    where = fmt::format("by port {}{}, which {}", number,
                        fabric::label_behind(fabric, Fabric::node_id(*first), PortNum(number)),
                        port.peer.is_none() ? "is down or has no cable" : "is in state INIT");
  }
  return SettingFinding{
      SettingKind::dead_port_entries,
      fmt::format("{} lead{} to ports without an active link, such as {}, which sends {} {}",
                  counted(entries, "entry"), entries == 1 ? "s" : "",
                  node_text(fabric, Fabric::node_id(*first)), lid_text(fabric, lid), where),
      entries};
}

std::optional<SettingFinding> entries_beyond_top(const Fabric& fabric, const LinkSettings& settings) {
  if (settings.beyond_top.empty()) return std::nullopt;
  std::uint64_t entries = 0;
  for (const LinkSettings::BeyondTop& of : settings.beyond_top) entries += of.entries;
  const LinkSettings::BeyondTop& first = settings.beyond_top.front();
  return SettingFinding{
      SettingKind::entries_beyond_top,
      fmt::format("{} of {} {} for LIDs beyond the LinearFDBTop of their switch, which drops these packets, "
                  "such as {} with top {} and an entry for {}; the form of LinearFDBTop is not confirmed",
                  counted(entries, "entry"), counted(settings.beyond_top.size(), "switch"),
                  entries == 1 ? "is" : "are", node_text(fabric, Fabric::node_id(first.sw)), first.top,
                  lid_text(fabric, first.first)),
      entries};
}

/// Calls f(port, peer) for each cable once.
template <class F>
void for_each_cable(const Fabric& fabric, F&& f) {
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const PortId peer = fabric.port(PortId(p)).peer;
    if (!peer.is_none() && PortId(p) < peer) f(PortId(p), peer);
  }
}

/// A setting that both ends of a cable have to share. `value` gives 0 where it is not known.
template <class Value, class Text>
std::optional<SettingFinding> ends_differ(const Fabric& fabric, const LinkSettings& settings,
                                          SettingKind kind, std::string_view what, const Value& value,
                                          const Text& text) {
  std::uint64_t cables = 0;
  std::string first;
  for_each_cable(fabric, [&](PortId a, PortId b) {
    const auto here = value(settings.ports[a.index()]), there = value(settings.ports[b.index()]);
    if (here == decltype(here){} || there == decltype(there){} || here == there) return;
    if (cables++ == 0)
      first = fmt::format("{} with {} and {} with {}", port_text(fabric, a), text(here), port_text(fabric, b),
                          text(there));
  });
  if (cables == 0) return std::nullopt;
  return SettingFinding{
      kind,
      fmt::format("the ends of {} have different {}, such as {}", counted(cables, "cable"), what, first),
      cables};
}

}  // namespace

std::string_view name(SettingKind kind) { return kSettingNames[static_cast<std::size_t>(kind)]; }

std::vector<SettingFinding> judge_settings(const Fabric& fabric, const fabric::RoutingTables& tables,
                                           const LinkSettings& settings) {
  using Port = LinkSettings::Port;
  std::vector<SettingFinding> findings;
  const auto note = [&](std::optional<SettingFinding> finding) {
    if (finding) findings.push_back(std::move(*finding));
  };
  note(dead_port_entries(fabric, tables));
  note(entries_beyond_top(fabric, settings));
  if (settings.ports.empty()) return findings;
  note(ends_differ(
      fabric, settings, SettingKind::link_mtu, "MTUs (NeighborMTU)",
      [](const Port& port) { return port.mtu; }, mtu_text));
  note(ends_differ(
      fabric, settings, SettingKind::link_vls, "numbers of VLs (OperationalVLs)",
      [](const Port& port) { return port.op_vls; }, vls_text));
  note(ends_differ(
      fabric, settings, SettingKind::link_width, "active widths", [](const Port& port) { return port.width; },
      [](fabric::LinkWidth width) { return to_string(width); }));
  note(ends_differ(
      fabric, settings, SettingKind::link_speed, "active speeds", [](const Port& port) { return port.speed; },
      [](fabric::LinkSpeed speed) { return to_string(speed); }));
  return findings;
}

KnownCables known_cables(const Fabric& fabric, const LinkSettings& settings) {
  KnownCables known;
  for_each_cable(fabric, [&](PortId a, PortId b) {
    ++known.all;
    if (!settings.ports.empty() && settings.ports[a.index()].mtu != 0 && settings.ports[b.index()].mtu != 0)
      ++known.with_mtu;
  });
  return known;
}

Fabric with_operational_vls(Fabric fabric, const LinkSettings& settings) {
  if (settings.ports.empty()) return fabric;
  std::vector<fabric::Port> ports(fabric.ports().begin(), fabric.ports().end());
  bool has_changed = false;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const std::uint8_t op_vls = settings.ports[p].op_vls;
    if (op_vls == 0 || (ports[p].vl_cap != 0 && ports[p].vl_cap <= op_vls)) continue;
    ports[p].vl_cap = op_vls;
    has_changed = true;
  }
  if (!has_changed) return fabric;
  auto changed = fabric::with_ports(fabric, std::move(ports));
  return changed ? std::move(*changed) : std::move(fabric);  // links and LIDs are those of a fabric already
}

}  // namespace rch::dumps

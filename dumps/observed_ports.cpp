#include "dumps/observed_ports.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "dumps/rules.h"

namespace rch::dumps {
namespace {

using fabric::Fabric;
using fabric::PartitionEnforcement;

std::string name_of(const Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return fmt::format("`{}` port {}", fabric.node(port.node).name(), port.number);
}

/// The port of a row, by the GUID of the port, or by the LID of its node and its number.
std::optional<PortId> port_of(const Fabric& fabric, const PKeyDump::Row& row) {
  if (row.guid != Guid{}) return fabric.find_port(row.guid);
  const auto owner = fabric.lid_owner(row.lid);
  if (!owner) return std::nullopt;
  const NodeId node = fabric.port(*owner).node;
  if (!fabric.is_switch(node)) return fabric.port(*owner).number == row.number ? owner : std::nullopt;
  if (row.number.value > fabric.node(node).num_ports) return std::nullopt;
  return fabric.port_id(node, row.number);
}

/// Puts the P_Keys of one file after the other onto ports.
class PKeyPlacer {
 public:
  PKeyPlacer(const Fabric& fabric, fabric::Reporter& report)
      : fabric_(fabric), report_(report), pkeys_(fabric.ports().size()) {}

  void take(const PKeyDump& dump) {
    struct OfPort {
      std::vector<std::uint16_t> slots;
      Span line;  ///< the first one
    };
    std::map<PortId, OfPort> found;
    for (const PKeyDump::Row& row : dump.rows) {
      const auto port = port_of(fabric_, row);
      if (!port) {
        report_.add(kUnknownPort, row.line,
                    row.guid == Guid{}
                        ? fmt::format("the fabric has no port {} at LID {}", row.number, row.lid)
                        : fmt::format("no port of the fabric has the GUID {}", row.guid));
        continue;
      }
      OfPort& of = found.try_emplace(*port, OfPort{{}, row.line}).first->second;
      const auto keys = dump.of(row);
      of.slots.insert(of.slots.end(), keys.begin(), keys.end());
    }
    for (const auto& [port, of] : found) take(port, of.slots, of.line);
  }

  isolation::InstalledPKeys&& pkeys() && { return std::move(pkeys_); }

 private:
  void take(PortId port, std::span<const std::uint16_t> slots, Span line) {
    const auto before = pkeys_.knows(port) ? std::optional(pkeys_.table_of(port)) : std::nullopt;
    pkeys_.set(port, slots);
    const auto [first, is_new] = first_rows_.try_emplace(port, line);
    if (!before || *before == pkeys_.table_of(port)) return;
    report_
        .add(kTableTwice, line,
             fmt::format("the P_Keys of {} differ from those of another file", name_of(fabric_, port)))
        .labels.push_back({first->second, "the other file"});
  }

  const Fabric& fabric_;
  fabric::Reporter& report_;
  isolation::InstalledPKeys pkeys_;
  std::map<PortId, Span> first_rows_;
};

std::optional<PortId> port_of(const Fabric& fabric, const SettingsDump::Port& row) {
  const auto node = fabric.find_node(row.node);
  if (!node || row.number.value > fabric.node(*node).num_ports) return std::nullopt;
  return fabric.port_id(*node, row.number);
}

/// What a switch port checks is known only together with its P_Keys: without them nobody knows what passes.
bool take_checks(const SettingsDump& dump, const Fabric& fabric, isolation::InstalledPKeys& pkeys) {
  std::vector<bool> known(fabric.ports().size());
  for (const SettingsDump::Port& row : dump.ports) {
    const auto port = port_of(fabric, row);
    if (!port || !row.checks_in || !row.checks_out) continue;
    const auto checks = *row.checks_in
                            ? (*row.checks_out ? PartitionEnforcement::both : PartitionEnforcement::in)
                            : (*row.checks_out ? PartitionEnforcement::out : PartitionEnforcement::off);
    known[port->index()] = checks == PartitionEnforcement::off || pkeys.knows(*port);
    if (known[port->index()]) pkeys.set_checks(*port, checks);
  }
  return std::ranges::all_of(fabric.end_ports(), [&](const fabric::EndPort& end) {
    return known[fabric.port_id(end.sw, end.attach).index()];
  });
}

/// Takes the entries beyond the top away. Entries for LIDs that nobody has are not counted.
void take_top(SwitchId sw, Lid top, Observed& seen) {
  const std::span<std::uint8_t> row = seen.tables.lfts.row(sw);
  LinkSettings::BeyondTop beyond{sw, top, {}};
  for (std::size_t l = top.index() + std::size_t{1}; l < row.size(); ++l) {
    if (row[l] == kNoPath) continue;
    row[l] = kNoPath;
    const Lid lid(static_cast<std::uint16_t>(l));
    if (seen.fabric->lid_owner(lid) && beyond.entries++ == 0) beyond.first = lid;
  }
  if (beyond.entries > 0) seen.settings.beyond_top.push_back(beyond);
}

/// By switch; nothing where no file tells it.
using Tops = std::vector<std::optional<Lid>>;

/// Reads the tops that files tell. Which of two rows counts is not known.
Tops read_tops(std::span<const File> files, const Fabric& fabric, fabric::Reporter& report) {
  Tops tops(fabric.switch_count());
  std::vector<Span> lines(tops.size());
  for (const SettingsDump* dump : all_of_kind<SettingsDump>(files))
    for (const SettingsDump::Switch& row : dump->switches) {
      const auto sw = fabric.find_switch(row.sw);
      if (!sw) continue;
      std::optional<Lid>& top = tops[sw->index()];
      if (top && *top != row.top)
        report.add(kTableTwice, row.line, fmt::format("a second LinearFDBTop of {} differs", row.sw))
            .labels.push_back({lines[sw->index()], "the first row"});
      top = row.top;
      lines[sw->index()] = row.line;
    }
  return tops;
}

}  // namespace

void place_pkeys(std::span<const File> files, fabric::Reporter& report, Observed& seen) {
  const Fabric& fabric = *seen.fabric;
  PKeyPlacer placer(fabric, report);
  for (const PKeyDump* dump : all_of_kind<PKeyDump>(files)) placer.take(*dump);
  isolation::InstalledPKeys pkeys = std::move(placer).pkeys();
  if (!pkeys.knows_any()) return;
  for (const SettingsDump* dump : all_of_kind<SettingsDump>(files))
    seen.knows_checks = take_checks(*dump, fabric, pkeys) || seen.knows_checks;
  seen.pkeys = std::move(pkeys);
}

void place_settings(std::span<const File> files, fabric::Reporter& report, Observed& seen) {
  const Fabric& fabric = *seen.fabric;
  std::vector<Span> lines(fabric.ports().size());
  for (const SettingsDump* dump : all_of_kind<SettingsDump>(files)) {
    seen.settings.ports.resize(fabric.ports().size());
    for (const SettingsDump::Port& row : dump->ports) {
      const auto port = port_of(fabric, row);
      if (!port) {
        report.add(kUnknownPort, row.line,
                   fmt::format("the fabric has no port {} of a node {}", row.number, row.node));
        continue;
      }
      const LinkSettings::Port told{row.width, row.speed, row.mtu, row.op_vls};
      LinkSettings::Port& at = seen.settings.ports[port->index()];
      Span& first = lines[port->index()];
      if (first.source.is_none()) {
        first = row.line;
        at = told;
      } else if (at != told) {
        report.add(kTableTwice, row.line, fmt::format("a second row of {} differs", name_of(fabric, *port)))
            .labels.push_back({first, "the first row"});
      }
    }
  }
  const Tops tops = read_tops(files, fabric, report);
  for (std::uint32_t s = 0; s < tops.size(); ++s)
    if (tops[s])
      take_top(SwitchId(s), *tops[s], seen);
    else
      ++seen.settings.without_top;
  if (seen.settings.without_top == tops.size()) seen.settings.without_top = 0;
  seen.fabric = std::make_shared<const Fabric>(with_operational_vls(Fabric(*seen.fabric), seen.settings));
}

void place_ranks(std::span<const File> files, fabric::Reporter& report, Observed& seen) {
  const Fabric& fabric = *seen.fabric;
  Span engine_line;
  std::vector<Span> lines(fabric.switch_count());
  for (const SmDump* dump : all_of_kind<SmDump>(files)) {
    if (!seen.engine.empty() && !dump->engine.empty() && dump->engine != seen.engine)
      report.add(kTableTwice, dump->engine_line, "two files name different engines")
          .labels.push_back({engine_line, "the other file"});
    if (!dump->engine.empty()) seen.engine = dump->engine, engine_line = dump->engine_line;
    if (!dump->ranks.empty()) seen.ranks.resize(fabric.switch_count(), Observed::kNoRank);
    for (const SmDump::Rank& row : dump->ranks) {
      const auto sw = fabric.find_switch(row.sw);
      if (!sw) {
        report.add(kUnknownSwitch, row.line, fmt::format("no switch of the fabric has the GUID {}", row.sw));
        continue;
      }
      std::uint32_t& rank = seen.ranks[sw->index()];
      if (rank != Observed::kNoRank && rank != row.rank)
        report.add(kTableTwice, row.line, fmt::format("a second rank of {} differs", row.sw))
            .labels.push_back({lines[sw->index()], "the first one"});
      rank = row.rank;
      lines[sw->index()] = row.line;
    }
  }
}

}  // namespace rch::dumps

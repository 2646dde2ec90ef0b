#include "dumps/observed.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "dumps/observed_ports.h"
#include "dumps/recognise.h"
#include "dumps/rules.h"
#include "fabric/fabric_builder.h"
#include "fabric/multicast_groups.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

using fabric::Fabric;

/// The owners that forwarding tables name, by LID.
std::map<Lid, UnicastDump::Owner> owners_of(std::span<const UnicastDump* const> dumps) {
  std::map<Lid, UnicastDump::Owner> owners;
  for (const UnicastDump* dump : dumps)
    for (const UnicastDump::Owner& owner : dump->owners) owners.emplace(owner.lid, owner);
  return owners;
}

std::uint8_t lmc_of(std::size_t lids) {
  std::uint8_t lmc = 0;
  while (lmc < 7 && (std::size_t{2} << lmc) <= lids) ++lmc;
  return lmc;
}

/// The fabric with the LMCs that records and the owners of LIDs tell, and with their LIDs where it has none.
Result<Fabric> with_told_lids(const Fabric& fabric, const std::map<Lid, UnicastDump::Owner>& owners,
                              std::span<const fabric::LidRecords* const> records) {
  std::map<PortId, std::pair<Lid, std::size_t>> told;  // the first LID, and how many follow each other
  for (const auto& [lid, owner] : owners)
    if (const auto port = fabric.find_port(owner.port)) {
      auto& [first, count] = told.try_emplace(*port, lid, std::size_t{0}).first->second;
      if (lid.index() == first.index() + count) ++count;
    }
  for (const fabric::LidRecords* of_file : records)
    for (const auto& [guid, range] : of_file->all())
      if (const auto port = fabric.find_port(guid))
        told.try_emplace(*port, range.first, range.last.index() - range.first.index() + 1);
  const bool has_lids = fabric.max_lid() != kUnassignedLid;
  std::vector<fabric::LidAssignment> lids;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    const auto found = told.find(PortId(p));
    fabric::LidAssignment own{PortId(p), port.lid, port.lmc};
    if (found != told.end() && (!has_lids || found->second.first == port.lid))
      own = {PortId(p), found->second.first, std::max(port.lmc, lmc_of(found->second.second))};
    if (own.lid != kUnassignedLid) lids.push_back(own);
  }
  return fabric::with_lids(fabric, lids);
}

/// Puts tables onto a fabric, one kind after the other.
class Observer {
 public:
  Observer(const Fabric& fabric, std::span<const File> files, Diagnostics& diagnostics)
      : given_(fabric), files_(files), report_(diagnostics) {}

  std::optional<Observed> run() {
    const auto unicast = all_of_kind<UnicastDump>(files_);
    const auto adaptive = all_of_kind<AdaptiveDump>(files_);
    const auto has_none = [](const auto* dump) { return dump->tables.empty(); };
    if (std::ranges::all_of(unicast, has_none) && std::ranges::all_of(adaptive, has_none))
      report_.add(kNoForwardingTables, {}, "none of the files has a forwarding table");
    take_lids(unicast);
    if (!report_.failed()) take_unicast(unicast, adaptive);
    if (!report_.failed()) {
      take_groups();
      take_sl2vl();
      take_path_sls();
      place_pkeys(files_, report_, seen_);
      place_ranks(files_, report_, seen_);
    }
    report_.finish();
    if (report_.failed()) return std::nullopt;
    return std::move(seen_);
  }

 private:
  const Fabric& fabric() const { return *seen_.fabric; }
  std::string name(SwitchId sw) const {
    return fmt::format("`{}` ({})", fabric().node(sw).name(), fabric().node(sw).guid);
  }

  void take_lids(std::span<const UnicastDump* const> unicast) {
    const auto owners = owners_of(unicast);
    auto told = with_told_lids(given_, owners, all_of_kind<fabric::LidRecords>(files_));
    if (!told) {
      report_.add(kOwnerDiffers, {}, "the LIDs of the tables do not fit the fabric: " + told.error().message);
      return;
    }
    seen_.fabric = std::make_shared<const Fabric>(std::move(*told));
    if (fabric().max_lid() == kUnassignedLid) report_.add(kNoLids, {}, "no port of the fabric has a LID");
    for (const auto& [lid, owner] : owners) {
      const auto port = fabric().lid_owner(lid), named = fabric().find_port(owner.port);
      if (!port && named)
        report_.add(kOwnerDiffers, owner.entry,
                    fmt::format("LID {} belongs to {} here, which has LID {} in the fabric", lid, owner.port,
                                fabric().port(*named).lid));
      if (port && fabric().port(*port).guid != owner.port)
        report_.add(kOwnerDiffers, owner.entry,
                    fmt::format("LID {} belongs to {} here, and to {} in the fabric", lid, owner.port,
                                fabric().port(*port).guid));
    }
  }

  void take_unicast(std::span<const UnicastDump* const> dumps,
                    std::span<const AdaptiveDump* const> adaptive) {
    Lid top = fabric().max_lid();
    for (const UnicastDump* dump : dumps)
      for (const UnicastDump::Table& table : dump->tables)
        for (std::size_t lid = table.ports.size(); lid-- > top.index() + std::size_t{1};)
          if (table.ports[lid] != kNoPath) {
            top = Lid(static_cast<std::uint16_t>(lid));
            break;
          }
    for (const AdaptiveDump* dump : adaptive)
      for (const AdaptiveDump::Table& table : dump->tables)
        if (table.ports.size() > top.index() + std::size_t{1})
          top = Lid(static_cast<std::uint16_t>(table.ports.size() - 1));
    fabric::RoutingTables& tables = seen_.tables;
    tables.lfts = fabric::ForwardingTables(fabric().switch_count(), top);
    fabric::RoutedStep step;
    step.engine = "installed";
    step.switches = IdSet<SwitchId>(fabric().switch_count(), true);
    step.lids = IdSet<Lid>(top.index() + 1, true);
    tables.steps.push_back(std::move(step));
    std::vector<const UnicastDump::Table*> tables_of(fabric().switch_count());
    for (const UnicastDump* dump : dumps)
      for (const UnicastDump::Table& table : dump->tables) take_table(table, tables_of);
    std::vector<std::uint8_t> has_table(tables_of.size());
    for (std::size_t s = 0; s < tables_of.size(); ++s) has_table[s] = tables_of[s] != nullptr ? 1 : 0;
    take_adaptive_settings();
    if (!adaptive.empty()) take_adaptive(adaptive, has_table);
    count_without_groups(adaptive);
    place_settings(files_, report_, seen_);
    for (std::uint32_t s = 0; s < tables_of.size(); ++s)
      if (has_table[s] == 0)
        report_.add(kMissingTable, {}, fmt::format("there is no forwarding table of {}", name(SwitchId(s))));
    tell_unowned();
  }

  void take_table(const UnicastDump::Table& table, std::vector<const UnicastDump::Table*>& tables_of) {
    const auto sw = fabric().find_switch(table.sw);
    if (!sw) {
      report_.add(kUnknownSwitch, table.heading,
                  fmt::format("no switch of the fabric has the GUID {}", table.sw));
      return;
    }
    const std::span<std::uint8_t> row = seen_.tables.lfts.row(*sw);
    const std::size_t count = std::min(row.size(), table.ports.size());
    if (const UnicastDump::Table* before = std::exchange(tables_of[sw->index()], &table); before != nullptr) {
      const auto entry = [](const UnicastDump::Table& of, std::size_t lid) {
        return lid < of.ports.size() ? of.ports[lid] : kNoPath;
      };
      for (std::size_t lid = 0; lid < row.size(); ++lid)
        if (entry(*before, lid) != entry(table, lid)) {
          report_
              .add(kTableTwice, table.heading,
                   fmt::format("a second table of {} differs for LID {}", name(*sw), lid))
              .labels.push_back({before->heading, "the first table"});
          return;
        }
    }
    std::copy_n(table.ports.begin(), count, row.begin());
  }

  /// Tables of adaptive routing take the place of linear ones where adaptive routing is on: what a switch
  /// then shows of the others does not tell where packets go. `has_table`: by switch.
  void take_adaptive(std::span<const AdaptiveDump* const> dumps, std::vector<std::uint8_t>& has_table) {
    fabric::RoutingTables& tables = seen_.tables;
    tables.adaptive = fabric::AdaptiveTables(fabric().switch_count(), tables.lfts.max_lid());
    std::vector<const AdaptiveDump::Table*> table_of(fabric().switch_count());
    for (const AdaptiveDump* dump : dumps)
      for (const AdaptiveDump::Table& table : dump->tables) {
        const auto sw = fabric().find_switch(table.sw);
        if (!sw) {
          report_.add(kUnknownSwitch, table.heading,
                      fmt::format("no switch of the fabric has the GUID {}", table.sw));
        } else if (table_of[sw->index()] != nullptr) {
          report_.add(kTableTwice, table.heading, fmt::format("a second table of {}", name(*sw)))
              .labels.push_back({table_of[sw->index()]->heading, "the first table"});
        } else {
          table_of[sw->index()] = &table;
          take_switch(*sw, table, has_table[sw->index()]);
        }
      }
    set_group_columns(table_of);
  }

  /// What the files say of each switch. Which of two rows counts is not known.
  void take_adaptive_settings() {
    for (const SettingsDump* settings : all_of_kind<SettingsDump>(files_))
      for (const AdaptiveSettings::Row& row : settings->adaptive.rows) {
        const AdaptiveSettings::Row& first = *settings_.try_emplace(row.sw, &row).first->second;
        if (!row.says_the_same(first))
          report_.add(kTableTwice, row.line, fmt::format("a second row of AR_INFO for {} differs", row.sw))
              .labels.push_back({first.line, "the first row"});
      }
  }

  /// Counts the switches that may have groups, which no file tells. Where files have rows of AR_INFO, these
  /// tell which switches route adaptively. Else the other switches of a file with groups may: it may lack
  /// some.
  void count_without_groups(std::span<const AdaptiveDump* const> dumps) {
    std::set<Guid> with_table;
    for (const AdaptiveDump* dump : dumps)
      for (const AdaptiveDump::Table& table : dump->tables) with_table.insert(table.sw);
    for (std::uint32_t s = 0; s < fabric().switch_count(); ++s) {
      const Guid sw = fabric().node(SwitchId(s)).guid;
      if (with_table.contains(sw)) continue;
      const AdaptiveSettings::Row* const row = settings_of(sw);
      const bool may_have_some =
          row != nullptr ? row->enabled || row->fast_recovery : settings_.empty() && !dumps.empty();
      if (may_have_some) ++seen_.without_groups;
    }
  }

  void take_switch(SwitchId sw, const AdaptiveDump::Table& table, std::uint8_t& has_table) {
    fabric::AdaptiveSwitch& at = seen_.tables.adaptive.at(sw);
    const AdaptiveSettings::Row* const row = settings_of(table.sw);
    at.enabled = row == nullptr || row->enabled || table.has_hashed;
    at.fast_recovery = row != nullptr && row->fast_recovery;
    at.sls = row == nullptr || table.has_hashed ? std::uint16_t{0xFFFF} : row->sls;
    at.groups = table.groups;
    // Who does not know the settings takes every group to be used.
    if (row == nullptr)
      for (fabric::PortGroup& group : at.groups) group.is_static = false;
    if (table.has_private) ++seen_.private_tables;
    const bool is_in_use = at.enabled || at.fast_recovery;
    if (!is_in_use && has_table != 0) return;
    const std::span<std::uint8_t> entries = seen_.tables.lfts.row(sw);
    std::ranges::fill(entries, kNoPath);
    std::copy_n(table.ports.begin(), std::min(entries.size(), table.ports.size()), entries.begin());
    has_table = 1;
  }

  const AdaptiveSettings::Row* settings_of(Guid sw) const {
    const auto row = settings_.find(sw);
    return row == settings_.end() ? nullptr : row->second;
  }

  void set_group_columns(std::span<const AdaptiveDump::Table* const> table_of) {
    fabric::AdaptiveTables& adaptive = seen_.tables.adaptive;
    std::map<std::vector<std::uint16_t>, std::uint32_t> known;
    std::vector<std::uint16_t> groups(table_of.size());
    for (std::size_t lid = 1; lid <= adaptive.max_lid().index(); ++lid) {
      bool has_some = false;
      for (std::size_t s = 0; s < table_of.size(); ++s) {
        const bool has_entry = table_of[s] != nullptr && lid < table_of[s]->group_of.size();
        groups[s] = has_entry ? table_of[s]->group_of[lid] : fabric::AdaptiveTables::kNoGroup;
        has_some = has_some || groups[s] != fabric::AdaptiveTables::kNoGroup;
      }
      if (!has_some) continue;
      const auto [column, fresh] = known.try_emplace(groups, std::uint32_t{0});
      if (fresh) column->second = adaptive.add_column(groups);
      adaptive.set_column(Lid(static_cast<std::uint16_t>(lid)), column->second);
    }
  }

  /// LIDs to which some switch forwards, and that nobody has.
  void tell_unowned() {
    std::vector<std::string> lids;
    const fabric::ForwardingTables& lfts = seen_.tables.lfts;
    for (std::size_t lid = 1; lid <= lfts.max_lid().index(); ++lid) {
      const Lid at(static_cast<std::uint16_t>(lid));
      if (fabric().lid_owner(at)) continue;
      for (std::uint32_t s = 0; s < lfts.switch_count(); ++s)
        if (lfts.at(SwitchId(s), at) != kNoPath) {
          lids.push_back(fmt::format("{}", lid));
          break;
        }
    }
    constexpr std::size_t kNamed = 5;
    if (lids.empty()) return;
    const bool more = lids.size() > kNamed;
    const std::string count = counted(lids.size(), "LID");
    lids.resize(std::min(lids.size(), kNamed));
    report_.add(kUnownedLids, {},
                fmt::format("{} with entries {} no owner in the fabric: {}{}", count,
                            count == "1 LID" ? "has" : "have", fmt::join(lids, ", "), more ? "…" : ""));
  }

  void take_groups() {
    std::vector<std::pair<Lid, PortId>> entries;
    for (const MulticastDump* dump : all_of_kind<MulticastDump>(files_)) {
      seen_.has_groups = true;
      for (const MulticastDump::Table& table : dump->tables) {
        const auto sw = fabric().find_switch(table.sw);
        if (!sw)
          report_.add(kUnknownSwitch, table.heading,
                      fmt::format("no switch of the fabric has the GUID {}", table.sw));
        for (const MulticastDump::Entry& entry : sw ? table.entries : std::vector<MulticastDump::Entry>()) {
          if (entry.port > fabric().node(*sw).num_ports)
            report_.add(kBadEntry, table.heading,
                        fmt::format("{} has no port {}, to which packets of multicast LID 0x{:04X} go",
                                    name(*sw), entry.port, entry.mlid));
          else
            entries.emplace_back(entry.mlid, fabric().port_id(*sw, PortNum(entry.port)));
        }
      }
    }
    seen_.tables.groups = fabric::groups_of_entries(fabric(), std::move(entries));
  }

  void take_sl2vl() {
    const auto dumps = all_of_kind<Sl2VlDump>(files_);
    if (dumps.empty()) {
      seen_.no_sl2vl = "no SL2VL tables were given";
      return;
    }
    std::vector<std::uint8_t> num_ports;
    for (std::uint32_t s = 0; s < fabric().switch_count(); ++s)
      num_ports.push_back(fabric().node(SwitchId(s)).num_ports);
    fabric::Sl2VlTables maps(num_ports, fabric::kIdentitySl2Vl);
    std::vector<fabric::Sl2VlTables::MapId> own(fabric().ports().size(), fabric::Sl2VlTables::kNoMap);
    std::vector<std::vector<bool>> known;
    for (const std::uint8_t ports : num_ports)
      known.emplace_back((ports + std::size_t{1}) * (ports + std::size_t{1}));
    for (const Sl2VlDump* dump : dumps)
      for (const Sl2VlDump::Row& row : dump->rows) take_map(row, maps, own, known);
    maps.set_own(std::move(own));
    if (const std::uint64_t missing = missing_maps(known); missing > 0)
      seen_.no_sl2vl = fmt::format("{} of links in use {} missing", counted(missing, "SL2VL table"),
                                   missing == 1 ? "is" : "are");
    else
      seen_.tables.sl2vl = std::move(maps);
  }

  void take_map(const Sl2VlDump::Row& row, fabric::Sl2VlTables& maps,
                std::vector<fabric::Sl2VlTables::MapId>& own, std::vector<std::vector<bool>>& known) {
    auto port = fabric().find_port(row.port);
    if (!port)
      if (const auto node = fabric().find_node(row.port)) port = fabric().port_id(*node, PortNum(0));
    if (!port) {
      report_.add(kUnknownSwitch, row.line, fmt::format("no port of the fabric has the GUID {}", row.port));
      return;
    }
    const fabric::Sl2VlTables::MapId map = maps.intern(row.map);
    const auto sw = fabric().switch_id(fabric().port(*port).node);
    if (!sw) {
      own[port->index()] = map;
      return;
    }
    const std::uint8_t ports = fabric().node(*sw).num_ports;
    if (row.in.value > ports || row.out.value > ports) {
      report_.add(kBadEntry, row.line, fmt::format("{} has {}", name(*sw), counted(ports, "port")));
      return;
    }
    maps.set(*sw, row.in, row.out, map);
    known[sw->index()][row.in.index() * (ports + std::size_t{1}) + row.out.index()] = true;
  }

  /// Those that packets can meet: from a link, or from the switch itself, to a link.
  std::uint64_t missing_maps(const std::vector<std::vector<bool>>& known) const {
    std::uint64_t missing = 0;
    for (std::uint32_t s = 0; s < fabric().switch_count(); ++s) {
      const SwitchId sw(s);
      const std::uint8_t ports = fabric().node(sw).num_ports;
      const auto has_link = [&](unsigned p) {
        return !fabric().port(fabric().port_id(sw, PortNum(static_cast<std::uint8_t>(p)))).peer.is_none();
      };
      for (unsigned out = 1; out <= ports; ++out)
        for (unsigned in = 0; has_link(out) && in <= ports; ++in)
          if ((in == 0 || has_link(in)) && !known[s][in * (ports + 1U) + out]) ++missing;
    }
    return missing;
  }

  void take_path_sls() {
    const auto dumps = all_of_kind<PathSlDump>(files_);
    if (dumps.empty()) return;
    seen_.path_sls.emplace(fabric().ports().size());
    for (const PathSlDump* dump : dumps)
      for (const PathSlDump::Source& source : dump->sources) {
        std::vector<PortId> ports;
        if (const auto port = fabric().find_port(source.guid)) {
          ports.push_back(*port);
        } else if (const auto node = fabric().find_node(source.guid)) {
          for (unsigned p = 1; p <= fabric().node(*node).num_ports; ++p)
            ports.push_back(fabric().port_id(*node, PortNum(static_cast<std::uint8_t>(p))));
        } else {
          report_.add(kUnknownSwitch, source.heading,
                      fmt::format("no port of the fabric has the GUID {}", source.guid));
        }
        for (const PortId port : ports) seen_.path_sls->set(port, source.levels);
      }
    count_pairs_without_sl(seen_);
  }

  const Fabric& given_;
  std::span<const File> files_;
  fabric::Reporter report_;
  std::map<Guid, const AdaptiveSettings::Row*> settings_;
  Observed seen_;
};

}  // namespace

std::optional<File> read(SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const auto as_file = [](auto&& dump) {
    return dump ? std::optional<File>(std::move(*dump)) : std::nullopt;
  };
  switch (recognise(sources.at(source).name(), sources.at(source).text())) {
    case Kind::unicast:
      return as_file(read_unicast(sources, source, diagnostics));
    case Kind::multicast:
      return as_file(read_multicast(sources, source, diagnostics));
    case Kind::sl2vl:
      return as_file(read_sl2vl(sources, source, diagnostics));
    case Kind::path_sls:
      return as_file(read_path_sls(sources, source, diagnostics));
    case Kind::pkeys:
      return as_file(read_pkeys(sources, source, diagnostics));
    case Kind::adaptive:
      return as_file(read_adaptive(sources, source, diagnostics));
    case Kind::settings:
      return as_file(read_settings(sources, source, diagnostics));
    case Kind::sm_records:
      return as_file(read_sm_records(sources, source, diagnostics));
    case Kind::lids:
      return fabric::read_guid2lid(sources, source, diagnostics);
    case Kind::other:
      break;
  }
  diagnostics.add(kUnformedFile, {source, 0, 0}, "the file has no tables in any form that is known");
  return std::nullopt;
}

void count_pairs_without_sl(Observed& observed) {
  const Fabric& fabric = *observed.fabric;
  const verify::GivenSls& sls = *observed.path_sls;
  observed.pairs_without_sl = 0;
  observed.knows_sls_to_switches = false;
  for (const fabric::EndPort& from : fabric.end_ports()) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      if (sls.knows(from.port, fabric.port(fabric.port_id(SwitchId(s), PortNum(0))).lid))
        observed.knows_sls_to_switches = true;
    for (const fabric::EndPort& to : fabric.end_ports())
      for (unsigned k = 0; from.port != to.port && k < 1U << to.lmc; ++k)
        if (!sls.knows(from.port, Lid(static_cast<std::uint16_t>(to.lid.value + k))))
          ++observed.pairs_without_sl;
  }
}

std::optional<Observed> observe(const Fabric& fabric, std::span<const File> files, Diagnostics& diagnostics) {
  return Observer(fabric, files, diagnostics).run();
}

}  // namespace rch::dumps

// What OpenSM 3.3.23 takes: opensm(8), `file` routing; osm_ucast_file.c, osm_qos.c, osm_subnet.c.

#include "chains/opensm_export.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "fabric/lid_records.h"
#include "policy/model/option_table.h"
#include "policy/model/vl_tables.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using policy::qos::PortClass;

constexpr std::string_view kMulticastTrees = "multicast-trees", kRateLimits = "rate-limits",
                           kArbitration = "arbitration";

/// Options that the export sets itself.
constexpr std::array<std::string_view, 5> kOwnOptions{"routing_engine", "lmc", "lmc_esp0", "reassign_lids",
                                                      "qos"};

std::string_view prefix_of(PortClass port_class) {
  return policy::qos::port_classes()[static_cast<std::size_t>(port_class)].prefix;
}

/// The class of a port in OpenSM, which has none for ports between switches.
PortClass class_of(const Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  if (fabric.is_switch(port.node))
    return port.number.value == 0 ? PortClass::switch_port0 : PortClass::switch_external;
  return fabric.node(port.node).type == fabric::NodeType::router ? PortClass::router : PortClass::ca;
}

/// One value for each class of ports; `differs` once two ports of a class have different ones.
template <class T>
struct ByClass {
  std::array<std::optional<T>, policy::qos::kPortClasses> values{};
  bool differs = false;

  void add(PortClass port_class, const T& value) {
    auto& known = values[static_cast<std::size_t>(port_class)];
    if (!known) known = value;
    differs = differs || *known != value;
  }
};

/// Writes the files of one plan.
class Exporter {
 public:
  Exporter(const Plan& plan, const ExportedPartitions& partitions, std::string folder)
      : plan_(plan),
        fabric_(*plan.fabric),
        tables_(*plan.tables),
        partitions_(partitions),
        folder_(std::move(folder)) {}

  OpenSmExport run() {
    add_heading();
    add_routing();
    add_lids();
    add_partitions();
    add_multicast();
    add_qos();
    add_kept_options();
    return std::move(out_);
  }

 private:
  void refuse(std::string_view name, std::string what, bool may_be_accepted = false) {
    out_.unsaid.push_back({name, std::move(what), may_be_accepted});
  }
  void option(std::string_view name, std::string_view value) {
    out_.options += fmt::format("{} {}\n", name, value);
  }
  std::string file(std::string_view name) const { return fmt::format("{}/{}", folder_, name); }

  void add_heading() {
    out_.options = fmt::format(
        "# The tables of a plan of rch, for OpenSM 3.3.23. It finds guid2lid in OSM_CACHE_DIR:\n"
        "#   OSM_CACHE_DIR={} opensm -F {}\n",
        folder_, file(kExportedOptions));
  }

  void add_routing() {
    option("routing_engine", "file,no_fallback");
    option("lfts_file", file(kExportedTables));
    if (!tables_.adaptive.empty())
      refuse("adaptive-groups", "groups of ports for adaptive routing: plan with `ar_mode 0`");
    const auto sl = fabric::common_path_sl(tables_);
    if (!sl)
      refuse("path-sls",
             fmt::format("{} different service levels to different paths, and engine `file` has one "
                         "for all",
                         plan_.tables->steps.size() == 1 ? "the step gives" : "the steps give"));
    else if (*sl != 0)
      refuse("path-sls", fmt::format("the routing needs service level {}, and engine `file` gives 0", *sl));
  }

  void add_lids() {
    ByClass<std::uint8_t> lmc;
    for (const fabric::Port& port : fabric_.ports())
      if (port.lid != kUnassignedLid) {
        const PortClass port_class = class_of(fabric_, fabric_.port_id(port.node, port.number));
        const bool is_plain_switch =
            port_class == PortClass::switch_port0 && !fabric_.node(port.node).enhanced_port0;
        if (!is_plain_switch) lmc.add(port_class == PortClass::router ? PortClass::ca : port_class, port.lmc);
      }
    const auto of_hosts = lmc.values[static_cast<std::size_t>(PortClass::ca)];
    const auto of_switches = lmc.values[static_cast<std::size_t>(PortClass::switch_port0)];
    const std::uint8_t value = of_hosts.value_or(0);
    if (lmc.differs || (of_switches && *of_switches != 0 && *of_switches != value))
      refuse("lmc", "ports of one kind have different LMCs, and OpenSM has one `lmc`");
    option("lmc", fmt::format("{}", value));
    option("lmc_esp0", of_switches && *of_switches != 0 ? "TRUE" : "FALSE");
    option("reassign_lids", "FALSE");
    option("honor_guid2lid_file", "TRUE");
    fabric::LidRecords records;
    records.take_over(fabric_);
    out_.lids = fabric::write_guid2lid(records);
  }

  /// Every port that has a table is a full member of the default partition, and of no other.
  bool has_default_partition_only() const {
    for (std::size_t port = 0; port < tables_.pkeys.ports.size(); ++port)
      for (const std::uint16_t key : tables_.pkeys.of(port))
        if (key != 0 && key != 0xFFFF) return false;
    return true;
  }

  void add_partitions() {
    option("partition_config_file", file(kExportedPartitions));
    out_.partitions = partitions_.text.empty() ? "Default=0x7fff, ipoib : ALL=full;\n" : partitions_.text;
    if (!partitions_.is_known && !has_default_partition_only())
      refuse("partitions",
             "the plan has P_Keys of partitions and not the file that names them: name the "
             "configuration (`-F` or `-C`) in place of the plan");
    if (partitions_.has_port_groups)
      refuse("partitions", "a partition names port groups, which OpenSM does not read");
    if (tables_.pkeys.empty()) return;
    constexpr std::array<std::string_view, 4> kWords{"off", "in", "out", "both"};
    option("part_enforce", kWords[static_cast<std::size_t>(tables_.pkeys.enforcement)]);
    option("keep_pkey_indexes", tables_.pkeys.keep_indexes ? "TRUE" : "FALSE");
    option("allow_both_pkeys", plan_.options.partitions.allow_both_pkeys ? "TRUE" : "FALSE");
  }

  void add_multicast() {
    if (tables_.groups.empty()) return option("disable_multicast", "TRUE");
    refuse(kMulticastTrees,
           fmt::format("OpenSM routes {} on trees of its own, and nobody has proven them together with these "
                       "paths",
                       counted(tables_.groups.size(), "multicast group")),
           true);
  }

  void add_qos() {
    if (!tables_.rate_limits.empty()) refuse(kRateLimits, "OpenSM limits no rates of adapters", true);
    if (tables_.sl2vl.empty() && tables_.arbitration.empty()) return option("qos", "FALSE");
    option("qos", "TRUE");
    add_maps();
    add_arbitration();
  }

  /// Calls f(port) for the ports with a cable, and ports 0.
  template <class F>
  void for_ports(const F& f) const {
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) {
      const fabric::Port& port = fabric_.port(PortId(p));
      if (!port.peer.is_none() || (port.number.value == 0 && fabric_.is_switch(port.node))) f(PortId(p));
    }
  }

  ByClass<fabric::Sl2VlMap> maps_by_class() const {
    ByClass<fabric::Sl2VlMap> maps;
    for_ports([&](PortId out) {
      const fabric::Port& port = fabric_.port(out);
      const PortClass port_class = class_of(fabric_, out);
      if (port_class == PortClass::switch_port0 && !tables_.sl2vl.has_own(out)) return;
      if (port_class != PortClass::switch_external) return maps.add(port_class, tables_.sl2vl.end_port(out));
      const SwitchId sw(port.node.value);
      for (unsigned in = 0; in <= fabric_.node(sw).num_ports; ++in) {
        const PortNum from(static_cast<std::uint8_t>(in));
        const bool is_met = in == 0 || !fabric_.port(fabric_.port_id(sw, from)).peer.is_none();
        if (is_met && from != port.number) maps.add(port_class, tables_.sl2vl.at(sw, from, port.number));
      }
    });
    return maps;
  }

  void add_maps() {
    if (tables_.sl2vl.empty())
      return refuse("sl2vl",
                    "the plan leaves SL2VL tables as ports hold them, and OpenSM writes them with VL "
                    "arbitration");
    const ByClass<fabric::Sl2VlMap> maps = maps_by_class();
    if (maps.differs)
      refuse("sl2vl",
             "ports of one class have different SL2VL tables, by the port that packets come in or "
             "by the VLs of the link, and OpenSM has one for each class");
    for_classes(maps, [&](std::string_view prefix, const fabric::Sl2VlMap& map) {
      option(fmt::format("{}sl2vl", prefix), fmt::format("{}", fmt::join(map, ",")));
    });
  }

  void add_arbitration() {
    if (tables_.arbitration.empty())
      return refuse(kArbitration,
                    "OpenSM writes VL arbitration with SL2VL tables, and the plan leaves it as "
                    "ports hold it",
                    true);
    ByClass<fabric::Arbitration> by_class;
    bool some_left = false;
    for_ports([&](PortId port) {
      const PortClass port_class = class_of(fabric_, port);
      const fabric::Arbitration* table = tables_.arbitration.at(port);
      if (table != nullptr) by_class.add(port_class, *table);
      some_left = some_left || (table == nullptr && port_class != PortClass::switch_port0);
    });
    if (by_class.differs || some_left)
      refuse(kArbitration,
             "ports of one class have different VL arbitration, and OpenSM has one for each class", true);
    for_classes(by_class, [&](std::string_view prefix, const fabric::Arbitration& table) {
      option(fmt::format("{}high_limit", prefix), fmt::format("{}", table.high_limit));
      option(fmt::format("{}vlarb_high", prefix), weights(table.high));
      option(fmt::format("{}vlarb_low", prefix), weights(table.low));
    });
  }

  static std::string weights(const fabric::VlWeights& list) {
    std::string text;
    for (const fabric::VlWeight& entry : list)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", entry.vl, entry.weight);
    return text.empty() ? "0:0" : text;
  }

  template <class T, class F>
  static void for_classes(const ByClass<T>& by_class, const F& f) {
    for (std::size_t c = 0; c < by_class.values.size(); ++c)
      if (by_class.values[c]) f(prefix_of(static_cast<PortClass>(c)), *by_class.values[c]);
  }

  /// Adds the options that ports and switches are written with, where these are not the defaults.
  void add_kept_options() {
    policy::Options values = plan_.options, defaults;
    for (const policy::OptionKey& key : policy::option_table()) {
      if (!key.in_plan || key.maker != policy::Maker::opensm) continue;
      if (std::ranges::find(kOwnOptions, key.name) != kOwnOptions.end()) continue;
      const policy::OptionField initial = key.field(defaults);
      std::visit(
          [&]<class T>(T* value) {
            if constexpr (std::unsigned_integral<T>)
              if (*value != *std::get<T*>(initial)) option(key.name, text_of(*value));
          },
          key.field(values));
    }
  }
  static std::string text_of(bool value) { return value ? "TRUE" : "FALSE"; }
  static std::string text_of(std::uint64_t value) { return fmt::format("0x{:016x}", value); }
  template <std::unsigned_integral T>
  static std::string text_of(T value) {
    return fmt::format("{}", value);
  }

  const Plan& plan_;
  const Fabric& fabric_;
  const fabric::RoutingTables& tables_;
  const ExportedPartitions& partitions_;
  std::string folder_;
  OpenSmExport out_;
};

}  // namespace

std::vector<std::string> acceptable_unsaid() {
  return {std::string(kArbitration), std::string(kMulticastTrees), std::string(kRateLimits)};
}

OpenSmExport export_for_opensm(const Plan& plan, const ExportedPartitions& partitions,
                               const std::string& folder) {
  return Exporter(plan, partitions, folder).run();
}

}  // namespace rch::chains

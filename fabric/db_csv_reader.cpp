// Reader of the tables of ibdiagnet 2 (`ibdiagnet2.db_csv`) and of NVIDIA SM (`opensm-smdb.dump`). No manual
// describes their columns; docs/fabric-files.md says which are read and which public sources name them.
//
// NODES and LINKS make the fabric. PORTS and SWITCHES add what ports and switches hold. A LID stands at port
// 0 of a switch and at each port of a CA. PORTS holds M_Keys in clear: every column that is not read is
// hidden in the text before a finding can quote it.

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/db_csv_check.h"
#include "fabric/db_csv_codes.h"
#include "fabric/db_csv_draft.h"
#include "fabric/db_csv_rules.h"
#include "fabric/formats.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

enum NodeColumn : std::size_t {
  kNodeGuid,
  kNodeType,
  kNodeText,
  kNodePorts,
  kNodeSystem,
  kNodeDevice,
  kNodeVendor,
  kNodeRevision
};
constexpr CsvColumn kNodeColumns[] = {{"NodeGUID", {}, true},
                                      {"NodeType", {}, true},
                                      {"NodeDesc", {}, false, "names of nodes"},
                                      {"NumPorts", {}, false, "ports without a cable"},
                                      {"SystemImageGUID", {}, false, "which nodes are one chassis"},
                                      {"DeviceID"},
                                      {"VendorID"},
                                      {"revision"}};

enum PortColumn : std::size_t {
  kPortNode,
  kPortNumber,
  kPortGuid,
  kPortLid,
  kPortLmc,
  kPortState,
  kPortWidth,
  kPortSpeed,
  kPortMtu,
  kPortVls,
  kPortMaster,
  kPortLabel
};
constexpr CsvColumn kPortColumns[] = {{"NodeGUID", {}, true},
                                      {"PortNum", {}, true},
                                      {"PortGUID", {}, false, "GUIDs of ports"},
                                      {"LID", {}, false, "LIDs"},
                                      {"LMC", {}, false, "the LMC, which is taken as 0"},
                                      {"PortState", {}, false, "which links are active"},
                                      {"LinkWidthActv", "LinkWidth", false, "widths of links"},
                                      {"LinkSpeedActv", "LinkSpeed", false, "speeds of links"},
                                      {"MTUCap", {}, false, "MTUs"},
                                      {"VLCap", {}, false, "VLs of ports"},
                                      {"MSMLID", {}, false, "the subnet manager's port"},
                                      {"PortLabel"}};

enum SwitchColumn : std::size_t { kSwitchNode, kSwitchEnhanced, kSwitchMulticast };
constexpr CsvColumn kSwitchColumns[] = {{"NodeGUID", {}, true},
                                        {"ENP0", {}, false, "enhanced port 0"},
                                        {"MCastFDBCap", {}, false, "multicast capacity"}};

enum LinkColumn : std::size_t { kLinkNode1, kLinkPort1, kLinkNode2, kLinkPort2 };
constexpr CsvColumn kLinkColumns[] = {
    {"NodeGUID1", {}, true}, {"PortNum1", {}, true}, {"NodeGUID2", {}, true}, {"PortNum2", {}, true}};

enum ManagerColumn : std::size_t { kManagerPort, kManagerState };
constexpr CsvColumn kManagerColumns[] = {{"PortGUID", {}, true}, {"State", {}, true}};

constexpr std::uint64_t kHighestPort = 254;
constexpr std::uint64_t kPermissiveLid = 0xFFFF;

using PortPlace = TablesDraft::Place;
using CsvSecrets = CsvRows::Secrets;

class TablesReader {
 public:
  TablesReader(SourceSet& sources, SourceId source, bool by_sm, Reporter& report)
      : sources_(sources),
        source_(source),
        by_sm_(by_sm),
        report_(report),
        tables_(sources, source, report) {}

  std::optional<Fabric> read() {
    tables_.set_sections(find_sections(sources_.at(source_).text(), source_));
    check_sections(sources_, source_, tables_.sections(), by_sm_, report_);
    // Rows of PORTS may stand in another section then, and M_Keys with them.
    if (report_.failed()) return std::nullopt;
    if (by_sm_)
      report_.add(kUnconfirmedForm, {source_, 0, 0}, "tables of NVIDIA SM: form not confirmed").hint =
          "no whole file was at hand; compare `rch fabric info` of it with that of `ibnetdiscover`'s file";
    read_nodes();
    read_ports();
    if (!by_sm_) read_switches();
    read_special_ports(tables_);
    read_links();
    read_labels(tables_);
    read_chips(tables_);
    if (report_.failed()) return std::nullopt;  // rows are lost, so nothing follows from what is missing
    if (!by_sm_ && tables_.sections().find("PORTS") != nullptr) check_rows();
    check_cables();
    settle_origin();
    return tables_.draft().finish(Draft::LinksNamed::once);
  }

 private:
  void read_nodes() {
    const auto counts = port_counts();
    tables_.for_each_row("NODES", kNodeColumns, [&](const CsvRows& rows) {
      const auto guid = rows.needed_guid(kNodeGuid);
      const auto type = rows.needed_number(kNodeType, static_cast<std::uint64_t>(NodeType::router));
      auto ports = rows.has(kNodePorts) ? rows.needed_number(kNodePorts, kHighestPort) : 0;
      if (!guid || !type || !ports) return;
      if (*type == 0) {
        report_.add(kCsvBadValue, rows.span(kNodeType), "no node has the type 0").hint =
            "1 is a CA, 2 a switch, 3 a router";
        return;
      }
      if (const auto count = counts.find(*guid); !rows.has(kNodePorts) && count != counts.end())
        ports = count->second;
      NodeSpec spec;
      spec.guid = *guid;
      spec.type = static_cast<NodeType>(*type);
      spec.description = rows.text(kNodeText);
      if (const auto system = rows.guid(kNodeSystem)) spec.system_guid = *system;
      spec.vendor_id = static_cast<std::uint32_t>(rows.number(kNodeVendor, 0xFFFFFF).value_or(0));
      spec.device_id = static_cast<std::uint32_t>(rows.number(kNodeDevice, 0xFFFFFFFF).value_or(0));
      spec.revision = static_cast<std::uint32_t>(rows.number(kNodeRevision, 0xFFFFFFFF).value_or(0));
      spec.ports.resize(*ports + 1);
      if (spec.type == NodeType::sw) spec.ports[0].state = PortState::active;
      tables_.add_node(std::move(spec), rows.span());
    });
  }

  /// Nodes without a number of ports have as many as PORTS and LINKS name. What is wrong there is reported
  /// when those are read.
  std::unordered_map<Guid, std::uint64_t> port_counts() {
    std::unordered_map<Guid, std::uint64_t> counts;
    Diagnostics ignored;
    Reporter quiet(ignored);
    TablesDraft glance(sources_, source_, quiet);
    glance.set_sections(tables_.sections());
    const CsvRows nodes(sources_, source_, *tables_.sections().find("NODES"), quiet, kNodeColumns);
    if (!nodes.usable() || nodes.has(kNodePorts)) return counts;
    const auto count = [&](const CsvRows& rows, std::size_t node, std::size_t port) {
      const auto guid = rows.needed_guid(node);
      const auto number = rows.needed_number(port, kHighestPort);
      if (!guid || !number) return;
      std::uint64_t& highest = counts[*guid];
      highest = std::max(highest, *number);
    };
    glance.for_each_row(
        "PORTS", kPortColumns, [&](const CsvRows& rows) { count(rows, kPortNode, kPortNumber); },
        CsvSecrets::columns);
    glance.for_each_row("LINKS", kLinkColumns, [&](const CsvRows& rows) {
      count(rows, kLinkNode1, kLinkPort1);
      count(rows, kLinkNode2, kLinkPort2);
    });
    return counts;
  }

  void read_ports() {
    tables_.for_each_row(
        "PORTS", kPortColumns,
        [&](const CsvRows& rows) {
          if (const auto at = tables_.place(rows, kPortNode, kPortNumber)) read_port(rows, *at);
        },
        CsvSecrets::columns);
  }

  void read_port(const CsvRows& rows, const PortPlace& at) {
    const NodeSpec& node = tables_.draft().node(at.node).spec;
    PortSpec& port = tables_.port(at);
    TablesDraft::PortSeen& seen = tables_.seen(at);
    if (seen.row) {
      report_
          .add(kCsvRepeated, rows.span(kPortNode),
               fmt::format("a second row of port {} of `{}` ({})", at.port, node.description, node.guid))
          .labels.push_back({seen.span, "the first one"});
      return;
    }
    seen.row = true;
    seen.span = rows.span(kPortNode);
    const bool is_switch = node.type == NodeType::sw;
    if (is_switch == (at.port == 0)) {
      read_lids(rows, port);
      if (const auto guid = rows.guid(kPortGuid)) port.guid = *guid;
    }
    port.mtu_cap = static_cast<std::uint8_t>(rows.number(kPortMtu, 5).value_or(0));
    port.vl_cap = static_cast<std::uint8_t>(rows.number(kPortVls, 5).value_or(0));
    if (const auto state = coded(rows, kPortState, state_from_csv)) {
      port.state = *state;
      seen.says_down = *state == PortState::down;
    }
    if (at.port != 0 && !seen.says_down) {
      seen.rate.width = coded(rows, kPortWidth, width_from_csv).value_or(LinkWidth::unknown);
      seen.rate.speed = coded(rows, kPortSpeed, speed_from_csv).value_or(LinkSpeed::unknown);
    }
    tables_.set_label(at, rows.text(kPortLabel));
  }

  void read_lids(const CsvRows& rows, PortSpec& port) {
    const auto lid = rows.number(kPortLid, kPermissiveLid);
    if (lid && *lid != kPermissiveLid) port.lid = Lid(static_cast<std::uint16_t>(*lid));
    if (port.lid != kUnassignedLid)
      port.lmc = static_cast<std::uint8_t>(rows.number(kPortLmc, 7).value_or(0));
    if (master_ != kUnassignedLid || !rows.has(kPortMaster)) return;
    const auto master = rows.number(kPortMaster, kPermissiveLid);
    if (master && *master != kPermissiveLid) master_ = Lid(static_cast<std::uint16_t>(*master));
  }

  /// A field that holds a code or a word. Nothing, which is reported, if it is not known.
  template <class Value>
  std::optional<Value> coded(const CsvRows& rows, std::size_t column,
                             std::optional<Value> (*decode)(std::string_view)) {
    if (!rows.has(column)) return std::nullopt;
    if (const auto value = decode(rows.text(column))) return value;
    if (rows.says_nothing(column))
      rows.report_no_answer(column);
    else
      report_.add(kUnknownRate, rows.span(column), "no known state, width or speed; it is taken as unknown");
    return std::nullopt;
  }

  void read_switches() {
    tables_.for_each_row("SWITCHES", kSwitchColumns, [&](const CsvRows& rows) {
      const auto node = tables_.node(rows, kSwitchNode);
      if (!node) return;
      NodeSpec& spec = tables_.draft().node(*node).spec;
      if (std::exchange(tables_.seen(*node).switch_row, true))
        report_.add(kCsvRepeated, rows.span(kSwitchNode),
                    fmt::format("a second row of `{}` ({})", spec.description, spec.guid));
      spec.enhanced_port0 = rows.number(kSwitchEnhanced, 1).value_or(0) != 0;
      spec.multicast_cap = static_cast<std::uint16_t>(rows.number(kSwitchMulticast, 0xFFFF).value_or(0));
    });
  }

  void read_links() {
    std::unordered_set<std::uint64_t> cables;
    std::size_t left_out = 0;
    Span first_left_out;
    tables_.for_each_row("LINKS", kLinkColumns, [&](const CsvRows& rows) {
      const auto a = tables_.cable_end(rows, kLinkNode1, kLinkPort1),
                 b = tables_.cable_end(rows, kLinkNode2, kLinkPort2);
      if (!a || !b || !cables.insert(cable(*a, *b)).second) return;  // both directions may be listed
      if (tables_.seen(*a).management || tables_.seen(*b).management) {
        tables_.seen(*a).cable = tables_.seen(*b).cable = true;
        tables_.port(*a).state = tables_.port(*b).state = PortState::down;
        if (left_out++ == 0) first_left_out = rows.span();
        return;
      }
      claim(*a, *b, rows.span());
      claim(*b, *a, rows.span());
    });
    if (left_out == 0) return;
    report_
        .add(kManagementCables, first_left_out,
             fmt::format("{} between FNM ports left out: hosts send nothing over them",
                         counted(left_out, "cable")))
        .hint = "form not confirmed: compare with the ports that the forwarding tables use";
  }

  /// The same number for both directions.
  static std::uint64_t cable(const PortPlace& a, const PortPlace& b) {
    const auto end = [](const PortPlace& at) { return std::uint64_t{at.node} << 8 | at.port; };
    return std::min(end(a), end(b)) << 32 | std::max(end(a), end(b));
  }

  void claim(const PortPlace& from, const PortPlace& to, Span span) {
    TablesDraft::PortSeen& seen = tables_.seen(from);
    if (seen.says_down && !seen.cable) {
      const NodeSpec& node = tables_.draft().node(from.node).spec;
      Diagnostic& d = report_.add(kDownCable, span,
                                  fmt::format("port {} of `{}` ({}) has a cable here and is down in `PORTS`",
                                              from.port, node.description, node.guid));
      d.labels.push_back({seen.span, "the row of the port"});
      d.hint = "it is taken as up; run ibdiagnet again";
    }
    seen.cable = true;
    const auto number = [](std::size_t port) { return PortNum(static_cast<std::uint8_t>(port)); };
    tables_.draft().add_claim(
        {from.node, to.node, number(from.port), number(to.port), span, seen.rate, std::nullopt});
  }

  void check_rows() {
    const bool has_switches = tables_.sections().find("SWITCHES") != nullptr;
    for (std::uint32_t n = 0; n < tables_.seen().size(); ++n) {
      const Draft::Node& node = tables_.draft().node(n);
      const bool is_switch = node.spec.type == NodeType::sw;
      const auto& ports = tables_.seen(n).ports;
      const auto missing = std::count_if(ports.begin() + (is_switch ? 0 : 1), ports.end(),
                                         [](const TablesDraft::PortSeen& port) { return !port.row; });
      if (missing > 0)
        report_
            .add(kMissingRows, node.span,
                 fmt::format("`PORTS` has no row of {} of `{}` ({})",
                             counted(static_cast<std::size_t>(missing), "port"), node.spec.description,
                             node.spec.guid))
            .hint = "what these ports hold is taken as unknown";
      if (is_switch && has_switches && !tables_.seen(n).switch_row)
        report_
            .add(kMissingRows, node.span,
                 fmt::format("`SWITCHES` has no row of `{}` ({})", node.spec.description, node.spec.guid))
            .hint = "its port 0 is taken as a base one";
    }
  }

  /// Without PORTS nothing else tells that rows of LINKS are lost.
  void check_unlinked(std::uint32_t node) {
    const auto& ports = tables_.seen(node).ports;
    if (std::any_of(ports.begin(), ports.end(), [](const TablesDraft::PortSeen& port) { return port.cable; }))
      return;
    const Draft::Node& unlinked = tables_.draft().node(node);
    report_
        .add(kUnlinkedNode, unlinked.span,
             fmt::format("`{}` ({}) has no link", unlinked.spec.description, unlinked.spec.guid))
        .hint = "if its links are missing here, rows of `LINKS` are lost";
  }

  /// Without a cable a port is down, whatever its row says.
  void check_cables() {
    for (std::uint32_t n = 0; n < tables_.seen().size(); ++n) {
      check_unlinked(n);
      for (std::size_t p = 1; p < tables_.seen(n).ports.size(); ++p) {
        const PortPlace at{n, p};
        const TablesDraft::PortSeen& seen = tables_.seen(at);
        if (seen.cable || tables_.port(at).state == PortState::down) continue;
        tables_.port(at).unlink();
        const NodeSpec& node = tables_.draft().node(n).spec;
        report_
            .add(kNoCable, seen.span,
                 fmt::format("port {} of `{}` ({}) is up, and `LINKS` has no cable of it", p,
                             node.description, node.guid))
            .hint = "it is taken as down: what is behind it did not answer, or rows of `LINKS` are lost";
      }
    }
  }

  /// The subnet manager's port.
  void settle_origin() {
    if (by_sm_)
      tables_.for_each_row("SMS", kManagerColumns, [&](const CsvRows& rows) {
        const bool is_master =
            rows.text(kManagerState) == "3" || to_lower(rows.text(kManagerState)) == "master";
        const auto guid = is_master ? rows.guid(kManagerPort) : std::nullopt;
        if (guid) tables_.draft().set_origin(*guid);
      });
    if (master_ == kUnassignedLid) return;
    for (std::uint32_t n = 0; n < tables_.seen().size(); ++n) {
      const NodeSpec& node = tables_.draft().node(n).spec;
      for (std::size_t p = 0; p < node.ports.size(); ++p) {
        const PortSpec& port = node.ports[p];
        const std::uint32_t first = port.lid.value;
        if (first == 0 || master_.value < first || master_.value >= first + (1U << port.lmc)) continue;
        return tables_.draft().set_origin(n, PortNum(static_cast<std::uint8_t>(p)));
      }
    }
  }

  SourceSet& sources_;
  SourceId source_;
  bool by_sm_;
  Reporter& report_;
  TablesDraft tables_;
  Lid master_ = kUnassignedLid;
};

}  // namespace

namespace {

/// As check_bytes(), without the rest of the line, which may hold an M_Key.
bool check_nul(SourceSet& sources, SourceId source, Reporter& report) {
  const std::string_view text = sources.at(source).text();
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return true;
  const std::size_t begin = text.rfind('\n', nul) + 1;  // 0 in the first line
  const std::size_t end = std::min(text.find('\n', nul), text.size());
  sources.hide({source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  const auto at = static_cast<std::uint32_t>(nul);
  report.add(kNulByte, {source, at, at + 1}, "NUL byte in the text").hint =
      "the file is damaged; write it again";
  return false;
}

}  // namespace

std::optional<Fabric> read_db_csv(SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Reporter report(diagnostics);
  const std::string_view text = sources.at(source).text();
  if (!check_nul(sources, source, report) || !check_bytes(text, source, report)) return std::nullopt;
  auto fabric = TablesReader(sources, source, recognise(text) == Format::smdb, report).read();
  report.finish();
  return report.failed() ? std::nullopt : std::move(fabric);
}

}  // namespace rch::fabric

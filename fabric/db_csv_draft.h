#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fabric/db_csv_rows.h"
#include "fabric/draft.h"

namespace rch::fabric {

/// What the sections have said so far, and where.
class TablesDraft {
 public:
  struct PortSeen {
    bool row = false;        ///< in PORTS
    bool says_down = false;  ///< that row says so
    bool cable = false;
    bool management = false;  ///< FNM port: between chips of one switch
    LinkRate rate;
    Span span;  ///< of that row
  };
  struct NodeSeen {
    std::vector<PortSeen> ports;  ///< by number
    bool switch_row = false;
  };
  /// A port that exists.
  struct Place {
    std::uint32_t node;
    std::size_t port;
  };

  TablesDraft(SourceSet& sources, SourceId source, Reporter& report)
      : sources_(sources), source_(source), report_(report), draft_(report, {source, 0, 0}) {}

  const CsvSections& sections() const { return sections_; }
  void set_sections(CsvSections sections) { sections_ = std::move(sections); }
  Reporter& report() { return report_; }
  Draft& draft() { return draft_; }

  /// Calls row(rows) for each row of a section; nothing if there is no such section.
  template <class Row>
  void for_each_row(std::string_view name, std::span<const CsvColumn> columns, Row&& row,
                    CsvRows::Secrets secrets = CsvRows::Secrets::none) {
    const CsvSection* const section = sections_.find(name);
    if (section == nullptr) return;
    CsvRows rows(sources_, source_, *section, report_, columns, secrets);
    while (rows.usable() && rows.next()) row(std::as_const(rows));
  }

  void add_node(NodeSpec spec, Span span);
  std::span<NodeSeen> seen() { return seen_; }
  NodeSeen& seen(std::uint32_t node) { return seen_[node]; }
  PortSeen& seen(const Place& at) { return seen_[at.node].ports[at.port]; }
  PortSpec& port(const Place& at) { return draft_.node(at.node).spec.ports[at.port]; }
  void set_label(const Place& at, std::string_view label);

  /// The node that a row is about; nothing, which is reported, if NODES does not have it.
  std::optional<std::uint32_t> node(const CsvRows& rows, std::size_t column);
  /// The same for a port.
  std::optional<Place> place(const CsvRows& rows, std::size_t node_column, std::size_t port_column);
  /// The same for an end of a cable, which is an error.
  std::optional<Place> cable_end(const CsvRows& rows, std::size_t node_column, std::size_t port_column);

 private:
  SourceSet& sources_;
  SourceId source_;
  Reporter& report_;
  Draft draft_;
  CsvSections sections_;
  std::vector<NodeSeen> seen_;  ///< by node of the draft
};

/// EXTENDED_PORT_INFO: which ports are FNM ports. Before the links are read.
void read_special_ports(TablesDraft& tables);
/// PORT_HIERARCHY_INFO: what is printed on the chassis.
void read_labels(TablesDraft& tables);
/// EXTENDED_NODE_INFO: says which switches are chips of planes.
void read_chips(TablesDraft& tables);

}  // namespace rch::fabric

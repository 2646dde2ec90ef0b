#include "fabric/db_csv_draft.h"

#include <fmt/format.h>

#include "fabric/db_csv_rules.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

constexpr std::uint64_t kMaxPort = 254;

}  // namespace

void TablesDraft::add_node(NodeSpec spec, Span span) {
  seen_.push_back({std::vector<PortSeen>(spec.ports.size())});
  draft_.add_node(std::move(spec), span);
}

void TablesDraft::set_label(const Place& at, std::string_view label) {
  if (label.empty() || label == "N/A") return;
  NodeSpec& spec = draft_.node(at.node).spec;
  spec.port_labels.resize(spec.ports.size());
  spec.port_labels[at.port] = label;
}

std::optional<std::uint32_t> TablesDraft::node(const CsvRows& rows, std::size_t column) {
  const auto guid = rows.needed_guid(column);
  if (!guid) return std::nullopt;
  const auto node = draft_.find(*guid);
  if (!node)
    report_.add(kRowOfUnknownNode, rows.span(column), fmt::format("`NODES` has no node {}", *guid)).hint =
        "the row is skipped; if rows of `NODES` are lost, write the file again";
  return node;
}

std::optional<TablesDraft::Place> TablesDraft::place(const CsvRows& rows, std::size_t node_column,
                                                     std::size_t port_column) {
  const auto of = node(rows, node_column);
  const auto port = rows.needed_number(port_column, kMaxPort);
  if (!of || !port) return std::nullopt;
  if (*port < seen_[*of].ports.size()) return Place{*of, *port};
  const NodeSpec& spec = draft_.node(*of).spec;
  report_
      .add(kRowOfUnknownNode, rows.span(port_column),
           fmt::format("`{}` ({}) has no port {}, only 1-{}", spec.description, spec.guid, *port,
                       spec.ports.size() - 1))
      .hint = "the row is skipped";
  return std::nullopt;
}

std::optional<TablesDraft::Place> TablesDraft::cable_end(const CsvRows& rows, std::size_t node_column,
                                                         std::size_t port_column) {
  const auto guid = rows.needed_guid(node_column);
  const auto port = rows.needed_number(port_column, kMaxPort);
  if (!guid || !port) return std::nullopt;
  const auto of = draft_.find(*guid);
  if (!of) {
    report_.add(kUnknownPeer, rows.span(node_column), fmt::format("`NODES` has no node {}", *guid)).hint =
        "rows of `NODES` are lost; write the file again";
    return std::nullopt;
  }
  if (!draft_.check_port(*of, *port, rows.span(port_column))) return std::nullopt;
  return Place{*of, *port};
}

}  // namespace rch::fabric

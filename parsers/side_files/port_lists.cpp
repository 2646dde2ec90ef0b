// Lists of switches with ports of theirs: weights, orders, ports left out of load counting.

#include <algorithm>

#include <fmt/format.h>

#include "parsers/side_files/columns.h"
#include "parsers/side_files/rules.h"

namespace rch::parsers::side_files {
namespace {

constexpr NumberKind kPort{"a port number", 1, 254};
constexpr NumberKind kWeight{"a weight", 1, 255};

/// False, reported, if the last port stands before too.
bool is_new(const std::vector<Number>& ports, Diagnostics& diagnostics) {
  const Number& port = ports.back();
  const auto twin =
      std::find_if(ports.begin(), ports.end(), [&](const Number& n) { return n.value == port.value; });
  if (&*twin == &port) return true;
  diagnostics.add(kRepeatedOrderPort, port.span, fmt::format("port {} stands twice in one order", port.value))
      .labels.push_back({twin->span, "first here"});
  return false;
}

}  // namespace

std::vector<PortWeight> parse_hop_weights(const SourceSet& sources, SourceId source,
                                          Diagnostics& diagnostics) {
  const auto read = [](Columns& line) {
    return PortWeight{line.guid(), line.number(kPort), line.number(kWeight)};
  };
  return read_table(sources, source, {}, "GUID PORT WEIGHT", read, diagnostics);
}

std::vector<PortOrder> parse_port_orders(const SourceSet& sources, SourceId source,
                                         Diagnostics& diagnostics) {
  const auto read = [](Columns& line) {
    PortOrder order{line.subject(), {}};
    // The first mistake ends the line: nothing of it is used.
    do {
      order.ports.push_back(line.number(kPort));
      if (order.ports.back().value == 0 || !is_new(order.ports, line.diagnostics())) {
        line.spoil();
        break;
      }
    } while (line.more());
    return order;
  };
  return read_table(sources, source, {}, "GUID PORT…", read, diagnostics);
}

std::vector<IgnoredPort> parse_ignored_ports(const SourceSet& sources, SourceId source,
                                             Diagnostics& diagnostics) {
  const auto read = [](Columns& line) {
    IgnoredPort entry{line.guid(), std::nullopt};
    if (line.more())
      entry.port = line.number(kPort);
    else if (line.good())
      line.diagnostics()
          .add(kGuidWithoutPort, entry.node.span,
               fmt::format("`{}` stands without a port", line.first().text))
          .hint = "write `GUID PORT`: a switch and one of its ports";
    return entry;
  };
  return read_table(sources, source, {}, "GUID PORT", read, diagnostics);
}

}  // namespace rch::parsers::side_files

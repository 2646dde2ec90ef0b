#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"
#include "perfmgr/totals.h"

namespace rch::perfmgr {

/// The fabric as agents are asked: one generation with its installed tables.
struct View {
  std::shared_ptr<const fabric::Fabric> fabric{};
  std::shared_ptr<const fabric::RoutingTables> tables{};
  PortId local{};                      ///< our port
  std::vector<std::uint16_t> pkeys{};  ///< of our port, by index; empty: not known
};

/// Who tells of the counters of ports: a port of a CA or router of its own ones, port 0 of a switch of those
/// of all its ports.
struct Agent {
  Guid node;
  Lid lid;
  std::uint8_t service_level = 0;
  std::vector<PortNum> ports;  ///< that have a link; port 0 where it is an enhanced one
};
/// The agents of all ports that have a link, by node. Those without a LID or a path from or to our port are
/// left out, and counted in `unreachable` unless that is null.
std::vector<Agent> agents_of(const View& view, bool with_cas, std::size_t* unreachable = nullptr);

/// What has rows besides the ports that are asked.
struct Keeps {
  bool cas = true;
  bool gone = false;  ///< ports of nodes that are not in the fabric any more
};
/// Rows of ports, and which row each had before.
struct Rows {
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::shared_ptr<Totals> totals;
  std::vector<std::size_t> before;  ///< kNone: it had none
};
/// Rows for the ports of `agents`, and for those of `before` that are kept, with their totals. `before` null:
/// there were none. `fabric_before` is theirs.
Rows rows_for(const View& view, const std::vector<Agent>& agents, const Totals* before,
              const fabric::Fabric* fabric_before, const Keeps& keeps);
/// The rows of the ports of an agent; `totals` must have them.
std::vector<std::size_t> rows_of(const Agent& agent, const Totals& totals);

}  // namespace rch::perfmgr

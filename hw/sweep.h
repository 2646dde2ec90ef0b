#pragma once

// What discovery knows while it walks: nodes in the order they were first answered, ports by number.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "hw/mad.h"
#include "hw/route.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// Index into Sweep::nodes().
using SweepNodeId = std::uint32_t;

struct SweepPort {
  bool seen = false;      ///< PortInfo was asked for
  bool explored = false;  ///< NodeInfo was asked for behind it
  Guid guid;
  Route route;  ///< how it was first reached
  SmpData info{};
  std::optional<std::pair<SweepNodeId, std::uint8_t>> peer;
};

struct SweepNode {
  Guid guid;
  Route route;
  SmpData info{};
  SmpData switch_info{};
  std::string description;
  std::vector<SweepPort> ports;  ///< num_ports + 1
};

/// Something that keeps the view from being whole, at a port.
struct SweepProblem {
  SweepNodeId node = 0;
  std::uint8_t port = 0;
  std::string before;  ///< text before and after the name of the port
  std::string after;
};

/// The walk itself. Every answer may set off more questions; the walk is over when none is left.
class Sweep {
 public:
  explicit Sweep(SmpClient& client) : client_(client) {}

  /// Fails (fabric) when our own node does not answer, our port is down, or the view is not whole.
  Result<void> run();

  const std::vector<SweepNode>& nodes() const { return nodes_; }
  std::uint8_t local_port() const { return local_port_; }  ///< of node 0

 private:
  void ask(SweepNodeId node, std::uint8_t port, const Route& route, Attribute attribute,
           std::uint32_t modifier);
  void on_answer(SweepNodeId node, std::uint8_t port, Attribute attribute, const SmpAnswer& answer);
  void on_neighbor(SweepNodeId from, std::uint8_t from_port, const SmpAnswer& answer);
  void on_port_info(SweepNodeId node, std::uint8_t port);
  std::optional<SweepNodeId> meet(const SmpData& node_info, const Route& route);
  void explore(SweepNodeId node, std::uint8_t port);
  void look_at_port(SweepNodeId node, std::uint8_t port, const Route& route);
  void link(SweepNodeId a, std::uint8_t a_port, SweepNodeId b, std::uint8_t b_port);
  void problem(SweepNodeId node, std::uint8_t port, std::string before, std::string after);
  std::string name(SweepNodeId node, std::uint8_t port) const;
  Result<void> verdict();

  SmpClient& client_;
  std::vector<SweepNode> nodes_;
  std::unordered_map<Guid, SweepNodeId> by_guid_;
  std::vector<SweepProblem> problems_;
  std::uint8_t local_port_ = 0;
};

}  // namespace rch::hw

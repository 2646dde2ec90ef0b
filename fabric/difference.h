#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace rch::fabric {

/// A node, or a cable between nodes that stay, which one generation of a fabric has and another has not.
struct Change {
  bool is_new = false;  ///< else it is gone
  std::string text;     ///< "cable `leaf01` (0x…) port 3 - `spine00` (0x…) port 2 is gone"
  Guid node;
  std::string name;  ///< of the node
  // The ports of a cable; number 0: the change is that of a node.
  PortNum port{};
  Guid peer{};
  std::string peer_name{};
  PortNum peer_port{};
};
/// Returns the changes, those that are gone first.
std::vector<Change> changes(const Fabric& before, const Fabric& after);

/// What changed at a cable or at an end port that both generations have.
struct PortChange {
  enum class What { rate, lids } what = What::rate;
  std::string text;  ///< "`host3` (0x…) port 1 has LID 7, had 5"
  Guid node;
  PortNum port;
};
/// Rates of links, LIDs and LMC, where both generations know them.
std::vector<PortChange> port_changes(const Fabric& before, const Fabric& after);

/// Nodes that have another number of ports, or are of another type, a sentence each.
std::vector<std::string> changed_nodes(const Fabric& before, const Fabric& after);

enum class Compared {
  fingerprint,  ///< what a plan relies on: nodes and cables that came and went, nodes that changed
  everything,   ///< besides them rates of links, LIDs and LMC, where both generations know them
};

/// What changed from one generation of a fabric to another, one line each, at most `limit` lines and then a
/// count of the rest. States and descriptions are not compared.
std::vector<std::string> differences(const Fabric& before, const Fabric& after, Compared what,
                                     std::size_t limit);

/// True if `after` is `before` without some CA and router ports: switches and the cables between them are the
/// same, and nothing is new.
bool only_lost_end_ports(const Fabric& before, const Fabric& after);

/// The port of `fabric` at the same place as `port` of `other`, if it exists: by node GUID, type of node and
/// number. A node that became one of another type has no counterpart.
std::optional<PortId> counterpart(const Fabric& fabric, const Fabric& other, const Port& port);

}  // namespace rch::fabric

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fabric/cable_policy.h"
#include "fabric/table_dumps.h"
#include "policy/model/names.h"

namespace rch::policy {

/// A node or port, or (NVIDIA SM) every one of a group.
using GuidOrGroup = std::variant<Guid, GroupId>;

/// One entry of a GUID list.
struct ListMember {
  GuidOrGroup who;
  std::optional<std::uint8_t> rank;  ///< NVIDIA SM: level of a root
  Span span;
};
/// The id that stands for a switch when updn breaks a tie.
struct NodeNumber {
  Guid node;
  std::uint64_t id = 0;
  Span span;
};
/// What a hop out of this port costs; a hop out of any other costs 1.
struct HopWeight {
  Guid node;
  std::uint8_t port = 0;
  std::uint8_t weight = 1;
  Span span;
};
/// The order in which the ports of a switch are looked at; those left out follow in ascending order.
struct PortOrder {
  GuidOrGroup who;
  std::vector<std::uint8_t> ports;
  Span span;
};
/// A port whose routes are not counted for balance; none: a bare GUID.
struct IgnoredPort {
  Guid node;
  std::optional<std::uint8_t> port;
  Span span;
};
/// Which router paths to other subnets take.
struct PrefixRoute {
  std::optional<std::uint64_t> prefix;  ///< none: any
  std::optional<Guid> router;           ///< none: the first one
  Span span;
};
/// What a node is called in messages.
struct NodeName {
  Guid node;
  std::string name;
  Span span;
};
/// A cable that an operator lists, and whether it may be used.
struct ListedCable {
  fabric::CableEntry entry;
  Span span;  ///< GUID and port of its first end
  Span peer;
};
/// Log flags of one source file of OpenSM.
struct ModuleFlags {
  std::string file;
  std::uint8_t flags = 0;
  Span span;
};

/// What a routing step reads beside its options; a file that its engine does not read is not here.
struct StepFiles {
  std::vector<ListMember> roots;          ///< switches by node GUID; empty: the engine looks for them
  std::vector<ListMember> compute_nodes;  ///< by port GUID
  std::vector<ListMember> io_nodes;       ///< by port GUID
  std::vector<ListMember> routing_order;  ///< by port GUID: routed first
  std::vector<NodeNumber> ids;
  std::vector<HopWeight> hop_weights;
  std::vector<PortOrder> port_orders;
  std::vector<IgnoredPort> ignored_ports;
  std::shared_ptr<const fabric::LftDump> lfts;  ///< of `lfts_file`; null: none
  std::shared_ptr<const fabric::HopDump> hops;  ///< of `lid_matrix_dump_file`; null: none
};

/// The files that belong to the fabric as a whole.
struct FabricFiles {
  std::vector<ListMember> held_back_switches;  ///< by node GUID; GUIDs only
  std::vector<ListMember> multicast_roots;     ///< by node GUID; GUIDs only
  std::vector<PrefixRoute> prefix_routes;      ///< the first match wins
  std::vector<NodeName> node_names;
  std::vector<ModuleFlags> module_logging;
  std::vector<ListedCable> cables;
};

}  // namespace rch::policy

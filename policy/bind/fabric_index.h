#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabric/fabric.h"

namespace rch::policy {

/// Look-ups that group rules need, each made on first use.
class FabricIndex {
 public:
  explicit FabricIndex(const fabric::Fabric& fabric) : fabric_(fabric) {}

  /// A node, or one port of it, that a GUID names.
  struct Named {
    Guid guid;
    NodeId node;
    PortNum port = PortNum::none();  ///< none: all ports of the node
  };
  /// Nodes and CA ports whose GUID lies in [low, high], ascending.
  std::span<const Named> in_range(Guid low, Guid high);

  /// A channel adapter described as `<host> HCA-<card>`.
  struct Card {
    NodeId node;
    std::uint32_t index;
  };
  std::span<const Card> cards_of(std::string_view host);

  /// Nodes whose description the expression matches, ascending. The pattern compiles. Repeated patterns cost
  /// nothing.
  const std::vector<NodeId>& matching(const std::string& pattern);

 private:
  const fabric::Fabric& fabric_;
  std::vector<Named> by_guid_;
  std::unordered_map<std::string_view, std::vector<Card>> by_host_;
  std::vector<std::pair<std::string_view, NodeId>> by_description_;
  std::map<std::string, std::vector<NodeId>> matched_;
};

}  // namespace rch::policy

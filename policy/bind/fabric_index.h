#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sparse_set.h"
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

  /// Nodes whose description each of the expressions matches, in the order of the expressions. All at once:
  /// thousands against each of 50,000 descriptions take minutes one by one.
  std::vector<SparseSet<NodeId>> matching(std::span<const std::string> expressions) const;

 private:
  const fabric::Fabric& fabric_;
  std::vector<Named> by_guid_;
  std::unordered_map<std::string_view, std::vector<Card>> by_host_;
};

}  // namespace rch::policy

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::assertions {

/// End ports that words name, in the grammar of docs/assertions.md:
///
///   node:NAME      all linked ports of a node, by its description, its name of a node-name map, or the first
///   word of
///                  either; of a switch its port 0
///   pattern:GLOB   the same of all nodes whose description or name fits, with `*`, `?` and `[…]`
///   lid:NUMBER     the port that owns the LID
///   guid:0x…       a port, or all linked ports of a node
///   port:NODE/N    port N of a node, by its name or GUID
///   group:NAME     what `groups` says
///   all            all CA and router ports on switches
class PointFinder {
 public:
  /// `groups`: words by name of the group. References stay.
  PointFinder(const fabric::Fabric& fabric, const std::map<std::string, std::vector<std::string>>& groups)
      : fabric_(fabric), groups_(groups) {}

  /// Ascending, each once, at least one. Fails (usage) where a word names nothing, or more than one node.
  Result<std::vector<PortId>> find(std::string_view word) const;

 private:
  /// Groups on the way to a word, and those whose ports the result has already.
  struct Groups {
    std::set<std::string_view> open{}, done{};
  };
  Result<std::vector<PortId>> find(std::string_view word, Groups& groups) const;
  Result<std::vector<PortId>> of_group(std::string_view name, Groups& groups) const;
  Result<NodeId> node_named(std::string_view name) const;
  std::vector<PortId> ports_of(NodeId node) const;

  const fabric::Fabric& fabric_;
  const std::map<std::string, std::vector<std::string>>& groups_;
};

}  // namespace rch::assertions

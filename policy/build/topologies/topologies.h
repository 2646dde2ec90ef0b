#pragma once

#include <optional>
#include <vector>

#include "parsers/topologies/topologies.h"
#include "policy/build/groups/groups.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// The topologies of one configuration while it is being built.
class TopologyTable {
 public:
  /// Definitions and uses of ids go to `symbols`.
  explicit TopologyTable(Symbols& symbols) : symbols_(symbols) {}

  /// Adds one file's topologies; reports duplicate ids and undefined groups.
  /// `groups` is null when no group file was given: names of groups are then not checked.
  void add(const parsers::topologies::Syntax& syntax, GroupTable* groups, Diagnostics& diagnostics);

  /// Marks the topology as used; false, reported, if it is undefined.
  bool use(const parsers::Number& id, Diagnostics& diagnostics);
  void report_unused(Diagnostics& diagnostics) const;

  std::vector<Topology> take() { return std::move(topologies_); }

 private:
  Symbols& symbols_;
  std::vector<Topology> topologies_;
  std::vector<bool> used_;
  bool ids_complete_ = true;
};

}  // namespace rch::policy

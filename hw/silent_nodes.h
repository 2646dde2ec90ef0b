#pragma once

#include <cstddef>
#include <map>
#include <set>

#include "base/ids.h"

namespace rch::hw {

/// Nodes that do not answer, or refuse: a machine asks them no more, and does not wait for what it asked
/// them.
class SilentNodes {
 public:
  void on_ask(NodeId node) { ++open_[node]; }
  void on_answer(NodeId node) { --open_[node]; }
  void add(NodeId node) { silent_.insert(node); }
  bool contains(NodeId node) const { return silent_.contains(node); }
  bool empty() const { return silent_.empty(); }
  /// Requests that are on the way to them.
  std::size_t open() const {
    std::size_t count = 0;
    for (const NodeId node : silent_)
      if (const auto found = open_.find(node); found != open_.end()) count += found->second;
    return count;
  }

 private:
  std::map<NodeId, std::size_t> open_;
  std::set<NodeId> silent_;
};

}  // namespace rch::hw

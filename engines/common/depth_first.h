#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rch::engines::common {

/// Depth-first search for a topological order and a cycle. A `Graph` has
///
///     using Node = …;                      // an Id, numbered densely
///     std::size_t size() const;            // nodes
///     std::size_t degree(Node) const;      // candidates for successors
///     Node successor(Node, std::size_t i); // the i-th candidate; none(): there is no such edge
///
/// Keeps a reference to it. Linear in nodes and candidates.
template <class Graph>
class DepthFirst {
 public:
  using Node = typename Graph::Node;

  explicit DepthFirst(const Graph& graph) : graph_(graph), states_(graph.size(), State::unvisited) {}

  void visit_all() {
    for (std::size_t n = 0; n < graph_.size(); ++n) visit(Node(static_cast<typename Node::rep>(n)));
  }
  /// Visits what is reachable from a node.
  void visit(Node start) {
    if (states_[start.index()] != State::unvisited) return;
    open(start);
    while (!stack_.empty()) {
      Step& step = stack_.back();
      if (step.next == graph_.degree(step.node)) {
        states_[step.node.index()] = State::finished;
        finished_.push_back(step.node);
        stack_.pop_back();
        continue;
      }
      const Node next = graph_.successor(step.node, step.next++);
      if (next.is_none()) continue;
      if (states_[next.index()] == State::unvisited)
        open(next);
      else if (states_[next.index()] == State::open && cycle_.empty())
        keep_cycle(next);
    }
  }

  /// Nodes in the order in which they were finished: each behind its successors, but for edges that close a
  /// cycle.
  std::vector<Node>& finished() { return finished_; }
  bool has_cycle() const { return !cycle_.empty(); }
  /// The first cycle found, each node before its successor; empty if there is none.
  const std::vector<Node>& cycle() const { return cycle_; }

 private:
  enum class State : std::uint8_t { unvisited, open, finished };
  struct Step {
    Node node;
    std::uint32_t next = 0;  ///< candidate
  };

  void open(Node n) {
    states_[n.index()] = State::open;
    stack_.push_back({n});
  }
  void keep_cycle(Node first) {
    for (auto step = std::ranges::find(stack_, first, &Step::node); step != stack_.end(); ++step)
      cycle_.push_back(step->node);
  }

  const Graph& graph_;
  std::vector<State> states_;  ///< by node
  std::vector<Step> stack_;
  std::vector<Node> finished_;
  std::vector<Node> cycle_;
};

}  // namespace rch::engines::common

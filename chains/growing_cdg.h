#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace rch::chains {

/// A CDG that is kept acyclic while dependencies are added and taken back: incremental cycle detection
/// (Pearce, Kelly: A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, JEA 2006). Nodes are
/// numbers below a bound. Only those with a dependency cost memory.
class GrowingCdg {
 public:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  /// `edges` have no cycle.
  GrowingCdg(std::size_t nodes, std::span<const Edge> edges);

  /// Adds all and returns true, or changes nothing and returns false: they would close a cycle.
  bool try_add(std::span<const Edge> edges);
  /// Takes back what the last try_add() that was not taken back has added.
  void take_back(std::span<const Edge> edges);
  /// Nodes looked at and dependencies added since the beginning: a clock that is the same on every machine.
  std::uint64_t work() const { return work_; }

 private:
  using Slot = std::uint32_t;
  static constexpr Slot kNone = std::numeric_limits<Slot>::max();

  /// Dependencies in one direction: those of the beginning in one array, added ones by slot.
  struct Adjacency {
    std::vector<std::uint32_t> first;  ///< by slot of the beginning, and one past the last
    std::vector<Slot> given;
    std::vector<std::vector<Slot>> added;  ///< by slot

    template <class F>
    void for_each(Slot slot, F&& f) const {
      if (slot + std::size_t{1} < first.size())
        for (std::uint32_t i = first[slot]; i < first[slot + 1]; ++i) f(given[i]);
      for (const Slot other : added[slot]) f(other);
    }
  };

  Slot slot(std::uint32_t node);
  void fill(Adjacency& adjacency, std::span<const Edge> edges, bool backward);
  bool try_add(Slot from, Slot to);
  bool make_room(Slot from, Slot to);
  void search(const Adjacency& next, Slot start, std::vector<Slot>& found, std::uint32_t first,
              std::uint32_t last);

  std::vector<Slot> slot_of_;  ///< by node
  Adjacency after_, before_;
  std::vector<std::uint32_t> position_;  ///< by slot, in a topological order
  std::vector<std::uint8_t> reached_;    ///< by slot; 0 between searches
  std::vector<Slot> forward_, backward_;
  std::vector<std::uint32_t> positions_;
  std::uint64_t work_ = 0;
};

}  // namespace rch::chains

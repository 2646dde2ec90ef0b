#pragma once

// What ports have counted, as 64-bit totals. Counters of ports are narrow: they stop at their maximum, are
// cleared by us before they reach it, and by others at any time.

#include <atomic>
#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "perfmgr/counters.h"

namespace rch::perfmgr {

struct PortKey {
  Guid node;
  PortNum number;

  friend auto operator<=>(const PortKey&, const PortKey&) = default;
};

/// Totals of a set of ports. One thread writes them, any thread reads them at any time; the set of ports does
/// not change. A new set is a new value.
class Totals {
 public:
  struct Port {
    PortKey key;
    fabric::NodeType type = fabric::NodeType::sw;
    bool is_gone = false;          ///< its node is not in the fabric any more
    std::string last_node_name{};  ///< if it is gone
  };
  /// The total of a counter that was never read.
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

  explicit Totals(std::vector<Port> ports);

  /// Ascending by key.
  const std::vector<Port>& ports() const { return ports_; }
  /// The row of a port; none: it has no row.
  std::optional<std::size_t> find(const PortKey& key) const;
  std::uint64_t get(Counter counter, std::size_t row) const {
    return cell(counter, row).load(std::memory_order_relaxed);
  }
  void set(Counter counter, std::size_t row, std::uint64_t total) {
    cell(counter, row).store(total, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t>& cell(Counter counter, std::size_t row) const {
    return cells_[static_cast<std::size_t>(counter) * ports_.size() + row];
  }

  std::vector<Port> ports_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> cells_;  ///< a counter of all ports, then the next
};

/// What a port showed last.
struct LastReading {
  Reading reading;
  Abilities abilities;
};

/// How a reading differs from the one before.
struct Change {
  std::array<std::uint64_t, kCounterCount> risen{};
  CounterSet reset;      ///< it went backwards: somebody else cleared it, or the node restarted
  CounterSet saturated;  ///< it reached its maximum since: more was counted than it shows
  CounterSet full;       ///< narrow ones that are to be cleared
};

/// Compares two readings of a port. `last` null: there was none, so nothing has risen.
Change compare(const LastReading* last, const Reading& now, const Abilities& abilities);
/// Adds what has risen to the totals of a row. The first reading of a counter is its total.
void add(Totals& totals, std::size_t row, const Reading& now, const Change& change);

}  // namespace rch::perfmgr

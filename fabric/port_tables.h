#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// One `Table` for each port of a fabric; each distinct one is stored once.
template <class Table, class Id>
class PortTables {
 public:
  using TableId = Id;
  static constexpr TableId kLeft = std::numeric_limits<Id>::max();  ///< of a port that keeps what it has

  PortTables() = default;
  explicit PortTables(std::size_t ports) : of_port_(ports, kLeft) {}

  /// True if every port keeps what it has.
  bool empty() const { return tables_.empty(); }
  std::size_t port_count() const { return of_port_.size(); }
  const std::vector<Table>& tables() const { return tables_; }

  /// Id of the table, adding it if it is new. At most kLeft distinct ones.
  TableId intern(const Table& table) {
    const auto known = std::ranges::find(tables_, table);
    const auto id = static_cast<TableId>(known - tables_.begin());
    if (known == tables_.end()) tables_.push_back(table);
    return id;
  }
  TableId id_of(PortId port) const { return of_port_[port.index()]; }
  void set(PortId port, TableId id) { of_port_[port.index()] = id; }

  /// Null for a port that keeps what it has.
  const Table* at(PortId port) const {
    return empty() || id_of(port) == kLeft ? nullptr : &tables_[id_of(port)];
  }

 private:
  std::vector<Table> tables_;
  std::vector<TableId> of_port_;
};

}  // namespace rch::fabric

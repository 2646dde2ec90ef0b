#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/routing_tables.h"
#include "verify/context.h"
#include "verify/entry_rows.h"
#include "verify/lanes.h"

namespace rch::verify {

/// Service level of the paths to `lid` by source switch, each below 16. Tables that do not hold the LID or
/// not all switches cannot be asked; nothing arrives then whatever the SL, which is 0.
void service_levels(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, Lid lid,
                    std::vector<std::uint8_t>& out);

/// The same, or SL 0 where the proof is of that case.
void service_levels(const Context& context, Lid lid, std::vector<std::uint8_t>& out);

/// Every service level that the rules of the steps are known to give. Paths are still looked at for others.
SlSet expected_sls(const fabric::RoutingTables& tables);

/// Of the multicast groups alone.
SlSet group_sls(const fabric::RoutingTables& tables);

/// Service levels of the paths to a block of columns.
class BlockServiceLevels {
 public:
  void set(const Context& context, std::span<const EntryColumn> columns);
  std::uint8_t at(std::size_t source_switch, std::size_t column) const {
    return common_ ? *common_ : levels_[column * pitch_ + source_switch];
  }

 private:
  std::optional<std::uint8_t> common_;  ///< of all paths
  std::size_t pitch_ = 0;               ///< from column to column
  std::vector<std::uint8_t> levels_;    ///< otherwise: by column, then source switch
  std::vector<std::uint8_t> one_;
};

}  // namespace rch::verify

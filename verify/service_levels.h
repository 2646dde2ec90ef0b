#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/routing_tables.h"
#include "verify/context.h"
#include "verify/entry_rows.h"
#include "verify/lanes.h"
#include "verify/switch_order.h"

namespace rch::verify {

/// Service level of the paths to `lid` by source switch, each below 16. Tables that do not hold the LID or
/// not all switches cannot be asked; nothing arrives then whatever the SL, which is 0.
void service_levels(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, Lid lid,
                    std::vector<std::uint8_t>& out);

/// The same for each source of packets: by the rules of the steps, as it was given (Options::given), or SL 0
/// where the proof is of that case.
class SourceLevels {
 public:
  explicit SourceLevels(const Context& context) : context_(context) {}
  void set(Lid lid);
  std::uint8_t of(const Source& source) const;

 private:
  const Context& context_;
  Lid lid_;
  std::vector<std::uint8_t> by_switch_;
};

/// True if several sources at one switch may have different ones to the same LID.
bool are_given(const Context& context);

/// Every service level that the rules of the steps are known to give. Paths are still looked at for others.
SlSet expected_sls(const fabric::RoutingTables& tables);

/// Service levels of the multicast groups alone.
SlSet group_sls(const fabric::RoutingTables& tables);

/// Service levels of the paths to a block of columns by the rules of the steps, by source switch in their
/// order: whoever works at one switch reads one stretch of memory.
class BlockServiceLevels {
 public:
  BlockServiceLevels(const Context& context, const SwitchOrder& order, std::size_t most_columns);
  void set(std::span<const EntryColumn> columns);
  /// That of all paths, if they have the same.
  std::optional<std::uint8_t> common() const { return common_; }
  /// `at`: number of the source switch in the order.
  std::uint8_t at(std::size_t at, std::size_t column) const {
    return common_ ? *common_ : levels_[at * pitch_ + column];
  }

 private:
  static constexpr std::size_t kTile = 64;  ///< columns, and switches: what is copied together

  void set_column(Lid lid, std::vector<std::uint8_t>& levels) const;
  void turn_tile(std::size_t first, std::size_t count);

  const Context& context_;
  const SwitchOrder& order_;
  std::size_t pitch_;  ///< from switch to switch
  std::optional<std::uint8_t> common_;
  std::vector<std::uint8_t> levels_;                   ///< otherwise: by switch, then column
  std::array<std::vector<std::uint8_t>, kTile> tile_;  ///< by column: by number of the switch in the fabric
};

}  // namespace rch::verify

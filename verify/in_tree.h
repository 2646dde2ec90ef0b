#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/wiring.h"

namespace rch::verify {

/// Where all switches send packets for one destination: trees that run together at switches where the way
/// ends (at the destination, or because it breaks off), and circles with what runs into them.
class InTree {
 public:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

  explicit InTree(const Wiring& wiring);

  /// `column`: one table entry per switch. Replaces what was built before.
  void build(std::span<const std::uint8_t> column);

  /// Switches off every circle, each after all that send to it.
  std::span<const std::uint32_t> leaves_first() const { return {order_.data(), ordered_}; }
  /// Switch that `sw` sends to; kNowhere when the way ends at `sw`.
  std::uint32_t next(std::size_t sw) const { return next_[sw]; }
  /// Port by which next(sw) is entered.
  std::uint8_t in(std::size_t sw) const { return in_[sw]; }
  bool on_cycle(std::size_t sw) const { return pending_[sw] != 0; }
  bool has_cycle() const { return ordered_ < next_.size(); }
  /// Packets that arrive at `sw` go on to another switch, and not in circles.
  bool leads_on(std::size_t sw) const { return next_[sw] != kNowhere && !on_cycle(sw); }

 private:
  const Wiring* wiring_;
  std::size_t ordered_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint8_t> in_;
  std::vector<std::uint32_t> pending_;  ///< switches that send here and are not in the order yet
};

}  // namespace rch::verify

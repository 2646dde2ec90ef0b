#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/wiring.h"

namespace rch::verify {

/// The next switch of every switch for one destination. A path ends at the destination or where it breaks
/// off; other switches are on a forwarding loop or send into one.
class InTree {
 public:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

  explicit InTree(const Wiring& wiring);

  /// `column`: one table entry per switch. Replaces what was built before.
  void build(std::span<const std::uint8_t> column);

  /// Switches off every cycle, each after all that send to it.
  std::span<const std::uint32_t> leaves_first() const { return {order_.data(), ordered_}; }
  /// Switch that `sw` sends to; kNowhere when the path ends at `sw`.
  std::uint32_t next(std::size_t sw) const { return next_[sw]; }
  /// Port by which next(sw) is entered.
  std::uint8_t in(std::size_t sw) const { return in_[sw]; }
  bool on_cycle(std::size_t sw) const { return pending_[sw] != 0; }
  bool has_cycle() const { return ordered_ < next_.size(); }

 private:
  const Wiring* wiring_;
  std::size_t ordered_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint8_t> in_;
  std::vector<std::uint32_t> pending_;  ///< switches that send here and are not in the order yet
};

}  // namespace rch::verify

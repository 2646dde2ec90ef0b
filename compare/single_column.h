#pragma once

#include <cstdint>
#include <vector>

#include "compare/flow_waves.h"

namespace rch::compare {

/// One destination of one side, switch by switch: for tables that lose packets.
class SingleColumn {
 public:
  SingleColumn(const verify::Wiring& wiring, const Onward& onward)
      : wiring_(wiring), onward_(onward), depth_(wiring.switch_count()) {}

  /// `entries`: kColumns apart, by switch.
  void build(const std::uint8_t* entries, const Target& target);
  bool arrives_from(std::uint32_t sw) const { return depth_[sw] > 0; }
  /// Adds the pairs that arrive.
  void sum_up(PairSums& sums) const;
  /// The switch that packets come to next from `sw`, whose packets arrive; kOut at the last.
  std::uint16_t next(std::uint32_t sw) const { return onward_.at(sw, entry(sw)); }

 private:
  static constexpr std::int32_t kNotWalked = 0, kLost = -1;

  std::uint8_t entry(std::uint32_t sw) const { return entries_[sw * kColumns]; }

  const verify::Wiring& wiring_;
  const Onward& onward_;
  const std::uint8_t* entries_ = nullptr;
  Target target_;
  std::vector<std::int32_t> depth_;  ///< by switch: switches on the way, itself included
  std::vector<std::uint32_t> path_;
};

}  // namespace rch::compare

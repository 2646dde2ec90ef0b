#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/parts.h"
#include "verify/columns.h"
#include "verify/context.h"
#include "verify/in_tree.h"
#include "verify/lanes.h"
#include "verify/service_levels.h"
#include "verify/verify.h"

namespace rch::verify {

/// Pairs that do not reach each other, by what stops them first on their way.
class Tally {
 public:
  struct Count {
    std::uint64_t pairs = 0;
    Lid first = Lid::none();  ///< lowest LID of such a pair
  };
  const Count& of(FindingKind kind) const { return counts_[place(kind)]; }
  bool empty() const {
    return std::ranges::all_of(counts_, [](const Count& count) { return count.pairs == 0; });
  }
  void add(FindingKind kind, Lid lid, std::uint64_t pairs) {
    if (pairs != 0) merge(counts_[place(kind)], {pairs, lid});
  }
  void merge(const Tally& other) {
    for (std::size_t k = 0; k < counts_.size(); ++k) merge(counts_[k], other.counts_[k]);
  }

 private:
  static std::size_t place(FindingKind kind) {
    return kind == FindingKind::disconnected ? 3 : static_cast<std::size_t>(kind);
  }
  static void merge(Count& count, const Count& other) {
    count.pairs += other.pairs;
    count.first = std::min(count.first, other.first);
  }
  std::array<Count, 4> counts_;  ///< unreachable, dropped_by_vl, loop, disconnected
};

/// Counts lost pairs of one destination exactly. Slower than a Propagation; for destinations where one found
/// a fault.
///
/// What happens first decides: no cable may lead to the destination's part of the fabric; the port of the
/// source may have no VL for the packet; then at each switch it may be on a forwarding loop, or the path
/// ends, or the SL2VL map drops it.
class Account {
 public:
  Account(const Context& context, const fabric::Parts& parts)
      : context_(context),
        parts_(parts),
        wiring_(context.wiring),
        lanes_(context.lanes),
        tree_(wiring_),
        packets_(wiring_.switch_count()) {}

  /// `column` is the table as it is, the destination's own switch included; `sls` are to its LID.
  void add(const Destination& destination, std::span<const std::uint8_t> column, const SourceLevels& sls,
           Tally& tally);

 private:
  void start(std::uint32_t sw);
  void push(std::uint32_t sw);
  void arrive(std::uint32_t sw, std::uint8_t in, std::uint8_t sl, std::uint32_t packets);
  void lose(FindingKind kind, std::uint64_t packets) { tally_->add(kind, destination_->lid, packets); }

  const Context& context_;
  const fabric::Parts& parts_;
  const Wiring& wiring_;
  const Lanes& lanes_;
  InTree tree_;
  std::vector<std::array<std::uint32_t, 16>> packets_;  ///< sources by SL whose packets leave a switch
  const Destination* destination_ = nullptr;
  std::span<const std::uint8_t> column_;
  const SourceLevels* sls_ = nullptr;
  Tally* tally_ = nullptr;
};

}  // namespace rch::verify

#pragma once

#include <cstdint>
#include <vector>

#include "fabric/adaptive_tables.h"
#include "verify/context.h"

namespace rch::verify {

/// The ports by which switches may send packets. A switch chooses by load, which nobody foresees: whatever it
/// may do is taken to happen.
///
/// Where adaptive routing is on, that is the port of the entry (packets of transports that are left out, and
/// of service levels that are) and every port of the group. Fast recovery sends packets of every service
/// level and transport by the group when the port of the entry is down: there the masks do not count, and
/// ports that lead nowhere are not chosen while others lead on.
///
/// Where all paths have one service level, and Options::path_sls is set, hosts may have any other one: a
/// group counts if it does for some level.
class Choices {
 public:
  explicit Choices(const Context& context);

  fabric::PortMask ports(SwitchId sw, Lid lid, std::uint8_t sl) const {
    return ports(sw, lid, pattern_of_[sl], entry(context_->tables.lfts, sw, lid));
  }

  /// Service levels for which all switches use groups in the same way.
  std::size_t pattern_count() const { return adaptive_.size(); }
  std::size_t pattern(std::uint8_t sl) const { return pattern_of_[sl]; }
  /// The same by pattern, where the entry is known.
  fabric::PortMask ports(SwitchId sw, Lid lid, std::size_t pattern, std::uint8_t entry) const;

  /// Group that counts for some service level; null: the entry alone does.
  const fabric::PortGroup* group(SwitchId sw, Lid lid) const;
  /// Every service level in use may take the group.
  bool always_adaptive(SwitchId sw) const { return always_[sw.index()] != 0; }

 private:
  const Context* context_;
  std::vector<std::uint8_t> pattern_of_;             ///< by service level
  std::vector<std::vector<std::uint8_t>> adaptive_;  ///< by pattern, then switch: groups count
  std::vector<std::uint8_t> always_;                 ///< by switch
};

}  // namespace rch::verify

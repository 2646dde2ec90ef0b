#pragma once

#include <array>
#include <optional>
#include <span>

#include "perfmgr/counters.h"

namespace rch::sim {

/// The performance counters of a port: each as PortCounters has it, which stops at its maximum, and as
/// PortCountersExtended has it.
class CountingPort {
 public:
  void count(perfmgr::Counter counter, std::uint64_t times = 1);
  /// Somebody clears it, or the node restarts.
  void clear(perfmgr::Counter counter);
  void write_port_counters(std::span<std::uint8_t> data) const;
  void write_extended(std::span<std::uint8_t> data) const;
  /// Set(PortCounters): the selected ones become what `data` has.
  void take(perfmgr::Data data);
  std::uint64_t narrow(perfmgr::Counter counter) const { return narrow_[static_cast<std::size_t>(counter)]; }

 private:
  std::array<std::uint64_t, perfmgr::kCounterCount> narrow_{}, wide_{};
};

/// What answers for the counters of a node.
struct PerformanceAgent {
  bool has_class_port_info = true;
  bool has_extended = true;  ///< whatever its ClassPortInfo says
  perfmgr::Abilities abilities{.wide = true, .casts = true, .xmit_wait = true};
  std::optional<perfmgr::Redirection> redirection{};
  std::optional<std::uint32_t> only_queue_pair{};  ///< requests to others are not answered
};

}  // namespace rch::sim

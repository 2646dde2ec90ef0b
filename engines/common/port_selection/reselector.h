#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "engines/common/port_selection/candidates.h"

namespace rch::engines::common {

/// The ports of one switch where tables are in force and every port has one LID: a port that is installed
/// stays if it still leads on (routing-engines 1.8). What lost its way gets the port with the lowest counter
/// once all that stays is counted, the first in scan order among equals.
template <std::size_t W>
class Reselector {
 public:
  /// `loads`: where the counters start, by port number; empty: at 0.
  Reselector(std::span<const Candidates::Cable> cables, std::span<const std::uint32_t> loads)
      : cables_(cables) {
    cable_at_.fill(kNone);
    std::ranges::copy(loads, load_[0].begin());
    for (std::size_t c = 0; c < cables.size(); ++c)
      cable_at_[cables[c].port.index()] = static_cast<std::uint8_t>(c);
  }

  bool leads_on(const CandidateSet<W>& candidates, std::uint8_t port) const {
    return cable_at_[port] != kNone && candidates.contains(cable_at_[port]);
  }

  void count(std::uint8_t port) { ++load_[0][port]; }
  /// In turn on several tables: raising one counter twice in a row would have to wait for itself.
  void count(std::span<const std::uint8_t> ports) {
    for (std::size_t i = 0; i < ports.size(); ++i) ++load_[i % kTables][ports[i]];
  }

  /// `candidates` must not be empty.
  std::uint8_t lightest(const CandidateSet<W>& candidates) const {
    std::uint8_t best = 0;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    candidates.for_each([&](std::size_t c) {
      const std::uint8_t port = cables_[c].port.value;
      std::uint32_t load = 0;
      for (const Loads& table : load_) load += table[port];
      if (load >= least) return;
      least = load;
      best = port;
    });
    return best;
  }

 private:
  static constexpr std::uint8_t kNone = 255;  ///< a switch has fewer cables
  static constexpr std::size_t kTables = 4;
  using Loads = std::array<std::uint32_t, 256>;  ///< by port

  std::span<const Candidates::Cable> cables_;
  std::array<std::uint8_t, 256> cable_at_{};  ///< by port
  std::array<Loads, kTables> load_{};         ///< a port's counter is the sum
};

}  // namespace rch::engines::common

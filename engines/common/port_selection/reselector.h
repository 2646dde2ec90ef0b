#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "engines/common/port_selection/candidates.h"

namespace rch::engines::common {

/// Reselects output ports of one switch after a change, where every end port has one LID. An installed port
/// is kept while it is a candidate (docs/engines.md). An entry that lost its port gets the one with the
/// lowest load counter, of equals the first in scan order, once all kept entries are counted.
template <std::size_t W>
class Reselector {
 public:
  /// `loads`: initial counters, by port number; empty: 0.
  Reselector(std::span<const Candidates::OutputPort> outputs, std::span<const std::uint32_t> loads)
      : outputs_(outputs) {
    output_at_.fill(kNone);
    std::ranges::copy(loads, load_[0].begin());
    for (std::size_t c = 0; c < outputs.size(); ++c)
      output_at_[outputs[c].port.index()] = static_cast<std::uint8_t>(c);
  }

  bool is_candidate(const CandidateSet<W>& candidates, std::uint8_t port) const {
    return output_at_[port] != kNone && candidates.contains(output_at_[port]);
  }

  void count(std::uint8_t port) { ++load_[0][port]; }
  /// Counts on several tables in turn: raising one counter twice in a row would stall.
  void count(std::span<const std::uint8_t> ports) {
    for (std::size_t i = 0; i < ports.size(); ++i) ++load_[i % kTables][ports[i]];
  }

  /// `candidates` must not be empty.
  std::uint8_t least_loaded(const CandidateSet<W>& candidates) const {
    std::uint8_t best = 0;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    candidates.for_each([&](std::size_t c) {
      const std::uint8_t port = outputs_[c].port.value;
      std::uint32_t load = 0;
      for (const Loads& table : load_) load += table[port];
      if (load >= least) return;
      least = load;
      best = port;
    });
    return best;
  }

 private:
  static constexpr std::uint8_t kNone = 255;  ///< a switch has fewer ports
  static constexpr std::size_t kTables = 4;
  using Loads = std::array<std::uint32_t, 256>;  ///< by port

  std::span<const Candidates::OutputPort> outputs_;
  std::array<std::uint8_t, 256> output_at_{};  ///< by port
  std::array<Loads, kTables> load_{};          ///< a port's counter is the sum
};

}  // namespace rch::engines::common

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engines/common/port_selection/candidates.h"
#include "engines/common/port_selection/select_ports.h"
#include "engines/opensm_compat/glibc_random.h"

namespace rch::engines::common {

/// Selects output ports of one switch LID by LID, by the rules that compare every candidate. The LIDs of one
/// port differ in system, then in node, before counters decide (OpenSM's osm_switch.c). Installed ports are
/// kept (1.8). Ports are drawn or the scan is shifted (1.7). Some ports do not count (1.6).
class GeneralSelector {
 public:
  /// Keeps references.
  GeneralSelector(const SelectionInput& input, SwitchId sw, const Candidates& candidates,
                  opensm_compat::GlibcRandom& random);

  /// Sets the destination switch of the following calls. Returns false if it has no candidates.
  bool choose_from(SwitchId to);

  struct Request {
    std::size_t destination;           ///< on the switch chosen
    std::uint8_t previous = 0;         ///< port of the LID before this one; 0 for the first
    std::uint8_t installed = kNoPath;  ///< kept if it is a candidate
    bool scatter = false;
    bool count = true;
  };
  /// Selects the port for the next LID of a destination.
  std::uint8_t select(const Request& request);

 private:
  /// How often LIDs of one destination left by a next hop: a neighbor or an output port.
  struct Use {
    std::uint32_t next_hop = 0;
    std::uint32_t times = 0;
  };

  std::optional<std::size_t> candidate_at(std::uint8_t port) const;
  std::size_t draw();
  std::size_t scan_start(std::uint8_t previous) const;
  std::size_t select_system(std::span<const Use> uses, std::size_t start) const;
  std::size_t select_link(std::span<const Use> uses, std::size_t start) const;
  bool uses_system(std::span<const Use> uses, Guid system) const;
  void count_use(std::size_t destination, std::uint32_t next_hop);
  /// The i-th candidate of a scan that starts at the `start`-th and wraps.
  std::size_t scanned(std::size_t start, std::size_t i) const {
    return open_[start + i < open_.size() ? start + i : start + i - open_.size()];
  }
  std::span<Use> uses_of(std::size_t destination) {
    return std::span(uses_).subspan(destination << max_lmc_, use_count_[destination]);
  }

  const Candidates& candidates_;
  opensm_compat::GlibcRandom& random_;
  Diversity diversity_;
  bool shift_;
  std::uint8_t max_lmc_;
  std::vector<std::size_t> open_;        ///< candidates for the switch chosen, in scan order
  std::vector<Guid> system_;             ///< by neighbor
  std::vector<std::uint8_t> counted_;    ///< by output: it raises its counter
  std::vector<std::uint32_t> load_;      ///< by output
  std::vector<Use> uses_;                ///< by destination, 2^max_lmc slots each
  std::vector<std::uint8_t> use_count_;  ///< slots taken
  std::vector<std::size_t> drawn_from_;
};

}  // namespace rch::engines::common

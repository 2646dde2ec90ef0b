#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/tree/destinations.h"

namespace rch::engines::tree {

/// The digit of a NID that selects the up group of a switch of one rank: nid / divider % radix (D-Mod-K).
struct Digit {
  std::uint32_t divider = 1;  ///< up paths from a leaf to this rank
  std::uint32_t radix = 0;    ///< up groups of a switch of this rank, at most
};

/// State of the round robin over the parallel links of one port group.
struct RoundRobin {
  std::uint32_t round = 0;
  std::uint32_t started = 0;  ///< rounds so far
};

/// A port group that may be selected.
struct Candidate {
  std::span<const fabric::SwitchLink> links;
  RoundRobin* round_robin;
  std::uint16_t digit = 0;  ///< of an up group: the digit that selects it

  PortNum only_port() const { return links.front().out; }
};

/// Selects output ports by the digits of NIDs.
class PortSelection {
 public:
  /// Destinations by index in Destinations::all.
  struct Range {
    std::uint32_t begin, end;
  };

  /// `rotation` moves destinations whose up group is missing to another one. Keeps references.
  PortSelection(const Tree& tree, const Destinations& destinations, std::uint32_t rotation);

  /// Writes the ports of a switch of that rank and column towards destinations of one set of candidates, all
  /// of them up groups or all down groups.
  void select(std::uint8_t rank, std::uint32_t column, bool up, Range range,
              std::span<const Candidate> candidates, std::uint8_t* row) const;
  /// The same by sibling, whose group is the only candidate.
  void select_sibling(Range range, const Candidate& sibling, std::uint8_t* row) const {
    select_modulo(range, 1, std::span(&sibling, 1), row);
  }

 private:
  void select_by_digit(Range range, std::uint8_t rank, std::span<const Candidate> candidates,
                       std::uint8_t* row) const;
  bool select_around_missing(Range range, std::uint8_t rank, std::uint32_t column,
                             std::span<const Candidate> candidates, std::uint8_t* row) const;
  void select_modulo(Range range, std::uint32_t divider, std::span<const Candidate> candidates,
                     std::uint8_t* row) const;

  const Destinations& destinations_;
  std::uint32_t rotation_;
  std::vector<Digit> digits_;                        ///< by rank
  std::vector<std::vector<std::uint8_t>> digit_of_;  ///< [rank][destination]
};

}  // namespace rch::engines::tree

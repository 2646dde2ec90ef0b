#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compare/side.h"
#include "verify/wiring.h"

namespace rch::compare {

/// A destination on both sides: the LIDs that a port had and has, offset by offset of its LMC range. LIDs of
/// which no port is known on either side, or of a port that only one side has, match by their number where
/// that is free on the other side.
struct LidPair {
  Lid before = kUnassignedLid, after = kUnassignedLid;  ///< kUnassignedLid: that side has no such destination
  bool is_one_port = false;                             ///< one port has the LID on both sides
};

/// What stayed from one side to the other. Nodes are the same when their GUIDs are, ports when their numbers
/// are, too.
struct Matching {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::vector<std::uint32_t> after_of;   ///< by switch before: the same switch after, or kNone
  std::vector<std::uint32_t> before_of;  ///< the reverse
  std::vector<LidPair> lids;             ///< all LIDs of both tables; the first stands for LID 0
  bool same_lids = true;                 ///< every pair has one number on both sides
  bool same_cables = true;               ///< both sides have the same nodes and cables
  /// By switch before: bit p of the 256: a packet that leaves by port p comes to another port than after.
  /// Empty for a switch of which all ports lead to where they led.
  std::vector<std::vector<std::uint64_t>> moved_exits;
  /// By switch before: hosts that hang on the same port of the same switch after. They are sources with a
  /// LID on both sides.
  std::vector<std::uint16_t> staying_hosts;
  std::uint64_t common_hosts = 0;  ///< sources with a LID on both sides, wherever they hang

  /// The source hangs where it hung.
  bool stays(const verify::Source& before, const fabric::Fabric& fabric_before,
             const fabric::Fabric& fabric_after) const;
};

Matching match(const Side& before, const verify::Wiring& wiring_before, const Side& after,
               const verify::Wiring& wiring_after);

}  // namespace rch::compare

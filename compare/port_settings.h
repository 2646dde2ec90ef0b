#pragma once

#include <string>
#include <vector>

#include "compare/matching.h"
#include "compare/side.h"

namespace rch::compare {

/// A port, or a switch, that holds something else of a part.
struct SettingChange {
  Part part = Part::sl2vl;
  PortId port;       ///< of the fabric after; port 0 of a switch whose tables are meant
  std::string text;  ///< "maps 12 pairs of ports otherwise", "loses P_Key 0x8001"
};

/// SL2VL tables where packets meet them, VL arbitration, rate limits and P_Keys of ports that both sides
/// have, as far as both sides know them.
std::vector<SettingChange> compare_settings(const Side& before, const Side& after, const Matching& matching);

}  // namespace rch::compare

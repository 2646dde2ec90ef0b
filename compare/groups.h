#pragma once

#include <cstdint>
#include <vector>

#include "compare/side.h"

namespace rch::compare {

/// What differs in the tree of one multicast LID.
struct GroupChange {
  Lid mlid;
  bool is_new = false, is_gone = false;             ///< on one side only
  std::uint64_t entries_new = 0, entries_gone = 0;  ///< ports of switches that packets are handed to
  std::uint64_t members_new = 0, members_gone = 0;  ///< receivers and senders; where both sides know them
  std::uint8_t sl_before = 0, sl_after = 0;         ///< likewise
};

/// By MLID; both sides know multicast tables.
std::vector<GroupChange> compare_groups(const Side& before, const Side& after);

}  // namespace rch::compare

#pragma once

#include <span>

#include "engines/minhop/candidates.h"
#include "engines/minhop/destinations.h"

namespace rch::engines::minhop {

/// What the rows of all switches are chosen from.
struct ChoiceInput {
  const fabric::SubFabric& view;
  const HopMatrix& hops;
  const DestinationOrder& order;
  bool count_switch_lids = false;
};

/// Fills the rows of switches [begin, end) of the view, padding included. Rows do not depend on each other.
void fill_rows(const ChoiceInput& input, std::size_t begin, std::size_t end, fabric::ForwardingTables& lfts);

}  // namespace rch::engines::minhop

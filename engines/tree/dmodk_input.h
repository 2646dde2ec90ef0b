#pragma once

#include "engines/tree/destinations.h"
#include "engines/tree/up_down_hops.h"

namespace rch::engines::tree {

/// What D-Mod-K works on.
struct DmodkInput {
  DmodkInput(Tree of, bool use_siblings)
      : tree(std::move(of)), hops(up_down_hops(tree, use_siblings)), destinations(list_destinations(tree)) {}

  Tree tree;
  UpDownHops hops;
  Destinations destinations;
};

}  // namespace rch::engines::tree

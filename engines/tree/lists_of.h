#pragma once

#include "engines/inputs.h"
#include "engines/tree/tree.h"

namespace rch::engines::tree {

inline Lists lists_of(const Inputs& inputs) {
  Lists lists{.roots = {}, .compute_nodes = inputs.compute_nodes, .io_nodes = inputs.io_nodes};
  for (const Root& root : inputs.roots) lists.roots.push_back(root.guid);
  return lists;
}

}  // namespace rch::engines::tree

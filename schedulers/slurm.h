#pragma once

#include <string>

#include "schedulers/tree.h"

namespace rch::schedulers {

/// topology.conf(5) of Slurm for `topology/tree`: a line for each switch, parents behind their children.
std::string slurm_tree(const Tree& tree);

/// The same as an entry of topology.yaml, which Slurm 25.05 and later read: a tree called `name`.
std::string slurm_tree_yaml(const Tree& tree, const std::string& name);

/// topology.conf(5) for `topology/block` of Slurm 24.05 and later: the hosts of a leaf are a block, and the
/// smallest block gives the base size.
std::string slurm_blocks(const Tree& tree);

}  // namespace rch::schedulers

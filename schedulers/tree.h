#pragma once

#include <map>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace rch::schedulers {

/// Hosts, or branches below, under one name.
struct Branch {
  std::string name;
  std::vector<std::string> hosts{};  ///< of a leaf switch
  std::vector<Branch> below{};
};

/// A fabric as a scheduler sees it: which hosts are near each other.
///
/// A leaf is a switch with hosts, by its name. Where leaves hang together below the upper switches, as in the
/// pods of a tree with three levels, a branch stands for that group. One branch is the root of all that
/// cables join. Spines have no names of their own: a host lies under one branch of a level, and a tree of
/// hosts has several spines. So no name depends on a spine or a cable: groups and roots are called by their
/// first leaf, in the order of GUIDs.
struct Tree {
  std::vector<Branch> roots{};         ///< parts that no cable joins
  std::vector<std::string> remarks{};  ///< what of the fabric is not in it, and why
};

/// `only`: hosts to name; empty: all. A host is called by the first word of the description of its CA. One
/// with several CAs or ports lies under the leaf of its first port.
Tree tree_of(const fabric::Fabric& fabric, const std::vector<std::string>& only = {});

/// The leaf of each host.
std::map<std::string, const Branch*> leaves_of(const Tree& tree);

}  // namespace rch::schedulers

#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace rch::cli {

/// `rch fabric info FABRIC --torus CONF [--tree] [--path SRC DST]`.
struct TorusFlags {
  std::string conf;               ///< a torus-2QoS.conf
  std::vector<std::string> path;  ///< source and destination, or nothing
  bool tree = false;              ///< draw the tree for multicast instead of all cables

  bool given() const { return !conf.empty(); }
};

void add_torus(const Command& command, TorusFlags& flags);

/// Lays the torus of the file on the whole fabric and draws it; says whether torus-2QoS routes it, and what
/// the path takes. Findings if it does not.
Exit show_torus(Context& context, const fabric::Fabric& fabric, const TorusFlags& flags);

}  // namespace rch::cli

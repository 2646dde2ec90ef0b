#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "parsers/ibdm/assembly.h"
#include "parsers/ibdm/library.h"
#include "parsers/topo/topo.h"

namespace rch::parsers::ibdm {

/// A front panel port of a system of the cluster.
struct PanelEnd {
  std::uint32_t system = 0;
  std::uint32_t port = 0;  ///< index into the assembly's panel

  friend auto operator<=>(const PanelEnd&, const PanelEnd&) = default;
};

/// The systems of a topology file and the cables between them.
struct Cluster {
  struct System {
    std::string name;
    std::shared_ptr<const Assembly> assembly;
  };
  struct Cable {
    PanelEnd a, b;
    fabric::LinkRate rate;
  };
  std::vector<System> systems;
  std::vector<Cable> cables;
};

/// Instantiates the systems and lays the cables, in two passes as IBDM does: a system's own section counts
/// wherever it stands (docs/ibdm.md). Every problem is in `diagnostics`; the value is of use only when
/// none is an error.
Cluster build_cluster(const topo::Syntax& syntax, const Library& library, Diagnostics& diagnostics);

}  // namespace rch::parsers::ibdm

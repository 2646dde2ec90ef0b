#pragma once

#include <string>
#include <vector>

#include "fabric/sub_fabric.h"
#include "policy/bind/bind.h"

namespace rch::chains {

/// What the engine of a step gets to see.
struct StepView {
  fabric::SubFabric view;
  std::vector<std::string> remarks;  ///< what was left out of it
  std::size_t isolated = 0;          ///< switches left out for want of a link to another one
};

/// The view of a step. Whoever fills the first position of a chain routes every LID, also a fallback that
/// names a path bit. Switches without a link to another one of the view are left out (docs/chains.md).
StepView view_of(const policy::BoundPolicy& bound, const policy::Step& step, bool first);

}  // namespace rch::chains

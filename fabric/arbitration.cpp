#include "fabric/arbitration.h"

#include <algorithm>

namespace rch::fabric {

ArbitrationTables::TableId ArbitrationTables::intern(const Arbitration& arbitration) {
  const auto known = std::ranges::find(tables_, arbitration);
  const auto id = static_cast<TableId>(known - tables_.begin());
  if (known == tables_.end()) tables_.push_back(arbitration);
  return id;
}

}  // namespace rch::fabric

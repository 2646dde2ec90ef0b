#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "fabric/link_rate.h"
#include "hw/live_fabric.h"
#include "hw/quarantine.h"
#include "hw/sweep.h"

namespace rch::hw {

/// Width and speed that a port shows as active.
fabric::LinkRate link_rate(const PortInfo& info);

/// Returns the switches that the lists hold back and the walk did not meet.
std::vector<Guid> absent_switches(const Sweep& sweep, const fabric::CablePolicy& cables);

/// What a walk saw, as a fabric. Other subnet managers are listed and have not been asked. Fails (fabric)
/// when the answers make no fabric. `before`: of an earlier walk, of which nodes may have stayed; null: none.
Result<LiveFabric> live_fabric_of(std::shared_ptr<Sweep> sweep, View view,
                                  const fabric::Fabric* before = nullptr);

}  // namespace rch::hw

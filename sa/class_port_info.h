#pragma once

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// ClassPortInfo: what this subnet administration can do (IBA 15.2.5).
Answer answer_class_port_info(const Snapshot& snapshot);

}  // namespace rch::sa

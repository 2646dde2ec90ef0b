#pragma once

// This file decides which parts of a swept fabric take part (IBA 14.4). One faulty port must not stop the
// rest, and nothing may be computed on half an answer. So whatever does not answer as it must is left out, as
// if its cables were pulled, as long as nothing in service is cut off by that.
//
//   nothing answers behind a port     the cable of that port is left out
//   a node answers partly             the node is left out, with all its cables
//   a node answers, and every way     it is left out, if its links carry no data yet, or with
//   to it is left out                 CutOff::in_service, and it has no subnet manager
//   a node has the GUID of another one the cable behind which it was seen second is left out
//   a cable may not take part          it is left out; that of our own port stays
//   something is unhealthy             it is left out, unless something that answers were cut off

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fabric/quarantine.h"
#include "hw/sweep.h"

namespace rch::hw {

/// What answers and may be left out, because every way to it is left out.
enum class CutOff : std::uint8_t { idle, in_service };

struct View {
  std::vector<bool> kept;                            ///< by SweepNodeId
  std::set<std::pair<SweepNodeId, PortNum>> pulled;  ///< both ends of cables that are left out
  bool reaches_all = false;                          ///< a way past kept switches leads to every node
  std::vector<Route> routes;  ///< by SweepNodeId: shortest to a kept switch, past kept ones only
  std::vector<fabric::Quarantined> quarantine;
  std::vector<fabric::Quarantined> spared;  ///< unhealthy, and not left out
  std::optional<fabric::Quarantined>
      own_cable{};  ///< our cable, if it is not as the operator wants; it stays
};

/// The view of a finished sweep. Fails (fabric) when our own port does not answer or is down, and when an end
/// port or switch that answers is cut off by what is left out, and may not be left out as well, and when the
/// list of cables fits none. With `strict`, anything to leave out fails.
Result<View> view_of(const Sweep& sweep, bool strict, CutOff cut_off = CutOff::idle);

}  // namespace rch::hw

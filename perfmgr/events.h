#pragma once

#include <variant>

#include "hw/transport.h"
#include "perfmgr/totals.h"

namespace rch::perfmgr {

/// Error counters of a port rose between two readings.
struct ErrorsRose {
  PortKey port;
  std::array<std::uint64_t, kCounterCount> risen{};  ///< of error counters; 0 of others
  hw::Milliseconds span{};                           ///< between the readings
};
/// PortXmitWait rose by the threshold or more.
struct XmitWaitRose {
  PortKey port;
  std::uint64_t risen = 0;
  hw::Milliseconds span{};
};
/// An agent does not answer, or answers again. Told when that changes.
struct AgentSilent {
  PortKey port;  ///< its first one
  Lid lid;
  bool silent = true;
};
/// A counter of a port went backwards, and not because of us.
struct CountersReset {
  PortKey port;
  CounterSet counters;
};
/// Further events of the sweep that were not told.
struct EventsLeftOut {
  std::size_t count = 0;
};
using Event = std::variant<ErrorsRose, XmitWaitRose, AgentSilent, CountersReset, EventsLeftOut>;

}  // namespace rch::perfmgr

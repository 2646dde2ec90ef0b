#include "hw/driver.h"

#include <algorithm>

namespace rch::hw {

/// The process may have stood still since the effects were taken, before the first datagram or between two.
bool Driver::is_outdated(const Datagram& datagram) const {
  namespace h = mad_header;
  const auto mad_class = static_cast<MadClass>(get(datagram.mad, h::kClass));
  if (mad_class != MadClass::directed_route && mad_class != MadClass::lid_routed) return false;
  return is_guarded(static_cast<Method>(get(datagram.mad, h::kMethod)),
                    static_cast<Attribute>(get(datagram.mad, h::kAttribute))) &&
         transport_.now() >= sets_until();
}

void Driver::carry_out() {
  if (stop_ != nullptr && *stop_) on_stop();
  do {
    const Effects effects = take_effects(transport_.now());
    if (effects.show_sm)
      if (auto shown = transport_.set_is_sm(); !shown) on_broken(shown.error());
    if (!effects.keeping.empty() && !keep_(effects.keeping)) on_not_kept();
    for (const auto& [datagram, timeout] : effects.datagrams)
      if (is_outdated(datagram))
        continue;  // as if it were lost
      else if (auto sent = transport_.send(datagram, timeout); !sent)
        on_broken(sent.error());
    for (const Job& job : effects.jobs) run_job_(job);
  } while (deadline() == TimePoint::min());
}

void Driver::receive(TimePoint limit) {
  std::vector<Datagram> arrived;
  transport_.receive(arrived, std::min(deadline(), limit));
  on_arrival(arrived, transport_.now());
}

}  // namespace rch::hw

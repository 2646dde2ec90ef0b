#include "hw/driver.h"

namespace rch::hw {

void Driver::carry_out() {
  if (stop_ != nullptr && *stop_) on_stop();
  do {
    const Effects effects = take_effects(transport_.now());
    if (effects.show_sm)
      if (auto shown = transport_.set_is_sm(); !shown) on_broken(shown.error());
    for (const auto& [datagram, timeout] : effects.datagrams)
      if (auto sent = transport_.send(datagram, timeout); !sent) on_broken(sent.error());
    for (const Job& job : effects.jobs) job.run(), on_job_done(job.id);
  } while (deadline() == TimePoint::min());
}

void Driver::receive() {
  std::vector<Datagram> arrived;
  transport_.receive(arrived, deadline());
  on_arrival(arrived, transport_.now());
}

}  // namespace rch::hw

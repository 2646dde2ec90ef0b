#include "hw/driver.h"

#include <algorithm>

namespace rch::hw {

Result<void> Driver::run(Machine& machine) {
  bool left = false;
  while (!machine.finished() && !broken_ && !left) {
    while (client_.has_room()) {
      const auto request = machine.next_request(now());
      if (!request) break;
      client_.submit(*request);
    }
    if (!machine.finished()) exchange(machine.deadline(), &machine);
    left = stop_ != nullptr && *stop_ && machine.stop();
  }
  drain();
  if (broken_) return tl::unexpected(*broken_);
  if (left) return fail(ErrorKind::fabric, "stopped before any table was written");
  return {};
}

/// Waits for what is on the wire; the answers are dropped.
void Driver::drain() {
  client_.cancel_queued(OwnerId());
  while (!client_.idle() && !broken_) exchange(TimePoint::max(), nullptr);
  client_.take_completed();
}

/// Sends what is due and waits for an arrival or a deadline.
void Driver::exchange(TimePoint deadline, Machine* machine) {
  for (const auto& [datagram, timeout] : client_.take_to_send(now())) send(datagram, timeout);
  if (!broken_) {
    std::vector<Datagram> arrived;
    transport_.receive(arrived, std::min(client_.deadline(), deadline));
    for (const Datagram& datagram : arrived) client_.on_datagram(datagram, now());
    client_.on_time(now());
    answer_incoming();
  }
  if (broken_) client_.give_up_all();
  for (const SmpCompletion& completion : client_.take_completed())
    if (machine != nullptr) machine->on_answer(completion.tag, completion.answer);
}

void Driver::send(const Datagram& datagram, Milliseconds timeout) {
  if (auto sent = transport_.send(datagram, timeout); !sent && !broken_) broken_ = sent.error();
}

void Driver::answer_incoming() {
  for (Datagram& datagram : client_.take_incoming())
    if (responder_ && responder_(datagram)) send(datagram, Milliseconds{0});
}

Result<void> Driver::become_manager(Responder responder) {
  responder_ = std::move(responder);
  return transport_.set_is_sm();
}

}  // namespace rch::hw

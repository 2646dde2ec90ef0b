// RMPP against a peer that follows nothing. Each eight bytes of the input are one event: a datagram of any
// type, flags, segment and length, a transfer of ours, or time that passes. Whatever comes, the transfers
// stay inside their bounds, and all of them end when the peer falls silent.

#include <cstddef>
#include <cstdint>
#include <span>

#include "fabric_target.h"
#include "sa/rmpp.h"

namespace {

using namespace rch;

struct Event {
  std::uint8_t kind, method, transaction, flags, status, segment, length, length_high;
};

constexpr sa::RmppOptions kOptions{.transfers = 8,
                                   .transfers_per_source = 4,
                                   .bytes = 40'000,
                                   .incoming_bytes = 10'000,
                                   .accept_responses = true};

hw::Datagram datagram_of(const Event& event) {
  namespace h = hw::mad_header;
  hw::Datagram datagram{.lid = static_cast<std::uint16_t>(event.transaction >> 6), .queue_pair = 1};
  set(datagram.mad, h::kClass, 3);
  set(datagram.mad, h::kMethod, event.method);
  set(datagram.mad, h::kTransactionLow, event.transaction % 16);
  // Numbers around the window matter, so does one huge.
  const std::uint32_t segment = event.segment == 255 ? ~0U : event.segment;
  const std::uint32_t length = event.length_high == 255 ? ~0U : event.length_high * 256U + event.length;
  sa::set_rmpp_fields(datagram.mad, {.type = static_cast<sa::RmppType>(event.kind >> 4),
                                     .flags = event.flags,
                                     .status = static_cast<sa::RmppStatus>(event.status),
                                     .segment = segment,
                                     .length = length});
  return datagram;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::Rmpp rmpp(kOptions);
  hw::TimePoint now{};
  for (const Event& event : std::span(reinterpret_cast<const Event*>(data), size / sizeof(Event))) {
    switch (event.kind % 16) {
      case 0:
        rmpp.send(datagram_of(event), std::vector<std::uint8_t>(event.length * 64U), now);
        break;
      case 1:
        now += hw::Milliseconds(event.length * 10);
        rmpp.on_time(now);
        break;
      default:
        rmpp.on_datagram(datagram_of(event), now);
    }
    for (const sa::Rmpp::Received& received : rmpp.take_received())
      require(received.data.size() <= kOptions.incoming_bytes + sa::kDataSize);
    require(rmpp.take_datagrams().size() <= 1024);
    const sa::RmppCounters& c = rmpp.counters();
    require(c.started_out - c.finished_out - c.failed_out <= kOptions.transfers);
    require(c.started_in - c.finished_in - c.failed_in <= kOptions.transfers);
  }
  for (int steps = 0; rmpp.deadline() != hw::TimePoint::max(); ++steps) {
    require(steps < 1000);
    now = std::max(now, rmpp.deadline());
    rmpp.on_time(now);
  }
  require(rmpp.has_room(1, kOptions.bytes));
  return 0;
}

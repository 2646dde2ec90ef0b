#include "sa/either_side.h"

namespace rch::sa {

namespace common = hw::mad_header;

void EitherSide::on_datagram(const hw::Datagram& datagram, hw::TimePoint now) {
  const bool of_master =
      get(datagram.mad, common::kResponse) != 0 &&
      get(datagram.mad, common::kAttribute) == static_cast<std::uint64_t>(Attribute::manager_state);
  of_master ? follower_.on_datagram(datagram, now) : server_.on_datagram(datagram, now);
}

void EitherSide::on_time(hw::TimePoint now) {
  server_.on_time(now);
  follower_.on_time(now);
}

void EitherSide::take_datagrams(std::vector<hw::OutgoingDatagram>& out, hw::TimePoint now) {
  server_.take_datagrams(out, now);
  follower_.take_datagrams(out);
}

}  // namespace rch::sa

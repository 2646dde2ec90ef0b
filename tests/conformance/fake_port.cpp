#include "fake_port.h"

#include <algorithm>

#include "hw/attributes.h"

namespace rch::test {

namespace common = hw::mad_header;

FakePort::FakePort(const SmallSnapshot& small, std::size_t host) : small_(small), host_(small.host(host)) {
  server.publish(std::make_shared<sa::Snapshot>(small.snapshot), now_);
}

/// The agent of our own port.
void FakePort::answer_smp(const hw::Datagram& datagram) {
  hw::Datagram answer = datagram;
  set(answer.mad, common::kMethod, 0x81);
  set(answer.mad, common::kDirection, 1);
  const auto data = std::span(answer.mad).subspan(common::kData);
  const auto attribute = static_cast<hw::Attribute>(get(datagram.mad, common::kAttribute));
  if (attribute == hw::Attribute::node_info) {
    hw::NodeInfo info;
    info.port_guid = small_.guid(host_);
    info.local_port = PortNum(1);
    std::ranges::copy(hw::encode(info), data.begin());
  } else if (attribute == hw::Attribute::port_info) {
    hw::PortInfo info;
    info.gid_prefix = small_.snapshot.prefix();
    info.lid = small_.lid(host_);
    info.neighbor_mtu = 4;
    info.master_sm_lid = small_.lid(small_.snapshot.local);
    std::ranges::copy(hw::encode(info), data.begin());
  } else {
    set(data, hw::Field{0, 0, 16}, 0xFFFF);
  }
  arriving_.push_back(answer);
}

Result<void> FakePort::send(const hw::Datagram& datagram, hw::Milliseconds /*timeout*/) {
  ++sent;
  if (get(datagram.mad, common::kClass) == static_cast<std::uint64_t>(hw::MadClass::directed_route)) {
    answer_smp(datagram);
    return {};
  }
  hw::Datagram request = datagram;
  request.lid = small_.lid(host_).value;
  if (bend_request(request.mad)) server.on_datagram(request, now_);
  return {};
}

void FakePort::receive(std::vector<hw::Datagram>& arrived, hw::TimePoint deadline) {
  const auto take = [&] {
    server.on_time(now_);
    server.take_records();
    std::vector<hw::OutgoingDatagram> out;
    server.take_datagrams(out, now_);
    for (hw::OutgoingDatagram& one : out)
      if (bend_answer(one.datagram.mad)) arriving_.push_back(one.datagram);
  };
  take();
  while (arriving_.empty() && now_ < deadline) {
    now_ = std::min(deadline, std::max(now_ + hw::Milliseconds(1), server.deadline()));
    take();
  }
  arrived.insert(arrived.end(), arriving_.begin(), arriving_.end());
  arriving_.clear();
}

}  // namespace rch::test

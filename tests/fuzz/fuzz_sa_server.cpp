// Hosts that send what they like to subnet administration: datagrams with any header and record, answers to
// Reports, and time that passes. Each answer goes to who asked and has the method of an answer; groups of
// hosts have an MLID each and somebody who keeps them. An event is 16 bytes of header, then 72 of the record.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>

#include "../sa/small_snapshot.h"
#include "fabric_target.h"
#include "sa/server.h"

namespace {

using namespace rch;
namespace h = hw::mad_header;

constexpr std::size_t kHeader = 16, kRecord = 72;

const test::SmallSnapshot& small_fabric() {
  static const test::SmallSnapshot small = [] {
    test::SmallSnapshot made(test::clos(2, 2, 3));
    made.set_pkeys({{made.host(1), {0x0001}}, {made.host(2), {0x8001, 0xFFFF}}});
    made.set_links({.mtu = 4, .rate = 7});
    return made;
  }();
  return small;
}

hw::Datagram datagram_of(std::span<const std::uint8_t> event) {
  hw::Datagram datagram{.lid = small_fabric().lid(small_fabric().host(event[1] % 6)).value, .queue_pair = 1};
  hw::Mad& mad = datagram.mad;
  set(mad, h::kBaseVersion, 1);
  set(mad, h::kClass, 3);
  set(mad, h::kClassVersion, sa::kClassVersion);
  set(mad, h::kMethod, event[2]);
  set(mad, h::kTransactionLow, event[4]);
  set(mad, h::kAttribute, event[3]);
  set(mad, sa::header::kRmppFlags, event[5]);
  set(mad, sa::header::kSmKey, event[6] % 3);
  set(mad, sa::header::kComponentMask, hw::get(event, hw::Field{8, 0, 64}));
  std::ranges::copy(event.subspan(kHeader), mad.begin() + sa::header::kData);
  return datagram;
}

void check_groups(const sa::MulticastGroups& groups) {
  std::set<Lid> mlids;
  for (const auto& [mgid, group] : groups.all()) {
    require(mlids.insert(group.mlid).second);
    require(group.planned || std::ranges::any_of(group.members, [](const sa::GroupMember& member) {
              return (member.join_state & sa::kKeepsGroup) != 0;
            }));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto snapshot = std::make_shared<const sa::Snapshot>(small_fabric().snapshot);
  hw::TimePoint now{};
  sa::Server server;
  server.publish(snapshot, now);
  for (std::span rest(data, size); rest.size() >= kHeader + kRecord; rest = rest.subspan(kHeader + kRecord)) {
    const auto event = rest.first(kHeader + kRecord);
    if (event[0] % 8 == 0)
      now += hw::Milliseconds(event[1] * 100);
    else if (event[0] % 8 == 1)
      server.on_trap(event.subspan(kHeader, 64), small_fabric().lid(small_fabric().host(event[1] % 6)), now);
    else
      server.on_datagram(datagram_of(event), now);
    server.on_time(now);
    std::vector<hw::OutgoingDatagram> out;
    server.take_datagrams(out, now);
    for (const hw::OutgoingDatagram& sent : out) {
      const std::uint64_t method = get(sent.datagram.mad, h::kMethod);
      require(small_fabric().fabric().lid_owner(Lid(sent.datagram.lid)).has_value());
      const bool is_report = method == static_cast<std::uint64_t>(sa::Method::report);
      require(is_report == (sent.timeout.count() > 0));
      // ACK, STOP and ABORT carry the header of the segment that they answer.
      const bool controls = get(sent.datagram.mad, sa::header::kRmppType) > 1;
      require(is_report || controls || get(sent.datagram.mad, sa::header::kSmKey) == 0);
    }
    require(server.deadline() >= now);
    check_groups(server.groups());
  }
  return 0;
}

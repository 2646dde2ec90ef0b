#include "record/packet_log.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "hw/attributes.h"
#include "record/append.h"

namespace rch::record {
namespace {

using hw::Field;
namespace h = hw::mad_header;

// The record of an Endace capture card: the only link type of pcap by which Wireshark 4.0 takes InfiniBand
// packets. Offsets in the record.
constexpr std::size_t kCardHeader = 16;
constexpr Field kCardType{8, 0, 8}, kCardFlags{9, 0, 8}, kCardLength{10, 0, 16}, kWireLength{14, 0, 16};
constexpr std::uint8_t kCardInfiniband = 21, kVaryingLength = 4, kSent = 1;
constexpr std::uint32_t kLinkTypeCard = 197;
constexpr std::int64_t kSecond = 1'000'000'000;

// Headers in front of the datagram (architecture, volume 1, chapters 7.7, 8.3, 9.2 and 9.3). Offsets in each.
constexpr std::size_t kLocalSize = 8, kGlobalSize = 40, kBaseSize = 12, kDatagramSize = 8, kMadSize = 256,
                      kCrcs = 4 + 2;
constexpr Field kVirtualLane{0, 0, 4};
constexpr Field kServiceLevel{1, 0, 4};
constexpr Field kNextHeader{1, 6, 2};
constexpr Field kDestination{2, 0, 16};
constexpr Field kLength{4, 0, 16};
constexpr Field kSource{6, 0, 16};
constexpr Field kIpVersion{0, 0, 4}, kTrafficClass{0, 4, 8}, kFlowLabel{1, 4, 20};
constexpr Field kPayload{4, 0, 16}, kNextOfGlobal{6, 0, 8}, kHopLimit{7, 0, 8};
constexpr std::size_t kSourceGid = 8, kDestinationGid = 24;
constexpr Field kGidPrefix{0, 0, 64}, kGidGuid{8, 0, 64};
constexpr Field kOpcode{0, 0, 8};
constexpr Field kPartition{2, 0, 16};
constexpr Field kDestinationQueuePair{5, 0, 24};
constexpr Field kQueueKey{0, 0, 32};
constexpr Field kSourceQueuePair{5, 0, 24};

constexpr std::uint8_t kLocalTransport = 2;   ///< a base header follows
constexpr std::uint8_t kGlobalTransport = 3;  ///< a global header, then a base header
constexpr std::uint8_t kIpVersion6 = 6, kBaseHeaderNext = 0x1B, kAnyHops = 255;
constexpr std::uint8_t kUnreliableSendOnly = 0x64;
constexpr std::uint16_t kDefaultPartition = 0xFFFF;
constexpr std::uint32_t kManagementQueueKey = 0x80010000;
constexpr std::uint8_t kManagementLane = 15;

using PacketGid = std::array<std::uint8_t, 16>;

/// Where a packet goes.
struct PacketPath {
  std::uint16_t from, to;
  PacketGid own_gid;
  bool sent;
};

/// Subnet management goes between queue pairs 0 on VL 15, other classes between queue pairs 1.
bool is_subnet_management(const hw::Mad& mad) {
  const auto mad_class = static_cast<hw::MadClass>(get(mad, h::kClass));
  return mad_class == hw::MadClass::lid_routed || mad_class == hw::MadClass::directed_route;
}

void set_global(std::span<std::uint8_t> header, const hw::GlobalRoute& route, const PacketGid& own,
                bool sent) {
  set(header, kIpVersion, kIpVersion6);
  set(header, kTrafficClass, route.traffic_class);
  set(header, kFlowLabel, route.flow_label);
  set(header, kPayload, kBaseSize + kDatagramSize + kMadSize + 4);  // with the first of the CRCs
  set(header, kNextOfGlobal, kBaseHeaderNext);
  set(header, kHopLimit, kAnyHops);
  std::ranges::copy(own, header.begin() + (sent ? kSourceGid : kDestinationGid));
  std::ranges::copy(route.gid, header.begin() + (sent ? kDestinationGid : kSourceGid));
}

std::vector<std::uint8_t> packet_of(const hw::Datagram& datagram, const PacketPath& path) {
  const std::size_t global_size = datagram.global_route ? kGlobalSize : 0;
  const std::size_t wire = kLocalSize + global_size + kBaseSize + kDatagramSize + kMadSize + kCrcs;
  std::vector<std::uint8_t> packet(kCardHeader + wire);
  const auto all = std::span(packet);
  const auto local = all.subspan(kCardHeader), global = local.subspan(kLocalSize),
             base = global.subspan(global_size), header = base.subspan(kBaseSize),
             mad = header.subspan(kDatagramSize);
  const bool subnet = is_subnet_management(datagram.mad);
  set(all, kCardType, kCardInfiniband);
  set(all, kCardFlags, kVaryingLength | (path.sent ? kSent : 0U));
  set(all, kCardLength, packet.size());
  set(all, kWireLength, wire);
  set(local, kVirtualLane, subnet ? kManagementLane : 0);
  set(local, kServiceLevel, datagram.service_level);
  set(local, kNextHeader, datagram.global_route ? kGlobalTransport : kLocalTransport);
  set(local, kDestination, path.to);
  set(local, kLength, (wire - 2) / 4);
  set(local, kSource, path.from);
  if (datagram.global_route) set_global(global, *datagram.global_route, path.own_gid, path.sent);
  set(base, kOpcode, kUnreliableSendOnly);
  set(base, kPartition, kDefaultPartition);
  set(base, kDestinationQueuePair, subnet ? 0 : 1);
  set(header, kQueueKey, subnet ? 0 : kManagementQueueKey);
  set(header, kSourceQueuePair, subnet ? 0 : 1);
  std::ranges::copy(datagram.mad, mad.begin());
  return packet;
}

}  // namespace

Result<std::unique_ptr<PacketLog>> PacketLog::create(const std::filesystem::path& path, RingLimits limits,
                                                     std::function<void(const Error&)> lost,
                                                     std::function<std::int64_t()> wall_clock) {
  std::unique_ptr<PacketLog> log(new PacketLog(path, limits, std::move(lost), std::move(wall_clock)));
  if (auto begun = log->begin_file(); !begun) return tl::unexpected(begun.error());
  return log;
}

Result<void> PacketLog::begin_file() {
  if (auto next = ring_.next(); !next) return next;
  std::string head;
  append(head, std::uint32_t{0xA1B23C4D});  // pcap with nanoseconds
  append(head, std::uint16_t{2});
  append(head, std::uint16_t{4});
  append(head, std::uint64_t{0});
  append(head, std::uint32_t{65535});
  append(head, kLinkTypeCard);
  return ring_.write(head);
}

void PacketLog::on_arrival(std::span<const hw::Datagram> arrived, hw::TimePoint now) {
  now_ = now;
  for (const hw::Datagram& datagram : arrived) {
    if (datagram.status != 0) continue;  // what we sent, and nobody answered
    learn_own_address(datagram);
    const bool directed = datagram.lid == 0xFFFF;
    add(datagram, datagram.lid, directed ? 0xFFFF : own_lid_, false);
  }
  write_out();
}

void PacketLog::on_effects(const hw::Effects& effects) {
  for (const auto& [datagram, timeout] : effects.datagrams)
    add(datagram, datagram.lid == 0xFFFF ? 0xFFFF : own_lid_, datagram.lid, true);
  write_out();
}

/// Our node tells them in each NodeInfo and PortInfo.
void PacketLog::learn_own_address(const hw::Datagram& answer) {
  const auto is = [&](Field field, auto value) {
    return get(answer.mad, field) == static_cast<std::uint64_t>(value);
  };
  if (!is(h::kMethod, hw::Method::get_resp) || !is(h::kClass, hw::MadClass::directed_route) ||
      !is(h::kHopCount, 0))
    return;
  const auto data = std::span(answer.mad).subspan(h::kData);
  if (is(h::kAttribute, hw::Attribute::port_info)) {
    own_lid_ = static_cast<std::uint16_t>(get(data, hw::port_info::kLid));
    set(own_gid_, kGidPrefix, get(data, hw::port_info::kGidPrefix));
  }
  if (is(h::kAttribute, hw::Attribute::node_info))
    set(own_gid_, kGidGuid, get(data, hw::node_info::kPortGuid));
}

void PacketLog::add(const hw::Datagram& datagram, std::uint16_t from, std::uint16_t to, bool sent) {
  const std::int64_t time = wall_clock_() + std::chrono::nanoseconds(now_.time_since_epoch()).count();
  const auto seconds = static_cast<std::uint32_t>(time / kSecond);
  const auto rest = static_cast<std::uint64_t>(time % kSecond);
  const auto packet = packet_of(datagram, {.from = from, .to = to, .own_gid = own_gid_, .sent = sent});
  append(packets_, seconds);
  append(packets_, static_cast<std::uint32_t>(rest));
  append(packets_, static_cast<std::uint32_t>(packet.size()));
  append(packets_, static_cast<std::uint32_t>(packet.size()));
  packets_.append(reinterpret_cast<const char*>(packet.data()), packet.size());
}

void PacketLog::write_out() {
  if (!packets_.empty() && !is_lost_) {
    auto written = ring_.write(packets_);
    if (written && ring_.full()) written = begin_file();
    is_lost_ = !written;
    if (!written) lost_(written.error());
  }
  packets_.clear();
}

}  // namespace rch::record

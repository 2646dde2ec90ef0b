#include "path_query.h"

#include <algorithm>

#include "sa/gid.h"
#include "sa/path_fields.h"

namespace rch::bench {

namespace f = sa::path_record;

hw::Datagram path_query(const fabric::Fabric& fabric, std::uint64_t number, sa::Method method) {
  const auto hosts = fabric.end_ports();
  const auto host = [&](std::uint64_t n) { return hosts[n * 0x9E3779B97F4A7C15U % hosts.size()].port; };
  const PortId from = host(2 * number), to = host(2 * number + 1);
  hw::Datagram datagram{.lid = fabric.port(from).lid.value, .queue_pair = 1};
  namespace h = hw::mad_header;
  set(datagram.mad, h::kBaseVersion, 1);
  set(datagram.mad, h::kClass, 3);
  set(datagram.mad, h::kClassVersion, sa::kClassVersion);
  set(datagram.mad, h::kMethod, static_cast<std::uint64_t>(method));
  set(datagram.mad, h::kTransaction, number + 1);
  set(datagram.mad, h::kAttribute, static_cast<std::uint64_t>(sa::Attribute::path_record));
  const bool one = method == sa::Method::get;
  set(datagram.mad, sa::header::kComponentMask, one ? 0b11'1000'0000'1100 : 0b1000);
  const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(sa::header::kData);
  const auto put = [&](std::size_t at, PortId port) {
    const sa::Gid gid = sa::make_gid(sa::kLinkLocalPrefix, fabric.port(port).guid);
    std::copy(gid.begin(), gid.end(), record.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(f::kSgid, from);
  put(f::kDgid, to);
  set(record, f::kFields.pkey.field, 0xFFFF);
  set(record, f::kFields.reversible.field, 1);
  set(record, f::kFields.number_of_paths.field, 1);
  return datagram;
}

}  // namespace rch::bench

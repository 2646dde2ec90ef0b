#include "sa/partition.h"
#include "sa/records/listing.h"

namespace rch::sa {
namespace {
namespace links {

constexpr hw::Field kFromPort{2, 0, 8}, kToPort{3, 0, 8}, kToLid{4, 0, 16};
constexpr unsigned kToLidComponent = 3;
constexpr Component kComponents[] = {{1, 0, kFromPort}, {2, 0, kToPort}};

void offer_link(Listing& listing, Lid from_lid, PortId from) {
  const fabric::Fabric& fabric = listing.fabric();
  const PortId to = fabric.port(from).peer;
  if (to.is_none()) return;
  const PortId end_port = partition_port(listing.snapshot(), to);
  const Lid to_lid = fabric.port(end_port).lid;
  if (to_lid == kUnassignedLid || !listing.lid_selects(kToLidComponent, kToLid, end_port)) return;
  if (!listing.may_see(end_port)) return;
  const std::span<std::uint8_t> record = listing.begin(from_lid);
  set(record, kFromPort, fabric.port(from).number.value);
  set(record, kToPort, fabric.port(to).number.value);
  set(record, kToLid, to_lid.value);
  listing.offer();
}

/// Both directions of a link, for who may see both ends.
void list(Listing& listing) {
  const fabric::Fabric& fabric = listing.fabric();
  listing.each_end_port([&](PortId end_port) {
    const fabric::Port& port = fabric.port(end_port);
    if (!fabric.is_switch(port.node)) return offer_link(listing, port.lid, end_port);
    const auto [first, last] = listing.numbers(1, kFromPort, 1, fabric.node(port.node).num_ports);
    for (unsigned number = first; number <= last; ++number)
      offer_link(listing, port.lid, fabric.port_id(port.node, PortNum(static_cast<std::uint8_t>(number))));
  });
}

}  // namespace links
}  // namespace

const RecordType kLinkRecord{
    .attribute = Attribute::link_record, .size = 8, .components = links::kComponents, .list = links::list};

}  // namespace rch::sa

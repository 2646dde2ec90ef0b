#include "hw/arbitration.h"
#include "sa/records/listing.h"

namespace rch::sa {
namespace {

/// A query for one CA or router port need not say which it is.
void offer_of_adapter(Listing& listing, std::initializer_list<hw::Field> ports) {
  constexpr unsigned kLidComponent = 0;
  if (listing.query().has(kLidComponent))
    listing.offer(ports);
  else
    listing.offer();
}

namespace sl2vl {

constexpr hw::Field kIn{2, 0, 8}, kOut{3, 0, 8};
constexpr Component kComponents[] = {{1, 0, kIn}, {2, 0, kOut}};
constexpr std::size_t kTable = 8;

void fill(Listing& listing, Lid lid, unsigned in, unsigned out, const fabric::Sl2VlMap& map) {
  const std::span<std::uint8_t> record = listing.begin(lid);
  set(record, kIn, in);
  set(record, kOut, out);
  for (std::size_t sl = 0; sl < map.size(); ++sl)
    set(record,
        hw::Field{static_cast<std::uint16_t>(kTable + sl / 2), static_cast<std::uint8_t>(sl % 2 * 4), 4},
        map[sl]);
}

/// CA and router ports have 0 as in and out, whatever a query of that port says, as with OpenSM. Maps that
/// the plan leaves alone, as those towards port 0, are the identity map that its proof relies on.
void list(Listing& listing) {
  const fabric::Sl2VlTables& tables = listing.snapshot().plan.tables->sl2vl;
  const fabric::Fabric& fabric = listing.fabric();
  listing.each_end_port([&](PortId end_port) {
    const fabric::Port& port = fabric.port(end_port);
    const auto sw = fabric.switch_id(port.node);
    if (!sw) {
      fill(listing, port.lid, 0, 0, tables.empty() ? fabric::kIdentitySl2Vl : tables.end_port(end_port));
      return offer_of_adapter(listing, {kIn, kOut});
    }
    const unsigned ports = fabric.node(port.node).num_ports;
    const auto ins = listing.numbers(1, kIn, 0, ports), outs = listing.numbers(2, kOut, 0, ports);
    for (unsigned out = outs.first; out <= outs.last; ++out)
      for (unsigned in = ins.first; in <= ins.last; ++in) {
        const PortNum from(static_cast<std::uint8_t>(in)), to(static_cast<std::uint8_t>(out));
        const bool written = !tables.empty() && out != 0;
        const bool own = in == 0 && out == 0 && tables.has_own(end_port);
        fill(listing, port.lid, in, out,
             own       ? tables.end_port(end_port)
             : written ? tables.at(*sw, from, to)
                       : fabric::kIdentitySl2Vl);
        listing.offer();
      }
  });
}

}  // namespace sl2vl

namespace arbitration {

constexpr hw::Field kPort{2, 0, 8}, kBlock{3, 0, 8};
constexpr Component kComponents[] = {{1, 0, kPort}, {2, 0, kBlock}};
constexpr std::size_t kTable = 8;

/// Tables that the plan leaves alone have not been read, and are shown empty: OpenSM and its clients expect
/// all four blocks.
void offer_port(Listing& listing, Lid lid, PortId id) {
  const bool is_switch = listing.fabric().is_switch(listing.fabric().port(id).node);
  const fabric::Arbitration* target = listing.snapshot().plan.tables->arbitration.at(id);
  const hw::PortInfo& info = listing.snapshot().ports[id.index()];
  for (unsigned block = 1; block <= hw::kArbitrationBlocks; ++block) {
    const auto known = target != nullptr ? hw::arbitration_block(*target, block, info) : std::nullopt;
    const hw::SmpData data = known.value_or(hw::SmpData{});
    const std::span<std::uint8_t> record = listing.begin(lid);
    set(record, kPort, listing.fabric().port(id).number.value);
    set(record, kBlock, block);
    put(record, kTable, data, data.size());
    if (is_switch)
      listing.offer();
    else
      offer_of_adapter(listing, {kPort});
  }
}

void list(Listing& listing) {
  const fabric::Fabric& fabric = listing.fabric();
  listing.each_end_port([&](PortId end_port) {
    const fabric::Port& port = fabric.port(end_port);
    if (!fabric.is_switch(port.node)) return offer_port(listing, port.lid, end_port);
    const auto [first, last] = listing.numbers(1, kPort, 0, fabric.node(port.node).num_ports);
    for (unsigned number = first; number <= last; ++number)
      offer_port(listing, port.lid, fabric.port_id(port.node, PortNum(static_cast<std::uint8_t>(number))));
  });
}

}  // namespace arbitration
}  // namespace

const RecordType kSl2VlRecord{
    .attribute = Attribute::sl2vl_record, .size = 16, .components = sl2vl::kComponents, .list = sl2vl::list};
const RecordType kVlArbitrationRecord{.attribute = Attribute::vl_arbitration_record,
                                      .size = 72,
                                      .components = arbitration::kComponents,
                                      .list = arbitration::list};

}  // namespace rch::sa

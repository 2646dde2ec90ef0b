#include "hw/pkeys.h"
#include "sa/alias_guids.h"
#include "sa/records/listing.h"

// Tables of keys: P_Keys and GUIDs.

namespace rch::sa {
namespace {

unsigned blocks_for(unsigned entries, unsigned per_block) { return (entries + per_block - 1) / per_block; }

namespace p_keys {

constexpr std::size_t kTable = 8;
constexpr hw::Field kBlock{2, 0, 16}, kPort{4, 0, 8};
constexpr Component kComponents[] = {{1, 0, kBlock}, {2, 0, kPort}};
constexpr unsigned kEntries = 32;

/// All blocks that a port has room for.
void offer_port(Listing& listing, Lid lid, PortNum number, std::span<const std::uint16_t> keys,
                unsigned room) {
  const auto [first, last] = listing.numbers(1, kBlock, 0, blocks_for(std::max(room, 1U), kEntries) - 1);
  for (unsigned block = first; block <= last; ++block) {
    const std::span<std::uint8_t> record = listing.begin(lid);
    set(record, kBlock, block);
    set(record, kPort, number.value);
    for (std::size_t i = 0; i < kEntries && block * kEntries + i < keys.size(); ++i)
      set(record, hw::Field{static_cast<std::uint16_t>(kTable + 2 * i), 0, 16}, keys[block * kEntries + i]);
    listing.offer();
  }
}

/// Offers a port of a switch other than port 0 if it checks the P_Keys of the host behind it.
void offer_switch_port(Listing& listing, Lid lid, SwitchId sw, PortNum number) {
  const Snapshot& snapshot = listing.snapshot();
  const PortId host = listing.fabric().port(listing.fabric().port_id(sw, number)).peer;
  const bool enforces = snapshot.plan.tables->pkeys.enforcement != fabric::PartitionEnforcement::off;
  if (host.is_none() || !enforces || snapshot.pkey_index[host.index()] == Snapshot::kNoPKeys) return;
  const std::vector<std::uint16_t> keys = hw::passing_pkeys(snapshot.pkeys(host));
  const std::size_t room = snapshot.switches[sw.index()].partition_enforcement_cap;
  if (keys.size() <= room) offer_port(listing, lid, number, keys, static_cast<unsigned>(room));
}

void list(Listing& listing) {
  const Snapshot& snapshot = listing.snapshot();
  listing.each_end_port([&](PortId end_port) {
    const fabric::Port& port = listing.fabric().port(end_port);
    const auto sw = listing.fabric().switch_id(port.node);
    const auto [first, last] = listing.numbers(2, kPort, port.number.value,
                                               sw ? listing.fabric().node(*sw).num_ports : port.number.value);
    for (unsigned n = first; n <= last; ++n) {
      const PortNum number(static_cast<std::uint8_t>(n));
      if (number == port.number)
        offer_port(listing, port.lid, number, snapshot.pkeys(end_port),
                   snapshot.nodes[port.node.index()].partition_cap);
      else
        offer_switch_port(listing, port.lid, *sw, number);
    }
  });
}

}  // namespace p_keys

namespace guids {

constexpr std::size_t kTable = 8;
constexpr hw::Field kBlock{2, 0, 8};
constexpr Component kComponents[] = {
    {1, 0, kBlock},          {4, kTable, 0, 64},       {5, kTable + 8, 0, 64},
    {6, kTable + 16, 0, 64}, {7, kTable + 24, 0, 64},  {8, kTable + 32, 0, 64},
    {9, kTable + 40, 0, 64}, {10, kTable + 48, 0, 64}, {11, kTable + 56, 0, 64}};
constexpr unsigned kEntries = 8;

/// Ports have the GUID they came with, at index 0, and alias GUIDs.
void list(Listing& listing) {
  listing.each_end_port([&](PortId end_port) {
    const fabric::Port& port = listing.fabric().port(end_port);
    const unsigned blocks = blocks_for(listing.snapshot().ports[end_port.index()].guid_cap, kEntries);
    if (blocks == 0) return;
    const auto [first, last] = listing.numbers(1, kBlock, 0, blocks - 1);
    for (unsigned block = first; block <= last; ++block) {
      const std::span<std::uint8_t> record = listing.begin(port.lid);
      set(record, kBlock, block);
      const GuidBlock guids =
          listing.query().aliases == nullptr
              ? AliasGuids().block(port.guid, static_cast<std::uint8_t>(block))
              : listing.query().aliases->block(port.guid, static_cast<std::uint8_t>(block));
      for (std::size_t i = 0; i < guids.size(); ++i)
        set(record, hw::Field{static_cast<std::uint16_t>(kTable + 8 * i), 0, 64}, guids[i].value);
      listing.offer();
    }
  });
}

}  // namespace guids
}  // namespace

const RecordType kPKeyTableRecord{.attribute = Attribute::p_key_table_record,
                                  .size = 72,
                                  .components = p_keys::kComponents,
                                  .list = p_keys::list};
const RecordType kGuidInfoRecord{.attribute = Attribute::guid_info_record,
                                 .size = 72,
                                 .components = guids::kComponents,
                                 .list = guids::list};

}  // namespace rch::sa

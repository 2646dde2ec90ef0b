#pragma once

#include "hw/transport.h"
#include "sa/gid.h"
#include "sa/query.h"
#include "sa/snapshot.h"
#include "support/small_fabrics.h"

namespace rch::test {

/// What answers are made from, in parts that tests may change: a fabric whose agents are those of
/// sim::SimulatedFabric, with simple tables. Its subnet manager is at the first host.
class SmallSnapshot {
 public:
  explicit SmallSnapshot(const Shape& shape);

  const fabric::Fabric& fabric() const { return snapshot.fabric(); }
  PortId host(std::size_t index) const { return fabric().end_ports()[index].port; }
  PortId switch_port(std::uint32_t sw, unsigned number) const {
    return fabric().port_id(SwitchId(sw), PortNum(static_cast<std::uint8_t>(number)));
  }
  Guid guid(PortId port) const { return fabric().port(port).guid; }
  sa::Gid gid(PortId port) const { return sa::make_gid(snapshot.prefix(), guid(port)); }
  Lid lid(PortId end_port) const { return fabric().port(end_port).lid; }

  /// What all links let through, or the one of `port`.
  void set_links(sa::LinkTraits traits);
  void set_link(PortId port, sa::LinkTraits traits);
  /// Gives end ports their P_Keys; the others stay with the default one.
  void set_pkeys(const std::vector<std::pair<PortId, std::vector<std::uint16_t>>>& keys);
  /// One group with these members, on all links between switches.
  void add_group(Lid mlid, const std::vector<PortId>& members);
  void set_arbitration(const fabric::Arbitration& arbitration);
  static constexpr fabric::Sl2VlMap kDropsAll{15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
  /// SLs to VLs of what leaves a switch by this port.
  void set_maps_to(PortId out, const fabric::Sl2VlMap& map);
  void set_entry(SwitchId sw, Lid to, PortNum out);
  /// SLs to VLs of all CA ports.
  void set_adapter_map(const fabric::Sl2VlMap& map);

  sa::Snapshot snapshot;

 private:
  std::shared_ptr<fabric::RoutingTables> tables_;
};

/// Two leaves with two hosts each, two spines; a host has four LIDs.
SmallSnapshot with_four_lids();

/// Requests of hosts as they arrive, each of a transaction of its own.
class Requests {
 public:
  explicit Requests(const SmallSnapshot& small) : small_(small) {}
  hw::Datagram operator()(sa::Method method, sa::Attribute attribute, std::uint64_t mask = 0,
                          std::size_t host = 1);

 private:
  const SmallSnapshot& small_;
  std::uint32_t transaction_ = 0;
};

/// A query whose record is filled field by field.
struct Asked {
  sa::Query query;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(sa::kDataSize);

  Asked(sa::Method method, sa::Attribute attribute) { query = {.method = method, .attribute = attribute}; }
  /// Selects component `number`, which lies at `field`.
  Asked& with(unsigned number, hw::Field field, std::uint64_t value) {
    set(bytes, field, value);
    query.mask |= std::uint64_t{1} << number;
    return *this;
  }
  /// The same, of bytes that start at `at`.
  Asked& with_bytes(unsigned number, std::size_t at, std::span<const std::uint8_t> value);
  /// The query as it is now.
  const sa::Query& filled() {
    query.record = bytes;
    return query;
  }
  /// The answer of the tables.
  sa::Answer of(const SmallSnapshot& small, const sa::Requester& requester);
  sa::Answer of(const SmallSnapshot& small) {
    return of(small, {.port = small.snapshot.local, .trusted = true});
  }
};

/// The records of an answer, one by one.
std::vector<std::vector<std::uint8_t>> records_of(const sa::Answer& answer);

}  // namespace rch::test

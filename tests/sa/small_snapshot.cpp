#include "small_snapshot.h"

#include <algorithm>

#include "../hw/simple_routing.h"
#include "hw/attributes.h"
#include "sa/records/answer_from_tables.h"
#include "sim/simulated_fabric.h"

namespace rch::test {

SmallSnapshot::SmallSnapshot(const Shape& shape) {
  const auto fabric = std::make_shared<const fabric::Fabric>(build(shape));
  tables_ = std::make_shared<fabric::RoutingTables>(hw::test::simple_tables(*fabric, true));
  snapshot.plan.tables = tables_;
  snapshot.plan.fabric = fabric;
  snapshot.local = fabric->end_ports()[0].port;
  const sim::SimulatedFabric agents(*fabric, snapshot.local);
  for (hw::SmpData data : agents.node_info) {
    data[0] = data[1] = 1;  // base and class version
    snapshot.nodes.push_back(hw::decode<hw::NodeInfo>(data));
  }
  for (const hw::SmpData& data : agents.switch_info) {
    hw::SwitchInfo info = hw::decode<hw::SwitchInfo>(data);
    info.linear_top = fabric->max_lid();
    snapshot.switches.push_back(info);
  }
  for (std::size_t p = 0; p < agents.port_info.size(); ++p) {
    hw::PortInfo info = hw::decode<hw::PortInfo>(agents.port_info[p]);
    info.m_key = 0x1234;
    info.lid = fabric->ports()[p].lid;
    info.lmc = fabric->ports()[p].lmc;
    info.oper_vls = 4;
    info.guid_cap = 16;
    info.is_sm = PortId(static_cast<std::uint32_t>(p)) == snapshot.local;
    snapshot.ports.push_back(info);
  }
  constexpr std::uint8_t kNoLimit = 63;
  snapshot.links = sa::links_of(*fabric, snapshot.ports, kNoLimit);
  snapshot.partitions =
      std::make_shared<const policy::partitions::Partitions>(policy::partitions::without_file());
  snapshot.end_ports = sa::ports_with_lid(*fabric);
  snapshot.routers = sa::router_ports(*fabric);
  snapshot.pkey_index.assign(fabric->ports().size(), sa::Snapshot::kNoPKeys);
}

void SmallSnapshot::set_links(sa::LinkTraits traits) {
  for (sa::Link& link : snapshot.links) link.traits = traits;
}

void SmallSnapshot::set_link(PortId port, sa::LinkTraits traits) {
  sa::Link& link = snapshot.links[port.index()];
  link.traits = traits;
  if (!link.peer.is_none()) snapshot.links[link.peer.index()].traits = traits;
}

void SmallSnapshot::set_pkeys(const std::vector<std::pair<PortId, std::vector<std::uint16_t>>>& keys) {
  for (const auto& [port, of_port] : keys) {
    fabric::PKeyTables& all = tables_->pkeys;
    if (all.begin.empty()) all.begin.push_back(0);
    snapshot.pkey_index[port.index()] = static_cast<std::uint32_t>(all.ports.size());
    all.ports.push_back(port);
    all.keys.insert(all.keys.end(), of_port.begin(), of_port.end());
    all.begin.push_back(static_cast<std::uint32_t>(all.keys.size()));
  }
}

void SmallSnapshot::add_group(Lid mlid, const std::vector<PortId>& members) {
  fabric::MulticastGroup group{.mlid = mlid, .members = members, .ports = {}};
  for (std::uint32_t p = 0; p < fabric().ports().size(); ++p) {
    const fabric::Port& port = fabric().port(PortId(p));
    if (fabric().is_switch(port.node) && !port.peer.is_none()) group.ports.push_back(PortId(p));
  }
  tables_->groups.push_back(group);
  snapshot.multicast = sa::multicast_blocks(fabric(), *tables_);
}

void SmallSnapshot::set_arbitration(const fabric::Arbitration& arbitration) {
  tables_->arbitration = fabric::ArbitrationTables(fabric().ports().size());
  const auto id = tables_->arbitration.intern(arbitration);
  for (std::uint32_t p = 0; p < fabric().ports().size(); ++p) tables_->arbitration.set(PortId(p), id);
}

void SmallSnapshot::set_maps_to(PortId out, const fabric::Sl2VlMap& map) {
  const fabric::Port& port = fabric().port(out);
  const SwitchId sw = *fabric().switch_id(port.node);
  if (tables_->sl2vl.empty()) {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t s = 0; s < fabric().switch_count(); ++s)
      ports.push_back(fabric().node(SwitchId(s)).num_ports);
    tables_->sl2vl = fabric::Sl2VlTables(ports, fabric::kIdentitySl2Vl);
  }
  const auto id = tables_->sl2vl.intern(map);
  for (unsigned in = 0; in <= fabric().node(sw).num_ports; ++in)
    tables_->sl2vl.set(sw, PortNum(static_cast<std::uint8_t>(in)), port.number, id);
}

void SmallSnapshot::set_entry(SwitchId sw, Lid to, PortNum out) {
  tables_->lfts.row(sw)[to.index()] = out.value;
}

void SmallSnapshot::set_adapter_map(const fabric::Sl2VlMap& map) {
  tables_->sl2vl.set_end_port(tables_->sl2vl.intern(map));
}

SmallSnapshot with_four_lids() {
  Shape shape = clos(2, 2, 2);
  shape.lmc = 2;
  return SmallSnapshot(shape);
}

hw::Datagram Requests::operator()(sa::Method method, sa::Attribute attribute, std::uint64_t mask,
                                  std::size_t host) {
  namespace common = hw::mad_header;
  hw::Datagram datagram{.lid = small_.lid(small_.host(host)).value, .queue_pair = 1, .service_level = 3};
  const std::pair<hw::Field, std::uint64_t> fields[] = {
      {common::kBaseVersion, 1},
      {common::kClass, 3},
      {common::kClassVersion, 2},
      {common::kMethod, static_cast<std::uint64_t>(method)},
      {common::kTransaction, 0x1234567800000000U + ++transaction_},
      {common::kAttribute, static_cast<std::uint64_t>(attribute)},
      {sa::header::kComponentMask, mask}};
  for (const auto& [field, value] : fields) set(datagram.mad, field, value);
  return datagram;
}

sa::Answer Asked::of(const SmallSnapshot& small, const sa::Requester& requester) {
  query.record = bytes;
  return sa::answer_from_tables(small.snapshot, requester, query).value();
}

Asked& Asked::with_bytes(unsigned number, std::size_t at, std::span<const std::uint8_t> value) {
  std::ranges::copy(value, bytes.begin() + static_cast<std::ptrdiff_t>(at));
  query.mask |= std::uint64_t{1} << number;
  return *this;
}

std::vector<std::vector<std::uint8_t>> records_of(const sa::Answer& answer) {
  std::vector<std::vector<std::uint8_t>> records;
  for (std::size_t at = 0; at < answer.records.size(); at += answer.record_size)
    records.emplace_back(answer.records.begin() + static_cast<std::ptrdiff_t>(at),
                         answer.records.begin() + static_cast<std::ptrdiff_t>(at + answer.record_size));
  return records;
}

}  // namespace rch::test

#include "hw/attributes.h"
#include "sa/records/listing.h"

namespace rch::sa {
namespace {
namespace nodes {

namespace n = hw::node_info;
constexpr std::size_t kInfo = 4, kInfoSize = 40, kDescription = 44, kDescriptionSize = 64;

constexpr Component kComponents[] = {
    {2, kInfo, 0, 8},
    {3, kInfo + 1, 0, 8},
    {4, kInfo, n::kType},
    {5, kInfo, n::kNumPorts},
    {6, kInfo, n::kSystemGuid},
    {7, kInfo, n::kNodeGuid},
    {8, kInfo, n::kPortGuid},
    {9, kInfo, n::kPartitionCap},
    {10, kInfo, n::kDeviceId},
    {11, kInfo, n::kRevision},
    {12, kInfo, n::kLocalPort},
    {13, kInfo, n::kVendorId},
    {14, kDescription, 0, 8 * kDescriptionSize},
};

/// End ports that a GUID selects: few of many thousands, and what clients that know a node ask by.
std::optional<std::vector<PortId>> ports_of_guid(const Listing& listing) {
  const fabric::Fabric& fabric = listing.fabric();
  const auto guid = [&](hw::Field field) {
    field.byte = static_cast<std::uint16_t>(field.byte + kInfo);
    return Guid(listing.value(field));
  };
  std::vector<PortId> ports;
  if (listing.query().has(8)) {
    if (const auto port = fabric.find_port(guid(n::kPortGuid))) ports.push_back(*port);
  } else if (listing.query().has(7)) {
    const auto node = fabric.find_node(guid(n::kNodeGuid));
    const unsigned last = !node || fabric.is_switch(*node) ? 0 : fabric.node(*node).num_ports;
    for (unsigned number = last == 0 ? 0 : 1; node && number <= last; ++number)
      ports.push_back(fabric.port_id(*node, PortNum(static_cast<std::uint8_t>(number))));
    std::ranges::sort(ports, {}, [&](PortId port) { return fabric.port(port).lid; });
  } else {
    return std::nullopt;
  }
  std::erase_if(
      ports, [&](PortId port) { return fabric.port(port).lid == kUnassignedLid || !listing.may_see(port); });
  return ports;
}

/// One for each end port, with what differs from port to port as that one would answer.
void list(Listing& listing) {
  const fabric::Fabric& fabric = listing.fabric();
  const auto offer = [&](PortId id) {
    const fabric::Port& port = fabric.port(id);
    hw::NodeInfo info = listing.snapshot().nodes[port.node.index()];
    info.node_guid = fabric.node(port.node).guid;
    info.port_guid = port.guid;
    info.local_port = port.number;
    const std::string& description = fabric.node(port.node).description;
    const std::span<std::uint8_t> record = listing.begin(port.lid);
    put(record, kInfo, hw::encode(info), kInfoSize);
    std::copy_n(description.begin(), std::min(description.size(), kDescriptionSize),
                record.begin() + kDescription);
    listing.offer();
  };
  const auto ports = listing.query().has(0) ? std::nullopt : ports_of_guid(listing);
  if (ports)
    std::ranges::for_each(*ports, offer);
  else
    listing.each_end_port(offer);
}

}  // namespace nodes
}  // namespace

const RecordType kNodeRecord{
    .attribute = Attribute::node_record, .size = 112, .components = nodes::kComponents, .list = nodes::list};

}  // namespace rch::sa

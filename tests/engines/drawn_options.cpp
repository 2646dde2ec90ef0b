#include "drawn_options.h"

namespace rch::test {

using engines::common::HopWeight;
using engines::common::PortName;
using engines::common::PortOptions;
using engines::common::PortOrder;

PortName DrawnNames::port() {
  const fabric::Node& node = fabric_.node(sw());
  return {node.guid,
          PortNum(static_cast<std::uint8_t>(between(1, std::max<std::uint8_t>(node.num_ports, 1))))};
}

std::vector<HopWeight> DrawnNames::weights() {
  std::vector<HopWeight> lines;
  for (std::uint64_t n = between(1, 2 * fabric_.switch_count()); n > 0; --n)
    lines.push_back({port(), static_cast<std::uint8_t>(between(1, one_in(4) ? 255 : 4))});
  return lines;
}

std::vector<PortOrder> DrawnNames::orders() {
  std::vector<PortOrder> lines;
  for (std::uint64_t n = between(1, fabric_.switch_count()); n > 0; --n) {
    const fabric::Node& node = fabric_.node(sw());
    std::vector<PortNum> ports;
    for (std::uint32_t p = 1; p <= node.num_ports; ++p)
      ports.push_back(PortNum(static_cast<std::uint8_t>(p)));
    if (ports.empty()) continue;
    random_.shuffle(ports);
    ports.resize(between(1, ports.size()));
    if (one_in(10)) ports.push_back(ports.front());
    lines.push_back({node.guid, ports});
  }
  return lines;
}

std::vector<PortName> DrawnNames::ignored() {
  std::vector<PortName> lines;
  for (std::uint64_t n = between(1, fabric_.switch_count()); n > 0; --n) lines.push_back(port());
  return lines;
}

std::vector<Guid> DrawnNames::order() {
  std::vector<Guid> guids;
  for (const fabric::EndPort& host : fabric_.end_ports()) guids.push_back(fabric_.port(host.port).guid);
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) guids.push_back(fabric_.node(SwitchId(s)).guid);
  random_.shuffle(guids);
  guids.resize(between(1, guids.size()));
  guids.push_back(guids.front());
  guids.emplace_back(0x77);
  return guids;
}

std::vector<engines::Root> DrawnNames::roots() {
  std::vector<engines::Root> lines;
  for (std::uint64_t n = between(1, 4); n > 0; --n) lines.push_back({fabric_.node(sw()).guid});
  return lines;
}

std::vector<engines::SwitchNumber> DrawnNames::ids() {
  std::vector<engines::SwitchNumber> lines;
  for (std::uint64_t n = between(1, fabric_.switch_count()); n > 0; --n)
    lines.push_back({fabric_.node(sw()).guid, between(1, 1000) << between(0, 40)});
  return lines;
}

PortOptions DrawnNames::port_options() {
  PortOptions options;
  if (one_in(3)) options.hop_weights = weights();
  if (one_in(3)) options.port_search_ordering = orders();
  if (one_in(3)) options.port_prof_ignore = ignored();
  if (one_in(3)) options.guid_routing_order = order();
  options.guid_routing_order_no_scatter = one_in(2);
  if (one_in(4)) options.scatter_ports = static_cast<std::uint32_t>(between(1, 0xFFFFFFFF));
  options.port_shifting = one_in(4);
  options.port_profile_switch_nodes = one_in(3);
  return options;
}

}  // namespace rch::test

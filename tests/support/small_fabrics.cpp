#include "support/small_fabrics.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "fabric/fabric_builder.h"

namespace rch::test {
namespace {

using fabric::FabricBuilder;

template <class T>
T good(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// A LID for every switch, then 2^lmc aligned LIDs for every host.
std::vector<fabric::LidAssignment> ascending_lids(const fabric::Fabric& fabric, std::uint8_t lmc) {
  std::vector<fabric::LidAssignment> lids;
  std::uint32_t next = 1;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    lids.push_back({fabric.port_id(SwitchId(s), PortNum(0)), Lid(static_cast<std::uint16_t>(next++)), 0});
  const std::uint32_t size = 1U << lmc;
  next = (next + size - 1) / size * size;
  for (const fabric::EndPort& host : fabric.end_ports()) {
    lids.push_back({host.port, Lid(static_cast<std::uint16_t>(next)), lmc});
    next += size;
  }
  return lids;
}

fabric::NodeSpec node(fabric::NodeType type, Guid guid, std::string name, std::size_t ports) {
  fabric::NodeSpec spec;
  spec.type = type;
  spec.guid = spec.system_guid = guid;
  spec.description = std::move(name);
  spec.ports.resize(ports + 1);
  return spec;
}

std::uint64_t adapters_of(const Shape& shape) {
  std::uint64_t adapters = 0;
  for (const std::uint32_t hosts : shape.hosts)
    adapters += (hosts + shape.adapter_ports - 1U) / shape.adapter_ports;
  return adapters;
}

}  // namespace

fabric::Fabric build(const Shape& shape) {
  std::vector<std::uint32_t> ports(shape.hosts);
  for (const Cable& c : shape.cables) ++ports[c.a], ++ports[c.b];
  if (shape.aggregation_nodes)
    for (std::uint32_t& count : ports) ++count;

  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> switches;
  for (std::size_t s = 0; s < shape.hosts.size(); ++s) {
    fabric::NodeSpec spec = node(fabric::NodeType::sw, Guid(0x100000 + shape.guid_step * s),
                                 fmt::format("switch {}", s), ports[s]);
    spec.system_guid = Guid(0x100000 + shape.guid_step * (s / shape.system_size * shape.system_size));
    switches.push_back(builder.add(std::move(spec)));
  }
  std::vector<std::uint8_t> used(shape.hosts.size());
  const auto next_port = [&](std::uint32_t s) { return PortNum(++used[s]); };
  std::uint64_t host = 0;
  const std::uint64_t first_router = adapters_of(shape) - shape.routers;
  for (std::uint32_t s = 0; s < shape.hosts.size(); ++s)
    for (std::uint32_t h = 0; h < shape.hosts[s]; h += shape.adapter_ports, ++host) {
      const auto type = host < first_router ? fabric::NodeType::ca : fabric::NodeType::router;
      const auto ca = builder.add(
          node(type, Guid(0x900000 + 4 * host), fmt::format("host {}", host), shape.adapter_ports));
      for (std::uint32_t p = 0; p < shape.adapter_ports && h + p < shape.hosts[s]; ++p)
        good(builder.connect(ca, PortNum(static_cast<std::uint8_t>(p + 1)), switches[s], next_port(s)));
    }
  for (const Cable& c : shape.cables) {
    const PortNum a = next_port(c.a), b = next_port(c.b);
    good(builder.connect(switches[c.a], a, switches[c.b], b));
  }
  for (std::uint32_t s = 0; shape.aggregation_nodes && s < switches.size(); ++s) {
    fabric::NodeSpec spec = node(fabric::NodeType::ca, Guid(0x800000 + 8 * std::uint64_t{s}),
                                 "Mellanox Technologies Aggregation Node", 1);
    spec.vendor_id = 0x2C9;
    spec.device_id = 0xCF09;
    const auto aggregation = builder.add(std::move(spec));
    good(builder.connect(aggregation, PortNum(1), switches[s], next_port(s)));
  }
  const fabric::Fabric fabric = good(std::move(builder).build());
  return good(fabric::with_lids(fabric, ascending_lids(fabric, shape.lmc)));
}

Shape clos(std::uint32_t leaves, std::uint32_t spines, std::uint32_t hosts, std::uint32_t parallel) {
  Shape shape;
  shape.hosts.assign(leaves, hosts);
  shape.hosts.resize(leaves + spines, 0);
  for (std::uint32_t l = 0; l < leaves; ++l)
    for (std::uint32_t s = 0; s < spines; ++s)
      shape.cables.insert(shape.cables.end(), parallel, Cable{l, leaves + s});
  return shape;
}

Shape random_shape(std::uint64_t seed, std::uint32_t max_switches) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Shape shape;
  const std::uint32_t switches = 1 + below(max_switches);
  for (std::uint32_t s = 0; s < switches; ++s) shape.hosts.push_back(below(4));
  // A forest first (a missing branch leaves the fabric in pieces), then cables anywhere, some of them
  // parallel.
  const bool pieces = below(8) == 0;
  for (std::uint32_t s = 1; s < switches; ++s)
    if (!pieces || below(6) != 0) shape.cables.push_back({below(s), s});
  for (std::uint32_t c = below(2 * switches); c > 0; --c) {
    const Cable cable{below(switches), below(switches)};
    if (cable.a != cable.b) shape.cables.insert(shape.cables.end(), 1 + below(3), cable);
  }
  shape.system_size = 1 + below(3);
  std::shuffle(shape.cables.begin(), shape.cables.end(), random);
  return shape;
}

}  // namespace rch::test

#include "fabric/shuffle.h"

#include <array>
#include <numeric>

#include "fabric/fabric_builder.h"
#include "fabric/random.h"

namespace rch::fabric {
namespace {

/// New port number by old one, of every node; port 0 stays.
using PortNumbers = std::vector<std::vector<std::uint8_t>>;

/// Node GUIDs by node, exchanged within each type.
std::vector<Guid> exchanged_guids(const Fabric& fabric, Random& random) {
  std::array<std::vector<Guid>, 4> of_type;
  for (const Node& node : fabric.nodes()) of_type[static_cast<std::size_t>(node.type)].push_back(node.guid);
  for (std::vector<Guid>& guids : of_type) random.shuffle(guids);
  std::vector<Guid> result;
  for (const Node& node : fabric.nodes()) {
    std::vector<Guid>& guids = of_type[static_cast<std::size_t>(node.type)];
    result.push_back(guids.back());
    guids.pop_back();
  }
  return result;
}

PortNumbers shuffled_ports(const Fabric& fabric, Random& random) {
  PortNumbers result;
  for (const Node& node : fabric.nodes()) {
    std::vector<std::uint8_t> numbers(node.num_ports);
    std::iota(numbers.begin(), numbers.end(), std::uint8_t{1});
    if (node.type == NodeType::sw) random.shuffle(numbers);
    numbers.insert(numbers.begin(), 0);
    result.push_back(std::move(numbers));
  }
  return result;
}

NodeSpec shuffled_spec(const Fabric& fabric, const Node& node, Guid guid,
                       const std::vector<std::uint8_t>& numbers) {
  const auto moved = [&](Guid old) {
    return old.value == 0 ? old : Guid(old.value - node.guid.value + guid.value);
  };
  const NodeSpec old = spec_of(fabric, node);
  NodeSpec spec = old;
  spec.guid = guid;
  spec.system_guid = moved(old.system_guid);
  for (std::size_t p = 0; p < old.ports.size(); ++p) {
    spec.ports[numbers[p]] = old.ports[p];
    spec.ports[numbers[p]].guid = moved(old.ports[p].guid);
  }
  return spec;
}

/// A linked CA or router port if there is one, else port 0 of a switch.
PortId random_origin(const Fabric& fabric, Random& random) {
  if (!fabric.end_ports().empty()) return fabric.end_ports()[random.below(fabric.end_ports().size())].port;
  return fabric.port_id(SwitchId(static_cast<std::uint32_t>(random.below(fabric.switch_count()))),
                        PortNum(0));
}

}  // namespace

Result<Fabric> shuffled(const Fabric& fabric, std::uint64_t seed) {
  using Handle = FabricBuilder::Handle;
  Random random(seed);
  const std::vector<Guid> guids = exchanged_guids(fabric, random);
  const PortNumbers numbers = shuffled_ports(fabric, random);
  const auto number = [&](const Port& port) {
    return PortNum(numbers[port.node.index()][port.number.index()]);
  };
  FabricBuilder builder;
  for (std::size_t n = 0; n < fabric.nodes().size(); ++n)
    builder.add(shuffled_spec(fabric, fabric.nodes()[n], guids[n], numbers[n]));
  for (const Port& port : fabric.ports()) {
    if (port.peer.is_none()) continue;
    const Port& peer = fabric.port(port.peer);
    (void)builder.connect(Handle(port.node.value), number(port), Handle(peer.node.value), number(peer));
  }
  const Port& origin = fabric.port(random_origin(fabric, random));
  builder.set_origin(Handle(origin.node.value), number(origin));
  return std::move(builder).build();
}

}  // namespace rch::fabric

#include "isolation/port_classes.h"

#include <array>
#include <map>

namespace rch::isolation {
namespace {

using fabric::PartitionEnforcement;

bool checks_received(PartitionEnforcement checks) {
  return checks == PartitionEnforcement::in || checks == PartitionEnforcement::both;
}
bool checks_sent(PartitionEnforcement checks) {
  return checks == PartitionEnforcement::out || checks == PartitionEnforcement::both;
}

}  // namespace

std::vector<PortClass> port_classes(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                                    const InstalledPKeys* target) {
  std::vector<PortClass> classes;
  std::map<std::array<std::uint32_t, 5>, std::size_t> known;
  for (std::uint32_t i = 0; i < installed.ports(); ++i) {
    const PortId id(i);
    if (!installed.knows(id) || !is_end_port(fabric, fabric.port(id))) continue;
    const PortId in_front = switch_port_of(fabric, id);
    const bool checked = !in_front.is_none() && installed.knows(in_front);
    const auto checks = checked ? installed.checks(in_front) : PartitionEnforcement::off;
    const bool of_switch = fabric.is_switch(fabric.port(id).node);
    const std::uint32_t front_table =
        checks == PartitionEnforcement::off ? InstalledPKeys::kUnknown : installed.table_of(in_front);
    const std::array<std::uint32_t, 5> key{installed.table_of(id), front_table,
                                           static_cast<std::uint32_t>(checks), std::uint32_t{of_switch},
                                           target == nullptr ? 0 : target->table_of(id)};
    const auto [at, is_new] = known.try_emplace(key, classes.size());
    if (is_new) {
      PortClass& made = classes.emplace_back();
      made.own = installed.of(id);
      if (target != nullptr) made.target = target->of(id);
      if (checked) made.in_front = installed.of(in_front);
      made.checks_in = checks_received(checks);
      made.checks_out = checks_sent(checks);
      made.of_switch = of_switch;
    }
    classes[at->second].ports.push_back(id);
  }
  return classes;
}

}  // namespace rch::isolation

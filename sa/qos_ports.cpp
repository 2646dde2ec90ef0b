#include "sa/qos_ports.h"

#include <algorithm>

namespace rch::sa {

using policy::qos::Level;
using policy::qos::Port;
using policy::qos::QosPolicy;

std::shared_ptr<const QosPorts> QosPorts::of(const chains::Plan& plan, PortId sm) {
  if (!plan.bound || !plan.options.qos.enabled || !plan.bound->policy->qos) return nullptr;
  return std::shared_ptr<const QosPorts>(new QosPorts(plan, sm));
}

QosPorts::QosPorts(const chains::Plan& plan, PortId sm) : bound_(plan.bound), sm_(sm) {
  const std::size_t ports = plan.fabric->ports().size();
  groups_.resize(ports);
  pkeys_.resize(ports);
  for (std::size_t g = 0; g < bound_->groups.size(); ++g)
    bound_->groups[g].for_each(
        [&](PortId member) { groups_[member.index()].emplace_back(static_cast<policy::GroupId::rep>(g)); });
  constexpr std::uint16_t kBase = 0x7FFF;
  const fabric::PKeyTables& tables = plan.tables->pkeys;
  for (std::size_t p = 0; p < tables.ports.size(); ++p) {
    std::vector<std::uint16_t>& keys = pkeys_[tables.ports[p].index()];
    for (const std::uint16_t key : tables.of(p))
      if ((key & kBase) != 0) keys.push_back(key & kBase);
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
}

Port QosPorts::port(PortId id) const {
  const fabric::Fabric& fabric = *bound_->fabric;
  const fabric::Port& port = fabric.port(id);
  const fabric::Node& node = fabric.node(port.node);
  return {.guid = port.guid,
          .type = node.type,
          .node = node.description,
          .number = port.number.value,
          .pkeys = pkeys_[id.index()],
          .groups = groups_[id.index()],
          .is_sm = id == sm_};
}

const Level& QosPorts::level(PortId from, PortId to, std::optional<std::uint64_t> service_id,
                             std::optional<std::uint16_t> qos_class,
                             std::optional<std::uint16_t> pkey) const {
  return *policy::qos::match(*bound_->policy->qos, {service_id, qos_class, pkey, port(from), port(to)}).level;
}

}  // namespace rch::sa

#include "chains/step_view.h"

#include <utility>

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::Scope;
using fabric::SubFabric;

std::vector<SwitchId> isolated(const SubFabric& view) {
  std::vector<SwitchId> result;
  if (view.switch_count() < 2) return result;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (view.graph().neighbors(SwitchId(s)).empty()) result.push_back(view.fabric_switch(SwitchId(s)));
  return result;
}

void remove(const Fabric& fabric, SwitchId sw, Scope& scope) {
  const fabric::Node& node = fabric.node(sw);
  for (std::uint32_t p = 0; p <= node.num_ports; ++p) scope.ports.erase(PortId(node.first_port.value + p));
}

}  // namespace

StepView view_of(const policy::BoundPolicy& bound, const policy::Step& step, bool first) {
  const Fabric& fabric = *bound.fabric;
  if (first && step.topology == TopologyId{0}) return {SubFabric(fabric), {}, 0};
  std::optional<Scope> scope = bound.scope(step);
  if (!scope) return {SubFabric(fabric), {}, 0};

  SubFabric view(fabric, *scope);
  const std::vector<SwitchId> alone = isolated(view);
  StepView result{std::move(view), {}, alone.size()};
  if (alone.empty()) return result;
  for (SwitchId sw : alone) {
    remove(fabric, sw, *scope);
    result.remarks.push_back(fmt::format("`{}` ({}) has no link to another switch of topology {}: left out",
                                         fabric.node(sw).name(), fabric.node(sw).guid, step.topology));
  }
  result.view = SubFabric(fabric, *scope);
  return result;
}

}  // namespace rch::chains

#include "whatif/level_change.h"

#include "compare/matching.h"
#include "compare/service_levels.h"
#include "fabric/routing_tables.h"
#include "verify/wiring.h"

namespace rch::whatif {
namespace {

compare::Side side_of(const chains::Plan& plan) {
  compare::Side side;
  side.fabric = plan.fabric;
  side.tables = plan.tables;
  return side;
}

}  // namespace

LevelChange level_change(const chains::Plan& before, const chains::Plan& after) {
  const auto level = fabric::common_path_sl(*before.tables);
  if (level && level == fabric::common_path_sl(*after.tables)) return {};
  const compare::Side was = side_of(before), is = side_of(after);
  const verify::Wiring wiring_before(*before.fabric, before.options.qos.max_op_vls),
      wiring_after(*after.fabric, after.options.qos.max_op_vls);
  const compare::ServiceLevels levels = compare::compare_service_levels(
      was, wiring_before, is, wiring_after, compare::match(was, wiring_before, is, wiring_after));
  return {levels.hosts, levels.changed};
}

}  // namespace rch::whatif

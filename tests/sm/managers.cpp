#include "sm/managers.h"

#include <algorithm>

#include "fabric/fabric_builder.h"
#include "hw/simple_routing.h"

namespace rch::sm::test {

chains::Plan plan_by_ports(const fabric::Fabric& live, bool high) {
  const auto lids = hw::test::simple_lids(live, 0);
  const auto fabric = std::make_shared<const fabric::Fabric>(*fabric::with_lids(live, lids));
  auto tables = std::make_shared<fabric::RoutingTables>(hw::test::simple_tables(*fabric, false, high));
  chains::Plan plan;
  plan.fabric = fabric;
  plan.tables = std::move(tables);
  return plan;
}

Managers::Process::Process(sim::SimulatedFabric& fabric, const Start& start)
    : port(fabric, start.origin), driver(port, {}), task(apply(driver, start.planner, start.options)) {}

void Managers::add(PortId origin, const InstallOptions& options, const Planner& planner) {
  starts_.push_back({origin, options, planner});
  passes_.emplace_back();
  processes_.emplace_back();
}

void Managers::run(const Next& next) {
  std::size_t turn = next(0, false);
  while (true) {
    const bool waits = go_on(turn);
    if (std::ranges::all_of(passes_, &Pass::done)) return;
    turn = choose(turn, waits, next);
  }
}

/// Runs a process up to where it would receive. True if nothing has arrived for it.
bool Managers::go_on(std::size_t m) {
  auto& process = processes_[m];
  ++passes_[m].rounds;
  if (!process) {
    process = std::make_unique<Process>(fabric_, starts_[m]);
    process->task.start();
  } else {
    process->driver.receive();
  }
  process->driver.carry_out();
  if (!process->task.done()) return process->port.nothing_arrived();
  passes_[m] = {process->task.take(), true, passes_[m].rounds};
  process.reset();
  return true;
}

/// The chosen one, or the next that is not done.
std::size_t Managers::choose(std::size_t last, bool waits, const Next& next) {
  std::size_t turn = next(last, waits) % passes_.size();
  while (passes_[turn].done) turn = (turn + 1) % passes_.size();
  return turn;
}

}  // namespace rch::sm::test

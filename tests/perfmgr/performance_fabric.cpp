#include "perfmgr/performance_fabric.h"

#include <gtest/gtest.h>

#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "hw/simple_routing.h"
#include "sm/apply.h"

namespace rch::perfmgr::test {

PerformanceFabric::PerformanceFabric(const rch::test::Shape& shape)
    : fabric(rch::test::build(shape)), fake(fabric, host(0)), port_(fake, host(0)) {
  const sm::Planner planner = [this](const fabric::Fabric& live) -> Result<chains::Plan> {
    chains::Plan plan;
    plan.fabric =
        std::make_shared<const fabric::Fabric>(*fabric::with_lids(live, hw::test::simple_lids(live, 0)));
    plan.tables = std::make_shared<fabric::RoutingTables>(hw::test::simple_tables(*plan.fabric, false));
    view = {.fabric = plan.fabric, .tables = plan.tables, .local = *plan.fabric->origin(), .pkeys = {0xFFFF}};
    return plan;
  };
  hw::Driver driver(port_, {});
  const auto applied = driver.wait(sm::apply(driver, planner, {}));
  EXPECT_TRUE(applied) << applied.error().message;
}

void PerformanceFabric::step(PerformanceManager& manager, hw::TimePoint limit) {
  for (const hw::OutgoingDatagram& out : take(manager)) EXPECT_TRUE(port_.send(out.datagram, out.timeout));
  std::vector<hw::Datagram> arrived;
  port_.receive(arrived, std::min(limit, manager.deadline()));
  for (const hw::Datagram& datagram : arrived) manager.on_datagram(datagram, fake.now());
  manager.on_time(fake.now());
}

std::vector<hw::OutgoingDatagram> PerformanceFabric::take(PerformanceManager& manager) {
  std::vector<hw::OutgoingDatagram> out;
  manager.take_datagrams(out, fake.now());
  return out;
}

void PerformanceFabric::run(PerformanceManager& manager, hw::Milliseconds span) {
  const hw::TimePoint end = fake.now() + span;
  while (fake.now() < end) step(manager, end);
}

bool PerformanceFabric::sweep(PerformanceManager& manager, hw::Milliseconds most) {
  const std::uint64_t before = manager.counters().sweeps;
  const hw::TimePoint end = fake.now() + most;
  while (manager.counters().sweeps == before && fake.now() < end) step(manager, end);
  return manager.counters().sweeps > before;
}

std::uint64_t PerformanceFabric::total(const PerformanceManager& manager, PortId id, Counter counter) const {
  const auto totals = manager.totals();
  const auto row = totals ? totals->find(key(id)) : std::nullopt;
  return row ? totals->get(counter, *row) : Totals::kUnknown;
}

}  // namespace rch::perfmgr::test

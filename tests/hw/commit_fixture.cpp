#include "hw/commit_fixture.h"
#include "hw/driver.h"

#include <fmt/format.h>

#include "fabric/fabric_builder.h"
#include "hw/discovery.h"
#include "hw/simple_routing.h"
#include "support/small_fabrics.h"

namespace rch::hw::test {

Commit::Commit()
    : fabric(rch::test::build(rch::test::clos(3, 2, 2))), fake(fabric, fabric.end_ports()[0].port) {
  fake.sets.clear();
}

Result<CommitReport> Commit::run(const CommitOptions& options, bool sl2vl) {
  auto report = run_once(options, sl2vl);
  fake.show_sm(0, false);  // the process ends
  return report;
}

Result<CommitReport> Commit::run_once(const CommitOptions& options, bool sl2vl) {
  Driver driver(fake, {.retries = 2});
  std::optional<Mastership> mastership;
  if (!options.dry_run) mastership.emplace(driver, options.manager);
  auto live = driver.wait(mastership ? mastership->win() : discover(driver));
  if (!live) return tl::unexpected(live.error());
  const auto lids = simple_lids(live->fabric, 0);
  const fabric::Fabric target = *fabric::with_lids(live->fabric, lids);
  tables = simple_tables(target, sl2vl);
  dress(tables);
  const auto prepared = driver.wait(prepare(driver, *live, lids, tables, options));
  if (!prepared) return tl::unexpected(prepared.error());
  const fabric::WriteRound all[] = {fabric::one_round(prepared->delta.lft_blocks, tables.lfts)};
  return driver.wait(
      commit(driver, *live, tables, *prepared, all, options, mastership ? &*mastership : nullptr));
}

std::string Commit::failure(const CommitOptions& options, bool sl2vl) {
  const auto report = run(options, sl2vl);
  if (report) return "no failure";
  EXPECT_EQ(report.error().kind, ErrorKind::fabric);
  return fmt::format("{} [{}]", report.error().message, report.error().cause);
}

void Commit::set_master(PortId port, std::uint8_t priority) {
  set(info(port), port_info::kCapIsSm, 1);
  set(fake.sm_info[port], sm_info::kState, 3);
  set(fake.sm_info[port], sm_info::kPriority, priority);
}

}  // namespace rch::hw::test

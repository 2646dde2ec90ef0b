// Verdicts on tables that OpenSM made, against the verdicts of two programs that share nothing with rch
// (cases.tsv).

#include <gmock/gmock.h>

#include "golden.h"
#include "support/golden_case.h"
#include "support/test_name.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

class OpenSmTables : public testing::TestWithParam<test::GoldenRun> {};

TEST_P(OpenSmTables, SameVerdict) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam().name);
  const fabric::RoutingTables tables = test::golden_tables(GetParam(), fabric);
  const Verdict verdict = verify(fabric, tables);
  std::vector<FindingKind> kinds;
  for (const Finding& f : verdict.findings) kinds.push_back(f.kind);
  EXPECT_THAT(kinds, testing::ElementsAreArray(GetParam().loops ? std::vector{FindingKind::credit_loop}
                                                                : std::vector<FindingKind>{}))
      << (verdict.findings.empty() ? "" : verdict.findings.front().message);
  EXPECT_EQ(GetParam().ibdmchk, GetParam().loops ? "LOOP" : "free") << "the two judges of cases.tsv agree";
}

// The SLs used above are those that OpenSM answered.
TEST(OpenSmTorus, PathSlsAsAnswered) {
  for (const test::GoldenRun& run : test::golden_runs()) {
    if (run.engine != "torus-2QoS") continue;
    const fabric::Fabric fabric = test::golden_fabric(run.name);
    const fabric::RoutingTables tables = test::golden_tables(run, fabric);
    const auto rows = test::opensm_path_sls(test::golden_folder(run.name));
    ASSERT_FALSE(rows.empty()) << run.name;
    for (const test::PathSlRow& row : rows) {
      const fabric::Port& source = fabric.port(fabric.lid_owner(row.source).value());
      const SwitchId from(fabric.port(source.peer).node.value);
      ASSERT_EQ(fabric::path_sl(fabric, tables, from, row.destination), row.sl)
          << run.name << ": " << row.source.value << " to " << row.destination.value;
    }
  }
}

// Without SL2VL maps and path SLs the same routes close rings: what ibdmchk finds without its SL files.
TEST(OpenSmTorus, LoopsWithoutServiceLevels) {
  for (const test::GoldenRun& run : test::golden_runs()) {
    if (run.engine != "torus-2QoS" || run.name.starts_with("torus3d-4x4x4") || run.name.starts_with("mesh"))
      continue;
    const fabric::Fabric fabric = test::golden_fabric(run.name);
    fabric::RoutingTables tables = test::golden_tables(run, fabric);
    tables.steps.front().sl = {};
    tables.sl2vl = {};
    const Verdict verdict = verify(fabric, tables);
    ASSERT_EQ(verdict.findings.size(), 1U) << run.name;
    EXPECT_EQ(verdict.findings.front().kind, FindingKind::credit_loop) << run.name;
  }
}

// The failed switch needs the maps that depend on the port out: path SLs as VLs still loop (ibdmchk(1)).
TEST(OpenSmTorus, FailedSwitchLoopsWithPathSlsAlone) {
  const test::GoldenRun run{"torus2d-6x5-badswitch/torus-2QoS", "torus-2QoS", false, {}};
  const fabric::Fabric fabric = test::golden_fabric(run.name);
  fabric::RoutingTables tables = test::golden_tables(run, fabric);
  tables.sl2vl = {};
  const Verdict verdict = verify(fabric, tables);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings.front().kind, FindingKind::credit_loop);
}

// The cycle goes once round the shorter ring.
TEST(OpenSmTorus, DorLoopsAlongOneRing) {
  const test::GoldenRun run{"torus2d-6x5/dor", "dor", true, {}};
  const fabric::Fabric fabric = test::golden_fabric(run.name);
  const Verdict verdict = verify(fabric, test::golden_tables(run, fabric));
  ASSERT_EQ(verdict.findings.size(), 1U);
  const std::vector<Hop>& cycle = verdict.findings.front().witness;
  ASSERT_EQ(cycle.size(), 5U);
  for (const Hop& hop : cycle) EXPECT_EQ(hop.out, cycle.front().out);
}

TEST(OpenSmRuns, AllOfThem) { EXPECT_EQ(test::golden_runs().size(), 53U); }

std::string test_name(const testing::TestParamInfo<test::GoldenRun>& run) {
  return test::test_name(run.param.name);
}

INSTANTIATE_TEST_SUITE_P(Golden, OpenSmTables, testing::ValuesIn(test::golden_runs()), test_name);

}  // namespace
}  // namespace rch::verify

// ibdmchk, which rch shares no line with, on rch's own dump files: reads the routes, path SLs and SL2VL maps
// and looks for credit loops (ibdmchk(1)).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/dumps.h"
#include "ibdmchk.h"
#include "support/golden_case.h"
#include "support/test_name.h"
#include "verify/verify.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using test::ibdmchk;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

struct Case {
  const char* name;
  const char* conf;
  const char* sls;  ///< how many SLs ibdmchk must have understood
  bool loops;       ///< found when the SLs are kept from it
};

/// Whether hosts without path records deadlock. The figures are those of the same tables with SL 0 as their
/// only rule.
bool loops_without_path_sls(const Fabric& fabric, fabric::RoutingTables& tables) {
  const auto told = verify::without_path_sls(fabric, tables, verify::verify(fabric, tables));
  for (fabric::RoutedStep& step : tables.steps) step.sl = {};
  const verify::Verdict plain = verify::verify(fabric, tables);
  const bool loops = !plain.findings.empty();
  EXPECT_EQ(told && !told->sound(), loops);
  if (told) {
    EXPECT_EQ(told->channels, plain.channels);
    EXPECT_EQ(told->on_credit_loops, loops ? plain.findings.front().count : 0U);
    EXPECT_EQ(told->lost_pairs, 0U);
  }
  return loops;
}

class TorusJudgedByIbdmchk : public testing::TestWithParam<Case> {};

TEST_P(TorusJudgedByIbdmchk, FindsNoCreditLoop) {
  const Fabric fabric = test::golden_fabric(GetParam().name);
  test::Chain chain(fabric);
  chain.step(1, "torus-2QoS").torus = test::torus_options(test::golden_text(GetParam().conf));
  const ScratchFolder folder;
  ChainRun run = chain.good_run();
  ASSERT_TRUE(dump_final(folder.path(), fabric, run));
  ASSERT_TRUE(dump_path_sls(folder.path(), fabric, run.tables));

  const std::string report = ibdmchk(folder, "-c path-sl.dump -d opensm-sl2vl.dump");
  EXPECT_THAT(report, HasSubstr("-I- no credit loops found"));
  EXPECT_THAT(report, HasSubstr(GetParam().sls));
  EXPECT_THAT(report, HasSubstr("-I- Defined 8 VLs in use"));
  EXPECT_THAT(report, Not(HasSubstr("Traversals Failed")));
  // The judge can tell: without SLs the same routes close rings of five and more switches.
  const std::string blind = ibdmchk(folder, "");
  EXPECT_THAT(blind,
              HasSubstr(GetParam().loops ? "-E- credit loops in routing" : "-I- no credit loops found"));
  EXPECT_EQ(loops_without_path_sls(fabric, run.tables), GetParam().loops);
}

INSTANTIATE_TEST_SUITE_P(
    Golden, TorusJudgedByIbdmchk,
    testing::Values(
        Case{"torus2d-6x5/torus-2QoS", "conf/torus2d-6x5.conf", "-I- Defined 4 SLs in use", true},
        Case{"torus2d-5x5-par3/torus-2QoS", "conf/torus2d-5x5-par3.conf", "-I- Defined 4 SLs in use", true},
        Case{"torus3d-5x5x5-h2/torus-2QoS", "conf/torus3d-5x5x5-h2.conf", "-I- Defined 8 SLs in use", true},
        Case{"torus3d-4x4x4/torus-2QoS", "conf/torus3d-4x4x4.conf", "-I- Defined 8 SLs in use", false},
        Case{"mesh2d-6x6/torus-2QoS", "conf/mesh2d-6x6.conf", "-I- Defined 1 SLs in use", false}),
    [](const auto& tested) { return test::test_name(tested.param.name); });

/// Engines that use one VL.
struct OneLane {
  const char* fabric;
  const char* engine;
  bool loops;
};

class OneLaneJudgedByIbdmchk : public testing::TestWithParam<OneLane> {};

TEST_P(OneLaneJudgedByIbdmchk, SaysWhetherCreditsLoop) {
  const Fabric fabric = test::golden_fabric(GetParam().fabric);
  test::Chain chain(fabric);
  policy::Step& step = chain.step(1, GetParam().engine);
  if (step.engine == "updn") step.files.roots.push_back({fabric.node(SwitchId(0)).guid, {}, {}});
  const ScratchFolder folder;
  const ChainRun run = chain.good_run();
  ASSERT_TRUE(dump_final(folder.path(), fabric, run));
  ASSERT_TRUE(dump_path_sls(folder.path(), fabric, run.tables));
  const std::string report = ibdmchk(folder, "-c path-sl.dump");
  EXPECT_THAT(report,
              HasSubstr(GetParam().loops ? "-E- credit loops in routing" : "-I- no credit loops found"));
  EXPECT_THAT(report, Not(HasSubstr("Traversals Failed")));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, OneLaneJudgedByIbdmchk,
    testing::Values(OneLane{"torus2d-6x5/minhop", "minhop", true}, OneLane{"torus2d-6x5/minhop", "dor", true},
                    OneLane{"torus2d-6x5/minhop", "updn", false},
                    OneLane{"torus2d-6x5/minhop", "dnup", false}, OneLane{"hcube4/minhop", "minhop", true},
                    OneLane{"hcube4/minhop", "dor", false}, OneLane{"hcube4/minhop", "updn", false},
                    OneLane{"mesh2d-6x6/minhop", "dor", false}, OneLane{"mesh2d-6x6/minhop", "dnup", false},
                    OneLane{"clos-6x4-par2/ftree", "ftree", false},
                    OneLane{"ftree3-k4/ftree", "ftree", false}, OneLane{"clos-6x4-par2/ftree", "pqft", false},
                    OneLane{"ftree3-k4/ftree", "pqft", false}, OneLane{"rand20-s7/minhop", "updn", false},
                    OneLane{"rand20-s7/minhop", "dnup", false}),
    [](const auto& tested) {
      return test::test_name(fmt::format("{}_{}", tested.param.fabric, tested.param.engine));
    });

/// dfsssp on virtual layers.
struct Layered {
  const char* fabric;
  const char* sls;  ///< how many SLs ibdmchk must have understood
  bool loops;       ///< found when the SLs are kept from it
};

class DfssspJudgedByIbdmchk : public testing::TestWithParam<Layered> {};

TEST_P(DfssspJudgedByIbdmchk, FindsNoCreditLoop) {
  const Fabric fabric = test::golden_fabric(GetParam().fabric);
  test::Chain chain(fabric);
  chain.step(1, "dfsssp");
  const ScratchFolder folder;
  ChainRun run = chain.good_run();
  ASSERT_TRUE(dump_final(folder.path(), fabric, run));
  ASSERT_TRUE(dump_path_sls(folder.path(), fabric, run.tables));
  const std::string report =
      ibdmchk(folder, GetParam().loops ? "-c path-sl.dump -d opensm-sl2vl.dump" : "-c path-sl.dump");
  EXPECT_THAT(report, HasSubstr("-I- no credit loops found"));
  EXPECT_THAT(report, HasSubstr(GetParam().sls));
  EXPECT_THAT(report, Not(HasSubstr("Traversals Failed")));
  const std::string blind = ibdmchk(folder, "");
  EXPECT_THAT(blind,
              HasSubstr(GetParam().loops ? "-E- credit loops in routing" : "-I- no credit loops found"));
  EXPECT_EQ(loops_without_path_sls(fabric, run.tables), GetParam().loops);
}

INSTANTIATE_TEST_SUITE_P(Golden, DfssspJudgedByIbdmchk,
                         testing::Values(Layered{"torus2d-6x5/minhop", "-I- Defined 3 SLs in use", true},
                                         Layered{"torus3d-5x5x5-h2/torus-2QoS", "-I- Defined 8 SLs in use",
                                                 true},
                                         Layered{"mesh2d-6x6/minhop", "-I- Defined 2 SLs in use", true},
                                         Layered{"rand20-s7/minhop", "-I- Defined 2 SLs in use", true},
                                         Layered{"hcube4/minhop", "-I- Defined 1 SLs in use", false},
                                         Layered{"ftree3-k4/minhop", "-I- Defined 1 SLs in use", false}),
                         [](const auto& tested) { return test::test_name(tested.param.fabric); });

}  // namespace
}  // namespace rch::chains

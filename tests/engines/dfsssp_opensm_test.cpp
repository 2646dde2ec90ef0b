// Path distribution beside a live OpenSM's dfsssp on ibsim (docs/metrics.md).

#include <gtest/gtest.h>

#include "engines/dfsssp/dfsssp.h"
#include "layer_judge.h"
#include "opensm_situation.h"
#include "verify/metrics/metrics.h"

namespace rch::engines::dfsssp {
namespace {

/// On larger tori OpenSM runs out of its 8 VLs.
struct LabRun {
  const char* name;
  const char* fabric;   ///< arguments of lab_fabric.py
  bool regular = true;  ///< on others the worst of all shifts is chance
};

void PrintTo(const LabRun& run, std::ostream* out) { *out << run.name; }

class DfssspBesideOpenSm : public testing::TestWithParam<LabRun> {};

TEST_P(DfssspBesideOpenSm, IsNoWorseDistributed) {
  test::OpenSmLab lab(testing::TempDir() + "dfsssp_opensm_" + GetParam().name);
  test::OpenSmSituation situation;
  situation.fabric = GetParam().fabric;
  lab.run("dfsssp", situation, "qos TRUE\n");
  const fabric::Fabric fabric = lab.fabric();
  const StepTables ours = *route(fabric::SubFabric(fabric), {});
  EXPECT_EQ(test::layer_faults(fabric, ours), "");
  EXPECT_TRUE(test::is_minimal(fabric, ours));

  StepTables theirs;
  theirs.lfts = lab.tables(fabric);
  const auto our = verify::measure(fabric, test::whole_routing(fabric, ours), {.samples = 0});
  const auto their = verify::measure(fabric, test::whole_routing(fabric, theirs), {.samples = 0});
  EXPECT_EQ(their.missing, 0U);
  EXPECT_TRUE(!GetParam().regular || our.shifts.worst <= their.shifts.worst);
  EXPECT_LE(our.all_to_all.most, their.all_to_all.most);
  EXPECT_LE(our.hops.mean(), their.hops.mean());
}

INSTANTIATE_TEST_SUITE_P(Fabrics, DfssspBesideOpenSm,
                         testing::Values(LabRun{"torus", "torus 6x5"}, LabRun{"torus3d", "torus 4x4x4"},
                                         LabRun{"hypercube", "hypercube 4"}, LabRun{"mesh", "mesh 6x6"},
                                         LabRun{"fat_tree", "ftree3 8"},
                                         LabRun{"damaged_fat_tree", "ftree3 8 --fail-links 15 --seed 9",
                                                false},
                                         LabRun{"random", "random 20 5 --seed 7", false}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace rch::engines::dfsssp

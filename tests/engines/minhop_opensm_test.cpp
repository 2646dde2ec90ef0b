// Tables against a live OpenSM that brings up random fabrics on ibsim.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engines/minhop/minhop.h"
#include "support/golden_case.h"

namespace rch::engines::minhop {
namespace {

struct LabRun {
  const char* name;
  const char* fabric;  ///< arguments of lab_fabric.py
  const char* opensm;  ///< further arguments of OpenSM
  int system_size;     ///< so many switches, in file order, share a system GUID
};

constexpr LabRun kRuns[] = {
    {"irregular", "random 14 4 --hosts 2 --links 2 --shuffle-ports --seed 5", "-l 0", 1},
    {"irregular_lmc2", "random 12 5 --hosts 3 --links 2 --seed 8", "-l 2", 1},
    {"shared_systems_lmc3", "random 10 4 --hosts 2 --links 3 --shuffle-ports --seed 21", "-l 3", 2},
    {"broken_clos_lmc1", "clos2 5 3 --hosts 3 --links 2 --fail-links 3 --host-ports-first --seed 4", "-l 1",
     3},
    {"two_port_hosts", "torus 4x5 --hosts 2 --ca-ports 2 --second-port next --switch-guid-base 0x7fff01f8",
     "", 1},
};

class MinhopOpenSm : public testing::TestWithParam<LabRun> {};

TEST_P(MinhopOpenSm, TablesEqual) {
  const LabRun& run = GetParam();
  const std::string folder = testing::TempDir() + "minhop_opensm_" + run.name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string net = folder + "/fabric.net";
  const std::string share_systems = fmt::format(
      "awk '/^switchguid/ {{ printf \"sysimgguid=0x%x\\n\", 117440512 + int(n / {}); n++ }} {{ print }}'",
      run.system_size);
  const std::string make =
      fmt::format(RCH_LAB "/lab_fabric.py {} | {} > '{}'", run.fabric, share_systems, net);
  ASSERT_EQ(std::system(make.c_str()), 0) << make;
  const std::string route_it =
      fmt::format(RCH_LAB "/opensm_tables '{}' '{}' -- {} > '{}/out' 2>&1", net, folder, run.opensm, folder);
  ASSERT_EQ(std::system(route_it.c_str()), 0) << route_it;

  const fabric::Fabric fabric = test::opensm_fabric(folder);
  const auto ours = route(fabric::SubFabric(fabric), {});
  ASSERT_TRUE(ours);
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(folder, fabric)), "");
}

INSTANTIATE_TEST_SUITE_P(Lab, MinhopOpenSm, testing::ValuesIn(kRuns),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace rch::engines::minhop

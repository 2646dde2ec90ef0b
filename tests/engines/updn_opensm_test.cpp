// Compat tables against a live OpenSM that brings up random fabrics on ibsim.

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/source.h"
#include "engines/updn/updn.h"
#include "support/golden_case.h"

namespace rch::engines::updn {
namespace {

struct LabRun {
  const char* name;
  const char* fabric;  ///< arguments of lab_fabric.py
  const char* opensm;  ///< further arguments of OpenSM
  std::vector<std::uint64_t> roots;
  bool connect_roots = false;
};

const LabRun kRuns[] = {
    {"irregular", "random 14 4 --hosts 2 --links 2 --shuffle-ports --seed 5", "-l 0", {0x200000}},
    {"two_roots_lmc1",
     "random 16 5 --hosts 1 --links 1 --shuffle-ports --switch-guid-base 0x7fff01f8 --seed 9",
     "-l 1",
     {0x7fff01f8, 0x7fff0202}},
    {"connected_roots",
     "random 12 4 --hosts 2 --links 1 --seed 3",
     "-l 0 -z",
     {0x200000, 0x200001, 0x200006},
     true},
    {"broken_clos", "clos2 6 4 --hosts 3 --links 2 --fail-links 4 --seed 4", "-l 0", {}},
};

class UpdnOpenSm : public testing::TestWithParam<LabRun> {};

TEST_P(UpdnOpenSm, TablesEqual) {
  const LabRun& run = GetParam();
  const std::string folder = testing::TempDir() + "updn_opensm_" + run.name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string net = folder + "/fabric.net";
  const std::string make = fmt::format(RCH_LAB "/lab_fabric.py {} > '{}'", run.fabric, net);
  ASSERT_EQ(std::system(make.c_str()), 0) << make;
  Options options{.connect_roots = run.connect_roots, .ports = {.compat = true}};
  std::string lines;
  for (std::uint64_t guid : run.roots) {
    options.roots.push_back({Guid(guid)});
    lines += fmt::format("{}\n", Guid(guid));
  }
  ASSERT_TRUE(write_file(folder + "/roots", lines));
  const std::string with_roots = run.roots.empty() ? "" : fmt::format("-a '{}/roots'", folder);
  const std::string route_it =
      fmt::format(RCH_LAB "/opensm_tables '{}' '{}' --engine updn -- {} {} > '{}/out' 2>&1", net, folder,
                  run.opensm, with_roots, folder);
  ASSERT_EQ(std::system(route_it.c_str()), 0) << route_it;

  const fabric::Fabric fabric = test::opensm_fabric(folder);
  const auto ours = route(fabric::SubFabric(fabric), options);
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(folder, fabric)), "");
}

INSTANTIATE_TEST_SUITE_P(Lab, UpdnOpenSm, testing::ValuesIn(kRuns),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace rch::engines::updn

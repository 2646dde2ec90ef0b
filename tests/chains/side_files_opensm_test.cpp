// Side files from their text to the tables, against a live OpenSM that reads the same files.

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/source.h"
#include "chains/chain.h"
#include "policy/build/front_end.h"
#include "support/golden_case.h"

namespace rch::chains {
namespace {

/// On two levels: leaves 0x200000 to 0x200003 with three hosts each (0x10000001, 0x10000011, …), spines
/// 0x200004 and 0x200005, two cables from each leaf to each spine.
struct SideFileRun {
  const char* name;
  const char* engine;
  const char* key;
  const char* text;
};

const SideFileRun kRuns[] = {
    {"hop_weights", "minhop", "hop_weights_file", "0x200000 1 3 # dear\n0x200000 2 3\n0x200004 1 2\n"},
    {"hop_weight_twice", "minhop", "hop_weights_file", "0x200000 1 9\n0x200000 1 1\n"},
    {"port_order", "minhop", "port_search_ordering_file", "0x200000 4 3\n0x200004 2 1 8 7\n"},
    {"port_order_of_updn", "updn", "port_search_ordering_file", "0x200002 4 2\n"},
    {"routing_order", "minhop", "guid_routing_order_file", "0x10000091\n0x200005\n0x10000001\n"},
    {"ignored_ports", "minhop", "port_prof_ignore_file", "0x200000 1\n0x200001 3\n0x200004 1\n"},
    {"roots", "updn", "root_guid_file", "0x200004\n0x200000\n"},
    {"ids", "updn", "ids_guid_file", "0x200004 1\n0x200000 0xffffffffffffffff\n"},
    {"roots_of_ftree", "ftree", "root_guid_file", "0x200004\n0x200077\n"},
    {"compute_nodes", "ftree", "cn_guid_file",
     "0x10000001\n0x10000011\n0x10000031\n0x10000061\n0x10000091\n"},
    {"io_nodes", "ftree", "io_guid_file", "0x10000011\n0x10000041\n0x10000077\n"},
};

class SideFileTables : public testing::TestWithParam<SideFileRun> {
 protected:
  const std::string folder_ = testing::TempDir() + "side_files_opensm_" + GetParam().name;

  /// Both read the same files; the options that rch does not know here come from OpenSM's own defaults.
  void let_opensm_route() {
    const SideFileRun& run = GetParam();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    ASSERT_TRUE(write_file(folder_ + "/side", run.text));
    ASSERT_TRUE(
        write_file(folder_ + "/opensm.conf",
                   fmt::format("routing_engine {},no_fallback\n{} {}/side\n", run.engine, run.key, folder_)));
    const std::string command =
        fmt::format(RCH_LAB "/lab_fabric.py clos2 4 2 --hosts 3 --links 2 > '{0}/fabric.net' && " RCH_LAB
                            "/opensm_tables '{0}/fabric.net' '{0}' --engine {1},no_fallback -- -F "
                            "'{0}/opensm.conf' > '{0}/out' 2>&1",
                    folder_, run.engine);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
};

TEST_P(SideFileTables, AreThoseOfOpenSm) {
  let_opensm_route();
  const fabric::Fabric fabric = test::opensm_fabric(folder_);
  SourceSet sources;
  Diagnostics diagnostics;
  auto configuration = policy::load(folder_ + "/opensm.conf", sources, diagnostics);
  ASSERT_TRUE(configuration && configuration->policy);
  for (policy::Step& step : configuration->policy->steps) step.mode = policy::EngineMode::compat;
  const auto bound = policy::bind(std::make_shared<const policy::Policy>(*configuration->policy),
                                  std::make_shared<const fabric::Fabric>(fabric), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  const auto run = chains::run(bound);
  ASSERT_TRUE(run);
  EXPECT_EQ(test::difference(fabric, run->tables.lfts, test::opensm_lfts(folder_, fabric)), "");
}

INSTANTIATE_TEST_SUITE_P(Lab, SideFileTables, testing::ValuesIn(kRuns),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace rch::chains

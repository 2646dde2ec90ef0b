// Compat tables against a live OpenSM that brings up trees on ibsim.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/source.h"
#include "engines/ftree/ftree.h"
#include "support/golden_case.h"

namespace rch::engines::ftree {
namespace {

struct LabRun {
  const char* name;
  const char* fabric;       ///< arguments of lab_fabric.py
  bool roots = false;       ///< the top level is listed
  std::size_t compute = 0;  ///< all hosts but every n-th are listed as compute nodes; 0: no list
  std::size_t io = 0;       ///< every n-th host is listed as an I/O node; 0: no list
  std::size_t storage = 0;  ///< that many of the last hosts are I/O nodes, the others compute nodes
  bool quasi_indexing = false;
  bool connect_roots = false;
  std::uint16_t reverse_hops = 0;
};

const LabRun kRuns[] = {
    {.name = "k8_connected", .fabric = "ftree3 8 --shuffle-ports --seed 3", .connect_roots = true},
    {.name = "oversubscribed", .fabric = "ftree3 3,4,2,3 --hosts 5 --links 2 --shuffle-ports"},
    {.name = "uneven_clos", .fabric = "clos2 7 3 --hosts 5 --links 3 --shuffle-ports --seed 8"},
    {.name = "guids",
     .fabric = "ftree3 6 --shuffle-ports --seed 4 --switch-guid-base 0x7fff01f8 --ca-guid-base 0x1fffff0"},
    {.name = "compute_nodes", .fabric = "ftree3 6 --shuffle-ports", .compute = 3},
    {.name = "compute_and_io_nodes", .fabric = "ftree3 6", .compute = 3, .io = 6},
    {.name = "io_nodes", .fabric = "ftree3 6", .io = 5},
    {.name = "io_nodes_among_compute_nodes", .fabric = "ftree3 6", .compute = 3, .io = 5},
    {.name = "reverse_hops", .fabric = "ftree3 6 --shuffle-ports", .io = 5, .reverse_hops = 1},
    {.name = "more_reverse_hops", .fabric = "clos2 6 3 --hosts 4", .compute = 2, .io = 4, .reverse_hops = 3},
    {.name = "storage_on_spines",
     .fabric = "clos2 4 3 --hosts 3 --top-hosts 1",
     .roots = true,
     .storage = 3,
     .reverse_hops = 1},
    {.name = "storage_on_cores",
     .fabric = "ftree3 4 --top-hosts 2 --shuffle-ports",
     .roots = true,
     .storage = 8,
     .reverse_hops = 2},
    {.name = "quasi",
     .fabric = "ftree3 3,4,2,3 --hosts 5 --links 2 --shuffle-ports",
     .compute = 4,
     .quasi_indexing = true},
    {.name = "two_ports_a_host", .fabric = "ftree3 4 --ca-ports 2 --second-port next --host-ports-first"},
    {.name = "degraded", .fabric = "ftree3 8 --fail-links 20 --fail-switches 3 --seed 9", .roots = true},
    {.name = "degraded_clos",
     .fabric = "clos2 6 4 --hosts 3 --links 2 --fail-links 9 --seed 4",
     .roots = true,
     .compute = 2},
};

std::vector<Guid> guids_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<Guid> guids;
  for (std::string line; std::getline(file, line);) guids.emplace_back(std::stoull(line, nullptr, 0));
  return guids;
}

/// Port GUIDs of the CAs with selected(number).
template <class Selected>
std::vector<Guid> hosts(const fabric::Fabric& fabric, Selected&& selected) {
  std::vector<Guid> guids;
  for (std::size_t i = 0; i < fabric.end_ports().size(); ++i)
    if (selected(i)) guids.push_back(fabric.port(fabric.end_ports()[i].port).guid);
  return guids;
}

class FtreeOpenSm : public testing::TestWithParam<LabRun> {
 protected:
  FtreeOpenSm() : folder_(testing::TempDir() + "ftree_opensm_" + GetParam().name) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  static void run(const std::string& command) { ASSERT_EQ(std::system(command.c_str()), 0) << command; }

  /// Writes a list of GUIDs and hands it to OpenSM too.
  void list(const char* flag, const std::string& name, const std::vector<Guid>& guids) {
    std::string lines;
    for (Guid guid : guids) lines += fmt::format("{}\n", guid);
    ASSERT_TRUE(write_file(folder_ + "/" + name, lines));
    opensm_ += fmt::format(" {} '{}/{}'", flag, folder_, name);
  }

  Options prepare(const LabRun& run_of) {
    Options options{.max_reverse_hops = run_of.reverse_hops,
                    .connect_roots = run_of.connect_roots,
                    .quasi_indexing = run_of.quasi_indexing,
                    .compat = true};
    run(fmt::format(RCH_LAB "/lab_fabric.py {} --roots '{}/top' > '{}'", run_of.fabric, folder_, net()));
    const fabric::Fabric fabric = test::fabric_of(net());
    if (run_of.roots) list("-a", "roots", options.lists.roots = guids_of(folder_ + "/top"));
    if (run_of.compute != 0)
      list("-u", "compute",
           options.lists.compute_nodes = hosts(fabric, [&](auto i) { return i % run_of.compute != 0; }));
    if (run_of.io != 0)
      list("-G", "io", options.lists.io_nodes = hosts(fabric, [&](auto i) { return i % run_of.io == 0; }));
    if (run_of.storage != 0) {
      const std::size_t first = fabric.end_ports().size() - run_of.storage;
      list("-u", "compute", options.lists.compute_nodes = hosts(fabric, [&](auto i) { return i < first; }));
      list("-G", "io", options.lists.io_nodes = hosts(fabric, [&](auto i) { return i >= first; }));
    }
    if (run_of.connect_roots) opensm_ += " -z";
    if (run_of.reverse_hops != 0) opensm_ += fmt::format(" -H {}", run_of.reverse_hops);
    if (run_of.quasi_indexing) {
      EXPECT_TRUE(write_file(folder_ + "/conf", "quasi_ftree_indexing TRUE\n"));
      opensm_ += fmt::format(" -F '{}/conf'", folder_);
    }
    return options;
  }

  std::string net() const { return folder_ + "/fabric.net"; }

  std::string folder_;
  std::string opensm_;
};

TEST_P(FtreeOpenSm, TablesEqual) {
  const Options options = prepare(GetParam());
  run(fmt::format(RCH_LAB "/opensm_tables '{}' '{}' --engine ftree -- {} > '{}/out' 2>&1", net(), folder_,
                  opensm_, folder_));
  ASSERT_NE(test::text_of(folder_ + "/opensm.log").find("ftree tables configured"), std::string::npos);
  const fabric::Fabric fabric = test::opensm_fabric(folder_);
  const auto ours = route(fabric::SubFabric(fabric), options);
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(folder_, fabric)), "");
}

INSTANTIATE_TEST_SUITE_P(Lab, FtreeOpenSm, testing::ValuesIn(kRuns),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace rch::engines::ftree

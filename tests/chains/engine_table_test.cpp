// Options and files from their text to the engines: a configuration is loaded, bound and run, and its tables
// are those of the engine called with what the text says.

#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "chain_fixture.h"
#include "chains/dumps.h"
#include "engines/dfsssp/dfsssp.h"
#include "engines/ftree/ftree.h"
#include "engines/minhop/minhop.h"
#include "engines/pqft/pqft.h"
#include "policy/build/front_end.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using engines::EngineResult;
using fabric::Fabric;
using fabric::SubFabric;
using test::ScratchFolder;

/// Four leaves of four hosts, two spines (switches 4 and 5) with a host each, and a cable between two leaves.
Fabric storage_clos() {
  test::Shape shape = test::clos(4, 2, 4);
  shape.hosts[4] = shape.hosts[5] = 1;
  shape.cables.push_back({0, 1});
  return test::build(shape);
}

std::vector<Guid> switch_guids(const Fabric& fabric, const std::vector<std::uint32_t>& chosen) {
  std::vector<Guid> guids;
  for (std::uint32_t s : chosen) guids.push_back(fabric.node(SwitchId(s)).guid);
  return guids;
}

/// Port GUIDs of the hosts on switches [first, last).
std::vector<Guid> host_guids(const Fabric& fabric, std::uint32_t first, std::uint32_t last) {
  std::vector<Guid> guids;
  for (const fabric::EndPort& end : fabric.end_ports())
    if (end.sw.value >= first && end.sw.value < last) guids.push_back(fabric.port(end.port).guid);
  return guids;
}

void write_guids(const ScratchFolder& folder, const std::string& name, const std::vector<Guid>& guids) {
  std::string text;
  for (Guid guid : guids) text += fmt::format("{}\n", guid);
  ASSERT_TRUE(write_file(folder.file(name), text));
}

/// Runs the configuration `conf`, written into the folder.
tl::expected<ChainRun, ChainFailure> run_text(const ScratchFolder& folder, const Fabric& fabric,
                                              const std::string& conf,
                                              policy::EngineMode mode = policy::EngineMode::best) {
  EXPECT_TRUE(write_file(folder.file("opensm.conf"), conf));
  SourceSet sources;
  Diagnostics diagnostics;
  auto configuration = policy::load(folder.file("opensm.conf"), sources, diagnostics);
  std::string findings;
  for (const Diagnostic& d : diagnostics.all()) findings += render(d, sources);
  EXPECT_TRUE(configuration && configuration->policy) << findings;
  EXPECT_EQ(findings.find("no-effect-yet"), std::string::npos) << findings;
  if (!configuration || !configuration->policy) return tl::unexpected(ChainFailure{});
  for (policy::Step& step : configuration->policy->steps) step.mode = mode;
  return run(policy::bind(std::make_shared<const policy::Policy>(*configuration->policy),
                          std::make_shared<const Fabric>(fabric), diagnostics));
}

struct TreeRun {
  const char* name;
  const char* conf;
  EngineResult (*direct)(const SubFabric& view, const engines::tree::Lists& lists);
};

constexpr auto kLists = "root_guid_file roots\ncn_guid_file compute\nio_guid_file io\n";

const TreeRun kTreeRuns[] = {
    {"ftree", "routing_engine ftree\n",
     [](const SubFabric& view, const engines::tree::Lists& lists) {
       return engines::ftree::route(view, {.lists = lists});
     }},
    {"reverse_hops", "routing_engine ftree\nmax_reverse_hops 1\n",
     [](const SubFabric& view, const engines::tree::Lists& lists) {
       return engines::ftree::route(view, {.lists = lists, .max_reverse_hops = 1});
     }},
    {"connect_roots", "routing_engine ftree\nconnect_roots TRUE\n",
     [](const SubFabric& view, const engines::tree::Lists& lists) {
       return engines::ftree::route(view, {.lists = lists, .connect_roots = true});
     }},
    {"quasi_indexing", "routing_engine ftree\nquasi_ftree_indexing TRUE\n",
     [](const SubFabric& view, const engines::tree::Lists& lists) {
       return engines::ftree::route(view, {.lists = lists, .quasi_indexing = true});
     }},
    {"pqft", "routing_engine pqft\npqft_structure QFT(2;4,4;1,2;1,1)\n",
     [](const SubFabric& view, const engines::tree::Lists& lists) {
       return engines::pqft::route(view, {.lists = lists});
     }},
};

class TreeOptions : public testing::TestWithParam<TreeRun> {};

TEST_P(TreeOptions, ReachTheEngine) {
  const Fabric fabric = storage_clos();
  const engines::tree::Lists lists{.roots = switch_guids(fabric, {4, 5}),
                                   .compute_nodes = host_guids(fabric, 0, 4),
                                   .io_nodes = host_guids(fabric, 4, 6)};
  const ScratchFolder folder;
  write_guids(folder, "roots", lists.roots);
  write_guids(folder, "compute", lists.compute_nodes);
  write_guids(folder, "io", lists.io_nodes);
  const auto run = run_text(folder, fabric, fmt::format("{}{}", GetParam().conf, kLists));
  ASSERT_TRUE(run) << run.error().steps.at(0).failure->message;
  const auto direct = GetParam().direct(SubFabric(fabric), lists);
  ASSERT_TRUE(direct);
  EXPECT_EQ(test::difference(fabric, run->tables.lfts, direct->lfts), "");
  EXPECT_EQ(run->steps[0].remarks, direct->remarks);
}

INSTANTIATE_TEST_SUITE_P(Text, TreeOptions, testing::ValuesIn(kTreeRuns),
                         [](const auto& param) { return std::string(param.param.name); });

struct Refusal {
  const char* rule;
  const char* conf;
};

/// A list of which the fabric has nothing is no list that is missing.
const Refusal kRefusals[] = {
    {"one-level", "routing_engine ftree\n"},
    {"no-roots", "routing_engine ftree\nroot_guid_file nobody\n"},
    {"no-roots", "routing_engine pqft\nroot_guid_file nobody\n"},
    {"no-roots", "routing_engine updn\nroot_guid_file nobody\n"},
    {"no-compute-nodes", "routing_engine ftree\nroot_guid_file roots\ncn_guid_file nobody\n"},
    {"compute-node-level", "routing_engine ftree\nroot_guid_file roots\n"},
    {"structure-levels",
     "routing_engine pqft\nroot_guid_file roots\ncn_guid_file compute\npqft_structure PGFT(1;4;1;1)\n"},
    {"structure-hosts",
     "routing_engine pqft\nroot_guid_file roots\ncn_guid_file compute\npqft_structure PGFT(2;3,4;1,2;1,1)\n"},
};

TEST(TreeRefusals, NameTheRule) {
  const Fabric fabric = storage_clos();
  for (const Refusal& refusal : kRefusals) {
    const ScratchFolder folder;
    write_guids(folder, "roots", switch_guids(fabric, {4, 5}));
    write_guids(folder, "compute", host_guids(fabric, 0, 4));
    write_guids(folder, "nobody", {Guid(0x77), Guid(0x78)});
    const auto run = run_text(folder, fabric, refusal.conf);
    ASSERT_FALSE(run) << refusal.conf;
    EXPECT_EQ(run.error().steps.at(0).failure->rule, refusal.rule) << refusal.conf;
  }
}

// OpenSM's search routes one LID of a port, rch's own all of them.
TEST(TreeLmc, IsRefusedInCompatModeAlone) {
  test::Shape shape = test::clos(4, 2, 4);
  shape.lmc = 1;
  const Fabric fabric = test::build(shape);
  const ScratchFolder folder;
  const std::string conf = "routing_engine ftree,minhop\nlmc 1\n";
  const auto compat = run_text(folder, fabric, conf, policy::EngineMode::compat);
  ASSERT_TRUE(compat);
  EXPECT_EQ(test::outline(compat->steps), "1 failed, 2 routed");
  EXPECT_EQ(compat->steps[0].failure->rule, "lmc");
  const auto own = run_text(folder, fabric, conf);
  ASSERT_TRUE(own);
  EXPECT_EQ(test::outline(own->steps), "1 routed, 2 not-needed");
}

struct DfssspRun {
  const char* name;
  const char* conf;
  EngineResult (*direct)(const SubFabric& view, const engines::dfsssp::Options& lists);
};

const DfssspRun kDfssspRuns[] = {
    {"dfsssp", "routing_engine dfsssp\nqos TRUE\n",
     [](const SubFabric& view, const engines::dfsssp::Options& lists) {
       return engines::dfsssp::route(view, lists);
     }},
    {"max_op_vls", "routing_engine dfsssp\nqos TRUE\nmax_op_vls 2\n",
     [](const SubFabric& view, const engines::dfsssp::Options& lists) {
       return engines::dfsssp::route(
           view, {.compute_nodes = lists.compute_nodes, .io_nodes = lists.io_nodes, .max_op_vls = 2});
     }},
    {"no_qos", "routing_engine dfsssp\nqos FALSE\n",
     [](const SubFabric& view, const engines::dfsssp::Options& lists) {
       return engines::dfsssp::route(
           view, {.compute_nodes = lists.compute_nodes, .io_nodes = lists.io_nodes, .qos = false});
     }},
    {"sssp", "routing_engine sssp\n",
     [](const SubFabric& view, const engines::dfsssp::Options& lists) {
       return engines::dfsssp::route_sssp(view, lists);
     }},
};

class DfssspOptions : public testing::TestWithParam<DfssspRun> {};

TEST_P(DfssspOptions, ReachTheEngine) {
  const Fabric fabric = test::golden_fabric("torus2d-6x5/minhop");
  const engines::dfsssp::Options lists{.compute_nodes = host_guids(fabric, 20, 30),
                                       .io_nodes = host_guids(fabric, 3, 9)};
  const ScratchFolder folder;
  write_guids(folder, "compute", lists.compute_nodes);
  write_guids(folder, "io", lists.io_nodes);
  const auto run =
      run_text(folder, fabric, fmt::format("{}cn_guid_file compute\nio_guid_file io\n", GetParam().conf));
  ASSERT_TRUE(run);
  const auto direct = GetParam().direct(SubFabric(fabric), lists);
  ASSERT_TRUE(direct);
  EXPECT_EQ(test::difference(fabric, run->tables.lfts, direct->lfts), "");
  EXPECT_EQ(run->tables.sl2vl.maps().size(), direct->sl2vl.maps().size());
  EXPECT_EQ(run->steps[0].remarks, direct->remarks);
}

INSTANTIATE_TEST_SUITE_P(Text, DfssspOptions, testing::ValuesIn(kDfssspRuns),
                         [](const auto& param) { return std::string(param.param.name); });

// What one engine dumped, loaded by `file`.
struct Reload {
  const char* engine;
  const char* options;
  bool hops;  ///< those of the dump are loaded too
};

const Reload kReloads[] = {
    {"minhop", "lfts_file opensm-lfts.dump\n", false},
    {"minhop", "lid_matrix_dump_file opensm-lid-matrix.dump\n", true},
    {"updn", "lfts_file opensm-lfts.dump\n", false},
    {"updn", "lfts_file opensm-lfts.dump\nlid_matrix_dump_file opensm-lid-matrix.dump\n", true},
};

TEST(LoadedDumps, AreTheTablesThatWereDumped) {
  const Fabric fabric = test::golden_fabric("rand20-s7/minhop");
  const auto shortest = engines::minhop::route(SubFabric(fabric), {})->hops;
  for (const Reload& reload : kReloads) {
    test::Chain chain(fabric);
    chain.step(1, reload.engine).files.roots.push_back({fabric.node(SwitchId(0)).guid, {}, {}});
    const ChainRun made = chain.good_run();
    const ScratchFolder folder;
    ASSERT_TRUE(dump_final(folder.path(), fabric, made));
    const auto run = run_text(folder, fabric, fmt::format("routing_engine file\n{}", reload.options));
    ASSERT_TRUE(run) << run.error().steps.at(0).failure->message;
    EXPECT_EQ(test::difference(fabric, run->tables.lfts, made.tables.lfts), "") << reload.options;
    EXPECT_EQ(run->hops->hops, (reload.hops ? made.hops : shortest)->hops) << reload.options;
  }
}

TEST(LoadedDumps, AreRefusedOnAnotherFabric) {
  const Fabric fabric = test::build(test::clos(3, 2, 2));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const ScratchFolder folder;
  ASSERT_TRUE(dump_final(folder.path(), fabric, chain.good_run()));
  const auto run =
      run_text(folder, test::build(test::clos(4, 2, 2)), "routing_engine file\nlfts_file opensm-lfts.dump\n");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().steps.at(0).failure->rule, "switch-missing");
}

TEST(FileWithoutFiles, IsRefused) {
  const Fabric fabric = storage_clos();
  test::Chain chain(fabric);
  chain.step(1, "file");
  const auto run = chain.run();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().steps.at(0).failure->rule, "files-absent");
}

}  // namespace
}  // namespace rch::chains

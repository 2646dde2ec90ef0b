// The typed policy of good configurations, and texts that rch did not write.

#include <filesystem>

#include <gtest/gtest.h>

#include "policy/build/front_end.h"
#include "scratch.h"

namespace rch::policy {
namespace {

namespace fs = std::filesystem;

const fs::path kLoadCases = fs::path(RCH_TEST_DATA) / "cases";

std::string reports(const Diagnostics& diagnostics, const SourceSet& sources) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) text += render(d, sources);
  return text;
}

TEST(Load, TorusChainWithFallback) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto result = load(kLoadCases / "bind_island" / "opensm.conf", sources, diagnostics);
  ASSERT_TRUE(result && result->policy) << reports(diagnostics, sources);
  const Policy& policy = *result->policy;

  EXPECT_TRUE(policy.options.qos.enabled);
  ASSERT_EQ(policy.groups.size(), 6U);
  EXPECT_EQ(policy.groups[0].name.text, "ALL");
  EXPECT_EQ(std::get<BuiltinGroup>(policy.groups[1].rules[0]), BuiltinGroup::all_switches);
  EXPECT_EQ(policy.groups[4].name.text, "island-switches");
  ASSERT_EQ(policy.topologies.size(), 1U);
  EXPECT_EQ(policy.topologies[0].switches, GroupId(4));
  EXPECT_EQ(policy.topologies[0].hosts, GroupId(5));

  ASSERT_EQ(policy.steps.size(), 3U);
  EXPECT_EQ(policy.steps[0].engine, "minhop");
  EXPECT_FALSE(policy.steps[0].path_bit);
  EXPECT_FALSE(policy.steps[0].torus);
  EXPECT_EQ(policy.steps[1].path_bit, 0);
  ASSERT_TRUE(policy.steps[1].torus);
  EXPECT_EQ(policy.steps[1].torus->radix, (std::array<std::uint32_t, 3>{3, 3, 1}));
  EXPECT_EQ(policy.steps[1].torus->seeds.at(0).plus[1]->to, Guid(0x2001));
  EXPECT_EQ(policy.steps[2].fallback_to, StepId(2));
  EXPECT_EQ(policy.steps[2].topology, TopologyId(1));
  EXPECT_EQ(policy.sources.size(), 5U);
}

TEST(Load, EngineListIsAChainOfFallbacks) {
  SourceSet sources;
  Diagnostics diagnostics;
  const Scratch scratch;
  const auto conf = scratch.write("opensm.conf",
                                  "routing_engine torus-2QoS,minhop\nqos TRUE\nmax_op_vls 4\n"
                                  "torus_config " RCH_GOLDEN "/conf/torus2d-6x5.conf\n");
  const auto result = load(conf, sources, diagnostics);
  ASSERT_TRUE(result && result->policy) << reports(diagnostics, sources);
  const auto& steps = result->policy->steps;
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].engine, "torus-2QoS");
  EXPECT_EQ(result->policy->options.qos.max_op_vls, 4);
  EXPECT_EQ(steps[1].engine, "minhop");
  EXPECT_EQ(steps[1].fallback_to, steps[0].id);
  EXPECT_FALSE(steps[1].path_bit);
}

/// A subnet manager starts without files that only names or the log depend on; everybody else refuses them.
TEST(Load, FilesOfPresentationAreSparedAtAStart) {
  const Scratch scratch;
  for (const std::string option : {"node_name_map_name", "per_module_logging_file"})
    for (const std::string file : {"wrong", "missing"}) {
      scratch.write("wrong", "0x1 Spine 1\nno line of such a file\n");
      const auto conf = scratch.write("opensm.conf", "routing_engine minhop\n" + option + " " + file + "\n");
      for (const Presentation presentation : {Presentation::judged, Presentation::spared}) {
        SourceSet sources;
        Diagnostics diagnostics;
        const auto result = load(conf, sources, diagnostics, {}, presentation);
        ASSERT_TRUE(result);
        const bool is_spared = presentation == Presentation::spared;
        EXPECT_EQ(result->policy.has_value(), is_spared) << option << ' ' << file;
        EXPECT_EQ(diagnostics.has_errors(), !is_spared);
        const std::string told = reports(diagnostics, sources);
        EXPECT_NE(told.find(file == "wrong" ? "wrong:2:" : "opensm.conf:2:"), std::string::npos) << told;
        const bool says_so = told.find("the subnet manager starts without this file") != std::string::npos;
        EXPECT_EQ(says_so, is_spared) << told;
        EXPECT_EQ(result->spared, is_spared ? std::vector{option} : std::vector<std::string>());
        EXPECT_TRUE(!is_spared || result->policy->files.node_names.empty());
      }
    }
}

TEST(Load, FilesOfRoutesAreNotSparedAtAStart) {
  const Scratch scratch;
  const auto conf = scratch.write("opensm.conf", "routing_engine updn\nroot_guid_file missing\n");
  SourceSet sources;
  Diagnostics diagnostics;
  const auto result = load(conf, sources, diagnostics, {}, Presentation::spared);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->policy);
  EXPECT_TRUE(result->spared.empty());
}

TEST(Load, UnreadableMainFileIsAUsageError) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto result = load(kLoadCases / "absent.conf", sources, diagnostics);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
  EXPECT_TRUE(diagnostics.all().empty());
}

/// Earlier findings of the caller do not make a good configuration bad.
TEST(Load, CountsItsOwnErrorsOnly) {
  SourceSet sources;
  Diagnostics diagnostics;
  ASSERT_FALSE(load(kLoadCases / "fail_chain_without_file" / "opensm.conf", sources, diagnostics)->policy);
  EXPECT_TRUE(load(kLoadCases / "good_chain" / "opensm.conf", sources, diagnostics)->policy);
}

/// The configurations OpenSM routed the golden fabrics with.
TEST(Lint, GoldenTorusConfsAreClean) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(RCH_GOLDEN) / "conf")) {
    if (entry.path().extension() != ".conf") continue;
    SourceSet sources;
    Diagnostics diagnostics;
    lint_files(std::vector{LintFile{entry.path()}}, sources, diagnostics);
    EXPECT_EQ(reports(diagnostics, sources), "") << entry.path();
    ++count;
  }
  EXPECT_GE(count, 7U);
}

/// The options file that OpenSM 3.3.23 writes with all its defaults (`opensm -c FILE`), unchanged.
TEST(Load, OpenSmDefaultOptionsAreTheDefaults) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto result = load(kLoadCases / "opensm_default_options" / "opensm.conf", sources, diagnostics);
  ASSERT_TRUE(result && result->policy);
  EXPECT_EQ(reports(diagnostics, sources), "");
  ASSERT_EQ(result->policy->steps.size(), 1U);
  EXPECT_EQ(result->policy->steps[0].engine, "minhop");
  EXPECT_EQ(result->policy->options.qos.max_op_vls, 5);
}

TEST(Lint, ResolvesNamesAcrossTheFilesGiven) {
  const fs::path folder = kLoadCases / "good_chain";
  SourceSet sources;
  Diagnostics diagnostics;
  lint_files(
      std::vector<LintFile>{{folder / "chain.conf"}, {folder / "topologies.conf"}, {folder / "groups.conf"}},
      sources, diagnostics);
  EXPECT_EQ(reports(diagnostics, sources), "");
}

}  // namespace
}  // namespace rch::policy

// Slips of a hand in good configurations: what changes the meaning is told. Meaning is what `rch show policy`
// and `rch show options` print, and the fabric of a topology file.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/show/policy_json.h"
#include "fabric/formats.h"
#include "mutator.h"
#include "parsers/ibdm/library.h"
#include "parsers/ibdm/topo_fabric.h"
#include "policy/build/front_end.h"
#include "policy/build/options/effective.h"

namespace rch::cli {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(RCH_TEST_DATA) / "../..";
const fs::path kCases = kRoot / "tests/policy/cases";

/// A file of a folder that holds a good configuration.
struct Subject {
  std::string dialect;
  fs::path folder;
  std::string file;
  bool names = false;  ///< with names that nothing refers to
};

std::vector<Subject> subjects() {
  const fs::path hybrid = kRoot / "examples/hybrid", torus = kRoot / "examples/torus-6x5";
  return {
      {"options", hybrid, "opensm.conf"},
      {"options", torus, "opensm.conf"},
      {"options", kCases / "options_legal_values", "opensm.conf"},
      {"port groups", hybrid, "port-groups.conf"},
      {"port groups", kCases / "good_chain", "groups.conf"},
      {"topologies", hybrid, "topologies.conf"},
      {"unicast steps", hybrid, "routing-chains.conf"},
      {"torus-2QoS.conf", torus, "torus-2QoS.conf"},
      {"torus-2QoS.conf", kCases / "torus_manual_sample", "torus-2QoS.conf"},
      {"partitions", kCases / "partition_man_page_sample", "partitions.conf", true},
      {"partitions", kCases / "partition_groups", "partitions.conf", true},
      {"QoS policy", kCases / "qos_manual_simple", "qos-policy.conf"},
      {"QoS policy", kCases / "qos_groups_of_both_files", "qos-policy.conf"},
      {"enhanced QoS", kCases / "enhanced_qos_manual_sample", "enhanced-qos.conf"},
      {"roots", kCases / "side_files", "roots.conf"},
      {"GUID list", kCases / "side_files", "order.conf"},
      {"ids", kCases / "side_files", "ids.conf"},
      {"hop weights", kCases / "side_files", "weights.conf"},
      {"port orders", kCases / "side_files", "search.conf"},
      {"ignored ports", kCases / "side_files", "ignored.conf"},
      {"prefix routes", kCases / "side_files", "routers.conf"},
      {"node names", kCases / "side_files", "names.conf"},
      {"module logging", kCases / "side_files", "logging.conf"},
      {"rch.yaml", kCases / "rch_yaml", "rch.yaml"},
      {"IBNL", kCases / "ibdm_cluster", "duo.ibnl", true},
      {"topo", kCases / "ibdm_cluster", "cluster.topo", true},
  };
}

using Texts = std::map<std::string, std::string>;  ///< by file name

Texts texts_of(const fs::path& folder) {
  Texts texts;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename(); entry.is_regular_file() &&
                                                          !name.ends_with(".txt") &&
                                                          !name.ends_with(".net") && !name.ends_with(".md"))
      texts[name] = *read_file(entry.path());
  return texts;
}

/// What texts mean, and what is said of them.
struct Reading {
  std::string meaning;
  std::multiset<std::string> findings;
};

std::string fabric_of(const Texts& texts, SourceSet& sources) {
  parsers::ibdm::Library library;
  for (const auto& [name, text] : texts)
    if (name.ends_with(".ibnl")) library.add(sources, *sources.load(name));
  std::string meaning;
  for (const auto& [name, text] : texts) {
    if (!name.ends_with(".topo")) continue;
    Diagnostics ignored;
    const auto fabric = parsers::ibdm::read_topo(sources, *sources.load(name), library, ignored);
    meaning += fabric ? fabric::write_snapshot(*fabric) : "none";
  }
  return meaning;
}

Reading read(const Texts& texts) {
  SourceSet sources;
  Diagnostics diagnostics;
  for (const auto& [name, text] : texts) sources.provide(name, text);
  policy::Configuration configuration;
  if (texts.contains("rch.yaml")) {
    configuration = *policy::load_rch_file("rch.yaml", sources, diagnostics);
  } else if (texts.contains("opensm.conf")) {
    configuration = *policy::load("opensm.conf", sources, diagnostics);
  } else {
    std::vector<policy::LintFile> files;
    for (const auto& [name, text] : texts) files.push_back({name});
    configuration = policy::lint_files(files, sources, diagnostics);
  }
  Reading reading;
  for (const Diagnostic& d : diagnostics.all())
    reading.findings.insert(fmt::format("{} {}", d.rule->name, d.message));
  if (configuration.policy) reading.meaning = policy_json(*configuration.policy).dump();
  if (configuration.main)
    for (const auto& option : policy::effective_options(*configuration.main, nullptr, sources))
      reading.meaning += fmt::format("{} {}\n", option.key, option.value);
  for (const auto& [step, own] : configuration.own_options)
    for (const auto& option : policy::effective_options(*configuration.main, &own, sources))
      reading.meaning += fmt::format("{} {} {}\n", step, option.key, option.value);
  const policy::Settings& s = configuration.settings;
  reading.meaning += fmt::format("{} {} {}\n", s.strict, fmt::join(s.accept, " "), s.grades.size());
  const policy::QuarantineOptions& q = s.quarantine;
  reading.meaning += fmt::format("{} {} {} {} {}\n", q.trap_hold_down, q.timeout_limit, q.error_threshold,
                                 q.bounces, q.period);
  reading.meaning += fabric_of(texts, sources);
  return reading;
}

/// True when the second reading has a finding that the first has not.
bool says_more(const Reading& first, const Reading& second) {
  return !std::ranges::includes(first.findings, second.findings);
}

constexpr std::size_t kOfEach = 52;
constexpr std::uint64_t kSeeds[] = {20260711, 20261124, 20261125, 20261126};
/// Mutants that change the meaning, are no choice, and pass without a finding.
constexpr std::size_t kSilent = 9;

class Mutations : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Mutations, ThatChangeTheMeaningAreTold) {
  std::size_t all = 0, changing = 0;
  std::vector<std::string> silent, choices;
  std::set<std::string> dialects;
  for (const Subject& subject : subjects()) {
    dialects.insert(subject.dialect);
    Texts texts = texts_of(subject.folder);
    const Reading good = read(texts);
    const std::string text = texts.at(subject.file);
    for (const test::Mutant& mutant : test::mutants(text, subject.names, kOfEach, GetParam())) {
      ++all;
      texts[subject.file] = mutant.text;
      const Reading seen = read(texts);
      if (seen.meaning == good.meaning) continue;
      ++changing;
      if (says_more(good, seen)) continue;
      (mutant.is_choice ? choices : silent)
          .push_back(
              fmt::format("{}: {}: `{}` -> `{}`", subject.dialect, mutant.kind, mutant.before, mutant.after));
    }
  }
  const std::string sum =
      fmt::format("{} mutants of {} dialects, {} change the meaning, {} are choices, {} silent\n{}\n", all,
                  dialects.size(), changing, choices.size(), silent.size(), fmt::join(silent, "\n"));
  RecordProperty("sum", sum);
  RecordProperty("choices", fmt::format("{}", fmt::join(choices, "\n")));
  EXPECT_GE(all, 1200U) << sum;
  EXPECT_GE(dialects.size(), 15U);
  EXPECT_LE(silent.size(), kSilent) << sum;
}

INSTANTIATE_TEST_SUITE_P(Seeds, Mutations, testing::ValuesIn(kSeeds),
                         [](const auto& test) { return std::to_string(test.param); });

}  // namespace
}  // namespace rch::cli

#include <set>

#include <gtest/gtest.h>

#include "policy/chain/engine_names.h"
#include "policy/options/options.h"

namespace rch::policy {
namespace {

OptionFile read(std::string text, Diagnostics& diagnostics, SourceSet& sources) {
  const SourceId id = sources.add("etc/opensm.conf", std::move(text));
  return read_main_options(parsers::opensm_conf::parse(sources, id, diagnostics), nullptr, sources,
                           diagnostics);
}

TEST(OptionTable, NamesEachKeyOnce) {
  std::set<std::string_view> names;
  for (const OptionKey& key : option_table()) EXPECT_TRUE(names.insert(key.name).second) << key.name;
  EXPECT_GT(names.size(), 400U);
}

/// A default that the table states must be a legal value of its own key.
TEST(OptionTable, DefaultsAreLegal) {
  for (const OptionKey& key : option_table()) {
    if (key.initial.empty()) continue;
    Diagnostics diagnostics;
    const auto value = read_option_value(key, {std::string(key.initial), {}}, diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << key.name;
    EXPECT_TRUE(value && is_default(key, *value)) << key.name;
  }
}

/// The value of a field, whichever way the key reaches it.
template <class Member>
const auto& field(const Options& options, Member member) {
  if constexpr (std::is_same_v<Member, QosMember>)
    return options.*member.set;
  else
    return options.*member;
}

/// A file that spells out OpenSM's default for all that the typed options hold changes nothing but rch's own
/// choice of window.
TEST(OptionTable, DefaultsAgreeWithTheTypedOptions) {
  Diagnostics diagnostics;
  SourceSet sources;
  std::string text;
  for (const OptionKey& key : option_table())
    if (key.member.index() != 0 && key.type != OptionType::path && !key.initial.empty() &&
        key.name != "max_wire_smps")
      text += std::string(key.name) + " " + std::string(key.initial) + "\n";
  const Options read_back = read(text, diagnostics, sources).options;
  const Options initial;
  EXPECT_TRUE(diagnostics.all().empty());
  for (const OptionKey& key : option_table())
    std::visit(
        [&](auto member) {
          if constexpr (!std::is_same_v<decltype(member), std::monostate>) {
            EXPECT_EQ(field(read_back, member), field(initial, member)) << key.name;
          }
        },
        key.member);
}

TEST(Options, AreStoredTyped) {
  Diagnostics diagnostics;
  SourceSet sources;
  const Options options = read(
                              "qos TRUE\nlmc 2\nsm_key 0x10\nmax_topologies_per_sw 9\nrouting_engine a, "
                              "b\ntorus_config t.conf\ndump_files_dir /d\n",
                              diagnostics, sources)
                              .options;
  EXPECT_TRUE(options.qos);
  EXPECT_EQ(options.lmc, 2);
  EXPECT_EQ(options.sm_key, 16U);
  EXPECT_EQ(options.max_topologies_per_sw, 9U);
  EXPECT_EQ(options.routing_engine, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.torus_config, "etc/t.conf");
  EXPECT_EQ(options.dump_files_dir, "/d");
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(Options, LastOfRepeatedWins) {
  Diagnostics diagnostics;
  SourceSet sources;
  const OptionFile file = read("lmc 1\nlmc 2\ntorus_config a\ntorus_config (null)\n", diagnostics, sources);
  EXPECT_EQ(file.options.lmc, 2);
  EXPECT_FALSE(file.options.torus_config);
  EXPECT_EQ(file.find("torus_config"), nullptr);
  EXPECT_EQ(file.find("lmc")->value.text, "2");
}

TEST(Options, OfAStepOverrideTheMainFile) {
  Diagnostics diagnostics;
  SourceSet sources;
  const OptionFile main =
      read("qos TRUE\nlmc 3\nport_profile_switch_nodes TRUE\ntorus_config main.conf\n", diagnostics, sources);
  const SourceId id = sources.add("steps/step.conf", "torus_config own.conf\nlmc 1\n");
  const OptionFile step =
      read_step_options(parsers::opensm_conf::parse(sources, id, diagnostics), sources, &main, diagnostics);
  EXPECT_EQ(step.options.torus_config, "steps/own.conf");
  EXPECT_TRUE(step.options.port_profile_switch_nodes);
  EXPECT_EQ(step.options.lmc, 3);
  EXPECT_EQ(diagnostics.all().size(), 1U);
}

TEST(EngineNames, AreDistinct) {
  std::set<std::string_view> names;
  for (const EngineName& engine : kEngineNames) EXPECT_TRUE(names.insert(engine.name).second);
}

}  // namespace
}  // namespace rch::policy

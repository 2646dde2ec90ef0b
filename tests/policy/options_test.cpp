#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "engines/registry.h"
#include "policy/build/options/effective.h"
#include "policy/build/options/option_uses.h"
#include "policy/model/option_rows.h"

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

/// Options for which rch has a value of its own while the file names none (docs/options.md).
constexpr std::string_view kOwnChoices[] = {"max_wire_smps", "max_wire_smps_per_device",
                                            "max_sa_reports_queued", "max_sa_reports_on_wire",
                                            "suppress_mc_pkey_traps"};

/// A file that spells out OpenSM's default for all that the typed options hold changes nothing but these.
TEST(OptionTable, DefaultsAgreeWithTheTypedOptions) {
  Diagnostics diagnostics;
  SourceSet sources;
  std::string text;
  for (const OptionKey& key : option_table())
    if (key.field != nullptr && key.type != OptionType::path && !key.initial.empty() &&
        std::ranges::find(kOwnChoices, key.name) == std::end(kOwnChoices))
      text += std::string(key.name) + " " + std::string(key.initial) + "\n";
  Options read_back = read(text, diagnostics, sources).options;
  Options initial;
  EXPECT_TRUE(diagnostics.all().empty());
  for (const OptionKey& key : option_table()) {
    if (key.field == nullptr) continue;
    std::visit(
        [&](auto* field) { EXPECT_EQ(*field, *std::get<decltype(field)>(key.field(initial))) << key.name; },
        key.field(read_back));
  }
}

/// Options that act and are not kept in Options: the groups of partitions and the log of `rch run` read them
/// from the options file.
constexpr std::string_view kReadByName[] = {"default_mcg_mtu", "default_mcg_rate", "log_file"};

TEST(OptionTable, SaysWhatEachOptionDoesOrWhyNot) {
  for (const OptionKey& key : option_table()) {
    EXPECT_NE(key.effect.empty(), key.reason.empty()) << key.name;
    const bool read_by_name = std::ranges::find(kReadByName, key.name) != std::end(kReadByName);
    EXPECT_EQ(!key.effect.empty() && key.field == nullptr, read_by_name) << key.name;
    for_each_word(key.needs, [&](std::string_view needs) {
      EXPECT_NE(find_option(needs.substr(needs.starts_with('!') ? 1 : 0)), nullptr) << needs;
    });
    for_each_word(key.also, [&](std::string_view word) { EXPECT_EQ(find_option(word), nullptr) << word; });
    EXPECT_EQ(find_option(key.old_name), nullptr) << key.old_name;
  }
}

/// What is stored is used, or the row says why not: the reason of a section is for what rch does not read.
TEST(OptionTable, SaysWhyAStoredOptionIsNotUsed) {
  for (const auto sections : {opensm_rows(), nvidia_rows()})
    for (const RowSection& section : sections)
      for (const OptionKey& key : section.rows)
        EXPECT_TRUE(key.field == nullptr || key.has_effect() || !key.reason.empty()) << key.name;
}

TEST(Options, AreStoredTyped) {
  Diagnostics diagnostics;
  SourceSet sources;
  const Options options = read(
                              "qos TRUE\nlmc 2\nsm_key 0x10\nmax_topologies_per_sw 9\nrouting_engine a, "
                              "b\ntorus_config t.conf\ndump_files_dir /d\n",
                              diagnostics, sources)
                              .options;
  EXPECT_TRUE(options.qos.enabled);
  EXPECT_EQ(options.lids.lmc, 2);
  EXPECT_EQ(options.manager.sm_key, 16U);
  EXPECT_EQ(options.chain.max_topologies_per_sw, 9U);
  EXPECT_EQ(options.chain.routing_engine, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.routing.torus_config, "etc/t.conf");
  EXPECT_EQ(options.files.dump_files_dir, "/d");
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(Options, LastOfRepeatedWins) {
  Diagnostics diagnostics;
  SourceSet sources;
  const OptionFile file = read("lmc 1\nlmc 2\ntorus_config a\ntorus_config (null)\n", diagnostics, sources);
  EXPECT_EQ(file.options.lids.lmc, 2);
  EXPECT_FALSE(file.options.routing.torus_config);
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
  EXPECT_EQ(step.options.routing.torus_config, "steps/own.conf");
  EXPECT_TRUE(step.options.routing.port_profile_switch_nodes);
  EXPECT_EQ(step.options.lids.lmc, 3);
  EXPECT_EQ(diagnostics.all().size(), 1U);
}

/// `value source line` of one option.
std::string effective(const OptionFile& main, const OptionFile* own, const SourceSet& sources,
                      std::string_view key) {
  constexpr std::string_view kSources[] = {"default", "main", "step"};
  std::string text;
  for (const EffectiveOption& option : effective_options(main, own, sources)) {
    if (option.key != key) continue;
    text += fmt::format("{} {}", option.value, kSources[static_cast<std::size_t>(option.source)]);
    if (!option.span.source.is_none())
      text += fmt::format(" {}", sources.at(option.span.source).position(option.span.begin).line);
    text += ';';
  }
  return text;
}

TEST(EffectiveOptions, TellTheirSource) {
  Diagnostics diagnostics;
  SourceSet sources;
  const OptionFile main = read(
      "qos yes\nsm_key 010\nroot_guid_file roots\ntransaction_timeout 0x384\nlog_file /l\n"
      "no_partition_enforcement TRUE\nsm_priority 16\ntorus_config (null)\nscatter_ports 3\n"
      "cc_ca_cong_setting_ccti_min 0 1\ncc_ca_cong_setting_ccti_min 1 2\nrouting_engine a, b\n",
      diagnostics, sources);
  const auto of_main = [&](std::string_view key) { return effective(main, nullptr, sources, key); };
  EXPECT_EQ(of_main("qos"), "TRUE main 1;");
  EXPECT_EQ(of_main("sm_key"), "8 main 2;");
  EXPECT_EQ(of_main("root_guid_file"), "etc/roots main 3;");
  EXPECT_EQ(of_main("transaction_timeout"), "0x384 main 4;");
  EXPECT_EQ(of_main("long_transaction_timeout"), "900 default;");
  EXPECT_EQ(of_main("part_enforce"), "off default;");
  EXPECT_EQ(of_main("sm_priority"), "0 main 7;");
  EXPECT_EQ(of_main("torus_config"), "(null) main 8;");
  EXPECT_EQ(of_main("cc_ca_cong_setting_ccti_min"), "0 1 main 10;1 2 main 11;");
  EXPECT_EQ(of_main("routing_engine"), "a, b main 12;");
  EXPECT_EQ(of_main("lmc"), "0 default;");
  EXPECT_EQ(of_main("max_wire_smps"), "64 default;");
  EXPECT_EQ(of_main("packet_life_time"), "0x12 default;");
  EXPECT_EQ(of_main("cn_guid_file"), "(null) default;");
  EXPECT_EQ(of_main("qos_high_limit"), "-1 default;");
  EXPECT_EQ(of_main("hbf_seed"), " default;");

  const SourceId id = sources.add("steps/step.conf", "scatter_ports 5\nqos FALSE\nroot_guid_file (null)\n");
  const OptionFile own =
      read_step_options(parsers::opensm_conf::parse(sources, id, diagnostics), sources, &main, diagnostics);
  const auto of_step = [&](std::string_view key) { return effective(main, &own, sources, key); };
  EXPECT_EQ(of_step("scatter_ports"), "5 step 1;");
  EXPECT_EQ(of_step("qos"), "TRUE main 1;");
  EXPECT_EQ(of_step("root_guid_file"), "(null) step 3;");
  EXPECT_EQ(of_step("sm_key"), "8 main 2;");
}

TEST(Options, AreClampedAsOpenSmClamps) {
  Diagnostics diagnostics;
  SourceSet sources;
  const Options options =
      read(
          "no_partition_enforcement TRUE\ntransaction_timeout 900\nm_key_protection_level 1\n"
          "m_key_lease_period 5\nuse_original_extended_sa_rates_only TRUE\nmax_wire_smps 0\n",
          diagnostics, sources)
          .options;
  EXPECT_EQ(options.partitions.part_enforce, PartEnforce::off);
  EXPECT_EQ(options.transport.long_transaction_timeout, 900U);
  EXPECT_EQ(options.manager.m_key_lease_period, 11);
  EXPECT_EQ(options.ports.max_rate_enum, 18);
  EXPECT_EQ(options.transport.max_wire_smps, 0x7FFFFFFFU);
}

TEST(Options, OfQosSetsAreTyped) {
  Diagnostics diagnostics;
  SourceSet sources;
  const Options options =
      read(
          "guid 0x11, 0,0x12\nqos_max_vls 8\nqos_swe_high_limit 7\nqos_ca_vlarb_low 0:4, 14:255\n"
          "qos_rtr_sl2vl 15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0\nqos_sw0_high_limit -1\n",
          diagnostics, sources)
          .options;
  EXPECT_EQ(options.manager.guid, (std::vector<Guid>{Guid(0x11), Guid(0x12)}));
  EXPECT_EQ(options.qos.base.max_vls, 8U);
  EXPECT_EQ(options.qos.swe.high_limit, 7);
  EXPECT_EQ(options.qos.ca.vlarb_low, (VlWeights{{0, 4}, {14, 255}}));
  ASSERT_TRUE(options.qos.rtr.sl2vl);
  EXPECT_EQ((*options.qos.rtr.sl2vl)[0], 15);
  EXPECT_FALSE(options.qos.sw0.high_limit);
  EXPECT_FALSE(options.qos.base.sl2vl);
}

/// The text of one file after the repairs of all findings.
std::string repaired(const std::string& text) {
  Diagnostics diagnostics;
  SourceSet sources;
  read(text, diagnostics, sources);
  std::vector<Edit> edits;
  for (const Diagnostic& d : diagnostics.all()) edits.insert(edits.end(), d.fixes.begin(), d.fixes.end());
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return a.span.begin > b.span.begin; });
  std::string repaired = text;
  for (const Edit& e : edits) repaired.replace(e.span.begin, e.span.end - e.span.begin, e.text);
  return repaired;
}

TEST(Options, AreRepaired) {
  EXPECT_EQ(repaired("qos = yes\nqos_high_limit=0\nlmc_esp0 false # not\n"),
            "qos TRUE\nqos_high_limit 0\nlmc_esp0 FALSE # not\n");
  EXPECT_EQ(repaired("root_guid_file null\nlog_prefix\nlog_file \"\"\n"),
            "root_guid_file (null)\nlog_prefix\nlog_file \"(null)\"\n");
  EXPECT_EQ(repaired("dimn_ports_file = \"a\nqos_high_limit0\nno_partition_enforcement TRUE\n"),
            "port_search_ordering_file a\nqos_high_limit 0\npart_enforce off\n");
  EXPECT_EQ(repaired("log_prefix 'a\"\nlog_file b'\n"), "log_prefix a\nlog_file b\n");
}

TEST(Options, PrerequisitesMayStandInTheFileOfAStep) {
  Diagnostics diagnostics;
  SourceSet sources;
  const OptionFile main = read("max_reverse_hops 2\n", diagnostics, sources);
  const SourceId id = sources.add("steps/step.conf", "io_guid_file io\nguid_routing_order_no_scatter TRUE\n");
  const OptionFile own =
      read_step_options(parsers::opensm_conf::parse(sources, id, diagnostics), sources, &main, diagnostics);
  diagnostics = {};
  check_prerequisites(main, {}, diagnostics);
  EXPECT_EQ(diagnostics.all().size(), 1U);
  diagnostics = {};
  const OptionFile* const files[] = {&own};
  check_prerequisites(main, files, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all()[0].span.source, id);
}

TEST(EngineDescriptors, NameOptionsOfOneStep) {
  const auto check = [](const engines::Descriptor& engine) {
    for (const auto keys : engine.reads)
      for (std::string_view key : keys) {
        const OptionKey* option = find_option(key);
        ASSERT_NE(option, nullptr) << engine.name << " " << key;
        EXPECT_TRUE(option->per_step) << engine.name << " " << key;
      }
  };
  for (const engines::Descriptor* engine : engines::all_engines()) check(*engine);
  for (const engines::Descriptor& engine : engines::absent_engines()) check(engine);
}

}  // namespace
}  // namespace rch::policy

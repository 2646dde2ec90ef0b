// What rch makes of options against the OpenSM that is installed: `opensm -F FILE -c OUT` writes OUT with
// every option that is in use after FILE was read.

#include <cstdlib>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "policy/build/options/effective.h"

namespace rch::policy {
namespace {

namespace fs = std::filesystem;

/// Keys of OpenSM 3.3.24 that 3.3.23 does not have.
constexpr std::string_view kNewKeys[] = {"max_rate_enum"};

class OpenSmOptions : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v opensm > /dev/null") != 0) GTEST_SKIP() << "opensm is not installed";
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  OptionFile read(const fs::path& path) {
    const auto source = sources_.load(path);
    EXPECT_TRUE(source);
    return read_main_options(parsers::opensm_conf::parse(sources_, *source, diagnostics_), nullptr, sources_,
                             diagnostics_);
  }

  /// The options in use after OpenSM has read `text`, as it writes them.
  OptionFile effective(const std::string& text) {
    EXPECT_TRUE(write_file(folder_ / "in.conf", text));
    const std::string command =
        fmt::format("opensm -F '{0}/in.conf' -c '{0}/out.conf' > '{0}/log' 2>&1", folder_.string());
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read(folder_ / "out.conf");
  }

  fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("rch-opensm-options-{}", ::getpid());
  SourceSet sources_;
  Diagnostics diagnostics_;
};

TEST_F(OpenSmOptions, DefaultsAreKnownAndEqual) {
  const OptionFile file = effective("");
  for (const Diagnostic& d : diagnostics_.all()) ADD_FAILURE() << render(d, sources_);
  std::set<std::string_view> written;
  for (const Setting& setting : file.settings) {
    written.insert(setting.key->name);
    EXPECT_EQ(setting.key->maker, Maker::opensm) << setting.key->name;
    EXPECT_TRUE(setting.is_default) << setting.key->name << ' ' << setting.value.text;
  }
  written.insert(std::begin(kNewKeys), std::end(kNewKeys));
  for (const OptionKey& key : option_table())
    EXPECT_TRUE(key.maker == Maker::nvidia || written.contains(key.name)) << key.name;
}

TEST_F(OpenSmOptions, TheCaseOfDefaultsIsWhatItWrites) {
  effective("");
  const auto kept = read_file(fs::path(RCH_TEST_DATA) / "cases" / "opensm_default_options" / "opensm.conf");
  const auto now = read_file(folder_ / "out.conf");
  ASSERT_TRUE(kept && now);
  EXPECT_EQ(*kept, *now);
}

/// 256 bits without what may be written or not.
std::string bits(std::string text) {
  text = to_lower(text);
  if (text.starts_with("0x")) text.erase(0, 2);
  return text.erase(0, text.find_first_not_of('0'));
}

bool equal(const OptionKey& key, const OptionValue& ours, const OptionValue& theirs) {
  if (key.type == OptionType::mask256)
    return bits(std::get<std::string>(ours)) == bits(std::get<std::string>(theirs));
  return ours == theirs;
}

/// Files whose every line rch and OpenSM read alike, clamps included.
const char* const kTexts[] = {
    "sm_priority 16\nforce_link_speed 9\nforce_link_speed_ext 9\nforce_link_width 77\nfdr10 3\n",
    "max_wire_smps 0\nmax_wire_smps2 4294967295\nm_key_protection_level 4\n",
    "max_wire_smps 4294967295\nmax_wire_smps2 0\n",
    "transaction_timeout 900\n",
    "transaction_timeout 300\nlong_transaction_timeout 250\n",
    "part_enforce foo\nconsole foo\n",
    "part_enforce in\nno_partition_enforcement TRUE\n",
    "m_key_protection_level 1\nm_key_lease_period 100\nsweep_interval 0\n",
    "m_key_protection_level 1\nm_key_lease_period 10\nsweep_interval 10\n",
    "m_key_protection_level 1\nm_key_lease_period 11\nsweep_interval 10\n",
    "m_key_lease_period 5\n",
    "perfmgr_sweep_time_s 0\nperfmgr_max_outstanding_queries 0\n",
    "qos TRUE\nqos_max_vls 16\nqos_ca_high_limit 0x10\nqos_vlarb_high 0:4, 1:64\n",
    "qos TRUE\nqos_swe_sl2vl 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n",
    "sm_key 010\nm_key 0xF\nlmc 0x2\nlog_flags 0x43 # more\nlog_max_size\t7 \n",
    "log_file stdout\n",
    "log_file /var/log/other.log\nconsole local\nconsole_port 10001\n",
    "log_prefix \"two words\"\nnode_name_map_name '/a b'\nlog_file (null)\ndimn_ports_file /x\n",
    "lmc 1\nlmc 2\nrouting_engine minhop\nrouting_engine updn,ftree\n",
    "cc_sw_cong_setting_victim_mask 0xff\ncc_ca_cong_setting_ccti_timer 3 77\ncc_cct 1:2,3:4\n",
    "max_reverse_hops 65535\nscatter_ports 5\nguid 0x1234\nsm_assigned_guid 255\n",
};

TEST_F(OpenSmOptions, EffectiveValuesAreEqual) {
  for (const char* text : kTexts) {
    const OptionFile theirs = effective(text);
    diagnostics_ = {};
    const OptionFile file = read(folder_ / "in.conf");
    std::map<std::string_view, std::string> ours;
    for (const EffectiveOption& option : effective_options(file, nullptr, sources_))
      if (option.source == OptionSource::main || option.key != "max_wire_smps")
        ours[option.key] = option.value;
    for (const Setting& setting : theirs.settings) {
      const auto at = ours.find(setting.key->name);
      if (at == ours.end() || setting.key->type == OptionType::per_sl) continue;
      Diagnostics ignored;
      const auto meaning = read_option_value(*setting.key, {at->second, {}}, ignored);
      ASSERT_TRUE(meaning) << text << setting.key->name << ' ' << at->second;
      EXPECT_TRUE(equal(*setting.key, *meaning, setting.meaning))
          << text << setting.key->name << ": ours " << at->second << ", theirs " << setting.value.text;
    }
  }
}

}  // namespace
}  // namespace rch::policy

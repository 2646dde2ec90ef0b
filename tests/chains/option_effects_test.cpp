// Main options against plans: an option changes the plan exactly where the table claims an effect, and in
// each mode exactly where lint does not say that it does nothing. Those that engines read are compared in
// engine_inputs_test.cpp.

#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/plan.h"
#include "chains/plan_file.h"
#include "engines/registry.h"
#include "policy/build/front_end.h"
#include "policy/model/option_table.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using policy::OptionKey;
using policy::OptionType;

constexpr std::string_view kBase = "routing_engine updn\nqos TRUE\n";

/// What the rest of a configuration may be, and main options that then do nothing although the table claims
/// an effect.
struct EffectMode {
  std::string_view name, options;
};
constexpr EffectMode kEffectModes[] = {
    {"updn_qos", kBase},
    {"updn", "routing_engine updn\n"},
    {"minhop", "routing_engine minhop\n"},
    {"dfsssp", "routing_engine dfsssp\n"},
    {"dfsssp_qos", "routing_engine dfsssp\nqos TRUE\n"},
    {"sssp", "routing_engine sssp\n"},
    {"sssp_qos", "routing_engine sssp\nqos TRUE\n"},
    {"no_multicast", "routing_engine updn\nqos TRUE\ndisable_multicast TRUE\n"},
    {"one_vl", "routing_engine dfsssp\nqos TRUE\nmax_op_vls 1\n"},
};
/// Rules that say: this does nothing.
constexpr std::string_view kIdleRules[] = {"no-effect-yet", "option-of-other-engine", "needs-qos",
                                           "prerequisite-off", "sl2vl-ignored"};

/// An option in a setting where it matters: lines before it, and its value where none can be made up.
struct Setting {
  std::string before, value;
};
const std::map<std::string_view, Setting> kSettings{
    {"routing_engine", {"", "minhop"}},
    {"lmc_esp0", {"lmc 1\n", "TRUE"}},
    {"qos", {"", "FALSE"}},
    {"mc_primary_root_guid", {"", "SPINE"}},
    {"mc_secondary_root_guid", {"", "SPINE"}},
    {"mc_roots_file", {"", "roots"}},
    {"enhanced_qos_policy_file", {"", "rates"}},
    {"partition_config_file", {"", "others"}},
    {"part_enforce", {"", "off"}},
    {"console", {"", "local"}},
    {"guid", {"", "0x11"}},
    {"allowed_sm_guids", {"", "0x11"}},
    {"m_key_protection_level", {"m_key 5\n", "1"}},
    {"max_wire_smps2", {"max_wire_smps 2\n", "8"}},
    {"max_smps_timeout", {"max_wire_smps 2\nmax_wire_smps2 8\n", "5"}},
    {"m_key_lease_period", {"m_key 5\n", "30"}},
};

/// Options that only another file, an earlier plan, lint or a manager that stays shows the effect of. Tests
/// of chains, updates, managers and cases/*topolog* do.
constexpr std::string_view kElsewhere[] = {"pgrp_policy_file",
                                           "topo_policy_file",
                                           "rch_policy_file",
                                           "reassign_lids",
                                           "force_heavy_sweep",
                                           "sweep_on_trap",
                                           "sweep_interval",
                                           "sminfo_polling_timeout",
                                           "master_sm_priority",
                                           "polling_retry_number",
                                           "log_flags",
                                           "dump_files_dir",
                                           "sa_key",
                                           "qos_policy_file",
                                           "allowed_sm_guids",
                                           "m_key_lookup",
                                           "m_key_per_port",
                                           "key_mgr_seed",
                                           "sa_enhanced_trust_model",
                                           "sa_etm_max_num_mcgs",
                                           "sa_etm_max_num_srvcs",
                                           "sa_etm_max_num_event_subs",
                                           "sa_etm_allow_untrusted_proxy_requests",
                                           "sa_etm_allow_untrusted_guidinfo_rec",
                                           "sa_check_sgid_spoofing",
                                           "sa_rate_threshold",
                                           "consolidate_ipv6_snm_req",
                                           "consolidate_ipv4_mask",
                                           "ipoib_mcgroup_creation_validation",
                                           "mcgroup_join_validation",
                                           "max_rate_enum",
                                           "use_original_extended_sa_rates_only",
                                           "drop_event_subscriptions",
                                           "node_name_map_name",
                                           "drop_subscr_on_report_fail",
                                           "enable_sa",
                                           "override_create_mcg_sl",
                                           "topo_config_file",
                                           "topo_config_enabled",
                                           "held_back_sw_file",
                                           "auto_join_hca_wo_topo",
                                           "routing_threads_num",
                                           "force_heavy_sweep_window",
                                           "sweep_every_hup_signal",
                                           "pid_file",
                                           "enable_subnet_lst",
                                           "subnet_lst_file",
                                           "sm_assigned_guid",
                                           "sm_inactive",
                                           "guid",
                                           "activity_report_subjects",
                                           "log_max_size",
                                           "node_name_map_name",
                                           "log_file",
                                           "default_mcg_mtu",
                                           "default_mcg_rate",
                                           "accum_log_file",
                                           "log_prefix",
                                           "prefix_routes_file",
                                           "rtr_pr_flow_label",
                                           "rtr_pr_tclass",
                                           "rtr_pr_sl",
                                           "rtr_pr_mtu",
                                           "rtr_pr_rate",
                                           "perfmgr",
                                           "perfmgr_redir",
                                           "perfmgr_sweep_time_s",
                                           "perfmgr_max_outstanding_queries",
                                           "perfmgr_ignore_cas",
                                           "perfmgr_rm_nodes",
                                           "perfmgr_log_errors",
                                           "perfmgr_query_cpi",
                                           "perfmgr_xmit_wait_log",
                                           "perfmgr_xmit_wait_threshold",
                                           "hm_unhealthy_ports_checks",
                                           "hm_ca_reboot_action",
                                           "hm_ca_unresponsive_action",
                                           "hm_ca_noisy_action",
                                           "hm_ca_seterr_action",
                                           "hm_ca_flapping_action",
                                           "hm_ca_illegal_action",
                                           "hm_ca_manual_action",
                                           "hm_sw_manual_action",
                                           "fsync_high_avail_files",
                                           "run_once",
                                           "cache_files_dir",
                                           "master_sm_lid",
                                           "max_sa_reports_queued",
                                           "max_sa_reports_on_wire",
                                           "sa_pr_full_world_queries_allowed",
                                           "log_num_backlogs",
                                           "hm_sw_reboot_action",
                                           "hm_sw_unresponsive_action",
                                           "hm_sw_noisy_action",
                                           "hm_sw_seterr_action",
                                           "hm_sw_flapping_action",
                                           "hm_sw_illegal_action",
                                           "hm_num_reboots",
                                           "hm_reboots_period_secs",
                                           "hm_num_set_err_sweeps",
                                           "hm_num_set_err_sweeps_window",
                                           "hm_num_no_resp_sweeps",
                                           "hm_num_no_resp_sweeps_window",
                                           "hm_num_traps",
                                           "hm_num_traps_period_secs",
                                           "hm_num_flapping_sweeps",
                                           "hm_num_flapping_sweeps_window",
                                           "hm_num_illegal"};

/// A legal value that is not the default; empty if none can be made up.
std::string other_value(const OptionKey& key) {
  if (const auto known = kSettings.find(key.name); known != kSettings.end()) return known->second.value;
  switch (key.type) {
    case OptionType::boolean:
      return key.initial == "TRUE" ? "FALSE" : "TRUE";
    case OptionType::u8:
    case OptionType::u16:
    case OptionType::u32:
    case OptionType::u64:
    case OptionType::number:
      return key.initial == "1" ? "2" : "1";
    case OptionType::text:
      return "word";
    case OptionType::high_limit:
      return "7";
    case OptionType::vl_weights:
      return "0:32,1:64";
    case OptionType::sl2vl:
      return "0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1";
    case OptionType::mask256:
      return "0x3";
    case OptionType::delay:
    case OptionType::delays:
      return "1:2";
    case OptionType::per_sl:
      return "1 5";
    default:
      return {};
  }
}

class OptionEffects : public testing::Test {
 protected:
  OptionEffects() {
    spine_ = fmt::format("{}", clos_.node(SwitchId(5)).guid);
    write("partitions.conf", "Default=0x7fff, ipoib : ALL=both, SELF=full;\n");
    write("others", "Default=0x7fff, ipoib : ALL, SELF=full;\nA=0x11, ipoib : ALL=full;\n");
    write("roots", spine_ + "\n");
    write("rates", "BW_NAMES\nslow = 100\nBW_RULES\ndefault = all:slow\n");
  }

  /// The plans of the options as bytes; what went wrong where there is none.
  std::string outcome(const std::string& options, std::string_view mode = kBase) {
    idle_.clear();
    return outcome(options, mode, clos_) + outcome(options, mode, classes_);
  }

  std::string outcome(const std::string& options, std::string_view mode, const fabric::Fabric& fabric) {
    write("opensm.conf", std::string(mode) + options);
    SourceSet sources;
    Diagnostics diagnostics;
    auto configuration = policy::load(folder_.file("opensm.conf"), sources, diagnostics);
    std::string findings;
    for (const Diagnostic& d : diagnostics.all()) {
      findings += render(d, sources);
      if (std::ranges::find(kIdleRules, d.rule->name) != std::end(kIdleRules)) idle_ += d.message + "\n";
      if (d.rule->name == "vl-beyond-operational" && d.message.find("becomes VL 0") != std::string::npos)
        idle_ += "maps of options\n";  // with one VL
    }
    EXPECT_TRUE(configuration && configuration->policy) << options << findings;
    if (!configuration || !configuration->policy) return {};
    fabric::LidRecords lids;  // another LID than the port has
    lids.add(fabric.port(fabric.end_ports().back().port).guid, {Lid(3000), Lid(3000)});
    const PlanRequest request{
        .installed = nullptr, .settings = {}, .lids = &lids, .lids_of_fabric_first = true};
    const auto observe = [&](const Event& event) {
      if (std::holds_alternative<OptionMapsIdle>(event)) idle_ += "maps of options";
    };
    const auto made = plan(std::make_shared<const policy::Policy>(std::move(*configuration->policy)), fabric,
                           request, diagnostics, observe);
    return made ? encode_plan(*made) : made.error().message;
  }

  bool matters(const OptionKey& key, std::string value, std::string_view mode = kBase) {
    if (value == "SPINE") value = spine_;
    const auto known = kSettings.find(key.name);
    const std::string before = known == kSettings.end() ? "" : known->second.before;
    const std::string without = outcome(before, mode);
    return without != outcome(fmt::format("{}{} {}\n", before, key.name, value), mode);
  }

  /// What was said to do nothing in the last outcome.
  bool is_said_to_be_idle(const OptionKey& key) const {
    return idle_.find(fmt::format("`{}`", key.name)) != std::string::npos ||
           (key.type == OptionType::sl2vl && idle_.find("maps of options") != std::string::npos);
  }

 private:
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file(folder_.file(name), text));
  }

  fabric::Fabric clos_ = test::build(test::clos(4, 2, 3));
  fabric::Fabric classes_ = test::golden_net("speeds");  ///< with a router and an enhanced port 0
  test::ScratchFolder folder_;
  std::string spine_, idle_;
};

TEST_F(OptionEffects, AreThoseTheTableClaims) {
  std::size_t checked = 0;
  for (const OptionKey& key : policy::option_table()) {
    if (engines::first_reader(key.name) != nullptr ||
        std::ranges::find(kElsewhere, key.name) != std::end(kElsewhere))
      continue;
    const std::string value = other_value(key);
    EXPECT_FALSE(value.empty() && key.has_effect()) << key.name << " has no setting in this test";
    if (value.empty()) continue;
    EXPECT_EQ(matters(key, value), key.has_effect()) << key.name << " " << value;
    ++checked;
  }
  EXPECT_GT(checked, 260U);
}

class OptionModes : public OptionEffects, public testing::WithParamInterface<EffectMode> {};

TEST_P(OptionModes, AnOptionMattersUnlessLintSaysThatItDoesNothing) {
  std::size_t matter = 0, idle = 0;
  for (const OptionKey& key : policy::option_table()) {
    if (!key.has_effect() || engines::first_reader(key.name) != nullptr ||
        std::ranges::find(kElsewhere, key.name) != std::end(kElsewhere) ||
        GetParam().options.find(fmt::format("\n{} ", key.name)) != std::string_view::npos)
      continue;
    const std::string value =
        key.name == "qos" ? "TRUE" : other_value(key);  // modes with it are left out above
    if (key.name == "routing_engine" || value.empty()) continue;
    if (key.name == "enhanced_qos_policy_file" &&
        GetParam().options.find("qos TRUE") == std::string_view::npos)
      continue;  // an error, not idle
    const bool differs = matters(key, value, GetParam().options);
    EXPECT_NE(differs, is_said_to_be_idle(key)) << key.name << " " << value;
    ++(differs ? matter : idle);
  }
  EXPECT_GT(matter, 20U);
}

INSTANTIATE_TEST_SUITE_P(All, OptionModes, testing::ValuesIn(kEffectModes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace rch::chains

#include "sm/health_rules.h"

#include <algorithm>
#include <array>

namespace rch::sm {
namespace {

using policy::HealthOptions;
using std::chrono::seconds;

/// OpenSM remembers an error trap for 5 s and takes the port out at the tenth.
constexpr std::uint32_t kErrorTraps = 10;
constexpr seconds kErrorTrapsWithin{50};

/// Options of NVIDIA SM.
struct OptionRule {
  Condition condition;
  std::uint32_t HealthOptions::*count;
  std::uint32_t HealthOptions::*within;  ///< seconds; null: sweeps count
  std::uint32_t HealthOptions::*window;  ///< sweeps
  HealthAction HealthOptions::*of_switch;
  HealthAction HealthOptions::*of_adapter;
  std::string_view what;
};
using O = HealthOptions;
constexpr OptionRule kRules[] = {
    {Condition::reboot, &O::hm_num_reboots, &O::hm_reboots_period_secs, nullptr, &O::hm_sw_reboot_action,
     &O::hm_ca_reboot_action, "it came and went"},
    {Condition::noisy, &O::hm_num_traps, &O::hm_num_traps_period_secs, nullptr, &O::hm_sw_noisy_action,
     &O::hm_ca_noisy_action, "it sent error traps"},
    {Condition::unresponsive, &O::hm_num_no_resp_sweeps, nullptr, &O::hm_num_no_resp_sweeps_window,
     &O::hm_sw_unresponsive_action, &O::hm_ca_unresponsive_action, "it did not answer"},
    {Condition::seterr, &O::hm_num_set_err_sweeps, nullptr, &O::hm_num_set_err_sweeps_window,
     &O::hm_sw_seterr_action, &O::hm_ca_seterr_action, "it refused writes"},
    {Condition::flapping, &O::hm_num_flapping_sweeps, nullptr, &O::hm_num_flapping_sweeps_window,
     &O::hm_sw_flapping_action, &O::hm_ca_flapping_action, "its link went down"},
    {Condition::illegal, &O::hm_num_illegal, nullptr, &O::hm_num_illegal, &O::hm_sw_illegal_action,
     &O::hm_ca_illegal_action, "it answered with what cannot be"},
};

}  // namespace

std::string_view name_of(Condition condition) {
  constexpr std::array<std::string_view, 9> kNames{"reboot", "unresponsive", "noisy",
                                                   "seterr", "flapping",     "illegal",
                                                   "manual", "bouncing",     "error-traps"};
  return kNames[static_cast<std::size_t>(condition)];
}

std::string_view name_of(HealthAction action) {
  constexpr std::array<std::string_view, 4> kNames{"ignore", "report", "isolate", "no_discover"};
  return kNames[static_cast<std::size_t>(action)];
}

HealthRule rule_of(const HealthSettings& settings, Condition condition, bool of_switch) {
  const policy::QuarantineOptions& q = settings.quarantine;
  if (condition == Condition::bouncing)
    return {condition, q.bounces, seconds{q.period}, 0, HealthAction::isolate, "its link went down"};
  if (condition == Condition::error_traps)
    return {condition, kErrorTraps, kErrorTrapsWithin, 0, HealthAction::isolate, "it sent error traps"};
  const auto* const row = std::ranges::find(kRules, condition, &OptionRule::condition);
  const HealthOptions& options = settings.options;
  if (row == std::end(kRules) || !options.hm_unhealthy_ports_checks) return {.condition = condition};
  return {.condition = condition,
          .count = options.*row->count,
          .within = seconds{row->within != nullptr ? options.*row->within : 0},
          .window = row->window != nullptr ? options.*row->window : 0,
          .action = options.*(of_switch ? row->of_switch : row->of_adapter),
          .what = row->what};
}

}  // namespace rch::sm

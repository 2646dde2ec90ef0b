#pragma once

// When a node or port counts as unhealthy (docs/manager.md, "Quarantine").

#include <chrono>
#include <cstdint>
#include <string_view>

#include "policy/model/options.h"

namespace rch::sm {

using policy::HealthAction;

/// The conditions of NVIDIA SM, and `bouncing` and `error_traps`, which are those of the fabric manager of
/// Omni-Path and of OpenSM.
enum class Condition : std::uint8_t {
  reboot,
  unresponsive,
  noisy,
  seterr,
  flapping,
  illegal,
  manual,
  bouncing,
  error_traps,
};
std::string_view name_of(Condition condition);
std::string_view name_of(HealthAction action);

struct HealthSettings {
  policy::HealthOptions options{};
  policy::QuarantineOptions quarantine{};
};

/// When an event comes too often, and what becomes of the part then.
struct HealthRule {
  Condition condition;
  std::uint32_t count = 0;         ///< 0: never
  std::chrono::seconds within{0};  ///< 0: sweeps count
  std::uint32_t window = 0;        ///< sweeps
  HealthAction action = HealthAction::ignore;
  std::string_view what{};  ///< "its link went down"
};
HealthRule rule_of(const HealthSettings& settings, Condition condition, bool of_switch);

/// OpenSM takes a port back after a minute without an error trap (IBA 13.4.9).
inline constexpr std::chrono::seconds kQuietOfErrorTraps{60};

}  // namespace rch::sm

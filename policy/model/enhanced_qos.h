#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/source.h"
#include "policy/model/names.h"

// Rate limits per port and SL (docs/manager.md, Rate limits).

namespace rch::policy::enhanced_qos {

/// Mbit/s of each SL; 0: unlimited.
using SlRates = std::array<std::uint32_t, 16>;
/// The same as one rule gives them; nothing: the rule does not name the SL.
using RuleRates = std::array<std::optional<std::uint32_t>, 16>;

/// Named bandwidth, in Mbit/s.
struct Bandwidth {
  Name name;
  std::uint32_t mbps = 0;  ///< 0: unlimited
};

struct GuidRule {
  Guid port;
  RuleRates rates;
  Span span;
};
struct GroupRule {
  GroupId group;
  RuleRates rates;
  Span span;
};

/// BW_RULES or VPORT_BW_RULES.
struct Section {
  std::vector<GuidRule> guids;        ///< ascending
  std::vector<GroupRule> groups;      ///< in file order, a later one wins; none for virtual ports
  std::optional<RuleRates> fallback;  ///< of ports without a rule, and of SLs that a rule leaves out
};

/// An SL that a rule names by its number.
struct NamedSl {
  std::uint8_t sl = 0;
  Span span;
};

struct EnhancedQos {
  std::vector<Bandwidth> bandwidths;
  Section ports;   ///< all traffic of a physical port
  Section vports;  ///< traffic of one virtual port
  /// Virtual port 0 of an adapter has no limits but those of a rule of its own.
  bool vport0_unlimited = true;
  std::vector<NamedSl> sls;  ///< in file order
};

/// Limits of a physical port: those of its GUID, else of the last rule for one of its groups (ascending),
/// else the default.
SlRates port_rates(const EnhancedQos& policy, Guid port, std::span<const GroupId> groups);
/// Limits of a virtual port; virtual port 0 has the GUID of its physical port.
SlRates vport_rates(const EnhancedQos& policy, Guid vport, bool is_vport0);

}  // namespace rch::policy::enhanced_qos

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"
#include "fabric/shapes.h"
#include "policy/model/enhanced_qos.h"
#include "policy/model/names.h"
#include "policy/model/options.h"
#include "policy/model/partitions.h"
#include "policy/model/qos_policy.h"
#include "policy/model/side_files.h"

namespace rch::policy {

/// `port-guid: 0x11@2-5/7`; no ports: all of the GUID's.
struct PortGuidRule {
  Guid guid;
  std::vector<std::pair<std::uint8_t, std::uint8_t>> ports;  ///< inclusive ranges
  Span span;
};
struct PortGuidRangeRule {
  Guid low, high;
  Span span;
};
struct PortNameRule {
  std::string hostname;
  std::optional<std::uint8_t> port;
  std::optional<std::uint32_t> hca_index;
  Span span;
};
struct PortRegexpRule {
  std::string regexp;  ///< POSIX extended, known to compile
  std::optional<std::uint8_t> port;
  Span span;
};
struct UnionRule {
  GroupId left, right;
  Span span;
};
struct SubtractRule {
  GroupId left, right;
  Span span;
};
/// ALL, ALL_SWITCHES, ALL_CAS, ALL_ROUTERS.
enum class BuiltinGroup { all, all_switches, all_cas, all_routers };

using GroupRule = std::variant<PortGuidRule, PortGuidRangeRule, PortNameRule, PortRegexpRule, UnionRule,
                               SubtractRule, BuiltinGroup>;

/// A named set of ports: the union of its rules. Predefined groups stand first, with one BuiltinGroup rule
/// each.
struct PortGroup {
  Name name;
  std::string use;
  std::vector<GroupRule> rules;
};

/// The part of the fabric a step works on.
struct Topology {
  TopologyId id;
  Span span;
  GroupId switches;
  GroupId hosts;
};

/// Where the parts of a torus-2QoS.conf stand, for messages about them.
struct TorusPlaces {
  struct Link {
    std::size_t axis = 0;
    bool plus = true;
    Span from, to;
  };
  struct Seed {
    Span place;               ///< its first keyword
    std::vector<Link> links;  ///< by axis, plus before minus
  };
  Span size;                     ///< the `torus` or `mesh` keyword
  std::vector<Seed> seeds;       ///< parallel to the options' seeds
  std::vector<Span> port_order;  ///< parallel to the options' port_order
};

/// What engines aim at that know both.
enum class EngineMode : std::uint8_t {
  best,    ///< rch's own rules, where they are better
  compat,  ///< OpenSM's tables, entry for entry
};

/// One unicast step, names resolved, its options complete (main file, overridden by its own file).
struct Step {
  StepId id;
  Span span;
  std::string engine;
  std::string use;
  TopologyId topology{0};
  std::optional<StepId> fallback_to;
  EngineMode mode = EngineMode::best;
  std::optional<std::uint8_t> path_bit;  ///< none in the first step, which routes every path bit
  RoutingOptions routing;
  StepFiles files = {};
  std::optional<fabric::TorusShape> torus;  ///< set when the engine reads `torus_config`
  TorusPlaces torus_places;
};

/// A GUID that an option names.
struct OptionGuid {
  std::string_view key;
  Guid guid;
  Span span;
};

/// Everything the configuration says, typed; nothing is looked up by string again.
struct Policy {
  Options options;
  std::vector<PortGroup> groups;
  std::vector<Topology> topologies;
  std::vector<Step> steps;  ///< ascending id
  FabricFiles files;
  std::vector<OptionGuid> option_guids;  ///< of the main options
  partitions::Partitions partitions;
  std::optional<qos::QosPolicy> qos;  ///< nothing: paths get the SL of their partition
  std::optional<enhanced_qos::EnhancedQos> enhanced_qos;
  std::vector<SourceId> sources;  ///< files read, in order
  /// What `sources` and all spans refer to. Whoever read the files sets it, so that a reload may begin with a
  /// new set while this policy is in use.
  std::shared_ptr<const SourceSet> texts;
};

}  // namespace rch::policy

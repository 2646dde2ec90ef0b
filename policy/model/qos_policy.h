#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fabric/fabric.h"
#include "policy/model/names.h"
#include "policy/model/ranges.h"

// The QoS policy as path queries meet it: which of them get which level (OpenSM's
// doc/QoS_management_in_OpenSM.txt).

namespace rch::policy::qos {

/// A port as the policy tells ports apart.
struct Port {
  Guid guid;
  fabric::NodeType type = fabric::NodeType::ca;
  std::string_view node;  ///< description
  std::uint8_t number = 0;
  std::span<const std::uint16_t> pkeys;  ///< of its partitions, 15 bits each, ascending
  std::span<const GroupId> groups;       ///< of Policy::groups, ascending
  bool is_sm = false;                    ///< the SM runs on it
};

/// A port by the description of its node. The place does not count when names are compared.
struct NodePort {
  std::string node;
  std::uint8_t port = 0;
  Span span = {};

  friend bool operator==(const NodePort& a, const NodePort& b) {
    return a.node == b.node && a.port == b.port;
  }
  friend bool operator<(const NodePort& a, const NodePort& b) {
    return std::tie(a.node, a.port) < std::tie(b.node, b.port);
  }
};

/// The ports of a port group: the union of what the fields say.
struct PortSet {
  Ranges guids;
  std::vector<NodePort> names;   ///< ascending
  Ranges pkeys;                  ///< members of these partitions, 15 bits
  std::uint8_t node_types = 0;   ///< type_bit() of each
  bool sm = false;               ///< the SM's port
  std::optional<GroupId> group;  ///< the group of Policy::groups that it is

  bool empty() const;
  bool contains(const Port& port) const;
};

constexpr std::uint8_t type_bit(fabric::NodeType type) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(type));
}
inline constexpr std::uint8_t kAllTypes =
    type_bit(fabric::NodeType::ca) | type_bit(fabric::NodeType::sw) | type_bit(fabric::NodeType::router);

/// What a path gets.
struct Level {
  std::string name;  ///< empty: made for the ULP lines of one SL
  std::uint8_t sl = 0;
  std::optional<std::uint8_t> mtu_limit, rate_limit, packet_life;  ///< codes
  Ranges path_bits;                                                ///< empty: any
  Ranges pkeys;                                                    ///< 15 bits; empty: any
  Span span;
};

/// A query must fit everything a rule says; what it leaves out does not fit.
struct MatchRule {
  Ranges service_ids, qos_classes;               ///< empty: any, or none given
  Ranges pkeys;                                  ///< 15 bits; likewise
  std::vector<std::size_t> source, destination;  ///< any of these QosPolicy::groups; none: any port
  std::size_t level = 0;                         ///< index into QosPolicy::levels
  Span span;
  bool ulp = false;  ///< a line of qos-ulps
};

/// GUIDs of ports as the file names them: one, or a range.
struct NamedGuids {
  std::uint64_t low = 0, high = 0;
  Span span;
};

struct QosPolicy {
  std::vector<PortSet> groups;  ///< those that rules mean
  std::vector<Level> levels;
  std::vector<MatchRule> rules;   ///< in the order they are tried: match rules, then ULP lines
  std::size_t fallback = 0;       ///< level of queries that no rule fits
  std::vector<NamedGuids> guids;  ///< of groups and ULP lines, in file order
};

/// The fields of a path query that the policy looks at.
struct Query {
  std::optional<std::uint64_t> service_id;
  std::optional<std::uint16_t> qos_class;
  /// Membership bit ignored. A query to the broadcast group of a partition carries that partition's P_Key.
  std::optional<std::uint16_t> pkey;
  Port source, destination;
};

struct Match {
  const Level* level;
  const MatchRule* rule;  ///< null: no rule fits
};

/// The first rule that fits, as OpenSM's order has it.
Match match(const QosPolicy& policy, const Query& query);

}  // namespace rch::policy::qos

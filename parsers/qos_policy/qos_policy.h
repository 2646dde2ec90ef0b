#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsers/common/blocks.h"

namespace rch::parsers::qos_policy {

/// A name without its quotes.
struct Name {
  Token token;
  std::string key;  ///< as OpenSM compares it: lower case, blanks outside quotes dropped
};

/// Inclusive, `low <= high`; one written the other way round was reported and turned.
struct Range {
  std::uint64_t low = 0, high = 0;
  Span span;
};

/// `"host1 HCA-1/P2"`.
struct PortName {
  std::string node;  ///< as OpenSM compares it with node descriptions
  Number port;
  Span span;
};

enum class NodeType : std::uint8_t { ca, sw, router, all, self };

/// `port-group`. Unreadable parts are absent here and below, and were reported.
struct PortGroup : Block {
  std::optional<Name> name;
  std::string use;
  std::vector<Range> port_guids;
  std::vector<PortName> port_names;
  std::vector<Range> pkeys;  ///< 15 bits
  std::vector<Token> partitions;
  std::vector<NodeType> node_types;
};

/// `qos-level`.
struct Level : Block {
  std::optional<Name> name;
  std::string use;
  std::optional<Number> sl;
  std::optional<Number> mtu_limit, rate_limit, packet_life;  ///< codes
  std::vector<Range> path_bits;
  std::vector<Range> pkeys;  ///< 15 bits
};

/// `qos-match-rule`.
struct MatchRule : Block {
  std::string use;
  std::vector<Name> source, destination;
  std::vector<Range> qos_class, service_id;
  std::vector<Range> pkeys;  ///< 15 bits
  std::optional<Name> level;
};

enum class Ulp : std::uint8_t { fallback, sdp, rds, iser, srp, ipoib, any };  ///< fallback: `default`
enum class Criterion : std::uint8_t {
  none,
  port_num,
  service_id,
  pkey,  ///< 15 bits
  target_port_guid,
  source_port_guid,
  source_target_port_guid,
};

/// One line of `qos-ulps`, all parts readable.
struct UlpLine {
  Span span;  ///< what stands before the colon
  Ulp ulp = Ulp::any;
  Criterion criterion = Criterion::none;
  std::vector<Range> values;
  Number sl;
};
/// `qos-ulps`.
struct Ulps : Block {
  std::vector<UlpLine> lines;
};

/// `vlarb-scope` or `sl2vl-scope`: checked, and of no effect. Only names of groups are kept.
struct SetupScope : Block {
  std::vector<Name> groups;
};

/// A QoS policy file, each list in file order.
struct Syntax {
  std::vector<PortGroup> groups;
  std::vector<Level> levels;
  std::vector<MatchRule> rules;
  std::vector<Ulps> ulps;
  std::vector<Block> setups;  ///< `qos-setup`
  std::vector<SetupScope> vlarb_scopes, sl2vl_scopes;
};

/// Reads a QoS policy file (OpenSM's doc/QoS_management_in_OpenSM.txt). Each mistake costs its line or value,
/// a missing end nothing.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);
const BlockDialect& dialect();

}  // namespace rch::parsers::qos_policy

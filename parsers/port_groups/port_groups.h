#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "parsers/common/blocks.h"

namespace rch::parsers::port_groups {

/// `0x11@2-5/7`; no ports: all of the GUID's.
struct GuidItem {
  Guid guid;
  std::vector<std::pair<std::uint8_t, std::uint8_t>> ports;  ///< inclusive ranges
  Span span;
};
struct PortGuid {
  std::vector<GuidItem> items;
};
struct PortGuidRange {
  Guid low, high;
};
/// `hostname=h; port=2; hca_idx=1`.
struct Host {
  Token hostname;
  std::optional<Number> port, hca_idx;
};
struct PortName {
  std::vector<Host> hosts;               ///< none: unreadable, which was reported
  std::optional<Span> semicolon, blank;  ///< the last one of each that separates fields
};
struct PortRegexp {
  Token regexp;  ///< as written; not compiled yet
  std::optional<Number> port;
};
struct SetRule {
  bool is_union = true;
  Token left, right;
};

struct Rule {
  Span span;  ///< the value
  std::variant<PortGuid, PortGuidRange, PortName, PortRegexp, SetRule> what;
};

/// One `port-group` paragraph. Unreadable parts are absent and were reported.
struct Group : Block {
  std::optional<Token> name;
  std::string use;
  std::vector<Rule> rules;
};

struct Syntax {
  std::vector<Group> groups;
};

/// Reads a port group policy file (docs/keywords.md).
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);
const BlockDialect& dialect();

}  // namespace rch::parsers::port_groups

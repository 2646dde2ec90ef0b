#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rch::parsers::qos_policy {

/// Sections and paragraphs; `none` is the file itself.
enum class SectionId : std::uint8_t {
  port_groups,
  port_group,
  qos_setup,
  vlarb_tables,
  vlarb_scope,
  sl2vl_tables,
  sl2vl_scope,
  qos_levels,
  qos_level,
  qos_match_rules,
  qos_match_rule,
  qos_ulps,
  none,
};

/// How the value behind a keyword is written, as far as lines are concerned.
enum class Form : std::uint8_t {
  text,     ///< free text, one line
  name,     ///< one name, one line
  names,    ///< a list of names; OpenSM takes it on one line only
  numbers,  ///< a number or a list of numbers, ranges or pairs
};

/// A keyword of a paragraph.
struct KeySpec {
  std::string_view word;
  Form form = Form::numbers;
  bool once = false;
  bool required = false;
};

struct SectionSpec {
  SectionId id;
  std::string_view begin, end;
  SectionId parent;
  std::span<const KeySpec> keys = {};
  bool may_be_empty = true;
};

std::span<const SectionSpec> sections();
const SectionSpec& spec(SectionId id);

/// Indices of keys in their paragraphs.
namespace key {
enum PortGroup : std::size_t {
  group_name,
  group_use,
  port_guid,
  port_name,
  group_pkey,
  partition,
  node_type
};
enum VlArb : std::size_t { vlarb_group, vlarb_across, vlarb_high, vlarb_low, vl_high_limit };
enum Sl2Vl : std::size_t { sl2vl_group, sl2vl_across, across_from, across_to, from, to, sl2vl_table };
enum Level : std::size_t {
  level_name,
  level_use,
  level_sl,
  mtu_limit,
  rate_limit,
  packet_life,
  path_bits,
  level_pkey
};
enum MatchRule : std::size_t { rule_use, qos_class, source, destination, service_id, rule_pkey, level };
}  // namespace key

}  // namespace rch::parsers::qos_policy

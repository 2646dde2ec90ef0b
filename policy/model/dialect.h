#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rch::policy {

/// Every kind of file that rch reads.
enum class Dialect : std::uint8_t {
  options,
  port_groups,
  topologies,
  chain,
  torus,
  partitions,
  qos_policy,
  enhanced_qos,
  roots,
  guid_list,
  guid_ids,
  hop_weights,
  port_search,
  ignored_ports,
  prefix_routes,
  node_names,
  module_logging,
  topo_config,
  ibnl,
  topo,
  fabric,
};

struct DialectInfo {
  Dialect dialect;
  std::string_view name;        ///< as `rch lint --as` takes it
  std::string_view what;        ///< what such a file holds
  std::string_view files = {};  ///< other usual names of such files: `partition`, `.net`, separated by blanks
};

/// In the order of Dialect.
std::span<const DialectInfo> dialects();
const DialectInfo& info(Dialect dialect);
/// Nothing if no dialect has that name.
std::optional<Dialect> dialect_named(std::string_view name);

/// What the content of a file says of its dialect.
struct Content {
  std::optional<Dialect> dialect = {};  ///< the one that most lines speak
  bool ambiguous = false;  ///< lines of a GUID and numbers, which each side file reads its own way
};
Content recognise(std::string_view text);

/// The dialect that a file of that name usually has: `partitions.conf`, `leaf.ibnl`.
std::optional<Dialect> recognise_name(std::string_view file_name);

}  // namespace rch::policy

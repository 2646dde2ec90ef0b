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
  ibnl,
  topo,
  fabric,
};

struct DialectInfo {
  Dialect dialect;
  std::string_view name;  ///< as `rch lint --as` takes it
  std::string_view what;  ///< what such a file holds
};

/// In the order of Dialect.
std::span<const DialectInfo> dialects();
const DialectInfo& info(Dialect dialect);
/// Nothing if no dialect has that name.
std::optional<Dialect> dialect_named(std::string_view name);

/// The dialect that most lines speak, the options file when none does. Nothing for lines of a GUID and
/// numbers, which mean something else in each side file.
std::optional<Dialect> recognise(std::string_view text);

}  // namespace rch::policy

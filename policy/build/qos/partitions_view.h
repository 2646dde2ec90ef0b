#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace rch::policy::qos {

/// Number of the default partition.
inline constexpr std::uint16_t kDefaultPkey = 0x7FFF;

/// What the QoS policy wants to know of a partition.
struct KnownPartition {
  std::uint16_t pkey = 0;  ///< 15 bits
  std::string name;
  std::optional<std::size_t> full_members;  ///< none: known only with a fabric (`ALL=full`)
};

/// Every partition of a configuration, ascending by P_Key.
using KnownPartitions = std::span<const KnownPartition>;

}  // namespace rch::policy::qos

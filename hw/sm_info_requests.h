#pragma once

// What subnet managers ask of each other (IBA 14.4).

#include <optional>
#include <tuple>

#include "hw/attributes.h"
#include "hw/smp.h"

namespace rch::hw {

/// Modifiers of Set(SMInfo).
inline constexpr std::uint32_t kHandover = 1, kAcknowledge = 2, kDisable = 3, kStandby = 4, kDiscover = 5;

/// Another SM is asked again this often.
inline constexpr Milliseconds kPollEvery{50};

/// To our own node.
inline const Route kOwnNode{};

inline SmpRequest get_from(Address to, Attribute attribute, std::uint32_t modifier = 0) {
  return {.to = to, .attribute = attribute, .modifier = modifier};
}

inline std::optional<SmInfo> sm_info_in(const SmpAnswer& answer) {
  if (!answer.good()) return std::nullopt;
  return decode<SmInfo>(answer.data);
}

/// Higher priority, then lower GUID (IBA 14.4). An SM with our GUID sits on our port.
inline bool outranks(const SmInfo& other, const SmInfo& own) {
  return std::tuple(own.priority, other.guid.value) <= std::tuple(other.priority, own.guid.value);
}

}  // namespace rch::hw

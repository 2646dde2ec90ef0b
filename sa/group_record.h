#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sa/gid.h"
#include "sa/mc_member_fields.h"
#include "sa/multicast_groups.h"

namespace rch::sa {

using GroupRecord = std::array<std::uint8_t, mc_member::kSize>;

/// MCMemberRecord of a group, and of a member if `port` is not zero.
GroupRecord group_record(const GroupTraits& group, const Gid& port, std::uint8_t join_state, bool proxy);

/// What a record tells of the group. It is whole.
GroupTraits traits_of(std::span<const std::uint8_t> record);

}  // namespace rch::sa

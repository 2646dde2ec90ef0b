#include "policy/model/partitions.h"

#include <arpa/inet.h>

#include <algorithm>

namespace rch::policy::partitions {

const Partition* Partitions::find(PKey pkey) const {
  const auto at = std::lower_bound(all.begin(), all.end(), pkey,
                                   [](const Partition& p, PKey key) { return p.pkey < key; });
  return at != all.end() && at->pkey == pkey ? &*at : nullptr;
}

Mgid broadcast_mgid(PKey pkey, std::uint8_t scope) {
  const std::uint16_t word = pkey.value | kMembershipBit;
  return {0xFF,
          static_cast<std::uint8_t>(0x10 | scope),
          0x40,
          0x1B,
          static_cast<std::uint8_t>(word >> 8),
          static_cast<std::uint8_t>(word & 0xFF),
          0,
          0,
          0,
          0,
          0,
          0,
          0xFF,
          0xFF,
          0xFF,
          0xFF};
}

Member implied(Who who, Membership membership) {
  Member member;
  member.who = who;
  member.membership = membership;
  return member;
}

Partitions without_file() {
  Partitions partitions;
  Partition& everyone = partitions.all.emplace_back();
  everyone.pkey = kDefaultPKey;
  everyone.name.text = "Default";
  everyone.members.push_back(implied(Who::all, Membership::full));
  MulticastGroup& broadcast = everyone.groups.emplace_back();
  broadcast.mgid = broadcast_mgid(kDefaultPKey, 2);
  broadcast.q_key = kIpQKey;
  return partitions;
}

std::string mgid_text(const Mgid& mgid) {
  char text[INET6_ADDRSTRLEN];
  return ::inet_ntop(AF_INET6, mgid.data(), text, sizeof text);
}

}  // namespace rch::policy::partitions

#include <fmt/format.h>

#include "cli/show/parts.h"

namespace rch::cli {
namespace {

using namespace policy::partitions;

std::string who_text(const policy::Policy& policy, const Member& member) {
  switch (member.who) {
    case Who::guid:
      return fmt::format("{}", Guid(member.key));
    case Who::group:
      return group_name(policy, policy::GroupId(static_cast<std::uint32_t>(member.key)));
    case Who::all:
      return "ALL";
    case Who::all_cas:
      return "ALL_CAS";
    case Who::all_switches:
      return "ALL_SWITCHES";
    case Who::all_routers:
      return "ALL_ROUTERS";
    case Who::all_vcas:
      return "ALL_VCAS";
    case Who::self:
      return "SELF";
    case Who::none:
      break;
  }
  return "NONE";
}

std::string_view membership_text(Membership membership) {
  return membership == Membership::full ? "full" : membership == Membership::both ? "both" : "limited";
}

Json multicast_json(const MulticastGroup& group) {
  return {{"mgid", mgid_text(group.mgid)},
          {"sl", group.sl},
          {"mtu", group.mtu},
          {"rate", group.rate},
          {"Q_Key", fmt::format("{:#x}", group.q_key)},
          {"TClass", group.tclass},
          {"FlowLabel", group.flow_label},
          {"HopLimit", group.hop_limit}};
}

Json partition_json(const policy::Policy& policy, const Partition& partition) {
  Json members = Json::array(), groups = Json::array();
  for (const Member& member : partition.members)
    members.push_back(fmt::format("{}={}{}", who_text(policy, member), membership_text(member.membership),
                                  member.indx0 ? ", indx0" : ""));
  for (const MulticastGroup& group : partition.groups) groups.push_back(multicast_json(group));
  return {{"pkey", fmt::format("{:#06x}", partition.pkey.value)},
          {"name", partition.name.text},
          {"sl", partition.sl},
          {"members", std::move(members)},
          {"multicast", std::move(groups)}};
}

}  // namespace

Json partitions_json(const policy::Policy& policy) {
  Json list = Json::array();
  for (const Partition& partition : policy.partitions.all) list.push_back(partition_json(policy, partition));
  return list;
}

}  // namespace rch::cli

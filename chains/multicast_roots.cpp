#include "chains/multicast_roots.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rch::chains {
namespace {

std::vector<Guid> asked_guids(const policy::Policy& policy) {
  std::vector<Guid> guids;
  for (const std::uint64_t guid :
       {policy.options.multicast.mc_primary_root_guid, policy.options.multicast.mc_secondary_root_guid})
    if (guid != 0) guids.push_back(Guid(guid));
  for (const policy::ListMember& member : policy.files.multicast_roots)
    guids.push_back(std::get<Guid>(member.who));
  return guids;
}

}  // namespace

std::vector<SwitchId> requested_roots(const policy::BoundPolicy& bound, std::vector<std::string>& remarks) {
  std::vector<SwitchId> roots;
  std::vector<Guid> unknown;
  for (const Guid guid : asked_guids(*bound.policy)) {
    const auto sw = bound.fabric->find_switch(guid);
    if (!sw)
      unknown.push_back(guid);
    else if (std::ranges::find(roots, *sw) == roots.end())
      roots.push_back(*sw);
  }
  if (!unknown.empty())
    remarks.push_back(fmt::format("no switch of this fabric, so no root: {}", fmt::join(unknown, ", ")));
  return roots;
}

}  // namespace rch::chains

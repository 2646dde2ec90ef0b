#include "sa/multicast_groups.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "fabric/multicast.h"
#include "policy/bind/partitions/planned_groups.h"
#include "sa/group_record.h"
#include "sa/partition.h"

namespace rch::sa {
namespace {

/// The last MLID that every switch has room for.
Lid last_mlid(const fabric::Fabric& fabric) {
  std::size_t most = fabric::kLastMulticastLid.index() - fabric::kFirstMulticastLid.index() + 1;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    if (const std::uint16_t cap = fabric.node(SwitchId(s)).multicast_cap; cap != 0)
      most = std::min<std::size_t>(most, cap);
  return Lid(static_cast<std::uint16_t>(fabric::kFirstMulticastLid.index() + most - 1));
}

Group planned_group(const policy::partitions::PlannedGroup& planned, std::uint8_t life) {
  const policy::partitions::MulticastGroup& from = *planned.group;
  Group group;
  group.mgid = from.mgid;
  group.mlid = planned.mlid;
  group.q_key = from.q_key;
  group.pkey = static_cast<std::uint16_t>(planned.partition->pkey.value | kFullMember);
  group.mtu = from.mtu;
  group.rate = from.rate;
  group.life = life;
  group.sl = from.sl;
  group.traffic_class = from.tclass;
  group.hop_limit = from.hop_limit;
  group.flow_label = from.flow_label;
  group.planned = true;
  return group;
}

auto position(std::vector<GroupMember>& members, Guid port) {
  return std::ranges::lower_bound(members, port, {}, &GroupMember::port);
}

/// Full members and non-members do. Who has joined to send only does not (o15-0.1.12).
bool receives(const GroupMember& member) { return (member.join_state & 3U) != 0; }

JournalRecord membership(const Group& group, const GroupMember& member) {
  const Gid alias = member.at == member.port ? Gid{} : make_gid(0, member.port);
  const GroupRecord record = group_record(group, alias, member.join_state, member.proxy);
  return {.attribute = Attribute::mc_member_record,
          .gone = member.join_state == 0,
          .port = member.at,
          .record = {record.begin(), record.end()}};
}

GroupEvent event_of(const Group& group, GroupEvent::What what) {
  return {.what = what, .mgid = group.mgid, .mlid = group.mlid, .planned = group.planned};
}

constexpr unsigned kIpv4 = 0x401B, kIpv6 = 0x601B;  // signatures
/// Bytes of an MGID before the last 32 bits.
constexpr std::size_t kSharedPrefix = 12;

std::uint32_t last_bits(const Gid& mgid) {
  std::uint32_t bits = 0;
  for (std::size_t byte = kSharedPrefix; byte < mgid.size(); ++byte) bits = bits << 8U | mgid[byte];
  return bits;
}

/// ff1S:SIGNATURE:...: groups of IPoIB.
bool is_ip_group(const Gid& mgid, unsigned signature) {
  return mgid[0] == 0xFF && (mgid[1] & 0xF0) == 0x10 && (unsigned{mgid[2]} << 8U | mgid[3]) == signature;
}

/// ff1S:601b:PKEY:0:0:1:ffXX:XXXX. Each host has such a group with who looks for it.
bool is_solicited_node(const Gid& mgid) {
  constexpr std::array<std::uint8_t, 7> kNodes{0, 0, 0, 0, 0, 1, 0xFF};
  return is_ip_group(mgid, kIpv6) && std::equal(kNodes.begin(), kNodes.end(), mgid.begin() + 6);
}

/// Groups whose MGIDs are equal in these of the last 32 bits and in all before them share an MLID;
/// std::nullopt: the group shares none (`consolidate_ipv6_snm_req`, `consolidate_ipv4_mask`).
std::optional<std::uint32_t> mask_of_sharing(const Gid& mgid, const policy::AdministrationOptions& options) {
  constexpr std::uint32_t kAllSolicitedNodes = 0xFF000000, kNone = 0xFFFFFFFF;
  if (options.consolidate_ipv6_groups && is_solicited_node(mgid)) return kAllSolicitedNodes;
  if (options.consolidate_ipv4_mask != kNone && is_ip_group(mgid, kIpv4))
    return options.consolidate_ipv4_mask;
  return std::nullopt;
}

/// Both are ascending, and so is what comes out.
std::vector<Guid> both(const std::vector<Guid>& some, const std::vector<Guid>& more) {
  std::vector<Guid> all;
  std::ranges::set_union(some, more, std::back_inserter(all));
  return all;
}

/// A port is in a group by several alias GUIDs.
std::vector<Guid> ascending(std::vector<Guid> guids) {
  std::ranges::sort(guids);
  guids.erase(std::unique(guids.begin(), guids.end()), guids.end());
  return guids;
}

/// Groups with one MLID have one tree. A port that receives in one of them receives.
void add_members(chains::JoinedGroup& to, const chains::JoinedGroup& from) {
  to.members = both(to.members, from.members);
  std::vector<Guid> senders;
  std::ranges::set_difference(both(to.senders, from.senders), to.members, std::back_inserter(senders));
  to.senders = std::move(senders);
}

bool is_empty(const Group& group) {
  return std::ranges::none_of(
      group.members, [](const GroupMember& member) { return (member.join_state & kKeepsGroup) != 0; });
}

}  // namespace

const GroupMember* Group::member(Guid port) const {
  const auto at = std::ranges::lower_bound(members, port, {}, &GroupMember::port);
  return at == members.end() || at->port != port ? nullptr : &*at;
}

bool Group::has(Guid port) const {
  return std::ranges::any_of(members, [port](const GroupMember& member) { return member.at == port; });
}

void MulticastGroups::follow(const Snapshot& snapshot) {
  add_planned(snapshot);
  drop_vanished(snapshot.fabric());
  list_mlids();
}

/// Groups of partitions that are gone stay while somebody has joined them.
void MulticastGroups::add_planned(const Snapshot& snapshot) {
  for (auto& [mgid, group] : groups_) group.planned = false;
  if (snapshot.plan.options.multicast.disable_multicast) return;
  for (const auto& planned : policy::partitions::planned_mlids(*snapshot.partitions)) {
    Group group = planned_group(planned, snapshot.plan.options.ports.subnet_timeout);
    const auto [at, is_new] = groups_.try_emplace(group.mgid);
    if (is_new) events_.push_back(event_of(group, GroupEvent::What::created));
    Group& mine = at->second;
    group.members = std::move(mine.members);
    mine = std::move(group);
  }
}

void MulticastGroups::drop_vanished(const fabric::Fabric& fabric) {
  for (auto& [mgid, group] : groups_) {
    const auto gone = std::erase_if(group.members, [&, &group = group](const GroupMember& member) {
      if (fabric.find_port(member.at)) return false;
      const GroupMember left{.port = member.port, .proxy = member.proxy, .at = member.at};
      note(group, left);
      tell(group, left, GroupEvent::What::left);
      return true;
    });
    if (gone > 0 && !group.planned) ++version_;
  }
  std::erase_if(groups_, [&](const auto& entry) {
    if (entry.second.planned || !is_empty(entry.second)) return false;
    ++version_;
    events_.push_back(event_of(entry.second, GroupEvent::What::deleted));
    return true;
  });
}

void MulticastGroups::list_mlids() {
  taken_.clear();
  for (const auto& [mgid, group] : groups_) taken_.push_back(group.mlid);
  std::ranges::sort(taken_);
}

const Group* MulticastGroups::find(const Gid& mgid) const {
  const auto at = groups_.find(mgid);
  return at == groups_.end() ? nullptr : &at->second;
}

std::size_t MulticastGroups::memberships(Guid port) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(groups_, [&](const auto& entry) { return entry.second.has(port); }));
}

/// MLIDs of groups that hosts joined under another subnet manager (Plan::joined) are still in use.
const Group* MulticastGroups::create(const Snapshot& snapshot, GroupTraits traits) {
  const Lid last = last_mlid(snapshot.fabric());
  const auto is_free = [&](Lid mlid) {
    return !std::ranges::binary_search(taken_, mlid) &&
           (std::ranges::binary_search(given_, mlid) ||
            !std::ranges::binary_search(snapshot.plan.joined, mlid));
  };
  const std::optional<Lid> shared = traits.mlid == kUnassignedLid
                                        ? mlid_to_share(traits, snapshot.plan.options.administration)
                                        : std::nullopt;
  if (shared) {
    traits.mlid = *shared;
  } else if (traits.mlid == kUnassignedLid) {
    traits.mlid = fabric::kFirstMulticastLid;
    while (traits.mlid <= last && !is_free(traits.mlid)) ++traits.mlid.value;
  }
  if (traits.mlid < fabric::kFirstMulticastLid || traits.mlid > last || (!shared && !is_free(traits.mlid)))
    return nullptr;
  Group& group = groups_[traits.mgid];
  static_cast<GroupTraits&>(group) = traits;
  events_.push_back(event_of(group, GroupEvent::What::created));
  list_mlids();
  if (!std::ranges::binary_search(given_, traits.mlid))
    given_.insert(std::ranges::upper_bound(given_, traits.mlid), traits.mlid);
  return &group;
}

/// That of a group of the same partition, scope and SL which the options let share one. Adapters tell groups
/// with one MLID apart by their MGID. A tree is proven for one SL.
std::optional<Lid> MulticastGroups::mlid_to_share(const GroupTraits& traits,
                                                  const policy::AdministrationOptions& options) const {
  const std::optional<std::uint32_t> mask = mask_of_sharing(traits.mgid, options);
  if (!mask) return std::nullopt;
  Gid first = traits.mgid;
  std::fill(first.begin() + kSharedPrefix, first.end(), std::uint8_t{0});
  for (auto at = groups_.lower_bound(first);
       at != groups_.end() && std::equal(first.begin(), first.begin() + kSharedPrefix, at->first.begin());
       ++at) {
    const Group& group = at->second;
    const bool differs = ((last_bits(at->first) ^ last_bits(traits.mgid)) & *mask) != 0;
    if (!differs && !group.planned && group.sl == traits.sl) return group.mlid;
  }
  return std::nullopt;
}

std::uint8_t MulticastGroups::join(const Gid& mgid, const GroupMember& who) {
  Group& group = groups_.at(mgid);
  auto at = position(group.members, who.port);
  if (at == group.members.end() || at->port != who.port)
    at = group.members.insert(at, {.port = who.port, .proxy = who.proxy, .at = who.at});
  const GroupMember before = *at;
  at->join_state |= who.join_state;
  if (!group.planned && (before.join_state == 0 || receives(before) != receives(*at))) ++version_;
  note(group, *at);
  if (before.join_state != at->join_state) tell(group, *at, GroupEvent::What::joined);
  return at->join_state;
}

std::uint8_t MulticastGroups::leave(const Gid& mgid, Guid port, std::uint8_t bits) {
  Group& group = groups_.at(mgid);
  const auto at = position(group.members, port);
  const auto left = static_cast<std::uint8_t>(at->join_state & ~bits);
  const bool received = receives(*at);
  at->join_state = left;
  note(group, *at);
  tell(group, *at, GroupEvent::What::left);
  if (!group.planned && left != 0 && received != receives(*at)) ++version_;
  if (left == 0) {
    group.members.erase(at);
    if (!group.planned) ++version_;
  }
  if (!group.planned && is_empty(group)) {
    ++version_;
    events_.push_back(event_of(group, GroupEvent::What::deleted));
    groups_.erase(mgid);
    list_mlids();
  }
  return left;
}

void MulticastGroups::note(const Group& group, const GroupMember& member) {
  changes_.push_back(membership(group, member));
}

void MulticastGroups::tell(const Group& group, const GroupMember& member, GroupEvent::What what) {
  GroupEvent event = event_of(group, what);
  event.port = member.port;
  event.join_state = member.join_state;
  events_.push_back(event);
}

void MulticastGroups::list(std::vector<JournalRecord>& out) const {
  for (const auto& [mgid, group] : groups_)
    for (const GroupMember& member : group.members) out.push_back(membership(group, member));
}

void MulticastGroups::restore(std::span<const JournalRecord> records) {
  groups_.clear();
  changes_.clear();
  events_.clear();
  for (const JournalRecord& record : records)
    if (record.attribute == Attribute::mc_member_record && record.record.size() == mc_member::kSize)
      restore(record);
  std::erase_if(groups_, [](const auto& entry) { return is_empty(entry.second); });
  list_mlids();
  given_ = taken_;
  ++version_;
}

void MulticastGroups::restore(const JournalRecord& record) {
  const GroupTraits traits = traits_of(record.record);
  if (!is_multicast(traits.mgid) || traits.mlid < fabric::kFirstMulticastLid) return;
  Group& group = groups_[traits.mgid];
  static_cast<GroupTraits&>(group) = traits;
  const Guid alias = guid_of(read_gid(std::span(record.record).subspan(mc_member::kPortGid)));
  const Guid port = alias == Guid{} ? record.port : alias;
  auto at = position(group.members, port);
  const bool had = at != group.members.end() && at->port == port;
  if (record.gone) {
    if (had) group.members.erase(at);
    return;
  }
  if (!had) at = group.members.insert(at, GroupMember{.port = port});
  at->at = record.port;
  at->join_state = static_cast<std::uint8_t>(get(record.record, mc_member::kJoinState));
  at->proxy = get(record.record, mc_member::kProxyJoin) != 0;
}

chains::JoinedGroups MulticastGroups::joined() const {
  chains::JoinedGroups joined{.groups = {}, .given = given_};
  for (const auto& [mgid, group] : groups_) {
    if (group.planned) continue;
    chains::JoinedGroup& out = joined.groups.emplace_back(chains::JoinedGroup{group.mlid, group.sl, {}});
    std::vector<Guid> receivers, senders;
    for (const GroupMember& member : group.members)
      (receives(member) ? receivers : senders).push_back(member.at);
    add_members(out, {out.mlid, out.sl, ascending(std::move(receivers)), ascending(std::move(senders))});
  }
  std::ranges::stable_sort(joined.groups, {}, &chains::JoinedGroup::mlid);
  std::vector<chains::JoinedGroup> by_mlid;
  for (chains::JoinedGroup& group : joined.groups) {
    if (!by_mlid.empty() && by_mlid.back().mlid == group.mlid)
      add_members(by_mlid.back(), group);
    else
      by_mlid.push_back(std::move(group));
  }
  joined.groups = std::move(by_mlid);
  return joined;
}

/// FF, transient with the scope, signature A01B, the subnet prefix, a number (IBA 15.2.5).
std::optional<Gid> MulticastGroups::unused_mgid(std::uint64_t prefix, std::uint8_t scope) {
  constexpr unsigned kTries = 1U << 16;
  for (unsigned i = 0; i < kTries; ++i) {
    Gid mgid{0xFF, static_cast<std::uint8_t>(0x10U | scope), 0xA0, 0x1B};
    hw::set(mgid, {4, 0, 64}, prefix);
    hw::set(mgid, {12, 0, 32}, ++last_unique_);
    if (!groups_.contains(mgid)) return mgid;
  }
  return std::nullopt;
}

}  // namespace rch::sa

#include "sa/group_path.h"

#include "fabric/multicast.h"
#include "sa/partition.h"
#include "sa/path_record.h"
#include "sa/path_terms.h"

namespace rch::sa {
namespace {

Gid asked_gid(const Query& query) { return read_gid(query.record.subspan(path_record::kDgid, sizeof(Gid))); }
Lid asked_lid(const Query& query) {
  return Lid(static_cast<std::uint16_t>(get(query.record, path_record::kDlid)));
}

/// GID and LID must name the same group.
const Group* find_group(const MulticastGroups& groups, const Query& query) {
  const bool by_lid = query.has(path_record::kDlidComponent);
  if (query.has(path_record::kDgidComponent)) {
    const Group* group = groups.find(asked_gid(query));
    return group != nullptr && by_lid && group->mlid != asked_lid(query) ? nullptr : group;
  }
  for (const auto& [mgid, group] : groups.all())
    if (group.mlid == asked_lid(query)) return &group;
  return nullptr;
}

/// 0 in the scope of a link, else as far as it may go.
std::uint8_t hop_limit(const Group& group) {
  constexpr std::uint8_t kLinkLocalScope = 2, kUnlimited = 255;
  return group.scope() == kLinkLocalScope ? std::uint8_t{0} : kUnlimited;
}

/// What is asked must be what the group has: its traits are not lowered for one path.
bool fits(const Query& query, const PathWish& wish, const Group& group) {
  const auto same = [](const auto& asked, auto value) { return !asked || *asked == value; };
  const auto meets = [](const auto& asked, std::uint8_t value, auto meet) {
    return !asked || meet(value, *asked) == value;
  };
  const MaskedField& hops = path_record::kHopLimit;
  return !wish.reversible && (!wish.pkey || ((*wish.pkey ^ group.pkey) & kBasePKey) == 0) &&
         same(wish.sl, group.sl) && same(wish.flow_label, group.flow_label) &&
         same(wish.traffic_class, group.traffic_class) &&
         (!query.has(hops.number) || get(query.record, hops.field) == hop_limit(group)) &&
         meets(wish.mtu, group.mtu, meet_mtu) && meets(wish.rate, group.rate, meet_rate) &&
         meets(wish.life, group.life, meet_life);
}

/// A group of a partition that the requester is not in is not seen (IBA 15.2.5).
bool may_see_group(const Snapshot& snapshot, const Requester& requester, const Group& group) {
  return requester.trusted || holds_pkey(snapshot, partition_port(snapshot, requester.port), group.pkey);
}

Read<std::vector<PathEnd>> read_source(const Snapshot& snapshot, const Requester& requester,
                                       const Query& query) {
  if (query.has(path_record::kSgidComponent) || query.has(path_record::kSlidComponent))
    return read_sources(snapshot, requester, query);
  return std::vector{PathEnd{requester.port, {}}};
}

Answer one_path(const Snapshot& snapshot, PathEnd source, const Group& group, const PathWish& wish) {
  const fabric::Port& port = snapshot.fabric().port(source.port);
  Answer answer{.record_size = path_record::kSize};
  append_path({.source = make_gid(snapshot.prefix(), source.alias.value_or(port.guid)),
               .destination = group.mgid,
               .slid = source.lid == kUnassignedLid ? port.lid : source.lid,
               .dlid = group.mlid,
               .pkey = group.pkey,
               .sl = group.sl,
               .mtu = group.mtu,
               .rate = group.rate,
               .life = group.life,
               .hop_limit = hop_limit(group),
               .traffic_class = group.traffic_class,
               .flow_label = group.flow_label},
              wish, answer.records);
  return answer;
}

}  // namespace

bool leads_to_group(const Query& query) {
  if (query.attribute != Attribute::path_record ||
      (query.method != Method::get && query.method != Method::get_table))
    return false;
  if (query.has(path_record::kDgidComponent)) return is_multicast(asked_gid(query));
  return query.has(path_record::kDlidComponent) && asked_lid(query) >= fabric::kFirstMulticastLid &&
         asked_lid(query) <= fabric::kLastMulticastLid;
}

Answer answer_group_path(const MulticastGroups& groups, const Snapshot& snapshot, const Requester& requester,
                         const Query& query) {
  const auto wish = read_wish(query, path_record::kFields);
  if (!wish) return {.status = wish.error()};
  const auto sources = read_source(snapshot, requester, query);
  if (!sources) return {.status = sources.error()};
  const Group* group = find_group(groups, query);
  const bool found = group != nullptr && !sources->empty() && may_see_group(snapshot, requester, *group) &&
                     fits(query, *wish, *group) &&
                     group->has(snapshot.fabric().port(sources->front().port).guid);
  if (found) return one_path(snapshot, sources->front(), *group, *wish);
  if (query.method == Method::get) return {.status = Status::no_records};
  return {.record_size = path_record::kSize};
}

}  // namespace rch::sa

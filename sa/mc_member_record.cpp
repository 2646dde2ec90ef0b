#include "sa/mc_member_record.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sa/alias_guids.h"
#include "sa/group_record.h"
#include "sa/mc_member_fields.h"
#include "sa/partition.h"
#include "sa/rates.h"

namespace rch::sa {
namespace {

namespace mc = mc_member;

constexpr std::uint8_t kLinkLocalScope = 2;

constexpr auto invalid() { return tl::unexpected(Status::request_invalid); }

/// A request with the fields that its mask selects.
class Fields {
 public:
  explicit Fields(const Query& query) : query_(query) {}

  const Query& query() const { return query_; }
  bool has(mc::Component component) const { return query_.has(component); }
  template <class T>
  std::optional<T> value(mc::Component component, hw::Field field) const {
    return has(component) ? std::optional(static_cast<T>(get(query_.record, field))) : std::nullopt;
  }
  /// Selector and value count together only.
  std::optional<Selected> asked(mc::Component selector, hw::Field selector_field,
                                hw::Field value_field) const {
    if (!query_.has(selector) || !query_.has(selector + 1U)) return std::nullopt;
    return Selected{static_cast<Selector>(get(query_.record, selector_field)),
                    static_cast<std::uint8_t>(get(query_.record, value_field))};
  }
  std::optional<Selected> mtu() const { return asked(mc::mtu_selector, mc::kMtuSelector, mc::kMtu); }
  std::optional<Selected> rate() const { return asked(mc::rate_selector, mc::kRateSelector, mc::kRate); }
  std::optional<Selected> life() const { return asked(mc::life_selector, mc::kLifeSelector, mc::kLife); }
  std::optional<std::uint32_t> flow_label() const {
    if (!has(mc::flow_label)) return std::nullopt;
    return static_cast<std::uint32_t>(get(query_.record, mc::kFlowLabelHigh) << 16 |
                                      get(query_.record, mc::kFlowLabelLow));
  }
  Gid mgid() const { return read_gid(query_.record.subspan(mc::kMgid, sizeof(Gid))); }
  Gid port_gid() const { return read_gid(query_.record.subspan(mc::kPortGid, sizeof(Gid))); }
  std::uint8_t join_state() const { return static_cast<std::uint8_t>(get(query_.record, mc::kJoinState)); }

 private:
  const Query& query_;
};

/// The port that joins or leaves.
struct Joiner {
  PortId port;
  Guid guid;
  Gid gid;             ///< as the request has it
  bool proxy = false;  ///< another port asks for it
};

Read<Joiner> read_joiner(const Snapshot& snapshot, const Requester& requester, const Fields& fields) {
  const Gid gid = fields.port_gid();
  const std::uint64_t prefix = prefix_of(gid);
  if (prefix != snapshot.prefix() && prefix != kLinkLocalPrefix) return tl::unexpected(Status::invalid_gid);
  const auto port = find_port(snapshot, fields.query(), guid_of(gid));
  if (!port || !snapshot.is_end_port(*port)) return invalid();
  const fabric::Node& node = snapshot.fabric().node(snapshot.fabric().port(*port).node);
  if (node.type == fabric::NodeType::sw && !node.enhanced_port0) return invalid();
  const bool proxy = *port != requester.port;
  if (proxy && !requester.trusted && !common_pkey(snapshot, requester.port, *port)) return invalid();
  return Joiner{*port, guid_of(gid), gid, proxy};
}

/// Who changes a membership: the port itself, or for one that was made by proxy whoever is in the partition.
bool may_change(const Snapshot& snapshot, const Requester& requester, const Group& group,
                const GroupMember& member, const Joiner& joiner) {
  if (requester.trusted || !joiner.proxy) return true;
  return member.proxy && holds_pkey(snapshot, requester.port, group.pkey);
}

/// True if a value of a group is what is asked. `rank` puts codes in order.
template <class Rank>
bool is_met(std::uint8_t value, const std::optional<Selected>& asked, Rank rank) {
  if (!asked) return true;
  switch (asked->selector) {
    case Selector::greater:
      return rank(value) > rank(asked->value);
    case Selector::less:
      return rank(value) < rank(asked->value);
    case Selector::exactly:
      return value == asked->value;
    case Selector::best:
      break;
  }
  return true;
}
std::uint8_t as_is(std::uint8_t code) { return code; }

/// A request that is refused.
constexpr std::uint8_t kHighestSl = 15;

struct Refusal {
  Status status;
  std::string why;
};

tl::unexpected<Refusal> refuse_join(std::string why, Status status = Status::request_invalid) {
  return tl::unexpected(Refusal{status, std::move(why)});
}

std::string mtu_text(std::uint8_t code) { return std::to_string(128U << code); }

/// `override_create_mcg_sl`
bool overrides_sl(const Snapshot& snapshot) {
  return snapshot.plan.options.administration.new_group_sl <= kHighestSl;
}

/// Fields that must be those of the group where they are selected.
bool fits(const Fields& fields, const GroupTraits& group, bool compares_sl = true) {
  const auto same = [](const auto& asked, auto value) { return !asked || *asked == value; };
  const auto pkey = fields.value<std::uint16_t>(mc::pkey, mc::kPKey);
  return (!pkey || (*pkey & kBasePKey) == (group.pkey & kBasePKey)) &&
         same(fields.value<std::uint32_t>(mc::q_key, mc::kQKey), group.q_key) &&
         same(fields.value<std::uint8_t>(mc::traffic_class, mc::kTrafficClass), group.traffic_class) &&
         (!compares_sl || same(fields.value<std::uint8_t>(mc::sl, mc::kSl), group.sl)) &&
         same(fields.flow_label(), group.flow_label) &&
         same(fields.value<std::uint8_t>(mc::hop_limit, mc::kHopLimit), group.hop_limit);
}

bool fits_links(const Fields& fields, const GroupTraits& group) {
  return is_met(group.mtu, fields.mtu(), as_is) && is_met(group.rate, fields.rate(), rate_rank) &&
         is_met(group.life, fields.life(), as_is);
}

/// 9.1, "Join existing": why the port must not; empty: it may. Without `mcgroup_join_validation` it counts
/// alone what the port may do and can.
std::string objection_to_join(const Snapshot& snapshot, const Fields& fields, const Group& group,
                              PortId port) {
  const LinkTraits& link = snapshot.links[port.index()].traits;
  const bool checks = snapshot.plan.options.administration.check_joins;
  if (!holds_pkey(snapshot, port, group.pkey))
    return fmt::format("it does not have the P_Key 0x{:04x} of the group", group.pkey);
  if (link.mtu != 0 && group.mtu > link.mtu)
    return fmt::format("the group has an MTU of {}, its link one of {}", mtu_text(group.mtu),
                       mtu_text(link.mtu));
  if (link.rate != 0 && rate_rank(group.rate) > rate_rank(link.rate))
    return fmt::format("the group has a rate of {}, its link one of {}", rate_text(group.rate),
                       rate_text(link.rate));
  if (checks && !fits(fields, group, !overrides_sl(snapshot)))
    return "it asks for another P_Key, Q_Key, SL, traffic class, flow label or hop limit than the group has";
  if (checks && !fits_links(fields, group))
    return "it asks for another MTU, rate or packet life than the group has";
  return "";
}

bool is_ip(const Gid& mgid) { return (mgid[2] == 0x40 || mgid[2] == 0x60) && mgid[3] == 0x1B; }

/// ff1S:401b:PKEY::ffff:ffff, by which the other IP groups of a partition go.
Gid broadcast_of(const Gid& mgid) {
  return {0xFF,    static_cast<std::uint8_t>(0x10 | (mgid[1] & 0x0F)),
          0x40,    0x1B,
          mgid[4], mgid[5],
          0,       0,
          0,       0,
          0,       0,
          0xFF,    0xFF,
          0xFF,    0xFF};
}

/// 9.1, "MGID given".
bool is_good_mgid(const Gid& mgid, const Fields& fields, const MulticastGroups& groups, bool check_ip) {
  if (mgid[0] != 0xFF || (mgid[1] & 0xE0) != 0) return false;
  if (is_ip(mgid)) {
    if (!check_ip) return true;
    const Gid broadcast = broadcast_of(mgid);
    if (mgid == broadcast) return true;
    const Group* group = groups.find(broadcast);
    return group != nullptr && fits(fields, *group);
  }
  const bool ours = mgid[2] == 0xA0 && mgid[3] == 0x1B;
  return !ours || (mgid[1] & 0x0F) != kLinkLocalScope;
}

/// Packet life of a new group; `usual` where nothing else is asked.
std::optional<std::uint8_t> life_of(std::uint8_t usual, const std::optional<Selected>& asked) {
  constexpr std::uint8_t kLongest = 63;
  if (!asked || asked->selector == Selector::best) return usual;
  if (asked->selector == Selector::exactly) return asked->value;
  if (asked->selector == Selector::less) return meet_life(usual, *asked);
  if (asked->value == kLongest) return std::nullopt;
  return std::max<std::uint8_t>(usual, asked->value + 1);
}

/// An SL that the port maps to the VL of management cannot be met (o15-0.1.8).
bool has_data_vl(const Snapshot& snapshot, PortId port, std::uint8_t sl) {
  constexpr std::uint8_t kManagementVl = 15;
  const fabric::Sl2VlTables& tables = snapshot.plan.tables->sl2vl;
  return (tables.empty() ? fabric::kIdentitySl2Vl : tables.end_port(port))[sl] != kManagementVl;
}

/// 9.1, "MGID unknown".
tl::expected<GroupTraits, Refusal> new_group(MulticastGroups& groups, const Snapshot& snapshot,
                                             const Fields& fields, const Joiner& joiner) {
  for (const mc::Component needed : {mc::q_key, mc::traffic_class, mc::pkey, mc::flow_label, mc::sl})
    if (!fields.has(needed))
      return refuse_join("there is no such group, and its request does not say what one that it makes has",
                         Status::insufficient_components);
  GroupTraits traits;
  traits.mgid = fields.mgid();
  traits.q_key = *fields.value<std::uint32_t>(mc::q_key, mc::kQKey);
  traits.pkey = *fields.value<std::uint16_t>(mc::pkey, mc::kPKey);
  traits.traffic_class = *fields.value<std::uint8_t>(mc::traffic_class, mc::kTrafficClass);
  traits.sl = overrides_sl(snapshot) ? snapshot.plan.options.administration.new_group_sl
                                     : *fields.value<std::uint8_t>(mc::sl, mc::kSl);
  traits.flow_label = *fields.flow_label();
  traits.mlid = Lid(fields.value<std::uint16_t>(mc::mlid, mc::kMlid).value_or(0));
  if ((fields.join_state() & kKeepsGroup) == 0)
    return refuse_join("there is no such group, and one that only sends does not make it");
  if (!holds_pkey(snapshot, joiner.port, traits.pkey))
    return refuse_join(fmt::format("it does not have the P_Key 0x{:04x} of the group", traits.pkey));
  if (!has_data_vl(snapshot, joiner.port, traits.sl))
    return refuse_join(fmt::format("SL {} has no VL for data at this port", traits.sl));
  if (traits.mgid == Gid{}) {
    const auto scope = fields.value<std::uint8_t>(mc::scope, mc::kScope).value_or(kLinkLocalScope);
    const auto mgid = groups.unused_mgid(snapshot.prefix(), scope);
    if (!mgid) return refuse_join("all MGIDs are taken", Status::no_resources);
    traits.mgid = *mgid;
  } else if (!is_good_mgid(traits.mgid, fields, groups,
                           snapshot.plan.options.administration.check_ip_groups)) {
    return refuse_join("nobody may make a group with this MGID");
  }
  constexpr std::uint8_t kUnlimited = 255;
  traits.hop_limit = fields.value<std::uint8_t>(mc::hop_limit, mc::kHopLimit)
                         .value_or(traits.scope() == kLinkLocalScope ? std::uint8_t{0} : kUnlimited);
  const LinkTraits& link = snapshot.links[joiner.port.index()].traits;
  const auto mtu = meet_mtu(link.mtu, fields.mtu().value_or(Selected{}));
  const auto rate = meet_rate(link.rate, fields.rate().value_or(Selected{}));
  const auto life = life_of(snapshot.plan.options.ports.subnet_timeout, fields.life());
  if (!mtu || !rate || !life)
    return refuse_join("its link cannot meet the MTU, rate or packet life asked for");
  traits.mtu = *mtu;
  traits.rate = *rate;
  traits.life = *life;
  return traits;
}

void append(const GroupTraits& group, const Gid& port, std::uint8_t join_state, bool proxy,
            std::vector<std::uint8_t>& records) {
  const GroupRecord record = group_record(group, port, join_state, proxy);
  records.insert(records.end(), record.begin(), record.end());
}

Answer one_record(const GroupTraits& group, const Gid& port, std::uint8_t join_state, bool proxy) {
  Answer answer{.record_size = mc::kSize};
  append(group, port, join_state, proxy, answer.records);
  return answer;
}

/// What Set and Delete have in common.
Read<Joiner> read_change(const Snapshot& snapshot, const Requester& requester, const Fields& fields) {
  if (!fields.has(mc::mgid) || !fields.has(mc::port_gid) || !fields.has(mc::join_state))
    return tl::unexpected(Status::insufficient_components);
  const auto mtu = fields.value<std::uint8_t>(mc::mtu, mc::kMtu);
  const auto rate = fields.value<std::uint8_t>(mc::rate, mc::kRate);
  if ((mtu && (*mtu < kLowestMtu || *mtu > kHighestMtu)) || (rate && rate_rank(*rate) == 0)) return invalid();
  if (fields.join_state() == 0) return invalid();
  return read_joiner(snapshot, requester, fields);
}

Answer join(MulticastGroups& groups, const Snapshot& snapshot, const Requester& requester,
            const Fields& fields) {
  const auto refused = [](Status status, std::string why) {
    return Answer{.status = status, .why = std::move(why)};
  };
  if (snapshot.plan.options.multicast.disable_multicast)
    return refused(Status::request_denied, "`disable_multicast` is set");
  const auto joiner = read_change(snapshot, requester, fields);
  if (!joiner)
    return refused(joiner.error(), joiner.error() == Status::insufficient_components
                                       ? "its request does not select MGID, PortGID and JoinState"
                                       : "its request names no port that may join, or no valid MTU, rate or "
                                         "JoinState");
  const Group* group = groups.find(fields.mgid());
  if (group == nullptr) {
    auto traits = new_group(groups, snapshot, fields, *joiner);
    if (!traits) return refused(traits.error().status, std::move(traits.error().why));
    group = groups.create(snapshot, *traits);
    if (group == nullptr) return refused(Status::no_resources, "all multicast LIDs are taken");
  } else if (std::string why = objection_to_join(snapshot, fields, *group, joiner->port); !why.empty()) {
    return refused(Status::request_invalid, std::move(why));
  }
  const GroupMember* member = group->member(joiner->guid);
  if (member != nullptr && !may_change(snapshot, requester, *group, *member, *joiner))
    return refused(Status::request_invalid, "it is a member by itself, and another port asks for it");
  const bool proxy = member != nullptr ? member->proxy : joiner->proxy;
  const std::uint8_t state = groups.join(group->mgid, {.port = joiner->guid,
                                                       .join_state = fields.join_state(),
                                                       .proxy = proxy,
                                                       .at = snapshot.fabric().port(joiner->port).guid});
  return one_record(*group, joiner->gid, state, proxy);
}

Answer leave(MulticastGroups& groups, const Snapshot& snapshot, const Requester& requester,
             const Fields& fields) {
  const auto joiner = read_change(snapshot, requester, fields);
  if (!joiner) return {.status = joiner.error()};
  const Group* group = groups.find(fields.mgid());
  const GroupMember* member = group == nullptr ? nullptr : group->member(joiner->guid);
  if (member == nullptr || (fields.join_state() & ~member->join_state) != 0 ||
      !may_change(snapshot, requester, *group, *member, *joiner))
    return {.status = Status::request_invalid};
  const GroupTraits traits = *group;
  const bool proxy = member->proxy;
  const std::uint8_t left = groups.leave(traits.mgid, joiner->guid, fields.join_state());
  return one_record(traits, joiner->gid, left, proxy);
}

/// Components that are of the group. MGID and MLID name it, the others narrow.
bool is_asked_for(const Fields& fields, const Group& group) {
  if (fields.has(mc::mgid) && fields.mgid() != group.mgid) return false;
  const auto mlid = fields.value<std::uint16_t>(mc::mlid, mc::kMlid);
  const auto scope = fields.value<std::uint8_t>(mc::scope, mc::kScope);
  return (!mlid || *mlid == group.mlid.value) && (!scope || *scope == group.scope()) && fits(fields, group) &&
         fits_links(fields, group);
}

bool has_join_state(const Fields& fields, std::uint8_t state) {
  const auto asked = fields.value<std::uint8_t>(mc::join_state, mc::kJoinState);
  return !asked || *asked == state;
}

bool has_proxy(const Fields& fields, bool proxy) {
  const auto asked = fields.value<std::uint8_t>(mc::proxy_join, mc::kProxyJoin);
  return !asked || (*asked != 0) == proxy;
}

/// Records of one group (9.3): its members for the trusted and for who names one, else the group itself.
void append_asked(const Snapshot& snapshot, const Requester& requester, const Fields& fields,
                  const Group& group, std::vector<std::uint8_t>& records) {
  if (fields.has(mc::port_gid) || requester.trusted) {
    for (const GroupMember& member : group.members) {
      const Gid gid = make_gid(snapshot.prefix(), member.port);
      if (fields.has(mc::port_gid) && guid_of(fields.port_gid()) != member.port) continue;
      if (has_join_state(fields, member.join_state) && has_proxy(fields, member.proxy))
        append(group, gid, member.join_state, member.proxy, records);
    }
    return;
  }
  std::uint8_t state = 0;
  for (const GroupMember& member : group.members) state |= member.join_state;
  if (has_join_state(fields, state) && has_proxy(fields, false)) append(group, {}, state, false, records);
}

Answer list(const MulticastGroups& groups, const Snapshot& snapshot, const Requester& requester,
            const Query& query, const Fields& fields) {
  Answer answer{.record_size = mc::kSize};
  for (const auto& [mgid, group] : groups.all()) {
    if (!requester.trusted && !holds_pkey(snapshot, requester.port, group.pkey)) continue;
    if (is_asked_for(fields, group)) append_asked(snapshot, requester, fields, group, answer.records);
  }
  if (query.method == Method::get && answer.records.empty()) return {.status = Status::no_records};
  if (query.method == Method::get && answer.records.size() > mc::kSize)
    return {.status = Status::too_many_records};
  return answer;
}

}  // namespace

Answer answer_mc_member(MulticastGroups& groups, const Snapshot& snapshot, const Requester& requester,
                        const Query& query) {
  const Fields fields(query);
  switch (query.method) {
    case Method::get:
    case Method::get_table:
      return list(groups, snapshot, requester, query, fields);
    case Method::set:
      return join(groups, snapshot, requester, fields);
    case Method::remove:
      return leave(groups, snapshot, requester, fields);
    default:
      return {.status = Status::unsupported_method_attribute};
  }
}

}  // namespace rch::sa

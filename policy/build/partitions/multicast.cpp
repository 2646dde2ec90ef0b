#include "policy/build/partitions/multicast.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "policy/lint/rules/partitions.h"

namespace rch::policy::partitions {
namespace {

constexpr std::uint8_t kLinkLocal = 2;
constexpr std::uint16_t kDefaultScopes = 1U << kLinkLocal;

std::uint16_t word(const Mgid& mgid, std::size_t at) {
  return static_cast<std::uint16_t>(mgid[2 * at] << 8 | mgid[2 * at + 1]);
}

/// IPv4 and IPv6 multicast over InfiniBand.
bool is_ip(const Mgid& mgid) { return word(mgid, 1) == 0x401B || word(mgid, 1) == 0x601B; }

std::uint8_t scope_of(const Mgid& mgid) { return mgid[1] & 0x0F; }

Mgid with_scope(Mgid mgid, std::uint8_t scope) {
  mgid[1] = static_cast<std::uint8_t>((mgid[1] & 0xF0) | scope);
  return mgid;
}

/// Whether `a` has three digits: those of `b` but one. `40b` of 401b.
bool lacks_digit(std::uint16_t a, std::uint16_t b) {
  if (a > 0xFFF || a < 0x100) return false;
  for (int digit = 0; digit < 4; ++digit) {
    const unsigned below = (1U << 4 * digit) - 1;
    if (a == ((b & below) | (b >> 4 & ~below))) return true;
  }
  return false;
}

/// Whether two words differ in one hexadecimal digit behind the first (a01b has a meaning of its own), or in
/// two digits that changed places, or whether the first lacks one.
bool nearly(std::uint16_t a, std::uint16_t b) {
  if (lacks_digit(a, b)) return true;
  std::vector<int> differing;
  for (int digit = 0; digit < 4; ++digit)
    if (((a ^ b) >> 4 * digit & 0xF) != 0) differing.push_back(digit);
  const auto at = [](std::uint16_t word, int digit) { return word >> 4 * digit & 0xF; };
  constexpr int kFirst = 3;
  return (differing.size() == 1 && differing[0] != kFirst) ||
         (differing.size() == 2 && at(a, differing[0]) == at(b, differing[1]) &&
          at(a, differing[1]) == at(b, differing[0]));
}

/// `ff12:401c::ffff:ffff`, `ff12:401b::ffff:fff`: the IP group that is meant; empty for all others.
std::string_view meant_ip(const Mgid& mgid) {
  if (word(mgid, 1) != 0x601B && nearly(word(mgid, 1), 0x401B)) return "the signature of IPv4 groups is 401b";
  if (word(mgid, 1) != 0x401B && nearly(word(mgid, 1), 0x601B)) return "the signature of IPv6 groups is 601b";
  const bool first = word(mgid, 6) == 0xFFFF, second = word(mgid, 7) == 0xFFFF;
  const bool broadcast =
      (first && nearly(word(mgid, 7), 0xFFFF)) || (second && nearly(word(mgid, 6), 0xFFFF));
  if (word(mgid, 1) == 0x401B && broadcast) return "the broadcast group ends in ffff:ffff";
  return {};
}

bool same_parameters(const MulticastGroup& a, const MulticastGroup& b) {
  const auto parameters = [](const MulticastGroup& g) {
    return std::tuple(g.mtu, g.rate, g.sl, g.tclass, g.hop_limit, g.q_key, g.flow_label);
  };
  return parameters(a) == parameters(b);
}

/// A flag, and what it has become in a group.
struct Setting {
  FlagKind kind;
  std::uint32_t (*of)(const MulticastGroup&);
};
constexpr Setting kSettings[] = {
    {FlagKind::mtu, [](const MulticastGroup& g) -> std::uint32_t { return g.mtu; }},
    {FlagKind::rate, [](const MulticastGroup& g) -> std::uint32_t { return g.rate; }},
    {FlagKind::sl, [](const MulticastGroup& g) -> std::uint32_t { return g.sl; }},
    {FlagKind::q_key, [](const MulticastGroup& g) { return g.q_key; }},
    {FlagKind::tclass, [](const MulticastGroup& g) -> std::uint32_t { return g.tclass; }},
    {FlagKind::flow_label, [](const MulticastGroup& g) { return g.flow_label; }},
};

void take_default(const OptionFile& main, std::string_view key, std::uint8_t& code) {
  const auto* setting = main.find(key);
  const auto* value = setting == nullptr ? nullptr : std::get_if<std::uint64_t>(&setting->meaning);
  if (value != nullptr && *value != 0) code = static_cast<std::uint8_t>(*value);
}

}  // namespace

GroupDefaults group_defaults(const OptionFile* main) {
  GroupDefaults defaults;
  if (main == nullptr) return defaults;
  take_default(*main, "default_mcg_mtu", defaults.mtu);
  take_default(*main, "default_mcg_rate", defaults.rate);
  return defaults;
}

std::size_t GroupMaker::Hash::operator()(const Mgid& mgid) const noexcept {
  std::uint64_t half[2];
  std::memcpy(half, mgid.data(), sizeof half);
  return (half[0] * 0x9E3779B97F4A7C15 ^ half[1]) * 0x9E3779B97F4A7C15;
}

void GroupMaker::add_broadcast(Partition& partition, const FlagSet& flags) {
  MulticastGroup group = make(flags, flags, syntax_.span(*flags.find(FlagKind::ipoib)));
  if (group.q_key == 0) group.q_key = kIpQKey;
  for (const Flag& flag : flags.all())
    if (flag.kind == FlagKind::scope && flag.value != kLinkLocal)
      report(kBroadcastScope, syntax_.span(flag),
             fmt::format("OpenSM makes no broadcast group of scope {}, but one of scope 2", flag.value));
  const std::uint16_t scopes = flags.scopes() != 0 ? flags.scopes() : kDefaultScopes;
  for (std::uint8_t scope = 0; scope < 16; ++scope) {
    if ((scopes >> scope & 1U) == 0) continue;
    group.mgid = broadcast_mgid(partition.pkey, scope);
    if (const MulticastGroup* first = find(group.mgid))
      check_merged(flags, *first);
    else
      insert(partition, group, scope);
  }
}

void GroupMaker::add(Partition& partition, const parsers::partitions::Group& written,
                     const FlagSet& statement) {
  const FlagSet own(syntax_.flags_of(written.flags));
  MulticastGroup group = make(own, statement, written.span);
  group.mgid = written.address;
  if (const std::string_view meant = meant_ip(group.mgid); !meant.empty())
    report(kNearlyIpGroup, group.span, fmt::format("{} is nearly an IP group", mgid_text(group.mgid))).hint =
        meant;
  if (is_ip(group.mgid) && !accept_ip(partition, group, statement)) return;
  const auto given = static_cast<std::uint16_t>(own.scopes() | statement.scopes());
  const std::uint16_t scopes = given != 0 ? given : kDefaultScopes;
  if (const MulticastGroup* first = find(group.mgid)) {
    Diagnostic& d =
        report(kGroupExists, group.span, fmt::format("the group {} exists already", mgid_text(group.mgid)));
    d.labels.push_back({first->span, "made here"});
    if (same_parameters(group, *first))
      d.severity = Severity::note;  // Red Hat's own file names the broadcast group
    return;
  }
  if ((scopes >> scope_of(group.mgid) & 1U) == 0)
    report(kScopeNibble, group.span,
           fmt::format("the address has scope {}, which `scope` overwrites", scope_of(group.mgid)));
  for (std::uint8_t scope = 0; scope < 16; ++scope) {
    if ((scopes >> scope & 1U) == 0) continue;
    group.mgid = with_scope(group.mgid, scope);
    if (find(group.mgid) == nullptr && accept_scope(partition, group, scope)) insert(partition, group, scope);
  }
}

/// All but address, traffic class and hop limit.
MulticastGroup GroupMaker::make(const FlagSet& flags, const FlagSet& inherited, Span span) const {
  const auto value = [&](FlagKind kind, std::uint32_t otherwise) {
    return flags.value(kind, inherited.value(kind, otherwise));
  };
  MulticastGroup group;
  group.mtu = static_cast<std::uint8_t>(value(FlagKind::mtu, defaults_.mtu));
  group.rate = static_cast<std::uint8_t>(value(FlagKind::rate, defaults_.rate));
  group.sl = qos_ ? static_cast<std::uint8_t>(value(FlagKind::sl, 0)) : 0;
  group.tclass = static_cast<std::uint8_t>(flags.value(FlagKind::tclass, 0));
  group.q_key = value(FlagKind::q_key, 0);
  group.flow_label = value(FlagKind::flow_label, 0);
  group.span = span;
  const Flag* sl =
      flags.find(FlagKind::sl) != nullptr ? flags.find(FlagKind::sl) : inherited.find(FlagKind::sl);
  if (sl != nullptr) group.sl_span = syntax_.span(*sl);
  return group;
}

const MulticastGroup* GroupMaker::find(const Mgid& mgid) const {
  const auto at = known_.find(mgid);
  return at != known_.end() ? &at->second : nullptr;
}

void GroupMaker::insert(Partition& partition, MulticastGroup group, std::uint8_t scope) {
  group.hop_limit = scope == kLinkLocal ? 0 : 255;
  known_.emplace(group.mgid, group);
  partition.groups.push_back(group);
}

void GroupMaker::check_merged(const FlagSet& flags, const MulticastGroup& first) {
  for (const Setting& setting : kSettings) {
    const Flag* flag = flags.find(setting.kind);
    if (flag == nullptr || flag->value == setting.of(first) || (setting.kind == FlagKind::sl && !qos_))
      continue;
    report(kMergedIpoib, syntax_.span(*flag), "the broadcast group exists already and stays as it is")
        .labels.push_back({first.span, "made here"});
    return;
  }
}

/// Fills the P_Key in. False, reported, when the group does not fit the partition.
bool GroupMaker::accept_ip(const Partition& partition, MulticastGroup& group, const FlagSet& statement) {
  const std::uint16_t pkey = partition.pkey.value | kMembershipBit;
  const std::uint16_t seen = word(group.mgid, 2);
  const bool broadcast = group.mgid == broadcast_mgid(kDefaultPKey, kLinkLocal);
  if (!broadcast && seen != 0 && seen != pkey) {
    report(kGroupPKey, group.span,
           fmt::format("the address is one of P_Key {:#06x}, the partition has {:#06x}", seen, pkey));
    return false;
  }
  const std::uint32_t rate = statement.value(FlagKind::rate, defaults_.rate);
  const std::uint32_t mtu = statement.value(FlagKind::mtu, defaults_.mtu);
  if (group.rate != rate || group.mtu != mtu) {
    report(kGroupRate, group.span,
           group.rate != rate ? fmt::format("the group has rate {}, the partition {}", group.rate, rate)
                              : fmt::format("the group has MTU {}, the partition {}", group.mtu, mtu));
    return false;
  }
  group.mgid[4] = static_cast<std::uint8_t>(pkey >> 8);
  group.mgid[5] = static_cast<std::uint8_t>(pkey & 0xFF);
  if (group.q_key == 0) group.q_key = kIpQKey;
  return true;
}

bool GroupMaker::accept_scope(const Partition& partition, const MulticastGroup& group, std::uint8_t scope) {
  if (is_ip(group.mgid)) {
    const Mgid broadcast = broadcast_mgid(partition.pkey, scope);
    if (group.mgid == broadcast || find(broadcast) != nullptr) return true;
    report(kGroupWithoutBroadcast, group.span,
           fmt::format("the partition has no broadcast group {}", mgid_text(broadcast)));
    return false;
  }
  const bool reserved_flags = (group.mgid[1] >> 4 & 0xE) != 0;
  const bool local = word(group.mgid, 1) == 0xA01B && scope == kLinkLocal;
  if (reserved_flags || local)
    report(kReservedMgid, group.span,
           reserved_flags ? fmt::format("{} has reserved flags", mgid_text(group.mgid))
                          : fmt::format("{} is link-local and signed a01b", mgid_text(group.mgid)));
  return !reserved_flags && !local;
}

Diagnostic& GroupMaker::report(const Rule& rule, Span span, std::string message) {
  return report_.next().add(rule, span, std::move(message));
}

}  // namespace rch::policy::partitions

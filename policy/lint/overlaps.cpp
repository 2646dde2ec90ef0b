#include "policy/lint/overlaps.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "policy/lint/rules/partitions.h"

namespace rch::policy::partitions {
namespace {

constexpr std::string_view kMembershipWords[] = {"", "limited", "full", "both"};

std::string_view word_of(Membership membership) {
  return kMembershipWords[static_cast<std::size_t>(membership)];
}

/// One of the members by default, which the file does not have.
bool by_default(const Member& member) { return member.length == 0; }

/// Groups that are not known cannot be told from each other.
bool is_unknown_group(const Member& member) {
  return member.who == Who::group && member.key == GroupId::none().value;
}

/// Whether the port of a subnet manager on a host may be among them.
bool may_be_host(const Member& member) {
  return member.who != Who::all_switches && member.who != Who::all_routers;
}

class Overwritten {
 public:
  Overwritten(const Partitions& partitions, parsers::Bounded& report)
      : partitions_(partitions), report_(report) {}

  void check(const Partition& partition) {
    check_repeated(partition, Who::guid);
    check_repeated(partition, Who::group);
    check_keywords(partition);
  }

 private:
  /// GUIDs, or port groups, that stand twice.
  void check_repeated(const Partition& partition, Who who) {
    places_.clear();
    for (std::uint32_t i = 0; i < partition.members.size(); ++i)
      if (partition.members[i].who == who) places_.emplace_back(partition.members[i].key, i);
    if (!std::is_sorted(places_.begin(), places_.end())) std::sort(places_.begin(), places_.end());
    for (std::size_t i = 1; i < places_.size(); ++i) {
      if (places_[i].first != places_[i - 1].first) continue;
      const Member& before = partition.members[places_[i - 1].second];
      const Member& after = partition.members[places_[i].second];
      if (is_unknown_group(after)) continue;
      if (before.membership == after.membership)
        report_twice(before, after);
      else
        report(before, after);
    }
  }

  /// `ALL` behind anything, other keywords behind themselves.
  void check_keywords(const Partition& partition) {
    constexpr auto kKinds = static_cast<std::size_t>(Who::none);
    std::array<std::array<const Member*, 4>, kKinds> first{};  ///< by kind and membership, since the last ALL
    for (const Member& member : partition.members) {
      if (by_default(member)) continue;
      const auto own = static_cast<std::size_t>(member.who);
      const bool keyword = member.who != Who::guid && member.who != Who::group;
      if (const Member* same = first[own][static_cast<std::size_t>(member.membership)];
          keyword && same != nullptr)
        report_twice(*same, member);
      const Member* overwritten = nullptr;
      for (std::size_t kind = 0; kind < kKinds; ++kind) {
        if (!covers(member.who, static_cast<Who>(kind))) continue;
        for (const Member* before : first[kind])
          if (before != nullptr && before->membership != member.membership &&
              (overwritten == nullptr || before->begin < overwritten->begin))
            overwritten = before;
        first[kind] = {};
      }
      if (overwritten != nullptr) report(*overwritten, member);
      const Member*& place = first[own][static_cast<std::size_t>(member.membership)];
      if (place == nullptr) place = &member;
    }
  }

  /// Ports named by the one keyword are among those of the other.
  static bool covers(Who keyword, Who other) {
    return keyword == Who::all || (keyword == other && keyword != Who::guid && keyword != Who::group);
  }

  /// Changes nothing, but something else was meant.
  void report_twice(const Member& before, const Member& after) {
    Diagnostic& d = report_.next().add(kOverwrittenMember, partitions_.span(after),
                                       "this member stands twice in its partition");
    d.severity = Severity::note;
    d.labels.push_back({partitions_.span(before), "first here"});
  }

  void report(const Member& before, const Member& after) {
    const std::string_view was = word_of(before.membership), is = word_of(after.membership);
    Diagnostic& d = report_.next().add(
        kOverwrittenMember, partitions_.span(after),
        after.who == Who::guid
            ? fmt::format("{} is a {} member above; from here on it is {}", Guid(after.key), was, is)
            : fmt::format("this makes ports {} that are {} members above", is, was));
    d.labels.push_back({partitions_.span(before), "overwritten"});
  }

  const Partitions& partitions_;
  parsers::Bounded& report_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> places_;  ///< GUID or group, and index of the member
};

}  // namespace

void check_overlaps(const Partitions& partitions, parsers::Bounded& report) {
  Overwritten overwritten(partitions, report);
  for (const Partition& partition : partitions.all) overwritten.check(partition);
  for (const SharedIndex0& shared : shared_index0(partitions))
    report.next()
        .add(kSharedIndex0, partitions.span(*shared.second),
             fmt::format("partitions {:#06x} and {:#06x} both want index 0 of a port; this one gets it",
                         shared.first_pkey, shared.second_pkey))
        .labels.push_back({partitions.span(*shared.first), "the other one"});
  if (const Partition* everyone = partitions.find(kDefaultPKey))
    if (const Member* limiting = limits_sm(*everyone))
      report.next()
          .add(kSmNotFull, partitions.span(*limiting),
               limiting == &everyone->members.back()
                   ? "this leaves the subnet manager a limited member of the default partition"
                   : "this leaves the subnet manager of a host a limited member of the default partition")
          .hint = "add `SELF=full` behind it";
}

const Member* limits_sm(const Partition& everyone) {
  const Member* limiting = nullptr;
  for (const Member& member : everyone.members) {
    const bool covers = member.who == Who::all || member.who == Who::all_cas || member.who == Who::self;
    if (covers && member.membership == Membership::limited)
      limiting = &member;
    else if (member.membership != Membership::limited && may_be_host(member))
      limiting = nullptr;  // the port may be among them
  }
  return limiting != nullptr && !by_default(*limiting) ? limiting : nullptr;
}

std::vector<SharedIndex0> shared_index0(const Partitions& partitions) {
  struct Claim {
    const Member* member;
    PKey pkey;

    auto key() const { return std::tuple(member->who != Who::all, member->who, member->key, member->begin); }
  };
  std::vector<Claim> claims;
  for (const Partition& partition : partitions.all)
    for (const Member& member : partition.members)
      if (member.indx0) claims.push_back({&member, partition.pkey});
  std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) { return a.key() < b.key(); });

  std::map<std::pair<PKey, PKey>, SharedIndex0> found;
  const auto add = [&](Claim a, Claim b) {
    if (a.pkey == b.pkey) return;
    if (b.member->begin < a.member->begin) std::swap(a, b);
    found.try_emplace(std::minmax(a.pkey, b.pkey), SharedIndex0{a.member, b.member, a.pkey, b.pkey});
  };
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& first = claims.front();
    if (first.member->who == Who::all) add(first, claims[i]);
    if (i > 0 && claims[i].member->who == claims[i - 1].member->who &&
        claims[i].member->key == claims[i - 1].member->key)
      add(claims[i - 1], claims[i]);
  }
  std::vector<SharedIndex0> shared;
  shared.reserve(found.size());
  for (const auto& [pair, at] : found) shared.push_back(at);
  return shared;
}

}  // namespace rch::policy::partitions

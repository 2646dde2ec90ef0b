#include "policy/lint/shadows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace rch::policy::qos {
namespace {

constexpr std::size_t kRulesCompared = 1000;

/// Who covers something: one rule, or one together with others.
struct Owner {
  std::size_t rule;
  bool together;
};

/// A growing union of ranges. Ranges that touch become one, so that what is covered lies in one of them.
class Cover {
 public:
  void add(const Ranges& ranges, std::size_t rule) {
    for (const auto& [low, high] : ranges.all()) add(low, high, rule);
  }

  /// The owner of a covered set of ranges; nothing if a number of it is uncovered.
  std::optional<Owner> find(const Ranges& ranges) const {
    std::optional<Owner> found;
    for (const auto& [low, high] : ranges.all()) {
      const auto segment = holder(low);
      if (segment == segments_.end() || high > segment->second.high) return std::nullopt;
      const Owner owner = segment->second.owner;
      found =
          found ? Owner{found->rule, found->together || found->rule != owner.rule || owner.together} : owner;
    }
    return found;
  }

 private:
  struct Segment {
    std::uint64_t high;
    Owner owner;
  };
  using Segments = std::map<std::uint64_t, Segment>;  ///< by lowest number

  Segments::const_iterator holder(std::uint64_t number) const {
    const auto after = segments_.upper_bound(number);
    if (after == segments_.begin()) return segments_.end();
    const auto segment = std::prev(after);
    return number <= segment->second.high ? segment : segments_.end();
  }

  void add(std::uint64_t low, std::uint64_t high, std::size_t rule) {
    if (const auto segment = holder(low); segment != segments_.end() && high <= segment->second.high) return;
    std::uint64_t from = low, to = high;
    const std::uint64_t reach = high == std::numeric_limits<std::uint64_t>::max() ? high : high + 1;
    auto next = segments_.upper_bound(low);
    if (next != segments_.begin() && low > 0 && std::prev(next)->second.high >= low - 1) --next;
    while (next != segments_.end() && next->first <= reach) {
      from = std::min(from, next->first);
      to = std::max(to, next->second.high);
      next = segments_.erase(next);
    }
    segments_[from] = {to, {rule, from != low || to != high}};
  }

  Segments segments_;
};

/// A growing union of port groups.
class PortCover {
 public:
  explicit PortCover(const std::vector<PortSet>& groups) : groups_(groups), whole_(groups.size()) {}

  void add(const std::vector<std::size_t>& groups, std::size_t rule) {
    for (const std::size_t g : groups) {
      if (whole_[g]) continue;
      whole_[g] = rule;
      guids_.add(groups_[g].guids, rule);
      pkeys_.add(groups_[g].pkeys, rule);
      names_.insert(groups_[g].names.begin(), groups_[g].names.end());
      types_ |= groups_[g].node_types;
      sm_ = sm_ || groups_[g].sm;
      if (groups_[g].group) unified_.insert(*groups_[g].group);
      if (first_ == kNone) first_ = rule;
    }
  }

  /// The owner of a covered set of groups; nothing if a port of it may be uncovered.
  std::optional<Owner> find(const std::vector<std::size_t>& groups) const {
    if (first_ == kNone) return std::nullopt;
    std::optional<Owner> found;
    for (const std::size_t g : groups) {
      const auto owner = find(g);
      if (!owner) return std::nullopt;
      found = found ? Owner{found->rule, found->together || found->rule != owner->rule || owner->together}
                    : owner;
    }
    return found;
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::optional<Owner> find(std::size_t g) const {
    const PortSet& group = groups_[g];
    if (whole_[g]) return Owner{*whole_[g], false};
    if (types_ == kAllTypes) return Owner{first_, true};
    if ((group.node_types & ~types_) != 0 || (group.sm && !sm_)) return std::nullopt;
    if (group.group && !unified_.contains(*group.group)) return std::nullopt;
    const auto named = [&](const auto& name) { return names_.contains(name); };
    if (!std::all_of(group.names.begin(), group.names.end(), named)) return std::nullopt;
    const bool only_guids = group.names.empty() && group.pkeys.empty() && group.node_types == 0 && !group.sm;
    const auto guids = guids_.find(group.guids), pkeys = pkeys_.find(group.pkeys);
    if ((!group.guids.empty() && !guids) || (!group.pkeys.empty() && !pkeys)) return std::nullopt;
    return only_guids && guids ? *guids : Owner{first_, true};
  }

  const std::vector<PortSet>& groups_;
  std::vector<std::optional<std::size_t>> whole_;  ///< rule that covers the group as such
  Cover guids_, pkeys_;
  std::set<NodePort> names_;
  std::uint8_t types_ = 0;
  bool sm_ = false;
  std::set<GroupId> unified_;
  std::size_t first_ = kNone;
};

/// True if every port of `inner`, on any fabric, is one of `outer`.
bool holds(const PortSet& outer, const PortSet& inner) {
  if (outer.node_types == kAllTypes) return true;
  return (inner.node_types & ~outer.node_types) == 0 && (outer.sm || !inner.sm) &&
         (!inner.group || inner.group == outer.group) && outer.guids.contains(inner.guids) &&
         outer.pkeys.contains(inner.pkeys) &&
         std::includes(outer.names.begin(), outer.names.end(), inner.names.begin(), inner.names.end());
}

enum Criterion : std::size_t { kServiceIds, kQosClasses, kPkeys, kSource, kDestination, kCriteria };

const Ranges& ranges_of(const MatchRule& rule, std::size_t criterion) {
  return criterion == kServiceIds   ? rule.service_ids
         : criterion == kQosClasses ? rule.qos_classes
                                    : rule.pkeys;
}
const std::vector<std::size_t>& groups_of(const MatchRule& rule, std::size_t criterion) {
  return criterion == kSource ? rule.source : rule.destination;
}
bool has(const MatchRule& rule, std::size_t criterion) {
  return criterion < kSource ? !ranges_of(rule, criterion).empty() : !groups_of(rule, criterion).empty();
}

std::vector<std::size_t> criteria_of(const MatchRule& rule) {
  std::vector<std::size_t> criteria;
  for (std::size_t c = 0; c < kCriteria; ++c)
    if (has(rule, c)) criteria.push_back(c);
  return criteria;
}

class Search {
 public:
  explicit Search(const QosPolicy& policy)
      : policy_(policy), source_(policy.groups), destination_(policy.groups) {}

  std::vector<Shadow> run() {
    for (std::size_t rule = 0; rule < policy_.rules.size(); ++rule) {
      if (const auto shadow = find(rule))
        shadows_.push_back(*shadow);
      else
        add(rule);
    }
    return std::move(shadows_);
  }

 private:
  const PortCover& ports(std::size_t criterion) const {
    return criterion == kSource ? source_ : destination_;
  }

  std::optional<Shadow> find(std::size_t index) const {
    const MatchRule& rule = policy_.rules[index];
    if (everything_) return Shadow{index, *everything_, false};
    if (without_ports(rule.source) || without_ports(rule.destination))
      return Shadow{index, std::nullopt, false};
    for (std::size_t c = 0; c < kCriteria; ++c) {
      if (!has(rule, c)) continue;
      const auto owner =
          c < kSource ? covers_[c].find(ranges_of(rule, c)) : ports(c).find(groups_of(rule, c));
      if (owner) return Shadow{index, owner->rule, owner->together};
    }
    return find_among_several(index);
  }

  bool without_ports(const std::vector<std::size_t>& groups) const {
    return !groups.empty() && std::all_of(groups.begin(), groups.end(),
                                          [&](std::size_t g) { return policy_.groups[g].empty(); });
  }

  /// True if rule `outer` asks no more of criterion `c` than `inner` does.
  bool contains(const MatchRule& outer, const MatchRule& inner, std::size_t c) const {
    if (!has(outer, c)) return true;
    if (!has(inner, c)) return false;
    if (c < kSource) return ranges_of(outer, c).contains(ranges_of(inner, c));
    const auto& wide = groups_of(outer, c);
    const auto& narrow = groups_of(inner, c);
    return std::all_of(narrow.begin(), narrow.end(), [&](std::size_t n) {
      return std::any_of(wide.begin(), wide.end(), [&](std::size_t w) {
        return w == n || holds(policy_.groups[w], policy_.groups[n]);
      });
    });
  }

  /// Compares with earlier rules of several criteria: one that contains this one, or several that do so but
  /// for the same list of numbers, which they cover together.
  std::optional<Shadow> find_among_several(std::size_t index) const {
    const MatchRule& rule = policy_.rules[index];
    if (criteria_of(rule).size() < 2) return std::nullopt;
    std::array<Cover, kSource> joint;
    const std::size_t from = several_.size() - std::min(several_.size(), kRulesCompared);
    for (std::size_t i = from; i < several_.size(); ++i) {
      const MatchRule& earlier = policy_.rules[several_[i]];
      std::vector<std::size_t> wider;
      for (std::size_t c = 0; c < kCriteria && wider.size() < 2; ++c)
        if (!contains(earlier, rule, c)) wider.push_back(c);
      if (wider.empty()) return Shadow{index, several_[i], false};
      if (wider.size() > 1 || wider[0] >= kSource || !has(rule, wider[0])) continue;
      Cover& cover = joint[wider[0]];
      cover.add(ranges_of(earlier, wider[0]), several_[i]);
      if (const auto owner = cover.find(ranges_of(rule, wider[0]))) return Shadow{index, owner->rule, true};
    }
    return std::nullopt;
  }

  void add(std::size_t index) {
    const MatchRule& rule = policy_.rules[index];
    const auto criteria = criteria_of(rule);
    if (criteria.empty()) everything_ = index;
    if (criteria.size() > 1) several_.push_back(index);
    if (criteria.size() != 1) return;
    if (criteria[0] < kSource)
      covers_[criteria[0]].add(ranges_of(rule, criteria[0]), index);
    else
      (criteria[0] == kSource ? source_ : destination_).add(groups_of(rule, criteria[0]), index);
  }

  const QosPolicy& policy_;
  std::array<Cover, kSource> covers_;  ///< what rules of this criterion alone take
  PortCover source_, destination_;
  std::vector<std::size_t> several_;  ///< rules of several criteria
  std::optional<std::size_t> everything_;
  std::vector<Shadow> shadows_;
};

}  // namespace

std::vector<Shadow> find_shadows(const QosPolicy& policy) { return Search(policy).run(); }

}  // namespace rch::policy::qos

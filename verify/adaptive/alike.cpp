#include "verify/adaptive/alike.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/parallel.h"
#include "verify/service_levels.h"

namespace rch::verify {
namespace {

constexpr std::size_t kSwitchesAtOnce = 256;

/// Two LIDs of one switch always have the same service levels.
bool sls_go_by_switch(const Context& context) {
  if (are_given(context)) return false;
  const fabric::RoutingTables& tables = context.tables;
  if (!context.options.path_sls || fabric::common_path_sl(tables)) return true;
  return tables.steps.size() <= 1 && (tables.steps.empty() || tables.steps.front().holes.empty());
}

/// Destinations of one switch in classes, which are split as rows of the tables tell members apart.
class Classes {
 public:
  Classes(const Context& context, const Choices& choices, std::span<const Destination> of_switch, bool apart)
      : context_(context), choices_(choices), of_switch_(of_switch) {
    std::map<std::uint32_t, std::size_t> by_column;
    for (std::uint32_t d = 0; d < of_switch.size(); ++d) {
      const std::uint32_t column = context.tables.adaptive.column_of(of_switch[d].lid);
      std::size_t at = classes_.size();
      if (!apart && is_proper(of_switch[d])) at = by_column.try_emplace(column, at).first->second;
      if (at == classes_.size()) classes_.push_back({column, {}});
      classes_[at].members.push_back(d);
    }
  }

  /// Each is in a class of its own.
  bool is_split() const { return classes_.size() == of_switch_.size(); }
  /// Tells members apart by the choices of a switch.
  void split(SwitchId sw) {
    if (is_split() || sw == of_switch_.front().owner.sw) return;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].members.size() > 1) split(sw, c);
  }

  std::vector<AlikeDestinations> take() const {
    std::vector<AlikeDestinations> result;
    for (const Class& of : classes_) {
      AlikeDestinations to;
      for (const std::uint32_t member : of.members) to.members.push_back(of_switch_[member]);
      to.proper = is_proper(to.members.front());
      result.push_back(std::move(to));
    }
    std::ranges::sort(result, {}, &AlikeDestinations::lid);
    return result;
  }

 private:
  struct Class {
    std::uint32_t column;                ///< of AdaptiveTables
    std::vector<std::uint32_t> members;  ///< in of_switch_, ascending
  };

  bool is_proper(const Destination& to) const {
    const SwitchId sw = to.owner.sw;
    return !to.owner.port.is_none() && choices_.group(sw, to.lid) == nullptr &&
           to.handed_over(sw.index(), entry(context_.tables.lfts, sw, to.lid));
  }

  void split(SwitchId sw, std::size_t at) {
    const fabric::ForwardingTables& lfts = context_.tables.lfts;
    const fabric::PortGroup* const group =
        choices_.always_adaptive(sw) ? choices_.group(sw, lid(classes_[at].members.front())) : nullptr;
    // The ports that the switch may choose, as a number: that of the group where the port of the entry is one
    // of it, else the port. Members of a class have the same group.
    const auto choice = [&](std::uint32_t member) {
      constexpr std::uint16_t kGroup = 0x100;
      const std::uint8_t port = entry(lfts, sw, lid(member));
      return group != nullptr && group->ports.contains(port) ? kGroup : std::uint16_t{port};
    };
    const std::uint16_t first = choice(classes_[at].members.front());
    if (std::ranges::all_of(classes_[at].members, [&](std::uint32_t m) { return choice(m) == first; }))
      return;
    std::map<std::uint16_t, std::vector<std::uint32_t>> parts;
    for (const std::uint32_t member : classes_[at].members) parts[choice(member)].push_back(member);
    classes_[at].members = std::move(parts.extract(first).mapped());
    for (auto& [_, members] : parts) classes_.push_back({classes_[at].column, std::move(members)});
  }

  Lid lid(std::uint32_t member) const { return of_switch_[member].lid; }

  const Context& context_;
  const Choices& choices_;
  std::span<const Destination> of_switch_;
  std::vector<Class> classes_;
};

}  // namespace

std::vector<AlikeDestinations> alike(const Context& context, const Choices& choices,
                                     std::span<const Destination> destinations) {
  const bool apart = !sls_go_by_switch(context);
  std::vector<std::span<const Destination>> by_switch;
  for (std::size_t begin = 0, end = 0; begin < destinations.size(); begin = end) {
    while (end < destinations.size() && destinations[end].owner.sw == destinations[begin].owner.sw) ++end;
    by_switch.push_back(destinations.subspan(begin, end - begin));
  }
  std::vector<std::vector<AlikeDestinations>> parts(by_switch.size());
  // Rows are taken one after the other for many switches: a row stays in the cache, a column does not.
  parallel_ranges(by_switch.size(), kSwitchesAtOnce, [&](std::size_t first, std::size_t last) {
    std::vector<Classes> classes;
    for (std::size_t i = first; i < last; ++i) classes.emplace_back(context, choices, by_switch[i], apart);
    std::vector<Classes*> open;
    for (Classes& of_switch : classes)
      if (!of_switch.is_split()) open.push_back(&of_switch);
    for (std::uint32_t s = 0; s < context.fabric.switch_count() && !open.empty(); ++s)
      for (Classes* of_switch : open) of_switch->split(SwitchId(s));
    for (std::size_t i = first; i < last; ++i) parts[i] = classes[i - first].take();
  });
  std::vector<AlikeDestinations> result;
  for (std::vector<AlikeDestinations>& part : parts) std::ranges::move(part, std::back_inserter(result));
  return result;
}

}  // namespace rch::verify

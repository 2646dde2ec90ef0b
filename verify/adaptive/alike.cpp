#include "verify/adaptive/alike.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

#include "base/parallel.h"
#include "verify/service_levels.h"

namespace rch::verify {
namespace {

constexpr std::size_t kSwitchesAtOnce = 64;

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
    const fabric::AdaptiveTables& tables = context.tables.adaptive;
    std::map<std::uint32_t, std::uint32_t> by_column;
    for (std::size_t d = 0; d < of_switch.size(); ++d) {
      const auto fresh = static_cast<std::uint32_t>(first_.size());
      const Destination& to = of_switch[d];
      const std::uint32_t known = apart || !is_proper(to)
                                      ? fresh
                                      : by_column.try_emplace(tables.column_of(to.lid), fresh).first->second;
      class_of_.push_back(known);
      if (known == fresh) first_.push_back(d);
    }
  }

  /// Tells members apart by the choices of a switch.
  void split(SwitchId sw) {
    if (sw == of_switch_.front().owner.sw || first_.size() == of_switch_.size()) return;
    std::unordered_map<std::uint64_t, std::uint32_t> parts;  // by class and distinction
    for (std::size_t d = 0; d < of_switch_.size(); ++d) {
      const std::uint32_t was = class_of_[d];
      if (first_[was] == d) continue;
      const std::uint16_t is = distinction(sw, of_switch_[d].lid);
      if (is == distinction(sw, of_switch_[first_[was]].lid)) continue;
      const auto [part, fresh] =
          parts.try_emplace(std::uint64_t{was} << 16 | is, static_cast<std::uint32_t>(first_.size()));
      if (fresh) first_.push_back(d);
      class_of_[d] = part->second;
    }
  }

  std::vector<AlikeDestinations> take() {
    std::vector<AlikeDestinations> result(first_.size());
    for (std::size_t d = 0; d < of_switch_.size(); ++d) result[class_of_[d]].members.push_back(of_switch_[d]);
    for (AlikeDestinations& to : result) to.proper = is_proper(to.members.front());
    std::ranges::sort(result, {}, &AlikeDestinations::lid);
    return result;
  }

 private:
  bool is_proper(const Destination& to) const {
    const SwitchId sw = to.owner.sw;
    return !to.owner.port.is_none() && choices_.group(sw, to.lid) == nullptr &&
           to.handed_over(sw.index(), entry(context_.tables.lfts, sw, to.lid));
  }

  /// The ports that a switch may choose, as a number: that of the group where the port of the entry is one of
  /// it, else both. Members of a class have the same group.
  std::uint16_t distinction(SwitchId sw, Lid lid) const {
    constexpr std::uint16_t kGroup = 0x100;
    const std::uint8_t port = entry(context_.tables.lfts, sw, lid);
    if (!choices_.always_adaptive(sw)) return port;
    const fabric::PortGroup* const group = choices_.group(sw, lid);
    return group != nullptr && group->ports.contains(port) ? kGroup : port;
  }

  const Context& context_;
  const Choices& choices_;
  std::span<const Destination> of_switch_;
  std::vector<std::uint32_t> class_of_;  ///< by destination
  std::vector<std::size_t> first_;       ///< by class: its first destination
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
    for (std::uint32_t s = 0; s < context.fabric.switch_count(); ++s)
      for (Classes& of_switch : classes) of_switch.split(SwitchId(s));
    for (std::size_t i = first; i < last; ++i) parts[i] = classes[i - first].take();
  });
  std::vector<AlikeDestinations> result;
  for (std::vector<AlikeDestinations>& part : parts) std::ranges::move(part, std::back_inserter(result));
  return result;
}

}  // namespace rch::verify

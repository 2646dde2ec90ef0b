#include "verify/adaptive/choices.h"

#include <algorithm>

namespace rch::verify {
namespace {

/// The switch takes groups for packets of one of the service levels.
bool counts(const fabric::AdaptiveSwitch& sw, SlSet sls) {
  return sw.fast_recovery || (sw.enabled && (sw.sls & sls) != 0);
}

/// Paths of one service level are those of all others, too, and hosts may have any: one that an application
/// or the QoS policy chose. Only groups may tell them apart. Paths of several levels are taken with these
/// alone.
bool may_have_any_sl(const Context& context) {
  return context.options.path_sls && context.options.given == nullptr &&
         fabric::common_path_sl(context.tables);
}

constexpr SlSet kAllSls = 0xFFFF;

bool leads_nowhere(const Exit& exit) {
  return exit.kind == Exit::Kind::no_link || exit.kind == Exit::Kind::no_such_port;
}

}  // namespace

Choices::Choices(const Context& context) : context_(&context), pattern_of_(16) {
  const fabric::AdaptiveTables& tables = context.tables.adaptive;
  const std::size_t switches = context.fabric.switch_count();
  always_.assign(switches, 1);
  const bool any_sl = may_have_any_sl(context);
  for (std::uint8_t sl = 0; sl < 16; ++sl) {
    if (sl != 0 && (context.lanes.used() & sl_bit(sl)) == 0) continue;
    std::vector<std::uint8_t> adaptive(switches);
    for (std::uint32_t s = 0; s < std::min(switches, tables.switch_count()); ++s)
      adaptive[s] = counts(tables.at(SwitchId(s)), any_sl ? kAllSls : sl_bit(sl)) ? 1 : 0;
    for (std::size_t s = 0; s < switches; ++s) always_[s] &= adaptive[s];
    const auto known = std::ranges::find(adaptive_, adaptive);
    pattern_of_[sl] = static_cast<std::uint8_t>(known - adaptive_.begin());
    if (known == adaptive_.end()) adaptive_.push_back(std::move(adaptive));
  }
}

const fabric::PortGroup* Choices::group(SwitchId sw, Lid lid) const {
  const fabric::AdaptiveTables& tables = context_->tables.adaptive;
  const fabric::PortGroup* group = tables.group(sw, lid);
  if (group == nullptr || (group->is_static && !tables.at(sw).fast_recovery)) return nullptr;
  return group;
}

fabric::PortMask Choices::ports(SwitchId sw, Lid lid, std::size_t pattern, std::uint8_t entry) const {
  fabric::PortMask ports;
  ports.insert(entry);
  const fabric::PortGroup* const named = adaptive_[pattern][sw.index()] != 0 ? group(sw, lid) : nullptr;
  if (named == nullptr) return ports;
  ports |= named->ports;
  if (!context_->tables.adaptive.at(sw).fast_recovery) return ports;
  fabric::PortMask leading = ports;
  ports.for_each([&](std::uint8_t port) {
    if (leads_nowhere(context_->wiring.exit(sw.index(), port))) leading.erase(port);
  });
  return leading.empty() ? ports : leading;
}

}  // namespace rch::verify

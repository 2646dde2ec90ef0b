#include "verify/adaptive/choices.h"

#include <algorithm>

namespace rch::verify {
namespace {

bool counts(const fabric::AdaptiveSwitch& sw, std::uint8_t sl) {
  return sw.fast_recovery || (sw.enabled && (sw.sls >> sl & 1U) != 0);
}

bool leads_nowhere(const Exit& exit) {
  return exit.kind == Exit::Kind::no_link || exit.kind == Exit::Kind::no_such_port;
}

}  // namespace

Choices::Choices(const Context& context) : context_(&context), pattern_of_(16) {
  const fabric::AdaptiveTables& tables = context.tables.adaptive;
  const std::size_t switches = context.fabric.switch_count();
  always_.assign(switches, 1);
  for (std::uint8_t sl = 0; sl < 16; ++sl) {
    if (sl != 0 && (context.lanes.used() & sl_bit(sl)) == 0) continue;
    std::vector<std::uint8_t> adaptive(switches);
    for (std::uint32_t s = 0; s < std::min(switches, tables.switch_count()); ++s)
      adaptive[s] = counts(tables.at(SwitchId(s)), sl) ? 1 : 0;
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

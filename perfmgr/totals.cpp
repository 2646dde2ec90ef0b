#include "perfmgr/totals.h"

#include <algorithm>

namespace rch::perfmgr {
namespace {

std::uint64_t maximum(const hw::Field& field) {
  return field.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << field.width) - 1;
}

/// From here on a narrow counter is cleared: a quarter of its range is left, as with OpenSM.
std::uint64_t threshold(const hw::Field& field) {
  return field.width == 4 ? 10 : maximum(field) - maximum(field) / 4;
}

}  // namespace

Totals::Totals(std::vector<Port> ports)
    : ports_(std::move(ports)), cells_(new std::atomic<std::uint64_t>[ports_.size() * kCounterCount]) {
  for (std::size_t c = 0; c < ports_.size() * kCounterCount; ++c)
    cells_[c].store(kUnknown, std::memory_order_relaxed);
}

std::optional<std::size_t> Totals::find(const PortKey& key) const {
  const auto port = std::ranges::lower_bound(ports_, key, {}, &Port::key);
  if (port == ports_.end() || port->key != key) return std::nullopt;
  return static_cast<std::size_t>(port - ports_.begin());
}

Change compare(const LastReading* last, const Reading& now, const Abilities& abilities) {
  Change change;
  const bool comparable = last != nullptr && last->abilities == abilities;
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    if (!now.present[c]) continue;
    const std::uint64_t value = now.values[c];
    const hw::Field* narrow = narrow_field(static_cast<Counter>(c), abilities);
    if (narrow != nullptr && value >= threshold(*narrow)) change.full.set(c);
    if (!comparable || !last->reading.present[c]) continue;
    const std::uint64_t before = last->reading.values[c];
    change.reset[c] = value < before;
    change.risen[c] = value < before ? value : value - before;
    change.saturated[c] = narrow != nullptr && value == maximum(*narrow) && before != value;
  }
  return change;
}

void add(Totals& totals, std::size_t row, const Reading& now, const Change& change) {
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    if (!now.present[c]) continue;
    const auto counter = static_cast<Counter>(c);
    const std::uint64_t before = totals.get(counter, row);
    totals.set(counter, row, before == Totals::kUnknown ? now.values[c] : before + change.risen[c]);
  }
}

}  // namespace rch::perfmgr

#include "sim/counting_port.h"

#include <algorithm>

namespace rch::sim {
namespace {

using perfmgr::CounterRow;

std::uint64_t maximum(const hw::Field& field) { return (std::uint64_t{1} << field.width) - 1; }

}  // namespace

void CountingPort::count(perfmgr::Counter counter, std::uint64_t times) {
  const auto c = static_cast<std::size_t>(counter);
  const CounterRow& row = perfmgr::row_of(counter);
  wide_[c] += times;
  if (row.narrow) narrow_[c] = std::min(narrow_[c] + times, maximum(*row.narrow));
}

void CountingPort::clear(perfmgr::Counter counter) {
  narrow_[static_cast<std::size_t>(counter)] = wide_[static_cast<std::size_t>(counter)] = 0;
}

void CountingPort::write_port_counters(std::span<std::uint8_t> data) const {
  for (std::size_t c = 0; c < perfmgr::kCounterCount; ++c)
    if (const auto& field = perfmgr::counter_rows()[c].narrow) set(data, *field, narrow_[c]);
}

void CountingPort::write_extended(std::span<std::uint8_t> data) const {
  for (std::size_t c = 0; c < perfmgr::kCounterCount; ++c)
    if (const auto& field = perfmgr::counter_rows()[c].wide) set(data, *field, wide_[c]);
}

void CountingPort::take(perfmgr::Data data) {
  const std::uint64_t selected = get(data, perfmgr::port_counters::kCounterSelect) |
                                 get(data, perfmgr::port_counters::kCounterSelect2) << 16U;
  for (std::size_t c = 0; c < perfmgr::kCounterCount; ++c) {
    const CounterRow& row = perfmgr::counter_rows()[c];
    if (row.narrow && (selected >> row.select & 1U) != 0) narrow_[c] = get(data, *row.narrow);
  }
}

}  // namespace rch::sim

#include "chains/balance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rch::chains {
namespace {

std::array<std::uint64_t, 256> entries_by_port(const fabric::Fabric& fabric,
                                               std::span<const std::uint8_t> row) {
  std::array<std::uint64_t, 256> entries{};
  for (const fabric::EndPort& host : fabric.end_ports())
    for (std::size_t lid = host.lid.index(); lid < host.lid.index() + (std::size_t{1} << host.lmc); ++lid)
      ++entries[row[lid]];
  return entries;
}

}  // namespace

Balance balance(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts) {
  Balance result;
  double sum = 0, squares = 0, ports = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const auto entries = entries_by_port(fabric, lfts.row(SwitchId(s)));
    for (const fabric::Neighbor& n : fabric.graph().neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : fabric.graph().links(n)) {
        const std::uint64_t load = entries[link.out.index()];
        if (load == 0) continue;
        result.most = std::max(result.most, load);
        ++ports;
        sum += static_cast<double>(load);
        squares += static_cast<double>(load) * static_cast<double>(load);
      }
  }
  if (ports > 0) result.deviation = std::sqrt(std::max(0.0, squares / ports - sum / ports * (sum / ports)));
  return result;
}

bool is_clearly_better(const Balance& fresh, const Balance& kept) {
  constexpr double kWorth = 0.95;
  if (fresh.most > kept.most || fresh.deviation > kept.deviation) return false;
  return static_cast<double>(fresh.most) <= kWorth * static_cast<double>(kept.most) ||
         fresh.deviation < kWorth * kept.deviation;
}

}  // namespace rch::chains

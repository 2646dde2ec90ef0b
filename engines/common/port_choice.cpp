#include "engines/common/port_choice.h"

#include <algorithm>
#include <span>

#include "base/parallel.h"
#include "engines/common/dealer.h"
#include "engines/common/spreader.h"

namespace rch::engines::common {
namespace {

/// Hosts on the switch itself and its own port 0 need no choice.
void deliver(const DestinationOrder& order, const DestinationGroup& group, std::span<std::uint8_t> row) {
  for (std::uint32_t i = group.begin; i < group.end; ++i) {
    const Destination& d = order.all[i];
    std::fill_n(row.begin() + d.base.value, std::size_t{1} << d.lmc, d.attach.value);
  }
}

/// Row of a switch when every destination has one LID.
template <std::size_t W>
void deal_row(const ChoiceInput& input, SwitchId sw, const Candidates& candidates,
              std::span<std::uint8_t> row) {
  Dealer<W> dealer(candidates.cables());
  const DestinationOrder& order = input.order;
  for (std::size_t g = 0; g < order.groups.size(); ++g) {
    const DestinationGroup& group = order.groups[g];
    if (group.sw == sw) {
      deliver(order, group, row);
      continue;
    }
    if (!dealer.choose_from(candidates.set<W>(group.sw))) continue;
    if (g < order.host_groups || input.count_switch_lids) {
      for (std::uint32_t i = group.begin; i < group.end;)
        for (std::uint8_t port : dealer.deal(group.end - i)) row[order.all[i++].base.index()] = port;
    } else {
      row[order.all[group.begin].base.index()] = dealer.next();
    }
  }
}

/// Row of a switch when some destination has several LIDs: first LID of all destinations, then the second…
void spread_row(const ChoiceInput& input, SwitchId sw, const Candidates& candidates,
                std::span<std::uint8_t> row) {
  Spreader spreader(input, sw, candidates);
  const DestinationOrder& order = input.order;
  for (std::uint32_t bit = 0; bit < 1U << order.max_lmc; ++bit)
    for (std::size_t g = 0; g < order.groups.size(); ++g) {
      const DestinationGroup& group = order.groups[g];
      if (group.sw == sw) {
        deliver(order, group, row);
        continue;
      }
      if (!spreader.aim_at(group.sw)) continue;
      const bool count = g < order.host_groups || input.count_switch_lids;
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        if (bit >> order.all[i].lmc != 0) continue;
        const std::size_t lid = order.all[i].base.index() + bit;
        row[lid] = spreader.choose(i, bit == 0 ? std::uint8_t{0} : row[lid - 1], count);
      }
    }
}

/// Fills the rows of switches [begin, end) of the view, padding included. Rows do not depend on each other.
void fill_rows(const ChoiceInput& input, std::size_t begin, std::size_t end, fabric::ForwardingTables& lfts) {
  Candidates candidates(input.view.graph(), input.rule);
  for (std::size_t s = begin; s < end; ++s) {
    const SwitchId sw(static_cast<std::uint32_t>(s));
    const std::span<std::uint8_t> row = lfts.row(sw);
    std::fill(row.begin(), row.end(), kNoPath);
    candidates.examine(sw);
    if (input.order.max_lmc > 0) {
      spread_row(input, sw, candidates, row);
    } else if (candidates.cables().size() <= 64) {
      deal_row<1>(input, sw, candidates, row);
    } else {
      deal_row<4>(input, sw, candidates, row);
    }
  }
}

}  // namespace

fabric::ForwardingTables choose_ports(const ChoiceInput& input) {
  auto lfts =
      fabric::ForwardingTables::uninitialised(input.view.switch_count(), input.view.fabric().max_lid());
  parallel_ranges(input.view.switch_count(), 4,
                  [&](std::size_t begin, std::size_t end) { fill_rows(input, begin, end, lfts); });
  return lfts;
}

}  // namespace rch::engines::common

#include "verify/entry_rows.h"

#include <algorithm>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"

namespace rch::verify {
namespace {

/// LIDs with entries that a step left to earlier ones.
IdSet<Lid> lids_with_holes(const fabric::RoutingTables& tables) {
  IdSet<Lid> lids(std::size_t{0x10000});
  for (const fabric::RoutedStep& step : tables.steps)
    for (const std::uint64_t hole : step.holes) lids.insert(Lid(static_cast<std::uint16_t>(hole)));
  return lids;
}

/// Neighbours among the destinations of one switch that may have the same entries everywhere else.
struct Pair {
  std::uint32_t second;  ///< destination
  SwitchId owner;
  Lid lids[2];
  bool differ = false;
};

void compare(const fabric::ForwardingTables& lfts, SwitchId sw, std::span<Pair> pairs) {
  const std::span<const std::uint8_t> row = lfts.row(sw);
  for (Pair& pair : pairs) {
    const auto [one, other] = pair.lids;
    const bool whole = std::max(one, other).index() < row.size();
    if (whole ? row[one.index()] != row[other.index()] : entry(lfts, sw, one) != entry(lfts, sw, other))
      pair.differ = true;
  }
}

/// Pairs meet the entries of a row in no order, which memory does not foresee.
void prefetch(std::span<const std::uint8_t> row) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t i = 0; i < row.size(); i += kCacheLine) __builtin_prefetch(row.data() + i);
}

/// By destination: the same entries as the one before it of the same switch, at all other switches.
std::vector<std::uint8_t> same_as_before(const fabric::ForwardingTables& lfts,
                                         std::span<const Destination> destinations) {
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i < destinations.size(); ++i)
    if (const Destination& one = destinations[i - 1], &other = destinations[i];
        one.owner.sw == other.owner.sw)
      pairs.push_back({static_cast<std::uint32_t>(i), one.owner.sw, {one.lid, other.lid}});
  // Each thread keeps those that are equal in all rows that it has seen: mostly none after a few.
  tbb::enumerable_thread_specific<std::vector<Pair>> equal(pairs);
  parallel_ranges(lfts.switch_count(), 64, [&](std::size_t first, std::size_t last) {
    std::vector<Pair>& left = equal.local();
    for (std::size_t s = first; s < last && !left.empty(); ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      if (s + 1 < last) prefetch(lfts.row(SwitchId(sw.value + 1)));
      const auto own = std::ranges::lower_bound(left, sw, {}, &Pair::owner);
      const auto others = std::ranges::upper_bound(left, sw, {}, &Pair::owner);
      compare(lfts, sw, {left.begin(), own});
      compare(lfts, sw, {others, left.end()});
      if (s % 16 == 0) std::erase_if(left, [](const Pair& pair) { return pair.differ; });
    }
  });
  std::vector<std::uint32_t> threads(destinations.size());
  for (const std::vector<Pair>& left : equal)
    for (const Pair& pair : left) threads[pair.second] += pair.differ ? 0U : 1U;
  std::vector<std::uint8_t> same;
  for (const std::uint32_t count : threads) same.push_back(count != 0 && count == equal.size());
  return same;
}

}  // namespace

std::vector<EntryColumn> columns_of(const fabric::RoutingTables& tables,
                                    std::span<const Destination> destinations, bool apart) {
  const std::vector<std::uint8_t> same = same_as_before(tables.lfts, destinations);
  const IdSet<Lid> holed = lids_with_holes(tables);
  const auto same_steps = [&](Lid one, Lid other) {
    return !holed.contains(one) && !holed.contains(other) &&
           std::ranges::all_of(tables.steps, [&](const fabric::RoutedStep& step) {
             return step.lids.contains(one) == step.lids.contains(other);
           });
  };
  std::vector<EntryColumn> columns;
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const Destination& d = destinations[i];
    const bool proper = d.handed_over(d.owner.sw.index(), entry(tables.lfts, d.owner.sw, d.lid));
    if (!apart && same[i] != 0 && proper && columns.back().proper &&
        same_steps(destinations[i - 1].lid, d.lid)) {
      std::span<const Destination>& members = columns.back().members;
      members = {members.data(), members.size() + 1};
    } else {
      columns.push_back({destinations.subspan(i, 1), proper});
    }
  }
  std::ranges::sort(columns, {}, [](const EntryColumn& column) { return column.lid(); });
  return columns;
}

std::vector<Destination> with_other_entries(const fabric::RoutingTables& tables,
                                            std::span<const Destination> switches,
                                            std::span<const Destination> hosts) {
  const auto owner = [](const Destination& d) { return d.owner.sw; };
  std::vector<Destination> pairs;  // a host, and its switch
  for (const Destination& to : switches) {
    const auto host = std::ranges::lower_bound(hosts, to.owner.sw, {}, owner);
    if (host != hosts.end() && host->owner.sw == to.owner.sw) pairs.push_back(*host);
    pairs.push_back(to);
  }
  std::vector<Destination> others;
  for (const EntryColumn& column : columns_of(tables, pairs))
    if (const Destination& first = column.members.front(); first.is_switch()) others.push_back(first);
  std::ranges::sort(others, {}, owner);
  return others;
}

EntryRows::EntryRows(const Context& context, const SwitchOrder& order, std::size_t most_columns)
    : context_(context),
      order_(order),
      pitch_(most_columns + kApart),
      bytes_(std::make_unique_for_overwrite<std::uint8_t[]>(order.count() * pitch_)) {}

EntryRows::Onward EntryRows::onward(std::uint32_t sw) const {
  Onward onward;
  onward.fill(kEnd);
  for (unsigned port = 1; port <= context_.wiring.num_ports(sw); ++port)
    if (context_.wiring.exits(sw)[port].kind == Exit::Kind::to_switch)
      onward[port] = static_cast<std::uint8_t>(port);
  return onward;
}

void EntryRows::gather(std::span<const EntryColumn> columns, const ForwardingLoops& loops) {
  const fabric::ForwardingTables& lfts = context_.tables.lfts;
  lids_.clear();
  for (const EntryColumn& column : columns) lids_.push_back(column.lid().value);
  const bool complete = std::ranges::all_of(lids_, [&](std::uint16_t lid) { return lid < lfts.stride(); });
  for (std::size_t at = 0; at < order_.count(); ++at) {
    std::uint8_t* const to = bytes_.get() + at * pitch_;
    const SwitchId sw(order_.sw(at));
    const Onward here = onward(sw.value);
    if (complete && sw.index() < lfts.switch_count()) {
      const std::uint8_t* const from = lfts.row(sw).data();
      for (std::size_t i = 0; i < lids_.size(); ++i) to[i] = here[from[lids_[i]]];
    } else {
      for (std::size_t i = 0; i < lids_.size(); ++i) to[i] = here[entry(lfts, sw, Lid(lids_[i]))];
    }
  }
  if (loops.empty()) return;
  for (std::size_t i = 0; i < lids_.size(); ++i)
    if (const auto found = loops.find(Lid(lids_[i])); found != loops.end())
      for (const SwitchId sw : found->second) bytes_[order_.at(sw) * pitch_ + i] = kEnd;
}

}  // namespace rch::verify

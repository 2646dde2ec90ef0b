#include "compare/flow_waves.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace rch::compare {
namespace {

/// Columns for which counting the ports first does not pay.
constexpr int kFew = 12;

template <class T>
void add_to(std::vector<T>& to, const std::vector<T>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

}  // namespace

Onward::Onward(const verify::Wiring& wiring) : begin_{0} {
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw) {
    for (unsigned entry = 0; entry <= wiring.num_ports(sw); ++entry) {
      const verify::Exit& exit = wiring.exit(sw, static_cast<std::uint8_t>(entry));
      to_.push_back(exit.kind == verify::Exit::Kind::to_switch ? static_cast<std::uint16_t>(exit.to) : kOut);
    }
    to_.push_back(kOut);
    begin_.push_back(static_cast<std::uint32_t>(to_.size()));
  }
}

void PairSums::merge(const PairSums& other) {
  add_to(flows, other.flows);
  add_to(hops, other.hops);
}

FlowWaves::FlowWaves(const verify::Wiring& wiring, const verify::SwitchOrder& order, const Onward& onward)
    : wiring_(wiring),
      onward_(onward),
      now_(wiring.switch_count() * kColumns),
      next_(wiring.switch_count() * kColumns),
      columns_(wiring.switch_count()),
      columns_next_(wiring.switch_count()) {
  links_.resize(wiring.switch_count());
  for (std::size_t at = 0; at < order.count(); ++at) {
    const std::uint32_t sw = order.sw(at);
    if (wiring.sources_of(sw).empty()) continue;
    senders_.push_back(sw);
    for (unsigned port = 1; port <= wiring.num_ports(sw); ++port)
      if (const auto number = static_cast<std::uint8_t>(port); onward.at(sw, number) != Onward::kOut)
        links_[sw].push_back(number);
  }
}

FlowWaves::Ends FlowWaves::walk(const Walk& walk) {
  Ends ends;
  if (walk.sums != nullptr && walk.sums->hops.empty()) walk.sums->hops.resize(kMostHops + 2);
  start(walk, ends);
  for (std::size_t hop = 1; !active_next_.empty() && hop < kMostHops; ++hop) {
    std::swap(now_, next_);
    std::swap(active_, active_next_);
    std::swap(columns_, columns_next_);
    active_next_.clear();
    step(walk, hop, ends);
  }
  lose_rest(ends);
  return ends;
}

inline void FlowWaves::mark(std::uint16_t sw, std::uint64_t columns) {
  if (columns_next_[sw] == 0) active_next_.push_back(sw);
  columns_next_[sw] |= columns;
}

inline void FlowWaves::add_flows(const Walk& walk, std::uint32_t sw, std::size_t port,
                                 std::uint32_t flows) const {
  if (walk.sums != nullptr) walk.sums->flows[wiring_.slot(sw, port)] += walk.is_undone ? ~flows + 1 : flows;
}

/// Sends `hosts` packets in each of many columns: the ports are counted first.
void FlowWaves::send_all(const Walk& walk, std::uint32_t sw, std::uint64_t columns, std::uint16_t hosts,
                         Ends& ends) {
  const std::uint8_t* entries = walk.entries + std::size_t{sw} * kColumns;
  const Onward::Row onward = onward_.row(sw);
  std::uint16_t* next = next_.data();
  const std::size_t ports = wiring_.num_ports(sw);
  std::array<std::uint64_t, 256> used;  // columns by port
  std::fill_n(used.begin(), ports + 1, std::uint64_t{0});
  for (; columns != 0; columns &= columns - 1) {
    const auto column = static_cast<std::size_t>(std::countr_zero(columns));
    const std::uint16_t to = onward[entries[column]];
    if (to == Onward::kOut) {
      end(walk, 0, sw, column, hosts, ends);
      continue;
    }
    std::uint16_t& waiting = next[std::size_t{to} * kColumns + column];
    waiting = static_cast<std::uint16_t>(waiting + hosts);
    used[entries[column]] |= std::uint64_t{1} << column;
  }
  for (const std::uint8_t port : links_[sw])
    if (used[port] != 0) {
      mark(onward[port], used[port]);
      add_flows(walk, sw, port, static_cast<std::uint32_t>(std::popcount(used[port])) * hosts);
    }
}

void FlowWaves::end(const Walk& walk, std::size_t hop, std::uint32_t sw, std::size_t column,
                    std::uint16_t packets, Ends& ends) const {
  const Target& target = walk.targets[column];
  if (target.sw != sw || target.attach != walk.entries[std::size_t{sw} * kColumns + column]) {
    ends.lost |= std::uint64_t{1} << column;
    return;
  }
  // The target itself does not send.
  const std::uint64_t arrived = packets - (hop == 0 ? (walk.own >> column) & 1U : 0U);
  ends.arrived[column] += static_cast<std::uint32_t>(arrived);
  if (walk.sums != nullptr) walk.sums->hops[hop + 2] += walk.is_undone ? ~arrived + 1 : arrived;
}

/// Sends what waits in a few columns. `take`: gives the packets of a column, once.
template <class Take>
inline void FlowWaves::send_some(const Walk& walk, std::size_t hop, std::uint32_t sw, std::uint64_t columns,
                                 Take take, Ends& ends) {
  const std::uint8_t* entries = walk.entries + std::size_t{sw} * kColumns;
  const Onward::Row onward = onward_.row(sw);
  for (; columns != 0; columns &= columns - 1) {
    const auto column = static_cast<std::size_t>(std::countr_zero(columns));
    const std::uint8_t entry = entries[column];
    const std::uint16_t to = onward[entry], packets = take(column);
    if (to == Onward::kOut) {
      end(walk, hop, sw, column, packets, ends);
      continue;
    }
    std::uint16_t& waiting = next_[std::size_t{to} * kColumns + column];
    waiting = static_cast<std::uint16_t>(waiting + packets);
    mark(to, std::uint64_t{1} << column);
    add_flows(walk, sw, entry, packets);
  }
}

void FlowWaves::start(const Walk& walk, Ends& ends) {
  for (const std::uint32_t sw : senders_) {
    const std::uint16_t hosts = walk.hosts[sw];
    const std::uint64_t columns =
        walk.taken_out == nullptr ? walk.columns : walk.columns & ~walk.taken_out[sw];
    if (hosts == 0 || columns == 0) continue;
    if (std::popcount(columns) > kFew)
      send_all(walk, sw, columns, hosts, ends);
    else
      send_some(
          walk, 0, sw, columns, [hosts](std::size_t) { return hosts; }, ends);
  }
}

void FlowWaves::step(const Walk& walk, std::size_t hop, Ends& ends) {
  for (const std::uint32_t sw : active_) {
    std::uint16_t* packets = now_.data() + std::size_t{sw} * kColumns;
    const std::uint64_t columns = std::exchange(columns_[sw], 0);
    const std::uint64_t out = walk.taken_out == nullptr ? 0 : walk.taken_out[sw] & columns;
    const auto take = [packets](std::size_t column) {
      return std::exchange(packets[column], std::uint16_t{0});
    };
    send_some(walk, hop, sw, columns & ~out, take, ends);
    for (std::uint64_t rest = out; rest != 0; rest &= rest - 1)
      take(static_cast<std::size_t>(std::countr_zero(rest)));
  }
}

/// Packets that are still under way after so many hops.
void FlowWaves::lose_rest(Ends& ends) {
  for (const std::uint32_t sw : active_next_) {
    ends.lost |= std::exchange(columns_next_[sw], 0);
    std::fill_n(next_.data() + std::size_t{sw} * kColumns, kColumns, std::uint16_t{0});
  }
  active_next_.clear();
}

}  // namespace rch::compare

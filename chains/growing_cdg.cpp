#include "chains/growing_cdg.h"

#include <algorithm>

namespace rch::chains {

GrowingCdg::GrowingCdg(std::size_t nodes, std::span<const Edge> edges) : slot_of_(nodes, kNone) {
  for (const auto& [from, to] : edges) slot(from), slot(to);
  fill(after_, edges, false);
  fill(before_, edges, true);
  std::vector<std::uint32_t> missing(position_.size());
  std::vector<Slot> order;
  order.reserve(position_.size());
  for (Slot s = 0; s < missing.size(); ++s)
    if ((missing[s] = before_.first[s + 1] - before_.first[s]) == 0) order.push_back(s);
  for (std::size_t i = 0; i < order.size(); ++i)
    after_.for_each(order[i], [&](Slot to) {
      if (--missing[to] == 0) order.push_back(to);
    });
  for (std::uint32_t p = 0; p < order.size(); ++p) position_[order[p]] = p;
}

/// The dependencies of the beginning, by the slot that they come from, or lead to if `backward`.
void GrowingCdg::fill(Adjacency& adjacency, std::span<const Edge> edges, bool backward) {
  std::vector<std::uint32_t>& first = adjacency.first;
  first.assign(position_.size() + 1, 0);
  const auto from = [&](const Edge& edge) { return slot_of_[backward ? edge.second : edge.first]; };
  for (const Edge& edge : edges) ++first[from(edge)];
  // Each sum is the end of its slot, and comes down to the beginning while the slot is filled.
  std::uint32_t sum = 0;
  for (std::uint32_t& count : first) count = sum += count;
  adjacency.given.resize(edges.size());
  for (const Edge& edge : edges)
    adjacency.given[--first[from(edge)]] = slot_of_[backward ? edge.first : edge.second];
}

bool GrowingCdg::try_add(std::span<const Edge> edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (try_add(slot(edges[i].first), slot(edges[i].second))) continue;
    take_back(edges.first(i));
    return false;
  }
  return true;
}

void GrowingCdg::take_back(std::span<const Edge> edges) {
  for (std::size_t i = edges.size(); i-- > 0;) {
    after_.added[slot(edges[i].first)].pop_back();
    before_.added[slot(edges[i].second)].pop_back();
  }
}

/// A new node is the last in the order.
GrowingCdg::Slot GrowingCdg::slot(std::uint32_t node) {
  Slot& slot = slot_of_[node];
  if (slot == kNone) {
    slot = static_cast<Slot>(position_.size());
    after_.added.emplace_back();
    before_.added.emplace_back();
    position_.push_back(slot);
    reached_.push_back(0);
  }
  return slot;
}

bool GrowingCdg::try_add(Slot from, Slot to) {
  ++work_;
  if (position_[from] >= position_[to] && !make_room(from, to)) return false;
  after_.added[from].push_back(to);
  before_.added[to].push_back(from);
  return true;
}

/// Moves what is reachable from `to` behind what `from` is reachable from, unless that is the same node.
bool GrowingCdg::make_room(Slot from, Slot to) {
  const std::uint32_t first = position_[to], last = position_[from];
  search(after_, to, forward_, first, last);
  const bool acyclic = reached_[from] == 0;
  for (const Slot s : forward_) reached_[s] = 0;
  if (!acyclic) return false;
  search(before_, from, backward_, first, last);
  for (const Slot s : backward_) reached_[s] = 0;
  const auto by_position = [&](Slot s) { return position_[s]; };
  std::ranges::sort(forward_, {}, by_position);
  std::ranges::sort(backward_, {}, by_position);
  backward_.insert(backward_.end(), forward_.begin(), forward_.end());
  positions_.clear();
  for (const Slot s : backward_) positions_.push_back(position_[s]);
  std::ranges::sort(positions_);
  for (std::size_t i = 0; i < backward_.size(); ++i) position_[backward_[i]] = positions_[i];
  return true;
}

/// Nodes reachable by `next` whose positions are first..last.
void GrowingCdg::search(const Adjacency& next, Slot start, std::vector<Slot>& found, std::uint32_t first,
                        std::uint32_t last) {
  found.assign(1, start);
  reached_[start] = 1;
  for (std::size_t i = 0; i < found.size(); ++i)
    next.for_each(found[i], [&](Slot s) {
      if (position_[s] >= first && position_[s] <= last && std::exchange(reached_[s], std::uint8_t{1}) == 0)
        found.push_back(s);
    });
  work_ += found.size();
}

}  // namespace rch::chains

#include "engines/dfsssp/product_lines.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rch::engines::dfsssp {

using common::ChannelId;

DamagedLines::DamagedLines(const Product& product, const common::Channels& channels)
    : product_(product), channels_(channels), place_(channels.switch_count()) {
  for (const Product::Factor& factor : product.factors)
    for (std::size_t s = 0; s < place_.size(); ++s)
      place_[s] = place_[s] * factor.size + factor.coordinate[s];
  std::uint64_t stride = 1;  // of a coordinate in the places
  for (std::size_t f = product.factors.size(); f-- > 0; stride *= product.factors[f].size) {
    const Product::Factor& factor = product.factors[f];
    std::map<std::uint64_t, std::vector<SwitchId>> lines;  // by the place of coordinate 0
    for (std::uint32_t s = 0; s < place_.size(); ++s) {
      std::vector<SwitchId>& members = lines[place_[s] - stride * factor.coordinate[s]];
      members.resize(factor.size, SwitchId::none());
      members[factor.coordinate[s]] = SwitchId(s);
    }
    line_of_.emplace(line_of_.begin(), place_.size(), kNoLine);
    for (auto& [place, members] : lines)
      if (is_damaged(factor, members)) add_line(f, std::move(members));
  }
}

bool DamagedLines::is_damaged(const Product::Factor& factor, const std::vector<SwitchId>& members) const {
  return std::ranges::any_of(factor.edges, [&](const std::pair<std::uint16_t, std::uint16_t>& edge) {
    const SwitchId a = members[edge.first], b = members[edge.second];
    return a.is_none() || b.is_none() || channel(a, b).is_none();
  });
}

/// A search from each coordinate finds the shortest paths to it.
void DamagedLines::add_line(std::size_t factor, std::vector<SwitchId> members) {
  DamagedLine line{factor, std::move(members), {}};
  const std::size_t size = line.members.size();
  const std::vector<std::uint16_t>& coordinate = product_.factors[factor].coordinate;
  line.next.assign(size * size, DamagedLine::kNone);
  for (const SwitchId s : line.members)
    if (!s.is_none()) line_of_.front()[s.index()] = static_cast<std::uint32_t>(lines_.size());
  std::vector<SwitchId> reached;
  for (std::size_t to = 0; to < size; ++to) {
    if (line.members[to].is_none()) continue;
    reached.assign(1, line.members[to]);
    for (std::size_t i = 0; i < reached.size(); ++i)
      channels_.for_each_leaving(reached[i], [&](ChannelId c) {
        const SwitchId at = channels_.to(c);
        std::uint16_t& next = line.next[to * size + coordinate[at.index()]];
        if (line.members[coordinate[at.index()]] != at || at == reached.front() || next != DamagedLine::kNone)
          return;
        next = coordinate[reached[i].index()];
        reached.push_back(at);
      });
  }
  lines_.push_back(std::move(line));
}

/// The first of the channels from one switch to another; none() if there is none.
ChannelId DamagedLines::channel(SwitchId from, SwitchId to) const {
  ChannelId found = ChannelId::none();
  channels_.for_each_leaving(from, [&](ChannelId c) {
    if (found.is_none() && channels_.to(c) == to) found = c;
  });
  return found;
}

void DamagedLines::forget() {
  lines_.clear();
  for (std::vector<std::uint32_t>& lines : line_of_) std::ranges::fill(lines, kNoLine);
}

SwitchId DamagedLines::next(std::size_t factor, SwitchId at, std::size_t to) const {
  const std::uint32_t found = line_of_[factor][at.index()];
  if (found == kNoLine) return SwitchId::none();
  const std::uint16_t next = lines_[found].towards(to, product_.factors[factor].coordinate[at.index()]);
  return next == DamagedLine::kNone ? SwitchId::none() : lines_[found].members[next];
}

void DamagedLines::list_dependencies(const std::vector<const std::vector<std::uint8_t>*>& crosses,
                                     const std::vector<std::size_t>& layer_of,
                                     common::DependencyGraph& graph) const {
  for (const DamagedLine& line : lines_) {
    const std::size_t size = line.members.size();
    const std::vector<std::uint8_t>& layers = *crosses[line.factor];
    for (std::size_t to = 0; to < size; ++to)
      for (std::size_t from = 0; from < size; ++from) {
        if (layers[from * size + to] != layer_of[line.factor]) continue;
        std::size_t before = from, at = line.towards(to, from);
        for (; at != DamagedLine::kNone && at != to; before = std::exchange(at, line.towards(to, at)))
          graph.add(channel(line.members[before], line.members[at]),
                    channel(line.members[at], line.members[line.towards(to, at)]));
      }
  }
}

bool DamagedLines::lead(std::uint32_t tree, SwitchId at, Routes& routes) const {
  const SwitchId to = routes.tree(tree).to;
  std::size_t f = 0;
  const auto coordinate = [&](SwitchId s) { return product_.factors[f].coordinate[s.index()]; };
  while (coordinate(at) == coordinate(to)) ++f;
  const std::uint32_t found = line_of_[f][at.index()];
  if (found == kNoLine) return false;
  const DamagedLine& line = lines_[found];
  if (line.towards(coordinate(to), coordinate(at)) == DamagedLine::kNone) return false;
  for (const SwitchId s : line.members) {
    if (s.is_none() || s == to) continue;
    const std::uint16_t next = line.towards(coordinate(to), coordinate(s));
    if (next != DamagedLine::kNone) routes.set_next(tree, channel(s, line.members[next]));
  }
  return true;
}

}  // namespace rch::engines::dfsssp

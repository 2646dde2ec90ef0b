#include "engines/opensm_compat/updn_search.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/parallel.h"

namespace rch::engines::opensm_compat {
namespace {

using common::PortContext;
using Part = UpdnSearch::Part;

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;

constexpr std::uint8_t plus(std::uint8_t hops, unsigned more) {
  return static_cast<std::uint8_t>(std::min<unsigned>(hops + more, kUnknown));
}

}  // namespace

/// State of the search for one destination.
struct UpdnSearch::State {
  explicit State(std::size_t switches) : second(switches), queued(switches) {}

  std::deque<SwitchId> queue;
  std::vector<std::uint8_t> second;  ///< by switch: the search arrived by a step of the second part
  std::vector<std::uint8_t> queued;
};

UpdnSearch::UpdnSearch(const PortContext& context, Rules rules) : rules_(std::move(rules)) {
  list_channels(context.graph());
  const std::size_t count = context.graph().switch_count();
  hops_ = {count, std::vector<std::uint8_t>(count * count, kUnknown)};
  told_.assign(channels_.size() * count, kUnknown);
  longest_.resize(count);
  parallel_ranges(count, 8, [&](std::size_t begin, std::size_t end) {
    State state(count);
    for (std::size_t d = begin; d < end; ++d) {
      const SwitchId destination(static_cast<std::uint32_t>(d));
      if (rules_.known != nullptr && rules_.is_known[d] != 0) copy_known(context.links(), destination);
      search(destination, state);
    }
  });
}

std::uint8_t UpdnSearch::longest() const {
  return longest_.empty() ? 0 : *std::ranges::max_element(longest_);
}

void UpdnSearch::list_channels(const fabric::SwitchGraph& graph) {
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    first_channel_.push_back(static_cast<std::uint32_t>(channels_.size()));
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : graph.links(n))
        channels_.push_back({n.sw, link.out, link.in, 0, rules_.part(SwitchId(s), n.sw)});
    std::sort(channels_.begin() + first_channel_.back(), channels_.end(),
              [](const Channel& a, const Channel& b) { return a.out < b.out; });
  }
  first_channel_.push_back(static_cast<std::uint32_t>(channels_.size()));
  for (Channel& channel : channels_) channel.reverse = channel_at(channel.to, channel.in);
}

std::uint32_t UpdnSearch::channel_at(SwitchId sw, PortNum port) const {
  const auto begin = channels_.begin() + first_channel_[sw.index()];
  const auto end = channels_.begin() + first_channel_[sw.index() + 1];
  return static_cast<std::uint32_t>(std::ranges::lower_bound(begin, end, port, {}, &Channel::out) -
                                    channels_.begin());
}

void UpdnSearch::copy_known(const common::WeightedGraph& links, SwitchId destination) {
  for (std::uint32_t s = 0; s + 1 < first_channel_.size(); ++s) {
    hops_.hops[s * hops_.switch_count + destination.index()] = rules_.known->at(SwitchId(s), destination);
    for (std::uint32_t c = first_channel_[s]; c < first_channel_[s + 1]; ++c)
      told(c, destination) = plus(rules_.known->at(channels_[c].to, destination),
                                  links.weight(SwitchId(s), channels_[c].out) - 1U);
  }
}

void UpdnSearch::search(SwitchId destination, State& state) {
  hops_.hops[destination.index() * hops_.switch_count + destination.index()] = 0;
  state.second[destination.index()] = 0;
  state.queue.push_back(destination);
  while (!state.queue.empty()) {
    const SwitchId from = state.queue.front();
    state.queue.pop_front();
    state.queued[from.index()] = 0;
    expand(from, destination, state);
  }
}

void UpdnSearch::expand(SwitchId from, SwitchId destination, State& state) {
  const std::uint8_t& own = hops_.hops[from.index() * hops_.switch_count + destination.index()];
  const bool after_second = state.second[from.index()] != 0;
  for (std::uint32_t c = first_channel_[from.index()]; c < first_channel_[from.index() + 1]; ++c) {
    const Channel& channel = channels_[c];
    const std::size_t to = channel.to.index();
    const bool forbidden = after_second && channel.part == Part::first;
    if (forbidden && rules_.penalty == 0) continue;
    const std::uint8_t hops = plus(own, forbidden ? rules_.penalty : 0);
    if (hops >= told(channel.reverse, destination)) continue;
    told(channel.reverse, destination) = hops;
    longest_[destination.index()] = std::max(longest_[destination.index()], plus(hops, 1));
    std::uint8_t& least = hops_.hops[to * hops_.switch_count + destination.index()];
    least = std::min(least, plus(hops, 1));
    if (state.queued[to] != 0) continue;
    state.second[to] = channel.part == Part::second;
    state.queued[to] = 1;
    state.queue.push_back(channel.to);
  }
}

void UpdnSearch::add_to(common::Candidates& candidates, SwitchId sw) const {
  const std::size_t count = hops_.switch_count;
  std::vector<common::HopRows> rows;
  for (const common::Candidates::OutputPort& output : candidates.outputs())
    rows.push_back({rows.size(), hops_.row(sw).data(), told_.data() + channel_at(sw, output.port) * count});
  candidates.sets().add_where_nearer(std::move(rows));
}

/// Between equal ranks the numbers decide, but two roots are up from each other, both ways (3.3).
UpdnSearch search_updn(const PortContext& context, std::span<const std::uint32_t> ranks,
                       std::span<const std::uint64_t> numbers, const HopMatrix* shortest) {
  const auto is_up = [=](SwitchId from, SwitchId to) {
    const std::uint32_t a = ranks[from.index()], b = ranks[to.index()];
    if (a != b) return b < a;
    return a == 0 || numbers[from.index()] > numbers[to.index()];
  };
  std::vector<std::uint8_t> is_root;
  for (std::uint32_t rank : ranks) is_root.push_back(rank == 0);
  return UpdnSearch(
      context,
      {.part = [=](SwitchId from, SwitchId to) { return is_up(from, to) ? Part::first : Part::second; },
       .known = shortest,
       .is_known = std::move(is_root)});
}

UpdnSearch search_dnup(const PortContext& context, std::span<const std::uint32_t> ranks, bool connect_roots) {
  UpdnSearch::Rules rules{.part = [=](SwitchId from, SwitchId to) {
    const std::uint32_t a = ranks[from.index()], b = ranks[to.index()];
    return a == b ? Part::either : a < b ? Part::first : Part::second;
  }};
  UpdnSearch legal(context, rules);
  if (!connect_roots) return legal;
  rules.penalty = plus(legal.longest(), 1);
  return UpdnSearch(context, std::move(rules));
}

}  // namespace rch::engines::opensm_compat

#include "engines/dfsssp/kept_trees.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/parallel.h"

namespace rch::engines::dfsssp {
namespace {

constexpr std::size_t kRows = 64;  ///< that are read together: a piece of a tree is written as a whole

class Keeper {
 public:
  Keeper(const HopMatrix& hops, const common::HeldRows& held, Routes& routes)
      : hops_(hops), held_(held), routes_(routes), trees_(routes.channels().size()) {}

  void run() {
    const std::size_t switches = hops_.switch_count;
    parallel_ranges((switches + kRows - 1) / kRows, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin * kRows; s < std::min(end * kRows, switches); ++s)
        take(SwitchId(static_cast<std::uint32_t>(s)));
    });
    for (std::size_t tree = 0; tree < routes_.tree_count(); ++tree) mend(tree);
  }

 private:
  /// What a switch sends by in all trees. Its channels are counted here alone.
  void take(SwitchId sw) {
    const common::Channels& channels = routes_.channels();
    const std::span<const std::uint8_t> row = held_.row(sw);
    std::array<std::uint8_t, 256> place{};
    place.fill(Routes::kNoChannel);
    channels.for_each_leaving(sw, [&](common::ChannelId c) {
      place[channels.port(c).index()] = static_cast<std::uint8_t>(c.value - channels.first(sw).value);
    });
    for (std::size_t tree = 0; tree < routes_.tree_count(); ++tree) {
      const std::size_t lid = routes_.tree(tree).lid.index();
      const std::uint8_t port = lid < row.size() ? row[lid] : kNoPath;
      if (port == kNoPath || place[port] == Routes::kNoChannel) continue;
      const common::ChannelId c(channels.first(sw).value + place[port]);
      if (!leads_on(c, sw, routes_.tree(tree).to)) continue;
      routes_.places(tree)[sw.index()] = place[port];
      ++trees_[c.index()];
    }
  }

  bool leads_on(common::ChannelId c, SwitchId from, SwitchId to) const {
    const std::uint8_t hops = hops_.at(to, from);
    return hops != HopMatrix::kUnknown && hops_.at(to, routes_.channels().to(c)) + 1 == hops;
  }

  void mend(std::size_t tree) {
    const common::Channels& channels = routes_.channels();
    const SwitchId to = routes_.tree(tree).to;
    const std::span<std::uint8_t> places = routes_.places(tree);
    for (auto at = std::ranges::find(places, Routes::kNoChannel); at != places.end();
         at = std::find(at + 1, places.end(), Routes::kNoChannel)) {
      const SwitchId sw(static_cast<std::uint32_t>(at - places.begin()));
      common::ChannelId best = common::ChannelId::none();
      channels.for_each_leaving(sw, [&](common::ChannelId c) {
        if (leads_on(c, sw, to) && (best.is_none() || trees_[c.index()] < trees_[best.index()])) best = c;
      });
      if (best.is_none()) continue;
      *at = static_cast<std::uint8_t>(best.value - channels.first(sw).value);
      ++trees_[best.index()];
    }
  }

  const HopMatrix& hops_;
  const common::HeldRows& held_;
  Routes& routes_;
  std::vector<std::uint32_t> trees_;  ///< by channel, how many have it
};

}  // namespace

void keep_trees(const HopMatrix& hops, const common::InForce& held, Routes& routes) {
  const common::HeldRows rows(routes.view(), held);
  Keeper(hops, rows, routes).run();
}

}  // namespace rch::engines::dfsssp

// The channel dependency graph: topological order, cycles, and incremental cycle detection.

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engines/common/acyclic_cdg.h"
#include "engines/common/dependency_graph.h"
#include "engines/common/depth_first.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::engines::common {
namespace {

using fabric::Fabric;

Fabric any_fabric() { return test::build(test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 12)); }

std::uint32_t any_below(std::size_t count) {
  return static_cast<std::uint32_t>(*rc::gen::inRange<std::size_t>(0, count));
}

struct Dependency {
  ChannelId c, next;
};

Dependency any_dependency(const Channels& channels) {
  const ChannelId c(any_below(channels.size()));
  const SwitchId at = channels.to(c);
  return {c, ChannelId(channels.first(at).value + any_below(channels.degree(at)))};
}

/// Dependencies as a set of pairs, searched anew for every one that is added.
class PlainCdg {
 public:
  bool reaches(ChannelId from, ChannelId to) const {
    std::set<ChannelId> seen{from};
    std::vector<ChannelId> queue{from};
    for (std::size_t i = 0; i < queue.size(); ++i)
      if (const auto it = next_.find(queue[i]); it != next_.end())
        for (ChannelId n : it->second)
          if (seen.insert(n).second) queue.push_back(n);
    return seen.contains(to);
  }
  bool try_add(ChannelId c, ChannelId next) {
    if (reaches(next, c)) return false;
    next_[c].insert(next);
    return true;
  }

 private:
  std::map<ChannelId, std::set<ChannelId>> next_;
};

TEST(ChannelsProperties, AreFoundByPort) {
  EXPECT_TRUE(test::check([] {
    const Fabric fabric = any_fabric();
    const Channels channels(fabric.graph());
    std::size_t found = 0;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      for (unsigned port = 0; port < 256; ++port) {
        const ChannelId c = channels.at(SwitchId(s), static_cast<std::uint8_t>(port));
        if (c.is_none()) continue;
        RC_ASSERT(channels.from(c) == SwitchId(s));
        RC_ASSERT(channels.port(c).value == port);
        RC_ASSERT(channels.back(channels.back(c)) == c);
        ++found;
      }
    RC_ASSERT(found == channels.size());
  }));
}

TEST(DependencyGraphProperties, IsOrderedUnlessItHasACycle) {
  EXPECT_TRUE(test::check([] {
    const Fabric fabric = any_fabric();
    const Channels channels(fabric.graph());
    RC_PRE(channels.size() > 0U);
    DependencyGraph cdg(channels);
    PlainCdg plain;
    std::vector<Dependency> added;
    bool acyclic = true;
    for (std::uint32_t i = any_below(30); i > 0; --i) {
      added.push_back(any_dependency(channels));
      cdg.add(added.back().c, added.back().next);
      acyclic = plain.try_add(added.back().c, added.back().next) && acyclic;
    }
    const TopologicalOrder order = topological_order(cdg);
    RC_TAG(acyclic ? "acyclic" : "cycle");
    RC_ASSERT(order.has_cycle != acyclic);
    RC_ASSERT(order.channels.size() == channels.size());
    std::map<ChannelId, std::size_t> position;
    for (std::size_t i = 0; i < order.channels.size(); ++i) position[order.channels[i]] = i;
    RC_ASSERT(position.size() == channels.size());
    for (const Dependency& d : added) RC_ASSERT(!acyclic || position[d.c] < position[d.next]);
    DepthFirst search(cdg);
    search.visit_all();
    const std::vector<ChannelId>& cycle = search.cycle();
    RC_ASSERT(cycle.empty() == acyclic);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const ChannelId next = cycle[(i + 1) % cycle.size()];
      RC_ASSERT(
          std::ranges::any_of(added, [&](const Dependency& d) { return d.c == cycle[i] && d.next == next; }));
    }
  }));
}

std::vector<ChannelId> any_order(const Channels& channels) {
  std::vector<ChannelId> order;
  for (std::uint32_t c = 0; c < channels.size(); ++c) order.push_back(ChannelId(c));
  std::shuffle(order.begin(), order.end(), std::mt19937_64(*rc::gen::arbitrary<std::uint64_t>()));
  return order;
}

TEST(AcyclicCdgProperties, AddsWhatClosesNoCycle) {
  EXPECT_TRUE(test::check([] {
    const Fabric fabric = any_fabric();
    const Channels channels(fabric.graph());
    RC_PRE(channels.size() > 0U);
    AcyclicCdg cdg(channels, any_order(channels));
    PlainCdg plain, at_checkpoint;
    cdg.checkpoint();
    for (int step = 0; step < 150; ++step) {
      const int what = *rc::gen::inRange(0, 20);
      if (what == 0) {
        cdg.checkpoint();
        at_checkpoint = plain;
        continue;
      }
      if (what == 1) {
        cdg.roll_back();
        plain = at_checkpoint;
        continue;
      }
      const auto [c, next] = any_dependency(channels);
      RC_ASSERT(cdg.try_add(c, next) == plain.try_add(c, next));
    }
  }));
}

TEST(AcyclicCdgProperties, AddsAllOrNone) {
  EXPECT_TRUE(test::check([] {
    const Fabric fabric = any_fabric();
    const Channels channels(fabric.graph());
    RC_PRE(channels.size() > 0U);
    AcyclicCdg cdg(channels, any_order(channels));
    PlainCdg plain;
    for (int step = 0; step < 30; ++step) {
      std::vector<Dependency> dependencies;
      for (std::uint32_t i = any_below(6); i > 0; --i) dependencies.push_back(any_dependency(channels));
      PlainCdg with_all = plain;
      const bool fits = std::ranges::all_of(
          dependencies, [&](const Dependency& d) { return with_all.try_add(d.c, d.next); });
      RC_ASSERT(fits == cdg.try_add_all([&](auto&& add) {
        for (const Dependency& d : dependencies) add(d.c, d.next);
      }));
      if (fits) plain = with_all;
    }
  }));
}

}  // namespace
}  // namespace rch::engines::common

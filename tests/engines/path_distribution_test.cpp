// The figures that engines compare routings by, beside those of verify/, which shares no code with them.

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engines/common/path_distribution.h"
#include "engines/common/path_loads.h"
#include "engines/minhop/minhop.h"
#include "support/property.h"
#include "support/small_fabrics.h"
#include "tree_fabrics.h"
#include "verify/metrics/metrics.h"

namespace rch::engines::common {
namespace {

using fabric::Fabric;

TEST(PathDistributionProperties, IsThatOfTheMetrics) {
  EXPECT_TRUE(test::check([] {
    const Fabric fabric = test::build(test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 25));
    const fabric::SubFabric view(fabric);
    const StepTables tables = *minhop::route(view, {});
    const auto metrics = verify::measure(fabric, test::one_step(fabric, tables.lfts), {.samples = 0});
    const PathDistribution found =
        path_distribution(Channels(fabric.graph()), tables.lfts, hosts_by_guid(view));
    RC_ASSERT(found.flows == metrics.all_to_all.most);
    RC_ASSERT(found.worst_shift == metrics.shifts.worst);
    RC_ASSERT(found.destinations ==
              (metrics.destinations.bins.empty() ? 0U : metrics.destinations.bins.back().value));
  }));
}

TEST(PathDistribution, ComparesAllFigures) {
  EXPECT_TRUE((PathDistribution{3, 9, 2}.no_worse_than({3, 9, 2})));
  EXPECT_FALSE((PathDistribution{4, 9, 1}.no_worse_than({3, 9, 2})));
  EXPECT_FALSE((PathDistribution{3, 10, 1}.no_worse_than({3, 9, 2})));
  EXPECT_FALSE((PathDistribution{2, 9, 3}.no_worse_than({3, 9, 2})));
}

/// Three hosts, two channels: hosts 0 and 1 send to host 2 by channel 0, or one of them by channel 1.
TEST(PathLoads, FollowsAPathThatMoves) {
  const std::vector<HostId> both{HostId(0), HostId(1)}, second{HostId(1)};
  const PathLoads::Hop by_first{ChannelId(0), true}, shared{ChannelId(0), false},
      by_second{ChannelId(1), true};
  PathLoads loads(2, 3);
  loads.add({HostId(2), both}, {&by_first, 1});
  loads.add({HostId(1), {both.data(), 1}}, {&by_first, 1});
  EXPECT_EQ(loads.distribution(), (PathDistribution{2, 3, 2}));
  loads.normalise();
  EXPECT_TRUE(loads.improves({HostId(2), second}, {&shared, 1}, {&by_second, 1}));
  loads.remove({HostId(2), second}, {&shared, 1});
  loads.add({HostId(2), second}, {&by_second, 1});
  EXPECT_EQ(loads.distribution(), (PathDistribution{2, 2, 1}));
}

}  // namespace
}  // namespace rch::engines::common

#include "verify/transition/growing_order.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/property.h"
#include "support/small_fabrics.h"
#include "verify/cycle.h"

namespace rch::verify {
namespace {

/// Two channels that meet at a switch.
struct Meeting {
  std::size_t cell, before, after;  ///< slots that packets leave by
};

std::vector<Meeting> meetings(const Wiring& wiring) {
  std::vector<Meeting> all;
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw)
    for (unsigned in = 1; in <= wiring.num_ports(sw); ++in)
      for (unsigned out = 1; out <= wiring.num_ports(sw); ++out) {
        const Exit& from = wiring.exit(sw, static_cast<std::uint8_t>(in));
        const Exit& to = wiring.exit(sw, static_cast<std::uint8_t>(out));
        if (in != out && from.kind == Exit::Kind::to_switch && to.kind == Exit::Kind::to_switch)
          all.push_back({wiring.cell(sw, in, out), wiring.slot(from.to, from.in), wiring.slot(sw, out)});
      }
  return all;
}

/// Dependencies are added a few at a time. Those that close a cycle are refused, and only those: a search of
/// the whole graph says the same each time.
template <std::size_t N>
void agrees_with_the_whole_search(std::uint64_t seed) {
  const fabric::Fabric fabric = test::build(test::random_shape(seed, 9));
  const Wiring wiring(fabric, 5);
  const std::vector<Meeting> all = meetings(wiring);
  RC_PRE(!all.empty());
  std::mt19937_64 random(seed);
  Dependencies<N> growing(wiring), fixed(wiring);
  const auto add_to = [&](Dependencies<N>& dependencies) {
    const Meeting& meeting = all[random() % all.size()];
    const std::size_t in = random() % N, out = random() % N;
    dependencies.add(meeting.cell, in, out);
    dependencies.use(meeting.before, static_cast<std::uint16_t>(1U << in));
    dependencies.use(meeting.after, static_cast<std::uint16_t>(1U << out));
  };
  const auto is_cyclic = [&](const Dependencies<N>& one) {
    Dependencies<N> both = one;
    both.add_all(fixed);
    return has_cycle(channel_dependency_graph(wiring, both));
  };
  for (std::size_t i = 0; i < all.size() / 8; ++i) add_to(fixed);
  GrowingOrder<N> order(wiring);
  const bool starts = order.reset(growing, fixed);
  RC_ASSERT(starts == !is_cyclic(growing));
  if (!starts) return;
  std::size_t refused = 0;
  for (std::size_t step = 0; step < 40; ++step) {
    Dependencies<N> trial = growing;
    for (std::size_t i = 0; i <= random() % 3; ++i) add_to(trial);
    const auto parts = trial.beyond(growing, fixed);
    const bool fits = order.add(parts, trial, fixed);
    RC_ASSERT(fits == !is_cyclic(trial));
    if (fits)
      growing = trial;
    else
      ++refused;
  }
  RC_TAG(refused > 0 ? "some are refused" : "all fit");
}

TEST(GrowingOrderProperties, AgreesWithASearchOfTheWholeGraph) {
  EXPECT_TRUE(test::check(agrees_with_the_whole_search<1>));
}

TEST(GrowingOrderProperties, AgreesWithASearchOfTheWholeGraphOnSeveralLanes) {
  EXPECT_TRUE(test::check(agrees_with_the_whole_search<2>));
}

TEST(GrowingOrderProperties, RecordsWhatIsAdded) {
  EXPECT_TRUE(test::check([](std::uint64_t seed) {
    const fabric::Fabric fabric = test::build(test::random_shape(seed, 6));
    const Wiring wiring(fabric, 5);
    const std::vector<Meeting> all = meetings(wiring);
    RC_PRE(!all.empty());
    std::mt19937_64 random(seed);
    Dependencies<2> recorded(wiring), others(wiring), expected(wiring), nothing(wiring);
    recorded.record();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t cell = all[random() % all.size()].cell, in = random() % 2, out = random() % 2;
      if (random() % 3 == 0) others.add(cell, in, out);
      recorded.add(cell, in, out);
      expected.add(cell, in, out);
    }
    Dependencies<2> found(wiring);
    std::vector<Dependencies<2>::Part> added;
    for (const auto& part : recorded.take_recorded(others)) found.add(part, added);
    RC_ASSERT(found.beyond(expected, others).empty());
    RC_ASSERT(expected.beyond(found, others).empty());
    RC_ASSERT(recorded.count() == 0U);
    for (const auto& part : added) found.remove(part);
    RC_ASSERT(found.count() == 0U);
  }));
}

}  // namespace
}  // namespace rch::verify

// Two passes over one fabric at the same time. Whoever is not chosen is frozen: it sends nothing and answers
// nothing, as a stopped process.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include <fmt/format.h>

#include "sm/managers.h"
#include "support/small_fabrics.h"

namespace rch::sm {
namespace {

using hw::Attribute;
using sim::Visit;

/// Why a pass may fail because of the other one.
constexpr std::string_view kCausesOfRivals[] = {"another-master", "mastership-lost", "unsettled-managers"};

/// What a datagram is for. A round of a pass is a row of datagrams for the same.
enum class Purpose {
  look,
  ask_managers,
  read_tables,
  tell_managers,
  write_ports,
  write_switches,
  write_tables
};

Purpose purpose_of(const Visit& visit) {
  const bool writes = visit.method == hw::Method::set;
  switch (visit.attribute) {
    case Attribute::sm_info:
      return writes ? Purpose::tell_managers : Purpose::ask_managers;
    case Attribute::linear_table:
    case Attribute::multicast_table:
      return writes ? Purpose::write_tables : Purpose::read_tables;
    case Attribute::switch_info:
      return writes ? Purpose::write_switches : Purpose::look;
    default:
      return writes ? Purpose::write_ports : Purpose::look;
  }
}

class Race {
 public:
  /// `manager_before`: the host that configured the fabric before; none: nobody.
  explicit Race(std::optional<std::size_t> manager_before) {
    if (manager_before) {
      test::Managers before(fake_);
      before.add(host(*manager_before), {}, planner(false));
      before.run([](std::size_t, bool) { return 0; });
      EXPECT_TRUE(before.pass(0).result) << before.pass(0).result.error().message;
    }
    for (const bool high : {false, true}) managers_.add(host(high ? 3 : 0), {}, planner(high));
    fake_.on_visit = [this](std::size_t client, const Visit& visit) { see(client, visit); };
  }

  void run(const test::Managers::Next& next) { managers_.run(next); }

  /// Rounds that manager `m` has begun.
  std::size_t rounds(std::size_t m) const { return rounds_[m]; }
  bool is_done(std::size_t m) { return managers_.pass(m).done; }
  std::size_t winners() {
    return static_cast<std::size_t>(managers_.pass(0).result.has_value() +
                                    managers_.pass(1).result.has_value());
  }

  /// What must hold whatever the order was. Empty if it does.
  std::string fault() {
    if (writers_.size() > 2) return "both wrote at a time";
    for (std::size_t m = 0; m < 2; ++m) {
      const auto& result = managers_.pass(m).result;
      if (!result && std::ranges::find(kCausesOfRivals, result.error().cause) == std::end(kCausesOfRivals))
        return "not told: " + result.error().message;
    }
    // The last one that was content wrote last, or found nothing to write: its tables stand.
    const bool both = winners() == 2;
    for (std::size_t m = 0; m < 2; ++m)
      if (managers_.pass(m).result && (!both || last_done_ == m) && !holds(m))
        return "unproven tables and exit 0";
    return {};
  }

 private:
  PortId host(std::size_t h) const { return fabric_.end_ports()[h].port; }

  Planner planner(bool high) {
    return [high](const fabric::Fabric& live) -> Result<chains::Plan> {
      return test::plan_by_ports(live, high);
    };
  }

  void see(std::size_t client, const Visit& visit) {
    const std::size_t who = of_client(client);
    const Purpose purpose = purpose_of(visit);
    if (!purpose_[who] || *purpose_[who] != purpose) ++rounds_[who];
    purpose_[who] = purpose;
    last_done_ = who;
    const bool writes = purpose >= Purpose::write_ports;
    if (writes && (writers_.empty() || writers_.back() != who)) writers_.push_back(who);
  }
  std::size_t of_client(std::size_t client) { return fake_.origin_of(client) == host(0) ? 0 : 1; }

  bool holds(std::size_t m) const {
    const chains::Plan plan = test::plan_by_ports(fabric_, m == 1);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      for (std::uint16_t lid = 1; lid <= plan.tables->lfts.max_lid().value; ++lid)
        if (fake_.lft_blocks.at({SwitchId(s), 0})[lid] != plan.tables->lfts.at(SwitchId(s), Lid(lid)))
          return false;
    return true;
  }

  const fabric::Fabric fabric_ = rch::test::build(rch::test::clos(2, 2, 2));
  sim::SimulatedFabric fake_{fabric_, fabric_.end_ports()[0].port};
  test::Managers managers_{fake_};
  std::array<std::optional<Purpose>, 2> purpose_;
  std::array<std::size_t, 2> rounds_{};
  std::vector<std::size_t> writers_;
  std::size_t last_done_ = 0;
};

const std::optional<std::size_t> kBefore[] = {std::nullopt, 0, 3, 1};

/// Runs the race in which `order` says who begins the next round; when it ends, both go on in turn. Returns
/// the places where the order had a choice.
std::size_t run_in_order(Race& race, const std::vector<std::size_t>& order) {
  std::size_t at = 0, begun = 0;
  race.run([&](std::size_t last, bool) {
    const bool goes_on = race.rounds(last) == begun && race.rounds(last) > 0 && !race.is_done(last);
    if (goes_on) return last;
    const std::size_t next = at < order.size() ? order[at] : 0;
    ++at;
    begun = race.rounds(next);
    return next;
  });
  return at;
}

struct Tally {
  std::size_t races = 0;
  std::array<std::size_t, 3> by_winners{};
  std::size_t most_rounds = 0;
};

void count(Race& race, Tally& tally) {
  ++tally.races;
  ++tally.by_winners[race.winners()];
  tally.most_rounds = std::max({tally.most_rounds, race.rounds(0), race.rounds(1)});
}

std::string say(const Tally& tally) {
  return fmt::format(
      "{} races, at most {} rounds a pass: {} without a winner, {} with one, {} with two in turn",
      tally.races, tally.most_rounds, tally.by_winners[0], tally.by_winners[1], tally.by_winners[2]);
}

/// Every order of rounds with at most three changes from one pass to the other.
void run_all_orders(const std::optional<std::size_t>& before, Tally& tally) {
  constexpr std::size_t kRounds = 16, kToTheEnd = 100;
  for (std::size_t first = 0; first < 2; ++first)
    for (std::size_t a = 0; a < kRounds; ++a)
      for (std::size_t b = 1; b < kRounds; ++b) {
        std::vector<std::size_t> order(a, first);
        order.insert(order.end(), b, 1 - first);
        order.insert(order.end(), kToTheEnd, first);
        order.insert(order.end(), kToTheEnd, 1 - first);
        Race race(before);
        run_in_order(race, order);
        ASSERT_EQ(race.fault(), "") << first << " first, changes after " << a << " and " << b << " rounds";
        count(race, tally);
      }
}

TEST(Race, OrdersOfRounds) {
  Tally tally;
  for (const auto& before : kBefore) {
    SCOPED_TRACE(before ? static_cast<int>(*before) : -1);
    run_all_orders(before, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(tally.by_winners[0], tally.races / 20) << say(tally);
  EXPECT_LT(tally.most_rounds, 100U) << say(tally);
}

/// Whoever waits for an answer gives way most of the time, so most questions are answered.
TEST(Race, OrdersOfDatagrams) {
  Tally tally;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 draw(seed);
    const std::size_t gives_way = draw() % 90 + 10, changes = draw() % 30;
    Race race(kBefore[draw() % std::size(kBefore)]);
    race.run([&](std::size_t last, bool waits) {
      return draw() % 100 < (waits ? gives_way : changes) ? 1 - last : last;
    });
    ASSERT_EQ(race.fault(), "") << "seed " << seed;
    count(race, tally);
  }
  EXPECT_LT(tally.by_winners[0], tally.races / 5) << say(tally);
}

/// Both run side by side, as two processes do.
TEST(Race, SideBySideOneWins) {
  Tally tally;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 draw(seed);
    Race race(kBefore[draw() % std::size(kBefore)]);
    std::size_t head_start = draw() % 60;
    race.run([&](std::size_t last, bool waits) {
      if (head_start > 0) return --head_start, last;
      return waits || draw() % 2 == 0 ? 1 - last : last;
    });
    ASSERT_EQ(race.fault(), "") << "seed " << seed;
    count(race, tally);
  }
  EXPECT_EQ(tally.by_winners[0], 0U) << say(tally);
}

}  // namespace
}  // namespace rch::sm

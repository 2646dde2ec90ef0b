// What switches would forward by at every moment of a commit: entries beyond LinearFDBTop and
// MulticastFDBTop are not in effect, and come into effect when a top rises.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "fabric/fabric_builder.h"
#include "hw/commit_fixture.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "hw/simple_routing.h"

namespace rch::hw {
namespace {

constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;
/// Two blocks of LIDs.
constexpr std::uint8_t kLmc = 4;

class TableTops : public test::Commit {
 protected:
  using Entries = std::vector<std::uint8_t>;

  std::size_t top(std::size_t sw) const { return get(fake.switch_info[sw], switch_info::kLinearTop); }

  /// By LID: what a switch forwards by.
  Entries in_effect(std::size_t sw) const {
    Entries entries(4 * kBlock, kNoPath);
    for (std::size_t lid = 0; lid <= std::min(top(sw), entries.size() - 1); ++lid) {
      const auto block = fake.lft_blocks.find(
          {SwitchId(static_cast<std::uint32_t>(sw)), static_cast<std::uint32_t>(lid / kBlock)});
      if (block != fake.lft_blocks.end()) entries[lid] = block->second[lid % kBlock];
    }
    return entries;
  }

  /// Leaves entries in a switch whose top does not reach them all.
  void leave(std::size_t sw, std::size_t linear_top, std::uint8_t entry) {
    set(fake.switch_info[sw], switch_info::kLinearTop, linear_top);
    for (std::uint32_t block = 0; block < 3; ++block)
      fake.lft_blocks[{SwitchId(static_cast<std::uint32_t>(sw)), block}].fill(entry);
  }

  /// In rounds that write the first block, then everything. Returns the entries that were in effect and are
  /// neither installed nor target ones.
  std::size_t unproven_during(bool in_rounds) {
    std::vector<Entries> installed, target;
    for (std::size_t s = 0; s < fabric.switch_count(); ++s) installed.push_back(in_effect(s));
    std::size_t unproven = 0;
    fake.lose_answer = [&](const sim::Visit&) {
      for (std::size_t s = 0; s < target.size(); ++s) {
        const Entries now = in_effect(s);
        for (std::size_t lid = 0; lid < now.size(); ++lid)
          unproven += now[lid] != kNoPath && now[lid] != installed[s][lid] && now[lid] != target[s][lid];
      }
      return false;
    };
    Driver driver(fake, {});
    const auto live = driver.wait(discover(driver));
    const auto lids = test::simple_lids(live->fabric, kLmc);
    tables = test::simple_tables(*fabric::with_lids(live->fabric, lids), false);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const auto row = tables.lfts.row(SwitchId(s));
      target.emplace_back(row.begin(), row.end()).resize(4 * kBlock, kNoPath);
    }
    const auto prepared = driver.wait(prepare(driver, *live, lids, tables, {}));
    EXPECT_TRUE(prepared) << prepared.error().message;
    std::vector<fabric::WriteRound> rounds(1, fabric::one_round(prepared->delta.lft_blocks, tables.lfts));
    if (in_rounds) {
      rounds.insert(rounds.begin(), rounds.front());
      std::erase_if(rounds[0].writes, [](const fabric::BlockWrite& write) { return write.at.block > 0; });
    }
    fake.sets.clear();
    const auto report = driver.wait(commit(driver, *live, tables, *prepared, rounds, {}, nullptr));
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->writes(), fake.sets.size());
    for (std::size_t s = 0; s < fabric.switch_count(); ++s) EXPECT_EQ(in_effect(s), target[s]);
    return unproven;
  }
};

TEST_F(TableTops, WhatIsLeftOverBeyondATopNeverComesIntoEffect) {
  for (const bool in_rounds : {false, true}) {
    leave(0, 5, 1);
    leave(1, 63, 2);
    leave(2, 70, 3);
    leave(3, 0, 4);
    EXPECT_EQ(unproven_during(in_rounds), 0U) << in_rounds;
  }
}

TEST_F(TableTops, BlocksBeyondThemCostNoWriteOfTheirOwn) {
  EXPECT_EQ(unproven_during(false), 0U);
  const auto lft_sets = std::ranges::count(fake.sets, Attribute::linear_table, &sim::Visit::attribute);
  EXPECT_EQ(lft_sets, 2 * 5);
}

TEST_F(TableTops, AHigherTopAloneIsAChangeOfEntries) {
  ASSERT_EQ(unproven_during(false), 0U);
  set(fake.switch_info[3], switch_info::kLinearTop, 80);
  EXPECT_EQ(unproven_during(false), 0U);
  const auto lft_sets = std::ranges::count(fake.sets, Attribute::linear_table, &sim::Visit::attribute);
  EXPECT_EQ(lft_sets, 1) << "it is planned as one";
}

struct DrawnTops : TableTops {
  using TableTops::leave;
  using TableTops::unproven_during;
  void TestBody() override {}
};

RC_GTEST_PROP(TableTopsProperties, NothingUnprovenComesIntoEffect, ()) {
  DrawnTops drawn;
  for (std::size_t s = 0; s < 5; ++s)
    drawn.leave(s, *rc::gen::inRange<std::size_t>(0, 140), *rc::gen::inRange<std::uint8_t>(0, 5));
  RC_ASSERT(drawn.unproven_during(*rc::gen::arbitrary<bool>()) == 0U);
}

/// LIDs 0xC000 to 0xC01F of a switch.
using Masks = std::array<std::uint64_t, 32>;

class MulticastTops : public test::Commit {
 protected:
  void SetUp() override {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      set(info(fabric.port_id(SwitchId(s), PortNum(0))), port_info::kCapMulticastTop, 1);
  }
  Masks in_effect(SwitchId sw) const {
    Masks masks{};
    const auto block = fake.multicast.find({sw, 0});
    const auto top = get(fake.switch_info[sw.index()], switch_info::kMulticastTop);
    for (std::uint64_t i = 0; i < masks.size(); ++i)
      if (block != fake.multicast.end() && fabric::kFirstMulticastLid.value + i <= top)
        masks[i] = get(block->second, Field{static_cast<std::uint16_t>(2 * i), 0, 16});
    return masks;
  }
};

TEST_F(MulticastTops, WhatIsLeftOverBeyondATopNeverComesIntoEffect) {
  dress = [](fabric::RoutingTables& target) {
    fabric::MulticastGroup group;
    group.mlid = Lid(0xC005);
    target.groups.push_back(group);
  };
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    set(fake.switch_info[s], switch_info::kMulticastTop, 0xC001);
    fake.multicast[{SwitchId(s), 0}].fill(0x06);
  }
  std::size_t unproven = 0;
  fake.lose_answer = [&](const sim::Visit&) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const Masks now = in_effect(SwitchId(s));
      unproven +=
          static_cast<std::size_t>(std::count_if(now.begin() + 2, now.end(), [](auto m) { return m != 0; }));
    }
    return false;
  };
  ASSERT_TRUE(run());
  EXPECT_EQ(unproven, 0U);
  EXPECT_EQ(get(fake.switch_info[0], switch_info::kMulticastTop), 0xC005U);
  EXPECT_EQ(in_effect(SwitchId(0)), Masks{});
}

}  // namespace
}  // namespace rch::hw

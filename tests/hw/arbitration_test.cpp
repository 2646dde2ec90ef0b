// VL arbitration of ports (IBA 14.2.5.9).

#include "hw/arbitration.h"
#include "hw/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/commit_fixture.h"
#include "hw/discovery.h"

namespace rch::hw {
namespace {

namespace pi = port_info;
using fabric::VlWeight;
using fabric::VlWeights;
using sim::Visit;
using test::Commit;
using testing::ElementsAre;
using testing::IsEmpty;

class ArbitrationBlocks : public Commit {
 protected:
  /// All blocks that a host port gets, in their order, as it has `cap` entries in both tables.
  std::vector<Image> blocks(const fabric::Arbitration& target, std::uint8_t cap,
                            std::uint8_t max_op_vls = 5) {
    for (Field field : {pi::kVlArbHighCap, pi::kVlArbLowCap}) set(info(host(2)), field, cap);
    Driver driver(fake, {});
    const auto live = driver.wait(discover(driver));
    fabric::ArbitrationTables by_port(fabric.ports().size());
    by_port.set(host(2), by_port.intern(target));
    auto made = target_arbitration(*live, by_port, max_op_vls);
    remarks = made.remarks;
    return made.blocks;
  }
  static VlWeights entries(const Image& image) {
    VlWeights list;
    for (std::size_t i = 0; i < image.compared.size(); ++i)
      list.push_back({image.data[2 * i], image.data[2 * i + 1]});
    return list;
  }

  std::vector<std::string> remarks;
};

TEST_F(ArbitrationBlocks, AreAsLongAsThePortHasEntries) {
  const fabric::Arbitration target{0, {{0, 4}}, VlWeights(64, VlWeight{1, 9})};
  const auto lengths = [&](std::uint8_t cap) {
    std::vector<std::pair<std::uint32_t, std::size_t>> found;
    for (const Image& image : blocks(target, cap)) found.push_back({image.modifier, image.compared.size()});
    return found;
  };
  using Length = std::pair<std::uint32_t, std::size_t>;
  EXPECT_THAT(lengths(8), ElementsAre(Length(0x10000, 8), Length(0x30000, 8)));
  EXPECT_THAT(lengths(33),
              ElementsAre(Length(0x10000, 32), Length(0x20000, 1), Length(0x30000, 32), Length(0x40000, 1)));
  EXPECT_THAT(lengths(64), ElementsAre(Length(0x10000, 32), Length(0x20000, 32), Length(0x30000, 32),
                                       Length(0x40000, 32)));
  EXPECT_THAT(lengths(0), IsEmpty());
}

TEST_F(ArbitrationBlocks, EntriesAreMaskedAndTheRestIsNothing) {
  const auto made = blocks({0, {{0, 4}, {9, 5}}, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}}, 4);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_THAT(entries(made[0]), ElementsAre(VlWeight{1, 1}, VlWeight{2, 2}, VlWeight{3, 3}, VlWeight{4, 4}));
  EXPECT_THAT(entries(made[1]), ElementsAre(VlWeight{0, 4}, VlWeight{1, 5}, VlWeight{0, 0}, VlWeight{0, 0}));
  EXPECT_THAT(remarks, ElementsAre("VL arbitration of 1 port has VLs that are never served: the tables are "
                                   "too short for the lists"));
}

TEST_F(ArbitrationBlocks, PortsWithOneVlHaveNone) {
  EXPECT_THAT(blocks({0, {{0, 4}}, {{1, 4}}}, 8, 1), IsEmpty());
  set(info(fabric.port(host(2)).peer), pi::kVlCap, 1);
  EXPECT_THAT(blocks({0, {{0, 4}}, {{1, 4}}}, 8), IsEmpty());
}

/// Every port gets tables of its own kind.
class Arbitrated : public Commit {
 protected:
  Arbitrated() {
    dress = [this](fabric::RoutingTables& made) {
      made.arbitration = fabric::ArbitrationTables(fabric.ports().size());
      for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
        const fabric::Port& port = fabric.port(PortId(p));
        const bool of_host = !fabric.is_switch(port.node);
        if (!port.peer.is_none())
          made.arbitration.set(PortId(p), made.arbitration.intern(of_host ? hosts : switches));
      }
    };
  }
  static bool is_arbitration(const Visit& visit) { return visit.attribute == Attribute::vl_arbitration; }

  fabric::Arbitration hosts{7, {{0, 4}}, {{1, 4}}};
  fabric::Arbitration switches{0, {{0, 64}, {1, 64}}, {{4, 10}, {5, 10}}};
};

TEST_F(Arbitrated, PortsHoldTheirTablesAndASecondRunWritesNothing) {
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->arbitration_blocks, 2U * (2U * 6U + 6U * 2U));
  EXPECT_EQ(report->writes(), fake.sets.size());
  const auto first = [&](PortId port, std::uint32_t block) {
    const SmpData& data = fake.arbitration.at({port, block});
    return VlWeight{data[0], data[1]};
  };
  EXPECT_EQ(first(host(1), 1), (VlWeight{1, 4}));
  EXPECT_EQ(first(host(1), 3), (VlWeight{0, 4}));
  EXPECT_EQ(first(fabric.port(host(1)).peer, 1), (VlWeight{4, 10}));
  EXPECT_EQ(get(info(host(1)), pi::kVlHighLimit), 7U);

  fake.sets.clear();
  EXPECT_EQ(run()->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Arbitrated, OnlyWhatDiffersIsWritten) {
  ASSERT_TRUE(run());
  fake.arbitration.at({host(3), 3})[1] ^= 1;
  fake.sets.clear();
  EXPECT_EQ(run()->arbitration_blocks, 1U);
  EXPECT_EQ(std::ranges::count_if(fake.sets, is_arbitration), 1);
}

TEST_F(Arbitrated, AHighLimitAloneIsWrittenToo) {
  ASSERT_TRUE(run());
  hosts.high_limit = 8;
  EXPECT_EQ(run()->end_ports, 6U);
  EXPECT_EQ(get(info(host(1)), pi::kVlHighLimit), 8U);
}

TEST_F(Arbitrated, TablesThatDoNotHoldAreNamed) {
  fake.bend = [](const Visit& visit, SmpData& answer) {
    if (is_arbitration(visit) && visit.method == Method::set && visit.node == NodeId(1)) answer[2] = 3;
  };
  EXPECT_THAT(failure(), testing::HasSubstr("of block 1 of its VL arbitration after 0x50a was written"));
}

TEST_F(Commit, WithoutArbitrationNothingIsAskedFor) {
  ASSERT_TRUE(run());
  EXPECT_TRUE(fake.arbitration.empty());
}

}  // namespace
}  // namespace rch::hw

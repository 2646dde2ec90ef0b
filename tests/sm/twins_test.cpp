// Two hosts with one GUID, in a manager that stays.

#include <map>

#include "sm/stations.h"

namespace rch::sm {
namespace {

using std::chrono::seconds;
using test::Station;

class TwinsTest : public test::StationsTest {
 protected:
  /// One host gets the GUIDs of another one.
  void make_twin(PortId of, PortId other) {
    const NodeId node = fabric.port(of).node;
    set(fake.node_info[node.index()], hw::node_info::kNodeGuid,
        get(fake.node_info[fabric.port(other).node.index()], hw::node_info::kNodeGuid));
    guid_of[node] = fabric.port(other).guid;
    fake.bend = [this](const sim::Visit& visit, hw::SmpData& answer) {
      if (visit.attribute != test::Attribute::node_info) return;
      if (const auto twin = guid_of.find(visit.node); twin != guid_of.end())
        set(answer, hw::node_info::kPortGuid, twin->second.value);
    };
  }
  std::map<NodeId, Guid> guid_of;
};

// The one that runs stays in service, although the other one is nearer to the manager.
TEST_F(TwinsTest, ATwinDoesNotTakeThePlaceOfTheOneThatRuns) {
  const PortId near = host(1), far = host(5);
  fake.pull(near, false);
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station)) << told();
  run_for(seconds{3});
  ASSERT_TRUE(reaches(host(2), far));
  make_twin(near, far);
  fake.plug(near);
  run_for(seconds{20});
  ASSERT_EQ(station.manager.left_out().size(), 1U) << told();
  const fabric::Quarantined& left_out = station.manager.left_out().front();
  EXPECT_EQ(left_out.node, fabric.node(fabric.port(fabric.port(near).peer).node).guid);
  EXPECT_EQ(left_out.port, fabric.port(fabric.port(near).peer).number);
  EXPECT_NE(left_out.reason.find("two nodes with one GUID"), std::string::npos) << left_out.reason;
  EXPECT_TRUE(station.manager.status().proven);
  for (const std::size_t from : {0U, 2U, 3U, 4U}) {
    EXPECT_TRUE(reaches(host(from), far)) << from;
    EXPECT_TRUE(reaches(far, host(from))) << from;
  }
  EXPECT_NE(get(fake.port_info[near.index()], test::pi::kState), 4U)
      << "the link of the twin is not brought up";
  run_for(std::chrono::minutes{10});
  EXPECT_TRUE(reaches(host(2), far)) << "nor later: " << told();

  // It is given a GUID of its own.
  set(fake.node_info[fabric.port(near).node.index()], hw::node_info::kNodeGuid,
      fabric.node(fabric.port(near).node).guid.value);
  guid_of.clear();
  run_for(std::chrono::minutes{3});
  EXPECT_TRUE(station.manager.left_out().empty()) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// Who runs is not known yet.
TEST_F(TwinsTest, OneOfTwoIsLeftOutFromTheStart) {
  make_twin(host(1), host(5));
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station)) << told();
  EXPECT_EQ(station.manager.left_out().size(), 1U) << told();
  EXPECT_EQ(station.manager.status().end_ports + 1, fabric.end_ports().size());
}

}  // namespace
}  // namespace rch::sm

#include "sa/trace_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sa/answer.h"
#include "sa/path_fields.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

namespace tr = trace_record;
namespace pr = path_record;
using test::Asked;
using test::records_of;
using test::SmallSnapshot;

Asked between(const SmallSnapshot& small, PortId from, PortId to) {
  return Asked(Method::get_trace_table, Attribute::trace_record)
      .with_bytes(pr::kSgidComponent, pr::kSgid, small.gid(from))
      .with_bytes(pr::kDgidComponent, pr::kDgid, small.gid(to));
}

Answer ask(const SmallSnapshot& small, Asked asked) {
  return answer(small.snapshot, {.port = small.snapshot.local}, asked.filled());
}

TEST(TraceRecord, FollowsTheCablesFromNodeToNode) {
  const SmallSnapshot small(test::clos(2, 2, 2));
  const PortId from = small.host(0), to = small.host(3);
  const Answer answer = ask(small, between(small, from, to));
  ASSERT_EQ(answer.status, Status::good);
  EXPECT_EQ(answer.record_size, tr::kSize);
  const auto records = records_of(answer);
  ASSERT_EQ(records.size(), 5U);  // host, leaf, spine, leaf, host
  const fabric::Fabric& fabric = small.fabric();
  PortId at = from;  // by which the packet left the node before
  for (std::size_t i = 1; i < records.size(); ++i) {
    const PortId entered = fabric.port(at).peer;
    EXPECT_EQ(get(records[i], tr::kNodeId), fabric.node(fabric.port(entered).node).guid.value) << i;
    if (i + 1 == records.size()) break;
    EXPECT_EQ(get(records[i], tr::kNodeType), 2U);
    EXPECT_EQ(get(records[i], tr::kEntryPort), fabric.port(entered).number.value);
    at = fabric.port_id(fabric.port(entered).node,
                        PortNum(static_cast<std::uint8_t>(get(records[i], tr::kExitPort))));
  }
  EXPECT_EQ(fabric.port(at).peer, to);
  EXPECT_EQ(get(records.front(), tr::kNodeType), 1U);
  EXPECT_EQ(get(records.front(), tr::kExitPortId), small.guid(from).value);
  EXPECT_EQ(get(records.back(), tr::kEntryPortId), small.guid(to).value);
  EXPECT_EQ(get(records.back(), tr::kGidPrefix), small.snapshot.prefix());
}

TEST(TraceRecord, NodesNextToEachOtherAndAlone) {
  const SmallSnapshot small(test::clos(2, 2, 2));
  EXPECT_EQ(records_of(ask(small, between(small, small.host(0), small.host(1)))).size(), 3U);
  EXPECT_EQ(records_of(ask(small, between(small, small.host(0), small.host(0)))).size(), 1U);
  // From port 0 of the leaf: the switch, then the host.
  const auto from_switch = records_of(ask(small, between(small, small.switch_port(0, 0), small.host(0))));
  ASSERT_EQ(from_switch.size(), 2U);
  EXPECT_EQ(get(from_switch[0], tr::kNodeType), 2U);
  EXPECT_EQ(get(from_switch[0], tr::kEntryPort), 0U);
}

TEST(TraceRecord, NeedsOneSourceAndOneDestination) {
  const SmallSnapshot small(test::clos(2, 2, 2));
  Asked asked = between(small, small.host(0), small.host(3));
  for (const unsigned component : {pr::kSgidComponent, pr::kDgidComponent}) {
    Asked less = asked;
    less.query.mask &= ~(std::uint64_t{1} << component);
    EXPECT_EQ(ask(small, less).status, Status::insufficient_components);
  }
  asked.with_bytes(pr::kDgidComponent, pr::kDgid, make_gid(small.snapshot.prefix(), Guid(0x4711)));
  EXPECT_EQ(ask(small, asked).status, Status::no_records);
}

TEST(TraceRecord, OfAPathThatPartitionsForbidThereIsNone) {
  SmallSnapshot small(test::clos(2, 2, 2));
  small.set_pkeys({{small.host(3), {0x8001}}});
  EXPECT_EQ(ask(small, between(small, small.host(0), small.host(3))).status, Status::no_records);
}

}  // namespace
}  // namespace rch::sa

// Which M_Keys a request is tried with (IBA 14.2.4).

#include "hw/key_ring.h"

#include <gtest/gtest.h>

#include "hw/attributes.h"

namespace rch::hw {
namespace {

constexpr KeySource kOwn{0x1111, 0x2222, true}, kFormer{0x3333, 0x4444, true}, kShared{0x5555, 0, false};
constexpr Guid kLocal{0xA1}, kSwitch{0xB1}, kHost{0xA2}, kOther{0xA3};

constexpr std::uint64_t kNone = 0;

using Keys = std::vector<std::uint64_t>;

class PortKeys : public testing::Test {
 protected:
  Keys keys(const KeyRing& ring, const Address& to, Attribute attribute = Attribute::port_info) const {
    Keys found;
    ring.keys_for({.to = to, .attribute = attribute}, found);
    return found;
  }
  static Route route(std::initializer_list<int> ports) {
    Route made;
    for (const int port : ports) made = made.through(PortNum(static_cast<std::uint8_t>(port)));
    return made;
  }
  /// The agent at the end of a route says who it is.
  static void meet(KeyRing& ring, const Route& at, fabric::NodeType type, Guid guid, int port) {
    NodeInfo info;
    info.type = type;
    info.node_guid = type == fabric::NodeType::sw ? guid : Guid(guid.value + 0x100);
    info.port_guid = guid;
    info.local_port = PortNum(static_cast<std::uint8_t>(port));
    ring.learn({.to = at, .attribute = Attribute::node_info}, {.answered = true, .data = encode(info)},
               key_of(kOwn, guid));
  }
  /// The switch shows the state of a port.
  static void show(KeyRing& ring, const Route& at, std::uint32_t port, PortState state) {
    PortInfo info;
    info.state = state;
    ring.learn({.to = at, .attribute = Attribute::port_info, .modifier = port},
               {.answered = true, .data = encode(info)}, key_of(kOwn, kSwitch));
  }

  /// Our host at port 1 of a switch, another one at port 2.
  KeyRing ring_with_two_hosts() {
    KeyRing ring({.own = kOwn});
    meet(ring, route({}), fabric::NodeType::ca, kLocal, 1);
    meet(ring, route({1}), fabric::NodeType::sw, kSwitch, 1);
    meet(ring, route({1, 2}), fabric::NodeType::ca, kHost, 1);
    return ring;
  }
};

TEST(KeySource, IsSipHash24) {
  // The test vector of its authors: key 00..0f, input 00..07.
  const KeySource source{0x0706050403020100, 0x0f0e0d0c0b0a0908, true};
  EXPECT_EQ(key_of(source, Guid(0x0706050403020100)), 0x93f5f5799a932462U);
}

TEST(KeySource, WithoutKeysPerPortAllAgentsHaveOne) {
  EXPECT_EQ(key_of(kShared, kHost), 0x5555U);
  EXPECT_EQ(key_of({0, 7, true}, kHost), 0U) << "no M_Key, no keys";
  EXPECT_NE(key_of(kOwn, kHost), key_of(kOwn, kOther));
}

TEST_F(PortKeys, AnAgentIsKnownByItsRoute) {
  const KeyRing ring = ring_with_two_hosts();
  EXPECT_EQ(keys(ring, route({})), Keys{key_of(kOwn, kLocal)});
  EXPECT_EQ(keys(ring, route({1})), Keys{key_of(kOwn, kSwitch)});
  EXPECT_EQ(keys(ring, route({1, 2})), Keys{key_of(kOwn, kHost)});
}

TEST_F(PortKeys, WhoBeginsAgainKnowsItByTheCablesThatWereKept) {
  const KeyRing before = ring_with_two_hosts();
  const KeyRing ring({.own = kOwn, .cables = before.cables(), .local = kLocal});
  EXPECT_EQ(keys(ring, route({1, 2}), Attribute::node_info), Keys{key_of(kOwn, kHost)});
  EXPECT_EQ(keys(ring, route({1, 3}), Attribute::node_info), Keys{kNone}) << "nobody knows who it is";
}

TEST_F(PortKeys, FormerKeysComeAfterThoseOfTheConfiguration) {
  const KeyRing before = ring_with_two_hosts();
  KeyRing ring({.own = kOwn, .former = {kFormer, kShared}, .cables = before.cables(), .local = kLocal});
  const Keys all{key_of(kOwn, kHost), key_of(kFormer, kHost), kShared.m_key};
  EXPECT_EQ(keys(ring, route({1, 2})), all);
  // It showed that it still holds the former one.
  ring.learn({.to = route({1, 2}), .attribute = Attribute::node_description}, {.answered = true}, all[1]);
  EXPECT_EQ(keys(ring, route({1, 2})).front(), all[1]);
  // It is given the new one.
  PortInfo info;
  info.m_key = all[0];
  ring.learn(
      {.to = route({1, 2}), .method = Method::set, .attribute = Attribute::port_info, .data = encode(info)},
      {.answered = true}, all[1]);
  EXPECT_EQ(keys(ring, route({1, 2})), all);
}

TEST_F(PortKeys, AHostThatIsPluggedInElsewhereIsFound) {
  KeyRing ring = ring_with_two_hosts();
  EXPECT_EQ(keys(ring, route({1, 3}), Attribute::node_info), Keys{kNone});
  show(ring, route({1}), 2, PortState::down);
  EXPECT_EQ(keys(ring, route({1, 3}), Attribute::node_info), (Keys{kNone, key_of(kOwn, kHost)}));
  meet(ring, route({1, 3}), fabric::NodeType::ca, kHost, 1);
  EXPECT_EQ(keys(ring, route({1, 3})), Keys{key_of(kOwn, kHost)});
  EXPECT_EQ(keys(ring, route({1, 2}), Attribute::node_info), Keys{kNone}) << "it is not there any more";
}

TEST_F(PortKeys, ASubnetManagerIsLookedForBehindUnknownCables) {
  KeyRing ring({.own = kOwn, .local = kLocal, .managers = {kLocal, kHost}});
  EXPECT_EQ(keys(ring, route({1}), Attribute::node_info), (Keys{kNone, key_of(kOwn, kHost)}));
  meet(ring, route({1}), fabric::NodeType::sw, kSwitch, 1);
  meet(ring, route({1, 2}), fabric::NodeType::ca, kHost, 1);
  EXPECT_EQ(keys(ring, route({1, 3}), Attribute::node_info), Keys{kNone});
}

TEST_F(PortKeys, AHostWhosePlaceAnotherOneTookIsLookedForElsewhere) {
  KeyRing ring = ring_with_two_hosts();
  meet(ring, route({1, 2}), fabric::NodeType::ca, kOther, 1);
  EXPECT_EQ(keys(ring, route({1, 2})), Keys{key_of(kOwn, kOther)});
  EXPECT_EQ(keys(ring, route({1, 3}), Attribute::node_info), (Keys{kNone, key_of(kOwn, kHost)}));
}

TEST_F(PortKeys, AnotherCableOfAKnownSwitchIsTried) {
  constexpr Guid kSecond{0xB2};
  KeyRing ring = ring_with_two_hosts();
  meet(ring, route({1, 3}), fabric::NodeType::sw, kSecond, 1);
  show(ring, route({1}), 3, PortState::init);
  show(ring, route({1, 3}), 1, PortState::init);
  EXPECT_EQ(keys(ring, route({1, 4}), Attribute::node_info), Keys{kNone}) << "all ends are known";
  show(ring, route({1}), 4, PortState::init);
  EXPECT_EQ(keys(ring, route({1, 4}), Attribute::node_info), Keys{kNone}) << "no cable to itself";
  show(ring, route({1, 3}), 5, PortState::init);
  const Keys both{kNone, key_of(kOwn, kSecond)};
  EXPECT_EQ(keys(ring, route({1, 4}), Attribute::node_info), both);
  EXPECT_EQ(keys(ring, route({1, 2}), Attribute::node_info), Keys{key_of(kOwn, kHost)})
      << "this cable is known";
  show(ring, route({1, 3}), 5, PortState::down);
  EXPECT_EQ(keys(ring, route({1, 4}), Attribute::node_info), Keys{kNone});
  show(ring, route({1, 3}), 5, PortState::init);
  meet(ring, route({1, 4}), fabric::NodeType::sw, kSecond, 5);
  EXPECT_EQ(keys(ring, route({1, 4})), Keys{key_of(kOwn, kSecond)});
  EXPECT_EQ(keys(ring, route({1, 6}), Attribute::node_info), Keys{kNone}) << "no end is open any more";
}

TEST_F(PortKeys, AnAgentIsKnownByItsLidOnceItShowedIt) {
  KeyRing ring = ring_with_two_hosts();
  EXPECT_EQ(keys(ring, Lid(7)), Keys{kNone});
  PortInfo info;
  info.lid = Lid(7);
  ring.learn({.to = route({1, 2}), .attribute = Attribute::port_info, .modifier = 1},
             {.answered = true, .data = encode(info)}, key_of(kOwn, kHost));
  EXPECT_EQ(keys(ring, Lid(7)), Keys{key_of(kOwn, kHost)});
}

TEST_F(PortKeys, TheKeyOfAnotherAgentIsForeign) {
  const KeyRing ring = ring_with_two_hosts();
  const SmpRequest request{.to = route({1, 2}), .attribute = Attribute::port_info};
  PortInfo info;
  info.m_key = key_of(kOwn, kHost);
  EXPECT_FALSE(ring.is_foreign(request, {.answered = true, .data = encode(info)}));
  info.m_key = key_of(kOwn, kOther);
  EXPECT_TRUE(ring.is_foreign(request, {.answered = true, .data = encode(info)}));
}

}  // namespace
}  // namespace rch::hw

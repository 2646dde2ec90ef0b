#include <algorithm>

#include <fmt/format.h>

#include "conformance/conformance.h"

namespace rch::conformance {
namespace {

constexpr std::uint16_t kGroupCreated = 66, kGroupDeleted = 67, kBadMKey = 256;

Reply own_subscriptions(Session& session, std::uint64_t key = 0) {
  return session.ask(
      Fields(kInformInfoRecord).set("SubscriberGID", session.host().gid()).request(method::kGetTable, key));
}

Finding subscriptions(Session& session) {
  Judgement judgement;
  const std::size_t before = own_subscriptions(session).count();
  judgement.expect_refused(session.ask(subscription(kGroupCreated, false)),
                           "end of a subscription that there is not");
  judgement.expect_status(session.ask(subscription(kGroupCreated, true)), status::kGood,
                          "Set(InformInfo), Subscribe 1");
  judgement.expect(own_subscriptions(session).count() == before + 1,
                   "InformInfoRecords after one subscription: " + own_subscriptions(session).text());
  judgement.expect_status(session.ask(subscription(kGroupCreated, true)), status::kGood, "the same again");
  judgement.expect(own_subscriptions(session).count() == before + 1,
                   "InformInfoRecords after the same again: " + own_subscriptions(session).text());
  judgement.expect_status(session.ask(subscription(kGroupCreated, false)), status::kGood,
                          "Set(InformInfo), Subscribe 0");
  judgement.expect(own_subscriptions(session).count() == before, "InformInfoRecords after its end");
  judgement.expect_refused(session.ask({.method = method::kGet,
                                        .attribute = attribute::kInformInfo,
                                        .data = std::vector<std::uint8_t>(36)}),
                           "Get(InformInfo)");
  Request twice = subscription(kGroupCreated, true);
  hw::set(twice.data, {23, 0, 8}, 2);
  judgement.expect_refused(session.ask(twice), "Subscribe 2");
  judgement.note("subscribed, listed, ended");
  return judgement.finding();
}

Finding security_traps(Session& session) {
  Judgement judgement;
  judgement.expect_refused(session.ask(subscription(kBadMKey, true)),
                           "subscription to trap 256 without SA_Key");
  judgement.note("trap 256 is for the trusted");
  return judgement.finding();
}

/// Traps that Reports of our group told.
std::vector<std::uint64_t> traps_of(const std::vector<hw::Mad>& reports, const Gid& group) {
  constexpr std::uint16_t kNotice = header::kData;
  std::vector<std::uint64_t> traps;
  for (const hw::Mad& mad : reports) {
    const auto subject = mad.begin() + kNotice + 16;
    if (std::equal(group.begin(), group.end(), subject)) traps.push_back(hw::get(mad, {kNotice + 4, 0, 16}));
  }
  return traps;
}

Finding reports(Session& session) {
  constexpr hw::Milliseconds kLong{5000};
  const Gid group = session.own_group(3);
  session.client().reports({}, 0);
  session.ask(subscription(kGroupCreated, true));
  session.ask(subscription(kGroupDeleted, true));
  session.ask(session.creation(group).request(method::kSet));
  const auto created = traps_of(session.client().reports(kLong, 1), group);
  session.ask(session.membership(group, session.host().gid(), 1).request(method::kDelete));
  const auto deleted = traps_of(session.client().reports(kLong, 1), group);
  Judgement judgement;
  judgement.expect(std::ranges::count(created, kGroupCreated) != 0, "no Report of trap 66 within 5 s");
  judgement.expect(std::ranges::count(deleted, kGroupDeleted) != 0, "no Report of trap 67 within 5 s");
  session.ask(subscription(kGroupCreated, false));
  session.ask(session.creation(session.own_group(4)).request(method::kSet));
  const auto late = traps_of(session.client().reports(hw::Milliseconds(1500), 1), session.own_group(4));
  judgement.expect(late.empty(), "a Report comes after the end of the subscription");
  judgement.note("Reports of traps 66 and 67, none after the end of the subscription");
  return judgement.finding();
}

}  // namespace

void add_event_tests(std::vector<Test>& tests) {
  tests.push_back({"subscriptions", "InformInfo: subscribe, list, end", subscriptions});
  tests.push_back({"security-traps", "Traps of wrong keys are for the trusted", security_traps});
  tests.push_back({"reports", "Reports of groups that are created and deleted", reports});
}

}  // namespace rch::conformance

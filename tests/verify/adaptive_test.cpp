// Random fabrics whose switches route adaptively, by groups good and bad: the verdict is what following every
// choice of every switch for every pair finds.

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "brute_force_choices.h"
#include "riddle.h"
#include "verify/given_sls.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using test::Riddle;

std::uint64_t count_of(const Verdict& verdict, FindingKind kind) {
  const auto found = std::ranges::find(verdict.findings, kind, &Finding::kind);
  return found == verdict.findings.end() ? 0 : found->count;
}

/// A riddle with groups of ports beside its entries.
class AdaptiveRiddle {
 public:
  explicit AdaptiveRiddle(std::uint64_t seed) : random_(seed ^ 0xADA), riddle_(seed) {
    fabric::AdaptiveTables groups(fabric().switch_count(), fabric().max_lid());
    for (std::uint32_t s = 0; s < fabric().switch_count(); ++s) {
      fabric::AdaptiveSwitch& sw = groups.at(SwitchId(s));
      sw.enabled = !one_in(6);
      sw.fast_recovery = one_in(3);
      if (one_in(4)) sw.sls = static_cast<std::uint16_t>(random_());
    }
    const bool minimal = one_in(2);
    for (std::uint32_t s = 0; s < fabric().switch_count(); ++s) {
      std::vector<std::uint16_t> column;
      for (std::uint32_t at = 0; at < fabric().switch_count(); ++at)
        column.push_back(at == s && !one_in(8)
                             ? fabric::AdaptiveTables::kNoGroup
                             : groups.group_number(SwitchId(at), any_group(at, s, minimal)));
      const std::uint32_t number = groups.add_column(column);
      for (const fabric::EndPort& host : fabric().end_ports())
        for (unsigned k = 0; k < 1U << host.lmc && host.sw.value == s; ++k)
          if (!one_in(5)) groups.set_column(Lid(static_cast<std::uint16_t>(host.lid.value + k)), number);
      if (one_in(2)) groups.set_column(fabric().port(fabric().port_id(SwitchId(s), PortNum(0))).lid, number);
    }
    riddle_.tables().adaptive = std::move(groups);
  }

  /// The service levels that all switches route adaptively.
  void set_sls(std::uint16_t sls) {
    for (std::uint32_t s = 0; s < fabric().switch_count(); ++s)
      riddle_.tables().adaptive.at(SwitchId(s)).sls = sls;
  }

  const fabric::Fabric& fabric() const { return riddle_.fabric(); }
  const fabric::RoutingTables& tables() const { return riddle_.tables(); }
  const Options& options() const { return riddle_.options(); }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  /// Some of the ports that lead nearer to switch `to`, or any ports.
  fabric::PortGroup any_group(std::uint32_t at, std::uint32_t to, bool minimal) {
    fabric::PortGroup group;
    group.is_static = one_in(10);
    for (unsigned p = 1; p <= fabric().node(SwitchId(at)).num_ports; ++p) {
      const PortId peer =
          fabric().port(fabric().port_id(SwitchId(at), PortNum(static_cast<std::uint8_t>(p)))).peer;
      const bool nearer = !peer.is_none() && fabric().is_switch(fabric().port(peer).node) &&
                          distance(fabric().port(peer).node.value, to) < distance(at, to);
      if (minimal ? nearer && !one_in(4) : one_in(4)) group.ports.insert(static_cast<std::uint8_t>(p));
    }
    if (one_in(30)) group.ports.insert(static_cast<std::uint8_t>(below(256)));
    return group;
  }

  std::size_t distance(std::uint32_t from, std::uint32_t to) const {
    std::vector<std::size_t> hops(fabric().switch_count(), fabric().switch_count());
    std::vector<std::uint32_t> queue{from};
    hops[from] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const fabric::Neighbor& n : fabric().graph().neighbors(SwitchId(queue[i])))
        if (hops[n.sw.index()] == fabric().switch_count()) {
          hops[n.sw.index()] = hops[queue[i]] + 1;
          queue.push_back(n.sw.value);
        }
    return hops[to];
  }

  std::mt19937_64 random_;
  Riddle riddle_;
};

void check(const AdaptiveRiddle& riddle, const Options& options) {
  const test::BruteForce all = test::brute_force_choices(riddle.fabric(), riddle.tables(), options);
  const Verdict verdict = verify(riddle.fabric(), riddle.tables(), options);
  RC_ASSERT(verdict.pairs == all.pairs);
  for (const FindingKind kind :
       {FindingKind::unreachable, FindingKind::dropped_by_vl, FindingKind::disconnected}) {
    const auto lost = all.lost.find(kind);
    RC_ASSERT(count_of(verdict, kind) == (lost == all.lost.end() ? 0 : lost->second));
  }
  if (const auto loops = all.lost.find(FindingKind::loop); loops != all.lost.end())
    RC_ASSERT(count_of(verdict, FindingKind::loop) == loops->second);
  RC_ASSERT(verdict.channels == all.channels.size());
  RC_ASSERT(verdict.dependencies == all.dependencies());
  std::uint64_t on_cycles = 0;
  for (const test::Channel& c : all.channels) on_cycles += all.shortest_cycle(c) != 0 ? 1 : 0;
  RC_ASSERT(count_of(verdict, FindingKind::credit_loop) == on_cycles);
}

/// Each hop of a witness is a choice of its switch, and leads to the next.
void check_witness(const AdaptiveRiddle& riddle, const Finding& finding) {
  const fabric::Fabric& fabric = riddle.fabric();
  for (std::size_t i = 0; i < finding.witness.size(); ++i) {
    const Hop& hop = finding.witness[i];
    if (hop.source.is_none() && finding.kind != FindingKind::loop) continue;  // of multicast
    const auto ports = test::choices(fabric, riddle.tables(), hop.sw, hop.destination,
                                     test::packet_sls(riddle.tables(), riddle.options(), hop.sl));
    const bool is_choice = ports.contains(hop.out.value);
    RC_ASSERT(is_choice || finding.kind == FindingKind::loop);  // a loop at some service level
    if (i + 1 == finding.witness.size() && finding.kind != FindingKind::credit_loop) continue;
    const Hop& next = finding.witness[(i + 1) % finding.witness.size()];
    RC_ASSERT(fabric.port(fabric.port_id(hop.sw, hop.out)).peer == fabric.port_id(next.sw, next.in));
  }
}

RC_GTEST_PROP(VerifyAdaptive, AgreesWithEveryChoiceOfEveryPair, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const AdaptiveRiddle riddle(seed + i * 1000);
    check(riddle, riddle.options());
    for (const Finding& finding : verify(riddle.fabric(), riddle.tables(), riddle.options()).findings)
      check_witness(riddle, finding);
  }
}

RC_GTEST_PROP(VerifyAdaptive, AgreesAtServiceLevelsThatWereGiven, (std::uint64_t seed)) {
  const AdaptiveRiddle riddle(seed);
  std::mt19937_64 random(seed);
  GivenSls given(riddle.fabric().ports().size());
  for (const fabric::EndPort& from : riddle.fabric().end_ports()) {
    std::vector<std::uint8_t> levels(riddle.fabric().max_lid().index() + 1);
    for (std::uint8_t& sl : levels) sl = static_cast<std::uint8_t>(random() % 3 * 3);
    given.set(from.port, std::move(levels));
  }
  Options options = riddle.options();
  options.given = &given;
  check(riddle, options);
}

RC_GTEST_PROP(VerifyAdaptive, AgreesForLidsOfSwitches, (std::uint64_t first)) {
  for (std::uint64_t seed = first; seed < first + 20; ++seed) {
    const AdaptiveRiddle riddle(seed);
    const SwitchLids judged = verify(riddle.fabric(), riddle.tables(), riddle.options()).switch_lids;
    test::BruteForce all;
    test::brute_force_choices_to_switches(riddle.fabric(), riddle.tables(), riddle.options(), all);
    std::uint64_t lost = 0, disconnected = 0;
    for (const auto& [kind, pairs] : all.lost)
      (kind == FindingKind::disconnected ? disconnected : lost) += pairs;
    RC_ASSERT(judged.pairs == all.pairs);
    RC_ASSERT(judged.lost_pairs == lost);
    RC_ASSERT(judged.disconnected_pairs == disconnected);
    RC_ASSERT(judged.credit_loop.empty() == judged.sound());
  }
}

/// Hosts may choose service levels that only some switches route adaptively.
TEST(VerifyAdaptive, PacketsOfAnyServiceLevelCountWhereAllPathsHaveOne) {
  std::uint64_t more = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    AdaptiveRiddle riddle(seed);
    if (!fabric::common_path_sl(riddle.tables())) continue;
    riddle.set_sls(0xFFFF);
    const Verdict all = verify(riddle.fabric(), riddle.tables(), riddle.options());
    riddle.set_sls(static_cast<std::uint16_t>(~(1U << *fabric::common_path_sl(riddle.tables()))));
    const Verdict others = verify(riddle.fabric(), riddle.tables(), riddle.options());
    EXPECT_EQ(others.dependencies, all.dependencies) << seed;
    riddle.set_sls(0);
    more += verify(riddle.fabric(), riddle.tables(), riddle.options()).dependencies < all.dependencies;
  }
  EXPECT_GT(more, 20U);
}

// Without groups the proof by choices is the proof by entries.
RC_GTEST_PROP(VerifyAdaptive, IsTheProofOfEntriesWhereNoEntryHasAGroup, (std::uint64_t seed)) {
  Riddle riddle(seed);
  const Verdict entries = verify(riddle.fabric(), riddle.tables(), riddle.options());
  riddle.tables().adaptive =
      fabric::AdaptiveTables(riddle.fabric().switch_count(), riddle.fabric().max_lid());
  const Verdict choices = verify(riddle.fabric(), riddle.tables(), riddle.options());
  const bool loops = count_of(entries, FindingKind::loop) != 0;
  RC_ASSERT((count_of(choices, FindingKind::loop) != 0) == loops);
  if (loops) return;
  RC_ASSERT(choices.channels == entries.channels);
  RC_ASSERT(choices.dependencies == entries.dependencies);
  RC_ASSERT(choices.findings.size() == entries.findings.size());
  for (std::size_t i = 0; i < entries.findings.size(); ++i) {
    RC_ASSERT(choices.findings[i].kind == entries.findings[i].kind);
    RC_ASSERT(choices.findings[i].count == entries.findings[i].count);
  }
}

TEST(AdaptiveRiddles, HaveEveryAnswer) {
  std::map<std::string_view, int> seen;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const AdaptiveRiddle riddle(seed);
    const Verdict verdict = verify(riddle.fabric(), riddle.tables(), riddle.options());
    if (verdict.clean() && verdict.dependencies > 0) ++seen["clean"];
    if (!verdict.switch_lids.sound()) ++seen["loop by switch LIDs"];
    for (const Finding& f : verdict.findings) ++seen[name(f.kind)];
  }
  for (const char* answer :
       {"clean", "unreachable", "dropped-by-vl", "loop", "credit-loop", "loop by switch LIDs"})
    EXPECT_GT(seen[answer], 10) << answer;
}

}  // namespace
}  // namespace rch::verify

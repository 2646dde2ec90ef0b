// Random fabrics with random tables, good and broken: what one walk per destination finds is what walking
// every pair finds (docs/pipeline.md), and it does not depend on threads.

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

#include "brute_force.h"
#include "riddle.h"
#include "verify/given_sls.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using test::Riddle;

std::uint64_t count_of(const Verdict& verdict, FindingKind kind) {
  for (const Finding& f : verdict.findings)
    if (f.kind == kind) return f.count;
  return 0;
}

test::Channel channel_of(const Hop& hop) { return {hop.sw.value, hop.out.value, hop.vl}; }

/// Each channel of the cycle asks for the next, and the path that is named takes both.
void check_cycle(const Riddle& riddle, const Options& options, const test::BruteForce& all,
                 const std::vector<Hop>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const test::Channel here = channel_of(cycle[i]), next = channel_of(cycle[(i + 1) % cycle.size()]);
    const auto used = test::channels_of(riddle.fabric(), riddle.tables(), options, cycle[i].source,
                                        cycle[i].destination, cycle[i].sl);
    bool both = false;
    for (std::size_t k = 1; k < used.size(); ++k) both = both || (used[k - 1] == here && used[k] == next);
    RC_ASSERT(both);
    const fabric::Port& source = riddle.fabric().port(cycle[i].source);
    const SwitchId from(riddle.fabric().port(source.peer).node.value);
    RC_ASSERT(cycle[i].sl ==
              (options.given != nullptr
                   ? options.given->at(cycle[i].source, cycle[i].destination)
                   : fabric::path_sl(riddle.fabric(), riddle.tables(), from, cycle[i].destination)));
    RC_ASSERT(all.shortest_cycle(here) >= cycle.size());
  }
}

/// The witness goes once round, along the entries.
void check_loop(const Riddle& riddle, Lid lid, const Verdict& verdict) {
  const fabric::Fabric& fabric = riddle.fabric();
  const auto loop = std::ranges::find(verdict.findings, FindingKind::loop, &Finding::kind);
  RC_ASSERT(loop != verdict.findings.end() && !loop->witness.empty());
  for (std::size_t i = 0; i < loop->witness.size(); ++i) {
    const Hop &hop = loop->witness[i], &next = loop->witness[(i + 1) % loop->witness.size()];
    RC_ASSERT(hop.destination == lid);
    RC_ASSERT(hop.out.value == riddle.tables().lfts.at(hop.sw, lid));
    RC_ASSERT(fabric.port(fabric.port_id(hop.sw, hop.out)).peer == fabric.port_id(next.sw, next.in));
  }
}

void check_against_every_pair(const Riddle& riddle, const Options& options) {
  const test::BruteForce all = test::brute_force(riddle.fabric(), riddle.tables(), options);
  const std::vector<Lid> looping = test::looping_lids(riddle.fabric(), riddle.tables());
  const Verdict verdict = verify(riddle.fabric(), riddle.tables(), options);

  RC_ASSERT(verdict.pairs == all.pairs);
  for (const FindingKind kind :
       {FindingKind::unreachable, FindingKind::dropped_by_vl, FindingKind::loop, FindingKind::disconnected}) {
    const auto lost = all.lost.find(kind);
    const std::uint64_t pairs = lost == all.lost.end() ? 0 : lost->second;
    const bool counts_lids = kind == FindingKind::loop && pairs == 0;
    RC_ASSERT(count_of(verdict, kind) == (counts_lids ? looping.size() : pairs));
  }
  if (!looping.empty() && !all.lost.contains(FindingKind::loop)) check_loop(riddle, looping.front(), verdict);
  RC_ASSERT(verdict.channels == all.channels.size());
  RC_ASSERT(verdict.dependencies == all.dependencies());

  std::uint64_t on_cycles = 0;
  for (const test::Channel& c : all.channels) on_cycles += all.shortest_cycle(c) != 0;
  RC_ASSERT(count_of(verdict, FindingKind::credit_loop) == on_cycles);
  if (on_cycles != 0) check_cycle(riddle, options, all, verdict.findings.back().witness);
}

/// LIDs of switches: the channels on cycles that packets to them close beside the paths between hosts.
std::uint64_t cycles_closed_by_switch_lids(const Riddle& riddle) {
  const auto on_cycles = [](const test::BruteForce& all) {
    std::uint64_t count = 0;
    for (const test::Channel& c : all.channels) count += all.shortest_cycle(c) != 0;
    return count;
  };
  test::BruteForce all = test::brute_force(riddle.fabric(), riddle.tables(), riddle.options());
  if (on_cycles(all) != 0) return 0;
  test::brute_force_to_switches(riddle.fabric(), riddle.tables(), riddle.options(), all);
  return on_cycles(all);
}

RC_GTEST_PROP(Verify, AgreesWithEveryPairOfAHostAndASwitch, (std::uint64_t first)) {
  for (std::uint64_t seed = first; seed < first + 20; ++seed) {
    const Riddle riddle(seed);
    const SwitchLids judged = verify(riddle.fabric(), riddle.tables(), riddle.options()).switch_lids;
    test::BruteForce all;
    test::brute_force_to_switches(riddle.fabric(), riddle.tables(), riddle.options(), all);
    std::uint64_t lost = 0, disconnected = 0;
    for (const auto& [kind, pairs] : all.lost)
      (kind == FindingKind::disconnected ? disconnected : lost) += pairs;
    RC_ASSERT(judged.pairs == all.pairs);
    RC_ASSERT(judged.lost_pairs == lost);
    RC_ASSERT(judged.disconnected_pairs == disconnected);
    RC_ASSERT(judged.on_credit_loops == cycles_closed_by_switch_lids(riddle));
    RC_ASSERT(judged.credit_loop.empty() == judged.sound());
  }
}

RC_GTEST_PROP(Verify, AgreesWithEveryPairWalked, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Riddle riddle(seed + i * 1000);
    check_against_every_pair(riddle, riddle.options());
  }
}

/// Any service level for most pairs of a port and a LID, those of switches among them.
GivenSls some_sls(const fabric::Fabric& fabric, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  GivenSls given(fabric.ports().size());
  const unsigned sls = 1 + random() % 4;
  for (const fabric::EndPort& from : fabric.end_ports()) {
    std::vector<std::uint8_t> levels(fabric.max_lid().index() + 1);
    for (std::uint8_t& sl : levels)
      sl = random() % 16 == 0 ? GivenSls::kUnknown : static_cast<std::uint8_t>(random() % sls * 3);
    if (random() % 8 != 0) given.set(from.port, std::move(levels));
  }
  return given;
}

// Subnet administrations give each pair of ports a service level of its own: OpenSM's dfsssp does.
RC_GTEST_PROP(Verify, AgreesWithEveryPairAtTheServiceLevelItWasGiven, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Riddle riddle(seed + i * 1000);
    const GivenSls given = some_sls(riddle.fabric(), seed + i);
    Options options = riddle.options();
    options.given = &given;
    check_against_every_pair(riddle, options);
    test::BruteForce all = test::brute_force(riddle.fabric(), riddle.tables(), options);
    const auto on_cycles = [&] {
      return std::ranges::count_if(all.channels,
                                   [&](const test::Channel& c) { return all.shortest_cycle(c) != 0; });
    };
    const bool paths_are_acyclic = on_cycles() == 0;
    test::brute_force_to_switches(riddle.fabric(), riddle.tables(), options, all);
    const SwitchLids judged = verify(riddle.fabric(), riddle.tables(), options).switch_lids;
    RC_ASSERT(judged.on_credit_loops == (paths_are_acyclic ? static_cast<std::uint64_t>(on_cycles()) : 0));
  }
}

// The riddles above are worth asking: every kind of finding comes up, and clean tables do.
TEST(Riddles, HaveEveryAnswer) {
  std::map<std::string_view, int> seen;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Riddle riddle(seed);
    const Verdict verdict = verify(riddle.fabric(), riddle.tables(), riddle.options());
    if (verdict.clean() && verdict.dependencies > 0) ++seen["clean"];
    if (!verdict.switch_lids.sound()) ++seen["loop by switch LIDs"];
    const std::vector<Lid> looping = test::looping_lids(riddle.fabric(), riddle.tables());
    if (std::ranges::any_of(looping, [&](Lid lid) { return !riddle.fabric().lid_owner(lid); }))
      ++seen["loop for nobody"];
    for (const Finding& f : verdict.findings) {
      ++seen[name(f.kind)];
      if (f.message.find("port 0:") != std::string::npos) ++seen["loop to a switch"];
    }
  }
  for (const char* answer : {"clean", "unreachable", "dropped-by-vl", "loop", "credit-loop",
                             "loop by switch LIDs", "loop for nobody", "loop to a switch"})
    EXPECT_GT(seen[answer], 20) << answer;
}

std::vector<std::string> texts(const Verdict& verdict) {
  std::vector<std::string> all;
  for (const Finding& f : verdict.findings) all.push_back(f.message);
  return all;
}

RC_GTEST_PROP(Verify, DoesNotDependOnThreads, (std::uint64_t seed)) {
  const Riddle riddle(seed);
  const auto with_threads = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return verify(riddle.fabric(), riddle.tables(), riddle.options());
  };
  const Verdict one = with_threads(1), two = with_threads(2);
  RC_ASSERT(texts(one) == texts(two));
  RC_ASSERT(one.channels == two.channels);
  RC_ASSERT(one.dependencies == two.dependencies);
}

}  // namespace
}  // namespace rch::verify

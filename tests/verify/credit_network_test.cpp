// Packets with credits stop for ever where the proof finds a credit loop, and nowhere else.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "credit_network.h"
#include "riddle.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using test::CreditNetwork;
using test::Riddle;

const Finding* credit_loop(const Verdict& verdict) {
  const auto at = std::ranges::find(verdict.findings, FindingKind::credit_loop, &Finding::kind);
  return at == verdict.findings.end() ? nullptr : &*at;
}

bool has_loop(const Verdict& verdict) {
  return std::ranges::find(verdict.findings, FindingKind::loop, &Finding::kind) != verdict.findings.end();
}

std::vector<CreditNetwork::Flow> all_flows(const fabric::Fabric& fabric,
                                           const fabric::RoutingTables& tables) {
  std::vector<CreditNetwork::Flow> flows;
  std::vector<std::uint8_t> sls;
  for (const fabric::EndPort& to : fabric.end_ports())
    for (unsigned k = 0; to.lid != kUnassignedLid && k < 1U << to.lmc; ++k) {
      const Lid lid(static_cast<std::uint16_t>(to.lid.value + k));
      fabric::path_sls_to(fabric, tables, lid, sls);
      for (const fabric::EndPort& from : fabric.end_ports())
        if (from.port != to.port) flows.push_back({from.port, lid, sls[from.sw.index()]});
    }
  return flows;
}

void check_that_it_never_stops(std::uint64_t seed) {
  const Riddle riddle(seed);
  const Verdict verdict = verify(riddle.fabric(), riddle.tables(), riddle.options());
  if (credit_loop(verdict) != nullptr || has_loop(verdict)) return;
  CreditNetwork network(riddle.fabric(), riddle.tables(), riddle.options().max_op_vls,
                        all_flows(riddle.fabric(), riddle.tables()), seed);
  for (int round = 0; round < 10; ++round) {
    network.run(300);
    RC_ASSERT(!network.is_deadlocked());
  }
}

RC_GTEST_PROP(CreditNetwork, NeverStopsWhereTheProofFindsNoCycle, (std::uint64_t seed)) {
  check_that_it_never_stops(seed);
}

/// Hosts here have service levels on lanes that their cables lack: they do not send such packets.
RC_GTEST_PROP(CreditNetwork, SendsNothingOnALaneThatACableLacks, ()) { check_that_it_never_stops(264749); }

/// Whether packets of the paths of a cycle, and of no others, come to a stop in some order of moves.
bool stops(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, std::uint8_t max_op_vls,
           const Finding& cycle) {
  std::vector<CreditNetwork::Flow> flows;
  for (const Hop& hop : cycle.witness) flows.push_back({hop.source, hop.destination, hop.sl});
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CreditNetwork network(fabric, tables, max_op_vls, flows, seed);
    for (int round = 0; round < 20; ++round) {
      network.run(10 * cycle.witness.size());
      if (network.is_deadlocked()) return true;
    }
  }
  return false;
}

TEST(CreditNetwork, StopsOnRingsOfShortestPaths) {
  for (const std::uint32_t switches : {4U, 5U, 6U, 7U}) {
    SCOPED_TRACE(switches);
    const fabric::Fabric fabric = test::ring(switches);
    fabric::RoutingTables tables = test::empty_tables(fabric);
    for (std::uint32_t to = 0; to < switches; ++to) test::route_ring(tables, fabric, to, switches / 2);
    const Verdict verdict = verify(fabric, tables);
    ASSERT_NE(credit_loop(verdict), nullptr);
    EXPECT_TRUE(stops(fabric, tables, 5, *credit_loop(verdict)));
  }
}

TEST(CreditNetwork, StopsOnEachCycleOfRandomTables) {
  std::size_t cycles = 0, stopped = 0;
  for (std::uint64_t seed = 0; seed < 3000 && cycles < 200; ++seed) {
    const Riddle riddle(seed);
    const Verdict verdict = verify(riddle.fabric(), riddle.tables(), riddle.options());
    const Finding* cycle = credit_loop(verdict);
    if (cycle == nullptr || has_loop(verdict)) continue;
    // Cycles that multicast takes part in have hops without a source.
    if (std::ranges::any_of(cycle->witness, [](const Hop& hop) { return hop.source.is_none(); })) continue;
    ++cycles;
    stopped += stops(riddle.fabric(), riddle.tables(), riddle.options().max_op_vls, *cycle) ? 1 : 0;
  }
  EXPECT_GE(cycles, 100U);
  EXPECT_EQ(stopped, cycles);
}

}  // namespace
}  // namespace rch::verify

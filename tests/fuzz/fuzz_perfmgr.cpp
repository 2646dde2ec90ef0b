// A fabric whose agents for performance counters answer nonsense: each eight bytes of the input say which
// answer is bent, at which byte, and how, or what is lost and how much time passes. Sweeps go on, totals
// never fall, requests go to agents of the fabric, or to a LID that one of them named.

#include <cstddef>
#include <cstdint>
#include <span>

#include "../perfmgr/performance_fabric.h"
#include "fabric_target.h"

namespace {

using namespace rch;
using perfmgr::PerformanceManager;

struct Bend {
  std::uint8_t every, at, bits, loses, counts, redirects, pauses, rest;
};

void check_totals(const PerformanceManager& manager, std::vector<std::uint64_t>& last) {
  const auto totals = manager.totals();
  require(totals != nullptr);
  last.resize(totals->ports().size() * perfmgr::kCounterCount, 0);
  for (std::size_t row = 0; row < totals->ports().size(); ++row) {
    for (std::size_t c = 0; c < perfmgr::kCounterCount; ++c) {
      const std::uint64_t total = totals->get(static_cast<perfmgr::Counter>(c), row);
      if (total == perfmgr::Totals::kUnknown) continue;
      std::uint64_t& before = last[row * perfmgr::kCounterCount + c];
      // 64-bit counters that an agent makes up may wrap.
      require(total >= before || before > (std::uint64_t{1} << 62U) || total < (std::uint64_t{1} << 62U));
      before = total;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  perfmgr::test::PerformanceFabric net(test::clos(2, 1, 1));
  PerformanceManager manager([](const perfmgr::Event&) {});
  manager.follow({.enabled = true}, net.fake.now());
  manager.publish(net.view, net.fake.now());
  std::vector<std::uint64_t> last;
  const std::span bends(reinterpret_cast<const Bend*>(data), std::min<std::size_t>(size / sizeof(Bend), 64));
  for (const Bend& bend : bends) {
    unsigned number = 0;
    net.fake.bend_performance = [&](const sim::SimulatedFabric::PerformanceVisit&, hw::Mad& answer) {
      if (number++ % (bend.every % 8U + 1U) == 0) answer[bend.at] ^= bend.bits;
    };
    net.fake.lose_performance = [&](const sim::SimulatedFabric::PerformanceVisit&) {
      return bend.loses % 4 == 3 && ++number % 3 == 0;
    };
    auto& agent = net.fake.performance_agents[bend.redirects % net.fake.performance_agents.size()];
    if (bend.redirects >= 128)
      agent.redirection = perfmgr::Redirection{.lid = Lid(bend.at), .queue_pair = bend.bits, .pkey = 0xFFFF};
    else
      agent.redirection.reset();
    for (sim::CountingPort& port : net.fake.counting)
      port.count(static_cast<perfmgr::Counter>(bend.counts % perfmgr::kCounterCount),
                 1U << (bend.rest % 20U));
    if (bend.pauses == 1) manager.pause();
    if (bend.pauses == 2) manager.resume(net.fake.now());
    if (bend.pauses == 3) manager.stop();
    if (bend.pauses == 4) manager.publish(net.view, net.fake.now());
    net.run(manager, std::chrono::seconds(90));
    if (manager.totals()) check_totals(manager, last);
  }
  return 0;
}

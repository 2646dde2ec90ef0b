// Random fabrics with random tables, good and broken: what one walk per destination finds is what walking
// every pair finds (routing-engines 15.1, P10), and it does not depend on threads.

#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

#include "brute_force.h"
#include "fabric/fabric_builder.h"
#include "hand_tables.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using fabric::Fabric;
using fabric::RoutingTables;

/// One random question. Everything comes from `seed`.
class Riddle {
 public:
  explicit Riddle(std::uint64_t seed)
      : random_(seed), fabric_(make_fabric(seed)), tables_(test::empty_tables(fabric_)) {
    if (one_in(2))
      test::route_shortest(tables_, fabric_);
    else
      route_somehow();
    if (one_in(3)) scatter_entries(below(4) + 1);
    if (one_in(4)) swing_entries();
    if (!one_in(3)) add_maps();
    if (!one_in(3)) set_rule(tables_.steps.front().sl);
    if (one_in(3)) add_step();
    if (one_in(3)) options_.column_bytes = below(60);
    if (one_in(4)) options_.max_op_vls = static_cast<std::uint8_t>(1 + below(5));
  }

  const Fabric& fabric() const { return fabric_; }
  const RoutingTables& tables() const { return tables_; }
  const Options& options() const { return options_; }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  Fabric make_fabric(std::uint64_t seed) {
    test::Shape shape = test::random_shape(seed, 9);
    const auto switches = static_cast<std::uint32_t>(shape.hosts.size());
    if (one_in(2) && switches > 2)  // a ring, so that there is something to deadlock on
      for (std::uint32_t s = 0; s < switches; ++s) shape.cables.push_back({s, (s + 1) % switches});
    shape.lmc = static_cast<std::uint8_t>(one_in(3) ? below(3) : 0);
    if (one_in(6)) shape.cables.push_back({0, 0});  // from a switch to itself
    fabric::FabricBuilder builder(test::build(shape));
    if (one_in(4))
      for (std::uint32_t s = 0; s < shape.hosts.size(); ++s)
        for (fabric::PortSpec& port : builder.node(*builder.find(Guid(0x100000 + shape.guid_step * s))).ports)
          port.vl_cap = static_cast<std::uint8_t>(one_in(4) ? below(6) : 0);
    return *std::move(builder).build();
  }

  std::uint8_t any_port(std::uint32_t sw) {
    return static_cast<std::uint8_t>(below(fabric_.node(SwitchId(sw)).num_ports + 2U));
  }
  Lid any_lid() { return Lid(static_cast<std::uint16_t>(1 + below(fabric_.max_lid().value))); }

  /// A tree towards each LID that grows at random places: detours, and credit loops where there are rings.
  void route_somehow() {
    for (const fabric::EndPort& host : fabric_.end_ports())
      for (unsigned k = 0; k < 1U << host.lmc; ++k) {
        const Lid lid(static_cast<std::uint16_t>(host.lid.value + k));
        test::set_entry(tables_, host.sw.value, lid, host.attach.value);
        std::vector<PortId> open = ports_of(host.sw);
        while (!open.empty()) {
          std::swap(open[below(static_cast<std::uint32_t>(open.size()))], open.back());
          const PortId peer = fabric_.port(open.back()).peer;
          open.pop_back();
          if (peer.is_none()) continue;
          const auto sw = fabric_.switch_id(fabric_.port(peer).node);
          if (!sw || tables_.lfts.at(*sw, lid) != kNoPath) continue;
          test::set_entry(tables_, sw->value, lid, fabric_.port(peer).number.value);
          const std::vector<PortId> more = ports_of(*sw);
          open.insert(open.end(), more.begin(), more.end());
        }
      }
  }

  std::vector<PortId> ports_of(SwitchId sw) const {
    std::vector<PortId> ports;
    for (unsigned p = 1; p <= fabric_.node(sw).num_ports; ++p)
      ports.push_back(fabric_.port_id(sw, PortNum(static_cast<std::uint8_t>(p))));
    return ports;
  }

  /// Any value anywhere.
  void scatter_entries(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t sw = below(static_cast<std::uint32_t>(fabric_.switch_count()));
      test::set_entry(tables_, sw, any_lid(),
                      one_in(3) ? static_cast<std::uint8_t>(below(256)) : any_port(sw));
    }
  }

  /// Other ways, seldom the shortest, often loops.
  void swing_entries() {
    for (std::uint32_t sw = 0; sw < fabric_.switch_count(); ++sw)
      for (const fabric::EndPort& host : fabric_.end_ports())
        if (host.sw.value != sw && one_in(6)) test::set_entry(tables_, sw, host.lid, any_port(sw));
  }

  fabric::Sl2VlMap any_map() {
    fabric::Sl2VlMap map{};
    const bool drops = one_in(8);
    const std::uint32_t vls = 1 + below(one_in(4) ? 15 : 4);
    for (std::uint8_t& vl : map) vl = static_cast<std::uint8_t>(drops && one_in(8) ? 15 : below(vls));
    return map;
  }

  void add_maps() {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      ports.push_back(fabric_.node(SwitchId(s)).num_ports);
    tables_.sl2vl = fabric::Sl2VlTables(ports, any_map());
    std::vector<fabric::Sl2VlTables::MapId> ids;
    for (int i = 0; i < 4; ++i) ids.push_back(tables_.sl2vl.intern(any_map()));
    for (std::uint32_t s = 0; s < ports.size(); ++s)
      for (unsigned in = 0; in <= ports[s]; ++in)
        for (unsigned out = 0; out <= ports[s]; ++out)
          tables_.sl2vl.set(SwitchId(s), PortNum(static_cast<std::uint8_t>(in)),
                            PortNum(static_cast<std::uint8_t>(out)), ids[below(4)]);
    if (one_in(3)) tables_.sl2vl.set_end_port(ids[0]);
  }

  void set_rule(fabric::SlRule& rule) {
    rule.base = static_cast<std::uint8_t>(one_in(2) ? 0 : below(16));
    for (std::uint32_t d = below(3); d > 0; --d) {
      fabric::SlRule::Dimension dimension{static_cast<std::uint8_t>(below(4)), 3, {}, {}};
      for (std::size_t s = 0; s < fabric_.switch_count(); ++s)
        dimension.coordinate.push_back(static_cast<std::uint16_t>(one_in(12) ? 0xFFFF : below(3)));
      for (int i = 0; i < 9; ++i) dimension.crosses.push_back(static_cast<std::uint8_t>(below(2)));
      rule.dimensions.push_back(dimension);
    }
  }

  void add_step() {
    std::vector<Lid> lids;
    for (std::uint16_t lid = 1; lid <= fabric_.max_lid().value; ++lid)
      if (one_in(2)) lids.push_back(Lid(lid));
    test::add_step(tables_, fabric_, 2, lids);
    fabric::RoutedStep& step = tables_.steps.back();
    step.switches = IdSet<SwitchId>(fabric_.switch_count());
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      if (!one_in(3)) step.switches.insert(SwitchId(s));
    set_rule(step.sl);
    if (one_in(2)) step.sl.border = static_cast<std::uint8_t>(1U << below(4));
    if (one_in(2) && fabric_.switch_count() > 1 && !lids.empty())
      step.holes.push_back(std::uint64_t{1} << 16 | lids.front().value);
  }

  std::mt19937_64 random_;
  Fabric fabric_;
  RoutingTables tables_;
  Options options_;
};

std::uint64_t count_of(const Verdict& verdict, FindingKind kind) {
  for (const Finding& f : verdict.findings)
    if (f.kind == kind) return f.count;
  return 0;
}

test::Channel channel_of(const Hop& hop) { return {hop.sw.value, hop.out.value, hop.vl}; }

/// Each channel of the circle asks for the next, and the path that is named takes both.
void check_circle(const Riddle& riddle, const test::BruteForce& all, const std::vector<Hop>& circle) {
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const test::Channel here = channel_of(circle[i]), next = channel_of(circle[(i + 1) % circle.size()]);
    const auto used = test::channels_of(riddle.fabric(), riddle.tables(), riddle.options(), circle[i].source,
                                        circle[i].destination, circle[i].sl);
    bool both = false;
    for (std::size_t k = 1; k < used.size(); ++k) both = both || (used[k - 1] == here && used[k] == next);
    RC_ASSERT(both);
    const fabric::Port& source = riddle.fabric().port(circle[i].source);
    const SwitchId from(riddle.fabric().port(source.peer).node.value);
    RC_ASSERT(circle[i].sl == fabric::path_sl(riddle.fabric(), riddle.tables(), from, circle[i].destination));
    RC_ASSERT(all.shortest_circle(here) >= circle.size());
  }
}

void check_against_every_pair(std::uint64_t seed) {
  const Riddle riddle(seed);
  const test::BruteForce all = test::brute_force(riddle.fabric(), riddle.tables(), riddle.options());
  const Verdict verdict = verify(riddle.fabric(), riddle.tables(), riddle.options());

  RC_ASSERT(verdict.pairs == all.pairs);
  for (const FindingKind kind : {FindingKind::unreachable, FindingKind::dropped_by_vl, FindingKind::loop}) {
    const auto lost = all.lost.find(kind);
    RC_ASSERT(count_of(verdict, kind) == (lost == all.lost.end() ? 0 : lost->second));
  }
  RC_ASSERT(verdict.channels == all.channels.size());
  RC_ASSERT(verdict.dependencies == all.dependencies());

  std::uint64_t on_circles = 0;
  for (const test::Channel& c : all.channels) on_circles += all.shortest_circle(c) != 0;
  RC_ASSERT(count_of(verdict, FindingKind::credit_loop) == on_circles);
  if (on_circles != 0) check_circle(riddle, all, verdict.findings.back().witness);
}

RC_GTEST_PROP(Verify, AgreesWithEveryPairWalked, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 20; ++i) check_against_every_pair(seed + i * 1000);
}

// The riddles above are worth asking: every kind of finding comes up, and clean tables do.
TEST(Riddles, HaveEveryAnswer) {
  std::map<std::string_view, int> seen;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Riddle riddle(seed);
    const Verdict verdict = verify(riddle.fabric(), riddle.tables(), riddle.options());
    if (verdict.clean() && verdict.dependencies > 0) ++seen["clean"];
    for (const Finding& f : verdict.findings) ++seen[name(f.kind)];
  }
  for (const char* answer : {"clean", "unreachable", "dropped-by-vl", "loop", "credit-loop"})
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

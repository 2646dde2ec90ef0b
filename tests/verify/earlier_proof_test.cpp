// Proofs that build on earlier ones: small fabrics whose links and entries change at random. What is judged
// from the changes alone is what a whole proof says.

#include "verify/earlier_proof.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "fabric/fabric_builder.h"
#include "riddle.h"

namespace rch::verify {
namespace {

using fabric::Fabric;
using fabric::RoutingTables;
using test::Riddle;

RoutingTables copy_of(const RoutingTables& tables) {
  return {.lfts = tables.lfts.clone(), .sl2vl = tables.sl2vl, .steps = tables.steps};
}

/// A fabric and its tables, which change step by step.
class Story {
 public:
  explicit Story(const Riddle& riddle, std::uint64_t seed)
      : random_(seed), whole_(riddle.fabric()), fabric_(whole_), tables_(copy_of(riddle.tables())) {}

  const Fabric& fabric() const { return fabric_; }
  const RoutingTables& tables() const { return tables_; }

  void change() {
    if (one_in(2)) change_cables();
    for (std::uint32_t count = below(4); count > 0; --count) route_anew(any_lid());
    if (one_in(8)) test::set_entry(tables_, any_switch(), any_lid(), static_cast<std::uint8_t>(below(6)));
    if (one_in(3)) tables_.steps.front().sl.base = static_cast<std::uint8_t>(below(16));
    if (one_in(3) && !tables_.sl2vl.empty()) change_maps();
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  Lid any_lid() { return Lid(static_cast<std::uint16_t>(1 + below(fabric_.max_lid().value))); }
  std::uint32_t any_switch() { return below(static_cast<std::uint32_t>(fabric_.switch_count())); }

  void change_maps() {
    const auto ids = static_cast<std::uint32_t>(tables_.sl2vl.maps().size());
    const std::uint32_t sw = any_switch(), width = fabric_.node(SwitchId(sw)).num_ports + 1U;
    for (fabric::Sl2VlTables::MapId& id : tables_.sl2vl.ids(SwitchId(sw)))
      if (!one_in(width)) id = static_cast<fabric::Sl2VlTables::MapId>(below(ids));
  }

  /// Some cables are out, now and then one of a host; entries towards most LIDs that took them lead
  /// elsewhere.
  void change_cables() {
    fabric::FabricBuilder builder(whole_);
    for (const fabric::Port& port : whole_.ports())
      if (!port.peer.is_none() && whole_.is_switch(port.node) &&
          one_in(whole_.is_switch(whole_.port(port.peer).node) ? 12 : 80))
        builder.disconnect(*builder.find(whole_.node(port.node).guid), port.number);
    fabric_ = *std::move(builder).build();
    for (std::uint16_t lid = 1; lid <= fabric_.max_lid().value; ++lid)
      if (leads_nowhere(Lid(lid)) && !one_in(10)) route_anew(Lid(lid));
  }

  bool leads_nowhere(Lid lid) const {
    const auto owner = fabric_.lid_owner(lid);
    for (std::uint32_t s = 0; owner && s < fabric_.switch_count(); ++s) {
      const std::uint8_t entry = tables_.lfts.at(SwitchId(s), lid);
      if (entry != 0 && entry <= fabric_.node(SwitchId(s)).num_ports &&
          fabric_.port(fabric_.port_id(SwitchId(s), PortNum(entry))).peer.is_none())
        return true;
    }
    return false;
  }

  /// By a tree that is grown from the owner of the LID breadth first.
  void route_anew(Lid lid) {
    const auto owner = fabric_.lid_owner(lid);
    if (!owner) return;
    const fabric::Port& port = fabric_.port(*owner);
    std::vector<std::uint32_t> order;
    std::vector<bool> met(fabric_.switch_count());
    const auto meet = [&](std::uint32_t sw, std::uint8_t entry) {
      if (met[sw]) return;
      met[sw] = true;
      test::set_entry(tables_, sw, lid, entry);
      order.push_back(sw);
    };
    if (fabric_.is_switch(port.node))
      meet(port.node.value, 0);
    else if (!port.peer.is_none())
      meet(fabric_.port(port.peer).node.value, fabric_.port(port.peer).number.value);
    for (std::size_t head = 0; head < order.size(); ++head)
      for (unsigned p = 1; p <= fabric_.node(SwitchId(order[head])).num_ports; ++p) {
        const PortId peer =
            fabric_.port(fabric_.port_id(SwitchId(order[head]), PortNum(static_cast<std::uint8_t>(p)))).peer;
        if (!peer.is_none() && fabric_.is_switch(fabric_.port(peer).node))
          meet(fabric_.port(peer).node.value, fabric_.port(peer).number.value);
      }
  }

  std::mt19937_64 random_;
  Fabric whole_, fabric_;
  RoutingTables tables_;
};

struct Seen {
  unsigned from_changes = 0, after_cables = 0, faulty = 0;
};

std::vector<std::string> texts(const Verdict& verdict) {
  std::vector<std::string> all;
  for (const Finding& f : verdict.findings) all.push_back(f.message);
  return all;
}

/// The verdict that builds on an earlier one is that of a whole proof.
void check(const Verdict& built, const Verdict& whole) {
  RC_ASSERT(texts(built) == texts(whole));
  RC_ASSERT(built.pairs == whole.pairs);
  RC_ASSERT(built.switch_lids.pairs == whole.switch_lids.pairs);
  RC_ASSERT(built.switch_lids.lost_pairs == whole.switch_lids.lost_pairs);
  RC_ASSERT(built.switch_lids.on_credit_loops == whole.switch_lids.on_credit_loops);
  RC_ASSERT(built.channels >= whole.channels);
  RC_ASSERT(built.dependencies >= whole.dependencies);
  RC_ASSERT(built.at_most || (built.channels == whole.channels && built.dependencies == whole.dependencies));
}

Seen tell_story(std::uint64_t seed) {
  const Riddle riddle(seed);
  Story story(riddle, seed);
  Seen seen;
  std::shared_ptr<const KnownDependencies> known;
  Options first = riddle.options();
  first.known = &known;
  verify(story.fabric(), story.tables(), first);
  for (int step = 0; step < 5 && known; ++step) {
    const Fabric fabric = story.fabric();
    const RoutingTables tables = copy_of(story.tables());
    const EarlierProof earlier{fabric, tables, *known};
    story.change();
    std::shared_ptr<const KnownDependencies> next;
    Options options = riddle.options();
    const Verdict whole = verify(story.fabric(), story.tables(), options);
    options.earlier = &earlier;
    options.known = &next;
    const Verdict built = verify(story.fabric(), story.tables(), options);
    check(built, whole);
    seen.from_changes += built.at_most;
    seen.after_cables += built.at_most && fabric.fingerprint() != story.fabric().fingerprint();
    seen.faulty += !whole.findings.empty() || !whole.switch_lids.sound();
    known = next;
  }
  return seen;
}

RC_GTEST_PROP(EarlierProof, IsBuiltOnAsAWholeProofSays, (std::uint64_t first)) {
  for (std::uint64_t seed = first; seed < first + 20; ++seed) tell_story(seed);
}

// Entries that changed close a forwarding loop where no host sends: a finding, although no packet comes by.
TEST(EarlierProof, FindsForwardingLoopsThatNoPacketMeets) {
  for (std::uint64_t seed = 1112508; seed < 1112528; ++seed) tell_story(seed);
}

// The stories are worth telling: proofs from the changes come up, after lost cables too, and faults.
TEST(EarlierProof, StoriesHaveEveryAnswer) {
  Seen all;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Seen seen = tell_story(seed);
    all.from_changes += seen.from_changes;
    all.after_cables += seen.after_cables;
    all.faulty += seen.faulty;
  }
  EXPECT_GT(all.from_changes, 50U);
  EXPECT_GT(all.after_cables, 20U);
  EXPECT_GT(all.faulty, 20U);
}

}  // namespace
}  // namespace rch::verify

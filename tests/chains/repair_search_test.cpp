// Whether a repair is found wherever there is one: on small fabrics with one lane all repairs are tried here.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "chain_fixture.h"
#include "chains/repair.h"
#include "fabric/fabric_builder.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;
using test::plan_on;

/// A directed link: the port that packets leave by.
using Hop = std::pair<std::uint32_t, std::uint8_t>;
using Dependencies = std::set<std::pair<Hop, Hop>>;

/// True if no packet can wait for itself.
bool is_acyclic(const Dependencies& dependencies) {
  std::map<Hop, std::set<Hop>> after;
  std::map<Hop, std::size_t> missing;
  for (const auto& [from, to] : dependencies) {
    after[from].insert(to);
    missing[from] += 0;
    ++missing[to];
  }
  std::vector<Hop> free;
  for (const auto& [hop, count] : missing)
    if (count == 0) free.push_back(hop);
  std::size_t done = 0;
  for (; done < free.size(); ++done)
    for (const Hop& next : after[std::vector(free)[done]])
      if (--missing[next] == 0) free.push_back(next);
  return done == missing.size();
}

/// The way of a packet from a switch to a LID by `out(switch)`, and whether it arrives.
struct Way {
  std::vector<Hop> hops;
  bool arrives = false;
};
template <typename Out>
Way way(const Fabric& fabric, SwitchId from, Lid lid, const Out& out) {
  const PortId goal = *fabric.lid_owner(lid);
  Way way;
  for (SwitchId at = from; way.hops.size() <= fabric.switch_count();) {
    const std::uint8_t port = out(at);
    if (port == 0) {
      way.arrives = fabric.port_id(at, PortNum(0)) == goal;
      return way;
    }
    if (port > fabric.node(at).num_ports) return way;
    const PortId peer = fabric.port(fabric.port_id(at, PortNum(port))).peer;
    if (peer.is_none()) return way;
    if (peer == goal) {
      way.arrives = true;
      return way;
    }
    const auto next = fabric.switch_id(fabric.port(peer).node);
    if (!next) return way;
    way.hops.emplace_back(at.value, port);
    at = *next;
  }
  return way;
}

void add(const Way& way, Dependencies& dependencies) {
  for (std::size_t i = 1; i < way.hops.size(); ++i) dependencies.emplace(way.hops[i - 1], way.hops[i]);
}

std::vector<Lid> lids_of(const Fabric& fabric) {
  std::vector<Lid> lids;
  for (std::uint16_t l = 1; l <= fabric.max_lid().value; ++l)
    if (fabric.lid_owner(Lid(l))) lids.emplace_back(l);
  return lids;
}

/// All ways to fill entries by which packets of hosts do not arrive.
class EveryRepair {
 public:
  EveryRepair(const Plan& installed, const Fabric& cut) : cut_(cut), lfts_(installed.tables->lfts) {
    for (const Lid lid : lids_of(*installed.fabric))
      for (std::uint32_t s = 0; s < cut.switch_count(); ++s) {
        const SwitchId sw(s);
        const auto installed_entry = [&](SwitchId at) { return lfts_.at(at, lid); };
        if (!installed.fabric->end_ports_of(sw).empty())
          add(way(*installed.fabric, sw, lid, installed_entry), kept_);
        if (!way(cut, sw, lid, installed_entry).arrives) {
          lost_[lid].push_back(sw);
          loses_ = loses_ || !cut.end_ports_of(sw).empty();
        }
      }
    // Packets do not take a link that is gone.
    std::erase_if(kept_, [&](const auto& dependency) {
      return is_gone(dependency.first) || is_gone(dependency.second);
    });
    for (const auto& [lid, switches] : lost_) {
      (void)switches;
      order_.push_back(lid);
    }
  }

  enum class Answer : std::uint8_t { none, some, not_known };
  bool loses() const { return loses_; }  ///< packets of hosts
  Answer exists() {
    const bool found = fill(0, kept_);
    return found ? Answer::some : tries_ > kMostTries ? Answer::not_known : Answer::none;
  }

 private:
  static constexpr std::size_t kMostTries = 20'000;

  bool is_gone(const Hop& hop) const {
    return cut_.port(cut_.port_id(SwitchId(hop.first), PortNum(hop.second))).peer.is_none();
  }

  /// Entries for LIDs from the one at `index` on.
  bool fill(std::size_t index, const Dependencies& before) {
    if (index == order_.size()) return true;
    std::map<std::uint32_t, std::uint8_t> entries;
    return choose(index, 0, entries, before);
  }
  bool choose(std::size_t index, std::size_t which, std::map<std::uint32_t, std::uint8_t>& entries,
              const Dependencies& before) {
    if (++tries_ > kMostTries) return false;
    const Lid lid = order_[index];
    const std::vector<SwitchId>& lost = lost_.at(lid);
    if (which < lost.size()) {
      const SwitchId sw = lost[which];
      for (std::uint8_t port = 0; port <= cut_.node(sw).num_ports; ++port) {
        const PortId peer = cut_.port(cut_.port_id(sw, PortNum(port))).peer;
        if (port != 0 && (peer.is_none() || !cut_.is_switch(cut_.port(peer).node))) continue;
        if (port == 0 && !cut_.end_ports_of(sw).empty()) continue;  // stands for no path
        entries[sw.value] = port;
        if (choose(index, which + 1, entries, before)) return true;
      }
      return false;
    }
    Dependencies with = before;
    for (const SwitchId sw : lost) {
      if (cut_.end_ports_of(sw).empty()) continue;
      const Way found = way(cut_, sw, lid, [&](SwitchId at) {
        const auto entry = entries.find(at.value);
        return entry == entries.end() ? lfts_.at(at, lid) : entry->second;
      });
      if (!found.arrives) return false;
      add(found, with);
      add_half_written(sw, lid, entries, with);
    }
    return is_acyclic(with) && fill(index + 1, with);
  }

  /// Packets that go some hops by installed entries, and from there on by new ones.
  void add_half_written(SwitchId from, Lid lid, const std::map<std::uint32_t, std::uint8_t>& entries,
                        Dependencies& with) const {
    const Way old = way(cut_, from, lid, [&](SwitchId at) { return lfts_.at(at, lid); });
    for (std::size_t hops = 1; hops <= old.hops.size(); ++hops) {
      const auto& [last, port] = old.hops[hops - 1];
      const PortId peer = cut_.port(cut_.port_id(SwitchId(last), PortNum(port))).peer;
      Way half = way(cut_, *cut_.switch_id(cut_.port(peer).node), lid, [&](SwitchId at) {
        const auto entry = entries.find(at.value);
        return entry == entries.end() ? lfts_.at(at, lid) : entry->second;
      });
      half.hops.insert(half.hops.begin(), old.hops.begin(), old.hops.begin() + static_cast<long>(hops));
      add(half, with);
    }
  }

  const Fabric& cut_;
  const ForwardingTables& lfts_;
  Dependencies kept_;
  std::map<Lid, std::vector<SwitchId>> lost_;
  std::vector<Lid> order_;
  bool loses_ = false;
  std::size_t tries_ = 0;
};

/// The fabric without each cable between switches, one at a time.
template <typename F>
void for_each_lost_cable(const Fabric& whole, F&& f) {
  for (std::uint32_t p = 0; p < whole.ports().size(); ++p) {
    const fabric::Port& port = whole.port(PortId(p));
    if (port.peer.is_none() || port.peer.value < p || !whole.is_switch(port.node) ||
        !whole.is_switch(whole.port(port.peer).node))
      continue;
    fabric::FabricBuilder builder(whole);
    builder.disconnect(*builder.find(whole.node(port.node).guid), port.number);
    f(*std::move(builder).build());
  }
}

TEST(RepairSearch, FindsARepairWhereverThereIsOne) {
  std::size_t none = 0, some = 0, not_known = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const Fabric whole = test::build(test::random_shape(seed, 7));
    for (const std::string conf : {"routing_engine updn\ndisable_multicast TRUE\n",
                                   "routing_engine dfsssp\ndisable_multicast TRUE\nmax_op_vls 1\n"}) {
      const auto installed = plan_on(whole, conf);
      if (!installed || !installed->verdict.clean() || !fabric::common_path_sl(*installed->tables)) continue;
      for_each_lost_cable(whole, [&](const Fabric& cut) {
        EveryRepair every(*installed, cut);
        if (!every.loses()) return;
        const EveryRepair::Answer answer = every.exists();
        const auto made = plan_on(cut, conf, {.installed = &*installed, .settings = {}, .repairs = true});
        const bool is_whole = made && made->left_pairs == 0;
        none += answer == EveryRepair::Answer::none ? 1 : 0;
        some += answer == EveryRepair::Answer::some ? 1 : 0;
        not_known += answer == EveryRepair::Answer::not_known ? 1 : 0;
        if (answer != EveryRepair::Answer::not_known) {
          EXPECT_EQ(is_whole, answer == EveryRepair::Answer::some) << "seed " << seed << " " << conf;
        }
      });
    }
  }
  EXPECT_GT(some, 400U);
  EXPECT_GT(none, 20U);
  EXPECT_LT(not_known, 5U);
}

}  // namespace
}  // namespace rch::chains

#include "chains/overlay.h"

#include <algorithm>
#include <mutex>

#include "base/parallel.h"

namespace rch::chains {
namespace {

using fabric::ForwardingTables;
using fabric::SubFabric;

constexpr std::uint32_t kOutside = SwitchId::none().value;

/// Where the last hop of a LID must be: its switch and the port that delivers.
struct Target {
  SwitchId sw = SwitchId::none();
  std::uint8_t port = 0;
};

/// By LID; none for LIDs that the view does not route.
std::vector<Target> targets(const SubFabric& view, std::size_t lids) {
  const fabric::Fabric& fabric = view.fabric();
  std::vector<Target> result(lids);
  view.routed_lids().for_each([&](Lid lid) {
    const fabric::Port& owner = fabric.port(*fabric.lid_owner(lid));
    // A switch delivers to itself by port 0, to a CA or router by the port that this one hangs on.
    const bool own = fabric.is_switch(owner.node);
    const fabric::Port& last = own ? owner : fabric.port(owner.peer);
    if (const auto sw = view.view_switch(SwitchId(last.node.value)))
      result[lid.index()] = {*sw, own ? std::uint8_t{0} : last.number.value};
  });
  return result;
}

/// View switch behind each exit port, [switch * 256 + port].
std::vector<std::uint32_t> exits(const SubFabric& view) {
  std::vector<std::uint32_t> result(view.switch_count() * 256, kOutside);
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    for (const fabric::Neighbor& n : view.graph().neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : view.graph().links(n))
        result[s * std::size_t{256} + link.out.index()] = n.sw.value;
  return result;
}

/// Follows one LID's entries at a time and remembers for every switch whether they arrive.
class Walker {
 public:
  Walker(const SubFabric& view, const ForwardingTables& step, const std::vector<std::uint32_t>& exits)
      : step_(step), exits_(exits), fate_(view.switch_count()) {}

  void start(Lid lid, Target target) {
    lid_ = lid;
    target_ = target;
    std::fill(fate_.begin(), fate_.end(), Fate::unknown);
  }

  bool arrives(SwitchId from) {
    std::uint32_t at = from.value;
    while (at != kOutside && fate_[at] == Fate::unknown) {
      fate_[at] = Fate::open;
      path_.push_back(at);
      at = next(at);
    }
    // An open switch is one of this very walk: the entries run in a circle.
    const Fate fate = at != kOutside && fate_[at] == Fate::arrives ? Fate::arrives : Fate::dangles;
    for (std::uint32_t s : path_)
      if (fate_[s] == Fate::open) fate_[s] = fate;
    path_.clear();
    return fate_[from.index()] == Fate::arrives;
  }

 private:
  enum class Fate : std::uint8_t { unknown, open, arrives, dangles };

  /// The switch that the entry of `at` leads to; the target decides its own fate here.
  std::uint32_t next(std::uint32_t at) {
    const std::uint8_t port = step_.at(SwitchId(at), lid_);
    if (at != target_.sw.value) return exits_[at * std::size_t{256} + port];
    fate_[at] = port == target_.port ? Fate::arrives : Fate::dangles;
    return at;
  }

  const ForwardingTables& step_;
  const std::vector<std::uint32_t>& exits_;
  std::vector<Fate> fate_;
  std::vector<std::uint32_t> path_;
  Lid lid_;
  Target target_;
};

void lay_lid(const SubFabric& view, const ForwardingTables& step, Lid lid, Walker& walker,
             ForwardingTables& tables, Overlay& overlay) {
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw = view.fabric_switch(SwitchId(s));
    const std::uint8_t port = step.at(SwitchId(s), lid);
    if (port != kNoPath && walker.arrives(SwitchId(s))) {
      tables.row(sw)[lid.index()] = port;
      continue;
    }
    overlay.holes.push_back(std::uint64_t{sw.value} << 16 | lid.value);
    if (port != kNoPath) ++overlay.dangling;
  }
}

}  // namespace

Overlay lay_over(const SubFabric& view, const ForwardingTables& step, ForwardingTables& tables) {
  const std::size_t lids = step.max_lid().index() + 1;
  const std::vector<Target> target = targets(view, lids);
  const std::vector<std::uint32_t> exit = exits(view);
  Overlay result;
  std::mutex mutex;
  // A block of LIDs is one cache line of every row, so its columns are walked while the lines are at hand.
  parallel_ranges(tables.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    Overlay mine;
    Walker walker(view, step, exit);
    for (std::size_t l = begin * ForwardingTables::kBlock; l < std::min(lids, end * ForwardingTables::kBlock);
         ++l) {
      if (target[l].sw.is_none()) continue;
      const Lid lid(static_cast<std::uint16_t>(l));
      walker.start(lid, target[l]);
      lay_lid(view, step, lid, walker, tables, mine);
    }
    const std::scoped_lock lock(mutex);
    result.dangling += mine.dangling;
    result.holes.insert(result.holes.end(), mine.holes.begin(), mine.holes.end());
  });
  std::sort(result.holes.begin(), result.holes.end());
  return result;
}

}  // namespace rch::chains

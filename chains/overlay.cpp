#include "chains/overlay.h"

#include <algorithm>
#include <mutex>
#include <span>

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

/// View switch behind each exit port.
class Exits {
 public:
  explicit Exits(const SubFabric& view) {
    for (std::uint32_t s = 0; s < view.switch_count(); ++s)
      ports_ = std::max(ports_, view.node(SwitchId(s)).num_ports + std::size_t{1});
    behind_.assign(view.switch_count() * ports_, kOutside);
    for (std::uint32_t s = 0; s < view.switch_count(); ++s)
      for (const fabric::Neighbor& n : view.graph().neighbors(SwitchId(s)))
        for (const fabric::SwitchLink& link : view.graph().links(n))
          behind_[s * ports_ + link.out.index()] = n.sw.value;
  }

  /// kOutside for a port without a link of the view.
  std::uint32_t behind(std::uint32_t sw, std::uint8_t port) const {
    return port < ports_ ? behind_[sw * ports_ + port] : kOutside;
  }

 private:
  std::size_t ports_ = 1;
  std::vector<std::uint32_t> behind_;
};

/// One block of LIDs of every switch, [switch * kBlock + LID in block]. Rows lie far apart and at even
/// distances, so walking them in place would miss the cache at every hop; the block is walked in this copy.
class Block {
 public:
  Block(const SubFabric& view, const ForwardingTables& step, const Exits& exits)
      : view_(view),
        step_(step),
        exits_(exits),
        entries_(view.switch_count() * kBlock),
        fate_(view.switch_count()) {}

  void gather(std::size_t block) {
    first_lid_ = block * kBlock;
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s)
      std::copy_n(step_.row(SwitchId(s)).begin() + static_cast<std::ptrdiff_t>(first_lid_), kBlock,
                  entries_.begin() + static_cast<std::ptrdiff_t>(s * kBlock));
  }

  /// Empties the entries of one LID that do not reach its target. Returns how many there were.
  std::uint64_t prune(std::size_t lid, Target target) {
    std::fill(fate_.begin(), fate_.end(), Fate::unknown);
    std::uint64_t pruned = 0;
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s)
      if (entry(s, lid) != kNoPath) decide(s, lid, target);
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s)
      if (fate_[s] == Fate::dangles && entry(s, lid) != kNoPath) {
        entry(s, lid) = kNoPath;
        ++pruned;
      }
    return pruned;
  }

  /// Writes what is left of these LIDs; the empty entries are holes.
  void scatter(std::span<const std::size_t> lids, ForwardingTables& tables,
               std::vector<std::uint64_t>& holes) {
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s) {
      const SwitchId sw = view_.fabric_switch(SwitchId(s));
      const auto row = tables.row(sw);
      for (std::size_t lid : lids)
        if (const std::uint8_t port = entry(s, lid); port != kNoPath)
          row[lid] = port;
        else
          holes.push_back(std::uint64_t{sw.value} << 16 | lid);
    }
  }

 private:
  static constexpr std::size_t kBlock = ForwardingTables::kBlock;
  enum class Fate : std::uint8_t { unknown, open, arrives, dangles };

  std::uint8_t& entry(std::uint32_t sw, std::size_t lid) { return entries_[sw * kBlock + lid - first_lid_]; }

  /// Follows the entries to a switch whose state is known, and gives it to all switches before it.
  void decide(std::uint32_t from, std::size_t lid, Target target) {
    std::uint32_t at = from;
    while (at != kOutside && fate_[at] == Fate::unknown) {
      if (at == target.sw.value) {
        fate_[at] = entry(at, lid) == target.port ? Fate::arrives : Fate::dangles;
        break;
      }
      fate_[at] = Fate::open;
      path_.push_back(at);
      at = exits_.behind(at, entry(at, lid));
    }
    // An open switch lies on this walk: a forwarding loop.
    const Fate fate = at != kOutside && fate_[at] == Fate::arrives ? Fate::arrives : Fate::dangles;
    for (std::uint32_t s : path_) fate_[s] = fate;
    path_.clear();
  }

  const SubFabric& view_;
  const ForwardingTables& step_;
  const Exits& exits_;
  std::vector<std::uint8_t> entries_;
  std::vector<Fate> fate_;
  std::vector<std::uint32_t> path_;
  std::size_t first_lid_ = 0;
};

}  // namespace

Overlay overlay(const SubFabric& view, const ForwardingTables& step, ForwardingTables& tables) {
  const std::size_t lids = step.max_lid().index() + 1;
  const std::vector<Target> target = targets(view, lids);
  const Exits exits(view);
  Overlay result;
  std::mutex mutex;
  parallel_ranges(tables.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    Overlay mine;
    Block block(view, step, exits);
    std::vector<std::size_t> routed;
    for (std::size_t b = begin; b < end; ++b) {
      routed.clear();
      for (std::size_t l = b * ForwardingTables::kBlock;
           l < std::min(lids, (b + 1) * ForwardingTables::kBlock); ++l)
        if (!target[l].sw.is_none()) routed.push_back(l);
      if (routed.empty()) continue;
      block.gather(b);
      for (std::size_t lid : routed) mine.dangling += block.prune(lid, target[lid]);
      block.scatter(routed, tables, mine.holes);
    }
    const std::scoped_lock lock(mutex);
    result.dangling += mine.dangling;
    result.holes.insert(result.holes.end(), mine.holes.begin(), mine.holes.end());
  });
  std::sort(result.holes.begin(), result.holes.end());
  return result;
}

std::vector<std::uint32_t> entries_outside(const SubFabric& view, const ForwardingTables& tables,
                                           bool with_switches) {
  const fabric::Fabric& fabric = view.fabric();
  const IdSet<Lid> routed = view.routed_lids();
  std::vector<std::size_t> counted;
  for (std::uint16_t l = 1; l <= tables.max_lid().value; ++l)
    if (const auto owner = fabric.lid_owner(Lid(l)); owner && !routed.contains(Lid(l)))
      if (with_switches || !fabric.is_switch(fabric.port(*owner).node)) counted.push_back(l);
  std::vector<std::uint32_t> loads(fabric.ports().size());
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw = view.fabric_switch(SwitchId(s));
    const auto row = tables.row(sw);
    for (std::size_t lid : counted)
      if (row[lid] != kNoPath) ++loads[fabric.port_id(sw, PortNum(row[lid])).index()];
  }
  return loads;
}

}  // namespace rch::chains

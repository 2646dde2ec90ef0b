#include "fabric/lids.h"

#include <algorithm>
#include <tuple>

#include "fabric/fabric_builder.h"

namespace rch::fabric {
namespace {

/// An end port and the size of the LID range it needs.
struct Wish {
  PortId port;
  std::uint8_t lmc = 0;
  Lid lid;  ///< what it gets; unassigned while open

  std::size_t count() const { return std::size_t{1} << lmc; }
};

/// Runs of free LIDs. A range that has to be aligned leaves the LIDs before it behind for good, as OpenSM
/// does.
class FreeLids {
 public:
  FreeLids(const std::vector<PortId>& owner, std::size_t top) {
    for (std::size_t lid = 1; lid <= top; ++lid) {
      if (!owner[lid].is_none()) continue;
      if (runs_.empty() || runs_.back().end != lid)
        runs_.push_back({lid, lid + 1});
      else
        runs_.back().end = lid + 1;
    }
  }

  /// First aligned range of `count` LIDs; unassigned if there is none.
  Lid take(std::size_t count) {
    for (Run& run : runs_) {
      const std::size_t first = (run.begin + count - 1) / count * count;
      if (first + count > run.end) continue;
      run.begin = first + count;
      return Lid(static_cast<std::uint16_t>(first));
    }
    return kUnassignedLid;
  }

 private:
  struct Run {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Run> runs_;
};

class Planner {
 public:
  Planner(const Fabric& fabric, const LidOptions& options)
      : fabric_(fabric), options_(options), owner_(kMaxUnicastLid.index() + 1, PortId::none()) {
    for (const Node& node : fabric.nodes()) {
      const bool is_switch = node.type == NodeType::sw;
      const bool ranged = !is_switch || (node.enhanced_port0 && options.lmc_esp0);
      const std::uint32_t last = is_switch ? 0U : node.num_ports;
      for (std::uint32_t p = is_switch ? 0 : 1; p <= last; ++p) {
        const PortId id(node.first_port.value + p);
        if (!is_switch && fabric.port(id).peer.is_none()) continue;
        wishes_.push_back({id, ranged ? options.lmc : std::uint8_t{0}, kUnassignedLid});
      }
    }
  }

  Result<LidPlan> plan() {
    if (!options_.reassign) keep_present();
    if (options_.planned != nullptr) keep_planned();
    if (auto given = give_rest(); !given) return tl::unexpected(given.error());
    std::sort(wishes_.begin(), wishes_.end(), [](const Wish& a, const Wish& b) { return a.port < b.port; });
    for (const Wish& wish : wishes_) plan_.lids.push_back({wish.port, wish.lid, wish.lmc});
    return std::move(plan_);
  }

 private:
  /// Ports keep the LID they hold. Where two hold the same one, active goes before init, then the lower GUID.
  void keep_present() {
    std::sort(wishes_.begin(), wishes_.end(), [&](const Wish& a, const Wish& b) {
      const Port &x = fabric_.port(a.port), &y = fabric_.port(b.port);
      return std::tuple(y.state, x.guid) < std::tuple(x.state, y.guid);
    });
    for (Wish& wish : wishes_) {
      const Port& port = fabric_.port(wish.port);
      if (port.lid == kUnassignedLid) continue;
      const std::string why = obstacle(wish, port.lid);
      if (!why.empty()) {
        plan_.changes.push_back(fmt::format("port {} of `{}` cannot keep LID {}: {}", port.guid,
                                            fabric_.node(port.node).description, port.lid, why));
        continue;
      }
      give(wish, port.lid);
    }
  }

  /// No port holds these now, so there is nothing to say about one that has gone to another port.
  void keep_planned() {
    for (Wish& wish : wishes_) {
      const auto planned = options_.planned->find_port(fabric_.port(wish.port).guid);
      if (wish.lid != kUnassignedLid || !planned) continue;
      const Lid lid = options_.planned->port(*planned).lid;
      if (lid != kUnassignedLid && obstacle(wish, lid).empty()) give(wish, lid);
    }
  }

  void give(Wish& wish, Lid first) {
    wish.lid = first;
    for (std::size_t lid = first.index(); lid < first.index() + wish.count(); ++lid) owner_[lid] = wish.port;
  }

  std::string obstacle(const Wish& wish, Lid lid) const {
    const std::size_t begin = lid.index(), last = begin + wish.count() - 1;
    if (begin % wish.count() != 0) return fmt::format("it is no multiple of {}", wish.count());
    if (last > options_.top.index())
      return fmt::format("{} is the highest LID that all switches can hold", options_.top);
    for (std::size_t at = begin; at <= last; ++at)
      if (!owner_[at].is_none())
        return fmt::format("LID {} belongs to port {}", at, fabric_.port(owner_[at]).guid);
    return {};
  }

  /// The port where the subnet manager sits first, then in the order of OpenSM's GUID map.
  Result<void> give_rest() {
    const PortId first = fabric_.origin().value_or(PortId::none());
    std::sort(wishes_.begin(), wishes_.end(), [&](const Wish& a, const Wish& b) {
      return std::tuple(a.port != first, opensm_order(fabric_.port(a.port).guid)) <
             std::tuple(b.port != first, opensm_order(fabric_.port(b.port).guid));
    });
    FreeLids free(owner_, options_.top.index());
    for (Wish& wish : wishes_) {
      if (wish.lid != kUnassignedLid) continue;
      wish.lid = free.take(wish.count());
      if (wish.lid != kUnassignedLid) continue;
      const Port& port = fabric_.port(wish.port);
      return fail(ErrorKind::invalid,
                  fmt::format("the LID space is exhausted: port {} of `{}` needs {} of the {} LIDs",
                              port.guid, fabric_.node(port.node).description, wish.count(), options_.top));
    }
    return {};
  }

  const Fabric& fabric_;
  LidOptions options_;
  std::vector<PortId> owner_;  ///< by LID
  std::vector<Wish> wishes_;
  LidPlan plan_;
};

}  // namespace

Result<LidPlan> plan_lids(const Fabric& fabric, const LidOptions& options) {
  if (options.lmc > 7 || options.top > kMaxUnicastLid)
    return fail(ErrorKind::usage,
                fmt::format("LMC {} or highest LID {} is out of range", options.lmc, options.top));
  return Planner(fabric, options).plan();
}

}  // namespace rch::fabric

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
  /// `is_free(lid)` for LIDs up to `top`.
  template <class IsFree>
  FreeLids(std::size_t top, const IsFree& is_free) {
    for (std::size_t lid = 1; lid <= top; ++lid) {
      if (!is_free(lid)) continue;
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
      : fabric_(fabric),
        options_(options),
        owner_(kMaxUnicastLid.index() + 1, PortId::none()),
        recorded_(owner_.size()) {
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
    if (auto given = give_origin(); !given) return tl::unexpected(given.error());
    const bool recorded = options_.records != nullptr && !options_.reassign;
    if (recorded) records_ = options_.records->settled(fabric_, plan_.changes);
    if (recorded && options_.records_first) {
      reserve();
      keep_recorded();
    }
    if (!options_.reassign) keep_present();
    if (recorded && !options_.records_first) {
      reserve();
      keep_recorded();
    }
    if (options_.planned != nullptr) keep_planned();
    if (auto given = give_rest(); !given) return tl::unexpected(given.error());
    std::sort(wishes_.begin(), wishes_.end(), [](const Wish& a, const Wish& b) { return a.port < b.port; });
    for (const Wish& wish : wishes_) plan_.lids.push_back({wish.port, wish.lid, wish.lmc});
    return std::move(plan_);
  }

 private:
  /// `of_origin` before all others. Fails (invalid) where its range does not fit.
  Result<void> give_origin() {
    const auto wish = std::find_if(wishes_.begin(), wishes_.end(),
                                   [&](const Wish& w) { return w.port == fabric_.origin(); });
    if (options_.of_origin == kUnassignedLid || wish == wishes_.end()) return {};
    if (const std::string why = misfit(*wish, options_.of_origin); !why.empty())
      return fail(ErrorKind::invalid, fmt::format("the port of the subnet manager cannot have LID {}: {}",
                                                  options_.of_origin, why));
    give(*wish, options_.of_origin);
    return {};
  }

  /// Ports keep the LID they hold. Where two hold the same one, active goes before init, then the lower GUID.
  void keep_present() {
    std::sort(wishes_.begin(), wishes_.end(), [&](const Wish& a, const Wish& b) {
      const Port &x = fabric_.port(a.port), &y = fabric_.port(b.port);
      return std::tuple(y.state, x.guid) < std::tuple(x.state, y.guid);
    });
    for (Wish& wish : wishes_) {
      const Port& port = fabric_.port(wish.port);
      if (port.lid == kUnassignedLid || wish.lid != kUnassignedLid) continue;
      const std::string why = obstacle(wish, port.lid);
      if (!why.empty()) {
        plan_.changes.push_back(fmt::format("port {} of `{}` cannot keep LID {}: {}", port.guid,
                                            fabric_.node(port.node).name(), port.lid, why));
        continue;
      }
      give(wish, port.lid);
    }
  }

  /// Recorded LIDs that nobody has are for their ports alone.
  void reserve() {
    for (const auto& [port, range] : records_.all())
      for (std::size_t lid = range.first.index(); lid <= range.last.index(); ++lid) recorded_[lid] = port;
  }

  void keep_recorded() {
    std::vector<Wish*> due;
    for (Wish& wish : wishes_) {
      const LidRange* range = records_.find(guid(wish));
      if (range == nullptr) continue;
      const bool fits = wish.lid == kUnassignedLid && misfit(wish, range->first).empty();
      if (fits) due.push_back(&wish);
      // From here on others may have what this port does not use.
      for (std::size_t lid = range->first.index(); lid <= range->last.index(); ++lid)
        if (!fits || lid >= range->first.index() + wish.count()) recorded_[lid] = Guid();
    }
    for (Wish* wish : due) {
      const LidRange& range = *records_.find(guid(*wish));
      const bool fits = obstacle(*wish, range.first).empty();
      for (std::size_t lid = range.first.index(); lid <= range.last.index(); ++lid)
        if (recorded_[lid] == guid(*wish)) recorded_[lid] = Guid();
      if (fits) move_to(*wish, range.first);
    }
  }

  /// Gives a port its recorded LID, and tells if it shows another one.
  void move_to(Wish& wish, Lid lid) {
    const Port& port = fabric_.port(wish.port);
    if (port.lid != kUnassignedLid && port.lid != lid)
      plan_.changes.push_back(
          fmt::format("port {} of `{}` goes from LID {} to LID {}, which is recorded for it", port.guid,
                      fabric_.node(port.node).name(), port.lid, lid));
    give(wish, lid);
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

  Guid guid(const Wish& wish) const { return fabric_.port(wish.port).guid; }

  /// Why no port that needs such a range can have it.
  std::string misfit(const Wish& wish, Lid lid) const {
    if (lid.index() % wish.count() != 0) return fmt::format("it is no multiple of {}", wish.count());
    if (lid.index() + wish.count() - 1 > options_.top.index())
      return fmt::format("{} is the highest LID that all switches can hold", options_.top);
    return {};
  }

  std::string obstacle(const Wish& wish, Lid lid) const {
    if (std::string why = misfit(wish, lid); !why.empty()) return why;
    for (std::size_t at = lid.index(); at < lid.index() + wish.count(); ++at) {
      if (!owner_[at].is_none())
        return fmt::format("LID {} belongs to port {}", at, fabric_.port(owner_[at]).guid);
      if (recorded_[at] != Guid() && recorded_[at] != guid(wish))
        return fmt::format("LID {} is recorded for port {}", at, recorded_[at]);
    }
    return {};
  }

  void give_lowest(FreeLids free) {
    for (Wish& wish : wishes_) {
      if (wish.lid != kUnassignedLid) continue;
      if (const Lid lid = free.take(wish.count()); lid != kUnassignedLid) give(wish, lid);
    }
  }

  /// By LID: a switch has an entry for it in the tables that were found.
  std::vector<bool> forwarded_lids() const {
    std::vector<bool> forwarded(owner_.size());
    if (options_.found == nullptr || options_.reassign) return forwarded;
    for (std::uint32_t s = 0; s < options_.found->switch_count(); ++s) {
      const auto row = options_.found->row(SwitchId(s));
      for (std::size_t lid = 0; lid < std::min(row.size(), forwarded.size()); ++lid)
        if (row[lid] != kNoPath) forwarded[lid] = true;
    }
    return forwarded;
  }

  /// The port where the subnet manager sits first, then in the order of OpenSM's GUID map.
  Result<void> give_rest() {
    const PortId first = fabric_.origin().value_or(PortId::none());
    std::sort(wishes_.begin(), wishes_.end(), [&](const Wish& a, const Wish& b) {
      return std::tuple(a.port != first, opensm_order(fabric_.port(a.port).guid)) <
             std::tuple(b.port != first, opensm_order(fabric_.port(b.port).guid));
    });
    const std::size_t top = options_.top.index();
    const auto is_free = [&](std::size_t lid) { return owner_[lid].is_none(); };
    const auto is_unrecorded = [&](std::size_t lid) { return is_free(lid) && recorded_[lid] == Guid(); };
    const std::vector<bool> forwarded = forwarded_lids();
    give_lowest(FreeLids(top, [&](std::size_t lid) { return is_unrecorded(lid) && !forwarded[lid]; }));
    // What is left can only have LIDs of ports that are silent or away.
    give_lowest(FreeLids(top, is_unrecorded));
    give_lowest(FreeLids(top, is_free));
    for (const Wish& wish : wishes_) {
      if (wish.lid != kUnassignedLid) continue;
      const Port& port = fabric_.port(wish.port);
      return fail(ErrorKind::invalid,
                  fmt::format("the LID space is exhausted: port {} of `{}` needs {} of the {} LIDs",
                              port.guid, fabric_.node(port.node).name(), wish.count(), options_.top));
    }
    return {};
  }

  const Fabric& fabric_;
  LidOptions options_;
  LidRecords records_;          ///< as the fabric settles them
  std::vector<PortId> owner_;   ///< by LID
  std::vector<Guid> recorded_;  ///< by LID: the port for which it is left free; Guid(): none
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

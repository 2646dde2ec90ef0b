#include "verify/metrics/overlaps.h"

#include <algorithm>
#include <unordered_map>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "verify/columns.h"

namespace rch::verify {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;

/// Pairs by depth and what is common, in rows of ascending depth.
class Counts {
 public:
  void add(std::size_t depth, std::size_t common, std::uint64_t pairs) {
    const std::size_t at = depth * (depth + 1) / 2 + common;
    if (pairs_.size() <= at) pairs_.resize(at + 1);
    pairs_[at] += pairs;
  }
  void merge(const Counts& other) {
    if (pairs_.size() < other.pairs_.size()) pairs_.resize(other.pairs_.size());
    for (std::size_t i = 0; i < other.pairs_.size(); ++i) pairs_[i] += other.pairs_[i];
  }
  std::vector<Metrics::Overlap> list() const {
    std::vector<Metrics::Overlap> out;
    std::size_t at = 0;
    for (std::uint32_t depth = 0; at < pairs_.size(); ++depth)
      for (std::uint32_t common = 0; common <= depth && at < pairs_.size(); ++common, ++at)
        if (pairs_[at] != 0) out.push_back({depth, common, pairs_[at]});
    return out;
  }

 private:
  std::vector<std::uint64_t> pairs_;
};

/// Switches of a path belong together when they have the same number here.
using Membership = std::vector<std::uint32_t>;

Membership by_system(const Fabric& fabric) {
  Membership systems;
  std::unordered_map<Guid, std::uint32_t> known;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const fabric::Node& node = fabric.node(SwitchId(s));
    const Guid guid = node.system_guid == Guid(0) ? node.guid : node.system_guid;
    systems.push_back(known.try_emplace(guid, static_cast<std::uint32_t>(known.size())).first->second);
  }
  return systems;
}

/// Marks that need no clearing.
class Marks {
 public:
  explicit Marks(std::size_t size) : marks_(size) {}
  void clear() { ++now_; }
  /// False if it was marked before.
  bool mark(std::uint32_t i) {
    const bool fresh = marks_[i] != now_;
    marks_[i] = now_;
    return fresh;
  }
  bool has(std::uint32_t i) const { return marks_[i] == now_; }

 private:
  std::vector<std::uint64_t> marks_;
  std::uint64_t now_ = 1;
};

using Path = std::vector<std::uint32_t>;

/// Members that `other` shares with the marked ones.
std::size_t common_members(const Path& other, const Membership& members, const Marks& marked, Marks& met) {
  met.clear();
  std::size_t common = 0;
  for (const std::uint32_t sw : other)
    if (marked.has(members[sw]) && met.mark(members[sw])) ++common;
  return common;
}

/// Comparisons of one thread.
class Comparer {
 public:
  Comparer(const Fabric& fabric, const ForwardingTables& lfts, const Wiring& wiring,
           const Membership& systems)
      : fabric_(fabric),
        lfts_(lfts),
        wiring_(wiring),
        systems_(systems),
        first_systems_(wiring.switch_count()),
        first_switches_(wiring.switch_count()),
        met_(wiring.switch_count()) {
    for (std::uint32_t s = 0; s < wiring.switch_count(); ++s) switches_.push_back(s);
  }

  /// Paths from all other hosts to those of one.
  void compare(const Source& to) {
    for (std::uint32_t sw = 0; sw < wiring_.switch_count(); ++sw) {
      const std::uint64_t hosts = wiring_.sources_of(sw).size() - (sw == to.sw.value ? 1 : 0);
      if (!wiring_.sources_of(sw).empty() && hosts != 0) compare_from(sw, to, hosts);
    }
  }
  const Counts& in_switches() const { return in_switches_; }
  const Counts& in_systems() const { return in_systems_; }

 private:
  void compare_from(std::uint32_t sw, const Source& to, std::uint64_t hosts) {
    const fabric::Port& port = fabric_.port(to.port);
    if (!follow(sw, to, port.lid)) return;
    const std::size_t depth = path_.size();
    first_switches_.clear();
    first_systems_.clear();
    for (const std::uint32_t s : path_) {
      first_switches_.mark(s);
      first_systems_.mark(systems_[s]);
    }
    for (unsigned k = 1; k < 1U << port.lmc; ++k) {
      if (!follow(sw, to, Lid(static_cast<std::uint16_t>(port.lid.value + k)))) continue;
      in_switches_.add(depth, common_members(path_, switches_, first_switches_, met_), hosts);
      in_systems_.add(depth, common_members(path_, systems_, first_systems_, met_), hosts);
    }
  }

  /// Leaves the switches of a path in path_; false if it does not arrive.
  bool follow(std::uint32_t sw, const Source& to, Lid lid) {
    path_.clear();
    while (path_.size() < wiring_.switch_count()) {
      path_.push_back(sw);
      const Exit& exit = wiring_.exit(sw, entry(lfts_, SwitchId(sw), lid));
      if (exit.kind != Exit::Kind::to_switch)
        return exit.kind == Exit::Kind::to_host && exit.to == to.port.value;
      sw = exit.to;
    }
    return false;
  }

  const Fabric& fabric_;
  const ForwardingTables& lfts_;
  const Wiring& wiring_;
  const Membership& systems_;
  Membership switches_;  ///< each for itself
  Path path_;
  Marks first_systems_, first_switches_, met_;
  Counts in_switches_, in_systems_;
};

}  // namespace

Overlaps overlaps(const Fabric& fabric, const ForwardingTables& lfts, const Wiring& wiring) {
  const Membership systems = by_system(fabric);
  tbb::enumerable_thread_specific<Comparer> comparers(
      [&] { return Comparer(fabric, lfts, wiring, systems); });
  parallel_ranges(wiring.sources().size(), 8, [&](std::size_t begin, std::size_t end) {
    Comparer& comparer = comparers.local();
    for (std::size_t i = begin; i < end; ++i)
      if (fabric.port(wiring.sources()[i].port).lmc != 0) comparer.compare(wiring.sources()[i]);
  });
  Counts in_switches, in_systems;
  for (const Comparer& comparer : comparers) {
    in_switches.merge(comparer.in_switches());
    in_systems.merge(comparer.in_systems());
  }
  return {in_switches.list(), in_systems.list()};
}

}  // namespace rch::verify

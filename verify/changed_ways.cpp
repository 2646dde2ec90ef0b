#include "verify/changed_ways.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "verify/columns.h"
#include "verify/transition/changed_hops.h"

namespace rch::verify {
namespace {

constexpr std::size_t kChangedColumnBytes = std::size_t{16} << 20;

/// Every changed port has lost its link.
bool only_lose_links(const Context& context, const Changes& changes) {
  return std::ranges::all_of(changes.ports,
                             [&](PortId port) { return context.fabric.port(port).peer.is_none(); });
}

/// Some switch still sends by a port that has lost its link.
bool sends_nowhere(const Context& context, const Changes& changes, std::span<const std::uint8_t> column) {
  return std::ranges::any_of(changes.ports, [&](PortId id) {
    const fabric::Port& port = context.fabric.port(id);
    return column[port.node.index()] == port.number.value;
  });
}

/// Packets to one destination, by the entries of now where they differ from those before.
class ChangedWays {
 public:
  explicit ChangedWays(const Context& context)
      : wiring_(context.wiring),
        hops_(context.wiring),
        arrives_(context.wiring.switch_count()),
        met_(context.wiring.switch_count()) {}

  /// False: from some switch with another entry packets would not arrive, whether any come by or not.
  bool add(const Destination& to, std::span<const std::uint8_t> before, std::span<const std::uint8_t> now,
           Dependencies<1>& dependencies) {
    ++round_;
    for (std::uint32_t sw = 0; sw < now.size(); ++sw)
      if (before[sw] != now[sw] && !follow(sw, to.owner.sw.value, now)) return false;
    // What moves an entry from `installed` to `target` adds is looked for the other way round.
    const Move move{{to.lid}, now, before};
    return hops_.walk(move, Stage::installed, false, &dependencies);
  }

 private:
  /// True if the way from a switch ends at `to`.
  bool follow(std::uint32_t sw, std::uint32_t to, std::span<const std::uint8_t> now) {
    way_.clear();
    ++ways_;
    for (std::uint32_t at = sw; arrives_[at] != round_;) {
      if (std::exchange(met_[at], ways_) == ways_) return false;
      way_.push_back(at);
      if (at == to) break;
      const Exit& exit = wiring_.exit(at, now[at]);
      if (exit.kind != Exit::Kind::to_switch) return false;
      at = exit.to;
    }
    for (const std::uint32_t at : way_) arrives_[at] = round_;
    return true;
  }

  const Wiring& wiring_;
  ChangedHops hops_;
  std::uint32_t round_ = 0, ways_ = 0;
  std::vector<std::uint32_t> arrives_;  ///< by switch: the last destination that its way is known to end at
  std::vector<std::uint32_t> met_;      ///< by switch: the last way that it is on
  std::vector<std::uint32_t> way_;
};

}  // namespace

bool add_changed_ways(const EarlierProof& earlier, const Context& context, const Changes& changes,
                      Dependencies<1>& dependencies) {
  if (!only_lose_links(context, changes) || !context.aggregation.bare_switches().empty()) return false;
  tbb::enumerable_thread_specific<ChangedWays> workers([&] { return ChangedWays(context); });
  std::atomic<bool> all_arrive = true;
  for_runs(context.wiring, changes.destinations, kChangedColumnBytes, [&](std::span<const Destination> run) {
    const Columns before(earlier.tables, context.wiring, run), now(context.tables, context.wiring, run);
    parallel_ranges(run.size(), 16, [&](std::size_t first, std::size_t last) {
      ChangedWays& worker = workers.local();
      for (std::size_t i = first; i < last && all_arrive; ++i) {
        const Destination& to = run[i];
        const auto column = now.of(to);
        if (now.own_entry(to) != to.owner.attach.value || before.own_entry(to) != to.owner.attach.value ||
            sends_nowhere(context, changes, column) || !worker.add(to, before.of(to), column, dependencies))
          all_arrive = false;
      }
    });
  });
  return all_arrive;
}

}  // namespace rch::verify

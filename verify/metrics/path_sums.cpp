#include "verify/metrics/path_sums.h"

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "verify/in_tree.h"

namespace rch::verify {
namespace {

/// Sums of one thread.
class Summer {
 public:
  explicit Summer(const Wiring& wiring)
      : wiring_(wiring),
        tree_(wiring),
        depth_(wiring.switch_count()),
        waiting_(wiring.switch_count()),
        last_(wiring.slot_count(), PortId::none()) {
    sums_.flows.resize(wiring.slot_count());
    sums_.hosts.resize(wiring.slot_count());
  }

  /// All LIDs of a host must be added one after the other.
  void add(const Columns& columns, const Destination& to) {
    if (columns.own_entry(to) != to.owner.attach.value) return;  // nobody gets there
    const auto column = columns.of(to);
    tree_.build(column);
    measure_depths(to.owner.sw.value);
    count_pairs(2, wiring_.sources_of(to.owner.sw.index()).size() - 1);
    send_all(column, to.owner);
  }
  const PathSums& sums() const { return sums_; }

 private:
  static constexpr std::uint32_t kLost = 0;

  /// Cables to the host, from the root of the tree outwards.
  void measure_depths(std::uint32_t to) {
    std::fill(depth_.begin(), depth_.end(), kLost);
    depth_[to] = 1;
    const auto order = tree_.leaves_first();
    for (auto sw = order.rbegin(); sw != order.rend(); ++sw)
      if (const std::uint32_t next = tree_.next(*sw); next != InTree::kNowhere && depth_[next] != kLost)
        depth_[*sw] = depth_[next] + 1;
  }

  void send_all(std::span<const std::uint8_t> column, const Source& to) {
    std::fill(waiting_.begin(), waiting_.end(), 0U);
    for (const std::uint32_t sw : tree_.leaves_first()) {
      if (sw == to.sw.value || depth_[sw] == kLost) continue;
      const std::uint64_t hosts = wiring_.sources_of(sw).size();
      count_pairs(depth_[sw] + 1, hosts);
      const std::uint64_t flows = waiting_[sw] + hosts;
      if (flows == 0) continue;
      waiting_[tree_.next(sw)] += flows;
      const std::size_t slot = wiring_.slot(sw, column[sw]);
      sums_.flows[slot] += flows;
      sums_.hosts[slot] += last_[slot] != to.port;
      last_[slot] = to.port;
    }
  }

  void count_pairs(std::size_t hops, std::uint64_t pairs) {
    if (pairs == 0) return;
    if (sums_.hops.size() <= hops) sums_.hops.resize(hops + 1);
    sums_.hops[hops] += pairs;
    sums_.pairs += pairs;
  }

  const Wiring& wiring_;
  InTree tree_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint64_t> waiting_;  ///< flows that came in and leave again, by switch
  std::vector<PortId> last_;            ///< host that a slot was last used for
  PathSums sums_;
};

/// Where the LIDs of each host begin, and one past the last.
std::vector<std::size_t> host_begins(std::span<const Destination> destinations) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < destinations.size(); ++i)
    if (i == 0 || destinations[i].owner.port != destinations[i - 1].owner.port) begins.push_back(i);
  begins.push_back(destinations.size());
  return begins;
}

template <class T>
void add_up(std::vector<T>& to, const std::vector<T>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

}  // namespace

void PathSums::merge(const PathSums& other) {
  pairs += other.pairs;
  add_up(hops, other.hops);
  add_up(flows, other.flows);
  add_up(hosts, other.hosts);
}

PathSums path_sums(const fabric::RoutingTables& tables, const Wiring& wiring,
                   std::span<const Destination> destinations, std::size_t column_bytes) {
  tbb::enumerable_thread_specific<Summer> summers([&] { return Summer(wiring); });
  for_columns(tables, wiring, destinations, column_bytes, [&](const Columns& columns) {
    const auto begins = host_begins(columns.destinations());
    parallel_ranges(begins.size() - 1, 4, [&](std::size_t first, std::size_t last) {
      Summer& summer = summers.local();
      for (std::size_t i = begins[first]; i < begins[last]; ++i)
        summer.add(columns, columns.destinations()[i]);
    });
  });
  PathSums sums = Summer(wiring).sums();
  for (const Summer& summer : summers) sums.merge(summer.sums());
  return sums;
}

}  // namespace rch::verify

#include "verify/reached_lids.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "verify/columns.h"
#include "verify/in_tree.h"

namespace rch::verify {
namespace {

constexpr std::size_t kReachedColumnBytes = std::size_t{16} << 20;
/// Which VLs a port has does not matter here.
constexpr std::uint8_t kReachedVls = 5;

/// All switches send to the destination's one, or to one that does.
bool comes_from_all(const InTree& tree, SwitchId to, std::size_t switches) {
  if (tree.has_cycle()) return false;
  for (std::size_t s = 0; s < switches; ++s)
    if (s != to.index() && tree.next(s) == InTree::kNowhere) return false;
  return true;
}

}  // namespace

IdSet<Lid> reached_lids(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  struct Worker {
    InTree tree;
    std::vector<Lid> reached = {};
  };
  const Wiring wiring(fabric, kReachedVls);
  std::vector<Destination> targets = destinations(fabric, wiring);
  std::ranges::copy(switch_destinations(fabric), std::back_inserter(targets));
  std::ranges::stable_sort(targets, {}, [](const Destination& to) { return to.owner.sw; });
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker{InTree(wiring)}; });
  for_columns(tables, wiring, targets, kReachedColumnBytes, [&](const Columns& columns) {
    parallel_ranges(columns.groups().size(), 4, [&](std::size_t first, std::size_t last) {
      Worker& worker = workers.local();
      for (std::size_t g = first; g < last; ++g) {
        const Group& group = columns.groups()[g];
        worker.tree.build(group.column);
        if (!comes_from_all(worker.tree, group.sw(), wiring.switch_count())) continue;
        for (const Destination* to : group.members)
          if (columns.own_entry(*to) == to->owner.attach.value) worker.reached.push_back(to->lid);
      }
    });
  });
  IdSet<Lid> reached(std::size_t{0x10000});
  for (const Worker& worker : workers)
    for (const Lid lid : worker.reached) reached.insert(lid);
  return reached;
}

}  // namespace rch::verify

#include "verify/survey.h"

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "verify/multicast/spread.h"
#include "verify/service_levels.h"

namespace rch::verify {
namespace {

/// What one thread works with.
template <std::size_t N>
struct Worker {
  Worker(const Field& field, Dependencies<N>& dependencies)
      : walker({field.wiring, field.lanes, field.injection}, dependencies),
        account(field.wiring, field.lanes) {}

  Walker<N> walker;
  Account account;
  std::vector<std::uint8_t> sls;
  std::vector<std::uint8_t> column;
  Tally lost;
  SlSet met = 0;
  std::vector<Lid> causes;
};

/// Walks towards all groups that `wanted(group)` takes, and calls done(worker, columns, group, clean) after
/// each.
template <std::size_t N>
class Tour {
 public:
  explicit Tour(const Field& field)
      : field_(field),
        dependencies_(field.wiring),
        workers_([this] { return Worker<N>(field_, dependencies_); }) {}

  template <class Wanted, class Done>
  void run(const Wanted& wanted, const Done& done) {
    for_columns(field_.tables, field_.wiring, field_.destinations, field_.column_bytes,
                [&](const Columns& columns) {
                  parallel_ranges(columns.groups().size(), 4, [&](std::size_t first, std::size_t last) {
                    Worker<N>& worker = workers_.local();
                    for (std::size_t g = first; g < last; ++g)
                      if (wanted(columns.groups()[g])) visit(worker, columns, columns.groups()[g], done);
                  });
                });
  }

  Dependencies<N>& dependencies() { return dependencies_; }
  auto& workers() { return workers_; }

 private:
  template <class Done>
  void visit(Worker<N>& worker, const Columns& columns, const Group& group, const Done& done) {
    service_levels(field_.fabric, field_.tables, group.members.front()->lid, worker.sls);
    done(worker, columns, group, worker.walker.walk(group, worker.sls));
  }

  const Field& field_;
  Dependencies<N> dependencies_;
  tbb::enumerable_thread_specific<Worker<N>> workers_;
};

template <std::size_t N>
void account_for(Worker<N>& worker, const Columns& columns, const Group& group) {
  worker.column.assign(group.column.begin(), group.column.end());
  for (const Destination* member : group.members) {
    worker.column[member->owner.sw.index()] = columns.own_entry(*member);
    worker.account.add(*member, worker.column, worker.sls, worker.lost);
  }
}

template <std::size_t N>
Survey survey_lanes(const Field& field) {
  Tour<N> tour(field);
  tour.run([](const Group&) { return true; },
           [](Worker<N>& worker, const Columns& columns, const Group& group, bool clean) {
             for (const std::uint8_t sl : worker.sls)
               worker.met = static_cast<SlSet>(worker.met | sl_bit(sl));
             if (!clean) account_for(worker, columns, group);
           });
  Survey result;
  for (const Worker<N>& worker : tour.workers()) {
    result.lost.merge(worker.lost);
    result.sls = static_cast<SlSet>(result.sls | worker.met);
  }
  const auto graph = [&] {
    ChannelGraph out = channel_graph(field.wiring, tour.dependencies());
    for (std::size_t lane = 0; lane < field.lanes.lane_count(); ++lane)
      out.vls.push_back(field.lanes.vl_of_lane(lane));
    return out;
  };
  if (field.paths_apart) result.paths = graph();
  Spread<N> spread(field, tour.dependencies());
  for (const fabric::MulticastGroup& group : field.tables.groups) spread.add(group);
  result.graph = graph();
  return result;
}

template <std::size_t N>
std::vector<Lid> causes_lanes(const Field& field, std::span<const Dependency> dependencies) {
  const auto on_the_way = [](const Group& group, const Dependency& d) {
    return group.column[d.from.sw.index()] == d.from.out.value &&
           group.column[d.to.sw.index()] == d.to.out.value;
  };
  Tour<N> tour(field);
  tour.run(
      [&](const Group& group) {
        return std::any_of(dependencies.begin(), dependencies.end(),
                           [&](const Dependency& d) { return on_the_way(group, d); });
      },
      [&](Worker<N>& worker, const Columns&, const Group& group, bool) {
        worker.causes.resize(dependencies.size(), Lid::none());
        for (std::size_t i = 0; i < dependencies.size(); ++i) {
          const Dependency& d = dependencies[i];
          if (worker.walker.crossing(d.from.sw.index(), d.from.out.value, d.from.lane, d.to.out.value,
                                     d.to.lane) != 0)
            worker.causes[i] = std::min(worker.causes[i], group.members.front()->lid);
        }
      });
  std::vector<Lid> lids(dependencies.size(), Lid::none());
  for (const Worker<N>& worker : tour.workers())
    for (std::size_t i = 0; i < worker.causes.size(); ++i) lids[i] = std::min(lids[i], worker.causes[i]);
  return lids;
}

}  // namespace

Survey survey(const Field& field) {
  return with_lanes(field.lanes.lane_count(), [&](auto n) { return survey_lanes<n()>(field); });
}

std::vector<Lid> causes(const Field& field, std::span<const Dependency> dependencies) {
  return with_lanes(field.lanes.lane_count(), [&](auto n) { return causes_lanes<n()>(field, dependencies); });
}

}  // namespace rch::verify

// Subnet administration in memory: requests as datagrams in, answers as datagrams out.

#include <benchmark/benchmark.h>

#include <memory>

#include "engines/minhop/minhop.h"
#include "fabrics.h"
#include "path_query.h"
#include "routing.h"
#include "sa/answer.h"
#include "sa/path_fields.h"
#include "sa/server.h"

namespace rch::bench {
namespace {

std::shared_ptr<const sa::Snapshot> snapshot_of_minhop(const BenchFabric& made) {
  auto snapshot = std::make_shared<sa::Snapshot>();
  const fabric::Fabric& fabric = made.fabric;
  snapshot->plan.fabric = std::shared_ptr<const fabric::Fabric>(std::shared_ptr<void>(), &fabric);
  snapshot->plan.tables = std::make_shared<const fabric::RoutingTables>(
      single_step(fabric, engines::minhop::route(fabric::SubFabric(fabric), {})));
  snapshot->local = *fabric.origin();
  snapshot->ports.resize(fabric.ports().size());
  snapshot->end_ports = sa::ports_with_lid(fabric);
  snapshot->links = sa::links_of(fabric, snapshot->ports, 0);
  for (sa::Link& link : snapshot->links) link.traits = {.mtu = 5, .rate = 16};
  snapshot->partitions =
      std::make_shared<const policy::partitions::Partitions>(policy::partitions::without_file());
  snapshot->pkey_index.assign(fabric.ports().size(), sa::Snapshot::kNoPKeys);
  return snapshot;
}

void path_gets(benchmark::State& state) {
  const BenchFabric& made = fat_tree36();
  sa::Server server;
  server.publish(snapshot_of_minhop(made), {});
  std::vector<hw::Datagram> queries;
  constexpr std::uint64_t kQueries = 1 << 14;
  for (std::uint64_t n = 0; n < kQueries; ++n)
    queries.emplace_back(path_query(made.fabric, n, sa::Method::get)).arrived = {};
  std::vector<hw::OutgoingDatagram> out;
  std::size_t at = 0;
  for (auto _ : state) {
    server.on_datagram(queries[at++ % kQueries], {});
    out.clear();
    server.take_datagrams(out, {});
    benchmark::DoNotOptimize(out.data());
  }
  if (server.counters().refused != 0) state.SkipWithError("a query was refused");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(path_gets)->Name("sa/path_gets/fat_tree36");

/// All paths of one host, each time of another.
void paths_of_a_host(benchmark::State& state) {
  const BenchFabric& made = fat_tree36();
  const auto snapshot = snapshot_of_minhop(made);
  std::int64_t records = 0;
  std::uint64_t n = 0;
  for (auto _ : state) {
    const hw::Datagram query = path_query(made.fabric, n++, sa::Method::get_table);
    const sa::Requester requester{.port = *made.fabric.lid_owner(Lid(query.lid))};
    const sa::Answer answer = sa::answer(*snapshot, requester,
                                         {.method = sa::Method::get_table,
                                          .attribute = sa::Attribute::path_record,
                                          .mask = 0b1000,
                                          .record = std::span(query.mad).subspan(sa::header::kData)});
    records += static_cast<std::int64_t>(answer.records.size() / sa::path_record::kSize);
  }
  state.SetItemsProcessed(records);
}
BENCHMARK(paths_of_a_host)->Name("sa/paths_of_a_host/fat_tree36")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rch::bench

// What a scrape costs with the counters of all ports, and what a new plan costs the performance manager.

#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>

#include "cli/http_server.h"
#include "cli/port_metrics.h"
#include "engines/minhop/minhop.h"
#include "fabrics.h"
#include "perfmgr/performance_manager.h"
#include "routing.h"

namespace rch::bench {
namespace {

double resident_mb() {
  long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr || std::fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
  if (file != nullptr) std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

perfmgr::View view_of(const BenchFabric& made) {
  const std::shared_ptr<const fabric::Fabric> fabric(std::shared_ptr<void>(), &made.fabric);
  return {.fabric = fabric,
          .tables = std::make_shared<const fabric::RoutingTables>(
              single_step(*fabric, engines::minhop::route(fabric::SubFabric(*fabric), {}))),
          .local = *fabric->origin()};
}

/// Every port has counted; errors are rare.
std::shared_ptr<perfmgr::Totals> counted(const perfmgr::View& view) {
  auto totals = rows_for(view, agents_of(view, true), nullptr, nullptr, {}).totals;
  std::uint64_t random = 1;
  for (std::size_t row = 0; row < totals->ports().size(); ++row)
    for (std::size_t c = 0; c < perfmgr::kCounterCount; ++c) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const bool is_error = perfmgr::counter_rows()[c].is_error;
      totals->set(static_cast<perfmgr::Counter>(c), row, is_error ? random >> 62U : random >> 20U);
    }
  return totals;
}

cli::PortSource source_of(const BenchFabric& made) {
  const perfmgr::View view = view_of(made);
  return {counted(view), view.fabric, view.tables, std::make_shared<const policy::Policy>()};
}

void page(benchmark::State& state) {
  const cli::PortSource source = source_of(fat_tree36());
  const auto labels = std::make_shared<const cli::PortLabels>(source);
  std::size_t bytes = 0;
  std::string piece;
  for (auto _ : state) {
    cli::PortPage ports(source.totals, labels);
    for (bytes = 0; ports.next(piece); bytes += piece.size()) benchmark::DoNotOptimize(piece.data());
  }
  state.counters["ports"] = static_cast<double>(source.totals->ports().size());
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK(page)->Name("metrics/page/fat_tree36")->Unit(benchmark::kMillisecond);

/// Reads one page from a server to its end; returns how long it is.
std::size_t scrape(std::uint16_t port, std::vector<char>& buffer) {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string_view request = "GET /metrics HTTP/1.0\r\n\r\n";
  std::size_t bytes = 0;
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      send(descriptor, request.data(), request.size(), MSG_NOSIGNAL) > 0)
    for (ssize_t count = 0; (count = recv(descriptor, buffer.data(), buffer.size(), 0)) > 0;)
      bytes += static_cast<std::size_t>(count);
  close(descriptor);
  return bytes;
}

void scrapes(benchmark::State& state) {
  const cli::PortSource source = source_of(fat_tree36());
  const auto labels = std::make_shared<const cli::PortLabels>(source);
  const auto make = [&] {
    return cli::HttpServer::Text{"", [ports = cli::PortPage(source.totals, labels)](
                                         std::string& piece) mutable { return ports.next(piece); }};
  };
  const auto server = *cli::HttpServer::listen("0", {{"/metrics", {"text/plain", make}}});
  std::vector<char> buffer(1U << 20U);
  std::size_t bytes = 0;
  for (auto _ : state) bytes = scrape(server->port(), buffer);
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
  state.counters["resident_MB"] = resident_mb();
}
BENCHMARK(scrapes)->Name("metrics/scrape/fat_tree36")->Unit(benchmark::kMillisecond)->UseRealTime();

void labels(benchmark::State& state) {
  const cli::PortSource source = source_of(fat_tree36());
  for (auto _ : state) benchmark::DoNotOptimize(cli::PortLabels(source));
}
BENCHMARK(labels)->Name("metrics/labels/fat_tree36")->Unit(benchmark::kMillisecond);

/// Another plan for the same fabric, while a sweep goes on.
void new_plan(benchmark::State& state) {
  perfmgr::View view = view_of(fat_tree36());
  perfmgr::PerformanceManager manager([](const perfmgr::Event&) {});
  manager.follow({.enabled = true}, {});
  manager.publish(view, {});
  for (auto _ : state) {
    state.PauseTiming();
    view = view_of(fat_tree36());
    state.ResumeTiming();
    manager.publish(view, {});
  }
}
BENCHMARK(new_plan)->Name("metrics/new_plan/fat_tree36")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rch::bench

// The program that the tests run on a simulated fabric: one connection to the fabric per process.
//
//   hw_probe discover                         fingerprint, counts, other subnet managers
//   hw_probe bringup [OPTION...]              LIDs 1, 2, ..., shortest paths, commit; prints what was written
//   hw_probe installed                        the forwarding tables that are installed
//
// --lmc N, --sl2vl (maps that differ by port), --takeover, --dry-run, --whole, --strict, --window N,
// --retries N, --ca NAME. Tables are printed as "lft GUID LID PORT", SL2VL maps as "sl2vl GUID IN OUT VL...".
// Exit 5 on an Error.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "fabric/fabric_builder.h"
#include "hw/commit.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "hw/live_tables.h"
#include "hw/simple_routing.h"
#include "hw/umad_transport.h"

namespace rch::hw::test {
namespace {

struct Arguments {
  std::string_view verb;
  std::uint8_t lmc = 0;
  bool sl2vl = false, strict = false;
  PortName port;
  SmpOptions smp;
  CommitOptions commit;
};

Arguments parse(int argc, char** argv) {
  Arguments args;
  args.verb = argc > 1 ? argv[1] : "discover";
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto number = [&] { return static_cast<unsigned>(std::atoi(argv[++i])); };
    if (word == "--lmc") args.lmc = static_cast<std::uint8_t>(number());
    if (word == "--ca") args.port.ca = argv[++i];
    if (word == "--window") args.smp.window = number();
    if (word == "--retries") args.smp.retries = number();
    if (word == "--sl2vl") args.sl2vl = true;
    if (word == "--takeover") args.commit.manager.takeover = true;
    if (word == "--dry-run") args.commit.dry_run = true;
    if (word == "--whole") args.commit.whole = true;
    if (word == "--strict") args.strict = true;
  }
  return args;
}

void print_tables(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Guid guid = fabric.node(SwitchId(s)).guid;
    const auto row = tables.lfts.row(SwitchId(s));
    for (std::size_t lid = 0; lid < row.size(); ++lid) {
      if (row[lid] != kNoPath) fmt::print("lft {} {} {}\n", guid, lid, row[lid]);
    }
    if (tables.sl2vl.empty()) continue;
    for (const Sl2VlPlace& place : sl2vl_places(fabric)) {
      if (place.sw != SwitchId(s)) continue;
      fmt::print("sl2vl {} {} {} {}\n", guid, place.in, place.out,
                 fmt::join(tables.sl2vl.at(place.sw, place.in, place.out), " "));
    }
  }
}

void print_report(const CommitReport& report) {
  fmt::print("writes {}\nblocks {}\nsl2vl {}\nend-ports {}\nswitches {}\nswitch-ports {}\nresets {}\n",
             report.writes(), report.lft_blocks, report.sl2vl_tables, report.end_ports, report.switches,
             report.switch_ports, report.resets);
  fmt::print("armed {}\nactivated {}\nresent {}\n", report.armed, report.activated, report.smps.resent);
  for (const std::string& remark : report.remarks) fmt::print("remark {}\n", remark);
  fmt::print(stderr, "commit: {:.1f} ms, {} SMPs\n", report.elapsed.count(), report.smps.sent);
}

Result<void> bringup(Driver& driver, const LiveFabric& live, const Arguments& args, Mastership* mastership) {
  const auto lids = simple_lids(live.fabric, args.lmc);
  auto fabric = fabric::with_lids(live.fabric, lids);
  if (!fabric) return tl::unexpected(fabric.error());
  const fabric::RoutingTables tables = simple_tables(*fabric, args.sl2vl);
  const auto prepared = driver.wait(prepare(driver, live, lids, tables, args.commit));
  if (!prepared) return tl::unexpected(prepared.error());
  const fabric::WriteRound all[] = {fabric::one_round(prepared->delta.lft_blocks, tables.lfts)};
  auto report = driver.wait(commit(driver, live, tables, *prepared, all, args.commit, mastership));
  if (!report) return tl::unexpected(report.error());
  print_report(*report);
  print_tables(*fabric, tables);
  return {};
}

Result<void> installed(Driver& driver, const LiveFabric& live) {
  auto tables = driver.wait(read_live_tables(driver, live));
  if (!tables) return tl::unexpected(tables.error());
  print_tables(live.fabric, *tables);
  return {};
}

Result<void> run(const Arguments& args) {
  auto transport = UmadTransport::open(args.port, args.verb == "bringup" ? Serves::manager : Serves::nothing);
  if (!transport) return tl::unexpected(transport.error());
  Driver driver(**transport, args.smp);
  const auto started = Clock::now();
  std::optional<Mastership> mastership;
  if (args.verb == "bringup" && !args.commit.dry_run) mastership.emplace(driver, args.commit.manager);
  auto live = driver.wait(mastership ? mastership->win({.strict = args.strict})
                                     : discover(driver, {.strict = args.strict}));
  if (!live) return tl::unexpected(live.error());
  const std::chrono::duration<double, std::milli> took = Clock::now() - started;
  fmt::print(stderr, "discover: {:.1f} ms, {} SMPs, {} resent\n", took.count(), driver.counters().sent,
             driver.counters().resent);
  fmt::print("fingerprint {}\nnodes {}\n", live->fabric.fingerprint(), live->fabric.nodes().size());
  for (const fabric::Quarantined& q : live->quarantine) fmt::print("left-out {}: {}\n", q.place, q.reason);
  for (const OtherSm& sm : live->other_sms) {
    fmt::print("other-sm {} state {} priority {}\n", sm.guid, static_cast<int>(sm.info.state),
               sm.info.priority);
  }
  if (args.verb == "bringup") return bringup(driver, *live, args, mastership ? &*mastership : nullptr);
  if (args.verb == "installed") return installed(driver, *live);
  return {};
}

}  // namespace
}  // namespace rch::hw::test

int main(int argc, char** argv) {
  const auto done = rch::hw::test::run(rch::hw::test::parse(argc, argv));
  if (done) return 0;
  fmt::print(stderr, "error: {}\n", done.error().message);
  return 5;
}

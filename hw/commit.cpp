#include "hw/commit.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "fabric/fabric_builder.h"
#include "hw/arbitration.h"
#include "hw/live_tables.h"

namespace rch::hw {
namespace {

using fabric::RoutingTables;

constexpr std::array kWholeMap{Field{0, 0, 64}};
void write_lfts(WritePass& pass, const LiveFabric& live, const fabric::Batch& batch) {
  for (const fabric::BlockWrite& write : batch.writes) {
    Image image{live.fabric.port_id(write.at.sw, PortNum(0)),
                Attribute::linear_table,
                write.at.block,
                {},
                kWholeBlock};
    std::ranges::copy(write.entries, image.data.begin());
    pass.set(image);
  }
}

void write_sl2vl(WritePass& pass, const LiveFabric& live, const TableDelta& delta,
                 const RoutingTables& tables) {
  const auto write = [&](PortId port, std::uint32_t modifier, const fabric::Sl2VlMap& map) {
    Image image{port, Attribute::sl2vl, modifier, {}, kWholeMap};
    set(image.data, kWholeMap[0], to_wire(map));
    pass.set(image);
  };
  for (const Sl2VlPlace& place : delta.sl2vl) {
    const auto modifier = static_cast<std::uint32_t>(place.in.value << 8U | place.out.value);
    write(live.fabric.port_id(place.sw, PortNum(0)), modifier,
          tables.sl2vl.at(place.sw, place.in, place.out));
  }
  for (PortId port : delta.end_port_sl2vl) write(port, 0, tables.sl2vl.end_port());
}

auto setting(const std::vector<Image>& images) {
  return [&images](WritePass& pass) {
    for (const Image& image : images) pass.set(image);
  };
}

/// Carries a plan out, one barrier after the other. Nothing is sent after the first step that failed.
class Execution {
 public:
  Execution(SmpClient& client, const LiveFabric& live) : client_(client), live_(live) {}

  Execution& set_all(const std::vector<Image>& images) { return run(setting(images), false); }
  /// Of tables, which are read back.
  Execution& write_all(const std::vector<Image>& images) { return run(setting(images), true); }
  template <class Fill>
  Execution& write_tables(Fill&& fill) {
    return run(fill, true);
  }

  /// No PortInfo or SwitchInfo is written here, only looked at.
  Execution& expect(const std::vector<Image>& images) {
    if (!result_) return *this;
    WritePass pass(client_, live_);
    result_ = pass.expect(images);
    return *this;
  }
  Execution& wait(Milliseconds span) {
    if (result_) client_.serve(span);
    return *this;
  }
  const Result<void>& result() const { return result_; }

 private:
  template <class Fill>
  Execution& run(Fill&& fill, bool read_back) {
    if (!result_) return *this;
    WritePass pass(client_, live_);
    fill(pass);
    result_ = pass.finish();
    if (result_ && read_back) result_ = pass.read_back();
    return *this;
  }

  SmpClient& client_;
  const LiveFabric& live_;
  Result<void> result_;
};

/// SL2VL goes before the forwarding tables, because new routes may rely on new lanes: at once, unless a batch
/// says that others have to come before.
void execute_tables(Execution& execution, const LiveFabric& live, const Preparation& plan,
                    const RoutingTables& tables, std::span<const fabric::Batch> batches,
                    const SubnetOptions& options) {
  const auto maps = [&](WritePass& pass) { write_sl2vl(pass, live, plan.delta, tables); };
  if (std::ranges::none_of(batches, &fabric::Batch::maps_first)) execution.write_tables(maps);
  for (const fabric::Batch& batch : batches) {
    if (batch.maps_first) execution.write_tables(maps);
    execution.write_tables([&](WritePass& pass) { write_lfts(pass, live, batch); });
    if (batch.waits) execution.wait(packet_life_time(options));
  }
}

/// The order of sm-sa 2.5 and 3.4, but for multicast: ways that go are taken away first, so that none of them
/// stands beside new paths that it was not proven with. Links go to work last, so that no packet meets a
/// table that is not there.
Result<void> execute(SmpClient& client, const LiveFabric& live, const Preparation& plan,
                     const RoutingTables& tables, std::span<const fabric::Batch> batches,
                     const SubnetOptions& options) {
  Execution execution(client, live);
  execution.set_all(plan.ports.resets).set_all(plan.ports.end_ports).set_all(plan.switches.before);
  if (!plan.multicast.removals.empty())
    execution.write_all(plan.multicast.removals).wait(packet_life_time(options));
  execute_tables(execution, live, plan, tables, batches, options);
  return execution.write_all(plan.arbitration)
      .write_all(plan.multicast.additions)
      .set_all(plan.switches.after)
      .set_all(plan.ports.switch_ports)
      .set_all(plan.ports.arm)
      .set_all(plan.ports.activate)
      .expect(plan.switches.at_end)
      .result();
}

CommitReport report_of(const Preparation& plan, std::span<const fabric::Batch> batches) {
  CommitReport report;
  report.switches = plan.switches.before.size() + plan.switches.after.size();
  report.end_ports = plan.ports.end_ports.size();
  report.switch_ports = plan.ports.switch_ports.size();
  report.resets = plan.ports.resets.size();
  report.sl2vl_tables = plan.delta.sl2vl.size() + plan.delta.end_port_sl2vl.size();
  for (const fabric::Batch& batch : batches) report.lft_blocks += batch.writes.size();
  report.arbitration_blocks = plan.arbitration.size();
  report.multicast_removals = plan.multicast.removals.size();
  report.multicast_blocks = report.multicast_removals + plan.multicast.additions.size();
  report.remarks = plan.remarks;
  report.armed = plan.ports.arm.size();
  report.activated = plan.ports.activate.size();
  return report;
}

SmpCounters since(const SmpCounters& before, const SmpCounters& now) {
  return {now.requests - before.requests, now.sent - before.sent, now.resent - before.resent,
          now.lost - before.lost, now.unmatched - before.unmatched};
}

/// What is held, in the shape of what is wanted; SL2VL maps only if they change.
Result<RoutingTables> held_tables(const LiveFabric& live, const HeldTables& held, const TableDelta& delta,
                                  Lid max_lid) {
  RoutingTables tables;
  tables.lfts = lfts_of(live, held, max_lid);
  if (delta.sl2vl.empty()) return tables;
  auto sl2vl = sl2vl_of(live, held);
  if (!sl2vl) return tl::unexpected(sl2vl.error());
  tables.sl2vl = std::move(*sl2vl);
  return tables;
}

/// The tables beside those that paths go by.
Result<void> prepare_beside(SmpClient& client, const LiveFabric& live, const RoutingTables& tables,
                            const SubnetOptions& options, Preparation& plan) {
  auto arbitration =
      differing(client, live, arbitration_blocks(live, tables.arbitration, options.max_op_vls, plan.remarks));
  if (!arbitration) return tl::unexpected(arbitration.error());
  plan.arbitration = std::move(*arbitration);
  const auto held = read_multicast_tables(client, live, multicast_top(tables));
  if (!held) return tl::unexpected(held.error());
  plan.multicast = multicast_change(live.fabric, *held, multicast_tables(live.fabric, tables.groups));
  return {};
}

}  // namespace

Milliseconds packet_life_time(const SubnetOptions& options) {
  constexpr std::uint8_t kLongest = 0x13;  // beyond, packets live for ever: no longer is waited for them
  const auto microseconds = 4.096 * static_cast<double>(1U << std::min(options.packet_life_time, kLongest));
  return Milliseconds(static_cast<Milliseconds::rep>(microseconds / 1000) + 1);
}

Result<Preparation> prepare(SmpClient& client, const LiveFabric& live,
                            std::span<const fabric::LidAssignment> lids, const RoutingTables& tables,
                            const CommitOptions& options) {
  Preparation plan;
  plan.started = std::chrono::steady_clock::now();
  plan.before = client.counters();
  if (auto free = check_no_master(live, options.manager); !free) return tl::unexpected(free.error());
  if (auto fits = check_capacity(live, tables); !fits) return tl::unexpected(fits.error());
  auto fabric = fabric::with_lids(live.fabric, lids);
  if (!fabric) return tl::unexpected(fabric.error());
  auto held = read_held_tables(client, live, {tables.lfts.max_lid(), !tables.sl2vl.empty()});
  if (!held) return tl::unexpected(held.error());
  plan.delta = diff(live, *held, tables);
  auto shaped = held_tables(live, *held, plan.delta, tables.lfts.max_lid());
  if (!shaped) return tl::unexpected(shaped.error());
  plan.held = std::move(*shaped);
  if (auto rest = prepare_beside(client, live, tables, options.subnet, plan); !rest)
    return tl::unexpected(rest.error());
  const bool whole = options.whole || !plan.delta.empty() || !plan.arbitration.empty();
  plan.ports = plan_ports(live, *fabric, tables, options.subnet, whole);
  plan.switches = plan_switches(live, tables, options.subnet);
  return plan;
}

Result<CommitReport> commit(SmpClient& client, const LiveFabric& live, const RoutingTables& tables,
                            const Preparation& plan, std::span<const fabric::Batch> batches,
                            const CommitOptions& options) {
  CommitReport report = report_of(plan, batches);
  if (!options.dry_run && !plan.empty()) {
    auto master = become_master(client, live, options.manager);
    if (!master) return tl::unexpected(master.error());
    report.remarks.insert(report.remarks.end(), master->begin(), master->end());
    if (auto done = execute(client, live, plan, tables, batches, options.subnet); !done)
      return tl::unexpected(done.error());
  }
  report.smps = since(plan.before, client.counters());
  report.elapsed = std::chrono::steady_clock::now() - plan.started;
  return report;
}

}  // namespace rch::hw

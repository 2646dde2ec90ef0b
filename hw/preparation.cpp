#include "hw/preparation.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "fabric/fabric_builder.h"
#include "hw/live_tables.h"
#include "hw/vendor_answers.h"

namespace rch::hw {
namespace {

using fabric::RoutingTables;

/// The installed tables in the shape of the target tables.
Result<RoutingTables> shaped(const LiveFabric& live, const InstalledTables& installed,
                             const TableDelta& delta, Lid max_lid) {
  RoutingTables tables;
  tables.lfts = lfts_of(live, installed, max_lid);
  if (delta.sl2vl.empty()) return tables;
  auto sl2vl = sl2vl_of(live, installed);
  if (!sl2vl) return tl::unexpected(sl2vl.error());
  tables.sl2vl = std::move(*sl2vl);
  return tables;
}

std::vector<PortId> ports_to_what_is_left_out(const LiveFabric& live) {
  std::vector<PortId> ports;
  for (std::uint32_t p = 0; p < live.fabric.ports().size(); ++p) {
    const PortId id(p);
    const fabric::Port& port = live.fabric.port(id);
    if (live.is_switch_port(id) && port.number != PortNum(0) && port.peer.is_none() &&
        live.info(id).state > PortState::init)
      ports.push_back(id);
  }
  return ports;
}

std::vector<fabric::LftBlock> blocks_beyond_tops(const TableDelta& delta, const InstalledTables& installed) {
  std::vector<fabric::LftBlock> blocks;
  std::ranges::copy_if(delta.lft_blocks, std::back_inserter(blocks), [&](const fabric::LftBlock& at) {
    return at.block >= installed.known_blocks[at.sw.index()];
  });
  return blocks;
}

/// Takes the first `count` of what is left.
std::span<const SmpData> take(std::span<const SmpData>& left, std::size_t count) {
  const auto taken = left.first(count);
  left = left.subspan(count);
  return taken;
}

/// The blocks that the ports do not show.
std::vector<Image> differing(std::span<const Image> blocks, std::span<const SmpData> installed) {
  std::vector<Image> rest;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!blocks[i].is_shown_by(installed[i])) rest.push_back(blocks[i]);
  return rest;
}

/// What of the target has to be read before it can be compared. It refers to itself.
struct Reading {
  Reading(const PreparationInput& input, const WrittenTables* written, VendorSupport support)
      : blocks(input.live, input.tables, input.options.subnet, std::move(support)),
        to_read(blocks.all()),
        reader(input.live, {.top = input.tables.lfts.max_lid(),
                            .sl2vl = !input.tables.sl2vl.empty(),
                            .multicast_top = multicast_top(input.tables),
                            .blocks = to_read,
                            .written = written}) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  TargetBlocks blocks;
  std::vector<Image> to_read;
  InstalledReader reader;
};

/// A port that says nothing of FDR10 is left as it is.
Task<Result<VendorSupport>> read_support(Exchange& exchange, const PreparationInput& input,
                                         const WrittenTables* written) {
  const LiveFabric& live = input.live;
  auto limits = co_await read_rate_support(exchange, live, input.tables.rate_limits, written);
  if (!limits) co_return tl::unexpected(limits.error());
  auto speeds =
      co_await ask_vendor(exchange, live, fdr10_questions(live, input.options.subnet.fdr10), written);
  if (!speeds) co_return tl::unexpected(speeds.error());
  co_return VendorSupport{std::move(*limits), std::move(speeds->said)};
}

}  // namespace

Result<void> check_target(const PreparationInput& input) {
  if (auto free = check_no_master(input.live, input.options.manager); !free && !input.options.dry_run)
    return free;
  return check_capacity(input.live, input.tables);
}

TargetBlocks::TargetBlocks(const LiveFabric& live, const RoutingTables& tables, const SubnetOptions& options,
                           VendorSupport of_vendor)
    : arbitration(target_arbitration(live, tables.arbitration, options.max_op_vls)),
      support(std::move(of_vendor)),
      rate_limits(rate_blocks(live, tables.rate_limits, support.rate_limits)),
      pkeys(pkey_blocks(live, tables.pkeys)) {}

std::vector<Image> TargetBlocks::all() const {
  std::vector<Image> blocks = arbitration.blocks;
  blocks.insert(blocks.end(), rate_limits.begin(), rate_limits.end());
  blocks.insert(blocks.end(), pkeys.begin(), pkeys.end());
  return blocks;
}

Result<Preparation> prepare(const PreparationInput& input, const InstalledTables& installed,
                            TargetBlocks blocks) {
  const auto& [live, lids, tables, options] = input;
  const auto fabric = fabric::with_lids(live.fabric, lids);
  if (!fabric) return tl::unexpected(fabric.error());
  Preparation plan;
  plan.delta = diff(live, installed, tables);
  auto before = shaped(live, installed, plan.delta, tables.lfts.max_lid());
  if (!before) return tl::unexpected(before.error());
  plan.installed = std::move(*before);
  plan.entrances = ports_to_what_is_left_out(live);
  plan.beyond_tops = blocks_beyond_tops(plan.delta, installed);
  std::span<const SmpData> pkeys(installed.blocks);
  plan.arbitration = differing(blocks.arbitration.blocks, take(pkeys, blocks.arbitration.blocks.size()));
  plan.remarks = std::move(blocks.arbitration.remarks);
  const auto rates = take(pkeys, blocks.rate_limits.size());
  for (std::size_t i = 0; i < rates.size(); ++i) keep_shares(blocks.rate_limits[i], rates[i]);
  plan.rate_limits = differing(blocks.rate_limits, rates);
  if (std::string missing = remark_on_unable(live, tables.rate_limits, blocks.rate_limits); !missing.empty())
    plan.remarks.push_back(std::move(missing));
  TargetPKeys target_pkeys = fit_pkeys(live, tables.pkeys, std::move(blocks.pkeys), pkeys);
  plan.pkeys = in_order(target_pkeys.blocks, pkeys);
  plan.pkey_change = change_of(live, target_pkeys.blocks, pkeys, plan.pkeys);
  plan.blocks = std::move(blocks.arbitration.blocks);
  std::ranges::move(blocks.rate_limits, std::back_inserter(plan.blocks));
  plan.fdr10 = fdr10_writes(blocks.support.fdr10, options.subnet.fdr10);
  std::ranges::move(blocks.support.rate_limits, std::back_inserter(plan.blocks));
  std::ranges::move(blocks.support.fdr10, std::back_inserter(plan.blocks));
  std::ranges::move(target_pkeys.blocks, std::back_inserter(plan.blocks));
  plan.unenforced = std::move(target_pkeys.unenforced);
  if (auto free = check_no_master(live, options.manager); !free) plan.remarks.push_back(free.error().message);
  plan.multicast = multicast_change(live, installed.multicast, multicast_tables(live.fabric, tables.groups));
  plan.activates_last = plan.multicast.over_inactive_links;
  const bool differs = !plan.delta.empty() || !plan.arbitration.empty();
  const bool whole = options.whole || (differs && !options.brief);
  plan.ports = plan_ports(live, *fabric, tables, target_pkeys.enforcement, options.subnet, whole);
  plan.switches = plan_switches(live, tables, options.subnet, plan.ports.resets);
  plan.sm_lid = fabric->port(live.local).lid;
  return plan;
}

void close_entrances(Preparation& preparation, const LiveFabric& live, const RoutingTables& tables,
                     const SubnetOptions& options) {
  for (const PortId port : preparation.entrances) preparation.closes.push_back(link_down(live, port));
  std::vector<Image> down = preparation.ports.resets;
  down.insert(down.end(), preparation.closes.begin(), preparation.closes.end());
  preparation.switches = plan_switches(live, tables, options, down);
}

void leave_inactive_links(Preparation& preparation, const LiveFabric& live, const RoutingTables& tables) {
  fabric::ForwardingTables& installed = preparation.installed.lfts;
  for (const Image& image : preparation.ports.activate) {
    const fabric::Port& port = live.fabric.port(image.port);
    const auto sw = live.fabric.switch_id(port.node);
    if (!sw || port.peer.is_none() || !live.fabric.is_switch(live.fabric.port(port.peer).node)) continue;
    if (live.carries_data(image.port)) continue;
    const std::span<const std::uint8_t> after = tables.lfts.row(*sw);
    const auto leads_there = [&, row = std::as_const(installed).row(*sw)](std::size_t lid) {
      return row[lid] == port.number.value && after[lid] != row[lid];
    };
    std::vector<std::size_t> lids;
    for (std::size_t lid = 0; lid < after.size(); ++lid)
      if (leads_there(lid)) lids.push_back(lid);
    if (lids.empty()) continue;
    const std::span<std::uint8_t> entries = installed.row(*sw);  // a row that is shared moves
    for (const std::size_t lid : lids) entries[lid] = kNoPath;
    preparation.activates_last = true;
  }
}

Task<Result<TargetDifference>> read_difference(Exchange& exchange, const LiveFabric& live,
                                               const fabric::Fabric& target, const RoutingTables& tables) {
  const std::vector<Image> blocks = tables.pkeys.empty() ? std::vector<Image>() : all_pkey_blocks(live);
  InstalledReader reader(live, {.top = tables.lfts.max_lid(),
                                .sl2vl = !tables.sl2vl.empty(),
                                .multicast_top = multicast_top(tables),
                                .blocks = blocks});
  if (auto ran = co_await exchange.run(reader); !ran) co_return tl::unexpected(ran.error());
  const auto installed = reader.take();
  if (!installed) co_return tl::unexpected(installed.error());
  const TableDelta delta = diff(live, *installed, tables);
  const MulticastChange multicast =
      multicast_change(live, installed->multicast, multicast_tables(live.fabric, tables.groups));
  TargetDifference difference{.lft_blocks = delta.lft_blocks.size(),
                              .sl2vl_tables = delta.sl2vl.size() + delta.end_port_sl2vl.size(),
                              .multicast_blocks = multicast.removals.size() + multicast.additions.size()};
  for (std::uint32_t p = 0; p < target.ports().size(); ++p) {
    const fabric::Port &then = target.port(PortId(p)), &now = live.fabric.port(PortId(p));
    if (then.lid != now.lid || then.lmc != now.lmc) ++difference.lids;
  }
  if (!blocks.empty()) {
    difference.pkeys = installed_pkeys(live, blocks, installed->blocks);
    difference.of_pkeys =
        isolation::differences(*difference.pkeys, isolation::pkeys_of_plan(live.fabric, tables.pkeys));
  }
  co_return difference;
}

Task<Result<Preparation>> prepare(Exchange& exchange, const LiveFabric& live,
                                  std::span<const fabric::LidAssignment> lids, const RoutingTables& tables,
                                  const CommitOptions& options, const WrittenTables* written) {
  const TimePoint started = exchange.now();
  const SmpCounters before = exchange.counters();
  const PreparationInput input{live, lids, tables, options};
  if (auto checked = check_target(input); !checked) co_return tl::unexpected(checked.error());
  auto support = co_await read_support(exchange, input, written);
  if (!support) co_return tl::unexpected(support.error());
  const auto begin = [&] { return std::make_unique<Reading>(input, written, std::move(*support)); };
  const std::unique_ptr<Reading> reading = co_await exchange.work(begin);
  if (auto ran = co_await exchange.run(reading->reader); !ran) co_return tl::unexpected(ran.error());
  auto installed = reading->reader.take();
  if (!installed) co_return tl::unexpected(installed.error());
  const auto compare = [&] { return prepare(input, *installed, std::move(reading->blocks)); };
  auto plan = co_await exchange.work(compare);
  if (plan) plan->before = before, plan->started = started;
  if (plan && options.keeps_installed) {
    plan->read = std::make_shared<const InstalledTables>(std::move(*installed));
    plan->read_blocks = std::move(reading->to_read);
  }
  co_return plan;
}

}  // namespace rch::hw

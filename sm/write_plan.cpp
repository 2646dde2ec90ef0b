#include "sm/write_plan.h"

#include <algorithm>

#include "chains/update.h"
#include "sm/parts_in_place.h"

namespace rch::sm {
namespace {

/// Why links to what is left out must be taken down; empty: they need not. A switch there goes on forwarding
/// by entries that nobody judged. It holds the multicast trees from before, too, and hosts hold their P_Keys:
/// one that is no member of a partition any more must not meet those that are.
std::string why_close(const hw::Preparation& prepared, const verify::UpdatePlan& update,
                      const chains::Plan& target, bool reloaded) {
  if (update.closes) return update.closes->message;
  if (prepared.entrances.size() > 1 && !prepared.multicast.empty())
    return "its multicast trees and the new ones may carry a packet around";
  if (prepared.entrances.empty() || !keeps_apart(target.tables->pkeys)) return "";
  const bool moves_pkeys = !prepared.pkeys.removals.empty() || !prepared.pkeys.additions.empty();
  const bool joins_parts = !prepared.ports.activate.empty();
  return moves_pkeys || joins_parts || reloaded ? "it may hold P_Keys that are not given to it any more" : "";
}

}  // namespace

bool keeps_apart(const fabric::PKeyTables& pkeys) {
  constexpr std::uint16_t kFree = 0, kFullDefault = 0xFFFF;
  return std::ranges::any_of(pkeys.keys,
                             [](std::uint16_t key) { return key != kFree && key != kFullDefault; });
}

std::vector<fabric::LidAssignment> lids_of(const fabric::Fabric& fabric) {
  std::vector<fabric::LidAssignment> lids;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    if (port.lid != kUnassignedLid) lids.push_back({PortId(p), port.lid, port.lmc});
  }
  return lids;
}

hw::Task<Result<hw::CommitReport>> write_plan(const Writing& with, const hw::LiveFabric& live,
                                              const chains::Plan& target, hw::Preparation& prepared,
                                              const hw::CommitOptions& commit,
                                              std::vector<const chains::Plan*> previous, bool announces) {
  hw::Exchange& exchange = with.exchange;
  hw::leave_inactive_links(prepared, live, *target.tables);
  const auto in_place = parts_in_place(prepared, live, target, with.options);
  const chains::InstalledState installed{prepared.installed, prepared.delta.lft_blocks, prepared.entrances,
                                         previous, in_place ? &*in_place : nullptr};
  const auto plan_update = [&] {
    return chains::plan_update(installed, target, with.options.accept_static, with.observe);
  };
  const auto update = co_await exchange.work(plan_update);
  if (!update) co_return tl::unexpected(update.error());
  if (const std::string why = why_close(prepared, *update, target, with.options.reloaded); !why.empty()) {
    hw::close_entrances(prepared, live, *target.tables, commit.subnet);
    tell(with.observe, chains::LinksClosed{live.fabric, prepared.entrances, why});
  }
  if (announces && with.options.announce && !prepared.empty()) {
    auto announcement = with.options.announce(target);
    if (auto told = co_await announcement; !told) co_return tl::unexpected(told.error());
  }
  if (with.options.begins && !prepared.empty()) with.options.begins(*update);
  const hw::TimePoint writing = exchange.now();
  auto written =
      co_await hw::commit(exchange, live, *target.tables, prepared, update->rounds, commit, with.mastership);
  tell_time(with.observe, chains::Phase::commit, exchange, writing);
  co_return written;
}

}  // namespace rch::sm

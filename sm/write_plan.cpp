#include "sm/write_plan.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "chains/update.h"
#include "sm/found_tables.h"
#include "sm/interruption.h"
#include "sm/parts_in_place.h"
#include "sm/pending_update.h"

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

/// True if the switches hold the tables of that plan, so that no update had begun to replace them.
bool holds_tables_of(const chains::Plan& plan, const fabric::Fabric& live, const hw::Preparation& prepared) {
  if (!prepared.delta.sl2vl.empty() || !prepared.delta.end_port_sl2vl.empty() || !prepared.multicast.empty())
    return false;
  return forwards_as(plan, live, prepared.installed.lfts);
}

/// When packets have left the fabric that an update sent which was broken off (InstallOptions::broken_off).
/// It may have removed entries and not have waited yet, so its packets may still be where those entries led
/// them. None: the tables show that there was no such update.
std::optional<hw::TimePoint> drained_at(const InstallOptions& options, const hw::LiveFabric& live,
                                        const hw::Preparation& prepared, const hw::SubnetOptions& subnet) {
  if (!options.broken_off || !forwards(live)) return std::nullopt;
  const bool adds_paths = !prepared.delta.empty() || !prepared.multicast.empty();
  const chains::Plan* const before = options.previous;
  if (!adds_paths || (before != nullptr && holds_tables_of(*before, live.fabric, prepared)))
    return std::nullopt;
  return *options.broken_off + hw::packet_life_time(subnet);
}

/// `until`: when packets of an update that may have been broken off have left. Paths that are missing are the
/// sign of one. Packets leave while an update drains entries of its own, too.
UpdateBegins begins(const verify::UpdatePlan& update, const Interruption& interruption,
                    std::optional<hw::TimePoint> until, hw::TimePoint now) {
  const bool waits_anyway =
      std::ranges::find(update.rounds, true, &fabric::WriteRound::waits) != update.rounds.end();
  UpdateBegins told{update.rounds.size(), interruption.lids, interruption.pairs};
  if (until && *until > now && interruption.lids > 0 && !waits_anyway)
    told.waits = std::chrono::ceil<hw::Milliseconds>(*until - now);
  return told;
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
  hw::CommitOptions timed = commit;
  timed.drained_at = drained_at(with.options, live, prepared, commit.subnet);
  hw::leave_inactive_links(prepared, live, *target.tables);
  const auto in_place = parts_in_place(prepared, live, target, with.options);
  const chains::InstalledState installed{prepared.installed, prepared.delta.lft_blocks, prepared.entrances,
                                         previous, in_place ? &*in_place : nullptr};
  Interruption interruption;
  const auto plan_update = [&] {
    auto planned = chains::plan_update(installed, target, with.options.accept_static, with.observe);
    if (planned)
      interruption = interruption_of({*target.fabric, prepared.installed.lfts, target.tables->lfts, *planned,
                                      timed.drained_at.has_value()});
    return planned;
  };
  const auto update = co_await exchange.work(plan_update);
  if (!update) co_return tl::unexpected(update.error());
  if (const std::string why = why_close(prepared, *update, target, with.options.reloaded); !why.empty()) {
    hw::close_entrances(prepared, live, *target.tables, commit.subnet);
    tell(with.observe, chains::LinksClosed{live.fabric, prepared.entrances, why});
  }
  if (with.options.agrees) {
    const hw::CommitSteps steps(
        {live, *target.tables, prepared, update->rounds, commit.subnet, with.mastership, timed.drained_at});
    if (auto agreed = with.options.agrees({live, target, prepared, *update, steps, interruption}); !agreed)
      co_return tl::unexpected(agreed.error());
  }
  if (announces && with.options.announce && !prepared.empty()) {
    auto announcement = with.options.announce(target);
    if (auto told = co_await announcement; !told) co_return tl::unexpected(told.error());
  }
  const hw::TimePoint writing = exchange.now();
  const UpdateBegins now = begins(*update, interruption, timed.drained_at, writing);
  if (now.waits.count() > 0 && !commit.dry_run)
    tell(with.observe, chains::UpdateWaits{std::chrono::duration<double>(now.waits).count(), now.drained_lids,
                                           now.pairs_without_path});
  if (with.options.begins && !prepared.empty()) with.options.begins(now);
  auto written =
      co_await hw::commit(exchange, live, *target.tables, prepared, update->rounds, timed, with.mastership);
  tell_time(with.observe, chains::Phase::commit, exchange, writing);
  co_return written;
}

}  // namespace rch::sm

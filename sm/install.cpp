#include "sm/install.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "chains/isolation.h"
#include "sm/link_resets.h"
#include "sm/write_plan.h"

namespace rch::sm {
namespace {

using chains::Phase;

/// Bit 0 of `suppress_mc_pkey_traps`; not set: ports stay as they are.
std::optional<bool> trap_suppression(const policy::PortOptions& options) {
  if (options.suppress_mc_pkey_traps == 255) return {};
  return options.suppress_mc_pkey_traps % 2 != 0;
}

/// `keys`: of the requests. A configuration that was read again may name others.
hw::CommitOptions commit_options(const policy::Options& options, const InstallOptions& apply,
                                 const hw::KeySource& keys) {
  return {.subnet = {.keys = keys,
                     .m_key_lease_period = options.manager.m_key_lease_period,
                     .m_key_protection_level = options.manager.m_key_protection_level,
                     .subnet_prefix = options.manager.subnet_prefix,
                     .subnet_timeout = options.ports.subnet_timeout,
                     .packet_life_time = options.ports.packet_life_time,
                     .head_of_queue_lifetime = options.ports.head_of_queue_lifetime,
                     .leaf_head_of_queue_lifetime = options.ports.leaf_head_of_queue_lifetime,
                     .vl_stall_count = options.ports.vl_stall_count,
                     .leaf_vl_stall_count = options.ports.leaf_vl_stall_count,
                     .max_op_vls = options.qos.max_op_vls,
                     .max_neighbor_mtu = options.ports.max_neighbor_mtu,
                     .sm_sl = options.qos.sm_sl,
                     .local_phy_errors_threshold = options.ports.local_phy_errors_threshold,
                     .overrun_errors_threshold = options.ports.overrun_errors_threshold,
                     .link = {.speed = options.ports.force_link_speed,
                              .speed_ext = options.ports.force_link_speed_ext,
                              .speed_ext2 = options.ports.force_link_speed_ext2,
                              .width = options.ports.force_link_width},
                     .fdr10 = hw::Fdr10{options.ports.fdr10},
                     .reregister_clients =
                         !options.ports.no_clients_rereg && options.ports.client_rereg_mode != 0,
                     .asks_all_clients = apply.asks_all_clients,
                     .known_clients = apply.known_clients,
                     .followed_sm = apply.followed_sm,
                     .use_multicast_top = options.multicast.use_mfttop,
                     .suppresses_multicast_traps = trap_suppression(options.ports)},
          .manager = apply.manager,
          .dry_run = apply.dry_run,
          .brief = apply.brief,
          .keeps_installed = static_cast<bool>(apply.agrees)};
}

/// Tells of links in use that have to be reset. Fails (forbidden) when that is not accepted.
Result<void> check_resets(const LinkResets& resets, const hw::CommitOptions& commit,
                          const InstallOptions& options, const chains::Observer& observe) {
  if (resets.links.empty()) return {};
  const std::chrono::duration<double> drain = hw::packet_life_time(commit.subnet);
  tell(observe, chains::LinksReset{resets.links.size(), resets.hosts, resets.rounds.rounds.size(),
                                   resets.rounds.unspared.size(), resets.drained.count(), drain.count(),
                                   options.accept_reset});
  if (options.accept_reset) return {};
  return fail(
      ErrorKind::forbidden,
      "links in use would be reset, which is not accepted (`--accept link-reset` of `rch apply`, or once "
      "of `rch sweep`)");
}

/// True if no SL2VL map is written: packets of hosts, at SL 0 or whatever they choose, share the lanes that
/// links have.
bool leaves_lanes(const fabric::RoutingTables& tables) { return tables.sl2vl.empty(); }

/// The first finding that is not accepted, and how many kinds there are besides.
std::string refusal(const verify::Verdict& verdict) {
  const verify::Finding* first = nullptr;
  std::size_t others = 0;
  for (const verify::Finding& finding : verdict.findings)
    if (!finding.accepted && std::exchange(first, first == nullptr ? &finding : first) != nullptr) ++others;
  return fmt::format("the verdict forbids the commit: {}: {}{}", verify::name(first->kind), first->message,
                     others == 0 ? "" : fmt::format("; and {} more", counted(others, "finding")));
}

std::vector<std::string> accepted_findings(const verify::Verdict& verdict, bool is_unenforced) {
  std::vector<std::string> kinds;
  for (const verify::Finding& finding : verdict.findings)
    if (std::string kind(verify::name(finding.kind)); std::ranges::find(kinds, kind) == kinds.end())
      kinds.push_back(std::move(kind));
  if (!verdict.switch_lids.sound()) kinds.emplace_back(chains::kSwitchLids);
  if (is_unenforced) kinds.emplace_back(chains::kUnenforcedPartitions);
  return kinds;
}

/// Fails (forbidden) when the plan may not be installed.
Result<void> check_verdict(const verify::Verdict& verdict, const InstallOptions& options,
                           const chains::Observer& observe) {
  if (!verdict.clean()) return fail(ErrorKind::forbidden, refusal(verdict));
  if (const auto& at_sl0 = verdict.without_path_sls; at_sl0 && !at_sl0->sound() && !options.accept_path_sls) {
    tell(observe, chains::PathSlsNotAccepted{});
    return fail(ErrorKind::forbidden, "the tables hold only with path SLs, which is not accepted");
  }
  if (verdict.switch_lids.sound() || options.accept_switch_lids) return {};
  tell(observe, chains::SwitchLidsNotAccepted{});
  return fail(ErrorKind::forbidden, "packets to LIDs of switches close credit loops, which is not accepted");
}

}  // namespace

void tell_time(const chains::Observer& observe, Phase phase, const hw::Exchange& exchange,
               hw::TimePoint since) {
  const std::chrono::duration<double, std::milli> took = exchange.now() - since;
  tell(observe, chains::PhaseFinished{phase, took.count()});
}

hw::Task<Result<Installed>> install(hw::Exchange& exchange, const hw::LiveFabric& live,
                                    const Planner& planner, const InstallOptions& options,
                                    hw::Mastership* mastership, const chains::Observer& observe) {
  const auto make_plan = [&] { return planner(live.fabric); };
  const auto target = co_await exchange.work(make_plan);
  if (!target) co_return tl::unexpected(target.error());
  if (auto may = check_verdict(target->verdict, options, observe); !may)
    co_return tl::unexpected(may.error());

  hw::CommitOptions commit = commit_options(target->options, options, exchange.keys().own());
  const auto lids = lids_of(*target->fabric);
  const hw::TimePoint reading = exchange.now();
  auto prepared = co_await hw::prepare(exchange, live, lids, *target->tables, commit, options.written);
  tell_time(observe, Phase::installed, exchange, reading);
  if (!prepared) co_return tl::unexpected(prepared.error());
  const IdSet<PortId> all_ports(live.fabric.ports().size(), true);
  if (options.keeps_links && !prepared->ports.resets.empty() && leaves_lanes(*target->tables)) {
    commit.subnet.later_resets = &all_ports;
    prepared = co_await hw::prepare(exchange, live, lids, *target->tables, commit, options.written);
    if (!prepared) co_return tl::unexpected(prepared.error());
  }
  const auto find_resets = [&] { return plan_link_resets(live, *target, *prepared); };
  LinkResets resets;
  if (!prepared->ports.resets.empty()) resets = co_await exchange.work(find_resets);
  const Writing with{exchange, options, mastership, observe};
  Result<void> safe;
  if (!resets.rounds.rounds.empty()) {
    auto judging = judge_rounds(with, live, resets, commit, *target);
    safe = co_await judging;
  }
  if (auto kept = check_resets(resets, commit, options, observe); !kept)
    co_return tl::unexpected(kept.error());
  if (options.agrees && !resets.rounds.rounds.empty())
    co_return fail(ErrorKind::usage,
                   "links between switches have to be reset in rounds, and what is written then is not known "
                   "before: a change ticket cannot say it");
  if (auto apart = chains::check_isolation(prepared->unenforced, options.accept_unenforced, observe); !apart)
    co_return tl::unexpected(apart.error());
  if (auto apart = chains::check_partition_change(prepared->pkey_change, live.fabric, observe); !apart)
    co_return tl::unexpected(apart.error());
  std::vector<std::string> accepted = accepted_findings(target->verdict, !prepared->unenforced.empty());

  if (!safe) co_return tl::unexpected(safe.error());

  std::optional<LinksWereReset> after;
  if (!resets.rounds.rounds.empty() && !options.dry_run) {
    auto resetting = reset_in_rounds(with, live, resets, commit);
    auto done = co_await resetting;
    if (!done) co_return tl::unexpected(done.error());
    after = std::move(*done);
    prepared = co_await hw::prepare(exchange, after->live, lids, *target->tables, commit);
    if (!prepared) co_return tl::unexpected(prepared.error());
  }
  std::vector<const chains::Plan*> previous = options.also_previous;
  if (options.previous != nullptr) previous.insert(previous.begin(), options.previous);
  if (after) previous = after->previous;
  auto writing = write_plan(with, after ? after->live : live, *target, *prepared, commit, previous, true);
  auto written = co_await writing;
  if (!written) co_return tl::unexpected(written.error());
  if (after) written->add(after->report);
  hw::WrittenTables now{target->fabric, target->tables, std::move(prepared->blocks)};
  co_return Installed{*target, std::move(*written), std::move(now), std::move(accepted)};
}

hw::Task<Result<void>> keep_cables(hw::Exchange& exchange, const KeepCables& keep, std::uint64_t& kept) {
  if (!keep || exchange.keys().cables().version() == kept) co_return {};
  const fabric::CableMap cables = exchange.keys().cables();
  const auto write = [&] { return keep(cables); };
  const auto written = co_await exchange.work(write);
  if (written) kept = cables.version();
  co_return written;
}

hw::Task<Result<bool>> holds(hw::Exchange& exchange, const hw::LiveFabric& live, const chains::Plan& plan,
                             const InstallOptions& options) {
  if (live.fabric.fingerprint() != plan.fabric->fingerprint()) co_return false;
  const auto lids = lids_of(*plan.fabric);
  const hw::CommitOptions commit = commit_options(plan.options, options, exchange.keys().own());
  const auto prepared = co_await hw::prepare(exchange, live, lids, *plan.tables, commit);
  if (!prepared) co_return tl::unexpected(prepared.error());
  co_return prepared->empty();
}

}  // namespace rch::sm

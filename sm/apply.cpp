#include "sm/apply.h"

#include <algorithm>

#include "chains/update.h"
#include "hw/discovery.h"

namespace rch::sm {
namespace {

using chains::Phase;
using chains::timed;

hw::CommitOptions commit_options(const policy::Options& options, const ApplyOptions& apply) {
  return {.subnet = {.subnet_prefix = options.manager.subnet_prefix,
                     .subnet_timeout = options.ports.subnet_timeout,
                     .packet_life_time = options.ports.packet_life_time,
                     .head_of_queue_lifetime = options.ports.head_of_queue_lifetime,
                     .leaf_head_of_queue_lifetime = options.ports.leaf_head_of_queue_lifetime,
                     .vl_stall_count = options.ports.vl_stall_count,
                     .leaf_vl_stall_count = options.ports.leaf_vl_stall_count,
                     .max_op_vls = options.qos.max_op_vls,
                     .use_multicast_top = options.multicast.use_mfttop},
          .manager = apply.manager,
          .dry_run = apply.dry_run};
}

std::vector<fabric::LidAssignment> lids_of(const fabric::Fabric& fabric) {
  std::vector<fabric::LidAssignment> lids;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    if (port.lid != kUnassignedLid) lids.push_back({PortId(p), port.lid, port.lmc});
  }
  return lids;
}

/// Tells of links in use that have to be reset. Fails (forbidden) when that is not accepted.
Result<void> check_resets(const hw::LiveFabric& live, const hw::Preparation& prepared,
                          const ApplyOptions& options, const chains::Observer& observe) {
  const auto& resets = prepared.ports.resets;
  if (resets.empty()) return {};
  const auto hosts = std::ranges::count_if(resets, [&](const hw::Image& reset) {
    return !live.is_switch_port(reset.port) || !live.is_switch_port(live.fabric.port(reset.port).peer);
  });
  tell(observe, chains::LinksReset{resets.size(), static_cast<std::size_t>(hosts), options.accept_reset});
  if (options.accept_reset) return {};
  return fail(ErrorKind::forbidden, "links in use would be reset");
}

/// Tells of what is asked for and not done to keep tenants apart. Fails (forbidden) when that is not
/// accepted.
Result<void> check_partitions(const policy::Options& asked, const hw::Preparation& prepared,
                              const ApplyOptions& options, const chains::Observer& observe) {
  std::vector<std::string> what = prepared.unenforced;
  if (asked.manager.m_key != 0) what.emplace_back("ports do not get the `m_key`: it is for requests alone");
  if (what.empty()) return {};
  tell(observe, chains::PartitionsUnenforced{what, options.accept_unenforced});
  if (options.accept_unenforced) return {};
  return fail(ErrorKind::forbidden, "the fabric cannot keep partitions apart as asked");
}

}  // namespace

Result<hw::CommitReport> apply(hw::Driver& driver, const Planner& planner, const ApplyOptions& options,
                               const chains::Observer& observe) {
  std::optional<hw::Mastership> mastership;
  if (!options.dry_run) mastership.emplace(driver, options.manager);
  const auto live = timed(observe, Phase::discover, [&] {
    return mastership ? mastership->win(options.strict) : hw::discover(driver, options.strict);
  });
  if (!live) return tl::unexpected(live.error());
  tell(observe, chains::FabricSeen{live->quarantine});
  const auto target = planner(live->fabric);
  if (!target) return tl::unexpected(target.error());
  if (!target->verdict.clean()) return fail(ErrorKind::forbidden, "the verdict forbids the commit");
  if (const auto& at_sl0 = target->verdict.without_path_sls;
      at_sl0 && !at_sl0->sound() && !options.accept_path_sls) {
    tell(observe, chains::PathSlsNotAccepted{});
    return fail(ErrorKind::forbidden, "the tables hold only with path SLs, which is not accepted");
  }
  if (!target->verdict.switch_lids.sound() && !options.accept_switch_lids) {
    tell(observe, chains::SwitchLidsNotAccepted{});
    return fail(ErrorKind::forbidden,
                "packets to LIDs of switches close credit loops, which is not accepted");
  }

  const hw::CommitOptions commit = commit_options(target->options, options);
  const auto prepared = timed(observe, Phase::installed, [&] {
    return hw::prepare(driver, *live, lids_of(*target->fabric), *target->tables, commit);
  });
  if (!prepared) return tl::unexpected(prepared.error());
  if (auto kept = check_resets(*live, *prepared, options, observe); !kept)
    return tl::unexpected(kept.error());
  if (auto apart = check_partitions(target->options, *prepared, options, observe); !apart)
    return tl::unexpected(apart.error());
  const auto update = chains::plan_update({prepared->installed, prepared->delta.lft_blocks, options.previous},
                                          *target, options.accept_static, observe);
  if (!update) return tl::unexpected(update.error());
  return timed(observe, Phase::commit, [&] {
    return hw::commit(driver, *live, *target->tables, *prepared, update->rounds, commit,
                      mastership ? &*mastership : nullptr);
  });
}

}  // namespace rch::sm

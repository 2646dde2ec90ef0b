#include "sm/apply.h"

#include <algorithm>
#include <optional>

#include "hw/causes.h"
#include "hw/discovery.h"

namespace rch::sm {
namespace {

/// Ports of a switch with tables in effect had changed before the pass. The commit cleared that. If the
/// switch started again meanwhile, that was cleared with it.
bool may_hide_restarts(const hw::LiveFabric& live) {
  return std::ranges::any_of(live.switch_info, [](const hw::SwitchInfo& info) {
    return info.port_state_change && info.linear_top != kUnassignedLid;
  });
}

/// Fails (fabric) when the fabric is not as it was left.
hw::Task<Result<void>> look_again(hw::Exchange& exchange, const chains::Plan& plan,
                                  const InstallOptions& options) {
  auto live = co_await hw::discover(exchange, options.strict);
  if (!live) co_return tl::unexpected(live.error());
  std::erase_if(live->other_sms, [&](const hw::OtherSm& sm) { return sm.port == live->local; });
  const auto same = co_await holds(exchange, *live, plan, options);
  if (!same) co_return tl::unexpected(same.error());
  if (*same) co_return {};
  co_return hw::fail(
      hw::causes::kFabricChanged,
      "the fabric is not as it was left: a switch started again or a port changed during the commit; run "
      "again");
}

}  // namespace

hw::Task<Result<hw::CommitReport>> apply(hw::Exchange& exchange, Planner planner, InstallOptions options,
                                         chains::Observer observe) {
  std::optional<hw::Mastership> mastership;
  if (!options.dry_run) mastership.emplace(exchange, options.manager);
  const hw::TimePoint begin = exchange.now();
  auto look = mastership ? mastership->win(options.strict) : hw::discover(exchange, options.strict);
  const auto live = co_await look;
  tell_time(observe, chains::Phase::discover, exchange, begin);
  if (!live) co_return tl::unexpected(live.error());
  tell(observe, chains::FabricSeen{live->quarantine});
  auto installation =
      install(exchange, *live, planner, options, mastership ? &*mastership : nullptr, observe);
  const auto installed = co_await installation;
  if (!installed) co_return tl::unexpected(installed.error());
  if (mastership && installed->report.writes() > 0 && may_hide_restarts(*live))
    if (auto same = co_await look_again(exchange, installed->plan, options); !same)
      co_return tl::unexpected(same.error());
  co_return installed->report;
}

}  // namespace rch::sm

#include "sm/apply.h"

#include <algorithm>
#include <optional>

#include "hw/causes.h"
#include "hw/discovery.h"
#include "sm/found_tables.h"

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
                                  const InstallOptions& options, std::vector<hw::LateFault> late) {
  auto live = co_await hw::discover(exchange, {.strict = options.strict, .late = std::move(late)});
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

/// install(), with the tables that are found for whoever wants them.
hw::Task<Result<Installed>> read_and_install(hw::Exchange& exchange, const hw::LiveFabric& live,
                                             const Planner& planner, const InstallOptions& options,
                                             hw::Mastership* mastership, const chains::Observer& observe) {
  if (options.take_found && forwards(live)) {
    auto found = co_await read_found_tables(exchange, live);
    if (!found) co_return tl::unexpected(found.error());
    const auto take = [&] {
      options.take_found(live.fabric, std::move(*found));
      return true;
    };
    co_await exchange.work(take);
  }
  auto installation = install(exchange, live, planner, options, mastership, observe);
  co_return co_await installation;
}

/// Passes until a fabric in which one part after the other falls silent is given up.
constexpr int kMostPasses = 8;

}  // namespace

hw::Task<Result<hw::CommitReport>> apply(hw::Exchange& exchange, Planner planner, InstallOptions options,
                                         chains::Observer observe) {
  std::optional<hw::Mastership> mastership;
  if (!options.dry_run) mastership.emplace(exchange, options.manager);
  std::vector<hw::LateFault> late;
  bool hides_restarts = false;
  for (int passes = 1;; ++passes) {
    const hw::TimePoint begin = exchange.now();
    const hw::LookOptions how{.strict = options.strict, .late = late};
    auto look = mastership ? mastership->win(how) : hw::discover(exchange, how);
    const auto live = co_await look;
    tell_time(observe, chains::Phase::discover, exchange, begin);
    if (!live) co_return tl::unexpected(live.error());
    tell(observe, chains::FabricSeen{live->quarantine, live->own_cable, live->absent});
    hides_restarts = hides_restarts || may_hide_restarts(*live);
    if (!options.dry_run) {
      std::uint64_t kept = 0;
      if (auto written = co_await keep_cables(exchange, options.keep_cables, kept); !written)
        co_return tl::unexpected(written.error());
    }
    options.broken_off = exchange.now();
    auto installation =
        read_and_install(exchange, *live, planner, options, mastership ? &*mastership : nullptr, observe);
    const auto installed = co_await installation;
    if (installed) {
      if (mastership && installed->report.writes() > 0 && hides_restarts)
        if (auto same = co_await look_again(exchange, installed->plan, options, late); !same)
          co_return tl::unexpected(same.error());
      co_return installed->report;
    }
    const bool is_new = live->sweep->late_faults().size() > late.size();
    const bool ends = exchange.stopping() || exchange.broken() || passes == kMostPasses;
    if (options.strict || options.agrees || !is_new || ends) co_return tl::unexpected(installed.error());
    late = live->sweep->late_faults();
    tell(observe, chains::PassRepeated{installed.error().message});
  }
}

}  // namespace rch::sm

#include "sm/apply.h"

#include <optional>

#include "hw/discovery.h"

namespace rch::sm {

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
  co_return installed->report;
}

}  // namespace rch::sm

#include "sm/observer.h"

#include <algorithm>
#include <utility>

#include "fabric/table_changes.h"
#include "hw/discovery.h"
#include "hw/inquiry.h"
#include "sm/found_tables.h"

namespace rch::sm {
namespace {

/// Looks take at most a tenth of the time.
constexpr int kShare = 10;

}  // namespace

hw::Task<Result<void>> Observer::run() {
  while (!ended()) {
    const hw::TimePoint began = exchange_.now();
    wake_ = false;
    const auto audit = co_await look();
    if (ended()) break;
    settings_.tell(audit);
    const auto took = exchange_.now() - began;
    hw::Pause pause(began + std::max<hw::TimePoint::duration>(settings_.every, kShare * took),
                    [this] { return wake_; });
    if (auto ran = co_await exchange_.run(pause); !ran) break;
  }
  if (exchange_.broken()) co_return tl::unexpected(*exchange_.broken());
  co_return {};
}

hw::Task<Result<Audit>> Observer::look() {
  const auto live = co_await hw::discover(exchange_);
  if (!live) co_return tl::unexpected(live.error());
  auto found = co_await read_found_tables(exchange_, *live);
  if (!found) co_return tl::unexpected(found.error());
  const auto judge = [&] { return settings_.judge(live->fabric, std::move(*found)); };
  auto judged = co_await exchange_.work(judge);
  if (!judged) co_return tl::unexpected(judged.error());
  co_return compared(std::move(*judged), *live);
}

Audit Observer::compared(chains::Adoption found, const hw::LiveFabric& live) {
  Audit audit{std::move(found), live.other_sms, live.quarantine.size()};
  const chains::Plan& now = audit.found.plan;
  if (before_) {
    audit.fabric_changed = before_->fabric->fingerprint() != now.fabric->fingerprint();
    audit.entries_changed =
        fabric::table_changes(*before_->fabric, before_->tables->lfts, *now.fabric, now.tables->lfts).entries;
  }
  before_ = now;
  return audit;
}

}  // namespace rch::sm

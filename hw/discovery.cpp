#include "hw/discovery.h"

#include <algorithm>

#include "hw/assembly.h"
#include "hw/causes.h"
#include "hw/inquiry.h"
#include "hw/partial_walk.h"

namespace rch::hw {
namespace {

/// One that is given up was asked again and again before.
Task<Result<void>> ask_managers(Exchange& exchange, LiveFabric& live, Patience patience) {
  std::vector<SmpRequest> questions;
  for (const OtherSm& sm : live.other_sms) {
    const Lid lid = live.info(sm.port).lid;
    const bool is_given_up = lid != kUnassignedLid && lid == live.given_up_sm;
    questions.push_back({.to = live.routes[sm.port.index()],
                         .attribute = Attribute::sm_info,
                         .patience = is_given_up ? Patience::again : patience});
  }
  const auto answers = co_await ask(exchange, std::move(questions));
  if (!answers) co_return tl::unexpected(answers.error());
  for (std::size_t i = 0; i < answers->size(); ++i) live.other_sms[i].read((*answers)[i]);
  co_return {};
}

/// Port GUIDs of other subnet managers.
std::vector<Guid> other_managers(const LiveFabric& live) {
  std::vector<Guid> guids;
  for (const OtherSm& sm : live.other_sms)
    if (sm.port != live.local) guids.push_back(sm.guid);
  std::ranges::sort(guids);
  return guids;
}

/// Walks over what `cables` lets take part. `began`: the first walk of the discovery.
Task<Result<LiveFabric>> walk(Exchange& exchange, const LookOptions& options,
                              std::shared_ptr<const fabric::CablePolicy> cables, TimePoint began) {
  const bool is_patient = options.patience == Milliseconds::max();
  const TimePoint until = is_patient ? TimePoint::max() : began + options.patience;
  const auto sweep_of = [&](std::set<Guid> doubted) {
    auto sweep = std::make_shared<Sweep>(std::move(doubted), options.late, options.before, options.silent);
    sweep->name_nodes(exchange.node_names());
    sweep->admit(cables);
    sweep->ask_once_more_until(until);
    return sweep;
  };
  std::shared_ptr<Sweep> sweep = sweep_of({});
  if (auto ran = co_await exchange.run(*sweep); !ran) co_return tl::unexpected(ran.error());
  // What moved meanwhile is seen where it is now; two nodes with one GUID contradict each other again.
  if (const auto doubted = sweep->found_twice(); !doubted.empty() || sweep->contradicts_itself()) {
    sweep = sweep_of(doubted);
    if (auto ran = co_await exchange.run(*sweep); !ran) co_return tl::unexpected(ran.error());
  }
  const auto assemble = [&]() -> Result<LiveFabric> {
    auto view = view_of(*sweep, options.strict, options.cut_off);
    if (!view) return tl::unexpected(view.error());
    return live_fabric_of(sweep, std::move(*view));
  };
  co_return co_await exchange.work(assemble);
}

}  // namespace

Task<Result<LiveFabric>> discover(Exchange& exchange, LookOptions options) {
  const TimePoint began = exchange.now();
  std::shared_ptr<const fabric::CablePolicy> cables = exchange.cable_policy();
  auto walking = walk(exchange, options, cables, began);
  auto live = co_await walking;
  const bool unfit = !live && options.passes_unfit_list && live.error().cause == causes::kNoListedCable.name;
  if (unfit) {
    cables = std::make_shared<const fabric::CablePolicy>(std::nullopt, cables->held_back());
    auto walking_again = walk(exchange, options, cables, began);
    live = co_await walking_again;
  }
  if (!live) co_return live;
  live->list_ignored = unfit;
  live->began = began;
  live->given_up_sm = options.given_up_sm;
  if (auto asked =
          co_await ask_managers(exchange, *live, options.is_master ? Patience::brief : Patience::loss);
      !asked)
    co_return tl::unexpected(asked.error());
  co_return live;
}

Task<Result<std::optional<LiveFabric>>> look_again(Exchange& exchange, const LiveFabric& before,
                                                   std::vector<Guid> changed, bool strict) {
  const std::shared_ptr<Sweep> sweep = before.sweep;
  sweep->name_nodes(exchange.node_names());
  auto view = co_await walk_partly(exchange, *sweep, std::move(changed), strict);
  if (!view) co_return tl::unexpected(view.error());
  if (!*view) co_return std::nullopt;
  const auto assemble = [&] { return live_fabric_of(sweep, std::move(**view), &before.fabric); };
  auto live = co_await exchange.work(assemble);
  if (!live) co_return std::nullopt;
  live->list_ignored = before.list_ignored;
  if (auto asked = co_await ask_managers(exchange, *live, Patience::brief); !asked)
    co_return tl::unexpected(asked.error());
  if (other_managers(before) != other_managers(*live)) co_return std::nullopt;
  std::erase_if(live->other_sms, [&](const OtherSm& sm) { return sm.port == live->local; });
  co_return std::optional(std::move(*live));
}

Task<Result<bool>> clear_changes(Exchange& exchange, const LiveFabric& live) {
  std::vector<SmpRequest> clearing;
  for (std::uint32_t s = 0; s < live.switch_info.size(); ++s) {
    if (!live.switch_info[s].port_state_change) continue;
    SmpRequest request = request_to(live, live.port0(SwitchId(s)), Attribute::switch_info, 0, 0);
    request.method = Method::set;
    request.data = encode(live.switch_info[s]);
    clearing.push_back(request);
  }
  if (clearing.empty()) co_return false;
  const auto cleared = co_await ask(exchange, std::move(clearing));
  if (!cleared) co_return tl::unexpected(cleared.error());
  co_return true;
}

}  // namespace rch::hw

#include "sm/link_resets.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bitset.h"
#include "chains/update.h"
#include "fabric/fabric_builder.h"
#include "sm/parts_in_place.h"

namespace rch::sm {
namespace {

bool is_between_switches(const hw::LiveFabric& live, PortId id) {
  return live.is_switch_port(id) && live.is_switch_port(live.fabric.port(id).peer);
}

/// The fabric of the target, with no more VLs than links have that are yet to be reset. Nothing if they are
/// not known.
std::optional<fabric::Fabric> with_present_vls(const hw::LiveFabric& live, const fabric::Fabric& target,
                                               std::span<const PortId> links) {
  std::vector<fabric::Port> ports(target.ports().begin(), target.ports().end());
  for (const PortId link : links)
    for (const PortId end : {link, target.port(link).peer}) {
      const std::uint8_t now = live.info(end).oper_vls;
      if (now == 0) return std::nullopt;
      ports[end.index()].vl_cap = std::min(ports[end.index()].vl_cap, now);
    }
  auto fabric = fabric::with_ports(target, std::move(ports));
  if (!fabric) return std::nullopt;
  return std::move(*fabric);
}

/// Both ends of links.
IdSet<PortId> ends_of(const fabric::Fabric& fabric, std::span<const PortId> links) {
  IdSet<PortId> ends(fabric.ports().size());
  for (const PortId link : links) {
    ends.insert(link);
    ends.insert(fabric.port(link).peer);
  }
  return ends;
}

/// What ports have after a commit that has reset their links.
void note_new_links(const hw::Preparation& prepared, hw::LiveFabric& live) {
  for (const auto* images : {&prepared.ports.end_ports, &prepared.ports.switch_ports})
    for (const hw::Image& image : *images) {
      const auto written = hw::decode<hw::PortInfo>(image.data);
      hw::PortInfo& info = live.port_info[image.port.index()];
      info.oper_vls = written.oper_vls;
      info.neighbor_mtu = written.neighbor_mtu;
    }
}

/// Does not tell of updates in between, unless they are refused.
chains::Observer brief(const chains::Observer& observe) {
  return [&observe](const chains::Event& event) {
    const auto* const planned = std::get_if<chains::UpdatePlanned>(&event);
    if (planned == nullptr || planned->plan.only_static) tell(observe, event);
  };
}

std::vector<const chains::Plan*> previous_plans(const InstallOptions& options) {
  std::vector<const chains::Plan*> plans = options.also_previous;
  if (options.previous != nullptr) plans.insert(plans.begin(), options.previous);
  return plans;
}

/// Carries rounds out, one after the other.
class Rounds {
 public:
  Rounds(const Writing& with, const hw::LiveFabric& live, const LinkResets& resets,
         const hw::CommitOptions& commit)
      : observe_(brief(with.observe)),
        with_{with.exchange, with.options, with.mastership, observe_},
        resets_(resets),
        commit_(commit),
        later_(ends_of(live.fabric, resets.links)),
        result_{live, {}, previous_plans(with.options)} {
    commit_.subnet.later_resets = &later_;
  }

  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  /// Judges what run() would write, up to `target`.
  hw::Task<Result<void>> judge(const chains::Plan& target) {
    const auto& rounds = resets_.rounds.rounds;
    const chains::Plan& first = rounds.front().plan;
    const auto lids = lids_of(*first.fabric);
    auto prepared = co_await hw::prepare(with_.exchange, result_.live, lids, *first.tables, commit_);
    if (!prepared) co_return tl::unexpected(prepared.error());
    const bool accepts = with_.options.accept_static;
    const auto judge_all = [&]() -> Result<void> {
      std::vector<const chains::Plan*> previous = result_.previous;
      const auto before = parts_in_place(*prepared, result_.live, first, with_.options);
      const chains::InstalledState installed{prepared->installed, prepared->delta.lft_blocks,
                                             prepared->entrances, previous, before ? &*before : nullptr};
      const auto update = chains::plan_update(installed, first, accepts, with_.observe);
      if (!update) return tl::unexpected(update.error());
      for (std::size_t i = 0; i < rounds.size(); ++i) {
        previous.push_back(&rounds[i].plan);
        const chains::Plan& next = i + 1 < rounds.size() ? rounds[i + 1].plan : target;
        const auto links = links_in_place(result_.live, next);
        const auto may = chains::judge_update(rounds[i].plan, next, previous, accepts, with_.observe,
                                              links ? &*links : nullptr);
        if (!may) return may;
      }
      return {};
    };
    co_return co_await with_.exchange.work(judge_all);
  }

  hw::Task<Result<LinksWereReset>> run() {
    const auto& rounds = resets_.rounds.rounds;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      tell(with_.observe,
           chains::LinkRoundBegins{i + 1, rounds.size(), rounds[i].links.size(), rounds[i].plan.tables});
      auto tables = write(rounds[i].plan);
      if (auto done = co_await tables; !done) co_return tl::unexpected(done.error());
      result_.previous.push_back(&rounds[i].plan);
      for (const PortId link : rounds[i].links)
        for (const PortId end : {link, result_.live.fabric.port(link).peer}) later_.erase(end);
      auto reset = write(rounds[i].plan);
      if (auto done = co_await reset; !done) co_return tl::unexpected(done.error());
    }
    later_ = IdSet<PortId>(later_.universe());
    auto rest = write(*result_.previous.back());
    if (auto done = co_await rest; !done) co_return tl::unexpected(done.error());
    co_return std::move(result_);
  }

 private:
  /// Writes the tables, and resets the links that are not for later.
  hw::Task<Result<void>> write(const chains::Plan& plan) {
    const auto lids = lids_of(*plan.fabric);
    auto prepared = co_await hw::prepare(with_.exchange, result_.live, lids, *plan.tables, commit_);
    if (!prepared) co_return tl::unexpected(prepared.error());
    auto writing = write_plan(with_, result_.live, plan, *prepared, commit_, result_.previous, false);
    const auto written = co_await writing;
    if (!written) co_return tl::unexpected(written.error());
    result_.report.add(*written);
    note_new_links(*prepared, result_.live);
    co_return {};
  }

  const chains::Observer observe_;
  const Writing with_;
  const LinkResets& resets_;
  hw::CommitOptions commit_;
  IdSet<PortId> later_;  ///< ports whose links keep their MTU and VLs for now
  LinksWereReset result_;
};

}  // namespace

LinkResets plan_link_resets(const hw::LiveFabric& live, const chains::Plan& target,
                            const hw::Preparation& prepared) {
  LinkResets resets;
  std::vector<PortId> between;
  for (const hw::Image& down : prepared.ports.resets) {
    resets.links.push_back(down.port);
    if (is_between_switches(live, down.port)) between.push_back(down.port);
  }
  resets.hosts = resets.links.size() - between.size();
  std::ranges::sort(between);
  const auto fabric = with_present_vls(live, *target.fabric, resets.links);
  if (fabric)
    resets.rounds = chains::plan_link_rounds(target, *fabric, between);
  else
    resets.rounds.unspared = std::move(between);
  return resets;
}

hw::Task<Result<void>> judge_rounds(const Writing& with, const hw::LiveFabric& live, LinkResets& resets,
                                    const hw::CommitOptions& commit, const chains::Plan& target) {
  // What is accepted is told when it is written.
  const chains::Observer refused = [&with, &resets](const chains::Event& event) {
    const auto* const planned = std::get_if<chains::UpdatePlanned>(&event);
    if (planned != nullptr)
      for (const Lid lid : planned->plan.drained) resets.drained.insert(lid);
    if (planned != nullptr && !planned->accept_static) tell(with.observe, event);
  };
  const Writing quietly{with.exchange, with.options, with.mastership, refused};
  Rounds rounds(quietly, live, resets, commit);
  auto judging = rounds.judge(target);
  co_return co_await judging;
}

hw::Task<Result<LinksWereReset>> reset_in_rounds(const Writing& with, const hw::LiveFabric& live,
                                                 const LinkResets& resets, const hw::CommitOptions& commit) {
  Rounds rounds(with, live, resets, commit);
  auto running = rounds.run();
  co_return co_await running;
}

}  // namespace rch::sm

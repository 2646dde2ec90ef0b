#include "sm/standby.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/source.h"
#include "sa/followers.h"

namespace rch::sm {
namespace {

using sa::Follower;

/// A silent master that says that it is one is not asked at once again, nor is one that we must not replace.
constexpr hw::Milliseconds kAskAgain{500}, kRefusedFor{2000};

using Plans = std::vector<const chains::Plan*>;

/// The LID belongs to a port of the plan that is still there.
bool covers(const fabric::Fabric& planned, const fabric::Fabric& live, Lid lid) {
  if (lid > planned.max_lid()) return false;
  const auto owner = planned.lid_owner(lid);
  return owner && live.find_port(planned.port(*owner).guid);
}

/// All switches that are in both fabrics send packets as one of the plans says. Of several plans each may
/// have been written in part, and entries were cleared on the way.
bool forwards_by(const Plans& plans, const fabric::Fabric& live, const fabric::RoutingTables& found) {
  std::vector<std::vector<bool>> covered(plans.size());
  for (std::size_t p = 0; p < plans.size(); ++p)
    for (std::uint32_t n = 0; n <= live.max_lid().value; ++n)
      covered[p].push_back(covers(*plans[p]->fabric, live, Lid(static_cast<std::uint16_t>(n))));
  std::size_t switches = 0;
  for (std::uint32_t s = 0; s < live.switch_count(); ++s) {
    std::vector<std::optional<NodeId>> planned;
    for (const chains::Plan* plan : plans)
      planned.push_back(plan->fabric->find_node(live.node(SwitchId(s)).guid));
    if (planned.front()) ++switches;
    for (std::uint32_t n = 1; n <= live.max_lid().value; ++n) {
      const Lid lid(static_cast<std::uint16_t>(n));
      const std::uint8_t entry = found.lfts.at(SwitchId(s), lid);
      bool is_judged = false, fits = plans.size() > 1 && entry == kNoPath;
      for (std::size_t p = 0; p < plans.size(); ++p) {
        if (!planned[p] || !covered[p][n]) continue;
        is_judged = true;
        fits = fits || plans[p]->tables->lfts.at(SwitchId(planned[p]->value), lid) == entry;
      }
      if (is_judged && !fits) return false;
    }
  }
  return switches > 0;
}

/// Each port has no LID, or that of one of the plans.
bool has_lids_of(const Plans& plans, const fabric::Fabric& live) {
  return std::ranges::all_of(live.ports(), [&](const fabric::Port& port) {
    bool is_judged = false, fits = port.lid == kUnassignedLid;
    for (const chains::Plan* plan : plans) {
      const auto planned = plan->fabric->find_port(port.guid);
      if (!planned || plan->fabric->port(*planned).lid == kUnassignedLid) continue;
      is_judged = true;
      fits = fits || plan->fabric->port(*planned).lid == port.lid;
    }
    return fits || !is_judged;
  });
}

bool fits(const Plans& plans, const fabric::Fabric& live, const fabric::RoutingTables& found) {
  return forwards_by(plans, live, found) && has_lids_of(plans, live);
}

/// The plan that counts, if the fabric is as the master left it: one that was written whole, or the last one
/// that hosts were answered from.
const chains::Plan* plan_left_by(const sa::Followed& known, const fabric::Fabric& live,
                                 const fabric::RoutingTables& found) {
  if (!known.plan) return nullptr;
  Plans all{&*known.plan};
  for (const chains::Plan& target : known.targets) all.push_back(&target);
  for (const chains::Plan* plan : {all.back(), all.front()})
    if (fits({plan}, live, found)) return plan;
  return all.size() > 1 && fits(all, live, found) ? all.front() : nullptr;
}

fabric::LidRecords read_lids(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  return fabric::read_guid2lid(sources, sources.add("guid2lid", text), diagnostics);
}

}  // namespace

Standby::Standby(const hw::Exchange& exchange, const StandbyOptions& options,
                 std::function<void(const StandbyEvent&)> tell)
    : exchange_(exchange),
      options_(options),
      tell_(std::move(tell)),
      follower_([this](Follower::News news, const std::string& why) { on(news, why); }) {
  configure(options);
}

void Standby::configure(const StandbyOptions& options) {
  options_ = options;
  follower_.set_configuration(options.accepts_other ? 0 : options.configuration);
}

void Standby::on(Follower::News news, const std::string& why) {
  if (news == Follower::News::unreadable) return tell_(StateNotRead{{ErrorKind::usage, why}});
  follows_ = true;
  quiet_until_ = {};
  tell_(FollowsMaster{follower_.followed()->master});
  tell_configuration();
}

std::optional<Lid> Standby::following() const {
  if (!follows_ || follower_.is_silent(exchange_.now())) return std::nullopt;
  return follower_.followed()->master;
}

const chains::Plan* Standby::plan() const {
  const sa::Followed* known = follower_.followed();
  return known != nullptr && known->plan ? &*known->plan : nullptr;
}

void Standby::on_master(Lid master, std::uint8_t service_level) {
  const sa::Followed* known = follower_.followed();
  if (known != nullptr && known->master != master) end(false);
  follower_.follow(master, service_level, options_.sa_key, exchange_.now());
  // One that was given up for gone may answer again.
  if (!follows_ && follower_.followed() != nullptr && !follower_.is_silent(exchange_.now()))
    on(Follower::News::follows, "");
  else
    tell_configuration();
}

void Standby::on_alive() { quiet_until_ = exchange_.now() + kAskAgain; }

void Standby::on_missed(Lid master, unsigned polls) { tell_(PollsMissed{master, polls}); }

bool Standby::is_silent() const {
  return follower_.is_silent(exchange_.now()) && quiet_until_ <= exchange_.now();
}

void Standby::begin() {
  if (!std::exchange(refused_, false)) forget();
}

bool Standby::refuse() {
  refused_ = !may_take_over();
  if (!refused_) return false;
  quiet_until_ = exchange_.now() + kRefusedFor;
  if (std::exchange(follows_, false)) tell_(FollowsNoMore{"it is gone"});
  return true;
}

void Standby::end(bool handed_over) {
  follower_.stop();
  if (std::exchange(follows_, false))
    tell_(FollowsNoMore{handed_over ? "it handed over to us" : "it is gone, or another one is master"});
}

void Standby::forget() {
  follower_.forget();
  told_other_ = 0;
}

bool Standby::is_other() const {
  const sa::Followed* known = follower_.followed();
  return known != nullptr && options_.configuration != 0 && known->configuration != 0 &&
         known->configuration != options_.configuration;
}

void Standby::tell_configuration() {
  if (!is_other()) {
    told_other_ = 0;
  } else if (const sa::Followed& known = *follower_.followed();
             std::exchange(told_other_, known.configuration) != known.configuration) {
    tell_(OtherConfiguration{known.master, options_.accepts_other});
  }
}

/// The master answers hosts without us when it has waited for us for a while. It may have done so until the
/// look that did not find it: a cable between us that was pulled and the death of its process look the same.
std::optional<FollowedFabric> Standby::fitting(const hw::LiveFabric& live,
                                               const fabric::RoutingTables& found) const {
  const sa::Followed* known = follower_.followed();
  const chains::Plan* plan = known != nullptr ? plan_left_by(*known, live.fabric, found) : nullptr;
  if (plan == nullptr) return std::nullopt;
  FollowedFabric followed{
      .plan = *plan,
      .lids = read_lids(known->lids),
      .registrations = sa::read_journal(std::string(sa::journal_heading()) + known->records),
      .master = known->master};
  followed.whole = known->counts && followed.registrations.damage.empty() &&
                   live.began < known->asked + sa::kFollowerPatience;
  return followed;
}

}  // namespace rch::sm

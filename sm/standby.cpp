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

/// LIDs of the plan that belong to ports that are still there.
std::vector<Lid> lids_in_both(const fabric::Fabric& planned, const fabric::Fabric& live) {
  std::vector<Lid> lids;
  const std::uint32_t last = std::min(planned.max_lid(), live.max_lid()).value;
  for (std::uint32_t n = 1; n <= last; ++n) {
    const Lid lid(static_cast<std::uint16_t>(n));
    const auto owner = planned.lid_owner(lid);
    if (owner && live.find_port(planned.port(*owner).guid)) lids.push_back(lid);
  }
  return lids;
}

/// All switches that are in both fabrics send packets as the plan says, and ports have the LIDs of the plan.
bool fits(const chains::Plan& plan, const fabric::Fabric& live, const fabric::RoutingTables& found) {
  const fabric::Fabric& planned = *plan.fabric;
  const std::vector<Lid> lids = lids_in_both(planned, live);
  std::size_t switches = 0;
  for (std::uint32_t s = 0; s < planned.switch_count(); ++s) {
    const auto now = live.find_node(planned.node(SwitchId(s)).guid);
    if (!now || !live.is_switch(*now)) continue;
    ++switches;
    const SwitchId sw(now->value);
    for (const Lid lid : lids)
      if (plan.tables->lfts.at(SwitchId(s), lid) != found.lfts.at(sw, lid)) return false;
  }
  const auto has_its_lid = [&](const fabric::Port& port) {
    const auto now = live.find_port(port.guid);
    return !now || port.lid == kUnassignedLid || live.port(*now).lid == port.lid ||
           live.port(*now).lid == kUnassignedLid;
  };
  return switches > 0 && std::ranges::all_of(planned.ports(), has_its_lid);
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
      follower_([this](Follower::News news, const std::string& why) { on(news, why); }) {}

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
  tell_configuration();
}

void Standby::on_alive() { quiet_until_ = exchange_.now() + kAskAgain; }

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
  if (known == nullptr || !known->plan || !fits(*known->plan, live.fabric, found)) return std::nullopt;
  FollowedFabric followed{
      .plan = *known->plan,
      .lids = read_lids(known->lids),
      .registrations = sa::read_journal(std::string(sa::journal_heading()) + known->records),
      .master = known->master};
  followed.whole = known->counts && followed.registrations.damage.empty() &&
                   live.began < known->asked + sa::kFollowerPatience;
  return followed;
}

}  // namespace rch::sm

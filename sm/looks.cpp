#include "sm/looks.h"

#include <algorithm>
#include <span>
#include <utility>

#include "hw/causes.h"
#include "hw/discovery.h"
#include "hw/unchanged.h"

namespace rch::sm {
namespace {

/// What was left out of the fabric is looked at again every so many light sweeps.
constexpr unsigned kSilentSweeps = 6;
/// A part that answers a look and fails afterwards again and again is looked at less and less often.
constexpr unsigned kMostSilentSweeps = 64 * kSilentSweeps;

/// After so many looks hosts in service may be left out with a faulty leaf.
constexpr unsigned kStaticLooks = 3;

/// Looks at a fabric whose ports go on changing.
constexpr int kMostLooks = 3;

/// Parts that are left out, and may answer by now.
std::size_t silent_parts(const hw::LiveFabric& live) {
  return static_cast<std::size_t>(std::ranges::count(live.quarantine, false, &fabric::Quarantined::answers));
}

/// Something is silent that was not before.
bool is_silent_anew(const hw::LiveFabric& live, std::span<const fabric::Quarantined> before) {
  return std::ranges::any_of(live.quarantine, [&](const fabric::Quarantined& part) {
    const auto is_same = [&](const fabric::Quarantined& known) {
      return known.node == part.node && known.port == part.port;
    };
    return !part.answers && std::ranges::none_of(before, is_same);
  });
}

/// What a look leaves out by name, with all that hangs on it alone.
class LeftOut {
 public:
  /// Both must outlive the object.
  LeftOut(const hw::LiveFabric& live, const fabric::Fabric& before) : live_(live), before_(before) {
    for (const fabric::Quarantined& part : live.quarantine)
      if (!live.fabric.find_node(part.node)) nodes_.insert(part.node);
  }

  /// A switch that answers partly, that adapters hung on before, and that a link in use leads to; null: there
  /// is none.
  const fabric::Quarantined* leaf() const {
    for (const fabric::Quarantined& part : live_.quarantine)
      if (const auto sw = before_.find_switch(part.node); sw && !part.answers && nodes_.contains(part.node) &&
                                                          !before_.end_ports_of(*sw).empty() &&
                                                          is_in_use(*sw))
        return &part;
    return nullptr;
  }
  /// The look differs from `before` in nothing else, and the links that lead there are in use.
  bool is_all() const;

 private:
  bool is_out(PortId port) const {
    return !port.is_none() && nodes_.contains(before_.node(before_.port(port).node).guid);
  }
  /// The port of a node that was not left out.
  bool is_active(NodeId node, PortNum number) const {
    return live_.info(live_.fabric.port_id(node, number)).state == fabric::PortState::active;
  }
  bool is_in_use(SwitchId sw) const {
    for (const fabric::Neighbor& neighbor : before_.graph().neighbors(sw))
      for (const fabric::SwitchLink& link : before_.graph().links(neighbor))
        if (const auto kept = live_.fabric.find_node(before_.node(neighbor.sw).guid);
            kept && is_active(*kept, link.in))
          return true;
    return false;
  }

  const hw::LiveFabric& live_;
  const fabric::Fabric& before_;
  std::set<Guid> nodes_;
};

/// Both ports are the same, or neither is one.
bool is_same_port(const fabric::Fabric& a, PortId in_a, const fabric::Fabric& b, PortId in_b) {
  if (in_a.is_none() || in_b.is_none()) return in_a.is_none() && in_b.is_none();
  return a.port(in_a).number == b.port(in_b).number &&
         a.node(a.port(in_a).node).guid == b.node(b.port(in_b).node).guid;
}

bool LeftOut::is_all() const {
  const fabric::Fabric& now = live_.fabric;
  std::size_t kept = 0;
  for (std::uint32_t n = 0; n < before_.nodes().size(); ++n) {
    const fabric::Node& node = before_.node(NodeId(n));
    const auto same = now.find_node(node.guid);
    if (same && now.node(*same).num_ports != node.num_ports) return false;
    kept += same ? 1 : 0;
    for (unsigned p = 1; p <= node.num_ports; ++p) {
      const PortNum number(static_cast<std::uint8_t>(p));
      const PortId peer = before_.port(before_.port_id(NodeId(n), number)).peer;
      if (same ? (is_out(peer) ? !is_active(*same, number)
                               : !is_same_port(now, now.port(now.port_id(*same, number)).peer, before_, peer))
               : !peer.is_none() && !is_out(peer) && !nodes_.contains(node.guid))
        return false;
    }
  }
  return kept == now.nodes().size();
}

}  // namespace

bool needs_whole_look(const hw::LiveFabric& live) {
  const hw::Sweep::Cables silent = live.sweep->silent_cables();
  return std::ranges::any_of(live.quarantine, [&](const fabric::Quarantined& part) {
    return !part.answers && !silent.contains({part.node, part.port});
  });
}

Looks::Looks(hw::Exchange& exchange, hw::Mastership& mastership, Health& health,
             const HealthSettings& settings, bool strict, LookCounters& counters)
    : exchange_(exchange),
      mastership_(mastership),
      health_(health),
      settings_(settings),
      strict_(strict),
      counters_(counters),
      silent_sweeps_(kSilentSweeps) {}

void Looks::note_change(Guid sw) {
  if (std::ranges::find(changed_, sw) == changed_.end()) changed_.push_back(sw);
}

hw::Task<Result<Look>> Looks::look(LastLook last) {
  if (health_.take_change()) whole_ = true;
  auto looking = look_once(last);
  auto seen = co_await looking;
  if (seen) {
    health_.on_look(seen->live, last.serves ? last.installed.get() : nullptr, exchange_.now());
    if (!health_.take_change()) co_return seen;
    auto looking_again = look_at_all(last);
    seen = co_await looking_again;
  }
  if (seen)
    health_.note_spared(seen->live);
  else
    failed_.clear();
  co_return seen;
}

/// Where something changed, if all else is known. A part that failed once may have failed for that change.
hw::Task<Result<Look>> Looks::look_once(const LastLook& last) {
  if (!failed_.empty() && !changed_.empty() && silent_sweeps_ <= 2 * kSilentSweeps) ask_all();
  std::vector<Guid> changed = std::exchange(changed_, {});
  if (!std::exchange(whole_, false) && last.is_known) {
    mastership_.meet_senders();
    auto partly = co_await hw::look_again(exchange_, *last.live, std::move(changed), strict_);
    if (!partly) co_return tl::unexpected(partly.error());
    if (*partly) {
      ++counters_.partial_sweeps;
      mastership_.follow_routes(**partly);
      co_return Look{std::move(**partly)};
    }
  }
  auto whole = look_at_all(last);
  co_return co_await whole;
}

hw::LookOptions Looks::options(const LastLook& last) const {
  std::vector<hw::LateFault> late = health_.left_out();
  late.insert(late.end(), failed_.begin(), failed_.end());
  return {.strict = strict_,
          .late = std::move(late),
          .before = last.installed,
          .silent = last.live != nullptr ? last.live->sweep->silent_cables() : hw::Sweep::Cables(),
          .patience = std::chrono::seconds{settings_.quarantine.timeout_limit},
          .passes_unfit_list = true};
}

/// Hosts behind a leaf that answers partly go on sending over it. Nothing is gained if they are left out with
/// it while all else is as it was. Otherwise all else must not wait for them for long.
hw::Task<Result<hw::LiveFabric>> Looks::win(const hw::LookOptions& how, const LastLook& last) {
  hw::LookOptions options = how;
  const bool waited = faulty_leaf_looks_ >= kStaticLooks && last.installed;
  if (waited) options.cut_off = hw::CutOff::in_service;
  auto live = co_await mastership_.win(options);
  if (!live) {
    if (live.error().cause == hw::causes::kNotWhole.name) ++faulty_leaf_looks_;
    co_return live;
  }
  const auto judge = [&]() -> Result<void> {
    if (strict_ || !last.installed) return {};
    const LeftOut out(*live, *last.installed);
    const fabric::Quarantined* leaf = out.leaf();
    if (leaf == nullptr || (waited && !out.is_all())) return {};
    return hw::fail(hw::causes::kNotWhole, "the fabric cannot be seen whole: " + leaf->place + ": " +
                                               leaf->reason + "; hosts in service would be left out with it");
  };
  if (const auto good = co_await exchange_.work(judge); !good) {
    ++faulty_leaf_looks_;
    co_return tl::unexpected(good.error());
  }
  if (!needs_whole_look(*live)) faulty_leaf_looks_ = 0;
  co_return live;
}

/// PortStateChange is cleared before what counts is seen: it tells of all changes since. Behind a cable that
/// is pulled during a look, nodes are silent that the next look finds over other cables. So what is silent is
/// left out when two looks in a row found it so.
hw::Task<Result<Look>> Looks::look_at_all(const LastLook& last) {
  ++counters_.whole_sweeps;
  hw::LookOptions how = options(last);
  auto winning = win(how, last);
  auto live = co_await winning;
  const std::size_t most = settings_.quarantine.error_threshold;
  how.silent.clear();
  if (live && most > 0 && silent_parts(*live) > most) {
    auto winning_again = win(how, last);
    live = co_await winning_again;
  }
  std::vector<fabric::Quarantined> silent;
  if (last.live != nullptr) silent = last.live->quarantine;
  for (int looks = 0; live && looks < kMostLooks; ++looks) {
    const auto cleared = co_await hw::clear_changes(exchange_, *live);
    if (!cleared) co_return tl::unexpected(cleared.error());
    if (!*cleared && !is_silent_anew(*live, silent)) break;
    silent = live->quarantine;
    const auto unchanged = co_await hw::is_unchanged(exchange_, *live);
    if (!unchanged) co_return tl::unexpected(unchanged.error());
    if (*unchanged) break;
    how.silent = live->sweep->silent_cables();
    auto winning_again = win(how, last);
    live = co_await winning_again;
  }
  if (!live) co_return tl::unexpected(live.error());
  // The commit clears what ports show, so this look is not the last one.
  const bool unsettled = std::ranges::any_of(live->switch_info, &hw::SwitchInfo::port_state_change);
  if (unsettled) whole_ = true;
  co_return Look{std::move(*live), true, unsettled};
}

/// Behind a cable that was pulled after the look, nodes are silent that the next look finds over other
/// cables. So those are left out that fail twice.
void Looks::note_failed(const hw::LiveFabric& live) {
  if (strict_) return;
  const std::size_t before = failed_.size();
  std::vector<hw::LateFault> fresh;
  for (const hw::LateFault& fault : live.sweep->late_faults()) {
    const auto is_of_node = [&](const hw::LateFault& other) { return other.node == fault.node; };
    if (fault.yields || std::ranges::any_of(failed_, is_of_node)) continue;
    fresh.push_back(fault);
    if (!failed_once_.insert(fault.node).second) failed_.push_back(fault);
  }
  health_.on_late_faults(live, fresh, exchange_.now());
  if (failed_.size() > before) silent_sweeps_ = std::min(2 * silent_sweeps_, kMostSilentSweeps);
}

void Looks::note_installed(const hw::LiveFabric& live) {
  if (silent_parts(live) == 0) silent_sweeps_ = kSilentSweeps;
  failed_once_.clear();
}

bool Looks::is_time_for_silent(const hw::LiveFabric& live, unsigned light_sweeps) const {
  return silent_parts(live) > 0 && light_sweeps % silent_sweeps_ == 0;
}

}  // namespace rch::sm

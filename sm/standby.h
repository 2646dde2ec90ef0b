#pragma once

// What a manager that stands by knows of its master, and what of it counts when it takes over
// (docs/decisions/0023).
//
// What was followed counts until we install a plan ourselves: from then on it is of the past, and must not
// come back when we stand by and take over again.

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "chains/adoption.h"
#include "fabric/lid_records.h"
#include "hw/exchange.h"
#include "hw/mastership.h"
#include "sa/follower.h"
#include "sa/journal.h"

namespace rch::sm {

struct StandbyOptions {
  std::uint64_t configuration = 0;  ///< hash of what decides routes and isolation; 0: none
  std::uint64_t sa_key = 0;
  bool accepts_other = false;  ///< takes over although the master had another configuration
};

/// What a standby tells.
struct FollowsMaster {
  Lid master;
};
struct FollowsNoMore {
  std::string why;
};
/// The master has another configuration.
struct OtherConfiguration {
  Lid master;
  bool accepted;
};
/// The state of the master cannot be read.
struct StateNotRead {
  Error error;
};
/// The master did not answer so many polls in a row; 0: it answers again.
struct PollsMissed {
  Lid master;  ///< 0: not known
  unsigned polls = 0;
};
using StandbyEvent =
    std::variant<FollowsMaster, FollowsNoMore, OtherConfiguration, StateNotRead, PollsMissed>;

/// A fabric as its master knew it.
struct FollowedFabric {
  chains::Plan plan;  ///< without keys
  fabric::LidRecords lids;
  sa::JournalContent registrations;
  Lid master;
  bool whole = false;  ///< no host was told that it is registered and is not in `registrations`
};

class Standby : public hw::StandbyWatch {
 public:
  /// `exchange` must outlive it.
  Standby(const hw::Exchange& exchange, const StandbyOptions& options,
          std::function<void(const StandbyEvent&)> tell);

  void configure(const StandbyOptions& options);
  /// True if the master has another configuration, so it is not replaced by us.
  bool refuses_master() const { return !may_take_over(); }
  sa::Follower& follower() { return follower_; }
  /// The master that is followed; none: there is none, or it does not answer.
  std::optional<Lid> following() const;

  /// We begin to stand by: what was known before is of the past.
  void begin();
  /// True if the master is gone and must not be replaced by us: it had another configuration.
  bool refuse();
  /// The master went away, or handed over to us. What was followed stays.
  void end(bool handed_over);
  /// What was followed, if the switches forward by its plan.
  std::optional<FollowedFabric> fitting(const hw::LiveFabric& live, const fabric::RoutingTables& found) const;
  /// The plan of the master, as it was followed; null: not known.
  const chains::Plan* plan() const;
  bool knows_something() const { return follower_.followed() != nullptr; }
  /// We installed a plan ourselves.
  void forget();

  void on_master(Lid master, std::uint8_t service_level) override;
  void on_alive() override;
  void on_missed(Lid master, unsigned polls) override;
  bool is_silent() const override;
  bool is_heard() const override { return following().has_value(); }
  bool may_take_over() const override { return options_.accepts_other || !is_other(); }

 private:
  bool is_other() const;
  void on(sa::Follower::News news, const std::string& why);
  void tell_configuration();

  const hw::Exchange& exchange_;
  StandbyOptions options_;
  std::function<void(const StandbyEvent&)> tell_;
  sa::Follower follower_;
  hw::TimePoint quiet_until_{};   ///< its silence means nothing until then
  bool follows_ = false;          ///< told
  bool refused_ = false;          ///< we stand by still, for the configuration of the master that is gone
  std::uint64_t told_other_ = 0;  ///< the configuration of a master that was told
};

}  // namespace rch::sm

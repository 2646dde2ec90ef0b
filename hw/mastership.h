#pragma once

// One subnet has one master. What is done about other subnet managers before anything is written (sm-sa 5).

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hw/live_fabric.h"
#include "hw/machine.h"
#include "hw/progress.h"

namespace rch::hw {

struct ManagerOptions {
  std::uint64_t sm_key = 1;
  std::uint8_t sm_priority = 0;
  bool takeover = false;  ///< go on although the fabric has a master
};

/// Fails (fabric), naming GUID, LID and priority, when another SM is master of the fabric and `takeover` is
/// not set: one that says so, or one that does not answer while our port knows it as its SM.
Result<void> check_no_master(const LiveFabric& live, const ManagerOptions& options);

/// Answers Get(SMInfo) from the fabric with `own`. Of the Sets, a master agrees to a handover only. False:
/// the request is another one, and stays as it is.
bool answer_sm_info(Datagram& datagram, const SmInfo& own);

/// Waits for other masters to hand over, while our port shows a master of the highest priority.
///
/// States:
///   waiting   the time until the masters are asked again. It begins as soon as one is known.
///   asking    SMInfo of every master. The last answer ends it.
///   finished  no master is left, or they were asked 60 times. One that is left is overwritten: the operator
///             asked for it.
class Takeover : public Machine {
 public:
  /// Keeps a reference to `live`.
  explicit Takeover(const LiveFabric& live);

  std::optional<SmpRequest> next_request(TimePoint now) override;
  void on_answer(RequestTag tag, const SmpAnswer& answer) override;
  TimePoint deadline() const override { return ask_at_.value_or(TimePoint::max()); }
  bool finished() const override;

  /// What our port shows from the start.
  SmInfo own_info(const ManagerOptions& options) const;
  /// A line about each master that was found.
  std::vector<std::string> remarks() const;

 private:
  const LiveFabric& live_;
  std::vector<OtherSm> masters_;
  Progress asked_;
  int polls_ = 0;
  std::optional<TimePoint> ask_at_;
};

}  // namespace rch::hw

#pragma once

#include <optional>

#include "base/result.h"
#include "hw/exchange.h"
#include "hw/live_fabric.h"
#include "hw/progress.h"
#include "hw/quarantine.h"
#include "hw/sweep.h"

namespace rch::hw {

/// Walks the fabric breadth first from our own port by directed routes (sm-sa 2.1), then asks the subnet
/// managers that it found who they are.
///
/// States:
///   sweeping         the sweep walks. When it is finished, its view fails the discovery or ends the state.
///   asking_managers  SMInfo of every port with the IsSM bit. The last answer ends it, missing ones included.
///   finished         take() has the fabric, or the reason why there is none.
class Discovery : public Machine {
 public:
  enum class State : std::uint8_t { sweeping, asking_managers, finished };

  /// `strict`: a fabric that is not seen whole fails.
  explicit Discovery(bool strict = false) : strict_(strict) {}

  std::optional<SmpRequest> next_request(TimePoint now) override;
  void on_answer(RequestTag tag, const SmpAnswer& answer) override;
  bool finished() const override { return state_ == State::finished; }

  State state() const { return state_; }
  const Sweep& sweep() const { return sweep_; }
  /// To be called once, when finished. Fails (fabric) as view_of() does, naming ports with their routes. Two
  /// end ports that hold the same LID are no failure: the one that may not keep it (sm-sa 3.1) is without a
  /// LID in `fabric` and keeps it in `port_info`.
  Result<LiveFabric> take();

 private:
  void on_swept();

  bool strict_;
  State state_ = State::sweeping;
  Sweep sweep_;
  Progress managers_;
  std::optional<Result<LiveFabric>> result_;
};

/// Runs a Discovery.
Task<Result<LiveFabric>> discover(Exchange& exchange, bool strict = false);

/// Clears PortStateChange of the switches that show it. True if there were some: what was seen before may be
/// outdated, and only after another look does PortStateChange tell of all changes since (sm-sa 2.3).
Task<Result<bool>> clear_changes(Exchange& exchange, const LiveFabric& live);

}  // namespace rch::hw

#pragma once

#include <span>
#include <vector>

#include "chains/chain.h"

namespace rch::chains {

/// The combinations of steps that a chain declares: each position has its target or one of its fallbacks.
/// The last position changes first, as the last digit of a counter does, so that most targets stay.
class Combinations {
 public:
  /// A chain with more combinations is tried with the first ones only.
  static constexpr std::size_t kMost = 32;

  /// Steps that do not run in the combination at hand. Begins with none: all targets.
  std::span<const RefusedStep> refused() const { return refused_; }

  /// Goes on to the next combination because of what the proof says of the tables of the last run. False if
  /// none is left.
  bool advance(std::span<const StepReport> run, const engines::EngineFailure& why);

 private:
  std::vector<RefusedStep> refused_;
  std::size_t tried_ = 1;
};

}  // namespace rch::chains

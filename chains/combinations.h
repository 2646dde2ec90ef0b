#pragma once

#include <span>
#include <vector>

#include "chains/chain.h"

namespace rch::chains {

/// The combinations of steps that a chain declares: each position has its target or one of its fallbacks.
/// They come like the numbers of an odometer, the last position first: as many targets as can be stay.
class Combinations {
 public:
  /// Of a chain with more only the first ones are tried.
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

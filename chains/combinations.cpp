#include "chains/combinations.h"

#include <algorithm>

namespace rch::chains {
namespace {

StepId position_of(const StepReport& step) { return step.fallback_to.value_or(step.id); }

/// The last step whose place a declared fallback can take; the end if there is none.
std::span<const StepReport>::iterator replaceable(std::span<const StepReport> run) {
  const auto can_be_replaced = [&](const StepReport& step) {
    return step.status == StepStatus::routed && std::ranges::any_of(run, [&](const StepReport& other) {
             return other.status == StepStatus::not_needed && position_of(other) == position_of(step);
           });
  };
  const auto found = std::ranges::find_if(run.rbegin(), run.rend(), can_be_replaced);
  return found == run.rend() ? run.end() : found.base() - 1;
}

}  // namespace

bool Combinations::advance(std::span<const StepReport> run, const engines::EngineFailure& why) {
  const auto step = replaceable(run);
  if (step == run.end() || tried_ == kMost) return false;
  ++tried_;
  // Positions behind it begin again with their targets.
  std::erase_if(refused_, [&](const RefusedStep& refused) {
    const auto report = std::ranges::find(run, refused.id, &StepReport::id);
    return report > step && position_of(*report) != position_of(*step);
  });
  refused_.push_back({step->id, why});
  return true;
}

}  // namespace rch::chains

#pragma once

#include <string>
#include <vector>

#include "whatif/judge.h"

namespace rch::whatif {

/// What it means to take parts out of service on purpose, while everything else goes on.
struct Withdrawal {
  Outcome outcome{};
  /// Hosts that are cut off although they are none of the parts, as `name` (0x…), and so switches. They have
  /// to be taken out as well, or the parts stay.
  std::vector<std::string> hosts{}, switches{};
  /// Why the parts must stay, as sentences without a full stop; empty: nobody else loses anything for good.
  std::vector<std::string> objections{};
};

/// Judges it as Judge::judge() judges a failure. `whole` is the fabric of the judge's base plan.
Withdrawal judge_withdrawal(const Judge& judge, const fabric::Fabric& whole, const Failure& parts);

}  // namespace rch::whatif

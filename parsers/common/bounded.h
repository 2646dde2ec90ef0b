#pragma once

#include <cstddef>
#include <vector>

#include "base/diagnostic.h"

namespace rch::parsers {

/// Passes findings on, but at most kPerRule of each rule: a file with millions of items may be wrong in each.
class Bounded {
 public:
  static constexpr std::size_t kPerRule = 100;

  explicit Bounded(Diagnostics& out) : out_(out) {}

  /// Passes on what was reported before; what is added to the returned value follows with the next call.
  Diagnostics& next();
  /// Passes on the rest, and says in notes about `source` how many findings are left out.
  void finish(SourceId source);

 private:
  struct Count {
    const Rule* rule;
    std::size_t seen = 0;
  };

  void pass_on();
  Count& count(const Rule* rule);

  Diagnostics& out_;
  Diagnostics pending_;
  std::vector<Count> counts_;  ///< in order of first report
};

}  // namespace rch::parsers

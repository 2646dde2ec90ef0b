#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace rch::fabric {

/// Passes diagnostics on, but at most kPerRule of each kind: a file cut in half would otherwise yield one
/// finding for each of thousands of links. finish() says how many were left out.
class Reporter {
 public:
  static constexpr std::size_t kPerRule = 20;

  explicit Reporter(Diagnostics& out) : out_(out) {}

  /// The returned value may be given labels and a hint until the next call.
  Diagnostic& add(const Rule& rule, Span span, std::string message);
  void finish();
  bool failed() const { return failed_; }

 private:
  struct Count {
    const Rule* rule;
    std::size_t seen = 0;
  };

  Diagnostics& out_;
  std::vector<Count> counts_;  ///< in order of first report
  Diagnostic held_back_;
  bool failed_ = false;
};

}  // namespace rch::fabric

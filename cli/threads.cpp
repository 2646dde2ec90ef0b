#include "cli/threads.h"

#include <tbb/global_control.h>

namespace rch::cli {

/// The limit holds as long as threads may run, so nothing ends it.
void limit_threads(unsigned threads) {
  static const auto* const limit =
      new tbb::global_control(tbb::global_control::max_allowed_parallelism, threads);
  static_cast<void>(limit);
}

}  // namespace rch::cli

#pragma once

namespace rch::cli {

/// At most so many threads route and prove from now on. The first call counts: the command line comes before
/// the configuration.
void limit_threads(unsigned threads);

}  // namespace rch::cli

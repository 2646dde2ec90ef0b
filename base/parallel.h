#pragma once

#include <cstddef>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

namespace rch {

/// Calls body(begin, end) over disjoint pieces of [0, count), on all threads. Results must not depend on how
/// the range is cut; `grain` is the smallest piece worth handing out.
template <class Body>
void parallel_ranges(std::size_t count, std::size_t grain, Body&& body) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                    [&](const tbb::blocked_range<std::size_t>& r) { body(r.begin(), r.end()); });
}

/// Calls functions that do not touch each other's results, on all threads; back when all are done.
template <class... Tasks>
void parallel_tasks(Tasks&&... tasks) {
  tbb::parallel_invoke(std::forward<Tasks>(tasks)...);
}

}  // namespace rch

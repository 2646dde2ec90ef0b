#include "policy/model/ranges.h"

#include <algorithm>
#include <limits>

namespace rch::policy::qos {

Ranges::Ranges(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end());
  for (const Range& range : ranges) {
    if (ranges_.empty()) {
      ranges_.push_back(range);
      continue;
    }
    Range& last = ranges_.back();
    const bool touches =
        last.second == std::numeric_limits<std::uint64_t>::max() || range.first <= last.second + 1;
    if (touches)
      last.second = std::max(last.second, range.second);
    else
      ranges_.push_back(range);
  }
}

void Ranges::add(const Ranges& other) {
  if (other.empty()) return;
  std::vector<Range> joined = std::move(ranges_);
  joined.insert(joined.end(), other.ranges_.begin(), other.ranges_.end());
  *this = Ranges(std::move(joined));
}

/// The range that holds the number; null if none does.
const Ranges::Range* Ranges::find(std::uint64_t number) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), number,
                                      [](std::uint64_t n, const Range& range) { return n < range.first; });
  if (after == ranges_.begin()) return nullptr;
  const Range& range = *(after - 1);
  return number <= range.second ? &range : nullptr;
}

bool Ranges::contains(std::uint64_t number) const { return find(number) != nullptr; }

bool Ranges::contains(const Ranges& other) const {
  return std::all_of(other.ranges_.begin(), other.ranges_.end(), [&](const Range& range) {
    const Range* holder = find(range.first);
    return holder != nullptr && range.second <= holder->second;
  });
}

}  // namespace rch::policy::qos

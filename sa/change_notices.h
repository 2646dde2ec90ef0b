#pragma once

#include <deque>
#include <vector>

#include "hw/transport.h"
#include "sa/notice.h"

namespace rch::sa {

/// Traps 144, of ports whose capabilities changed. Who is told asks at once what has changed. So each waits
/// until the snapshot has the CapabilityMask that the newest of its port tells of, or `kPatience`.
class ChangeNotices {
 public:
  static constexpr std::chrono::seconds kPatience{5};

  /// False: it need not wait, or too many do.
  bool add(const Notice& notice, hw::TimePoint now);
  /// Those that need not wait any more, in their order.
  std::vector<Notice> take(const Snapshot& snapshot, hw::TimePoint now);
  void clear() { waiting_.clear(); }
  hw::TimePoint deadline() const;

 private:
  struct Waiting {
    Notice notice;
    hw::TimePoint due{};
  };

  bool is_shown(const Snapshot& snapshot, const Waiting& waiting) const;

  std::deque<Waiting> waiting_;
};

}  // namespace rch::sa

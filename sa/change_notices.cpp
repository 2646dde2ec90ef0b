#include "sa/change_notices.h"

#include <algorithm>
#include <utility>

namespace rch::sa {
namespace {

constexpr std::size_t kMost = 1024;
constexpr hw::Field kPortCapabilities{20, 0, 32};  // of PortInfo

}  // namespace

bool ChangeNotices::add(const Notice& notice, hw::TimePoint now) {
  if (get(notice, notice::kGeneric) == 0 || get(notice, notice::kTrapNumber) != notice::kLocalChange)
    return false;
  if (waiting_.size() == kMost) return false;
  waiting_.push_back({notice, now + kPatience});
  return true;
}

std::vector<Notice> ChangeNotices::take(const Snapshot& snapshot, hw::TimePoint now) {
  std::vector<Notice> out;
  std::deque<Waiting> still;
  for (const Waiting& waiting : waiting_)
    if (waiting.due <= now || is_shown(snapshot, waiting))
      out.push_back(waiting.notice);
    else
      still.push_back(waiting);
  waiting_ = std::move(still);
  return out;
}

hw::TimePoint ChangeNotices::deadline() const {
  return waiting_.empty() ? hw::TimePoint::max() : waiting_.front().due;
}

bool ChangeNotices::is_shown(const Snapshot& snapshot, const Waiting& waiting) const {
  const std::uint64_t lid = get(waiting.notice, notice::kChangedLid);
  const auto newest = std::find_if(waiting_.rbegin(), waiting_.rend(), [&](const Waiting& other) {
    return get(other.notice, notice::kChangedLid) == lid;
  });
  const auto port = snapshot.fabric().lid_owner(Lid(static_cast<std::uint16_t>(lid)));
  return port && get(hw::encode(snapshot.ports[port->index()]), kPortCapabilities) ==
                     get(newest->notice, notice::kNewCapabilities);
}

}  // namespace rch::sa

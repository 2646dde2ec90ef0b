#include "cli/event_log.h"

namespace rch::cli {

void EventLog::add(const Json& event) {
  const std::lock_guard lock(mutex_);
  Json numbered{{"number", first_ + lines_.size()}};
  for (const auto& [member, value] : *event.members()) numbered[member] = value;
  lines_.push_back(numbered.dump() + "\n");
  if (lines_.size() <= most_) return;
  lines_.pop_front();
  ++first_;
}

std::uint64_t EventLog::next() const {
  const std::lock_guard lock(mutex_);
  return first_ + lines_.size();
}

std::string EventLog::take(std::uint64_t& number) const {
  const std::lock_guard lock(mutex_);
  if (number < first_) {
    const Json dropped{{"from", number}, {"to", first_ - 1}};
    number = first_;
    return Json{{"dropped", dropped}}.dump() + "\n";
  }
  if (number - first_ >= lines_.size()) return {};
  return lines_[number++ - first_];
}

}  // namespace rch::cli

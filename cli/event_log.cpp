#include "cli/event_log.h"

namespace rch::cli {

std::string EventLog::add(const Json& event) {
  const std::lock_guard lock(mutex_);
  Json numbered{{"number", first_ + lines_.size()}};
  for (const auto& [member, value] : *event.members()) numbered[member] = value;
  std::string line = numbered.dump() + "\n";
  lines_.push_back(line);
  if (lines_.size() > most_) {
    lines_.pop_front();
    ++first_;
  }
  return line;
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

#include "sa/left_out.h"

namespace rch::sa {
namespace {

/// An attribute of our own: no host registers it.
constexpr Attribute kLeftOut{0xFF71};

JournalRecord record_of(const PartName& part, std::uint8_t action, bool gone) {
  return {.attribute = kLeftOut,
          .gone = gone,
          .service_level = action,
          .number = part.second.value,
          .port = part.first};
}

}  // namespace

void LeftOut::set(const LeftOutParts& parts) {
  for (const auto& [part, action] : parts_)
    if (!parts.contains(part)) changes_.push_back(record_of(part, action, true));
  for (const auto& [part, action] : parts)
    if (const auto known = parts_.find(part); known == parts_.end() || known->second != action)
      changes_.push_back(record_of(part, action, false));
  parts_ = parts;
}

void LeftOut::list(std::vector<JournalRecord>& out) const {
  for (const auto& [part, action] : parts_) out.push_back(record_of(part, action, false));
}

void LeftOut::restore(std::span<const JournalRecord> records) {
  parts_.clear();
  changes_.clear();
  for (const JournalRecord& record : records) {
    if (record.attribute != kLeftOut || record.number > 0xFF) continue;
    const PartName part{record.port, PortNum(static_cast<std::uint8_t>(record.number))};
    if (record.gone)
      parts_.erase(part);
    else
      parts_[part] = record.service_level;
  }
}

}  // namespace rch::sa

#include "sa/journal.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <xxhash.h>

#include "hw/mad.h"

namespace rch::sa {
namespace {

using hw::Field;

constexpr std::string_view kHeading = "rch registrations 1\n";

// In front of a record, in network order. The hash covers all of it and the record.
constexpr std::size_t kFrontSize = 32, kHashSize = 8;
constexpr Field kAttribute{0, 0, 16}, kGone{2, 0, 8}, kTrusted{3, 0, 8}, kServiceLevel{4, 0, 8};
constexpr Field kLength{6, 0, 16}, kNumber{8, 0, 32}, kPort{16, 0, 64};
/// In place of an attribute: the mark of a fabric stands in place of a port.
constexpr Attribute kFabric{};
/// The largest is a ServiceRecord.
constexpr std::size_t kMostBytes = 176;

std::uint64_t hash(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::span<const std::uint8_t> octets(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string_view journal_heading() { return kHeading; }

void append(std::string& journal, const JournalRecord& record) {
  std::array<std::uint8_t, kFrontSize> front{};
  const std::pair<Field, std::uint64_t> values[] = {
      {kAttribute, static_cast<std::uint64_t>(record.attribute)},
      {kGone, record.gone ? 1 : 0},
      {kTrusted, record.trusted ? 1 : 0},
      {kServiceLevel, record.service_level},
      {kLength, record.record.size()},
      {kNumber, record.number},
      {kPort, record.port.value}};
  for (const auto& [field, value] : values) hw::set(front, field, value);
  const std::size_t begin = journal.size();
  journal.append(front.begin(), front.end()).append(record.record.begin(), record.record.end());
  std::array<std::uint8_t, kHashSize> end{};
  hw::set(end, {0, 0, 64}, hash(std::string_view(journal).substr(begin)));
  journal.append(end.begin(), end.end());
}

void append_fabric(std::string& journal, std::uint64_t fabric) {
  append(journal, {.attribute = kFabric, .port = Guid(fabric)});
}

std::uint64_t journal_mark(const fabric::Fabric& fabric) {
  return std::max<std::uint64_t>(1, hash(fabric.fingerprint()));
}

JournalContent read_journal(std::string_view bytes) {
  JournalContent content;
  const std::size_t size = bytes.size();
  const auto damaged = [&](std::string_view what) {
    content.damage = fmt::format("{} at byte {}", what, size - bytes.size());
    return std::move(content);
  };
  if (!bytes.starts_with(kHeading)) return damaged("no heading of registrations");
  bytes.remove_prefix(kHeading.size());
  while (!bytes.empty()) {
    if (bytes.size() < kFrontSize) return damaged("a record ends early");
    const auto front = octets(bytes).first(kFrontSize);
    const auto length = static_cast<std::size_t>(get(front, kLength));
    const std::size_t covered = kFrontSize + length;
    if (length > kMostBytes) return damaged("a record is damaged");
    if (bytes.size() < covered + kHashSize) return damaged("a record ends early");
    if (get(octets(bytes).subspan(covered), Field{0, 0, 64}) != hash(bytes.substr(0, covered)))
      return damaged("a record is damaged");
    const auto record = octets(bytes).subspan(kFrontSize, length);
    const auto attribute = static_cast<Attribute>(get(front, kAttribute));
    if (attribute == kFabric)
      content.fabric = get(front, kPort);
    else
      content.records.push_back({.attribute = attribute,
                                 .gone = get(front, kGone) != 0,
                                 .trusted = get(front, kTrusted) != 0,
                                 .service_level = static_cast<std::uint8_t>(get(front, kServiceLevel)),
                                 .number = static_cast<std::uint32_t>(get(front, kNumber)),
                                 .port = Guid(get(front, kPort)),
                                 .record = {record.begin(), record.end()}});
    bytes.remove_prefix(covered + kHashSize);
  }
  return content;
}

}  // namespace rch::sa

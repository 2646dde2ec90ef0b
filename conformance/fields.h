#pragma once

#include "conformance/client.h"
#include "conformance/layouts.h"

namespace rch::conformance {

/// A record under construction, field by field, with its component mask.
class Fields {
 public:
  explicit Fields(const Record& record) : record_(&record), data_(record.size) {}

  Fields& set(std::string_view name, std::uint64_t value);
  Fields& set(std::string_view name, const Gid& gid);
  Fields& set(std::string_view name, std::string_view text);
  /// By the bits of another record.
  Fields& set(const Component& component, const Value& value);
  /// Selector and value.
  Fields& select(std::string_view name, unsigned selector, std::uint64_t value);
  /// The field stays, its bit of the mask goes.
  Fields& without(std::string_view name);

  Request request(std::uint8_t method, std::uint64_t key = 0) const;

 private:
  const Component& component(std::string_view name) const;

  const Record* record_;
  std::vector<std::uint8_t> data_;
  std::uint64_t mask_ = 0;
};

/// A field of up to 64 bits.
std::uint64_t number(const Record& record, std::span<const std::uint8_t> bytes, std::string_view name);
Gid gid(const Record& record, std::span<const std::uint8_t> bytes, std::string_view name);

}  // namespace rch::conformance

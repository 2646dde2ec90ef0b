#include "conformance/fields.h"

#include <algorithm>

namespace rch::conformance {
namespace {

/// `name` must be one of the record.
const Component& find(const Record& record, std::string_view name) {
  return *std::ranges::find(record.components, name, &Component::name);
}

}  // namespace

const Component& Fields::component(std::string_view name) const { return find(*record_, name); }

Fields& Fields::set(const Component& component, const Value& value) {
  set_value(data_, component, value);
  mask_ |= std::uint64_t{1} << component.number;
  return *this;
}

Fields& Fields::set(std::string_view name, std::uint64_t number) {
  const Component& at = component(name);
  Value value((at.width + 7U) / 8U);
  for (std::size_t i = value.size(); i-- > 0; number >>= 8U) value[i] = static_cast<std::uint8_t>(number);
  return set(at, value);
}

Fields& Fields::set(std::string_view name, const Gid& gid) {
  return set(component(name), {gid.begin(), gid.end()});
}

Fields& Fields::set(std::string_view name, std::string_view text) {
  const Component& at = component(name);
  Value value(text.begin(), text.end());
  value.resize(at.width / 8U);
  return set(at, value);
}

Fields& Fields::select(std::string_view name, unsigned selector, std::uint64_t value) {
  return set(std::string(name) + "Selector", std::uint64_t{selector}).set(name, value);
}

Fields& Fields::without(std::string_view name) {
  mask_ &= ~(std::uint64_t{1} << component(name).number);
  return *this;
}

Request Fields::request(std::uint8_t method, std::uint64_t key) const {
  return {.method = method,
          .attribute = record_->attribute,
          .mask = mask_,
          .data = data_,
          .modifier = 0,
          .key = key};
}

std::uint64_t number(const Record& record, std::span<const std::uint8_t> bytes, std::string_view name) {
  std::uint64_t result = 0;
  for (const std::uint8_t byte : value_of(bytes, find(record, name))) result = result << 8U | byte;
  return result;
}

Gid gid(const Record& record, std::span<const std::uint8_t> bytes, std::string_view name) {
  Gid gid{};
  std::ranges::copy(value_of(bytes, find(record, name)), gid.begin());
  return gid;
}

}  // namespace rch::conformance

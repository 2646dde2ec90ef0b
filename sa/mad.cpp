#include "sa/mad.h"

#include <algorithm>
#include <utility>

namespace rch::sa {

std::string_view name_of(Status status) {
  static constexpr std::pair<Status, std::string_view> kNames[] = {
      {Status::good, "good"},
      {Status::busy, "busy"},
      {Status::unsupported_version, "unsupported_version"},
      {Status::unsupported_method, "unsupported_method"},
      {Status::unsupported_method_attribute, "unsupported_method_attribute"},
      {Status::invalid_value, "invalid_value"},
      {Status::no_resources, "no_resources"},
      {Status::request_invalid, "request_invalid"},
      {Status::no_records, "no_records"},
      {Status::too_many_records, "too_many_records"},
      {Status::invalid_gid, "invalid_gid"},
      {Status::insufficient_components, "insufficient_components"},
      {Status::request_denied, "request_denied"},
  };
  const auto* const found = std::ranges::find(kNames, status, &std::pair<Status, std::string_view>::first);
  return found == std::ranges::end(kNames) ? "other" : found->second;
}

}  // namespace rch::sa

#include "hw/request_quota.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace rch::hw {
namespace {

/// The LID, or a hash of the ports that a directed route came by.
std::uint64_t source_of(const Datagram& request) {
  namespace h = mad_header;
  if (get(request.mad, h::kClass) != static_cast<std::uint8_t>(MadClass::directed_route)) return request.lid;
  const auto hops = std::min<std::size_t>(get(request.mad, h::kHopCount), 63);
  const std::string_view ports(reinterpret_cast<const char*>(request.mad.data()) + h::kReturnPath, hops + 1);
  return std::hash<std::string_view>()(ports) | std::uint64_t{1} << 63U;
}

}  // namespace

bool RequestQuota::admits(const Datagram& request) {
  if (admitted_ < kOfAll && ++sources_[source_of(request)] <= kOfOneSource) {
    ++admitted_;
    return true;
  }
  if (refused_.count++ == 0) refused_.first = request;
  return false;
}

std::optional<RequestsRefused> RequestQuota::on_time(TimePoint now) {
  if (now < end_) return std::nullopt;
  end_ = now + kInterval;
  admitted_ = 0;
  sources_.clear();
  const RequestsRefused refused = std::exchange(refused_, {});
  if (refused.count == 0) return std::nullopt;
  return refused;
}

}  // namespace rch::hw

#include "sa/request_rates.h"

#include <algorithm>
#include <chrono>

namespace rch::sa {

bool RequestRates::take(Guid port, std::uint32_t rate, hw::TimePoint now) {
  const double most = double{kBurstSeconds} * rate;
  const auto at = buckets_.try_emplace(port, Bucket{.tokens = most, .filled = now}).first;
  Bucket& bucket = at->second;
  const std::chrono::duration<double> passed = now - bucket.filled;
  bucket.tokens = std::min(most, bucket.tokens + passed.count() * rate);
  bucket.filled = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

bool RequestRates::is_news(Guid port, hw::TimePoint now) {
  constexpr std::chrono::seconds kQuiet{10};
  Bucket& bucket = buckets_.at(port);
  if (now < bucket.quiet_until) return false;
  bucket.quiet_until = now + kQuiet;
  return true;
}

void RequestRates::follow(const fabric::Fabric& fabric) {
  std::erase_if(buckets_, [&](const auto& bucket) { return !fabric.find_port(bucket.first); });
}

}  // namespace rch::sa

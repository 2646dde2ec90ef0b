#include "engines/dfsssp/near_channels.h"

#include <algorithm>

#include "base/parallel.h"

namespace rch::engines::dfsssp {
namespace {

constexpr std::size_t kGrain = 64;  ///< switches
constexpr std::size_t kPlane = 8;   ///< channels, a bit each

}  // namespace

NearChannels::NearChannels(const HopMatrix& hops, const common::Channels& channels)
    : hops_(hops), channels_(channels), lengths_(hops.switch_count) {
  begin_.push_back(0);
  for (std::uint32_t s = 0; s < hops.switch_count; ++s)
    begin_.push_back(begin_.back() + (channels.degree(SwitchId(s)) + 63) / 64);
  words_.resize(kWidth * begin_.back());
}

void NearChannels::find(std::span<const SwitchId> destinations) {
  destinations_.assign(destinations.begin(), destinations.end());
  const auto for_switches = [&](auto&& f) {
    parallel_ranges(hops_.switch_count, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin; s < end; ++s) f(SwitchId(static_cast<std::uint32_t>(s)));
    });
  };
  for_switches([&](SwitchId sw) {
    const std::span<const std::uint8_t> row = hops_.row(sw);
    for (std::size_t i = 0; i < destinations.size(); ++i)
      lengths_[sw.index()][i] = row[destinations[i].index()];
  });
  for_switches([&](SwitchId sw) { compare(sw); });
}

void NearChannels::compare(SwitchId sw) {
  std::array<Bytes, 256 / kPlane> planes;
  const std::size_t count = (channels_.degree(sw) + kPlane - 1) / kPlane;
  std::fill_n(planes.begin(), count, Bytes{});
  const Bytes own = lengths_[sw.index()];
  for (std::size_t place = 0; place < channels_.degree(sw); ++place) {
    const common::ChannelId c(channels_.first(sw).value + static_cast<std::uint32_t>(place));
    const Bytes& other = lengths_[channels_.to(c).index()];
    Bytes& plane = planes[place / kPlane];
    const auto bit = static_cast<std::uint8_t>(1U << (place % kPlane));
    for (std::size_t i = 0; i < kWidth; ++i) {
      plane[i] = static_cast<std::uint8_t>(plane[i] | (leads_nearer(own[i], other[i]) ? bit : 0));
    }
  }
  transpose(sw, std::span(planes).first(count));
}

void NearChannels::transpose(SwitchId sw, std::span<const Bytes> planes) {
  for (std::size_t column = 0; column < destinations_.size(); ++column)
    for (std::size_t p = 0, w = column * begin_.back() + begin_[sw.index()]; p < planes.size(); ++w) {
      words_[w] = 0;
      for (std::size_t shift = 0; shift < 64 && p < planes.size(); ++p, shift += kPlane)
        words_[w] |= std::uint64_t{planes[p][column]} << shift;
    }
}

}  // namespace rch::engines::dfsssp

#include "engines/torus_2qos/geometry.h"

#include <fmt/format.h>

namespace rch::engines::torus_2qos {

Attempt<Geometry> Geometry::create(const std::array<std::uint32_t, kDimensions>& radix,
                                   const std::array<bool, kDimensions>& wraps) {
  std::uint64_t size = 1;
  for (std::size_t d = kDimensions; d-- > 0;) {
    if (radix[d] == 0)
      return refuse("radix-invalid", fmt::format("the radix of dimension {} is 0", kAxisName[d]));
    // One index is kept free: the position that is none.
    if (radix[d] >= Position::none().value || size * radix[d] >= Position::none().value)
      return refuse("radix-invalid", fmt::format("a torus of {}x{}x{} has more positions than LIDs exist",
                                                 radix[0], radix[1], radix[2]));
    size *= radix[d];
  }

  Geometry geometry;
  geometry.radix_ = radix;
  for (std::size_t d = 0; d < kDimensions; ++d) geometry.wraps_[d] = wraps[d] && radix[d] > 2;
  geometry.stride_ = {std::size_t{radix[1]} * radix[2], radix[2], 1};

  while (geometry.trunk_ + 1 < kDimensions && radix[geometry.trunk_] == 1) ++geometry.trunk_;

  geometry.positions_.reserve(size);
  geometry.coordinates_.reserve(size);
  geometry.neighbors_.reserve(size);
  for (std::uint16_t x = 0; x < radix[0]; ++x)
    for (std::uint16_t y = 0; y < radix[1]; ++y)
      for (std::uint16_t z = 0; z < radix[2]; ++z) geometry.append({x, y, z});
  return geometry;
}

void Geometry::append(const Coordinates& c) {
  const std::size_t p = coordinates_.size();
  positions_.push_back(Position(static_cast<std::uint16_t>(p)));
  coordinates_.push_back(c);
  auto& around = neighbors_.emplace_back();
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const std::size_t first = p - c[d] * stride_[d], last = first + (radix_[d] - 1) * stride_[d];
    const auto place = [&](bool inside, std::size_t next, std::size_t across) {
      return inside || wraps_[d] ? Position(static_cast<std::uint16_t>(inside ? next : across))
                                 : Position::none();
    };
    around[minus(d).index()] = place(p > first, p - stride_[d], last);
    around[plus(d).index()] = place(p < last, p + stride_[d], first);
  }
}

bool Geometry::crosses_dateline(std::size_t d, std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t direct = from < to ? to - from : from - to;
  return wraps_[d] && radix_[d] - direct < direct;
}

std::string Geometry::name(Position p) const {
  const Coordinates& c = coordinates(p);
  return fmt::format("({},{},{})", c[0], c[1], c[2]);
}

std::string Geometry::name() const {
  std::string text;
  for (std::size_t d = 0; d < kDimensions; ++d)
    text += fmt::format("{}{}{}", d > 0 ? "x" : "", radix_[d], radix_[d] > 2 && !wraps_[d] ? "m" : "");
  return text;
}

}  // namespace rch::engines::torus_2qos

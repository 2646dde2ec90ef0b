#include "engines/torus_2qos/lattice.h"

#include <fmt/format.h>

namespace rch::engines::torus_2qos {

Attempt<Lattice> Lattice::create(const std::array<std::uint32_t, kDimensions>& radix,
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

  Lattice lattice;
  lattice.radix_ = radix;
  for (std::size_t d = 0; d < kDimensions; ++d) lattice.looped_[d] = wraps[d] && radix[d] > 2;
  lattice.stride_ = {std::size_t{radix[1]} * radix[2], radix[2], 1};

  lattice.coordinates_.resize(size);
  lattice.neighbors_.resize(size);
  for (std::size_t p = 0; p < size; ++p) {
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const std::size_t n = radix[d];
      const std::size_t stride = lattice.stride_[d];
      const std::size_t c = p / stride % n;
      lattice.coordinates_[p][d] = static_cast<std::uint16_t>(c);
      const auto place = [&](bool exists, std::size_t to) {
        return exists ? Position(static_cast<std::uint16_t>(p + to * stride - c * stride)) : Position::none();
      };
      lattice.neighbors_[p][down(d).index()] = place(c > 0 || lattice.looped_[d], (c + n - 1) % n);
      lattice.neighbors_[p][up(d).index()] = place(c + 1 < n || lattice.looped_[d], (c + 1) % n);
    }
  }
  return lattice;
}

Direction Lattice::direction(Position from, Position to) const {
  const auto& around = neighbors_[from.index()];
  for (std::uint8_t way = 0; way < kDirections; ++way)
    if (around[way] == to) return Direction(way);
  return Direction::none();
}

bool Lattice::crosses(std::size_t d, std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t direct = from < to ? to - from : from - to;
  return looped_[d] && radix_[d] - direct < direct;
}

std::string Lattice::name(Position p) const {
  const Coordinates& c = coordinates(p);
  return fmt::format("({},{},{})", c[0], c[1], c[2]);
}

std::string Lattice::name() const {
  std::string text;
  for (std::size_t d = 0; d < kDimensions; ++d)
    text += fmt::format("{}{}{}", d > 0 ? "x" : "", radix_[d], radix_[d] > 2 && !looped_[d] ? "m" : "");
  return text;
}

}  // namespace rch::engines::torus_2qos

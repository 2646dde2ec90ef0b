#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace rch::verify {

/// Service levels that hosts were given for their paths, by whatever subnet administration: one for each pair
/// of a source port and a LID. They take the place of the rules of the steps.
class GivenSls {
 public:
  static constexpr std::uint8_t kUnknown = 0xFF;

  /// `ports`: of the fabric. Nothing is given yet.
  explicit GivenSls(std::size_t ports) : row_of_(ports, kNoRow) {}

  /// `levels`: by LID, each below 16 or kUnknown. A further call for the same port replaces them.
  void set(PortId source, std::vector<std::uint8_t> levels) {
    for (const std::uint8_t sl : levels)
      if (sl != kUnknown) all_ = static_cast<std::uint16_t>(all_ | 1U << sl);
    std::uint32_t& row = row_of_[source.index()];
    if (row == kNoRow) {
      row = static_cast<std::uint32_t>(rows_.size());
      rows_.emplace_back();
    }
    rows_[row] = std::move(levels);
  }

  bool knows(PortId source, Lid to) const { return level(source, to) != kUnknown; }
  /// 0 where nothing was given: hosts without a path record send at that.
  std::uint8_t at(PortId source, Lid to) const {
    const std::uint8_t sl = level(source, to);
    return sl == kUnknown ? std::uint8_t{0} : sl;
  }
  /// Bit n: some path has SL n.
  std::uint16_t all() const { return all_; }

 private:
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  std::uint8_t level(PortId source, Lid to) const {
    const std::uint32_t row = row_of_[source.index()];
    return row == kNoRow || to.index() >= rows_[row].size() ? kUnknown : rows_[row][to.index()];
  }

  std::vector<std::uint32_t> row_of_;  ///< by PortId
  std::vector<std::vector<std::uint8_t>> rows_;
  std::uint16_t all_ = 1;  ///< SL 0 where nothing is known
};

}  // namespace rch::verify

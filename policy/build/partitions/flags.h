#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "parsers/partitions/partitions.h"

namespace rch::policy::partitions {

using parsers::partitions::Flag;
using parsers::partitions::FlagKind;

/// The flags of a statement or of a multicast group; of repeated ones the last.
class FlagSet {
 public:
  explicit FlagSet(std::span<const Flag> flags) : flags_(flags) {
    for (const Flag& flag : flags) {
      last_[static_cast<std::size_t>(flag.kind)] = &flag;
      if (flag.kind == FlagKind::scope) scopes_ = static_cast<std::uint16_t>(scopes_ | 1U << flag.value);
    }
  }

  /// Null if it is not given.
  const Flag* find(FlagKind kind) const { return last_[static_cast<std::size_t>(kind)]; }
  std::uint32_t value(FlagKind kind, std::uint32_t otherwise) const {
    return find(kind) != nullptr ? find(kind)->value : otherwise;
  }
  std::uint16_t scopes() const { return scopes_; }  ///< a bit for each
  std::span<const Flag> all() const { return flags_; }

 private:
  std::span<const Flag> flags_;
  std::array<const Flag*, static_cast<std::size_t>(FlagKind::indx0) + 1> last_{};
  std::uint16_t scopes_ = 0;
};

}  // namespace rch::policy::partitions

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "parsers/partitions/keywords.h"

namespace rch::parsers::partitions {

/// A flag as written.
struct RawFlag {
  Piece comma, name, equals, value;

  /// From the name to the value.
  Piece whole() const;
};

/// Collects the flags of a header or group, and reads them when it is clear that they are some.
class FlagReader {
 public:
  FlagReader(Text& text, Syntax& syntax) : text_(text), syntax_(syntax) {}

  void add(const RawFlag& flag) { raw_.push_back(flag); }
  std::span<const RawFlag> raw() const { return raw_; }
  void drop() { raw_.clear(); }

  struct Taken {
    Range flags;
    bool all = true;  ///< false: some were reported and left out
  };
  /// Appends what was collected to the syntax. `words` are those that may stand here.
  Taken take(std::span<const Word> words);

 private:
  std::optional<Flag> read(const RawFlag& flag, std::span<const Word> words);
  std::optional<FlagKind> read_kind(const RawFlag& flag, std::span<const Word> words);
  std::optional<std::uint32_t> read_value(const RawFlag& flag, FlagKind kind);
  void report_empty(const RawFlag& flag);
  void report_unknown(const RawFlag& flag, std::span<const Word> words);
  void check_repeated(const Flag& flag, std::uint32_t first);

  Text& text_;
  Syntax& syntax_;
  std::vector<RawFlag> raw_;
};

}  // namespace rch::parsers::partitions

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers::torus_conf {

/// `torus 6 5t 1m`: radices, and whether each dimension is a loop after suffixes.
struct Size {
  std::array<Number, 3> radix;
  std::array<bool, 3> wraps;
};
/// `xp_link FROM TO`; `axis` 0..2 is x..z.
struct Link {
  std::uint8_t axis = 0;
  bool plus = true;
  Guid from, to;
  Span from_span, to_span;
};
/// `x_dateline N`.
struct Dateline {
  std::uint8_t axis = 0;
  std::int32_t value = 0;
  Span value_span;
};
struct NextSeed {};
struct PortgroupMaxPorts {
  Number count;
};
struct MaxChanges {
  Number count;
};
struct PortOrder {
  std::vector<Number> ports;
};

/// What a keyword states.
enum class Kind : std::uint8_t { size, link, dateline, next_seed, setting };

/// What a line says; `std::monostate` if it cannot be used, which was reported.
using Meaning =
    std::variant<std::monostate, Size, Link, Dateline, NextSeed, PortgroupMaxPorts, MaxChanges, PortOrder>;

struct Statement {
  Token keyword;
  Kind kind = Kind::setting;  ///< of the keyword, or of the one that a misspelt keyword resembles
  Meaning what;
};

/// A keyword: the only place where it is named.
struct Keyword {
  std::string_view word;
  Kind kind;
  std::size_t least, most;  ///< arguments
  std::string_view usage;   ///< of the arguments
  /// Reads the arguments; std::monostate, reported, if one does not fit.
  Meaning (*read)(std::span<const Token> arguments, Diagnostics& diagnostics);
};
std::span<const Keyword> keywords();

/// A torus-2QoS.conf, in file order (torus-2QoS.conf(5)). What the statements mean together is not checked
/// here.
struct Syntax {
  std::vector<Statement> statements;
};

/// Reads the file; each bad line costs itself only.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::torus_conf

#pragma once

#include <array>
#include <cstdint>
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

struct Statement {
  Token keyword;
  /// Absent arguments: `std::monostate` stands for a statement that was reported and cannot be used.
  std::variant<std::monostate, Size, Link, Dateline, NextSeed, PortgroupMaxPorts, MaxChanges, PortOrder> what;
};

/// A torus-2QoS.conf, in file order (config-files 5). What the statements mean together is not checked here.
struct Syntax {
  std::vector<Statement> statements;
};

/// Reads the file; each bad line costs itself only.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::torus_conf

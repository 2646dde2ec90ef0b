#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers::assertions {

/// Words that name ports, such as `node:host1`; their union counts.
using Points = std::vector<Token>;

/// No port of the one exchanges packets with a port of the other.
struct Isolated {
  static constexpr std::string_view kName = "isolated";
  Points a, b;
};
/// Each port of the one has a path to each LID of the other, through so many switches at most.
struct Reaches {
  static constexpr std::string_view kName = "reaches";
  Points from, to;
  std::optional<Number> hops{};
};
/// The entries for these ports are of an engine, or of a step.
struct Routed {
  static constexpr std::string_view kName = "routed";
  Points to;
  std::optional<Token> engine{};
  std::optional<Number> step{};
};
/// Whoever made the tables routed all of them with this engine.
struct RoutedBy {
  static constexpr std::string_view kName = "engine";
  Token engine;
};
/// Ranks are counted from these switches, and from no others.
struct Roots {
  static constexpr std::string_view kName = "roots";
  Points switches;
};
/// Each of these switches is so many ranks below the roots.
struct RankIs {
  static constexpr std::string_view kName = "rank";
  Points of;
  std::optional<Number> is{};
};
/// Whatever cable between switches, or whatever switch, fails: cables still join the ports.
struct Survives {
  static constexpr std::string_view kName = "survives";
  enum class Part { cable, sw } part = Part::cable;
  Points between{};  ///< empty: all
};
/// If all hosts send to all LIDs, no link has more flows.
struct LinkLoad {
  static constexpr std::string_view kName = "link_load";
  Number most;
};
/// All paths have the service levels that another plan gives them.
struct SameSls {
  static constexpr std::string_view kName = "same_sls";
  Token plan;
};
/// The tables are proven (docs/verify.md).
struct Proven {
  static constexpr std::string_view kName = "proven";
};

using Assertion =
    std::variant<Isolated, Reaches, Routed, RoutedBy, Roots, RankIs, Survives, LinkLoad, SameSls, Proven>;

/// A test: one assertion.
struct Test {
  std::string name;  ///< as given, else the assertion and its number in the file
  Span span;
  Assertion what;
};

/// A file of assertions (docs/assertions.md).
struct File {
  std::map<std::string, Points> groups;  ///< what `group:NAME` stands for
  std::vector<Test> tests;               ///< in file order
};

/// Every mistake is in `diagnostics`, as an error; then the result is of no use.
File parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// The same of the groups alone: a file for commands that judge nothing, which may have tests.
File parse_groups(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// `isolated`, `reaches`…
std::string_view name_of(const Assertion& assertion);

}  // namespace rch::parsers::assertions

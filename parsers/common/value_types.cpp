#include "parsers/common/value_types.h"

#include <fmt/format.h>

#include "parsers/rules.h"

namespace rch::parsers {

std::optional<Token> read_name(const Value& value, Diagnostics& diagnostics) {
  const std::size_t bad = value.text().find_first_of(",;=@");
  if (bad == std::string::npos) return value.token();
  diagnostics.add(kBadValue, value.span(bad, bad + 1),
                  fmt::format("expected one name, saw `{}` in it", value.text()[bad]));
  return std::nullopt;
}

std::optional<Token> read_text(const Value& value, Diagnostics&) { return value.token(); }

std::optional<Number> read_one_number(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  return read_number(value.token(), kind, diagnostics);
}

}  // namespace rch::parsers

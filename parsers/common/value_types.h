#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "parsers/common/numbers.h"
#include "parsers/common/value.h"

namespace rch::parsers {

/// Where a value may go on in the next line, and end before the end of its line, in a dialect of
/// Scanner::words.
enum class Form : std::uint8_t {
  text,       ///< free text, one line
  name,       ///< one name, one line
  names,      ///< a list of names
  numbers,    ///< a number or a list of numbers, ranges or pairs
  statement,  ///< a whole line with a colon in it
};

/// How the value of a keyword is written, and what reads it.
template <class Read>
struct ValueType {
  std::string_view name;  ///< for the documentation: `name of a group`
  Form form;
  /// `std::optional<T>(const Value&, Diagnostics&)`, or with the `const NumberKind&` of the keyword in
  /// between. Nothing, reported, if the value does not fit.
  Read read;
  bool may_be_empty = false;
  bool own_colons = false;  ///< the value's own grammar reads colons
};
template <class Read>
ValueType(std::string_view, Form, Read, bool = false, bool = false) -> ValueType<Read>;

/// One name: no `,`, `;`, `=`, `@` (docs/keywords.md).
std::optional<Token> read_name(const Value& value, Diagnostics& diagnostics);
std::optional<Token> read_text(const Value& value, Diagnostics& diagnostics);
std::optional<Number> read_one_number(const Value& value, const NumberKind& kind, Diagnostics& diagnostics);

inline constexpr ValueType kName{"name", Form::name, read_name};
inline constexpr ValueType kText{"text", Form::text, read_text};
inline constexpr ValueType kTextOrNothing{"text", Form::text, read_text, true};
inline constexpr ValueType kNumber{"number", Form::numbers, read_one_number};

}  // namespace rch::parsers

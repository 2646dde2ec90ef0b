#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "parsers/common/value_types.h"

namespace rch::parsers {

/// What the syntax tree says of every block.
struct Block {
  Span span;                ///< its keyword
  bool lines_read = true;   ///< false: a line of it is no definition, which was reported
  bool values_read = true;  ///< false: the value of a keyword is unreadable, which was reported

  bool complete() const { return lines_read && values_read; }
};

/// How often a keyword may stand in one block.
enum class Occurs : std::uint8_t {
  once,       ///< a second one is an error
  required,   ///< once, and never absent
  last_wins,  ///< a second one is a warning
  freely,
};

/// A keyword of a block: the only place where it is named. Parser, hints, checks and docs/keywords.md follow.
struct Keyword {
  std::string_view word;  ///< of a statement: what the documentation calls it
  Occurs occurs;
  NumberKind limits;      ///< of a number
  std::string_view type;  ///< this and the next three as in ValueType
  Form form;
  bool may_be_empty;
  bool own_colons;
  /// Reads a value into the block's field. False, reported, if it does not fit.
  bool (*store)(Block& block, const Value& value, const NumberKind& limits, Diagnostics& diagnostics);
  const void* owner;  ///< tag of the type of block; null: of any
};

/// Its address tells one type of block from another.
template <class T>
inline constexpr char kTypeTag = 0;

namespace detail {

template <class Owner, class Field>
Owner owner_of(Field Owner::*);

template <const auto& type>
auto read(const Value& value, const NumberKind& limits, Diagnostics& diagnostics) {
  if constexpr (std::invocable<decltype(type.read), const Value&, Diagnostics&>)
    return type.read(value, diagnostics);
  else
    return type.read(value, limits, diagnostics);
}

template <class T>
void put(std::optional<T>& field, T&& read) {
  field = std::move(read);
}
inline void put(std::string& field, Token&& read) { field = std::move(read.text); }
template <class T>
void put(std::vector<T>& field, T&& read) {
  field.push_back(std::move(read));
}
template <class T>
void put(std::vector<T>& field, std::vector<T>&& read) {
  std::move(read.begin(), read.end(), std::back_inserter(field));
}

template <auto field, const auto& type>
bool store(Block& block, const Value& value, const NumberKind& limits, Diagnostics& diagnostics) {
  auto read = detail::read<type>(value, limits, diagnostics);
  if (!read) return false;
  put(static_cast<decltype(owner_of(field))&>(block).*field, std::move(*read));
  return true;
}

template <const auto& type>
bool check(Block&, const Value& value, const NumberKind& limits, Diagnostics& diagnostics) {
  return bool(detail::read<type>(value, limits, diagnostics));
}

}  // namespace detail

/// A keyword whose value goes to a field: `keyword<&Topology::id, kNumber>("id", Occurs::required, {…})`.
template <auto field, const auto& type>
constexpr Keyword keyword(std::string_view word, Occurs occurs = Occurs::once, NumberKind limits = {}) {
  return {word,
          occurs,
          limits,
          type.name,
          type.form,
          type.may_be_empty,
          type.own_colons,
          &detail::store<field, type>,
          &kTypeTag<decltype(detail::owner_of(field))>};
}

/// A keyword whose value is checked and has no effect.
template <const auto& type>
constexpr Keyword checked(std::string_view word, Occurs occurs = Occurs::once, NumberKind limits = {}) {
  return {
      word,   occurs, limits, type.name, type.form, type.may_be_empty, type.own_colons, &detail::check<type>,
      nullptr};
}

}  // namespace rch::parsers

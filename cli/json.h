#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rch::cli {

/// A JSON document under construction. Members of objects keep the order in which they were added.
/// The library that writes it is included by json.cpp only.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  ///< null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  template <std::signed_integral T>
  Json(T value) : value_(std::int64_t{value}) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value) : value_(std::uint64_t{value}) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  template <class T>
  Json(const std::vector<T>& values) : value_(Array(values.begin(), values.end())) {}
  /// `{{"a", 1}, {"b", 2}}` is an object: every element is a pair that begins with a string. Other lists are
  /// arrays.
  Json(std::initializer_list<Json> list);

  /// A text that holds one document. None: it is no JSON, or nested too deeply.
  static std::optional<Json> parse(std::string_view text);

  /// The first name that two members of one object of a document have; empty: there is none.
  static std::string repeated_member(std::string_view text);

  /// An array whatever its elements are.
  static Json array(std::initializer_list<Json> list = {});
  static Json object();

  /// Makes an array of null.
  void push_back(Json element);
  /// The member of this name, added if there is none. Makes an object of null.
  Json& operator[](std::string_view key);
  /// The last element of an array.
  Json& back() { return std::get<Array>(value_).back(); }

  /// Null, or a structure without elements.
  bool empty() const;
  bool is_structured() const { return elements() != nullptr || members() != nullptr; }
  /// Null if there is no such member.
  const Json* find(std::string_view key) const;
  /// The member that is a whole number from 0. None: there is no such one.
  std::optional<std::uint64_t> number(std::string_view key) const;
  /// The member that is text; empty: there is no such one.
  std::string text(std::string_view key) const;
  /// The elements of the member that is an array; none if there is no such one.
  const Array& list(std::string_view key) const;
  /// Null if this is no array.
  const Array* elements() const { return std::get_if<Array>(&value_); }
  /// Null if this is no object.
  const Object* members() const { return std::get_if<Object>(&value_); }
  /// Null if this is no string.
  const std::string* string() const { return std::get_if<std::string>(&value_); }

  /// The document as text; on one line without `indent`. Bytes that are no UTF-8 are replaced.
  std::string dump(int indent = -1) const;

 private:
  friend struct JsonWriter;
  std::variant<std::monostate, bool, double, std::int64_t, std::uint64_t, std::string, Array, Object> value_;
};

}  // namespace rch::cli

#include "cli/json.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

namespace rch::cli {

using nlohmann::ordered_json;

struct JsonWriter {
  static ordered_json convert(const Json& json) { return std::visit(JsonWriter{}, json.value_); }

  ordered_json operator()(std::monostate) const { return nullptr; }
  ordered_json operator()(const Json::Array& elements) const {
    ordered_json out = ordered_json::array();
    for (const Json& element : elements) out.push_back(convert(element));
    return out;
  }
  ordered_json operator()(const Json::Object& members) const {
    ordered_json out = ordered_json::object();
    for (const auto& [key, member] : members) out[key] = convert(member);
    return out;
  }
  template <class Scalar>
  ordered_json operator()(const Scalar& value) const {
    return value;
  }
};

Json::Json(std::initializer_list<Json> list) {
  const bool is_object = std::ranges::all_of(list, [](const Json& pair) {
    return pair.elements() != nullptr && pair.elements()->size() == 2 &&
           pair.elements()->front().string() != nullptr;
  });
  if (!is_object) {
    value_ = Array(list);
    return;
  }
  Object members;
  for (const Json& pair : list)
    members.emplace_back(*pair.elements()->front().string(), pair.elements()->back());
  value_ = std::move(members);
}

Json Json::array(std::initializer_list<Json> list) {
  Json json;
  json.value_ = Array(list);
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object();
  return json;
}

void Json::push_back(Json element) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Array();
  std::get<Array>(value_).push_back(std::move(element));
}

const Json* Json::find(std::string_view key) const {
  if (members() == nullptr) return nullptr;
  const auto at = std::ranges::find(*members(), key, &Object::value_type::first);
  return at != members()->end() ? &at->second : nullptr;
}

std::optional<std::uint64_t> Json::number(std::string_view key) const {
  const Json* member = find(key);
  const auto* number = member != nullptr ? std::get_if<std::uint64_t>(&member->value_) : nullptr;
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::string Json::text(std::string_view key) const {
  const Json* member = find(key);
  return member != nullptr && member->string() != nullptr ? *member->string() : std::string();
}

const Json::Array& Json::list(std::string_view key) const {
  static const Array kNone;
  const Json* member = find(key);
  return member != nullptr && member->elements() != nullptr ? *member->elements() : kNone;
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Object();
  if (const Json* member = find(key)) return const_cast<Json&>(*member);
  return std::get<Object>(value_).emplace_back(std::string(key), Json()).second;
}

bool Json::empty() const {
  if (const Array* array = elements()) return array->empty();
  if (const Object* object = members()) return object->empty();
  return std::holds_alternative<std::monostate>(value_);
}

std::string Json::dump(int indent) const {
  return JsonWriter::convert(*this).dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

namespace {

using Parsed = nlohmann::ordered_json;
/// Deeper documents are nothing that rch is sent.
constexpr int kDeepest = 16;

Json converted(const Parsed& value) {
  Json out;
  switch (value.type()) {
    case Parsed::value_t::object:
      out = Json::object();
      for (const auto& [key, member] : value.items()) out[key] = converted(member);
      return out;
    case Parsed::value_t::array:
      out = Json::array();
      for (const Parsed& element : value) out.push_back(converted(element));
      return out;
    case Parsed::value_t::string:
      return value.get<std::string>();
    case Parsed::value_t::boolean:
      return value.get<bool>();
    case Parsed::value_t::number_integer:
      return value.get<std::int64_t>();
    case Parsed::value_t::number_unsigned:
      return value.get<std::uint64_t>();
    case Parsed::value_t::number_float:
      return value.get<double>();
    default:
      return out;
  }
}

}  // namespace

std::optional<Json> Json::parse(std::string_view text) {
  bool too_deep = false;
  const auto bound = [&](int depth, Parsed::parse_event_t, Parsed&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  const Parsed parsed = Parsed::parse(text, bound, false);
  if (too_deep || parsed.is_discarded()) return std::nullopt;
  return converted(parsed);
}

std::string Json::repeated_member(std::string_view text) {
  using Event = Parsed::parse_event_t;
  std::string repeated;
  std::vector<std::set<std::string>> open;  ///< names of the objects that have begun
  const auto note = [&](int /*depth*/, Event event, const Parsed& value) {
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key && !open.back().insert(value.get<std::string>()).second && repeated.empty())
      repeated = value.get<std::string>();
    return true;
  };
  std::ignore = Parsed::parse(text, note, false);
  return repeated;
}

}  // namespace rch::cli

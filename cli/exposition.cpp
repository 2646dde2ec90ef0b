#include "cli/exposition.h"

#include <iterator>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::cli {
namespace {

/// The value of a label between its quotation marks.
void append_escaped(std::string& text, std::string_view value) {
  for (const char c : printable(value)) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
}

}  // namespace

std::string_view name_of(MetricType type) {
  constexpr std::string_view kNames[] = {"counter", "gauge", "summary"};
  return kNames[static_cast<std::size_t>(type)];
}

void Exposition::family(const MetricFamily& family) {
  name_ = family.name;
  fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n# TYPE {} {}\n", name_, family.help, name_,
                 name_of(family.type));
}

void Exposition::sample(double value, Labels its_labels, std::string_view suffix) {
  open(suffix);
  labels(its_labels);
  close(value);
}

void Exposition::sample(std::string_view its_labels, std::uint64_t value) {
  text_ += name_;
  text_ += its_labels;
  const fmt::format_int digits(value);
  text_.append(digits.data(), digits.size());
  text_ += '\n';
}

void Exposition::open(std::string_view suffix) {
  text_ += name_;
  text_ += suffix;
  before_label_ = '{';
}

void Exposition::labels(Labels labels) {
  for (const auto& [label, its_value] : labels) {
    text_ += std::exchange(before_label_, ',');
    text_ += label;
    text_ += "=\"";
    append_escaped(text_, its_value);
    text_ += '"';
  }
}

void Exposition::close(double value) {
  if (before_label_ == ',') text_ += '}';
  fmt::format_to(std::back_inserter(text_), " {}\n", value);
}

}  // namespace rch::cli

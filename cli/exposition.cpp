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

std::string head_of(const MetricFamily& family) {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", family.name, family.help, family.name,
                     name_of(family.type));
}

void Exposition::family(const MetricFamily& family) {
  name_ = family.name;
  text_ += head_of(family);
}

void Exposition::sample(double value, Labels its_labels, std::string_view suffix) {
  open(suffix);
  labels(its_labels);
  close(value);
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

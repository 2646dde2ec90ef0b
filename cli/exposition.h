#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace rch::cli {

enum class MetricType { counter, gauge, summary };

/// One name of a metric, as Prometheus wants it told. Names and units follow its conventions: base units,
/// `_total` for counters.
struct MetricFamily {
  std::string_view name;
  MetricType type;
  std::string_view help;
};

std::string_view name_of(MetricType type);
/// What stands before the samples of a family.
std::string head_of(const MetricFamily& family);

/// A page in the text format of Prometheus, version 0.0.4: family by family, each with its samples.
class Exposition {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// The samples that follow are of this family.
  void family(const MetricFamily& family);
  /// `suffix`: `_sum` or `_count` of a summary.
  void sample(double value, Labels labels = {}, std::string_view suffix = {});
  // A sample in parts.
  void open(std::string_view suffix = {});
  void labels(Labels labels);
  void close(double value);
  /// The samples that follow are of this family, whose head is elsewhere.
  void same_family(std::string_view name) { name_ = name; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string_view name_;
  char before_label_ = '{';
};

}  // namespace rch::cli

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers {

/// What is said of a kind of YAML file.
struct YamlRules {
  std::string_view kind;  ///< such as `rch.yaml`
  const Rule& no_yaml;
  const Rule& unknown_key;
  const Rule& repeated_key;
  const Rule& wrong_shape;
};

/// Reads parts of a YAML text. What is wrong with a part is reported, and the part left out.
class YamlReader {
 public:
  /// One key of a map and what reads its value.
  struct Key {
    std::string_view name;
    std::function<void(const YAML::Node&)> read;
  };

  /// `begin` is where the text stands in its file.
  YamlReader(std::string_view text, std::size_t begin, SourceId source, const YamlRules& rules,
             Diagnostics& diagnostics)
      : text_(text), begin_(begin), source_(source), rules_(rules), diagnostics_(diagnostics) {}

  Span at(const YAML::Mark& mark, std::size_t length = 1) const;
  Span at(const YAML::Node& node) const { return at(node.Mark()); }
  SourceId source() const { return source_; }
  Diagnostics& diagnostics() { return diagnostics_; }

  /// A scalar with the place of its characters, quotes left out.
  std::optional<Token> word(const YAML::Node& node);
  /// A list of scalars; one scalar is a list of one.
  std::vector<Token> words(const YAML::Node& node);
  /// Reads the members of a map, each key once.
  void each(const YAML::Node& node, const std::function<void(const Token&, const YAML::Node&)>& read);
  /// The same, where all keys are known.
  void keys(const YAML::Node& node, const std::vector<Key>& known);
  /// Reports that another shape is expected, such as `a map`.
  void wrong_shape(const YAML::Node& node, std::string_view expected);

 private:
  std::string_view text_;
  std::size_t begin_;
  SourceId source_;
  const YamlRules& rules_;
  Diagnostics& diagnostics_;
};

/// Calls read() with the root of a text of one document. What is not YAML ends the reading with one
/// diagnostic.
void read_yaml(const SourceSet& sources, SourceId source, const YamlRules& rules, Diagnostics& diagnostics,
               const std::function<void(YamlReader&, const YAML::Node&)>& read);

}  // namespace rch::parsers

#include "parsers/rch_yaml/rch_yaml.h"

#include <optional>
#include <string>

#include "parsers/common/yaml.h"
#include "parsers/rch_yaml/rules.h"

namespace rch::parsers::rch_yaml {
namespace {

constexpr YamlRules kYaml{"rch.yaml", kBadYaml, kUnknownKey, kRepeatedKey, kWrongShape};

class Reader {
 public:
  explicit Reader(YamlReader& yaml) : yaml_(yaml) {}

  Syntax read(const YAML::Node& root) && {
    if (root.IsNull()) return {};
    yaml_.keys(root,
               {{"config", [this](const auto& n) { syntax_.config = yaml_.word(n); }},
                {"options", [this](const auto& n) { read_options(n); }},
                {"routing",
                 [this](const auto& n) {
                   yaml_.keys(n, {{"mode", [this](const auto& mode) { syntax_.mode = yaml_.word(mode); }}});
                 }},
                {"security",
                 [this](const auto& n) {
                   yaml_.keys(n, {{"profile",
                                   [this](const auto& profile) { syntax_.profile = yaml_.word(profile); }}});
                 }},
                {"lint", [this](const auto& n) { read_lint(n); }},
                {"verify", [this](const auto& n) { read_verify(n); }},
                {"quarantine", [this](const auto& n) { read_quarantine(n); }}});
    return std::move(syntax_);
  }

 private:
  void read_lint(const YAML::Node& node) {
    yaml_.keys(node, {{"compat", [this](const auto& n) { syntax_.compat = yaml_.word(n); }},
                      {"strict", [this](const auto& n) { syntax_.strict = yaml_.word(n); }},
                      {"rules", [this](const auto& n) {
                         yaml_.each(n, [this](const Token& name, const YAML::Node& value) {
                           if (auto grade = yaml_.word(value))
                             syntax_.grades.push_back({name, std::move(*grade)});
                         });
                       }}});
  }

  void read_verify(const YAML::Node& node) {
    yaml_.keys(node, {{"accept", [this](const auto& n) { syntax_.accept = yaml_.words(n); }}});
  }

  void read_quarantine(const YAML::Node& node) {
    const auto into = [this](std::optional<Token>& knob) {
      return [this, &knob](const YAML::Node& n) { knob = yaml_.word(n); };
    };
    yaml_.keys(node, {{"trap_hold_down", into(syntax_.trap_hold_down)},
                      {"timeout_limit", into(syntax_.timeout_limit)},
                      {"error_threshold", into(syntax_.error_threshold)},
                      {"bounces", into(syntax_.bounces)},
                      {"period", into(syntax_.period)}});
  }

  void read_options(const YAML::Node& node) {
    syntax_.options.source = yaml_.source();
    syntax_.options.for_rch = true;
    yaml_.each(node, [this](const Token& name, const YAML::Node& value) {
      if (auto text = option_value(value)) syntax_.options.options.push_back({name, std::move(*text)});
    });
  }

  /// In the words of opensm.conf: TRUE and FALSE, lists with commas, `(null)`.
  std::optional<Token> option_value(const YAML::Node& node) {
    if (node.IsSequence()) {
      const std::vector<Token> list = yaml_.words(node);
      if (list.size() != node.size()) return std::nullopt;
      if (list.empty()) return Token{"(null)", yaml_.at(node)};
      Token joined = list.front();
      for (std::size_t i = 1; i < list.size(); ++i) joined.text += "," + list[i].text;
      joined.span.end = list.back().span.end;
      return joined;
    }
    if (node.IsNull()) return Token{"(null)", yaml_.at(node)};
    auto value = yaml_.word(node);
    if (value && (value->text == "true" || value->text == "false"))
      value->text = value->text == "true" ? "TRUE" : "FALSE";
    return value;
  }

  YamlReader& yaml_;
  Syntax syntax_;
};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Syntax syntax;
  read_yaml(sources, source, kYaml, diagnostics,
            [&](YamlReader& yaml, const YAML::Node& root) { syntax = Reader(yaml).read(root); });
  return syntax;
}

}  // namespace rch::parsers::rch_yaml

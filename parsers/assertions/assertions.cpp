#include "parsers/assertions/assertions.h"

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/assertions/rules.h"
#include "parsers/common/yaml.h"

namespace rch::parsers::assertions {
namespace {

constexpr YamlRules kYaml{"file of assertions", kNoYaml, kUnknownKey, kRepeatedKey, kWrongShape};

class Reader {
 public:
  explicit Reader(YamlReader& yaml) : yaml_(yaml) {}

  /// `needed`: the key without which the file says nothing.
  File read(const YAML::Node& root, std::string_view needed) && {
    yaml_.keys(root, {{"groups", [this](const auto& n) { read_groups(n); }},
                      {"tests", [this](const auto& n) { read_tests(n); }}});
    const bool is_empty = needed == "tests" ? file_.tests.empty() : file_.groups.empty();
    if (is_empty && !yaml_.diagnostics().has_errors())
      incomplete(yaml_.at(root), fmt::format("the file has no `{}`", needed));
    return std::move(file_);
  }

 private:
  void incomplete(Span span, std::string message) {
    yaml_.diagnostics().add(kIncomplete, span, std::move(message));
  }

  void read_groups(const YAML::Node& node) {
    yaml_.each(node, [&](const Token& name, const YAML::Node& value) {
      file_.groups[name.text] = points(value, fmt::format("group `{}`", name.text));
    });
  }

  void read_tests(const YAML::Node& node) {
    if (!node.IsSequence()) return yaml_.wrong_shape(node, "a list of tests");
    for (const YAML::Node& test : node) read_test(test);
  }

  void read_test(const YAML::Node& node) {
    std::optional<Token> name;
    std::optional<Assertion> what;
    Span first;
    const auto as = [&](std::string_view key, auto read) {
      return YamlReader::Key{key, [&, read](const YAML::Node& value) {
                               if (what)
                                 yaml_.diagnostics()
                                     .add(kRepeatedKey, yaml_.at(value), "a second assertion in one test")
                                     .labels.push_back({first, "the first one"});
                               first = yaml_.at(value);
                               what = read(value);
                             }};
    };
    const std::size_t before = yaml_.diagnostics().count(Severity::error);
    yaml_.keys(node,
               {{"name", [&](const auto& n) { name = yaml_.word(n); }},
                as(Isolated::kName, [this](const auto& n) { return isolated(n); }),
                as(Reaches::kName, [this](const auto& n) { return reaches(n); }),
                as(Routed::kName, [this](const auto& n) { return routed(n); }),
                as(RoutedBy::kName, [this](const auto& n) { return routed_by(n); }),
                as(Roots::kName, [this](const auto& n) { return Assertion(Roots{points(n, "`roots`")}); }),
                as(RankIs::kName, [this](const auto& n) { return rank(n); }),
                as(Survives::kName, [this](const auto& n) { return survives(n); }),
                as(LinkLoad::kName, [this](const auto& n) { return link_load(n); }),
                as(SameSls::kName, [this](const auto& n) { return same_sls(n); }),
                as(Proven::kName, [this](const auto& n) { return proven(n); })});
    if (!what) {
      if (yaml_.diagnostics().count(Severity::error) == before)
        incomplete(yaml_.at(node), "this test asserts nothing");
      return;
    }
    const std::size_t number = file_.tests.size() + 1;
    file_.tests.push_back(
        {name ? name->text : fmt::format("{} {}", name_of(*what), number), yaml_.at(node), std::move(*what)});
  }

  Points points(const YAML::Node& node, std::string_view of) {
    Points words = yaml_.words(node);
    if (words.empty()) incomplete(yaml_.at(node), fmt::format("{} names no ports", of));
    return words;
  }

  std::optional<Number> number(const YAML::Node& node) {
    const auto word = yaml_.word(node);
    const auto value = word ? parse_integer(word->text) : std::nullopt;
    if (word && !value)
      yaml_.diagnostics().add(kBadValue, word->span, fmt::format("`{}` is no whole number", word->text));
    return value ? std::optional(Number{*value, word->span}) : std::nullopt;
  }

  /// Keys of an assertion that needs some: one without a value would say nothing.
  void map(const YAML::Node& node, const std::vector<YamlReader::Key>& known) {
    if (node.IsNull()) return yaml_.wrong_shape(node, "a map");
    yaml_.keys(node, known);
  }

  Assertion isolated(const YAML::Node& node) {
    Isolated made;
    if (!node.IsSequence()) {
      yaml_.wrong_shape(node, "a list of two");
      return made;
    }
    if (node.size() != 2) {
      incomplete(yaml_.at(node), fmt::format("`isolated` is about two, and here are {}", node.size()));
      return made;
    }
    made.a = points(node[0], "the first one");
    made.b = points(node[1], "the second one");
    return made;
  }

  Assertion reaches(const YAML::Node& node) {
    Reaches made;
    map(node, {{"from", [&](const auto& n) { made.from = points(n, "`from`"); }},
               {"to", [&](const auto& n) { made.to = points(n, "`to`"); }},
               {"hops", [&](const auto& n) { made.hops = number(n); }}});
    if (node.IsMap() && (made.from.empty() || made.to.empty()))
      incomplete(yaml_.at(node), "`from` and `to` are needed");
    return made;
  }

  Assertion routed(const YAML::Node& node) {
    Routed made;
    map(node, {{"to", [&](const auto& n) { made.to = points(n, "`to`"); }},
               {"engine", [&](const auto& n) { made.engine = yaml_.word(n); }},
               {"step", [&](const auto& n) { made.step = number(n); }}});
    if (node.IsMap() && (made.to.empty() || (!made.engine && !made.step)))
      incomplete(yaml_.at(node), "`to` is needed, and `engine` or `step`");
    return made;
  }

  Assertion routed_by(const YAML::Node& node) { return RoutedBy{yaml_.word(node).value_or(Token{})}; }

  Assertion rank(const YAML::Node& node) {
    RankIs made;
    map(node, {{"of", [&](const auto& n) { made.of = points(n, "`of`"); }},
               {"is", [&](const auto& n) { made.is = number(n); }}});
    const bool has_wrong = yaml_.diagnostics().has_errors();
    if (node.IsMap() && !has_wrong && (made.of.empty() || !made.is))
      incomplete(yaml_.at(node), "`of` and `is` are needed");
    return made;
  }

  Assertion survives(const YAML::Node& node) {
    Survives made;
    std::optional<Token> part;
    if (node.IsScalar())
      part = yaml_.word(node);
    else
      map(node, {{"any", [&](const auto& n) { part = yaml_.word(n); }},
                 {"between", [&](const auto& n) { made.between = points(n, "`between`"); }}});
    if (!part && node.IsMap()) incomplete(yaml_.at(node), "`any` is needed: `cable` or `switch`");
    if (part && part->text != "cable" && part->text != "switch")
      yaml_.diagnostics().add(kBadValue, part->span,
                              fmt::format("`{}` is neither `cable` nor `switch`", part->text));
    made.part = part && part->text == "switch" ? Survives::Part::sw : Survives::Part::cable;
    return made;
  }

  Assertion link_load(const YAML::Node& node) { return LinkLoad{number(node).value_or(Number{})}; }

  Assertion same_sls(const YAML::Node& node) { return SameSls{yaml_.word(node).value_or(Token{})}; }

  Assertion proven(const YAML::Node& node) {
    const auto word = yaml_.word(node);
    if (word && word->text != "true")
      yaml_.diagnostics().add(kBadValue, word->span, "`proven` can be asserted as `true` alone");
    return Proven{};
  }

  YamlReader& yaml_;
  File file_;
};

}  // namespace

std::string_view name_of(const Assertion& assertion) {
  return std::visit([](const auto& one) { return std::decay_t<decltype(one)>::kName; }, assertion);
}

namespace {

File read_assertions(const SourceSet& sources, SourceId source, Diagnostics& diagnostics,
                     std::string_view needed) {
  File file;
  read_yaml(sources, source, kYaml, diagnostics,
            [&](YamlReader& yaml, const YAML::Node& root) { file = Reader(yaml).read(root, needed); });
  return file;
}

}  // namespace

File parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return read_assertions(sources, source, diagnostics, "tests");
}

File parse_groups(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return read_assertions(sources, source, diagnostics, "groups");
}

}  // namespace rch::parsers::assertions

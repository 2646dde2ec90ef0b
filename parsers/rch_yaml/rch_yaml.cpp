#include "parsers/rch_yaml/rch_yaml.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "base/text.h"
#include "parsers/common/text_rules.h"
#include "parsers/rch_yaml/rules.h"

namespace rch::parsers::rch_yaml {
namespace {

/// Bytes; the library takes hundreds of bytes of memory for one.
constexpr std::size_t kLongest = 1'000'000;

/// Where the first node of a document stands.
class FirstNode : public YAML::EventHandler {
 public:
  std::optional<YAML::Mark> mark;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& at, YAML::anchor_t) override { note(at); }
  void OnAlias(const YAML::Mark& at, YAML::anchor_t) override { note(at); }
  void OnScalar(const YAML::Mark& at, const std::string&, YAML::anchor_t, const std::string&) override {
    note(at);
  }
  void OnSequenceStart(const YAML::Mark& at, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    note(at);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& at, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    note(at);
  }
  void OnMapEnd() override {}

 private:
  void note(const YAML::Mark& at) {
    if (!mark) mark = at;
  }
};

/// Where it begins. (YAML::LoadAll finds empty documents without end behind a stray `,`.)
std::optional<YAML::Mark> second_document(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  FirstNode first, second;
  if (!parser.HandleNextDocument(first) || !parser.HandleNextDocument(second)) return std::nullopt;
  return second.mark;
}

/// One key of a map and what reads its value.
struct Key {
  std::string_view name;
  std::function<void(const YAML::Node&)> read;
};

class Reader {
 public:
  /// `begin` is where the text stands in its file.
  Reader(std::string_view text, std::size_t begin, SourceId source, Diagnostics& diagnostics)
      : text_(text), begin_(begin), source_(source), diagnostics_(diagnostics) {}

  Syntax read(const YAML::Node& root) {
    if (root.IsNull()) return {};
    keys(root, {{"config", [this](const auto& n) { syntax_.config = word(n); }},
                {"options", [this](const auto& n) { read_options(n); }},
                {"routing",
                 [this](const auto& n) {
                   keys(n, {{"mode", [this](const auto& mode) { syntax_.mode = word(mode); }}});
                 }},
                {"security",
                 [this](const auto& n) {
                   keys(n, {{"profile", [this](const auto& profile) { syntax_.profile = word(profile); }}});
                 }},
                {"lint", [this](const auto& n) { read_lint(n); }},
                {"verify", [this](const auto& n) { read_verify(n); }},
                {"quarantine", [this](const auto& n) { read_quarantine(n); }}});
    return std::move(syntax_);
  }

  Span at(const YAML::Mark& mark, std::size_t length = 1) const {
    const std::size_t begin = std::min(mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos), text_.size());
    const std::size_t end = std::min(begin + length, text_.size());
    return {source_, static_cast<std::uint32_t>(begin_ + begin), static_cast<std::uint32_t>(begin_ + end)};
  }

 private:
  void read_lint(const YAML::Node& node) {
    keys(node, {{"compat", [this](const auto& n) { syntax_.compat = word(n); }},
                {"strict", [this](const auto& n) { syntax_.strict = word(n); }},
                {"rules", [this](const auto& n) {
                   each(n, [this](const Token& name, const YAML::Node& value) {
                     if (auto grade = word(value)) syntax_.grades.push_back({name, std::move(*grade)});
                   });
                 }}});
  }

  void read_verify(const YAML::Node& node) {
    keys(node, {{"accept", [this](const auto& n) { syntax_.accept = words(n); }}});
  }

  void read_quarantine(const YAML::Node& node) {
    const auto into = [this](std::optional<Token>& knob) {
      return [this, &knob](const YAML::Node& n) { knob = word(n); };
    };
    keys(node, {{"trap_hold_down", into(syntax_.trap_hold_down)},
                {"timeout_limit", into(syntax_.timeout_limit)},
                {"error_threshold", into(syntax_.error_threshold)},
                {"bounces", into(syntax_.bounces)},
                {"period", into(syntax_.period)}});
  }

  void read_options(const YAML::Node& node) {
    syntax_.options.source = source_;
    syntax_.options.for_rch = true;
    each(node, [this](const Token& name, const YAML::Node& value) {
      if (auto text = option_value(value)) syntax_.options.options.push_back({name, std::move(*text)});
    });
  }

  /// In the words of opensm.conf: TRUE and FALSE, lists with commas, `(null)`.
  std::optional<Token> option_value(const YAML::Node& node) {
    if (node.IsSequence()) {
      const std::vector<Token> list = words(node);
      if (list.size() != node.size()) return std::nullopt;
      if (list.empty()) return Token{"(null)", at(node.Mark())};
      Token joined = list.front();
      for (std::size_t i = 1; i < list.size(); ++i) joined.text += "," + list[i].text;
      joined.span.end = list.back().span.end;
      return joined;
    }
    if (node.IsNull()) return Token{"(null)", at(node.Mark())};
    auto value = word(node);
    if (value && (value->text == "true" || value->text == "false"))
      value->text = value->text == "true" ? "TRUE" : "FALSE";
    return value;
  }

  /// Reads the members of a map, each key once.
  template <class Read>
  void each(const YAML::Node& node, Read read) {
    if (node.IsNull()) return;
    if (!node.IsMap()) return wrong_shape(node, "a map");
    std::map<std::string, Span> seen;
    for (const auto& member : node) {
      const auto name = word(member.first);
      if (!name) continue;
      const auto [first, fresh] = seen.emplace(name->text, name->span);
      if (fresh)
        read(*name, member.second);
      else
        diagnostics_.add(kRepeatedKey, name->span, fmt::format("`{}` is given twice", name->text))
            .labels.push_back({first->second, "first here"});
    }
  }

  void keys(const YAML::Node& node, const std::vector<Key>& known) {
    each(node, [&](const Token& name, const YAML::Node& value) {
      const auto key =
          std::find_if(known.begin(), known.end(), [&](const Key& k) { return k.name == name.text; });
      if (key != known.end()) return key->read(value);
      std::vector<std::string_view> names;
      for (const Key& k : known) names.push_back(k.name);
      const std::string_view meant = nearest(name.text, names);
      diagnostics_.add(kUnknownKey, name.span, fmt::format("unknown key `{}`", name.text)).hint =
          meant.empty() ? fmt::format("known here: `{}`", fmt::join(names, "`, `"))
                        : fmt::format("did you mean `{}`?", meant);
    });
  }

  /// A scalar with the place of its characters, quotes left out.
  std::optional<Token> word(const YAML::Node& node) {
    if (!node.IsScalar()) {
      wrong_shape(node, "a word");
      return std::nullopt;
    }
    const std::string& value = node.Scalar();
    YAML::Mark mark = node.Mark();
    const std::size_t begin = at(mark).begin - begin_;
    if (begin < text_.size() && (text_[begin] == '"' || text_[begin] == '\'')) ++mark.pos;
    return Token{value, at(mark, std::max<std::size_t>(value.size(), 1))};
  }

  std::vector<Token> words(const YAML::Node& node) {
    std::vector<Token> list;
    if (node.IsScalar() || node.IsNull()) {
      if (auto one = node.IsScalar() ? word(node) : std::nullopt) list.push_back(std::move(*one));
    } else if (!node.IsSequence()) {
      wrong_shape(node, "a list");
    } else {
      for (const YAML::Node& item : node)
        if (auto one = word(item)) list.push_back(std::move(*one));
    }
    return list;
  }

  void wrong_shape(const YAML::Node& node, std::string_view expected) {
    const std::string_view seen = node.IsMap()        ? "a map"
                                  : node.IsSequence() ? "a list"
                                  : node.IsScalar()   ? "a word"
                                                      : "nothing";
    diagnostics_.add(kWrongShape, at(node.Mark()), fmt::format("expected {}, saw {}", expected, seen));
  }

  std::string_view text_;
  std::size_t begin_;
  SourceId source_;
  Diagnostics& diagnostics_;
  Syntax syntax_;
};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::size_t size = sources.at(source).text().size();
  if (size > kLongest) {
    diagnostics.add(kBadYaml, {source, 0, 0},
                    fmt::format("a file of {} bytes; an rch.yaml has at most {}", size, kLongest));
    return {};
  }
  std::string text = prepare_text(sources, source, {.quotes = true}, diagnostics);
  // Blanks in place of the mark would indent the first line.
  const bool marked = sources.at(source).text().starts_with(kMarkBytes);
  if (marked) text.erase(0, kMarkBytes.size());
  Reader reader(text, marked ? kMarkBytes.size() : 0, source, diagnostics);
  try {
    if (const auto second = second_document(text)) {
      diagnostics.add(kBadYaml, reader.at(*second), "a second document in one file");
      return {};
    }
    return reader.read(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    diagnostics.add(kBadYaml, reader.at(error.mark), fmt::format("no YAML: {}", error.msg));
    return {};
  }
}

}  // namespace rch::parsers::rch_yaml

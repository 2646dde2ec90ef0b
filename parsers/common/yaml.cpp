#include "parsers/common/yaml.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include "base/text.h"
#include "parsers/common/text_rules.h"

namespace rch::parsers {
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

}  // namespace

Span YamlReader::at(const YAML::Mark& mark, std::size_t length) const {
  const std::size_t begin = std::min(mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos), text_.size());
  const std::size_t end = std::min(begin + length, text_.size());
  return {source_, static_cast<std::uint32_t>(begin_ + begin), static_cast<std::uint32_t>(begin_ + end)};
}

void YamlReader::each(const YAML::Node& node,
                      const std::function<void(const Token&, const YAML::Node&)>& read) {
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
      diagnostics_.add(rules_.repeated_key, name->span, fmt::format("`{}` is given twice", name->text))
          .labels.push_back({first->second, "first here"});
  }
}

void YamlReader::keys(const YAML::Node& node, const std::vector<Key>& known) {
  each(node, [&](const Token& name, const YAML::Node& value) {
    const auto key =
        std::find_if(known.begin(), known.end(), [&](const Key& k) { return k.name == name.text; });
    if (key != known.end()) return key->read(value);
    std::vector<std::string_view> names;
    for (const Key& k : known) names.push_back(k.name);
    const std::string_view meant = nearest(name.text, names);
    diagnostics_.add(rules_.unknown_key, name.span, fmt::format("unknown key `{}`", name.text)).hint =
        meant.empty() ? fmt::format("known here: `{}`", fmt::join(names, "`, `"))
                      : fmt::format("did you mean `{}`?", meant);
  });
}

std::optional<Token> YamlReader::word(const YAML::Node& node) {
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

std::vector<Token> YamlReader::words(const YAML::Node& node) {
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

void YamlReader::wrong_shape(const YAML::Node& node, std::string_view expected) {
  const std::string_view seen = node.IsMap()        ? "a map"
                                : node.IsSequence() ? "a list"
                                : node.IsScalar()   ? "a word"
                                                    : "nothing";
  diagnostics_.add(rules_.wrong_shape, at(node.Mark()), fmt::format("expected {}, saw {}", expected, seen));
}

void read_yaml(const SourceSet& sources, SourceId source, const YamlRules& rules, Diagnostics& diagnostics,
               const std::function<void(YamlReader&, const YAML::Node&)>& read) {
  const std::size_t size = sources.at(source).text().size();
  if (size > kLongest) {
    diagnostics.add(rules.no_yaml, {source, 0, 0},
                    fmt::format("a file of {} bytes; an {} has at most {}", size, rules.kind, kLongest));
    return;
  }
  std::string text = prepare_text(sources, source, {.quotes = true}, diagnostics);
  // Blanks in place of the mark would indent the first line.
  const bool marked = sources.at(source).text().starts_with(kMarkBytes);
  if (marked) text.erase(0, kMarkBytes.size());
  YamlReader reader(text, marked ? kMarkBytes.size() : 0, source, rules, diagnostics);
  try {
    if (const auto second = second_document(text)) {
      diagnostics.add(rules.no_yaml, reader.at(*second), "a second document in one file");
      return;
    }
    read(reader, YAML::Load(text));
  } catch (const YAML::Exception& error) {
    diagnostics.add(rules.no_yaml, reader.at(error.mark), fmt::format("no YAML: {}", error.msg));
  }
}

}  // namespace rch::parsers

#include "parsers/topo_config/topo_config.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/numbers.h"
#include "parsers/common/text_rules.h"
#include "parsers/rules.h"
#include "parsers/topo_config/grammar.h"
#include "parsers/topo_config/rules.h"

namespace rch::parsers::topo_config {
namespace {

using fabric::ListedState;

constexpr std::string_view kUsage = "GUID,PORT,GUID,PORT,TYPE,STATE";
constexpr std::size_t kFields = 6;
constexpr NumberKind kListedPort{"a port number", 1, 254};
constexpr ListedState kStates[] = {ListedState::active, ListedState::disabled, ListedState::no_discover};

Token trimmed(const Token& field) {
  const std::string_view text = field.text;
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t last = text.find_last_not_of(" \t");
  return part(field, begin, last == std::string_view::npos ? begin : last + 1);
}

bool is_zero(const Token& field) { return field.text.empty() || parse_integer(field.text) == 0U; }

struct CableReader : TextState {
  Diagnostics& diagnostics;
  std::vector<Cable> cables = {};
  std::vector<Token> fields = {};

  void add_field(const Token& field) { fields.push_back(trimmed(field)); }
  void finish_line() {
    const bool is_blank = fields.size() == 1 && fields.front().text.empty();
    if (!fields.empty() && !is_blank) read();
    fields.clear();
  }

 private:
  void read() {
    if (is_heading())
      return void(diagnostics.add(kHeading, whole(), "the fields have no heading in the file").hint =
                      "drop the line");
    if (fields.size() < kFields) return report_missing();
    if (fields.size() > kFields)
      return void(diagnostics
                      .add(kExtraArgument, fields[kFields].span,
                           fmt::format("`{}` behind the end of a line `{}`", fields[kFields].text, kUsage))
                      .hint = "put `#` before a comment");
    const auto state = read_state(fields[5]);
    check_type(fields[4]);
    const auto node = read_guid(fields[0], diagnostics);
    const auto port = read_number(fields[1], kListedPort, diagnostics);
    Cable cable{{}, joined(fields[0], fields[1]), joined(fields[2], fields[3])};
    if (!read_peer(state, cable) || !state || !node || !port) return;
    cable.entry.node = *node;
    cable.entry.port = PortNum(static_cast<std::uint8_t>(port->value));
    cable.entry.state = *state;
    cables.push_back(std::move(cable));
  }

  static Span joined(const Token& from, const Token& to) {
    return {from.span.source, from.span.begin, to.span.end};
  }
  Span whole() const { return joined(fields.front(), fields.back()); }

  /// `Source GUID, Source Port, …`, as the manual prints it.
  bool is_heading() const {
    return to_lower(fields.front().text).find("guid") != std::string::npos &&
           std::ranges::none_of(fields.front().text, [](unsigned char c) { return std::isdigit(c) != 0; });
  }

  void report_missing() {
    Diagnostic& d =
        diagnostics.add(kMissingArgument, whole(),
                        fmt::format("a line holds `{}`, saw {}", kUsage, counted(fields.size(), "field")));
    d.hint = fields.size() == 1 ? "put a comma between the fields" : fmt::format("write `{}`", kUsage);
  }

  std::optional<ListedState> read_state(const Token& word) {
    std::vector<std::string_view> names;
    for (const ListedState state : kStates) {
      names.push_back(name_of(state));
      if (word.text == names.back()) return state;
    }
    Diagnostic& d =
        diagnostics.add(kUnknownState, word.span,
                        fmt::format("expected `Active`, `Disabled` or `No-discover`, saw `{}`", word.text));
    if (const std::string_view meant = nearest(word.text, names); !meant.empty()) {
      d.hint = fmt::format("did you mean `{}`?", meant);
      d.fixes.push_back({word.span, std::string(meant)});
    }
    return std::nullopt;
  }

  void check_type(const Token& word) {
    if (to_lower(word.text) == "any") return;
    diagnostics.add(kUnknownType, word.span, fmt::format("device type `{}` is not compared", word.text))
        .hint = "write `Any`";
  }

  /// A port that is not used may lead nowhere.
  bool read_peer(std::optional<ListedState> state, Cable& cable) {
    if (is_zero(fields[2]) && is_zero(fields[3])) {
      if (state != ListedState::active) return true;
      diagnostics.add(kNoPeer, cable.peer, "an `Active` port leads to a port, saw none").hint =
          "name the GUID and the port at the other end";
      return false;
    }
    const auto peer = read_guid(fields[2], diagnostics);
    const auto port = read_number(fields[3], kListedPort, diagnostics);
    if (!peer || !port) return false;
    cable.entry.peer = *peer;
    cable.entry.peer_port = PortNum(static_cast<std::uint8_t>(port->value));
    return true;
  }
};

// clang-format off
template <class GrammarRule> struct CableAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct CableAction<grammar::field> : Tell<&CableReader::add_field> {};
template <> struct CableAction<line_grammar::line<grammar::cable>> : Call<&CableReader::finish_line> {};
// clang-format on

}  // namespace

std::vector<Cable> parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {.hash_anywhere = true}, diagnostics);
  CableReader reader{{text.data(), source}, diagnostics};
  parse_text<line_grammar::file<grammar::cable>, CableAction>(text, reader);
  return std::move(reader.cables);
}

}  // namespace rch::parsers::topo_config

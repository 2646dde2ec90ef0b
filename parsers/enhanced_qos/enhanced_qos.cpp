#include "parsers/enhanced_qos/enhanced_qos.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/expect.h"
#include "parsers/common/guid_shape.h"
#include "parsers/common/numbers.h"
#include "parsers/common/text_rules.h"
#include "parsers/enhanced_qos/grammar.h"
#include "parsers/enhanced_qos/rules.h"
#include "parsers/rules.h"

namespace rch::parsers {

RCH_EXPECTED(enhanced_qos, who, &kBadValue, "a name or GUID before `=`");
RCH_EXPECTED(enhanced_qos, equals, &kBadValue, "`=`");
RCH_EXPECTED(enhanced_qos, meaning, &kBadValue, "a number of Mbit/s");
RCH_EXPECTED(enhanced_qos, limit, &kBadValue, "`SL:BANDWIDTH`");
RCH_EXPECTED(enhanced_qos, colon, &kBadValue, "`:` and a bandwidth behind the SL");
RCH_EXPECTED(enhanced_qos, bandwidth, &kBadValue, "the name of a bandwidth");
RCH_EXPECTED(enhanced_qos, limits_end, &kBadValue, "`,` and a further `SL:BANDWIDTH`");

}  // namespace rch::parsers

namespace rch::parsers::enhanced_qos {
namespace {

constexpr NumberKind kMbps{"a rate in Mbit/s", 0, 0xFFFFFFFF};
constexpr NumberKind kSl{"an SL", 0, 15};
/// A definition's parts while its grammar runs.
struct Definition : ValueState {
  Token who = {}, meaning = {};
  std::vector<Token> slots = {}, bandwidths = {};
};

// clang-format off
template <class GrammarRule> struct DefinitionAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct DefinitionAction<grammar::who>       : Keep<&Definition::who> {};
template <> struct DefinitionAction<grammar::meaning>   : Keep<&Definition::meaning> {};
template <> struct DefinitionAction<grammar::slot>      : Append<&Definition::slots> {};
template <> struct DefinitionAction<grammar::bandwidth> : Append<&Definition::bandwidths> {};
// clang-format on

/// Reads lines into definitions and definitions into the syntax.
class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void line(const Token& content) {
    constexpr std::string_view kJoints = "=:,";
    const bool hangs = !open_.empty() && kJoints.find(open_.text().back()) != std::string_view::npos;
    const bool continues = !open_.empty() && kJoints.find(content.text.front()) != std::string_view::npos;
    if (continues || (hangs && !begins(content.text))) return join(content);
    finish_definition();
    if (header(content) || misspelt_header(content) || crowded_header(content)) return;
    open_.append(content.text, content.span);
    continued_ = false;
  }

  Syntax finish(SourceId source) {
    finish_definition();
    if (seen_.empty() && !outside_reported_ && !header_missed_)
      diagnostics_.add(kEmptyPolicy, {source, 0, 0}, "the file has no section header").hint =
          "`BW_NAMES` and `BW_RULES` alone lift every limit";
    return std::move(syntax_);
  }

 private:
  void join(const Token& content) {
    if (!continued_)
      diagnostics_
          .add(kContinuedDefinition, content.span, "this line continues the definition of the line above")
          .labels.push_back({open_.span(), "the definition so far"});
    continued_ = true;
    open_.append(content.text, content.span);
  }

  /// True for a line that begins something; what ends the line above is then missing there.
  static bool begins(std::string_view text) {
    return find_section(text) != nullptr || text.find('=') != std::string_view::npos;
  }

  /// A section: its header, what reads its definitions, and what is incomplete when one is lost.
  struct Section {
    std::string_view header;
    void (Reader::*read)(const Value& definition);
    bool Syntax::*complete;
  };
  static const Section kSections[3];

  static const Section* find_section(std::string_view text) {
    for (const Section& section : kSections)
      if (to_lower(section.header) == to_lower(text)) return &section;
    return nullptr;
  }

  static std::vector<std::string_view> headers() {
    std::vector<std::string_view> words;
    for (const Section& section : kSections) words.push_back(section.header);
    return words;
  }

  bool header(const Token& content) {
    const Section* section = find_section(content.text);
    if (section == nullptr) return false;
    check_case(content, section->header);
    section_ = section;
    const auto [first, fresh] = seen_.emplace(section, content.span);
    if (!fresh)
      diagnostics_.add(kRepeatedHeader, content.span, fmt::format("`{}` stands twice", section->header))
          .labels.push_back({first->second, "first here"});
    return true;
  }

  /// A header with a definition behind it.
  bool crowded_header(const Token& content) {
    const std::string word = content.text.substr(0, content.text.find_first_of(" \t"));
    if (word.size() == content.text.size() || find_section(word) == nullptr) return false;
    diagnostics_.add(kUnknownHeader, content.span, fmt::format("`{}` stands alone on its line", word));
    header_missed_ = true;
    section_ = find_section(word);
    syntax_.*(section_->complete) = false;
    return true;
  }

  /// One word that defines nothing.
  bool misspelt_header(const Token& content) {
    if (content.text.find_first_of(" \t=:,") != std::string::npos) return false;
    const std::string_view meant = nearest(content.text, headers());
    if (meant.empty()) return false;
    diagnostics_.add(kUnknownHeader, content.span, fmt::format("unknown section header `{}`", content.text))
        .hint = fmt::format("did you mean `{}`?", meant);
    header_missed_ = true;
    section_ = find_section(meant);
    return true;
  }

  void finish_definition() {
    const Value definition = std::exchange(open_, {});
    if (definition.empty()) return;
    if (definition.text().find('=') == std::string::npos) return no_definition(definition);
    if (section_ != nullptr) return (this->*section_->read)(definition);
    if (!std::exchange(outside_reported_, true))
      diagnostics_.add(kEntryOutsideSection, definition.span(), "a definition before any section header");
  }

  void no_definition(const Value& line) {
    diagnostics_.add(kUnknownHeader, line.span(), "expected a definition with `=`, or a section header")
        .hint = fmt::format("the headers are `{}`", fmt::join(headers(), "`, `"));
    syntax_.*(section_ != nullptr ? section_->complete : &Syntax::rules_complete) = false;
    header_missed_ = true;
  }

  void port_rule(const Value& definition) { rule(definition, syntax_.rules, true); }
  void vport_rule(const Value& definition) { rule(definition, syntax_.vport_rules, false); }

  void bandwidth(const Value& value) {
    Definition d{{value}};
    const bool parsed = parse_value<grammar::definition, DefinitionAction>(value, d, diagnostics_);
    const auto mbps = parsed ? read_number(d.meaning, kMbps, diagnostics_) : std::nullopt;
    syntax_.names_complete = syntax_.names_complete && mbps;
    if (!mbps) return;
    if (d.who.text == "all" || d.who.text == "default") {
      diagnostics_.add(kReservedBandwidth, d.who.span,
                       fmt::format("`{}` cannot name a bandwidth", d.who.text));
      return;
    }
    syntax_.bandwidths.push_back({d.who, *mbps});
  }

  void rule(const Value& value, std::vector<PortRule>& rules, bool groups) {
    Definition d{{value}};
    const bool parsed = parse_value<grammar::rule, DefinitionAction>(value, d, diagnostics_);
    PortRule rule;
    const bool known = parsed && read_who(d.who, rule, groups);
    if (parsed) rule.limits = read_limits(d);
    syntax_.rules_complete = syntax_.rules_complete && known && rule.limits.size() == d.slots.size();
    if (known) rules.push_back(std::move(rule));
  }

  bool read_who(const Token& who, PortRule& rule, bool groups) {
    rule.who = who;
    if ((who.text.front() >= '0' && who.text.front() <= '9') || resembles_guid(who.text)) {
      const auto guid = read_guid(who, diagnostics_);
      rule.kind = PortRule::guid;
      rule.port = guid.value_or(Guid{});
      return guid.has_value();
    }
    if (to_lower(who.text) == "default") {
      check_case(who, "default");
      rule.kind = PortRule::fallback;
      return true;
    }
    if (!groups)
      diagnostics_.add(kGroupInVportRules, who.span,
                       fmt::format("`{}` is no GUID; virtual ports are named by GUID", who.text));
    return groups;
  }

  std::vector<Limit> read_limits(const Definition& d) {
    std::vector<Limit> limits;
    for (std::size_t i = 0; i < d.slots.size(); ++i) {
      const Token& slot = d.slots[i];
      Limit limit{{}, d.bandwidths[i], {slot.span.source, slot.span.begin, d.bandwidths[i].span.end}};
      if (!read_slot(slot, limit)) continue;
      const auto first = std::find_if(limits.begin(), limits.end(), [&](const Limit& l) {
        return l.sl.has_value() == limit.sl.has_value() && (!l.sl || l.sl->value == limit.sl->value);
      });
      if (first == limits.end()) {
        limits.push_back(limit);
        continue;
      }
      diagnostics_
          .add(kRepeatedSl, limit.span,
               limit.sl ? fmt::format("SL {} is limited twice in this rule", limit.sl->value)
                        : std::string("`all` stands twice in this rule"))
          .labels.push_back({first->span, "first here"});
    }
    return limits;
  }

  /// `3`, `SL3`, `all`; false, reported, if it is none.
  bool read_slot(const Token& slot, Limit& limit) {
    const std::string lower = to_lower(slot.text);
    if (lower == "all") {
      check_case(slot, "all");
      return true;
    }
    Token number = slot;
    if (lower.starts_with("sl") && lower.size() > 2) {
      number.text.erase(0, 2);
      number.span.begin += 2;
      Diagnostic& d =
          diagnostics_.add(kSlPrefix, slot.span, fmt::format("`{}` is read as `{}`", slot.text, number.text));
      d.fixes.push_back({slot.span, number.text});
    }
    limit.sl = read_number(number, kSl, diagnostics_);
    return limit.sl.has_value();
  }

  void check_case(const Token& word, std::string_view right) {
    if (word.text == right) return;
    Diagnostic& d =
        diagnostics_.add(kHeaderCase, word.span, fmt::format("`{}` is read as `{}`", word.text, right));
    d.fixes.push_back({word.span, std::string(right)});
  }

  Diagnostics& diagnostics_;
  Syntax syntax_;
  const Section* section_ = nullptr;
  std::map<const Section*, Span> seen_;
  Value open_;  ///< the definition being read
  bool continued_ = false;
  bool outside_reported_ = false;  ///< lines before the first header are one mistake
  bool header_missed_ = false;     ///< a reported line may have been meant as a header
};

const Reader::Section Reader::kSections[] = {
    {"BW_NAMES", &Reader::bandwidth, &Syntax::names_complete},
    {"BW_RULES", &Reader::port_rule, &Syntax::rules_complete},
    {"VPORT_BW_RULES", &Reader::vport_rule, &Syntax::rules_complete},
};

struct Lines : TextState {
  Reader& reader;
  void line(const Token& content) { reader.line(content); }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<line_grammar::words> : Tell<&Lines::line> {};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {.hash_anywhere = true}, diagnostics);
  Reader reader(diagnostics);
  Lines lines{{text.data(), source}, reader};
  parse_text<line_grammar::file<line_grammar::words>, Action>(text, lines);
  return reader.finish(source);
}

}  // namespace rch::parsers::enhanced_qos

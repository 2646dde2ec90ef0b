#include "policy/build/rch_file/rch_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/numbers.h"
#include "policy/lint/rules.h"
#include "policy/lint/rules/rch_file.h"

namespace rch::policy {
namespace {

using parsers::Token;

/// A word of rch.yaml and its meaning.
template <class Meaning>
struct Word {
  std::string_view text;
  Meaning meaning;
};

constexpr Word<std::optional<Severity>> kGrades[] = {{"off", std::nullopt},
                                                     {"note", Severity::note},
                                                     {"warning", Severity::warning},
                                                     {"error", Severity::error}};
constexpr Word<Peer> kPeers[] = {{"opensm", Peer::opensm}, {"nvidia", Peer::nvidia}};
constexpr Word<EngineMode> kModes[] = {{"best", EngineMode::best}, {"compat", EngineMode::compat}};
constexpr Word<bool> kProfiles[] = {{"none", false}, {"lock-down", true}};
constexpr Word<bool> kTruth[] = {{"true", true}, {"false", false}};

/// The meaning of a word; nothing, reported with the words that may stand there.
template <class Meaning, std::size_t size>
std::optional<Meaning> read_word(const Token& token, const Word<Meaning> (&words)[size],
                                 Diagnostics& diagnostics) {
  std::vector<std::string_view> known;
  for (const auto& word : words) {
    if (word.text == token.text) return word.meaning;
    known.push_back(word.text);
  }
  diagnostics.add(rch_file::kUnknownGrade, token.span,
                  fmt::format("expected one of `{}`, saw `{}`", fmt::join(known, "`, `"), token.text));
  return std::nullopt;
}

const Rule* find_rule(const Token& name, Diagnostics& diagnostics) {
  const auto known = all_rules();
  const auto at =
      std::find_if(known.begin(), known.end(), [&](const Rule* r) { return r->name == name.text; });
  if (at != known.end()) return *at;
  std::vector<std::string_view> names;
  for (const Rule* rule : known) names.push_back(rule->name);
  Diagnostic& d = diagnostics.add(rch_file::kUnknownRule, name.span,
                                  fmt::format("no diagnostic is called `{}`", name.text));
  if (const std::string_view meant = nearest(name.text, names); !meant.empty())
    d.hint = fmt::format("did you mean `{}`?", meant);
  return nullptr;
}

void add_grade(const parsers::rch_yaml::Grade& written, Settings& settings, Diagnostics& diagnostics) {
  const Rule* rule = find_rule(written.rule, diagnostics);
  const auto grade = read_word(written.grade, kGrades, diagnostics);
  if (rule == nullptr || !grade) return;
  if (rule->severity == Severity::error && *grade != Severity::error)
    diagnostics.add(rch_file::kLoweredError, written.grade.span,
                    fmt::format("`{}` is an error and stays one", rule->name));
  else
    settings.grades.push_back({rule, *grade});
}

/// Knobs without a legal value keep their defaults.
QuarantineOptions read_quarantine(const parsers::rch_yaml::Syntax& syntax, Diagnostics& diagnostics) {
  constexpr parsers::NumberKind kSeconds{"a number of seconds", 0, 86400};
  constexpr parsers::NumberKind kPeriod{"a number of seconds", 1, 86400};
  constexpr parsers::NumberKind kCount{"a number", 0, 1'000'000};
  QuarantineOptions options;
  const auto read = [&](const std::optional<Token>& token, const parsers::NumberKind& kind,
                        std::uint32_t& knob) {
    if (!token) return;
    if (const auto number = parsers::read_number(*token, kind, diagnostics))
      knob = static_cast<std::uint32_t>(number->value);
  };
  read(syntax.trap_hold_down, kSeconds, options.trap_hold_down);
  read(syntax.timeout_limit, kSeconds, options.timeout_limit);
  read(syntax.error_threshold, kCount, options.error_threshold);
  read(syntax.bounces, kCount, options.bounces);
  read(syntax.period, kPeriod, options.period);
  return options;
}

}  // namespace

Settings build_settings(const parsers::rch_yaml::Syntax& syntax, Diagnostics& diagnostics) {
  Settings settings;
  if (syntax.mode) settings.mode = read_word(*syntax.mode, kModes, diagnostics).value_or(EngineMode::best);
  if (syntax.compat) settings.compat = read_word(*syntax.compat, kPeers, diagnostics);
  if (syntax.strict) settings.strict = read_word(*syntax.strict, kTruth, diagnostics).value_or(false);
  if (syntax.profile && read_word(*syntax.profile, kProfiles, diagnostics).value_or(false))
    settings.lock_down = syntax.profile->span;
  for (const auto& grade : syntax.grades) add_grade(grade, settings, diagnostics);
  for (const Token& finding : syntax.accept)
    if (std::find(std::begin(kFindings), std::end(kFindings), finding.text) != std::end(kFindings))
      settings.accept.push_back(finding.text);
    else
      diagnostics.add(rch_file::kUnknownGrade, finding.span,
                      fmt::format("expected a finding, one of `{}`, saw `{}`", fmt::join(kFindings, "`, `"),
                                  finding.text));
  settings.quarantine = read_quarantine(syntax, diagnostics);
  return settings;
}

void regrade(Diagnostics& diagnostics, std::size_t from, const Settings& settings) {
  diagnostics.revise(from, [&](Diagnostic& d) {
    if (d.severity == Severity::error) return true;
    const auto grade = std::find_if(settings.grades.begin(), settings.grades.end(),
                                    [&](const RuleGrade& g) { return g.rule == d.rule; });
    if (grade != settings.grades.end()) {
      if (!grade->grade) return false;
      d.severity = *grade->grade;
    }
    if (settings.strict && d.severity == Severity::warning) d.severity = Severity::error;
    return true;
  });
}

}  // namespace rch::policy

#include "parsers/qos_policy/ulps.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/qos_policy/range_grammar.h"
#include "parsers/qos_policy/rules.h"

namespace rch::parsers {

RCH_EXPECTED(qos_policy, ulp, &kBadValue, "a ULP such as `default`, `sdp` or `any`");
RCH_EXPECTED(qos_policy, criterion, &kBadValue, "a criterion such as `port-num` or `pkey`");
RCH_EXPECTED(qos_policy, sl_colon, &kBadValue, "`:` and an SL", "write `ULP, CRITERION LIST : SL`");
RCH_EXPECTED(qos_policy, sl, &kBadValue, "an SL behind the colon");

}  // namespace rch::parsers

namespace rch::parsers::qos_policy {
namespace {

constexpr NumberKind kIpPort{"a port number", 0, 0xFFFF};

/// A criterion that a ULP takes; `none`: it may stand alone.
struct UlpForm {
  std::string_view word;
  Ulp ulp;
  std::string_view criterion_word;
  Criterion criterion;
  decltype(convert_ranges)* convert = convert_ranges;
  NumberKind kind = {};
};
constexpr UlpForm kForms[] = {
    {"default", Ulp::fallback, "", Criterion::none},
    {"sdp", Ulp::sdp, "", Criterion::none},
    {"sdp", Ulp::sdp, "port-num", Criterion::port_num, convert_ranges, kIpPort},
    {"rds", Ulp::rds, "", Criterion::none},
    {"rds", Ulp::rds, "port-num", Criterion::port_num, convert_ranges, kIpPort},
    {"iser", Ulp::iser, "", Criterion::none},
    {"iser", Ulp::iser, "port-num", Criterion::port_num, convert_ranges, kIpPort},
    {"srp", Ulp::srp, "target-port-guid", Criterion::target_port_guid, convert_guids},
    {"ipoib", Ulp::ipoib, "", Criterion::none},
    {"ipoib", Ulp::ipoib, "pkey", Criterion::pkey, convert_pkeys},
    {"any", Ulp::any, "service-id", Criterion::service_id, convert_ranges, kServiceId},
    {"any", Ulp::any, "pkey", Criterion::pkey, convert_pkeys},
    {"any", Ulp::any, "target-port-guid", Criterion::target_port_guid, convert_guids},
    {"any", Ulp::any, "source-port-guid", Criterion::source_port_guid, convert_guids},
    {"any", Ulp::any, "source-target-port-guid", Criterion::source_target_port_guid, convert_guids},
};

/// Criteria of inter-subnet queries that release notes mention.
constexpr std::string_view kUnpublishedCriteria[] = {
    "port-gid",      "target-port-gid",      "source-port-gid",
    "subnet-prefix", "target-subnet-prefix", "source-subnet-prefix"};

struct UlpState : RangeState {
  Token ulp = {}, criterion = {}, sl = {};
};

template <class GrammarRule>
struct UlpAction : RangeAction<GrammarRule> {};
template <>
struct UlpAction<grammar::ulp> : Keep<&UlpState::ulp> {};
template <>
struct UlpAction<grammar::criterion> : Keep<&UlpState::criterion> {};
template <>
struct UlpAction<grammar::sl> : Keep<&UlpState::sl> {};

std::string usage(const UlpForm& form) {
  return form.criterion_word.empty() ? fmt::format("`{}`", form.word)
                                     : fmt::format("`{}, {}`", form.word, form.criterion_word);
}

/// Unknown words are read as those they resemble; nothing if there is none.
std::string_view resolve(const Token& word, std::vector<std::string_view> known, const rch::Rule& rule,
                         std::string_view what, Diagnostics& diagnostics) {
  const std::string lower = to_lower(word.text);
  if (const auto at = std::find(known.begin(), known.end(), lower); at != known.end()) return *at;
  Diagnostic& d = diagnostics.add(rule, word.span, fmt::format("unknown {} `{}`", what, word.text));
  const std::string_view meant = nearest(word.text, known);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  d.hint = meant.empty() ? fmt::format("known are `{}`", fmt::join(known, "`, `"))
                         : fmt::format("did you mean `{}`?", meant);
  return meant;
}

const UlpForm* find_form(const UlpState& written, Diagnostics& diagnostics) {
  std::vector<std::string_view> ulps, criteria;
  for (const UlpForm& form : kForms) ulps.push_back(form.word);
  const std::string_view ulp = resolve(written.ulp, ulps, kUnknownUlp, "ULP", diagnostics);
  if (ulp.empty()) return nullptr;
  const std::string lower = to_lower(written.criterion.text);
  if (std::find(std::begin(kUnpublishedCriteria), std::end(kUnpublishedCriteria), lower) !=
      std::end(kUnpublishedCriteria)) {
    diagnostics.add(kUnsupportedCriterion, written.criterion.span,
                    fmt::format("`{}` {}", written.criterion.text, kUnpublished));
    return nullptr;
  }
  for (const UlpForm& form : kForms)
    if (!form.criterion_word.empty()) criteria.push_back(form.criterion_word);
  const std::string_view criterion =
      lower.empty() ? std::string_view()
                    : resolve(written.criterion, criteria, kUlpCriterion, "criterion", diagnostics);
  if (criterion.empty() && !lower.empty()) return nullptr;
  if (criterion == lower && criterion != written.criterion.text)
    diagnostics
        .add(kKeywordCase, written.criterion.span,
             fmt::format("`{}` is read as `{}`", written.criterion.text, criterion))
        .fixes.push_back({written.criterion.span, std::string(criterion)});
  std::vector<std::string> usages;
  for (const UlpForm& form : kForms) {
    if (form.word != ulp) continue;
    if (form.criterion_word == criterion) return &form;
    usages.push_back(usage(form));
  }
  diagnostics
      .add(kUlpCriterion, lower.empty() ? written.ulp.span : written.criterion.span,
           lower.empty() ? fmt::format("`{}` needs a criterion", ulp)
                         : fmt::format("`{}` takes no `{}`", ulp, criterion))
      .hint = fmt::format("write {}", fmt::join(usages, " or "));
  return nullptr;
}

}  // namespace

bool starts_ulp(std::string_view line) {
  const std::string word = to_lower(line.substr(0, line.find_first_of(" \t,:")));
  return std::any_of(std::begin(kForms), std::end(kForms), [&](const UlpForm& f) { return f.word == word; });
}

std::optional<UlpLine> read_ulp(const Value& line, Diagnostics& diagnostics) {
  UlpState written{{{line}}};
  if (!parse_value<grammar::ulp_line, UlpAction>(line, written, diagnostics)) return std::nullopt;
  const UlpForm* form = find_form(written, diagnostics);
  if (form == nullptr) return std::nullopt;
  const auto values = form->convert(written.ranges, form->kind, diagnostics);
  const auto sl = read_number(written.sl, kSl, diagnostics);
  if (!values || !sl) return std::nullopt;
  const Span last = written.ranges.empty() ? written.ulp.span : values->back().span;
  return UlpLine{
      {written.ulp.span.source, written.ulp.span.begin, last.end}, form->ulp, form->criterion, *values, *sl};
}

}  // namespace rch::parsers::qos_policy

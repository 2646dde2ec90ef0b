#include "parsers/routing_chains/routing_chains.h"

#include <algorithm>

#include "parsers/common/expect.h"
#include "parsers/common/names.h"
#include "parsers/common/numbers.h"
#include "parsers/common/paragraphs.h"
#include "parsers/routing_chains/grammar.h"
#include "parsers/rules.h"

namespace rch::parsers {

template <>
struct Expected<routing_chains::grammar::bit> {
  static constexpr Expectation value{&kBadValue, "a path bit, the LID offset the step writes"};
};
template <>
struct Expected<routing_chains::grammar::end> {
  static constexpr Expectation value{&kBadValue, "one path bit",
                                     "a step writes one LID offset; add a step for another"};
};

}  // namespace rch::parsers

namespace rch::parsers::routing_chains {
namespace {

enum : std::size_t { kId, kEngine, kUse, kConfig, kTopology, kFallbackTo, kPathBit };
constexpr QualifierSpec kQualifiers[] = {
    {"id", true},    {"engine", true}, {"use", false, Repeat::never, true}, {"config"}, {"topology"},
    {"fallback-to"}, {"path-bit"},
};
constexpr ParagraphSpec kParagraph{"unicast-step", "end-unicast-step", kQualifiers};
constexpr NumberKind kStepId{"a step id", 1, 0xFFFFFFFE};
constexpr NumberKind kTopologyId{"a topology id", 0, 0xFFFFFFFE};
constexpr NumberKind kPathBitKind{"a path bit", 0, 127};

struct BitReader {
  const Value& value;
  std::vector<Token> bits;
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::bit> {
  template <class In>
  static void apply(const In& in, BitReader& reader) {
    reader.bits.push_back(token_of(in, reader.value));
  }
};

std::optional<Number> number(const Paragraph& paragraph, std::size_t spec, const NumberKind& kind,
                             Diagnostics& diagnostics) {
  const Value* value = paragraph.find(spec);
  if (value == nullptr) return std::nullopt;
  return read_number(value->token(), kind, diagnostics);
}

std::optional<PathBits> path_bits(const Value* value, Diagnostics& diagnostics) {
  if (value == nullptr) return std::nullopt;
  BitReader reader{*value, {}};
  if (!parse_value<grammar::path_bits, Action>(*value, reader, diagnostics)) return std::nullopt;
  const auto low = read_number(reader.bits.front(), kPathBitKind, diagnostics);
  if (!low) return std::nullopt;
  const auto high = reader.bits.size() < 2 ? low : read_number(reader.bits.back(), kPathBitKind, diagnostics);
  if (!high) return std::nullopt;
  if (high->value < low->value) {
    diagnostics.add(kReversedRange, value->span(),
                    fmt::format("the range `{}` runs backwards", value->text()));
    return std::nullopt;
  }
  return PathBits{low->value, high->value, value->span()};
}

Step read_step(const Paragraph& paragraph, Diagnostics& diagnostics) {
  Step step;
  step.span = paragraph.keyword.span;
  step.id = number(paragraph, kId, kStepId, diagnostics);
  step.engine = read_name(paragraph.find(kEngine), diagnostics);
  step.use = read_text(paragraph.find(kUse));
  step.config = read_text(paragraph.find(kConfig));
  step.topology = number(paragraph, kTopology, kTopologyId, diagnostics);
  step.fallback_to = number(paragraph, kFallbackTo, kStepId, diagnostics);
  step.path_bit = path_bits(paragraph.find(kPathBit), diagnostics);
  step.has_path_bit = std::any_of(paragraph.qualifiers.begin(), paragraph.qualifiers.end(),
                                  [](const Qualifier& q) { return q.spec == kPathBit; });
  return step;
}

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Syntax syntax;
  const std::size_t mistakes = diagnostics.all().size();
  for (const Paragraph& paragraph : parse_paragraphs(sources, source, kParagraph, diagnostics))
    syntax.steps.push_back(read_step(paragraph, diagnostics));
  if (syntax.steps.empty() && diagnostics.all().size() == mistakes)
    diagnostics.add(kEmptyPolicyFile, {source, 0, 0}, "the file has no `unicast-step`");
  return syntax;
}

}  // namespace rch::parsers::routing_chains

#include "parsers/routing_chains/routing_chains.h"

#include "parsers/common/expect.h"
#include "parsers/routing_chains/grammar.h"
#include "parsers/rules.h"

namespace rch::parsers {

RCH_EXPECTED(routing_chains, bit, &kBadValue, "a path bit, the LID offset the step writes");
RCH_EXPECTED(routing_chains, end, &kBadValue, "one path bit",
             "a step writes one LID offset; add a step for another");

}  // namespace rch::parsers

namespace rch::parsers::routing_chains {
namespace {

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::bit> : Append<&Tokens::list> {};

std::optional<PathBits> read_path_bits(const Value& value, const NumberKind& kind, Diagnostics& diagnostics) {
  Tokens bits{{value}};
  if (!parse_value<grammar::path_bits, Action>(value, bits, diagnostics)) return std::nullopt;
  const auto low = read_number(bits.list.front(), kind, diagnostics);
  if (!low) return std::nullopt;
  const auto high = bits.list.size() < 2 ? low : read_number(bits.list.back(), kind, diagnostics);
  if (!high) return std::nullopt;
  if (high->value < low->value) {
    diagnostics.add(kReversedRange, value.span(), fmt::format("the range `{}` runs backwards", value.text()));
    return std::nullopt;
  }
  return PathBits{low->value, high->value, value.span()};
}

constexpr ValueType kPathBits{"number, or a range of numbers", Form::numbers, read_path_bits};
constexpr std::uint64_t kLastId = 0xFFFFFFFE;

constexpr Keyword kKeywords[] = {
    keyword<&Step::id, kNumber>("id", Occurs::required, {"a step id", 1, kLastId}),
    keyword<&Step::engine, kName>("engine", Occurs::required),
    keyword<&Step::use, kTextOrNothing>("use"),
    keyword<&Step::config, kText>("config"),
    keyword<&Step::topology, kNumber>("topology", Occurs::once, {"a topology id", 0, kLastId}),
    keyword<&Step::fallback_to, kNumber>("fallback-to", Occurs::once, {"a step id", 1, kLastId}),
    keyword<&Step::path_bit, kPathBits>("path-bit", Occurs::once, {"a path bit", 0, 127}),
};
constexpr BlockSpec kBlocks[] = {block<&Syntax::steps>("unicast-step", kKeywords)};
constexpr BlockDialect kDialect{"routing chain policy", Scanner::lines, kBlocks};

}  // namespace

const BlockDialect& dialect() { return kDialect; }

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::size_t mistakes = diagnostics.all().size();
  Syntax syntax = parse_blocks<Syntax>(sources, source, kDialect, diagnostics);
  if (syntax.steps.empty() && diagnostics.all().size() == mistakes)
    diagnostics.add(kEmptyPolicyFile, {source, 0, 0}, "the file has no `unicast-step`");
  return syntax;
}

}  // namespace rch::parsers::routing_chains

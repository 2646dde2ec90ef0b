#include "parsers/port_groups/port_groups.h"

#include "parsers/common/names.h"
#include "parsers/common/paragraphs.h"
#include "parsers/port_groups/values.h"
#include "parsers/rules.h"

namespace rch::parsers::port_groups {
namespace {

enum : std::size_t {
  kName,
  kUse,
  kPortGuid,
  kPortGuidRange,
  kPortName,
  kPortRegexp,
  kUnionRule,
  kSubtractRule
};
constexpr QualifierSpec kQualifiers[] = {
    {"name", true},
    {"use", false, Repeat::last_wins, true},
    {"port-guid", false, Repeat::freely},
    {"port-guid-range", false, Repeat::freely},
    {"port-name", false, Repeat::freely},
    {"port-regexp", false, Repeat::freely, false, true},
    {"union-rule", false, Repeat::freely},
    {"subtract-rule", false, Repeat::freely},
};
constexpr ParagraphSpec kParagraph{"port-group", "end-port-group", kQualifiers};

class GroupReader {
 public:
  explicit GroupReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Group read(const Paragraph& paragraph) {
    Group group;
    group.span = paragraph.keyword.span;
    group.name = read_name(paragraph.find(kName), diagnostics_);
    if (const Value* use = paragraph.find(kUse)) group.use = use->text();
    for (const Qualifier& qualifier : paragraph.qualifiers) {
      if (qualifier.spec == kName || qualifier.spec == kUse) continue;
      group.has_rules = true;
      if (!qualifier.broken) add_rule(qualifier, group);
    }
    return group;
  }

  void report_separators() {
    if (separators_.semicolon && separators_.blank)
      diagnostics_.add(kMixedSeparators, *separators_.blank, "a blank separates host fields here")
          .labels.push_back({*separators_.semicolon, "and `;` here"});
  }

 private:
  void add_rule(const Qualifier& qualifier, Group& group) {
    const auto add = [&](auto rule) {
      if (rule) group.rules.push_back({qualifier.value.span(), std::move(*rule)});
    };
    switch (qualifier.spec) {
      case kPortGuid:
        return add(read_port_guid(qualifier.value, diagnostics_));
      case kPortGuidRange:
        return add(read_port_guid_range(qualifier.value, diagnostics_));
      case kPortName:
        return add(read_port_name(qualifier.value, separators_, diagnostics_));
      case kPortRegexp:
        return add(read_port_regexp(qualifier.value, diagnostics_));
      case kUnionRule:
        return add(read_set_rule(qualifier.value, true, diagnostics_));
      case kSubtractRule:
        return add(read_set_rule(qualifier.value, false, diagnostics_));
      default:
        return;
    }
  }

  Diagnostics& diagnostics_;
  Separators separators_;
};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Syntax syntax;
  GroupReader reader(diagnostics);
  for (const Paragraph& paragraph : parse_paragraphs(sources, source, kParagraph, diagnostics))
    syntax.groups.push_back(reader.read(paragraph));
  reader.report_separators();
  return syntax;
}

}  // namespace rch::parsers::port_groups

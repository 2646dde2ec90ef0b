#include "parsers/topologies/topologies.h"

#include "parsers/common/names.h"
#include "parsers/common/numbers.h"
#include "parsers/common/paragraphs.h"

namespace rch::parsers::topologies {
namespace {

enum : std::size_t { kId, kSwGrp, kHcaGrp };
constexpr QualifierSpec kQualifiers[] = {{"id", true}, {"sw-grp", true}, {"hca-grp", true}};
constexpr ParagraphSpec kParagraph{"topology", "end-topology", kQualifiers};
constexpr NumberKind kTopologyId{"a topology id", 1, 0xFFFFFFFE};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Syntax syntax;
  for (const Paragraph& paragraph : parse_paragraphs(sources, source, kParagraph, diagnostics)) {
    Topology topology;
    topology.span = paragraph.keyword.span;
    if (const Value* id = paragraph.find(kId))
      topology.id = read_number(id->token(), kTopologyId, diagnostics);
    topology.sw_grp = read_name(paragraph.find(kSwGrp), diagnostics);
    topology.hca_grp = read_name(paragraph.find(kHcaGrp), diagnostics);
    syntax.topologies.push_back(std::move(topology));
  }
  return syntax;
}

}  // namespace rch::parsers::topologies

#include "parsers/topologies/topologies.h"

namespace rch::parsers::topologies {
namespace {

constexpr Keyword kKeywords[] = {
    keyword<&Topology::id, kNumber>("id", Occurs::required, {"a topology id", 1, 0xFFFFFFFE}),
    keyword<&Topology::sw_grp, kName>("sw-grp", Occurs::required),
    keyword<&Topology::hca_grp, kName>("hca-grp", Occurs::required),
};
constexpr BlockSpec kBlocks[] = {block<&Syntax::topologies>("topology", kKeywords)};
constexpr BlockDialect kDialect{"topology policy", Scanner::lines, kBlocks};

}  // namespace

const BlockDialect& dialect() { return kDialect; }

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return parse_blocks<Syntax>(sources, source, kDialect, diagnostics);
}

}  // namespace rch::parsers::topologies

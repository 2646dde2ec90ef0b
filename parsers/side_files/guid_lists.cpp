// Lists that start with a GUID and hold no port: members, ids.

#include "parsers/side_files/columns.h"

namespace rch::parsers::side_files {
namespace {

constexpr NumberKind kRank{"a rank", 0, 0xFF};
constexpr NumberKind kId{"an id"};

}  // namespace

std::vector<Member> parse_guid_list(const SourceSet& sources, SourceId source, const GuidListShape& shape,
                                    Diagnostics& diagnostics) {
  const auto read = [&](Columns& line) {
    Member member{shape.groups ? line.subject() : line.guid_subject(), std::nullopt};
    if (shape.ranks && line.more()) member.rank = line.number(kRank);
    return member;
  };
  return read_table(sources, source, {}, shape.ranks ? "GUID RANK" : "GUID", read, diagnostics);
}

std::vector<NodeNumber> parse_guid_ids(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const auto read = [](Columns& line) { return NodeNumber{line.guid(), line.number(kId)}; };
  return read_table(sources, source, {}, "GUID ID", read, diagnostics);
}

}  // namespace rch::parsers::side_files

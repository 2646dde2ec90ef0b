// Lists that start with a GUID and hold no port: members, ids.

#include "parsers/side_files/columns.h"

namespace rch::parsers::side_files {
namespace {

constexpr NumberKind kRank{"a rank", 0, 0xFF};
constexpr NumberKind kId{"an id"};

}  // namespace

std::vector<Member> parse_guid_list(const SourceSet& sources, SourceId source, const GuidListShape& shape,
                                    Diagnostics& diagnostics) {
  std::vector<Member> members;
  const auto read = [&](const Words& words) {
    Columns line(words, shape.ranks ? "GUID RANK" : "GUID", diagnostics);
    Member member;
    if (shape.groups)
      member.subject = line.subject();
    else
      member.subject = {words[0], line.guid().guid};
    if (shape.ranks && line.more()) member.rank = line.number(kRank);
    if (line.finish()) members.push_back(std::move(member));
  };
  read_lines(sources, source, {}, read, diagnostics);
  return members;
}

std::vector<NodeNumber> parse_guid_ids(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  std::vector<NodeNumber> numbers;
  const auto read = [&](const Words& words) {
    Columns line(words, "GUID ID", diagnostics);
    const NodeNumber number{line.guid(), line.number(kId)};
    if (line.finish()) numbers.push_back(number);
  };
  read_lines(sources, source, {}, read, diagnostics);
  return numbers;
}

}  // namespace rch::parsers::side_files

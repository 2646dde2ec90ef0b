#include "policy/build/partitions/edit.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/partitions/limits.h"

namespace rch::policy::partitions {

namespace partition_syntax = parsers::partitions;

namespace {

constexpr std::string_view kBlanksOfLists = " \t\r\n";
/// A comma on a line above may be one of a comment.
constexpr std::string_view kBlanksInLine = " \t";

/// The statements of a partition: it may have several. A number names it where no name does.
std::vector<const partition_syntax::Statement*> statements_of(std::string_view text,
                                                              const partition_syntax::Syntax& syntax,
                                                              std::string_view partition) {
  const auto number = parse_integer(partition);
  std::vector<const partition_syntax::Statement*> found;
  for (const partition_syntax::Statement& statement : syntax.statements) {
    const std::string_view name =
        text.substr(statement.name.begin, statement.name.end - statement.name.begin);
    const bool is_number = number && statement.pkey && ((statement.pkey->value ^ *number) & 0x7FFFU) == 0;
    if (is_number || (!name.empty() && name == partition)) found.push_back(&statement);
  }
  return found;
}

tl::unexpected<Error> no_such(std::string_view text, const partition_syntax::Syntax& syntax,
                              std::string_view partition) {
  std::vector<std::string_view> names;
  for (const partition_syntax::Statement& statement : syntax.statements)
    names.push_back(text.substr(statement.name.begin, statement.name.end - statement.name.begin));
  std::erase(names, std::string_view());
  const std::string_view meant = nearest(partition, names);
  return fail(ErrorKind::invalid,
              fmt::format("the file has no partition `{}`{}", partition,
                          meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant)));
}

std::size_t line_size(std::string_view text, std::size_t at) {
  const std::size_t before = text.substr(0, at).rfind('\n');
  const std::size_t begin = before == text.npos ? 0 : before + 1;
  return std::min(text.find('\n', at), text.size()) - begin;
}

/// The text with `item` behind `separator` at a place. It begins a line where the one before would be longer
/// than OpenSM reads.
Result<std::string> with_item(std::string_view text, std::size_t at, std::string_view separator,
                              std::string_view item) {
  constexpr std::size_t kLongest = partition_syntax::kLongestLine;
  for (const std::string_view blank : {" ", "\n    "}) {
    std::string longer =
        fmt::format("{}{}{}{}{}", text.substr(0, at), separator, blank, item, text.substr(at));
    const bool is_whole = line_size(longer, at) <= kLongest &&
                          line_size(longer, at + separator.size() + blank.size()) <= kLongest;
    if (is_whole) return longer;
  }
  const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
  return fail(ErrorKind::invalid,
              fmt::format("line {} of the file has {} bytes, of which OpenSM reads {}: break it first", line,
                          line_size(text, at), kLongest));
}

bool is_port(const partition_syntax::Member& member, Guid port) {
  return member.who == partition_syntax::Who::guid && member.key == port.value;
}

std::string_view word(partition_syntax::Membership membership) {
  switch (membership) {
    case partition_syntax::Membership::full:
      return "=full";
    case partition_syntax::Membership::both:
      return "=both";
    case partition_syntax::Membership::limited:
      return "=limited";
    case partition_syntax::Membership::unsaid:
      break;
  }
  return "";
}

/// `Name=0xPKEY`
struct NewPartition {
  std::string_view name;
  std::uint16_t pkey;
};

std::optional<NewPartition> new_partition(std::string_view words) {
  const std::size_t equals = words.find('=');
  if (equals == 0 || equals == words.npos) return std::nullopt;
  const auto number = parse_integer(words.substr(equals + 1));
  if (!number || *number > 0xFFFF) return std::nullopt;
  return NewPartition{words.substr(0, equals), static_cast<std::uint16_t>(*number & 0x7FFFU)};
}

/// The text with one statement more. What the parser makes of it must be that statement.
Result<std::string> with_partition(std::string_view text, const partition_syntax::Syntax& syntax,
                                   const NewPartition& made, std::string_view member) {
  for (const partition_syntax::Statement& statement : syntax.statements) {
    const std::string_view name =
        text.substr(statement.name.begin, statement.name.end - statement.name.begin);
    const bool has_number = statement.pkey && ((statement.pkey->value ^ made.pkey) & 0x7FFFU) == 0;
    if (name == made.name || has_number)
      return fail(ErrorKind::invalid, fmt::format("the file has a partition `{}` with another {}", name,
                                                  name == made.name ? "P_Key" : "name"));
  }
  std::string longer(text);
  if (!longer.empty() && longer.back() != '\n') longer += '\n';
  longer += fmt::format("{}=0x{:04x} : {};\n", made.name, made.pkey, member);
  SourceSet sources;
  Diagnostics found;
  const auto read = partition_syntax::parse(sources, sources.add("partitions", longer), found);
  const bool is_one = !found.has_errors() && !read.damaged &&
                      read.statements.size() == syntax.statements.size() + 1 &&
                      !read.statements.back().damaged;
  const Span name = is_one ? read.statements.back().name : Span{};
  if (!is_one || std::string_view(longer).substr(name.begin, name.end - name.begin) != made.name)
    return fail(
        ErrorKind::invalid,
        fmt::format("`{}` is no name for a partition, or the file does not end with a statement", made.name));
  return longer;
}

}  // namespace

Result<std::string> with_member(std::string_view text, const partition_syntax::Syntax& syntax,
                                std::string_view partition, Guid port,
                                partition_syntax::Membership membership) {
  const auto made = new_partition(partition);
  std::vector<const partition_syntax::Statement*> statements =
      statements_of(text, syntax, made ? made->name : partition);
  const auto has_number = [&](const partition_syntax::Statement* statement) {
    return statement->pkey && ((statement->pkey->value ^ made->pkey) & 0x7FFFU) == 0;
  };
  if (made && std::ranges::none_of(statements, has_number)) statements.clear();
  if (made && statements.empty())
    return with_partition(text, syntax, *made, fmt::format("{}{}", port, word(membership)));
  if (statements.empty()) return no_such(text, syntax, partition);
  for (const partition_syntax::Statement* statement : statements)
    for (const partition_syntax::Member& member : syntax.members_of(statement->members))
      if (is_port(member, port))
        return fail(ErrorKind::invalid, fmt::format("`{}` is a member of `{}` already", port, partition));
  const partition_syntax::Statement& last = *statements.back();
  const auto members = syntax.members_of(last.members);
  const std::string item = fmt::format("{}{}", port, word(membership));
  if (members.empty()) {  // behind the colon
    const std::size_t colon = text.find(':', last.header.begin);
    if (colon == text.npos) return no_such(text, syntax, partition);
    return with_item(text, colon + 1, "", item);
  }
  return with_item(text, syntax.span(members.back()).end, ",", item);
}

Result<std::string> without_member(std::string_view text, const partition_syntax::Syntax& syntax,
                                   std::string_view partition, Guid port) {
  const auto statements = statements_of(text, syntax, partition);
  if (statements.empty()) return no_such(text, syntax, partition);
  std::vector<Span> gone;
  for (const partition_syntax::Statement* statement : statements)
    for (const partition_syntax::Member& member : syntax.members_of(statement->members))
      if (is_port(member, port)) gone.push_back(syntax.span(member));
  if (gone.empty())
    return fail(ErrorKind::invalid, fmt::format("the file does not name `{}` in `{}`", port, partition));
  std::string out(text);
  for (auto span = gone.rbegin(); span != gone.rend(); ++span) {
    std::size_t begin = span->begin, end = span->end;
    const std::size_t behind = out.find_first_not_of(kBlanksOfLists, end);
    if (behind != out.npos && out[behind] == ',') {
      end = std::min(out.find_first_not_of(kBlanksOfLists, behind + 1), out.size());
    } else if (const std::size_t before = out.find_last_not_of(kBlanksInLine, begin - 1);
               before != out.npos && out[before] == ',') {
      begin = out.find_last_not_of(kBlanksInLine, before - 1) + 1;
    }
    out.erase(begin, end - begin);
  }
  return out;
}

}  // namespace rch::policy::partitions

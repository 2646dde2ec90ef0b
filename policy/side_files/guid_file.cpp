#include "policy/side_files/guid_file.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "parsers/common/numbers.h"
#include "parsers/common/text_rules.h"
#include "parsers/rules.h"
#include "policy/rules.h"

namespace rch::policy {
namespace {

constexpr parsers::TextRules kText{255, true};  // OpenSM reads lines into 256 bytes

class GuidReader {
 public:
  explicit GuidReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void read_line(std::string_view line, Span at) {
    const auto words = words_of(line.substr(0, line.find('#')), at);
    if (words.empty()) return;
    const auto guid = parsers::read_guid(words[0], diagnostics_);
    if (words.size() > 1)
      diagnostics_.add(parsers::kExtraArgument, words[1].span,
                       fmt::format("a line holds one GUID, saw `{}` behind it", words[1].text));
    if (guid) add(*guid, words[0].span);
  }

  std::vector<Guid> take() { return std::move(guids_); }

 private:
  static std::vector<parsers::Token> words_of(std::string_view line, Span at) {
    std::vector<parsers::Token> words;
    constexpr std::string_view kBlanks = " \t\r\v\f";
    for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
      const auto offset = [&](std::size_t in_line) { return at.begin + static_cast<std::uint32_t>(in_line); };
      words.push_back(
          {std::string(line.substr(begin, end - begin)), {at.source, offset(begin), offset(end)}});
      begin = line.find_first_not_of(kBlanks, end);
    }
    return words;
  }

  void add(Guid guid, Span span) {
    const auto [first, fresh] = seen_.emplace(guid, span);
    if (fresh) return guids_.push_back(guid);
    Diagnostic& d = diagnostics_.add(kRepeatedGuid, span, fmt::format("GUID {} is listed twice", guid));
    d.severity = Severity::warning;
    d.labels.push_back({first->second, "first here"});
  }

  Diagnostics& diagnostics_;
  std::vector<Guid> guids_;
  std::map<Guid, Span> seen_;
};

}  // namespace

std::vector<Guid> read_guid_file(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count(Severity::error);
  const std::string text = parsers::prepare_text(sources, source, kText, diagnostics);
  GuidReader reader(diagnostics);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    reader.read_line(std::string_view(text).substr(begin, end - begin),
                     {source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    begin = end + 1;
  }
  std::vector<Guid> guids = reader.take();
  if (guids.empty() && diagnostics.count(Severity::error) == before)
    diagnostics.add(kNoGuid, {source, 0, 0}, "the file names no GUID");
  return guids;
}

}  // namespace rch::policy

#include "parsers/partitions/flags.h"

#include <algorithm>

#include <fmt/format.h>

#include "parsers/common/link_codes.h"
#include "parsers/partitions/rules.h"

namespace rch::parsers::partitions {
namespace {

constexpr std::uint64_t kLargestKnownRate = 24;

std::string_view word_of(FlagKind kind) { return kFlagWords[static_cast<std::size_t>(kind)].text; }

}  // namespace

Piece RawFlag::whole() const { return {name.begin, std::max({name.end, equals.end, value.end})}; }

FlagReader::Taken FlagReader::take(std::span<const Word> words) {
  const auto first = static_cast<std::uint32_t>(syntax_.flags.size());
  bool all = true;
  for (const RawFlag& raw : raw_) {
    const auto flag = read(raw, words);
    all = all && flag;
    if (!flag) continue;
    check_repeated(*flag, first);
    syntax_.flags.push_back(*flag);
  }
  raw_.clear();
  return {{first, static_cast<std::uint32_t>(syntax_.flags.size())}, all};
}

std::optional<Flag> FlagReader::read(const RawFlag& flag, std::span<const Word> words) {
  const auto kind = read_kind(flag, words);
  if (!kind) return std::nullopt;
  const auto value = read_value(flag, *kind);
  if (!value) return std::nullopt;
  return Flag{*kind, *value, flag.whole().begin, flag.whole().end};
}

std::optional<FlagKind> FlagReader::read_kind(const RawFlag& flag, std::span<const Word> words) {
  if (!flag.name.given()) {
    report_empty(flag);
    return std::nullopt;
  }
  const std::string_view word = text_.at(flag.name);
  if (const Found found = find_word(word, words); found.fit != Fit::none) {
    if (!accept(found, flag.name, words, text_)) return std::nullopt;
    return static_cast<FlagKind>(found.index);
  }
  const auto alias = std::find_if(std::begin(kFlagAliases), std::end(kFlagAliases),
                                  [&](const Alias& a) { return a.text == word; });
  if (alias == std::end(kFlagAliases)) {
    report_unknown(flag, words);
    return std::nullopt;
  }
  text_.report()
      .add(kFlagSpelling, text_.span(flag.name),
           fmt::format("`{}` is read as `{}`; OpenSM drops it", word, word_of(alias->meant)))
      .fixes.push_back({text_.span(flag.name), std::string(word_of(alias->meant))});
  return alias->meant;
}

std::optional<std::uint32_t> FlagReader::read_value(const RawFlag& flag, FlagKind kind) {
  if (kind == FlagKind::ipoib || kind == FlagKind::indx0) {
    if (flag.equals.given())
      text_.report().add(kFlagTakesNoValue, text_.span({flag.equals.begin, flag.whole().end}),
                         fmt::format("`{}` takes no value; it is on", word_of(kind)));
    return 0;
  }
  if (!flag.value.given()) {
    text_.report().add(kFlagWithoutValue, text_.span(flag.whole()),
                       fmt::format("`{}` has no value", word_of(kind)));
    return std::nullopt;
  }
  if (kind == FlagKind::defmember) {
    const auto membership = read_membership(flag.value, text_);
    return membership ? std::optional(static_cast<std::uint32_t>(*membership)) : std::nullopt;
  }
  if ((kind == FlagKind::mtu && report_figure(text_.token(flag.value), CodeOf::mtu, text_.report())) ||
      (kind == FlagKind::rate && report_figure(text_.token(flag.value), CodeOf::rate, text_.report())))
    return std::nullopt;
  const auto number =
      read_number(text_.token(flag.value), kFlagNumbers[static_cast<std::size_t>(kind)], text_.report());
  if (!number) return std::nullopt;
  if (kind == FlagKind::rate && number->value > kLargestKnownRate)
    text_.report().add(kUnknownRate, number->span, fmt::format("rate code {} is not known", number->value));
  return static_cast<std::uint32_t>(number->value);
}

void FlagReader::report_empty(const RawFlag& flag) {
  Diagnostic& d = text_.report().add(kEmptyFlag, text_.span(flag.comma), "expected a flag behind `,`");
  if (!flag.equals.given()) d.fixes.push_back({text_.span(flag.comma), ""});
}

void FlagReader::report_unknown(const RawFlag& flag, std::span<const Word> words) {
  const std::string_view word = text_.at(flag.name);
  const bool of_group = words.size() == kGroupFlagWords.size();
  if (of_group && names_member(word)) {
    text_.report()
        .add(kMemberBehindMgid, text_.span(flag.name),
             fmt::format("`{}` stands behind `mgid` on its line", word))
        .hint = "put it on the next line";
    return;
  }
  const bool of_partition = find_word(word, kFlagWords).fit == Fit::exact;
  Diagnostic& d = text_.report().add(
      kUnknownFlag, text_.span(flag.name),
      of_partition ? fmt::format("`{}` is a flag of partitions, not of multicast groups", word)
                   : fmt::format("unknown flag `{}`", word));
  if (const std::string_view meant = nearest_word(word, words); !meant.empty())
    d.hint = fmt::format("did you mean `{}`?", meant);
}

void FlagReader::check_repeated(const Flag& flag, std::uint32_t first) {
  if (flag.kind == FlagKind::scope) return;
  const auto begin = syntax_.flags.begin() + first;
  const auto before =
      std::find_if(begin, syntax_.flags.end(), [&](const Flag& f) { return f.kind == flag.kind; });
  if (before == syntax_.flags.end()) return;
  text_.report()
      .add(kRepeatedFlag, syntax_.span(flag),
           fmt::format("`{}` stands twice; the last one wins", word_of(flag.kind)))
      .labels.push_back({syntax_.span(*before), "first here"});
}

}  // namespace rch::parsers::partitions

#include "policy/build/groups/group_rules.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "policy/lint/rules/groups.h"
#include "policy/model/regexp.h"

namespace rch::policy {
namespace {

namespace group_syntax = parsers::port_groups;

/// The letter behind a backslash, where neither POSIX nor glibc gives it a meaning.
std::optional<char> foreign_escape(std::string_view pattern) {
  constexpr std::string_view kKnown = "wWsSbB";
  for (std::size_t at = pattern.find('\\'); at != std::string_view::npos && at + 1 < pattern.size();
       at = pattern.find('\\', at + 2)) {
    const char c = pattern[at + 1];
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 && kKnown.find(c) == std::string_view::npos)
      return c;
  }
  return std::nullopt;
}

struct Converter {
  Span span;
  Diagnostics& diagnostics;

  std::vector<GroupRule> operator()(const group_syntax::PortGuid& rule) const {
    std::vector<GroupRule> rules;
    std::set<Guid> seen;
    for (const group_syntax::GuidItem& item : rule.items) {
      if (!seen.insert(item.guid).second)
        diagnostics.add(kRepeatedGuid, item.span, fmt::format("{} stands twice in this rule", item.guid));
      report_repeated_ports(item);
      rules.push_back(PortGuidRule{item.guid, item.ports, item.span});
    }
    return rules;
  }
  std::vector<GroupRule> operator()(const group_syntax::PortGuidRange& rule) const {
    return {PortGuidRangeRule{rule.low, rule.high, span}};
  }
  std::vector<GroupRule> operator()(const group_syntax::PortName& rule) const {
    std::vector<GroupRule> rules;
    for (const group_syntax::Host& host : rule.hosts) {
      PortNameRule converted{host.hostname.text, std::nullopt, std::nullopt, host.hostname.span};
      if (host.port) converted.port = static_cast<std::uint8_t>(host.port->value);
      if (host.hca_idx) converted.hca_index = static_cast<std::uint32_t>(host.hca_idx->value);
      rules.emplace_back(std::move(converted));
    }
    return rules;
  }
  std::vector<GroupRule> operator()(const group_syntax::PortRegexp& rule) const {
    const std::string& pattern = rule.regexp.text;
    if (const auto compiled = Regexp::create(pattern); !compiled) {
      diagnostics.add(kBadRegexp, rule.regexp.span,
                      fmt::format("`{}` does not compile: {}", pattern, compiled.error()));
      return {};
    }
    if (const auto escape = foreign_escape(pattern))
      diagnostics
          .add(kForeignEscape, rule.regexp.span,
               fmt::format("`\\{}` is the letter {} in a POSIX expression", *escape, *escape))
          .hint = "write `[0-9]` for a digit";
    if (looks_like_glob(pattern))
      diagnostics
          .add(kRegexpLikeGlob, rule.regexp.span,
               fmt::format("`{}` is a regular expression, not a file pattern", pattern))
          .hint =
          "it may match anywhere in a node description; anchor it with `^` and write `.*` for any text";
    PortRegexpRule converted{pattern, std::nullopt, rule.regexp.span};
    if (rule.port) converted.port = static_cast<std::uint8_t>(rule.port->value);
    return {std::move(converted)};
  }
  std::vector<GroupRule> operator()(const group_syntax::SetRule&) const { return {}; }

 private:
  void report_repeated_ports(const group_syntax::GuidItem& item) const {
    for (auto range = item.ports.begin(); range != item.ports.end(); ++range) {
      const auto twin = std::find_if(item.ports.begin(), range, [&](const auto& before) {
        return before.first <= range->second && range->first <= before.second;
      });
      if (twin == range) continue;
      diagnostics.add(kPortTwice, item.span,
                      fmt::format("port {} stands twice for this GUID", std::max(twin->first, range->first)));
      return;
    }
  }
};

}  // namespace

std::vector<GroupRule> convert_rule(const group_syntax::Rule& rule, Diagnostics& diagnostics) {
  return std::visit(Converter{rule.span, diagnostics}, rule.what);
}

}  // namespace rch::policy

#include "policy/build/mistaken.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/formats.h"
#include "fabric/other_output.h"
#include "policy/lint/rules.h"
#include "policy/model/dialect.h"
#include "policy/model/option_table.h"

namespace rch::policy {
namespace {

constexpr std::size_t kLinesTried = 1000;

/// Calls f(line) for the first lines that are neither empty nor comments, until it is true.
template <class F>
bool any_line(std::string_view text, F f) {
  for (std::size_t lines = 0; !text.empty() && lines < kLinesTried; ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::string_view words = trim(line); !words.empty() && words.front() != '#' && f(line))
      return true;
  }
  return false;
}

bool has_option(std::string_view text) {
  return any_line(text, [](std::string_view line) {
    const std::string_view word = trim(line).substr(0, trim(line).find_first_of(" \t=:"));
    return find_option(word) != nullptr || find_old_name(word) != nullptr;
  });
}

/// A key of an rch.yaml at the start of its line.
bool is_rch_file(std::string_view text) {
  constexpr std::string_view kKeys[] = {
      "config:", "options:", "routing:", "lint:", "verify:", "security:", "quarantine:"};
  return any_line(text, [&](std::string_view line) {
    return std::ranges::any_of(kKeys, [&](std::string_view key) { return line.starts_with(key); });
  });
}

/// An rch.yaml in braces begins as an opensm-subnet.lst does.
bool is_fabric(std::string_view text) {
  const fabric::Format format = fabric::recognise(text);
  const bool in_braces = format == fabric::Format::subnet_lst || format == fabric::Format::ibdiagnet_lst;
  return in_braces ? text.find(" Ports:") != std::string_view::npos : format != fabric::Format::unknown;
}

/// Tables of ibdiagnet or of NVIDIA SM. Their rows hold M_Keys, which no finding of another dialect may
/// quote.
bool is_tables(std::string_view text) {
  const fabric::Format format = fabric::recognise(text);
  return format == fabric::Format::db_csv || format == fabric::Format::smdb;
}

/// Forwarding tables, which the engine `file` reads, too.
bool is_table_dump(std::string_view text) {
  const std::string_view first = trim(text.substr(0, text.find('\n')));
  return first.starts_with("Unicast lids [") || first.starts_with("Multicast mlids [");
}

/// `0x0002c9030001000d 0x5f1b93a4c2d87e60`, as each line of OpenSM's file guid2mkey.
bool is_key_list(std::string_view text) {
  const auto is_word = [](std::string_view word) {
    return word.size() == 18 && word.starts_with("0x") && parse_hex(word.substr(2));
  };
  bool any = false;
  const bool other = any_line(text, [&](std::string_view line) {
    const std::string_view words = trim(line);
    const std::size_t gap = std::min(words.find_first_of(" \t"), words.size());
    any = true;
    return !is_word(words.substr(0, gap)) || !is_word(trim(words.substr(gap)));
  });
  return any && !other;
}

/// Written for a network, not named by a configuration.
bool is_network(Dialect dialect) {
  return dialect == Dialect::fabric || dialect == Dialect::topo || dialect == Dialect::ibnl;
}

/// The dialect is told by votes of lines, so it counts only where no line is what the file is given as.
std::optional<Mistaken> other_dialect(std::string_view text, GivenAs as) {
  const auto dialect = recognise(text).dialect;
  if (!dialect || (as == GivenAs::fabric && is_network(*dialect))) return std::nullopt;
  if (*dialect == Dialect::options)
    return as == GivenAs::options
               ? std::nullopt
               : std::optional(Mistaken{"an options file (opensm.conf)", "give it with `-F`"});
  if (as == GivenAs::fabric && text.find("->") != std::string_view::npos) return std::nullopt;
  if (is_network(*dialect)) return Mistaken{"a fabric", "give it with `--fabric`"};
  return Mistaken{fmt::format("a file of {}", info(*dialect).what), "give the options file that names it"};
}

/// What to give in place of output of a tool.
std::string_view hint_for(const fabric::OtherOutput& other, GivenAs as) {
  if (!other.is_text || as == GivenAs::fabric) return other.hint;
  if (as == GivenAs::options) return "`-F` takes an options file, such as OpenSM's opensm.conf";
  if (as == GivenAs::rch_file) return "`-C` takes an rch.yaml";
  return "give a file of the configuration; output of a tool is none";
}

}  // namespace

std::optional<Mistaken> mistaken(std::string_view text, GivenAs as) {
  if (const auto other = fabric::other_output(text))
    return Mistaken{std::string(other->what), std::string(hint_for(*other, as)), other->at, other->is_text};
  if (as == GivenAs::side_file && is_tables(text)) return Mistaken{"a fabric", "give it with `--fabric`"};
  if (as == GivenAs::anything || as == GivenAs::side_file) return std::nullopt;
  if (as == GivenAs::options && has_option(text)) return std::nullopt;
  if (as == GivenAs::rch_file && is_rch_file(text)) return std::nullopt;
  if (is_key_list(text))  // a line of it shows an M_Key
    return Mistaken{"a list of pairs of 64-bit numbers, as OpenSM's guid2mkey",
                    as == GivenAs::fabric ? "it has no links; give what `ibnetdiscover` prints"
                                          : "give a file of the configuration",
                    0, false};
  if (is_table_dump(text))
    return Mistaken{"a dump of forwarding tables, as `ibroute` and OpenSM print them",
                    as == GivenAs::fabric ? "it has no links; give what `ibnetdiscover` prints"
                                          : "an options file names such a dump as `lfts_file`"};
  if (is_fabric(text))
    return as == GivenAs::fabric ? std::nullopt
                                 : std::optional(Mistaken{"a fabric", "give it with `--fabric`"});
  if (as != GivenAs::rch_file && is_rch_file(text)) return Mistaken{"an rch.yaml", "give it with `-C`"};
  return other_dialect(text, as);
}

bool report_mistaken(const SourceSet& sources, SourceId source, GivenAs as, Diagnostics& diagnostics) {
  const auto told = mistaken(sources.at(source).text(), as);
  if (!told) return false;
  constexpr std::string_view kExpected[] = {", not an options file", ", not an rch.yaml", ", not a fabric",
                                            "", ""};
  const std::string message =
      fmt::format("this is {}{}", told->what, kExpected[static_cast<std::size_t>(as)]);
  const auto at = static_cast<std::uint32_t>(told->at);
  Diagnostic& d =
      told->is_text
          ? diagnostics.add(kMistakenFile, {source, at, at}, message)
          : diagnostics.add(kMistakenFile, {}, fmt::format("`{}`: {}", sources.at(source).name(), message));
  d.hint = told->hint;
  return true;
}

}  // namespace rch::policy

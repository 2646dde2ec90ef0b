#include "parsers/qos_policy/qos_policy.h"

#include <utility>

#include <fmt/format.h>
#include <tao/pegtl.hpp>

#include "parsers/common/text_rules.h"
#include "parsers/qos_policy/grammar.h"
#include "parsers/qos_policy/rules.h"
#include "parsers/qos_policy/section_reader.h"
#include "parsers/qos_policy/ulps.h"
#include "parsers/qos_policy/values.h"
#include "parsers/rules.h"

namespace rch::parsers::qos_policy {
namespace {

constexpr NumberKind kMtu{"an MTU code", 1, 5};
constexpr NumberKind kRate{"a rate code", 2, 25};
constexpr std::uint64_t kLastOpenSmRate = 22;
constexpr NumberKind kLife{"a packet life code", 0, 63};
constexpr NumberKind kHighLimit{"a high limit", 0, 255};
constexpr RangeKind kPathBits{{"a path bit", 0, 127}};
constexpr RangeKind kQosClasses{{"a QoS class", 0, 4095}};

/// Gives sections their meaning, each value by the form of its keyword.
class Converter {
 public:
  explicit Converter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Syntax convert(const std::vector<Section>& sections) {
    for (const Section& section : sections) take(section);
    return std::move(syntax_);
  }

 private:
  void take(const Section& section) {
    switch (section.id) {
      case SectionId::port_group:
        return port_group(section);
      case SectionId::qos_level:
        return level(section);
      case SectionId::qos_match_rule:
        return match_rule(section);
      case SectionId::vlarb_scope:
        return vlarb_scope(section);
      case SectionId::sl2vl_scope:
        return sl2vl_scope(section);
      case SectionId::qos_setup:
        diagnostics_.add(kSetupIgnored, section.keyword.span, "`qos-setup` is read and has no effect").hint =
            "use the `qos_*` options of the main options file";
        return;
      default:
        return ulps(section);
    }
  }

  /// False, reported, if the entry has no value.
  bool has_value(const Section& section, const Entry& entry) {
    if (!entry.value.empty()) return true;
    if (!entry.reported)
      diagnostics_.add(kEmptyValue, entry.word.span,
                       fmt::format("`{}` has no value", spec(section.id).keys[entry.key].word));
    return false;
  }

  /// Appends what was read; false if nothing was.
  template <class Item>
  static bool append(std::vector<Item>& list, std::optional<std::vector<Item>> read) {
    if (read) list.insert(list.end(), read->begin(), read->end());
    return read.has_value();
  }

  void port_group(const Section& section) {
    PortGroup group;
    group.span = section.keyword.span;
    for (const Entry& entry : section.entries)
      if (has_value(section, entry)) group_entry(entry, group);
    syntax_.groups_complete = syntax_.groups_complete && group.name;
    syntax_.groups.push_back(std::move(group));
  }

  void group_entry(const Entry& entry, PortGroup& group) {
    switch (entry.key) {
      case key::group_name:
        group.name = read_one_name(entry.value, diagnostics_);
        return;
      case key::group_use:
        group.use = entry.value.text();
        return;
      case key::port_guid:
        append(group.port_guids, read_ranges(entry.value, kGuids, diagnostics_));
        return;
      case key::port_name:
        append(group.port_names, read_port_names(entry.value, diagnostics_));
        return;
      case key::group_pkey:
        append(group.pkeys, read_ranges(entry.value, kPkeys, diagnostics_));
        return;
      case key::partition:
        append(group.partitions, read_partitions(entry.value, diagnostics_));
        return;
      default:
        append(group.node_types, read_node_types(entry.value, diagnostics_));
    }
  }

  void level(const Section& section) {
    Level level;
    level.span = section.keyword.span;
    for (const Entry& entry : section.entries)
      if (has_value(section, entry)) level_entry(entry, level);
    syntax_.levels_complete = syntax_.levels_complete && level.name;
    syntax_.levels.push_back(std::move(level));
  }

  void level_entry(const Entry& entry, Level& level) {
    switch (entry.key) {
      case key::level_name:
        level.name = read_one_name(entry.value, diagnostics_);
        return;
      case key::level_use:
        level.use = entry.value.text();
        return;
      case key::level_sl:
        level.sl = read_one_number(entry.value, kSl, diagnostics_);
        return;
      case key::mtu_limit:
        level.mtu_limit = read_one_number(entry.value, kMtu, diagnostics_);
        return;
      case key::rate_limit:
        level.rate_limit = read_one_number(entry.value, kRate, diagnostics_);
        if (level.rate_limit && level.rate_limit->value > kLastOpenSmRate)
          diagnostics_.add(kRateBeyondOpenSm, level.rate_limit->span,
                           fmt::format("OpenSM knows rate codes up to {}, saw {}", kLastOpenSmRate,
                                       level.rate_limit->value));
        return;
      case key::packet_life:
        level.packet_life = read_one_number(entry.value, kLife, diagnostics_);
        return;
      case key::path_bits:
        append(level.path_bits, read_ranges(entry.value, kPathBits, diagnostics_));
        return;
      default:
        append(level.pkeys, read_ranges(entry.value, kPkeys, diagnostics_));
    }
  }

  void match_rule(const Section& section) {
    MatchRule rule;
    rule.span = section.keyword.span;
    rule.complete = !section.excused;
    for (const Entry& entry : section.entries) {
      const bool read = has_value(section, entry) && rule_entry(entry, rule);
      rule.complete = rule.complete && read;
    }
    syntax_.rules.push_back(std::move(rule));
  }

  bool rule_entry(const Entry& entry, MatchRule& rule) {
    switch (entry.key) {
      case key::rule_use:
        rule.use = entry.value.text();
        return true;
      case key::qos_class:
        return append(rule.qos_class, read_ranges(entry.value, kQosClasses, diagnostics_));
      case key::source:
        return append(rule.source, read_names(entry.value, diagnostics_));
      case key::destination:
        return append(rule.destination, read_names(entry.value, diagnostics_));
      case key::service_id:
        return append(rule.service_id, read_ranges(entry.value, kServiceIds, diagnostics_));
      case key::rule_pkey:
        return append(rule.pkeys, read_ranges(entry.value, kPkeys, diagnostics_));
      default:
        rule.level = read_one_name(entry.value, diagnostics_);
        return rule.level.has_value();
    }
  }

  void vlarb_scope(const Section& section) {
    const auto is_group = [](std::size_t k) { return k == key::vlarb_group || k == key::vlarb_across; };
    scope(section, is_group, [&](const Entry& entry) {
      if (entry.key == key::vl_high_limit)
        read_one_number(entry.value, kHighLimit, diagnostics_);
      else
        check_weights(entry.value, diagnostics_);
    });
  }

  void sl2vl_scope(const Section& section) {
    const auto is_group = [](std::size_t k) { return k <= key::across_to; };
    scope(section, is_group, [&](const Entry& entry) {
      if (entry.key == key::sl2vl_table)
        check_sl2vl(entry.value, diagnostics_);
      else
        check_ports(entry.value, diagnostics_);
    });
  }

  /// A scope names at least one group; what else it says is checked and forgotten.
  void scope(const Section& section, auto is_group, auto check) {
    bool grouped = section.excused;
    for (const Entry& entry : section.entries) {
      grouped = grouped || is_group(entry.key);
      if (!has_value(section, entry)) continue;
      if (is_group(entry.key))
        append(syntax_.setup_groups, read_names(entry.value, diagnostics_));
      else
        check(entry);
    }
    if (!grouped)
      diagnostics_.add(kMissingQualifier, section.keyword.span,
                       fmt::format("this `{}` names no port group", spec(section.id).begin));
  }

  void ulps(const Section& section) {
    for (const Value& line : section.lines) {
      if (auto ulp = read_ulp(line, diagnostics_))
        syntax_.ulps.push_back(std::move(*ulp));
      else
        syntax_.default_complete = false;
    }
    syntax_.default_complete = syntax_.default_complete && !section.excused;
  }

  Diagnostics& diagnostics_;
  Syntax syntax_;
};

/// Where the grammar's matches go.
struct Lines {
  const char* base;
  SourceId source;
  SectionReader& reader;
  Span comment;  ///< the last one

  template <class In>
  Span span(const In& in) const {
    const auto begin = static_cast<std::uint32_t>(in.begin() - base);
    return {source, begin, begin + static_cast<std::uint32_t>(in.size())};
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::content> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.reader.line({in.string(), lines.span(in)});
  }
};
template <>
struct Action<grammar::comment> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.comment = lines.span(in);
  }
};

void check_last_line(const Lines& lines, std::size_t size, Diagnostics& diagnostics) {
  if (lines.comment.source.is_none() || lines.comment.end != size) return;
  Diagnostic& d = diagnostics.add(kCommentAtEnd, lines.comment, "the file ends inside this comment");
  d.hint = "end the last line";
  d.fixes.push_back({{lines.source, lines.comment.end, lines.comment.end}, "\n"});
}

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {.hash_anywhere = true}, diagnostics);
  SectionReader reader(diagnostics);
  Lines lines{text.data(), source, reader, {}};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<grammar::file, Action>(in, lines);
  check_last_line(lines, text.size(), diagnostics);
  return Converter(diagnostics).convert(reader.finish());
}

}  // namespace rch::parsers::qos_policy

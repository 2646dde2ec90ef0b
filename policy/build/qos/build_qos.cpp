#include "policy/build/qos/build_qos.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/build/qos/pkey_references.h"
#include "policy/lint/rules/qos.h"
#include "policy/lint/shadows.h"

namespace rch::policy::qos {
namespace {

namespace qos_syntax = parsers::qos_policy;

// Service ids that ULP lines stand for (OpenSM's doc/QoS_management_in_OpenSM.txt).
constexpr std::uint64_t kSdp = 0x10000, kRdmaCm = 0x1060000, kPorts = 0xFFFF;
constexpr std::uint64_t kRdsPort = 0x48CA, kIserPort = 0xCBC;

Ranges ranges_of(const std::vector<qos_syntax::Range>& written, std::uint64_t offset = 0) {
  std::vector<Ranges::Range> ranges;
  for (const qos_syntax::Range& r : written) ranges.push_back({r.low + offset, r.high + offset});
  return Ranges(std::move(ranges));
}

std::optional<std::uint8_t> code(const std::optional<parsers::Number>& number) {
  return number ? std::optional(static_cast<std::uint8_t>(number->value)) : std::nullopt;
}

std::string listed(const std::vector<std::string_view>& names) {
  return names.empty() ? std::string() : fmt::format("`{}`", fmt::join(names, "`, `"));
}

/// False if a name may be missing.
bool all_named(const auto& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.name.has_value(); });
}

bool all_complete(const auto& blocks) {
  return std::all_of(blocks.begin(), blocks.end(),
                     [](const parsers::Block& block) { return block.complete(); });
}

/// Names of one kind, compared as OpenSM does.
struct NameTable {
  struct Entry {
    std::size_t index;
    const qos_syntax::Name* name;
    bool used = false;
  };
  std::map<std::string, Entry> by_key;

  Entry* find(const qos_syntax::Name& name) {
    const auto at = by_key.find(name.key);
    return at == by_key.end() ? nullptr : &at->second;
  }
  std::vector<std::string_view> words() const {
    std::vector<std::string_view> found;
    for (const auto& [key, entry] : by_key) found.push_back(entry.name->token.text);
    return found;
  }
};

class Builder {
 public:
  Builder(const qos_syntax::Syntax& file, SourceId source, const KnownPartitions* partitions,
          const BuildContext& context)
      : file_(file),
        source_(source),
        partitions_(partitions),
        context_(context),
        diagnostics_(context.diagnostics),
        pkeys_(partitions, context) {}

  QosPolicy build() {
    for (const qos_syntax::PortGroup& group : file_.groups) add_group(group);
    for (const qos_syntax::Level& level : file_.levels) add_level(level);
    for (const auto* scopes : {&file_.vlarb_scopes, &file_.sl2vl_scopes})
      for (const qos_syntax::SetupScope& scope : *scopes)
        for (const qos_syntax::Name& name : scope.groups) use_in_setup(name);
    for (const qos_syntax::MatchRule& rule : file_.rules) add_rule(rule);
    for (const qos_syntax::Ulps& block : file_.ulps)
      for (const qos_syntax::UlpLine& line : block.lines) add_ulp(line);
    choose_fallback();
    report_shadows();
    report_unused();
    return std::move(policy_);
  }

 private:
  void add_group(const qos_syntax::PortGroup& group) {
    const std::size_t index = policy_.groups.size();
    policy_.groups.push_back(ports_of(group));
    if (!group.name) return;
    context_.symbols.define(SymbolKind::qos_group, group.name->token.text, group.name->token.span);
    define(groups_, index, *group.name, kDuplicateGroup, "group");
    if (context_.groups != nullptr && context_.groups->knows(group.name->token.text))
      diagnostics_
          .add(kGroupInBothFiles, group.name->token.span,
               fmt::format("group `{}` is defined in the port group file too", group.name->token.text))
          .hint = "rules of this file mean the group of this file";
  }

  Ranges guids_of(const std::vector<qos_syntax::Range>& written) {
    for (const qos_syntax::Range& range : written)
      policy_.guids.push_back({range.low, range.high, range.span});
    return ranges_of(written);
  }

  PortSet ports_of(const qos_syntax::PortGroup& group) {
    PortSet ports;
    ports.guids = guids_of(group.port_guids);
    for (const qos_syntax::PortName& name : group.port_names)
      ports.names.push_back({name.node, static_cast<std::uint8_t>(name.port.value), name.span});
    std::sort(ports.names.begin(), ports.names.end());
    ports.names.erase(std::unique(ports.names.begin(), ports.names.end()), ports.names.end());
    for (const qos_syntax::NodeType type : group.node_types) add_type(type, ports);
    for (const qos_syntax::Range& range : group.pkeys) pkeys_.check(range);
    ports.pkeys = ranges_of(group.pkeys);
    for (const parsers::Token& name : group.partitions) ports.pkeys.add(pkeys_.find(name));
    return ports;
  }

  static void add_type(qos_syntax::NodeType type, PortSet& ports) {
    switch (type) {
      case qos_syntax::NodeType::ca:
        ports.node_types |= type_bit(fabric::NodeType::ca);
        return;
      case qos_syntax::NodeType::sw:
        ports.node_types |= type_bit(fabric::NodeType::sw);
        return;
      case qos_syntax::NodeType::router:
        ports.node_types |= type_bit(fabric::NodeType::router);
        return;
      case qos_syntax::NodeType::all:
        ports.node_types = kAllTypes;
        return;
      case qos_syntax::NodeType::self:
        ports.sm = true;
    }
  }

  void add_level(const qos_syntax::Level& written) {
    const std::size_t index = policy_.levels.size();
    Level& level = policy_.levels.emplace_back();
    level.span = written.span;
    level.sl = code(written.sl).value_or(0);
    level.mtu_limit = code(written.mtu_limit);
    level.rate_limit = code(written.rate_limit);
    level.packet_life = code(written.packet_life);
    level.path_bits = ranges_of(written.path_bits);
    for (const qos_syntax::Range& range : written.pkeys) pkeys_.check(range);
    level.pkeys = ranges_of(written.pkeys);
    if (written.sl) level.span = written.sl->span;
    if (!written.name) return;
    level.name = written.name->token.text;
    context_.symbols.define(SymbolKind::qos_level, level.name, written.name->token.span);
    define(levels_, index, *written.name, kDuplicateLevel, "level");
  }

  void define(NameTable& table, std::size_t index, const qos_syntax::Name& name, const rch::Rule& rule,
              std::string_view what) {
    const auto [first, fresh] = table.by_key.emplace(name.key, NameTable::Entry{index, &name});
    if (fresh) return;
    Diagnostic& d = diagnostics_.add(rule, name.token.span,
                                     fmt::format("{} `{}` is defined twice", what, name.token.text));
    d.labels.push_back({first->second.name->token.span, "first here"});
    if (first->second.name->token.text != name.token.text)
      d.hint = "case and unquoted blanks do not count in these names";
  }

  void use_in_setup(const qos_syntax::Name& name) {
    NameTable::Entry* group = groups_.find(name);
    if (group == nullptr) return;
    group->used = true;
    context_.symbols.refer(SymbolKind::qos_group, name.token.text, name.token.span);
  }

  void add_rule(const qos_syntax::MatchRule& written) {
    MatchRule rule;
    rule.span = written.span;
    for (const qos_syntax::Range& range : written.pkeys) pkeys_.check(range);
    const auto source = find_groups(written.source), destination = find_groups(written.destination);
    const auto level = written.level ? find_level(*written.level) : std::nullopt;
    // What a rule without one of its parts would match is anybody's guess.
    if (!written.complete() || !source || !destination || !level) return;
    rule.source = *source;
    rule.destination = *destination;
    rule.service_ids = ranges_of(written.service_id);
    rule.qos_classes = ranges_of(written.qos_class);
    rule.pkeys = ranges_of(written.pkeys);
    rule.level = *level;
    const bool empty = rule.source.empty() && rule.destination.empty() && rule.service_ids.empty() &&
                       rule.qos_classes.empty() && rule.pkeys.empty();
    if (empty)
      diagnostics_.add(kNoCriteria, rule.span, "this rule has no criterion and fits every query").hint =
          "a level for all other queries is called DEFAULT";
    policy_.rules.push_back(std::move(rule));
  }

  std::optional<std::vector<std::size_t>> find_groups(const std::vector<qos_syntax::Name>& names) {
    std::vector<std::size_t> found;
    bool good = true;
    for (const qos_syntax::Name& name : names) {
      const auto group = find_group(name);
      if (group) found.push_back(*group);
      good = good && group;
    }
    return good ? std::optional(found) : std::nullopt;
  }

  /// A group of this file, else one of the port group file.
  std::optional<std::size_t> find_group(const qos_syntax::Name& name) {
    const parsers::Token& token = name.token;
    if (NameTable::Entry* local = groups_.find(name)) {
      local->used = true;
      context_.symbols.refer(SymbolKind::qos_group, token.text, token.span);
      return local->index;
    }
    if (context_.groups != nullptr && context_.groups->knows(token.text)) {
      const auto id = context_.groups->use(token, diagnostics_);
      const auto [at, fresh] = unified_.emplace(token.text, policy_.groups.size());
      if (fresh) policy_.groups.emplace_back().group = id;
      return at->second;
    }
    resolved_ = false;
    if (!all_named(file_.groups)) return std::nullopt;
    Diagnostic& d =
        diagnostics_.add(kUndefinedGroup, token.span, fmt::format("group `{}` is not defined", token.text));
    if (context_.groups == nullptr) {
      d.severity = Severity::warning;
      d.message += " in this file";
    }
    suggest(d, token.text, groups_);
    return std::nullopt;
  }

  std::optional<std::size_t> find_level(const qos_syntax::Name& name) {
    const parsers::Token& token = name.token;
    if (NameTable::Entry* level = levels_.find(name)) {
      level->used = true;
      context_.symbols.refer(SymbolKind::qos_level, token.text, token.span);
      return level->index;
    }
    resolved_ = false;
    if (!all_named(file_.levels)) return std::nullopt;
    Diagnostic& d =
        diagnostics_.add(kUndefinedLevel, token.span, fmt::format("level `{}` is not defined", token.text));
    if (name.key == "default")
      d.hint = "the `default` line of `qos-ulps` has no name; define a level DEFAULT";
    else
      suggest(d, token.text, levels_);
    return std::nullopt;
  }

  void suggest(Diagnostic& d, std::string_view word, const NameTable& table) {
    if (suggestions_++ >= kSuggestions) return;
    const auto words = table.words();
    if (const std::string_view meant = nearest(word, words); !meant.empty())
      d.hint = fmt::format("did you mean `{}`?", meant);
    else if (!words.empty() && words.size() <= 10)
      d.hint = fmt::format("defined are {}", listed(words));
  }

  void add_ulp(const qos_syntax::UlpLine& line) {
    if (line.ulp == qos_syntax::Ulp::fallback) return add_default_line(line);
    MatchRule rule;
    rule.span = line.span;
    rule.ulp = true;
    rule.level = level_of_sl(line.sl);
    set_criterion(line, rule);
    policy_.rules.push_back(std::move(rule));
  }

  void set_criterion(const qos_syntax::UlpLine& line, MatchRule& rule) {
    switch (line.criterion) {
      case qos_syntax::Criterion::none:
        return set_default_criterion(line, rule);
      case qos_syntax::Criterion::port_num:
        rule.service_ids = ranges_of(line.values, line.ulp == qos_syntax::Ulp::sdp ? kSdp : kRdmaCm);
        return;
      case qos_syntax::Criterion::service_id:
        rule.service_ids = ranges_of(line.values);
        return;
      case qos_syntax::Criterion::pkey:
        for (const qos_syntax::Range& range : line.values)
          line.ulp == qos_syntax::Ulp::ipoib ? pkeys_.check_ipoib(range) : pkeys_.check(range);
        rule.pkeys = ranges_of(line.values);
        return;
      case qos_syntax::Criterion::target_port_guid:
        rule.destination = {add_ports(line)};
        return;
      case qos_syntax::Criterion::source_port_guid:
        rule.source = {add_ports(line)};
        return;
      case qos_syntax::Criterion::source_target_port_guid:
        rule.source = rule.destination = {add_ports(line)};
        diagnostics_.add(kSourceOrTarget, line.span, "both source and target must be in this list").hint =
            "manuals say either; write two lines if either is enough";
    }
  }

  void set_default_criterion(const qos_syntax::UlpLine& line, MatchRule& rule) {
    switch (line.ulp) {
      case qos_syntax::Ulp::sdp:
        rule.service_ids = Ranges({{kSdp, kSdp + kPorts}});
        return;
      case qos_syntax::Ulp::rds:
        rule.service_ids = Ranges({{kRdmaCm + kRdsPort, kRdmaCm + kRdsPort}});
        return;
      case qos_syntax::Ulp::iser:
        rule.service_ids = Ranges({{kRdmaCm + kIserPort, kRdmaCm + kIserPort}});
        return;
      default:
        rule.pkeys = Ranges({{kDefaultPkey, kDefaultPkey}});
        pkeys_.check_ipoib({kDefaultPkey, kDefaultPkey, line.span});
    }
  }

  std::size_t add_ports(const qos_syntax::UlpLine& line) {
    policy_.groups.emplace_back().guids = guids_of(line.values);
    return policy_.groups.size() - 1;
  }

  /// OpenSM has one nameless level for each SL.
  std::size_t level_of_sl(const parsers::Number& sl) {
    auto& index = by_sl_[sl.value];
    if (!index) {
      index = policy_.levels.size();
      Level& level = policy_.levels.emplace_back();
      level.sl = static_cast<std::uint8_t>(sl.value);
      level.span = sl.span;
    }
    return *index;
  }

  void add_default_line(const qos_syntax::UlpLine& line) {
    if (default_line_ != nullptr)
      diagnostics_.add(kTwoDefaults, default_line_->span, "a later `default` line overrides this one")
          .labels.push_back({line.span, "the later one"});
    default_line_ = &line;
  }

  Span where_levels_stand() const {
    if (!file_.levels.empty()) return file_.levels.front().span;
    return file_.ulps.empty() ? Span{source_, 0, 0} : file_.ulps.front().span;
  }

  void choose_fallback() {
    const auto level = levels_.by_key.find("default");
    if (level != levels_.by_key.end()) {
      level->second.used = true;
      policy_.fallback = level->second.index;
      if (default_line_ != nullptr)
        diagnostics_
            .add(kTwoDefaults, default_line_->span,
                 fmt::format("the level `{}` overrides this line", level->second.name->token.text))
            .labels.push_back({level->second.name->token.span, "the level"});
      return;
    }
    if (default_line_ != nullptr) {
      policy_.fallback = level_of_sl(default_line_->sl);
      return;
    }
    if (all_named(file_.levels) && all_complete(file_.ulps))
      diagnostics_.add(kMissingDefault, where_levels_stand(), "the policy has no default level").hint =
          "define a level named DEFAULT, or a `default` line in `qos-ulps`";
  }

  void report_shadows() {
    for (const Shadow& shadow : find_shadows(policy_)) {
      const MatchRule& rule = policy_.rules[shadow.rule];
      const std::string_view what = rule.ulp ? "line" : "rule";
      if (!shadow.by) {
        // A group may have more ports where the partitions or a line of a group were not read.
        if (partitions_ != nullptr && all_complete(file_.groups))
          diagnostics_.add(kUnreachableRule, rule.span,
                           "no query reaches this rule: its groups have no ports");
        continue;
      }
      const MatchRule& earlier = policy_.rules[*shadow.by];
      diagnostics_
          .add(kUnreachableRule, rule.span,
               fmt::format("no query reaches this {}: {} before it take{} all of its queries", what,
                           shadow.together ? "others" : "one", shadow.together ? "" : "s"))
          .labels.push_back({earlier.span, shadow.together ? "among them this one" : "this one"});
    }
  }

  /// An unreadable rule or name may be the one that uses what seems unused.
  void report_unused() {
    if (!resolved_ || !all_complete(file_.rules)) return;
    report_unused(levels_, kUnusedLevel, "level");
    report_unused(groups_, kUnusedGroup, "group");
  }

  void report_unused(const NameTable& table, const rch::Rule& rule, std::string_view what) {
    for (const auto& [key, entry] : table.by_key)
      if (!entry.used)
        diagnostics_.add(rule, entry.name->token.span,
                         fmt::format("{} `{}` is never used", what, entry.name->token.text));
  }

  const qos_syntax::Syntax& file_;
  SourceId source_;
  const KnownPartitions* partitions_;
  const BuildContext& context_;
  Diagnostics& diagnostics_;
  PkeyReferences pkeys_;
  QosPolicy policy_;
  NameTable groups_, levels_;
  std::map<std::string, std::size_t> unified_;  ///< groups of the port group file, in policy_.groups
  std::array<std::optional<std::size_t>, 16> by_sl_;
  const qos_syntax::UlpLine* default_line_ = nullptr;
  bool resolved_ = true;  ///< every name that a rule uses was found
  std::size_t suggestions_ = 0;
};

}  // namespace

QosPolicy build_qos(const qos_syntax::Syntax& syntax, SourceId source, const KnownPartitions* partitions,
                    const BuildContext& context) {
  return Builder(syntax, source, partitions, context).build();
}

std::vector<SlUse> sl_uses(const QosPolicy& policy) {
  std::vector<bool> reached(policy.levels.size(), false);
  if (!reached.empty()) reached[policy.fallback] = true;
  for (const MatchRule& rule : policy.rules) reached[rule.level] = true;
  std::vector<SlUse> uses;
  for (std::size_t i = 0; i < policy.levels.size(); ++i) {
    const Level& level = policy.levels[i];
    if (!reached[i]) continue;
    if (level.name.empty())
      uses.push_back({level.sl, SlUse::ulp, level.span, "a line of `qos-ulps`"});
    else
      uses.push_back({level.sl, SlUse::qos_level, level.span, fmt::format("QoS level `{}`", level.name)});
  }
  return uses;
}

}  // namespace rch::policy::qos

#include "policy/build/groups/groups.h"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/build/groups/group_rules.h"
#include "policy/lint/rules/groups.h"

namespace rch::policy {
namespace {

using parsers::Token;
namespace group_syntax = parsers::port_groups;

struct Builtin {
  std::string_view name;
  BuiltinGroup group;
};
constexpr Builtin kBuiltins[] = {{"ALL", BuiltinGroup::all},
                                 {"ALL_SWITCHES", BuiltinGroup::all_switches},
                                 {"ALL_CAS", BuiltinGroup::all_cas},
                                 {"ALL_ROUTERS", BuiltinGroup::all_routers}};

/// Predefined by newer NVIDIA SMs, not computed by rch (docs/keywords.md).
constexpr std::string_view kUnsupported[] = {"ALL_ANS",           "ALL_SWITCH_TO_SWITCH", "ALL_SWITCH_TO_CA",
                                             "ALL_SWITCH_TO_GPU", "ALL_TRUNK_PORTS",      "ALL_FNM_PORTS",
                                             "ALL_GPUS",          "ALL_MGMT_CAS",         "ALL_COMPUTE_CAS",
                                             "ALL_COMPUTE_LINKS"};

bool unsupported(std::string_view name) {
  return std::find(std::begin(kUnsupported), std::end(kUnsupported), name) != std::end(kUnsupported);
}

bool builtin(std::string_view name) {
  return std::any_of(std::begin(kBuiltins), std::end(kBuiltins),
                     [&](const Builtin& b) { return b.name == name; });
}

/// Groups that a group is made of.
std::vector<std::pair<GroupId, Span>> operands(const PortGroup& group) {
  std::vector<std::pair<GroupId, Span>> found;
  for (const GroupRule& rule : group.rules) {
    if (const auto* u = std::get_if<UnionRule>(&rule))
      found.insert(found.end(), {{u->left, u->span}, {u->right, u->span}});
    if (const auto* s = std::get_if<SubtractRule>(&rule))
      found.insert(found.end(), {{s->left, s->span}, {s->right, s->span}});
  }
  return found;
}

/// Depth-first search for cycles; each cycle is reported once, at the group of it that stands first.
class CycleSearch {
 public:
  CycleSearch(const std::vector<PortGroup>& groups, Diagnostics& diagnostics)
      : groups_(groups), diagnostics_(diagnostics), state_(groups.size(), State::fresh) {
    for (const PortGroup& group : groups) edges_.push_back(operands(group));
  }

  /// Iterative, since a chain of groups may be as long as the file.
  void run() {
    for (std::size_t root = 0; root < groups_.size(); ++root) {
      if (state_[root] == State::fresh) push(root);
      while (!path_.empty()) step();
    }
  }

 private:
  enum class State { fresh, open, done };
  struct Frame {
    std::size_t group;
    std::size_t next = 0;
  };

  void push(std::size_t group) {
    state_[group] = State::open;
    path_.push_back({group});
  }

  void step() {
    Frame& frame = path_.back();
    if (frame.next == edges_[frame.group].size()) {
      state_[frame.group] = State::done;
      path_.pop_back();
      return;
    }
    const auto& [target, span] = edges_[frame.group][frame.next++];
    if (target.is_none()) return;
    if (state_[target.index()] == State::fresh)
      push(target.index());
    else if (state_[target.index()] == State::open &&
             std::find(reported_.begin(), reported_.end(), span) == reported_.end())
      report(target.index(), span);
  }

  void report(std::size_t target, Span span) {
    reported_.push_back(span);
    const auto from =
        std::find_if(path_.begin(), path_.end(), [&](const Frame& f) { return f.group == target; });
    std::string names;
    for (auto frame = from; frame != path_.end(); ++frame)
      names += fmt::format("`{}` -> ", groups_[frame->group].name.text);
    Diagnostic& d = diagnostics_.add(
        kGroupCycle, span,
        fmt::format("groups are made of each other: {}`{}`", names, groups_[target].name.text));
    d.labels.push_back({groups_[target].name.span, "the cycle starts here"});
  }

  const std::vector<PortGroup>& groups_;
  Diagnostics& diagnostics_;
  std::vector<State> state_;
  std::vector<std::vector<std::pair<GroupId, Span>>> edges_;
  std::vector<Frame> path_;
  std::vector<Span> reported_;
};

/// What a rule that names ports says; empty for one that names groups.
struct SaidByRule {
  std::string operator()(const PortGuidRule& r) const {
    std::string text = fmt::format("{}", r.guid);
    for (const auto& [low, high] : r.ports) text += fmt::format("@{}-{}", low, high);
    return text;
  }
  std::string operator()(const PortGuidRangeRule& r) const { return fmt::format("{}-{}", r.low, r.high); }
  std::string operator()(const PortNameRule& r) const {
    return fmt::format("host {} {} {}", r.hostname, r.port.value_or(0), r.hca_index.value_or(0));
  }
  std::string operator()(const PortRegexpRule& r) const {
    return fmt::format("regexp {} {}", r.regexp, r.port.value_or(0));
  }
  std::string operator()(const auto&) const { return {}; }
};

std::string said_by_rules(std::span<const GroupRule> rules) {
  std::string text;
  for (const GroupRule& rule : rules) {
    if (!text.empty()) text += ' ';
    text += std::visit(SaidByRule{}, rule);
  }
  return text;
}

}  // namespace

GroupTable::GroupTable(Symbols& symbols) : symbols_(symbols) {
  for (const Builtin& b : kBuiltins) {
    const auto id = GroupId(static_cast<std::uint32_t>(groups_.size()));
    by_name_.emplace(b.name, id);
    by_lower_name_.emplace(to_lower(b.name), id);
    PortGroup& group = groups_.emplace_back();
    group.name.text = b.name;
    group.rules.emplace_back(b.group);
  }
  builtin_count_ = groups_.size();
  used_.assign(builtin_count_, true);
}

void GroupTable::add(const group_syntax::Syntax& file, Diagnostics& diagnostics) {
  for (const group_syntax::Group& group : file.groups)
    if (group.name) written_names_.insert(group.name->text);
  for (const group_syntax::Group& group : file.groups) add_group(group, diagnostics);
}

void GroupTable::add_group(const group_syntax::Group& group, Diagnostics& diagnostics) {
  const auto id = GroupId(static_cast<std::uint32_t>(groups_.size()));
  PortGroup& added = groups_.emplace_back();
  added.name.span = group.span;
  if (group.name) added.name = {group.name->text, group.name->span};
  added.use = group.use;
  used_.push_back(false);
  names_complete_ = names_complete_ && group.name.has_value();
  if (group.name) {
    symbols_.define(SymbolKind::port_group, group.name->text, group.name->span);
    check_name(*group.name, diagnostics);
    by_name_.emplace(group.name->text, id);
    by_lower_name_.emplace(to_lower(group.name->text), id);
  }
  if (group.rules.empty() && group.complete() && group.name)
    diagnostics.add(kNoRule, group.span, fmt::format("group `{}` has no rule", group.name->text));
  std::set<std::string> seen;
  for (const group_syntax::Rule& rule : group.rules) {
    const std::size_t before = groups_[id.index()].rules.size();
    add_rule(id.index(), rule, diagnostics);
    const std::string said = said_by_rules(std::span(groups_[id.index()].rules).subspan(before));
    if (!said.empty() && !seen.insert(said).second)
      diagnostics.add(kRepeatedGuid, rule.span, "this rule stands twice in its group");
  }
}

void GroupTable::check_name(const Token& name, Diagnostics& diagnostics) {
  if (builtin(name.text) || unsupported(name.text)) {
    diagnostics.add(kReservedGroup, name.span,
                    fmt::format("`{}` is predefined and cannot be defined again", name.text));
    return;
  }
  if (name.text.find_first_of(" \t") != std::string::npos)
    diagnostics.add(kGroupNameBlank, name.span, fmt::format("a blank inside the group name `{}`", name.text));
  if (const auto first = by_name_.find(name.text); first != by_name_.end()) {
    Diagnostic& d =
        diagnostics.add(kDuplicateGroup, name.span, fmt::format("group `{}` is defined twice", name.text));
    d.labels.push_back({groups_[first->second.index()].name.span, "first here"});
    d.hint = fmt::format("was a new name such as `{}` intended?", free_name(name.text));
    return;
  }
  if (const auto twin = by_lower_name_.find(to_lower(name.text)); twin != by_lower_name_.end()) {
    const Name& other = groups_[twin->second.index()].name;
    const bool predefined = twin->second.index() < builtin_count_;
    Diagnostic& d = diagnostics.add(kGroupCase, name.span,
                                    fmt::format("`{}` and {}`{}` differ only in case", name.text,
                                                predefined ? "the predefined " : "", other.text));
    if (!predefined) d.labels.push_back({other.span, "the other one"});
  }
}

/// `grp3` with the next number that no group has; `leaves` becomes `leaves2`.
std::string GroupTable::free_name(const std::string& name) const {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::string stem = name.substr(0, last == std::string::npos ? 0 : last + 1);
  const auto number = parse_integer(std::string_view(name).substr(stem.size())).value_or(1);
  for (std::uint64_t next = number + 1;; ++next)
    if (std::string candidate = fmt::format("{}{}", stem, next); !written_names_.contains(candidate))
      return candidate;
}

void GroupTable::add_rule(std::size_t group, const group_syntax::Rule& rule, Diagnostics& diagnostics) {
  auto& rules = groups_[group].rules;
  if (const auto* set = std::get_if<group_syntax::SetRule>(&rule.what)) {
    references_.push_back({group, rules.size(), set->left, set->right});
    if (set->is_union)
      rules.push_back(UnionRule{GroupId::none(), GroupId::none(), rule.span});
    else
      rules.push_back(SubtractRule{GroupId::none(), GroupId::none(), rule.span});
    return;
  }
  for (GroupRule& converted : convert_rule(rule, diagnostics)) rules.push_back(std::move(converted));
}

void GroupTable::resolve(Diagnostics& diagnostics) {
  for (const Reference& reference : references_) {
    const std::string& own = groups_[reference.group].name.text;
    const auto operand = [&](const Token& name) {
      if (name.text != own) return use(name, diagnostics).value_or(GroupId::none());
      symbols_.refer(SymbolKind::port_group, name.text, name.span);
      diagnostics.add(kGroupCycle, name.span, fmt::format("group `{}` is made of itself", own));
      return GroupId::none();
    };
    const GroupId left = operand(reference.left), right = operand(reference.right);
    GroupRule& rule = groups_[reference.group].rules[reference.rule];
    if (auto* u = std::get_if<UnionRule>(&rule)) *u = {left, right, u->span};
    if (auto* s = std::get_if<SubtractRule>(&rule)) *s = {left, right, s->span};
  }
  references_.clear();
  CycleSearch(groups_, diagnostics).run();
}

std::optional<GroupId> GroupTable::use(const Token& name, Diagnostics& diagnostics) {
  symbols_.refer(SymbolKind::port_group, name.text, name.span);
  if (const auto at = by_name_.find(name.text); at != by_name_.end()) {
    used_[at->second.index()] = true;
    return at->second;
  }
  if (unsupported(name.text)) {
    diagnostics.add(kUnsupportedGroup, name.span,
                    fmt::format("predefined group `{}` is not computed by rch", name.text));
    return std::nullopt;
  }
  if (!names_complete_) return std::nullopt;
  Diagnostic& d =
      diagnostics.add(kUndefinedGroup, name.span, fmt::format("group `{}` is not defined", name.text));
  if (suggestions_++ >= kSuggestions) return std::nullopt;
  std::vector<std::string_view> names;
  for (const auto& [known, id] : by_name_) names.push_back(known);
  if (const std::string_view meant = nearest(name.text, names); !meant.empty())
    d.hint = fmt::format("did you mean `{}`?", meant);
  return std::nullopt;
}

void GroupTable::report_unused(Diagnostics& diagnostics) const {
  for (std::size_t id = builtin_count_; id < groups_.size(); ++id)
    if (!used_[id])
      diagnostics.add(kUnusedGroup, groups_[id].name.span,
                      fmt::format("group `{}` is never used", groups_[id].name.text));
}

}  // namespace rch::policy

#include "policy/build/partitions/numbering.h"

#include <limits>

#include <fmt/format.h>

#include "policy/lint/rules/partitions.h"

namespace rch::policy::partitions {
namespace {

using parsers::partitions::Statement;

constexpr std::size_t kLongestName = 31;
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
constexpr PKey kNotGiven{0};
constexpr std::string_view kDefaultName = "Default";

/// Where two partitions have one name, OpenSM finds the one that its table lists first.
bool stands_before(PKey a, PKey b) { return __builtin_bswap16(a.value) < __builtin_bswap16(b.value); }

}  // namespace

Numbering::Numbering(const parsers::partitions::Syntax& syntax, const SourceSet& sources,
                     parsers::Bounded& report)
    : syntax_(syntax), sources_(sources), report_(report), given_by_(kMembershipBit, kNowhere) {
  for (std::uint32_t i = 0; i < syntax.statements.size(); ++i)
    if (const PKey pkey = given(syntax.statements[i]); given_by_[pkey.index()] == kNowhere)
      given_by_[pkey.index()] = i;
  add(kDefaultPKey, {kDefaultName, {}});
}

std::optional<PKey> Numbering::take(std::size_t statement) {
  const Statement& s = syntax_.statements[statement];
  const Written name{sources_.text(s.name), s.name};
  const PKey pkey = given(s);
  if (pkey == kNotGiven) return choose(s, name);
  if (!name.text.empty()) check_names(pkey, name);
  if (!used_[pkey.index()]) add(pkey, name);
  return pkey;
}

/// OpenSM takes the low 15 bits; 0 means that the number is to be chosen.
PKey Numbering::given(const Statement& statement) const {
  if (!statement.pkey) return kNotGiven;
  return PKey(static_cast<std::uint16_t>(statement.pkey->value & ~std::uint64_t{kMembershipBit}));
}

void Numbering::add(PKey pkey, const Written& name) {
  used_.set(pkey.index());
  const Written kept{name.text.substr(0, kLongestName), name.span};
  names_.emplace(pkey, kept);
  if (kept.text.empty()) return;
  const auto [at, fresh] = by_name_.emplace(kept.text, pkey);
  if (!fresh && stands_before(pkey, at->second)) at->second = pkey;
}

void Numbering::check_names(PKey pkey, const Written& name) {
  const std::string_view kept = name.text.substr(0, kLongestName);
  if (used_[pkey.index()]) {
    Written& first = names_.at(pkey);
    if (first.text == kept) {
      if (first.span.source.is_none()) first.span = name.span;
      return;
    }
    if (first.text == kDefaultName &&
        first.span.source.is_none()) {  // nobody wrote it: UFM calls it `management`
      first = {kept, name.span};
      return;
    }
    Diagnostic& d = report_.next().add(
        kOnePartitionTwoNames, name.span,
        first.text.empty()
            ? fmt::format("partition {:#06x} stands above without the name `{}`", pkey, name.text)
            : fmt::format("partition {:#06x} is called `{}` already", pkey, first.text));
    if (!first.span.source.is_none() && !first.text.empty()) d.labels.push_back({first.span, "its name"});
  } else if (const auto twin = by_name_.find(kept); twin != by_name_.end()) {
    const Written& other = names_.at(twin->second);
    Diagnostic& d = report_.next().add(
        kOneNameTwoPartitions, name.span,
        fmt::format("`{}` is also the name of partition {:#06x}", name.text, twin->second));
    if (!other.span.source.is_none()) d.labels.push_back({other.span, "the other one"});
  }
}

std::optional<PKey> Numbering::choose(const Statement& statement, const Written& name) {
  if (const auto known = by_name_.find(name.text); known != by_name_.end()) {
    report_chosen(
        statement,
        fmt::format("no P_Key is given: this is partition {:#06x}, which has the same name", known->second),
        {names_.at(known->second).span, "the first part of it"});
    if (Written& first = names_.at(known->second); first.span.source.is_none()) first.span = name.span;
    return known->second;
  }
  while (lowest_unused_ < kDefaultPKey.value && used_[lowest_unused_]) ++lowest_unused_;
  while (lowest_free_ < kDefaultPKey.value && (used_[lowest_free_] || given_by_[lowest_free_] != kNowhere))
    ++lowest_free_;
  const PKey chosen(lowest_free_);
  if (chosen == kDefaultPKey) {
    report_.next().add(kChosenPKey, statement.header, "no P_Key is left for this partition").severity =
        Severity::error;
    return std::nullopt;
  }
  Label clash;
  if (lowest_unused_ != lowest_free_)
    clash = {syntax_.statements[given_by_[lowest_unused_]].header,
             fmt::format("OpenSM takes {:#06x}, the P_Key of this one", lowest_unused_)};
  report_chosen(statement, fmt::format("no P_Key is given: this is partition {:#06x}", chosen),
                std::move(clash));
  add(chosen, name);
  return chosen;
}

void Numbering::report_chosen(const Statement& statement, std::string message, Label label) {
  if (statement.damaged) return;  // the number may be what was reported
  const Span place = statement.name.begin == statement.name.end ? statement.header : statement.name;
  Diagnostic& d = report_.next().add(kChosenPKey, place, std::move(message));
  d.hint = "write the P_Key behind the name";
  if (!label.span.source.is_none()) d.labels.push_back(std::move(label));
}

}  // namespace rch::policy::partitions
